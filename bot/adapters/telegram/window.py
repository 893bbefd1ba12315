"""The points around the play as a square of buttons, which can be moved over the board."""

from __future__ import annotations

from typing import Final

from bot.adapters.telegram.keys import Key
from bot.scene import Scene, pack
from core.notation import SIZE, TENGEN, Colour, Point, column_of, label, name, row_of

#: Points a side, and by how many the square is moved.
SIDE: Final = 7
_STRIDE: Final = 4
_LAST: Final = SIZE - SIDE
_SIGNS: Final = {Colour.BLACK: "●", Colour.WHITE: "○"}
_NOT_NOW: Final = "·"


def corner(scene: Scene) -> Point:
    """Where the square lies at first: its lower left point, with the last stone in the middle as far as can be."""
    centre = scene.picture.last if scene.picture.last is not None else TENGEN
    return _at(column_of(centre) - SIDE // 2, row_of(centre) - SIDE // 2)


def allowed(point: Point) -> bool:
    """Whether a point can be the lower left one."""
    return column_of(point) <= _LAST and row_of(point) <= _LAST


def window(scene: Scene, lower_left: Point, *, move: str, turn: str, taken: str) -> list[list[Key]]:
    """The rows of the square, the far one on top, and the row that moves it and leaves it.

    ``move``, ``turn`` and ``taken`` are the words of the steps: to another corner, to columns and rows, and of a point
    that cannot be played. Every point of ``scene.entry`` is a button that plays it; no other point is.
    """
    west, south = column_of(lower_left), row_of(lower_left)
    keys = [
        [_cell(scene, row * SIZE + column, taken) for column in range(west, west + SIDE)]
        for row in reversed(range(south, south + SIDE))
    ]
    steps = (("◀", -1, 0), ("▼", 0, -1), ("▲", 0, 1), ("▶", 1, 0))
    arrows = [
        Key(sign, callback_data=_wire(scene, f"{move}-{name(_at(west + _STRIDE * east, south + _STRIDE * north))}"))
        for sign, east, north in steps
    ]
    return [*keys, [*arrows, Key("A–O", callback_data=_wire(scene, turn))]]


def _cell(scene: Scene, point: Point, taken: str) -> Key:
    entry = scene.entry
    if entry is not None and point in entry.points:
        return Key(label(point), callback_data=_wire(scene, entry.data(point)))
    colour = next((colour for at, colour in scene.picture.stones if at == point), None)
    return Key(_NOT_NOW if colour is None else _SIGNS[colour], callback_data=_wire(scene, taken))


def _at(column: int, row: int) -> Point:
    return min(max(row, 0), _LAST) * SIZE + min(max(column, 0), _LAST)


def _wire(scene: Scene, data: str) -> str:
    return pack(scene.table, scene.rev, data)
