"""A table and a viewer make a scene: pure, and the same for every platform.

Nothing here asks what a stone was judged as while the game runs (R6.1); only ``blocked`` games show forbidden points.
"""

from __future__ import annotations

from typing import Final

from bot.composing.alt import alt_text
from bot.composing.buttons import buttons
from bot.composing.crosses import crosses
from bot.composing.lines import lines, title
from bot.composing.people import Told
from bot.scene import BoardPicture, Entry, Scene, Viewer
from bot.session.table import Person, Table
from bot.words import Words, words
from bot.words.values import LIMIT, utf16
from core.game import GUESSING, Act, Seat, phase_of, square
from core.notation import POINTS, Colour, distance_from_tengen

#: What a caption holds on the platform that allows least, in UTF-16 units.
CAPTION: Final = 1024
#: How many graphemes of a name are shown, tried in turn until the words fit a caption.
_NAME_LIMITS: Final = (LIMIT, 20, 12, 6)


def compose(table: Table, viewer: Viewer) -> Scene:
    """What ``viewer`` sees of ``table`` now. Title and lines together fit a caption of 1,024 characters."""
    chosen = words(viewer.language)
    heading = title(chosen, table)
    return Scene(
        table=table.id,
        rev=table.rev,
        title=heading,
        lines=_fitting(chosen, table, CAPTION - utf16(heading)),
        alt=alt_text(Told(chosen, table, LIMIT), crosses(table)),
        picture=_picture(table, viewer.style),
        buttons=buttons(chosen, table, viewer),
        entry=_entry(table, viewer),
        over=table.game.outcome is not None,
    )


def _fitting(chosen: Words, table: Table, room: int) -> tuple[str, ...]:
    """The lines in ``room`` UTF-16 units, each with a line break before it.

    Long names give way first; then, from the end, the agreed options, which the game's first message has shown.
    """
    told: tuple[str, ...] = ()
    for limit in _NAME_LIMITS:
        told = lines(Told(chosen, table, limit))
        if _units(told) <= room:
            return told
    while _units(told) > room:
        told = told[:-1]
    return told


def _units(told: tuple[str, ...]) -> int:
    return sum(1 + utf16(line) for line in told)


def _picture(table: Table, style: str) -> BoardPicture:
    state, outcome = table.game.state, table.game.outcome
    return BoardPicture(
        stones=tuple((stone.point, stone.colour) for stone in state.stones),
        last=state.last.point if state.last is not None else None,
        numbered=outcome is not None,
        offers=state.offers,
        forbidden=crosses(table),
        win=outcome.line if outcome is not None else (),
        foul=outcome.foul if outcome is not None else None,
        style=style,
    )


def _entry(table: Table, viewer: Viewer) -> Entry | None:
    """What a point means when this viewer taps it; ``None`` when it is not for them to play one."""
    game, state = table.game, table.game.state
    if table.waiting or state.phase == GUESSING or not any(_may_tap(table, viewer, seat) for seat in game.to_act):
        return None
    phase = phase_of(state, game.settings)
    empty = frozenset(point for point in range(POINTS) if not state.cells[point])
    if Act.CHOOSE in phase.then:
        return Entry(Act.CHOOSE, frozenset(state.offers), Colour.BLACK)
    if Act.OFFER in phase.then:
        return Entry(Act.OFFER, empty.difference(state.offers), Colour.BLACK)
    if Act.PLACE in phase.then:
        least = phase.beyond // 2 + 1 if phase.beyond else 0
        most = square(state, game.settings, phase.area) // 2
        within = frozenset(point for point in empty if least <= distance_from_tengen(point) <= most)
        return Entry(Act.PLACE, within.difference(crosses(table)), state.turn)
    return None


def _may_tap(table: Table, viewer: Viewer, seat: Seat) -> bool:
    return isinstance(table.seats[seat], Person) and (viewer.public or seat in viewer.seats)
