"""The queue of views that do not show the newest rev.

A view on the queue is *due* at a moment of the server's clock. Whoever takes it in hand holds a lease of
:data:`LEASE` milliseconds, renewed while the platform is busy with it, so that no two processes show one view at once;
the lease of a process that died runs out by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import structlog

from bot.session.ids import PARTITIONS, entry, key, partition, shared
from bot.session.lua import DEFER, INTEND, RENEW, SHOWN, TAKE
from bot.session.saved import CorruptTable, freeze_view, thaw_view
from bot.session.store import Store
from bot.session.table import View

log = structlog.get_logger("renju.views")

#: How long a lease lives without being renewed, in milliseconds.
LEASE: Final = 2_000
#: How many members are read of a partition at once.
_PAGE: Final = 500


@dataclass(frozen=True, slots=True)
class Member:
    """A view's name on the queue."""

    table: str
    platform: str
    view: str

    def __str__(self) -> str:
        return f"{self.table}/{self.field}"

    @property
    def field(self) -> str:
        """Its name within its table."""
        return f"{self.platform}/{self.view}"


def member(text: str) -> Member:
    """The inverse of ``str``."""
    table, platform, view = text.split("/", 2)
    return Member(table, platform, view)


@dataclass(frozen=True, slots=True)
class Turn:
    """A view in hand."""

    of: Member
    view: View
    raw: bytes
    token: str
    saved: tuple[bytes, ...]
    """What the store said of the table in the same step, as ``LOAD`` says it."""


class StaleViews:
    """The queue in the store. Every method raises :class:`StoreUnavailable`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def due(self) -> list[Member]:
        """Every view that may be shown now."""
        seconds, microseconds = await self._store.call("TIME")
        now = int(seconds) * 1000 + int(microseconds) // 1000
        found: list[Member] = []
        unread = [(number, 0) for number in range(PARTITIONS)]
        while unread:
            pages = await self._store.many(
                [
                    ("ZRANGEBYSCORE", shared(number, "stale"), "-inf", now, "LIMIT", offset, _PAGE)
                    for number, offset in unread
                ]
            )
            for (number, _), page in zip(unread, pages, strict=True):
                unreadable = []
                for raw in page:
                    text = entry(raw, number)
                    if text is None or text.count("/") < 2:
                        unreadable.append(raw)
                    else:
                        found.append(member(text))
                await self._store.strike(shared(number, "stale"), unreadable)
            unread = [
                (number, offset + _PAGE)
                for (number, offset), page in zip(unread, pages, strict=True)
                if len(page) == _PAGE
            ]
        return found

    async def take(self, of: Member, token: str, known: bytes = b"") -> Turn | float | None:
        """Take a view in hand; the seconds to wait; or ``None`` when there is nothing to show.

        ``known``: the mark by which the caller knows the table.
        """
        keys = [
            _shared(of, "stale"),
            key("views", of.table),
            key("table", of.table),
            _lease(of),
            _shared(of, "sending"),
        ]
        answer = await self._store.run(TAKE, keys, [str(of), of.field, token, LEASE, known])
        if answer[0] == b"no":
            return None
        if answer[0] == b"wait":
            return int(answer[1]) / 1000
        try:
            return Turn(of, thaw_view(answer[1]), answer[1], token, tuple(answer[2:]))
        except CorruptTable as error:
            log.error("view_damaged", view=str(of), why=str(error))
            await self._store.many((("ZREM", _shared(of, "stale"), str(of)), ("DEL", _lease(of))))
            return None

    async def intend(self, turn: Turn) -> bool:
        """Write down that a new message is about to be sent. ``False``: an earlier sending never ended, so that the
        message may come to exist twice.
        """
        answer = await self._store.run(INTEND, [_shared(turn.of, "sending")], [str(turn.of), turn.token])
        return answer[0] == b"first"

    async def shown(self, turn: Turn, view: View, rev: int, mark: bytes) -> bool:
        """The view now shows this rev. ``True``: something newer is already there."""
        keys = [
            _shared(turn.of, "stale"),
            key("views", turn.of.table),
            key("table", turn.of.table),
            _lease(turn.of),
            _shared(turn.of, "sending"),
        ]
        args: list[str | bytes | int] = [
            str(turn.of),
            turn.of.field,
            turn.token,
            turn.raw,
            freeze_view(view),
            rev,
            mark,
        ]
        return (await self._store.run(SHOWN, keys, args))[0] == b"again"

    async def defer(self, turn: Turn, seconds: float, *, maybe_sent: bool) -> None:
        """The view could not be shown; not before ``seconds`` from now again."""
        keys = [_shared(turn.of, "stale"), _lease(turn.of), _shared(turn.of, "sending")]
        await self._store.run(DEFER, keys, [str(turn.of), turn.token, round(seconds * 1000), int(maybe_sent)])

    async def renew(self, turn: Turn) -> None:
        """The platform is still busy with the view."""
        await self._store.run(RENEW, [_lease(turn.of)], [turn.token, LEASE])


def _shared(of: Member, kind: str) -> str:
    return shared(partition(of.table), kind)


def _lease(of: Member) -> str:
    return key("lease", of.table, of.field)
