"""Deliveries to a webhook as Telegram makes them: updates of one chat in their order, chats side by side, each again
until it is confirmed. The proxy on the way can be a bad one.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import aiohttp

if TYPE_CHECKING:
    from tests.fakes.telegram.server import TelegramServer

HEADER: Final = "X-Telegram-Bot-Api-Secret-Token"
#: Seconds until an update that was not confirmed is delivered again.
_AGAIN: Final = 0.02


class Deliveries:
    """What is on its way to the webhook of one bot."""

    def __init__(self, server: TelegramServer) -> None:
        self.unreliable = False
        """Whether the proxy turns updates away with a 502, and loses confirmations on their way back."""
        self.cut: Callable[[], None] | None = None
        """Called once, when the next confirmation comes, which then is lost."""
        self.attempts: Counter[int] = Counter()
        """How often each update was delivered, by its id."""
        self._server = server
        self._urls: tuple[str, ...] = ()
        self._delivering: asyncio.Task[None] | None = None
        self._by_chat: dict[int, asyncio.Task[None]] = {}

    def go_to(self, *urls: str) -> None:
        """From now on what waits is delivered here, where the proxy passes the public address on to: to one of them
        after the other.
        """
        self._urls = urls
        if self._delivering is None:
            self._delivering = asyncio.create_task(self._deliver())

    async def stop(self) -> None:
        """Deliver nothing any more."""
        under_way = [*self._by_chat.values(), *([self._delivering] if self._delivering is not None else [])]
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)

    async def _deliver(self) -> None:
        async with aiohttp.ClientSession() as session:
            while True:
                seen = self._server.pulses
                for update in self._server.updates.waiting:
                    chat = chat_of(update)
                    if chat not in self._by_chat:
                        task = self._by_chat[chat] = asyncio.create_task(self._until_confirmed(session, update))
                        task.add_done_callback(partial(self._free, chat))
                if seen == self._server.pulses:
                    await self._server.changed()

    def _free(self, chat: int, _: asyncio.Task[None]) -> None:
        del self._by_chat[chat]
        self._server.pulse()

    async def _until_confirmed(self, session: aiohttp.ClientSession, update: dict[str, Any]) -> None:
        number = int(update["update_id"])
        while not await self._confirmed(session, update):  # noqa: ASYNC110 - as Telegram does
            await asyncio.sleep(_AGAIN)
        self._server.updates.confirm(number)

    async def _confirmed(self, session: aiohttp.ClientSession, update: dict[str, Any]) -> bool:
        number = int(update["update_id"])
        turned_away, lost = self._trouble(number, self.attempts[number])
        self.attempts[number] += 1
        self._server.updates.deliveries.append(number)
        if turned_away:
            return False
        url = self._urls[len(self._server.updates.deliveries) % len(self._urls)]
        try:
            async with session.post(url, json=update, headers={HEADER: self._server.secret}) as answer:
                confirmed = answer.status == 200
        except aiohttp.ClientError:
            return False
        if confirmed and self.cut is not None:
            cut, self.cut = self.cut, None
            cut()
            return False
        return confirmed and not lost

    def _trouble(self, number: int, before: int) -> tuple[bool, bool]:
        """Whether the proxy turns a delivery away, and whether it loses the confirmation: each update meets another
        row of troubles, and none meets them for ever.
        """
        if not self.unreliable or before >= 2:
            return False, False
        return (number + before) % 3 == 0, (number + before) % 3 == 1


def chat_of(update: dict[str, Any]) -> int:
    """Which other updates this one keeps its order with."""
    _, content = next((key, value) for key, value in update.items() if key != "update_id")
    message = content.get("message", content)
    return int((message.get("chat") or content["from"])["id"])
