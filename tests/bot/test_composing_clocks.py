"""Time in what people see: who has how much, until when, and what the referee did."""

from __future__ import annotations

import pytest

from bot.composing.clocks import span
from bot.scene import STOPPED, Viewer
from core.clock import DAY, HOUR, MINUTE, SECOND, Kind
from core.game import Draw, Game, Seat, Settings, action, apply, new_game
from core.game import begin as started
from tests.bot.scenes import PUBLIC, scene
from tests.core.game.games import begin

#: 2025-01-01 00:00 UTC.
NEW_YEAR = 1_735_689_600 * SECOND


def begun(clock: str, at: int = 0, **agreed: object) -> Game:
    """A game whose clock runs since ``at``."""
    return started(new_game(Settings(clock=clock, **agreed)), at)  # type: ignore[arg-type]


def done(game: Game, seat: Seat | None, words: str, now: int) -> Game:
    """The game after an action that must be accepted."""
    after = apply(game, seat, action(*words.split()), now)
    assert isinstance(after, Game), after
    return after


def times(game: Game, now: int, language: str = "en") -> list[str]:
    """The lines about time."""
    begins = ("Time of", "Anna", "Bob")
    told = scene(game, Viewer(language, public=True), now=now).lines
    return [line for line in told if line.startswith(begins) and ("UTC" in line or "Time of" in line)]


@pytest.mark.parametrize(
    ("time", "shown"),
    [
        (0, "0:00"),
        (1, "0:01"),
        (999, "0:01"),
        (1_000, "0:01"),
        (1_001, "0:02"),
        (59_001, "1:00"),
        (20 * MINUTE, "20:00"),
        (HOUR - 1, "1:00:00"),
        (HOUR + 61 * SECOND, "1:01:01"),
        (-5, "0:00"),
    ],
)
def test_a_span_is_read_like_a_clock(time: int, shown: str) -> None:
    """0:00 means over, and nothing is below it."""
    assert span(time).text == shown


class TestRealTime:
    def test_byo_yomi_counts_the_main_time_down_then_the_turn(self) -> None:
        """Both sides are told."""
        game = begun("1m+30s")
        assert times(game, 0) == [
            "Time of Anna (Black): 1:00, then 0:30 a turn.",
            "Time of Bob (White): 1:00, then 0:30 a turn.",
        ]
        assert times(game, 15 * SECOND)[0] == "Time of Anna (Black): 0:45, then 0:30 a turn."
        assert times(game, 70 * SECOND)[0] == "Time of Anna (Black): 0:20 left of this turn."
        assert times(game, 500 * SECOND)[0] == "Time of Anna (Black): 0:00 left of this turn."
        game = done(game, 0, "place h8", 70 * SECOND)
        assert times(game, 75 * SECOND) == [
            "Time of Anna (Black): 0:30 a turn.",
            "Time of Bob (White): 0:55, then 0:30 a turn.",
        ]

    def test_fischer_adds_after_each_turn(self) -> None:
        """One time for all."""
        game = done(begun("fischer:10m+5s"), 0, "place h8", 60 * SECOND)
        assert times(game, 61 * SECOND) == [
            "Time of Anna (Black): 9:05, and 0:05 more after each turn.",
            "Time of Bob (White): 9:59, and 0:05 more after each turn.",
        ]

    def test_names_have_no_colour_before_the_draw(self) -> None:
        """The clock of whoever guesses runs."""
        game = begun("20m+60s", draw=Draw.GUESS, hidden=3)
        assert times(game, MINUTE)[1] == "Time of Bob: 19:00, then 1:00 a turn."

    def test_is_silent_before_the_game_and_after_it(self) -> None:
        """A table that waits, and a result."""
        assert times(new_game(Settings(clock="20m+60s")), 0) == []
        assert times(done(begun("20m+60s"), 0, "cancel", 5), 10) == []

    def test_is_there_in_numbers(self) -> None:
        """For a page that counts down."""
        game = begun("1m+30s", at=1_000)
        clock = scene(game, PUBLIC, now=16_000).clock
        assert (clock.kind, clock.running, clock.deadline) == (Kind.BYO_YOMI, 0, 91_000)
        assert (clock.main, clock.turn) == ((45_000, 60_000), (30_000, 30_000))
        late = scene(game, PUBLIC, now=999_000).clock
        assert (late.main[0], late.turn[0]) == (0, 0)
        over = scene(done(game, 0, "cancel", 2_000), PUBLIC, now=3_000).clock
        assert (over.running, over.deadline) == (None, None)
        assert STOPPED.running is None


class TestDays:
    @pytest.mark.parametrize(
        ("gone", "left"),
        [
            (0, "3 days."),
            (1, "3 days."),
            (12 * HOUR, "3 days."),
            (12 * HOUR + 1, "2 days."),
            (DAY, "2 days."),
            (DAY + 1, "2 days."),
            (DAY + HOUR // 2 + 1, "47 hours."),
            (2 * DAY + 22 * HOUR, "2 hours."),
            (2 * DAY + 22 * HOUR + 1, "2 hours."),
            (2 * DAY + 22 * HOUR + 31 * SECOND, "119 minutes."),
            (3 * DAY - 61 * SECOND, "1 minute."),
            (3 * DAY - 1, "1 minute."),
            (3 * DAY, "0 minutes."),
            (4 * DAY, "0 minutes."),
        ],
    )
    def test_are_told_by_their_end(self, gone: int, left: str) -> None:
        """As a date in UTC, and how long that is."""
        line = f"Anna (Black) has time until 2025-01-04 00:00 UTC: {left}"
        assert times(begun("3d", NEW_YEAR), NEW_YEAR + gone) == [line]

    def test_without_a_clock_they_are_told_with_the_reminder(self) -> None:
        """Nobody counts days in a friendly game, until it is nearly given up."""
        game = begun("idle:3d", NEW_YEAR)
        assert times(game, NEW_YEAR + DAY) == []
        game = done(game, None, "remind", NEW_YEAR + 2 * DAY)
        line = "Anna (Black) has time until 2025-01-04 00:00 UTC: 24 hours."
        assert times(game, NEW_YEAR + 2 * DAY) == [line]

    def test_are_told_in_chinese(self) -> None:
        """The same."""
        (line,) = times(begun("3d", NEW_YEAR), NEW_YEAR, "zh_Hans")
        assert "2025-01-04 00:00" in line
        assert "3 天" in line


class TestTheReferee:
    def test_time_that_is_given_back_is_told(self) -> None:
        """To both, and the clock shows it."""
        game = done(begun("1m+30s"), None, "credit 40000", 50 * SECOND)
        shown = scene(game, now=50 * SECOND)
        assert "The service was away; the running clock got 0:40 back." in shown.lines
        assert "Time of Anna (Black): 0:50, then 0:30 a turn." in shown.lines

    def test_the_reminder_is_told(self) -> None:
        """With the end beside it."""
        game = done(begun("3d", NEW_YEAR), None, "remind", NEW_YEAR + 2 * DAY)
        shown = scene(game, now=NEW_YEAR + 2 * DAY + 1)
        assert "Anna (Black): your time is nearly over." in shown.lines
        assert "Anna (Black) has time until 2025-01-04 00:00 UTC: 24 hours." in shown.lines

    def test_a_flag_is_a_result(self) -> None:
        """Whose time is over has lost."""
        game = done(begun("1m+30s"), None, "flag 0", 200 * SECOND)
        assert "Bob (White) wins: the time of Anna (Black) is over." in scene(game, now=200 * SECOND).lines


class TestWhatIsAgreed:
    @pytest.mark.parametrize(
        ("clock", "line"),
        [
            ("20m+60s", "Clock: 20:00 each for the game, then 1:00 a turn."),
            ("0s+30s", "Clock: 0:30 a turn."),
            ("fischer:10m+5s", "Clock: 10:00 each, and 0:05 more after each turn."),
            ("3d", "Clock: 3 days a turn."),
            ("1d", "Clock: 1 day a turn."),
            ("idle:7d", "No clock; but who does nothing for 7 days loses."),
            ("idle:5h", "No clock; but who does nothing for 5 hours loses."),
            ("idle:90m", "No clock; but who does nothing for 90 minutes loses."),
        ],
    )
    def test_is_said_in_a_sentence(self, clock: str, line: str) -> None:
        """In the first message, before anybody has joined."""
        assert line in scene(begin(clock=clock)).lines

    def test_is_said_until_the_first_stone_where_nothing_was_chosen(self) -> None:
        """Three days of idling: the plain game, which is not told about it at every move."""
        line = "No clock; but who does nothing for 3 days loses."
        assert line in scene(begin()).lines
        assert line not in scene(done(begun("idle:3d"), 0, "place h8", 1)).lines
