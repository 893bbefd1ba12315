"""Clocks in words: who has how much time, never below zero (rules section 7)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from bot.composing.people import Told
from bot.scene import SceneClock
from bot.words import Words
from bot.words.values import Phrase
from core.clock import DAY, HOUR, MINUTE, SECOND, UNHURRIED, Control, Kind, Milliseconds
from core.game import Game, Seat

_SEATS: Final[tuple[Seat, Seat]] = (0, 1)


def span(time: Milliseconds) -> Phrase:
    """``18:05`` or ``1:02:30``; a begun second counts as a whole one, so that 0:00 means that the time is over."""
    seconds = -(-max(0, time) // SECOND)
    hours, minutes = seconds * SECOND // HOUR, seconds * SECOND % HOUR // MINUTE
    return Phrase(f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}")


def scene_clock(game: Game, now: Milliseconds) -> SceneClock:
    """The time of both seats as numbers."""
    clock = game.state.clock
    (main_0, turn_0), (main_1, turn_1) = clock.shown(0, now), clock.shown(1, now)
    running: Seat | None = None if clock.running is None else (0 if clock.running == 0 else 1)
    return SceneClock(clock.control.kind, (main_0, main_1), (turn_0, turn_1), running, clock.deadline)


def times(told: Told, now: Milliseconds) -> Iterator[str]:
    """Who has how much time, while a clock runs: under real time both, otherwise until when the turn lasts.

    Without a clock nobody counts days; only who has been reminded is told until when.
    """
    clock = told.game.state.clock
    if clock.running is None or (clock.control.kind is Kind.IDLE and not told.game.state.reminded):
        return
    if clock.control.real_time:
        for seat in _SEATS:
            yield _left(told, seat, now)
    elif clock.deadline is not None:
        yield _until(told, 0 if clock.running == 0 else 1, clock.deadline, now)


def _left(told: Told, seat: Seat, now: Milliseconds) -> str:
    words, clock, who = told.words, told.game.state.clock, told.who(seat)
    main, turn = clock.shown(seat, now)
    if clock.control.kind is Kind.FISCHER:
        more = span(clock.control.turn)
        return words.say("Time of {who}: {main}, and {more} more after each turn.", who=who, main=span(main), more=more)
    if main:
        return words.say("Time of {who}: {main}, then {turn} a turn.", who=who, main=span(main), turn=span(turn))
    if clock.running == seat:
        return words.say("Time of {who}: {turn} left of this turn.", who=who, turn=span(turn))
    return words.say("Time of {who}: {turn} a turn.", who=who, turn=span(turn))


def moment(at: Milliseconds) -> Phrase:
    """A moment (since 1970) in UTC, to the minute: ``2026-12-04 18:30``."""
    return Phrase(datetime.fromtimestamp(at // SECOND, UTC).strftime("%Y-%m-%d %H:%M"))


def _until(told: Told, seat: Seat, deadline: Milliseconds, now: Milliseconds) -> str:
    """Until when, and how long that is in the largest unit of which it is at least two, to the nearest one: a turn of
    three days begins with three days. While there is any time, it is not said to be none.
    """
    words, who, left = told.words, told.who(seat), max(0, deadline - now)
    when = moment(deadline)
    if _nearest(left, HOUR) >= 48:
        return words.count(
            "{who} has time until {when} UTC: {n} day.",
            "{who} has time until {when} UTC: {n} days.",
            _nearest(left, DAY),
            who=who,
            when=when,
        )
    if _nearest(left, MINUTE) >= 120:
        return words.count(
            "{who} has time until {when} UTC: {n} hour.",
            "{who} has time until {when} UTC: {n} hours.",
            _nearest(left, HOUR),
            who=who,
            when=when,
        )
    return words.count(
        "{who} has time until {when} UTC: {n} minute.",
        "{who} has time until {when} UTC: {n} minutes.",
        max(_nearest(left, MINUTE), 1 if left else 0),
        who=who,
        when=when,
    )


def _nearest(time: Milliseconds, unit: Milliseconds) -> int:
    """How many units; halves count as whole ones."""
    return (2 * time + unit) // (2 * unit)


def open_until(told: Told) -> Iterator[str]:
    """Until when somebody can join a table that waits."""
    table = told.table
    if table.waiting and table.expires and table.game.outcome is None:
        yield told.words.say("Open until {when} UTC.", when=moment(table.expires))


def agreed_clock(words: Words, control: Control, *, begun: bool) -> Iterator[str]:
    """The time control in a sentence; what one gets who chooses nothing is said until the first stone lies there."""
    if control == UNHURRIED and begun:
        return
    main, turn = span(control.main), span(control.turn)
    match control.kind:
        case Kind.BYO_YOMI if control.main:
            yield words.say("Clock: {main} each for the game, then {turn} a turn.", main=main, turn=turn)
        case Kind.BYO_YOMI:
            yield words.say("Clock: {turn} a turn.", turn=turn)
        case Kind.FISCHER:
            yield words.say("Clock: {main} each, and {more} more after each turn.", main=main, more=turn)
        case Kind.CORRESPONDENCE:
            yield words.count("Clock: {n} day a turn.", "Clock: {n} days a turn.", control.turn // DAY)
        case Kind.IDLE:
            yield from _idle(words, control.turn)


def _idle(words: Words, turn: Milliseconds) -> Iterator[str]:
    if turn % DAY == 0:
        yield words.count(
            "No clock; but who does nothing for {n} day loses.",
            "No clock; but who does nothing for {n} days loses.",
            turn // DAY,
        )
    elif turn % HOUR == 0:
        yield words.count(
            "No clock; but who does nothing for {n} hour loses.",
            "No clock; but who does nothing for {n} hours loses.",
            turn // HOUR,
        )
    else:
        yield words.count(
            "No clock; but who does nothing for {n} minute loses.",
            "No clock; but who does nothing for {n} minutes loses.",
            turn // MINUTE,
        )
