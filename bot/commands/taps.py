"""What the benches of chats have in common: games side by side, each tap timed, and what the figures are called."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from bot.commands.bench import Figure
from bot.desk import Desk, Done, Place
from bot.session.server import embedded
from bot.session.store import Store
from bot.session.table import Person
from bot.session.tables import Tables

#: Games at once, and how many moves each of them lasts.
SIZES: Final = ((1, 40), (50, 12), (100, 8))
#: Stones that make no row of five: the middle first, then every other point of two far lines.
POINTS: Final = ("h8", *(f"{column}{row}" for column in "acegikmo" for row in (1, 3, 5, 11, 13)))
#: How long a size may take in all, in seconds.
TIMEOUT: Final = 120.0

#: How often each bot is measured in each size, in turn with the others.
ROUNDS: Final = 5

Tap = Callable[[int, int], Awaitable[tuple[float, float]]]
"""One move of a game, by number: the seconds until the answer and until the edit."""
Play = Callable[[int, int], Awaitable[Sequence[tuple[float, float]]]]
"""All games side by side, from one move to before another: for each tap the same two times."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one bot did with so many games at once."""

    cpu_ms: float
    answers: tuple[float, ...]
    boards: tuple[float, ...]


async def played(moves: int, play: Play) -> Run:
    """Let every game make its moves. The first move only warms up.

    What the process has loaded is kept out of searches for garbage, as the service itself does when it has started: no
    bot pays for what another one needs.
    """
    async with asyncio.timeout(TIMEOUT):
        await play(0, 1)
        gc.collect()
        gc.freeze()
        began = time.process_time()
        times = await play(1, moves)
        spent = time.process_time() - began
        gc.unfreeze()
    answers, boards = zip(*times, strict=True)
    return Run(1000 * spent / len(times), answers, boards)


def side_by_side(games: int, tap: Tap) -> Play:
    """So many games, each of which taps one move after the other."""

    async def game(number: int, first: int, last: int) -> list[tuple[float, float]]:
        return [await tap(number, move) for move in range(first, last)]

    async def play(first: int, last: int) -> list[tuple[float, float]]:
        parts = await asyncio.gather(*(game(number, first, last) for number in range(1, games + 1)))
        return [one for part in parts for one in part]

    return play


def together(runs: Sequence[Run]) -> Run:
    """Several runs of the same as one: the median of the processor time, all times of taps."""
    answers = tuple(one for run in runs for one in run.answers)
    boards = tuple(one for run in runs for one in run.boards)
    return Run(median(run.cpu_ms for run in runs), answers, boards)


def figures(games: int, name: str, called: str, run: Run) -> Iterator[Figure]:
    """The figures of a run: ``name`` begins their keys, ``called`` says which bot it was."""
    yield Figure(f"{name}_{games}_cpu_ms", run.cpu_ms, "ms", f"{games} at once, {called}: processor time a move")
    for what, times in (("answer", run.answers), ("board", run.boards)):
        for percent in (50, 95, 99):
            value = 1000 * percentile(times, percent)
            yield Figure(f"{name}_{games}_{what}_p{percent}_ms", value, "ms", f"{' ' * 4}{what} p{percent}")


def percentile(times: Sequence[float], percent: int) -> float:
    """A value that was measured, which so many percent of the others do not exceed."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


@asynccontextmanager
async def tables_of_a_bench() -> AsyncIterator[Tables]:
    """Tables in a store of their own, which is gone afterwards. Raises ``NoServer``."""
    with tempfile.TemporaryDirectory(prefix="renju-bench-") as folder:
        redis = await embedded(Path(folder))
        store = Store(redis.url)
        tables = Tables(store)
        try:
            yield tables
        finally:
            await tables.close()
            await store.close()
            await redis.close()


async def opened(desk: Desk, platform: str, chat: str, number: int) -> tuple[str, int]:
    """A game of two people in a chat, the accounts ``2 * number`` and ``2 * number + 1``: its table and rev."""
    one, other = (Person(id=f"{platform}:{2 * number + seat}", name=f"P{seat}") for seat in (0, 1))
    done = await desk.new_game(one, Place(platform, chat), "free black friend", source=f"bench:{number}")
    if isinstance(done, Done):
        done = await desk.join(other, done.table.id, source=f"bench:join:{number}")
    if not isinstance(done, Done):
        raise RuntimeError(f"no game could be opened: {done.text}")
    return done.table.id, done.table.rev


async def stopped(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Stop tasks and wait for their end."""
    for task in tasks:
        task.cancel()
    for task in tasks:
        with contextlib.suppress(asyncio.CancelledError):
            await task
