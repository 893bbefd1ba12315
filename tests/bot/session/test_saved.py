"""The saved form of a table."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.session.saved import CorruptTable, freeze, freeze_view, thaw, thaw_view
from bot.session.table import Machine, Person, Table, View
from tests.bot.session.people import ALICE, BOB, a_table, a_view, played

_occupants = st.one_of(
    st.none(),
    st.builds(Person, id=st.text(max_size=20), name=st.text(max_size=40), language=st.sampled_from(["en", "zh_Hans"])),
    st.builds(Machine, level=st.integers(1, 9)),
)


class TestTable:
    @given(_occupants, _occupants, st.integers(0, 12))
    def test_what_is_saved_loads_equal(self, first: object, second: object, moves: int) -> None:
        """Any occupants, any name, any length of game."""
        table = played(a_table(first, second), moves)
        assert thaw(freeze(table)) == table

    def test_nothing_of_a_table_is_left_out(self) -> None:
        """Every field has a value of its own, and every one comes back."""
        table = Table(
            id="abcdefghij",
            game=played(a_table(), 3).game,
            seats=(ALICE, None),
            joins=5,
            reserved="tg:77",
            invited="<Ben>",
            language="zh_Hans",
            created=1_234,
            expires=9_999,
        )
        defaults = Table(id="", game=a_table().game, seats=(None, None))
        assert all(getattr(table, name) != getattr(defaults, name) for name in Table.__struct_fields__)
        assert thaw(freeze(table)) == table

    def test_a_table_saved_before_seats_could_be_kept_loads(self) -> None:
        """What was added later has a default."""
        body = freeze(played(a_table(), 1))
        assert b'"reserved":""' in body
        assert thaw(body.replace(b',"reserved":""', b"")) == thaw(body)

    def test_the_saved_form_is_readable(self) -> None:
        """It is JSON with a schema number and the game as JSON inside it, not as a text."""
        saved = json.loads(freeze(played(a_table(id="abcdefghij"), 2)))
        assert saved["schema"] == 1
        assert saved["id"] == "abcdefghij"
        assert saved["seats"][1] == {"type": "person", "id": "tg:2", "name": "<b>&_*", "language": "zh_Hans"}
        assert saved["game"]["actions"][0] == [0, 1_000, "place", "h8"]

    @pytest.mark.parametrize(
        ("spoil", "says"),
        [
            (lambda body: body[:-20], "unreadable"),
            (lambda _: b"", "unreadable"),
            (lambda _: b"\xff\xfe", "unreadable"),
            (lambda body: body.replace(b'{"schema":1,"id"', b'{"schema":2,"id"'), "schema 2"),
            (lambda body: body.replace(b'"joins":0', b'"joins":"many"'), "joins"),
            (lambda body: body.replace(b'"h8"', b'"h9"'), "action 1"),
            (lambda body: body.replace(b'"place"', b'"dance"'), "dance"),
            (lambda body: body.replace(b'"type":"person"', b'"type":"ghost"'), "ghost"),
            (lambda body: body.replace(b'"joins"', b'"bribes"'), "bribes"),
        ],
    )
    def test_damage_is_named(self, spoil: object, says: str) -> None:
        """A body that cannot be trusted is refused with the reason, whatever is wrong with it."""
        body = spoil(freeze(played(a_table(), 2)))
        with pytest.raises(CorruptTable, match=says):
            thaw(body)

    @given(st.data())
    def test_no_damage_is_a_crash(self, data: st.DataObject) -> None:
        """Any bytes changed anywhere: it still loads, or it is refused."""
        body = bytearray(freeze(played(a_table(), 3)))
        for _ in range(data.draw(st.integers(1, 3))):
            body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
        with suppress(CorruptTable):
            thaw(bytes(body))


class TestNames:
    def test_half_a_surrogate_pair_is_replaced(self) -> None:
        """A name that no encoding can carry does not stop its owner from playing."""
        table = a_table(Person(id="web:1", name="x\ud800y"), BOB)
        assert thaw(freeze(table)).seats[0] == Person(id="web:1", name="x?y")


class TestView:
    def test_views_load_equal(self) -> None:
        """A view is small readable JSON."""
        view = a_view(message="17", thread="4")
        assert thaw_view(freeze_view(view)) == view
        assert thaw_view(b'{"id":"a","platform":"tg","chat":"1"}') == View(id="a", platform="tg", chat="1")

    def test_a_damaged_view_is_refused(self) -> None:
        """Not a crash either."""
        with pytest.raises(CorruptTable):
            thaw_view(b'{"id":')


class TestSeats:
    def test_seats_of_a_person(self) -> None:
        """A seat is found by the person's id, never by the name."""
        table = a_table(ALICE, BOB)
        assert (table.seats_of("tg:1"), table.seats_of("tg:2"), table.seats_of("Alice")) == ((0,), (1,), ())
