"""When two fifth moves count as the same (rules section 10).

Two offers are equivalent when some rotation, reflection or shift of the infinite grid carries the black stones onto
the black stones, the white ones onto the white ones and one offer onto the other. The edges do not count, so there are
positions with more such mappings than the board has symmetries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from core.notation import SIZE, SYMMETRIES, Point

#: The 8 rotations and reflections of the grid about (0, 0).
_TURNS: Final[tuple[Callable[[int, int], tuple[int, int]], ...]] = (
    lambda x, y: (x, y),
    lambda x, y: (-y, x),
    lambda x, y: (-x, -y),
    lambda x, y: (y, -x),
    lambda x, y: (-x, y),
    lambda x, y: (y, x),
    lambda x, y: (x, -y),
    lambda x, y: (-y, -x),
)


def equivalent(black: frozenset[Point], white: frozenset[Point], p: Point, q: Point, *, board_only: bool) -> bool:
    """Whether fifth moves ``p`` and ``q`` are the same beside these stones.

    ``board_only`` (the option ``symmetry=board``): only the 8 symmetries of the board about tengen count.
    """
    if p == q:
        return True
    if board_only:
        return any(
            image[p] == q and {*image[list(black)]} == black and {*image[list(white)]} == white for image in SYMMETRIES
        )
    dots_b, dots_w = _dots(black), _dots(white)
    px, py = _dot(p)
    qx, qy = _dot(q)
    for turn in _TURNS:
        ux, uy = turn(px, py)
        dx, dy = qx - ux, qy - uy  # the only shift after which this turn carries p onto q
        if _shifted(turn, dots_b, dx, dy) == dots_b and _shifted(turn, dots_w, dx, dy) == dots_w:
            return True
    return False


def _dot(p: Point) -> tuple[int, int]:
    return p % SIZE, p // SIZE


def _dots(points: frozenset[Point]) -> frozenset[tuple[int, int]]:
    return frozenset(_dot(p) for p in points)


def _shifted(
    turn: Callable[[int, int], tuple[int, int]], dots: frozenset[tuple[int, int]], dx: int, dy: int
) -> frozenset[tuple[int, int]]:
    images = (turn(x, y) for x, y in dots)
    return frozenset((x + dx, y + dy) for x, y in images)
