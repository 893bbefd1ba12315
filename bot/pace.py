"""Token buckets: how fast something may be sent, to one place and in all.

Who would be too fast is told how long to wait instead; nothing queues up here.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

#: (how many at once, how many a second): a burst and the steady pace.
Rate = tuple[float, float]

#: How many places are remembered; the quietest are forgotten, which is harmless: a forgotten one is a full bucket.
_PLACES: Final = 10_000


class _Bucket:
    def __init__(self, rate: Rate, now: float) -> None:
        self._size, self._rate = rate
        self._level, self._at = self._size, now
        self.closed_until = 0.0

    def wait(self, now: float, left: float) -> float:
        """Seconds until one may be taken with ``left`` remaining after it; 0: now."""
        self._level = min(self._size, self._level + (now - self._at) * self._rate)
        self._at = now
        return max(self.closed_until - now, (1.0 + left - self._level) / self._rate, 0.0)

    def take(self, number: float = 1.0) -> None:
        self._level = min(self._size, self._level - number)


class Buckets:
    """One bucket for each place, as large as ``rate_of`` says, and one for ``everything``."""

    def __init__(
        self, rate_of: Callable[[str], Rate], everything: Rate, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock = clock
        self._rate_of = rate_of
        self._all = _Bucket(everything, clock())
        self._places: dict[str, _Bucket] = {}

    def ask(self, place: str, *, spare: int = 0) -> float:
        """0 if something may be sent or edited now, and then it counts; else the seconds to wait.

        ``spare``: how many more must remain possible there after it, for what cannot wait.
        """
        now = self._clock()
        bucket = self._bucket(place, now)
        wait = max(bucket.wait(now, spare), self._all.wait(now, 0))
        if wait > 0:
            return wait
        bucket.take()
        self._all.take()
        return 0.0

    def give(self, place: str) -> None:
        """The last one that counted there came to nothing: another one may be sent instead."""
        self._bucket(place, self._clock()).take(-1.0)
        self._all.take(-1.0)

    def halt(self, place: str, seconds: float) -> None:
        """The platform asked to leave the place alone for so long."""
        now = self._clock()
        bucket = self._bucket(place, now)
        bucket.closed_until = max(bucket.closed_until, now + seconds)

    def _bucket(self, place: str, now: float) -> _Bucket:
        bucket = self._places.pop(place, None) or _Bucket(self._rate_of(place), now)
        self._places[place] = bucket  # the last in the order is the one used last
        if len(self._places) > _PLACES:
            del self._places[next(iter(self._places))]
        return bucket
