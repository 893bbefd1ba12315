"""Black's forbidden points (rules sections 3 and 4), for callers outside the engine.

Positions are never remembered: a verdict holds for exactly the board that was given (R4.4).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.notation import POINTS, Board, Colour, Point, name
from core.rules.kernels import forbidden_map_kernel, forbidden_maps_kernel, judge_kernel
from core.rules.verdict import Verdict


def own_copy(board: Board) -> Board:
    """A private copy that kernels may put stones on. Raises ``ValueError`` when it is no board of 225 stones."""
    cells = np.array(board, dtype=np.uint8, order="C")
    if cells.shape != (POINTS,) or cells.max() > Colour.WHITE:
        raise ValueError("a board is 225 values, each 0, 1 or 2")
    return cells


def judge(board: Board, point: Point) -> Verdict:
    """The verdict on Black's stone if it were put on the empty ``point`` (R4; five comes first).

    Raises ``ValueError`` when the point is taken or off the board.
    """
    cells = own_copy(board)
    if not 0 <= point < POINTS:
        raise ValueError(f"{point} is no point of the board")
    if cells[point]:
        raise ValueError(f"{name(point)} is not empty")
    return Verdict(judge_kernel(cells, point))


def forbidden(board: Board) -> dict[Point, Verdict]:
    """Every point that is forbidden for Black, were Black to move, with its kind; in the order of the points."""
    verdicts = np.empty(POINTS, dtype=np.uint8)
    forbidden_map_kernel(own_copy(board), verdicts)
    points: list[int] = np.flatnonzero(verdicts >= Verdict.OVERLINE).tolist()
    return {p: Verdict(int(verdicts[p])) for p in points}


def forbidden_maps(boards: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The verdicts of many boards in one call: ``boards`` has shape (n, 225), and so has the answer.

    Each value is the :class:`Verdict` of Black's stone on that empty point, 0 (legal) on stones. The GIL is released
    meanwhile. Raises ``ValueError`` when the shape or a stone is wrong.
    """
    cells = np.array(boards, dtype=np.uint8, order="C")
    if cells.ndim != 2 or cells.shape[1] != POINTS or (cells.size and cells.max() > Colour.WHITE):
        raise ValueError("boards are an array of shape (n, 225), each value 0, 1 or 2")
    verdicts = np.empty_like(cells)
    forbidden_maps_kernel(cells, verdicts)
    return verdicts
