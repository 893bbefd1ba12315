"""Whose turn it is, by the protocol's table."""

from __future__ import annotations

from core.game.settings import Seat, Settings
from core.game.state import GUESSING, State, other
from core.notation import Colour
from core.openings.protocol import Phase, Who


def phase_of(state: State, settings: Settings) -> Phase:
    """The row of the protocol's table that the game is in. There is none while the colours are still being drawn."""
    return settings.table()[state.phase]


def to_act(state: State, settings: Settings) -> tuple[Seat, ...]:
    """The seats whose turn action the game waits for: one, or none after the end."""
    if state.outcome is not None:
        return ()
    if state.phase == GUESSING:
        return (0,) if settings.draw.by_parity and not state.hid else (1,)
    seat = actor(state, phase_of(state, settings))
    return () if seat is None else (seat,)


def actor(state: State, phase: Phase) -> Seat | None:
    """Who acts in this phase; ``None`` before the colours are drawn."""
    if state.p1 is None:
        return None
    match phase.who:
        case Who.P1:
            return state.p1
        case Who.P2:
            return other(state.p1)
        case Who.BLACK:
            return state.seat_of(Colour.BLACK)
        case Who.WHITE:
            return state.seat_of(Colour.WHITE)
        case Who.TURN:
            return state.seat_of(state.turn)
        case Who.OTHER:
            # Colours never change between a stone and the question that follows it.
            return state.seat_of(state.stones[-1].colour.other)
