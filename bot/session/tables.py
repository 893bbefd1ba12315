"""Tables in the store, and the one door to them.

Every step is pure ``core.game.apply`` plus one compare-and-set on the rev, in a script that also marks all views of
the table stale, notes whether a machine is to answer and when the time is over, appends to the events, calls the
change out and remembers the delivery: whole or not at all. So double taps, replayed updates, races and late engines are
harmless: the first one wins, the others get a value that says why not.

The door never raises for trouble with the store: it says :attr:`Declined.NOT_STORED`. Methods whose answer has no room
for a refusal raise :class:`StoreUnavailable`.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import structlog

from bot.session import lists, referee
from bot.session.changes import CHANNEL, Changes
from bot.session.deadlines import Deadlines
from bot.session.deciding import acted, begun, joined
from bot.session.ids import PARTITIONS, derived_id, entry, key, partition, shared
from bot.session.lua import ATTACH, COMMIT, DETACH, LOAD, LOOK, OPEN
from bot.session.saved import CorruptTable, freeze, freeze_view, thaw, thaw_view
from bot.session.stale import Member, StaleViews, Turn, member
from bot.session.store import Damaged, Store, StoreUnavailable
from bot.session.table import REFEREE, Declined, Intent, Occupant, Person, Table, View
from core.game import Refusal, Why

log = structlog.get_logger("renju.tables")

T = TypeVar("T")

#: How long a delivery is remembered, in seconds: platforms deliver again for a day.
_SOURCE_KEPT: Final = 2 * 86_400
#: The same for deliveries without a name: long enough to ask again when an answer was lost.
_NAMELESS_KEPT: Final = 60
#: How long a finished table is kept, in seconds. A running one is kept for ever.
_FINISHED_KEPT: Final = lists.KEPT
#: How long a table without an opponent is kept, in seconds.
_WAITING_KEPT: Final = 30 * 86_400
#: For how long a finished table stays on the lists, in milliseconds.
_LISTED: Final = 86_400_000
#: For how long an entry on a list may precede its table, in milliseconds.
_UNDER_WAY: Final = 60_000
#: About how many events a partition keeps.
_EVENTS: Final = 4_000
#: How many decoded tables are kept at hand.
_AT_HAND: Final = 512
#: How many tables of a list are loaded side by side.
_AT_ONCE: Final = 16


def now_ms() -> int:
    """Milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Held:
    """A table as it is stored; ``mark`` names the commit that made it."""

    table: Table
    mark: bytes


class Tables:
    """All tables. One of these per process and store."""

    def __init__(self, store: Store, clock: Callable[[], int] = now_ms) -> None:
        self._store = store
        self.clock: Final = clock
        """What time it is, in milliseconds since 1970."""
        self._lists = lists.Lists(store)
        self._changes = Changes(store)
        self._at_hand: OrderedDict[str, Held] = OrderedDict()
        self._damaged: set[str] = set()
        self._secret: bytes | None = None
        self._wakers: list[Callable[[Member], None]] = []
        self._gate: Callable[[], Awaitable[None]] | None = None
        self.stale: Final = StaleViews(store)
        """The queue that the refresher works off."""
        self.deadlines: Final = Deadlines(store)
        """When the referee is due where, for the timekeeper."""

    # -- the door ------------------------------------------------------------------------------------------------------

    async def act(self, intent: Intent) -> Table | Refusal | Declined:
        """The table after the intent, or why not. **The** door: every action of every game comes through here.

        The order of reasons: REPEATED, GONE, DAMAGED; NOT_SEATED; the game is over (a ``Refusal``); MOVED_ON; WAITING;
        then what the rules say. While a seat is free only ``cancel`` and ``leave`` pass, by which the opener takes the
        table back. NOT_STORED: nothing happened, unless only the answer was lost; then the repetition tells.

        Under a clock an action counts by its arrival. One that arrived after the deadline is TIME_OVER or, once nothing
        that came in time can still be on its way, lets the flag fall at the deadline's own time, and is OVER.
        """
        now = intent.at or self.clock()
        try:
            if self._gate is not None and intent.who != REFEREE:
                await self._gate()
            answer: Table | Refusal | Declined = await self._change(
                intent.table,
                lambda table: acted(table, intent, now),
                intent.rev,
                intent.source,
                intent.action.act.value,
            )
            if answer == Refusal(Why.TIME_OVER) and await self._flagged(intent.table):
                return Refusal(Why.OVER)
        except StoreUnavailable:
            return Declined.NOT_STORED
        return answer

    async def _flagged(self, table_id: str) -> bool:
        """Let the flag fall where it is due by now. Whether the game is over."""
        table = await self.get(table_id)
        wanted = referee.due(table, self.clock()) if isinstance(table, Table) else None
        if wanted is None:
            return False
        answer = await self.act(wanted)
        return isinstance(answer, Table) or answer == Refusal(Why.OVER)

    async def join(
        self,
        table_id: str,
        person: Occupant,
        *,
        rev: int | None = None,
        source: str = "",
        at: int = 0,
        handle: str = "",
    ) -> Table | Declined:
        """The table with somebody on its free seat, or why not. A table that its opener took back is GONE.

        ``handle``: what their platform calls them now (``tg:@anna``). It can change hands, so a seat may be kept for
        whoever has it, but is taken by an account.

        When the last seat is taken the game begins: at ``at``, the arrival (milliseconds since 1970; 0: now).
        """
        now = at or self.clock()
        try:
            if isinstance(person, Person):
                await self._lists.add(lists.of_person(person.id), table_id, self.clock())
            return await self._change(
                table_id, lambda table: joined(table, person, rev, now, handle), rev, source, "join"
            )
        except StoreUnavailable:
            return Declined.NOT_STORED

    async def open(self, table: Table, view: View | None, *, source: str = "") -> Table:
        """Store a new table with its first view. An id that is there already: the stored one, and nothing changes.

        Where both seats are taken the game begins now.

        Raises :class:`StoreUnavailable`, also when the stored one is damaged.
        """
        now = self.clock()
        table = begun(table, now)
        for occupant in table.seats:
            if isinstance(occupant, Person):
                await self._lists.add(lists.of_person(occupant.id), table.id, now)
        first: tuple[str, bytes] = ("", b"")
        if view is not None:
            await self._index(view, table.id)
            first = (f"{view.platform}/{view.id}", freeze_view(view))
        mark = secrets.token_hex(6).encode()
        answer = await self._store.run(OPEN, *self._step(table, first, mark, source, "open"))
        if answer[0] == b"there":
            stored = await self.get(table.id)
            if isinstance(stored, Declined):
                raise StoreUnavailable(f"table {table.id}: {stored.value}")
            return stored
        self._committed(Held(table, mark), answer)
        return table

    async def get(self, table_id: str) -> Table | Declined:
        """The newest state of a table; GONE, DAMAGED or NOT_STORED."""
        held = await self.held(table_id)
        return held if isinstance(held, Declined) else held.table

    async def held(self, table_id: str) -> Held | Declined:
        """As :meth:`get`, with the mark of the commit."""
        try:
            return await self._load(table_id)
        except StoreUnavailable:
            return Declined.NOT_STORED

    # -- views ---------------------------------------------------------------------------------------------------------

    async def shown_by(self, table_id: str, platform: str, chat: str, message: str) -> tuple[Table | Declined, bool]:
        """The newest state of a table, and whether a message is one of its views; on one trip."""
        keys = [key("table", table_id), key("views", table_id)]
        known = self._at_hand.get(table_id)
        try:
            answer = await self._store.run(LOOK, keys, [_mark(known)])
            held = self._read(table_id, answer, known)
        except Damaged as error:
            self._report(keys[0], error)
            return Declined.DAMAGED, False
        except StoreUnavailable:
            return Declined.NOT_STORED, False
        place = (platform, chat, message)
        shown = any((view.platform, view.chat, view.message) == place for view in self._thawed(table_id, answer[4:]))
        return (held if isinstance(held, Declined) else held.table), shown

    async def in_hand(self, of: Member, token: str) -> tuple[Turn, Held | Declined] | float | None:
        """A stale view in hand and the newest state of its table, or what ``StaleViews.take`` says.

        Raises :class:`StoreUnavailable`.
        """
        known = self._at_hand.get(of.table)
        turn = await self.stale.take(of, token, _mark(known))
        return (turn, self._read(of.table, turn.saved, known)) if isinstance(turn, Turn) else turn

    async def attach(self, table_id: str, view: View) -> None:
        """A further view, to be shown soon. The same view again: it is shown again. A table that is gone gets none.

        Raises :class:`StoreUnavailable`.
        """
        await self._index(view, table_id)
        of = Member(table_id, view.platform, view.id)
        keys = [key("table", table_id), key("views", table_id), shared(partition(table_id), "stale")]
        answer = await self._store.run(ATTACH, keys, [str(of), of.field, freeze_view(view)])
        if answer[0] == b"ok":
            self._wake(of)

    async def detach(self, table_id: str, view_id: str) -> None:
        """Show a view no more; its message is no longer one of the table's. Raises :class:`StoreUnavailable`."""
        number = partition(table_id)
        keys = [key("views", table_id), shared(number, "stale"), shared(number, "sending")]
        await self._store.run(DETACH, keys, [table_id, view_id])

    async def views(self, table_id: str) -> list[View]:
        """All views of a table. Raises :class:`StoreUnavailable`."""
        return self._thawed(table_id, await self._store.call("HVALS", key("views", table_id)))

    def _thawed(self, table_id: str, saved: Sequence[bytes]) -> list[View]:
        found: list[View] = []
        for raw in saved:
            try:
                found.append(thaw_view(raw))
            except CorruptTable as error:
                self._report(f"views of {table_id}", error)
        return found

    async def view_at(self, platform: str, chat: str, message: str) -> tuple[str, View] | None:
        """The table and the view that a message shows; ``None`` for a message that is no table's, or no longer.

        Raises :class:`StoreUnavailable`.
        """
        pointed = await self._lists.pointed(platform, chat, message)
        if pointed is None:
            return None
        table_id, view_id = pointed
        raw: bytes | None = await self._store.call("HGET", key("views", table_id), f"{platform}/{view_id}")
        if raw is None:
            return None
        try:
            view = thaw_view(raw)
        except CorruptTable as error:
            self._report(f"views of {table_id}", error)
            return None
        return (table_id, view) if (view.chat, view.message) == (chat, message) else None

    async def sent(self, table_id: str, view: View) -> None:
        """Note which message a view has become, before the view itself says so. Raises :class:`StoreUnavailable`."""
        await self._lists.point(view, table_id)

    # -- lists and small things ----------------------------------------------------------------------------------------

    async def tables_of(self, person_id: str) -> list[str]:
        """The tables that a person sits at, newest first; finished ones for a day. Raises :class:`StoreUnavailable`."""

        async def belongs(table: Table) -> bool:
            return bool(table.seats_of(person_id))

        return await self._listed(lists.of_person(person_id), belongs)

    async def tables_in(self, platform: str, chat: str, thread: str = "") -> list[str]:
        """The tables with a view in a chat, newest first; finished ones for a day. Raises :class:`StoreUnavailable`."""
        place = (platform, chat, thread)

        async def belongs(table: Table) -> bool:
            return any((view.platform, view.chat, view.thread) == place for view in await self.views(table.id))

        return await self._listed(lists.of_chat(*place), belongs)

    async def tables_throughout(self, platform: str, chat: str) -> list[str]:
        """The tables with a view anywhere in a chat, in all its topics; as :meth:`tables_in`."""
        topics = ["", *(topic for topic, _ in await self._lists.read(lists.topics_of(platform, chat)))]
        found = [table for topic in topics for table in await self.tables_in(platform, chat, topic)]
        return list(dict.fromkeys(found))

    async def remember(self, key: str, value: str, seconds: int) -> None:
        """Keep a small value under a name for a while. Raises :class:`StoreUnavailable`, as the next two."""
        await self._lists.remember(key, value, seconds)

    async def recall(self, key: str) -> str | None:
        """The value under a name, while it is kept."""
        return await self._lists.recall(key)

    async def take(self, key: str) -> str | None:
        """The value under a name, once: whoever comes second gets ``None``."""
        return await self._lists.take(key)

    async def id_from(self, source: str) -> str:
        """The table id that belongs to a delivery, so that delivered again it opens no second table.

        Raises :class:`StoreUnavailable`.
        """
        if self._secret is None:
            name = shared(0, "secret")
            await self._store.call("SET", name, secrets.token_hex(32), "NX")
            self._secret = bytes(await self._store.call("GET", name))
        return derived_id(self._secret, source)

    async def waiting_for_machine(self) -> list[str]:
        """The tables where a machine is to answer, the longest waiting first. Raises :class:`StoreUnavailable`."""
        parts = await self._store.many(
            [("ZRANGE", shared(number, "engine"), 0, -1, "WITHSCORES") for number in range(PARTITIONS)]
        )
        waiting: list[tuple[float, str]] = []
        for number, flat in enumerate(parts):
            unreadable = []
            for raw, since in zip(flat[::2], flat[1::2], strict=True):
                table = entry(raw, number)
                if table is None or "/" in table:
                    unreadable.append(raw)
                else:
                    waiting.append((float(since), table))
            await self._store.strike(shared(number, "engine"), unreadable)
        return [table for _, table in sorted(waiting)]

    def changes(self) -> AsyncIterator[tuple[str, int]]:
        """The table and the rev of every commit from now on, from any process.

        Whoever reads slowly gets only the newest rev of each table. After an outage, what was missed follows; some
        commits may be told twice. Needs a running event loop.
        """
        return self._changes.subscribe()

    def changes_elsewhere(self) -> AsyncIterator[tuple[str, int]]:
        """As :meth:`changes`, without the commits of this process."""
        return self._changes.subscribe(own=False)

    async def listening(self) -> None:
        """Return when :meth:`changes` hears other processes too."""
        await self._changes.listening()

    def on_stale(self, waker: Callable[[Member], None]) -> None:
        """Call ``waker`` for every view that a step of this process has made stale, right after the commit."""
        self._wakers.append(waker)

    def gate(self, gate: Callable[[], Awaitable[None]]) -> None:
        """Await ``gate`` before every action but the referee's: what is owed to the clocks must have been given back
        before anybody is judged by them. It may raise :class:`StoreUnavailable`.
        """
        self._gate = gate

    async def close(self) -> None:
        """Stop listening. The store stays open."""
        await self._changes.close()

    # -- inside --------------------------------------------------------------------------------------------------------

    async def _change(
        self, table_id: str, decide: Callable[[Table], Table | T], rev: int | None, source: str, act: str
    ) -> Table | T | Declined:
        """Load, decide, commit; again while others come first. Each round that is lost is one that somebody won.

        A table at hand is decided on at once: the commit holds only where it is still the newest. No refusal is
        given on its word.
        """
        mark = secrets.token_hex(6).encode()
        held: Held | Declined | None = self._at_hand.get(table_id)
        fresh = False
        while True:
            if held is None:
                held, fresh = await self._load(table_id, source), True
            if isinstance(held, Declined):
                return held
            after = decide(held.table)
            if not isinstance(after, Table):
                if not fresh:
                    held = None
                    continue
                if source and rev is None:
                    # Typed words mean the game as it is: delivered again, they must not pass at a later rev.
                    await self._store.call("SET", _source(table_id, source, mark), mark, "NX", "EX", _SOURCE_KEPT)
                return after
            base = (str(held.table.rev), held.mark)
            answer = await self._store.run(COMMIT, *self._step(after, base, mark, source, act))
            match answer[0]:
                case b"ok":
                    self._committed(Held(after, mark), answer)
                    return after
                case b"done":  # an attempt whose answer was lost
                    self._changes.tell(after.id, after.rev, own=True)
                    return after
                case b"repeated":
                    return Declined.REPEATED
                case b"gone":
                    return Declined.GONE
            held = None

    def _step(
        self, after: Table, base: tuple[str, bytes], mark: bytes, source: str, act: str
    ) -> tuple[list[str], list[str | bytes | int]]:
        """Keys and arguments of COMMIT and OPEN."""
        number = partition(after.id)
        keys = [
            key("table", after.id),
            key("views", after.id),
            shared(number, "stale"),
            shared(number, "engine"),
            shared(number, "events"),
            _source(after.id, source, mark),
            shared(number, "deadlines"),
        ]
        if after.game.outcome is not None:
            kept = _FINISHED_KEPT
        else:
            kept = _WAITING_KEPT if after.waiting else 0
        return keys, [
            *base,
            after.rev,
            mark,
            freeze(after),
            after.id,
            act,
            int(after.machine_due is not None),
            kept,
            _EVENTS,
            CHANNEL,
            self._changes.origin,
            _SOURCE_KEPT if source else _NAMELESS_KEPT,
            "" if after.due is None else after.due,
        ]

    def _committed(self, held: Held, answer: list[bytes]) -> None:
        self._put_at_hand(held)
        for name in answer[1:]:
            self._wake(member(name.decode()))
        self._changes.tell(held.table.id, held.table.rev, own=True)

    def _wake(self, of: Member) -> None:
        for waker in self._wakers:
            waker(of)

    async def _load(self, table_id: str, source: str = "") -> Held | Declined:
        keys = [key("table", table_id)]
        if source:
            keys.append(_source(table_id, source, b""))
        known = self._at_hand.get(table_id)
        try:
            return self._read(table_id, await self._store.run(LOAD, keys, [_mark(known)]), known)
        except Damaged as error:
            self._report(keys[0], error)
            return Declined.DAMAGED

    def _read(self, table_id: str, answer: Sequence[bytes], known: Held | None) -> Held | Declined:
        """What a script has said of a table, which was ``known`` to the caller when it asked."""
        try:
            match answer[0]:
                case b"repeated":
                    return Declined.REPEATED
                case b"gone":
                    return Declined.GONE
                case b"same" if known is not None:
                    self._put_at_hand(known)
                    return known
                case b"new":
                    held = Held(_thawed(table_id, answer[1], answer[3]), answer[2])
                    self._put_at_hand(held)
                    return held
            raise CorruptTable("a part of it is missing")
        except CorruptTable as error:
            self._report(key("table", table_id), error)
            return Declined.DAMAGED

    def _put_at_hand(self, held: Held) -> None:
        self._at_hand[held.table.id] = held
        self._at_hand.move_to_end(held.table.id)
        while len(self._at_hand) > _AT_HAND:
            self._at_hand.popitem(last=False)

    def _report(self, name: str, error: Exception) -> None:
        """Tell the operator of a damaged key, once; it is kept as it is."""
        if name not in self._damaged:
            self._damaged.add(name)
            log.error("saved_table_damaged", key=name, why=str(error))

    async def _index(self, view: View, table_id: str) -> None:
        await self._lists.add(lists.of_chat(view.platform, view.chat, view.thread), table_id, self.clock())
        if view.thread:
            await self._lists.add(lists.topics_of(view.platform, view.chat), view.thread, self.clock())
        if view.message:
            await self._lists.point(view, table_id)

    async def _listed(self, listing: str, belongs: Callable[[Table], Awaitable[bool]]) -> list[str]:
        now = self.clock()
        found: list[str] = []
        dropped: list[str] = []
        entries = await self._lists.read(listing)
        for (table_id, since), table in zip(entries, await self._all(entries), strict=True):
            if table is Declined.NOT_STORED:
                raise StoreUnavailable("the store went away")
            if isinstance(table, Table) and await belongs(table):
                ended = table.game.outcome is not None and table.game.record[-1].at < now - _LISTED
                (dropped if ended else found).append(table_id)
            elif table is not Declined.DAMAGED and since < now - _UNDER_WAY:
                dropped.append(table_id)
        await self._lists.drop(listing, dropped)
        return found

    async def _all(self, entries: list[tuple[str, int]]) -> list[Table | Declined]:
        found: list[Table | Declined] = []
        for start in range(0, len(entries), _AT_ONCE):
            found += await asyncio.gather(*(self.get(table) for table, _ in entries[start : start + _AT_ONCE]))
        return found


def _mark(known: Held | None) -> bytes:
    """By what a table is known; empty for one that is not."""
    return b"" if known is None else known.mark


def _source(table_id: str, source: str, mark: bytes) -> str:
    """The key by which a delivery is known again; a nameless one is known by its commit."""
    return key("source", table_id, source or f"#{mark.decode()}")


def _thawed(table_id: str, rev: bytes, body: bytes) -> Table:
    table = thaw(body)
    if table.id != table_id or str(table.rev).encode() != rev:
        raise CorruptTable(f"says {table.id} at rev {table.rev}, kept as {table_id} at rev {rev.decode()}")
    return table
