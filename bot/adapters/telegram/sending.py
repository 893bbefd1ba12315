"""Who may send now: the pace of this process, and that of all processes together where there are several."""

from __future__ import annotations

import asyncio
from typing import Protocol

from telegram.error import RetryAfter

from bot.adapters.telegram.pace import EVERYTHING, GROUP, PRIVATE, Pace
from bot.session.pace import SharedBuckets
from bot.session.store import StoreUnavailable


class Sending(Protocol):
    """What asks before anything is sent or edited."""

    async def ask(self, chat: str, *, spare: int = 0) -> float:
        """As :meth:`bot.adapters.telegram.pace.Pace.ask`."""

    async def halt(self, chat: str, seconds: float) -> None:
        """As :meth:`bot.adapters.telegram.pace.Pace.halt`."""


class Alone:
    """One process."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace

    async def ask(self, chat: str, *, spare: int = 0) -> float:
        """0 or the seconds to wait."""
        return self._pace.ask(chat, spare=spare)

    async def halt(self, chat: str, seconds: float) -> None:
        """Leave the chat alone for so long."""
        self._pace.halt(chat, seconds)


class Together:
    """Several processes with one store. While it is away each keeps to its own pace."""

    def __init__(self, pace: Pace, buckets: SharedBuckets) -> None:
        self._pace = pace
        self._buckets = buckets

    async def ask(self, chat: str, *, spare: int = 0) -> float:
        """0 or the seconds to wait."""
        wait = self._pace.ask(chat, spare=spare)
        if wait:
            return wait
        try:
            rate = GROUP if chat.startswith("-") else PRIVATE
            wait = await self._buckets.ask(chat, rate, EVERYTHING, spare=spare)
        except StoreUnavailable:
            return 0.0
        if wait:
            self._pace.give(chat)
        return wait

    async def halt(self, chat: str, seconds: float) -> None:
        """Leave the chat alone for so long, in every process."""
        self._pace.halt(chat, seconds)
        try:
            await self._buckets.halt(chat, seconds)
        except StoreUnavailable:
            return  # this process obeys; the others are told themselves


async def turn(sending: Sending, chat: str) -> None:
    """Wait until what can wait may be sent to a chat; then it counts."""
    while wait := await sending.ask(chat, spare=1):  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(wait)


def seconds_of(error: RetryAfter) -> float:
    """How long Telegram asks to wait."""
    wait = error.retry_after
    return float(wait) if isinstance(wait, int) else wait.total_seconds()
