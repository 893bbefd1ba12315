"""News of commits."""

from __future__ import annotations

import asyncio

import pytest

from bot.session.store import Store
from bot.session.tables import Tables
from tests.bot.session.people import ALICE, BOB, a_table, a_view, intent, place, until

pytestmark = pytest.mark.asyncio


class TestChanges:
    async def test_own_commits_are_told(self, tables: Tables) -> None:
        """Opening, joining and acting, in order, from the moment of asking on."""
        early = await tables.open(a_table(), None)
        news = tables.changes()
        table = await tables.open(a_table(ALICE, None), None)
        assert await anext(news) == (table.id, 0)
        await tables.join(table.id, BOB)
        assert await anext(news) == (table.id, 1)
        await tables.act(intent(table, ALICE, "place", "h8"))
        assert await anext(news) == (table.id, 2)
        await place(tables, early)
        assert await anext(news) == (early.id, 1)

    async def test_commits_of_other_processes_are_told(self, tables: Tables, store: Store) -> None:
        """Once each."""
        elsewhere = Tables(store)
        news = tables.changes()
        foreign = tables.changes_elsewhere()
        await tables.listening()
        table = await elsewhere.open(a_table(), None)
        assert await anext(news) == (table.id, 0)
        assert await anext(foreign) == (table.id, 0)
        await place(tables, table)
        assert await anext(news) == (table.id, 1)
        other = await elsewhere.open(a_table(), None)
        assert await anext(news) == (other.id, 0)
        assert await anext(foreign) == (other.id, 0)

    async def test_a_slow_reader_gets_the_newest(self, tables: Tables) -> None:
        """A reader that was away gets each table once."""
        news = tables.changes()
        table = await tables.open(a_table(), None)
        other = await tables.open(a_table(), None)
        for _ in range(5):
            table = await place(tables, table)
        assert [await anext(news), await anext(news)] == [(table.id, 5), (other.id, 0)]

    async def test_nothing_else_is_news(self, tables: Tables) -> None:
        """A refusal is none, a view is none."""
        table = await tables.open(a_table(), None)
        news = tables.changes()
        await tables.act(intent(table, BOB, "place", "h8"))
        await tables.attach(table.id, a_view())
        await place(tables, table)
        assert await anext(news) == (table.id, 1)

    async def test_what_was_missed_follows(self, tables: Tables, store: Store) -> None:
        """A broken subscription is taken up again, and what was called out meanwhile is told."""
        elsewhere = Tables(store)
        news = tables.changes()
        await tables.listening()
        table = await elsewhere.open(a_table(), None)
        assert await anext(news) == (table.id, 0)
        await store.many((("CLIENT", "KILL", "TYPE", "pubsub"), ("PING",)))
        table = await place(elsewhere, table)
        told: list[int] = []

        async def read() -> None:
            async for name, rev in news:
                assert name == table.id
                told.append(rev)

        reader = asyncio.create_task(read())
        await until(lambda: bool(told) and told[-1] == 1)
        await place(elsewhere, table)
        await until(lambda: told[-1] == 2)
        reader.cancel()
