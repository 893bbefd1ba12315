"""The interpreter: one action on one state gives the next state, or a refusal. Pure; no clock is read here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from core.action import TURN_ACTS, Act, Action
from core.game.outcome import Event, Happened, Outcome, Reason, Refusal, Why
from core.game.settings import Draw, FoulMode, Seat, Settings
from core.game.state import GUESSING, State, Stone, other
from core.notation import POINTS, SIZE, Colour, Point, distance_from_tengen
from core.openings.equivalence import equivalent
from core.openings.names import opening_of
from core.openings.protocol import DONE, Phase, Who
from core.rules import Verdict, dead_board, five_line, forbidden, judge


def start(settings: Settings) -> State:
    """The state before the first action."""
    if settings.draw is Draw.GUESS:
        return State(phase=GUESSING)
    return _seated(State(phase=GUESSING), settings, settings.first)


def phase_of(state: State, settings: Settings) -> Phase:
    """The row of the protocol's table that the game is in."""
    return settings.table()[state.phase]


def to_act(state: State, settings: Settings) -> tuple[Seat, ...]:
    """The seats whose turn action the game waits for: one, or none after the end."""
    if state.outcome is not None:
        return ()
    if state.phase == GUESSING:
        return (1,)
    seat = _actor(state, phase_of(state, settings))
    return () if seat is None else (seat,)


def step(state: State, settings: Settings, seat: Seat | None, action: Action) -> State | Refusal:
    """The state after ``seat`` does ``action``; ``None`` is the referee, who alone raises a flag."""
    if state.outcome is not None:
        return Refusal(Why.OVER)
    if action.act is Act.FLAG:
        return _flag(state, action) if seat is None else Refusal(Why.NOT_NOW)
    if seat is None:
        return Refusal(Why.NOT_SEATED)
    if action.act in TURN_ACTS:
        return _turn(state, settings, seat, action)
    return _AT_ANY_TIME[action.act](state, settings, seat, action)


# -- turn actions ------------------------------------------------------------------------------------------------------


def _turn(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    if state.phase == GUESSING:
        return Refusal(Why.NOT_NOW)
    phase = phase_of(state, settings)
    if action.act not in phase.then:
        if action.act is Act.PASS:
            return Refusal(Why.PASS_TOO_EARLY)
        return Refusal(Why.NOT_NOW if _actor(state, phase) == seat else Why.NOT_YOUR_TURN)
    if _actor(state, phase) != seat:
        return Refusal(Why.NOT_YOUR_TURN)
    done = _TURNS[action.act](state, settings, phase, seat, action)
    if isinstance(done, Refusal):
        return done
    if done.outcome is not None:
        return replace(done, past=(seat, state), draw_by=None, undo_by=None)
    lapsed = state.draw_by is not None and state.draw_by != seat  # R5.4: it lapses when its receiver moves
    same_turn = to_act(done, settings) == (seat,)
    return replace(
        done,
        past=(seat, state),
        undo_by=None,
        draw_by=None if lapsed else state.draw_by,
        draw_used=state.draw_used and same_turn,
        claimed_this_turn=state.claimed_this_turn and same_turn,
    )


def _place(state: State, settings: Settings, phase: Phase, seat: Seat, action: Action) -> State | Refusal:
    point = action.points[0]
    colour = state.turn
    if state.cells[point]:
        return Refusal(Why.OCCUPIED, point=point)
    if distance_from_tengen(point) > phase.area // 2:
        return Refusal(Why.OUTSIDE_AREA, point=point, number=phase.area)
    if phase.beyond and distance_from_tengen(point) <= phase.beyond // 2:
        return Refusal(Why.INSIDE_AREA, point=point, number=phase.beyond)
    verdict = Verdict.LEGAL
    if colour is Colour.BLACK and settings.fouls:
        verdict = judge(state.board(), point)
        if verdict.forbidden and settings.foul_mode is FoulMode.BLOCKED:
            return Refusal(Why.FORBIDDEN_POINT, point=point, text=verdict.kind)
    placed = put(state, point, colour, verdict)
    if settings.exclude and len(placed.stones) == 3:
        opening = opening_of(*(stone.point for stone in placed.stones))
        if opening is not None and opening.code in settings.exclude:
            return Refusal(Why.EXCLUDED_OPENING, point=point, text=opening.code)
    placed = replace(
        placed,
        phase=phase.then[Act.PLACE],
        passes=0,
        answered=colour is Colour.WHITE,
        events=(Event(Happened.STONE, seat, colour, (point,)),),
    )
    return _judged(placed, settings, point, colour, verdict)


def put(state: State, point: Point, colour: Colour, verdict: Verdict = Verdict.LEGAL) -> State:
    """The state with one more stone, the other colour to move; nothing is judged."""
    cells = bytearray(state.cells)
    cells[point] = colour
    return replace(state, stones=(*state.stones, Stone(point, colour, verdict)), cells=bytes(cells), turn=colour.other)


def _judged(state: State, settings: Settings, point: Point, colour: Colour, verdict: Verdict) -> State:
    """Whether the stone just put on ``point`` ends the game (R5.1, R5.2, R5.4, R5.5)."""
    if verdict.forbidden:
        if settings.foul_mode is FoulMode.AUTO_LOSS:
            return _won(state, Colour.WHITE, Reason.FORBIDDEN_JUDGED, foul=point, verdict=verdict)
    else:
        exact = settings.black_needs_exactly_five() if colour is Colour.BLACK else settings.white_needs_exactly_five()
        line = five_line(state.board(), point, colour, exact=exact)
        if line:
            return _won(state, colour, Reason.FIVE, line=line)
    if state.pending is not None:
        return _drawn(state, state.pending)
    ended: Reason | None = None
    if len(state.stones) == POINTS:
        ended = Reason.FULL_BOARD
    elif _dead(state, settings):
        ended = Reason.DEAD_BOARD
    if ended is not None:
        if settings.foul_mode is FoulMode.CLAIM and colour is Colour.BLACK:
            return replace(state, pending=ended)  # White may still claim (R5.5)
        return _drawn(state, ended)
    if settings.foul_mode is FoulMode.BLOCKED and settings.no_pass and state.turn is Colour.BLACK:
        return _stuck(state)
    return state


def _dead(state: State, settings: Settings) -> bool:
    return dead_board(
        state.board(),
        black_exact=settings.black_needs_exactly_five(),
        white_exact=settings.white_needs_exactly_five(),
    )


def _stuck(state: State) -> State:
    """R6.7 under ``no_pass``: Black, with nothing but forbidden points left, has lost."""
    if len(forbidden(state.board())) < POINTS - len(state.stones):
        return state
    return _won(state, Colour.WHITE, Reason.NO_MOVE)


def _swap(state: State, settings: Settings, phase: Phase, seat: Seat, action: Action) -> State | Refusal:
    assert state.black is not None
    return replace(
        state,
        phase=phase.then[action.act],
        black=other(state.black),
        events=(Event(Happened.SWAPPED, seat),),
    )


def _keep(state: State, settings: Settings, phase: Phase, seat: Seat, action: Action) -> State | Refusal:
    return replace(state, phase=phase.then[action.act], events=(Event(Happened.KEPT, seat),))


def _offer(state: State, settings: Settings, phase: Phase, seat: Seat, action: Action) -> State | Refusal:
    wanted = (state.declared or phase.offers) - len(state.offers)
    if len(action.points) > wanted:
        return Refusal(Why.TOO_MANY_OFFERS, number=wanted)
    black = frozenset(stone.point for stone in state.stones if stone.colour is Colour.BLACK)
    white = frozenset(stone.point for stone in state.stones if stone.colour is Colour.WHITE)
    offers = state.offers
    for point in action.points:
        if state.cells[point]:
            return Refusal(Why.OCCUPIED, point=point)
        if point in offers:
            return Refusal(Why.OFFERED_ALREADY, point=point)
        for earlier in offers:
            if equivalent(black, white, earlier, point, board_only=settings.symmetry == "board"):
                return Refusal(Why.SAME_AS_OFFER, point=point, other=earlier)
        offers = (*offers, point)
    complete = len(action.points) == wanted
    return replace(
        state,
        phase=phase.then[Act.OFFER] if complete else state.phase,
        offers=offers,
        turn=Colour.BLACK,
        events=(Event(Happened.OFFERED, seat, points=action.points),),
    )


def _choose(state: State, settings: Settings, phase: Phase, seat: Seat, action: Action) -> State | Refusal:
    point = action.points[0]
    if point not in state.offers:
        return Refusal(Why.NOT_OFFERED, point=point)
    placed = put(replace(state, offers=()), point, Colour.BLACK)
    return replace(
        placed,
        phase=phase.then[Act.CHOOSE],
        events=(Event(Happened.CHOSEN, seat, points=(point,)),),
    )


def _pass(state: State, settings: Settings, phase: Phase, seat: Seat, action: Action) -> State | Refusal:
    if state.pending is not None:  # R5.5: White lets the stone stand
        return _drawn(replace(state, events=(Event(Happened.PASSED, seat),)), state.pending)
    if settings.no_pass:
        return Refusal(Why.NO_PASS)
    passed = replace(
        state,
        turn=state.turn.other,
        passes=state.passes + 1,
        answered=True,
        events=(Event(Happened.PASSED, seat),),
    )
    return _drawn(passed, Reason.DOUBLE_PASS) if passed.passes == 2 else passed


_TURNS: Final[dict[Act, Callable[[State, Settings, Phase, Seat, Action], State | Refusal]]] = {
    Act.PLACE: _place,
    Act.SWAP: _swap,
    Act.KEEP: _keep,
    Act.OFFER: _offer,
    Act.CHOOSE: _choose,
    Act.PASS: _pass,
}


# -- actions that can come at any time -----------------------------------------------------------------------------------


def _guess(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    if state.phase != GUESSING:
        return Refusal(Why.NOT_NOW)
    if seat != 1:
        return Refusal(Why.NOT_YOUR_TURN)
    right = (settings.hidden % 2 == 1) == (action.word == "odd")
    guessed = Event(Happened.GUESSED, seat, Colour.BLACK if right else Colour.WHITE, number=settings.hidden)
    return replace(_seated(state, settings, 1 if right else 0), events=(guessed,))


def _claim(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    if settings.foul_mode is not FoulMode.CLAIM:
        return Refusal(Why.NO_CLAIMS_HERE)
    if state.phase != DONE:
        return Refusal(Why.CLAIM_TOO_EARLY)
    if state.colour_of(seat) is not Colour.WHITE:
        return Refusal(Why.ONLY_WHITE_CLAIMS)
    if state.wrong_claims >= settings.wrong_claims > 0:
        return Refusal(Why.NO_CLAIMS_LEFT)
    if state.claimed_this_turn:
        return Refusal(Why.CLAIMED_THIS_TURN)
    foul = claimable(state, settings)
    if foul is not None:
        return _won(
            replace(state, events=(), draw_by=None, undo_by=None),
            Colour.WHITE,
            Reason.FORBIDDEN_CLAIMED,
            foul=foul.point,
            verdict=foul.verdict,
        )
    wrong = replace(
        state,
        claimed_this_turn=True,
        wrong_claims=state.wrong_claims + 1,
        events=(Event(Happened.WRONG_CLAIM, seat),),
    )
    if settings.wrong_claim == "lose_turn" and state.turn is Colour.WHITE:  # R6.5a: not a pass
        return replace(wrong, turn=Colour.BLACK, answered=True, claimed_this_turn=False, draw_used=False)
    return wrong


def claimable(state: State, settings: Settings) -> Stone | None:
    """The stone that a claim would be right about now, by R6.2 and R6.3."""
    if settings.foul_mode is not FoulMode.CLAIM:
        return None
    for stone in reversed(state.stones):
        if not stone.verdict.forbidden:
            continue
        if stone is state.last and not state.answered:
            return stone
        if stone.verdict is Verdict.OVERLINE and settings.overline_claim == "any_time":
            return stone
    return None


def _resign(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    if len(state.stones) < 2:
        return Refusal(Why.TOO_EARLY)
    return _lost(state, seat, Reason.RESIGNED)


def _leave(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    """Leaving loses; before the second stone there is no game yet to lose."""
    if len(state.stones) < 2:
        return _cancel(state, settings, seat, action)
    return _lost(state, seat, Reason.LEFT)


def _cancel(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    if len(state.stones) >= 2:
        return Refusal(Why.CANCEL_TOO_LATE)
    return replace(state, outcome=Outcome(Reason.CANCELLED), events=(Event(Happened.OVER, seat),))


def _flag(state: State, action: Action) -> State | Refusal:
    if action.number not in (0, 1):
        return Refusal(Why.NOT_NOW)
    return _lost(state, 0 if action.number == 0 else 1, Reason.TIME)


def _draw_offer(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    if len(state.stones) < 2:
        return Refusal(Why.TOO_EARLY)
    if state.draw_by is not None:
        return Refusal(Why.DRAW_STANDS if state.draw_by == seat else Why.ANSWER_DRAW)
    if to_act(state, settings) != (seat,):
        return Refusal(Why.NOT_YOUR_TURN)
    if state.draw_used:
        return Refusal(Why.DRAW_ONCE)
    return replace(state, draw_by=seat, draw_used=True, events=(Event(Happened.DRAW_OFFERED, seat),))


def _draw_accept(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    if state.draw_by is None or state.draw_by == seat:
        return Refusal(Why.NO_DRAW_OFFER)
    return _drawn(state, Reason.DRAW_AGREED)


def _draw_decline(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    if state.draw_by is None or state.draw_by == seat:
        return Refusal(Why.NO_DRAW_OFFER)
    return replace(state, draw_by=None, events=(Event(Happened.DRAW_DECLINED, seat),))


def _undo_ask(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
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


def _undo_allow(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    if state.undo_by is None or state.undo_by == seat:
        return Refusal(Why.NO_UNDO_REQUEST)
    earlier = before(state, state.undo_by)
    if earlier is None:
        return Refusal(Why.NOTHING_TO_UNDO)
    undone = Event(Happened.UNDONE, state.undo_by, number=len(state.stones) - len(earlier.stones))
    return replace(earlier, draw_by=None, undo_by=None, events=(undone,))


def _undo_refuse(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    if state.undo_by is None or state.undo_by == seat:
        return Refusal(Why.NO_UNDO_REQUEST)
    return replace(state, undo_by=None, events=(Event(Happened.UNDO_REFUSED, seat),))


_AT_ANY_TIME: Final[dict[Act, Callable[[State, Settings, Seat, Action], State | Refusal]]] = {
    Act.GUESS: _guess,
    Act.CLAIM: _claim,
    Act.RESIGN: _resign,
    Act.LEAVE: _leave,
    Act.CANCEL: _cancel,
    Act.DRAW_OFFER: _draw_offer,
    Act.DRAW_ACCEPT: _draw_accept,
    Act.DRAW_DECLINE: _draw_decline,
    Act.UNDO_ASK: _undo_ask,
    Act.UNDO_ALLOW: _undo_allow,
    Act.UNDO_REFUSE: _undo_refuse,
}


# -- seats and endings -------------------------------------------------------------------------------------------------


def _seated(state: State, settings: Settings, p1: Seat) -> State:
    return replace(state, phase=settings.table().first, p1=p1, black=p1)


def _actor(state: State, phase: Phase) -> Seat | None:
    assert state.p1 is not None
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
            last = state.last
            assert last is not None
            whose = state.seat_of(last.colour)
            return None if whose is None else other(whose)


def _won(
    state: State,
    colour: Colour,
    reason: Reason,
    *,
    line: tuple[Point, ...] = (),
    foul: Point | None = None,
    verdict: Verdict = Verdict.LEGAL,
) -> State:
    winner = state.seat_of(colour)
    outcome = Outcome(reason, winner, colour, line, foul, verdict)
    return replace(state, outcome=outcome, events=(*state.events, Event(Happened.OVER, winner, colour)))


def _lost(state: State, seat: Seat, reason: Reason) -> State:
    winner = other(seat)
    outcome = Outcome(reason, winner, state.colour_of(winner))
    return replace(state, draw_by=None, undo_by=None, outcome=outcome, events=(Event(Happened.OVER, winner),))


def _drawn(state: State, reason: Reason) -> State:
    return replace(
        state, draw_by=None, undo_by=None, outcome=Outcome(reason), events=(*state.events, Event(Happened.OVER))
    )
