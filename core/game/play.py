"""The interpreter: one action on one state gives the next state, or a refusal. Pure; no clock is read here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from core.action import TURN_ACTS, Act, Action
from core.clock import started
from core.game import agreement
from core.game.claims import claim
from core.game.endings import cancelled, lost
from core.game.outcome import Event, Happened, Reason, Refusal, Why
from core.game.seats import to_act
from core.game.settings import MOST_HIDDEN, Draw, Seat, Settings
from core.game.state import GUESSING, State, other
from core.game.turns import put, turn
from core.notation import Colour


def start(settings: Settings) -> State:
    """The state before the first action."""
    first = State(phase=GUESSING, clock=started(settings.control))
    return first if settings.draw.settles_later else _seated(first, settings, settings.first)


def step(state: State, settings: Settings, seat: Seat | None, action: Action) -> State | Refusal:
    """The state after ``seat`` does ``action``; ``None`` is the referee, who alone decides about time."""
    if state.outcome is not None:
        return Refusal(Why.OVER)
    if action.act in _REFEREE:
        return _REFEREE[action.act](state, action) if seat is None else Refusal(Why.NOT_NOW, text=action.act)
    if seat is None:
        return Refusal(Why.NOT_SEATED)
    if action.act in TURN_ACTS:
        return turn(state, settings, seat, action)
    return _AT_ANY_TIME[action.act](state, settings, seat, action)


def _seated(state: State, settings: Settings, p1: Seat) -> State:
    """The protocol begins: P1 is known, and the stones that it sets up lie there."""
    table = settings.table()
    seated = replace(state, phase=table.first, p1=p1, black=p1)
    for point in table.setup:
        seated = put(seated, point)
    return seated


def _guess(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    """R2.2: a right guess takes Black, or the seat of tentative Black."""
    if state.phase != GUESSING or settings.draw is not Draw.GUESS:
        return Refusal(Why.NOT_NOW, text=action.act)
    if seat != 1:
        return Refusal(Why.NOT_YOUR_TURN)
    right = (settings.hidden % 2 == 1) == (action.word == "odd")
    guessed = Event(Happened.GUESSED, seat, Colour.BLACK if right else Colour.WHITE, number=settings.hidden)
    return replace(_seated(state, settings, 1 if right else 0), events=(guessed,))


def _hide(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    """R2.2: seat 0 hides stones, then seat 1, neither seeing the other's; then both numbers are shown."""
    if state.phase != GUESSING or not settings.draw.by_parity:
        return Refusal(Why.NOT_NOW, text=action.act)
    if to_act(state, settings) != (seat,):
        return Refusal(Why.NOT_YOUR_TURN)
    if not 1 <= action.number <= MOST_HIDDEN:
        return Refusal(Why.HIDE_RANGE, number=MOST_HIDDEN)
    if seat == 0:
        return replace(state, hid=action.number, events=(Event(Happened.HID, seat),))
    odd = (state.hid + action.number) % 2 == 1  # the sum is odd exactly when the difference is
    exchanged = odd == (settings.draw is Draw.PARITY_CN)
    p1 = other(settings.first) if exchanged else settings.first
    shown = (
        Event(Happened.SHOWN, 0, number=state.hid),
        Event(Happened.SHOWN, 1, number=action.number),
        Event(Happened.SETTLED, p1, number=int(exchanged)),
    )
    return replace(_seated(replace(state, hid=0), settings, p1), events=shown)


def _flag(state: State, action: Action) -> State | Refusal:
    """R5.3: this seat's time is over. The first flag ends the game, whatever else is pending."""
    if action.number == 0:
        return lost(state, 0, Reason.TIME)
    if action.number == 1:
        return lost(state, 1, Reason.TIME)
    return Refusal(Why.NOT_NOW, text=action.act)


def _credit(state: State, action: Action) -> State | Refusal:
    """Time during which the service was down; the clock itself is set by ``core.game.apply``."""
    if state.clock.running is None:
        return Refusal(Why.NOT_NOW, text=action.act)
    return replace(state, events=(Event(Happened.TIME_GIVEN, number=action.number),))


def _remind(state: State, action: Action) -> State | Refusal:
    """Once a turn, who has to act is told that the time is nearly over."""
    if state.clock.running is None or state.reminded:
        return Refusal(Why.NOT_NOW, text=action.act)
    reminded = Event(Happened.REMINDED, 0 if state.clock.running == 0 else 1)
    return replace(state, reminded=True, events=(reminded,))


_REFEREE: Final[dict[Act, Callable[[State, Action], State | Refusal]]] = {
    Act.FLAG: _flag,
    Act.CREDIT: _credit,
    Act.REMIND: _remind,
    Act.EXPIRE: lambda state, _: cancelled(state),
}

_AT_ANY_TIME: Final[dict[Act, Callable[[State, Settings, Seat, Action], State | Refusal]]] = {
    Act.GUESS: _guess,
    Act.HIDE: _hide,
    Act.CLAIM: claim,
    Act.RESIGN: agreement.resign,
    Act.LEAVE: agreement.leave,
    Act.CANCEL: agreement.cancel,
    Act.DRAW_OFFER: agreement.draw_offer,
    Act.DRAW_ACCEPT: agreement.draw_accept,
    Act.DRAW_DECLINE: agreement.draw_decline,
    Act.UNDO_ASK: agreement.undo_ask,
    Act.UNDO_ALLOW: agreement.undo_allow,
    Act.UNDO_REFUSE: agreement.undo_refuse,
}
