"""The one way to the Redis-compatible server: scripts and commands, with outages as one exception.

Nothing outside ``bot.session`` imports redis. Whatever goes wrong on the way (no server, no answer in time, no room in
memory or on disk, a replica that takes no writes) is :class:`StoreUnavailable`, after at most ``patience`` seconds. An
outage is logged once when it begins and once when it is over, not per call.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from hashlib import sha1
from typing import Any, Final, TypeVar

import structlog
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.connection import BlockingConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import (
    AuthenticationError,
    ConnectionError,  # noqa: A004 - redis's own, which is no OSError
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    ResponseError,
)
from redis.exceptions import TimeoutError as RedisTimeoutError

from bot.session.line import Line
from bot.session.lua import Script

log = structlog.get_logger("renju.store")

T = TypeVar("T")

#: How long the server may take over a call, in seconds. Waiting for one's turn in a busy process does not count.
PATIENCE: Final = 2.5
#: How many subscriptions there may be at once.
_SUBSCRIPTIONS: Final = 8
#: A server that restarts is waited for in steps of these seconds, while no outage is known.
_STEPS: Final = (0.02, 0.05, 0.1, 0.2, 0.3, 0.3)
#: A key as errors repeat it.
_KEY: Final = re.compile(r"\{p\d\d\}:[^\s)']+")
#: Of how many keys of the wrong kind the operator is told.
_DAMAGE: Final = 1_000
#: Answers that mean "not now", wherever in the text of an error they stand (old servers wrap them).
_NOT_NOW: Final = re.compile(
    r"\b(OOM|MISCONF|READONLY|NOREPLICAS|CLUSTERDOWN|MASTERDOWN|LOADING|BUSY|TRYAGAIN|UNKILLABLE)\b"
)


class StoreUnavailable(Exception):
    """The store cannot be reached or written now. What was asked for did not happen, or its answer was lost."""


class Damaged(StoreUnavailable):
    """A key holds something of another kind than it should."""


class Store:
    """A line to the server and its manners. ``url``: ``redis://``, ``rediss://`` or ``unix://``."""

    def __init__(self, url: str, *, patience: float = PATIENCE) -> None:
        self._patience = patience
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=_SUBSCRIPTIONS,
            timeout=patience,
            # With a timeout here the client sends through asyncio.wait_for, which in Python 3.11 can swallow the
            # cancelling of a task; the patience of the line does without.
            socket_timeout=None,
            socket_connect_timeout=patience,
            health_check_interval=30,
            protocol=2,
            retry=Retry(NoBackoff(), 0),  # _guarded has its own patience
        )
        self._redis: Redis = Redis(connection_pool=pool)
        """For subscriptions, each of which needs a connection of its own."""
        self._line = Line(pool.make_connection, patience=patience)
        self._digests: dict[Script, str] = {}
        self._lost = _Outage("store_unreachable", "store_back")
        self._full = _Outage("store_refuses_writes", "store_takes_writes")
        self._damage: set[str] = set()
        """The keys of the wrong kind that the operator has been told of."""

    async def ready(self) -> None:
        """Return when the server answers. Raises :class:`StoreUnavailable` with a line for the operator."""
        await self.call("ECHO", "renju")

    async def run(self, script: Script, keys: Sequence[str], args: Sequence[str | bytes | int] = ()) -> list[bytes]:
        """Run a script. Raises :class:`StoreUnavailable`."""
        digest = self._digests.get(script)
        if digest is None:
            digest = self._digests[script] = sha1(script.text.encode(), usedforsecurity=False).hexdigest()
        rest = (len(keys), *keys, *args)
        line = self._line

        async def once() -> list[bytes]:
            try:
                answer: list[bytes] = await line.ask("EVALSHA", digest, *rest)
            except NoScriptError:  # a server that has been started anew; nothing has happened yet
                answer = await line.ask("EVAL", script.text, *rest)
            return answer

        answer = await self._guarded(once, keys)
        if script.writes and answer and answer[0] == b"ok":
            self._full.over()
        return answer

    async def call(self, *command: str | bytes | int) -> Any:
        """Run one command: the answer as the server gave it, pairs in flat lists. Raises :class:`StoreUnavailable`."""
        return await self._guarded(lambda: self._line.ask(*command), command[1:2])

    async def many(self, commands: Sequence[Sequence[str | bytes | int]]) -> list[Any]:
        """Run commands together on one trip; each stands alone. Raises :class:`StoreUnavailable`."""

        async def trip() -> list[Any]:
            asked = [self._line.ask(*command) for command in commands]
            answers = await asyncio.gather(*asked, return_exceptions=True)
            for command, answer in zip(commands, answers, strict=True):
                if isinstance(answer, BaseException):
                    answer.args = (f"{answer} ({' '.join(map(str, command[:2]))})",)
                    raise answer
            return answers

        return await self._guarded(trip, ("one of several",))

    async def strike(self, name: str, entries: Sequence[bytes]) -> None:
        """Take entries that nobody here can have written off a shared sorted set, and tell the operator."""
        if entries:
            log.error("entries_damaged", key=name, struck=[repr(entry[:64]) for entry in entries[:10]])
            await self.call("ZREM", name, *entries)

    async def subscribed(self, channel: str) -> PubSub:
        """A subscription, to be closed by the caller. Raises, and meets later, the errors of :data:`TROUBLE`."""
        pubsub = self._redis.pubsub(ignore_subscribe_messages=True)
        try:
            async with asyncio.timeout(self._patience):
                await pubsub.subscribe(channel)
        except BaseException:
            await pubsub.aclose()  # type: ignore[no-untyped-call]
            raise
        return pubsub

    async def close(self) -> None:
        """Let go of all connections."""
        await self._line.close()
        await self._redis.aclose()
        await self._redis.connection_pool.aclose()

    async def _guarded(self, attempt: Callable[[], Awaitable[T]], on: Sequence[object]) -> T:
        """Do it, more than once while the server may just be restarting; every step here is safe to repeat.

        ``on``: the keys that it is about, for the operator.
        """
        asked = time.monotonic()
        try:
            try:
                answer = await attempt()
            except ConnectionError as error:
                answer = await self._again(attempt, error, self._patience - (time.monotonic() - asked))
        except (ConnectionError, RedisTimeoutError, OSError) as error:  # OSError: also the patience that ended
            raise self._lost.met(error) from error
        except (OutOfMemoryError, ReadOnlyError) as error:
            raise self._full.met(error) from error
        except ResponseError as error:
            if _NOT_NOW.search(str(error)):
                raise self._full.met(error) from error
            if "WRONGTYPE" in str(error):
                named = _KEY.search(str(error))  # where several commands went together
                key = " ".join(map(str, on)) if named is None else named[0]
                if key not in self._damage and len(self._damage) < _DAMAGE:
                    self._damage.add(key)
                    log.error("key_damaged", key=key, why=str(error))
                raise Damaged(str(error)) from error
            raise
        self._lost.over()
        return answer

    async def _again(self, attempt: Callable[[], Awaitable[T]], error: ConnectionError, seconds: float) -> T:
        """The line broke under a call: try for so many seconds, unless that is known as an outage."""
        async with asyncio.timeout(seconds):
            for pause in () if self._lost.known else _STEPS:
                if isinstance(error, AuthenticationError):
                    break
                await asyncio.sleep(pause)
                try:
                    return await attempt()
                except ConnectionError as again:
                    error = again
        raise error


#: What a subscription may meet.
TROUBLE: Final = (RedisError, OSError)


class _Outage:
    """One kind of trouble: said once when it begins, once when it is over."""

    def __init__(self, begins: str, ends: str) -> None:
        self._begins = begins
        self._ends = ends
        self._since: float | None = None
        self.latest = 0.0

    @property
    def known(self) -> bool:
        return self._since is not None

    def met(self, error: Exception) -> StoreUnavailable:
        why = str(error) or "no answer in time"
        self.latest = time.monotonic()
        if self._since is None:
            self._since = self.latest
            log.error(self._begins, why=why)
        return StoreUnavailable(why)

    def over(self) -> None:
        if self._since is not None:
            log.info(self._ends, seconds=round(time.monotonic() - self._since, 1))
            self._since = None
