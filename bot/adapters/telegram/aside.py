"""Words that one member of a group alone sees, in the group (ephemeral messages, Bot API 10.3).

The library knows no field for them yet, so it is added raw, and only where the operator has switched them on. What is
said there has been said in the usual way, shorter, or is said in the usual way if this one fails.
"""

from __future__ import annotations

import structlog
from telegram import Bot, InlineKeyboardMarkup
from telegram.error import RetryAfter, TelegramError

from bot.adapters.telegram.sending import Sending, seconds_of

log = structlog.get_logger("renju.telegram")


class Aside:
    """Says something to one member of a group. ``on``: whether the operator wants that."""

    def __init__(self, bot: Bot, sending: Sending, *, on: bool) -> None:
        self._bot = bot
        self._sending = sending
        self._on = on

    async def tell(
        self,
        chat: int,
        thread: int | None,
        account: int,
        text: str,
        keyboard: InlineKeyboardMarkup | None = None,
        *,
        tap: str = "",
    ) -> bool:
        """Whether it was said; ``tap``: the query of the tap that caused it. Raises nothing of Telegram's."""
        if not self._on or chat >= 0 or await self._sending.ask(str(chat), spare=1):
            return False
        to: dict[str, object] = {"receiver_user_id": account}
        if tap:
            to["callback_query_id"] = tap
        try:
            said = await self._bot.send_message(
                chat,
                text,
                message_thread_id=thread,
                reply_markup=keyboard,
                api_kwargs={"ephemeral_message_parameters": to},
            )
        except RetryAfter as error:
            await self._sending.halt(str(chat), seconds_of(error))
            return False
        except TelegramError as error:  # also where the server knows no such thing
            log.info("telegram_not_said_aside", why=error.message)
            return False
        if said.message_id and "ephemeral_message_id" not in said.api_kwargs:
            # A server from before Bot API 10.3 passes over what it does not know, and everybody reads it: never again.
            self._on = False
            log.warning("telegram_said_to_everybody", hint="this server cannot do what TELEGRAM_PRIVATE_ANSWERS asks")
        return True
