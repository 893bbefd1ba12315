"""Points, boards and the texts they are written in."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import notation
from core.notation import POINTS, SYMMETRIES, TENGEN, Colour, NotationError, Unreadable

POINT = st.integers(0, POINTS - 1)


class TestPoint:
    def test_corners_and_centre(self) -> None:
        """a1 is point 0, o15 the last, and letters name columns (R1.1, R1.2)."""
        assert notation.point("a1") == 0
        assert notation.point("b1") == 1
        assert notation.point("a2") == 15
        assert notation.point("o15") == 224
        assert notation.point("h8") == TENGEN == 112
        assert notation.column_of(notation.point("l4")) == 11
        assert notation.row_of(notation.point("l4")) == 3

    @given(POINT)
    def test_names_and_labels_read_back(self, p: int) -> None:
        """Every point reads back from its name and its label, in full width too."""
        assert notation.point(notation.name(p)) == p
        assert notation.point(notation.label(p)) == p
        wide = "".join(chr(ord(letter) + 0xFEE0) for letter in notation.label(p))
        assert notation.point(f" {wide} ") == p

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("", Unreadable.EMPTY),
            (" \t", Unreadable.EMPTY),
            ("8h", Unreadable.REVERSED),
            ("8H", Unreadable.REVERSED),
            ("15o", Unreadable.REVERSED),
            ("p16", Unreadable.OFF_BOARD),
            ("P1", Unreadable.OFF_BOARD),
            ("h0", Unreadable.OFF_BOARD),
            ("h16", Unreadable.OFF_BOARD),
            ("h999", Unreadable.OFF_BOARD),
            ("h", Unreadable.GARBLED),
            ("8", Unreadable.GARBLED),
            ("h8i9", Unreadable.GARBLED),
            ("h-8", Unreadable.GARBLED),
            ("h1000", Unreadable.GARBLED),
            ("h8\n9", Unreadable.GARBLED),
            ("h٨", Unreadable.GARBLED),
            ("hⅧ", Unreadable.GARBLED),
            ("😀", Unreadable.GARBLED),
        ],
    )
    def test_each_mistake_has_its_name(self, text: str, why: Unreadable) -> None:
        """A text that is no point says which mistake it is."""
        with pytest.raises(NotationError) as caught:
            notation.point(text)
        assert caught.value.why is why

    @given(st.text(max_size=8))
    def test_any_text_is_a_point_or_a_notation_error(self, text: str) -> None:
        """Nothing but NotationError comes out of the reader, and what it accepts is on the board."""
        try:
            p = notation.point(text)
        except NotationError:
            return
        assert 0 <= p < POINTS


class TestMoves:
    @given(st.lists(POINT, max_size=30))
    def test_a_move_string_reads_back(self, points: list[int]) -> None:
        """Greedy rows: ``a15b14`` is two moves."""
        assert notation.moves(notation.move_string(points)) == tuple(points)
        assert notation.moves(" ".join(map(notation.label, points))) == tuple(points)

    @pytest.mark.parametrize("text", ["h8x", "8h", "h8 i", "h8.i9", "--h8-?"])
    def test_a_broken_move_string_is_refused(self, text: str) -> None:
        """The first part that is no point raises."""
        with pytest.raises(NotationError):
            notation.moves(text)

    def test_a_move_off_the_board_is_named(self) -> None:
        """The culprit is in the error."""
        with pytest.raises(NotationError) as caught:
            notation.moves("h8 P16")
        assert caught.value.why is Unreadable.OFF_BOARD
        assert caught.value.text == "P16"


class TestBoard:
    def test_stones_lie_where_they_were_put(self) -> None:
        """``board_of`` alternates, Black first."""
        cells = notation.board_of(notation.moves("h8h9i10"))
        assert cells.dtype == np.uint8
        assert [cells[p] for p in notation.moves("h8h9i10j10")] == [1, 2, 1, 0]

    def test_two_stones_on_a_point(self) -> None:
        """No point holds two stones (R2.1)."""
        with pytest.raises(ValueError, match="h8"):
            notation.board([TENGEN], [TENGEN])

    def test_text_shows_row_15_on_top(self) -> None:
        """The text twin of the picture."""
        lines = notation.board_text(notation.board(notation.moves("a1 o15"), notation.moves("b1"))).splitlines()
        assert lines[0].split() == list("ABCDEFGHIJKLMNO")
        assert lines[1].split() == ["15", *"." * 14, "x"]
        assert lines[15].split() == ["1", "x", "o", *"." * 13]

    def test_colours_have_an_opposite(self) -> None:
        """All but the empty one."""
        assert Colour.BLACK.other is Colour.WHITE
        assert Colour.WHITE.other is Colour.BLACK
        with pytest.raises(ValueError, match="empty"):
            _ = Colour.EMPTY.other


class TestSymmetries:
    def test_eight_different_permutations_that_keep_tengen(self) -> None:
        """The symmetries are bijections about h8."""
        assert len({tuple(row) for row in SYMMETRIES.tolist()}) == 8
        for row in SYMMETRIES:
            assert sorted(row.tolist()) == list(range(POINTS))
            assert row[TENGEN] == TENGEN
        assert SYMMETRIES[0].tolist() == list(range(POINTS))

    @given(POINT, POINT)
    def test_they_keep_distances(self, p: int, q: int) -> None:
        """Steps along lines stay steps along lines."""

        def apart(a: int, b: int) -> tuple[int, ...]:
            return tuple(sorted((abs(a % 15 - b % 15), abs(a // 15 - b // 15))))

        for row in SYMMETRIES:
            assert apart(int(row[p]), int(row[q])) == apart(p, q)
            assert notation.distance_from_tengen(int(row[p])) == notation.distance_from_tengen(p)

    def test_they_are_closed(self) -> None:
        """One after another is again one of them."""
        known = {tuple(row) for row in SYMMETRIES.tolist()}
        assert all(tuple(a[b].tolist()) in known for a in SYMMETRIES for b in SYMMETRIES)


def test_star_points_are_the_five_of_the_board() -> None:
    """R1.2 marks exactly five points."""
    assert {notation.name(p) for p in notation.STARS} == set(re.findall(r"\w+", "d4 d12 l4 l12 h8"))
