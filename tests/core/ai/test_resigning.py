"""When the engine gives up: only what is proven lost, only after a while, never against a beginner."""

from __future__ import annotations

import numpy as np
import pytest

from core.ai import Stop
from core.ai.levels import LEVELS
from core.ai.resigning import TURNS, hopeless, lost
from core.ai.think import RENJU, Deadline, Rules
from core.game import Act, Game, Reason, Settings, action, apply
from core.notation import POINTS, Board, Colour, board, point
from tests.core.ai.test_decide import at
from tests.core.ai.test_sense import decided
from tests.core.game.games import play

BLACK, WHITE = Colour.BLACK, Colour.WHITE
#: The levels that resign, and those that never do.
STRONG = [number for number, level in LEVELS.items() if not level.beginner]
WEAK = [number for number, level in LEVELS.items() if level.beginner]

#: Black has an open three, and three threes that are closed on one side, each good for one four; White has nothing.
ATTACK = {
    "black": "i12 j12 k12 b2 c2 d2 b5 c5 d5 b8 c8 d8",
    "white": "a2 a5 a8 o1 o4 o7 o10 a15 c15 m15 a11",
}
FOURS = ("0 place e2", "1 place f2", "0 place e5", "1 place f5", "0 place e8", "1 place f8")


def attacked(steps: int, more: str = "") -> Game:
    """The game after so many steps of Black's attack; ``more`` white stones lie there from the start."""
    game = at({**ATTACK, "white": f"{ATTACK['white']} {more}"}, BLACK, Settings())
    return play(game, ";".join(FOURS[:steps]))


def cells(black: str, white: str) -> Board:
    return board(map(point, black.split()), map(point, white.split()))


def proven(lying: Board, to_move: Colour, agreed: Rules = RENJU) -> bool:
    return lost(lying, to_move, agreed, Deadline())


class TestLost:
    """Proven by continuous fours of the other side."""

    def test_an_open_four_is_lost(self) -> None:
        """White cannot stop both ends."""
        assert proven(cells("e8 f8 g8 h8", "a1 o1 a15"), WHITE)

    def test_not_with_a_five_to_make(self) -> None:
        """Who makes five first wins."""
        assert not proven(cells("e8 f8 g8 h8", "a1 b1 c1 d1"), WHITE)

    def test_not_with_a_four_to_make(self) -> None:
        """A four must be answered before anything else: nothing is proven before it has been."""
        threes = "g4 h4 i4 g12 h12 i12"
        assert not proven(cells(f"{threes} o1", "l1 m1 n1 a15"), WHITE)
        assert proven(cells(f"{threes} o1 j1", "k1 l1 m1 n1 a15"), WHITE)

    def test_an_open_three_alone_is_not(self) -> None:
        """It can be stopped."""
        assert not proven(cells("g8 h8 i8", "a1 c1"), WHITE)

    def test_two_open_threes_are(self) -> None:
        """One of them becomes an open four."""
        assert proven(cells("g4 h4 i4 g12 h12 i12", "a1 o1 a8 a15 o15"), WHITE)

    def test_a_stop_that_is_forbidden_stops_nothing(self) -> None:
        """White's four can only be stopped on a point that is an overline for Black; without fouls it can be."""
        lying = cells("h1 h8 e4 f4 g4 i4 j4 a9", "h2 h3 h5 h6")
        assert proven(lying, BLACK)
        assert not proven(lying, BLACK, Rules(fouls=False, black_exact=False, white_exact=False))

    def test_nothing_is_claimed_when_the_time_is_over(self) -> None:
        """Nor after a stop: who does not know plays on."""
        lying = cells("e8 f8 g8 h8", "a1 o1 a15")
        assert not lost(lying, WHITE, RENJU, Deadline(seconds=0.0))
        stop = Stop()
        stop.set()
        assert not lost(lying, WHITE, RENJU, Deadline(stop=stop))

    def test_boards_without_a_way_to_win(self) -> None:
        """An empty and a full board are not lost."""
        assert not proven(np.zeros(POINTS, dtype=np.uint8), BLACK)
        assert not proven(np.full(POINTS, WHITE, dtype=np.uint8), BLACK)


class TestHopeless:
    """Lost at each of the last turns."""

    def test_it_takes_three_turns(self) -> None:
        """At the first two turns the other side may still miss its win."""
        assert TURNS == 3
        rules = RENJU
        assert [hopeless(attacked(steps), 1, rules, Deadline()) for steps in (1, 3, 5)] == [False, False, True]

    def test_a_chance_in_between_begins_the_count_anew(self) -> None:
        """White, who could still have stopped the open three, overlooks it: only from then on it is lost."""
        game = at({**ATTACK, "black": ATTACK["black"].replace(" k12", "")}, BLACK, Settings())
        game = play(game, "0 place e2; 1 place f2; 0 place k12; 1 place o13; 0 place e5; 1 place f5; 0 place e8")
        assert not hopeless(game, 1, RENJU, Deadline())
        assert hopeless(play(game, "1 place f8; 0 place l12"), 1, RENJU, Deadline())

    def test_it_is_not_asked_of_the_other_side(self) -> None:
        """Who attacks is not lost."""
        assert not hopeless(attacked(6), 0, RENJU, Deadline())


class TestResigning:
    """What the levels make of it."""

    @pytest.mark.parametrize("level", STRONG)
    def test_a_strong_level_resigns_what_has_long_been_lost(self, level: int) -> None:
        """At the third turn, and the game takes it."""
        game = attacked(5)
        chosen = decided(game, 1, level=level, seed=1)
        assert chosen == action("resign")
        after = apply(game, 1, chosen, 0)
        assert isinstance(after, Game)
        assert after.outcome is not None
        assert (after.outcome.reason, after.outcome.winner) == (Reason.RESIGNED, 0)

    @pytest.mark.parametrize("level", STRONG)
    def test_not_at_once(self, level: int) -> None:
        """After one four and after two it stops them, though it sees that it is lost."""
        assert decided(attacked(1), 1, level=level, seed=1) == action("place", "f2")
        assert decided(attacked(3), 1, level=level, seed=1) == action("place", "f5")

    def test_not_while_it_has_a_four_of_its_own(self) -> None:
        """A white three that is closed on one side: once the fours are stopped there is one of its own."""
        game = play(attacked(5, "l15 n15"), "1 place f8; 0 place a13")
        chosen = decided(game, 1, level=8, seed=1)
        assert chosen.act is Act.PLACE

    @pytest.mark.parametrize("level", WEAK)
    def test_a_beginners_level_plays_on_to_the_five(self, level: int) -> None:
        """Whoever learns may play the five: the last stones of the attack are met by stones, whatever they are."""
        game = attacked(5)
        for _ in range(12):
            game = _answered(game, level)
            if game.outcome is not None:
                break
        assert game.outcome is not None
        assert (game.outcome.reason, game.outcome.winner) == (Reason.FIVE, 0)


def _answered(game: Game, level: int) -> Game:
    """The engine's answer, and Black's next stone by full strength."""
    chosen = decided(game, 1, level=level, seed=1)
    assert chosen.act is Act.PLACE
    after = apply(game, 1, chosen, 0)
    assert isinstance(after, Game)
    if after.outcome is not None:
        return after
    reply = apply(after, 0, decided(after, 0, level=7, seed=1), 0)
    assert isinstance(reply, Game)
    return reply
