"""The websockets of a table: what people do comes in, scenes go out; a slow page skips frames (promises 2, 3)."""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from typing import Final

import structlog
from aiohttp import WSMsgType, web

from bot.adapters.web import wire
from bot.adapters.web.invitations import Invitations
from bot.adapters.web.limits import Bucket
from bot.desk import Desk, Done
from bot.scene import Command, unpack
from bot.session.store import StoreUnavailable
from bot.session.table import Declined, Person, Table
from bot.session.tables import Tables
from bot.words import explain, words

log = structlog.get_logger("renju.web")

#: Messages a socket may send: this many at once, and this many a second on average.
BURST: Final = 20
A_SECOND: Final = 4.0
#: A socket that is still too fast after this many warnings is closed.
WARNINGS: Final = 200
#: The life of an invitation is begun anew this often while its table waits in front of somebody.
RENEW_SECONDS: Final = 200.0
#: How old the words about days and hours left may grow.
AGE_SECONDS: Final = 60.0
#: How long until a table is read again after the store could not be reached.
RETRY_SECONDS: Final = 1.0


class Hub:
    """Every open socket by its table."""

    def __init__(self, desk: Desk, tables: Tables, invitations: Invitations) -> None:
        self.desk = desk
        self.tables = tables
        self.invitations = invitations
        self._sockets: defaultdict[str, set[Socket]] = defaultdict(set)

    async def run(self) -> None:
        """Wake the sockets of every table that changes, by whichever process; until cancelled."""
        async for table_id, _rev in self.tables.changes():
            self.touch(table_id)

    def touch(self, table_id: str) -> None:
        """A table may have changed: show it anew."""
        for socket in self._sockets.get(table_id, ()):
            socket.stale.set()

    def others(self, table_id: str, person_id: str) -> list[Socket]:
        """The sockets at a table that belong to a person."""
        return [s for s in self._sockets.get(table_id, ()) if s.person is not None and s.person.id == person_id]

    def add(self, socket: Socket) -> None:
        """From now on this socket is woken."""
        self._sockets[socket.table_id].add(socket)

    def remove(self, socket: Socket) -> None:
        """No longer."""
        self._sockets[socket.table_id].discard(socket)
        if not self._sockets[socket.table_id]:
            del self._sockets[socket.table_id]

    async def close(self) -> None:
        """Tell every page that the service goes away; they come back by themselves."""
        everyone = [socket for group in self._sockets.values() for socket in group]
        await asyncio.gather(*(socket.close() for socket in everyone), return_exceptions=True)


class Socket:
    """One page that shows one table."""

    def __init__(
        self,
        hub: Hub,
        table_id: str,
        person: Person | None,
        language: str,
        link: str,
    ) -> None:
        self.hub = hub
        self.table_id = table_id
        self.person = person
        self.words = words(language)
        self.link = link
        """What links given to this page begin with."""
        self.stale = asyncio.Event()
        self.stale.set()
        self._socket = web.WebSocketResponse(
            heartbeat=20, max_msg_size=wire.LONGEST, compress=False, autoping=True, timeout=2
        )
        self._bucket = Bucket(BURST, A_SECOND)
        self._warnings = 0
        self._shown: tuple[int, bool, list[str]] | None = None
        self._turn = asyncio.Lock()

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Answer the handshake and talk until the page goes away."""
        await self._socket.prepare(request)
        self.hub.add(self)
        showing = asyncio.create_task(self._keep_showing())
        try:
            async for message in self._socket:
                if message.type is WSMsgType.TEXT:
                    await self._hear(message.data)
                elif message.type is WSMsgType.BINARY:
                    await self._say(wire.said(self.words.say("The page sent something that cannot be read.")))
        except ConnectionError:  # it went away while it was being answered
            pass
        finally:
            self.hub.remove(self)
            showing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await showing
        return self._socket

    async def close(self) -> None:
        """The service goes away."""
        await self._socket.close(code=1012, message=b"restart")

    # -- out ---------------------------------------------------------------------------------------------------------

    async def _keep_showing(self) -> None:
        """Send the newest scene whenever the table changed; several changes at once are one scene."""
        patience: float | None = None
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.stale.wait(), patience)
            self.stale.clear()
            try:
                patience = await self._show()
            except ConnectionError:
                return
            except StoreUnavailable:
                await self._say(wire.said(explain(self.words, Declined.NOT_STORED), alert=True))
                patience = RETRY_SECONDS
            except Exception:
                log.exception("web_table_not_shown", table=self.table_id)
                patience = RETRY_SECONDS

    async def _show(self) -> float | None:
        """Send the scene; how long it is good for when nothing changes."""
        async with self._turn:  # an older scene never overtakes a newer one
            return await self._show_newest()

    async def _show_newest(self) -> float | None:
        table = await self.hub.tables.get(self.table_id)
        if isinstance(table, Declined):
            await self._say(wire.said(explain(self.words, table), alert=True))
            return RETRY_SECONDS if table is Declined.NOT_STORED else None
        seats = () if self.person is None else table.seats_of(self.person.id)
        invites = bool(seats) and table.waiting and not table.reserved
        invitation = None
        if invites:
            invitation = f"{self.link}/i/{await self.hub.invitations.code_for(table.id)}"
        scene = wire.scene_form(table, self.words, seats, self.hub.tables.clock())
        shown = (table.rev, bool(seats), scene["lines"])
        if self._shown != shown:
            watch = f"{self.link}/t/{table.id}"
            await self._say(wire.scene_message(scene, seated=bool(seats), invitation=invitation, watch=watch))
            self._shown = shown
        if invites:
            return RENEW_SECONDS
        # Days and hours are told in words, which grow old; seconds are counted by the page.
        return None if table.game.outcome is not None or scene["clock"] is not None else AGE_SECONDS

    def _expected(self, table: Table) -> bool:
        """Whether the free seat is kept for this very person (a rematch)."""
        return self.person is not None and table.reserved == self.person.id and table.waiting

    async def _say(self, text: str) -> None:
        if not self._socket.closed:
            await self._socket.send_str(text)

    # -- in ----------------------------------------------------------------------------------------------------------

    async def _hear(self, text: str) -> None:
        message = wire.read(text)
        if not self._bucket.take():
            self._warnings += 1
            if self._warnings > WARNINGS:
                await self._socket.close(code=1008, message=b"too fast")
                return
            to = "" if message is None else message.id
            await self._say(wire.said(self.words.say("That is too fast. Wait a moment and try again."), to=to))
            return
        if message is None:
            await self._say(wire.said(self.words.say("The page sent something that cannot be read.")))
            return
        try:
            await self._say(await self._answer(message))
        except ConnectionError:
            raise
        except StoreUnavailable:
            await self._say(wire.said(explain(self.words, Declined.NOT_STORED), to=message.id, alert=True))
        except Exception:
            log.exception("web_action_failed", table=self.table_id)
            text = self.words.say("Something went wrong here. It has been noted; please try again.")
            await self._say(wire.said(text, to=message.id, alert=True))

    async def _answer(self, message: wire.Incoming) -> str:
        if isinstance(message, wire.Ping):
            return wire.said("", to=message.id, ok=True)
        person = self.person
        if person is None:  # nobody without a cookie has a seat
            return wire.said(explain(self.words, Declined.NOT_SEATED), to=message.id, alert=True)
        person = Person(id=person.id, name=person.name, language=self.words.language)
        source, at = f"{person.id}:{message.id}", self.hub.tables.clock()
        if isinstance(message, wire.Typed):
            answer = await self.hub.desk.move(person, message.text, table=self.table_id, source=source, at=at)
        else:
            refusal = await self._may_press(message.wire)
            if refusal is not None:
                return wire.said(refusal, to=message.id, alert=True)
            answer = await self.hub.desk.press(person, message.wire, place=None, source=source, at=at)
        if not isinstance(answer, Done):
            # Nothing to say: this very message has been handled before.
            return wire.said(answer.text, to=message.id, ok=not answer.text, alert=answer.alert)
        if answer.table.id != self.table_id:
            await self._call_opponent(answer.table)
            return wire.go(f"/t/{answer.table.id}", to=message.id)
        await self._show()  # first the new scene, then the word that it happened: the next tap means what it shows
        return wire.said(answer.notice.text, to=message.id, ok=True, alert=answer.notice.alert)

    async def _may_press(self, written: str) -> str | None:
        """Why a button is not for this page: it belongs to another table, or gives a seat without an invitation."""
        read = unpack(written)
        if read is None or read[0] != self.table_id:
            return self.words.say("This button means nothing here.")
        if read[2] == Command.JOIN:
            table = await self.hub.tables.get(self.table_id)
            if isinstance(table, Declined):
                return explain(self.words, table)
            if not self._expected(table):
                return self.words.say("Only an invitation link gives a seat at this table.")
        return None

    async def _call_opponent(self, again: Table) -> None:
        """Tell whoever a rematch is kept for, if they still look at the old board."""
        for other in self.hub.others(self.table_id, again.reserved) if again.waiting else ():
            text = other.words.say("Your opponent wants a rematch. Press Rematch to play.")
            with contextlib.suppress(ConnectionError):
                await other._say(wire.said(text, alert=True))
