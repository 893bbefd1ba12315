"""The whole product behind the fake Discord: desk, tables, refresher, engine, and unmodified discord.py."""

from __future__ import annotations

import asyncio
import re
from types import TracebackType
from typing import Any, Self

from bot.adapters.discord import Discord
from bot.adapters.discord.pace import Pace
from bot.desk import Desk
from bot.session.refresher import Refresher
from bot.session.signs import Signs
from bot.session.tables import Tables
from bot.thinking import SIGN, Decide, Thinker
from tests.fakes.discord import Channel, DiscordServer, Interaction, Message, Person
from tests.fakes.discord.places import GROUP
from tests.fakes.discord.server import PATIENCE


def boundless() -> Pace:
    """A pace that never asks to wait: for tests that are not about it."""
    seconds = iter(range(0, 10**12, 1000))
    return Pace(lambda: float(next(seconds)))


class Service:
    """Use it as ``async with Service(tables) as service``, once for every start of the product."""

    def __init__(
        self,
        tables: Tables,
        server: DiscordServer | None = None,
        *,
        pace: Pace | None = None,
        token: str = "",
        decide: Decide | None = None,
        sign_after: float = SIGN,
    ) -> None:
        self._decide, self._sign_after = decide, sign_after
        self.tables = tables
        self.server = server or DiscordServer()
        self._own_server = server is None
        self._pace = pace or boundless()
        self._token = token
        self.adapter: Discord
        self._running: list[asyncio.Task[Any]] = []

    async def __aenter__(self) -> Self:
        if self._own_server:
            await self.server.__aenter__()
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()
        if self._own_server:
            await self.server.__aexit__(kind, error, trace)
        if error is None:
            assert self.server.faults == []

    async def start(self) -> None:
        """Start the product and wait until it is connected."""
        desk = Desk(self.tables)
        self.adapter = Discord(
            token=self._token or self.server.token,
            desk=desk,
            tables=self.tables,
            api_url=self.server.api_url,
            pace=self._pace,
        )
        signs = Signs(self.tables, {"dc": self.adapter.shower})
        thinker = Thinker(self.tables, decide=self._decide, sign=signs.thinking, sign_after=self._sign_after)
        refresher = Refresher(self.tables, {"dc": self.adapter.shower})
        parts = {"discord": self.adapter.run(), "refresher": refresher.run(), "thinker": thinker.run()}
        self._running = [asyncio.create_task(part, name=name) for name, part in parts.items()]
        ready = asyncio.create_task(self.server.ready())
        await asyncio.wait([ready, *self._running], return_when=asyncio.FIRST_COMPLETED)
        if not ready.done():
            ready.cancel()
            await asyncio.gather(ready, return_exceptions=True)

    async def stop(self) -> None:
        """Stop the product, as a signal does."""
        for task in self._running:
            task.cancel()
        results = await asyncio.gather(*self._running, return_exceptions=True)
        self._running = []
        for result in results:
            if isinstance(result, BaseException) and not isinstance(result, asyncio.CancelledError):
                raise result

    async def quiet(self) -> None:
        """Wait until everything that was begun is done."""
        await self.adapter.settled()

    # -- what tests do again and again ---------------------------------------------------------------------------------

    async def opened(self, interaction: Interaction) -> Message:
        """The board that takes the place of an answer."""
        await self.server.until(lambda: interaction.original and interaction.original.pictures, "the new board")
        await self.known(interaction.original)
        assert interaction.original is not None
        return interaction.original

    async def known(self, message: Message | None) -> None:
        """Wait until the store knows which table a message shows."""
        assert message is not None
        chat = str(message.channel.id) if message.channel.guild or message.channel.kind == GROUP else None
        chat = chat or f"@{message.channel.people[0].id}"
        async with asyncio.timeout(PATIENCE):
            while await self.tables.view_at("dc", chat, str(message.id)) is None:  # noqa: ASYNC110 - the store tells nobody
                await asyncio.sleep(0.005)

    async def game(self, one: Person, other: Person, channel: Channel, **options: object) -> Message:
        """A game of two people, opened and joined: its board."""
        options = {"opponent": "friend", "begins": "black", **options}
        board = await self.opened(await one.slash("newgame", channel, **options))
        await other.press(board, "Join")
        await self.server.until(lambda: "Join" not in board.labels, "the game of two")
        return board

    async def typed(self, person: Person, board: Message, text: str) -> str:
        """Type a point into the form of a board; what is heard."""
        opened = await person.press(board, "Type a point")
        assert opened.modal is not None
        return await self.done(await person.submit(opened.modal, text))

    async def done(self, interaction: Interaction) -> str:
        """Wait until everything is done that somebody caused; what they hear."""
        await self.quiet()
        return interaction.said

    async def stone(self, point: str, board: Message) -> None:
        """Wait until the board shows this last move."""
        last = f"(Black|White) {point.upper()}$"
        await self.server.until(lambda: re.search(last, board.text, re.MULTILINE), f"a stone on {point}")

    async def play(self, players: tuple[Person, Person], board: Message, points: str) -> None:
        """Put stones in turn, each by the form, and see each."""
        for number, point in enumerate(points.split()):
            assert await self.typed(players[number % 2], board, point) == ""
            await self.stone(point, board)
