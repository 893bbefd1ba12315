"""What the players settle between them: giving up, calling off, draws by agreement, take-backs by consent."""

from __future__ import annotations

from dataclasses import replace

from core.action import Action
from core.game.endings import cancelled, drawn, lost
from core.game.outcome import Event, Happened, Reason, Refusal, Why
from core.game.seats import to_act
from core.game.settings import Seat, Settings
from core.game.state import State

#: Before this many stones a game is cancelled without result, instead of being resigned or drawn (section 9).
SERIOUS = 2


def resign(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    """The other side wins (R5.3)."""
    if len(state.stones) < SERIOUS:
        return Refusal(Why.TOO_EARLY)
    return lost(state, seat, Reason.RESIGNED)


def leave(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    """Leaving loses (R5.3); before the second stone there is no game yet to lose."""
    if len(state.stones) < SERIOUS:
        return cancelled(state)
    return lost(state, seat, Reason.LEFT)


def cancel(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    """No game. Never in ``designated``, whose three stones lie there from the start."""
    if len(state.stones) >= SERIOUS:
        return Refusal(Why.CANCEL_TOO_LATE)
    return cancelled(state)


# -- draws (R5.4) ------------------------------------------------------------------------------------------------------


def draw_offer(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    """On one's own turn, once a turn, and not while the other side's offer waits for an answer."""
    if len(state.stones) < SERIOUS:
        return Refusal(Why.TOO_EARLY)
    if state.draw_by is not None:
        return Refusal(Why.DRAW_STANDS if state.draw_by == seat else Why.ANSWER_DRAW)
    if to_act(state, settings) != (seat,):
        return Refusal(Why.NOT_YOUR_TURN)
    if state.draw_used:
        return Refusal(Why.DRAW_ONCE)
    return replace(state, draw_by=seat, draw_used=True, events=(Event(Happened.DRAW_OFFERED, seat),))


def draw_accept(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    """At any time while the other side's offer stands."""
    if state.draw_by is None or state.draw_by == seat:
        return Refusal(Why.NO_DRAW_OFFER)
    return drawn(replace(state, events=()), Reason.DRAW_AGREED)


def draw_decline(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    """At any time while the other side's offer stands."""
    if state.draw_by is None or state.draw_by == seat:
        return Refusal(Why.NO_DRAW_OFFER)
    return replace(state, draw_by=None, events=(Event(Happened.DRAW_DECLINED, seat),))


# -- take-backs (R5.3, section 9) --------------------------------------------------------------------------------------


def undo_ask(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    """Ask to take back one's last turn action and everything after it."""
    if settings.rated:
        return Refusal(Why.NO_UNDO)
    if state.undo_by is not None:
        return Refusal(Why.UNDO_STANDS if state.undo_by == seat else Why.ANSWER_UNDO)
    if before(state, seat) is None:
        return Refusal(Why.NOTHING_TO_UNDO)
    return replace(state, undo_by=seat, events=(Event(Happened.UNDO_ASKED, seat),))


def before(state: State, seat: Seat) -> State | None:
    """The state just before the last turn action of ``seat``; ``None`` when it has made none."""
    at: State | None = state
    while at is not None and at.past is not None:
        whose, earlier = at.past
        if whose == seat:
            return earlier
        at = earlier
    return None


def undo_allow(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    """Back to just before the asker's last turn action, wrong claims included; no draw offer stands after it."""
    if state.undo_by is None or state.undo_by == seat:
        return Refusal(Why.NO_UNDO_REQUEST)
    earlier = before(state, state.undo_by)
    if earlier is None:
        return Refusal(Why.NOTHING_TO_UNDO)
    undone = Event(Happened.UNDONE, state.undo_by, number=len(state.stones) - len(earlier.stones))
    return replace(earlier, draw_by=None, undo_by=None, events=(undone,))


def undo_refuse(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    """The game goes on as it is; the request may be repeated."""
    if state.undo_by is None or state.undo_by == seat:
        return Refusal(Why.NO_UNDO_REQUEST)
    return replace(state, undo_by=None, events=(Event(Happened.UNDO_REFUSED, seat),))
