"""``rif`` and ``swap_1989``: opening, swap, fourth move, and in ``rif`` two fifth moves (section 9, R8.2, R8.3)."""

from __future__ import annotations

from core.action import Act
from core.openings.protocol import Phase, Protocol, Who, fifth_moves, opening, swap


def rif(*, white_second: bool = False) -> Protocol:
    """The RIF rule of 1996. ``white_second``: P2 puts move 2 (the option ``move2_by=white``)."""
    return Protocol(
        "rif",
        (
            *opening("Q3", second=Who.P2 if white_second else Who.P1),
            swap("Q3", Who.P2, "M4"),
            Phase("M4", Who.WHITE, {Act.PLACE: "F5"}),
            *fifth_moves(2),
        ),
    )


def swap_1989() -> Protocol:
    """The RIF rule of 1989 to 1995: P2 puts move 2, and the two openings held to be won for White are left out."""
    return Protocol("swap_1989", rif(white_second=True).phases, exclude=("D13", "I13"))
