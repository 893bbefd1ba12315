"""The five in a row that ends a game, and where it lies."""

from __future__ import annotations

from core.notation import POINTS, SIZE, Board, Colour, Point, name
from core.rules.lines import DIRECTIONS


def run_through(board: Board, point: Point, direction: tuple[int, int]) -> list[Point]:
    """The maximal unbroken row of one colour through the stone on ``point`` (R3.1), in order along the direction."""
    colour = board[point]
    dx, dy = direction
    run = [point]
    for sign in (-1, 1):
        x, y = point % SIZE + sign * dx, point // SIZE + sign * dy
        while 0 <= x < SIZE and 0 <= y < SIZE and board[y * SIZE + x] == colour:
            run.append(y * SIZE + x)
            x, y = x + sign * dx, y + sign * dy
    dpoint = dx + dy * SIZE
    return sorted(run, key=lambda p: (p - point) // dpoint)


def five_line(board: Board, point: Point, colour: Colour, *, exact: bool) -> tuple[Point, ...]:
    """All stones of the winning rows through ``point``, where ``colour``'s stone already lies; ``()`` if none wins.

    ``exact``: only a row of exactly five wins (Black in games with forbidden moves, R5.1, and whoever an option binds
    to exactly five); otherwise five or more. Rows on several lines are given together, sorted, each point once.

    Raises ``ValueError`` when no stone of that colour lies there.
    """
    if not 0 <= point < POINTS or colour is Colour.EMPTY or board[point] != colour:
        where = name(point) if 0 <= point < POINTS else str(point)
        raise ValueError(f"no {colour.name.lower()} stone on {where}")
    winning: set[Point] = set()
    for direction in DIRECTIONS:
        run = run_through(board, point, direction)
        if len(run) == 5 or (len(run) > 5 and not exact):
            winning.update(run)
    return tuple(sorted(winning))
