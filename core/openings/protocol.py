"""Opening protocols as tables of phases: who acts, what may be done, what follows (rules section 9).

A protocol is data; ``core.game`` interprets it. A new protocol is a new table, not new code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.action import Act
from core.notation import SIZE


class Who(StrEnum):
    """Who acts in a phase."""

    P1 = "P1"  # the first, tentative Black
    P2 = "P2"  # the second, tentative White
    BLACK = "black"  # whoever holds Black now
    WHITE = "white"  # whoever holds White now
    OTHER = "other"  # the player who did not put the last stone
    TURN = "turn"  # whoever holds the side to move


@dataclass(frozen=True, slots=True)
class Phase:
    """One row of a protocol's table."""

    name: str
    """As in the rules: O1, Q3, M4, F5, C5 ..."""
    who: Who
    then: Mapping[Act, str]
    """What may be done, and the phase that follows it. Stones alternate in colour, Black first."""
    area: int = SIZE
    """Stones must lie within the square of this side around tengen."""
    beyond: int = 0
    """Stones must lie outside the square of this side around tengen (pro, long_pro)."""
    offers: int = 0
    """How many fifth moves are to be offered here."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """An opening protocol: its id as people type it, and its phases in the order they are met."""

    id: str
    phases: tuple[Phase, ...]

    def __getitem__(self, name: str) -> Phase:
        """The phase of this name; :data:`PLAY` after the last."""
        if name == DONE:
            return PLAY
        return next(phase for phase in self.phases if phase.name == name)

    @property
    def first(self) -> str:
        """The name of the phase that the game starts in."""
        return self.phases[0].name if self.phases else DONE


#: The phase after a protocol: ordinary play, stone by stone.
DONE: Final = "done"
PLAY: Final = Phase(DONE, Who.TURN, {Act.PLACE: DONE, Act.PASS: DONE})

#: Three stones put by one seat that form one of the 26 openings (R8.4).
OPENING: Final = (
    Phase("O1", Who.P1, {Act.PLACE: "O2"}, area=1),
    Phase("O2", Who.P1, {Act.PLACE: "O3"}, area=3),
    Phase("O3", Who.P1, {Act.PLACE: "Q3"}, area=5),
)
