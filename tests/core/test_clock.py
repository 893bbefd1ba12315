"""Time controls and clocks (rules section 7)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clock import (
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    TOURNAMENT,
    UNHURRIED,
    Clock,
    Control,
    ControlError,
    Kind,
    control,
    started,
)

CONTROLS = ["20m+60s", "fischer:10m+5s", "3d", "idle:3d", "0s+10s", "fischer:2h+30s", "14d", "90s+5s", "1h+1m"]


class TestWriting:
    """Controls as people write them."""

    @pytest.mark.parametrize("text", CONTROLS)
    def test_what_is_written_reads_back(self, text: str) -> None:
        """str and control are inverses."""
        assert control(str(control(text))) == control(text)

    def test_the_defaults_are_those_of_the_rules(self) -> None:
        """20 minutes and a minute a move; three days of silence."""
        assert control("20m+60s") == TOURNAMENT
        assert control("idle:3d") == UNHURRIED

    @pytest.mark.parametrize(
        "text",
        ["", "20", "20m", "20m+", "+60s", "1d+1d", "15d", "0d", "3h", "idle:20m+60s", "20x+60s", "idle:100d", "-3d"],
    )
    def test_anything_else_is_refused(self, text: str) -> None:
        """Also what is well written but out of bounds."""
        with pytest.raises(ControlError):
            control(text)


class TestByoYomi:
    """Main time for the game, then a fixed time for every turn."""

    def test_main_time_is_used_up_once(self) -> None:
        """What a turn takes is gone for the next one."""
        clock = started(TOURNAMENT).turned(0, 0).turned(1, 5 * MINUTE)
        assert clock.left == (15 * MINUTE, 20 * MINUTE)

    def test_after_the_main_time_every_turn_has_its_own(self) -> None:
        """The last seconds are not carried over, neither way."""
        clock = started(TOURNAMENT).turned(0, 0).turned(1, 20 * MINUTE + 59 * SECOND)
        assert clock.left[0] == 0
        again = clock.turned(0, 21 * MINUTE)
        assert again.deadline == 21 * MINUTE + 60 * SECOND
        assert again.turned(1, 21 * MINUTE + 50 * SECOND).turned(0, 22 * MINUTE).deadline == 23 * MINUTE

    def test_the_last_instant_counts(self) -> None:
        """An action that arrives exactly at the deadline is in time."""
        clock = started(TOURNAMENT).turned(0, 0)
        assert clock.deadline == 21 * MINUTE
        assert not clock.fallen(21 * MINUTE)
        assert clock.fallen(21 * MINUTE + 1)


class TestFischer:
    """Time that grows by every turn."""

    def test_a_turn_costs_its_time_and_earns_the_increment(self) -> None:
        """5 s more after each turn."""
        clock = started(control("fischer:10m+5s")).turned(0, 0).turned(1, MINUTE)
        assert clock.left == (9 * MINUTE + 5 * SECOND, 10 * MINUTE)
        assert clock.deadline == 11 * MINUTE


class TestCorrespondence:
    """The same time for every turn."""

    def test_every_turn_has_the_whole_time(self) -> None:
        """What one turn left is not carried over."""
        clock = started(control("3d")).turned(0, 0).turned(1, DAY).turned(0, 2 * DAY)
        assert clock.deadline == 5 * DAY

    def test_a_reminder_comes_before_the_end(self) -> None:
        """A day before for three days; a third of shorter times; none where seconds are watched."""
        assert control("3d").notice == DAY
        assert control("idle:6h").notice == 2 * HOUR
        assert TOURNAMENT.notice == 0


def test_within_a_turn_the_clock_just_runs_on() -> None:
    """The three stones of an opening are one turn of P1."""
    clock = started(TOURNAMENT).turned(0, 0)
    assert clock.turned(0, MINUTE) == clock


def test_time_given_back_moves_the_deadline() -> None:
    """The service was down for a minute: the deadline is a minute later."""
    clock = started(TOURNAMENT).turned(0, 0)
    assert clock.given_back(MINUTE).deadline == (clock.deadline or 0) + MINUTE
    assert started(TOURNAMENT).given_back(MINUTE) == started(TOURNAMENT)


def test_a_take_back_restores_the_time_of_who_moves_again() -> None:
    """The other side keeps what it has used."""
    first = started(TOURNAMENT).turned(0, 0)
    second = first.turned(1, 3 * MINUTE)
    back = second.taken_back(first, 5 * MINUTE)
    assert back.running == 0
    assert back.left == (20 * MINUTE, 18 * MINUTE)
    assert back.since == 5 * MINUTE


spans = st.integers(0, 2 * HOUR)


@given(st.sampled_from(CONTROLS), st.lists(spans, max_size=30), spans)
def test_nothing_is_ever_shown_below_zero(text: str, turns: list[int], look: int) -> None:
    """Whatever the turns took, and whenever somebody looks."""
    clock, now = started(control(text)).turned(0, 0), 0
    for number, span in enumerate(turns):
        now += span
        clock = clock.turned((number + 1) % 2, now)
        for seat in (0, 1):
            assert min(clock.shown(seat, now + look)) >= 0
            assert min(clock.left) >= 0


@given(st.sampled_from(CONTROLS), st.lists(spans, min_size=1, max_size=30))
def test_a_clock_is_fallen_exactly_when_nothing_is_left_to_show(text: str, turns: list[int]) -> None:
    """What people see and what the referee does are the same arithmetic."""
    clock, now = started(control(text)).turned(0, 0), 0
    for number, span in enumerate(turns):
        now += span
        running = clock.running
        assert running is not None
        deadline = clock.deadline
        assert deadline is not None
        assert sum(clock.shown(running, deadline)) == 0
        assert sum(clock.shown(running, deadline - 1)) == 1
        clock = clock.turned((number + 1) % 2, min(now, deadline))


@given(st.lists(spans, max_size=20))
def test_fischer_time_adds_up(turns: list[int]) -> None:
    """A twin: each side has the main time, less its turns but never below zero, plus an increment a turn."""
    agreed = Control(Kind.FISCHER, 5 * HOUR, 10 * SECOND)
    clock, now, twin = started(agreed).turned(0, 0), 0, [5 * HOUR, 5 * HOUR]
    for number, span in enumerate(turns):
        seat = number % 2
        now += span
        twin[seat] = max(0, twin[seat] - span) + 10 * SECOND
        clock = clock.turned(1 - seat, now)
        assert list(clock.left) == twin


def test_a_stopped_clock_has_no_deadline() -> None:
    """Before the game and after it."""
    clock = started(TOURNAMENT)
    assert clock.deadline is None
    assert not clock.fallen(10**15)
    assert isinstance(clock.turned(0, 0).turned(None, 1), Clock)
