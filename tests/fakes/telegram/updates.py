"""What the bot is told: updates wait until they are asked for, and come again until they are confirmed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import aiohttp

from tests.fakes.telegram.facts import check_object
from tests.fakes.telegram.methods import Refuse

if TYPE_CHECKING:
    from tests.fakes.telegram.server import TelegramServer

#: Kinds of update that come unless a bot has asked for a list of its own.
USUAL = ("message", "edited_message", "callback_query", "my_chat_member", "inline_query", "channel_post")


@dataclass
class _Update:
    body: dict[str, Any]
    left: int
    """How many more times it will be delivered before a confirmation counts."""

    @property
    def id(self) -> int:
        return int(self.body["update_id"])


class Updates:
    """The queue of one bot."""

    def __init__(self, server: TelegramServer) -> None:
        self.deliveries: list[int] = []
        """Ids of updates in the order they were delivered, repetitions included."""
        self.repeat = 1
        """How many times every update is delivered: confirmations are lost until then."""
        self.next = 700000001
        """The id of the next update."""
        self._server = server
        self._waiting: list[_Update] = []
        self._allowed: tuple[str, ...] = USUAL
        self._poller: asyncio.Event | None = None

    @property
    def polling(self) -> bool:
        """Whether a poller waits."""
        return self._poller is not None

    @property
    def waiting(self) -> list[dict[str, Any]]:
        """What is not confirmed yet, oldest first."""
        return [update.body for update in self._waiting]

    def confirm(self, number: int) -> None:
        """A webhook has confirmed the update of this id."""
        self._waiting = [update for update in self._waiting if update.id != number]
        self._server.pulse()

    async def settled(self) -> None:
        """Wait until every update is confirmed."""
        await self._server.until(lambda: not self._waiting, "all updates confirmed")

    def add(self, update: dict[str, Any]) -> None:
        """Queue an update, unless the bot has not asked for its kind."""
        body = {"update_id": self.next, **update}
        check_object("Update", body)
        self.next += 1
        if next(iter(update)) in self._allowed:
            self._waiting.append(_Update(body, self.repeat))
        self._server.pulse()

    def allow(self, kinds: list[str] | None) -> None:
        """Queue these kinds from now on; the usual ones, where none are named."""
        self._allowed = tuple(kinds or ()) or USUAL

    async def deliver(self, url: str, secret: str) -> list[int]:
        """Deliver what waits to a webhook, each until it is confirmed: the status of every answer."""
        answers = []
        async with aiohttp.ClientSession() as session:
            while self._waiting:
                update = self._waiting[0]
                headers = {"X-Telegram-Bot-Api-Secret-Token": secret}
                async with session.post(url, json=update.body, headers=headers) as answer:
                    answers.append(answer.status)
                self.deliveries.append(update.id)
                update.left -= answer.status == 200
                if update.left <= 0 or answer.status != 200:
                    self._waiting.remove(update)
        self._server.pulse()
        return answers

    def stop(self) -> None:
        """Send a poller away."""
        if self._poller is not None:
            self._poller.set()

    async def get(self, parameters: dict[str, Any]) -> list[dict[str, Any]]:
        """``getUpdates``: the newer of two pollers wins, the older is told. Raises :class:`Refuse`."""
        if self._server.webhook:
            raise Refuse(409, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook first")
        self.stop()
        self._poller = stopped = asyncio.Event()
        self._server.pulse()
        try:
            self._confirm(parameters.get("offset", 0))
            if "allowed_updates" in parameters:
                self.allow(parameters["allowed_updates"])
            await self._wait(parameters.get("timeout", 0), stopped)
            if stopped.is_set():
                raise Refuse(
                    409,
                    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
                )
            found = [update.body for update in self._waiting[: parameters.get("limit", 100)]]
            self.deliveries.extend(int(body["update_id"]) for body in found)
            return found
        finally:
            if self._poller is stopped:
                self._poller = None

    async def _wait(self, seconds: int, stopped: asyncio.Event) -> None:
        deadline = asyncio.get_running_loop().time() + seconds
        while not self._waiting and not stopped.is_set():
            left = deadline - asyncio.get_running_loop().time()
            if left <= 0:
                return
            waits = [asyncio.ensure_future(self._server.changed()), asyncio.ensure_future(stopped.wait())]
            try:
                await asyncio.wait(waits, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for wait in waits:
                    wait.cancel()

    def _confirm(self, offset: int) -> None:
        if offset < 0:
            self._waiting = self._waiting[offset:]
            return
        for update in self._waiting:
            if update.id < offset:
                update.left -= 1
        self._waiting = [update for update in self._waiting if update.id >= offset or update.left > 0]
        self._server.pulse()
