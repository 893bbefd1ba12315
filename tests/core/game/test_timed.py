"""Games under a clock: what counts, what comes too late, what the referee does (rules section 7)."""

from __future__ import annotations

import pytest

from core.clock import DAY, MINUTE, SECOND
from core.game import (
    Act,
    Action,
    CorruptGame,
    Draw,
    Event,
    Game,
    Happened,
    Reason,
    Refusal,
    Seat,
    Settings,
    SettingsError,
    Why,
    action,
    apply,
    begin,
    load,
    new_game,
    save,
)


def played(game: Game, seat: Seat | None, words: str, now: int) -> Game:
    """The game after an action that must be accepted."""
    after = apply(game, seat, action(*words.split()), now)
    assert isinstance(after, Game), after
    return after


def begun(clock: str = "20m+60s", **options: object) -> Game:
    """A game whose clock runs since 0."""
    return begin(new_game(Settings(clock=clock, **options)), 0)  # type: ignore[arg-type]


class TestRunning:
    """Whose time runs, and what it costs."""

    def test_before_both_seats_are_taken_no_time_runs(self) -> None:
        """Nobody can lose on time at a table that waits."""
        assert new_game(Settings(clock="20m+60s")).state.clock.deadline is None

    def test_the_time_of_who_has_to_act_runs(self) -> None:
        """Black's first; White's after the stone."""
        game = begun()
        assert game.state.clock.running == 0
        game = played(game, 0, "place h8", 5 * MINUTE)
        assert game.state.clock.running == 1
        assert game.state.clock.left == (15 * MINUTE, 20 * MINUTE)

    def test_the_guess_is_made_on_the_guessers_time(self) -> None:
        """Seat 1 has to act first under a guess."""
        game = begun(draw=Draw.GUESS, hidden=3)
        assert game.state.clock.running == 1
        assert played(game, 1, "guess even", SECOND).state.clock.running == 0

    def test_an_opening_is_one_turn(self) -> None:
        """P1's clock runs until all three stones lie there, then P2's for the swap (rules section 7)."""
        game = begun(protocol="rif")
        for number, words in enumerate(("place h8", "place h9", "place i9"), 1):
            assert game.state.clock.running == 0
            game = played(game, 0, words, number * MINUTE)
        assert game.state.clock.running == 1
        assert game.state.clock.left[0] == 17 * MINUTE

    def test_blacks_time_runs_until_all_offers_stand_and_whites_until_move_six(self) -> None:
        """The clock follows the decisions of the fifth move (rules section 7)."""
        game = begun(protocol="rif")
        for words in ("place h8", "place h9", "place i9"):
            game = played(game, 0, words, 0)
        game = played(game, 1, "keep", 0)
        game = played(game, 1, "place j10", 0)
        game = played(game, 0, "offer g7", MINUTE)
        assert game.state.clock.running == 0
        game = played(game, 0, "offer k4", 2 * MINUTE)
        assert game.state.clock.running == 1
        game = played(game, 1, "choose g7", 3 * MINUTE)
        assert game.state.clock.running == 1
        game = played(game, 1, "place k5", 4 * MINUTE)
        assert game.state.clock.running == 0
        assert game.state.clock.left == (18 * MINUTE, 18 * MINUTE)

    def test_at_the_end_the_clock_stops(self) -> None:
        """No deadline is left behind."""
        game = played(played(begun(), 0, "place h8", 1), 1, "place a1", 2)
        assert played(game, 0, "resign", 3).state.clock.deadline is None


class TestTooLate:
    """The deadline decides, whoever looks when."""

    def test_the_last_instant_counts_and_the_next_does_not(self) -> None:
        """Arrival at the deadline itself is in time."""
        game = begun("3d")
        assert isinstance(apply(game, 0, action("place", "h8"), 3 * DAY), Game)
        assert apply(game, 0, action("place", "h8"), 3 * DAY + 1) == Refusal(Why.TIME_OVER)

    def test_after_the_deadline_nothing_of_either_side_counts(self) -> None:
        """A draw or a resignation cannot come in between."""
        game = played(played(begun("3d"), 0, "place h8", 0), 1, "place a1", 0)
        for seat, words in ((0, ("resign",)), (1, ("resign",)), (0, ("draw_offer",))):
            assert apply(game, 0 if seat == 0 else 1, action(*words), 4 * DAY) == Refusal(Why.TIME_OVER)

    def test_only_then_and_only_for_that_seat_the_flag_falls(self) -> None:
        """The referee cannot be early, nor take the wrong side."""
        game = begun("3d")
        assert isinstance(apply(game, None, Action(Act.FLAG, number=0), 3 * DAY - 1), Refusal)
        assert isinstance(apply(game, None, Action(Act.FLAG, number=1), 3 * DAY), Refusal)
        ended = played(game, None, "flag 0", 3 * DAY)
        assert ended.outcome is not None
        assert (ended.outcome.reason, ended.outcome.winner) == (Reason.TIME, 1)

    def test_time_given_back_moves_the_deadline(self) -> None:
        """The service was down for a day; both are told by an event."""
        game = played(begun("3d"), None, f"credit {DAY}", DAY)
        assert game.state.events == (Event(Happened.TIME_GIVEN, number=DAY),)
        assert isinstance(apply(game, 0, action("place", "h8"), 4 * DAY), Game)


class TestReminder:
    """Once a turn, before the end."""

    def test_it_comes_once_a_turn(self) -> None:
        """The next turn has its own."""
        game = played(begun("3d"), None, "remind", 2 * DAY)
        assert game.state.events == (Event(Happened.REMINDED, 0),)
        assert isinstance(apply(game, None, action("remind"), 2 * DAY), Refusal)
        game = played(game, 0, "place h8", 2 * DAY)
        assert not game.state.reminded
        played(game, None, "remind", 4 * DAY)

    def test_after_a_take_back_the_turn_is_a_new_one(self) -> None:
        """Whoever moves again has all of its time, and is reminded again."""
        game = played(begun("3d"), None, "remind", 2 * DAY)
        for seat, words in ((0, "place h8"), (1, "place a1"), (0, "undo_ask"), (1, "undo_allow")):
            game = played(game, 0 if seat == 0 else 1, words, 2 * DAY)
        assert game.state.clock.running == 0
        assert not game.state.reminded

    @pytest.mark.parametrize("words", ["flag 0", "credit 5", "remind"])
    def test_no_seat_can_do_what_the_referee_does(self, words: str) -> None:
        """Button data can be forged."""
        assert isinstance(apply(begun("3d"), 0, action(*words.split()), 1), Refusal)


def test_a_take_back_restores_the_time_of_who_moves_again() -> None:
    """The other side keeps what it has used meanwhile."""
    game = played(begun(), 0, "place h8", MINUTE)
    game = played(game, 0, "undo_ask", 3 * MINUTE)
    game = played(game, 1, "undo_allow", 4 * MINUTE)
    clock = game.state.clock
    assert (clock.running, clock.since) == (0, 4 * MINUTE)
    assert clock.left == (20 * MINUTE, 17 * MINUTE)


def test_saved_with_its_clock_it_loads_equal() -> None:
    """The record, with the times in it, rebuilds the clock."""
    game = begun("fischer:10m+5s")
    game = played(game, 0, "place h8", MINUTE)
    game = played(game, None, "credit 5000", 2 * MINUTE)
    game = played(game, 1, "place h9", 2 * MINUTE)
    assert load(save(game)) == game


def test_a_saved_game_whose_times_cannot_be_is_corrupt() -> None:
    """A stone after the deadline was never accepted."""
    saved = save(played(begun("3d"), 0, "place h8", 1)).replace(b"[0,1,", b"[0,999999999999,")
    with pytest.raises(CorruptGame):
        load(saved)


def test_an_unreadable_clock_is_a_settings_error() -> None:
    """It names the option."""
    with pytest.raises(SettingsError) as caught:
        Settings(clock="quick")
    assert caught.value.word == "clock"
