"""The table of known positions that the searches share, also those of several threads.

An entry is two words: key xor data, and data, so that a torn entry of two threads is never trusted.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
from numba import types

from core.ai.position import TABLE, int64, signature, uint64
from core.jit import kernel

Table = npt.NDArray[np.uint64]
Flag = npt.NDArray[np.uint8]

#: What the score of an entry is.
EXACT: Final = 0
LOWER: Final = 1
UPPER: Final = 2


@kernel(signature(types.void, TABLE, types.uint64, types.int64, types.int64, types.int64, types.int64))
def remember(table: Table, key: Any, move: int, score: int, depth: int, bound: int) -> None:  # noqa: PLR0917
    """Write an entry."""
    half = int64(len(table) // 2)
    slot = int64(key >> uint64(1)) & (half - 1)
    data = (
        uint64(move & 255)
        | uint64((score + 32768) & 0xFFFF) << uint64(8)
        | uint64((depth + 32) & 255) << uint64(24)
        | uint64(bound) << uint64(32)
    )
    old = table[2 * slot + 1]
    same = table[2 * slot] ^ old == key
    if same and int64(old >> uint64(24) & uint64(255)) - 32 > depth + 3 and bound != EXACT:
        return
    table[2 * slot] = key ^ data
    table[2 * slot + 1] = data


@kernel(signature(types.uint64, TABLE, types.uint64))
def recall(table: Table, key: Any) -> Any:
    """The entry of a position; 2**63 when there is none."""
    half = int64(len(table) // 2)
    slot = int64(key >> uint64(1)) & (half - 1)
    data = table[2 * slot + 1]
    if data and table[2 * slot] ^ data == key:
        return data
    return uint64(1) << uint64(63)
