"""``renju bench service``: what a tap in a chat costs, beside bots that do nothing else, in the same run.

Telegram is measured here, Discord in :mod:`bot.commands.bench_discord`.

Each of the bare bots answers a tap and edits one photo: python-telegram-bot with its default transport, and with ours.
The service does the same with a game behind it: real desk, real store, real adapter; the pace is off, the engine does
not play, and every picture has been sent before, so that all edit by its id. All get the same updates by polling from
a server in another process; neither what that costs nor the store's own process is counted. The bots take turns, round
after round: a figure of processor time is the median, and the ratio is the median of the rounds' own.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from statistics import median
from typing import Final

import structlog
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, InputMediaPhoto, Update
from telegram.request import BaseRequest, HTTPXRequest

from bot.adapters.telegram import Telegram
from bot.adapters.telegram.pace import Pace
from bot.adapters.telegram.transport import AiohttpRequest
from bot.commands import bench_discord
from bot.commands.bench import Figure, Report
from bot.commands.loopback import TOKEN, Loopback
from bot.commands.taps import (
    POINTS,
    ROUNDS,
    SIZES,
    TIMEOUT,
    Play,
    Run,
    figures,
    opened,
    played,
    stopped,
    tables_of_a_bench,
    together,
)
from bot.desk import Desk
from bot.scene import pack
from bot.session.refresher import Refresher

_FAST: Final = (1e9, 1e9)
_CALLED: Final = {"default": "bare, default transport", "aiohttp": "bare, aiohttp", "service": "the service"}


def measure() -> Report:
    """All three bots, one after the other, in each size. Raises ``NoServer`` where no store can be started."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    return asyncio.run(_measure(SIZES, ROUNDS))


async def _measure(sizes: Sequence[tuple[int, int]], rounds: int) -> Report:
    found: list[Figure] = []
    for games, moves in sizes:
        runs: dict[str, list[Run]] = {name: [] for name in _CALLED}
        for _ in range(rounds):
            for name, request in (("default", _httpx), ("aiohttp", AiohttpRequest)):
                async with Loopback() as server, _bare(server, request):
                    runs[name].append(await played(moves, partial(_plain_taps, server, games)))
            async with Loopback() as server, _service(server, games, moves) as play:
                runs["service"].append(await played(moves, play))
        for name, called in _CALLED.items():
            found += figures(games, name, called, together(runs[name]))
        ratio = median(ours.cpu_ms / bare.cpu_ms for ours, bare in zip(runs["service"], runs["aiohttp"], strict=True))
        found.append(Figure(f"ratio_{games}", ratio, "", f"{games} at once: service / bare aiohttp, processor time"))
    found += await bench_discord.measured(sizes)
    return Report("a tap answered and a photo edited; bare bots and the service, engine and drawing apart", (*found,))


async def _plain_taps(server: Loopback, games: int, first: int, last: int) -> list[tuple[float, float]]:
    """Taps of the same people in the same chats, which mean nothing."""
    return await server.played(
        [[(-game, 2 * game + move % 2, "tap") for move in range(first, last)] for game in range(1, games + 1)]
    )


def _httpx() -> BaseRequest:
    return HTTPXRequest(connection_pool_size=64)


@asynccontextmanager
async def _bare(server: Loopback, request: Callable[[], BaseRequest]) -> AsyncIterator[None]:
    """A bot that answers every tap and edits the photo it hangs on."""
    bot = Bot(TOKEN, base_url=f"{server.url}/bot", request=request(), get_updates_request=request())
    await bot.initialize()
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("x", callback_data="tap")]])
    tasks: set[asyncio.Task[None]] = set()

    async def handle(update: Update) -> None:
        query = update.callback_query
        if query is None or query.message is None:
            return
        await bot.answer_callback_query(query.id)
        media = InputMediaPhoto("photo1", caption=f"move {update.update_id}")
        await bot.edit_message_media(media, query.message.chat.id, query.message.message_id, reply_markup=keyboard)

    async def poll() -> None:
        offset = 0
        while True:
            for update in await bot.get_updates(offset=offset, timeout=30):
                offset = update.update_id + 1
                task = asyncio.create_task(handle(update))
                tasks.add(task)
                task.add_done_callback(tasks.discard)

    polling = asyncio.create_task(poll())
    try:
        yield
    finally:
        await stopped([polling, *tasks])
        await bot.shutdown()


@asynccontextmanager
async def _service(server: Loopback, games: int, moves: int) -> AsyncIterator[Play]:
    """The service with so many games of two people, each in a group of its own, ready to be played."""
    async with tables_of_a_bench() as tables:
        desk = Desk(tables)
        pace = Pace(private=_FAST, group=_FAST, everything=_FAST)
        telegram = Telegram(token=TOKEN, desk=desk, tables=tables, api_url=server.url, pace=pace)
        refresher = Refresher(tables, {"tg": telegram.shower})
        tasks = [asyncio.create_task(telegram.run()), asyncio.create_task(refresher.run())]
        try:
            ready = [await opened(desk, "tg", str(-number), number) for number in range(1, games + 2)]
            async with asyncio.timeout(TIMEOUT):
                await server.boards(games + 1)

            def taps(game: int, first: int, last: int) -> list[tuple[int, int, str]]:
                table, rev = ready[game - 1]
                return [
                    (-game, 2 * game + move % 2, pack(table, rev + move, f"place-{POINTS[move]}"))
                    for move in range(first, last)
                ]

            async def play(first: int, last: int) -> list[tuple[float, float]]:
                return await server.played([taps(game, first, last) for game in range(1, games + 1)])

            # One game more than is measured, so that every picture is known.
            await server.played([taps(games + 1, 0, moves)])
            yield play
        finally:
            await stopped(tasks)
