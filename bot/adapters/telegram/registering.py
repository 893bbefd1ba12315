"""Tells Telegram the commands: for each audience and language those that work there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import structlog
from telegram import Bot, BotCommand
from telegram.error import BadRequest, NetworkError, RetryAfter, TelegramError

from bot.adapters.telegram.naming import Audience, described
from bot.adapters.telegram.sending import seconds_of
from bot.words import LANGUAGES, words

log = structlog.get_logger("renju.telegram")

T = TypeVar("T")

#: How often a call is made when Telegram asks to wait or cannot be reached, and the pause for the latter, in seconds.
_TRIES: Final = 5
_BREATH: Final = 2.0


async def register(bot: Bot) -> None:
    """Bring every list up to date. What stands there already is left alone, and a list that cannot be set is said to
    the operator: the bot works without it.
    """
    for audience in Audience:
        for language in LANGUAGES:
            try:
                await _list(bot, audience, language)
            except TelegramError as error:
                where = f"{audience.name.lower()}, {language}"
                log.warning("telegram_commands_not_listed", where=where, why=error.message)


async def _list(bot: Bot, audience: Audience, language: str) -> None:
    """One list; English is also for those whose language we do not speak."""
    chosen, scope = words(language), audience.scope
    code = None if language == "en" else language.partition("_")[0]
    wanted = tuple(BotCommand(command, described(chosen, command)) for command in audience.commands)
    if tuple(await _patiently(lambda: bot.get_my_commands(scope, code))) != wanted:
        await _patiently(lambda: bot.set_my_commands(wanted, scope, code))


async def _patiently(call: Callable[[], Awaitable[T]]) -> T:
    """The answer to a call that nobody waits for."""
    for _ in range(_TRIES - 1):
        try:
            return await call()
        except RetryAfter as error:
            await asyncio.sleep(seconds_of(error))
        except NetworkError as error:
            if isinstance(error, BadRequest):  # which will not change
                raise
            await asyncio.sleep(_BREATH)
    return await call()
