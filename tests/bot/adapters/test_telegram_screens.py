"""Every screen, in every language, is one that Telegram takes."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from telegram import InlineKeyboardMarkup

from bot.adapters.telegram import keypad, steps, window
from bot.adapters.telegram.calling import mention
from bot.adapters.telegram.games import MOST, listed
from bot.adapters.telegram.keypad import Step
from bot.adapters.telegram.keys import Keyboard
from bot.adapters.telegram.keys import markup as of_library
from bot.adapters.telegram.preferences import Preferred
from bot.adapters.telegram.settings import panel
from bot.adapters.telegram.shower import _caption, quieted
from bot.composing import compose
from bot.composing.brief import brief
from bot.composing.why import why
from bot.scene import Scene, Viewer, pack
from bot.session.table import Machine, Occupant, Person, Table
from bot.words import LANGUAGES, words
from bot.words.values import utf16
from core.game import Act, Action, Game, apply, new_game
from core.notation import COLUMNS, POINTS, TENGEN
from tests.bot.moments import agreements, somebody_does
from tests.fakes.telegram.facts import CAPTION_LIMIT, TEXT_LIMIT, check_keyboard, checked

NAMES = [
    "Ann",
    "<b>_x_</b>" * 10,
    "@everyone `[a](http://b)`",
    "漢" * 40,
    "@abc" * 16,
    "👨‍👩‍👧‍👦" * 64,
    "\u202eمرحبا" * 20,
    "x" * 128,
]
LATE = 1_900_000_000_000


def fits(keyboard: Keyboard | InlineKeyboardMarkup | None) -> None:
    """Within the limits of a keyboard, and every button says and carries something."""
    markup = of_library(keyboard) if isinstance(keyboard, Keyboard | None) else keyboard
    if markup is None:
        return
    checked("sendMessage", {"chat_id": 1, "text": "x", "reply_markup": markup.to_json()}, {})
    check_keyboard(markup.to_dict())
    for row in markup.inline_keyboard:
        for button in row:
            assert 1 <= len(str(button.callback_data).encode()) <= 64


@st.composite
def seen(draw: st.DrawFn) -> tuple[Table, Viewer]:
    """Any moment of any table, also of one that waits, has expired, was withdrawn, given up, left or won on time; seen
    by anybody; with names as long and strange as accounts have them, and the largest numbers there can be.
    """
    game, chance = new_game(draw(agreements())), random.Random(draw(st.integers(0, 2**32)))
    people = (Person(id="tg:4503599627370495", name=draw(st.sampled_from(NAMES))), Person(id="tg:2", name="Ben"))
    seats: tuple[Occupant | None, Occupant | None] = draw(
        st.sampled_from([people, (Machine(), people[1]), (people[0], None)])
    )
    ending = draw(st.sampled_from(["", "", Act.RESIGN, Act.LEAVE, Act.FLAG]))
    if None in seats:
        ending = draw(st.sampled_from(["", Act.EXPIRE]))
    else:
        for _ in range(draw(st.integers(0, 60))):
            game = somebody_does(game, chance, 0) if game.outcome is None else game
    if ending and game.outcome is None:
        act = Act(ending)
        over = apply(game, None if act in (Act.FLAG, Act.EXPIRE) else 0, Action(act), draw(st.integers(0, LATE)))
        game = over if isinstance(over, Game) else game
    viewer = Viewer(
        draw(st.sampled_from([*LANGUAGES])),
        seats=draw(st.sampled_from([(), (0,), (1,)])),
        public=draw(st.booleans()),
    )
    table = Table(
        id="abcdefghij234567"[: draw(st.sampled_from([10, 16]))],
        game=game,
        seats=seats,
        joins=draw(st.sampled_from([0, 99_000])),
        invited=draw(st.sampled_from(["", *NAMES])) if None in seats else "",
        reserved=draw(st.sampled_from(["", "tg:7"])) if None in seats else "",
        expires=draw(st.sampled_from([0, LATE // 2, LATE])) if None in seats else 0,
    )
    return table, viewer


@settings(max_examples=200, deadline=None)
@given(seen(), st.sampled_from(COLUMNS), st.integers(0, POINTS - 1))
def test_every_board_fits(of: tuple[Table, Viewer], column: str, point: int) -> None:
    """With columns and with the window wherever it is moved, the rows of a column, both points of two, previews, and
    the question before a game is given up; the caption, and the name that is called in it.
    """
    table, viewer = of
    chosen = words(viewer.language)
    scene = quieted(keypad.hinted(compose(table, viewer, LATE), chosen), table)
    assert 1 <= utf16(_caption(scene)) <= CAPTION_LIMIT
    called = mention(_caption(scene), Person(id="tg:2", name="Ben"), "Ben")
    assert called is None or called.offset + called.length <= utf16(_caption(scene))
    fits(keypad.board(scene))
    fits(keypad.board(scene, around=True))
    if window.allowed(point):
        fits(keypad.board(scene, around=True, corner=point))
    fits(keypad.rows(scene, column, chosen))
    fits(keypad.points(scene, chosen))
    for row in scene.buttons:
        for button in row:
            if button.confirm:
                assert keypad.read(pack(scene.table, scene.rev, f"{Step.ASK}-{button.data}")) is not None
                fits(keypad.question(table, button.data, 1, yes=button.yes, no=button.no))
    for act in steps.SERIOUS:
        fits(keypad.question(table, act, 0, yes="Yes", no="No"))
    _both_taps_fit(scene, point, viewer.language)


def _both_taps_fit(scene: Scene, point: int, language: str) -> None:
    """A point that waits to be confirmed; the first of two stones, and every second one after it."""
    entry, chosen = scene.entry, words(language)
    if entry is None or point not in entry.points:
        return
    if entry.act is not Act.ADD:
        fits(keypad.preview(scene, entry.data(point), chosen))
        return
    second = entry.after(point)
    assert second is not None
    after = Scene(**{field: getattr(scene, field) for field in scene.__slots__} | {"entry": second})
    fits(keypad.points(after, chosen))
    for letter in COLUMNS:
        fits(keypad.rows(after, letter, chosen))
    fits(keypad.preview(after, second.data(next(iter(second.points))), chosen))


@settings(max_examples=60, deadline=None)
@given(st.lists(seen(), max_size=MOST), st.integers(0, 30), st.booleans())
def test_every_list_fits(listing: list[tuple[Table, Viewer]], more: int, private: bool) -> None:
    """The games of a chat, each with the longest address there is."""
    for language in LANGUAGES:
        chosen = words(language)
        tables = [table for table, _ in listing if table.game.outcome is None]
        address = "\n   https://t.me/c/9999999999999/9999999999/9999999999"
        lines = [f"{number}. {brief(chosen, table)}{address}" for number, table in enumerate(tables, 1)]
        text, keys = listed(chosen, tables * (1 + more if len(tables) == MOST else 1), lines, private=private)
        assert 1 <= utf16(text) <= TEXT_LIMIT
        fits(keys)


@given(seen(), st.integers(0, POINTS - 1))
@settings(max_examples=60, deadline=None)
def test_every_explanation_fits(of: tuple[Table, Viewer], point: int) -> None:
    """What /why says stands under a picture."""
    table, viewer = of
    for at in (point, TENGEN, *(stone.point for stone in table.game.state.stones[-3:])):
        assert 1 <= utf16(why(words(viewer.language), table, at).text) <= CAPTION_LIMIT


@given(
    st.builds(
        Preferred,
        language=st.sampled_from(["", *LANGUAGES]),
        style=st.sampled_from(["wood", "dark"]),
        policy=st.sampled_from(["edit", "new", "reply"]),
        around=st.booleans(),
        confirm=st.booleans(),
        wait=st.sampled_from(["1h", "1d", "3d", "14d"]),
    ),
    st.sampled_from([*LANGUAGES]),
    st.booleans(),
)
def test_every_panel_fits(now: Preferred, language: str, private: bool) -> None:
    """Settings of a chat and of a person, whatever is chosen: one choice of each line is ticked."""
    text, keys = panel(words(language), now, private=private)
    assert 1 <= utf16(text) <= TEXT_LIMIT
    fits(keys)
    for row in keys.inline_keyboard:
        assert sum(button.text.startswith("✓") for button in row) == 1
