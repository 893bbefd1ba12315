"""A Bot API server on the loopback interface that knows just enough for ``renju bench service``: taps and photos.

Every call succeeds; it notes when taps were answered and photos edited. It runs in a process of its own, with the
people who tap (:class:`Loopback` starts it), so that what it costs is in nobody's figures.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import deque
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Final, Self

from aiohttp import web

TOKEN: Final = "1:loopback"  # noqa: S105 - made up
_ME: Final = {"id": 1, "is_bot": True, "first_name": "Renju", "username": "renju_bench_bot"}
#: How many updates Telegram hands out at once.
_BATCH: Final = 100


Taps = Sequence[tuple[int, int, str]]
"""What is tapped in one game, one after the other: chat, person, data of the button."""


class Loopback:
    """The server in its own process. Use it as ``async with Loopback() as server``."""

    def __init__(self) -> None:
        self.url = ""
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", __name__, stdin=pipe, stdout=pipe, limit=1 << 24
        )
        self.url = await self._read()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            await self._process.wait()

    async def boards(self, count: int) -> None:
        """Return when so many chats have a photo."""
        await self._ask(count)

    async def played(self, games: Sequence[Taps]) -> list[tuple[float, float]]:
        """Let the games be played side by side: for each tap the seconds until its answer, and until the edit."""
        return [(answer, board) for answer, board in await self._ask(games)]

    async def _ask(self, wish: object) -> Any:
        if self._process is None or self._process.stdin is None:
            raise RuntimeError("the server was not started")
        self._process.stdin.write(json.dumps(wish).encode() + b"\n")
        return await self._read()

    async def _read(self) -> Any:
        if self._process is None or self._process.stdout is None:
            raise RuntimeError("the server was not started")
        return json.loads(await self._process.stdout.readline())


class _Server:
    """What runs there."""

    def __init__(self) -> None:
        self.url = ""
        self.boards: dict[int, int] = {}
        """The message of the newest photo in each chat."""
        self._waiting: deque[dict[str, Any]] = deque()
        self._arrived = asyncio.Event()
        self._answered: dict[str, asyncio.Future[float]] = {}
        self._edited: dict[int, asyncio.Future[float]] = {}
        self._sent = asyncio.Condition()
        self._next = 1
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=1 << 24)
        app.router.add_post("/bot{token}/{method}", self._called)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def tap(self, chat: int, person: int, data: str) -> tuple[float, float]:
        """Tap a button of the chat's photo: the seconds until the tap was answered, and until the photo was edited."""
        number, self._next = self._next, self._next + 1
        loop = asyncio.get_running_loop()
        answered = self._answered[str(number)] = loop.create_future()
        edited = self._edited[chat] = loop.create_future()
        shown = {"message_id": self.boards.get(chat, 1), "date": 1, "chat": _chat(chat)}
        query = {"id": str(number), "from": _user(person), "message": shown, "chat_instance": "1", "data": data}
        began = time.perf_counter()
        self._waiting.append({"update_id": number, "callback_query": query})
        self._arrived.set()
        return await answered - began, await edited - began

    async def game(self, taps: Taps) -> list[tuple[float, float]]:
        """Tap one button after the other."""
        return [await self.tap(*tap) for tap in taps]

    async def until(self, boards: int) -> None:
        """Return when so many chats have a photo."""
        async with self._sent:
            await self._sent.wait_for(lambda: len(self.boards) >= boards)

    async def _called(self, request: web.Request) -> web.Response:
        method = request.match_info["method"]
        given = dict(await (request.json() if request.content_type == "application/json" else request.post()))
        result: Any = True
        match method:
            case "getMe":
                result = _ME
            case "getMyCommands":
                result = []
            case "getUpdates":
                result = await self._updates(int(str(given.get("offset", 0))), int(str(given.get("timeout", 0))))
            case "answerCallbackQuery":
                _note(self._answered.pop(str(given["callback_query_id"]), None))
            case "sendPhoto" | "editMessageMedia" | "editMessageCaption":
                chat = int(str(given["chat_id"]))
                message = int(str(given.get("message_id", self._next)))
                if method == "sendPhoto":
                    self._next += 1
                    self.boards[chat] = message
                    async with self._sent:
                        self._sent.notify_all()
                else:
                    _note(self._edited.get(chat))
                size = {"file_id": f"photo{message}", "file_unique_id": f"u{message}", "width": 960, "height": 960}
                result = {"message_id": message, "date": 1, "chat": _chat(chat), "photo": [size]}
        return web.json_response({"ok": True, "result": result})

    async def _updates(self, offset: int, seconds: int) -> list[dict[str, Any]]:
        while self._waiting and self._waiting[0]["update_id"] < offset:
            self._waiting.popleft()
        if not self._waiting and seconds:
            self._arrived.clear()
            try:
                async with asyncio.timeout(seconds):
                    await self._arrived.wait()
            except TimeoutError:
                return []
        return [update for update, _ in zip(self._waiting, range(_BATCH), strict=False)]


def _note(waiting: asyncio.Future[float] | None) -> None:
    if waiting is not None and not waiting.done():
        waiting.set_result(time.perf_counter())


def _chat(number: int) -> dict[str, Any]:
    return {"id": number, "type": "supergroup", "title": "bench"}


def _user(number: int) -> dict[str, Any]:
    return {"id": number, "is_bot": False, "first_name": f"P{number}", "language_code": "en"}


async def _serve() -> None:
    """Do what is asked for on standard input, line by line: wait for so many boards, or play games."""
    lines = asyncio.StreamReader(limit=1 << 24)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    async with _Server() as server:
        print(json.dumps(server.url), flush=True)
        while line := await lines.readline():
            match json.loads(line):
                case int(boards):
                    await server.until(boards)
                    told = []
                case games:
                    told = [one for part in await asyncio.gather(*map(server.game, games)) for one in part]
            print(json.dumps(told), flush=True)


if __name__ == "__main__":
    asyncio.run(_serve())
