"""Decisions of opening protocols: which opening, which side, which fifth moves."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from core.action import Act
from core.ai.chances import EVEN
from core.ai.think import Deadline, Fours, Mind, Rules, vcf
from core.game import Game, State
from core.notation import POINTS, SIZE, TENGEN, Board, Colour, Point, distance_from_tengen
from core.openings.names import OPENINGS, orientations
from core.openings.protocol import DONE, Phase

#: Openings held to be won for one side: 花月 and 浦月 for Black (R8.5), D13 and I13 for White (swap_1989).
_FOR_BLACK: Final = frozenset({"D4", "I7"})
_FOR_WHITE: Final = frozenset({"D13", "I13"})
#: So far from the middle a first stone still begins an opening.
_ABOUT_THE_MIDDLE: Final = 3
#: How many fifth moves are compared; and how many more than are asked for.
_FIFTHS: Final = 14
_SPARE: Final = 4
#: What Black's position scores when an opening is an ordinary one: the first stone is an advantage that the steps to
#: come take away. With three stones, and with four for the best fifth move, the second best and so on (the means over
#: the 26 openings in the book, each with the fourth move that leaves Black least).
USUAL_THREE: Final = 74
USUAL_FIFTHS: Final = (82, 40, 24, 5, -12, -21, -36, -51, -59, -72, -87, -94)


def within(phase: Phase, p: Point) -> bool:
    """Whether a phase lets a stone lie on a point, as far as its squares say."""
    distance = distance_from_tengen(p)
    return distance <= phase.area // 2 and (not phase.beyond or distance > phase.beyond // 2)


def second_stones(first: Point) -> tuple[Point, ...]:
    """Where White answers a first stone that may be answered anywhere: beside it, as in every opening of Renju.

    Empty when the first stone is far from the middle; then the middle may be better.
    """
    if distance_from_tengen(first) > _ABOUT_THE_MIDDLE:
        return ()
    steps = (-1, 0, 1)
    return tuple(first + SIZE * up + right for up in steps for right in steps if up or right)


def balanced_stone(game: Game, phase: Phase, mind: Mind, deadline: Deadline, random: Random) -> Point | None:
    """A stone after which neither side stands clearly better, for phases where the other may then choose sides."""
    state = game.state
    number = len(state.stones)
    if number < 3 and all(stone.point in _book_square(n) for n, stone in enumerate(state.stones)):
        return _opening_stone(game, number, random)
    allowed = [p for p in (int(p) for p in mind.candidates()) if within(phase, p)]
    scored = mind.compare(allowed[:24], deadline)
    if not scored:
        return None
    usual = USUAL_FIFTHS[0] if number == 3 and _fifths_to_come(game) else 0
    even = usual if state.turn is Colour.BLACK else -usual
    scored.sort(key=lambda pair: abs(pair[0] - even))
    return random.choice(scored[:3])[1]


def _fifths_to_come(game: Game) -> int:
    """How many fifth moves will be offered; 0 when none will, 1 when their number is still to be declared."""
    table = game.settings.table()
    name = game.state.phase
    while name != DONE:
        phase = table[name]
        if Act.OFFER in phase.then:
            return phase.offers or game.state.declared or 1
        name = phase.then.get(Act.KEEP) or next(iter(phase.then.values()))
    return 0


def _book_square(number: int) -> frozenset[Point]:
    return frozenset(p for p in range(POINTS) if distance_from_tengen(p) <= number)


def _opening_stone(game: Game, number: int, random: Random) -> Point | None:
    """The next stone of an opening drawn by lot among those that are not held to be decided."""
    left_out = {*_FOR_BLACK, *_FOR_WHITE, *game.settings.exclude, *game.settings.table().exclude}
    points = [stone.point for stone in game.state.stones]
    lots = [
        (TENGEN, second, third)
        for opening in OPENINGS
        if opening.code not in left_out
        for second, third in orientations(opening)
        if points == [TENGEN, second, third][:number]
    ]
    return random.choice(lots)[number] if lots else None


def prefers_black(game: Game, mind: Mind, deadline: Deadline, random: Random) -> bool:
    """Whether Black is the better side to have now."""
    state = game.state
    number = len(state.stones)
    if number < 3:
        return random.random() < 0.5
    opening = state.opening if number == 3 else None
    if opening is not None and opening.code in (_FOR_BLACK | _FOR_WHITE):
        return opening.code in _FOR_BLACK
    fifths = _fifths_to_come(game)
    if number == 4 and fifths and state.turn is Colour.BLACK:
        scored = mind.compare([int(p) for p in mind.candidates()[: fifths + _FIFTHS]], deadline)
        kept = min(fifths, len(scored)) - 1
        return scored[kept][0] > (EVEN if state.declared else USUAL_FIFTHS[min(kept, len(USUAL_FIFTHS) - 1)])
    score = mind.best(deadline).score
    for_black = score if state.turn is Colour.BLACK else -score
    return for_black > (USUAL_THREE if number == 3 and game.settings.fouls else 0)


def offering_pays(mind: Mind, offers: int, deadline: Deadline) -> bool:
    """Whether even the worst of so many fifth moves, which White would keep, leaves Black the better side.

    Black would offer them instead of letting the other side choose between the colours again, which leaves nobody
    better.
    """
    scored = mind.compare([int(p) for p in mind.candidates()[: offers + _SPARE]], deadline)
    return len(scored) >= offers and scored[offers - 1][0] > EVEN


def declared_number(state: State, mind: Mind, rules: Rules, most: int, deadline: Deadline) -> int:
    """How many fifth moves to ask for, so that the worst of them, which White will keep, leaves neither side better.

    Before the fourth stone it is supposed that White will put its best one.
    """
    if state.turn is Colour.WHITE:
        fourth = mind.best(_time_share(deadline, 0.4)).point
        if fourth is None:
            return 1
        after = state.board()
        after[fourth] = Colour.WHITE
        mind, deadline = Mind(after, Colour.BLACK, rules), _time_share(deadline, 0.6)
    scored = mind.compare([int(p) for p in mind.candidates()[: most + _SPARE]], deadline)
    return 1 + min(range(min(most, len(scored))), key=lambda n: abs(scored[n][0] - EVEN), default=0)


def _time_share(deadline: Deadline, share: float) -> Deadline:
    """So much of its time, from now on; the nodes are for every search anew."""
    seconds = None if deadline.seconds is None else deadline.seconds * share
    return Deadline(seconds=seconds, nodes=deadline.nodes, stop=deadline.stop)


def fifth_moves(
    state: State,
    mind: Mind,
    rules: Rules,
    *,
    wanted: int,
    deadline: Deadline,
    accepted: Callable[[tuple[Point, ...]], bool],
) -> tuple[Point, ...]:
    """So many fifth moves that ``accepted`` takes together, the best for Black; White keeps the worst of them.

    None after which White wins by continuous fours is among them while others are left.
    """
    first = [int(p) for p in mind.candidates()]
    safe: list[Point] = []
    unsafe: list[Point] = []
    for p in first:
        (unsafe if _loses_to_fours(state, p, rules) else safe).append(p)
    scored = [p for _, p in mind.compare(safe[: max(_FIFTHS, 2 * wanted)], deadline)]
    rest = sorted((p for p in range(POINTS) if not state.cells[p] and p not in first), key=distance_from_tengen)
    chosen: tuple[Point, ...] = ()
    for p in dict.fromkeys((*scored, *safe, *rest, *unsafe)):
        if len(chosen) == wanted:
            break
        if accepted((*chosen, p)):
            chosen = (*chosen, p)
    return chosen


def _loses_to_fours(state: State, p: Point, rules: Rules) -> bool:
    after = state.board()
    after[p] = Colour.BLACK
    return _fours(after, Colour.WHITE, rules).won is True


def _fours(board: Board, colour: Colour, rules: Rules) -> Fours:
    return vcf(
        board,
        colour,
        fouls=rules.fouls,
        black_exact=rules.black_exact,
        white_exact=rules.white_exact,
        nodes=20_000,
    )


def choose_offer(state: State, rules: Rules, deadline: Deadline) -> Point:
    """The offer that is worst for Black."""
    worst: list[tuple[int, Point]] = []
    for p in state.offers:
        after = state.board()
        after[p] = Colour.BLACK
        thought = Mind(after, Colour.WHITE, rules).best(_time_share(deadline, 1 / len(state.offers)))
        worst.append((thought.score, p))
    return max(worst, key=lambda pair: pair[0])[1]
