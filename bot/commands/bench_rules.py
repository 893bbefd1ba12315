"""``renju bench rules``: how long the map of Black's forbidden points takes, position by position.

Every position is given as a bare board of 225 values. One call judges them all, in the order of the file, and reads
the clock between any two, so that neither the cost of a call from Python nor a processor that has just seen the same
position flatters the figure. A fixed integer loop, timed in the same way between the rounds, makes figures from
different machines comparable.
"""

from __future__ import annotations

import ctypes
import json
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numba
import numpy as np
import numpy.typing as npt

from bot.commands.bench import Figure, Report
from core.notation import POINTS, SIZE, board, point
from core.rules import forbidden_map_kernel

_POSITIONS: Final = Path(__file__).resolve().parents[2] / "tests" / "data" / "forbidden_positions.jsonl"

_ROUNDS: Final = 15
#: Rounds of the fixed loop: a chain of shifts and exclusive ors that no compiler can shorten.
_LOOP: Final = 1000

_Boards = npt.NDArray[np.uint8]
_Stamps = npt.NDArray[np.int64]


def _clock() -> Any:
    """The C library's ``clock_gettime``, which compiled code can call: about 30 ns a look."""
    clock = ctypes.CDLL(None).clock_gettime
    clock.argtypes = [ctypes.c_int, ctypes.c_void_p]
    clock.restype = ctypes.c_int
    return clock


def _timers() -> tuple[Callable[[_Boards, _Boards, _Stamps], None], Callable[[_Stamps], int]]:
    """A batch call and the fixed loop, both stamping the time before and after each unit of work.

    They hold the address of a C function, so they cannot be cached and are compiled on each run.
    """
    clock = _clock()
    which = time.CLOCK_MONOTONIC

    @numba.njit(nogil=True)
    def maps(boards: _Boards, out: _Boards, stamps: _Stamps) -> None:
        clock(which, stamps[0].ctypes.data)
        for row in range(boards.shape[0]):
            forbidden_map_kernel(boards[row], out[row])
            clock(which, stamps[row + 1].ctypes.data)

    @numba.njit(nogil=True)
    def loop(stamps: _Stamps) -> int:
        state = np.uint64(88172645463325252)
        clock(which, stamps[0].ctypes.data)
        for row in range(1, stamps.shape[0]):
            for _ in range(_LOOP):
                state ^= state << np.uint64(13)
                state ^= state >> np.uint64(7)
                state ^= state << np.uint64(17)
            clock(which, stamps[row].ctypes.data)
        return int(state)

    return maps, loop


def _spans(stamps: _Stamps) -> npt.NDArray[np.float64]:
    """Microseconds between neighbouring stamps of (seconds, nanoseconds)."""
    spans: npt.NDArray[np.float64] = np.diff(stamps[:, 0] * 1_000_000_000 + stamps[:, 1]) / 1000.0
    return spans


def _judged() -> _Boards:
    """The judged positions of the test data."""
    boards = []
    with _POSITIONS.open(encoding="utf-8") as lines:
        for line in lines:
            position = json.loads(line)
            boards.append(board(*([point(text) for text in position[colour]] for colour in ("black", "white"))))
    return np.array(boards)


def _generated() -> _Boards:
    """1,000 positions that look like games: 10 to 70 stones, each within two points of one of the last eight."""
    draw = np.random.default_rng(225)
    boards = np.zeros((1000, POINTS), dtype=np.uint8)
    for cells in boards:
        played = [(7, 7)]
        cells[7 * SIZE + 7] = 1
        for ply in range(int(draw.integers(10, 70))):
            x, y = played[-1 - int(draw.integers(min(8, len(played))))]
            u, v = x + int(draw.integers(-2, 3)), y + int(draw.integers(-2, 3))
            if 0 <= u < SIZE and 0 <= v < SIZE and not cells[v * SIZE + u]:
                cells[v * SIZE + u] = 2 - ply % 2
                played.append((u, v))
    return boards


def measure() -> Report:
    """Judge every position fifteen times; a position's time is its median over the rounds."""
    known = _POSITIONS.is_file()
    boards = _judged() if known else _generated()
    source = "judged positions of tests/data" if known else "generated game-like positions (no test data here)"
    out = np.empty_like(boards)
    maps, loop = _timers()
    stamps = np.zeros((len(boards) + 1, 2), dtype=np.int64)
    loop_stamps = np.zeros((101, 2), dtype=np.int64)
    spans, loops = [], []
    for _ in range(_ROUNDS + 1):
        maps(boards, out, stamps)
        loop(loop_stamps)
        spans.append(_spans(stamps))
        loops.append(_spans(loop_stamps))
    each = np.median(spans[1:], axis=0)  # the first round warms up
    unit = float(np.median(loops[1:]))
    median = float(np.median(each))
    return Report(
        f"{len(boards)} {source}, one core, {platform.machine()}",
        (
            Figure("median_us", median, "us", "a whole-board map, median over the positions"),
            Figure("mean_us", float(each.mean()), "us", "mean"),
            Figure("p99_us", float(np.percentile(each, 99)), "us", "99th percentile"),
            Figure("max_us", float(each.max()), "us", "the slowest position"),
            Figure("loop_us", unit, "us", f"the fixed integer loop, {_LOOP:,} rounds"),
            Figure("ratio", median / unit, "", "median divided by the fixed loop"),
        ),
    )
