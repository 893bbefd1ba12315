"""The server goes away in mid game, or takes no more writes: a value for everybody, one line for the operator."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import pytest_asyncio
from redis import Redis
from structlog.testing import capture_logs

from bot.session.refresher import Refresher
from bot.session.server import Fsync, RedisServer
from bot.session.store import Store, StoreUnavailable
from bot.session.table import Declined, Table
from bot.session.tables import Tables
from tests.bot.session.people import ALICE, BOB, MOVES, Chat, a_table, a_view, intent, place, until

pytestmark = pytest.mark.asyncio


class Machine:
    """A machine on which the server can be killed and started again by hand."""

    def __init__(self, folder: Path, fsync: Fsync) -> None:
        self._folder = folder
        self._fsync = fsync
        self.start()

    def kill(self) -> None:
        os.kill(self.server.pid, signal.SIGKILL)
        self.server.stop()

    def start(self) -> None:
        self.server = RedisServer(self._folder, fsync=self._fsync)
        self.server.start()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path, "always")
    yield made
    with suppress(ProcessLookupError):
        os.kill(made.server.pid, signal.SIGCONT)
    made.server.stop()


@pytest.fixture
def lazy_machine(tmp_path: Path) -> Iterator[Machine]:
    """The default: the file is on the disk once a second, and a full disk does not end the server."""
    made = Machine(tmp_path / "lazy", "everysec")
    yield made
    made.server.stop()


@pytest_asyncio.fixture
async def store(machine: Machine) -> AsyncIterator[Store]:
    opened = Store(machine.server.url)
    yield opened
    await opened.close()


@pytest_asyncio.fixture
async def tables(store: Store) -> AsyncIterator[Tables]:
    opened = Tables(store)
    yield opened
    await opened.close()


class TestGone:
    async def test_every_method_says_so_soon(self, machine: Machine, tables: Tables) -> None:
        """A value or one kind of exception, within three seconds, and one line in the log for all of it."""
        table = await tables.open(a_table(ALICE, None), a_view())
        machine.kill()
        unavailable = [
            lambda: tables.open(a_table(), a_view()),
            lambda: tables.attach(table.id, a_view()),
            lambda: tables.detach(table.id, "view"),
            lambda: tables.views(table.id),
            lambda: tables.view_at("tg", "chat", "1"),
            lambda: tables.tables_of("tg:1"),
            lambda: tables.tables_in("tg", "chat"),
            lambda: tables.remember("a", "b", 1),
            lambda: tables.recall("a"),
            lambda: tables.take("a"),
            lambda: tables.id_from("a"),
            tables.waiting_for_machine,
            tables.stale.due,
        ]
        declined = [
            lambda: tables.get(table.id),
            lambda: tables.join(table.id, BOB),
            lambda: tables.act(intent(table, ALICE, "cancel")),
            lambda: tables.act(intent(table, ALICE, "cancel", rev=0, source="tg:update:1")),
        ]
        with capture_logs() as logs:
            for ask in declined + unavailable:
                began = time.monotonic()
                if ask in unavailable:
                    with pytest.raises(StoreUnavailable):
                        await ask()
                else:
                    assert await ask() is Declined.NOT_STORED
                assert time.monotonic() - began < 3.5
            assert await asyncio.gather(*(tables.get(table.id) for _ in range(100))) == [Declined.NOT_STORED] * 100
            machine.start()
            assert await tables.get(table.id) == table
        assert [line["event"] for line in logs if line["event"].startswith("store_")] == [
            "store_unreachable",
            "store_back",
        ]

    async def test_a_short_restart_is_not_noticed(self, machine: Machine, tables: Tables) -> None:
        """The connections of before are dead, and the next action still passes."""
        table = await tables.open(a_table(), None)
        await asyncio.gather(*(tables.get(table.id) for _ in range(40)))
        with capture_logs() as logs:
            machine.kill()
            machine.start()
            await asyncio.gather(*(tables.get(table.id) for _ in range(40)))
            await place(tables, table)
        assert [line for line in logs if line["event"].startswith("store_")] == []

    async def test_an_action_waits_for_a_server_that_is_coming_back(self, machine: Machine, tables: Tables) -> None:
        """While no outage is known a call is patient for a moment."""
        table = await tables.open(a_table(), None)
        machine.kill()
        acting = asyncio.create_task(place(tables, table))
        await asyncio.sleep(0)
        machine.start()
        assert (await acting).rev == 1

    async def test_a_game_goes_on_after_an_outage(self, machine: Machine, tables: Tables) -> None:
        """The message under way is noted when the store is back, not sent again; the view ends at the newest rev; what
        was declined did not happen, what was accepted did.
        """
        chat = Chat()
        refresher = asyncio.create_task(Refresher(tables, {"tg": chat}).run())
        await asyncio.sleep(0)
        chat.gate.clear()
        table = await tables.open(a_table(), a_view())
        await until(lambda: chat.busy == 1)
        table = await place(tables, table, source="tg:update:1")
        machine.kill()
        chat.gate.set()
        await until(lambda: chat.messages == {"message 1": 0})
        move = intent(table, BOB, "place", MOVES[1], rev=1, source="tg:update:2")
        declined = 0
        while declined < 20:  # players keep tapping for as long as it takes the operator to notice
            assert await tables.act(move) is Declined.NOT_STORED
            declined += 1
        machine.start()
        after = await tables.act(move)
        assert isinstance(after, Table)
        assert after.rev == 2
        assert await tables.act(move) is Declined.REPEATED
        await until(lambda: chat.messages == {"message 1": 2})
        refresher.cancel()
        await asyncio.gather(refresher, return_exceptions=True)
        assert await stored(machine, table) == after

    async def test_news_go_on_after_an_outage(self, machine: Machine, tables: Tables) -> None:
        """Whoever listens hears the next commits, also of other processes."""
        news = tables.changes()
        await tables.listening()
        machine.kill()
        machine.start()
        store = Store(machine.server.url)
        elsewhere = Tables(store)
        table = await elsewhere.open(a_table(), None)
        assert await asyncio.wait_for(anext(news), 20) == (table.id, 0)
        await store.close()


class TestHung:
    async def test_a_server_that_does_not_answer_is_an_outage(self, machine: Machine) -> None:
        """After the store's patience; and no later answer is taken for another question's."""
        store = Store(machine.server.url, patience=1.5)
        tables = Tables(store)
        table = await tables.open(a_table(), None)
        await asyncio.gather(*(tables.get(table.id) for _ in range(20)))
        os.kill(machine.server.pid, signal.SIGSTOP)
        answers = await asyncio.gather(*(store_says(store, number) for number in range(20)))
        assert answers == [None] * 20
        assert await tables.act(intent(table, ALICE, "place", "h8", rev=0)) is Declined.NOT_STORED
        os.kill(machine.server.pid, signal.SIGCONT)

        async def all_answered() -> bool:
            answers = await asyncio.gather(*(store_says(store, number) for number in range(50)))
            assert all(answer in (None, number) for number, answer in enumerate(answers))
            return None not in answers

        await until(all_answered)
        await store.close()

    async def test_whoever_stands_in_line_hears_it_at_once(self, machine: Machine) -> None:
        """Hundreds of calls do not wait for the silent server one after another."""
        store = Store(machine.server.url, patience=1.0)
        await store.ready()
        os.kill(machine.server.pid, signal.SIGSTOP)
        began = time.monotonic()
        assert await asyncio.gather(*(store_says(store, number) for number in range(400))) == [None] * 400
        assert time.monotonic() - began < 6  # one after another it would be thirteen
        os.kill(machine.server.pid, signal.SIGCONT)
        await until(lambda: answered(store))
        await store.close()

    async def test_standing_in_line_is_no_outage(self, machine: Machine) -> None:
        """A call that had to wait for its turn longer than a server may take is answered all the same."""
        store = Store(machine.server.url, patience=2.0)
        answers = await asyncio.gather(*(store.call("BLPOP", f"nothing {number}", "0.5") for number in range(8)))
        assert answers == [None] * 8
        await store.close()

    async def test_an_answer_that_was_lost_is_asked_for_again(self, machine: Machine) -> None:
        """The commit reached the server but its answer came too late: delivered again it is known, not done twice."""
        store = Store(machine.server.url, patience=1.5)
        tables = Tables(store)
        table = await tables.open(a_table(), None)
        move = intent(table, ALICE, "place", "h8", source="tg:update:1")
        os.kill(machine.server.pid, signal.SIGSTOP)
        assert await tables.act(move) is Declined.NOT_STORED
        os.kill(machine.server.pid, signal.SIGCONT)
        await until(lambda: answered(store))
        answer = await tables.act(move)
        assert isinstance(answer, Table) or answer is Declined.REPEATED
        now = await tables.get(table.id)
        assert isinstance(now, Table)
        assert now.rev == 1
        await store.close()


async def stored(machine: Machine, table: Table) -> Table | Declined:
    """What another process reads."""
    store = Store(machine.server.url)
    try:
        return await Tables(store).get(table.id)
    finally:
        await store.close()


async def answered(store: Store) -> bool:
    return await store_says(store, 7) == 7


async def store_says(store: Store, number: int) -> int | None:
    try:
        return int(await store.call("ECHO", str(number)))
    except StoreUnavailable:
        return None


class TestNoRoom:
    @pytest.mark.parametrize("how", ["memory", "replica"])
    async def test_a_store_that_takes_no_writes(self, machine: Machine, tables: Tables, how: str) -> None:
        """Reading goes on, acting is declined, the operator hears once when it begins and once when it is over."""
        table = await tables.open(a_table(), None)
        with Redis(unix_socket_path=str(machine.server.socket)) as operator, capture_logs() as logs:
            if how == "memory":
                operator.config_set("maxmemory", "1")
            else:
                operator.execute_command("REPLICAOF", "127.0.0.1", "1")
                operator.config_set("replica-serve-stale-data", "yes")
            for _ in range(3):
                assert await tables.act(intent(table, ALICE, "place", "h8", rev=0)) is Declined.NOT_STORED
                assert await tables.get(table.id) == table
            with pytest.raises(StoreUnavailable):
                await tables.open(a_table(), None)
            operator.config_set("maxmemory", "0")
            operator.execute_command("REPLICAOF", "NO", "ONE")
            await place(tables, table)
        assert [line["event"] for line in logs] == ["store_refuses_writes", "store_takes_writes"]

    @pytest.mark.skipif(sys.platform != "linux", reason="only Linux can limit the files of another process")
    async def test_a_full_disk_loses_nothing(self, lazy_machine: Machine) -> None:
        """The file cannot grow: soon every action is declined; when there is room again the game goes on, and a restart
        finds every action that was accepted.
        """
        machine = lazy_machine
        store = Store(machine.server.url)
        tables = Tables(store)
        table = await tables.open(a_table(), None)
        (file,) = list(machine.server.folder.rglob("*.incr.aof")) or machine.server.folder.rglob("*.aof")
        pid = machine.server.pid
        soft, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (file.stat().st_size + 10, hard))
        accepted: list[Table] = [table]

        async def declined() -> bool:
            table = accepted[-1]
            number = table.rev
            answer = await tables.act(intent(table, (ALICE, BOB)[number % 2], "place", MOVES[number], rev=number))
            if isinstance(answer, Table):
                accepted.append(answer)
                return False
            assert answer is Declined.NOT_STORED
            return True

        await until(declined)
        assert len(accepted) < 5
        assert await declined()
        assert await tables.get(table.id) == accepted[-1]
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (soft, hard))

        async def taken() -> bool:
            return not await declined()

        await until(taken)
        await store.close()
        machine.server.stop()
        machine.start()
        assert await stored(machine, table) == accepted[-1]


class TestUnreachable:
    @pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "unix:///nowhere/socket"])
    async def test_a_store_that_was_never_there_is_one_line(self, url: str) -> None:
        """What the operator is told when the bot starts without its server."""
        store = Store(url)
        with pytest.raises(StoreUnavailable) as met:
            await store.ready()
        assert "\n" not in str(met.value)
        await store.close()
