"""The answer to a tap: each is given once, and none while Telegram asks for quiet.

An answer names no chat, so a refusal of one holds back all answers; the chat of the tapped board is left alone as long.
"""

from __future__ import annotations

import asyncio
from typing import Final

import structlog
from telegram import Bot, CallbackQuery
from telegram.error import BadRequest, NetworkError, RetryAfter

from bot.adapters.telegram.sending import Sending, seconds_of

log = structlog.get_logger("renju.telegram")

#: How often an answer is tried when Telegram asks to wait or cannot be reached, and the pause for the latter.
_TRIES: Final = 4
_BREATH: Final = 0.5
#: After how many seconds a tap can no longer be answered.
_LATE: Final = 10.0


class Answers:
    """Gives answers to taps."""

    def __init__(self, bot: Bot, sending: Sending) -> None:
        self._bot = bot
        self._sending = sending
        self._quiet_until = 0.0
        self._in_turn = asyncio.Lock()

    async def give(self, query: CallbackQuery, text: str, *, alert: bool) -> None:
        """Answer a tap, unless that is possible too late only."""
        loop = asyncio.get_running_loop()
        late = loop.time() + _LATE
        for _ in range(_TRIES):
            if self._quiet_until <= loop.time():
                if await self._tried(query, text, alert=alert):
                    return
                continue
            async with self._in_turn:  # all at once would be refused again
                if self._quiet_until > late:
                    break
                await asyncio.sleep(max(0.0, self._quiet_until - loop.time()))
                if await self._tried(query, text, alert=alert):
                    return
        log.info("telegram_tap_not_answered", why="Telegram asked to wait, or could not be reached")

    async def _tried(self, query: CallbackQuery, text: str, *, alert: bool) -> bool:
        """Whether there is nothing more to be done."""
        try:
            await self._bot.answer_callback_query(query.id, text or None, show_alert=alert or None)
        except RetryAfter as error:
            seconds = seconds_of(error)
            self._quiet_until = max(self._quiet_until, asyncio.get_running_loop().time() + seconds)
            await self._sending.halt(_chat_of(query), seconds)
            return False
        except BadRequest as error:
            if "query is too old" not in error.message.lower():
                log.error("telegram_answer_refused", why=error.message)
        except NetworkError:
            await asyncio.sleep(_BREATH)
            return False
        return True


def _chat_of(query: CallbackQuery) -> str:
    """By what the pace knows the place of the message that was tapped."""
    if query.message is not None:
        return str(query.message.chat.id)
    return query.inline_message_id or ""
