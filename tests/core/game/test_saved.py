"""The saved form: what is saved loads equal, and what is broken is said to be."""

from __future__ import annotations

import json
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.game import CorruptGame, Draw, Settings, load, new_game, save
from tests.core.game.games import begin, play

GAME = play(
    new_game(Settings(protocol="rif", draw=Draw.GUESS, hidden=7, exclude=("D4",))),
    "1 guess even; 0 place h8; 0 place h9; 0 place j10; 1 swap; 0 place i8; 1 offer i10 g7; 0 undo_ask; 1 undo_refuse;"
    "0 choose g7; 0 place a1; 0 claim; 1 pass; 0 draw_offer; 1 draw_accept",
)
SAVED = save(GAME)


def test_the_form_is_readable() -> None:
    """Settings and actions in words: a person can read it, and other programs can."""
    read = json.loads(save(play(begin("rif"), "0 place h8; 0 place h9")))
    assert read == {
        "schema": 1,
        "settings": {"protocol": "rif"},
        "actions": [[0, 0, "place", "h8"], [0, 2, "place", "h9"]],
    }


def test_it_loads_equal() -> None:
    """State, record, settings and events."""
    assert load(SAVED) == GAME
    assert save(load(SAVED)) == SAVED


@pytest.mark.parametrize("length", range(0, len(SAVED), 7))
def test_a_torn_file(length: int) -> None:
    """Every prefix is corrupt, and nothing else is raised."""
    with pytest.raises(CorruptGame):
        load(SAVED[:length])


def changed(change: Callable[[dict[str, object]], object]) -> bytes:
    read = json.loads(SAVED)
    change(read)
    return json.dumps(read).encode()


def entry(number: int, *fields: object) -> bytes:
    """The saved game with one action replaced."""
    return changed(lambda read: read["actions"].__setitem__(number, list(fields)))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("broken", "part"),
    [
        (b"", "unreadable"),
        (b"null", "unreadable"),
        (b"[]", "unreadable"),
        (b"{}", "unreadable"),
        (b"\xff\xfe\x00", "unreadable"),
        (b'{"schema":1,"settings":' + b"[" * 100_000, "unreadable"),
        (changed(lambda read: read.update(schema=2)), "another version"),
        (changed(lambda read: read.update(schema="1")), "unreadable"),
        (changed(lambda read: read.pop("settings")), "unreadable"),
        (changed(lambda read: read.update(more=1)), "unreadable"),
        (changed(lambda read: read.update(settings={"protocol": "go"})), "unknown protocol"),
        (changed(lambda read: read.update(settings={"komi": 6})), "unreadable"),
        (changed(lambda read: read.update(settings={"draw": "dice"})), "unreadable"),
        (changed(lambda read: read.update(actions={})), "unreadable"),
        (changed(lambda read: read.update(actions=[7])), "unreadable"),
        (entry(0), "action 1"),
        (entry(0, 1), "action 1"),
        (entry(0, 1, 5), "action 1: no action"),
        (entry(1, 0, 5, "jump"), "action 2: unknown action"),
        (entry(1, 0, 5, "place", "p16"), "action 2"),
        (entry(1, 0, 5, "place", None), "action 2"),
        (entry(1, 0, 5, "place", "a1"), "action 2 .place a1. is refused: outside_area"),
        (entry(1, 2, 5, "place", "h8"), "action 2: no seat"),
        (entry(1, "0", 5, "place", "h8"), "action 2: no seat"),
        (entry(1, 0, "5", "place", "h8"), "action 2: no seat or no time"),
        (entry(1, 0, None, "place", "h8"), "action 2: no seat or no time"),
        (entry(1, None, 5, "place", "h8"), "action 2 .place h8. is refused: not_seated"),
        (entry(1, 0, 5, "flag", "0"), "action 2 .flag 0. is refused: not_now"),
        (entry(1, 1, 5, "place", "h8"), "is refused: not_your_turn"),
        (entry(1, True, 5, "place", "h8"), "unreadable"),
        (entry(1, 0, 5.5, "place", "h8"), "unreadable"),
        (changed(lambda read: read["actions"].reverse()), "action 1"),
        (changed(lambda read: read["actions"].append([0, 9, "resign"])), "is refused: over"),
    ],
)
def test_each_fault_is_named(broken: bytes, part: str) -> None:
    """The message says what is wrong, and where."""
    with pytest.raises(CorruptGame, match=part):
        load(broken)


@given(st.integers(0, len(SAVED) - 1), st.integers(1, 255))
def test_a_flipped_byte(at: int, flip: int) -> None:
    """The game loads as some legal game, or is corrupt; nothing else is raised."""
    broken = bytearray(SAVED)
    broken[at] ^= flip
    try:
        game = load(bytes(broken))
    except CorruptGame:
        return
    assert load(save(game)) == game


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=200)
@given(st.lists(st.integers(0, 14), min_size=1, max_size=3, unique=True), JSON)
def test_wrong_values_anywhere(places: list[int], value: object) -> None:
    """Any value in place of an action, or of a field of it."""
    read = json.loads(SAVED)
    for at in places:
        if at % 2:
            read["actions"][at] = value
        else:
            read["actions"][at][at % len(read["actions"][at])] = value
    try:
        game = load(msgspec.json.encode(read))
    except CorruptGame:
        return
    assert load(save(game)) == game


@given(st.binary(max_size=60))
def test_noise(noise: bytes) -> None:
    """Bytes that were never a game."""
    with pytest.raises(CorruptGame):
        load(noise)
