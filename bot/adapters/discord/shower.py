"""Shows tables: one message a view, made of components and edited in place, with one picture.

A message is changed by its channel and number with the bot's own right. Where the bot is only a guest it is changed by
the token of the newest interaction with it, for fifteen minutes; after that whoever taps it brings a new one.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from typing import Final

import aiohttp
import discord
import structlog
from discord import ui

from bot.adapters.discord.calls import NOBODY, Calls
from bot.adapters.discord.layout import board, said
from bot.adapters.discord.line import Line
from bot.adapters.discord.pace import Pace
from bot.adapters.discord.preferences import OfServer, Preferences
from bot.adapters.discord.reading import DIRECT, GUEST, PLATFORM
from bot.adapters.discord.replies import files
from bot.adapters.discord.ways import Ways
from bot.composing import compose
from bot.render import png
from bot.scene import Scene, Viewer
from bot.session.refresher import Later, Sent, Shown, Unreachable
from bot.session.table import Table, View
from bot.words import Phrase, Words, words

log = structlog.get_logger("renju.discord")

#: Of how many people the channel of their direct messages is known.
_DIRECT: Final = 4096
#: Seconds until the next try when Discord cannot be reached; before the connection is open; after giving up for good.
_UNREACHABLE_FOR_NOW: Final = 2.0
STARTING: Final = 0.5
GIVEN_UP: Final = 60.0
#: The same for a thread that is archived: somebody has to write in it first.
_ARCHIVED_FOR_NOW: Final = 300.0
_THREAD_IS_ARCHIVED: Final = 50083


class _Original(int):
    """Names the answer of an interaction where the library wants the number of a message."""

    def __format__(self, spec: str) -> str:
        return "@original"


class DiscordShower:
    """The shower of platform ``dc``."""

    def __init__(self, line: Line, ways: Ways, preferences: Preferences, calls: Calls, pace: Pace) -> None:
        self._line = line
        self._ways = ways
        self._preferences = preferences
        self._calls = calls
        self._pace = pace
        self._direct: OrderedDict[str, int] = OrderedDict()
        self.closed_for: float | None = STARTING
        """While there is no connection: how long to wait until the next try, in seconds."""

    async def show(self, table: Table, view: View) -> Shown:
        """Bring the view's message to this state of the table."""
        if self.closed_for is not None:
            return Later(self.closed_for)
        preferred = await self._preferences.of_server(self._server(view))
        viewer = await self._viewer(table, view, preferred)
        scene = compose(table, viewer)
        look = _look(scene, table, view, words(viewer.language))
        picture = await asyncio.to_thread(png, scene.picture)
        try:
            if view.message:
                shown = await self._edit(look, picture, view)
            else:
                shown = await self._send(look, picture, table, view, silent=preferred.quiet)
            if isinstance(shown, Sent) and preferred.calls and not preferred.quiet and view.thread != GUEST:
                await self._calls.call(table, view, shown.message, words(viewer.language))
        except discord.RateLimited as error:
            self._pace.halt(view.chat, error.retry_after)
            return Later(error.retry_after)
        except discord.HTTPException as error:
            shown = self._refused(error, view)
        except (aiohttp.ClientError, OSError):
            if not view.message:
                raise  # whether it was sent is not known
            return Later(_UNREACHABLE_FOR_NOW)  # whether it arrived or not: the next edit makes it so
        return shown

    def _refused(self, error: discord.HTTPException, view: View) -> Shown:
        """What a refusal means. 401, 403 and 404 are never asked again: many of them lead to a ban."""
        if error.status == 401:
            log.error("discord_token_refused", hint="the token was valid before; DISCORD_TOKEN needs the new one")
            self.closed_for = GIVEN_UP
            return Later(GIVEN_UP)
        if error.status == 429:
            self._pace.halt(view.chat, GIVEN_UP)
            return Later(GIVEN_UP)
        if error.code == _THREAD_IS_ARCHIVED:
            return Later(_ARCHIVED_FOR_NOW)
        if error.status >= 500 and view.message:
            return Later(_UNREACHABLE_FOR_NOW)
        if error.status in (403, 404):
            log.info("discord_message_out_of_reach", chat=view.chat, status=error.status, code=error.code)
            return Unreachable()
        raise error

    # -- messages ------------------------------------------------------------------------------------------------------

    async def _send(self, look: ui.LayoutView, picture: bytes, table: Table, view: View, *, silent: bool) -> Shown:
        token = await self._ways.answer(table.id, view.chat)
        if token is not None:
            sent = await self._change(token, _Original(), look, picture)
            await self._ways.answered(table.id, view.chat)
            if sent is not None:
                if view.thread == GUEST:
                    await self._ways.keep(view.chat, sent, token)
                return Sent(sent)
        if view.thread == GUEST:
            return await self._send_as_guest(look, picture, view)
        wait = self._pace.ask(view.chat)
        if wait:
            return Later(wait)
        channel = self._line.client.get_partial_messageable(await self._channel(view.chat))
        # The number makes a message that was sent twice one, if Discord hears of it again within minutes.
        message = await channel.send(
            view=look, files=files(picture), nonce=view.id, silent=silent, allowed_mentions=NOBODY
        )
        return Sent(str(message.id))

    async def _change(self, token: str, message: int, look: ui.LayoutView, picture: bytes | None) -> str | None:
        """Change a message by the token of an interaction; ``None``: that can no longer be."""
        try:
            changed = await self._webhook(token).edit_message(
                message, view=look, attachments=files(picture), allowed_mentions=NOBODY
            )
        except discord.HTTPException as error:
            if error.status not in (401, 404):
                raise
            return None
        return str(changed.id)

    async def _send_as_guest(self, look: ui.LayoutView, picture: bytes, view: View) -> Shown:
        token = await self._ways.to_chat(view.chat)
        if token is None:
            return Unreachable()
        try:
            message = await self._webhook(token).send(
                view=look, files=files(picture), wait=True, allowed_mentions=NOBODY
            )
        except discord.HTTPException as error:
            if error.status >= 500:
                raise
            log.info("discord_guest_silenced", chat=view.chat, status=error.status, code=error.code)
            return Unreachable()
        await self._ways.keep(view.chat, str(message.id), token, original=False)
        return Sent(str(message.id))

    async def _edit(self, look: ui.LayoutView, picture: bytes, view: View) -> Shown:
        if view.thread == GUEST:
            await self._edit_as_guest(look, picture, view)
            return Sent(view.message)
        wait = self._pace.ask(view.chat)
        if wait:
            return Later(wait)
        await (await self._partial(view)).edit(view=look, attachments=files(picture), allowed_mentions=NOBODY)
        return Sent(view.message)

    async def _edit_as_guest(self, look: ui.LayoutView, picture: bytes | None, view: View) -> None:
        """Change a message by a token, if there is one; else nothing can be done until somebody taps it."""
        way = await self._ways.to_message(view.chat, view.message)
        if way is not None:
            token, original = way
            await self._change(token, _Original() if original else int(view.message), look, picture)

    async def retire(self, view: View) -> None:
        """A message that shows its table no more: one line takes the place of the board. Best effort."""
        look = said(words(view.language).say("The board went on to the end of the chat."))
        try:
            if view.thread == GUEST:
                await self._edit_as_guest(look, None, view)
            else:
                await (await self._partial(view)).edit(view=look, attachments=[], allowed_mentions=NOBODY)
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.debug("discord_not_retired", chat=view.chat, why=type(error).__name__)

    # -- where ---------------------------------------------------------------------------------------------------------

    async def _partial(self, view: View) -> discord.PartialMessage:
        channel = self._line.client.get_partial_messageable(await self._channel(view.chat))
        return channel.get_partial_message(int(view.message))

    async def _channel(self, chat: str) -> int:
        if not chat.startswith(DIRECT):
            return int(chat)
        if chat not in self._direct:
            self.learn(chat, (await self._line.client.create_dm(discord.Object(int(chat.removeprefix(DIRECT))))).id)
        return self._direct[chat]

    def _server(self, view: View) -> int | None:
        """The server that a view is in, as far as the library knows it."""
        if view.thread == GUEST or view.chat.startswith(DIRECT):
            return None
        channel = self._line.client.get_channel(int(view.chat))
        guild = getattr(channel, "guild", None)
        return guild.id if isinstance(guild, discord.Guild) else None

    async def _viewer(self, table: Table, view: View, preferred: OfServer) -> Viewer:
        """Who reads a message: in direct messages that person; else everybody in the channel."""
        if not view.chat.startswith(DIRECT):
            return Viewer(preferred.language or view.language, public=True, style=preferred.style)
        person = f"{PLATFORM}:{view.chat.removeprefix(DIRECT)}"
        style = (await self._preferences.of_person(person)).style
        return Viewer(view.language, seats=table.seats_of(person), style=style)

    def learn(self, chat: str, channel: int) -> None:
        """The channel of somebody's direct messages."""
        self._direct[chat] = channel
        self._direct.move_to_end(chat)
        if len(self._direct) > _DIRECT:
            self._direct.popitem(last=False)

    def _webhook(self, token: str) -> discord.Webhook:
        return discord.Webhook.partial(self._line.client.application_id or 0, token, client=self._line.client)


def _look(scene: Scene, table: Table, view: View, chosen: Words) -> ui.LayoutView:
    return board(scene, chosen, guest=view.thread == GUEST, more=tuple(_seat(table, view, chosen)))


def _seat(table: Table, view: View, words: Words) -> Iterator[str]:
    """Who can take the free seat, where a Join button does not say it."""
    if not table.waiting or table.game.outcome is not None:
        return
    platform, _, account = table.reserved.partition(":")
    if account and platform == PLATFORM:
        yield words.say("The free seat is kept for {who}.", who=Phrase(f"<@{account}>"))
    elif view.chat.startswith(DIRECT) and not account:
        yield words.say("A friend can join from anywhere: /join {code}", code=Phrase(table.id))
