"""The referee's watch: lets flags fall, reminds, and gives back the time during which the service was down.

Nothing here has to survive a kill and any number of processes may have one. When the referee is due where is in the
store, written by the very commit that makes it so; the door refuses whatever comes second.

While a process runs it writes a heartbeat. When the last one, of any process, is older than :data:`DOWN`, nobody was
served since: before anything is judged by a clock again, every clock that ran meanwhile gets that time back. Only then
a new heartbeat is written, so that whoever is stopped in the middle of it goes on where it was stopped. The same holds
for a store that could not be reached and for a machine that slept.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

import structlog

from bot.session import referee
from bot.session.store import StoreUnavailable
from bot.session.table import Declined, Intent, Table
from bot.session.tables import Tables
from core.clock import MINUTE, SECOND, Milliseconds
from core.game import Refusal, Why

log = structlog.get_logger("renju.time")

#: How often a heartbeat is written.
BEAT: Final[Milliseconds] = 2 * SECOND
#: A heartbeat older than this means that the service was down.
DOWN: Final[Milliseconds] = 4 * SECOND
#: How often the store is asked for what is due; less than the grace, so that nothing new can be due before.
POLL: Final[Milliseconds] = SECOND
#: For how long a table that cannot be settled is left alone.
_LEFT_ALONE: Final[Milliseconds] = MINUTE
#: How many tables are settled side by side.
_AT_ONCE: Final = 16


class Timekeeper:
    """Settles what is due. As soon as one exists, its tables judge nobody before owed time has been given back."""

    def __init__(self, tables: Tables, *, poll: Milliseconds = POLL) -> None:
        self._tables = tables
        self._poll = poll
        self._beaten: int | None = None
        """Our own last heartbeat."""
        self._lock = asyncio.Lock()
        self._left_alone: dict[str, int] = {}
        """Tables that cannot be settled, and until when they are left alone."""
        tables.gate(self.caught_up)

    async def run(self) -> None:
        """Work until cancelled."""
        while True:
            pause = self._poll
            with suppress(StoreUnavailable):  # logged by the store, once
                pause = min(max(0, await self.look() - self._tables.clock()), self._poll)
            await asyncio.sleep(pause / 1000)

    async def look(self) -> int:
        """Settle whatever is due by now. When to look again. Raises :class:`StoreUnavailable`."""
        await self._keep_beating(BEAT)
        now = self._tables.clock()
        again = now + self._poll
        ready: list[str] = []
        for due, table in await self._tables.deadlines.until(again - referee.GRACE):
            if self._left_alone.get(table, now) > now:
                continue
            if due + referee.GRACE <= now:
                ready.append(table)
            else:
                again = min(again, due + referee.GRACE)
        self._left_alone = {table: until for table, until in self._left_alone.items() if until > now}
        for start in range(0, len(ready), _AT_ONCE):
            await asyncio.gather(*(self._settle(table) for table in ready[start : start + _AT_ONCE]))
        return again

    async def _settle(self, table_id: str) -> None:
        try:
            table = await self._found(table_id)
            wanted = None if table is None else referee.due(table, self._tables.clock())
            if wanted is not None:
                await self._act(wanted)
        except StoreUnavailable:
            raise
        except Exception:  # of one table; the others are settled
            log.exception("table_not_settled", table=table_id)
            self._leave_alone(table_id)

    # -- time given back -----------------------------------------------------------------------------------------------

    async def caught_up(self) -> None:
        """Return when no clock is owed anything. Raises :class:`StoreUnavailable` while that cannot be known."""
        await self._keep_beating(DOWN)

    async def _keep_beating(self, most: Milliseconds) -> None:
        """Write a heartbeat unless our last one is younger than ``most``."""
        if self._younger(most):
            return
        async with self._lock:
            while not self._younger(most):
                now = self._tables.clock()
                last = await self._tables.deadlines.last_beat()
                if last is not None and now - last >= DOWN:
                    await self._give_back(last, now)
                await self._tables.deadlines.beat(now)
                self._beaten = now

    def _younger(self, most: Milliseconds) -> bool:
        return self._beaten is not None and 0 <= self._tables.clock() - self._beaten < most

    async def _give_back(self, down: int, up: int) -> None:
        tables = await self._tables.deadlines.all()
        given = 0
        for start in range(0, len(tables), _AT_ONCE):
            given += sum(
                await asyncio.gather(
                    *(self._give_back_at(table, down, up) for table in tables[start : start + _AT_ONCE])
                )
            )
        log.warning("service_was_down", seconds=round((up - down) / 1000, 1), clocks_given_back=given)

    async def _give_back_at(self, table_id: str, down: int, up: int) -> bool:
        """Whether this table's clock got something."""
        try:
            while True:
                table = await self._found(table_id)
                wanted = None if table is None else referee.owed(table, down, up)
                if wanted is None:
                    return False
                answer = await self._act(wanted)
                if answer is not Declined.MOVED_ON:
                    return isinstance(answer, Table)
        except StoreUnavailable:
            raise
        except Exception:  # of one table; nobody else waits for it
            log.exception("time_not_given_back", table=table_id)
            return False

    # -- the door ------------------------------------------------------------------------------------------------------

    async def _found(self, table_id: str) -> Table | None:
        table = await self._tables.get(table_id)
        match table:
            case Table():
                return table
            case Declined.NOT_STORED:
                raise StoreUnavailable("the store went away")
            case Declined.GONE:
                await self._tables.deadlines.forget(table_id)
                log.warning("deadline_without_table", table=table_id)
            case _:  # damaged: said by the tables, once
                self._leave_alone(table_id)
        return None

    async def _act(self, wanted: Intent) -> Table | Refusal | Declined:
        answer = await self._tables.act(wanted)
        if answer is Declined.NOT_STORED:
            raise StoreUnavailable("the store went away")
        if isinstance(answer, Refusal) and answer.why is not Why.OVER:
            log.error("referee_refused", table=wanted.table, action=wanted.action.words(), why=answer.why.value)
            self._leave_alone(wanted.table)
        return answer

    def _leave_alone(self, table_id: str) -> None:
        self._left_alone[table_id] = self._tables.clock() + _LEFT_ALONE
