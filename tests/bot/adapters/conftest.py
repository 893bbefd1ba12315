"""The web table over loopback, with a real store behind it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Protocol

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from bot.adapters.web import Web
from bot.desk import Desk
from bot.session.tables import Tables
from bot.thinking import Thinker
from tests.fakes.browser import Person, Sits, chromium, launch
from tests.fakes.web_page import Page


@asynccontextmanager
async def running(tables: Tables, *, listen: str = "127.0.0.1:0", public_url: str | None = None) -> AsyncIterator[Web]:
    """A web table that serves as long as the block runs."""
    web = Web(desk=Desk(tables), tables=tables, listen=listen, public_url=public_url)
    task = asyncio.create_task(web.run())
    started = asyncio.create_task(web.started.wait())
    await asyncio.wait([task, started], return_when=asyncio.FIRST_COMPLETED)
    try:
        if task.done():
            await task
        yield web
    finally:
        for one in (task, started):
            one.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await one


class Pages(Protocol):
    """Opens browsers that are closed after the test."""

    def __call__(self, language: str = "en-GB", *, url: str = "") -> Page: ...


class Runs(Protocol):
    """Runs further web tables over the same store."""

    def __call__(
        self, tables: Tables, *, listen: str = "127.0.0.1:0", public_url: str | None = None
    ) -> AbstractAsyncContextManager[Web]: ...


@pytest.fixture
def run_web() -> Runs:
    """For tests that start web tables themselves."""
    return running


@pytest_asyncio.fixture
async def web(tables: Tables) -> AsyncIterator[Web]:
    """A web table that serves."""
    async with running(tables) as serving:
        yield serving


@pytest_asyncio.fixture
async def pages(web: Web) -> AsyncIterator[Pages]:
    """Browsers in front of it."""
    opened: list[Page] = []

    def page(language: str = "en-GB", *, url: str = "") -> Page:
        opened.append(Page(url or web.url, language))
        return opened[-1]

    yield page
    for one in opened:
        await one.close()


@pytest_asyncio.fixture
async def browser() -> AsyncIterator[Browser]:
    """A headless Chromium."""
    path = chromium()
    assert path is not None
    async with async_playwright() as playwright:
        started = await launch(playwright, path)
        yield started
        await started.close()


@pytest_asyncio.fixture
async def engine(tables: Tables) -> AsyncIterator[None]:
    """The engine at the tables."""
    task = asyncio.create_task(Thinker(tables).run())
    yield
    task.cancel()
    await asyncio.wait([task])


@pytest_asyncio.fixture
async def sits(browser: Browser, web: Web) -> AsyncIterator[Sits]:
    """People who sit down in front of browsers; at the end none of their pages may have complained."""
    people: list[Person] = []

    async def person(width: int = 1280, height: int = 800, *, url: str = "", **options: Any) -> Person:
        options.setdefault("locale", "en-GB")
        context = await browser.new_context(viewport={"width": width, "height": height}, **options)
        people.append(Person(await context.new_page(), url or web.url))
        return people[-1]

    yield person
    assert [complaint for one in people for complaint in one.complaints] == []
    for one in people:
        await one.page.context.close()
