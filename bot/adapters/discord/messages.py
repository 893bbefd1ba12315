"""Boards as messages: sent, changed and taken back, by the bot's own right or by the token of an interaction."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

import aiohttp
import discord
import structlog
from discord import ui

from bot.adapters.discord.layout import said
from bot.adapters.discord.line import Line
from bot.adapters.discord.pace import Pace
from bot.adapters.discord.reading import DIRECT, GUEST
from bot.adapters.discord.replies import files
from bot.adapters.discord.ways import Ways
from bot.session.refresher import Later, Sent, Shown, Unreachable
from bot.session.table import Table, View
from bot.words import words

log = structlog.get_logger("renju.discord")

#: No name in a text calls anybody.
NOBODY: Final = discord.AllowedMentions.none()
#: Of how many people the channel of their direct messages is known; of how many channels whether the bot is in them.
_DIRECT: Final = 4096
_CHANNELS: Final = 4096
_UNKNOWN_MESSAGE: Final = 10008
_THREAD_IS_ARCHIVED: Final = 50083
#: How long a nonce may be.
_NONCE: Final = 25


class _Original(int):
    """Names the answer of an interaction where the library wants the number of a message."""

    def __format__(self, spec: str) -> str:
        return "@original"


class Messages:
    """Sends and changes the messages of views. Raises what the library raises."""

    def __init__(self, line: Line, ways: Ways, pace: Pace) -> None:
        self._line = line
        self._ways = ways
        self._pace = pace
        self._direct: OrderedDict[str, int] = OrderedDict()
        self._member: OrderedDict[str, bool] = OrderedDict()

    async def send(
        self,
        look: ui.LayoutView,
        picture: bytes,
        table: Table,
        view: View,
        *,
        silent: bool = False,
        calls: discord.AllowedMentions = NOBODY,
    ) -> Shown:
        """A new message: in place of "thinking" where somebody waits for it, else at the end of the chat.

        One that takes the place of another (``view.message``) is sent once, however often this is called for it.
        """
        token = await self._ways.answer(table.id, view.chat)
        if token is not None:
            sent = await self._change(token, _Original(), look, picture)
            await self._ways.answered(table.id, view.chat)
            if sent is not None:
                if view.thread == GUEST:
                    await self._ways.keep(view.chat, sent, token)
                return Sent(sent)
        if not self.owns(view):
            return await self._send_as_guest(look, picture, view)
        wait = self._pace.ask(view.chat)
        if wait:
            return Later(wait)
        # The number makes a message that was sent twice one, if Discord hears of it again within minutes.
        nonce = f"{view.id}{view.message[-(_NONCE - len(view.id)) :]}"
        try:
            message = await (await self._channel(view.chat)).send(
                view=look, files=files(picture), nonce=nonce, silent=silent, allowed_mentions=calls
            )
        except discord.Forbidden:
            token = await self._ways.to_chat(view.chat)
            if token is None:
                raise
            # Whoever has just asked for a board lets the bot answer, though it may send nothing by itself.
            return await self._send_by(token, look, picture, view)
        return Sent(str(message.id))

    async def edit(self, look: ui.LayoutView, picture: bytes, table: Table, view: View, *, silent: bool) -> Shown:
        """Change the view's message. One that somebody has deleted is sent anew: once, since the new one takes its
        place; a thread that sleeps is woken.
        """
        if not self.owns(view):
            return await self._edit_as_guest(look, picture, view)
        wait = self._pace.ask(view.chat)
        if wait:
            return Later(wait)
        try:
            await self._edit(look, picture, view)
        except discord.NotFound as error:
            if error.code != _UNKNOWN_MESSAGE:
                raise
            log.info("discord_board_sent_anew", chat=view.chat)
            self._pace.give(view.chat)  # the message that is gone is not asked for again
            return await self.send(look, picture, table, view, silent=silent)
        except discord.HTTPException as error:
            if error.code != _THREAD_IS_ARCHIVED or not await self._woken(view):
                raise
            await self._edit(look, picture, view)
        return Sent(view.message)

    async def _edit(self, look: ui.LayoutView, picture: bytes, view: View) -> None:
        message = (await self._channel(view.chat)).get_partial_message(int(view.message))
        await message.edit(view=look, attachments=files(picture), allowed_mentions=NOBODY)

    async def _woken(self, view: View) -> bool:
        """Take a thread out of the archive. ``False``: it is no thread. Raises ``Forbidden`` where it is locked."""
        thread = await self._line.client.fetch_channel(int(view.chat))
        if not isinstance(thread, discord.Thread):
            return False
        await thread.edit(archived=False)
        return True

    async def retire(self, view: View) -> None:
        """A message that shows its table no more: one line takes the place of the board. Best effort."""
        look = said(words(view.language).say("The board went on to the end of the chat."))
        try:
            if not self.owns(view):
                way = await self._ways.to_message(view.chat, view.message)
                if way is not None:
                    await self._change(way[0], _named(way, view), look, None)
            else:
                message = (await self._channel(view.chat)).get_partial_message(int(view.message))
                await message.edit(view=look, attachments=[], allowed_mentions=NOBODY)
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.debug("discord_not_retired", chat=view.chat, why=type(error).__name__)

    async def tell(self, view: View, text: str) -> None:
        """One line to everybody who sees a board, under it. Best effort."""
        if not self.owns(view) or self._pace.ask(view.chat):
            return
        try:
            await (await self._channel(view.chat)).send(view=said(text), allowed_mentions=NOBODY)
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.info("discord_not_told", chat=view.chat, why=type(error).__name__)

    async def thinking(self, view: View) -> None:
        """Let the channel show for ten seconds that the bot is typing; a guest cannot. Best effort."""
        if not self.owns(view) or self._pace.ask(view.chat):
            return
        try:
            await (await self._channel(view.chat)).typing()
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.debug("discord_sign_not_given", chat=view.chat, why=type(error).__name__)

    # -- by tokens -----------------------------------------------------------------------------------------------------

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
        return Unreachable() if token is None else await self._send_by(token, look, picture, view)

    async def _send_by(self, token: str, look: ui.LayoutView, picture: bytes, view: View) -> Shown:
        try:
            message = await self._follow_up(token, look, picture)
            if message.flags.ephemeral:  # it took the place of a "thinking" that one person alone sees
                message = await self._follow_up(token, look, picture)
        except discord.HTTPException as error:
            if error.status >= 500:
                raise
            log.info("discord_guest_silenced", chat=view.chat, status=error.status, code=error.code)
            return Unreachable()
        if view.thread == GUEST:
            await self._ways.keep(view.chat, str(message.id), token, original=False)
        return Sent(str(message.id))

    async def _follow_up(self, token: str, look: ui.LayoutView, picture: bytes) -> discord.WebhookMessage:
        return await self._webhook(token).send(view=look, files=files(picture), wait=True, allowed_mentions=NOBODY)

    async def _edit_as_guest(self, look: ui.LayoutView, picture: bytes, view: View) -> Shown:
        """Change a message by a token, if there is one; else nothing can be done until somebody taps it.

        A message that cannot be changed by its token has been deleted, or the token is too old: it is not used again.
        """
        way = await self._ways.to_message(view.chat, view.message)
        if way is not None and await self._change(way[0], _named(way, view), look, picture) is None:
            self._ways.useless(way[0])
        return Sent(view.message)

    def _webhook(self, token: str) -> discord.Webhook:
        return discord.Webhook.partial(self._line.client.application_id or 0, token, client=self._line.client)

    # -- where ---------------------------------------------------------------------------------------------------------

    def owns(self, view: View) -> bool:
        """Whether the bot changes the message by its own right; as a guest it can once it has been let in."""
        if view.thread != GUEST:
            return True
        if view.chat in self._member:
            return self._member[view.chat]
        channel = self._line.client.get_channel(int(view.chat))
        if not isinstance(channel, (discord.abc.GuildChannel, discord.Thread)):
            return False
        return channel.permissions_for(channel.guild.me).view_channel

    async def _channel(self, chat: str) -> discord.PartialMessageable:
        return self._line.client.get_partial_messageable(await self.number(chat))

    async def number(self, chat: str) -> int:
        """The channel of a chat; that of direct messages is opened first."""
        if not chat.startswith(DIRECT):
            return int(chat)
        if chat not in self._direct:
            self.learn(chat, (await self._line.client.create_dm(discord.Object(int(chat.removeprefix(DIRECT))))).id)
        return self._direct[chat]

    def stands(self, chat: str, *, member: bool) -> None:
        """How it is in a channel now: the bot is in it and sees it, or is a guest."""
        self._member[chat] = member
        self._member.move_to_end(chat)
        if len(self._member) > _CHANNELS:
            self._member.popitem(last=False)

    def learn(self, chat: str, channel: int) -> None:
        """The channel of somebody's direct messages."""
        self._direct[chat] = channel
        self._direct.move_to_end(chat)
        if len(self._direct) > _DIRECT:
            self._direct.popitem(last=False)


def _named(way: tuple[str, bool], view: View) -> int:
    """The message that a token changes: the answer of its interaction, or one that was sent later."""
    return _Original() if way[1] else int(view.message)
