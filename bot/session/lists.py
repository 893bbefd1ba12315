"""What is found by another name than a table's: a person's tables, a chat's, the table of a message; and small leases.

Lists and the message index are written before the step that makes them true, and believed only after a look at the
table: see :mod:`bot.session.ids`.
"""

from __future__ import annotations

from typing import Final

from bot.session.ids import key
from bot.session.lua import TAKE_VALUE
from bot.session.store import Store
from bot.session.table import View

#: How long an index entry lives without being written again, in seconds: 400 days.
KEPT: Final = 400 * 86_400
#: The longest list kept for a person or a chat; the oldest entries fall off.
_LONGEST: Final = 1_000


class Lists:
    """Lists of tables, newest first, each entry with the moment it was written (milliseconds since 1970)."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def add(self, listing: str, table: str, now: int) -> None:
        """Put a table on a list."""
        await self._store.many(
            (
                ("ZADD", listing, now, table),
                ("ZREMRANGEBYRANK", listing, 0, -1 - _LONGEST),
                ("EXPIRE", listing, KEPT),
            )
        )

    async def read(self, listing: str) -> list[tuple[str, int]]:
        """The tables on a list and since when, newest first."""
        flat: list[bytes] = await self._store.call("ZREVRANGE", listing, 0, -1, "WITHSCORES")
        return [
            (table.decode(errors="replace"), int(float(since)))
            for table, since in zip(flat[::2], flat[1::2], strict=True)
        ]

    async def drop(self, listing: str, tables: list[str]) -> None:
        """Take tables off a list."""
        if tables:
            await self._store.call("ZREM", listing, *tables)

    async def point(self, view: View, table: str) -> None:
        """Note which table and view the view's message belongs to."""
        await self._store.call(
            "SET", _message(view.platform, view.chat, view.message), f"{table}/{view.id}", "EX", KEPT
        )

    async def pointed(self, platform: str, chat: str, message: str) -> tuple[str, str] | None:
        """The table and the view that a message was noted for."""
        found: bytes | None = await self._store.call("GET", _message(platform, chat, message))
        if found is None:
            return None
        table, _, view = found.decode(errors="replace").partition("/")
        return table, view

    async def remember(self, name: str, value: str, seconds: int) -> None:
        """Keep a small value for a while."""
        await self._store.call("SET", key("kept", name), value, "EX", seconds)

    async def recall(self, name: str) -> str | None:
        """The value, while it is kept."""
        found: bytes | None = await self._store.call("GET", key("kept", name))
        return None if found is None else found.decode(errors="replace")

    async def take(self, name: str) -> str | None:
        """The value, once: whoever comes second finds nothing."""
        found = await self._store.run(TAKE_VALUE, [key("kept", name)])
        return found[0].decode(errors="replace") if found and found[0] is not None else None


def of_person(person: str) -> str:
    """The list of a person's tables."""
    return key("person", person)


def topics_of(platform: str, chat: str) -> str:
    """The list of a chat's topics that have had tables; a chat without topics has none."""
    return key("topics", f"{platform}:{chat}")


def of_chat(platform: str, chat: str, thread: str) -> str:
    """The list of a chat's tables."""
    return key("chat", f"{platform}:{chat}", thread)


def _message(platform: str, chat: str, message: str) -> str:
    return key("message", f"{platform}:{chat}", message)
