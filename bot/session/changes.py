"""News of commits, from this process and every other."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final
from weakref import WeakSet

import structlog
from redis.asyncio.client import PubSub

from bot.session.ids import PARTITIONS, shared
from bot.session.store import TROUBLE, Store, StoreUnavailable

log = structlog.get_logger("renju.changes")

#: Where every commit is called out: ``TABLE REV ORIGIN``.
CHANNEL: Final = "renju:changed"
_CALL: Final = re.compile(rb"([!-~]+) (\d{1,9}) ([!-~]+)")
#: How often the moment is noted up to which everything was heard, in seconds.
_BEAT: Final = 5.0
#: How far back to read after a subscription broke, beyond the last moment it was surely good, in milliseconds.
_OVERLAP: Final = 2_000
#: Pauses between attempts to subscribe again, in seconds.
_PAUSES: Final = (0.1, 0.2, 0.5, 1.0, 2.0)


class Changes:
    """Tells subscribers of commits; what was called out while the subscription was broken is read from the events."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.origin: Final = secrets.token_hex(4)
        """Names this process among those that call out."""
        self._subscribers: WeakSet[Subscription] = WeakSet()
        self._task: asyncio.Task[None] | None = None
        self._listening = asyncio.Event()

    def tell(self, table: str, rev: int, *, own: bool) -> None:
        """A commit happened, in this process or elsewhere: pass it on."""
        for subscriber in self._subscribers:
            if subscriber.own or not own:
                subscriber.push(table, rev)

    def subscribe(self, *, own: bool = True) -> Subscription:
        """News from now on, with or without those of this process; needs a running event loop."""
        subscription = Subscription(own)
        self._subscribers.add(subscription)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._listen(), name="renju changes")
        return subscription

    async def listening(self) -> None:
        """Return when commits of other processes are heard too."""
        await self._listening.wait()

    async def close(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _listen(self) -> None:
        since: int | None = None
        pauses = iter(_PAUSES)
        while True:
            try:
                pubsub = await self._store.subscribed(CHANNEL)
                try:
                    await self._caught_up(since)
                    pauses = iter(_PAUSES)
                    self._listening.set()
                    while True:
                        since = await self._moment()
                        await self._hear(pubsub)
                finally:
                    await pubsub.aclose()  # type: ignore[no-untyped-call]
            except (*TROUBLE, StoreUnavailable) as error:
                log.debug("changes_interrupted", why=str(error))
                self._listening.clear()
                await asyncio.sleep(next(pauses, _PAUSES[-1]))

    async def _hear(self, pubsub: PubSub) -> None:
        """Pass on what is called out, for one beat."""
        until = asyncio.get_running_loop().time() + _BEAT
        while (left := until - asyncio.get_running_loop().time()) > 0:
            message = await pubsub.get_message(timeout=left)
            if message is None or message["type"] != "message":
                continue
            match = _CALL.fullmatch(message["data"])
            if match is None:  # somebody else's, in a store that is shared
                log.debug("call_not_understood", call=repr(message["data"][:64]))
            elif match[3].decode() != self.origin:  # our own were told when they happened
                self.tell(match[1].decode(), int(match[2]), own=False)

    async def _moment(self) -> int:
        """The server's clock, in milliseconds since 1970."""
        seconds, microseconds = await self._store.call("TIME")
        return int(seconds) * 1000 + int(microseconds) // 1000

    async def _caught_up(self, since: int | None) -> None:
        if since is None:
            return
        missed = await self._store.many(
            [("XRANGE", shared(number, "events"), str(since - _OVERLAP), "+") for number in range(PARTITIONS)]
        )
        for events in missed:
            for _, flat in events:
                fields = dict(zip(flat[::2], flat[1::2], strict=True))
                match = _CALL.fullmatch(b"%b %b -" % (fields.get(b"table", b""), fields.get(b"rev", b"")))
                if match is not None:
                    self.tell(match[1].decode(), int(match[2]), own=False)


class Subscription(AsyncIterator[tuple[str, int]]):
    """Pairs of table and rev. Whoever reads slowly gets only the newest rev of each table."""

    def __init__(self, own: bool) -> None:
        self.own: Final = own
        self._pending: dict[str, int] = {}
        self._some = asyncio.Event()

    def push(self, table: str, rev: int) -> None:
        """Add a commit."""
        self._pending[table] = max(rev, self._pending.get(table, 0))
        self._some.set()

    async def __anext__(self) -> tuple[str, int]:
        await self._some.wait()
        table = next(iter(self._pending))
        rev = self._pending.pop(table)
        if not self._pending:
            self._some.clear()
        return table, rev
