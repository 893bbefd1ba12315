"""The engine at the tables: it answers every table that waits, once, and lets go as soon as the table moves on."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import msgspec
import pytest
import structlog

from bot.composing import compose
from bot.scene import Viewer
from bot.session.store import Store
from bot.session.table import MACHINE, Declined, Intent, Machine, Table
from bot.session.tables import Tables
from bot.thinking import Decide, Thinker
from core.ai import Stop, decide
from core.ai.fallback import legal_action
from core.game import Action, FoulMode, Game, Outcome, Reason, Refusal, Seat, action
from core.notation import Colour
from tests.bot.session.people import ALICE, a_table, intent, until

pytestmark = pytest.mark.asyncio


def quick(game: Game, seat: Seat, _level: int, _seconds: float, _stop: Stop) -> Action:
    """An engine that does not think."""
    found = legal_action(game, seat)
    assert found is not None
    return found


@asynccontextmanager
async def thinking(tables: Tables, decide: Decide = quick, **options: object) -> AsyncIterator[Thinker]:
    thinker = Thinker(tables, **{"pace": 0.0, "scan": 3600.0, "again": 0.01, **options}, decide=decide)  # type: ignore[arg-type]
    task = asyncio.create_task(thinker.run())
    try:
        yield thinker
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


class Hand:
    """An engine that waits until the test lets it answer, or until it is told to stop."""

    def __init__(self, answer: Decide = quick) -> None:
        self.answer = answer
        self.asked: list[tuple[int, Seat]] = []
        self.stops: list[Stop] = []
        self.go = threading.Semaphore(0)

    def __call__(self, game: Game, seat: Seat, level: int, seconds: float, stop: Stop) -> Action:
        self.asked.append((len(game.record), seat))
        self.stops.append(stop)
        while not stop.is_set and not self.go.acquire(timeout=0.005):
            pass
        return self.answer(game, seat, level, seconds, stop)


async def moved(tables: Tables, table: Table, stones: int) -> Table:
    """The table as soon as so many stones lie on it."""
    latest = table

    async def there() -> bool:
        nonlocal latest
        now = await tables.get(table.id)
        assert isinstance(now, Table)
        latest = now
        return len(now.game.state.stones) >= stones

    await until(there)
    return latest


class TestAnswers:
    async def test_a_move_is_answered(self, tables: Tables) -> None:
        """After the person's stone the machine's follows."""
        table = await tables.open(a_table(ALICE, Machine()), None)
        async with thinking(tables):
            await tables.act(intent(table, ALICE, "place", "h8"))
            after = await moved(tables, table, 2)
            assert after.game.record[1].seat == 1

    async def test_a_table_that_waited_already_is_answered(self, tables: Tables) -> None:
        """A restart in the middle of a thought loses nothing: whatever waits is found in the store."""
        table = await tables.open(a_table(Machine(), ALICE), None)
        async with thinking(tables):
            await moved(tables, table, 1)

    async def test_several_actions_in_a_row(self, tables: Tables) -> None:
        """In an opening protocol the machine puts all three stones of the opening, one by one."""
        table = await tables.open(a_table(Machine(), ALICE, protocol="rif", foul_mode=FoulMode.CLAIM), None)
        async with thinking(tables):
            after = await moved(tables, table, 3)
            assert after.game.state.phase == "Q3"
            assert after.machine_due is None

    async def test_two_machines_play_a_game(self, tables: Tables) -> None:
        """Each seat is asked in its turn, until the game is over."""
        table = await tables.open(a_table(Machine(), Machine(), foul_mode=FoulMode.CLAIM), None)
        async with thinking(tables):

            async def over() -> bool:
                now = await tables.get(table.id)
                return isinstance(now, Table) and now.game.outcome is not None

            await until(over, seconds=60)

    async def test_a_request_is_answered_out_of_turn(self, tables: Tables) -> None:
        """A person's request to take back is answered although the machine is not to move."""
        table = await tables.open(a_table(ALICE, Machine()), None)
        async with thinking(tables):
            await tables.act(intent(table, ALICE, "place", "h8"))
            await moved(tables, table, 2)
            await tables.act(intent(table, ALICE, "undo_ask"))

            async def undone() -> bool:
                now = await tables.get(table.id)
                return isinstance(now, Table) and not now.game.state.stones

            await until(undone)

    async def test_the_real_engine(self, tables: Tables) -> None:
        """The engine itself, as the service runs it, with its level and a little time."""
        table = await tables.open(a_table(ALICE, Machine(level=1), foul_mode=FoulMode.CLAIM), None)
        thinker = Thinker(tables, seconds=0.05, pace=0.0)
        task = asyncio.create_task(thinker.run())
        await tables.act(intent(table, ALICE, "place", "h8"))
        await moved(tables, table, 2)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    async def test_a_game_that_has_long_been_lost_is_given_up(self, tables: Tables) -> None:
        """Black has an open three and makes one four after the other; at the third, White resigns, and it is said."""
        black = ["h8", "b2", "c2", "d2", "b5", "c5", "d5", "b8", "c8", "d8", "i12", "j12", "k12", "e2", "e5", "e8"]
        white = ["a2", "a5", "a8", "o1", "o4", "o7", "o10", "a15", "c15", "m15", "a11", "o13", "k1", "f2", "f5"]

        def answer(game: Game, seat: Seat, level: int, seconds: float, stop: Stop) -> Action:
            played = len(game.state.stones) // 2
            if played < len(white):
                return action("place", white[played])
            return decide(game, seat, level=level, seconds=None, stop=stop)

        table = await tables.open(a_table(ALICE, Machine(level=6), foul_mode=FoulMode.CLAIM), None)
        async with thinking(tables, answer):
            for number, text in enumerate(black):
                await tables.act(intent(table, ALICE, "place", text))
                table = await moved(tables, table, 2 * number + 1 + (text != black[-1]))

            async def over() -> bool:
                now = await tables.get(table.id)
                return isinstance(now, Table) and now.game.outcome is not None

            await until(over)
        ended = await tables.get(table.id)
        assert isinstance(ended, Table)
        assert ended.game.outcome == Outcome(Reason.RESIGNED, 0, Colour.BLACK)
        scene = compose(ended, Viewer("en", seats=(0,)))
        assert "Alice (Black) wins: Engine (level 6, Strong) (White) resigned." in scene.lines

    async def test_many_tables_are_all_answered(self, tables: Tables) -> None:
        """Twenty tables, two threads: nobody is forgotten."""
        opened = [await tables.open(a_table(ALICE, Machine()), None) for _ in range(20)]
        async with thinking(tables):
            for table in opened:
                await tables.act(intent(table, ALICE, "place", "h8"))
            for table in opened:
                after = await moved(tables, table, 2)
                assert len(after.game.record) == 2


class TestMovingOn:
    async def test_one_thought_a_table(self, tables: Tables) -> None:
        """However often a table is called out, it is thought about once."""
        hand = Hand()
        table = await tables.open(a_table(Machine(), ALICE), None)
        async with thinking(tables, hand, scan=0.01):
            await until(lambda: len(hand.asked) == 1)
            await asyncio.gather(*(tables.waiting_for_machine() for _ in range(5)))
            assert hand.asked == [(0, 0)]
            hand.go.release()
            await moved(tables, table, 1)

    async def test_a_take_back_stops_the_thought(self, tables: Tables) -> None:
        """The person resigns while the machine thinks: the search is stopped and nothing is played."""
        hand = Hand()
        table = await tables.open(a_table(ALICE, Machine()), None)
        async with thinking(tables, hand):
            await tables.act(intent(table, ALICE, "place", "h8"))
            hand.go.release()
            await moved(tables, table, 2)
            await tables.act(intent(table, ALICE, "place", "i8"))
            await until(lambda: len(hand.asked) == 2)
            after = await tables.act(intent(table, ALICE, "resign"))
            assert isinstance(after, Table)
            await until(lambda: hand.stops[-1].is_set)
            assert await tables.get(table.id) == after

    async def test_a_draw_offer_in_between_is_answered_too(self, tables: Tables) -> None:
        """The table changed while it thought: it begins anew with what is there now."""
        hand = Hand()
        table = await tables.open(a_table(ALICE, Machine()), None)
        async with thinking(tables, hand):
            await tables.act(intent(table, ALICE, "place", "h8"))
            await until(lambda: len(hand.asked) == 1)
            await tables.act(intent(table, ALICE, "undo_ask"))
            await until(lambda: len(hand.asked) == 2)
            assert hand.stops[0].is_set
            hand.go.release()

            async def undone() -> bool:
                now = await tables.get(table.id)
                return isinstance(now, Table) and not now.game.state.stones

            await until(undone)

    async def test_the_end_of_the_service_stops_every_search(self, tables: Tables) -> None:
        """Thoughts under way and thoughts not yet begun are given up at once; the tables still wait in the store."""
        hand = Hand()
        opened = [await tables.open(a_table(Machine(), ALICE), None) for _ in range(4)]
        async with thinking(tables, hand):
            await until(lambda: len(hand.asked) == 2)
        assert all(stop.is_set for stop in hand.stops)
        assert sorted(await tables.waiting_for_machine()) == sorted(table.id for table in opened)

    async def test_an_answer_is_not_hurried(self, tables: Tables) -> None:
        """An answer that was found at once comes only after the pace; a table that moves on does not wait for it."""
        hand = Hand()
        table = await tables.open(a_table(ALICE, Machine()), None)
        async with thinking(tables, hand, pace=3600.0):
            now = msgspec.structs.replace(intent(table, ALICE, "place", "h8"), at=0)
            await tables.act(now)
            hand.go.release()
            await until(lambda: len(hand.asked) == 1 and hand.stops[0].is_set)
            waiting = await tables.get(table.id)
            assert isinstance(waiting, Table)
            assert len(waiting.game.state.stones) == 1
            await tables.act(intent(table, ALICE, "undo_ask"))
            await until(lambda: len(hand.asked) == 2)


class TestFaults:
    @pytest.mark.parametrize(
        "answers",
        [
            (ValueError("broken"),),
            (ValueError("broken"), ValueError("broken")),
            (action("place", "h8"),),  # taken
            (action("place", "h8"), action("swap")),
            (ValueError("broken"), action("choose", "a1")),
        ],
        ids=["raises once", "raises twice", "refused once", "refused twice", "both"],
    )
    async def test_a_faulty_engine_does_not_stop_the_game(
        self, tables: Tables, answers: tuple[Action | Exception, ...]
    ) -> None:
        """It is asked once more, then some legal action is taken; what went wrong is in the log."""
        given = iter(answers)
        asked = 0

        def faulty(game: Game, seat: Seat, level: int, seconds: float, stop: Stop) -> Action:
            nonlocal asked
            asked += 1
            answer = next(given, None)
            if isinstance(answer, Exception):
                raise answer
            return answer if answer is not None else quick(game, seat, level, seconds, stop)

        table = await tables.open(a_table(ALICE, Machine()), None)
        with structlog.testing.capture_logs() as logs:
            async with thinking(tables, faulty):
                await tables.act(intent(table, ALICE, "place", "h8"))
                await moved(tables, table, 2)
        assert asked == 2
        assert len([line for line in logs if line["log_level"] == "error"]) == len(answers)

    async def test_a_store_that_is_away_is_waited_for(self, tables: Tables) -> None:
        """An answer that could not be stored is offered again until it is."""
        table = await tables.open(a_table(ALICE, Machine()), None)
        flaky = Flaky(tables, fails=3)
        async with thinking(flaky):  # type: ignore[arg-type]
            await tables.act(intent(table, ALICE, "place", "h8"))
            await moved(tables, table, 2)
        assert flaky.fails == 0

    async def test_two_services_give_one_answer(self, tables: Tables) -> None:
        """Two processes with an engine each: the first answer counts, the other is let go."""
        table = await tables.open(a_table(ALICE, Machine()), None)
        async with thinking(tables), thinking(tables):
            await tables.act(intent(table, ALICE, "place", "h8"))
            await moved(tables, table, 2)
            for number, text in enumerate(("b2", "d2", "f2", "b4", "d4", "f4")):
                await tables.act(intent(table, ALICE, "place", text))
                after = await moved(tables, table, 4 + 2 * number)
                assert len(after.game.record) == 4 + 2 * number


class Flaky:
    """Tables whose door says a few times that nothing could be stored, or that a table cannot be read."""

    def __init__(self, tables: Tables, fails: int) -> None:
        self._tables = tables
        self.fails = fails
        self.changes: Callable[[], AsyncIterator[tuple[str, int]]] = tables.changes
        self.waiting_for_machine = tables.waiting_for_machine

    async def get(self, table_id: str) -> Table | Declined:
        if self.fails == 3:
            self.fails -= 1
            return Declined.NOT_STORED
        return await self._tables.get(table_id)

    async def act(self, wanted: Intent) -> Table | Refusal | Declined:
        assert wanted.who == MACHINE
        if self.fails:
            self.fails -= 1
            return Declined.NOT_STORED
        return await self._tables.act(wanted)


class TestUnderAClock:
    """The engine's thinking counts on its own clock."""

    @pytest.mark.parametrize(
        ("clock", "since", "seconds"),
        [
            ("idle:3d", 0, 1.0),
            ("20m+60s", 0, 1.0),
            ("20m+60s", 20 * 60_000 + 50_000, 0.5),
            ("fischer:10s+0s", 0, 0.5),
            ("fischer:10s+0s", 9_900, 0.005),
        ],
    )
    async def test_a_thought_takes_a_share_of_the_time_left(
        self, store: Store, clock: str, since: int, seconds: float
    ) -> None:
        """With plenty of time the level decides, then the clock; the pace does not eat the last seconds either."""
        watch = 1_000_000
        tables = Tables(store, clock=lambda: watch)
        asked: list[float] = []

        def noting(game: Game, seat: Seat, level: int, allowed: float, stop: Stop) -> Action:
            asked.append(allowed)
            return quick(game, seat, level, allowed, stop)

        table = await tables.open(a_table(Machine(), ALICE, clock=clock), None)
        watch += since
        async with thinking(tables, noting, seconds=1.0, pace=0.6, clock=tables.clock):
            await moved(tables, table, 1)
        assert asked == [pytest.approx(seconds)]
        await tables.close()

    async def test_an_answer_after_the_time_is_no_fault_of_the_engine(self, store: Store) -> None:
        """The game is lost on time at the deadline, and nothing is tried in place of the answer."""
        watch = 1_000_000
        tables = Tables(store, clock=lambda: watch)
        hand = Hand()
        table = await tables.open(a_table(Machine(), ALICE, clock="fischer:10s+0s"), None)
        with structlog.testing.capture_logs() as logs:
            async with thinking(tables, hand, clock=tables.clock):
                await until(lambda: len(hand.asked) == 1)
                watch += 15_000
                hand.go.release()

                async def over() -> bool:
                    now = await tables.get(table.id)
                    return isinstance(now, Table) and now.game.outcome is not None

                await until(over)
        assert len(hand.asked) == 1
        assert [line["event"] for line in logs if line["log_level"] in ("warning", "error")] == ["engine_too_late"]
        ended = await tables.get(table.id)
        assert isinstance(ended, Table)
        assert ended.game.record[-1].at == 1_010_000
        await tables.close()
