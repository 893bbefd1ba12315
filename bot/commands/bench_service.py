"""``renju bench service``: what a tap in Telegram costs, beside two bots that do nothing else, in the same run.

Each of the bare bots answers a tap and edits one photo: python-telegram-bot with its default transport, and with ours.
The service does the same with a game behind it: real desk, real store, real adapter; the pace is off, the engine does
not play, and every picture has been drawn before. All talk to a server in this very process, whose processor time is
in every figure alike.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, InputMediaPhoto, Update
from telegram.request import BaseRequest, HTTPXRequest

from bot.adapters.telegram import Telegram
from bot.adapters.telegram.pace import Pace
from bot.adapters.telegram.transport import AiohttpRequest
from bot.commands.bench import Figure, Report
from bot.commands.loopback import TOKEN, Loopback
from bot.desk import Desk, Done, Place
from bot.scene import pack
from bot.session.refresher import Refresher
from bot.session.server import embedded
from bot.session.store import Store
from bot.session.table import Person
from bot.session.tables import Tables

#: Games at once, and how many moves each of them lasts.
SIZES: Final = ((1, 40), (50, 12), (100, 8))
#: Stones that make no row of five: the middle first, then every other point of two far lines.
_POINTS: Final = ("h8", *(f"{column}{row}" for column in "acegikmo" for row in (1, 3, 5, 11, 13)))
_FAST: Final = (1e9, 1e9)
_TIMEOUT: Final = 120.0

Tap = Callable[[int, int], Awaitable[tuple[float, float]]]
"""One move of a game, by number: the seconds until the answer and until the edit."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one bot did with so many games at once."""

    cpu_ms: float
    answers: tuple[float, ...]
    boards: tuple[float, ...]


def measure() -> Report:
    """All three bots, one after the other, in each size. Raises ``NoServer`` where no store can be started."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    return asyncio.run(_measure(SIZES))


async def _measure(sizes: Sequence[tuple[int, int]]) -> Report:
    figures: list[Figure] = []
    for games, moves in sizes:
        runs: dict[str, Run] = {}
        for name, request in (("default", _httpx), ("aiohttp", AiohttpRequest)):
            async with Loopback() as server, _bare(server, request):
                runs[name] = await _played(games, moves, lambda game, _, server=server: server.tap(-game, game, "tap"))  # type: ignore[misc]
        async with Loopback() as server, _service(server, games, moves) as tap:
            runs["service"] = await _played(games, moves, tap)
        for name, run in runs.items():
            figures += _figures(games, name, run)
        ratio = runs["service"].cpu_ms / runs["aiohttp"].cpu_ms
        figures.append(Figure(f"ratio_{games}", ratio, "", f"{games} at once: service / bare aiohttp, processor time"))
    return Report("a tap answered and a photo edited; bare bots and the service, engine and drawing apart", (*figures,))


def _figures(games: int, name: str, run: Run) -> Iterator[Figure]:
    called = {"default": "bare, default transport", "aiohttp": "bare, aiohttp", "service": "the service"}[name]
    yield Figure(f"{name}_{games}_cpu_ms", run.cpu_ms, "ms", f"{games} at once, {called}: processor time a move")
    for what, times in (("answer", run.answers), ("board", run.boards)):
        for percent in (50, 95, 99):
            value = 1000 * _percentile(times, percent)
            yield Figure(f"{name}_{games}_{what}_p{percent}_ms", value, "ms", f"{' ' * 4}{what} p{percent}")


def _percentile(times: Sequence[float], percent: int) -> float:
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


async def _played(games: int, moves: int, tap: Tap) -> Run:
    """Let every game make its moves, one after the other; the games side by side. The first move only warms up."""

    async def game(number: int, first: int, last: int) -> list[tuple[float, float]]:
        return [await tap(number, move) for move in range(first, last)]

    async with asyncio.timeout(_TIMEOUT):
        await asyncio.gather(*(game(number, 0, 1) for number in range(1, games + 1)))
        began = time.process_time()
        taken = await asyncio.gather(*(game(number, 1, moves) for number in range(1, games + 1)))
        spent = time.process_time() - began
    times = [one for part in taken for one in part]
    answers, boards = zip(*times, strict=True)
    return Run(1000 * spent / len(times), answers, boards)


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
        await _stopped([polling, *tasks])
        await bot.shutdown()


@asynccontextmanager
async def _service(server: Loopback, games: int, moves: int) -> AsyncIterator[Tap]:
    """The service with so many games of two people, each in a group of its own; the tap that makes a move."""
    with tempfile.TemporaryDirectory(prefix="renju-bench-") as folder:
        redis = await embedded(Path(folder))
        store = Store(redis.url)
        tables = Tables(store)
        desk = Desk(tables)
        pace = Pace(private=_FAST, group=_FAST, everything=_FAST)
        telegram = Telegram(token=TOKEN, desk=desk, tables=tables, api_url=server.url, pace=pace)
        refresher = Refresher(tables, {"tg": telegram.shower})
        tasks = [asyncio.create_task(telegram.run()), asyncio.create_task(refresher.run())]
        try:
            opened = [await _opened(desk, number) for number in range(1, games + 2)]
            async with asyncio.timeout(_TIMEOUT):
                while len(server.boards) <= games:  # noqa: ASYNC110 - before anything is measured
                    await asyncio.sleep(0.01)

            async def tap(game: int, move: int) -> tuple[float, float]:
                table, rev = opened[game - 1]
                wire = pack(table, rev + move, f"place-{_POINTS[move]}")
                return await server.tap(-game, 2 * game + move % 2, wire)

            for move in range(moves):  # one game more than is measured, so that every picture is known
                await tap(games + 1, move)
            yield tap
        finally:
            await _stopped(tasks)
            await tables.close()
            await store.close()
            await redis.close()


async def _opened(desk: Desk, number: int) -> tuple[str, int]:
    """A game of two people in a group: its table and rev."""
    one, other = (Person(id=f"tg:{2 * number + seat}", name=f"P{seat}") for seat in (0, 1))
    done = await desk.new_game(one, Place("tg", str(-number)), "free black friend", source=f"bench:{number}")
    if isinstance(done, Done):
        done = await desk.join(other, done.table.id, source=f"bench:join:{number}")
    if not isinstance(done, Done):
        raise RuntimeError(f"no game could be opened: {done.text}")
    return done.table.id, done.table.rev


async def _stopped(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    for task in tasks:
        with contextlib.suppress(asyncio.CancelledError):
            await task
