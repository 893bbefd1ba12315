"""What a score means: how likely Black wins, draws or loses from there on.

The curve was fitted by ``tools/fit_chances.py`` to games of the engine against itself, in which every position's score
stands beside the game's result. Players of the same strength are assumed; a beginner's lead is worth less.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Self

from core.ai.search import DECIDED

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


def likely(score: float, curve: tuple[float, float, float, float]) -> tuple[float, float, float]:
    """Win, draw and loss by a curve of scale, even point, width of draws and most: two logistic curves ``2 * drawn``
    apart over the bent score, and what lies between them.
    """
    scale, even, drawn, most = curve
    lead = most * math.tanh((score - even) / most)
    win = 1 / (1 + math.exp(-(lead - drawn) / scale))
    loss = 1 / (1 + math.exp((lead + drawn) / scale))
    return win, max(0.0, 1.0 - win - loss), loss
