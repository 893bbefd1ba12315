"""Short words beside a board: whose turn it is, who is gone. Not worth more than one try each."""

from __future__ import annotations

import asyncio

import structlog
from telegram import Bot, MessageEntity, ReplyParameters
from telegram.error import RetryAfter, TelegramError

from bot.adapters.telegram.calling import mention
from bot.adapters.telegram.reading import quiet
from bot.adapters.telegram.sending import Sending, seconds_of, turn
from bot.session.table import Person, Table, View
from bot.session.tables import Tables
from bot.words import Words

log = structlog.get_logger("renju.telegram")


class Telling:
    """Replies to boards, in their chat and topic."""

    def __init__(self, bot: Bot, tables: Tables, sending: Sending) -> None:
        self._bot = bot
        self._tables = tables
        self._sending = sending

    async def call(self, person: Person, table: Table, view: View, words: Words) -> None:
        """Call somebody by name, unless the game has gone on meanwhile."""
        text = quiet(words.say("{who}, it is your turn.", who=person.name))
        if wait := await self._sending.ask(view.chat, spare=1):
            await asyncio.sleep(wait)
            newest = await self._tables.get(table.id)
            if newest != table or await self._sending.ask(view.chat, spare=1):
                return
        await self._send(view, text, mention(text, person, text))

    async def tell(self, view: View, text: str) -> None:
        """Say something to all who see a board."""
        await turn(self._sending, view.chat)
        await self._send(view, quiet(text))

    async def _send(self, view: View, text: str, entity: MessageEntity | None = None) -> None:
        try:
            await self._bot.send_message(
                int(view.chat),
                text,
                entities=None if entity is None else [entity],
                message_thread_id=int(view.thread) if view.thread else None,
                reply_parameters=ReplyParameters(int(view.message), allow_sending_without_reply=True),
            )
        except RetryAfter as error:
            await self._sending.halt(view.chat, seconds_of(error))
        except TelegramError as error:
            log.info("telegram_not_told", chat=view.chat, why=error.message)
