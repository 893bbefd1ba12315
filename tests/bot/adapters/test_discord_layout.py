"""What messages on Discord are made of: never more than fits, and everything of the scene is there."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.adapters.discord import picker
from bot.adapters.discord.form import ask_for_point
from bot.adapters.discord.informing import game_list
from bot.adapters.discord.items import SureButton
from bot.adapters.discord.layout import PICTURE, ROW, asked, board, illustrated, local, said
from bot.adapters.discord.plain import plain
from bot.adapters.discord.shower import _moments
from bot.composing import compose
from bot.composing.figures import forbidden_shapes
from bot.scene import Scene, Viewer, unpack
from bot.session.table import Machine, Person, Table, View
from bot.words import LANGUAGES, words
from bot.words.help import rules_text
from core.game import Draw, Game, Settings, apply, begin, new_game, place
from core.notation import POINTS, column_of, label, point, row_of
from tests.bot.moments import agreements, somebody_does
from tests.fakes.discord.facts import BUTTON, EPHEMERAL, V2, Looks, check, check_looks, check_modal, checked, walk
from tests.fakes.discord.places import shown

SEND = "POST /channels/{channel_id}/messages"


def within_limits(view: Any) -> list[dict[str, Any]]:
    """The components of a view, which the description and all limits allow."""
    components: list[dict[str, Any]] = view.to_components()
    checked(SEND, {"components": components, "flags": V2})
    check_looks(Looks(components, "", [], V2 | EPHEMERAL))
    return components


def fits(view: Any) -> list[dict[str, Any]]:
    """The same of a view of a table: every custom_id can be read."""
    components = within_limits(view)
    for part in walk(components):
        if "custom_id" in part:
            assert unpack(part["custom_id"][2:]) is not None, part["custom_id"]
            assert len(part["custom_id"].encode()) <= 66
    return components


def labels(components: list[dict[str, Any]]) -> list[str]:
    return [part["label"] for part in walk(components) if part["type"] == BUTTON]


@st.composite
def scenes(draw: st.DrawFn) -> tuple[Scene, str]:
    """Any moment of any game, seen by anybody, with names that are as long as names are shown."""
    game, chance = new_game(draw(agreements())), random.Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, 45))):
        if game.outcome is None:
            game = somebody_does(game, chance, 0)
    name = draw(st.sampled_from(["Ann", "*" * 40, "<@1>" * 10, "@everyone `x` [a](http://b) ||c||", "漢" * 40]))
    people = (Person(id="dc:1", name=name), Person(id="dc:2", name=name))
    seats = draw(st.sampled_from([people, (Machine(), people[1]), (people[0], None)]))
    language = draw(st.sampled_from(list(LANGUAGES)))
    viewer = draw(st.sampled_from([Viewer(language, public=True), Viewer(language, seats=(0,)), Viewer(language)]))
    table = Table(id="abcdefghij", game=game, seats=seats, joins=draw(st.integers(0, 2)))
    return compose(table, viewer), language


class TestBoards:
    """The message that everybody sees."""

    @settings(max_examples=150, deadline=None)
    @given(scenes(), st.booleans())
    def test_every_board_fits_and_has_everything(self, seen: tuple[Scene, str], guest: bool) -> None:
        """At most forty components, five in a row; all words exactly, and every button of the scene."""
        scene, language = seen
        components = fits(board(scene, words(language), guest=guest, more=("The free seat is kept for <@1>.",)))
        text = "\n".join(shown(part["content"]) for part in walk(components) if "content" in part)
        for line in (scene.title, *scene.lines):
            assert line in text
        assert {button.label for row in scene.buttons for button in row} <= set(labels(components))
        assert all(len(row["components"]) <= ROW for row in components if row["type"] == 1)
        carried = {unpack(part["custom_id"][2:]) for part in walk(components) if part.get("custom_id")}
        for row in scene.buttons:
            for button in row:
                data = f"ask-{button.data}" if button.confirm else button.data
                assert (scene.table, scene.rev, data) in carried
        (gallery,) = [part for part in walk(components) if part["type"] == 12]
        assert gallery["items"] == [
            {"media": {"url": f"attachment://{PICTURE}"}, "description": scene.alt, "spoiler": False}
        ]

    def test_short_rows_of_one_kind_become_long_ones(self) -> None:
        """Twelve numbers stand in three rows, not in four."""
        scene = compose(_declaring(), Viewer("en", public=True))
        rows = [row["components"] for row in fits(board(scene, words("en"))) if row["type"] == 1]
        assert [len(row) for row in rows if row[0]["label"].isdecimal()] == [5, 5, 2]

    @pytest.mark.asyncio
    async def test_the_library_keeps_no_view(self) -> None:
        """One that it keeps takes the patterns of all buttons away when it ends."""
        assert board(compose(_declaring(), Viewer("en", public=True)), words("en")).is_finished()
        assert said("x").is_finished()


def _declaring() -> Table:
    game = new_game(Settings(protocol="yamaguchi", draw=Draw.FIXED))
    for text in ("h8", "h9", "i9"):
        after = apply(game, game.to_act[0], place(text), 0)
        assert isinstance(after, Game)
        game = after
    return Table(id="abcdefghij", game=game, seats=(Person(id="dc:1", name="Ann"), Person(id="dc:2", name="Ben")))


class TestQuestions:
    """The other private messages."""

    @pytest.mark.parametrize("language", LANGUAGES)
    @given(st.sampled_from(["Ann", "*" * 40, "<@1>" * 10, "漢" * 40]), st.integers(0, 12))
    def test_lists_and_questions_fit(self, language: str, name: str, number: int) -> None:
        """Of ten games at most, with the longest names there are; and what is asked before something serious."""
        chosen = words(language)
        person = Person(id="dc:1", name=name)
        tables = [
            Table(id=f"abcdefghi{chr(97 + n)}", game=new_game(Settings()), seats=(person, person), joins=99_000)
            for n in range(number)
        ]
        view = View(id="x", platform="dc", chat="9" * 19, message="9" * 19)
        components = fits(game_list(chosen, [(table, [view]) for table in tables], 10**18, private=False))
        assert len([part for part in walk(components) if part["type"] == BUTTON]) == min(number, 10)
        key = "abcdefghij.99999.leave"
        fits(asked(chosen.say("Leave this table? A game that has begun is lost."), [SureButton(key, label="x")]))
        text, _ = forbidden_shapes(chosen)
        fits(illustrated(rules_text(chosen), text))


class TestChoosing:
    """The private message where a point is chosen."""

    @settings(max_examples=100, deadline=None)
    @given(scenes(), st.integers(0, POINTS - 1))
    def test_every_step_of_a_choice_fits(self, seen: tuple[Scene, str], at: int) -> None:
        """Selects, window and preview; a point that cannot be played is never to be confirmed."""
        scene, language = seen
        if scene.entry is None or not scene.entry.points:
            return
        column, row = column_of(at), row_of(at)
        for chosen in ((None, None), (column, None), (None, row), (column, row)):
            if chosen[0] is not None and not any(column_of(p) == column for p in scene.entry.points):
                continue
            if chosen[1] is not None and not any(row_of(p) == row for p in scene.entry.points):
                continue
            if None not in chosen and at not in scene.entry.points:
                continue
            components = fits(picker.axes(scene, words(language), *chosen))
            acts = [part for part in walk(components) if part.get("custom_id", "").startswith("a:")]
            assert bool(acts) == (None not in chosen)
        components = fits(picker.window(scene, words(language), at))
        assert _points(components) <= scene.entry.points
        fits(picker.seen(scene, words(language), min(scene.entry.points)))

    @pytest.mark.parametrize("centre", ["a1", "o15", "h8", "a15", "o1"])
    def test_a_window_lies_inside_the_board(self, centre: str) -> None:
        """Twenty-five points around the middle, as the board has them: the letters to the right, row 15 above."""
        game = new_game(Settings(free_first=True, draw=Draw.FIXED))
        table = Table(id="abcdefghij", game=game, seats=(Person(id="dc:1", name="Ann"), Person(id="dc:2", name="Ben")))
        scene = compose(table, Viewer("en", seats=(0,)))
        grid = labels(fits(picker.window(scene, words("en"), point(centre))))[:25]
        points = [point(text.lower()) for text in grid]
        assert label(point(centre)) in grid
        assert points == sorted(points, key=lambda p: (-row_of(p), column_of(p)))
        assert len(set(points)) == 25


def _points(components: list[dict[str, Any]]) -> set[int]:
    """The points that can be pressed."""
    pressed = [part["custom_id"] for part in walk(components) if part.get("custom_id") and not part.get("disabled")]
    return {point(custom_id.partition(".see-")[2]) for custom_id in pressed if ".see-" in custom_id}


class TestTexts:
    """What people call themselves means nothing to Discord."""

    @given(st.text(alphabet=st.sampled_from("ab1 \\*_~`|<>@#[]()-+.:/!&漢"), max_size=60))
    def test_every_text_is_shown_as_it_is(self, text: str) -> None:
        """The backslashes are gone when it is read, and nothing that formats is without one."""
        assert shown(plain(text)) == text
        bare = plain(text).replace("\\\\", "")
        for sign in "*_~`|<>@#[]":
            assert bare.count(sign) == bare.count(f"\\{sign}")
        assert bare.count("://") == bare.count("\\://")

    def test_lists_and_headings_are_no_such_things(self) -> None:
        """What would begin a list, a heading or a quotation stands there as a sign."""
        assert plain("- a\n+ b\n1. c\n12) d\n# e\n> f") == "\\- a\n\\+ b\n1\\. c\n12\\) d\n\\# e\n\\> f"

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_times_are_told_by_the_reader_s_clock(self, language: str) -> None:
        """The deadline of a turn and of a challenge, in every language; whoever is called like it keeps their name."""
        deadline = 1_796_083_200_000
        game = begin(new_game(Settings(clock="3d")), deadline - 3 * 86_400_000)
        for name, times in (("Ann", [deadline]), ("2026-12-01 00:00 UTC", [])):
            people = (Person(id="dc:1", name=name), Person(id="dc:2", name="Ben"))
            for seats in (people, (people[0], None)):
                open_game = None in seats
                shown = new_game(game.settings) if open_game else game
                table = Table(id="abcdefghij", game=shown, seats=seats, expires=deadline if open_game else 0)
                scene = compose(table, Viewer(language, public=True), deadline - 2 * 86_400_000)
                assert sorted(set(_moments(table, scene))) == times
                lines = [local(plain(line), times) for line in scene.lines]
                assert sum("<t:1796083200:f>" in line for line in lines) == len(times)
                assert any(name in line for line in lines)

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_long_texts_fit_a_message(self, language: str) -> None:
        """The rules do as they are; what is longer is cut."""
        components = fits(said(rules_text(words(language))))
        assert shown(components[0]["content"]) == rules_text(words(language))
        fits(said("*" * 9000))

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_the_form_fits(self, language: str) -> None:
        """Title, label and ids within their limits."""
        body = ask_for_point(Person(id="dc:1", name="Ann", language=language), "abcdefghij.99999.type").to_dict()
        check({"$ref": "#/components/schemas/ModalInteractionCallbackRequestData"}, body, "modal")
        check_modal(body)
