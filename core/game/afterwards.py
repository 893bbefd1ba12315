"""What a finished game is remembered for, beside its result: how it was won, and what was never claimed (R5.8, R6.8).

Derived from the stones that lie on the board at the end. Nothing here may be asked while a game runs (R6.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from core.game.game import Game
from core.game.outcome import Outcome, Reason
from core.game.settings import FoulMode
from core.game.state import Stone
from core.notation import POINTS, SIZE, Colour, Point, board
from core.rules import five_line

#: With fewer fours before the five it is a five like any other.
_CHAIN: Final = 2


class Manner(StrEnum):
    """How a win came about."""

    PLAIN = "plain"
    VCF = "vcf"  # a five after consecutive fours: VCF胜
    DRIVEN = "driven"  # a forbidden move that had to stop a four: 追下取胜


def manner(game: Game) -> Manner:
    """How a finished game was won; PLAIN for any end that nothing special led to. Raises ``ValueError`` before."""
    outcome = _ended(game)
    if outcome.reason is Reason.FIVE and _fours_before(game) >= _CHAIN:
        return Manner.VCF
    if outcome.reason in (Reason.FORBIDDEN_CLAIMED, Reason.FORBIDDEN_JUDGED) and _stopped_a_four(game, outcome):
        return Manner.DRIVEN
    return Manner.PLAIN


def unclaimed(game: Game) -> tuple[tuple[int, Stone], ...]:
    """The forbidden stones that lie there unclaimed, with their move numbers, after a game with claims has ended."""
    outcome = _ended(game)
    if game.settings.foul_mode is not FoulMode.CLAIM:
        return ()
    numbered = enumerate(game.state.stones, 1)
    return tuple((n, stone) for n, stone in numbered if stone.verdict.forbidden and stone.point != outcome.foul)


def _ended(game: Game) -> Outcome:
    if game.outcome is None:
        raise ValueError("the game is not over")
    return game.outcome


def _fours_before(game: Game) -> int:
    """How many stones of the winner in a row, up to the one before the five, made a four each."""
    stones = game.state.stones
    winner = stones[-1].colour
    fours = 0
    mine = [number for number, stone in enumerate(stones) if stone.colour is winner]
    for number, following in zip(reversed(mine[:-1]), reversed(mine[1:]), strict=True):
        if following - number > 2 or not _five_points(game, stones[: number + 1], winner, stones[number].point):
            break
        fours += 1
    return fours


def _stopped_a_four(game: Game, outcome: Outcome) -> bool:
    """Whether the stone that lost lay on a point where White would have made five."""
    stones = game.state.stones
    at = next((number for number, stone in enumerate(stones) if stone.point == outcome.foul), None)
    return at is not None and outcome.foul in _five_points(game, stones[:at], Colour.WHITE)


def _five_points(game: Game, stones: Sequence[Stone], colour: Colour, through: Point | None = None) -> frozenset[Point]:
    """Where ``colour`` could make five next; only together with the stone on ``through``, where that is given."""
    agreed, black = game.settings, colour is Colour.BLACK
    exact = agreed.black_needs_exactly_five() if black else agreed.white_needs_exactly_five()
    cells = board(
        (stone.point for stone in stones if stone.colour is Colour.BLACK),
        (stone.point for stone in stones if stone.colour is Colour.WHITE),
    )
    found = set()
    for point in range(POINTS):
        if cells[point] or (through is not None and not _in_reach(point, through)):
            continue
        cells[point] = colour
        line = five_line(cells, point, colour, exact=exact)
        cells[point] = Colour.EMPTY
        if line and (through is None or through in line):
            found.add(point)
    return frozenset(found)


def _in_reach(one: Point, other: Point) -> bool:
    """Whether two points can belong to one row of five."""
    return max(abs(one % SIZE - other % SIZE), abs(one // SIZE - other // SIZE)) < 5
