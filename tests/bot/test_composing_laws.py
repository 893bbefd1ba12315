"""Laws of scenes, in random games: whatever happens, what people see can be shown and used."""

from __future__ import annotations

import random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.composing.buttons import MOST_LETTERS, MOST_NUMBERS
from bot.composing.compose import CAPTION
from bot.scene import Command, Entry, Scene, Viewer, first_tap, pack, unpack
from bot.session.table import Machine, Occupant, Person
from bot.words import LANGUAGES
from bot.words.values import utf16
from core.game import (
    MOST_HIDDEN,
    Act,
    Action,
    Game,
    Refusal,
    Seat,
    Settings,
    action,
    apply,
    begin,
    decode,
    new_game,
)
from core.notation import POINTS, Point
from tests.bot.moments import agreements, somebody_does
from tests.bot.scenes import of, scene

# -- laws, in random games ---------------------------------------------------------------------------------------------

NAMES = st.text(st.characters(exclude_characters="{}"), max_size=60) | st.sampled_from(
    ["👨\u200d👩\u200d👧\u200d👦" * 40, "שלום" * 20, "x" * 500, "z" + "\u0335" * 500, "W" * 32]
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    agreements(), st.tuples(NAMES, NAMES), st.integers(0, 2**32), st.integers(0, 45), st.sampled_from(list(LANGUAGES))
)
def test_whatever_happens_a_scene_can_be_shown(
    agreed: Settings, names: tuple[str, str], seed: int, length: int, language: str
) -> None:
    """No game, name, language, clock or viewer makes a scene that fits no message, or a button that does nothing."""
    game, chance, now = begin(new_game(agreed), 0), random.Random(seed), 0
    people = (Person(id="tg:1", name=names[0]), Person(id="tg:2", name=names[1]))
    for _ in range(length):
        if game.outcome is not None:
            break
        now += chance.choice((0, 1, 999, 20_000))
        game = somebody_does(game, chance, now)
    seats = chance.choice([people, (Machine(level=3), people[1]), (people[0], Machine(level=10))])
    for viewer in (Viewer(language, public=True), of(0, language), of(1, language), Viewer(language)):
        shown = scene(game, viewer, seats, now)
        check_words(shown)
        check_buttons(shown, game, viewer, seats, now)
        if shown.entry is not None:
            check_entry(shown, shown.entry, game, now)


def check_words(shown: Scene) -> None:
    """Title and lines fit a caption, and are sentences."""
    caption = "\n".join((shown.title, *shown.lines))
    assert utf16(caption) <= CAPTION
    assert utf16(shown.alt) <= 1024
    assert "{" not in caption + shown.alt
    assert all(line and "\n" not in line for line in shown.lines)
    assert caption.encode()
    assert min(*shown.clock.main, *shown.clock.turn) >= 0


def check_buttons(
    shown: Scene, game: Game, viewer: Viewer, seats: tuple[Occupant | None, Occupant | None], now: int
) -> None:
    """Each does something, once, for somebody who sees it."""
    buttons = [button for row in shown.buttons for button in row]
    assert len({button.data for button in buttons}) == len(buttons)
    assert len(buttons) <= 25, "as many as the platform that allows fewest"
    for row in shown.buttons:
        assert 1 <= len(row) <= (6 if all(len(button.label) <= 2 for button in row) else 3)
    may: tuple[Seat, ...] = (0, 1) if viewer.public else viewer.seats
    for button in buttons:
        assert button.label
        wire = pack(shown.table, 99_999, button.data)
        assert unpack(wire) == (shown.table, 99_999, button.data)
        if button.data in tuple(Command):
            assert button.data != Command.ADD or shown.entry is not None
            continue
        answers = [apply(game, seat, decode(button.data), now) for seat in may if isinstance(seats[seat], Person)]
        done = any(isinstance(answer, Game) for answer in answers)
        assert done or button.data == "claim", f"{button.data} does nothing: {answers}"


def check_entry(shown: Scene, entry: Entry, game: Game, now: int) -> None:
    """The points that can be tapped are those that the game takes, as far as they may be told (R6.1)."""
    (seat,) = game.to_act
    if entry.act is Act.ADD:
        for at in sorted(entry.points)[::40]:
            assert first_tap(entry.data(at)) == at
            assert unpack(pack(shown.table, 99_999, entry.data(at)))
            after = entry.after(at)
            assert after is not None
            assert after.after(at) is None
            check_points(after, [apply_data(game, seat, after.data(p), now) for p in sorted(after.points)[::40]])
        return
    assert entry.after(next(iter(entry.points))) is None
    check_points(entry, [apply_data(game, seat, entry.data(at), now) for at in sorted(entry.points)[::7]])
    outside: set[Point] = set(range(POINTS)) - entry.points
    for at in sorted(outside)[::7]:
        assert isinstance(apply_data(game, seat, entry.data(at), now), Refusal)


def apply_data(game: Game, seat: Seat, written: str, now: int) -> Game | Refusal:
    """What the game says to a button."""
    return apply(game, seat, decode(written), now)


def check_points(entry: Entry, answers: list[Game | Refusal]) -> None:
    """What a point may be refused for although it could be tapped."""
    known = {"same_as_offer", "excluded_opening"}
    if entry.act is Act.ADD:
        known |= {"makes_five", "forbidden_point"}
    assert {answer.why.value for answer in answers if isinstance(answer, Refusal)} <= known


def test_the_limits_are_those_of_the_rules_where_nothing_was_agreed() -> None:
    """Whoever agreed on nothing special has a button for every number and letter."""
    assert max(phase.most for phase in Settings(protocol="yamaguchi").table().phases) <= MOST_NUMBERS
    assert max(10, MOST_NUMBERS) <= MOST_LETTERS
    assert MOST_HIDDEN <= MOST_NUMBERS


def test_more_letters_than_buttons_are_typed() -> None:
    """Fifty offers: twenty have buttons, all can be tapped on the board or typed."""
    game = new_game(Settings(protocol="designated", opening="D5", five_offers=50))
    after = apply(game, 1, action("place", "a1"), 0)
    assert isinstance(after, Game)
    game = after
    free = [p for p in range(POINTS) if not game.state.cells[p]]
    while len(game.state.offers) < 50 and free:
        after = apply(game, 0, Action(Act.OFFER, points=(free.pop(0),)), 0)
        game = after if isinstance(after, Game) else game
    shown = scene(game, of(1))
    assert sum(len(button.label) == 1 for row in shown.buttons for button in row) == MOST_LETTERS
    assert shown.entry is not None
    assert len(shown.entry.points) == 50
