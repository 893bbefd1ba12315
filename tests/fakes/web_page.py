"""The web page as far as the server can tell: requests with cookies and an Origin, and the socket of a table."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import Callable
from html import unescape
from types import TracebackType
from typing import Any, Self

from aiohttp import ClientSession, ClientWebSocketResponse, CookieJar, WSMsgType

PATIENCE = 30.0
"""Seconds until a wait is given up."""


class Page:
    """One browser: its cookies, its language, and what it asks for."""

    def __init__(self, url: str, language: str = "en-GB,en;q=0.8") -> None:
        self.url = url
        self.session = ClientSession(
            base_url=url, cookie_jar=CookieJar(unsafe=True), headers={"Accept-Language": language}
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the browser."""
        await self.session.close()

    async def get(self, path: str, **headers: str) -> tuple[int, str]:
        """The status and the text of a page."""
        async with self.session.get(path, headers=headers) as answer:
            return answer.status, await answer.text()

    async def boot(self, path: str) -> dict[str, Any]:
        """What a page tells its modules."""
        _, text = await self.get(path)
        match = re.search(r'data-boot="([^"]*)"', text)
        assert match, text
        return dict(json.loads(unescape(match[1])))

    async def post(self, path: str, body: object, *, raw: bytes | None = None, **headers: str) -> tuple[int, Any]:
        """The status and the JSON of an answer."""
        sent = {"Origin": self.url, "Content-Type": "application/json", **headers}
        data = json.dumps(body).encode() if raw is None else raw
        async with self.session.post(path, data=data, headers={k: v for k, v in sent.items() if v}) as answer:
            return answer.status, await answer.json()

    async def new_game(self, words: str = "friend", *, name: str | None = None, request: str = "") -> str:
        """Open a table; its id."""
        status, answer = await self.post(
            "/api/new", {"id": request or secrets.token_hex(8), "words": words, "name": name}
        )
        assert status == 200, answer
        return str(answer["path"]).removeprefix("/t/")

    async def join(self, invitation: str, *, name: str | None = None) -> tuple[int, Any]:
        """Open an invitation's link and press Join."""
        return await self.post(invitation.removeprefix(self.url), {"name": name})

    async def line(self, table: str, **headers: str) -> Line:
        """Open the socket of a table, as its page does."""
        socket = await self.session.ws_connect(f"/ws/{table}", headers={"Origin": self.url, **headers})
        return Line(socket)


class Line:
    """An open socket: what came in, and what is said."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self.socket = socket
        self.shown: dict[str, Any] | None = None
        """The newest scene message."""
        self.said: list[dict[str, Any]] = []
        """Every line to this page, in order."""
        self.went: list[str] = []
        self.news = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self.socket:
            if message.type is WSMsgType.TEXT:
                read = json.loads(message.data)
                if read["type"] == "scene":
                    self.shown = read
                elif read["type"] == "said":
                    self.said.append(read)
                else:
                    self.went.append(read["path"])
                    self.said.append({**read, "ok": True, "text": ""})
                self.news.set()
        self.news.set()

    @property
    def scene(self) -> dict[str, Any]:
        """The newest scene."""
        assert self.shown is not None
        return dict(self.shown["scene"])

    async def until(self, holds: Callable[[Line], bool]) -> Self:
        """Wait until something holds."""
        async with asyncio.timeout(PATIENCE):
            while not holds(self):
                self.news.clear()
                await self.news.wait()
        return self

    async def rev(self, rev: int) -> dict[str, Any]:
        """Wait for the scene of this rev or a later one."""
        await self.until(lambda line: line.shown is not None and line.scene["rev"] >= rev)
        return self.scene

    async def first(self) -> dict[str, Any]:
        """Wait for the first scene."""
        return await self.rev(0)

    async def send(self, message: dict[str, Any]) -> dict[str, Any]:
        """Say something and wait for the answer to it."""
        await self.socket.send_str(json.dumps(message))
        await self.until(lambda line: any(said["id"] == message["id"] for said in line.said))
        return next(said for said in reversed(self.said) if said["id"] == message["id"])

    async def press(self, wire: str, *, request: str = "") -> dict[str, Any]:
        """Press a button or a point; the answer."""
        return await self.send({"type": "press", "id": request or secrets.token_hex(8), "wire": wire})

    async def tap(self, point: str) -> dict[str, Any]:
        """Put a stone (or an offer, or a choice) on a point of the newest scene."""
        return await self.press((await self.first())["point"] + point)

    async def typed(self, text: str) -> dict[str, Any]:
        """Type a move."""
        return await self.send({"type": "typed", "id": secrets.token_hex(8), "text": text})

    async def button(self, label: str) -> dict[str, Any]:
        """Press the button of this label in the newest scene."""
        return await self.press(button(self.scene, label)["wire"])

    async def close(self) -> None:
        """Leave the page."""
        await self.socket.close()
        await self._reading


def button(scene: dict[str, Any], label: str) -> dict[str, Any]:
    """The button of this label."""
    return next(one for row in scene["buttons"] for one in row if one["label"] == label)


def labels(scene: dict[str, Any]) -> list[str]:
    """The labels of all buttons in reading order."""
    return [one["label"] for row in scene["buttons"] for one in row]
