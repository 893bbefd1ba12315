"""The protocols' tables are whole: every phase that is named exists and is met, and ordinary play follows."""

from __future__ import annotations

import pytest

from core.action import TURN_ACTS, Act
from core.game import ALL_PROTOCOLS, Settings
from core.openings.protocol import DONE, PLAY, Protocol


def tables() -> list[Protocol]:
    return [
        Settings(protocol=protocol, opening="D4" if protocol == "designated" else "", five_offers=offers).table()
        for protocol in ALL_PROTOCOLS
        for offers in ((0, 2) if protocol == "designated" else (0,))
    ]


@pytest.mark.parametrize("table", tables(), ids=lambda table: f"{table.id}{len(table.phases)}")
def test_a_table_is_whole(table: Protocol) -> None:
    """Each next phase exists; each phase is reached from the first; none waits for nothing; it ends."""
    names = [phase.name for phase in table.phases]
    assert len(set(names)) == len(names)
    assert table[DONE] is PLAY
    reached, ahead = set(), [table.first]
    while ahead:
        here = ahead.pop()
        if here in reached:
            continue
        reached.add(here)
        if here != DONE:
            assert table[here].then
            assert set(table[here].then) <= TURN_ACTS - {Act.PASS}
            ahead.extend(table[here].then.values())
    assert reached == {*names, DONE}


@pytest.mark.parametrize("table", tables(), ids=lambda table: f"{table.id}{len(table.phases)}")
def test_fifth_moves_have_a_number(table: Protocol) -> None:
    """An offering phase says how many, or a declaring phase comes before it."""
    declares = any(Act.DECLARE in phase.then for phase in table.phases)
    for phase in table.phases:
        if Act.OFFER in phase.then:
            assert (phase.offers > 0) != declares
        assert (phase.most > 0) == (Act.DECLARE in phase.then)
