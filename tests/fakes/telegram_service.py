"""The bot as it runs, in front of the fake Telegram: adapter, refresher and engine on real tables."""

from __future__ import annotations

import asyncio
import contextlib
import re
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from bot.adapters.telegram import Delivery, Telegram
from bot.adapters.telegram.pace import Pace
from bot.desk import Desk
from bot.session.pace import SharedBuckets
from bot.session.refresher import Refresher
from bot.session.signs import Signs
from bot.session.table import Declined, Table
from bot.session.tables import Tables
from bot.thinking import SIGN, Decide, Thinker
from core.notation import name
from tests.fakes.telegram import Chat, Message, Person, TelegramServer
from tests.fakes.telegram.server import PATIENCE


def unhurried() -> Pace:
    """A pace at which no test has to wait; the pace itself has tests of its own."""
    return Pace(private=(1e6, 1e6), group=(1e6, 1e6), everything=(1e6, 1e6))


#: Where deliveries come in, behind a proxy that has the public address.
BY_WEBHOOK = Delivery(url="https://renju.example.org/telegram", listen="127.0.0.1:0", secret="a-secret-of-ours")


class Service:
    """``async with Service(tables) as service``; can be stopped and started again on the same tables.

    ``webhook``: where updates are delivered, which the server does by itself with ``delivered``. ``decide``: what plays
    instead of the engine; ``sign_after``: how long it may take before a sign is given.
    """

    def __init__(
        self,
        tables: Tables,
        *,
        server: TelegramServer | None = None,
        pace: Pace | None = None,
        webhook: Delivery | None = None,
        delivered: bool = False,
        cache_chat: str = "",
        private_answers: bool = False,
        decide: Decide | None = None,
        sign_after: float = SIGN,
        buckets: SharedBuckets | None = None,
    ) -> None:
        self._buckets = buckets
        self._decide, self._sign_after = decide, sign_after
        self._private_answers = private_answers
        self._cache_chat = cache_chat
        self._webhook = webhook
        self._delivered = delivered
        self.tables = tables
        self.server = server or TelegramServer()
        self.desk = Desk(tables)
        self.telegram: Telegram
        self.adapter: asyncio.Task[None]
        self._pace = pace
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        await self.server.__aenter__()
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()
        await self.server.__aexit__(kind, error, trace)
        if kind is None:
            assert self.server.faults == []

    async def start(self, *, wait: bool = True) -> None:
        """Start everything; with ``wait`` until updates are asked for."""
        self.telegram = Telegram(
            token=self.server.token,
            desk=self.desk,
            tables=self.tables,
            api_url=self.server.url,
            pace=self._pace or unhurried(),
            webhook=self._webhook,
            cache_chat=self._cache_chat,
            private_answers=self._private_answers,
            buckets=self._buckets,
        )
        self.adapter = asyncio.create_task(self.telegram.run())
        signs = Signs(self.tables, {"tg": self.telegram.typing})
        thinker = Thinker(self.tables, decide=self._decide, sign=signs.thinking, sign_after=self._sign_after)
        others = Refresher(self.tables, self.telegram.showers).run(), thinker.run()
        self._tasks = [self.adapter, *(asyncio.create_task(part) for part in others)]
        if wait and self._webhook is not None:
            listening = self.telegram.webhook
            assert listening is not None
            await self.server.until(lambda: self.server.webhook and listening.port, "the webhook")
            if self._delivered:
                self.server.deliveries.go_to(self.webhook_url)
        elif wait:
            await self.server.until(lambda: self.server.updates.polling, "the first request for updates")

    async def stop(self) -> None:
        """Stop everything, whatever it is doing."""
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with contextlib.suppress(asyncio.CancelledError):
                await task
        self._tasks = []

    @property
    def webhook_url(self) -> str:
        """Where the proxy passes deliveries on to."""
        assert self.telegram.webhook is not None
        assert self._webhook is not None
        return f"http://127.0.0.1:{self.telegram.webhook.port}{urlsplit(self._webhook.url).path}"

    # -- what tests do again and again ---------------------------------------------------------------------------------

    async def game(self, words: str, one: Person, other: Person, chat: Chat, *, thread: int | None = None) -> Message:
        """A game of two people in a group, opened and joined: its board."""
        before = len(chat.boards)
        one.send(f"/newgame {words}", chat, thread=thread)
        await self.server.until(lambda: len(chat.boards) > before, "the new board")
        board = chat.board
        assert (await other.tap(board, "Join")).text == ""
        await self.server.until(lambda: "Join" not in board.labels, "the game of two")
        return board

    async def reply_to(self, sent: Message) -> str:
        """What the bot replies to a message."""

        def replies() -> list[Message]:
            return [message for message in sent.chat.from_bot if message.reply_to is sent]

        await self.server.until(replies, f"a reply to {sent.text!r}")
        return replies()[0].text

    async def stone(self, point: str, board: Message) -> None:
        """Wait until the board shows this last move."""
        last = f"(Black|White) {point.upper()}$"
        await self.server.until(lambda: re.search(last, board.text, re.MULTILINE), f"a stone on {point}")

    async def without_buttons(self, message: Message) -> None:
        """Wait until the message has lost its buttons."""
        await self.server.until(lambda: not message.keyboard, "the buttons gone")

    async def idle(self) -> None:
        """Wait until every update is confirmed and what it caused has been sent."""
        await self.server.updates.settled()
        tasks = [task for task in asyncio.all_tasks() if "_quietly" in repr(task)]
        await asyncio.gather(*tasks)

    async def table(self, board: Message) -> Table:
        """The table that a board shows."""
        async with asyncio.timeout(PATIENCE):
            # The store tells nobody of it.
            while (found := await self.tables.view_at("tg", str(board.chat.id), str(board.id))) is None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)  # people see a board a moment before the store knows of it
        table = await self.tables.get(found[0])
        assert not isinstance(table, Declined)
        return table

    async def stones(self, board: Message) -> str:
        """The stones of the board's table in the order of play."""
        return " ".join(name(stone.point) for stone in (await self.table(board)).game.state.stones)
