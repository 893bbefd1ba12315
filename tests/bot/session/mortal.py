"""A bot that can be killed at any instant, and the world around it that lives on.

The world is a folder: ``updates`` is what people do, delivered in order and again until confirmed, as platforms do;
``confirmed`` has a line for each confirmed one; ``chat`` has a line for each message sent or changed. Run as a module
it is a nursery: it imports everything once, and forks a bot for every line on its standard input.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import traceback
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import structlog

from bot.session.refresher import Refresher, Sent, Shown
from bot.session.server import embedded
from bot.session.store import Store
from bot.session.table import Declined, Intent, Person, Table, View
from bot.session.tables import Tables
from core.game import Game, Refusal, Seat, Settings, action, apply, new_game
from tests.bot.session.people import until

T = TypeVar("T")

ALICE = Person(id="tg:1", name="Alice")
BOB = Person(id="tg:2", name="Bob")
SETTINGS = Settings(protocol="rif")

#: What is done at the table: the seat and the words. Many of these would count again if they were done twice.
GAME: list[tuple[Seat, str]] = [
    (0, "place h8"),
    (0, "place h9"),
    (0, "place h10"),
    (1, "swap"),
    (0, "place g7"),
    (1, "offer k4"),
    (1, "offer l5"),
    (0, "choose k4"),
    (0, "place d4"),
    (1, "place d12"),
    (0, "draw_offer"),
    (1, "draw_decline"),
    (0, "place l12"),
    (1, "place b2"),
    (0, "claim"),
    (0, "place n14"),
    (1, "undo_ask"),
    (0, "undo_refuse"),
    (1, "place b14"),
    (0, "pass"),
    (1, "place n2"),
    (0, "claim"),
    (0, "pass"),
    (1, "undo_ask"),
    (0, "undo_allow"),
    (1, "place c3"),
    (0, "place m3"),
    (1, "draw_offer"),
    (1, "place c13"),
    (0, "place m13"),
    (1, "resign"),
]


def the_game() -> Game:
    """The game as it should be in the end, by the rules alone."""
    game = new_game(SETTINGS)
    for number, (seat, words) in enumerate(GAME):
        after = apply(game, seat, action(*words.split()), number)
        assert not isinstance(after, Refusal), (words, after)
        game = after
    return game


def updates() -> list[dict[str, str]]:
    """Everything that happens, in order: a table is opened, joined, looked at in a second chat, and played at."""
    script = [{"do": "open"}, {"do": "join"}]
    script += [{"do": "act", "who": (ALICE, BOB)[seat].id, "words": words} for seat, words in GAME]
    script.insert(9, {"do": "view"})
    return [{"source": f"tg:update:{number}", **one} for number, one in enumerate(script)]


class World:
    """What outlives the bot."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def append(self, file: str, line: str) -> None:
        """One line, whole or not at all."""
        with (self.folder / file).open("ab", buffering=0) as log:
            log.write(line.encode() + b"\n")

    def lines(self, file: str) -> list[str]:
        """All lines of a file so far."""
        path = self.folder / file
        return path.read_text().splitlines() if path.exists() else []


@dataclass
class Doom:
    """Counts instants, and kills the process at one of them."""

    at: int
    now: int = 0

    def tick(self) -> None:
        self.now += 1
        if self.now == self.at:
            os.kill(os.getpid(), signal.SIGKILL)


class MortalStore(Store):
    """Before and after every trip to the server is an instant."""

    doom: Doom

    async def _guarded(self, attempt: Callable[[], Awaitable[T]], on: Sequence[object]) -> T:
        async def mortal() -> T:
            self.doom.tick()
            answer = await attempt()
            self.doom.tick()
            return answer

        return await super()._guarded(mortal, on)


class MortalChat:
    """A platform's adapter: before a message is there, when it is there, and when the platform's answer has come."""

    def __init__(self, world: World, doom: Doom) -> None:
        self._world = world
        self._doom = doom

    async def show(self, table: Table, view: View) -> Shown:
        self._doom.tick()
        await asyncio.sleep(0.001)
        sent = sum(json.loads(line)["new"] for line in self._world.lines("chat"))
        message = view.message or f"m{sent + 1}"
        line = {"view": view.chat, "message": message, "new": not view.message, "rev": table.rev}
        self._world.append("chat", json.dumps(line))
        self._doom.tick()
        await asyncio.sleep(0.001)
        self._doom.tick()
        return Sent(message)


async def live(world: World, doom: Doom) -> None:
    """A whole run of the bot: from where the world stands to the end of the script."""
    server = await embedded(world.folder / "data")
    doom.tick()
    store = MortalStore(server.url)
    store.doom = doom
    tables = Tables(store)
    refresher = asyncio.create_task(Refresher(tables, {"tg": MortalChat(world, doom)}).run())
    for update in [json.loads(line) for line in world.lines("updates")][len(world.lines("confirmed")) :]:
        answer = await _done(tables, update)
        if not isinstance(answer, Table | None) and answer is not Declined.REPEATED:
            world.append("refused", f"{update} {answer}")
        doom.tick()
        world.append("confirmed", update["source"])
        doom.tick()
        await asyncio.sleep(0.0005 * (doom.now % 5))
    await until(lambda: _settled(store))
    refresher.cancel()
    await asyncio.gather(refresher, return_exceptions=True)
    await tables.close()
    await store.close()
    await server.close()


async def _done(tables: Tables, update: dict[str, str]) -> Table | Refusal | Declined | None:
    source = update["source"]
    table = await tables.id_from("tg:update:0")
    match update["do"]:
        case "open":
            made = Table(id=table, game=new_game(SETTINGS), seats=(ALICE, None))
            return await tables.open(made, View(id="one", platform="tg", chat="one"), source=source)
        case "join":
            return await tables.join(table, BOB, source=source)
        case "view":
            return await tables.attach(table, View(id="two", platform="tg", chat="two"))
        case _:
            words = action(*update["words"].split())
            return await tables.act(Intent(table=table, who=update["who"], action=words, source=source))


async def _settled(store: Store) -> bool:
    left: list[Any] = await store.many([("ZCARD", f"{{p{number:02d}}}:stale") for number in range(64)])
    return sum(left) == 0


def nursery() -> None:
    """For each line ``FOLDER<tab>INSTANT``: the bot's process id, and in the end its status and its instants."""
    the_game()  # what has to be compiled is compiled before the first is born
    structlog.configure(logger_factory=structlog.WriteLoggerFactory(sys.stderr))
    print("ready", flush=True)
    for line in sys.stdin:
        folder, _, instant = line.rstrip("\n").partition("\t")
        child = os.fork()
        if child == 0:
            doom = Doom(int(instant))
            try:
                asyncio.run(live(World(Path(folder)), doom))
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            World(Path(folder)).append("instants", str(doom.now))
            os._exit(0)
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    nursery()
