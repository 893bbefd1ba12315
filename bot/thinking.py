"""The engine at the tables: whenever a machine is to answer, it thinks in a thread and answers by the door.

The engine is a guest. It never holds the event loop up, is told to stop as soon as its table has moved on or the
service ends, and nothing is kept here that a restart would lose: which tables wait is known by the store. When it
fails it is asked once more, and then some legal action is taken in its place. Where an answer takes longer than a
moment, the platforms are told to show that somebody thinks.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

import structlog

from bot.session.store import StoreUnavailable
from bot.session.table import MACHINE, Declined, Intent, Machine, Table
from bot.session.tables import now_ms
from bot.thoughts import GRACE, NeverEndingError, Thoughts
from core.ai import Stop, decide
from core.ai.book import Book
from core.ai.fallback import legal_action
from core.game import Action, Game, Refusal, Seat, Why

log = structlog.get_logger("renju.thinking")

#: How long a thought takes at most, in seconds, while few tables wait.
SECONDS: Final = 1.0
#: How long after the last action an answer comes at the earliest, in seconds.
PACE: Final = 0.6
#: How many thoughts run side by side.
WORKERS: Final = 2
#: How often the store is asked for tables that nobody called out, in seconds.
SCAN: Final = 15.0
#: How long to wait before an answer is offered again that could not be stored, in seconds.
AGAIN: Final = 1.0
#: How long an answer may take before a sign of thinking is shown, and how often it is shown again, in seconds.
SIGN: Final = 0.7
_SIGN_AGAIN: Final = 4.0
#: How long threads that were told to stop are waited for at the end, in seconds.
_FAREWELL: Final = 1.0
#: The share of what the engine has left on its clock that one answer may take.
_SHARE: Final = 0.05

Decide = Callable[[Game, Seat, int, float, Stop], Action]
"""How an answer is found: game, seat, level, seconds, stop."""
Sign = Callable[[Table], Awaitable[None]]
"""Shows at a table that somebody thinks. Raises nothing."""


class Answered(Protocol):
    """What is needed of :class:`bot.session.tables.Tables`."""

    async def get(self, table_id: str) -> Table | Declined:
        """The newest state of a table."""
        ...

    async def act(self, intent: Intent) -> Table | Refusal | Declined:
        """The door."""
        ...

    def changes(self) -> AsyncIterator[tuple[str, int]]:
        """The table and rev of every commit from now on."""
        ...

    async def waiting_for_machine(self) -> list[str]:
        """The tables where a machine is to answer."""
        ...


def deciding(book: Book | None = None) -> Decide:
    """How the engine decides, with an opening book or without."""

    def decided(game: Game, seat: Seat, level: int, seconds: float, stop: Stop) -> Action:
        return decide(game, seat, level=level, seconds=seconds, stop=stop, book=book)

    return decided


@dataclass(slots=True)
class _Job:
    """One table that is being attended to."""

    rev: int = -1
    """The rev that is thought about."""
    stop: Stop = field(default_factory=Stop)
    moved: asyncio.Event = field(default_factory=asyncio.Event)
    """The table has changed since the thought began."""


class Thinker:
    """Answers at the tables of this store. Any number of processes may have one: the first answer counts."""

    def __init__(
        self,
        tables: Answered,
        *,
        seconds: float = SECONDS,
        pace: float = PACE,
        workers: int = WORKERS,
        scan: float = SCAN,
        again: float = AGAIN,
        decide: Decide | None = None,
        sign: Sign | None = None,
        sign_after: float = SIGN,
        grace: float = GRACE,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        self._tables = tables
        self._pace = pace
        self._scan = scan
        self._again = again
        self._decide = decide or deciding()
        self._clock = clock
        self._sign = sign
        self._sign_after = sign_after
        self._thoughts = Thoughts(workers, seconds, grace=grace)
        self._jobs: dict[str, _Job] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Answer until cancelled; then every thought is stopped at once."""
        changes = self._tables.changes()
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._listen(changes), name="engine: changes")
                group.create_task(self._search(), name="engine: scan")
        finally:
            for job in self._jobs.values():
                job.stop.set()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await self._thoughts.ended(_FAREWELL)

    async def _listen(self, changes: AsyncIterator[tuple[str, int]]) -> None:
        async for table_id, rev in changes:
            self._consider(table_id, rev)

    async def _search(self) -> None:
        """Find the tables that waited already, and those whose call was missed."""
        while True:
            try:
                for table_id in await self._tables.waiting_for_machine():
                    if table_id not in self._jobs:
                        self._consider(table_id, -1)
            except StoreUnavailable as error:
                log.warning("engine_tables_unknown", why=str(error))
            await asyncio.sleep(self._scan)

    def _consider(self, table_id: str, rev: int) -> None:
        job = self._jobs.get(table_id)
        if job is None:
            job = self._jobs[table_id] = _Job()
            task = asyncio.create_task(self._attend(table_id, job), name=f"engine {table_id}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        elif rev != job.rev:
            job.moved.set()
            job.stop.set()

    async def _attend(self, table_id: str, job: _Job) -> None:
        """Answer at one table for as long as a machine is to answer there."""
        try:
            while True:
                job.moved.clear()
                job.stop = Stop()
                table = await self._tables.get(table_id)
                if table is Declined.NOT_STORED:
                    await _first_of(job.moved, self._again)
                    continue
                if not isinstance(table, Table):
                    return
                job.rev = table.rev
                seat = table.machine_due
                if seat is not None:
                    if not await self._answer(table, seat, job):
                        return
                elif not job.moved.is_set():
                    return
        except Exception:
            log.exception("engine_table_failed", table=table_id)
        finally:
            job.stop.set()
            del self._jobs[table_id]

    async def _answer(self, table: Table, seat: Seat, job: _Job) -> bool:
        """Think and act: one action at most, none if the table moves on meanwhile. Whether to look at it again."""
        signs = asyncio.create_task(self._show_thinking(table))
        try:
            return await self._answered(table, seat, job)
        finally:
            signs.cancel()

    async def _show_thinking(self, table: Table) -> None:
        if self._sign is None:
            return
        await asyncio.sleep(self._sign_after)
        while True:
            await self._sign(table)
            await asyncio.sleep(_SIGN_AGAIN)

    async def _answered(self, table: Table, seat: Seat, job: _Job) -> bool:
        for attempt in (1, 2, 3):
            action = await self._think(table, seat, job) if attempt < 3 else legal_action(table.game, seat)
            if job.moved.is_set():
                return True
            if action is None:
                continue
            if attempt == 1:
                await self._wait_for_pace(table, seat, job)
            result = await self._act(table, action, job)
            if not isinstance(result, Refusal):
                return isinstance(result, Table) or result is Declined.MOVED_ON
            if result.why in (Why.TIME_OVER, Why.OVER):
                return await self._ended(table, job)
            log.error("engine_refused", table=table.id, action=action.words(), why=result.why.value, attempt=attempt)
        log.error("engine_silent", table=table.id, rev=table.rev)
        await job.moved.wait()
        return True

    async def _ended(self, table: Table, job: _Job) -> bool:
        """The answer came too late; the flag, if it has not fallen yet, is the referee's."""
        log.warning("engine_too_late", table=table.id, rev=table.rev)
        await job.moved.wait()
        return True

    async def _think(self, table: Table, seat: Seat, job: _Job) -> Action | None:
        """The engine's answer; ``None`` when it failed."""
        occupant = table.seats[seat]
        level = occupant.level if isinstance(occupant, Machine) else Machine().level

        def thought(seconds: float) -> Action:  # in its thread
            return self._decide(table.game, seat, level, seconds, job.stop)

        try:
            return await self._thoughts.think(thought, job.stop, lambda: self._affordable(table.game, seat))
        except NeverEndingError:  # a second one would not end either
            log.exception("engine_stuck", table=table.id, rev=table.rev)
            return legal_action(table.game, seat)
        except Exception:
            log.exception("engine_failed", table=table.id, rev=table.rev)
            return None

    def _affordable(self, game: Game, seat: Seat) -> float:
        """What an answer may take of the seat's time, in seconds; no bound when its clock does not run."""
        clock = game.state.clock
        if clock.running != seat or clock.deadline is None:
            return math.inf
        return max(0, clock.deadline - self._clock()) / 1000 * _SHARE

    async def _wait_for_pace(self, table: Table, seat: Seat, job: _Job) -> None:
        record = table.game.record
        since = (self._clock() - record[-1].at) / 1000 if record else 0.0
        left = min(self._pace - since, self._pace, self._affordable(table.game, seat))
        if left > 0:
            await _first_of(job.moved, left)

    async def _act(self, table: Table, action: Action, job: _Job) -> Table | Refusal | Declined:
        """Offer the answer until it is stored or out of date."""
        intent = Intent(table=table.id, who=MACHINE, action=action, rev=table.rev, at=self._clock())
        while True:
            if job.moved.is_set():
                return Declined.MOVED_ON
            result = await self._tables.act(intent)
            if result is not Declined.NOT_STORED:
                return result
            log.warning("engine_answer_not_stored", table=table.id, rev=table.rev)
            await _first_of(job.moved, self._again)


async def _first_of(event: asyncio.Event, seconds: float) -> None:
    """Wait for the event, but no longer than so many seconds."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return
