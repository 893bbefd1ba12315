"""``renju doctor``: checks what the service needs, and says how to mend each fault."""

from __future__ import annotations

import argparse
import asyncio
import platform
import shutil
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bot import settings as operator

if TYPE_CHECKING:
    import aiohttp

Answer = dict[str, Any]
"""What the Bot API says, as it writes it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked."""

    what: str
    fault: str = ""
    """Empty: it is well."""
    mend: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(_arguments: argparse.Namespace) -> int:
    """Print a line for each check; 0 when all is well, 1 otherwise."""
    try:
        settings = operator.read()
    except operator.SettingsInvalid as error:
        print(f"FAULT  settings: {error}\n       Mend the variable or the line in .env.")
        return 1
    findings = list(_local(settings)) + asyncio.run(_remote(settings))
    for finding in findings:
        print(f"{'FAULT' if finding.fault else 'ok   '}  {finding.what}{': ' + finding.fault if finding.fault else ''}")
        if finding.mend:
            print(f"       {finding.mend}")
    return 1 if any(finding.fault for finding in findings) else 0


def _local(settings: operator.Settings) -> Iterator[Finding]:
    version = sys.version_info[:2]
    fits = (3, 11) <= version <= (3, 13)
    yield Finding(
        f"Python {platform.python_version()}",
        "" if fits else "not one of 3.11, 3.12, 3.13",
        "" if fits else "Make the environment anew with another one: make clean run PYTHON=python3.12",
    )
    yield _kernels()
    yield _disk(settings)
    yield _web_port(settings)
    yield _book(settings)


def _kernels() -> Finding:
    from core.jit import CACHE  # noqa: PLC0415 (importing it settles the folder)

    if CACHE is None:
        return Finding("compiled kernels", "no folder for them can be written", "Set NUMBA_CACHE_DIR to one that can.")
    if not (CACHE / "ready").exists():
        return Finding("compiled kernels: not yet (the first start, or renju warm, compiles them)")
    return Finding(f"compiled kernels in {CACHE}")


def _disk(settings: operator.Settings) -> Finding:
    folder = settings.data_dir
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return Finding(
            f"data folder {folder}", error.strerror or "cannot be used", "Set RENJU_DATA_DIR to one that can."
        )
    if free < 100_000_000:
        return Finding(f"data folder {folder}", f"only {free // 1_000_000} MB free", "Make room on its disk.")
    return Finding(f"data folder {folder}")


def _web_port(settings: operator.Settings) -> Finding:
    host, _, port = settings.web_addr.rpartition(":")
    try:
        family = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)[0]
        with socket.socket(family[0], socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(family[4])
    except OSError as error:
        mend = "Is the service running already? Otherwise set RENJU_WEB_ADDR to a free address."
        return Finding(f"web address {settings.web_addr}", error.strerror or "cannot be used", mend)
    return Finding(f"web address {settings.web_addr}")


def _book(settings: operator.Settings) -> Finding:
    from core.ai.book import BookError, chosen  # noqa: PLC0415 (loads the compiler)

    what = "opening book"
    try:
        book = chosen(settings.book)
    except BookError as error:
        return Finding(what, str(error), "Set RENJU_BOOK to own, off, or the path of a book.")
    return Finding(f"{what} ({len(book)} positions)" if book is not None else f"{what} (off)")


async def _remote(settings: operator.Settings) -> list[Finding]:
    checks: list[Callable[[operator.Settings], Awaitable[Finding]]] = [_storage, _telegram, _discord]
    findings = [await check(settings) for check in checks]
    if settings.telegram_token is not None and settings.telegram_cache_chat:
        findings.append(await _cache_chat(settings, settings.telegram_cache_chat))
    return findings


async def _storage(settings: operator.Settings) -> Finding:
    if settings.redis_url is None:
        from bot.session.server import NoServer, find_server  # noqa: PLC0415

        try:
            return Finding(f"embedded storage: {find_server()}")
        except NoServer as error:
            return Finding("embedded storage", str(error))
    from bot.session.store import Store  # noqa: PLC0415

    store = Store(settings.redis_url.get_secret_value())
    try:
        await store.call("PING")
    except Exception as error:
        return Finding("storage at REDIS_URL", type(error).__name__, "Is the server running, and the address right?")
    finally:
        await store.close()
    return Finding("storage at REDIS_URL")


async def _telegram(settings: operator.Settings) -> Finding:
    if settings.telegram_token is None:
        return Finding("Telegram: not set up (TELEGRAM_TOKEN is empty)")
    import aiohttp  # noqa: PLC0415

    try:
        body = await _ask_telegram(settings, "getMe")
    except (aiohttp.ClientError, TimeoutError, ValueError) as error:
        # The error's own text holds the address and so the token.
        return Finding(
            "Telegram", f"cannot be reached ({type(error).__name__})", "Check the network, TELEGRAM_API_URL."
        )
    if not body.get("ok"):
        return Finding("Telegram", "the token is refused", "Copy TELEGRAM_TOKEN from @BotFather again.")
    return Finding(f"Telegram: @{body['result'].get('username', '?')}")


async def _cache_chat(settings: operator.Settings, chat: str) -> Finding:
    """Whether a picture can be sent there: one is, silently, and deleted again; nothing else would tell surely."""
    import aiohttp  # noqa: PLC0415

    from bot.render import png  # noqa: PLC0415
    from bot.scene import BoardPicture  # noqa: PLC0415

    what = f"Telegram cache chat {chat}"
    form = aiohttp.FormData({"chat_id": chat, "disable_notification": "true"})
    form.add_field("photo", png(BoardPicture()), filename="renju.png", content_type="image/png")
    try:
        sent = await _ask_telegram(settings, "sendPhoto", form)
        if sent.get("ok"):
            message = {"chat_id": sent["result"]["chat"]["id"], "message_id": sent["result"]["message_id"]}
            await _ask_telegram(settings, "deleteMessage", aiohttp.FormData(message))
            return Finding(f"{what}: takes pictures")
    except (aiohttp.ClientError, TimeoutError, ValueError) as error:
        return Finding(what, f"cannot be reached ({type(error).__name__})", "Check the network, TELEGRAM_API_URL.")
    known = sent.get("parameters") or {}
    if "migrate_to_chat_id" in known:
        return Finding(what, "has become a supergroup", f"Set TELEGRAM_CACHE_CHAT={known['migrate_to_chat_id']}.")
    if "retry_after" in known:
        return Finding(what, "is busy", f"Telegram asks to try again in {known['retry_after']} seconds.")
    why = str(sent.get("description", "refused")).partition(": ")
    mend = (
        "Add the bot to that group, or to that channel as an administrator, and let it send photos; "
        "or write to the bot from that account. TELEGRAM_CACHE_CHAT is its number."
    )
    return Finding(what, why[2] or why[0], mend)


async def _ask_telegram(settings: operator.Settings, method: str, form: aiohttp.FormData | None = None) -> Answer:
    """What the Bot API answers. Raises ``aiohttp.ClientError``, ``TimeoutError``, ``ValueError``."""
    import aiohttp  # noqa: PLC0415

    token = "" if settings.telegram_token is None else settings.telegram_token.get_secret_value()
    base = (settings.telegram_api_url or "https://api.telegram.org").rstrip("/")
    async with (
        aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=10)) as session,
        session.post(f"{base}/bot{token}/{method}", data=form) as answer,
    ):
        body = await answer.json(content_type=None)
    return body if isinstance(body, dict) else {}


async def _discord(settings: operator.Settings) -> Finding:
    if settings.discord_token is None:
        return Finding("Discord: not set up (DISCORD_TOKEN is empty)")
    import aiohttp  # noqa: PLC0415

    from bot.adapters.discord.address import api_base  # noqa: PLC0415

    headers = {"Authorization": f"Bot {settings.discord_token.get_secret_value().strip()}"}
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=10), headers=headers) as session,
            session.get(f"{api_base(settings.discord_api_url)}/users/@me") as answer,
        ):
            status, body = answer.status, await answer.json(content_type=None)
    except (aiohttp.ClientError, TimeoutError, ValueError) as error:
        return Finding("Discord", f"cannot be reached ({type(error).__name__})", "Check the network, DISCORD_API_URL.")
    if status == 401:
        mend = "Copy DISCORD_TOKEN again: developer portal, Bot, Reset Token. It is neither the id nor the public key."
        return Finding("Discord", "the token is refused", mend)
    if status != 200 or not isinstance(body, dict):
        return Finding("Discord", f"answers with status {status}", "Try again in a while.")
    return Finding(f"Discord: {body.get('username', '?')}")
