"""Thoughts of the engine side by side: who waits for a core, how long each may think, and one that never ends.

Thoughts are taken in the order in which they were asked for, so many at once as there are cores for them. Each may take
as long as is asked of it, but no longer than lets everybody who waits behind it be answered in time if they take as
long: so the more wait, the shorter everybody thinks, and nobody waits and thinks longer than :data:`PATIENCE` together.

A thread cannot be ended from outside. One that has not come back long after its time is left behind, and its place is
given to others.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final

from core.ai import Stop
from core.game import Action

#: How long somebody waits and thinks together, in seconds. What the door, the store and the platform take comes on top.
PATIENCE: Final = 1.6
#: No thought is cut shorter than this, in seconds, however many wait.
LEAST: Final = 0.05
#: How long after its time a thought is given up, in seconds.
GRACE: Final = 5.0


class NeverEndingError(Exception):
    """A thought has not come back."""


class DeadError(Exception):
    """The thread of a thought was ended from within."""


class Thoughts:
    """So many thoughts at once, each of ``seconds`` where there is time for that."""

    def __init__(
        self,
        at_once: int,
        seconds: float,
        *,
        patience: float = PATIENCE,
        grace: float = GRACE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._at_once = at_once
        self._seconds = seconds
        self._patience = patience
        self._grace = grace
        self._clock = clock
        self._free = asyncio.Semaphore(at_once)
        self._waiting: list[float] = []
        self._threads: set[Future[Action]] = set()

    async def think(self, thought: Callable[[float], Action], stop: Stop, most: Callable[[], float]) -> Action:
        """What ``thought`` finds, which is told how many seconds it has: ``most()`` when it begins, or less.

        Raises what it raises, :class:`NeverEndingError` or :class:`DeadError`; ``stop`` is set in any case.
        """
        asked = self._clock()
        self._waiting.append(asked)
        try:
            await self._free.acquire()
        finally:
            self._waiting.remove(asked)
        try:
            seconds = min(self.share(asked), most())
            future = self._begun(lambda: thought(seconds))
            done, _ = await asyncio.wait({future}, timeout=seconds + self._grace)
            if not done:
                raise NeverEndingError(f"{seconds + self._grace:.1f} s")
            return future.result()
        finally:
            stop.set()
            self._free.release()

    def share(self, asked: float) -> float:
        """How long somebody may think now who asked at that time, in seconds."""
        now = self._clock()
        left = asked + self._patience - now
        for place, other in enumerate(self._waiting):
            # Everybody thinks for equally long, so many at once: this one begins after so many others at its core.
            before = 1 + place // self._at_once
            left = min(left, (other + self._patience - now) / (1 + before))
        return max(min(self._seconds, left), LEAST)

    def _begun(self, thought: Callable[[], Action]) -> asyncio.Future[Action]:
        """The thought in a thread of its own, for which nobody waits at the end of the process."""
        result: Future[Action] = Future()
        result.set_running_or_notify_cancel()

        def think() -> None:
            try:
                result.set_result(thought())
            except Exception as error:
                result.set_exception(error)
            except BaseException as error:  # of a thread, it must not end the service
                result.set_exception(DeadError(repr(error)))

        self._threads.add(result)
        result.add_done_callback(self._threads.discard)
        threading.Thread(target=think, name="engine", daemon=True).start()
        waiting = asyncio.wrap_future(result)
        waiting.add_done_callback(lambda future: future.cancelled() or future.exception())  # nobody may be left to ask
        return waiting

    async def ended(self, seconds: float) -> None:
        """Return when every thread has come back, but after ``seconds`` at the latest."""
        threads = [asyncio.wrap_future(thread) for thread in tuple(self._threads)]
        if threads:
            await asyncio.wait(threads, timeout=seconds)
