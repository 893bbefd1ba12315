"""One connection for everybody: each answer goes to whoever asked, whatever happens to the others or to the line."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from redis.asyncio.connection import BlockingConnectionPool
from redis.exceptions import ConnectionError as LineBroken
from redis.exceptions import ResponseError
from redis.exceptions import TimeoutError as LineSilent

from bot.session.line import Line
from bot.session.lua import LOAD
from bot.session.store import Store

pytestmark = pytest.mark.asyncio


def a_line(url: str, *, patience: float = 60) -> Line:
    return Line(BlockingConnectionPool.from_url(url, protocol=2).make_connection, patience=patience)


@pytest_asyncio.fixture
async def line(redis_url: str) -> AsyncIterator[Line]:
    opened = a_line(redis_url)
    yield opened
    await opened.close()


async def test_each_answer_is_for_its_own_question(line: Line) -> None:
    """Hundreds at once, refusals among them, and some that nobody waits for any more."""

    async def right(number: int) -> bool:
        if number % 7 == 0:
            with pytest.raises(ResponseError):
                await line.ask("NONSENSE", number)
            return True
        return bool(await line.ask("ECHO", f"word {number}") == f"word {number}".encode())

    asked = [asyncio.create_task(right(number)) for number in range(500)]
    await asyncio.sleep(0)
    for task in asked[::5]:
        task.cancel()
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert all(isinstance(one, asyncio.CancelledError) for one in answers[::5])
    assert all(one is True for number, one in enumerate(answers) if number % 5)


async def test_there_is_one_connection_however_many_ask(line: Line) -> None:
    """The server knows them by one number."""
    assert len(set(await asyncio.gather(*(line.ask("CLIENT", "ID") for _ in range(100))))) == 1


async def test_a_line_that_broke_is_opened_anew(line: Line) -> None:
    """Who waited on it is told; the answers of the next line are to the next questions."""
    number = int(await line.ask("CLIENT", "ID"))
    waiting = line.ask("BLPOP", "nothing", 0)
    other = line.ask("ECHO", "unanswered")
    killer = Line(line._connection, patience=60)
    assert await killer.ask("CLIENT", "KILL", "ID", number) == 1
    for unanswered in (waiting, other):
        with pytest.raises(LineBroken):
            await unanswered
    assert await asyncio.gather(*(line.ask("ECHO", word) for word in "abc")) == [b"a", b"b", b"c"]
    await killer.close()


async def test_whoever_waits_when_it_is_closed_is_told(line: Line) -> None:
    """Also what was asked a moment before, when there was no connection yet."""
    early = line.ask("ECHO", "early")
    await line.close()
    with pytest.raises(LineBroken):
        await early


class Mute:
    """A server that takes what it is sent and answers only so many times."""

    def __init__(self, answers: int) -> None:
        self._left = answers
        self.connections = 0
        self.left = asyncio.Event()

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        while await reader.readline():
            if self._left > 0:
                self._left -= 1
                writer.write(b"+OK\r\n")
        writer.close()
        await writer.wait_closed()
        self.left.set()


async def test_a_server_that_falls_silent_is_given_up() -> None:
    """Whether it never said anything, or stopped in the midst of it."""
    for answers in (0, 100):
        mute = Mute(answers)
        server = await asyncio.start_server(mute, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        line = a_line(f"redis://127.0.0.1:{port}", patience=0.2)
        asked = await asyncio.gather(*(line.ask("ECHO", word) for word in "x" * 200), return_exceptions=True)
        assert isinstance(asked[-1], LineSilent)
        assert mute.connections == 1
        await line.close()
        server.close()
        await mute.left.wait()


async def test_a_server_that_has_forgotten_the_scripts_is_told_them_again(store: Store) -> None:
    """Nobody notices."""
    for _ in range(2):
        assert (await store.run(LOAD, ["{p00}:table:nothing"], [""]))[0] == b"gone"
        await store.call("SCRIPT", "FLUSH")
