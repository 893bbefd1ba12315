"""The winning row."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.notation import SIZE, Board, Colour, board, moves, point
from core.rules import five_line
from tests.core.rules import twin
from tests.core.rules.positions import cell_of, composed, stones


class TestFiveLine:
    def test_a_row_of_five(self) -> None:
        """Five in a row are all named, whichever stone was the last."""
        row = moves("d8e8f8g8h8")
        for last in row:
            assert five_line(board(row), last, Colour.BLACK, exact=True) == tuple(sorted(row))

    def test_six_win_for_white_and_not_for_black(self) -> None:
        """An overline wins only where five or more is asked (R5.1)."""
        row = moves("d8e8f8g8h8i8")
        assert five_line(board(row), row[0], Colour.BLACK, exact=True) == ()
        assert five_line(board((), row), row[0], Colour.WHITE, exact=False) == tuple(sorted(row))

    def test_five_beside_an_overline(self) -> None:
        """Black's five counts though another line is too long, and only the five is named."""
        five, six = moves("d8e8f8g8h8"), moves("h5h6h7h9h10")
        assert five_line(board((*five, *six)), point("h8"), Colour.BLACK, exact=True) == tuple(sorted(five))

    def test_two_fives_are_named_together(self) -> None:
        """Rows on two lines come as one list without the crossing stone twice."""
        both = set(moves("d8e8f8g8h8")) | set(moves("h4h5h6h7"))
        assert five_line(board(both), point("h8"), Colour.BLACK, exact=True) == tuple(sorted(both))

    def test_a_row_does_not_wrap_round_the_edge(self) -> None:
        """The end of one row and the start of the next are no neighbours."""
        assert five_line(board(moves("m1n1o1a2b2")), point("o1"), Colour.BLACK, exact=False) == ()

    @settings(deadline=None)
    @given(composed(9), st.booleans())
    def test_every_stone_agrees_with_the_twin(self, cells: Board, exact: bool) -> None:
        """For both colours and both rules the named stones are those that the slow search finds."""
        for p in np.flatnonzero(cells).tolist():
            colour = Colour(int(cells[p]))
            found = {cell_of(q) for q in five_line(cells, p, colour, exact=exact)}
            assert found == twin.winning_stones(stones(cells, colour), cell_of(p), exact)

    @pytest.mark.parametrize(
        ("where", "colour"), [(112, Colour.WHITE), (0, Colour.BLACK), (0, Colour.EMPTY), (225, Colour.BLACK)]
    )
    def test_no_such_stone(self, where: int, colour: Colour) -> None:
        """Asking about a stone that does not lie there is a mistake of the caller."""
        with pytest.raises(ValueError, match="stone on"):
            five_line(board([112]), where, colour, exact=True)


def test_rows_are_found_on_a_full_board() -> None:
    """A board full of one colour is a row on every line."""
    full = np.full(SIZE * SIZE, Colour.WHITE, dtype=np.uint8)
    line = five_line(full, point("h8"), Colour.WHITE, exact=False)
    assert len(line) == 15 * 4 - 3
