"""That games differ: the same moves of the other side do not make the same game, and the seed settles which it is."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.action import Act, Action
from core.ai import decide, reference, variety
from core.ai.book import own_book
from core.ai.chances import Chances, margin
from core.ai.levels import LEVELS, Level
from core.ai.search import DECIDED
from core.ai.think import Deadline, Mind
from core.game import Game, Refusal, apply
from core.notation import Colour, Point, board, moves, point
from tests.core.game.games import begin, play

#: So many of a hundred pairs of games differ.
NEARLY_ALL = 0.95


def game(level: Level, seed: int, *, black: bool) -> tuple[Point, ...]:
    """The first twelve stones of a free game of the engine, as Black or White, against one who always does the same."""
    played, random = begin(), Random(seed)
    while played.outcome is None and len(played.state.stones) < 12:
        (seat,) = played.to_act
        if (played.state.colour_of(seat) is Colour.BLACK) == black:
            action = decide(played, seat, level=level, seconds=None, seed=random.getrandbits(60), book=own_book())
        else:
            action = always_the_same(played)
        after = apply(played, seat, action, 0)
        assert isinstance(after, Game)
        played = after
    return tuple(stone.point for stone in played.state.stones)


def always_the_same(played: Game) -> Action:
    """What a player does who looks one move ahead and never hesitates; the first moves must lie in a square."""
    (seat,) = played.to_act
    cells = played.state.board()
    wished = reference.one_ply(cells, played.state.turn, Random(1))
    for p in [*([] if wished is None else [wished]), *moves("h8h9i10i9g9j10")]:
        action = Action(Act.PLACE, points=(int(p),))
        if not cells[p] and not isinstance(apply(played, seat, action, 0), Refusal):
            return action
    raise AssertionError("no move is left")


def differing(level: Level, seeds: int) -> float:
    """The share of pairs of games that are not the same until move 12, over both colours."""
    pairs = [
        pair for black in (True, False) for pair in combinations([game(level, n, black=black) for n in range(seeds)], 2)
    ]
    return sum(one != other for one, other in pairs) / len(pairs)


class TestGames:
    """Two games with the same moves of the other side."""

    @pytest.mark.parametrize("number", [1, 3, 5, 6, 10])
    def test_differ_by_move_12(self, number: int) -> None:
        """Nearly all of them, on few nodes."""
        level = replace(LEVELS[number], nodes=min(LEVELS[number].nodes or 1_500, 1_500))
        assert differing(level, 10) >= NEARLY_ALL

    @pytest.mark.slow
    @pytest.mark.parametrize("number", LEVELS)
    def test_differ_at_every_level(self, number: int) -> None:
        """On the nodes of the level, 20,000 at most."""
        level = replace(LEVELS[number], nodes=min(LEVELS[number].nodes or 20_000, 20_000))
        assert differing(level, 20) >= NEARLY_ALL

    @pytest.mark.parametrize("number", [2, 7])
    def test_are_the_same_by_the_same_seed(self, number: int) -> None:
        """One thread, no clock: the same seed and level give the same moves."""
        level = replace(LEVELS[number], nodes=800)
        assert game(level, 5, black=True) == game(level, 5, black=True)
        assert game(level, 5, black=False) == game(level, 5, black=False)


class TestAsGood:
    """Which moves may be played instead of the best one."""

    @given(st.integers(100 - DECIDED, DECIDED), st.sampled_from([Colour.BLACK, Colour.WHITE]))
    def test_costs_few_points(self, score: int, to_move: Colour) -> None:
        """For either side, whatever the score."""
        worse = margin(score, to_move, 0.05)
        sign = 1 if to_move is Colour.BLACK else -1
        before, after = (Chances.of(sign * at).expected for at in (score, score - worse))
        assert abs(before - after) <= 0.05 + 1e-9
        assert 0 < worse <= 60

    def test_a_decided_game_is_played_out_the_shortest_way(self) -> None:
        """Nothing is as good as a win, and nothing else saves a lost game."""
        assert margin(DECIDED + 1, Colour.BLACK) == 0
        assert margin(-DECIDED - 1, Colour.WHITE) == 0
        four = board(moves("h8h9h10h11"), moves("h7g6a1"))
        mind = Mind(four, Colour.BLACK)
        assert {variety.drawn(mind, four, Deadline(nodes=500), Random(n)).point for n in range(9)} == {point("h12")}

    def test_the_only_answer_is_the_only_answer(self) -> None:
        """White must stop a four at its open end, whatever the lot says."""
        four = board(moves("h8h9h10h11"), moves("h7g6i5"))
        assert {
            variety.drawn(Mind(four, Colour.WHITE, seed=n), four, Deadline(nodes=500), Random(n)).point
            for n in range(9)
        } == {point("h12")}

    def test_what_is_the_same_by_symmetry_is_drawn_from(self) -> None:
        """After one stone in the middle every neighbour of a kind comes up."""
        one = board(moves("h8"), ())
        drawn = {variety.drawn(Mind(one, Colour.WHITE), one, Deadline(nodes=300), Random(n)).point for n in range(60)}
        assert len(drawn) >= 4

    def test_moves_are_proposed_by_lot_as_far_as_they_are_as_good(self) -> None:
        """The rest follows in its order; late in a game nothing is changed."""
        early, scored = board(moves("h8h9"), moves("i9i10")), [(20, 1), (15, 2), (12, 3), (-80, 4), (-90, 5)]
        orders = {tuple(variety.ordered(scored, early, Colour.BLACK, Random(n))) for n in range(40)}
        assert {order[:3] for order in orders} > {(1, 2, 3), (3, 1, 2)}
        assert {order[3:] for order in orders} == {(4, 5)}
        late = board(moves("a1b3c5d7e9f11g13"), moves("o1n3m5l7k9j11i13"))
        assert {tuple(variety.ordered(scored, late, Colour.BLACK, Random(n))) for n in range(9)} == {(1, 2, 3, 4, 5)}
        assert variety.ordered([], early, Colour.BLACK, Random(1)) == []


class TestAtTheTable:
    """A seed is drawn for every move where none is given."""

    def test_nobody_has_to_give_a_seed(self) -> None:
        """Two tables do not play alike."""
        opening = play(begin(), "0 place h8")
        level = replace(LEVELS[6], nodes=200)
        (seat,) = opening.to_act
        assert len({decide(opening, seat, level=level, seconds=None).points for _ in range(30)}) > 1
