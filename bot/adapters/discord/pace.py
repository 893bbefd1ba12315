"""How fast boards are changed: below the pace at which Discord begins to refuse, about five edits in five seconds.

Who would be too fast is told how long to wait instead; nothing queues up here. Answers to interactions do not count.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

#: How many at once, and how many a second: in one channel, and by the bot in all.
CHANNEL: Final = (4.0, 0.8)
EVERYTHING: Final = (30.0, 30.0)
#: How many channels are remembered; the quietest are forgotten, which is harmless: a forgotten one is a full bucket.
_CHANNELS: Final = 10_000


class _Bucket:
    def __init__(self, size: float, rate: float, now: float) -> None:
        self._size, self._rate = size, rate
        self._level, self._at = size, now
        self.closed_until = 0.0

    def wait(self, now: float) -> float:
        """Seconds until one may be taken; 0: now."""
        self._level = min(self._size, self._level + (now - self._at) * self._rate)
        self._at = now
        return max(self.closed_until - now, (1.0 - self._level) / self._rate, 0.0)

    def take(self, number: float = 1.0) -> None:
        self._level = min(self._size, self._level - number)


class Pace:
    """Token buckets: one for each channel, one for the bot; how many at once, and how many a second."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        *,
        channel: tuple[float, float] = CHANNEL,
        everything: tuple[float, float] = EVERYTHING,
    ) -> None:
        self._clock = clock
        self._channel = channel
        self._all = _Bucket(*everything, clock())
        self._channels: dict[str, _Bucket] = {}

    def ask(self, channel: str) -> float:
        """0 if a message may be sent or changed now, and then it counts; else the seconds to wait."""
        now = self._clock()
        bucket = self._bucket(channel, now)
        wait = max(bucket.wait(now), self._all.wait(now))
        if wait > 0:
            return wait
        bucket.take()
        self._all.take()
        return 0.0

    def give(self, channel: str) -> None:
        """The last one that counted here came to nothing: another one may be sent in its place."""
        self._bucket(channel, self._clock()).take(-1.0)
        self._all.take(-1.0)

    def halt(self, channel: str, seconds: float) -> None:
        """Discord asked to leave the channel alone for so long."""
        now = self._clock()
        bucket = self._bucket(channel, now)
        bucket.closed_until = max(bucket.closed_until, now + seconds)

    def _bucket(self, channel: str, now: float) -> _Bucket:
        bucket = self._channels.pop(channel, None) or _Bucket(*self._channel, now)
        self._channels[channel] = bucket  # the last in the order is the one used last
        if len(self._channels) > _CHANNELS:
            del self._channels[next(iter(self._channels))]
        return bucket
