"""How a search is told to stop, from any thread."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

import numpy as np
import numpy.typing as npt


class Stop:
    """A flag that running searches look at every 256 nodes. Once set it stays set."""

    def __init__(self) -> None:
        self.flag: npt.NDArray[np.uint8] = np.zeros(1, dtype=np.uint8)
        self._lock = Lock()
        self._followers: list[Stop] = []

    def set(self) -> None:
        """Stop every search that was given this flag."""
        with self._lock:
            self.flag[0] = 1
            followers = list(self._followers)
        for follower in followers:
            follower.set()

    @property
    def is_set(self) -> bool:
        """Whether the flag has been set."""
        return bool(self.flag[0])

    def also(self, follower: Stop) -> Callable[[], None]:
        """Set ``follower`` together with this one, at once if it is set already; call the result to part them."""
        with self._lock:
            self._followers.append(follower)
            already = self.is_set
        if already:
            follower.set()

        def part() -> None:
            with self._lock:
                self._followers.remove(follower)

        return part
