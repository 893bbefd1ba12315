"""The conversations on the web table: its own HTTP and sockets, as the page speaks them."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from types import TracebackType
from typing import Any, Self

from bot.adapters.web import Web
from bot.desk import Desk
from bot.session.table import Declined
from bot.session.tables import Tables
from bot.thinking import Thinker
from bot.words import explain, pick, words
from core.notation import NotationError, name, point
from tests.conversation import Player, Screen, Stage
from tests.fakes.web_page import Line, Page, button, labels


class WebStage(Stage):
    """The web table over loopback; everybody has a browser of their own."""

    apart = True

    def __init__(self, tables: Tables, *, typed: bool) -> None:
        self.tables = tables
        self.typed = typed
        """Whether points are typed; else they are tapped on the board."""
        self.web = Web(desk=Desk(tables), tables=tables, listen="127.0.0.1:0")
        self._tasks: list[asyncio.Task[None]] = []
        self._players: list[WebPlayer] = []

    async def __aenter__(self) -> Self:
        self._tasks = [asyncio.create_task(self.web.run()), asyncio.create_task(Thinker(self.tables).run())]
        await self.web.started.wait()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for player in self._players:
            await player.leave()
        for task in self._tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def PLAYER(self, name: str, language: str) -> Player:  # noqa: N802
        self._players.append(WebPlayer(self, name, language))
        return self._players[-1]


class WebPlayer(Player):
    """Somebody with a browser."""

    stage: WebStage

    def __init__(self, stage: WebStage, name: str, language: str) -> None:
        super().__init__(stage, name, language)
        self.page = Page(stage.web.url, language)
        self.line: Line | None = None
        self.table_id = ""

    async def leave(self) -> None:
        """Close the browser."""
        if self.line is not None:
            await self.line.close()
        await self.page.close()

    async def OPEN(self, typed: str) -> str:  # noqa: N802
        status, answer = await self.page.post(
            "/api/new", {"id": secrets.token_hex(8), "words": typed, "name": self.name}
        )
        if status != 200:
            return str(answer["text"])
        await self._look(str(answer["path"]))
        return ""

    async def JOIN(self, opener: Player) -> str:  # noqa: N802
        assert isinstance(opener, WebPlayer)
        assert opener.line is not None
        await opener.line.first()
        assert opener.line.shown is not None
        status, answer = await self.page.join(opener.line.shown["invitation"], name=self.name)
        if status != 200:
            return str(answer["text"])
        await self._look(str(answer["path"]))
        return ""

    async def WATCH(self, opener: Player) -> None:  # noqa: N802
        assert isinstance(opener, WebPlayer)
        await self._look(f"/t/{opener.table_id}")

    async def _look(self, path: str) -> None:
        """Open a table's page."""
        if self.line is not None:
            await self.line.close()
        self.table_id = path.removeprefix("/t/")
        self.line = await self.page.line(self.table_id)
        await self.line.first()

    async def ENTER(self, text: str) -> str:  # noqa: N802
        assert self.line is not None
        if not self.stage.typed:
            with contextlib.suppress(NotationError):
                return await self._tap(name(point(text)))
        return await self._heard(await self.line.typed(text))

    async def _tap(self, at: str) -> str:
        """Tap a point; again when the position changed under the finger."""
        assert self.line is not None
        while True:
            seen = self.line.scene["rev"]
            answer = await self.line.tap(at)
            if answer["text"] != explain(words(pick(self.language)), Declined.MOVED_ON):
                return await self._heard(answer)
            await self.line.rev(seen + 1)

    async def PRESS(self, label: str, screen: Screen, *, sure: bool) -> str:  # noqa: N802
        assert self.line is not None
        assert isinstance(screen.handle, dict)
        pressed = button(screen.handle, label)
        if pressed["confirm"] and not sure:
            return ""  # the page asks, and sends nothing
        return await self._heard(await self.line.press(pressed["wire"]))

    async def _heard(self, answer: dict[str, Any]) -> str:
        assert self.line is not None
        if self.line.went:  # as the page does, to a rematch
            await self._look(self.line.went[-1])
        return str(answer["text"])

    async def SCREEN(self) -> Screen | None:  # noqa: N802
        if self.line is None or self.line.shown is None:
            return None
        self.line.news.clear()
        scene = self.line.scene
        return Screen("\n".join((scene["title"], *scene["lines"])), tuple(labels(scene)), scene)

    async def CHANGED(self) -> None:  # noqa: N802
        assert self.line is not None
        await self.line.news.wait()

    async def TABLE(self) -> str:  # noqa: N802
        return self.table_id
