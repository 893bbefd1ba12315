"""Takes updates that Telegram delivers by itself: instead of asking for them, where the service has a public address.

An update is confirmed (200) only after it has been handled (promise 2). What comes twice is handled once; updates of
one chat are handled in the order they come in.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

import structlog
from aiohttp import web
from telegram import Bot, Update
from telegram.error import InvalidToken, RetryAfter, TelegramError

from bot.adapters.telegram.arriving import update_of
from bot.adapters.telegram.poller import ALLOWED
from bot.adapters.telegram.sending import seconds_of

log = structlog.get_logger("renju.telegram")

_HEADER: Final = "X-Telegram-Bot-Api-Secret-Token"
#: No update is larger, in bytes.
_LARGEST: Final = 1 << 20
#: How many handled updates are known again when they come once more.
_KNOWN: Final = 2000
#: How many deliveries Telegram makes at once.
_AT_ONCE: Final = 40
_LONGEST: Final = 30.0
#: How long deliveries that are being handled may take when serving ends, in seconds; after it they come again.
_FAREWELL: Final = 2.0


class WebhookUnavailable(Exception):
    """The address to listen at cannot be had; the message is one line."""


def secret_of(token: str) -> str:
    """A secret for deliveries that every process with the same token arrives at."""
    return hmac.digest(token.encode(), b"renju webhook", hashlib.sha256).hex()


class Webhook:
    """Serves deliveries until cancelled. ``handle`` is given each update once, with the moment it arrived here by the
    ``clock`` (milliseconds since 1970), and raises nothing.

    ``url`` is the public address; ``listen`` (``127.0.0.1:8081``) is where a proxy passes it on to, with its path.
    """

    def __init__(
        self,
        bot: Bot,
        handle: Callable[[Update, int], Awaitable[None]],
        clock: Callable[[], int],
        *,
        url: str,
        secret: str,
        listen: str,
    ) -> None:
        self._bot = bot
        self._handle = handle
        self._clock = clock
        self._url = url
        self._secret = secret
        self._listen = listen
        self._handled: dict[int, None] = {}
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self.port = 0
        """Where it listens, once it does."""

    async def run(self) -> None:
        """Serve. Raises ``InvalidToken``, :class:`WebhookUnavailable`."""
        app = web.Application(client_max_size=_LARGEST)
        app.router.add_post(urlsplit(self._url).path or "/", self._delivered)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=_FAREWELL)
        await runner.setup()
        host, _, port = self._listen.rpartition(":")
        try:
            try:
                await web.TCPSite(runner, host.strip("[]"), int(port)).start()
            except OSError as error:
                raise WebhookUnavailable(f"cannot listen at {self._listen}: {error.strerror or error}") from None
            self.port = int(runner.addresses[0][1])
            await self._announce()
            await asyncio.Event().wait()
        finally:
            await runner.cleanup()

    async def _announce(self) -> None:
        """Tell Telegram where to deliver, however long it cannot be reached."""
        pause = 0.5
        while True:
            try:
                await self._bot.set_webhook(
                    self._url, secret_token=self._secret, allowed_updates=ALLOWED, max_connections=_AT_ONCE
                )
            except InvalidToken:
                raise
            except RetryAfter as error:
                await asyncio.sleep(seconds_of(error))
            except TelegramError as error:
                if pause == 0.5:
                    log.warning("telegram_webhook_refused", why=error.message)
                await asyncio.sleep(pause)
                pause = min(_LONGEST, pause * 2)
            else:
                log.info("telegram_webhook_set", url=self._url)
                return

    async def _delivered(self, request: web.Request) -> web.Response:
        arrived = self._clock()
        if not hmac.compare_digest(request.headers.get(_HEADER, "").encode(), self._secret.encode()):
            return web.Response(status=403)
        try:
            update = update_of(json.loads(await request.read()), self._bot)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            # Asked for again and again it would stop all that comes after it.
            log.error("telegram_update_unreadable", why=str(error))
            return web.Response()
        await self._once(update, arrived)
        return web.Response()

    async def _once(self, update: Update, arrived: int) -> None:
        chat, user = update.effective_chat, update.effective_user
        place = chat.id if chat is not None else user.id if user is not None else 0
        lock = self._locks.get(place)
        if lock is None:
            lock = self._locks[place] = asyncio.Lock()
        async with lock:
            if update.update_id in self._handled:
                return
            await self._handle(update, arrived)
            self._handled[update.update_id] = None
        while len(self._handled) > _KNOWN:
            del self._handled[next(iter(self._handled))]
