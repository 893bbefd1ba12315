"""The engine's levels, from a player's first week to all it has.

A level is how many nodes it thinks for and how attentive it is, never how long it takes: the same on every machine.
The first six err by not seeing rows of stones (:mod:`core.ai.sight`), the sixth seldom; what they do see they think
through. The others see everything, have read the opening book and differ in nodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Level:
    """How well the engine plays."""

    number: int
    nodes: int | None
    """A move; ``None``: as many as its time lets it."""
    blindness: float = 0.0
    """How much it overlooks, see :func:`core.ai.sight.missed`; 0: it sees everything."""

    well_read: bool = False
    """Whether it knows the opening book, where there is one."""

    @property
    def beginner(self) -> bool:
        """Whether it is meant for people who are learning: such an opponent plays on to the five."""
        return self.number <= _LEARNING


#: The last of the levels for people who are learning.
_LEARNING: Final = 5
_LEVELS: Final = (
    Level(1, 300, 1.3),
    Level(2, 700, 0.87),
    Level(3, 1_200, 0.58),
    Level(4, 1_800, 0.32),
    Level(5, 2_500, 0.17),
    Level(6, 3_000, 0.04),
    Level(7, 6_000, well_read=True),
    Level(8, 18_000, well_read=True),
    Level(9, 60_000, well_read=True),
    Level(10, None, well_read=True),
)

#: Every level by its number.
LEVELS: Final[Mapping[int, Level]] = {level.number: level for level in _LEVELS}
#: All that the engine has.
FULL: Final = LEVELS[10]


def level(number: int) -> Level:
    """The level of this number; the nearest one for a number that there is not (any more)."""
    return LEVELS[min(max(number, 1), len(LEVELS))]
