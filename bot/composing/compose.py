"""A table and a viewer make a scene: pure, and the same for every platform.

Nothing here asks what a stone was judged as while the game runs (R6.1); only ``blocked`` games show forbidden points.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import lru_cache
from itertools import compress
from operator import not_
from typing import Final

from bot.composing.alt import alt_text
from bot.composing.buttons import buttons
from bot.composing.clocks import scene_clock
from bot.composing.crosses import crosses
from bot.composing.lines import lines, title
from bot.composing.people import Told
from bot.scene import BoardPicture, Entry, Scene, Viewer
from bot.session.table import Person, Table
from bot.words import Words, words
from bot.words.values import LIMIT, utf16
from core.clock import Milliseconds
from core.game import GUESSING, Act, Seat, phase_of, square
from core.notation import POINTS, Colour, Point, distance_from_tengen

#: What a caption holds on the platform that allows least, in UTF-16 units.
CAPTION: Final = 1024
#: How many graphemes of a name are shown, tried in turn until the words fit a caption.
_NAME_LIMITS: Final = (LIMIT, 20, 12, 6)
_ALL: Final = range(POINTS)


def compose(
    table: Table,
    viewer: Viewer,
    now: Milliseconds | None = None,
    *,
    first: Point | None = None,
    described: bool = True,
) -> Scene:
    """What ``viewer`` sees of ``table`` at ``now`` (ms since 1970; the present by default).

    Title and lines together fit a caption of 1,024 characters. ``first``: the first tap of two, when two stones are
    being added; where it cannot be one it changes nothing. ``described``: whether the text for readers without
    pictures is wanted; a platform that has no place for it saves the work.
    """
    chosen = words(viewer.language)
    heading = title(chosen, table)
    at = time.time_ns() // 1_000_000 if now is None else now
    entry = _entry(table, viewer)
    after = None if entry is None or first is None else entry.after(first)
    picture = _picture(table, viewer.style)
    if entry is not None and after is not None and after.first is not None:
        picture = replace(picture, preview=(after.first, entry.colour))
    return Scene(
        table=table.id,
        rev=table.rev,
        title=heading,
        lines=_fitting(chosen, table, CAPTION - utf16(heading), at, None if after is None else after.first),
        alt=alt_text(Told(chosen, table, LIMIT), crosses(table)) if described else "",
        picture=picture,
        buttons=buttons(chosen, table, viewer),
        entry=after or entry,
        clock=scene_clock(table.game, at),
        over=table.game.outcome is not None,
    )


def _fitting(chosen: Words, table: Table, room: int, now: Milliseconds, first: Point | None) -> tuple[str, ...]:
    """The lines in ``room`` UTF-16 units, each with a line break before it.

    Long names give way first; then, from the end, the agreed options, which the game's first message has shown.
    """
    told: tuple[str, ...] = ()
    for limit in _NAME_LIMITS:
        told = lines(Told(chosen, table, limit), now, first)
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
    empty = frozenset(compress(_ALL, map(not_, state.cells)))
    if Act.CHOOSE in phase.then:
        return Entry(Act.CHOOSE, frozenset(state.offers), Colour.BLACK)
    if Act.OFFER in phase.then:
        return Entry(Act.OFFER, empty.difference(state.offers), Colour.BLACK)
    if Act.PLACE in phase.then:
        least = phase.beyond // 2 + 1 if phase.beyond else 0
        within = _within(empty, square(state, game.settings, phase.area), least)
        return Entry(Act.PLACE, within.difference(crosses(table)), state.turn)
    if Act.ADD in phase.then:
        return Entry(Act.ADD, _within(empty, phase.area), state.turn, then=_within(empty, phase.next_area))
    return None


def _within(empty: frozenset[Point], side: int, least: int = 0) -> frozenset[Point]:
    return empty & _square(side, least)


@lru_cache(64)
def _square(side: int, least: int) -> frozenset[Point]:
    """The points of a central square, but for those nearer to tengen than ``least``."""
    return frozenset(point for point in range(POINTS) if least <= distance_from_tengen(point) <= side // 2)


def _may_tap(table: Table, viewer: Viewer, seat: Seat) -> bool:
    return isinstance(table.seats[seat], Person) and (viewer.public or seat in viewer.seats)
