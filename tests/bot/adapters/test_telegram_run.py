"""``renju run`` with a Telegram token: the whole service as a process, killed in mid game and started again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.fakes.telegram import Person, TelegramServer

pytestmark = pytest.mark.asyncio

ROOT = Path(__file__).parents[3]


async def _started(token: str, url: str, data: Path) -> asyncio.subprocess.Process:
    settings = {
        "TELEGRAM_TOKEN": token,
        "TELEGRAM_API_URL": url,
        "RENJU_DATA_DIR": str(data),
        "RENJU_WEB_ADDR": "127.0.0.1:0",
    }
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "run"),
        cwd=ROOT,
        env={**os.environ, **settings},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )


@contextlib.asynccontextmanager
async def renju_run(server: TelegramServer, data: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """The service, until it polls; killed at the end, if it still lives."""
    process = await _started(server.token, server.url, data)
    try:
        await server.until(lambda: server.updates.polling, "the first request for updates")
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


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
