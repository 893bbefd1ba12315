"""People in front of a real browser: a headless Chromium, driven as a hand and a pair of eyes would."""

from __future__ import annotations

import re
import shutil
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeAlias

import pytest
from playwright.async_api import Browser, Page, Playwright, expect

from bot.session.table import Table
from bot.session.tables import Tables
from core.notation import point

#: What the browser is called on different systems.
NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
#: Milliseconds until a wait is given up: long enough for a slow machine, never reached by a working one.
PATIENCE: Final = 30_000

expect.set_options(timeout=PATIENCE)


def chromium() -> str | None:
    """The path of a Chromium; ``None`` where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


#: What every file of browser tests is marked with.
BROWSER: Final = [
    pytest.mark.browser,
    pytest.mark.asyncio,
    pytest.mark.skipif(chromium() is None, reason="no Chromium on PATH (Debian: apt-get install chromium)"),
    # Playwright's own transport to a browser that is being closed.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


async def launch(playwright: Playwright, path: str) -> Browser:
    """Start it. In containers it has neither a sandbox nor shared memory to speak of."""
    return await playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])


class Person:
    """Somebody at a browser of their own. Whatever the page complains about is kept in ``complaints``."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.complaints: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("console", lambda said: self._said(said.type, said.text))
        page.on("dialog", lambda dialog: self.complaints.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: self._asked(request.url))

    def _said(self, kind: str, text: str) -> None:
        # That an address could not be reached is the browser's own remark about a server that was killed.
        if kind in ("error", "warning") and "ERR_CONNECTION_REFUSED" not in text:
            self.complaints.append(f"{kind}: {text}")

    def _asked(self, address: str) -> None:
        if not address.startswith((self.url, self.url.replace("http", "ws", 1), "data:", "blob:")):
            self.complaints.append(f"asked elsewhere: {address}")

    async def start(self, opponent: str = "engine", **choices: str) -> None:
        """Open a new game from the first page; ``choices`` by the names of its form, and ``name`` and ``level``."""
        page = self.page
        await page.goto(self.url)
        await page.check(f"input[name=opponent][value={opponent}]")
        if name := choices.pop("name", ""):
            await page.fill("#name", name)
        if level := choices.pop("level", ""):
            await page.fill("#level", level)
        if choices and await page.get_attribute("details.more", "open") is None:
            await page.click(".more > summary")
        for group, value in choices.items():
            if group in ("protocol", "opening", "clock"):
                await page.select_option(f"#{group}", value)
            else:
                await page.check(f"input[name={group}][value={value}]")
        await page.click("form.new-game button.big")
        await self.at_table()

    async def at_table(self) -> None:
        """Wait until a table is shown."""
        await self.page.wait_for_url("**/t/*")
        await expect(self.page.locator(".lines p").first).to_be_visible()

    async def invitation(self) -> str:
        """The link that the opener is shown."""
        return await self.page.input_value(".invite input")

    async def join(self, link: str, *, name: str) -> None:
        """Take the seat that a link gives."""
        await self.page.goto(link)
        await self.page.fill("#name", name)
        await self.page.get_by_role("button", name="Join").click()
        await self.at_table()

    async def tap(self, text: str, *, off: tuple[float, float] = (0, 0)) -> None:
        """Tap a point of the board, ``off`` its middle by these parts of a cell."""
        box = await self.page.locator(f"#p{point(text)}").bounding_box()
        assert box is not None
        x, y = box["width"] * (0.5 + off[0]), box["height"] * (0.5 + off[1])
        await self.page.locator(f"#p{point(text)}").scroll_into_view_if_needed()
        box = await self.page.locator(f"#p{point(text)}").bounding_box()
        assert box is not None
        await self.page.mouse.click(box["x"] + x, box["y"] + y)

    async def play(self, *texts: str) -> None:
        """Preview a point, confirm it, and see that it is done; one after the other."""
        for text in texts:
            await self.may_enter()
            await self.tap(text)
            await expect(self.page.locator(".aimed-point")).to_have_text(text.upper())
            await self.page.get_by_role("button", name="Confirm").click()
            await expect(self.page.locator(".confirm-bar")).to_have_count(0)
            await self.has(text)

    async def may_enter(self) -> None:
        """Wait until a point can be entered."""
        await expect(self.page.locator("svg.board[data-entry]")).to_be_visible()

    async def has(self, text: str) -> None:
        """Wait until there is a stone or an offer on a point."""
        await expect(self.cell(text)).not_to_have_attribute("aria-label", re.compile("empty"))

    def cell(self, text: str) -> Any:
        """The grid cell of a point, as screen readers meet it."""
        return self.page.locator(f"#p{point(text)}")

    async def press(self, label: str) -> None:
        """Press a button under the board."""
        await self.page.locator(".buttons").get_by_role("button", name=label, exact=True).click()

    async def sees(self, *words: str) -> None:
        """Wait until the lines hold all of these."""
        for word in words:
            await expect(self.page.locator(".lines")).to_contain_text(word)

    async def hears(self, *words: str) -> None:
        """Wait until the one line to this person holds all of these."""
        for word in words:
            await expect(self.page.locator(".notice")).to_contain_text(word)

    async def stones(self) -> Sequence[int]:
        """The points with stones on them."""
        labels = await self.page.eval_on_selector_all(
            "[role=gridcell]", "cells => cells.map(c => [Number(c.id.slice(1)), c.getAttribute('aria-label')])"
        )
        return sorted(at for at, said in labels if ", black" in said or ", white" in said)


Sits: TypeAlias = Callable[..., Awaitable[Person]]
"""The fixture of the same name: somebody sits down in front of a browser of this width and height."""


async def two(sits: Sits, **choices: str) -> tuple[Person, Person]:
    """Ann on a desktop opens a game, Ben on a phone joins it."""
    ann, ben = await sits(), await sits(360, 740, has_touch=True)
    await ann.start("friend", name="Ann", begins="black", **choices)
    await ben.join(await ann.invitation(), name="Ben")
    await ann.sees("Ben")
    return ann, ben


async def stored(tables: Tables, person: Person) -> Table:
    """The table that a person looks at, from the store."""
    table = await tables.get(person.page.url.rpartition("/")[2])
    assert isinstance(table, Table)
    return table
