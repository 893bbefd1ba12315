"""The dead board: neither side can make a five any more (R5.4 c, exact test R5.5)."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from core.notation import POINTS, SIZE, Board, Colour
from core.rules.lines import DIRECTIONS


def _fives() -> npt.NDArray[np.int16]:
    """Every row of five cells, with the cells just beyond its ends in front and behind; 225 where there is none."""

    def cell(x: int, y: int) -> int:
        return y * SIZE + x if 0 <= x < SIZE and 0 <= y < SIZE else POINTS

    rows = []
    for dx, dy in DIRECTIONS:
        for p in range(POINTS):
            x, y = p % SIZE, p // SIZE
            row = [cell(x + k * dx, y + k * dy) for k in range(-1, 6)]
            if POINTS not in row[1:6]:
                rows.append(row)
    return np.array(rows, dtype=np.int16)


#: The 572 rows of five, shape (572, 7).
FIVE_ROWS: Final = _fives()


def _alive(cells: npt.NDArray[np.uint8], colour: Colour, exact: bool) -> bool:
    rows = cells[FIVE_ROWS]
    alive = (rows[:, 1:6] != colour.other).all(axis=1)
    if exact:
        alive &= (rows[:, 0] != colour) & (rows[:, 6] != colour)
    return bool(alive.any())


def dead_board(board: Board, *, black_exact: bool, white_exact: bool) -> bool:
    """Whether no row of five cells is alive for either side.

    A row is alive for a side if no stone of the other lies on it and, for a side that needs *exactly* five, no own
    stone lies just beyond its ends. Points that are forbidden now count as fillable, so the test may come late, never
    early. With forbidden moves ``black_exact`` is true and ``white_exact`` false.
    """
    cells = np.append(board, np.uint8(Colour.EMPTY))
    return not (_alive(cells, Colour.BLACK, black_exact) or _alive(cells, Colour.WHITE, white_exact))
