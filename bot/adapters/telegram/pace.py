"""How fast we write: below the pace at which Telegram begins to refuse.

About one message a second in a chat, twenty a minute in a group, thirty a second in all; edits count like messages.
Who would be too fast is told how long to wait instead; nothing queues up here.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

#: (how many at once, how many a second): bursts and the steady pace.
PRIVATE: Final = (3.0, 1.0)
GROUP: Final = (5.0, 0.25)
EVERYTHING: Final = (10.0, 20.0)
#: How many chats are remembered; the quietest are forgotten, which is harmless: a forgotten chat is a full bucket.
_CHATS: Final = 10_000


class _Bucket:
    def __init__(self, size: float, rate: float, now: float) -> None:
        self.size, self.rate = size, rate
        self.level, self.at = size, now
        self.closed_until = 0.0

    def wait(self, now: float, left: float) -> float:
        """Seconds until one may be taken with ``left`` remaining after it; 0: now."""
        self.level = min(self.size, self.level + (now - self.at) * self.rate)
        self.at = now
        return max(self.closed_until - now, (1.0 + left - self.level) / self.rate, 0.0)


class Pace:
    """Token buckets: one for each chat, one for the bot."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        *,
        private: tuple[float, float] = PRIVATE,
        group: tuple[float, float] = GROUP,
        everything: tuple[float, float] = EVERYTHING,
    ) -> None:
        self._clock = clock
        self._private, self._group = private, group
        self._all = _Bucket(*everything, clock())
        self._chats: dict[str, _Bucket] = {}

    def ask(self, chat: str, *, spare: int = 0) -> float:
        """0 if a message may be sent or edited now, and then it counts; else the seconds to wait.

        ``spare``: how many more must remain possible after it, for what cannot wait.
        """
        now = self._clock()
        bucket = self._bucket(chat, now)
        wait = max(bucket.wait(now, spare), self._all.wait(now, 0))
        if wait > 0:
            return wait
        bucket.level -= 1.0
        self._all.level -= 1.0
        return 0.0

    def halt(self, chat: str, seconds: float) -> None:
        """Telegram asked to leave the chat alone for so long."""
        now = self._clock()
        bucket = self._bucket(chat, now)
        bucket.closed_until = max(bucket.closed_until, now + seconds)

    def _bucket(self, chat: str, now: float) -> _Bucket:
        bucket = self._chats.pop(chat, None) or _Bucket(*(self._group if chat.startswith("-") else self._private), now)
        self._chats[chat] = bucket  # the last in the order is the one used last
        if len(self._chats) > _CHATS:
            del self._chats[next(iter(self._chats))]
        return bucket
