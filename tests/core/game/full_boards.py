"""Boards that can be filled to the last point without a five: for the draws of R5.4 and R5.5."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from core.notation import SIZE, TENGEN, Board, Colour, Point, board, name, point
from core.rules import judge

_FOUR = """
x x o o x x o o x x o o x x o
o o x x o o x x o o x x o o x
x x o o x x o o x x o o x x o
o o x x o o x x o o x x o o x
x x o o x x o o x x o o x x o
o o x x o o x x o o x x o o x
x x o o x x o o x x o o x x o
o o x x o o x x o o x x o x x
x x o o x x o o x x o o x x o
o o x x o o x x o o x o o o x
x x o o x x o o x x o o x x o
o o x x o o x x o o x x x o x
x x o o x x o o x x o o x x o
o o x x o o x x o o x o o o x
x x o o x x o o x x o o x x o
"""
_SIX = """
x x o o x x o o x x o o x x o
o o x x o o x x o o x x o o x
x x o o x x o o x x o o x x o
o o x x o o x x o o x x o o x
x x o o x x o o x x o o x x o
o o o x o o x x o o x x o o x
x x o o x x o o x x o o x x o
o o x o o o x x o o x x o o x
x x o o x x o o x x o o x x o
x x x x x x o x o o x x o o x
x x x o x x o o x x o o x x o
o o x o o o x x o o x x o o x
x x o o x o o o x x o o x x o
o o x x o o x x o o x x o o x
x x o o x x o o x x o o x x o
"""


@dataclass(frozen=True)
class Filling:
    """A full board, row 15 on top, and the point that Black fills last: White would make five there."""

    text: str
    last: str

    def _points(self, mark: str) -> list[Point]:
        rows = self.text.split("\n")[1:-1]
        return [
            (SIZE - 1 - down) * SIZE + column
            for down, row in enumerate(rows)
            for column, cell in enumerate(row.split())
            if cell == mark
        ]

    @cached_property
    def but_the_last(self) -> str:
        """All stones but the last, in an order in which none of Black's is forbidden when it is put."""
        black = [p for p in self._points("x") if p not in (TENGEN, point(self.last))]
        white = self._points("o")
        cells = board([TENGEN])
        order = [TENGEN]
        while white:
            order.append(white.pop())
            cells[order[-1]] = Colour.WHITE
            if black:
                order.append(black.pop(_legal(cells, black)))
                cells[order[-1]] = Colour.BLACK
        return " ".join(name(p) for p in order)


def _legal(cells: Board, black: list[Point]) -> int:
    return next(at for at, p in enumerate(black) if not judge(cells, p).forbidden)


#: Filling L4 stops a five of White's.
FOUR = Filling(_FOUR, "l4")
#: Filling D6 stops a five of White's and makes six for Black.
SIX = Filling(_SIX, "d6")
