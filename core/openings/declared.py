"""``yamaguchi`` and ``soosyrv_n``: the number of fifth moves is declared before it is known who offers them."""

from __future__ import annotations

from core.action import Act
from core.openings.protocol import Phase, Protocol, Who, fifth_moves, opening, swap


def yamaguchi(*, most: int) -> Protocol:
    """RIF 2009 to 2015: P1 declares up to ``most`` fifth moves with the opening; P2 may swap."""
    return Protocol(
        "yamaguchi",
        (
            *opening("K3"),
            Phase("K3", Who.P1, {Act.DECLARE: "Q3"}, most=most),
            swap("Q3", Who.P2, "M4"),
            Phase("M4", Who.WHITE, {Act.PLACE: "F5"}),
            *fifth_moves(),
        ),
    )


def soosyrv(*, most: int) -> Protocol:
    """White declares up to ``most`` fifth moves with move 4; a swap is open after the opening and after move 4."""
    return Protocol(
        f"soosyrv_{most}",
        (
            *opening("Q3"),
            swap("Q3", Who.P2, "M4"),
            Phase("M4", Who.WHITE, {Act.PLACE: "K4"}),
            Phase("K4", Who.WHITE, {Act.DECLARE: "Q4"}, most=most),
            swap("Q4", Who.OTHER, "F5"),
            *fifth_moves(),
        ),
    )
