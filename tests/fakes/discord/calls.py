"""What each call of the REST interface does in the fake Discord."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.fakes.discord.answers import callback
from tests.fakes.discord.facts import Fault, check_commands, checked
from tests.fakes.discord.places import ATTACH, DM, IN_THREADS, SEND, THREAD, VIEW, Channel, Message
from tests.fakes.discord.refusals import Refuse, told
from tests.fakes.discord.visits import FOLLOW_UPS, TOKEN_LIVES, Interaction
from tests.fakes.discord.writing import Upload, write

if TYPE_CHECKING:
    from tests.fakes.discord.server import DiscordServer

_Handler = Callable[["DiscordServer", web.Request, Any, dict[int, Upload]], Awaitable[Any]]


def add_routes(app: web.Application, server: DiscordServer) -> None:
    """All calls, each by its name."""
    for method, path, name, handler, authorised in _ROUTES:
        app.router.add_route(method, "/api/v10" + path, _wrapped(server, name, handler, authorised=authorised))


def _wrapped(
    server: DiscordServer, name: str, handler: _Handler, *, authorised: bool
) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    async def answer(request: web.Request) -> web.StreamResponse:
        body, uploads = await _read(request)
        response = await _answered(request, body, uploads)
        from tests.fakes.discord.server import Call

        server.calls.append(Call(name, request.path, body, response.status))
        server.pulse()
        return response

    async def _answered(request: web.Request, body: Any, uploads: dict[int, Upload]) -> web.StreamResponse:
        if authorised and request.headers.get("Authorization") != f"Bot {server.token}":
            return told({"message": "401: Unauthorized", "code": 0}, status=401)
        if server.hold is not None and "message" in name:
            await asyncio.wait_for(server.hold.wait(), 30)
        failed = server.failure(name, request.path)
        if failed is not None:
            return failed
        try:
            result = await handler(server, request, body, uploads)
        except Refuse as refusal:
            return told({"message": refusal.message, "code": refusal.code}, status=refusal.status)
        except Fault as fault:
            server.faults.append(f"{name}: {fault}")
            return told({"message": f"Invalid Form Body: {fault}", "code": 50035}, status=400)
        return web.Response(status=204) if result is None else told(result)

    return answer


async def _read(request: web.Request) -> tuple[Any, dict[int, Upload]]:
    """The body of a call, however it was sent, and the files that came along by their numbers."""
    if request.content_type != "multipart/form-data":
        return (await request.json() if request.can_read_body else None), {}
    form = await request.post()
    uploads = {}
    for name, value in form.items():
        if isinstance(value, web.FileField):
            uploads[int(name.removeprefix("files[").removesuffix("]"))] = Upload(value.file.read(), value.filename)
    return json.loads(str(form["payload_json"])), uploads


# -- messages by the bot's own right -----------------------------------------------------------------------------------


def _channel(server: DiscordServer, request: web.Request) -> Channel:
    channel = server.channels.get(int(request.match_info["channel"]))
    if channel is None:
        raise Refuse(404, 10003, "Unknown Channel")
    if channel.kind == DM and channel.closed:
        raise Refuse(403, 50007, "Cannot send messages to this user")
    if not channel.bot_is_here or not channel.bot_may & VIEW:
        raise Refuse(403, 50001, "Missing Access")
    return channel


def _message(channel: Channel, request: web.Request) -> Message:
    message = channel.history.get(int(request.match_info["message"]))
    if message is None or message.deleted or message.only_for is not None:
        raise Refuse(404, 10008, "Unknown Message")
    return message


async def _send(server: DiscordServer, request: web.Request, body: Any, uploads: dict[int, Upload]) -> Any:
    checked("POST /channels/{channel_id}/messages", body)
    channel = _channel(server, request)
    if channel.archived and channel.locked:
        raise Refuse(403, 160005, "Thread is locked")
    needed = (IN_THREADS if channel.kind == THREAD else SEND) | (ATTACH if uploads else 0)
    if channel.kind != DM and channel.bot_may & needed != needed:
        raise Refuse(403, 50013, "Missing Permissions")
    nonce = body.get("nonce")
    if nonce is not None and body.get("enforce_nonce"):
        for known in channel.history.values():
            if known.nonce == nonce:
                return known.describe()
    message = Message(channel, server.snowflake(), nonce=nonce)
    write(message, body, uploads, new=True)
    channel.archived = False
    channel.history[message.id] = message
    return message.describe()


async def _edit(server: DiscordServer, request: web.Request, body: Any, uploads: dict[int, Upload]) -> Any:
    checked("PATCH /channels/{channel_id}/messages/{message_id}", body)
    message = _message(_channel(server, request), request)
    if message.channel.archived:
        raise Refuse(400, 50083, "Thread is archived")
    write(message, body, uploads, new=False)
    return message.describe()


async def _look_up(server: DiscordServer, request: web.Request, body: Any, uploads: dict[int, Upload]) -> Any:
    return _channel(server, request).describe()


async def _alter(server: DiscordServer, request: web.Request, body: Any, uploads: dict[int, Upload]) -> Any:
    """Of a channel only this may be changed without managing it: a thread that is not locked leaves the archive."""
    checked("PATCH /channels/{channel_id}", body)
    channel = _channel(server, request)
    if channel.kind != THREAD or body != {"archived": False} or channel.locked or not channel.bot_may & IN_THREADS:
        raise Refuse(403, 50013, "Missing Permissions")
    channel.archived = False
    return channel.describe()


async def _typing(server: DiscordServer, request: web.Request, body: Any, uploads: dict[int, Upload]) -> Any:
    if body:
        raise Fault("it has no body")
    channel = _channel(server, request)
    if channel.kind != DM and not channel.bot_may & (IN_THREADS if channel.kind == THREAD else SEND):
        raise Refuse(403, 50013, "Missing Permissions")


async def _delete(server: DiscordServer, request: web.Request, body: Any, uploads: dict[int, Upload]) -> Any:
    _message(_channel(server, request), request).deleted = True


# -- messages by the token of an interaction ---------------------------------------------------------------------------


def _visit(server: DiscordServer, request: web.Request) -> Interaction:
    interaction = server.interactions.get(request.match_info["token"])
    if interaction is None or int(request.match_info["application"]) != server.application or not interaction.answers:
        raise Refuse(404, 10015, "Unknown Webhook")
    if server.elapsed - interaction.born > TOKEN_LIVES:
        raise Refuse(401, 50027, "Invalid Webhook Token")
    return interaction


def _named(interaction: Interaction, request: web.Request) -> Message:
    """The message that a token may change: the answer (or what was tapped), or one that it sent later."""
    name = request.match_info["message"]
    found = interaction.original
    if name != "@original":
        mine = [found, *interaction.follow_ups]
        found = next((message for message in mine if message is not None and message.id == int(name)), None)
    if found is None or found.deleted:
        raise Refuse(404, 10008, "Unknown Message")
    return found


async def _follow_up(server: DiscordServer, request: web.Request, body: Any, uploads: dict[int, Upload]) -> Any:
    checked("POST /webhooks/{webhook_id}/{webhook_token}", body)
    interaction = _visit(server, request)
    if interaction.foreign and len(interaction.follow_ups) >= FOLLOW_UPS:
        server.faults.append(f"more than {FOLLOW_UPS} further messages where the bot is no member")
        raise Refuse(400, 40094, "This interaction has reached the maximum number of follow-up messages")
    original = interaction.original
    if original is not None and original.pending and not original.deleted:
        write(original, body, uploads, new=True)  # the first one takes the place of "thinking", and is as private
        return original.describe()
    message = Message(interaction.channel, server.snowflake(), by_interaction=True)
    if body.get("flags", 0) & 64:
        message.only_for = interaction.person
    write(message, body, uploads, new=True)
    interaction.channel.history[message.id] = message
    interaction.follow_ups.append(message)
    return message.describe()


async def _change(server: DiscordServer, request: web.Request, body: Any, uploads: dict[int, Upload]) -> Any:
    checked("PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", body)
    interaction = _visit(server, request)
    message = _named(interaction, request)
    write(message, body, uploads, new=message.pending)
    return message.describe()


async def _remove(server: DiscordServer, request: web.Request, body: Any, uploads: dict[int, Upload]) -> Any:
    _named(_visit(server, request), request).deleted = True


async def _callback(server: DiscordServer, request: web.Request, body: Any, uploads: dict[int, Upload]) -> Any:
    return callback(server, request, body, uploads)


# -- the rest ----------------------------------------------------------------------------------------------------------


async def _me(server: DiscordServer, request: web.Request, body: Any, uploads: dict[int, Upload]) -> Any:
    return server.bot


async def _application(server: DiscordServer, request: web.Request, body: Any, uploads: dict[int, Upload]) -> Any:
    return {
        "id": str(server.application),
        "name": "Renju",
        "description": "",
        "icon": None,
        "bot_public": True,
        "bot_require_code_grant": False,
        "owner": server.bot,
        "team": None,
        "verify_key": "0" * 64,
        "summary": "",
        "flags": 0,
    }


async def _gateway(server: DiscordServer, request: web.Request, body: Any, uploads: dict[int, Upload]) -> Any:
    limit = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}
    return {"url": server.gateway_url, "shards": server.shards, "session_start_limit": limit}


async def _register(server: DiscordServer, request: web.Request, body: Any, uploads: dict[int, Upload]) -> Any:
    checked("PUT /applications/{application_id}/commands", body)
    check_commands(body)
    server.registrations += 1
    server.commands = [
        {
            **command,
            "id": str(server.snowflake()),
            "application_id": str(server.application),
            "version": str(server.snowflake()),
            "type": command.get("type", 1),
            "description": command.get("description", ""),
            "default_member_permissions": command.get("default_member_permissions"),
        }
        for command in body
    ]
    return server.commands


async def _registered(server: DiscordServer, request: web.Request, body: Any, uploads: dict[int, Upload]) -> Any:
    return server.commands


async def _open_dm(server: DiscordServer, request: web.Request, body: Any, uploads: dict[int, Upload]) -> Any:
    checked("POST /users/@me/channels", body)
    person = server.people.get(int(body["recipient_id"]))
    if person is None:
        raise Refuse(400, 50033, "Invalid Recipient(s)")
    return person.dm.describe()


_ROUTES: tuple[tuple[str, str, str, _Handler, bool], ...] = (
    ("GET", "/users/@me", "GET me", _me, True),
    ("GET", "/oauth2/applications/@me", "GET application", _application, True),
    ("GET", "/applications/@me", "GET application", _application, True),
    ("GET", "/gateway/bot", "GET gateway", _gateway, True),
    ("PUT", "/applications/{application}/commands", "PUT commands", _register, True),
    ("GET", "/applications/{application}/commands", "GET commands", _registered, True),
    ("POST", "/users/@me/channels", "POST channel", _open_dm, True),
    ("GET", "/channels/{channel}", "GET channel", _look_up, True),
    ("PATCH", "/channels/{channel}", "PATCH channel", _alter, True),
    ("POST", "/channels/{channel}/messages", "POST message", _send, True),
    ("POST", "/channels/{channel}/typing", "POST typing", _typing, True),
    ("PATCH", "/channels/{channel}/messages/{message}", "PATCH message", _edit, True),
    ("DELETE", "/channels/{channel}/messages/{message}", "DELETE message", _delete, True),
    ("POST", "/interactions/{interaction}/{token}/callback", "POST callback", _callback, False),
    ("POST", "/webhooks/{application}/{token}", "POST follow-up", _follow_up, False),
    ("PATCH", "/webhooks/{application}/{token}/messages/{message}", "PATCH answer", _change, False),
    ("DELETE", "/webhooks/{application}/{token}/messages/{message}", "DELETE answer", _remove, False),
)
