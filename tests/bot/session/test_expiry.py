"""A challenge that nobody takes ends by itself, at the moment it said."""

from __future__ import annotations

import msgspec
import pytest

from bot.composing import compose
from bot.scene import Viewer
from bot.session.referee import GRACE
from bot.session.store import Store
from bot.session.table import Declined, Table
from bot.session.tables import Tables
from bot.session.timekeeper import Timekeeper
from core.game import Outcome, Reason, Refusal
from tests.bot.session.people import ALICE, BOB, a_table, intent
from tests.bot.session.timing import START, Watch, later, much_later, there

pytestmark = pytest.mark.asyncio

HOUR = 3_600_000


async def waiting(tables: Tables, **options: object) -> Table:
    """Alice waits for an hour."""
    return await tables.open(msgspec.structs.replace(a_table(ALICE, None, **options), expires=START + HOUR), None)


async def test_it_ends_when_it_said(store: Store) -> None:
    """Until then everybody can come, after it nobody; what came in time counts though it is handled late."""
    watch = Watch()
    tables = Tables(store, watch)
    keeper = Timekeeper(tables)
    table, other = await waiting(tables), await waiting(tables)
    await much_later(keeper, watch, tables, HOUR + GRACE - 1)
    assert (await there(tables, table)).game.outcome is None
    assert isinstance(await tables.join(other.id, BOB, at=START + HOUR - 1), Table)
    assert await tables.join(table.id, BOB, at=START + HOUR) is Declined.EXPIRED
    await later(keeper, watch, 2 * GRACE)
    ended = await there(tables, table)
    assert ended.game.outcome == Outcome(Reason.CANCELLED)
    assert ended.expired
    assert ended.game.record[-1].at == START + HOUR
    assert await tables.join(table.id, BOB) is Declined.EXPIRED
    assert (await there(tables, other)).game.outcome is None
    assert await tables.deadlines.all() == [other.id]


async def test_it_ends_after_a_restart_too(store: Store) -> None:
    """Nothing has to be remembered by a process; time that the service was down is not added."""
    watch = Watch()
    tables = Tables(store, watch)
    await Timekeeper(tables).look()
    table = await waiting(tables)
    watch.now += 2 * HOUR
    again = Tables(store, watch)
    await Timekeeper(again).look()
    assert (await there(again, table)).expired


async def test_it_says_when_it_ends_and_that_it_has(store: Store) -> None:
    """In the message; withdrawn is something else."""
    watch = Watch()
    tables = Tables(store, watch)
    keeper = Timekeeper(tables)
    table, back = await waiting(tables), await waiting(tables)
    viewer = Viewer("en", public=True)
    assert "Open until 2023-11-14 23:13 UTC." in compose(table, viewer).lines
    await tables.act(intent(back, ALICE, "cancel"))
    await much_later(keeper, watch, tables, HOUR + GRACE)
    ended = compose(await there(tables, table), viewer)
    assert any("Nobody joined in time" in line for line in ended.lines)
    assert not any("Open until" in line for line in ended.lines)
    assert ended.buttons == ()
    assert "The challenge was withdrawn." in compose(await there(tables, back), viewer).lines


@pytest.mark.parametrize("word", ["cancel", "leave"])
async def test_a_challenge_with_stones_on_the_board_is_withdrawn_like_any_other(store: Store, word: str) -> None:
    """A designated opening lies there from the start, which is no game yet."""
    tables = Tables(store, Watch())
    table = await waiting(tables, protocol="designated", opening="D4")
    after = await tables.act(intent(table, ALICE, word))
    assert isinstance(after, Table)
    assert after.game.outcome == Outcome(Reason.CANCELLED)
    assert await tables.join(table.id, BOB) is Declined.WITHDRAWN


async def test_nobody_but_the_referee_lets_it_expire(store: Store) -> None:
    """Nor can a game that has begun expire."""
    tables = Tables(store, Watch())
    table = await waiting(tables)
    assert await tables.act(intent(table, ALICE, "expire")) is Declined.WAITING
    await tables.join(table.id, BOB)
    assert isinstance(await tables.act(intent(table, "referee", "expire")), Refusal)
    assert (await there(tables, table)).game.outcome is None
