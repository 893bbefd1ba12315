"""One connection to the Redis-compatible server for all calls of a process: sent together, answered in their order.

What is asked in one turn of the event loop leaves in one piece, and nobody waits for the answer to another's question
before asking; so a call costs a small part of what it costs with a connection, a lock and a timeout of its own.
The connection itself is redis-py's: addresses, passwords, TLS and the protocol.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from hiredis import pack_command
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import (
    ConnectionError,  # noqa: A004 - redis's own, which is no OSError
    RedisError,
    ResponseError,
)
from redis.exceptions import TimeoutError as RedisTimeoutError

#: How often in the time of its patience the line is looked at.
_LOOKS: Final = 8


class Line:
    """Opened by the first question, and again by the first one after it broke.

    ``patience``: how long the server may say nothing at all while it owes answers, in seconds. It is counted in looks,
    so that a process that stood still itself is not taken for a silent server.
    """

    def __init__(self, connection: Callable[[], AbstractConnection], *, patience: float) -> None:
        self._connection = connection
        self._patience = patience
        self._unsent: list[bytes] = []
        self._owed: deque[asyncio.Future[Any]] = deque()
        self._answers = 0
        self._some = asyncio.Event()
        self._work: asyncio.Task[None] | None = None

    def ask(self, *command: str | bytes | int) -> asyncio.Future[Any]:
        """Send a command: its answer, or the ``ResponseError`` that the server gave.

        ``ConnectionError``, ``redis.TimeoutError``: the line broke, and it is not known whether the command was carried
        out. No answer is ever taken for that to another command: a line that broke is not used again.
        """
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._unsent.append(pack_command(command))  # type: ignore[arg-type]  # its own type says: of one word
        self._owed.append(answer)
        self._some.set()
        if self._work is None:
            self._work = asyncio.create_task(self._live(), name="renju store")
        return answer

    async def close(self) -> None:
        """Hang up. Whoever still waits for an answer gets ``ConnectionError``."""
        if self._work is not None:
            work = self._work
            work.cancel()
            with suppress(asyncio.CancelledError):
                await work
            self._broken(ConnectionError("the line was closed"))  # where the work had not begun

    async def _live(self) -> None:
        """From the connecting to the end of a connection."""
        connection = self._connection()
        tasks: list[asyncio.Task[None]] = []
        end: BaseException = ConnectionError("the line was closed")
        try:
            async with asyncio.timeout(self._patience):
                await connection.connect()  # type: ignore[no-untyped-call]
            parts = self._listen, self._speak, self._watch
            tasks = [asyncio.create_task(part(connection), name="renju store") for part in parts]
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            end = next((error for task in done if (error := task.exception()) is not None), end)
        except (RedisError, OSError) as error:  # OSError: also the patience that ended
            end = error
        finally:
            self._broken(end)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await connection.disconnect(nowait=True)

    def _broken(self, end: BaseException) -> None:
        """Nothing that was asked will be answered any more; what is asked from here on gets a line of its own."""
        kind = RedisTimeoutError if isinstance(end, TimeoutError | RedisTimeoutError) else ConnectionError
        kind = type(end) if isinstance(end, ConnectionError) else kind
        owed, self._owed, self._unsent, self._work = self._owed, deque(), [], None
        self._some = asyncio.Event()
        for answer in owed:
            if not answer.done():
                answer.set_exception(kind(str(end) or "no answer in time"))

    async def _speak(self, connection: AbstractConnection) -> None:
        some = self._some
        while True:
            await some.wait()
            some.clear()
            unsent, self._unsent = self._unsent, []
            await connection.send_packed_command(b"".join(unsent), check_health=False)

    async def _listen(self, connection: AbstractConnection) -> None:
        while True:
            answer: Any
            try:
                answer = await connection.read_response()
            except ResponseError as error:
                answer = error
            self._answers += 1
            if not self._owed:
                raise ConnectionError("an answer that nobody asked for")
            waiting = self._owed.popleft()
            if waiting.done():  # nobody waits any more
                continue
            if isinstance(answer, ResponseError):
                waiting.set_exception(answer)
            else:
                waiting.set_result(answer)

    async def _watch(self, _: AbstractConnection) -> None:
        """End the line when the server owes answers and gives none."""
        silent, before = 0, self._answers
        while silent <= _LOOKS:
            await asyncio.sleep(self._patience / _LOOKS)
            silent = silent + 1 if self._owed and self._answers == before else 0
            before = self._answers
        raise RedisTimeoutError("no answer in time")
