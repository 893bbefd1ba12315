"""Telegram: the connection, and the parts that work on it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

import structlog
from telegram.error import InvalidToken, RetryAfter, TelegramError

from bot.adapters.telegram.aside import Aside
from bot.adapters.telegram.cache import CacheChat
from bot.adapters.telegram.hearing import Hearing
from bot.adapters.telegram.helping import Elsewhere
from bot.adapters.telegram.inline_board import INLINE, InlineShower
from bot.adapters.telegram.lean import LeanBot
from bot.adapters.telegram.pace import Pace
from bot.adapters.telegram.poller import Poller
from bot.adapters.telegram.preferences import Preferences
from bot.adapters.telegram.registering import register
from bot.adapters.telegram.replies import Replies
from bot.adapters.telegram.sending import Alone, Together, seconds_of
from bot.adapters.telegram.shower import GIVEN_UP, TelegramShower
from bot.adapters.telegram.transport import AiohttpRequest
from bot.adapters.telegram.typing import Typing
from bot.adapters.telegram.webhook import Webhook, WebhookUnavailable, secret_of
from bot.desk import Desk
from bot.session.pace import SharedBuckets
from bot.session.refresher import Shower
from bot.session.tables import Tables

log = structlog.get_logger("renju.telegram")

OFFICIAL: Final = "https://api.telegram.org"
#: How long what is being sent may take when the adapter is stopped, in seconds.
_FAREWELL: Final = 2.0
#: The longest pause between tries to reach Telegram at the start, in seconds.
_LONGEST: Final = 30.0


@dataclass(frozen=True, slots=True)
class Delivery:
    """Where Telegram delivers updates by itself."""

    url: str
    """The public address, with a path."""
    listen: str
    """Where this process listens for it."""
    secret: str = ""
    """What every delivery must know; empty: one made from the token."""


class Telegram:
    """The adapter. Run :meth:`run`; give :attr:`showers` to the refresher and :attr:`typing` to the signs.

    ``api_url``: a self-hosted Bot API server, which may allow another ``pace`` than the official one.
    ``buckets``: the pace of all processes together, where there are several. ``cache_chat``: where pictures are
    sent first that are to be shown in chats without the bot; without one, boards there are drawn in letters.
    ``private_answers``: whether what concerns one member of a group is said to them alone, where the server knows how.
    """

    def __init__(
        self,
        *,
        token: str,
        desk: Desk,
        tables: Tables,
        api_url: str | None = None,
        pace: Pace | None = None,
        webhook: Delivery | None = None,
        buckets: SharedBuckets | None = None,
        cache_chat: str = "",
        private_answers: bool = False,
    ) -> None:
        base = (api_url or OFFICIAL).rstrip("/")
        self._bot = LeanBot(
            token,
            base_url=f"{base}/bot",
            base_file_url=f"{base}/file/bot",
            polling=AiohttpRequest(connections=2),
        )
        alone = pace or Pace()
        sending = Alone(alone) if buckets is None else Together(alone, buckets)
        preferences = Preferences(tables)
        self.shower = TelegramShower(self._bot, tables, sending, preferences)
        cache = CacheChat(self._bot, cache_chat, self.shower.pictures, sending)
        inline = InlineShower(self._bot, tables, sending, cache, self.shower)
        self.showers: dict[str, Shower] = {"tg": self.shower, INLINE: inline}
        self.typing: Final = Typing(self._bot, sending, self.shower)
        self._replies = Replies(self._bot, sending, self.shower, Aside(self._bot, sending, on=private_answers))
        self._clock = tables.clock
        self.webhook: Webhook | None = None
        self._hearing = Hearing(
            self._bot, desk, tables, self.shower, self._replies, inline=inline, preferences=preferences
        )

        if webhook is not None:
            secret = webhook.secret or secret_of(token)
            handle, clock = self._hearing.update, tables.clock
            self.webhook = Webhook(self._bot, handle, clock, url=webhook.url, secret=secret, listen=webhook.listen)

    async def run(self) -> None:
        """Work until cancelled, or until Telegram does not know the token, or nothing can be listened for: that is said
        once, and is the end here.
        """
        try:
            await self._connect()
            me = self._bot.bot
            self._hearing.named(
                self._bot.username,
                elsewhere=Elsewhere.of(inline=bool(me.supports_inline_queries), guest=bool(me.supports_guest_queries)),
            )
            self.shower.closed_for = None
            log.info("telegram_connected", bot=f"@{self._bot.username}")
            self._replies.later(register(self._bot))
            if self.webhook is not None:
                await self.webhook.run()
            else:
                await Poller(self._bot, self._hearing.update, self._clock).run()
        except InvalidToken:
            log.error("telegram_token_invalid", hint="check TELEGRAM_TOKEN; @BotFather shows the right one")
        except WebhookUnavailable as error:
            log.error("telegram_webhook_unavailable", why=str(error), hint="TELEGRAM_WEBHOOK_ADDR says where to listen")
        finally:
            self.shower.closed_for = GIVEN_UP
            await self._replies.close(_FAREWELL)
            await self._bot.shutdown()

    async def _connect(self) -> None:
        """Open the connection, however long Telegram cannot be reached. Raises ``InvalidToken``."""
        pause = 0.5
        while True:
            try:
                await self._bot.initialize()
                if self.webhook is None:
                    await self._bot.delete_webhook()  # while one is set, nobody may ask for updates
                return
            except InvalidToken:
                raise
            except RetryAfter as error:
                await asyncio.sleep(seconds_of(error))
            except TelegramError as error:
                if pause == 0.5:
                    log.warning("telegram_unreachable", why=error.message)
                await asyncio.sleep(pause)
                pause = min(_LONGEST, pause * 2)
