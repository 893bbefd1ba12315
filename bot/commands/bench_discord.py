"""The part of ``renju bench service`` that is about Discord: a tap acknowledged, and the board edited.

The bare bot is unmodified discord.py: it defers every interaction and edits the message with one attachment of the same
size. The service does the same with a game behind it; the pace is off, and every picture has been drawn before. Both
talk to a server in this very process, whose processor time is in every figure alike.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import discord
import yarl
from discord import ui
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.adapters.discord import Discord
from bot.adapters.discord.address import api_base
from bot.adapters.discord.pace import Pace
from bot.commands.bench import Figure
from bot.commands.loopback_discord import TOKEN, LoopbackDiscord, channel_of
from bot.commands.taps import (
    POINTS,
    TIMEOUT,
    Run,
    Tap,
    figures,
    opened,
    played,
    side_by_side,
    stopped,
    tables_of_a_bench,
)
from bot.desk import Desk
from bot.render import png
from bot.scene import BoardPicture, pack
from bot.session.refresher import Refresher

_FAST: Final = (1e9, 1e9)
_CALLED: Final = {"bare": "Discord, bare", "service": "Discord, the service"}


async def measured(sizes: Sequence[tuple[int, int]]) -> list[Figure]:
    """The figures of both bots in each size: games at once, and moves of each. Raises ``NoServer``."""
    found: list[Figure] = []
    for games, moves in sizes:
        runs: dict[str, Run] = {}
        async with LoopbackDiscord(games + 2) as server, _bare(server, games) as tap:
            runs["bare"] = await played(moves, side_by_side(games, tap))
        async with LoopbackDiscord(games + 2) as server, _service(server, games, moves) as tap:
            runs["service"] = await played(moves, side_by_side(games, tap))
        for name, run in runs.items():
            found += figures(games, f"discord_{name}", _CALLED[name], run)
        ratio = runs["service"].cpu_ms / runs["bare"].cpu_ms
        meaning = f"{games} at once: Discord, the service / bare, processor time"
        found.append(Figure(f"discord_ratio_{games}", ratio, "", meaning))
    return found


class _Bare(discord.Client):
    """A bot that answers every tap and edits the message it hangs on."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), max_messages=None)
        self.look = ui.LayoutView(timeout=None)
        self.look.add_item(ui.TextDisplay("a board"))
        self.look.add_item(ui.MediaGallery(discord.MediaGalleryItem("attachment://board.png", description="a board")))
        buttons: list[ui.Button[Any]] = [ui.Button(label=f"{number}", custom_id=f"x{number}") for number in range(5)]
        self.look.add_item(ui.ActionRow(*buttons))
        self.look.stop()
        self.picture = png(BoardPicture())

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Acknowledge, then edit."""
        await interaction.response.defer()
        if interaction.message is not None and interaction.channel_id is not None:
            board = self.get_partial_messageable(interaction.channel_id).get_partial_message(interaction.message.id)
            await board.edit(
                view=self.look,
                attachments=[discord.File(io.BytesIO(self.picture), filename="board.png")],
                allowed_mentions=discord.AllowedMentions.none(),
            )


@asynccontextmanager
async def _bare(server: LoopbackDiscord, games: int) -> AsyncIterator[Tap]:
    """The bare bot, connected; the tap that makes it edit."""
    Route.BASE = api_base(server.url)
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(server.gateway_url)
    client = _Bare()
    task = asyncio.create_task(client.start(TOKEN))
    try:
        await asyncio.wait_for(server.ready.wait(), TIMEOUT)
        components: list[dict[str, Any]] = client.look.to_components()  # type: ignore[no-untyped-call]
        for game in range(1, games + 1):
            server.board(channel_of(game), components)

        async def tap(game: int, move: int) -> tuple[float, float]:
            return await server.tap(channel_of(game), 2 * game + move % 2, "x")

        yield tap
    finally:
        await client.close()
        await stopped([task])


@asynccontextmanager
async def _service(server: LoopbackDiscord, games: int, moves: int) -> AsyncIterator[Tap]:
    """The service with so many games of two people, each in a channel of its own; the tap that makes a move."""
    async with tables_of_a_bench() as tables:
        desk = Desk(tables)
        pace = Pace(channel=_FAST, everything=_FAST)
        adapter = Discord(token=TOKEN, desk=desk, tables=tables, api_url=server.url, pace=pace)
        refresher = Refresher(tables, {"dc": adapter.shower})
        tasks = [asyncio.create_task(adapter.run()), asyncio.create_task(refresher.run())]
        try:
            await asyncio.wait_for(server.ready.wait(), TIMEOUT)
            ready = [await opened(desk, "dc", str(channel_of(number)), number) for number in range(1, games + 2)]
            async with asyncio.timeout(TIMEOUT):
                while len(server.boards) <= games:  # noqa: ASYNC110 - before anything is measured
                    await asyncio.sleep(0.01)

            async def tap(game: int, move: int) -> tuple[float, float]:
                table, rev = ready[game - 1]
                wire = pack(table, rev + move, f"place-{POINTS[move]}")
                after = f"{table}.{rev + move + 1}."
                return await server.tap(channel_of(game), 2 * game + move % 2, f"g:{wire}", then=after)

            for move in range(moves):  # one game more than is measured, so that every picture is known
                await tap(games + 1, move)
            yield tap
        finally:
            await stopped(tasks)
