"""The web table over loopback, with a real store behind it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

import pytest
import pytest_asyncio

from bot.adapters.web import Web
from bot.desk import Desk
from bot.session.tables import Tables
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
