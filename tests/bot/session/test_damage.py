"""A saved table that cannot be read: said once to the operator, kept as it is, a value for everybody else."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.session.changes import CHANNEL
from bot.session.ids import PARTITIONS, key, partition, shared
from bot.session.lua import COMMIT, Script
from bot.session.store import Store, StoreUnavailable
from bot.session.table import Declined, Machine, Table
from bot.session.tables import Tables
from tests.bot.session.people import ALICE, BOB, CAROL, a_table, a_view, intent, place

pytestmark = pytest.mark.asyncio


async def _spoiled(store: Store, table: Table, how: str) -> None:
    name = key("table", table.id)
    body = await store.call("HGET", name, "body")
    spoilt = {
        "cut": ("HSET", name, "body", body[:-9]),
        "empty": ("HSET", name, "body", b""),
        "other game": ("HSET", name, "body", body.replace(table.id.encode(), b"abcdefghij")),
        "other rev": ("HSET", name, "rev", "7"),
        "no body": ("HDEL", name, "body"),
        "no rev": ("HDEL", name, "rev"),
        "another kind": ("SET", name, "hello"),
    }
    await store.call(*spoilt[how])


@pytest.mark.parametrize("how", ["cut", "empty", "other game", "other rev", "no body", "no rev", "another kind"])
async def test_damage_is_a_value_and_stays(tables: Tables, store: Store, how: str) -> None:
    """Nothing overwrites a damaged table, and the operator hears of it once, with the key."""
    table = await place(tables, await tables.open(a_table(), a_view()))
    await _spoiled(store, table, how)
    kept = await store.call("DUMP", key("table", table.id))
    fresh = Tables(store)
    with capture_logs() as logs:
        assert await fresh.get(table.id) is Declined.DAMAGED
        assert await fresh.act(intent(table, ALICE, "resign")) is Declined.DAMAGED
        assert await fresh.join(table.id, CAROL) is Declined.DAMAGED
        with pytest.raises(StoreUnavailable):
            await fresh.open(a_table(id=table.id), None)
        assert await fresh.tables_of(ALICE.id) == []
    assert await store.call("DUMP", key("table", table.id)) == kept
    told = [line for line in logs if line["event"] == "saved_table_damaged"]
    assert [line["key"] for line in told] == [key("table", table.id)]


async def test_a_damaged_table_leaves_the_others_alone(tables: Tables, store: Store) -> None:
    """The same people go on at their other tables."""
    table = await tables.open(a_table(), None)
    other = await tables.open(a_table(), None)
    await _spoiled(store, table, "cut")
    fresh = Tables(store)
    assert await fresh.tables_of(ALICE.id) == [other.id]
    await place(fresh, other)


async def test_a_table_lost_and_played_anew_is_not_mixed_up(tables: Tables, store: Store) -> None:
    """A server that lost its last second may bring a table to the same rev by another move: what a process remembers of
    the lost one is not taken for it.
    """
    table = await tables.open(a_table(free_first=True), None)
    before = await store.call("DUMP", key("table", table.id))
    await tables.act(intent(table, ALICE, "place", "h8"))
    await store.call("RESTORE", key("table", table.id), 0, before, "REPLACE")
    await Tables(store).act(intent(table, ALICE, "place", "a1"))
    now = await tables.get(table.id)
    assert isinstance(now, Table)
    assert [entry.action.words() for entry in now.game.record] == [["place", "a1"]]


async def test_a_table_lost_in_mid_step_is_decided_anew(
    tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same, when it happens between looking and committing: the rev alone would not tell."""
    table = await tables.open(a_table(free_first=True), None)
    before = await store.call("DUMP", key("table", table.id))
    await tables.act(intent(table, ALICE, "place", "h8"))
    run = store.run

    async def lost_before_the_commit(script: Script, *rest: Any) -> list[bytes]:
        if script is COMMIT:
            monkeypatch.setattr(store, "run", run)
            await store.call("RESTORE", key("table", table.id), 0, before, "REPLACE")
            await Tables(store).act(intent(table, ALICE, "place", "a1"))
        return await run(script, *rest)

    monkeypatch.setattr(store, "run", lost_before_the_commit)
    after = await tables.act(intent(table, BOB, "place", "b2"))
    assert isinstance(after, Table)
    assert [entry.action.words() for entry in after.game.record] == [["place", "a1"], ["place", "b2"]]


async def test_a_damaged_view_is_passed_over(tables: Tables, store: Store) -> None:
    """The other views live on."""
    table = await tables.open(a_table(), a_view("one", message="17"))
    await tables.attach(table.id, a_view("two", message="18"))
    await store.call("HSET", key("views", table.id), "tg/one", '{"id":')
    assert [view.id for view in await tables.views(table.id)] == ["two"]
    assert await tables.view_at("tg", "chat", "17") is None
    await place(tables, table)


_JUNK = (b"\xff\xfe", b"nosuchtabl", b"", b"a/b", b"a/b/c/d")


async def _litter(store: Store, kind: str) -> None:
    for number in range(PARTITIONS):
        await store.call("ZADD", shared(number, kind), *(word for junk in _JUNK for word in (1, junk)))


async def test_entries_that_nobody_wrote_are_struck_and_the_clocks_go_on(tables: Tables, store: Store) -> None:
    """One damaged entry of the deadlines does not stop the watch over all others; the operator is told which it was."""
    table = await tables.open(a_table(clock="1m+5s"), None)
    await _litter(store, "deadlines")
    with capture_logs() as logs:
        assert not [found for found in await tables.deadlines.all() if "/" in found]
        assert table.id in await tables.deadlines.all()
    struck = {line["key"] for line in logs if line["event"] == "entries_damaged"}
    assert shared(partition(table.id), "deadlines") in struck
    with capture_logs() as logs:
        await tables.deadlines.all()
    assert not logs


async def test_entries_that_nobody_wrote_do_not_stop_the_views(tables: Tables, store: Store) -> None:
    """The view that is stale is found between them."""
    view = a_view("one")
    table = await tables.open(a_table(), view)
    await _litter(store, "stale")
    due = await tables.stale.due()
    assert (table.id, view.id) in {(of.table, of.view) for of in due}
    assert all(of.platform for of in due)


async def test_entries_that_nobody_wrote_do_not_stop_the_engine(tables: Tables, store: Store) -> None:
    """Every table that waits for it is still found."""
    table = await tables.open(a_table(first=Machine(level=1)), None)
    await _litter(store, "engine")
    assert table.id in await tables.waiting_for_machine()


async def test_calls_that_are_no_news_are_passed_over(tables: Tables, store: Store) -> None:
    """A store may be shared with others who use the same channel; news that comes after it is heard."""
    fresh = Tables(store)
    news = fresh.changes()
    await fresh.listening()
    for junk in (b"hello", b"\xff\xfe 1 x", b"", b"a b c d", b"a -1 x", b"a 99999999999999999999 x"):
        await store.call("PUBLISH", CHANNEL, junk)
    table = await tables.open(a_table(), None)
    async with asyncio.timeout(10):
        assert await anext(news) == (table.id, table.rev)
    await fresh.close()


async def test_a_kept_value_that_cannot_be_read_is_no_fault(tables: Tables, store: Store) -> None:
    """Nor is a list with such an entry: whatever asks for it goes on."""
    await tables.remember("name", "value", 60)
    await store.call("SET", key("kept", "name"), b"\xff\xfe")
    assert await tables.recall("name") == "\ufffd\ufffd"
    assert await tables.take("name") == "\ufffd\ufffd"
    table = await tables.open(a_table(), None)
    await store.call("ZADD", key("person", ALICE.id), 1, b"\xff\xfe")
    assert await tables.tables_of(ALICE.id) == [table.id]


async def test_a_key_of_another_kind_is_told_of_once(tables: Tables, store: Store) -> None:
    """However often it is met, the operator's log has one line of it."""
    await store.call("SET", key("person", ALICE.id), "x")
    with capture_logs() as logs:
        for _ in range(3):
            with pytest.raises(StoreUnavailable):
                await tables.open(a_table(), None)
    assert [line["event"] for line in logs].count("key_damaged") == 1
