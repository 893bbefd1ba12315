"""``free``: no opening protocol. Black begins on tengen; then the players just play (rules section 9)."""

from __future__ import annotations

from core.action import Act
from core.notation import SIZE
from core.openings.protocol import DONE, Phase, Protocol, Who


def free(*, free_first: bool = False, no_offbook: bool = False) -> Protocol:
    """The table of ``free``.

    ``free_first``: Black begins anywhere (S0, S1). ``no_offbook``: moves 1 to 3 must form one of the 26 openings,
    which overrides ``free_first`` (R8.4).
    """
    if no_offbook:
        return Protocol(
            "free",
            (
                Phase("M1", Who.BLACK, {Act.PLACE: "M2"}, area=1),
                Phase("M2", Who.WHITE, {Act.PLACE: "M3"}, area=3),
                Phase("M3", Who.BLACK, {Act.PLACE: DONE}, area=5),
            ),
        )
    return Protocol("free", (Phase("M1", Who.BLACK, {Act.PLACE: DONE}, area=SIZE if free_first else 1),))
