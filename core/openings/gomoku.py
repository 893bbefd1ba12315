"""The openings of gomoku rooms: ``swap``, ``swap2``, ``pro``, ``long_pro`` (section 9)."""

from __future__ import annotations

from core.action import Act
from core.openings.protocol import DONE, Phase, Protocol, Who


def _three_stones() -> tuple[Phase, ...]:
    return tuple(Phase(f"S{n}", Who.P1, {Act.PLACE: f"S{n + 1}" if n < 3 else "Q3"}) for n in (1, 2, 3))


def swap_first() -> Protocol:
    """``swap``: P1 puts three stones anywhere, P2 chooses a colour."""
    return Protocol("swap", (*_three_stones(), Phase("Q3", Who.P2, {Act.COLOUR: DONE})))


def swap2() -> Protocol:
    """As ``swap``, but P2 may add two stones instead and leave the choice to P1."""
    return Protocol(
        "swap2",
        (
            *_three_stones(),
            Phase("Q3", Who.P2, {Act.COLOUR: DONE, Act.ADD: "Q5"}),
            Phase("Q5", Who.P1, {Act.COLOUR: DONE}),
        ),
    )


def _pro(name: str, beyond: int) -> Protocol:
    return Protocol(
        name,
        (
            Phase("M1", Who.BLACK, {Act.PLACE: "M2"}, area=1),
            Phase("M2", Who.WHITE, {Act.PLACE: "M3"}),
            Phase("M3", Who.BLACK, {Act.PLACE: DONE}, beyond=beyond),
        ),
    )


def pro() -> Protocol:
    """Move 3 outside the central 5 x 5; no swap."""
    return _pro("pro", 5)


def long_pro() -> Protocol:
    """Move 3 outside the central 7 x 7; no swap."""
    return _pro("long_pro", 7)
