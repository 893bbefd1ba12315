"""``renju run`` with a Telegram token: the whole service as a process, killed in mid game and started again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.fakes.telegram import Person, TelegramServer

pytestmark = pytest.mark.asyncio

ROOT = Path(__file__).parents[3]
START = 180.0
"""Seconds until a start is given up: on a slow machine everything may have to be compiled first."""


async def _started(token: str, url: str, data: Path, **more: str) -> asyncio.subprocess.Process:
    settings = {
        "TELEGRAM_TOKEN": token,
        "TELEGRAM_API_URL": url,
        "RENJU_DATA_DIR": str(data),
        "RENJU_WEB_ADDR": "127.0.0.1:0",
        **more,
    }
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "run"),
        cwd=ROOT,
        env={**os.environ, **settings},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )


@contextlib.asynccontextmanager
async def renju_run(
    server: TelegramServer, data: Path, *, webhook: int = 0
) -> AsyncIterator[asyncio.subprocess.Process]:
    """The service, once it polls or has a ``webhook`` at this port; killed at the end, if it still lives."""
    delivered = {
        "TELEGRAM_WEBHOOK_URL": "https://renju.example.org/telegram",
        "TELEGRAM_WEBHOOK_ADDR": f"127.0.0.1:{webhook}",
    }
    server.updates.stop()  # a killed process that asked for updates seems to wait for them still
    await server.until(lambda: not server.updates.polling, "no poller")
    process = await _started(server.token, server.url, data, **(delivered if webhook else {}))
    try:
        if webhook:
            server.webhook = False
            await server.until(lambda: server.webhook, "the webhook", patience=START)
            server.deliveries.go_to(f"http://127.0.0.1:{webhook}/telegram")
        else:
            await server.until(lambda: server.updates.polling, "the first request for updates", patience=START)
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


def free_port() -> int:
    """One that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def play(server: TelegramServer, person: Person, point: str, number: int) -> None:
    """Type a point in private, and see the engine's answer to it."""
    board = person.private.board
    person.send(point)
    await server.until(lambda: f"Last move: {number}," in board.text, f"move {number}")


async def test_a_kill_in_mid_game_loses_nothing(tmp_path: Path) -> None:
    """After kill -9 and a new start the old board is brought up to date, and its old buttons play on."""
    async with TelegramServer() as server:
        ann = server.person("Ann")
        async with renju_run(server, tmp_path) as process:
            ann.send("/newgame engine 1 black")
            await server.until(lambda: ann.private.boards, "the board")
            await play(server, ann, "h8", 2)
            await play(server, ann, "a1", 4)
            board = ann.private.board
            process.send_signal(signal.SIGKILL)
            await process.wait()
        column = board.data("O")
        async with renju_run(server, tmp_path) as process:
            assert (await ann.tap_data(board, column)).text == ""
            await server.until(lambda: "O15" in board.labels, "the points of the column")
            assert (await ann.tap(board, "O15")).text == ""
            await server.until(lambda: "Last move: 6," in board.text, "the engine’s third stone")
            process.terminate()
            output, _ = await process.communicate()
            assert process.returncode == 0, output.decode()
            assert server.token not in output.decode()
            assert "Traceback" not in output.decode()
        assert ann.private.boards == [board]
        assert server.faults == []


@pytest.mark.slow
async def test_a_kill_before_a_delivery_is_confirmed_doubles_nothing(tmp_path: Path) -> None:
    """The update is delivered again to the next process, which knows it; what was written meanwhile is not lost."""
    port = free_port()
    async with TelegramServer() as server:
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
        killed = asyncio.Event()
        async with renju_run(server, tmp_path, webhook=port) as process:
            ann.send("/newgame free black", group)
            await server.until(lambda: group.boards, "the board")
            board = group.board
            assert (await ben.tap(board, "Join")).text == ""
            await server.until(lambda: "H8" in board.labels, "the game of two")
            await server.updates.settled()

            def kill() -> None:
                process.send_signal(signal.SIGKILL)
                killed.set()

            server.deliveries.cut = kill
            ann.send("/m h8", group)
            await killed.wait()
            await process.wait()
        ben.send("/m h9", group)
        async with renju_run(server, tmp_path, webhook=port):
            await server.until(lambda: "Last move: 2, White H9" in board.text, "both stones")
            await server.updates.settled()
        assert group.from_bot == [board]
        assert server.faults == []


@pytest.mark.slow
async def test_a_wrong_token_leaves_the_rest_running(tmp_path: Path) -> None:
    """One line says what is wrong; the web table is served all the same."""
    async with TelegramServer() as server:
        token, server.token = server.token, "4200000000:ANOTHER"
        process = await _started(token, server.url, tmp_path)
        assert process.stdout is not None
        said = b""
        try:
            async with asyncio.timeout(60):
                while b"telegram_token_invalid" not in said or b"http://127.0.0.1" not in said:
                    line = await process.stdout.readline()
                    assert line, said.decode()
                    said += line
            assert process.returncode is None
            process.terminate()
            rest, _ = await process.communicate()
            assert await process.wait() == 0
            assert b"TEST-token" not in said + rest
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
