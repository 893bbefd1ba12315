"""Why a point is forbidden, or why it is not: the shapes through it, as a tree.

An explanation follows section 4 in its own order and stops where the rules stop: a five hides everything else, an
overline hides the fours, two fours hide the threes. Each three names its growth points; one that does not count
carries the explanation of what Black's stone would be *there*, with the judged stone already on the board ("forbidden
undoes forbidden", R4.1), and so on down.

The shapes are read off the board here cell by cell, apart from the tables that the kernels use; only the verdicts at
growth points are asked of the kernels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from core.notation import POINTS, SIZE, Board, Colour, Point, name
from core.rules.five import run_through
from core.rules.forbidden import judge, own_copy
from core.rules.kernels import forbidden_map_kernel, window_kernel
from core.rules.lines import DIRECTIONS, FOURS, OVERLINES, THREE, THREES, YIELD
from core.rules.verdict import Verdict

ShapeKind: TypeAlias = Literal["five", "overline", "four", "three"]
Direction: TypeAlias = Literal["row", "column", "diagonal-up", "diagonal-down"]

_NAMES: Final[tuple[Direction, ...]] = ("row", "column", "diagonal-up", "diagonal-down")


@dataclass(frozen=True, slots=True)
class Growth:
    """A point where one more black stone would turn a three into a straight four (R3.7)."""

    point: Point
    #: What that stone would be judged as; ``None`` when it is legal, so that the growth point counts.
    why_not: Explanation | None

    @property
    def counts(self) -> bool:
        """Whether the stone would be legal."""
        return self.why_not is None


@dataclass(frozen=True, slots=True)
class Shape:
    """One five, overline, four or (apparent) three through the judged stone."""

    kind: ShapeKind
    direction: Direction  # diagonal-up climbs to the right, diagonal-down falls to the right
    stones: tuple[Point, ...]  # the judged stone among them, in order along the line
    #: A four's empty points where a stone makes exactly five: two in a straight four, else one.
    five_points: tuple[Point, ...] = ()
    #: A three's growth points.
    growth: tuple[Growth, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether the shape is what it seems: false only for a three none of whose growth points is legal."""
        return self.kind != "three" or any(growth.counts for growth in self.growth)

    @property
    def straight(self) -> bool:
        """Whether this is a straight four (R3.5)."""
        return len(self.five_points) == 2


@dataclass(frozen=True, slots=True)
class Explanation:
    """The verdict on Black's stone at ``point`` and the shapes that decide it."""

    point: Point
    verdict: Verdict
    shapes: tuple[Shape, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data with points in machine notation, ready for any JSON writer."""
        return {
            "point": name(self.point),
            "verdict": self.verdict.kind,
            "shapes": [_shape_json(shape) for shape in self.shapes],
        }


def _shape_json(shape: Shape) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "kind": shape.kind,
        "direction": shape.direction,
        "stones": [name(p) for p in shape.stones],
    }
    if shape.kind == "four":
        plain["straight"] = shape.straight
        plain["five_points"] = [name(p) for p in shape.five_points]
    if shape.kind == "three":
        plain["counts"] = shape.counts
        plain["growth"] = [
            {"point": name(g.point), "counts": True}
            if g.why_not is None
            else {"point": name(g.point), "counts": False, "why": g.why_not.to_json()}
            for g in shape.growth
        ]
    return plain


@dataclass(frozen=True, slots=True)
class _Line:
    """One line through the judged stone, which lies on the board already."""

    board: Board
    point: Point
    direction: tuple[int, int]

    def at(self, steps: int) -> Point:
        dx, dy = self.direction
        return self.point + steps * (dx + dy * SIZE)

    def cell(self, steps: int) -> Colour | None:
        """What lies so many steps from the stone, ``None`` off the board."""
        dx, dy = self.direction
        x, y = self.point % SIZE + steps * dx, self.point // SIZE + steps * dy
        return Colour(int(self.board[y * SIZE + x])) if 0 <= x < SIZE and 0 <= y < SIZE else None

    def one_short(self, start: int, length: int) -> tuple[tuple[Point, ...], int] | None:
        """The stones and the hole of ``length`` cells in a row, all black but for one empty; else ``None``."""
        cells = {steps: self.cell(steps) for steps in range(start, start + length)}
        holes = [steps for steps, cell in cells.items() if cell is Colour.EMPTY]
        black = tuple(self.at(steps) for steps, cell in cells.items() if cell is Colour.BLACK)
        return (black, holes[0]) if len(holes) == 1 and len(black) == length - 1 else None

    def fours(self) -> Iterator[tuple[tuple[Point, ...], tuple[Point, ...]]]:
        """The different fours through the stone (R3.4), each with its five-points."""
        five_points: dict[tuple[Point, ...], list[Point]] = {}
        for start in range(-4, 1):
            found = self.one_short(start, 5)
            if found and self.cell(start - 1) is not Colour.BLACK and self.cell(start + 5) is not Colour.BLACK:
                five_points.setdefault(found[0], []).append(self.at(found[1]))
        for stones, points in five_points.items():
            yield stones, tuple(points)

    def three(self) -> tuple[tuple[Point, ...], tuple[Point, ...]] | None:
        """The apparent three through the stone (R3.7 but for the legality of its growth), with its growth points.

        A line has no two: one straight four's open end would have to lie inside the other.
        """
        stones: tuple[Point, ...] = ()
        growth = []
        for start in range(-3, 1):
            found = self.one_short(start, 4)
            if (
                found
                and self.cell(start - 1) is self.cell(start + 4) is Colour.EMPTY
                and self.cell(start - 2) is not Colour.BLACK
                and self.cell(start + 5) is not Colour.BLACK
            ):
                stones = found[0]
                growth.append(self.at(found[1]))
        return (stones, tuple(sorted(growth))) if growth else None


def explain(board: Board, point: Point) -> Explanation:
    """Why Black's stone on the empty ``point`` is judged as it is.

    Raises ``ValueError`` as :func:`judge` does.
    """
    verdict = judge(board, point)
    after = own_copy(board)
    after[point] = Colour.BLACK
    lines = [(label, _Line(after, point, direction)) for label, direction in zip(_NAMES, DIRECTIONS, strict=True)]
    return Explanation(point, verdict, tuple(_shapes(verdict, lines)))


def _shapes(verdict: Verdict, lines: list[tuple[Direction, _Line]]) -> Iterator[Shape]:
    if verdict in (Verdict.FIVE, Verdict.OVERLINE):
        kind: ShapeKind = "five" if verdict is Verdict.FIVE else "overline"
        for label, line in lines:
            run = tuple(run_through(line.board, line.point, line.direction))
            if len(run) == 5 if kind == "five" else len(run) > 5:
                yield Shape(kind, label, run)
        return
    for label, line in lines:
        for stones, five_points in line.fours():
            yield Shape("four", label, stones, five_points=five_points)
    if verdict is Verdict.DOUBLE_FOUR:
        return
    for label, line in lines:
        three = line.three()
        if three is not None:
            stones, growth = three
            yield Shape("three", label, stones, growth=tuple(_growth(line.board, p) for p in growth))


def _growth(board: Board, point: Point) -> Growth:
    legal = judge(board, point) is Verdict.LEGAL
    return Growth(point, None if legal else explain(board, point))


def near_misses(board: Board) -> tuple[Point, ...]:
    """The empty points that look forbidden and are not.

    Either the stone makes five beside something forbidden (R4 step 1), or it meets two apparent threes of which at
    most one can really become a straight four (R4.1).
    """
    cells = own_copy(board)
    verdicts = np.empty(POINTS, dtype=np.uint8)
    forbidden_map_kernel(cells, verdicts)
    found = []
    for p in range(POINTS):
        if cells[p] or verdicts[p] not in (Verdict.LEGAL, Verdict.FIVE):
            continue
        total = sum(int(YIELD[window_kernel(cells, p, d)]) for d in range(4))
        if total & OVERLINES or total & FOURS >= 2 or (total & THREES) // THREE >= 2:
            found.append(p)
    return tuple(found)
