"""What each action caused, for those who tell people about it."""

from __future__ import annotations

import pytest

from core.game import Draw, Settings, new_game
from core.notation import name
from tests.core.game.games import begin, play, stones

RIF = "0 place h8; 0 place h9; 0 place i9; 1 swap; 0 place i8"


def told(protocol: str, steps: str, **agreed: object) -> list[tuple[object, ...]]:
    """The events of the last step: kind, seat, colour, points, number, what is empty left out."""
    events = play(begin(protocol, **agreed), steps).state.events
    return [
        tuple(
            part
            for part in (
                event.kind.value,
                event.seat,
                event.colour and event.colour.name.lower(),
                *map(name, event.points),
                event.number or None,
            )
            if part is not None
        )
        for event in events
    ]


@pytest.mark.parametrize(
    ("protocol", "steps", "events"),
    [
        ("free", "0 place h8", [("stone", 0, "black", "h8")]),
        ("rif", "0 place h8; 0 place h9", [("stone", 0, "white", "h9")]),
        ("rif", RIF.rsplit("; ", 1)[0], [("swapped", 1)]),
        ("rif", "0 place h8; 0 place h9; 0 place i9; 1 keep", [("kept", 1)]),
        ("rif", RIF + "; 1 offer i10 g7", [("offered", 1, "i10", "g7")]),
        ("rif", RIF + "; 1 offer i10 g7; 0 choose g7", [("chosen", 0, "g7")]),
        ("swap2", "0 place a1; 0 place b2; 0 place c3; 1 add d4 e5", [("added", 1, "d4", "e5")]),
        ("swap", "0 place a1; 0 place b2; 0 place c3; 1 colour white", [("took", 1, "white")]),
        ("yamaguchi", "0 place h8; 0 place h9; 0 place i9; 0 declare 7", [("declared", 0, 7)]),
        (
            "taraguchi_10",
            "0 place h8; 1 keep; 1 place h9; 0 keep; 0 place i9; 1 keep; 1 place i8; 0 branch offer_ten",
            [("branched", 0, 10)],
        ),
        ("free", "0 place h8; 1 pass", [("passed", 1)]),
        ("free", "0 place h8; 1 pass; 0 pass", [("passed", 0), ("over",)]),
        ("free", "0 place h8; 1 claim", [("wrong_claim", 1)]),
        ("free", "0 place h8; 1 place h9; 0 draw_offer", [("draw_offered", 0)]),
        ("free", "0 place h8; 1 place h9; 0 draw_offer; 1 draw_decline", [("draw_declined", 1)]),
        ("free", "0 place h8; 1 place h9; 0 draw_offer; 1 draw_accept", [("over",)]),
        ("free", "0 place h8; 1 place h9; 0 undo_ask", [("undo_asked", 0)]),
        ("free", "0 place h8; 1 place h9; 0 undo_ask; 1 undo_refuse", [("undo_refused", 1)]),
        ("free", "0 place h8; 1 place h9; 0 undo_ask; 1 undo_allow", [("undone", 0, 2)]),
        ("free", "0 place h8; 1 place h9; 0 resign", [("over", 1, "white")]),
        ("free", "0 place h8; 1 cancel", [("over",)]),
    ],
)
def test_each_action_tells_what_it_caused(protocol: str, steps: str, events: list[tuple[object, ...]]) -> None:
    """Who did what, with its points, colour or number."""
    assert told(protocol, steps) == events


def test_endings_tell_the_stone_and_the_end() -> None:
    """A five, and a right claim, which tells nothing of the turn before it."""
    five = stones(begin(), "h8 a1 i8 a2 j8 a3 k8 a4 l8")
    assert [event.kind.value for event in five.state.events] == ["stone", "over"]
    foul = play(stones(begin(), "h8 a1 j8 a3 f8 a5 l8 a7 i8"), "1 claim")
    assert [event.kind.value for event in foul.state.events] == ["over"]


def test_a_guess_shows_the_hidden_stones() -> None:
    """The colour that it won, and the number (R2.2)."""
    (event,) = play(new_game(Settings(draw=Draw.GUESS, hidden=7)), "1 guess odd").state.events
    assert (event.kind.value, event.seat, event.number) == ("guessed", 1, 7)
    assert event.colour is not None
    assert event.colour.name == "BLACK"
