"""Keyboards: a scene's buttons, and under one's thumb the 225 points in two steps, column then row.

A step changes the keyboard only. Its buttons carry words of this adapter (:class:`Step`) in the place of an action;
the last step carries the action itself, so it passes the same door as every other button.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from typing import Final

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from bot.adapters.telegram import window
from bot.adapters.telegram.keys import Key, Keyboard
from bot.adapters.telegram.reading import PLATFORM
from bot.composing.compose import CAPTION
from bot.desk import Choice
from bot.scene import Button, Command, Entry, Scene, Style, first_tap, pack, unpack
from bot.session.table import Table
from bot.words import Phrase, Words, cut
from bot.words.values import utf16
from core.game import Act, Seat
from core.notation import COLUMNS, POINTS, SIZE, Point, column_of, label, name, row_of

#: How many buttons Telegram puts into a row.
ROW: Final = 8
#: How many bytes a button can carry, and how many characters are shown on one of two in a row.
WIRE: Final = 64
CHOICE: Final = 24
_NEW: Final = "new:"
#: So many points, or so many lines of the board, are offered at once, without the step over the columns.
FEW: Final = 16
LINES: Final = 5
#: Up to so many stones it is said how the buttons work.
_BEGINNING: Final = 5
_COLUMN_OF: Final = tuple(map(column_of, range(POINTS)))
#: What leads to the points around the play.
AROUND: Final = "🔍"
#: What is asked about where points are to be confirmed.
PREVIEWED: Final = (Act.PLACE, Act.OFFER, Act.ADD)


class Step(StrEnum):
    """What a button of the keyboard alone does."""

    COLUMN = "col"  # col-h: show the rows of column h; col-h-j9: the same, after a first tap on j9
    ADD = "add"  # show the points for the first of two stones; add-j9: for the second, after a first tap on j9
    BACK = "back"  # show the board's own buttons again
    ASK = "ask"  # ask-resign: ask before it is done
    SURE = "sure"  # sure0-resign: the answer of seat 0
    SHOW = "show"  # bring the board down to the end of this chat
    WINDOW = "win"  # win-e5: show the points around the play, E5 the lower left one; win: where the play is
    COLUMNS = "cols"  # show columns and rows instead
    TAKEN = "taken"  # a point that cannot be played
    DO = "do"  # do-place-h8: play the point that was previewed


@dataclass(frozen=True, slots=True)
class Stepped:
    """A step, read from a button."""

    table: str
    rev: int
    step: Step
    word: str = ""
    """The column's letter, or what is asked about."""
    seat: Seat | None = None
    """Who was asked."""
    first: Point | None = None
    """The first tap of two; or the lower left point of the window."""


def read(wire: str) -> Stepped | None:
    """The step that a button carries; ``None``: it carries none, but an action or a command, or is forged."""
    unpacked = unpack(wire)
    if unpacked is None:
        return None
    table, rev, data = unpacked
    first = first_tap(data)
    if data == Command.ADD or first is not None:
        return Stepped(table, rev, Step.ADD, first=first)
    head, _, word = data.partition("-")
    if head == Step.WINDOW and word:
        lower_left = first_tap(f"{Command.ADD}-{word}")
        whole = lower_left is not None and window.allowed(lower_left)
        return Stepped(table, rev, Step.WINDOW, first=lower_left) if whole else None
    if head == Step.DO and word.partition("-")[0] in PREVIEWED:
        return Stepped(table, rev, Step.DO, word)
    if data in (Step.BACK, Step.SHOW, Step.WINDOW, Step.COLUMNS, Step.TAKEN):
        return Stepped(table, rev, Step(data))
    if head == Step.COLUMN:
        column, dash, written = word.partition("-")
        first = first_tap(f"{Command.ADD}-{written}")
        if len(column) != 1 or column not in COLUMNS or bool(dash) != (first is not None):
            return None
        return Stepped(table, rev, Step.COLUMN, column, first=first)
    if head == Step.ASK and word:
        return Stepped(table, rev, Step.ASK, word)
    if head in ("sure0", "sure1") and word:
        return Stepped(table, rev, Step.SURE, word, 0 if head == "sure0" else 1)
    return None


def board(scene: Scene, *, around: bool = False, corner: Point | None = None) -> Keyboard | None:
    """The keyboard of a board: points or columns where a point is wanted, then the scene's buttons.

    Offers have buttons of their own (A, B ...), and two stones are added behind one. ``around``: instead of the columns
    the points around the play, or those of the window whose lower left point is ``corner``.
    """
    entry = scene.entry
    if entry is None or entry.act in (Act.CHOOSE, Act.ADD):
        return _markup(_buttons(scene))
    few = _few(scene, entry)
    if few is not None:
        return _markup([*few, *_buttons(scene)])
    if not around:
        turn = Key(AROUND, callback_data=pack(scene.table, scene.rev, Step.WINDOW))
        *rest, last = _columns(scene, entry)
        return _markup([*rest, *([[*last, turn]] if len(last) < ROW else [last, [turn]]), *_buttons(scene)])
    at = window.corner(scene) if corner is None else corner
    keys = window.window(scene, at, move=Step.WINDOW, turn=Step.COLUMNS, taken=Step.TAKEN)
    return _markup([*keys, *_buttons(scene)])


def hinted(scene: Scene, words: Words) -> Scene:
    """The scene with a line on how to put a stone, while a game begins; later everybody has seen it."""
    entry = scene.entry
    if entry is None or entry.act not in (Act.PLACE, Act.OFFER) or _few(scene, entry) is not None:
        return scene
    hint = words.say("Press a column, then its row; or reply to this with a point, such as h8.")
    longest = utf16("\n".join((scene.title, *scene.lines, hint)))
    if len(scene.picture.stones) > _BEGINNING or longest > CAPTION:
        return scene
    return replace(scene, lines=(*scene.lines, hint))


def preview(scene: Scene, data: str, words: Words) -> Keyboard:
    """A point that waits to be confirmed, alone with the way back."""
    point = Phrase(data.rpartition("-")[2].upper())
    yes = Key(
        words.say("Play {point}", point=point),
        callback_data=pack(scene.table, scene.rev, f"{Step.DO}-{data}"),
        style="success",
    )
    return Keyboard(((yes, _back(scene, words)),))


def points(scene: Scene, words: Words) -> Keyboard | None:
    """The points that can be played, or their columns, and the way back."""
    if scene.entry is None:
        return board(scene)
    return _markup([*_points(scene, scene.entry), [_back(scene, words)], *_buttons(scene)])


def rows(scene: Scene, column: str, words: Words) -> Keyboard | None:
    """The second step: the points of one column that can be played, and the way back."""
    if scene.entry is None:
        return board(scene)
    wanted = [point for point in sorted(scene.entry.points) if column_of(point) == COLUMNS.index(column)]
    keys = _in_rows([_point(scene, scene.entry, point) for point in wanted])
    return _markup([*keys, [_back(scene, words)], *_buttons(scene)])


def question(table: Table, asked: str, seat: Seat, *, yes: str, no: str) -> Keyboard:
    """The answers to a question that one seat was asked. ``asked``: ``resign`` or ``leave``."""
    sure = pack(table.id, table.rev, f"{Step.SURE}{seat}-{asked}")
    back = pack(table.id, table.rev, Step.BACK)
    return Keyboard(((Key(yes, callback_data=sure, style="danger"), Key(no, callback_data=back)),))


def choices(offered: Sequence[Choice], asked: int) -> InlineKeyboardMarkup | None:
    """Ways to go on with a request for a new game, for the account that was asked; none where one is too long."""
    buttons = [
        InlineKeyboardButton(cut(choice.label, CHOICE), callback_data=f"{_NEW}{asked}:{choice.typed}")
        for choice in offered
    ]
    if not buttons or any(len(str(button.callback_data).encode()) > WIRE for button in buttons):
        return None
    return InlineKeyboardMarkup([buttons[at : at + 2] for at in range(0, len(buttons), 2)])


def chosen(wire: str) -> tuple[str, str] | None:
    """The person who was asked, by id, and the words that their choice stands for; ``None`` for any other button."""
    asked, colon, typed = wire.removeprefix(_NEW).partition(":")
    if not wire.startswith(_NEW) or not colon or not asked.isdecimal():
        return None
    return f"{PLATFORM}:{asked}", typed


def _markup(keys: list[list[Key]]) -> Keyboard | None:
    return Keyboard(tuple(map(tuple, keys))) if keys else None


def _points(scene: Scene, entry: Entry) -> list[list[Key]]:
    few = _few(scene, entry)
    return _columns(scene, entry) if few is None else few


def _few(scene: Scene, entry: Entry) -> list[list[Key]] | None:
    """The points themselves, where they are so few that they fit at once."""
    if len(entry.points) > LINES * ROW:
        return None
    order = sorted(entry.points, key=lambda point: (-row_of(point), column_of(point)))
    lines = [list(line) for _, line in groupby(order, row_of)]
    if len(lines) <= LINES and max(map(len, lines), default=0) <= ROW:
        return [[_point(scene, entry, point) for point in line] for line in lines]
    if len(order) <= FEW:
        return _in_rows([_point(scene, entry, point) for point in order])
    return None


def _columns(scene: Scene, entry: Entry) -> list[list[Key]]:
    columns = sorted(set(map(_COLUMN_OF.__getitem__, entry.points)))
    if len(columns) == SIZE:
        return [[_column(scene, entry, column) for column in part] for part in (columns[:ROW], columns[ROW:])]
    return _in_rows([_column(scene, entry, column) for column in columns])


def _column(scene: Scene, entry: Entry, column: int) -> Key:
    letter = COLUMNS[column]
    data = f"{Step.COLUMN}-{letter}" if entry.first is None else f"{Step.COLUMN}-{letter}-{name(entry.first)}"
    return Key(letter.upper(), callback_data=pack(scene.table, scene.rev, data))


def _point(scene: Scene, entry: Entry, point: Point) -> Key:
    return Key(label(point), callback_data=pack(scene.table, scene.rev, entry.data(point)))


def _back(scene: Scene, words: Words) -> Key:
    return Key(words.say("Back"), callback_data=pack(scene.table, scene.rev, Step.BACK))


def _in_rows(buttons: list[Key]) -> list[list[Key]]:
    """As few rows as possible, of nearly equal length: 15 become 8 and 7, 9 become 5 and 4."""
    count = -(-len(buttons) // ROW)
    size = -(-len(buttons) // count) if count else ROW
    return [buttons[at : at + size] for at in range(0, len(buttons), size)]


def _buttons(scene: Scene) -> list[list[Key]]:
    return [[_button(scene, button) for button in row] for row in scene.buttons]


def _button(scene: Scene, button: Button) -> Key:
    data = f"{Step.ASK}-{button.data}" if button.confirm else button.data
    return Key(
        button.label,
        callback_data=pack(scene.table, scene.rev, data),
        style=None if button.style is Style.PLAIN else button.style.value,
    )
