"""Brings every stale view to the newest rev of its table.

A commit leaves its views on the queue of :mod:`bot.session.stale`; nothing here has to survive a kill. One show at a
time per view, always of the newest rev: a slow chat skips frames and never shows an old board last. Before a new
message is sent the intent is written down; a process killed between sending and noting it leaves a copy that no view
owns (``Tables.view_at`` answers ``None`` for it), at most one for each kill.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

import msgspec
import structlog

from bot.session.stale import LEASE, Member, Turn
from bot.session.store import StoreUnavailable
from bot.session.table import Declined, Table, View
from bot.session.tables import Held, Tables

log = structlog.get_logger("renju.refresher")

#: How often the queue is searched for what nobody called out: left by a dead process, put off, or missed, in seconds.
_SCAN: Final = 1.0
#: The same while the store cannot be reached.
_SCAN_IN_OUTAGE: Final = 0.25
#: The longest pause after a view could not be shown, in seconds; also for a table that cannot be read.
_LONGEST: Final = 60.0
#: A show that takes longer than this many seconds is given up as failed.
_PATIENCE: Final = 60.0
#: How many views are shown side by side.
_AT_ONCE: Final = 200
#: How long the shows under way are waited for when the refresher is stopped, in seconds.
_LAST_SHOWS: Final = 5.0


@dataclass(frozen=True, slots=True)
class Sent:
    """The view shows the table; ``message`` is the message's id, new or unchanged."""

    message: str


@dataclass(frozen=True, slots=True)
class Later:
    """The platform asked to be left alone for a while; nothing was sent."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Unreachable:
    """The message or its chat is gone for good: the view is given up."""


Shown: TypeAlias = Sent | Later | Unreachable


class Shower(Protocol):
    """What an adapter does for its platform's views."""

    async def show(self, table: Table, view: View) -> Shown:
        """Bring the view's message to this state of the table; send a new message while ``view.message`` is empty.

        An exception means that it is not known whether it was shown: it is logged and tried again later.
        """
        ...


class Refresher:
    """Works the queue off for the platforms that have a shower here. Any number of processes may have one."""

    def __init__(self, tables: Tables, showers: Mapping[str, Shower]) -> None:
        self._tables = tables
        self._showers = dict(showers)
        self._name = secrets.token_hex(4)
        self._takes = 0
        self._at_once = asyncio.Semaphore(_AT_ONCE)
        self._working: dict[Member, asyncio.Task[None]] = {}
        self._again: set[Member] = set()
        self._timers: dict[Member, asyncio.TimerHandle] = {}
        self._held: dict[Member, Turn] = {}
        self._failures: dict[Member, int] = {}
        self._running = False
        tables.on_stale(self.wake)

    async def run(self) -> None:
        """Work until cancelled; then let the shows under way come to their end."""
        self._running = True
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._scan())
                group.create_task(self._listen())
                group.create_task(self._renew())
        finally:
            self._running = False
            for timer in self._timers.values():
                timer.cancel()
            self._timers.clear()
            if self._working:
                _, late = await asyncio.wait(self._working.values(), timeout=_LAST_SHOWS)
                for task in late:
                    task.cancel()

    def wake(self, of: Member) -> None:
        """The view may be stale."""
        if not self._running or of.platform not in self._showers:
            return
        timer = self._timers.pop(of, None)
        if timer is not None:
            timer.cancel()
        if of in self._working:
            self._again.add(of)
            return
        task = asyncio.create_task(self._work(of), name=f"show {of}")
        self._working[of] = task
        task.add_done_callback(lambda _: self._rest(of))

    def _rest(self, of: Member) -> None:
        del self._working[of]
        if of in self._again:
            self._again.discard(of)
            self.wake(of)

    def _wake_in(self, of: Member, seconds: float) -> None:
        if self._running and of not in self._timers:
            self._timers[of] = asyncio.get_running_loop().call_later(seconds, self.wake, of)

    # -- the loops -----------------------------------------------------------------------------------------------------

    async def _scan(self) -> None:
        while True:
            try:
                for of in await self._tables.stale.due():
                    if of not in self._working:
                        self.wake(of)
                pause = _SCAN
            except StoreUnavailable:  # logged by the store, once
                pause = _SCAN_IN_OUTAGE
            await asyncio.sleep(pause)

    async def _listen(self) -> None:
        """Views that other processes have made stale."""
        async for table, _ in self._tables.changes_elsewhere():
            with suppress(StoreUnavailable):  # the scan finds them later
                for view in await self._tables.views(table):
                    self.wake(Member(table, view.platform, view.id))

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(LEASE / 1000 / 3)
            for turn in list(self._held.values()):
                try:
                    await self._tables.stale.renew(turn)
                except StoreUnavailable:
                    break

    # -- one view ------------------------------------------------------------------------------------------------------

    async def _work(self, of: Member) -> None:
        async with self._at_once:
            try:
                while await self._bring(of):
                    pass
            except StoreUnavailable:
                self._again.discard(of)  # the scan finds it when the store is back
            except Exception:
                log.exception("refresher_fault", view=str(of))
                self._again.discard(of)

    async def _bring(self, of: Member) -> bool:
        """Show the view once. Whether it is to be shown again: something newer is there, or somebody asked for it."""
        self._takes += 1
        self._again.discard(of)  # whoever calls from here on wants more than what is read now
        taken = await self._tables.in_hand(of, f"{self._name}:{self._takes}")
        if taken is None:
            self._failures.pop(of, None)
            return False
        if not isinstance(taken, tuple):
            self._wake_in(of, taken)
            return False
        turn, held = taken
        if isinstance(held, Declined):
            await self._tables.stale.defer(turn, _LONGEST, maybe_sent=False)
            return False
        if not turn.view.message and not await self._tables.stale.intend(turn):
            log.warning("message_may_exist_twice", view=str(of), chat=turn.view.chat)
        self._held[of] = turn
        try:
            return await self._show(turn, held)
        finally:
            del self._held[of]

    async def _show(self, turn: Turn, held: Held) -> bool:
        of = turn.of
        try:
            async with asyncio.timeout(_PATIENCE):
                shown = await self._showers[of.platform].show(held.table, turn.view)
        except Exception as error:
            failures = self._failures[of] = self._failures.get(of, 0) + 1
            if failures == 1:
                log.error("view_not_shown", view=str(of), chat=turn.view.chat, exc_info=error)
            await self._put_off(turn, min(_LONGEST, 2.0 ** (failures - 1)), maybe_sent=True)
            return False
        if self._failures.pop(of, 0):
            log.info("view_shown_again", view=str(of))
        match shown:
            case Later(seconds):
                await self._put_off(turn, seconds, maybe_sent=False)
                return False
            case Unreachable():
                log.info("view_given_up", view=str(of), chat=turn.view.chat)
                await self._tables.detach(of.table, of.view)
                return False
            case Sent(message):
                return await self._note(turn, held, message)

    async def _put_off(self, turn: Turn, seconds: float, *, maybe_sent: bool) -> None:
        self._wake_in(turn.of, seconds)
        await self._tables.stale.defer(turn, seconds, maybe_sent=maybe_sent)

    async def _note(self, turn: Turn, held: Held, message: str) -> bool:
        """Write down what the view shows; through an outage too, since a message once sent must not be sent again."""
        view = msgspec.structs.replace(turn.view, message=message, shown=held.table.rev)
        pause = 0.1
        while True:
            try:
                if view.message != turn.view.message:
                    await self._tables.sent(turn.of.table, view)
                # What was attached anew while it was shown may look different by now, at the same rev.
                mark = b"" if turn.of in self._again else held.mark
                return await self._tables.stale.shown(turn, view, held.table.rev, mark)
            except StoreUnavailable:
                await asyncio.sleep(pause)
                pause = min(2 * pause, 1.0)
