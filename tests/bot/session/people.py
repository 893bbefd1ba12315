"""People, tables and chats for the tests of this folder."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from bot.session.ids import new_id
from bot.session.refresher import Sent, Shown
from bot.session.table import Intent, Machine, Occupant, Person, Table, View
from bot.session.tables import Tables
from core.game import FoulMode, Settings, action, apply, new_game
from core.notation import POINTS, TENGEN, name

ALICE = Person(id="tg:1", name="Alice")
BOB = Person(id="tg:2", name="<b>&_*", language="zh_Hans")
CAROL = Person(id="tg:3", name="Carol")
ENGINE = Machine(level=3)

#: What the tests play: the first move is tengen; nobody makes five in the first hundred moves (see ``test_people``).
MOVES = [name(TENGEN)] + [name(p) for i in range(POINTS) if (p := i * 38 % POINTS) != TENGEN]


def a_table(first: Occupant | None = ALICE, second: Occupant | None = BOB, *, id: str = "", **options: object) -> Table:  # noqa: A002
    """A new game with Alice as Black and Bob as White."""
    settings = Settings(**{"foul_mode": FoulMode.FREESTYLE, **options})
    return Table(id=id or new_id(), game=new_game(settings), seats=(first, second))


def played(table: Table, moves: int) -> Table:
    """The table after the first so many of :data:`MOVES`, without any store."""
    game = table.game
    for number in range(moves):
        game = apply(game, 0 if number % 2 == 0 else 1, action("place", MOVES[number]), 1_000 + number)
    return Table(id=table.id, game=game, seats=table.seats, joins=table.joins, created=table.created)


def a_view(name: str = "view", *, chat: str = "chat", message: str = "", thread: str = "") -> View:
    """A view on the platform ``tg``."""
    return View(id=name, platform="tg", chat=chat, thread=thread, message=message)


def intent(table: Table | str, who: Person | str, *words: str, rev: int | None = None, source: str = "") -> Intent:
    """``who`` does what the words say."""
    return Intent(
        table=table if isinstance(table, str) else table.id,
        who=who if isinstance(who, str) else who.id,
        action=action(*words),
        rev=rev,
        source=source,
        at=5_000,
    )


async def place(tables: Tables, table: Table, *, source: str = "") -> Table:
    """The next of :data:`MOVES`, by whoever is to move."""
    number = len(table.game.state.stones)
    after = await tables.act(
        intent(table, (ALICE, BOB)[number % 2], "place", MOVES[number], rev=table.rev, source=source)
    )
    assert isinstance(after, Table), after
    return after


async def until(holds: Callable[[], bool | Awaitable[bool]], *, seconds: float = 20.0) -> None:
    """Return as soon as something holds; fail when it does not come to hold at all."""
    end = time.monotonic() + seconds
    while True:
        answer = holds()
        if answer if isinstance(answer, bool) else await answer:
            return
        assert time.monotonic() < end, "what was waited for did not come"
        await asyncio.sleep(0.005)


class Chat:
    """A platform that remembers its messages: what each one shows, and everything that was ever asked of it."""

    def __init__(self) -> None:
        self.messages: dict[str, int] = {}
        """The rev that each message shows."""
        self.shows: list[tuple[str, int]] = []
        """View and rev of every show, in order."""
        self.busy = 0
        self.busiest = 0
        self.gate = asyncio.Event()
        """Closed: shows wait here, under way."""
        self.gate.set()
        self.answers: list[Shown | Exception] = []
        """What to answer instead of showing, in order."""

    async def show(self, table: Table, view: View) -> Shown:
        self.shows.append((view.id, table.rev))
        self.busy += 1
        self.busiest = max(self.busy, self.busiest)
        try:
            await self.gate.wait()
            if self.answers:
                answer = self.answers.pop(0)
                if isinstance(answer, Exception):
                    raise answer
                return answer
            message = view.message or f"message {len(self.messages) + 1}"
            self.messages[message] = table.rev
            return Sent(message)
        finally:
            self.busy -= 1
