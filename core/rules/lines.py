"""The lines of the board, and what Black's stone makes on one line: the tables behind every verdict.

Only eleven cells of a line matter for a stone: itself and five on each side. A five, an overline, a four or a
three of which the stone is part lies within four cells of it, and one cell further decides whether Black's five
would be exactly five. Each of the ten other cells is empty, black, or blocked (white or off the board), so a
*window* is a number from 0 to 3**10 - 1, and everything the rules ask of one line is looked up.

Digits of a window, base 3: places 0-4 are the cells 1-5 steps back along the direction, places 5-9 the cells 1-5
steps forward; 0 is empty, 1 black, 2 blocked.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from core.notation import POINTS, SIZE

#: Steps (columns, rows) of the four directions of R1.4: row, column, diagonal up, diagonal down.
DIRECTIONS: Final = ((1, 0), (0, 1), (1, 1), (1, -1))
#: What one step along each direction adds to a point.
STEPS: Final = np.array([dx + dy * SIZE for dx, dy in DIRECTIONS], dtype=np.int64)

#: How far a window reaches from its stone.
REACH: Final = 5
_WINDOWS: Final = 3 ** (2 * REACH)

#: One line's yield. Four of them are added up for a point, so each has room to count: up to 8 fours, up to 4 of
#: the others. ``THREE`` marks a line with an *apparent* three, whose growth points have still to be judged.
FOUR: Final = 1
THREE: Final = 1 << 4
OVERLINE: Final = 1 << 7
FIVE: Final = 1 << 10
#: Where the counts lie in such a sum.
FOURS: Final = THREE - 1
THREES: Final = 7 << 4
OVERLINES: Final = 7 << 7
FIVES: Final = 7 << 10

#: Steps from the stone to the growth point that each bit of ``GROWTH`` stands for.
GROWTH_STEPS: Final = np.array([-3, -2, -1, 1, 2, 3], dtype=np.int64)


def _cells() -> npt.NDArray[np.uint8]:
    """Every window spelled out, shape (windows, 11), the judged black stone in column 5."""
    number = np.arange(_WINDOWS)
    cells = np.ones((_WINDOWS, 2 * REACH + 1), dtype=np.uint8)
    for place in range(REACH):
        cells[:, REACH - 1 - place] = number // 3**place % 3
        cells[:, REACH + 1 + place] = number // 3 ** (REACH + place) % 3
    return cells


def _tables() -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint8]]:
    """``YIELD`` and ``GROWTH``, straight from the definitions R3.2 to R3.7."""
    cells = _cells()
    empty, black = cells == 0, cells == 1
    blacks, empties = black.astype(np.int8), empty.astype(np.int8)
    five = np.zeros(_WINDOWS, dtype=bool)
    overline = np.zeros(_WINDOWS, dtype=bool)
    fours = np.zeros(_WINDOWS, dtype=np.uint16)
    growth = np.zeros(_WINDOWS, dtype=np.uint8)
    for start in range(REACH + 1):
        overline |= black[:, start : start + 6].all(axis=1)
    for start in range(1, REACH + 1):
        exact = ~black[:, start - 1] & ~black[:, start + 5]
        stones = blacks[:, start : start + 5].sum(axis=1)
        holes = empties[:, start : start + 5].sum(axis=1)
        five |= exact & (stones == 5)
        fours += exact & (stones == 4) & (holes == 1)
    for start in range(2, REACH + 1):
        # The four cells from ``start`` with both ends open for an exact five: a straight four when they are full,
        # which the loop above has seen from both ends (R3.5: one four, not two), and a three when one is empty.
        open_ends = empty[:, start - 1] & empty[:, start + 4] & ~black[:, start - 2] & ~black[:, start + 5]
        stones = blacks[:, start : start + 4].sum(axis=1)
        holes = empties[:, start : start + 4].sum(axis=1)
        fours -= open_ends & (stones == 4)
        three = open_ends & (stones == 3) & (holes == 1)
        for bit, steps in enumerate(GROWTH_STEPS.tolist()):
            cell = REACH + steps
            if start <= cell < start + 4:
                growth |= (three & empty[:, cell]).astype(np.uint8) << np.uint8(bit)
    long = five | overline
    fours[long] = 0
    growth[long | (fours > 0)] = 0
    total = fours * FOUR + (growth > 0) * THREE + (overline & ~five) * OVERLINE + five * FIVE
    return total.astype(np.uint16), growth


#: ``YIELD[window]``: what a black stone makes on that line; ``GROWTH[window]``: the growth points of its three, one
#: bit for each of ``GROWTH_STEPS``.
YIELD, GROWTH = _tables()


def _bit_weights() -> npt.NDArray[np.int32]:
    """What each bit pattern of an eleven-cell stretch adds to a window's number, per unit of its digit."""
    patterns = np.arange(1 << (2 * REACH + 1))
    weights = np.zeros(len(patterns), dtype=np.int32)
    for place in range(REACH):
        weights += ((patterns >> (REACH - 1 - place) & 1) * 3**place).astype(np.int32)
        weights += ((patterns >> (REACH + 1 + place) & 1) * 3 ** (REACH + place)).astype(np.int32)
    return weights


#: ``window = BIT_WEIGHTS[black bits] + 2 * BIT_WEIGHTS[blocked bits]``, bit 0 the cell five steps back.
BIT_WEIGHTS: Final = _bit_weights()
#: What a window's side is when everything from ``k`` steps beyond its nearest cell on is blocked.
BLOCKED_FROM: Final = np.array([3**REACH - 3**k for k in range(REACH + 1)], dtype=np.int64)
POWERS: Final = np.array([3**k for k in range(REACH + 1)], dtype=np.int64)


def _reach() -> npt.NDArray[np.uint8]:
    reach = np.zeros((4, 2, POINTS), dtype=np.uint8)
    for d, (dx, dy) in enumerate(DIRECTIONS):
        for side, sign in enumerate((-1, 1)):
            for p in range(POINTS):
                x, y, steps = p % SIZE + sign * dx, p // SIZE + sign * dy, 0
                while 0 <= x < SIZE and 0 <= y < SIZE and steps < REACH:
                    x, y, steps = x + sign * dx, y + sign * dy, steps + 1
                reach[d, side, p] = steps
    return reach


#: ``ROOM[direction, side, point]``: cells on the board that way, at most five; side 0 is back, 1 forward.
ROOM: Final = _reach()

#: Lines as bit rows: 15 rows, 15 columns and 29 diagonals each way. A point's bit is its column (its row, in a
#: column) plus five, so that every eleven-cell stretch is one shift; cells off the board are blocked from the start.
LINES: Final = 15 + 15 + 29 + 29


def _line_tables() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint32], npt.NDArray[np.uint8]]:
    line_of = np.zeros((POINTS, 4), dtype=np.uint8)
    edge = np.full(LINES, (1 << (SIZE + 2 * REACH)) - 1, dtype=np.uint32)
    point_at = np.zeros((LINES, SIZE), dtype=np.uint8)
    for p in range(POINTS):
        x, y = p % SIZE, p // SIZE
        for d, (line, place) in enumerate(((y, x), (15 + x, y), (44 + x - y, x), (59 + x + y, x))):
            line_of[p, d] = line
            edge[line] &= ~np.uint32(1 << (place + REACH))
            point_at[line, place] = p
    return line_of, edge, point_at


#: ``LINE_OF[point, direction]``; ``EDGE[line]``: the bits that lie off the board; ``POINT_AT[line, place]``.
LINE_OF, EDGE, POINT_AT = _line_tables()
