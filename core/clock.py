"""Time controls and clocks (rules section 7). Time always comes in as an argument: milliseconds since 1970, UTC.

A clock runs for the seat that has to act and charges a whole turn when the other seat has to act. Within a turn (the
three stones of an opening, the offers of fifth moves) it just runs on. How a control is written, by people and in saved
games:

====================  ==================================================================================
``20m+60s``           byo-yomi: 20 minutes each for the game, after that 60 seconds for every turn
``fischer:10m+5s``    10 minutes each, and 5 seconds more after every turn
``3d``                correspondence: 3 days for every turn
``idle:3d``           no clock; but who does not act for 3 days loses, so that no game hangs for ever
====================  ==================================================================================
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeAlias

Milliseconds: TypeAlias = int

SECOND: Final = 1_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR


class ControlError(ValueError):
    """A text that is no time control, or one out of bounds."""


class Kind(StrEnum):
    """The kinds of time control."""

    BYO_YOMI = "byo-yomi"
    FISCHER = "fischer"
    CORRESPONDENCE = "correspondence"
    IDLE = "idle"


@dataclass(frozen=True, slots=True)
class Control:
    """A time control. ``repr`` of the text it is written in: :func:`control`."""

    kind: Kind
    main: Milliseconds = 0
    """For the whole game, each (byo-yomi, Fischer)."""
    turn: Milliseconds = 0
    """For every turn after the main time (byo-yomi), added after every turn (Fischer), or for every turn."""

    @property
    def real_time(self) -> bool:
        """Whether people sit before it and watch seconds."""
        return self.kind in (Kind.BYO_YOMI, Kind.FISCHER)

    @property
    def notice(self) -> Milliseconds:
        """How long before a turn's end its player is reminded; 0 under real time, where the clock is in sight."""
        return 0 if self.real_time else min(DAY, self.turn // 3)

    def __str__(self) -> str:
        match self.kind:
            case Kind.BYO_YOMI:
                return f"{_written(self.main)}+{_written(self.turn)}"
            case Kind.FISCHER:
                return f"fischer:{_written(self.main)}+{_written(self.turn)}"
            case Kind.CORRESPONDENCE:
                return _written(self.turn)
            case Kind.IDLE:
                return f"idle:{_written(self.turn)}"


_UNITS: Final = {"s": SECOND, "m": MINUTE, "h": HOUR, "d": DAY}
_SPAN = r"(\d{1,4})([smhd])"
_CONTROL = re.compile(rf"(?:(fischer|idle):)?{_SPAN}(?:\+{_SPAN})?")

#: S2's default for tournaments: 20 minutes, then a minute a move.
TOURNAMENT: Final = Control(Kind.BYO_YOMI, 20 * MINUTE, 60 * SECOND)
#: What a game without a clock has: three days a turn before it is given up.
UNHURRIED: Final = Control(Kind.IDLE, turn=3 * DAY)

#: The bounds of what can be agreed: (main least, main most, turn least, turn most).
_BOUNDS: Final = {
    Kind.BYO_YOMI: (0, 5 * HOUR, 5 * SECOND, HOUR),
    Kind.FISCHER: (10 * SECOND, 5 * HOUR, 0, 10 * MINUTE),
    Kind.CORRESPONDENCE: (0, 0, DAY, 14 * DAY),
    Kind.IDLE: (0, 0, HOUR, 90 * DAY),
}


def control(text: str) -> Control:
    """The time control written as ``text`` (see the top of this module). Raises :class:`ControlError`."""
    match = _CONTROL.fullmatch(text.strip().lower())
    if match is None:
        raise ControlError(f"{text!r} is no time control; write 20m+60s, fischer:10m+5s, 3d or idle:3d")
    word, amount, unit, extra, extra_unit = match.groups()
    first = int(amount) * _UNITS[unit]
    second = None if extra is None else int(extra) * _UNITS[extra_unit]
    if (second is None) != (word == "idle" or (word is None and unit == "d")):
        raise ControlError(f"{text!r} is no time control; write 20m+60s, fischer:10m+5s, 3d or idle:3d")
    if second is None:
        made = Control(Kind.IDLE if word else Kind.CORRESPONDENCE, turn=first)
    else:
        made = Control(Kind.FISCHER if word else Kind.BYO_YOMI, first, second)
    least, most, turn_least, turn_most = _BOUNDS[made.kind]
    if not (least <= made.main <= most and turn_least <= made.turn <= turn_most):
        spans = [_written(bound) for bound in _BOUNDS[made.kind]]
        main = f"{spans[0]} to {spans[1]} for the game, " if most else ""
        raise ControlError(f"{text!r} is out of bounds: {main}{spans[2]} to {spans[3]} for a turn")
    return made


def _written(span: Milliseconds) -> str:
    for unit in "dhm":
        if span and span % _UNITS[unit] == 0:
            return f"{span // _UNITS[unit]}{unit}"
    return f"{span // SECOND}s"


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a game at one moment. Seats are 0 and 1, as in the game."""

    control: Control
    left: tuple[Milliseconds, Milliseconds]
    """Main time left when the present turn began; unused where the control has none."""
    running: int | None = None
    """The seat whose time runs; ``None`` before the game and after it."""
    since: Milliseconds = 0
    """When the present turn began; moved forward by time given back."""

    @property
    def deadline(self) -> Milliseconds | None:
        """When the running seat's time is over; the last instant at which an action still counts."""
        if self.running is None:
            return None
        return self.since + self._whole(self.running)

    def _whole(self, seat: int) -> Milliseconds:
        """All the time a seat has for a turn that begins now."""
        match self.control.kind:
            case Kind.BYO_YOMI:
                return self.left[seat] + self.control.turn
            case Kind.FISCHER:
                return self.left[seat]
            case Kind.CORRESPONDENCE | Kind.IDLE:
                return self.control.turn

    def fallen(self, now: Milliseconds) -> bool:
        """Whether an action that arrives at ``now`` comes too late."""
        deadline = self.deadline
        return deadline is not None and now > deadline

    def shown(self, seat: int, now: Milliseconds) -> tuple[Milliseconds, Milliseconds]:
        """What a seat has left, as people are shown it: (main time, time of the present turn). Never below zero.

        Byo-yomi counts the main time down first and the turn's own time after it; the other controls have one of both.
        """
        used = max(0, now - self.since) if self.running == seat else 0
        match self.control.kind:
            case Kind.BYO_YOMI:
                over = max(0, used - self.left[seat])
                return max(0, self.left[seat] - used), max(0, self.control.turn - over)
            case Kind.FISCHER:
                return max(0, self.left[seat] - used), 0
            case Kind.CORRESPONDENCE | Kind.IDLE:
                return 0, max(0, self.control.turn - used)

    def turned(self, to: int | None, now: Milliseconds) -> Clock:
        """The clock when seat ``to`` has to act from ``now`` on; ``None`` stops it. The same seat: it just runs on."""
        if to == self.running:
            return self
        left = self.left
        if self.running is not None:
            rest = max(0, left[self.running] - max(0, now - self.since))
            if self.control.kind is Kind.FISCHER:
                rest += self.control.turn
            left = (rest, left[1]) if self.running == 0 else (left[0], rest)
        return replace(self, left=left, running=to, since=now)

    def given_back(self, span: Milliseconds) -> Clock:
        """The clock after ``span`` during which the service was down: the running turn began that much later."""
        return self if self.running is None else replace(self, since=self.since + max(0, span))

    def taken_back(self, earlier: Clock, now: Milliseconds) -> Clock:
        """The clock after a take-back to the moment of ``earlier``: whoever moves again has the time they had then."""
        to = earlier.running
        if to is None:
            return self.turned(None, now)
        stopped = self.turned(None, now)
        left = (earlier.left[0], stopped.left[1]) if to == 0 else (stopped.left[0], earlier.left[1])
        return replace(self, left=left, running=to, since=now)


def started(agreed: Control) -> Clock:
    """A clock that has not begun to run."""
    return Clock(agreed, (agreed.main, agreed.main))
