"""Two bots on one store: both take deliveries, and together they are one bot."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bot.adapters.telegram.pace import Pace
from bot.session.pace import SharedBuckets
from bot.session.store import Store
from bot.session.tables import Tables
from tests.fakes.telegram import Limits, TelegramServer
from tests.fakes.telegram_service import BY_WEBHOOK, Service

pytestmark = pytest.mark.asyncio


@asynccontextmanager
async def two(redis_url: str, *, paced: bool = False) -> AsyncIterator[Service]:
    """Two of them, each with its own connections; what one does not confirm the other gets next. The first one."""
    server = TelegramServer()
    stores = Store(redis_url, patience=60), Store(redis_url, patience=60)
    both = [
        Service(
            Tables(store),
            server=server,
            webhook=BY_WEBHOOK,
            pace=Pace() if paced else None,
            buckets=SharedBuckets(store, "tg"),
        )
        for store in stores
    ]
    async with both[0] as first:
        await both[1].start()
        server.deliveries.go_to(*(one.webhook_url for one in both))
        yield first
        await server.updates.settled()
        await both[1].stop()
    for one, store in zip(both, stores, strict=True):
        await one.tables.close()
        await store.close()


async def test_nothing_is_done_twice_or_out_of_order(redis_url: str) -> None:
    """Confirmations get lost, so that the same update reaches one and then the other."""
    async with two(redis_url) as service:
        server = service.server
        server.deliveries.unreliable = True
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
        board = await service.game("free black", ann, ben, group)
        points = ("h8", "h9", "i9", "j9", "i8", "j8", "k8", "l8")
        for number, point in enumerate(points):
            (ann, ben)[number % 2].send(f"/m {point}", group)
        await service.stone(points[-1], board)
        await server.updates.settled()
        assert await service.stones(board) == " ".join(points)
        assert group.from_bot == [board]


async def test_together_they_stay_within_the_limits(redis_url: str) -> None:
    """A group in which both would like to show every move: Telegram never has to ask to wait, the last one is shown."""
    async with two(redis_url, paced=True) as service:
        server = service.server
        server.limits = Limits(time.monotonic)
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
        board = await service.game("free black freestyle", ann, ben, group)
        points = [f"{column}{row}" for row in (8, 10) for column in "hijklmnabc"]
        for number, point in enumerate(points):
            (ann, ben)[number % 2].send(f"/m {point}", group)
        await service.stone(points[-1], board)
        assert [call for call in server.calls if call.error] == []
