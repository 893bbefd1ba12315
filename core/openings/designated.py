"""``designated``: one of the 26 openings by agreement, set up at once; White plays move 4 (R8.1)."""

from __future__ import annotations

from core.action import Act
from core.openings.names import Opening
from core.openings.protocol import Phase, Protocol, Who, fifth_moves


def designated(opening: Opening, *, offers: int = 0) -> Protocol:
    """The table of ``designated``. ``offers``: how many fifth moves Black shows (R8.3); 0 for ordinary play at once."""
    phases = (Phase("M4", Who.WHITE, {Act.PLACE: "F5"}), *fifth_moves(offers)) if offers else ()
    return Protocol("designated", phases, setup=opening.points)
