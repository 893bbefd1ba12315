"""Actions and the words they are written in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.action import Act, Action, ActionError, action, decode, encode, parse, place
from core.notation import POINTS, NotationError

POINT = st.integers(0, POINTS - 1)
ACTIONS = st.one_of(
    st.builds(lambda p: Action(Act.PLACE, (p,)), POINT),
    st.builds(lambda p: Action(Act.CHOOSE, (p,)), POINT),
    st.builds(lambda ps: Action(Act.OFFER, tuple(ps)), st.lists(POINT, min_size=1, max_size=12)),
    st.builds(lambda p, q: Action(Act.ADD, (p, q)), POINT, POINT),
    st.builds(lambda w: Action(Act.GUESS, word=w), st.sampled_from(["odd", "even"])),
    st.builds(lambda w: Action(Act.COLOUR, word=w), st.sampled_from(["black", "white"])),
    st.just(Action(Act.BRANCH, word="offer_ten")),
    st.builds(lambda n: Action(Act.HIDE, number=n), st.integers(0, 999)),
    st.builds(lambda n: Action(Act.DECLARE, number=n), st.integers(0, 999)),
    st.builds(lambda n: Action(Act.FLAG, number=n), st.integers(0, 1)),
    st.sampled_from(
        [
            Action(act)
            for act in Act
            if act
            not in (Act.PLACE, Act.CHOOSE, Act.OFFER, Act.ADD, Act.GUESS, Act.COLOUR, Act.BRANCH, Act.DECLARE, Act.FLAG)
        ]
    ),
)


@given(ACTIONS)
def test_words_read_back(done: Action) -> None:
    """Saved words, button data and repr all lead back to the same action."""
    assert action(*done.words()) == done
    assert parse(done.words()) == done
    assert decode(encode(done)) == done
    assert eval(repr(done), {"action": action}) == done  # noqa: S307 (our own repr)


@given(ACTIONS)
def test_button_data_is_short(done: Action) -> None:
    """All but long sets of offers fit beside a table and a rev in 64 bytes."""
    if done.act is not Act.OFFER:
        assert len(encode(done)) <= 20


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("",),
        ("jump",),
        ("Place", "h8"),
        ("place",),
        ("place", "h8", "h9"),
        ("offer",),
        ("add", "h8"),
        ("guess",),
        ("guess", "seven"),
        ("colour", "red"),
        ("branch",),
        ("declare",),
        ("declare", "x"),
        ("declare", "-1"),
        ("declare", "1000"),
        ("declare", "٣"),
        ("swap", "h8"),
        ("pass", ""),
    ],
)
def test_words_that_are_no_action(words: tuple[str, ...]) -> None:
    """Each is refused as ActionError."""
    with pytest.raises(ActionError):
        action(*words)


def test_a_bad_point_says_so() -> None:
    """The notation error keeps its kind; button data, which only we write, does not need it."""
    with pytest.raises(NotationError):
        place("8h")
    with pytest.raises(ActionError):
        decode("place-8h")


@given(st.lists(st.one_of(st.text(max_size=5), st.integers(), st.none(), st.booleans()), max_size=4))
def test_words_from_anywhere(words: list[object]) -> None:
    """Whatever JSON holds, the reader gives an action or one of its two errors."""
    try:
        done = parse(words)
    except (ActionError, NotationError):
        return
    assert action(*done.words()) == done
