"""Points, colours and boards, and the texts players write them in.

A *point* is an ``int`` from 0 to 224: ``row * 15 + column``, counted from the corner a1, so a1 is 0, b1 is 1,
a2 is 15 and tengen (h8) is 112. Letters name the columns from the left, numbers the rows from the near side
(rules R1.1). A *board* is a ``uint8`` array of shape (225,), one :class:`Colour` value a point; kernels in
``core.rules`` and ``core.ai`` take it as it is.

People are shown upper case (:func:`label`); files and machines get lower case (:func:`name`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import IntEnum, StrEnum
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

SIZE: Final = 15
POINTS: Final = SIZE * SIZE
COLUMNS: Final = "abcdefghijklmno"

Point: TypeAlias = int
Board: TypeAlias = npt.NDArray[np.uint8]


class Colour(IntEnum):
    """What lies on a point. Also the values inside a board array."""

    EMPTY = 0
    BLACK = 1
    WHITE = 2

    @property
    def other(self) -> Colour:
        """The opponent's colour. EMPTY has none."""
        if self is Colour.EMPTY:
            raise ValueError("an empty point has no opposite colour")
        return Colour.WHITE if self is Colour.BLACK else Colour.BLACK


class Unreadable(StrEnum):
    """Why a text is no point."""

    EMPTY = "empty"  # nothing was written
    REVERSED = "reversed"  # 8H: the letter comes first
    OFF_BOARD = "off_board"  # P16, h0: well formed, but not on a 15 x 15 board
    GARBLED = "garbled"  # anything else


class NotationError(ValueError):
    """A text that is no point or no list of moves; ``why`` says which mistake, ``text`` repeats the culprit."""

    def __init__(self, why: Unreadable, text: str) -> None:
        super().__init__(f"{text!r} is not a point ({why.value})")
        self.why = why
        self.text = text


_POINT = re.compile(r"([A-Za-z])([0-9]{1,3})\Z")
_REVERSED = re.compile(r"[0-9]{1,3}[A-Za-z]\Z")
_MOVES = re.compile(r"[A-Za-z][0-9]{1,2}")
_FULL_WIDTH = {0xFF01 + offset: 0x21 + offset for offset in range(94)}


def point(text: str) -> Point:
    """The point that ``text`` names: ``"h8"``, ``"H8"``, also in the full-width letters of East Asian keyboards.

    Raises :class:`NotationError`.
    """
    clean = text.translate(_FULL_WIDTH).strip()
    if not clean:
        raise NotationError(Unreadable.EMPTY, text)
    match = _POINT.match(clean)
    if match is None:
        raise NotationError(Unreadable.REVERSED if _REVERSED.match(clean) else Unreadable.GARBLED, clean)
    column = COLUMNS.find(match[1].lower())
    row = int(match[2]) - 1
    if column < 0 or not 0 <= row < SIZE:
        raise NotationError(Unreadable.OFF_BOARD, clean)
    return row * SIZE + column


def column_of(p: Point) -> int:
    """0 for column A to 14 for column O."""
    return p % SIZE


def row_of(p: Point) -> int:
    """0 for row 1 to 14 for row 15."""
    return p // SIZE


def name(p: Point) -> str:
    """``"h8"``: how files and machines write a point."""
    return f"{COLUMNS[p % SIZE]}{p // SIZE + 1}"


def label(p: Point) -> str:
    """``"H8"``: how people are shown a point."""
    return name(p).upper()


TENGEN: Final[Point] = 7 * SIZE + 7
STARS: Final[tuple[Point, ...]] = tuple(point(text) for text in ("d4", "l4", "h8", "d12", "l12"))


def moves(text: str) -> tuple[Point, ...]:
    """The points of a move string, ``"h8h9j10"`` or with spaces, commas or dashes between.

    Raises :class:`NotationError` on the first part that is no point. Whether the moves may be played is not asked.
    """
    found: list[Point] = []
    at = 0
    while at < len(text):
        if text[at] in " \t\r\n,;-":
            at += 1
            continue
        match = _MOVES.match(text, at)
        if match is None:
            part = text[at : at + 8].split(maxsplit=1)[0]
            raise NotationError(Unreadable.REVERSED if _REVERSED.match(part) else Unreadable.GARBLED, part)
        found.append(point(match[0]))
        at = match.end()
    return tuple(found)


def move_string(points: Iterable[Point]) -> str:
    """``"h8h9j10"``: the inverse of :func:`moves`."""
    return "".join(name(p) for p in points)


def distance_from_tengen(p: Point) -> int:
    """The larger of the column and row distances to h8: 0 on tengen, 1 within the central 3 x 3, and so on."""
    return max(abs(p % SIZE - 7), abs(p // SIZE - 7))


def board(black: Iterable[Point] = (), white: Iterable[Point] = ()) -> Board:
    """A new board with these stones. Raises ``ValueError`` when two stones share a point."""
    cells = np.zeros(POINTS, dtype=np.uint8)
    for colour, stones in ((Colour.BLACK, black), (Colour.WHITE, white)):
        for p in stones:
            if cells[p]:
                raise ValueError(f"two stones on {name(p)}")
            cells[p] = colour
    return cells


def board_of(sequence: Sequence[Point]) -> Board:
    """The board after these moves, black first, alternating."""
    return board(sequence[::2], sequence[1::2])


def board_text(cells: Board) -> str:
    """Fifteen rows of ``. x o`` with coordinates, row 15 on top: for messages without pictures and failing tests."""
    marks = ".xo"
    letters = "   " + " ".join(COLUMNS.upper())
    rows = [
        f"{row + 1:2d} " + " ".join(marks[cells[row * SIZE + column]] for column in range(SIZE))
        for row in range(SIZE - 1, -1, -1)
    ]
    return "\n".join([letters, *rows, letters])


def _symmetries() -> npt.NDArray[np.int16]:
    table = np.zeros((8, POINTS), dtype=np.int16)
    for p in range(POINTS):
        x, y = p % SIZE, p // SIZE
        far = SIZE - 1
        images = ((x, y), (far - y, x), (far - x, far - y), (y, far - x))
        for k, (u, v) in enumerate(images):
            table[k, p] = v * SIZE + u
            table[k + 4, p] = v * SIZE + (far - u)
    table.flags.writeable = False
    return table


#: The 8 symmetries of the board, shape (8, 225): ``SYMMETRIES[k][p]`` is where symmetry ``k`` takes point ``p``.
#: 0 is the identity, 1-3 are the rotations, 4-7 the same after a reflection left to right.
SYMMETRIES: Final = _symmetries()
