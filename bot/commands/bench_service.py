"""``renju bench service``: what a tap in a chat costs, beside bots that do nothing else, in the same run.

Telegram is measured here, Discord in :mod:`bot.commands.bench_discord`.

Each of the bare bots answers a tap and edits one photo: python-telegram-bot with its default transport, and with ours.
The service does the same with a game behind it: real desk, real store, real adapter; the pace is off, the engine does
not play, and every picture has been drawn before. All talk to a server in this very process, whose processor time is
in every figure alike.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
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
from bot.commands.taps import POINTS, SIZES, TIMEOUT, Run, Tap, figures, opened, played, stopped, tables_of_a_bench
from bot.desk import Desk
from bot.scene import pack
from bot.session.refresher import Refresher

_FAST: Final = (1e9, 1e9)
_CALLED: Final = {"default": "bare, default transport", "aiohttp": "bare, aiohttp", "service": "the service"}


def measure() -> Report:
    """All three bots, one after the other, in each size. Raises ``NoServer`` where no store can be started."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    return asyncio.run(_measure(SIZES))


async def _measure(sizes: Sequence[tuple[int, int]]) -> Report:
    found: list[Figure] = []
    for games, moves in sizes:
        runs: dict[str, Run] = {}
        for name, request in (("default", _httpx), ("aiohttp", AiohttpRequest)):
            async with Loopback() as server, _bare(server, request):
                runs[name] = await played(games, moves, lambda game, _, server=server: server.tap(-game, game, "tap"))  # type: ignore[misc]
        async with Loopback() as server, _service(server, games, moves) as tap:
            runs["service"] = await played(games, moves, tap)
        for name, run in runs.items():
            found += figures(games, name, _CALLED[name], run)
        ratio = runs["service"].cpu_ms / runs["aiohttp"].cpu_ms
        found.append(Figure(f"ratio_{games}", ratio, "", f"{games} at once: service / bare aiohttp, processor time"))
    found += await bench_discord.measured(sizes)
    return Report("a tap answered and a photo edited; bare bots and the service, engine and drawing apart", (*found,))


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
async def _service(server: Loopback, games: int, moves: int) -> AsyncIterator[Tap]:
    """The service with so many games of two people, each in a group of its own; the tap that makes a move."""
    async with tables_of_a_bench() as tables:
        desk = Desk(tables)
        pace = Pace(private=_FAST, group=_FAST, everything=_FAST)
        telegram = Telegram(token=TOKEN, desk=desk, tables=tables, api_url=server.url, pace=pace)
        refresher = Refresher(tables, {"tg": telegram.shower})
        tasks = [asyncio.create_task(telegram.run()), asyncio.create_task(refresher.run())]
        try:
            ready = [await opened(desk, "tg", str(-number), number) for number in range(1, games + 2)]
            async with asyncio.timeout(TIMEOUT):
                while len(server.boards) <= games:  # noqa: ASYNC110 - before anything is measured
                    await asyncio.sleep(0.01)

            async def tap(game: int, move: int) -> tuple[float, float]:
                table, rev = ready[game - 1]
                wire = pack(table, rev + move, f"place-{POINTS[move]}")
                return await server.tap(-game, 2 * game + move % 2, wire)

            for move in range(moves):  # one game more than is measured, so that every picture is known
                await tap(games + 1, move)
            yield tap
        finally:
            await stopped(tasks)
