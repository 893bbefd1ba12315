"""An action counts by its arrival: the moment an update came in, however long it waited for others."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import pytest
from telegram import Bot, Update

from bot.adapters.telegram.webhook import Webhook
from bot.session.store import Store
from bot.session.tables import Tables
from core.game import Act
from tests.bot.session.timing import START, Watch
from tests.fakes.telegram import TelegramServer
from tests.fakes.telegram_service import Service

pytestmark = pytest.mark.asyncio


async def test_an_action_counts_by_its_arrival(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two moves and a tap come at once and are handled two minutes apart: all three count as they came, so that nobody
    loses by the clock.
    """
    watch = Watch()
    tables = Tables(store, watch)
    async with Service(tables) as service:
        server = service.server
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
        board = await service.game("free black 1m+30s", ann, ben, group)
        table = await service.table(board)
        await service.stop()
        for name in ("move", "press"):
            usual = getattr(service.desk, name)

            async def later(*args: Any, usual: Any = usual, **given: Any) -> Any:
                watch.now += 120_000
                return await usual(*args, **given)

            monkeypatch.setattr(service.desk, name, later)
        ann.send("/m h8", group)
        ben.send("/m h9", group)
        tap = server.deliver_tap(ann, board, f"{table.id}.{table.rev + 2}.place-i9")
        await service.start()
        assert (await server.answer_to(tap)).text == ""
        record = (await service.table(board)).game.record
        assert [(entry.action.act, entry.at) for entry in record] == [(Act.PLACE, START)] * 3
        assert watch.now >= START + 360_000
    await tables.close()


async def test_old_buttons_play_on(store: Store) -> None:
    """After ten minutes, after a day and a restart: the same message, the same buttons."""
    watch = Watch()
    tables = Tables(store, watch)
    async with Service(tables) as service:
        server = service.server
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
        board = await service.game("free black", ann, ben, group)
        waits = (0, 600_000, 1_200_000, 25 * 3_600_000)
        for number, (point, wait) in enumerate(zip(("h8", "h9", "i9", "j9"), waits, strict=True)):
            player, column = (ann, ben)[number % 2], point[0].upper()
            keyboard = board.keyboard
            watch.now += wait
            await service.stop()
            await service.start()
            if point.upper() not in board.labels:
                assert (await player.tap(board, column, keyboard=keyboard)).text == ""
                await server.until(lambda: point.upper() in board.labels, "the rows")  # noqa: B023
            assert (await player.tap(board, point.upper())).text == ""
            await service.stone(point, board)
        assert await service.stones(board) == "h8 h9 i9 j9"
        assert group.from_bot == [board]
    await tables.close()


async def test_a_delivery_counts_from_when_it_came() -> None:
    """By webhook too: what waits for an earlier update of the same chat has arrived before."""
    watch, handled, entered, go_on = Watch(), list[tuple[int, int]](), asyncio.Event(), asyncio.Event()

    async def handle(update: Update, came: int) -> None:
        entered.set()
        await go_on.wait()
        handled.append((update.update_id, came - START))

    async with TelegramServer() as server, Bot(server.token, base_url=f"{server.url}/bot") as bot:
        ann = server.person("Ann")
        bodies = [{"update_id": number, "message": server.describe(ann.send("h8"))} for number in (1, 2)]
        webhook = Webhook(bot, handle, watch, url="https://x.example/hook", secret="s" * 20, listen="127.0.0.1:0")
        serving = asyncio.create_task(webhook.run())
        await server.until(lambda: server.webhook, "the webhook")
        headers = {"X-Telegram-Bot-Api-Secret-Token": "s" * 20}
        async with aiohttp.ClientSession(f"http://127.0.0.1:{webhook.port}") as session:
            first = asyncio.create_task(session.post("/hook", json=bodies[0], headers=headers))
            await entered.wait()
            watch.now += 1_000
            second = asyncio.create_task(session.post("/hook", json=bodies[1], headers=headers))
            while not any(lock._waiters for lock in webhook._locks.values()):  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.001)
            watch.now += 60_000
            go_on.set()
            for delivery in (first, second):
                (await delivery).release()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
    assert handled == [(1, 0), (2, 1_000)]
