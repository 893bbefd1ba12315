"""What lies on each point of a picture: the step between what is to be shown and how it is painted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, NamedTuple, TypeAlias

from bot.scene import BoardPicture
from core.notation import POINTS, SIZE, Colour, Point, column_of, name, row_of

LETTERS: Final = "ABCDEFGHIJKL"
"""Offers: twelve is the most any protocol allows (Yamaguchi)."""

Line: TypeAlias = tuple[int, int, int, int]
"""Column and row of both ends, counted from the cell that is being painted."""


class Cell(NamedTuple):
    """All that is on one point and under it; equal cells at the same place of the board are painted alike."""

    stone: Colour = Colour.EMPTY
    ghost: bool = False
    """The stone is not confirmed yet."""
    text: str = ""
    offer: bool = False
    ring: bool = False
    dot: bool = False
    cross: bool = False
    bars: tuple[Line, ...] = ()
    """The winning line, as far as it passes here."""


class Label(IntEnum):
    """How a letter or number on the margin is shown."""

    PLAIN = 0
    PREVIEW = 1
    """Framed: the unconfirmed stone is in this line."""
    LAST = 2
    """On a chip: the last move was in this line."""


@dataclass(slots=True)
class Layout:
    """A picture taken apart."""

    cells: dict[Point, Cell] = field(default_factory=dict)
    """Only points that carry anything."""
    columns: tuple[Label, ...] = (Label.PLAIN,) * SIZE
    rows: tuple[Label, ...] = (Label.PLAIN,) * SIZE

    def row(self, row: int) -> tuple[tuple[int, Cell], ...]:
        """The cells of a row with their columns, from the left."""
        first = row * SIZE
        return tuple((column, self.cells[first + column]) for column in range(SIZE) if first + column in self.cells)


def layout(picture: BoardPicture) -> Layout:
    """Take a picture apart. Raises ``ValueError`` for what no board can show."""
    _check(picture)
    cells: dict[Point, Cell] = {}
    for number, (point, colour) in enumerate(picture.stones, start=1):
        cells[point] = Cell(stone=colour, text=str(number) if picture.numbered else "")
    for letter, point in zip(LETTERS, picture.offers, strict=False):
        if point not in cells:
            cells[point] = Cell(offer=True, text=letter)
    if picture.preview is not None:
        point, colour = picture.preview
        cells[point] = Cell(stone=colour, ghost=True, text=cells.get(point, Cell()).text)
    for point in picture.forbidden:
        cells[point] = cells.get(point, Cell())._replace(cross=True)
    for point in picture.win:
        cells[point] = cells.get(point, Cell())._replace(ring=True)
    if picture.last in cells:
        cell = cells[picture.last]
        cells[picture.last] = cell._replace(ring=True, dot=not cell.text)
    if picture.foul is not None:
        cells[picture.foul] = cells.get(picture.foul, Cell())._replace(cross=True, text="", ring=False, dot=False)
    for point, bars in _bars(picture.win).items():
        cells[point] = cells.get(point, Cell())._replace(bars=bars)
    columns, rows = [Label.PLAIN] * SIZE, [Label.PLAIN] * SIZE
    for mark, state in ((picture.preview and picture.preview[0], Label.PREVIEW), (picture.last, Label.LAST)):
        if mark is not None:
            columns[column_of(mark)] = rows[row_of(mark)] = state
    return Layout(cells, tuple(columns), tuple(rows))


def _check(picture: BoardPicture) -> None:
    shown: list[Point] = [point for point, _ in picture.stones]
    seen: set[Point] = set()
    for point in shown:
        if point in seen:
            raise ValueError(f"two stones on {name(point)}")
        seen.add(point)
    marks = (*picture.offers, *picture.forbidden, *picture.win)
    for one in (picture.last, picture.foul, picture.preview and picture.preview[0]):
        if one is not None:
            marks += (one,)
    for point in (*shown, *marks):
        if not 0 <= point < POINTS:
            raise ValueError(f"{point} is not a point of the board")
    if len(picture.offers) > len(LETTERS):
        raise ValueError(f"{len(picture.offers)} offers; there are at most {len(LETTERS)}")
    if picture.preview is not None and picture.preview[0] in seen:
        raise ValueError(f"an unconfirmed stone on the stone at {name(picture.preview[0])}")


def _bars(win: Collection[Point]) -> dict[Point, tuple[Line, ...]]:
    """For every cell that a bar under winning stones touches, the bars as seen from there."""
    touched: dict[Point, list[Line]] = defaultdict(list)
    for first, last in _runs(win):
        step_x, step_y = _sign(column_of(last) - column_of(first)), _sign(row_of(last) - row_of(first))
        cells: set[tuple[int, int]] = set()
        for k in range(max(abs(column_of(last) - column_of(first)), abs(row_of(last) - row_of(first))) + 1):
            x, y = column_of(first) + k * step_x, row_of(first) + k * step_y
            cells.add((x, y))
            if step_x and step_y:  # a slanting bar cuts the corners of the cells beside it
                cells.update({(x + step_x, y), (x, y + step_y), (x - step_x, y), (x, y - step_y)})
        for x, y in cells:
            if 0 <= x < SIZE and 0 <= y < SIZE:
                line = (column_of(first) - x, row_of(first) - y, column_of(last) - x, row_of(last) - y)
                touched[y * SIZE + x].append(line)
    return {point: tuple(lines) for point, lines in touched.items()}


def _runs(win: Collection[Point]) -> Iterable[tuple[Point, Point]]:
    """The ends of every unbroken row of five or more points among ``win``."""
    places = {(column_of(point), row_of(point)) for point in win}
    for step_x, step_y in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for x, y in sorted(places):
            if (x - step_x, y - step_y) in places:
                continue
            length = 1
            while (x + length * step_x, y + length * step_y) in places:
                length += 1
            if length >= 5:
                yield y * SIZE + x, (y + (length - 1) * step_y) * SIZE + x + (length - 1) * step_x


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
