"""Views are brought to the newest rev, one show at a time, whatever the platform does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import pairwise

import pytest
import pytest_asyncio
from structlog.testing import capture_logs

from bot.session.ids import key, partition, shared
from bot.session.refresher import Later, Refresher, Unreachable
from bot.session.stale import Member
from bot.session.store import Store
from bot.session.table import Declined, Table, View
from bot.session.tables import Tables
from tests.bot.session.people import ALICE, Chat, a_table, a_view, intent, place, until

pytestmark = pytest.mark.asyncio


@asynccontextmanager
async def running(refresher: Refresher) -> AsyncIterator[asyncio.Task[None]]:
    """A refresher at work, stopped at the end."""
    task = asyncio.create_task(refresher.run())
    await asyncio.sleep(0)
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
def chat() -> Chat:
    return Chat()


@pytest_asyncio.fixture
async def refresher(tables: Tables, chat: Chat) -> AsyncIterator[Refresher]:
    made = Refresher(tables, {"tg": chat})
    async with running(made):
        yield made


async def settled(tables: Tables, store: Store) -> bool:
    """Whether nothing is left to show: not now, and not later."""
    left = await store.many([("ZCARD", shared(number, "stale")) for number in range(64)])
    return sum(left) == 0


class TestShowing:
    @pytest.mark.usefixtures("refresher")
    async def test_a_new_view_is_sent_and_then_edited(self, tables: Tables, store: Store, chat: Chat) -> None:
        """The first show sends a message, all later ones change it."""
        table = await tables.open(a_table(), a_view())
        await until(lambda: settled(tables, store))
        table = await place(tables, table)
        await until(lambda: settled(tables, store))
        assert chat.messages == {"message 1": 1}
        (view,) = await tables.views(table.id)
        assert view == View(id="view", platform="tg", chat="chat", message="message 1", shown=1)
        assert await tables.view_at("tg", "chat", "message 1") == (table.id, view)

    @pytest.mark.usefixtures("refresher")
    async def test_every_view_is_shown(self, tables: Tables, store: Store, chat: Chat) -> None:
        """One action, all views, each once."""
        table = await tables.open(a_table(), a_view("one", message="m1"))
        await tables.attach(table.id, a_view("two", message="m2"))
        await tables.attach(table.id, a_view("three", message="m3", chat="other"))
        await until(lambda: settled(tables, store))
        chat.shows.clear()
        await place(tables, table)
        await until(lambda: settled(tables, store))
        assert sorted(chat.shows) == [("one", 1), ("three", 1), ("two", 1)]

    @pytest.mark.usefixtures("refresher")
    async def test_a_slow_chat_skips_frames(self, tables: Tables, store: Store, chat: Chat) -> None:
        """While one show is under way others wait; then the newest is shown, and nothing in between."""
        table = await tables.open(a_table(), a_view())
        await until(lambda: settled(tables, store))
        chat.gate.clear()
        chat.shows.clear()
        table = await place(tables, table)
        await until(lambda: chat.busy == 1)
        for _ in range(8):
            table = await place(tables, table)
        chat.gate.set()
        await until(lambda: settled(tables, store))
        assert chat.shows == [("view", 1), ("view", 9)]
        assert chat.busiest == 1
        assert chat.messages == {"message 1": 9}

    @pytest.mark.usefixtures("refresher")
    async def test_what_is_attached_anew_while_it_is_shown_is_shown_again(
        self, tables: Tables, store: Store, chat: Chat
    ) -> None:
        """Whoever attaches it wants to see it as it is now, such as in another language; also at the same rev."""
        table = await tables.open(a_table(), a_view())
        await until(lambda: settled(tables, store))
        (view,) = await tables.views(table.id)
        chat.gate.clear()
        chat.shows.clear()
        await tables.attach(table.id, view)
        await until(lambda: chat.busy == 1)
        await tables.attach(table.id, view)
        chat.gate.set()
        await until(lambda: settled(tables, store))
        assert chat.shows == [("view", 0), ("view", 0)]

    @pytest.mark.usefixtures("refresher")
    async def test_a_finished_table_is_done_with(self, tables: Tables, store: Store, chat: Chat) -> None:
        """Shown at its last rev, the view is left alone, and its message stays the table's."""
        table = await tables.open(a_table(), a_view())
        await tables.act(intent(table, ALICE, "cancel"))
        await until(lambda: settled(tables, store))
        assert chat.messages == {"message 1": 1}
        assert await tables.view_at("tg", "chat", "message 1") is not None

    @pytest.mark.usefixtures("refresher")
    async def test_views_of_other_platforms_are_left_alone(self, tables: Tables, chat: Chat) -> None:
        """A process shows only what it has a shower for; the rest waits for another process."""
        table = await tables.open(a_table(), View(id="x", platform="dc", chat="1"))
        await tables.attach(table.id, a_view())
        await until(lambda: chat.messages == {"message 1": 0})
        assert await tables.stale.due() == [Member(table.id, "dc", "x")]

    @pytest.mark.usefixtures("refresher")
    async def test_a_detached_view_is_not_shown(self, tables: Tables, store: Store, chat: Chat) -> None:
        """Also when it is detached while it is being shown."""
        table = await tables.open(a_table(), a_view())
        await until(lambda: settled(tables, store))
        chat.gate.clear()
        table = await place(tables, table)
        await until(lambda: chat.busy == 1)
        await tables.detach(table.id, "view")
        chat.gate.set()
        await until(lambda: chat.busy == 0)
        chat.shows.clear()
        await place(tables, table)
        assert await settled(tables, store)
        assert chat.shows == []
        assert await tables.views(table.id) == []


class TestStart:
    async def test_what_was_left_is_shown(self, tables: Tables, store: Store, chat: Chat) -> None:
        """A refresher that starts finds what became stale before it was there: many tables, in all partitions."""
        opened = [await tables.open(a_table(), a_view(chat=str(number))) for number in range(300)]
        async with running(Refresher(tables, {"tg": chat})):
            await until(lambda: settled(tables, store))
        assert len(chat.messages) == 300
        for table in opened:
            (view,) = await tables.views(table.id)
            assert (view.shown, bool(view.message)) == (0, True)

    async def test_more_than_a_page_of_one_partition_is_found(self, tables: Tables, store: Store) -> None:
        """However many views of absent platforms stand in front."""
        table = a_table()
        number = partition(table.id)
        others = [word for n in range(1_200) for word in (1, f"{table.id}/dc/{n:05d}")]
        await store.call("ZADD", shared(number, "stale"), *others)
        await tables.open(table, a_view())
        assert Member(table.id, "tg", "view") in await tables.stale.due()

    async def test_stopping_lets_the_last_show_end(self, tables: Tables, store: Store, chat: Chat) -> None:
        """A message under way at a clean stop is noted, so that the next run edits it."""
        table = await tables.open(a_table(), a_view())
        chat.gate.clear()
        async with running(Refresher(tables, {"tg": chat})) as task:
            await until(lambda: chat.busy == 1)
            task.cancel()
            await asyncio.sleep(0)
            chat.gate.set()
        (view,) = await tables.views(table.id)
        assert view.message == "message 1"
        assert await settled(tables, store)


class TestSeveralProcesses:
    async def test_two_refreshers_do_not_show_one_view_at_once(self, tables: Tables, store: Store, chat: Chat) -> None:
        """Each commit wakes both; each view is in one hand at a time and ends at the newest rev."""
        async with AsyncExitStack() as stack:
            doors = [tables]
            for _ in range(3):
                door = Tables(store)
                stack.push_async_callback(door.close)
                doors.append(door)
            for door in doors:
                await stack.enter_async_context(running(Refresher(door, {"tg": chat})))
            for door in doors:
                await door.listening()
            table = await tables.open(a_table(), a_view())
            for number in range(30):
                table = await place(doors[number % 4], table)
            await until(lambda: settled(tables, store))
        assert chat.busiest == 1
        assert chat.messages == {"message 1": 30}

    @pytest.mark.usefixtures("refresher")
    async def test_a_commit_elsewhere_wakes_this_process(self, tables: Tables, store: Store, chat: Chat) -> None:
        """A process without a shower plays, the one with the shower shows."""
        await tables.listening()
        elsewhere = Tables(store)
        table = await elsewhere.open(a_table(), a_view())
        await place(elsewhere, table)
        await until(lambda: settled(tables, store))
        assert chat.messages == {"message 1": 1}

    async def test_a_living_holder_keeps_its_view(self, tables: Tables, store: Store, chat: Chat) -> None:
        """A show that takes longer than a lease lives is not taken over."""
        other = Chat()
        elsewhere = Tables(store)
        table = await tables.open(a_table(), a_view())
        lease = key("lease", table.id, "tg/view")
        async with running(Refresher(tables, {"tg": chat})):
            chat.gate.clear()
            await until(lambda: chat.busy == 1)
            async with running(Refresher(elsewhere, {"tg": other})):
                seen: list[int] = []

                async def renewed() -> bool:
                    left = await store.call("PTTL", lease)
                    assert left > 0, "the lease ran out under a living holder"
                    seen.append(left)
                    # Four times up again: it has lived for longer than one lease.
                    return sum(later > earlier for earlier, later in pairwise(seen)) >= 4

                await until(renewed)
                assert other.shows == []
                chat.gate.set()
                await until(lambda: settled(tables, store))
        await elsewhere.close()
        assert other.shows == []

    async def test_a_dead_holder_delays_for_a_lease_at_most(self, tables: Tables, store: Store, chat: Chat) -> None:
        """A view that a killed process had in hand is shown when the lease has run out."""
        table = await tables.open(a_table(), a_view())
        assert await tables.stale.take(Member(table.id, "tg", "view"), "a dead process") is not None
        left = await store.call("PTTL", key("lease", table.id, "tg/view"))
        assert 0 < left <= 3_000
        async with running(Refresher(tables, {"tg": chat})):
            await until(lambda: settled(tables, store))
        assert chat.messages == {"message 1": 0}

    async def test_a_holder_that_lost_its_lease_shows_again(self, tables: Tables, store: Store, chat: Chat) -> None:
        """When somebody else has shown the view meanwhile nobody knows who came last: the newest is shown again."""
        of = Member((await tables.open(a_table(), a_view(message="m"))).id, "tg", "view")
        slow = await tables.stale.take(of, "slow")
        assert slow is not None
        assert not isinstance(slow, float)
        await store.call("DEL", key("lease", of.table, of.field))
        async with running(Refresher(tables, {"tg": chat})):
            await until(lambda: settled(tables, store))
            held = await tables.held(of.table)
            assert not isinstance(held, Declined)
            assert await tables.stale.shown(slow, slow.view, 0, held.mark) is True
            chat.shows.clear()
            await until(lambda: settled(tables, store))
        assert chat.shows == [("view", 0)]


class TestAnswers:
    @pytest.mark.usefixtures("refresher")
    async def test_later_is_obeyed(self, tables: Tables, store: Store, chat: Chat) -> None:
        """A platform that wants to be left alone is: neither new actions nor another process change that."""
        chat.answers = [Later(30)]
        table = await tables.open(a_table(), a_view())
        await until(lambda: _due_in(store, table, 25_000))
        await place(tables, table)
        other = Chat()
        elsewhere = Tables(store)
        async with running(Refresher(elsewhere, {"tg": other})):
            assert await tables.stale.take(Member(table.id, "tg", "view"), "me") == pytest.approx(30, abs=5)
            assert await tables.stale.due() == []
        await elsewhere.close()
        assert chat.shows == [("view", 0)]
        assert other.shows == []

    @pytest.mark.usefixtures("refresher")
    async def test_later_ends(self, tables: Tables, store: Store, chat: Chat) -> None:
        """After the pause the newest rev is shown; and since nothing had been sent, no warning is given."""
        chat.answers = [Later(0.05), Later(0.05)]
        with capture_logs() as logs:
            table = await tables.open(a_table(), a_view())
            await place(tables, table)
            await until(lambda: settled(tables, store))
        assert chat.messages == {"message 1": 1}
        assert len(chat.shows) == 3
        assert logs == []

    @pytest.mark.usefixtures("refresher")
    async def test_an_unreachable_view_is_given_up(self, tables: Tables, store: Store, chat: Chat) -> None:
        """A deleted message is no view any more; the table goes on."""
        chat.answers = [Unreachable()]
        table = await tables.open(a_table(), a_view(message="m"))
        await until(lambda: settled(tables, store))
        assert await tables.views(table.id) == []
        await place(tables, table)

    @pytest.mark.usefixtures("refresher")
    async def test_an_error_is_logged_once_and_tried_again(self, tables: Tables, store: Store, chat: Chat) -> None:
        """The view comes back by itself."""
        chat.answers = [OSError("no network")]
        with capture_logs() as logs:
            await tables.open(a_table(), a_view(message="m"))
            await until(lambda: settled(tables, store))
        assert chat.messages == {"m": 0}
        assert [line["event"] for line in logs] == ["view_not_shown", "view_shown_again"]

    async def test_the_pause_after_errors_grows_to_a_minute(self, tables: Tables, store: Store, chat: Chat) -> None:
        """1, 2, 4 ... seconds; a new action does not shorten it."""
        pauses: list[float] = []
        table = await tables.open(a_table(), a_view(message="m"))
        of = Member(table.id, "tg", "view")
        chat.answers = [ValueError("?") for _ in range(9)]
        refresher = Refresher(tables, {"tg": chat})
        async with running(refresher):
            for number in range(9):
                await until(lambda number=number: len(chat.answers) == 8 - number)
                await until(lambda: _due_in(store, table, 500))
                wait = await tables.stale.take(of, "me")
                assert isinstance(wait, float)
                pauses.append(wait)
                await store.call("ZADD", shared(partition(table.id), "stale"), "XX", 1, str(of))
                refresher.wake(of)
        assert pauses == pytest.approx([1, 2, 4, 8, 16, 32, 60, 60, 60], abs=0.9)

    @pytest.mark.usefixtures("refresher")
    async def test_one_bad_view_does_not_stop_the_others(self, tables: Tables, chat: Chat) -> None:
        """Each view is on its own."""
        chat.answers = [RuntimeError("?")]
        table = await tables.open(a_table(), a_view("bad", message="bad"))
        await until(lambda: chat.answers == [])
        await tables.attach(table.id, a_view("good", message="good"))
        await until(lambda: chat.messages.get("good") == 0)


class TestSending:
    @pytest.mark.usefixtures("refresher")
    async def test_the_intent_is_written_first(self, tables: Tables, store: Store, chat: Chat) -> None:
        """While a new message is under way the store knows; afterwards the note is gone."""
        chat.gate.clear()
        table = await tables.open(a_table(), a_view())
        await until(lambda: chat.busy == 1)
        sending = shared(partition(table.id), "sending")
        assert await store.call("HKEYS", sending) == [f"{table.id}/tg/view".encode()]
        chat.gate.set()
        await until(lambda: settled(tables, store))
        assert await store.call("HKEYS", sending) == []

    async def test_a_message_that_may_exist_twice_is_reported(self, tables: Tables, store: Store, chat: Chat) -> None:
        """A process that died while sending leaves its intent; the next one tells the operator and sends."""
        table = await tables.open(a_table(), a_view())
        turn = await tables.stale.take(Member(table.id, "tg", "view"), "a dead process")
        assert turn is not None
        assert not isinstance(turn, float)
        assert await tables.stale.intend(turn) is True
        await store.call("DEL", key("lease", table.id, "tg/view"))
        with capture_logs() as logs:
            async with running(Refresher(tables, {"tg": chat})):
                await until(lambda: settled(tables, store))
        assert [line["event"] for line in logs] == ["message_may_exist_twice"]
        assert chat.messages == {"message 1": 0}

    async def test_the_message_is_indexed_before_the_view_has_it(
        self, tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A tap that comes faster than the note of the message is never taken for a stranger's for good."""
        order: list[str] = []
        tell = order.append
        _spy(monkeypatch, tables, "sent", tell)
        _spy(monkeypatch, tables.stale, "shown", tell)
        async with running(Refresher(tables, {"tg": Chat()})):
            await tables.open(a_table(), a_view())
            await until(lambda: settled(tables, store))
        assert order == ["sent", "shown"]


class TestGone:
    @pytest.mark.usefixtures("refresher")
    async def test_a_table_that_is_gone_leaves_the_queue(self, tables: Tables, store: Store, chat: Chat) -> None:
        """An expired table is not shown for ever."""
        table = await tables.open(a_table(), a_view())
        await until(lambda: settled(tables, store))
        await store.call("ZADD", shared(partition(table.id), "stale"), 1, f"{table.id}/tg/view")
        await store.call("DEL", key("table", table.id))
        await until(lambda: settled(tables, store))
        assert len(chat.shows) == 1

    async def test_a_damaged_table_is_put_off(self, tables: Tables, store: Store, chat: Chat) -> None:
        """It is looked at once a minute, in case the operator mends it, and said once."""
        table = await tables.open(a_table(), a_view())
        await store.call("HSET", key("table", table.id), "body", "{", "mark", "x")
        fresh = Tables(store)
        with capture_logs() as logs:
            async with running(Refresher(fresh, {"tg": chat})):
                await until(lambda: _due_in(store, table, 50_000))
        await fresh.close()
        assert chat.shows == []
        assert [line["event"] for line in logs] == ["saved_table_damaged"]

    async def test_a_damaged_view_leaves_the_queue(self, tables: Tables, store: Store, chat: Chat) -> None:
        """It cannot be shown; the operator hears of it."""
        table = await tables.open(a_table(), a_view())
        await store.call("HSET", key("views", table.id), "tg/view", "{")
        with capture_logs() as logs:
            async with running(Refresher(tables, {"tg": chat})):
                await until(lambda: settled(tables, store))
        assert [line["event"] for line in logs] == ["view_damaged"]


async def _due_in(store: Store, table: Table, least: int) -> bool:
    """Whether the table's view is put off by so many milliseconds at least."""
    due = await store.call("ZSCORE", shared(partition(table.id), "stale"), f"{table.id}/tg/view")
    seconds, _ = await store.call("TIME")
    return due is not None and float(due) > int(seconds) * 1000 + least


def _spy(monkeypatch: pytest.MonkeyPatch, owner: object, name: str, tell: Callable[[str], None]) -> None:
    method = getattr(owner, name)

    async def told(*args: object) -> object:
        tell(name)
        return await method(*args)

    monkeypatch.setattr(owner, name, told)
