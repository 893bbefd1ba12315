"""What goes on each point, and what no board can show."""

from __future__ import annotations

import pytest

from bot.render.layout import Cell, Label, layout
from bot.scene import BoardPicture
from core.notation import Colour, moves, point

BLACK, WHITE = Colour.BLACK, Colour.WHITE
H8, H9, I9 = point("h8"), point("h9"), point("i9")


class TestCells:
    def test_an_empty_board_carries_nothing(self) -> None:
        """No cells, plain margins."""
        shown = layout(BoardPicture())
        assert shown.cells == {}
        assert set(shown.columns) == set(shown.rows) == {Label.PLAIN}

    def test_numbers_count_the_stones_on_the_board(self) -> None:
        """R2.4: move 1 is the first stone, whoever's; without numbers nothing is written."""
        stones = ((H8, BLACK), (I9, WHITE), (H9, BLACK))
        assert [layout(BoardPicture(stones, numbered=True)).cells[p].text for p, _ in stones] == ["1", "2", "3"]
        assert [layout(BoardPicture(stones)).cells[p].text for p, _ in stones] == ["", "", ""]

    def test_the_last_move_has_a_ring_and_where_no_number_stands_a_dot(self) -> None:
        """And its column and row are marked on the margins."""
        stones = ((H8, BLACK), (I9, WHITE))
        assert layout(BoardPicture(stones, last=I9)).cells[I9] == Cell(WHITE, ring=True, dot=True)
        assert layout(BoardPicture(stones, last=I9, numbered=True)).cells[I9] == Cell(WHITE, text="2", ring=True)
        shown = layout(BoardPicture(stones, last=I9))
        assert [at for at, state in enumerate(shown.columns) if state is Label.LAST] == [8]
        assert [at for at, state in enumerate(shown.rows) if state is Label.LAST] == [8]

    def test_offers_are_lettered_in_their_order(self) -> None:
        """A, B, C: not in the order of the points."""
        shown = layout(BoardPicture(offers=(I9, H8, H9)))
        assert [shown.cells[p].text for p in (I9, H8, H9)] == ["A", "B", "C"]

    def test_an_unconfirmed_choice_keeps_its_letter(self) -> None:
        """The offer that White is about to choose still says which it is."""
        assert layout(BoardPicture(offers=(I9, H8), preview=(H8, BLACK))).cells[H8] == Cell(BLACK, ghost=True, text="B")

    def test_an_unconfirmed_stone_on_a_forbidden_point_keeps_the_cross(self) -> None:
        """The player sees the warning until the stone is confirmed."""
        assert layout(BoardPicture(forbidden=(H8,), preview=(H8, BLACK))).cells[H8].cross

    def test_the_margin_of_the_last_move_wins_over_that_of_the_unconfirmed_stone(self) -> None:
        """In one column only one of them can be marked; rows stay apart."""
        shown = layout(BoardPicture(((H8, BLACK),), last=H8, preview=(H9, WHITE)))
        assert shown.columns[7] is Label.LAST
        assert (shown.rows[7], shown.rows[8]) == (Label.LAST, Label.PREVIEW)

    def test_a_foul_is_a_cross_instead_of_number_and_ring(self) -> None:
        """The cross is on the stone itself."""
        shown = layout(BoardPicture(((H8, BLACK),), last=H8, foul=H8, numbered=True))
        assert shown.cells[H8] == Cell(BLACK, cross=True)


class TestBars:
    @pytest.mark.parametrize("win", ["d4e4f4g4h4", "d4d5d6d7d8", "d4e5f6g7h8", "d8e7f6g5h4", "a1b1c1d1e1f1g1"])
    def test_a_line_has_one_bar_from_its_first_to_its_last_stone(self, win: str) -> None:
        """In all four directions, in whatever order the stones are named; an overline of White is one line."""
        line = moves(win)
        for order in (line, line[::-1]):
            cells = layout(BoardPicture(win=order)).cells
            bars = {
                frozenset(((p % 15 + x0, p // 15 + y0), (p % 15 + x1, p // 15 + y1)))
                for p, cell in cells.items()
                for x0, y0, x1, y1 in cell.bars
            }
            assert bars == {frozenset((p % 15, p // 15) for p in (line[0], line[-1]))}
            assert all(cells[p].ring and len(cells[p].bars) == 1 for p in line)

    def test_two_lines_that_cross_have_two_bars_and_no_third(self) -> None:
        """Neighbours across the corner are not joined."""
        cells = layout(BoardPicture(win=moves("d4e4f4g4h4d5d6d7d8"))).cells
        assert len(cells[point("d4")].bars) == 2
        assert all(len(cells[p].bars) == 1 for p in moves("e4f4g4h4d5d6d7d8"))

    def test_a_slanting_bar_also_touches_the_cells_beside_it(self) -> None:
        """They show the part that passes over their corner; at the edge there is nothing beside."""
        cells = layout(BoardPicture(win=moves("a1b2c3d4e5"))).cells
        assert cells[point("b1")].bars
        assert cells[point("a2")].bars
        assert not cells[point("b1")].ring
        assert point("c1") not in cells


class TestRefusals:
    @pytest.mark.parametrize(
        ("picture", "why"),
        [
            (BoardPicture(((H8, BLACK), (H8, WHITE))), "two stones on h8"),
            (BoardPicture(((225, BLACK),)), "225 is not a point"),
            (BoardPicture(last=-1), "-1 is not a point"),
            (BoardPicture(offers=(300,)), "300 is not a point"),
            (BoardPicture(offers=tuple(range(13))), "13 offers; there are at most 12"),
            (BoardPicture(((H8, BLACK),), preview=(H8, WHITE)), "an unconfirmed stone on the stone at h8"),
        ],
    )
    def test_what_no_board_can_show_is_refused(self, picture: BoardPicture, why: str) -> None:
        """The message names the culprit."""
        with pytest.raises(ValueError, match=why):
            layout(picture)
