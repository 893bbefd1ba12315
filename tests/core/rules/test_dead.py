"""The dead board (R5.5)."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.notation import POINTS, SIZE, Board, Colour, board, moves
from core.rules import dead_board
from core.rules.dead import FIVE_ROWS
from tests.core.rules import twin
from tests.core.rules.positions import stones


def drawn() -> Board:
    """A full board without a row of more than two of one colour."""
    cells = [2 - (x + 2 * y) // 2 % 2 for y in range(SIZE) for x in range(SIZE)]
    return np.array(cells, dtype=np.uint8)


@st.composite
def nearly_dead(draw: st.DrawFn) -> Board:
    """A drawn board with some stretches of a line emptied or given to one colour, and some points emptied."""
    cells = drawn()
    for _ in range(draw(st.integers(0, 3))):
        dx, dy = draw(st.sampled_from(twin.DIRECTIONS))
        x, y = draw(st.integers(0, 14)), draw(st.integers(0, 14))
        for steps, stone in enumerate(draw(st.lists(st.sampled_from((0, 0, 0, 1, 2)), min_size=4, max_size=8))):
            u, v = x + steps * dx, y + steps * dy
            if 0 <= u < SIZE and 0 <= v < SIZE:
                cells[v * SIZE + u] = stone
    for p in draw(st.sets(st.integers(0, POINTS - 1), max_size=15)):
        cells[p] = Colour.EMPTY
    return cells


def test_there_are_572_rows_of_five() -> None:
    """Eleven in each row and column, and all that fit on the diagonals."""
    assert FIVE_ROWS.shape == (572, 7)


def test_an_empty_board_is_alive() -> None:
    """At the start both sides can make five."""
    assert not dead_board(board(), black_exact=True, white_exact=False)


def test_a_drawn_board_is_dead() -> None:
    """A full board without a row of five is dead under every rule."""
    for black_exact, white_exact in itertools.product((False, True), repeat=2):
        assert dead_board(drawn(), black_exact=black_exact, white_exact=white_exact)


@pytest.mark.parametrize(("black_exact", "dead"), [(False, False), (True, True)], ids=["five or more", "exactly five"])
def test_black_stones_beyond_the_ends_kill_only_an_exact_five(black_exact: bool, dead: bool) -> None:
    """Six cells with black ends hold two rows of five, each with a black stone just beyond it."""
    cells = drawn()
    cells[list(moves("d8e8f8g8h8i8j8k8"))] = [2, 1, 0, 0, 1, 0, 1, 2]
    assert dead_board(cells, black_exact=black_exact, white_exact=False) is dead


@settings(max_examples=150, deadline=None)
@given(nearly_dead(), st.booleans(), st.booleans())
def test_agrees_with_the_twin(cells: Board, black_exact: bool, white_exact: bool) -> None:
    """On boards at the brink of death the test and the slow search agree."""
    black, white = stones(cells, Colour.BLACK), stones(cells, Colour.WHITE)
    alive = twin.can_make_five(black, white, black_exact) or twin.can_make_five(white, black, white_exact)
    assert dead_board(cells, black_exact=black_exact, white_exact=white_exact) is not alive
