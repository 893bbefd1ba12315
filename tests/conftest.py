"""What many suites need: a real store that is empty for each test.

One server, the same that ``renju run`` would start, serves the whole test session from a temporary folder.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from hypothesis import settings
from redis import Redis

from bot.session.server import RedisServer
from bot.session.store import Store
from bot.session.tables import Tables

# No test may depend on how fast the machine is.
settings.register_profile("unhurried", parent=settings.default, deadline=None)
settings.load_profile("unhurried")


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """A running server for the whole session. Tests that stop or kill one start their own."""
    server = RedisServer(tmp_path_factory.mktemp("redis"), fsync="no")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def redis_url(redis_server: RedisServer) -> str:
    """The address of an empty store."""
    with Redis(unix_socket_path=str(redis_server.socket)) as client:
        client.flushall()
    return redis_server.url


@pytest_asyncio.fixture
async def store(redis_url: str) -> AsyncIterator[Store]:
    """An empty store."""
    opened = Store(redis_url, patience=60)  # how fast this machine is does not matter to most tests
    yield opened
    await opened.close()


@pytest_asyncio.fixture
async def tables(store: Store) -> AsyncIterator[Tables]:
    """Tables in an empty store."""
    opened = Tables(store)
    yield opened
    await opened.close()
