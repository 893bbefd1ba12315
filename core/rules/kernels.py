"""The compiled rules: one point judged, and the map of a whole board.

A point's four lines are read as windows, looked up and added; all but apparent double-threes are settled by that.
Those need R3.7's recursion: a three counts only if one of its growth points is itself legal with both stones on the
board (R4.1, "forbidden undoes forbidden"). Every level adds a stone, so there is no depth limit to set.

Kernels trust their arguments: a board of 225 values 0 to 2 and an empty point. They put stones on the board they
are given and take them back before they return, so a board must not be shared with another thread meanwhile.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.jit import kernel
from core.notation import POINTS, SIZE, Board
from core.rules.lines import (
    BIT_WEIGHTS,
    BLOCKED_FROM,
    EDGE,
    FIVES,
    FOURS,
    GROWTH,
    GROWTH_STEPS,
    LINE_OF,
    LINES,
    OVERLINES,
    POINT_AT,
    POWERS,
    REACH,
    ROOM,
    STEPS,
    THREE,
    THREES,
    YIELD,
)

_STRETCH = (1 << (2 * REACH + 1)) - 1


@kernel("int64(uint8[::1], int64, int64)")
def window_kernel(board: Board, point: int, direction: int) -> int:
    """The window of ``point`` along ``DIRECTIONS[direction]`` (see ``core.rules.lines``); its own cell is not read."""
    window = 0
    for side in range(2):
        step = -STEPS[direction] if side == 0 else STEPS[direction]
        room = ROOM[direction, side, point]
        digits = 0
        at = point
        steps = 0
        while steps < room:
            at += step
            cell = board[at]
            if cell == 2:
                break
            digits += cell * POWERS[steps]
            steps += 1
        digits += BLOCKED_FROM[steps]
        window += digits if side == 0 else digits * POWERS[REACH]
    return window


@kernel("int64(uint8[::1], int64)")
def judge_kernel(board: Board, point: int) -> int:
    """The ``Verdict`` value of Black's stone on the empty ``point``; recursive, the board is left as it was."""
    total = 0
    growths = np.int64(0)
    for d in range(4):
        window = window_kernel(board, point, d)
        total += YIELD[window]
        growths |= np.int64(GROWTH[window]) << (8 * d)
    if total & FIVES:
        return 1
    if total & OVERLINES:
        return 2
    if (total & FOURS) >= 2:
        return 3
    undecided = (total & THREES) // THREE
    if undecided < 2:
        return 0
    board[point] = 1
    threes = 0
    for d in range(4):
        growth = (growths >> (8 * d)) & 0xFF
        if growth == 0:
            continue
        undecided -= 1
        for bit in range(6):
            if growth >> bit & 1 and judge_kernel(board, point + GROWTH_STEPS[bit] * STEPS[d]) == 0:
                threes += 1
                break
        if threes >= 2 or threes + undecided < 2:
            break
    board[point] = 0
    return 4 if threes >= 2 else 0


@kernel("void(uint8[::1], uint8[::1])")
def forbidden_map_kernel(board: Board, out: Board) -> None:
    """Fill ``out`` with the ``Verdict`` value of every empty point, 0 on stones; the board is left as it was.

    Only points with two black stones within three cells on a line can make anything on it: a five, a four and a
    three through the point all need that, and such points are found line by line with a few shifts.
    """
    black = np.zeros(LINES, dtype=np.uint32)
    blocked = EDGE.copy()
    for p in range(POINTS):
        if board[p]:
            x = p % SIZE + REACH
            y = p // SIZE + REACH
            stones = black if board[p] == 1 else blocked
            stones[LINE_OF[p, 0]] |= np.uint32(1) << np.uint32(x)
            stones[LINE_OF[p, 1]] |= np.uint32(1) << np.uint32(y)
            stones[LINE_OF[p, 2]] |= np.uint32(1) << np.uint32(x)
            stones[LINE_OF[p, 3]] |= np.uint32(1) << np.uint32(x)
    totals = np.zeros(POINTS, dtype=np.uint16)
    for line in range(LINES):
        row = np.int64(black[line])
        if row & (row - 1) == 0:
            continue
        walls = np.int64(blocked[line])
        once = row << 1
        twice = once & row >> 1
        once |= row >> 1
        for reach in (2, 3):
            twice |= once & row << reach
            once |= row << reach
            twice |= once & row >> reach
            once |= row >> reach
        wanted = (twice & ~(row | walls)) >> REACH
        place = 0
        while wanted:
            if wanted & 1:
                window = BIT_WEIGHTS[row >> place & _STRETCH] + 2 * BIT_WEIGHTS[walls >> place & _STRETCH]
                totals[POINT_AT[line, place]] += YIELD[window]
            wanted >>= 1
            place += 1
    for p in range(POINTS):
        total = totals[p]
        verdict = 0
        if total:
            if total & FIVES:
                verdict = 1
            elif total & OVERLINES:
                verdict = 2
            elif total & FOURS >= 2:
                verdict = 3
            elif total & THREES >= 2 * THREE:
                verdict = judge_kernel(board, p)
        out[p] = verdict


@kernel("void(uint8[:, ::1], uint8[:, ::1])")
def forbidden_maps_kernel(boards: npt.NDArray[np.uint8], out: npt.NDArray[np.uint8]) -> None:
    """``forbidden_map_kernel`` for every row of ``boards``."""
    for row in range(boards.shape[0]):
        forbidden_map_kernel(boards[row], out[row])
