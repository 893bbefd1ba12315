"""A position as the search keeps it: stones, and every empty point's shapes for both colours, updated stone by stone.

One record (:data:`POSITION`) holds everything, so that a kernel gets one pointer. Colours are 0 Black and 1 White here;
``cells`` keeps the values of :class:`core.notation.Colour`. Stones are lifted in the reverse order of putting.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias, cast

import numba
import numpy as np
import numpy.typing as npt
from numba import types
from numba.cpython.unsafe.numbers import trailing_zeros

from core.ai.shapes import DOUBT, EXACT, FOUL, LINE, NO_SET, OPEN, RANK, RENJU, SET_OF, URGE, WORTH
from core.jit import kernel
from core.notation import POINTS, Board
from core.rules.kernels import judge_kernel
from core.rules.lines import REACH, ROOM, STEPS

BLACK: Final = 0
WHITE: Final = 1

#: The deepest line a search follows.
MAX_PLY: Final = 96
#: Entries of the memory of decided fours searches; a power of two.
FOUR_MEMORY: Final = 1 << 15

POSITION: Final = np.dtype(
    [
        # The tables of core.ai.shapes. In the record they are in one place; as globals every kernel would hold a copy.
        ("shape", "u1", LINE.shape),
        ("rank", "u1", RANK.shape),
        ("value", "i2", WORTH.shape),
        ("urge", "i2", URGE.shape),
        ("cells", "u1", (POINTS,)),
        ("near", "u1", (POINTS,)),  # stones within three steps on a line
        ("window", "i4", (2, 4, POINTS)),  # [colour, direction, point]
        ("key", "u2", (2, POINTS)),  # the shapes of the four lines, four bits each
        ("worth", "i4", (2, 2)),  # the sum over the empty points, [colour, to move or waiting]
        ("count", "i4", (2, 6)),  # sizes of the sets below
        ("points", "u8", (2, 6, 4)),  # the sets of core.ai.shapes as bits, 64 points a word
        ("rule", "i8", (2,)),  # OPEN, EXACT or RENJU
        ("exact", "i8", (2,)),  # row of LINE
        ("stones", "i8"),
        ("hash", "u8"),
        ("nodes", "i8"),
        ("limit", "i8"),  # nodes at which to stop
        ("poll", "i8"),  # nodes at which to look at the stop flag next
        ("stopped", "i8"),
        ("cut", "i8"),  # what a search for threes has left out
        ("finish", "i8"),  # nodes that it gives to fours at each of its positions
        ("noise", "i8"),  # largest random addition to a leaf's value
        ("seed", "u8"),
        ("line", "u1", (POINTS + 3,)),  # the line of the last fours search that won
        ("line_length", "i8"),
        ("four_memory", "u8", (FOUR_MEMORY,)),
        ("four_moves", "u1", (POINTS // 2 + 2, POINTS)),
        ("four_scores", "i4", (POINTS // 2 + 2, POINTS)),
        ("moves", "u1", (MAX_PLY + 2, POINTS)),
        ("scores", "i4", (MAX_PLY + 2, POINTS)),
        ("tried", "i8"),  # root moves finished
        ("history", "i4", (2, POINTS)),  # how often a quiet move refuted something, [colour, point]
        ("killers", "u1", (MAX_PLY + 2, 2)),  # quiet moves that refuted a sister position
        ("depth", "i8"),  # of the iteration at the root
        ("best", "i8"),
        ("best_score", "i8"),
        ("pv", "u1", (MAX_PLY + 2, MAX_PLY + 2)),
        ("pv_length", "i4", (MAX_PLY + 2,)),
    ],
    align=True,
)

Position: TypeAlias = Any
"""One record of :data:`POSITION`, inside kernels."""
Positions: TypeAlias = npt.NDArray[Any]
"""An array of one such record: how callers hold it."""

RECORD: Final = numba.from_dtype(POSITION)
RECORDS: Final = types.Array(RECORD, 1, "C")
FLAG: Final = types.Array(types.uint8, 1, "C")
TABLE: Final = types.Array(types.uint64, 1, "C")


def signature(result: Any, *arguments: Any) -> list[str]:
    """An explicit signature, as :func:`core.jit.kernel` takes it, for kernels on records."""
    return cast("list[str]", [result(*arguments)])


def _zobrist() -> npt.NDArray[np.uint64]:
    return np.random.default_rng(0x52454E4A55).integers(1, 1 << 63, size=(2, POINTS), dtype=np.uint64)


ZOBRIST: Final = _zobrist()
#: What each of a window's ten cells counts: places 0-4 back, 5-9 forward.
PLACES: Final = 3 ** np.arange(2 * REACH, dtype=np.int64)
ONE: Final = np.uint64(1)
#: Conversions inside kernels, for which numpy's and Python's integers are one kind.
int64 = cast("Callable[[Any], int]", np.int64)
uint64: Any = np.uint64
_WORD = 6
_BIT = 63


def new_record() -> Positions:
    """A record with its tables, and no position yet: :func:`set_up` makes one."""
    records: Positions = np.zeros(1, dtype=POSITION)
    for name, table in (("shape", LINE), ("rank", RANK), ("value", WORTH), ("urge", URGE)):
        records[name][0] = table
    return records


@kernel("int64(uint64)")
def lowest(bits: Any) -> int:
    """The number of the lowest bit that is set."""
    return int64(trailing_zeros(bits))  # type: ignore[call-arg]


@kernel(signature(types.void, RECORD, types.int64, types.int64, types.int64))
def include(s: Position, colour: int, rank: int, point: int) -> None:
    """Add a point to the set that its rank belongs to."""
    group = SET_OF[rank & 31]
    if group != NO_SET:
        s.count[colour, group] += 1
        s.points[colour, group, point >> _WORD] |= ONE << np.uint64(point & _BIT)


@kernel(signature(types.void, RECORD, types.int64, types.int64, types.int64))
def exclude(s: Position, colour: int, rank: int, point: int) -> None:
    """Take a point out of the set that its rank belongs to."""
    group = SET_OF[rank & 31]
    if group != NO_SET:
        s.count[colour, group] -= 1
        s.points[colour, group, point >> _WORD] &= ~(ONE << np.uint64(point & _BIT))


@kernel(signature(types.void, RECORD, types.int64, types.int64, types.int64))
def refresh(s: Position, colour: int, direction: int, point: int) -> None:
    """Look one line of an empty point up again after its window has changed."""
    shift = 4 * direction
    old = int64(s.key[colour, point])
    new = old & ~(15 << shift) | int64(s.shape[s.exact[colour], s.window[colour, direction, point]]) << shift
    if new == old:
        return
    rule = s.rule[colour]
    s.key[colour, point] = new
    for side in range(2):
        s.worth[colour, side] += int64(s.value[rule, new, side]) - int64(s.value[rule, old, side])
    before = int64(s.rank[rule, old])
    after = int64(s.rank[rule, new])
    if before != after:
        exclude(s, colour, before, point)
        include(s, colour, after, point)


@kernel(signature(types.void, RECORD, types.int64, types.int64, types.int64))
def _spread(s: Position, point: int, colour: int, sign: int) -> None:
    """Tell the neighbours that a stone has come (``sign`` 1) or gone (-1)."""
    other = 1 - colour
    for d in range(4):
        step = STEPS[d]
        for side in range(2):
            # Seen from a neighbour behind the stone, the stone lies forward, and the other way round.
            base = REACH if side == 0 else 0
            move = -step if side == 0 else step
            at = point
            for k in range(ROOM[d, side, point]):
                at += move
                weight = sign * PLACES[base + k]
                s.window[colour, d, at] += weight
                s.window[other, d, at] += 2 * weight
                if k < 3:
                    s.near[at] += sign
                if s.cells[at] == 0:
                    refresh(s, 0, d, at)
                    refresh(s, 1, d, at)


@kernel(signature(types.void, RECORD, types.int64, types.int64))
def put(s: Position, point: int, colour: int) -> None:
    """Put a stone on an empty point. Nothing is judged."""
    for k in range(2):
        key = s.key[k, point]
        for side in range(2):
            s.worth[k, side] -= s.value[s.rule[k], key, side]
        exclude(s, k, int64(s.rank[s.rule[k], key]), point)
    s.cells[point] = colour + 1
    s.stones += 1
    s.hash ^= ZOBRIST[colour, point]
    _spread(s, point, colour, 1)


@kernel(signature(types.void, RECORD, types.int64, types.int64))
def lift(s: Position, point: int, colour: int) -> None:
    """Take back the stone that was put last."""
    s.cells[point] = 0
    s.stones -= 1
    s.hash ^= ZOBRIST[colour, point]
    _spread(s, point, colour, -1)
    for k in range(2):
        key = s.key[k, point]
        for side in range(2):
            s.worth[k, side] += s.value[s.rule[k], key, side]
        include(s, k, int64(s.rank[s.rule[k], key]), point)


@kernel(signature(types.boolean, RECORD, types.int64, types.int64))
def forbidden_here(s: Position, point: int, colour: int) -> bool:
    """Whether this colour may not play on the empty point (R4)."""
    rank = s.rank[s.rule[colour], s.key[colour, point]]
    if rank & FOUL:
        return True
    if rank & DOUBT:
        return judge_kernel(s.cells[:], point) > 1
    return False


@kernel(signature(types.int64, RECORD, types.int64, types.int64))
def first_of(s: Position, colour: int, group: int) -> int:
    """The lowest point of a set; -1 when it is empty."""
    for word in range(4):
        bits = s.points[colour, group, word]
        if bits:
            return word * 64 + lowest(bits)
    return -1


@kernel(signature(types.void, RECORDS, types.Array(types.uint8, 1, "C"), types.int64, types.int64))
def set_up(records: Positions, cells: Board, black_rule: int, white_rule: int) -> None:
    """Make the record the position of these stones, from nothing."""
    s = records[0]
    s.rule[0] = black_rule
    s.rule[1] = white_rule
    s.stones = 0
    s.hash = 0
    s.nodes = 0
    s.stopped = 0
    for c in range(2):
        s.exact[c] = 0 if s.rule[c] == OPEN else 1
        for side in range(2):
            s.worth[c, side] = 0
        for group in range(6):
            s.count[c, group] = 0
            for word in range(4):
                s.points[c, group, word] = 0
    for p in range(POINTS):
        s.cells[p] = 0
        s.near[p] = 0
        for c in range(2):
            s.key[c, p] = 0
            for d in range(4):
                window = 0
                for side in range(2):
                    for k in range(ROOM[d, side, p], REACH):
                        window += 2 * PLACES[k if side == 0 else REACH + k]
                s.window[c, d, p] = window
    for p in range(POINTS):
        for c in range(2):
            for d in range(4):
                refresh(s, c, d, p)
    for p in range(POINTS):
        if cells[p]:
            put(s, p, int64(cells[p]) - 1)


def rules(*, fouls: bool, black_exact: bool, white_exact: bool) -> tuple[int, int]:
    """The rules that Black and White play by."""
    return (
        RENJU if fouls else EXACT if black_exact else OPEN,
        EXACT if white_exact else OPEN,
    )
