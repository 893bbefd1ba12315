"""Which points are shown as forbidden while a game runs. The only place in ``bot`` that asks, because of R6.1."""

from __future__ import annotations

from bot.session.table import Table
from core.game import FoulMode
from core.notation import Colour, Point
from core.rules import forbidden


def crosses(table: Table) -> tuple[Point, ...]:
    """The points that are forbidden for Black, who is to move, in a running ``blocked`` game; in all others none."""
    game = table.game
    if game.settings.foul_mode is not FoulMode.BLOCKED or game.outcome is not None:
        return ()
    if game.state.turn is not Colour.BLACK or game.state.p1 is None:
        return ()
    return tuple(forbidden(game.state.board()))
