"""The pace stays below what Telegram allows, whatever is asked of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.telegram.pace import Pace
from tests.fakes.telegram import Limits

CHATS = ("7", "8", "-100200", "-100300")


class Clock:
    """A time that goes as told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@given(st.lists(st.tuples(st.sampled_from(CHATS), st.floats(0.0, 3.0)), max_size=300))
def test_what_may_be_sent_is_not_refused(asked: list[tuple[str, float]]) -> None:
    """Any order of chats and pauses: whatever the pace lets through, Telegram's limits let through, too."""
    clock = Clock()
    pace, limits = Pace(clock), Limits(clock)
    for chat, pause in asked:
        clock.now += pause
        if pace.ask(chat) == 0.0:
            assert limits.refuse(int(chat)) == 0


@given(st.lists(st.tuples(st.integers(1, 200), st.floats(0.0, 0.05)), min_size=50, max_size=200))
def test_many_chats_together_are_not_refused(asked: list[tuple[int, float]]) -> None:
    """The bot as a whole has a pace, too."""
    clock = Clock()
    pace, limits = Pace(clock), Limits(clock)
    for chat, pause in asked:
        clock.now += pause
        if pace.ask(str(chat)) == 0.0:
            assert limits.refuse(chat) == 0


@given(st.lists(st.sampled_from(CHATS), max_size=80), st.sampled_from(CHATS))
def test_who_waits_as_told_may_send(before: list[str], chat: str) -> None:
    """The time to wait is enough, and not much more than enough."""
    clock = Clock()
    pace = Pace(clock)
    for other in before:
        pace.ask(other)
    wait = pace.ask(chat)
    if wait:
        clock.now += wait * 0.9
        assert pace.ask(chat) > 0
        clock.now += wait * 0.1 + 1e-6
        assert pace.ask(chat) == 0.0


def test_a_burst_of_one_chat_leaves_the_others_alone() -> None:
    """A chat that is full does not hold up another."""
    pace = Pace(Clock())
    while pace.ask("-1") == 0.0:
        pass
    assert pace.ask("-2") == 0.0


def test_a_chat_that_asked_for_quiet_gets_it() -> None:
    """After a 429 nothing is sent there for as long as it said."""
    clock = Clock()
    pace = Pace(clock)
    pace.halt("-1", 40.0)
    clock.now += 39.0
    assert pace.ask("-1") > 0
    assert pace.ask("-2") == 0.0
    clock.now += 1.5
    assert pace.ask("-1") == 0.0


def test_what_can_wait_leaves_room_for_what_cannot() -> None:
    """A keypad's step never takes the last place, which the board itself may need."""
    pace = Pace(Clock())
    steps = 0
    while pace.ask("-1", spare=1) == 0.0:
        steps += 1
    assert steps > 1
    assert pace.ask("-1") == 0.0
    assert pace.ask("-1") > 0


def test_quiet_chats_are_forgotten() -> None:
    """Memory is bounded by the number of chats that are remembered, not by that of all chats there ever were."""
    clock = Clock()
    pace = Pace(clock)
    for number in range(20_000):
        clock.now += 1.0
        assert pace.ask(str(number)) == 0.0
    assert len(pace._places) <= 10_000
