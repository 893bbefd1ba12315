"""The board in letters, for messages that cannot have a picture: plain ASCII, so that columns stand straight in every
client's font. ``X`` is Black, ``O`` White; the last stone is in ( ), a winning line in [ ].
"""

from __future__ import annotations

from typing import Final

from bot.scene import BoardPicture
from bot.words import Words
from core.notation import COLUMNS, SIZE, Colour

_STONES: Final = {Colour.BLACK: "X", Colour.WHITE: "O"}
_EMPTY: Final = "."
#: Crossed out as forbidden: a picture has such points only in games that block them (R6.1).
_CROSSED: Final = "#"
#: Before the first column: the number of the row.
_MARGIN: Final = 2


def text_board(picture: BoardPicture) -> str:
    """Seventeen lines of at most 33 characters: columns, fifteen rows from the far one to the near one, columns."""
    cells = [_EMPTY] * (SIZE * SIZE)
    for point in picture.forbidden:
        cells[point] = _CROSSED
    for index, point in enumerate(picture.offers):
        cells[point] = _letter(index)
    for point, colour in picture.stones:
        cells[point] = _STONES[colour]
    head = (" " * _MARGIN + "".join(f" {letter.upper()}" for letter in COLUMNS)).rstrip()
    rows = [_row(picture, cells, row) for row in reversed(range(SIZE))]
    return "\n".join((head, *rows, head))


def legend(words: Words) -> str:
    """What the letters mean."""
    return words.say("X Black · O White · ( ) the last move")


def _row(picture: BoardPicture, cells: list[str], row: int) -> str:
    """A row with its number; what stands between two cells says which of them is marked."""
    between = [" "] * (SIZE + 1)
    line = [row * SIZE + column in picture.win for column in range(SIZE)]
    for column, won in enumerate(line):
        if won and not (column and line[column - 1]):
            between[column] = "["
        if won and not (column + 1 < SIZE and line[column + 1]):
            between[column + 1] = "]"
    if picture.last is not None and not picture.win and picture.last // SIZE == row:
        between[picture.last % SIZE] = "("
        between[picture.last % SIZE + 1] = ")"
    shown = "".join(gap + cell for gap, cell in zip(between, cells[row * SIZE : (row + 1) * SIZE], strict=False))
    return f"{row + 1:{_MARGIN}}{shown}{between[SIZE]}".rstrip()


def _letter(index: int) -> str:
    """The letter of an offer, small so that it is no stone; a sign where letters run out."""
    return chr(ord("a") + index) if index < 26 else "+"
