"""The door, and what is kept beside the tables."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from bot.session.ids import key, new_id, partition, shared
from bot.session.store import Store
from bot.session.table import MACHINE, REFEREE, Declined, Machine, Person, Table
from bot.session.tables import Tables
from core.game import Draw, Outcome, Reason, Refusal, Why, begin
from tests.bot.session.people import ALICE, BOB, CAROL, ENGINE, MOVES, a_table, a_view, intent, place

pytestmark = pytest.mark.asyncio


class TestOpen:
    async def test_an_opened_table_can_be_read(self, tables: Tables) -> None:
        """What was opened is what is stored, also for another process."""
        table = a_table(ALICE, None)
        assert await tables.open(table, None) == table
        assert await tables.get(table.id) == table

    async def test_with_both_seats_taken_it_begins(self, store: Store) -> None:
        """The clock runs from then on; what was opened is told, and stored, so."""
        table = a_table()
        opened = await Tables(store, clock=lambda: 77).open(table, None)
        assert opened == msgspec.structs.replace(table, game=begin(table.game, 77))
        assert await Tables(store).get(table.id) == opened

    async def test_a_table_is_opened_once(self, tables: Tables) -> None:
        """A delivery that comes again gets the table of the first one, as it stands now, and no second view."""
        name = await tables.id_from("tg:update:1")
        table = await tables.open(a_table(id=name), a_view("one"), source="tg:update:1")
        moved = await place(tables, table)
        again = await tables.open(a_table(CAROL, None, id=name), a_view("two"), source="tg:update:1")
        assert again == moved
        assert [view.id for view in await tables.views(name)] == ["one"]

    async def test_ids_from_a_source_stay_the_same(self, tables: Tables, store: Store) -> None:
        """Every process derives the same id, from a secret made once."""
        other = Tables(store)
        assert await tables.id_from("tg:update:1") == await other.id_from("tg:update:1")
        assert await tables.id_from("tg:update:1") != await tables.id_from("tg:update:2")

    async def test_an_unknown_table_is_gone(self, tables: Tables) -> None:
        """Every way to it says so."""
        name = new_id()
        assert await tables.get(name) is Declined.GONE
        assert await tables.join(name, BOB) is Declined.GONE
        assert await tables.act(intent(name, ALICE, "place", "h8")) is Declined.GONE
        await tables.attach(name, a_view())
        assert await tables.views(name) == []


class TestJoin:
    async def test_the_free_seat_is_taken(self, tables: Tables) -> None:
        """Joining counts as something that happened."""
        table = await tables.open(a_table(ALICE, None), None)
        joined = await tables.join(table.id, BOB, rev=0)
        assert isinstance(joined, Table)
        assert (joined.seats, joined.rev, joined.waiting) == ((ALICE, BOB), 1, False)
        assert await tables.get(table.id) == joined

    async def test_the_free_seat_may_be_the_first(self, tables: Tables) -> None:
        """Whoever comes gets the seat that is free."""
        table = await tables.open(a_table(None, BOB), None)
        joined = await tables.join(table.id, ENGINE)
        assert isinstance(joined, Table)
        assert joined.seats == (ENGINE, BOB)

    async def test_nobody_plays_themselves(self, tables: Tables) -> None:
        """The opener's own tap on Join is declined."""
        table = await tables.open(a_table(ALICE, None), None)
        assert await tables.join(table.id, ALICE, rev=0) is Declined.ALREADY_SEATED

    async def test_a_taken_seat_stays_taken(self, tables: Tables) -> None:
        """Who comes second hears that the seat is taken, even from an old button."""
        table = await tables.open(a_table(ALICE, None), None)
        await tables.join(table.id, BOB, rev=0)
        assert await tables.join(table.id, CAROL, rev=0) is Declined.SEAT_TAKEN

    async def test_a_kept_seat_waits_for_its_person(self, tables: Tables) -> None:
        """Nobody else sits down there, no machine either."""
        table = await tables.open(msgspec.structs.replace(a_table(ALICE, None), reserved=BOB.id), None)
        assert await tables.join(table.id, CAROL, rev=0) is Declined.SEAT_TAKEN
        assert await tables.join(table.id, ENGINE, rev=0) is Declined.SEAT_TAKEN
        assert isinstance(await tables.join(table.id, BOB, rev=0), Table)

    async def test_an_old_button_has_moved_on(self, tables: Tables) -> None:
        """A rev that never was is no rev."""
        table = await tables.open(a_table(ALICE, None), None)
        assert await tables.join(table.id, BOB, rev=3) is Declined.MOVED_ON

    async def test_a_delivery_joins_once(self, tables: Tables) -> None:
        """The same tap delivered twice."""
        table = await tables.open(a_table(ALICE, None), None)
        await tables.join(table.id, BOB, source="tg:update:1")
        assert await tables.join(table.id, BOB, source="tg:update:1") is Declined.REPEATED


class TestAct:
    async def test_an_action_is_stored(self, tables: Tables, store: Store) -> None:
        """What the door returns is what everybody reads, with the time it came."""
        tables = Tables(store, clock=lambda: 77)
        table = await tables.open(a_table(), None)
        after = await tables.act(intent(table, ALICE, "place", "h8", rev=0))
        assert isinstance(after, Table)
        assert after.rev == 1
        assert after.game.record[0].at == 5_000
        assert await Tables(store).get(table.id) == after

    async def test_time_never_goes_back_in_a_record(self, store: Store) -> None:
        """What arrived before something that was handled earlier counts as coming with it."""
        tables = Tables(store, clock=lambda: 77)
        table = await tables.open(a_table(), None)
        for at, who, move in ((10, ALICE, "h8"), (5_000, BOB, "a1"), (4_000, ALICE, "b2")):
            await tables.act(msgspec.structs.replace(intent(table, who, "place", move), at=at))
        after = await tables.get(table.id)
        assert isinstance(after, Table)
        assert [entry.at for entry in after.game.record] == [77, 5_000, 5_000]

    async def test_the_clock_gives_the_time_where_none_is_given(self, store: Store) -> None:
        """A typed move is dated by the process that takes it."""
        tables = Tables(store, clock=lambda: 77)
        table = await tables.open(a_table(), None)
        after = await tables.act(msgspec.structs.replace(intent(table, ALICE, "place", "h8"), at=0))
        assert isinstance(after, Table)
        assert after.game.record[0].at == 77

    async def test_an_old_rev_has_moved_on(self, tables: Tables) -> None:
        """A double tap on one button plays one move."""
        table = await tables.open(a_table(), None)
        await place(tables, table)
        assert await tables.act(intent(table, ALICE, "place", "h9", rev=0)) is Declined.MOVED_ON
        assert await tables.act(intent(table, BOB, "place", "h9", rev=0)) is Declined.MOVED_ON
        assert await tables.act(intent(table, BOB, "place", "h9", rev=2)) is Declined.MOVED_ON

    async def test_typed_words_mean_the_game_as_it_is(self, tables: Tables) -> None:
        """Without a rev the newest state counts."""
        table = await tables.open(a_table(), None)
        await place(tables, table)
        after = await tables.act(intent(table, BOB, "place", "h9"))
        assert isinstance(after, Table)
        assert after.rev == 2

    async def test_a_refusal_is_the_rules_word(self, tables: Tables) -> None:
        """What the game refuses is passed on, and nothing happened."""
        table = await tables.open(a_table(), None)
        assert await tables.act(intent(table, ALICE, "place", "a1", rev=0)) == Refusal(
            Why.OUTSIDE_AREA, point=0, number=1
        )
        assert await tables.get(table.id) == table

    async def test_only_seats_play(self, tables: Tables) -> None:
        """A stranger, a machine without a seat, and a stranger on an old button hear the same."""
        table = await tables.open(a_table(), None)
        assert await tables.act(intent(table, CAROL, "place", "h8", rev=0)) is Declined.NOT_SEATED
        assert await tables.act(intent(table, MACHINE, "place", "h8")) is Declined.NOT_SEATED
        await place(tables, table)
        assert await tables.act(intent(table, CAROL, "place", "h8", rev=0)) is Declined.NOT_SEATED

    async def test_a_name_is_no_key_to_a_seat(self, tables: Tables) -> None:
        """Somebody else who calls themselves like a player holds no seat."""
        table = await tables.open(a_table(), None)
        assert await tables.act(intent(table, "Alice", "place", "h8")) is Declined.NOT_SEATED

    async def test_the_machine_plays_its_seat(self, tables: Tables) -> None:
        """Whichever seat that is."""
        table = await tables.open(a_table(ENGINE, BOB), None)
        after = await tables.act(intent(table, MACHINE, "place", "h8", rev=0))
        assert isinstance(after, Table)
        assert after.game.record[0].seat == 0

    async def test_two_machines_play_in_turn(self, tables: Tables) -> None:
        """The seat that is due acts."""
        table = await tables.open(a_table(ENGINE, Machine(level=9)), None)
        for number, move in enumerate(MOVES[:3]):
            after = await tables.act(intent(table, MACHINE, "place", move, rev=number))
            assert isinstance(after, Table)
        assert [entry.seat for entry in after.game.record] == [0, 1, 0]

    async def test_the_referee_raises_flags(self, store: Store) -> None:
        """And places no stone, nor lets the flag of the other side fall, nor before its time."""
        tables = Tables(store, clock=lambda: 77)
        table = await tables.open(a_table(), None)
        over = table.game.state.clock.deadline
        assert over is not None
        assert await tables.act(intent(table, REFEREE, "place", "h8")) == Refusal(Why.NOT_SEATED)
        for seat, at in ((1, over), (0, over - 1)):
            early = msgspec.structs.replace(intent(table, REFEREE, "flag", str(seat), rev=0), at=at)
            assert await tables.act(early) == Refusal(Why.NOT_NOW, text="flag")
        after = await tables.act(msgspec.structs.replace(intent(table, REFEREE, "flag", "0", rev=0), at=over))
        assert isinstance(after, Table)
        assert after.game.outcome == Outcome(Reason.TIME, 1, after.game.state.colour_of(1))

    async def test_a_finished_game_says_so(self, tables: Tables) -> None:
        """A button of a finished game, old or new, is told that the game is over."""
        table = await tables.open(a_table(), None)
        await tables.act(intent(table, ALICE, "cancel", rev=0))
        assert await tables.act(intent(table, ALICE, "place", "h8", rev=0)) == Refusal(Why.OVER)
        assert await tables.act(intent(table, BOB, "place", "h8", rev=1)) == Refusal(Why.OVER)


class TestWaiting:
    async def test_nobody_plays_before_both_sit(self, tables: Tables) -> None:
        """The opener waits."""
        table = await tables.open(a_table(ALICE, None), None)
        assert await tables.act(intent(table, ALICE, "place", "h8", rev=0)) is Declined.WAITING
        assert await tables.act(intent(table, REFEREE, "flag", "0")) is Declined.WAITING

    @pytest.mark.parametrize("word", ["cancel", "leave"])
    async def test_the_opener_takes_the_table_back(self, tables: Tables, word: str) -> None:
        """After that nobody can join."""
        table = await tables.open(a_table(ALICE, None), None)
        after = await tables.act(intent(table, ALICE, word, rev=0))
        assert isinstance(after, Table)
        assert after.game.outcome == Outcome(Reason.CANCELLED)
        assert await tables.join(table.id, BOB, rev=0) is Declined.WITHDRAWN

    async def test_a_stranger_cannot_take_it_back(self, tables: Tables) -> None:
        """Only who sits there."""
        table = await tables.open(a_table(ALICE, None), None)
        assert await tables.act(intent(table, BOB, "cancel", rev=0)) is Declined.NOT_SEATED


class TestRepeated:
    async def test_a_delivery_acts_once(self, tables: Tables) -> None:
        """The same update delivered again says nothing, whatever happened since."""
        table = await tables.open(a_table(), None)
        await place(tables, table, source="tg:update:1")
        repeated = intent(table, ALICE, "place", MOVES[0], rev=0, source="tg:update:1")
        assert await tables.act(repeated) is Declined.REPEATED
        await place(tables, await _get(tables, table))
        assert await tables.act(repeated) is Declined.REPEATED

    async def test_a_refused_word_stays_refused(self, tables: Tables) -> None:
        """A move typed out of turn does not pass later because it was delivered again."""
        table = await tables.open(a_table(), None)
        early = intent(table, BOB, "place", MOVES[1], source="tg:update:1")
        assert isinstance(await tables.act(early), Refusal)
        await place(tables, table)
        assert await tables.act(early) is Declined.REPEATED

    async def test_the_same_source_at_another_table_is_another_delivery(self, tables: Tables) -> None:
        """One message can mean two tables."""
        one, two = [await tables.open(a_table(), None) for _ in range(2)]
        await place(tables, one, source="tg:update:1")
        await place(tables, two, source="tg:update:1")

    async def test_a_lost_answer_is_asked_for_again(
        self, tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A commit that is sent twice, because its answer was lost, counts once and is not told as a failure."""
        table = await tables.open(a_table(), None)
        run = store.run

        async def twice(script: object, keys: object, args: object = ()) -> list[bytes]:
            await run(script, keys, args)
            return await run(script, keys, args)

        monkeypatch.setattr(store, "run", twice)
        after = await tables.act(intent(table, ALICE, "place", "h8"))
        assert isinstance(after, Table)
        assert after.rev == 1
        assert await _get(tables, table) == after


class TestStep:
    async def test_one_step_changes_all_that_belongs_together(self, tables: Tables, store: Store) -> None:
        """Body, stale views, the machine's turn, the event and the remembered delivery."""
        table = await tables.open(a_table(ALICE, ENGINE), a_view("one"))
        await tables.attach(table.id, a_view("two"))
        number = partition(table.id)
        await store.call("DEL", shared(number, "stale"))
        await place(tables, table, source="tg:update:1")
        assert await store.call("HGET", key("table", table.id), "rev") == b"1"
        assert await store.call("ZRANGE", shared(number, "stale"), 0, -1) == [
            f"{table.id}/tg/one".encode(),
            f"{table.id}/tg/two".encode(),
        ]
        assert await tables.waiting_for_machine() == [table.id]
        events = await store.call("XRANGE", shared(number, "events"), "-", "+")
        assert [fields for _, fields in events] == [
            [b"table", table.id.encode(), b"rev", b"0", b"act", b"open"],
            [b"table", table.id.encode(), b"rev", b"1", b"act", b"place"],
        ]
        assert await store.call("EXISTS", key("source", table.id, "tg:update:1")) == 1

    async def test_a_running_table_is_kept_and_others_fade(self, tables: Tables, store: Store) -> None:
        """An open table stays for a month, a running one for ever, a finished one for more than a year."""
        table = await tables.open(a_table(ALICE, None), a_view())
        days = 86_400
        assert 29 * days < await store.call("TTL", key("table", table.id)) <= 30 * days
        await tables.join(table.id, BOB)
        assert await store.call("TTL", key("table", table.id)) == -1
        assert await store.call("TTL", key("views", table.id)) == -1
        await tables.act(intent(table, ALICE, "leave"))
        assert await store.call("TTL", key("table", table.id)) > 365 * days
        assert await store.call("TTL", key("views", table.id)) > 365 * days


class TestMachine:
    async def test_it_waits_its_turn(self, tables: Tables) -> None:
        """A table is on the list while the machine is to move, and only then."""
        table = await tables.open(a_table(ALICE, ENGINE), None)
        assert await tables.waiting_for_machine() == []
        table = await place(tables, table)
        assert await tables.waiting_for_machine() == [table.id]
        await tables.act(intent(table, MACHINE, "place", MOVES[1]))
        assert await tables.waiting_for_machine() == []

    async def test_it_begins_where_it_is_black(self, tables: Tables) -> None:
        """Opening a table can already be the machine's cue."""
        table = await tables.open(a_table(ENGINE, ALICE), None)
        assert await tables.waiting_for_machine() == [table.id]

    async def test_it_does_not_wait_at_an_open_table(self, tables: Tables) -> None:
        """Nobody plays before both sit; joining is then its cue."""
        table = await tables.open(a_table(ENGINE, None), None)
        assert await tables.waiting_for_machine() == []
        await tables.join(table.id, ALICE)
        assert await tables.waiting_for_machine() == [table.id]

    async def test_it_guesses(self, tables: Tables) -> None:
        """The draw of colours can be its turn."""
        table = await tables.open(a_table(ALICE, ENGINE, draw=Draw.GUESS, hidden=3), None)
        assert await tables.waiting_for_machine() == [table.id]

    @pytest.mark.parametrize(("ask", "answer"), [("draw_offer", "draw_decline"), ("undo_ask", "undo_refuse")])
    async def test_it_answers_offers(self, tables: Tables, ask: str, answer: str) -> None:
        """A draw offer or a request to take back waits for it, though it is not to move."""
        table = await tables.open(a_table(ALICE, ENGINE), None)
        table = await place(tables, table)
        await tables.act(intent(table, MACHINE, "place", MOVES[1]))
        assert await tables.waiting_for_machine() == []
        asked = await tables.act(intent(table, ALICE, ask))
        assert isinstance(asked, Table), asked
        assert await tables.waiting_for_machine() == [table.id]
        answered = await tables.act(intent(table, MACHINE, answer))
        assert isinstance(answered, Table), answered
        assert await tables.waiting_for_machine() == []

    async def test_it_rests_when_the_game_is_over(self, tables: Tables) -> None:
        """Resigning in its turn takes the table off the list."""
        table = await tables.open(a_table(ALICE, ENGINE), None)
        table = await place(tables, table)
        table = await _acted(tables, table, MACHINE, "place", MOVES[1])
        table = await place(tables, table)
        assert await tables.waiting_for_machine() == [table.id]
        await _acted(tables, table, ALICE, "resign")
        assert await tables.waiting_for_machine() == []

    async def test_the_longest_waiting_comes_first(self, tables: Tables, store: Store) -> None:
        """Over all partitions."""
        made = [await tables.open(a_table(ENGINE, ALICE), None) for _ in range(5)]
        for number, table in enumerate(reversed(made)):
            await store.call("ZADD", shared(partition(table.id), "engine"), number, table.id)
        assert await tables.waiting_for_machine() == [table.id for table in reversed(made)]


class TestViews:
    async def test_a_message_finds_its_table(self, tables: Tables) -> None:
        """A view with a message is found by it, in its chat only."""
        table = await tables.open(a_table(), a_view(message="17"))
        assert await tables.view_at("tg", "chat", "17") == (table.id, a_view(message="17"))
        assert await tables.view_at("tg", "other", "17") is None
        assert await tables.view_at("tg", "chat", "18") is None

    async def test_a_detached_view_is_no_view(self, tables: Tables) -> None:
        """Its message is unknown from then on."""
        table = await tables.open(a_table(), a_view("one", message="17"))
        await tables.attach(table.id, a_view("two", message="18"))
        await tables.detach(table.id, "one")
        assert await tables.view_at("tg", "chat", "17") is None
        assert [view.id for view in await tables.views(table.id)] == ["two"]
        assert [str(of) for of in await tables.stale.due()] == [f"{table.id}/tg/two"]

    async def test_an_index_entry_without_its_view_is_harmless(self, tables: Tables) -> None:
        """The entry is written first; killed in between, it points to a view that says otherwise."""
        table = await tables.open(a_table(), a_view("one", message="17"))
        await tables.sent(table.id, a_view("one", message="18"))
        await tables.sent(table.id, a_view("three", message="19"))
        assert await tables.view_at("tg", "chat", "18") is None
        assert await tables.view_at("tg", "chat", "19") is None

    async def test_a_view_attached_again_is_the_same_view(self, tables: Tables) -> None:
        """A repeated delivery does not forget the message that the view has become."""
        table = await tables.open(a_table(), a_view("one", message="17"))
        await tables.attach(table.id, a_view("one"))
        assert await tables.views(table.id) == [a_view("one", message="17")]


class TestLists:
    async def test_a_person_finds_their_tables(self, store: Store) -> None:
        """Newest first, opened or joined."""
        now = 0
        tables = Tables(store, clock=lambda: now)
        one = await tables.open(a_table(ALICE, None), None)
        now = 1
        two = await tables.open(a_table(BOB, ALICE), None)
        now = 2
        await tables.join(one.id, BOB)
        assert await tables.tables_of("tg:1") == [two.id, one.id]
        assert await tables.tables_of("tg:2") == [one.id, two.id]
        assert await tables.tables_of("tg:3") == []

    async def test_a_chat_finds_its_tables(self, store: Store) -> None:
        """By chat and topic."""
        now = 0
        tables = Tables(store, clock=lambda: now)
        one = await tables.open(a_table(), a_view())
        now = 1
        two = await tables.open(a_table(), a_view())
        three = await tables.open(a_table(), a_view(thread="5"))
        four = await tables.open(a_table(), None)
        await tables.attach(four.id, a_view(chat="other"))
        assert await tables.tables_in("tg", "chat") == [two.id, one.id]
        assert await tables.tables_in("tg", "chat", "5") == [three.id]
        assert await tables.tables_in("tg", "other") == [four.id]
        await tables.detach(one.id, "view")
        assert await tables.tables_in("tg", "chat") == [two.id]

    async def test_an_entry_that_never_came_true_is_passed_over(self, store: Store) -> None:
        """Who was too late at a seat does not find the table on their list, and the entry is cleared away."""
        now = 0
        tables = Tables(store, clock=lambda: now)
        table = await tables.open(a_table(), None)
        assert await tables.join(table.id, CAROL) is Declined.SEAT_TAKEN
        assert await tables.join(new_id(), CAROL) is Declined.GONE
        assert await tables.tables_of("tg:3") == []
        assert await store.call("ZCARD", key("person", "tg:3")) == 2
        now = 3_600_000
        assert await tables.tables_of("tg:3") == []
        assert await store.call("ZCARD", key("person", "tg:3")) == 0

    async def test_finished_tables_drop_out_after_a_day(self, store: Store) -> None:
        """The last game can still be found for a rematch."""
        now = 5_000
        tables = Tables(store, clock=lambda: now)
        table = await tables.open(a_table(), a_view())
        await tables.act(intent(table, ALICE, "leave"))
        assert await tables.tables_of("tg:1") == [table.id]
        assert await tables.tables_in("tg", "chat") == [table.id]
        now += 86_400_001
        assert await tables.tables_of("tg:1") == []
        assert await tables.tables_in("tg", "chat") == []


class TestSmallThings:
    async def test_what_is_remembered_is_recalled(self, tables: Tables, store: Store) -> None:
        """For as long as was said."""
        await tables.remember("web:session:1", "tg:1", 100)
        assert await tables.recall("web:session:1") == "tg:1"
        assert await tables.recall("web:session:2") is None
        assert 0 < await store.call("TTL", key("kept", "web:session:1")) <= 100

    async def test_what_is_taken_is_gone(self, tables: Tables) -> None:
        """Of many who come at once one gets it."""
        await tables.remember("invitation", "x", 100)
        got = await asyncio.gather(*(tables.take("invitation") for _ in range(50)))
        assert sorted(got, key=str) == [None] * 49 + ["x"]
        assert await tables.take("invitation") is None


class TestNames:
    async def test_hostile_names_come_back_exactly(self, tables: Tables, store: Store) -> None:
        """Whatever a person calls themselves."""
        name = "<b>&_*`[]()~>#+-=|{}.!\\\"'\n\u202e\U0001f600"
        table = await tables.open(a_table(Person(id="tg:9", name=name), BOB), None)
        fresh = await _get(Tables(store), table)
        assert fresh.seats[0] == Person(id="tg:9", name=name)


async def _get(tables: Tables, table: Table) -> Table:
    found = await tables.get(table.id)
    assert isinstance(found, Table), found
    return found


async def _acted(tables: Tables, table: Table, who: Person | str, *words: str) -> Table:
    after = await tables.act(intent(table, who, *words))
    assert isinstance(after, Table), after
    return after
