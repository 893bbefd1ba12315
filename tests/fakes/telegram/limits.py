"""How fast a bot may write, as Telegram has it: about one message a second in a chat, twenty a minute in a group,
thirty a second in all; edits count like messages."""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Limits:
    """Windows over the calls of the past. A refused call does not count, its ``retry_after`` is in whole seconds."""

    clock: Callable[[], float]
    chat: tuple[int, float] = (8, 5.0)
    """Calls in so many seconds, for one chat: about one a second, with a short burst."""
    group: tuple[int, float] = (20, 60.0)
    everything: tuple[int, float] = (30, 1.0)
    _past: dict[object, deque[float]] = field(default_factory=lambda: defaultdict(deque))

    def refuse(self, chat_id: int) -> int:
        """0 if a call that shows something in the chat may pass, else the seconds to wait."""
        now = self.clock()
        windows = [(("chat", chat_id), *self.chat), ("all", *self.everything)]
        if chat_id < 0:
            windows.append((("group", chat_id), *self.group))
        waits = [self._wait(key, number, seconds, now) for key, number, seconds in windows]
        if max(waits) > 0:
            return max(1, math.ceil(max(waits)))
        for key, _, _ in windows:
            self._past[key].append(now)
        return 0

    def _wait(self, key: object, number: int, seconds: float, now: float) -> float:
        past = self._past[key]
        while past and past[0] <= now - seconds:
            past.popleft()
        return past[0] + seconds - now if len(past) >= number else 0.0
