"""A sign that the engine thinks: the chat says for five seconds that the bot is typing."""

from __future__ import annotations

from typing import Final

import structlog
from telegram import Bot
from telegram.constants import ChatAction
from telegram.error import RetryAfter, TelegramError

from bot.adapters.telegram.sending import Sending, seconds_of
from bot.adapters.telegram.shower import TelegramShower
from bot.session.table import View

log = structlog.get_logger("renju.telegram")

#: So many messages must remain possible after it: the answer that it announces.
_SPARE: Final = 1


class Typing:
    """The signs of platform ``tg``. Messages that were sent by somebody else (``tgi``) have none."""

    def __init__(self, bot: Bot, pace: Sending, shower: TelegramShower) -> None:
        self._bot = bot
        self._pace = pace
        self._shower = shower

    async def thinking(self, view: View) -> None:
        """Show it in the view's chat and topic, unless the chat has had much of late."""
        if self._shower.closed_for is not None or await self._pace.ask(view.chat, spare=_SPARE):
            return
        thread = int(view.thread) if view.thread else None
        try:
            await self._bot.send_chat_action(view.chat, ChatAction.TYPING, message_thread_id=thread)
        except RetryAfter as error:
            await self._pace.halt(view.chat, seconds_of(error))
        except TelegramError as error:
            log.debug("telegram_sign_not_given", chat=view.chat, why=error.message)
