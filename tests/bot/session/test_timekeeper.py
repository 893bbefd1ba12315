"""Flags, reminders and time given back: the game is the same whoever looks when. Time is injected; nothing waits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import msgspec
import pytest
import pytest_asyncio
from structlog.testing import capture_logs

from bot.desk import Desk, Done, Notice
from bot.scene import pack
from bot.session.ids import key, partition, shared
from bot.session.referee import GRACE
from bot.session.store import Store, StoreUnavailable
from bot.session.table import Declined, Machine, Table
from bot.session.tables import Tables
from bot.session.timekeeper import BEAT, DOWN, Timekeeper
from core.clock import DAY, HOUR, MINUTE, SECOND, UNHURRIED
from core.game import Act, Draw, Event, Happened, Outcome, Reason, Refusal, Why
from core.notation import Colour
from tests.bot.session.people import ALICE, BOB, ENGINE, MOVES, a_table, intent, until
from tests.bot.session.timing import START, Watch, acts, later, moved, much_later, there

pytestmark = pytest.mark.asyncio

T = TypeVar("T")


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest_asyncio.fixture
async def tables(store: Store, watch: Watch) -> AsyncIterator[Tables]:
    opened = Tables(store, watch)
    yield opened
    await opened.close()


@pytest_asyncio.fixture
async def keeper(tables: Tables) -> Timekeeper:
    made = Timekeeper(tables)
    await made.look()
    return made


async def deadlines(store: Store) -> dict[str, int]:
    """All that the store keeps of when the referee is due."""
    found: dict[str, int] = {}
    for number in range(64):
        flat = await store.call("ZRANGE", shared(number, "deadlines"), 0, -1, "WITHSCORES")
        found |= {flat[i].decode(): int(flat[i + 1]) for i in range(0, len(flat), 2)}
    return found


async def down_for(watch: Watch, tables: Tables, span: int) -> Timekeeper:
    """The service is killed, is away for so long and comes back: its new timekeeper."""
    watch.now += span
    return Timekeeper(tables)


class TestKept:
    """When the referee is due is kept by the commit itself."""

    async def test_a_waiting_table_has_no_deadline_until_somebody_joins(
        self, tables: Tables, store: Store, watch: Watch
    ) -> None:
        """The clock begins when the second seat is taken, at the arrival of whoever took it."""
        table = await tables.open(a_table(ALICE, None, clock="20m+60s"), None)
        assert table.due is None
        assert await deadlines(store) == {}
        watch.now += DAY
        await tables.join(table.id, BOB, at=watch.now - 500)
        assert await deadlines(store) == {table.id: watch.now - 500 + 21 * MINUTE}

    async def test_a_kept_seat_has_none_either(self, tables: Tables, store: Store) -> None:
        """A rematch that the other has not accepted is no game yet."""
        await tables.open(msgspec.structs.replace(a_table(ALICE, None, clock="1d"), reserved=BOB.id), None)
        assert await deadlines(store) == {}

    async def test_every_move_moves_it(self, tables: Tables, store: Store, watch: Watch) -> None:
        """The next deadline is that of the other side."""
        table = await tables.open(a_table(clock="fischer:10m+5s"), None)
        assert await deadlines(store) == {table.id: START + 10 * MINUTE}
        watch.now += MINUTE
        table = await moved(tables, table, ALICE, "place h8")
        assert await deadlines(store) == {table.id: START + 11 * MINUTE}
        watch.now += 3 * MINUTE
        await moved(tables, table, BOB, "place a1")
        assert await deadlines(store) == {table.id: START + 4 * MINUTE + 9 * MINUTE + 5 * SECOND}

    async def test_a_finished_table_has_none(self, tables: Tables, store: Store) -> None:
        """However it ended."""
        table = await tables.open(a_table(clock="20m+60s"), None)
        await moved(tables, table, ALICE, "cancel")
        assert await deadlines(store) == {}

    async def test_a_machine_is_not_reminded(self, tables: Tables) -> None:
        """Only the end of its time is kept."""
        table = await tables.open(a_table(Machine(), ALICE, clock="3d"), None)
        assert table.due == START + 3 * DAY

    async def test_it_survives_another_process(self, tables: Tables, store: Store) -> None:
        """A table read again is due at the same moment: the time it began is saved with it."""
        table = await tables.open(a_table(clock="20m+60s"), None)
        assert (await there(Tables(store), table)).due == table.due is not None


class TestFlags:
    async def test_time_runs_out_with_nobody_online(self, tables: Tables, keeper: Timekeeper, watch: Watch) -> None:
        """A correspondence game past its time ends within seconds, at its deadline, and both views are told."""
        table = await tables.open(a_table(clock="3d"), None)
        await much_later(keeper, watch, tables, 2 * DAY + GRACE)
        await much_later(keeper, watch, tables, DAY - 1)
        assert await acts(tables, table) == ["remind"]
        await later(keeper, watch, 1)
        ended = await there(tables, table)
        assert ended.game.outcome == Outcome(Reason.TIME, 1, Colour.WHITE)
        assert ended.game.record[-1].at == START + 3 * DAY

    async def test_within_a_second_under_real_time(self, tables: Tables, watch: Watch) -> None:
        """The running service looks again in time by itself."""
        table = await tables.open(a_table(clock="0s+5s"), None)
        keeper = Timekeeper(tables, poll=10)
        task = asyncio.create_task(keeper.run())

        async def over() -> bool:
            watch.now += 500
            return (await there(tables, table)).game.outcome is not None

        await until(over)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        assert (await there(tables, table)).game.record[-1].at == START + 5 * SECOND

    async def test_the_next_look_is_planned_for_the_moment(
        self, tables: Tables, keeper: Timekeeper, watch: Watch
    ) -> None:
        """Never later than a second, and at the moment itself if that comes sooner."""
        await tables.open(a_table(clock="0s+5s"), None)
        assert await keeper.look() == watch.now + SECOND
        await later(keeper, watch, 6_700)
        assert await keeper.look() == START + 5 * SECOND + GRACE

    async def test_a_move_with_a_moment_left_counts_by_its_arrival(
        self, tables: Tables, keeper: Timekeeper, watch: Watch
    ) -> None:
        """0.2 s before the deadline it came; it is handled 1.9 s after it, when others have looked already."""
        table = await tables.open(a_table(clock="0s+10s"), None)
        await later(keeper, watch, 11_900)
        after = await moved(tables, table, ALICE, "place h8", at=START + 9_800)
        assert after.game.state.clock.shown(0, watch.now) == (0, 10 * SECOND)
        await later(keeper, watch, 200)
        assert await acts(tables, table) == ["place h8"]

    async def test_until_then_a_late_action_ends_nothing(
        self, tables: Tables, keeper: Timekeeper, watch: Watch
    ) -> None:
        """A tap of the other side just after the deadline does not cut off a move that came in time."""
        table = await tables.open(a_table(clock="0s+10s"), None)
        await later(keeper, watch, 10_001)
        assert await tables.act(msgspec.structs.replace(intent(table, BOB, "leave"), at=0)) == Refusal(Why.TIME_OVER)
        await moved(tables, table, ALICE, "place h8", at=START + 9_999)

    async def test_a_late_action_finds_the_game_over(self, tables: Tables, watch: Watch) -> None:
        """Where no referee has looked yet, the late action itself lets the flag fall, at the deadline."""
        table = await tables.open(a_table(clock="0s+10s"), None)
        watch.now += 10 * SECOND + GRACE
        late = msgspec.structs.replace(intent(table, ALICE, "place", "h8", rev=0, source="tg:1"), at=watch.now)
        assert await tables.act(late) == Refusal(Why.OVER)
        ended = await there(tables, table)
        assert ended.game.outcome == Outcome(Reason.TIME, 1, Colour.WHITE)
        assert ended.game.record[-1].at == START + 10 * SECOND
        assert await tables.act(late) == Refusal(Why.OVER)

    async def test_it_is_so_at_the_desk_too(self, tables: Tables, keeper: Timekeeper, watch: Watch) -> None:
        """Typed or tapped, what arrived in time counts; what did not is told in words."""
        desk = Desk(tables)
        table = await tables.open(a_table(clock="0s+10s", free_first=True), None)
        await later(keeper, watch, 11 * SECOND)
        assert isinstance(await desk.move(ALICE, "h8", table=table.id, at=START + 9_999), Done)
        await later(keeper, watch, 10 * SECOND)
        wire = pack(table.id, 1, "place-a1")
        assert isinstance(await desk.press(BOB, wire, place=None, at=START + 19_999), Done)
        await later(keeper, watch, 9 * SECOND)
        late = await desk.command(ALICE, "resign", table=table.id)
        assert isinstance(late, Notice)
        assert late.text == "Too late: the time of whoever had to act was over."
        watch.now += GRACE
        over = await desk.command(ALICE, "undo", table=table.id)
        assert isinstance(over, Notice)
        assert over.text == "This game is over."
        assert await acts(tables, table) == ["place h8", "place a1", "flag 0"]

    async def test_several_referees_let_one_flag_fall(self, store: Store, watch: Watch) -> None:
        """Many processes, many tables, all at once, and late players among them."""
        doors = [Tables(store, watch) for _ in range(4)]
        opened = [await doors[0].open(a_table(clock="0s+10s"), None) for _ in range(20)]
        keepers = [Timekeeper(door) for door in doors]
        for _ in range(6):
            watch.now += 2 * SECOND
            await asyncio.gather(
                *(keeper.look() for keeper in keepers),
                *(
                    doors[number % 4].act(msgspec.structs.replace(intent(table, BOB, "leave"), at=watch.now))
                    for number, table in enumerate(opened)
                    if watch.now > START + 10 * SECOND
                ),
            )
        for table in opened:
            assert await acts(doors[1], table) == ["flag 0"]
        assert await deadlines(store) == {}

    async def test_the_guess_and_the_opening_have_the_time_of_who_decides(
        self, tables: Tables, keeper: Timekeeper, watch: Watch
    ) -> None:
        """Who lets the guess or the third stone wait loses on time (rules section 7)."""
        guess = await tables.open(a_table(clock="0s+10s", draw=Draw.GUESS, hidden=3), None)
        opening = await tables.open(a_table(clock="0s+10s", protocol="rif"), None)
        await moved(tables, opening, ALICE, "place h8")
        await later(keeper, watch, 9 * SECOND)
        await moved(tables, opening, ALICE, "place h9")
        await later(keeper, watch, 3 * SECOND)
        assert await acts(tables, guess) == ["flag 1"]
        assert await acts(tables, opening) == ["place h8", "place h9", "flag 0"]

    async def test_a_take_back_gives_the_time_of_then(self, tables: Tables, keeper: Timekeeper, watch: Watch) -> None:
        """Whoever moves again has what they had; the deadline follows."""
        table = await tables.open(a_table(clock="fischer:1m+0s", free_first=True), None)
        await later(keeper, watch, 40 * SECOND)
        await moved(tables, table, ALICE, "place h8")
        await moved(tables, table, ALICE, "undo_ask")
        after = await moved(tables, table, BOB, "undo_allow")
        assert after.due == watch.now + MINUTE
        await later(keeper, watch, MINUTE + GRACE)
        assert (await acts(tables, table))[-1] == "flag 0"


class TestReminders:
    async def test_once_a_turn_and_a_day_before(self, tables: Tables, keeper: Timekeeper, watch: Watch) -> None:
        """A game without a clock: idle for three days it is lost, and the day before its player is warned."""
        table = await tables.open(a_table(), None)
        assert table.game.settings.control == UNHURRIED
        await much_later(keeper, watch, tables, 2 * DAY - 1)
        assert await acts(tables, table) == []
        await much_later(keeper, watch, tables, 1 + GRACE)
        warned = await there(tables, table)
        assert warned.game.state.events == (Event(Happened.REMINDED, 0),)
        await much_later(keeper, watch, tables, HOUR)
        await much_later(keeper, watch, tables, HOUR)
        assert await acts(tables, table) == ["remind"]
        await much_later(keeper, watch, tables, DAY)
        assert await acts(tables, table) == ["remind", "flag 0"]
        assert (await there(tables, table)).game.record[-1].at == START + 3 * DAY

    async def test_a_move_cancels_it(self, tables: Tables, keeper: Timekeeper, watch: Watch) -> None:
        """Made just before the notice is due, or after it but not yet told: the next is that of the other side."""
        table = await tables.open(a_table(clock="3d"), None)
        await much_later(keeper, watch, tables, 2 * DAY)
        await moved(tables, table, ALICE, "place h8")
        await much_later(keeper, watch, tables, GRACE)
        assert await acts(tables, table) == ["place h8"]
        await much_later(keeper, watch, tables, 2 * DAY)
        assert await acts(tables, table) == ["place h8", "remind"]
        assert (await there(tables, table)).game.state.events == (Event(Happened.REMINDED, 1),)

    async def test_every_turn_has_its_own(self, tables: Tables, keeper: Timekeeper, watch: Watch) -> None:
        """Also two turns of the same side with one of the other between them."""
        table = await tables.open(a_table(clock="1d"), None)
        for number in range(4):
            await much_later(keeper, watch, tables, 20 * HOUR)
            await moved(tables, table, (ALICE, BOB)[number % 2], f"place {MOVES[number]}")
        assert [word.split()[0] for word in await acts(tables, table)] == ["remind", "place"] * 4

    async def test_real_time_has_none(self, tables: Tables, keeper: Timekeeper, watch: Watch) -> None:
        """There the clock is in sight."""
        table = await tables.open(a_table(clock="20m+60s"), None)
        await later(keeper, watch, 21 * MINUTE)
        assert await acts(tables, table) == []


class TestGivenBack:
    """Time during which the service was down."""

    async def test_the_running_turn_gets_it_back(self, tables: Tables, keeper: Timekeeper, watch: Watch) -> None:
        """Away for five minutes with one left: a minute is still left, and both are told."""
        table = await tables.open(a_table(clock="fischer:10m+0s"), None)
        await later(keeper, watch, 9 * MINUTE)
        await (await down_for(watch, tables, 5 * MINUTE)).look()
        back = await there(tables, table)
        assert await acts(tables, table) == [f"credit {5 * MINUTE}"]
        assert back.game.state.events == (Event(Happened.TIME_GIVEN, number=5 * MINUTE),)
        assert back.game.state.clock.shown(0, watch.now) == (MINUTE, 0)

    async def test_before_anybody_is_judged(self, tables: Tables, keeper: Timekeeper, watch: Watch) -> None:
        """The first move after the service came back is in time, though nobody has looked at the clocks yet."""
        table = await tables.open(a_table(clock="0s+30s"), None)
        await later(keeper, watch, 20 * SECOND)
        await down_for(watch, tables, HOUR)
        await moved(tables, table, ALICE, "place h8")
        assert await acts(tables, table) == [f"credit {HOUR}", "place h8"]

    async def test_a_machine_that_slept_was_down_too(self, tables: Tables, keeper: Timekeeper, watch: Watch) -> None:
        """The same process goes on as if nothing had been: whatever comes first finds out."""
        table = await tables.open(a_table(clock="0s+30s"), None)
        await later(keeper, watch, 20 * SECOND)
        watch.now += 8 * HOUR
        await moved(tables, table, ALICE, "place h8")
        await keeper.look()
        assert await acts(tables, table) == [f"credit {8 * HOUR}", "place h8"]

    async def test_time_that_was_over_before_stays_over(self, tables: Tables, keeper: Timekeeper, watch: Watch) -> None:
        """The deadline passed, the service died before it could say so: it says so when it is back."""
        table = await tables.open(a_table(clock="0s+10s"), None)
        await later(keeper, watch, 11 * SECOND)
        await tables.deadlines.beat(watch.now)
        await (await down_for(watch, tables, HOUR)).look()
        assert await acts(tables, table) == ["flag 0"]
        assert (await there(tables, table)).game.record[-1].at == START + 10 * SECOND

    @pytest.mark.usefixtures("keeper")
    async def test_a_moment_is_no_outage(self, tables: Tables, watch: Watch) -> None:
        """A late heartbeat says nothing to anybody."""
        table = await tables.open(a_table(clock="20m+60s"), None)
        await (await down_for(watch, tables, DOWN - 1)).look()
        assert await acts(tables, table) == []

    async def test_another_process_was_there(self, store: Store, watch: Watch) -> None:
        """Where one of several runs on, the service was never down, and a clock that is ahead does not count."""
        tables, elsewhere = Tables(store, watch), Tables(store, lambda: watch.now + SECOND)
        keepers = Timekeeper(tables), Timekeeper(elsewhere)
        table = await tables.open(a_table(clock="20m+60s"), None)
        await later(keepers[0], watch, 10 * SECOND)
        await later(keepers[1], watch, MINUTE)
        await later(keepers[0], watch, 10 * SECOND)
        assert await acts(tables, table) == []

    @pytest.mark.parametrize("clock", ["1d", "idle:6h"])
    @pytest.mark.usefixtures("keeper")
    async def test_where_nobody_watches_seconds_ten_minutes_count(
        self, tables: Tables, watch: Watch, clock: str
    ) -> None:
        """A restart of five minutes is not worth a word there, one of ten minutes is."""
        table = await tables.open(a_table(clock=clock), None)
        back = await down_for(watch, tables, 5 * MINUTE)
        await back.look()
        assert await acts(tables, table) == []
        await (await down_for(watch, tables, 10 * MINUTE)).look()
        assert await acts(tables, table) == [f"credit {10 * MINUTE}"]

    async def test_nor_is_a_turn_lost_to_a_short_outage(self, tables: Tables, keeper: Timekeeper, watch: Watch) -> None:
        """A deadline within the outage moves, however short that was."""
        table = await tables.open(a_table(clock="1d"), None)
        await much_later(keeper, watch, tables, DAY - MINUTE)
        await (await down_for(watch, tables, 5 * MINUTE)).look()
        assert await acts(tables, table) == ["remind", f"credit {5 * MINUTE}"]
        await moved(tables, table, ALICE, "place h8")

    async def test_only_the_turns_own_part(self, tables: Tables, keeper: Timekeeper, watch: Watch) -> None:
        """A turn that began after the last heartbeat gets back no more than it has lasted."""
        table = await tables.open(a_table(clock="20m+60s"), None)
        await later(keeper, watch, 10 * SECOND)
        watch.now += 1_500
        await moved(tables, table, ALICE, "place h8")
        await (await down_for(watch, tables, MINUTE)).look()
        assert await acts(tables, table) == ["place h8", f"credit {MINUTE}"]

    @pytest.mark.usefixtures("keeper")
    async def test_finished_and_waiting_tables_get_nothing(self, tables: Tables, watch: Watch) -> None:
        """Nor one that begins when the service is back."""
        done = await tables.open(a_table(clock="20m+60s"), None)
        await moved(tables, done, ALICE, "cancel")
        waiting = await tables.open(a_table(ALICE, None, clock="20m+60s"), None)
        back = await down_for(watch, tables, HOUR)
        await tables.join(waiting.id, BOB)
        await back.look()
        assert await acts(tables, done) == ["cancel"]
        assert await acts(tables, waiting) == []

    @pytest.mark.usefixtures("keeper")
    async def test_the_engines_clock_too(self, tables: Tables, watch: Watch) -> None:
        """It cannot answer while the service is down."""
        table = await tables.open(a_table(ENGINE, ALICE, clock="0s+10s"), None)
        await (await down_for(watch, tables, MINUTE)).look()
        assert await acts(tables, table) == [f"credit {MINUTE}"]

    @pytest.mark.usefixtures("keeper")
    async def test_more_than_words_can_say(self, tables: Tables, watch: Watch) -> None:
        """Away for half a year: what is given back can be saved and read again, and the game goes on."""
        table = await tables.open(a_table(clock="14d"), None)
        await (await down_for(watch, tables, 180 * DAY)).look()
        saved = await there(Tables(tables._store, watch), table)
        assert saved.game.record[0].action.act is Act.CREDIT

    async def test_several_services_come_back_at_once(self, store: Store, watch: Watch) -> None:
        """Each would give it back; each table gets it once."""
        doors = [Tables(store, watch) for _ in range(4)]
        await Timekeeper(doors[0]).look()
        opened = [await doors[0].open(a_table(clock="20m+60s"), None) for _ in range(20)]
        watch.now += HOUR
        await asyncio.gather(*(Timekeeper(door).look() for door in doors))
        for table in opened:
            assert await acts(doors[1], table) == [f"credit {HOUR}"]


class Killed(BaseException):
    """kill -9, as far as anything of the process can tell."""


class MortalStore(Store):
    """A store whose process dies before its so-manieth trip, or after it but before the answer came."""

    trips = 0
    dead = False
    dies_before: int | None = None
    dies_after: int | None = None

    async def _guarded(self, attempt: Callable[[], Awaitable[T]], on: Sequence[object]) -> T:
        self.trips += 1
        trip = self.trips
        if self.dead or trip == self.dies_before:
            self.dead = True
            raise Killed
        answer = await super()._guarded(attempt, on)
        if self.dead or trip == self.dies_after:
            self.dead = True
            raise Killed
        return answer

    async def bury(self) -> None:
        """Nothing of the process goes on."""
        self.dead = True
        lines = {task for task in asyncio.all_tasks() if task.get_name() == "renju store"}  # those of others, too
        others = asyncio.all_tasks() - lines - {asyncio.current_task()}
        await asyncio.gather(*others, return_exceptions=True)
        await self.close()


@pytest.mark.parametrize("when", ["dies_before", "dies_after"])
async def test_time_is_given_back_once_however_often_that_is_interrupted(
    redis_url: str, store: Store, watch: Watch, when: str
) -> None:
    """Killed at every instant of giving it back, one after the other: in the end each table has had it exactly once."""
    steady = Tables(store, watch)
    await Timekeeper(steady).look()
    opened = [await steady.open(a_table(clock="fischer:10m+0s"), None) for _ in range(3)]
    watch.now += 5 * MINUTE
    await steady.deadlines.beat(watch.now)
    watch.now += HOUR
    kills = 0
    while True:
        mortal = MortalStore(redis_url)
        setattr(mortal, when, kills + 1)
        try:
            await Timekeeper(Tables(mortal, watch)).look()
        except Killed:
            kills += 1
        else:
            break
        finally:
            await mortal.bury()
    assert kills >= 5
    for table in opened:
        assert await acts(steady, table) == [f"credit {HOUR}"]


async def test_time_goes_on_while_the_service_comes_back_again_and_again(
    redis_url: str, store: Store, watch: Watch
) -> None:
    """Each attempt to come back takes ten seconds and is killed: those are given back too, and nothing twice."""
    steady = Tables(store, watch)
    await Timekeeper(steady).look()
    opened = [await steady.open(a_table(clock="fischer:10m+0s"), None) for _ in range(3)]
    watch.now += 5 * MINUTE
    await steady.deadlines.beat(watch.now)
    watch.now += HOUR
    for instant in range(1, 16):
        mortal = MortalStore(redis_url)
        mortal.dies_after = instant
        with suppress(Killed):
            await Timekeeper(Tables(mortal, watch)).look()
        await mortal.bury()
        watch.now += 10 * SECOND
    await Timekeeper(steady).look()
    for table in opened:
        back = await there(steady, table)
        assert back.game.state.clock.shown(0, watch.now) == (5 * MINUTE, 0)


class TestTrouble:
    async def test_a_store_that_is_away_is_an_outage(
        self, tables: Tables, keeper: Timekeeper, watch: Watch, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The timekeeper survives it, nobody is judged in it, and its time is given back."""
        table = await tables.open(a_table(clock="0s+30s"), None)
        await later(keeper, watch, 20 * SECOND)
        with monkeypatch.context() as patch:

            async def away(*_: Any) -> Any:
                raise StoreUnavailable("away")

            for name in ("run", "call", "many"):
                patch.setattr(tables._store, name, away)
            task = asyncio.create_task(Timekeeper(tables, poll=1).run())
            for _ in range(10):
                watch.now += 10 * SECOND
                with pytest.raises(StoreUnavailable):
                    await keeper.look()
                assert await tables.act(intent(table, ALICE, "place", "h8")) is Declined.NOT_STORED
        await until(lambda: _has(tables, table, 1))
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        assert await acts(tables, table) == [f"credit {100 * SECOND}"]
        await moved(tables, table, ALICE, "place h8")

    async def test_a_table_that_is_gone_is_forgotten(
        self, tables: Tables, store: Store, keeper: Timekeeper, watch: Watch
    ) -> None:
        """With one line in the log; its neighbours are settled."""
        gone = await tables.open(a_table(clock="0s+10s"), None)
        table = await tables.open(a_table(clock="0s+10s"), None)
        await store.call("DEL", key("table", gone.id))
        with capture_logs() as logs:
            await later(keeper, watch, 20 * SECOND)
        assert [line["table"] for line in logs] == [gone.id]
        assert await acts(tables, table) == ["flag 0"]
        assert await deadlines(store) == {}

    async def test_a_damaged_table_is_left_alone(
        self, tables: Tables, store: Store, keeper: Timekeeper, watch: Watch
    ) -> None:
        """With one line in the log; it is settled when it has been mended."""
        damaged = await tables.open(a_table(clock="0s+10s"), None)
        table = await tables.open(a_table(clock="0s+10s"), None)
        flat = await store.call("HGETALL", key("table", damaged.id))
        whole: dict[bytes, bytes] = dict(zip(flat[::2], flat[1::2], strict=True))
        await store.call("HSET", key("table", damaged.id), "body", "{", "mark", "broken")
        with capture_logs() as logs:
            await later(keeper, watch, 3 * MINUTE)
        assert [line["event"] for line in logs] == ["saved_table_damaged"]
        assert await acts(tables, table) == ["flag 0"]
        await store.call("HSET", key("table", damaged.id), "body", whole[b"body"], "mark", whole[b"mark"])
        await later(keeper, watch, 2 * MINUTE)
        assert (await acts(tables, damaged))[-1] == "flag 0"

    @pytest.mark.usefixtures("keeper")
    async def test_a_fault_at_one_table_stops_no_other(
        self, tables: Tables, watch: Watch, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Neither its flag nor the time given back."""
        cursed = await tables.open(a_table(clock="20m+60s"), None)
        table = await tables.open(a_table(clock="20m+60s"), None)
        get = tables.get

        async def faulty(name: str) -> Table | Declined:
            if name == cursed.id:
                raise ValueError("a fault")
            return await get(name)

        monkeypatch.setattr(tables, "get", faulty)
        with capture_logs() as logs:
            back = await down_for(watch, tables, HOUR)
            await back.look()
            await later(back, watch, 21 * MINUTE + GRACE)
        assert await acts(tables, table) == [f"credit {HOUR}", "flag 0"]
        assert {line["table"] for line in logs if line["log_level"] == "error"} == {cursed.id}

    async def test_many_in_one_partition(self, tables: Tables, store: Store, keeper: Timekeeper, watch: Watch) -> None:
        """More than are read at once, and most of them gone: the one that is there is still found."""
        table = await tables.open(a_table(clock="0s+10s"), None)
        listed = shared(partition(table.id), "deadlines")
        names: list[str] = []
        number = 0
        while len(names) < 1_001:
            number += 1
            if partition(f"t{number}") == partition(table.id):
                names += [f"t{number}"]
        await store.many([("ZADD", listed, START, name) for name in names])
        with capture_logs():
            await later(keeper, watch, 10 * SECOND + GRACE)
        assert await acts(tables, table) == ["flag 0"]
        assert await deadlines(store) == {}

    async def test_a_heartbeat_of_a_wrong_clock_is_not_believed(
        self, tables: Tables, keeper: Timekeeper, watch: Watch
    ) -> None:
        """Once written a year ahead, it would hide every outage until then."""
        await tables.deadlines.beat(START + 365 * DAY)
        await later(keeper, watch, 2 * BEAT)
        table = await tables.open(a_table(clock="20m+60s"), None)
        await (await down_for(watch, tables, HOUR)).look()
        assert await acts(tables, table) == [f"credit {HOUR}"]


async def _has(tables: Tables, table: Table, actions: int) -> bool:
    return len((await there(tables, table)).game.record) >= actions
