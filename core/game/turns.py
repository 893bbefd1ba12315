"""Turn actions: what the phases of a protocol, and ordinary play, wait for. Each is one step of the record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from core.action import Act, Action
from core.game.endings import drawn, judged
from core.game.outcome import Event, Happened, Reason, Refusal, Why
from core.game.seats import actor, phase_of, to_act
from core.game.settings import FoulMode, Seat, Settings
from core.game.state import GUESSING, State, Stone, other
from core.notation import Colour, Point, distance_from_tengen
from core.openings.equivalence import equivalent
from core.openings.protocol import Phase
from core.rules import Verdict, five_line, judge

#: Squares for moves 1 to 3 that leave only the 26 openings (R8.4).
_BOOK: Final = (1, 3, 5)


def turn(state: State, settings: Settings, seat: Seat, action: Action) -> State | Refusal:
    """The state after a turn action of ``seat``, or why not.

    The reasons are asked in the order in which they help: is this action open at all, is it this seat's turn, and only
    then what is wrong with the point.
    """
    refusal = _refused(state, settings, seat, action)
    if refusal is not None:
        return refusal
    done = _TURNS[action.act](state, settings, phase_of(state, settings), seat, action)
    if isinstance(done, Refusal):
        return done
    done = replace(done, past=(seat, state))
    if done.outcome is not None:
        return done
    lapsed = state.draw_by is not None and state.draw_by != seat  # R5.4: it lapses when its receiver moves
    same_turn = to_act(done, settings) == (seat,)
    return replace(
        done,
        undo_by=None,
        draw_by=None if lapsed else state.draw_by,
        draw_used=state.draw_used and same_turn,
        claimed_this_turn=state.claimed_this_turn and same_turn,
    )


def _refused(state: State, settings: Settings, seat: Seat, action: Action) -> Refusal | None:
    if state.phase == GUESSING:
        return Refusal(Why.NOT_NOW, text=action.act)
    phase = phase_of(state, settings)
    on_turn = actor(state, phase) == seat
    if action.act not in phase.then:
        if action.act is Act.PASS:
            if settings.no_pass:
                return Refusal(Why.NO_PASS)
            return Refusal(Why.PASS_TOO_EARLY if on_turn else Why.NOT_YOUR_TURN)
        if action.act is Act.PLACE and not on_turn:
            return Refusal(Why.NOT_YOUR_TURN)
        return Refusal(Why.NOT_NOW, text=action.act)
    return None if on_turn else Refusal(Why.NOT_YOUR_TURN)


# -- stones ------------------------------------------------------------------------------------------------------------


def _place(state: State, settings: Settings, phase: Phase, seat: Seat, action: Action) -> State | Refusal:
    placed = _stone(state, settings, phase, action.points[0], phase.area)
    if isinstance(placed, Refusal):
        return placed
    stone = placed.stones[-1]
    if stone.verdict.forbidden and settings.foul_mode is FoulMode.BLOCKED:
        return Refusal(Why.FORBIDDEN_POINT, point=stone.point, text=stone.verdict.kind)
    placed = replace(
        placed,
        phase=phase.then[Act.PLACE],
        passes=0,
        answered=stone.colour is Colour.WHITE,
        events=(Event(Happened.STONE, seat, stone.colour, (stone.point,)),),
    )
    return judged(placed, settings, stone)


def _stone(state: State, settings: Settings, phase: Phase, point: Point, area: int) -> State | Refusal:
    """One more stone of the side to move where the protocol lets it lie; what it makes is not asked, only noted."""
    if state.cells[point]:
        return Refusal(Why.OCCUPIED, point=point)
    area = square(state, settings, area)
    distance = distance_from_tengen(point)
    if distance > area // 2:
        return Refusal(Why.OUTSIDE_AREA, point=point, number=area)
    if phase.beyond and distance <= phase.beyond // 2:
        return Refusal(Why.INSIDE_AREA, point=point, number=phase.beyond)
    verdict = judge(state.board(), point) if state.turn is Colour.BLACK and settings.fouls else Verdict.LEGAL
    placed = put(state, point, verdict)
    if len(placed.stones) == 3:
        opening = placed.opening
        if opening is not None and opening.code in (*settings.exclude, *settings.table().exclude):
            return Refusal(Why.EXCLUDED_OPENING, point=point, text=opening.code)
    return placed


def square(state: State, settings: Settings, area: int) -> int:
    """The side of the square around tengen for the next stone, where the phase gives ``area`` (R8.4)."""
    number = len(state.stones)
    return min(area, _BOOK[number]) if settings.no_offbook and number < len(_BOOK) else area


def put(state: State, point: Point, verdict: Verdict = Verdict.LEGAL) -> State:
    """The state with one more stone of the side to move, the other colour to move; nothing is judged."""
    cells = bytearray(state.cells)
    cells[point] = state.turn
    stone = Stone(point, state.turn, verdict)
    return replace(state, stones=(*state.stones, stone), cells=bytes(cells), turn=state.turn.other)


def _add(state: State, settings: Settings, phase: Phase, seat: Seat, action: Action) -> State | Refusal:
    """White's stone first, then Black's. Neither may make five or more, or be forbidden (section 9)."""
    added = state
    for point, area in zip(action.points, (phase.area, phase.next_area), strict=True):
        after = _stone(added, settings, phase, point, area)
        if isinstance(after, Refusal):
            return after
        stone = after.stones[-1]
        if five_line(after.board(), point, stone.colour, exact=False):
            return Refusal(Why.MAKES_FIVE, point=point)
        if stone.verdict.forbidden:
            return Refusal(Why.FORBIDDEN_POINT, point=point, text="" if settings.secret else stone.verdict.kind)
        added = after
    return replace(added, phase=phase.then[Act.ADD], events=(Event(Happened.ADDED, seat, points=action.points),))


def _pass(state: State, settings: Settings, phase: Phase, seat: Seat, action: Action) -> State | Refusal:
    passed = replace(
        state,
        turn=state.turn.other,
        passes=state.passes + 1,
        answered=True,  # R5.6: White's pass is an answer; Black's comes after one
        events=(Event(Happened.PASSED, seat),),
    )
    if state.pending is not None:  # R5.5: White lets the stone stand
        return drawn(passed, state.pending)
    if settings.no_pass:
        return Refusal(Why.NO_PASS)
    return drawn(passed, Reason.DOUBLE_PASS) if passed.passes == 2 else passed


# -- colours -----------------------------------------------------------------------------------------------------------


def _swap(state: State, settings: Settings, phase: Phase, seat: Seat, action: Action) -> State | Refusal:
    holder = state.seat_of(Colour.WHITE)
    return replace(state, phase=phase.then[Act.SWAP], black=holder, events=(Event(Happened.SWAPPED, seat),))


def _keep(state: State, settings: Settings, phase: Phase, seat: Seat, action: Action) -> State | Refusal:
    return replace(state, phase=phase.then[Act.KEEP], events=(Event(Happened.KEPT, seat),))


def _colour(state: State, settings: Settings, phase: Phase, seat: Seat, action: Action) -> State | Refusal:
    taken = Colour.BLACK if action.word == "black" else Colour.WHITE
    return replace(
        state,
        phase=phase.then[Act.COLOUR],
        black=seat if taken is Colour.BLACK else other(seat),
        events=(Event(Happened.TOOK, seat, taken),),
    )


# -- fifth moves -------------------------------------------------------------------------------------------------------


def _declare(state: State, settings: Settings, phase: Phase, seat: Seat, action: Action) -> State | Refusal:
    if not 1 <= action.number <= phase.most:
        return Refusal(Why.DECLARE_RANGE, number=phase.most)
    declared = Event(Happened.DECLARED, seat, number=action.number)
    return replace(state, phase=phase.then[Act.DECLARE], declared=action.number, events=(declared,))


def _branch(state: State, settings: Settings, phase: Phase, seat: Seat, action: Action) -> State | Refusal:
    """Black offers fifth moves instead of deciding on a swap (taraguchi)."""
    then = phase.then[Act.BRANCH]
    branched = Event(Happened.BRANCHED, seat, number=settings.table()[then].offers)
    return replace(state, phase=then, events=(branched,))


def offers_wanted(state: State, phase: Phase) -> int:
    """How many fifth moves must still be offered in this phase."""
    return (phase.offers or state.declared) - len(state.offers)


def _offer(state: State, settings: Settings, phase: Phase, seat: Seat, action: Action) -> State | Refusal:
    wanted = offers_wanted(state, phase)
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
        events=(Event(Happened.OFFERED, seat, points=action.points),),
    )


def _choose(state: State, settings: Settings, phase: Phase, seat: Seat, action: Action) -> State | Refusal:
    """White keeps one offer: Black's third stone, which can be neither five nor forbidden."""
    point = action.points[0]
    if point not in state.offers:
        return Refusal(Why.NOT_OFFERED, point=point)
    chosen = Event(Happened.CHOSEN, seat, points=(point,))
    return replace(put(state, point), phase=phase.then[Act.CHOOSE], offers=(), events=(chosen,))


_TURNS: Final[dict[Act, Callable[[State, Settings, Phase, Seat, Action], State | Refusal]]] = {
    Act.PLACE: _place,
    Act.ADD: _add,
    Act.PASS: _pass,
    Act.SWAP: _swap,
    Act.KEEP: _keep,
    Act.COLOUR: _colour,
    Act.DECLARE: _declare,
    Act.BRANCH: _branch,
    Act.OFFER: _offer,
    Act.CHOOSE: _choose,
}
