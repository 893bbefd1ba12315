"""A saved table that cannot be read: said once to the operator, kept as it is, a value for everybody else."""

from __future__ import annotations

from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.session.ids import key
from bot.session.lua import COMMIT, Script
from bot.session.store import Store, StoreUnavailable
from bot.session.table import Declined, Table
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
