"""Random games with moves, pauses and outages: the times add up, and there is exactly one result."""

from __future__ import annotations

import asyncio

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.session.referee import GRACE
from bot.session.server import RedisServer
from bot.session.store import Store
from bot.session.table import Table
from bot.session.tables import Tables
from bot.session.timekeeper import DOWN, Timekeeper
from core.clock import MINUTE
from core.game import Act
from tests.bot.session.people import ALICE, BOB, MOVES, a_table, intent
from tests.bot.session.timing import Watch, much_later, there

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("moves"), st.integers(0, 40_000)),
        st.tuples(st.just("down"), st.integers(DOWN, 90_000)),
        st.tuples(st.just("pokes"), st.integers(0, 20_000)),
        st.tuples(st.just("restarts"), st.integers(0, DOWN - 1)),
    ),
    max_size=25,
)


@given(steps=STEPS)
@settings(deadline=None, max_examples=50)
def test_the_times_add_up(redis_server: RedisServer, steps: list[tuple[str, int]]) -> None:
    """Whatever happens when: each side has used exactly the time it was served, and loses at exactly its end.

    The twin keeps two numbers, subtracts what passes while the service is up, and never looks at a clock of the game.
    """
    asyncio.run(_times_add_up(redis_server.url, steps))


async def _times_add_up(url: str, steps: list[tuple[str, int]]) -> None:
    store = Store(url)
    await store.call("FLUSHALL")
    watch = Watch()
    tables = Tables(store, watch)
    keeper = Timekeeper(tables)
    await keeper.look()
    table = await tables.open(a_table(clock="fischer:1m+0s"), None)
    left, lost_at = [MINUTE, MINUTE], None
    turn = 0
    for what, span in steps:
        if what in ("down", "restarts"):
            await tables.deadlines.beat(watch.now)
            watch.now += span
            keeper = Timekeeper(tables)
        else:
            await much_later(keeper, watch, tables, span)
        if what != "down":
            if span > left[turn]:
                lost_at = watch.now - span + left[turn]
            left[turn] -= span
        if what == "pokes":
            await tables.act(msgspec.structs.replace(intent(table, (BOB, ALICE)[turn], "place", "h8"), at=watch.now))
        if what == "moves":
            stones = len((await there(tables, table)).game.state.stones)
            mover = (ALICE, BOB)[turn]
            answer = await tables.act(
                msgspec.structs.replace(intent(table, mover, "place", MOVES[stones]), at=watch.now)
            )
            assert isinstance(answer, Table) == (lost_at is None), answer
            if lost_at is None:
                turn = 1 - turn
        await keeper.look()
        if lost_at is not None:
            break
    await much_later(keeper, watch, tables, GRACE)
    final = await there(tables, table)
    if lost_at is None:
        clock = final.game.state.clock
        # The grace of the last line was served as well.
        left[turn] -= GRACE
        if left[turn] >= 0:
            assert [clock.shown(0, watch.now)[0], clock.shown(1, watch.now)[0]] == left
            assert final.game.outcome is None
    else:
        flags = [entry for entry in final.game.record if entry.action.act is Act.FLAG]
        assert [(entry.action.number, entry.at) for entry in flags] == [(turn, lost_at)]
    await tables.close()
    await store.close()
