"""How often somebody may do something: token buckets, kept in memory and bounded in number."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class Bucket:
    """Holds ``size`` tokens and gains ``rate`` a second."""

    size: float
    rate: float
    clock: Callable[[], float] = time.monotonic
    tokens: float = -1.0
    at: float = 0.0

    def take(self) -> bool:
        """Spend a token; ``False`` when there is none."""
        now = self.clock()
        gained = self.size if self.tokens < 0 else self.tokens + (now - self.at) * self.rate
        self.tokens, self.at = min(self.size, gained), now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


class Buckets:
    """A bucket for everybody who turns up; whoever has been away longest is forgotten first."""

    def __init__(
        self, size: float, rate: float, *, most: int = 10_000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._size, self._rate, self._most, self._clock = size, rate, most, clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, who: str) -> bool:
        """Spend one of their tokens; ``False`` when they have none."""
        bucket = self._buckets.pop(who, None) or Bucket(self._size, self._rate, self._clock)
        self._buckets[who] = bucket
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return bucket.take()

    def empty(self, who: str) -> bool:
        """Whether they have no token left, without spending one."""
        bucket = self._buckets.get(who)
        return bucket is not None and bucket.tokens + (self._clock() - bucket.at) * bucket.rate < 1
