"""What the clock of a table asks of the referee. Pure: the time comes in as an argument.

Whoever looks when, the answer is the same game: a flag falls at the deadline's own time, and only :data:`GRACE` after
it, when everything that arrived in time has passed the door. Time during which the service was down is given back; what
a table has had already stands in its record, so that the same time is never given twice, however often a service that
comes back is stopped in the middle of it.
"""

from __future__ import annotations

from typing import Final

from bot.session.table import REFEREE, Intent, Table
from core.action import Act, Action
from core.clock import MINUTE, SECOND, Milliseconds

#: How long after a moment the referee acts on it: until then something that came before it may be on its way.
GRACE: Final[Milliseconds] = 2 * SECOND
#: Less than this is not worth a word.
_LEAST: Final[Milliseconds] = SECOND
#: Where nobody watches seconds, an outage counts from this on, or when the time ends in it or so soon after it.
_LONG: Final[Milliseconds] = 10 * MINUTE
#: The most that one action can give back: what its words have room for (115 days).
_MOST: Final[Milliseconds] = 9_999_999_999


def due(table: Table, now: Milliseconds) -> Intent | None:
    """The flag, the reminder or the end of a challenge that is due by ``now``; ``None`` for neither."""
    if table.waiting:
        expired = table.due is not None and now >= table.due + GRACE
        return _intent(table, Action(Act.EXPIRE), table.expires) if expired else None
    clock, moment = table.game.state.clock, table.due
    if moment is None or clock.running is None or clock.deadline is None or now < moment + GRACE:
        return None
    if now >= clock.deadline + GRACE:
        return _intent(table, Action(Act.FLAG, number=clock.running), clock.deadline)
    if now < clock.deadline:
        return _intent(table, Action(Act.REMIND), now)
    return None


def owed(table: Table, down: Milliseconds, up: Milliseconds) -> Intent | None:
    """The time to be given back at ``up`` when the service was down since ``down``; ``None`` for none.

    It is the part of that time in which the present turn ran. Time that was over before ``down`` stays over.
    """
    clock = table.game.state.clock
    if clock.deadline is None or clock.deadline < down:
        return None
    if not clock.control.real_time and up - down < _LONG and clock.deadline >= up + _LONG:
        return None
    given = next((entry.at for entry in reversed(table.game.record) if entry.action.act is Act.CREDIT), 0)
    span = up - max(down, clock.since, given)
    return _intent(table, Action(Act.CREDIT, number=min(span, _MOST)), up) if span >= _LEAST else None


def _intent(table: Table, action: Action, at: Milliseconds) -> Intent:
    return Intent(table=table.id, who=REFEREE, action=action, rev=table.rev, at=at)
