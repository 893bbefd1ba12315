"""Discord's REST interface and gateway on the loopback interface, as far as ``renju bench service`` needs them.

Every call succeeds; it notes when taps were acknowledged and boards changed.
"""

from __future__ import annotations

import asyncio
import json
import time
import zlib
from types import TracebackType
from typing import Any, Final, Self

from aiohttp import WSMsgType, web

TOKEN: Final = "loopback.made.up"  # noqa: S105 - made up
APPLICATION: Final = 1 << 60
GUILD: Final = APPLICATION + 1
_CHANNELS: Final = APPLICATION + 1000
_MESSAGES: Final = APPLICATION + 1_000_000
_EPOCH: Final = 1_420_070_400_000
_ME: Final = {"id": str(APPLICATION), "username": "renju", "discriminator": "0", "avatar": None, "bot": True}
_MAY: Final = str((1 << 10) | (1 << 11) | (1 << 15) | (1 << 38))
_BUTTON: Final = 2
_GALLERY: Final = 12


def channel_of(number: int) -> int:
    """The channel of a game, by its number."""
    return _CHANNELS + number


class LoopbackDiscord:
    """Use it as ``async with LoopbackDiscord(channels) as server``."""

    def __init__(self, channels: int) -> None:
        self.url = ""
        self.boards: dict[int, int] = {}
        """The newest message in each channel."""
        self.ready = asyncio.Event()
        """Set when a bot has identified itself."""
        self._channels = channels
        self._looks: dict[int, list[dict[str, Any]]] = {}
        self._acknowledged: dict[str, asyncio.Future[float]] = {}
        self._edited: dict[int, tuple[asyncio.Future[float], bytes]] = {}
        self._next = 0
        self._socket: web.WebSocketResponse | None = None
        self._packer: Any = None
        self._events = 0
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=1 << 24)
        api = "/api/v10"
        app.router.add_get("/gateway", self._gateway)
        app.router.add_get(f"{api}/gateway/bot", self._found)
        app.router.add_post(f"{api}/interactions/{{id}}/{{token}}/callback", self._answered)
        app.router.add_post(f"{api}/channels/{{channel}}/messages", self._sent)
        app.router.add_patch(f"{api}/channels/{{channel}}/messages/{{message}}", self._changed)
        app.router.add_route("*", f"{api}/applications/{{id}}/commands", _none)
        app.router.add_get(f"{api}/{{what:.+}}/@me", self._me)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def gateway_url(self) -> str:
        """The address of the gateway."""
        return self.url.replace("http://", "ws://") + "/gateway"

    def board(self, channel: int, components: list[dict[str, Any]]) -> None:
        """A message that is there already."""
        self._next += 1
        self.boards[channel] = _MESSAGES + self._next
        self._looks[channel] = _resolved(components)

    async def tap(self, channel: int, person: int, custom_id: str, *, then: str = "") -> tuple[float, float]:
        """Tap a button of the channel's board: the seconds until it was acknowledged, and until the board changed.

        Only a change with ``then`` in it counts: what was under way before the tap is not what came of it.
        """
        self._next += 1
        number = str(((time.time_ns() // 1_000_000 - _EPOCH) << 22) + self._next)
        loop = asyncio.get_running_loop()
        acknowledged = self._acknowledged[number] = loop.create_future()
        edited: asyncio.Future[float] = loop.create_future()
        self._edited[channel] = edited, then.encode()
        user = {"id": str(person), "username": f"p{person}", "discriminator": "0", "avatar": None}
        button = {"type": _BUTTON, "style": 1, "label": "x", "custom_id": custom_id}
        shown = [*self._looks.get(channel, []), {"type": 1, "components": [button]}]
        event = {
            "id": number,
            "application_id": str(APPLICATION),
            "type": 3,
            "token": f"token{number}",
            "version": 1,
            "data": {"custom_id": custom_id, "component_type": _BUTTON, "id": 1},
            "message": _message(channel, self.boards[channel], shown),
            "channel_id": str(channel),
            "channel": _channel(channel),
            "guild_id": str(GUILD),
            "guild": {"id": str(GUILD), "locale": "en-US", "features": []},
            "member": {"user": user, "roles": [], "joined_at": "2026-01-01T00:00:00+00:00", "flags": 0}
            | {"permissions": _MAY, "deaf": False, "mute": False, "nick": None},
            "locale": "en-US",
            "guild_locale": "en-US",
            "context": 0,
            "entitlements": [],
            "app_permissions": _MAY,
            "authorizing_integration_owners": {"0": str(GUILD)},
            "attachment_size_limit": 10 << 20,
        }
        began = time.perf_counter()
        await self._tell("INTERACTION_CREATE", event)
        return await acknowledged - began, await edited - began

    # -- the gateway ---------------------------------------------------------------------------------------------------

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        self._socket = socket = web.WebSocketResponse(heartbeat=None)
        self._packer = zlib.compressobj() if request.query.get("compress") == "zlib-stream" else None
        await socket.prepare(request)
        await self._send({"op": 10, "d": {"heartbeat_interval": 41250}, "s": None, "t": None})
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                break
            told = json.loads(message.data)
            if told["op"] == 1:
                await self._send({"op": 11, "d": None, "s": None, "t": None})
            elif told["op"] == 2:
                await self._identified()
        return socket

    async def _identified(self) -> None:
        ready = {"v": 10, "user": _ME, "guilds": [{"id": str(GUILD), "unavailable": True}], "session_id": "s"}
        ready |= {"resume_gateway_url": self.gateway_url, "shard": [0, 1], "application": {"id": str(APPLICATION)}}
        ready["application"] |= {"flags": 0}  # type: ignore[operator]
        await self._tell("READY", ready)
        channels = [_channel(channel_of(number)) for number in range(self._channels)]
        guild: dict[str, Any] = {"id": str(GUILD), "name": "bench", "owner_id": str(APPLICATION)}
        guild |= {"preferred_locale": "en-US", "member_count": 1, "channels": channels, "unavailable": False}
        lists = ("roles", "members", "threads", "emojis", "stickers", "features", "voice_states", "presences")
        guild |= {name: [] for name in (*lists, "stage_instances", "guild_scheduled_events")}
        await self._tell("GUILD_CREATE", guild)
        self.ready.set()

    async def _tell(self, name: str, body: dict[str, Any]) -> None:
        self._events += 1
        await self._send({"op": 0, "t": name, "d": body, "s": self._events})

    async def _send(self, message: dict[str, Any]) -> None:
        socket, packer = self._socket, self._packer
        if socket is None:
            raise RuntimeError("no bot is connected")
        text = json.dumps(message)
        if packer is None:
            await socket.send_str(text)
        else:
            await socket.send_bytes(packer.compress(text.encode()) + packer.flush(zlib.Z_SYNC_FLUSH))

    # -- calls ---------------------------------------------------------------------------------------------------------

    async def _answered(self, request: web.Request) -> web.Response:
        kind = json.loads(await request.read())["type"]
        number = request.match_info["id"]
        _note(self._acknowledged.pop(number, None))
        return _told({"interaction": {"id": number, "type": 3}, "resource": {"type": kind}})

    async def _sent(self, request: web.Request) -> web.Response:
        channel = int(request.match_info["channel"])
        self.board(channel, _components(await request.read()))
        return _told(_message(channel, self.boards[channel], []))

    async def _changed(self, request: web.Request) -> web.Response:
        channel = int(request.match_info["channel"])
        body = await request.read()
        self._looks[channel] = _resolved(_components(body))
        edited, then = self._edited.get(channel, (None, b""))
        if then in body:
            _note(edited)
        return _told(_message(channel, int(request.match_info["message"]), []))

    async def _found(self, _: web.Request) -> web.Response:
        limit = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}
        return _told({"url": self.gateway_url, "shards": 1, "session_start_limit": limit})

    async def _me(self, request: web.Request) -> web.Response:
        if request.path.endswith("users/@me"):
            return _told(_ME)
        about: dict[str, Any] = {"id": str(APPLICATION), "name": "Renju", "description": "", "icon": None, "flags": 0}
        about |= {"bot_public": True, "bot_require_code_grant": False, "owner": _ME, "verify_key": "0", "team": None}
        return _told(about)


async def _none(_: web.Request) -> web.Response:
    return _told([])


def _told(body: Any) -> web.Response:
    return web.Response(body=json.dumps(body).encode(), content_type="application/json")


def _note(waiting: asyncio.Future[float] | None) -> None:
    if waiting is not None and not waiting.done():
        waiting.set_result(time.perf_counter())


def _components(body: bytes) -> list[dict[str, Any]]:
    """The components of a message that came as multipart/form-data."""
    head = body.split(b'name="payload_json"', 1)[1]
    written = head.split(b"\r\n\r\n", 1)[1].split(b"\r\n--", 1)[0]
    found: list[dict[str, Any]] = json.loads(written).get("components") or []
    return found


def _resolved(components: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Components as they are sent to clients: pictures by their addresses."""
    media = {"url": "https://cdn/board.png", "proxy_url": "https://cdn/board.png", "width": 960, "height": 960}
    return [
        {**part, "items": [{**item, "media": media} for item in part["items"]]} if part["type"] == _GALLERY else part
        for part in components
    ]


def _channel(channel: int) -> dict[str, Any]:
    told: dict[str, Any] = {"id": str(channel), "type": 0, "guild_id": str(GUILD), "name": "bench", "position": 0}
    return told | {"permission_overwrites": [], "parent_id": None, "nsfw": False, "topic": None, "permissions": _MAY}


def _message(channel: int, message: int, components: list[dict[str, Any]]) -> dict[str, Any]:
    told: dict[str, Any] = {"id": str(message), "channel_id": str(channel), "type": 0, "content": "", "embeds": []}
    told |= {"attachments": [], "components": components, "flags": 1 << 15, "author": _ME, "edited_timestamp": None}
    told |= {"timestamp": "2026-01-01T00:00:00+00:00", "tts": False, "pinned": False, "mention_everyone": False}
    return told | {"mentions": [], "mention_roles": []}
