"""Simple players to measure the engine's levels by: independent of it, plain Python on the rules alone.

:func:`near` puts a stone anywhere near others. :func:`one_ply` takes the point where most can still become a five for
either side. :func:`two_ply` also looks at the best answer. None ever plays a forbidden point.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from core.notation import POINTS, SIZE, Board, Colour, Point
from core.rules import forbidden

Player: TypeAlias = Callable[[Board, Colour, Random], "Point | None"]
"""The next stone on a board, for a side; ``None``: it passes."""

_FIVE: Final = 5
#: What a row of five points is worth to a side that has so many stones in it and the other none.
_WORTH: Final = np.array([1, 12, 120, 1_200, 100_000, 0])
#: How much of the other side's worth counts.
_TAKE: Final = 0.8
#: How many moves and answers the two-ply player looks at.
_WIDTH: Final = 8
_NEAR: Final = 2


def _rows() -> npt.NDArray[np.int64]:
    """Every row of five points on the board, shape (rows, 5)."""
    found = [
        [(x + n * dx) + (y + n * dy) * SIZE for n in range(_FIVE)]
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
        for x in range(SIZE)
        for y in range(SIZE)
        if 0 <= x + 4 * dx < SIZE and 0 <= y + 4 * dy < SIZE
    ]
    return np.array(found)


_ROWS: Final = _rows()
#: Which rows go through which point, shape (points, rows).
_THROUGH: Final = np.stack([np.any(p == _ROWS, axis=1) for p in range(POINTS)]).astype(np.float64)


def allowed(board: Board, colour: Colour) -> list[Point]:
    """The empty points within two steps of a stone that are not forbidden; all that are not, when there is none."""
    fouls = forbidden(board) if colour is Colour.BLACK else {}
    wide = np.zeros((SIZE + 2 * _NEAR, SIZE + 2 * _NEAR), dtype=bool)
    for dx in range(2 * _NEAR + 1):
        for dy in range(2 * _NEAR + 1):
            wide[dy : dy + SIZE, dx : dx + SIZE] |= board.reshape(SIZE, SIZE) > 0
    close = wide[_NEAR:-_NEAR, _NEAR:-_NEAR].reshape(POINTS)
    empty = [p for p in range(POINTS) if not board[p] and p not in fouls]
    return [p for p in empty if close[p]] or empty


def near(board: Board, colour: Colour, random: Random) -> Point | None:
    """Any allowed point near a stone."""
    moves = allowed(board, colour)
    return random.choice(moves) if moves else None


def one_ply(board: Board, colour: Colour, random: Random) -> Point | None:
    """The allowed point that is worth most at once."""
    ranked = _ranked(board, colour, random)
    return ranked[0][1] if ranked else None


def two_ply(board: Board, colour: Colour, random: Random) -> Point | None:
    """The allowed point that is worth most after the other side's best answer."""
    best: tuple[float, Point] | None = None
    for worth, p in _ranked(board, colour, random)[:_WIDTH]:
        board[p] = colour
        answers = _ranked(board, colour.other, random)
        board[p] = Colour.EMPTY
        # A five ends the game; else what the answer is worth is lost.
        score = worth if worth >= _WORTH[4] or not answers else worth - answers[0][0]
        if best is None or score > best[0]:
            best = score, p
    return best[1] if best is not None else None


def _ranked(board: Board, colour: Colour, random: Random) -> list[tuple[float, Point]]:
    """Allowed points with their worth, the best first, equals by lot."""
    stones = board[_ROWS]
    mine, theirs = (stones == colour).sum(axis=1), (stones == colour.other).sum(axis=1)
    own = np.where(theirs == 0, _WORTH[mine], 0)
    taken = np.where(mine == 0, _WORTH[theirs], 0)
    points = allowed(board, colour)
    random.shuffle(points)
    worth = _THROUGH @ (own + _TAKE * taken)
    scored = [(float(worth[p]), p) for p in points]
    return sorted(scored, key=lambda pair: -pair[0])
