"""The engine's levels: what each sees and thinks, and that all of them play by the rules."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ai import decide, ladder
from core.ai.levels import FULL, LEVELS, level
from core.ai.sight import Row, missed, overlooked, rows
from core.game import Act
from core.notation import SIZE, Colour, Point, board, moves, name, point
from tests.core.game.games import begin, play


def cells(black: str = "", white: str = "") -> bytes:
    return board(moves(black), moves(white))  # type: ignore[return-value]


class TestLevels:
    """Ten of them, each a little more than the one before."""

    def test_each_sees_more_or_thinks_more(self) -> None:
        """The first six are told apart by what they overlook, all by their nodes."""
        for weaker, stronger in pairwise(LEVELS.values()):
            assert weaker.nodes is not None
            assert stronger.nodes is None or stronger.nodes > weaker.nodes
            assert stronger.blindness < weaker.blindness or stronger.blindness == 0
        assert len(LEVELS) == 10
        assert FULL.nodes is None

    def test_a_number_that_there_is_not_is_the_nearest(self) -> None:
        """So that no saved table is unplayable."""
        assert level(0) is LEVELS[1]
        assert level(99) is FULL


class TestSight:
    """Rows, and which of them are overlooked."""

    def test_rows_are_what_could_still_become_five(self) -> None:
        """A three, a slanting two; not what is shut in, nor a single stone."""
        found = list(rows(cells("g8h8i8", "c3d4")))  # type: ignore[arg-type]
        assert Row(Colour.BLACK, found[0].direction, moves("g8h8i8"), 3) in found
        white = [row for row in found if row.colour is Colour.WHITE]
        assert [(set(row.stones), row.size, row.slanting) for row in white] == [({point("c3"), point("d4")}, 2, True)]
        shut_in = list(rows(cells("b1c1d1", "a1f1")))  # type: ignore[arg-type]
        assert not [row for row in shut_in if row.colour is Colour.BLACK]

    def test_diagonals_and_what_is_far_away_are_missed_sooner(self) -> None:
        """And one's own rows later than the other side's."""
        straight, slanting = (
            next(rows(cells(black)))  # type: ignore[arg-type]
            for black in ("g8h8i8", "g7h8i9")
        )
        near, far = point("i10"), point("a1")
        for row in (straight, slanting):
            assert missed(row, Colour.WHITE, near, 0.3) < missed(row, Colour.WHITE, far, 0.3)
            assert missed(row, Colour.BLACK, near, 0.3) < missed(row, Colour.WHITE, near, 0.3)
        assert missed(straight, Colour.WHITE, None, 0.3) < missed(slanting, Colour.WHITE, None, 0.3)

    @given(st.integers(0, 1_000))
    def test_who_is_attentive_misses_nothing(self, seed: int) -> None:
        """Blindness 0."""
        assert overlooked(cells("g8h8i8", "c3d4"), Colour.WHITE, None, 0.0, Random(seed)) == []  # type: ignore[arg-type]


class TestPlay:
    """At the table."""

    @settings(max_examples=25)
    @given(st.sampled_from(sorted(LEVELS)), st.integers(0, 10_000))
    def test_every_level_plays_near_and_by_the_rules(self, number: int, seed: int) -> None:
        """A stone lies no more than three points from another, and no forbidden point is played; on few nodes."""
        random = Random(seed)
        player = replace(LEVELS[number], nodes=min(LEVELS[number].nodes or 2_000, 2_000))
        game = play(begin(), "0 place h8")
        for _ in range(16):
            (seat,) = game.to_act
            action = decide(game, seat, level=player, seconds=None, seed=random.getrandbits(40))
            if action.act is Act.RESIGN:
                break
            assert action.act is Act.PLACE
            (p,) = action.points
            assert any(_distance(p, stone.point) <= 3 for stone in game.state.stones)
            game = play(game, f"{seat} place {name(action.points[0])}")
            assert not game.state.stones[-1].verdict.forbidden
            if game.outcome is not None:
                break


class TestLadder:
    """renju bench ai."""

    @pytest.mark.parametrize("pair", [("near", "level 1"), ("one-ply", "level 6")])
    def test_the_stronger_one_wins_more(self, pair: tuple[str, str]) -> None:
        """A few games; the same numbers give the same games."""
        played = list(ladder.match(*pair, 8))
        total = sum(played, ladder.Tally())
        assert total.games == 8
        assert total.lost > total.won
        assert list(ladder.match(*pair, 2)) == played[:2]


def _distance(a: Point, b: Point) -> int:
    return max(abs(a % SIZE - b % SIZE), abs(a // SIZE - b // SIZE))
