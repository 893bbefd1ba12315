"""``rif``: the RIF rule of 1996: opening, swap, fourth move, two fifth moves, choice (rules section 9, R8.2, R8.3)."""

from __future__ import annotations

from core.action import Act
from core.openings.protocol import DONE, OPENING, Phase, Protocol, Who


def rif() -> Protocol:
    """The table of ``rif``."""
    return Protocol(
        "rif",
        (
            *OPENING,
            Phase("Q3", Who.P2, {Act.SWAP: "M4", Act.KEEP: "M4"}),
            Phase("M4", Who.WHITE, {Act.PLACE: "F5"}),
            Phase("F5", Who.BLACK, {Act.OFFER: "C5"}, offers=2),
            Phase("C5", Who.WHITE, {Act.CHOOSE: "M6"}),
            Phase("M6", Who.WHITE, {Act.PLACE: DONE}),
        ),
    )
