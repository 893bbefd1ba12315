"""Several threads that think about one position: each searches for itself, and all share the table.

The helpers search the same moves, some of them a ply deeper, and leave what they find in the table, where the first
thread meets it. The answer is the first thread's alone.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import numpy as np
import numpy.typing as npt

from core.ai.position import MAX_PLY, Positions
from core.ai.search import INFINITE, search_root
from core.ai.stop import Stop
from core.ai.table import Flag, Table

_NO_LIMIT: Final = 1 << 62


@contextmanager
def helpers(
    count: int, records: Positions, table: Table, colour: int, moves: npt.NDArray[np.uint8]
) -> Iterator[list[Positions]]:
    """``count`` threads that help with the position of ``records`` while the block runs; their own records."""
    stop = Stop()
    own = [records.copy() for _ in range(count)]
    threads = [
        threading.Thread(
            target=_help, args=(record, table, stop.flag, colour, moves.copy(), 1 + n % 2), name=f"helper {n + 1}"
        )
        for n, record in enumerate(own)
    ]
    try:
        for thread in threads:
            thread.start()
        yield own
    finally:
        stop.set()
        for thread in threads:
            if thread.ident is not None:
                thread.join()


def _help(  # noqa: PLR0917
    records: Positions, table: Table, flag: Flag, colour: int, moves: npt.NDArray[np.uint8], first: int
) -> None:
    records["limit"][0] = _NO_LIMIT
    for depth in range(1 + first, MAX_PLY // 2):
        records["poll"][0] = 0
        records["stopped"][0] = 0
        search_root(records, table, flag, colour, depth, -INFINITE, INFINITE, moves, len(moves))
        if records["stopped"][0]:
            return
