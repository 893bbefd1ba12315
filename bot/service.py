"""The service: everything wired together, started and stopped in the right order."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import signal
import sys
from collections.abc import Coroutine
from typing import Any

import structlog

from bot.adapters.web import Web
from bot.desk import Desk
from bot.session.pace import SharedBuckets
from bot.session.refresher import Refresher, Shower
from bot.session.server import RedisServer, embedded
from bot.session.signs import Signer, Signs
from bot.session.store import Store
from bot.session.tables import Tables
from bot.session.timekeeper import Timekeeper
from bot.settings import Settings, SettingsInvalid
from bot.thinking import WORKERS, Thinker, deciding
from core.ai.book import Book, BookError, chosen
from core.ai.think import limit_tables

log = structlog.get_logger()


def configure_logging(level: str) -> None:
    """Structured lines on standard error. Libraries may only warn: their debug lines hold addresses with tokens."""
    number = getattr(logging, level.upper())
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    for library in ("httpx", "httpcore", "telegram", "discord", "aiohttp"):
        logging.getLogger(library).setLevel(logging.WARNING)
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(number),
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.dev.ConsoleRenderer(colors=False)
            if sys.stderr.isatty()
            else structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"]),
        ],
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )


async def serve(settings: Settings) -> None:
    """Run until a signal.

    Raises ``NoServer``, ``FolderInUse``, ``WebUnavailable`` or ``SettingsInvalid`` when it cannot start.
    """
    try:
        book = chosen(settings.book)
    except BookError as error:
        raise SettingsInvalid(f"RENJU_BOOK: {error}") from None
    server: RedisServer | None = None
    if settings.redis_url is None:
        server = await embedded(settings.data_dir, fsync=settings.fsync)
    url = settings.redis_url.get_secret_value() if settings.redis_url is not None else server.url if server else ""
    store = Store(url)
    try:
        await _serve(settings, store, book)
    finally:
        await store.close()
        if server is not None:
            await server.close()


async def _serve(settings: Settings, store: Store, book: Book | None) -> None:
    tables = Tables(store)
    timekeeper = Timekeeper(tables)  # before anybody is let in: time owed is given back first
    desk = Desk(tables)
    web = Web(desk=desk, tables=tables, listen=settings.web_addr, public_url=settings.web_url)
    showers: dict[str, Shower] = {}
    signers: dict[str, Signer] = {}
    parts: dict[str, Coroutine[Any, Any, None]] = {}
    if settings.telegram_token is not None:
        # Imported here so that a service without Telegram starts without its library.
        from bot.adapters.telegram import Delivery, Telegram  # noqa: PLC0415

        webhook: Delivery | None = None
        if settings.telegram_webhook_url is not None:
            secret = settings.telegram_webhook_secret
            webhook = Delivery(
                url=settings.telegram_webhook_url,
                listen=settings.telegram_webhook_addr,
                secret=secret.get_secret_value() if secret is not None else "",
            )
        telegram = Telegram(
            token=settings.telegram_token.get_secret_value(),
            desk=desk,
            tables=tables,
            api_url=settings.telegram_api_url,
            webhook=webhook,
            cache_chat=settings.telegram_cache_chat or "",
            private_answers=settings.telegram_private_answers,
            # A store of its own kind means that other processes may use it, too.
            buckets=SharedBuckets(store, "tg") if settings.redis_url is not None else None,
        )
        showers |= telegram.showers
        signers["tg"] = telegram.typing
        parts["telegram"] = telegram.run()
    if settings.discord_token is not None:
        from bot.adapters.discord import Discord  # noqa: PLC0415 (the same)

        discord = Discord(
            token=settings.discord_token.get_secret_value(),
            desk=desk,
            tables=tables,
            api_url=settings.discord_api_url,
        )
        showers["dc"] = signers["dc"] = discord.shower
        parts["discord"] = discord.run()
    parts["refresher"] = Refresher(tables, showers).run()
    parts["timekeeper"] = timekeeper.run()
    limit_tables((settings.engine_memory << 20) // WORKERS)
    parts["thinker"] = Thinker(tables, decide=deciding(book), sign=Signs(tables, signers).thinking).run()
    parts["web"] = web.run()
    parts["greeting"] = _greet(web)
    # What is loaded by now stays: no later search for garbage need look through all of it.
    gc.collect()
    gc.freeze()
    await _until_stopped(parts)


async def _greet(web: Web) -> None:
    """Tell whoever typed the command where to go, once there is something to see."""
    await web.started.wait()
    print(f"Renju Bot is ready: open {web.url} in a browser. Ctrl-C stops it.", flush=True)


async def _until_stopped(parts: dict[str, Coroutine[Any, Any, None]]) -> None:
    """Run every part; a signal stops all of them, a fault in one stops all and is raised."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    waiting = asyncio.create_task(stopped.wait(), name="signal")
    tasks = [asyncio.create_task(part, name=name) for name, part in parts.items()]
    try:
        # A chat may end by itself (a wrong token, said in the log): the rest goes on.
        pending: set[asyncio.Task[Any]] = {waiting, *tasks}
        while waiting in pending:
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            for task in done - {waiting}:
                task.result()
    finally:
        for task in (waiting, *tasks):
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(waiting, *tasks, return_exceptions=True)
