"""Thoughts side by side: in turn, each with its share of the time, and none of them ends the others."""

from __future__ import annotations

import asyncio
import heapq
import threading
from contextlib import suppress
from random import Random

import pytest
import structlog

from bot.session.table import Machine
from bot.session.tables import Tables
from bot.thoughts import LEAST, PATIENCE, DeadError, NeverEndingError, Thoughts
from core.ai import Stop
from core.game import Action, Game, Seat, action
from tests.bot.session.people import ALICE, a_table, intent
from tests.bot.test_thinking import moved, quick, thinking

pytestmark = pytest.mark.asyncio

H8 = action("place", "h8")


def unbounded() -> float:
    return 1e9


class TestShare:
    """How long somebody may think, by a clock of the test's own."""

    async def test_alone_there_is_time(self) -> None:
        """As long as the level is given."""
        assert Thoughts(2, 1.0, clock=lambda: 100.0).share(100.0) == pytest.approx(1.0)

    async def test_who_has_waited_has_less(self) -> None:
        """Waiting and thinking together end in time; a little is always left."""
        thoughts = Thoughts(2, 1.0, clock=lambda: 100.0)
        assert thoughts.share(99.0) == pytest.approx(PATIENCE - 1.0)
        assert thoughts.share(50.0) == pytest.approx(LEAST)

    @pytest.mark.parametrize(("behind", "share"), [(1, 0.8), (2, 0.8), (3, 1.6 / 3), (18, 0.16), (200, LEAST)])
    async def test_who_waits_behind_shortens_it(self, behind: int, share: float) -> None:
        """Two at once: with two more behind everybody has half of the time, with eighteen a tenth."""
        thoughts = Thoughts(2, 1.0, clock=lambda: 100.0)
        thoughts._waiting = [100.0] * behind
        assert thoughts.share(100.0) == pytest.approx(share)

    @pytest.mark.parametrize(("games", "pause"), [(20, 10.0), (40, 10.0), (100, 10.0), (20, 1.0)])
    async def test_nobody_waits_too_long(self, games: int, pause: float) -> None:
        """An hour of games on two cores that need nothing else: whoever answers and when, every answer is in time,
        also where far more time is asked for than there is. (A model; ``renju bench thinking`` measures.)
        """
        now = 0.0
        thoughts = Thoughts(2, 1.0, clock=lambda: now)
        random = Random(games)
        asking = [random.expovariate(1 / pause) for _ in range(games)]
        heapq.heapify(asking)
        free = [0.0, 0.0]
        taken: list[float] = []
        line: list[float] = []
        while now < 3600.0:
            # The next thing that happens: somebody asks, or a core takes whoever is first in line.
            core = min(free)
            if asking and (not line or asking[0] <= core):
                now = heapq.heappop(asking)
                line.append(now)
                continue
            now = max(now, core, line[0])
            asked = line.pop(0)
            thoughts._waiting = list(line)
            spent = thoughts.share(asked)
            free[free.index(core)] = now + spent
            taken.append(now + spent - asked)
            heapq.heappush(asking, now + spent + random.expovariate(1 / pause))
        assert len(taken) > 1000
        taken.sort()
        assert taken[len(taken) * 95 // 100] <= PATIENCE + 1e-6


class TestFaults:
    """An engine that raises, dies, or never comes back."""

    async def test_what_it_raises_is_raised(self) -> None:
        """And the place is free again."""
        thoughts = Thoughts(1, 1.0)

        def broken(_: float) -> Action:
            raise ValueError("broken")

        with pytest.raises(ValueError, match="broken"):
            await thoughts.think(broken, Stop(), unbounded)
        assert await thoughts.think(lambda _: H8, Stop(), unbounded) == H8

    @pytest.mark.parametrize("death", [SystemExit, KeyboardInterrupt, GeneratorExit])
    async def test_a_thread_that_is_ended_does_not_end_the_service(self, death: type[BaseException]) -> None:
        """What would end a process ends the thought alone."""
        thoughts = Thoughts(1, 1.0)

        def dying(_: float) -> Action:
            raise death

        with pytest.raises(DeadError, match=death.__name__):
            await thoughts.think(dying, Stop(), unbounded)
        assert await thoughts.think(lambda _: H8, Stop(), unbounded) == H8

    async def test_no_thread_can_be_had(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A system without threads to spare: the fault is told, and later it goes on."""
        thoughts = Thoughts(1, 1.0)

        def none_left(_: threading.Thread) -> None:
            raise RuntimeError("can't start new thread")

        with monkeypatch.context() as patched:
            patched.setattr(threading.Thread, "start", none_left)
            with pytest.raises(RuntimeError, match="thread"):
                await thoughts.think(lambda _: H8, Stop(), unbounded)
        assert await thoughts.think(lambda _: H8, Stop(), unbounded) == H8

    async def test_one_that_never_ends_is_left_behind(self) -> None:
        """It has been told to stop; others take its place."""
        thoughts = Thoughts(1, 0.01, grace=0.01)
        stop, let_go = Stop(), threading.Event()

        def endless(_: float) -> Action:
            let_go.wait()
            return H8

        with pytest.raises(NeverEndingError):
            await thoughts.think(endless, stop, unbounded)
        assert stop.is_set
        thoughts = Thoughts(1, 30.0)
        assert await thoughts.think(lambda _: H8, Stop(), unbounded) == H8
        let_go.set()

    async def test_a_thought_that_is_not_wanted_any_more(self) -> None:
        """Cancelled in line or in thought, it is told to stop and gives its place away."""
        thoughts = Thoughts(1, 60.0)
        stop, begun = Stop(), threading.Event()

        def until_stopped(_: float) -> Action:
            begun.set()
            while not stop.is_set:
                threading.Event().wait(0.001)
            return H8

        first = asyncio.create_task(thoughts.think(until_stopped, stop, unbounded))
        await asyncio.to_thread(begun.wait)
        second = asyncio.create_task(thoughts.think(lambda _: H8, Stop(), unbounded))
        await asyncio.sleep(0)
        for task in (second, first):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        assert stop.is_set
        assert await thoughts.think(lambda _: H8, Stop(), unbounded) == H8
        await thoughts.ended(30.0)

    @pytest.mark.parametrize("fault", ["dies", "never ends"])
    async def test_the_game_goes_on(self, tables: Tables, fault: str) -> None:
        """At the table: a bounded, legal answer, whatever has become of the engine; the operator is told."""
        let_go = threading.Event()

        def lost(game: Game, seat: Seat, level: int, seconds: float, stop: Stop) -> Action:
            if fault == "dies":
                raise SystemExit(1)
            let_go.wait()
            return quick(game, seat, level, seconds, stop)

        opened = [await tables.open(a_table(ALICE, Machine()), None) for _ in range(4)]
        with structlog.testing.capture_logs() as logs:
            async with thinking(tables, lost, seconds=0.01, grace=0.01):
                for table in opened:
                    await tables.act(intent(table, ALICE, "place", "h8"))
                for table in opened:
                    assert (await moved(tables, table, 2)).game.record[1].seat == 1
                let_go.set()
        assert {line["event"] for line in logs if line["log_level"] == "error"} == {
            "engine_failed" if fault == "dies" else "engine_stuck"
        }
