"""Many at once: the first one wins, the others get a value."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

import pytest

from bot.session.store import Store
from bot.session.table import Declined, Table
from bot.session.tables import Tables
from core.game import Refusal, Why, apply, begin, new_game
from tests.bot.session.people import ALICE, BOB, MOVES, a_table, a_view, intent

pytestmark = pytest.mark.asyncio


class TestOneRev:
    async def test_of_two_hundred_writers_one_wins_each_rev(self, store: Store) -> None:
        """Whoever comes second at a rev is told that the table has moved on; nothing is lost or doubled."""
        doors = [Tables(store) for _ in range(4)]
        table = await doors[0].open(a_table(), None)
        for rev in range(10):
            who = (ALICE, BOB)[rev % 2]
            answers = await asyncio.gather(
                *(
                    door.act(intent(table, who, "place", MOVES[rev], rev=rev, source=f"tap:{rev}:{tap}"))
                    for tap in range(50)
                    for door in doors
                )
            )
            kinds = Counter("won" if isinstance(answer, Table) else answer for answer in answers)
            # The same tap reached four doors: a late one finds it handled, or its rev gone.
            assert kinds.pop("won") == 1
            assert set(kinds) <= {Declined.MOVED_ON, Declined.REPEATED}
        final = await Tables(store).get(table.id)
        assert isinstance(final, Table)
        assert final.rev == 10
        assert [entry.action.words()[1] for entry in final.game.record] == MOVES[:10]

    async def test_of_two_hundred_joiners_one_sits(self, store: Store) -> None:
        """With a button's rev, or typed."""
        tables = Tables(store)
        table = await tables.open(a_table(ALICE, None), None)
        people = [type(BOB)(id=f"tg:{number}", name="x") for number in range(100, 300)]
        answers = await asyncio.gather(
            *(tables.join(table.id, person, rev=0 if n % 2 else None) for n, person in enumerate(people))
        )
        seated = [answer for answer in answers if isinstance(answer, Table)]
        assert len(seated) == 1
        assert {answer for answer in answers if not isinstance(answer, Table)} == {Declined.SEAT_TAKEN}

    async def test_of_many_same_openings_one_is_stored(self, store: Store) -> None:
        """One delivery in the hands of several processes opens one table with one view."""
        tables = Tables(store)
        name = await tables.id_from("tg:update:1")
        opened = await asyncio.gather(
            *(Tables(store).open(a_table(id=name), a_view(f"view{number}")) for number in range(50))
        )
        assert all(table == opened[0] for table in opened)
        assert len(await tables.views(name)) == 1


class TestSameDelivery:
    async def test_a_delivery_in_many_hands_acts_once(self, store: Store) -> None:
        """Typed words without a rev, delivered to several processes at once."""
        doors = [Tables(store) for _ in range(20)]
        table = await doors[0].open(a_table(), None)
        for number in range(6):
            who = (ALICE, BOB)[number % 2]
            words = intent(table, who, "place", MOVES[number], source=f"tg:update:{number}")
            answers = await asyncio.gather(*(door.act(words) for door in doors))
            assert sum(isinstance(answer, Table) for answer in answers) == 1
            # A door that looked before the winner's commit but decided after it may hear the rules' own word.
            others = [answer for answer in answers if not isinstance(answer, Table)]
            assert all(answer is Declined.REPEATED for answer in others)


class TestTypedWords:
    @pytest.mark.parametrize("seed", range(5))
    async def test_what_was_accepted_is_the_record(self, store: Store, seed: int) -> None:
        """Two people typing wildly through several doors: replaying the accepted moves gives the stored game."""
        rng = random.Random(seed)
        doors = [Tables(store) for _ in range(3)]
        table = await doors[0].open(a_table(free_first=True), None)
        accepted: dict[int, str] = {}

        async def typist(person: object, moves: list[str]) -> None:
            for move in moves:
                answer = await rng.choice(doors).act(intent(table, person, "place", move))
                if isinstance(answer, Table):
                    accepted[answer.rev] = move
                else:
                    assert isinstance(answer, Refusal)
                    assert answer.why in (Why.NOT_YOUR_TURN, Why.OCCUPIED, Why.OVER)

        await asyncio.gather(*(typist(person, rng.sample(MOVES, 30)) for person in (ALICE, BOB) for _ in range(3)))
        final = await Tables(store).get(table.id)
        assert isinstance(final, Table)
        assert [accepted[rev] for rev in range(1, final.rev + 1)] == [
            entry.action.words()[1] for entry in final.game.record
        ]
        assert table.game.began is not None
        replayed = begin(new_game(table.game.settings), table.game.began)
        for entry in final.game.record:
            after = apply(replayed, entry.seat, entry.action, entry.at)
            assert not isinstance(after, Refusal)
            replayed = after
        assert replayed == final.game
