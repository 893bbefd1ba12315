"""The private message where somebody chooses a point: by column and row, or from a window of buttons around the play.

Nobody else sees it, so a choice shows no intentions until it is confirmed. It carries its state in its items.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import discord
from discord import ui

from bot.adapters.discord.items import PickButton, PickSelect, Step, SureButton, key
from bot.adapters.discord.layout import ALT, made, picture
from bot.adapters.discord.plain import plain
from bot.scene import BoardPicture, Entry, Scene
from bot.words import Phrase, Words
from core.game import Act
from core.notation import COLUMNS, SIZE, TENGEN, Colour, Point, column_of, label, name, row_of

#: How many points a window shows in each direction from its middle, and how far one step moves it.
_REACH: Final = 2
_STEP: Final = 3
_NONE: Final = "0"


def settled(scene: Scene, column: int | None, row: int | None) -> tuple[int | None, int | None]:
    """What is chosen of a point, and what need not be chosen because there is only one."""
    points = _entry(scene).points
    fitting = [p for p in points if column in (None, column_of(p)) and row in (None, row_of(p))]
    columns, rows = {column_of(point) for point in fitting}, {row_of(point) for point in fitting}
    return (min(columns) if len(columns) == 1 else column), (min(rows) if len(rows) == 1 else row)


def axes(scene: Scene, words: Words, column: int | None, row: int | None) -> ui.LayoutView:
    """Two selects; with both chosen the stone is shown, to be confirmed or changed."""
    entry = _entry(scene)
    chosen = None if column is None or row is None else row * SIZE + column
    if chosen not in entry.points:
        chosen = None
    parts = _begun(scene, words, chosen)
    parts.append(ui.ActionRow(_columns(scene, entry, words, column, row)))
    parts.append(ui.ActionRow(_rows(scene, entry, words, column, row)))
    if chosen is not None:
        parts.append(ui.ActionRow(_confirm(scene, entry, words, chosen, Step.AXES), _change(scene, words, Step.AXES)))
    window = PickButton(_wire(scene, f"{Step.WINDOW}-{name(middle(scene))}"), label=words.say("Points around the play"))
    parts.append(ui.ActionRow(window, PickButton(_wire(scene, Step.TYPE), label=words.say("Type a point"))))
    return made(parts)


def window(scene: Scene, words: Words, centre: Point) -> ui.LayoutView:
    """The points around ``centre`` as buttons, and the ways to the points beyond."""
    entry = _entry(scene)
    stones = dict(scene.picture.stones)
    parts = _begun(scene, words, None)
    column, row = _inside(column_of(centre)), _inside(row_of(centre))
    for y in range(row + _REACH, row - _REACH - 1, -1):
        points = [y * SIZE + x for x in range(column - _REACH, column + _REACH + 1)]
        parts.append(ui.ActionRow(*(_point(scene, entry, stones, point) for point in points)))
    parts.append(ui.ActionRow(*_moves(scene, words, column, row)))
    parts.append(ui.ActionRow(PickButton(_wire(scene, Step.AXES), label=words.say("Columns and rows"))))
    return made(parts)


def seen(scene: Scene, words: Words, chosen: Point) -> ui.LayoutView:
    """A point of the window, to be confirmed or changed."""
    entry = _entry(scene)
    parts = _begun(scene, words, chosen)
    back = f"{Step.WINDOW}-{name(chosen)}"
    parts.append(ui.ActionRow(_confirm(scene, entry, words, chosen, back), _change(scene, words, back)))
    return made(parts)


def preview(scene: Scene, chosen: Point | None) -> BoardPicture:
    """The picture with the stone that is not put yet; of two, the first one looks as if it lay there."""
    picture, entry = scene.picture, scene.entry
    if chosen is None or entry is None or chosen not in entry.points:
        return picture
    if entry.first is not None:
        picture = replace(picture, stones=(*picture.stones, (entry.first, entry.colour.other)))
    return replace(picture, preview=(chosen, entry.colour))


def middle(scene: Scene) -> Point:
    """Where the play is."""
    if scene.picture.last is not None:
        return scene.picture.last
    return scene.picture.stones[-1][0] if scene.picture.stones else TENGEN


def _entry(scene: Scene) -> Entry:
    if scene.entry is None:
        raise ValueError("no point can be chosen here now")
    return scene.entry


def _wire(scene: Scene, data: str) -> str:
    """A step's wire text; when two stones are added, after the first tap, with the point of that one before it."""
    first = _entry(scene).first
    return key(scene.table, scene.rev, data if first is None else f"{Step.ADD}-{name(first)}-{data}")


def _begun(scene: Scene, words: Words, chosen: Point | None) -> list[ui.Item[Any]]:
    """The words and the picture; who cannot see the picture hears of the stone in it that is not put yet."""
    head = _head(_entry(scene), words, chosen)
    return [ui.TextDisplay(plain(head)), picture(scene.alt if chosen is None else f"{head}\n{scene.alt}"[:ALT])]


def _head(entry: Entry, words: Words, chosen: Point | None) -> str:
    if chosen is not None:
        return words.say("{point}: confirm it, or change it.", point=Phrase(label(chosen)))
    if entry.act in (Act.PLACE, Act.ADD):
        if entry.colour is Colour.BLACK:
            return words.say("Choose the point of the black stone. Only you see this.")
        return words.say("Choose the point of the white stone. Only you see this.")
    return words.say("Choose the fifth move. Only you see this.")


def _columns(scene: Scene, entry: Entry, words: Words, column: int | None, row: int | None) -> PickSelect:
    fitting = sorted({column_of(point) for point in entry.points if row is None or row_of(point) == row})
    options = [discord.SelectOption(label=COLUMNS[x].upper(), value=COLUMNS[x], default=x == column) for x in fitting]
    data = f"{Step.COLUMN}-{_NONE if row is None else row + 1}"
    return PickSelect(_wire(scene, data), placeholder=words.say("Column"), options=options)


def _rows(scene: Scene, entry: Entry, words: Words, column: int | None, row: int | None) -> PickSelect:
    fitting = sorted({row_of(point) for point in entry.points if column is None or column_of(point) == column})
    options = [discord.SelectOption(label=str(y + 1), value=str(y + 1), default=y == row) for y in fitting]
    data = f"{Step.ROW}-{_NONE if column is None else COLUMNS[column]}"
    return PickSelect(_wire(scene, data), placeholder=words.say("Row"), options=options)


def _confirm(scene: Scene, entry: Entry, words: Words, chosen: Point, way: str) -> ui.Item[Any]:
    """The end of a choice; of the first of two stones: on to the second, in the same ``way``."""
    data, told, style = entry.data(chosen), words.say("Confirm"), discord.ButtonStyle.success
    if entry.act is Act.ADD and entry.first is None:
        return PickButton(key(scene.table, scene.rev, f"{data}-{way}"), label=told, style=style)
    return SureButton(key(scene.table, scene.rev, data), label=told, style=style)


def _change(scene: Scene, words: Words, back: str) -> PickButton:
    return PickButton(_wire(scene, back), label=words.say("Change"))


def _point(scene: Scene, entry: Entry, stones: dict[Point, Colour], point: Point) -> PickButton:
    colour = stones.get(point)
    told = label(point) if colour is None else f"{'●' if colour is Colour.BLACK else '○'} {label(point)}"
    return PickButton(_wire(scene, f"{Step.SEE}-{name(point)}"), label=told, disabled=point not in entry.points)


def _moves(scene: Scene, words: Words, column: int, row: int) -> list[PickButton]:
    def to(label: str, x: int, y: int) -> PickButton:
        x, y = _inside(x), _inside(y)
        # At the edge two of them would lead to one place: the letter after the point tells them apart.
        wire = _wire(scene, f"{Step.WINDOW}-{name(y * SIZE + x)}-{len(moves)}")
        return PickButton(wire, label=label, disabled=(x, y) == (column, row))

    moves: list[PickButton] = []
    moves.append(to(words.say("Left"), column - _STEP, row))
    moves.append(to(words.say("Up"), column, row + _STEP))
    moves.append(to(words.say("Down"), column, row - _STEP))
    moves.append(to(words.say("Right"), column + _STEP, row))
    return moves


def _inside(at: int) -> int:
    return min(max(at, _REACH), SIZE - 1 - _REACH)
