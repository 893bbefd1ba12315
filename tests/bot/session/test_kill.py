"""kill -9 of the bot at any instant of a game: no accepted action is lost or doubled, and every view ends up right.

``RENJU_KILLS=50`` plays that many games with one kill each (ten when the slow tests run without it).
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.session.server import RedisServer
from bot.session.store import Store
from bot.session.table import Table
from bot.session.tables import Tables
from tests.bot.session.mortal import World, the_game, updates

ROOT = Path(__file__).parents[3]
KILLS = int(os.environ.get("RENJU_KILLS", "10"))


@dataclass
class Nursery:
    """Where bots are born."""

    process: subprocess.Popen[str]

    def born(self, world: World, instant: int = 0) -> int:
        """A bot in this world, to be killed at its so-manieth instant: its process id."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{world.folder}\t{instant}\n")
        self.process.stdin.flush()
        return int(self._said())

    def ended(self) -> int:
        """Wait for the end of the bot: its exit status."""
        return int(self._said())

    def _said(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bot.session.mortal"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    yield Nursery(process)
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(60) == 0
    process.stdout.close()


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path)
    for update in updates():
        made.append("updates", json.dumps(update))
    return made


@pytest.fixture(scope="module")
def instants(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many instants a game has at least. The game that tells, in which nobody is killed, is checked too."""
    world = World(tmp_path_factory.mktemp("whole"))
    for update in updates():
        world.append("updates", json.dumps(update))
    nursery.born(world)
    assert nursery.ended() == 0
    check(world, kills=0)
    return int(world.lines("instants")[0]) * 4 // 5  # surely reached in another game, whose timing is its own


def check(world: World, *, kills: int) -> None:
    """What must hold in the end, whatever happened on the way."""
    assert world.lines("refused") == []
    assert len(world.lines("confirmed")) == len(updates())
    server = RedisServer(world.folder / "data")
    server.start()
    try:
        asyncio.run(_check(server.url, [json.loads(line) for line in world.lines("chat")], kills))
    finally:
        server.stop()


async def _check(url: str, chat: list[dict[str, object]], kills: int) -> None:
    store = Store(url)
    tables = Tables(store)
    # One table, and its record is the script: nothing lost, nothing doubled.
    assert len(await store.call("KEYS", "*:table:*")) == 1
    (name,) = await tables.tables_of("tg:1")
    table = await tables.get(name)
    assert isinstance(table, Table)
    expected = [(entry.seat, entry.action) for entry in the_game().record]
    assert [(entry.seat, entry.action) for entry in table.game.record] == expected
    assert table.joins == 1
    # Every view shows the newest state, and its buttons are known.
    views = {view.chat: view for view in await tables.views(name)}
    assert set(views) == {"one", "two"}
    for place, view in views.items():
        shown = [line for line in chat if line["message"] == view.message]
        assert shown[-1]["rev"] == view.shown == table.rev
        assert await tables.view_at("tg", place, view.message) == (name, view)
    # A message that was in flight may exist twice; the copy belongs to no view.
    sent = Counter(line["view"] for line in chat if line["new"])
    assert sum(sent.values()) <= 2 + kills
    for line in chat:
        if line["message"] != views[str(line["view"])].message:
            assert await tables.view_at("tg", str(line["view"]), str(line["message"])) is None
    await tables.close()
    await store.close()


def killed_at(nursery: Nursery, world: World, instant: int) -> None:
    """One kill at an instant, one whole life after it."""
    nursery.born(world, instant)
    assert nursery.ended() == -signal.SIGKILL
    nursery.born(world)
    assert nursery.ended() == 0
    check(world, kills=1)


def killed_by_hand(nursery: Nursery, world: World, rng: random.Random) -> None:
    """One kill from outside, anywhere between two instructions, some time after so many updates."""
    count = rng.randrange(len(updates()))
    child = nursery.born(world)
    while len(world.lines("confirmed")) < count:
        time.sleep(0.0005)
    time.sleep(rng.random() * 0.004)
    os.kill(child, signal.SIGKILL)
    assert nursery.ended() in (-signal.SIGKILL, 0)
    nursery.born(world)
    assert nursery.ended() == 0
    check(world, kills=1)


@pytest.mark.parametrize("seed", range(2))
def test_a_killed_bot_goes_on(nursery: Nursery, world: World, instants: int, seed: int) -> None:
    """A couple of instants for the quick suite."""
    killed_at(nursery, world, random.Random(seed).randint(1, instants))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 2 + KILLS))
def test_a_killed_bot_goes_on_wherever_it_was(nursery: Nursery, world: World, instants: int, seed: int) -> None:
    """By turns at a counted instant and by hand."""
    rng = random.Random(seed)
    if seed % 2:
        killed_by_hand(nursery, world, rng)
    else:
        killed_at(nursery, world, rng.randint(1, instants))


@pytest.mark.slow
def test_a_bot_that_is_killed_again_and_again_comes_to_the_end(nursery: Nursery, world: World, instants: int) -> None:
    """Every life is a little longer than the last."""
    kills = 0
    while True:
        nursery.born(world, 5 + 12 * kills)
        if nursery.ended() == 0:
            break
        kills += 1
    assert kills > 3
    check(world, kills=kills)
