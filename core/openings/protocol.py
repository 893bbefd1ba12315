"""Opening protocols as tables of phases: who acts, what may be done, what follows (rules section 9).

A protocol is data; ``core.game`` interprets it. A new protocol is a new table, not new code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.action import Act
from core.notation import SIZE, Point


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
    next_area: int = SIZE
    """The square for the second of the two stones that ``add`` puts."""
    beyond: int = 0
    """Stones must lie outside the square of this side around tengen (pro, long_pro)."""
    offers: int = 0
    """How many fifth moves are to be offered here; 0 where the number was declared."""
    most: int = 0
    """The largest number that may be declared here."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """An opening protocol: its id as people type it, and its phases in the order they are met."""

    id: str
    phases: tuple[Phase, ...]
    exclude: tuple[str, ...] = ()
    """Codes of openings that the protocol itself leaves out (swap_1989)."""
    setup: tuple[Point, ...] = ()
    """Stones that lie on the board before the first action (designated)."""

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


def opening(then: str, *, second: Who = Who.P1) -> tuple[Phase, ...]:
    """Moves 1 to 3 of one of the 26 openings (R8.4), put by P1; ``second`` says who puts move 2. ``then`` follows."""
    return (
        Phase("O1", Who.P1, {Act.PLACE: "O2"}, area=1),
        Phase("O2", second, {Act.PLACE: "O3"}, area=3),
        Phase("O3", Who.P1, {Act.PLACE: then}, area=5),
    )


def swap(name: str, who: Who, then: str) -> Phase:
    """The question whether the two seats exchange their colours (R8.2)."""
    return Phase(name, who, {Act.SWAP: then, Act.KEEP: then})


def fifth_moves(offers: int = 0) -> tuple[Phase, ...]:
    """``n5(k)``: Black offers fifth moves, White keeps one of them and plays move 6 (R8.3). 0: as many as declared."""
    return (
        Phase("F5", Who.BLACK, {Act.OFFER: "C5"}, offers=offers),
        Phase("C5", Who.WHITE, {Act.CHOOSE: "M6"}),
        Phase("M6", Who.WHITE, {Act.PLACE: DONE}),
    )
