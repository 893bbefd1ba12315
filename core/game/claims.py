"""White's claim that a black stone is a forbidden move (section 6), in games of the foul mode ``claim``."""

from __future__ import annotations

from dataclasses import replace

from core.action import Action
from core.game.endings import drawn, won
from core.game.outcome import Event, Happened, Reason, Refusal, Why
from core.game.settings import FoulMode, Seat, Settings
from core.game.state import State, Stone
from core.notation import Colour
from core.openings.protocol import DONE
from core.rules import Verdict


def claim(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    """The game won, or a wrong claim counted. No refusal depends on what lies on the board (R6.1)."""
    if settings.foul_mode is not FoulMode.CLAIM:
        return Refusal(Why.NO_CLAIMS_HERE)
    if state.phase != DONE:
        return Refusal(Why.CLAIM_TOO_EARLY)
    if state.colour_of(seat) is not Colour.WHITE:
        return Refusal(Why.ONLY_WHITE_CLAIMS)
    if state.wrong_claims >= settings.wrong_claims:
        return Refusal(Why.NO_CLAIMS_LEFT)
    if state.claimed_this_turn:
        return Refusal(Why.CLAIMED_THIS_TURN)
    foul = claimable(state, settings)
    if foul is not None:
        return won(replace(state, events=()), Colour.WHITE, Reason.FORBIDDEN_CLAIMED, foul=foul)
    wrong = replace(
        state,
        claimed_this_turn=True,
        wrong_claims=state.wrong_claims + 1,
        events=(Event(Happened.WRONG_CLAIM, seat),),
    )
    if settings.wrong_claim == "lose_turn" and state.turn is Colour.WHITE:
        return _forfeit(wrong)
    return wrong


def _forfeit(state: State) -> State:
    """White's turn is over without a stone. It answers Black's, but is no pass (R6.5a)."""
    if state.pending is not None:  # R5.5: the draw takes effect after White's turn
        return drawn(state, state.pending)
    return replace(state, turn=Colour.BLACK, answered=True, passes=0, claimed_this_turn=False, draw_used=False)


def claimable(state: State, settings: Settings) -> Stone | None:
    """The stone that a claim would be right about now, by R6.2 and R6.3. A secret while the game runs."""
    if settings.foul_mode is not FoulMode.CLAIM:
        return None
    last = state.last
    if last is not None and last.verdict.forbidden and not state.answered:
        return last
    if settings.overline_claim == "immediate":
        return None
    overlines = (stone for stone in reversed(state.stones) if stone.verdict is Verdict.OVERLINE)
    return next(overlines, None)
