"""How a game ends: by the stone just put (R5.1, R5.2, R5.4, R5.5), by losing it, by a draw."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from core.game.outcome import Event, Happened, Outcome, Reason
from core.game.settings import FoulMode, Seat, Settings
from core.game.state import State, Stone, other
from core.notation import POINTS, Colour, Point
from core.rules import Verdict, dead_board, five_line, forbidden

#: With fewer black stones than this no board is dead: each stone lies on at most 20 of the 572 rows of five, and every
#: one of them must hold a black stone.
_FEWEST_FOR_DEAD: Final = 29


def judged(state: State, settings: Settings, stone: Stone) -> State:
    """The state with the game ended, if the stone just put ends it."""
    if stone.verdict.forbidden:
        if settings.foul_mode is FoulMode.AUTO_LOSS:
            return won(state, Colour.WHITE, Reason.FORBIDDEN_JUDGED, foul=stone)
    else:
        black = stone.colour is Colour.BLACK
        exact = settings.black_needs_exactly_five() if black else settings.white_needs_exactly_five()
        line = five_line(state.board(), stone.point, stone.colour, exact=exact)
        if line:
            return won(state, stone.colour, Reason.FIVE, line=line)
    ended = state.pending
    if len(state.stones) == POINTS:
        ended = Reason.FULL_BOARD
    elif ended is None and _dead(state, settings):
        ended = Reason.DEAD_BOARD
    if ended is not None:
        if settings.foul_mode is FoulMode.CLAIM and stone.colour is Colour.BLACK:
            return replace(state, pending=ended)  # R5.5: White may still claim
        return drawn(state, ended)
    if settings.foul_mode is FoulMode.BLOCKED and settings.no_pass and state.turn is Colour.BLACK:
        return _stuck(state)
    return state


def _dead(state: State, settings: Settings) -> bool:
    if len(state.stones) < _FEWEST_FOR_DEAD:
        return False
    return dead_board(
        state.board(),
        black_exact=settings.black_needs_exactly_five(),
        white_exact=settings.white_needs_exactly_five(),
    )


def _stuck(state: State) -> State:
    """R6.7 under ``no_pass``: Black, with nothing but forbidden points left, has lost."""
    if len(forbidden(state.board())) < POINTS - len(state.stones):
        return state
    return won(state, Colour.WHITE, Reason.NO_MOVE)


def won(
    state: State, colour: Colour, reason: Reason, *, line: tuple[Point, ...] = (), foul: Stone | None = None
) -> State:
    """The state with the game won by a colour."""
    winner = state.seat_of(colour)
    outcome = Outcome(
        reason,
        winner,
        colour,
        line,
        None if foul is None else foul.point,
        Verdict.LEGAL if foul is None else foul.verdict,
    )
    return _over(state, outcome)


def lost(state: State, seat: Seat, reason: Reason) -> State:
    """The state with the game lost by a seat, whatever lies on the board."""
    winner = other(seat)
    return _over(replace(state, events=()), Outcome(reason, winner, state.colour_of(winner)))


def drawn(state: State, reason: Reason) -> State:
    """The state with the game drawn."""
    return _over(state, Outcome(reason))


def cancelled(state: State) -> State:
    """The state with the game called off: no result."""
    return _over(replace(state, events=()), Outcome(Reason.CANCELLED))


def _over(state: State, outcome: Outcome) -> State:
    """Nothing waits for an answer any more."""
    over = Event(Happened.OVER, outcome.winner, outcome.colour)
    return replace(state, pending=None, draw_by=None, undo_by=None, outcome=outcome, events=(*state.events, over))
