"""What a player overlooks: rows of stones that lie there but are not seen.

A *row* is two or more stones of one colour on a line that could still become a five together. An attentive player sees
all of them; others miss one now and then: a slanting row sooner than a straight one, one far from the last move sooner
than one beside it, an open two sooner than a four, the other side's sooner than their own. A row that is not seen is
taken out of the engine's tables along that line, for the whole thought; its points stay taken and its stones count on
every other line. So the search itself is misled, as people are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from numba import types

from core.ai.position import PLACES, RECORDS, Positions, refresh, signature
from core.jit import kernel
from core.notation import SIZE, Board, Colour, Point
from core.rules.lines import REACH, ROOM, STEPS

#: How much sooner than a three on a straight line is missed: a row of so many stones ...
_BY_SIZE: Final = {2: 1.2, 3: 1.0, 4: 0.45}
#: ... on a slanting line, on a straight one, ...
_SLANTING: Final = 1.7
_STRAIGHT: Final = 0.7
#: ... the player's own, ...
_OWN: Final = 0.5
#: ... one that the last move belongs to, and one so many steps away from it.
_BY_DISTANCE: Final = (0.5, 0.7, 0.8, 0.9, 1.0, 1.2, 1.4, 1.6)
#: Nothing is missed for certain.
_MOST: Final = 0.95
_FIVE: Final = 5


@dataclass(frozen=True, slots=True)
class Row:
    """Stones of one colour on a line, at least two of them within five points that the other colour leaves open."""

    colour: Colour
    direction: int
    """As in :mod:`core.rules.lines`."""
    stones: tuple[Point, ...]
    size: int
    """The most of them within one such five; 2 to 4."""

    @property
    def slanting(self) -> bool:
        """Whether it lies on a diagonal."""
        return abs(int(STEPS[self.direction])) not in (1, SIZE)


def rows(board: Board) -> Iterator[Row]:
    """Every row on the board."""
    for direction in range(4):
        step = int(STEPS[direction])
        for start in range(SIZE * SIZE):
            if int(ROOM[direction, 0, start]) == 0:
                line = [start]
                while int(ROOM[direction, 1, line[-1]]) > 0:
                    line.append(line[-1] + step)
                if len(line) >= _FIVE:
                    yield from _rows_of_line(board, direction, line)


def _rows_of_line(board: Board, direction: int, line: Sequence[Point]) -> Iterator[Row]:
    cells = [int(board[p]) for p in line]
    for colour in (Colour.BLACK, Colour.WHITE):
        if cells.count(colour) < 2:
            continue
        found: list[int] = []
        size = 0
        for first in range(len(line) - _FIVE + 1):
            part = cells[first : first + _FIVE]
            mine = part.count(colour)
            if mine < 2 or mine == _FIVE or mine + part.count(Colour.EMPTY) < _FIVE:
                continue
            if found and found[-1] < first:
                yield _row(line, found, colour, direction, size)
                found, size = [], 0
            found += [at for at in range(first, first + _FIVE) if cells[at] == colour and at not in found]
            size = max(size, mine)
        if found:
            yield _row(line, found, colour, direction, size)


def _row(line: Sequence[Point], found: Sequence[int], colour: Colour, direction: int, size: int) -> Row:
    return Row(colour, direction, tuple(line[at] for at in found), size)


def missed(row: Row, to_move: Colour, last: Point | None, blindness: float) -> float:
    """How likely ``row`` is overlooked by ``to_move`` after the stone ``last``.

    The chance grows with ``blindness``, up to :data:`_MOST`: a straight three of the other side, four steps from the
    last move, is overlooked with 0.7 of it, a slanting one with 1.7 times as much.
    """
    chance = blindness * _BY_SIZE[row.size] * (_SLANTING if row.slanting else _STRAIGHT)
    if row.colour is to_move:
        chance *= _OWN
    if last is not None:
        away = min(max(abs(p % SIZE - last % SIZE), abs(p // SIZE - last // SIZE)) for p in row.stones)
        chance *= _BY_DISTANCE[min(away, len(_BY_DISTANCE) - 1)]
    return min(chance, _MOST)


def overlooked(board: Board, to_move: Colour, last: Point | None, blindness: float, random: Random) -> list[Row]:
    """The rows that ``to_move`` does not see this time."""
    return [row for row in rows(board) if random.random() < missed(row, to_move, last, blindness)]


def hide(records: Positions, row: Row) -> None:
    """Take a row out of the tables of a position. No stone that lies there may be lifted afterwards."""
    for stone in row.stones:
        _unsee(records, stone, row.direction)


@kernel(signature(types.void, RECORDS, types.int64, types.int64))
def _unsee(records: Positions, point: int, direction: int) -> None:
    """Let the neighbours on one line take a stone for an empty point."""
    s = records[0]
    colour = int(s.cells[point]) - 1
    other = 1 - colour
    step = STEPS[direction]
    for side in range(2):
        # Seen from a neighbour behind the stone, the stone lies forward, and the other way round.
        base = REACH if side == 0 else 0
        move = -step if side == 0 else step
        at = point
        for k in range(ROOM[direction, side, point]):
            at += move
            s.window[colour, direction, at] -= PLACES[base + k]
            s.window[other, direction, at] -= 2 * PLACES[base + k]
            if s.cells[at] == 0:
                refresh(s, 0, direction, at)
                refresh(s, 1, direction, at)
