"""What a score means: how likely Black wins, draws or loses from there on.

The curve was fitted by ``tools/fit_chances.py`` to games of the engine against itself, in which every position's score
stands beside the game's result. Players of the same strength are assumed; a beginner's lead is worth less.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Self

from core.ai.search import DECIDED
from core.notation import Colour

# Fitted to 7,446 undecided positions of 400 games, 3,000 nodes a move. In ten bands of scores the expected points and
# those that were made lie at most 0.05 apart. Scores are the engine's, from Black's view.
#: By how much a score must grow for the odds to grow by the factor e.
SCALE: Final = 73.8
#: The score at which winning and losing are equally likely.
EVEN: Final = 18.8
#: Half the width of scores in which a draw is likelier than the curves around it would have it.
DRAWN: Final = 4.7
#: The score that no lead, however large, counts for more than: far from even a larger lead says little more.
MOST: Final = 150.0

#: A move is as good as the best one when it costs at most so many of the expected points, which are about 15 of the
#: engine's units where the game is even and more where it is clearer ...
AS_GOOD: Final = 0.05
#: ... and when it is at most so many units worse: with a large lead, too, not everything is the same.
_MOST_WORSE: Final = 60


@dataclass(frozen=True, slots=True)
class Chances:
    """How likely each result is, for Black. The three are at least 0 and add up to 1."""

    win: float
    draw: float
    loss: float

    @classmethod
    def of(cls, score: int) -> Self:
        """For a score from Black's view; certain where the end has been seen."""
        if abs(score) > DECIDED:
            return cls(1.0, 0.0, 0.0) if score > 0 else cls(0.0, 0.0, 1.0)
        win, draw, loss = likely(score, (SCALE, EVEN, DRAWN, MOST))
        return cls(win, draw, loss)

    @property
    def expected(self) -> float:
        """Black's expected points, a draw being half a point."""
        return self.win + self.draw / 2


def margin(score: int, to_move: Colour, cost: float = AS_GOOD) -> int:
    """How much worse than the best move another one may be that is as good; ``score`` is the best one's.

    Both are for the side to move. 0 where the end has been seen.
    """
    if abs(score) > DECIDED:
        return 0
    sign = 1 if to_move is Colour.BLACK else -1

    def expected(fall: int) -> float:
        return sign * Chances.of(sign * (score - fall)).expected

    return next((fall for fall in range(_MOST_WORSE) if expected(0) - expected(fall + 1) > cost), _MOST_WORSE)


def likely(score: float, curve: tuple[float, float, float, float]) -> tuple[float, float, float]:
    """Win, draw and loss by a curve of scale, even point, width of draws and most: two logistic curves ``2 * drawn``
    apart over the bent score, and what lies between them.
    """
    scale, even, drawn, most = curve
    lead = most * math.tanh((score - even) / most)
    win = 1 / (1 + math.exp(-(lead - drawn) / scale))
    loss = 1 / (1 + math.exp((lead + drawn) / scale))
    return win, max(0.0, 1.0 - win - loss), loss
