"""Looking at positions: several moves, their worth, and what a score means."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ai import Stop, best_move
from core.ai.analysis import Analysis, analyse
from core.ai.chances import Chances, likely
from core.ai.search import DECIDED, MATE
from core.ai.think import Mind
from core.notation import POINTS, Board, Colour, board, board_of, moves, name, point
from core.rules import judge
from tools.fit_chances import compared, fitted, loss, main

OPEN_GAME = board_of(moves("h8h9h10i10g7"))


def some_board(stones: int, seed: int) -> Board:
    """A game of that many moves, every one of them among the most urgent and legal."""
    random = Random(seed)
    cells = board_of((point("h8"),))
    for n in range(1, stones):
        mind = Mind(cells, Colour.WHITE if n % 2 else Colour.BLACK)
        found = mind.candidates()
        if not len(found):
            break
        cells[random.choice([int(p) for p in found[:6]])] = Colour.WHITE if n % 2 else Colour.BLACK
    return cells


class TestMoves:
    """The best moves of a position."""

    @settings(max_examples=40)
    @given(st.integers(1, 30), st.integers(0, 10_000), st.integers(1, 6))
    def test_they_are_legal_and_in_order(self, stones: int, seed: int, wanted: int) -> None:
        """Different legal points, the best first, each at the head of its own line."""
        cells = some_board(stones, seed)
        to_move = Colour.WHITE if int((cells > 0).sum()) % 2 else Colour.BLACK
        found = analyse(cells, to_move, moves=wanted, seconds=None, nodes=3_000)
        points = [candidate.point for candidate in found.moves]
        assert len(set(points)) == len(points) <= wanted
        assert all(before.score >= after.score for before, after in pairwise(found.moves))
        for candidate in found.moves:
            assert candidate.line[0] == candidate.point
            assert not cells[candidate.point]
            if to_move is Colour.BLACK:
                assert not judge(cells, candidate.point).forbidden

    def test_one_move_is_the_move_that_would_be_played(self) -> None:
        """With the same nodes the same move and score."""
        for seed in range(8):
            cells = some_board(9, seed)
            thought = best_move(cells, Colour.WHITE, seconds=None, nodes=20_000)
            (found,) = analyse(cells, Colour.WHITE, moves=1, seconds=None, nodes=20_000).moves
            assert (found.point, found.score, found.line) == (thought.point, thought.score, thought.line)

    def test_the_same_nodes_give_the_same_answer(self) -> None:
        """Twice."""
        first = analyse(OPEN_GAME, Colour.WHITE, seconds=None, nodes=30_000)
        assert analyse(OPEN_GAME, Colour.WHITE, seconds=None, nodes=30_000) == first
        assert first.depth >= 2

    def test_a_win_by_fours_is_seen_with_its_line(self) -> None:
        """White's open three wins: the first move, in so many plies, whatever else was looked at."""
        cells = board([point(p) for p in ("a1", "c1", "e1", "o15")], [point(p) for p in ("g8", "h8", "i8", "n2")])
        found = analyse(cells, Colour.WHITE, seconds=None, nodes=20_000)
        best = found.moves[0]
        assert name(best.point) in ("f8", "j8", "e8", "k8")
        assert best.plies_to_win == MATE - best.score
        assert best.score > DECIDED
        assert found.chances == Chances(0.0, 0.0, 1.0)

    def test_a_lost_position_says_so(self) -> None:
        """Black to move against two open fours: every move loses, in how many plies is said."""
        cells = board(
            [point(p) for p in ("a1", "c1", "e1", "g1", "o15", "m15")],
            [point(p) for p in ("f8", "g8", "h8", "i8", "b12", "n2")],
        )
        found = analyse(cells, Colour.BLACK, seconds=None, nodes=5_000)
        assert all(candidate.score < -DECIDED for candidate in found.moves)
        assert found.moves[0].plies_to_win == -2
        assert found.chances.loss == 1.0

    def test_a_full_board_has_no_moves(self) -> None:
        """And an even score."""
        cells = board([p for p in range(POINTS) if p % 4 < 2], [p for p in range(POINTS) if p % 4 >= 2])
        found = analyse(cells, Colour.WHITE, seconds=None, nodes=100)
        assert found.moves == ()
        assert found.score == 0


class TestBounds:
    """When it ends, and what it tells on the way."""

    def test_progress_is_told_after_every_iteration(self) -> None:
        """Deeper each time, never fewer moves; the last word is the answer, or what an unfinished iteration added."""
        told: list[Analysis] = []
        found = analyse(OPEN_GAME, Colour.WHITE, moves=3, seconds=None, nodes=30_000, progress=told.append)
        assert [one.depth for one in told] == list(range(1, len(told) + 1))
        assert all(len(one.moves) == 3 for one in told)
        assert found.depth == told[-1].depth

    def test_a_stop_from_within_ends_it(self) -> None:
        """After the iteration in which it was set, though nothing else bounds it."""
        stop = Stop()
        told: list[Analysis] = []

        def after_three(one: Analysis) -> None:
            told.append(one)
            if one.depth == 3:
                stop.set()

        analyse(OPEN_GAME, Colour.WHITE, seconds=None, stop=stop, progress=after_three)
        assert told[-1].depth == 3

    def test_what_has_no_bound_is_refused(self) -> None:
        """And so is asking for no move."""
        with pytest.raises(ValueError, match="bound"):
            analyse(OPEN_GAME, Colour.WHITE, seconds=None)
        with pytest.raises(ValueError, match="one move"):
            analyse(OPEN_GAME, Colour.WHITE, moves=0)


class TestChances:
    """From a score to a result."""

    @given(st.integers(-32_000, 32_000))
    def test_they_are_chances(self, score: int) -> None:
        """None below 0, all of them 1."""
        chances = Chances.of(score)
        assert min(chances.win, chances.draw, chances.loss) >= 0
        assert chances.win + chances.draw + chances.loss == pytest.approx(1)
        assert 0 <= chances.expected <= 1

    @given(st.integers(-2_000, 2_000), st.integers(1, 500))
    def test_a_better_score_is_no_worse(self, score: int, more: int) -> None:
        """Win grows, loss shrinks."""
        before, after = Chances.of(score), Chances.of(score + more)
        assert after.win >= before.win
        assert after.loss <= before.loss

    def test_what_has_been_seen_is_certain(self) -> None:
        """Either way."""
        assert Chances.of(MATE - 5) == Chances(1.0, 0.0, 0.0)
        assert Chances.of(-MATE + 5) == Chances(0.0, 0.0, 1.0)


class TestFitting:
    """tools/fit_chances.py."""

    def test_a_known_curve_is_found_again(self) -> None:
        """From results drawn by lot from it."""
        random = Random(1)
        known = (90.0, 25.0, 12.0, 300.0)
        data = []
        for _ in range(6_000):
            score = random.randint(-350, 350)
            win, draw, _ = likely(score, known)
            lot = random.random()
            data.append((score, 1.0 if lot < win else 0.5 if lot < win + draw else 0.0))
        found = fitted(data)
        for score in range(-300, 301, 50):
            assert likely(score, found) == pytest.approx(likely(score, known), abs=0.04)
        assert loss(data, found) <= loss(data, known) < math.log(3)
        assert len(list(compared(data, found))) == 10

    def test_games_are_played_and_fitted(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """A small run of both halves; the same seed plays the same games."""
        one, two = tmp_path / "one.csv", tmp_path / "two.csv"
        for file in (one, two):
            assert main(["play", str(file), "--games", "2", "--nodes", "150"]) == 0
        assert one.read_text() == two.read_text()
        assert main(["fit", str(one)]) == 0
        assert "SCALE" in capsys.readouterr().out
