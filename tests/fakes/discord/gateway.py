"""The gateway of the fake Discord: sessions that can be dropped, resumed and replayed."""

from __future__ import annotations

import asyncio
import json
import secrets
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiohttp import WSMsgType, web

if TYPE_CHECKING:
    from tests.fakes.discord.server import DiscordServer

#: Members, presences and the content of messages: those that must be applied for.
PRIVILEGED = 1 << 1 | 1 << 8 | 1 << 15
GUILDS = 1 << 0


@dataclass(eq=False)
class Session:
    """What one client has been told since it identified itself; it outlives its connections."""

    id: str
    shard: list[int]
    events: list[dict[str, Any]] = field(default_factory=list)
    line: Line | None = None
    """The connection that it has now."""


class Line:
    """One connection: messages are compressed as one stream when the client asks for that."""

    def __init__(self, socket: web.WebSocketResponse, request: web.Request) -> None:
        self.socket = socket
        self.request = request
        kind = request.query.get("compress", "")
        assert kind in ("", "zlib-stream"), kind
        self._packer = zlib.compressobj() if kind else None

    async def send(self, message: dict[str, Any]) -> None:
        """Send a message; nothing happens when the line is cut."""
        if self.socket.closed:
            return
        text = json.dumps(message)
        if self._packer is None:
            await self.socket.send_str(text)
            return
        packed = self._packer.compress(text.encode()) + self._packer.flush(zlib.Z_SYNC_FLUSH)
        await self.socket.send_bytes(packed)

    def cut(self) -> None:
        """End the connection without a word, as a broken network does."""
        if self.request.transport is not None:
            self.request.transport.abort()


class Gateway:
    """All sessions of the one bot."""

    def __init__(self, server: DiscordServer) -> None:
        self.server = server
        self.sessions: dict[str, Session] = {}
        self.identified = 0
        self.resumed = 0
        self._lines: set[Line] = set()

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        """The life of one connection."""
        socket = web.WebSocketResponse(autoping=True, heartbeat=None)
        await socket.prepare(request)
        line = Line(socket, request)
        self._lines.add(line)
        session: Session | None = None
        try:
            await line.send({"op": 10, "d": {"heartbeat_interval": 41250}, "s": None, "t": None})
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    break
                told = json.loads(message.data)
                if told["op"] == 1:
                    await line.send({"op": 11, "d": None, "s": None, "t": None})
                elif told["op"] == 2:
                    session = await self._identify(line, told["d"])
                elif told["op"] == 6:
                    session = await self._resume(line, told["d"])
        finally:
            self._lines.discard(line)
            if session is not None and session.line is line:
                session.line = None
            self.server.pulse()
        return socket

    async def _identify(self, line: Line, asked: dict[str, Any]) -> Session | None:
        if asked["token"] != self.server.token:
            await line.socket.close(code=4004, message=b"Authentication failed.")
            return None
        if asked["intents"] & PRIVILEGED:
            await line.socket.close(code=4014, message=b"Disallowed intent(s).")
            return None
        session = Session(secrets.token_hex(16), asked.get("shard", [0, 1]), line=line)
        self.sessions[session.id] = session
        self.identified += 1
        guilds = [g for g in self.server.guilds.values() if g.has_bot and self.shard_of(g.id) == session.shard[0]]
        ready = {
            "v": 10,
            "user": self.server.bot,
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": self.server.gateway_url,
            "shard": session.shard,
            "application": {"id": str(self.server.application), "flags": 0},
        }
        await self._tell(session, "READY", ready)
        if asked["intents"] & GUILDS:
            for guild in guilds:
                await self._tell(session, "GUILD_CREATE", guild.describe())
        self.server.pulse()
        return session

    async def _resume(self, line: Line, asked: dict[str, Any]) -> Session | None:
        session = self.sessions.get(asked["session_id"])
        if asked["token"] != self.server.token or session is None:
            await line.send({"op": 9, "d": False, "s": None, "t": None})
            return None
        for event in session.events[asked["seq"] :]:
            await line.send(event)
        session.line = line
        self.resumed += 1
        await self._tell(session, "RESUMED", {})
        self.server.pulse()
        return session

    async def dispatch(self, name: str, body: dict[str, Any], *, guild: int | None = None) -> None:
        """Tell the newest session of the shard something; one without a line hears it when it resumes."""
        shard = 0 if guild is None else self.shard_of(guild)
        fitting = [session for session in self.sessions.values() if session.shard[0] == shard]
        assert fitting, f"the bot has no session for shard {shard}"
        await self._tell(fitting[-1], name, body)

    async def _tell(self, session: Session, name: str, body: dict[str, Any]) -> None:
        event = {"op": 0, "t": name, "d": body, "s": len(session.events) + 1}
        session.events.append(event)
        if session.line is not None:
            await session.line.send(event)

    def shard_of(self, guild: int) -> int:
        """Which shard a server belongs to."""
        return (guild >> 22) % self.server.shards

    @property
    def connected(self) -> bool:
        """Whether every shard has a session with a line."""
        alive = {session.shard[0] for session in self.sessions.values() if session.line is not None}
        return alive == set(range(self.server.shards))

    def drop(self) -> None:
        """Cut all lines; the sessions can be resumed."""
        for session in self.sessions.values():
            session.line = None
        for line in list(self._lines):
            line.cut()

    async def forget(self) -> None:
        """Forget the sessions and say so: clients must identify themselves again."""
        lines = [session.line for session in self.sessions.values() if session.line is not None]
        self.sessions.clear()
        for line in lines:
            await line.send({"op": 9, "d": False, "s": None, "t": None})

    async def close(self) -> None:
        """End all connections."""
        for line in list(self._lines):
            await asyncio.wait_for(line.socket.close(code=1001), 5)
