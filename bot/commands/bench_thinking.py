"""``renju bench thinking``: how long people wait for the engine while many play it at once.

So many games against the engine, each with somebody who answers after ten seconds on average; the real store, the
real door, the real engine as the service runs it. Measured is what a person waits: from their stone's being stored to
the engine's. The reference, in the same run: one game alone. What the machine had to do besides is told, too.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Final

import structlog

from bot.commands.bench import Figure, Report
from bot.commands.taps import percentile, stopped, tables_of_a_bench
from bot.session.ids import new_id
from bot.session.table import Intent, Machine, Person, Table
from bot.session.tables import Tables
from bot.thinking import PACE, SECONDS, WORKERS, Thinker, deciding
from core.ai import decide
from core.ai.book import own_book
from core.ai.levels import LEVELS
from core.game import Draw, Game, Settings, action, apply, new_game

GAMES: Final = 20
PAUSE: Final = 10.0
SECONDS_MEASURED: Final = 60.0
#: The reference: a game alone, with so many moves, each after so many seconds on average.
_ALONE: Final = 10
_ALONE_PAUSE: Final = 0.5
#: What nobody waits longer than at p95, in seconds.
PROMISED: Final = 2.0
#: A wait that is given up, in seconds.
_TIMEOUT: Final = 120.0
_AGREED: Final = Settings(draw=Draw.FIXED)
_PERSON: Final = Person(id="bench:1", name="P")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How many games, how strong, how long."""
    parser.add_argument("--games", type=int, default=GAMES, help=f"games at once (default {GAMES})")
    parser.add_argument("--level", type=int, default=max(LEVELS), choices=LEVELS, help="of the engine (default 10)")
    parser.add_argument("--pause", type=float, default=PAUSE, help=f"seconds a person takes (default {PAUSE:.0f})")
    parser.add_argument(
        "--seconds", type=float, default=SECONDS_MEASURED, help=f"how long (default {SECONDS_MEASURED:.0f})"
    )


def measure(arguments: argparse.Namespace) -> Report:
    """One game alone, then all of them. Raises ``NoServer`` where no store can be started, ``ValueError``."""
    if arguments.games < 1 or arguments.pause <= 0 or arguments.seconds <= 0:
        raise ValueError("games, pause and seconds must be more than 0")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    return asyncio.run(_measure(arguments.games, arguments.level, arguments.pause, arguments.seconds))


@dataclass(slots=True)
class _Waits:
    """What was measured of some games."""

    waits: list[float] = field(default_factory=list)
    began: float = field(default_factory=time.perf_counter)
    cpu_began: float = field(default_factory=time.process_time)
    seconds: float = 0.0
    cores: float = 0.0
    """Processor time of this process, the server of the store apart, over time."""

    def ended(self) -> None:
        self.seconds = time.perf_counter() - self.began
        self.cores = (time.process_time() - self.cpu_began) / self.seconds


async def _measure(games: int, level: int, pause: float, seconds: float, moves: int | None = None) -> Report:
    """``moves``: it ends when everybody has had so many answers."""
    begun = apply(new_game(_AGREED), 0, action("place", "h8"), 0)
    if isinstance(begun, Game):
        decide(begun, 1, level=1, seconds=None)  # the kernels are there before anything is timed
    load_before = os.getloadavg()[0]
    async with _engine() as (tables, news):
        alone = _Waits()
        await _person(tables, news, level, _ALONE_PAUSE, Random(0), alone, moves or _ALONE)  # noqa: S311
        alone.ended()
        crowd = _Waits()
        people = [
            asyncio.create_task(_person(tables, news, level, pause, Random(number), crowd, moves))  # noqa: S311
            for number in range(1, games + 1)
        ]
        await asyncio.wait(people, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        crowd.ended()
        await stopped(people)  # raises what one of them has raised
    subject = (
        f"what people wait for level {level} ({SECONDS:.0f} s at most, an answer {PACE} s after the stone at the "
        f"earliest, {WORKERS} thoughts at once)"
    )
    if not crowd.waits:
        raise ValueError("nobody was answered in this time: make it longer")
    return Report(subject, (*_figures(games, pause, alone, crowd, load_before),))


def _figures(games: int, pause: float, alone: _Waits, crowd: _Waits, load_before: float) -> Iterator[Figure]:
    yield Figure("alone_p50_s", percentile(alone.waits, 50), "s", f"one game alone, {len(alone.waits)} answers: p50")
    yield Figure("alone_max_s", max(alone.waits), "s", "    the longest")
    what = f"{games} games at once, people answer after {pause:.0f} s on average"
    yield Figure("answers", len(crowd.waits), "", f"{what}: answers in {crowd.seconds:.0f} s")
    for percent in (50, 95, 99):
        yield Figure(f"crowd_p{percent}_s", percentile(crowd.waits, percent), "s", f"    p{percent}")
    yield Figure("crowd_max_s", max(crowd.waits), "s", "    the longest")
    late = 100 * sum(wait > PROMISED for wait in crowd.waits) / len(crowd.waits)
    yield Figure("late_percent", late, "%", f"    waited longer than {PROMISED:.0f} s")
    yield Figure("crowd_cores", crowd.cores, "", f"    cores in use by the bench, of {os.cpu_count()}")
    yield Figure("load_before", load_before, "", "load of the machine before (processes that want a core)")
    yield Figure("load_after", os.getloadavg()[0], "", "    and after")


class _News:
    """Tells who waits for a table that it has moved on."""

    def __init__(self) -> None:
        self._events: dict[str, asyncio.Event] = {}

    def of(self, table: str) -> asyncio.Event:
        return self._events.setdefault(table, asyncio.Event())

    async def listen(self, changes: AsyncIterator[tuple[str, int]]) -> None:
        async for table, _ in changes:
            self.of(table).set()


@asynccontextmanager
async def _engine() -> AsyncIterator[tuple[Tables, _News]]:
    """A store, and the engine that answers there."""
    async with tables_of_a_bench() as tables:
        news = _News()
        tasks = [
            asyncio.create_task(news.listen(tables.changes())),
            asyncio.create_task(Thinker(tables, decide=deciding(own_book())).run()),
        ]
        try:
            yield tables, news
        finally:
            await stopped(tasks)


async def _person(  # noqa: PLR0917
    tables: Tables, news: _News, level: int, pause: float, random: Random, noted: _Waits, moves: int | None = None
) -> None:
    """Somebody who plays the engine, game after game, as a club player would."""
    table = await _opened(tables, level)
    answers = 0
    while moves is None or answers < moves:
        await asyncio.sleep(random.expovariate(1 / pause))
        stone = await asyncio.to_thread(decide, table.game, 0, level=5, seconds=1.0, seed=random.getrandbits(32))
        intent = Intent(table=table.id, who=_PERSON.id, action=stone, rev=table.rev)
        after = await tables.act(intent)
        if not isinstance(after, Table):
            raise RuntimeError(f"a stone was not taken: {after}")
        began = time.perf_counter()
        if after.game.outcome is None:
            table = await _answer(tables, news, after)
            noted.waits.append(time.perf_counter() - began)
            answers += 1
        if after.game.outcome is not None or table.game.outcome is not None:
            table = await _opened(tables, level)


async def _opened(tables: Tables, level: int) -> Table:
    return await tables.open(Table(id=new_id(), game=new_game(_AGREED), seats=(_PERSON, Machine(level=level))), None)


async def _answer(tables: Tables, news: _News, before: Table) -> Table:
    """The table when the engine has answered."""
    moved = news.of(before.id)
    async with asyncio.timeout(_TIMEOUT):
        while True:
            moved.clear()
            now = await tables.get(before.id)
            if isinstance(now, Table) and now.rev > before.rev:
                return now
            await moved.wait()
