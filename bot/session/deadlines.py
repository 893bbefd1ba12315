"""When the referee is due at which table, and the heartbeat that tells how long the service was down."""

from __future__ import annotations

from typing import Final

from bot.session.ids import PARTITIONS, entry, key, partition, shared
from bot.session.lua import BEAT, FORGET
from bot.session.store import Store

#: How many tables are read of a partition at once.
_PAGE: Final = 500
#: By how much the clocks of the service's machines may differ, in milliseconds.
_SKEW: Final = 60_000


class Deadlines:
    """The tables whose clock runs. Every method raises :class:`StoreUnavailable`; moments are ms since 1970."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def until(self, moment: int) -> list[tuple[int, str]]:
        """Where the referee is due up to a moment: pairs of when and where."""
        return await self._within(str(moment))

    async def all(self) -> list[str]:
        """Every table whose clock runs."""
        return [table for _, table in await self._within("+inf")]

    async def _within(self, most: str) -> list[tuple[int, str]]:
        found: list[tuple[int, str]] = []
        unread = [(number, 0) for number in range(PARTITIONS)]
        while unread:
            pages: list[list[bytes]] = await self._store.many(
                [
                    ("ZRANGEBYSCORE", shared(number, "deadlines"), "-inf", most, "WITHSCORES", "LIMIT", offset, _PAGE)
                    for number, offset in unread
                ]
            )
            for (number, _), page in zip(unread, pages, strict=True):
                unreadable = []
                for raw, due in zip(page[::2], page[1::2], strict=True):
                    table = entry(raw, number)
                    if table is None or "/" in table:
                        unreadable.append(raw)
                    else:
                        found.append((int(float(due)), table))
                await self._store.strike(shared(number, "deadlines"), unreadable)
            unread = [
                (number, offset + _PAGE)
                for (number, offset), page in zip(unread, pages, strict=True)
                if len(page) == 2 * _PAGE
            ]
        return found

    async def forget(self, table: str) -> None:
        """Drop a table that is gone."""
        await self._store.run(FORGET, [key("table", table), shared(partition(table), "deadlines")], [table])

    async def beat(self, now: int) -> None:
        """Note that the service is up."""
        await self._store.run(BEAT, [_HEARTBEAT], [now, _SKEW])

    async def last_beat(self) -> int | None:
        """When the service was last up, in any process; ``None`` before it first was."""
        found: bytes | None = await self._store.call("GET", _HEARTBEAT)
        return None if found is None else int(found)


_HEARTBEAT: Final = shared(0, "heartbeat")
