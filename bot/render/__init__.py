"""Pictures of a board: what lies on it as PNG, a game move by move as GIF. Nothing is written in words.

The look follows what can still be told apart when the picture is 330 pixels wide in a chat; every mark has a shape of
its own besides its colour.
"""

from __future__ import annotations

from typing import Final

from bot.render.animation import gif
from bot.render.layout import Cell
from bot.render.plates import LARGEST, SMALLEST, ground, plate, sprite
from bot.render.strips import png
from bot.render.themes import THEMES
from bot.scene import BoardPicture
from core.notation import TENGEN, Colour, column_of, row_of

__all__ = ["LARGEST", "SMALLEST", "STYLES", "gif", "png", "warm"]

STYLES: Final[tuple[str, ...]] = tuple(THEMES)

_USUAL_LENGTH: Final = 60  # moves; most games end sooner
_INSIDE: Final = ground(column_of(TENGEN), row_of(TENGEN) + 1)  # neither border nor star point, as most points


def warm() -> None:
    """Paint ahead what nearly every game needs, so that the first pictures are as quick as the later ones."""
    for style in STYLES:
        png(BoardPicture(style=style))
        board = plate(style, 960)
        for number in range(1, _USUAL_LENGTH + 1):
            colour = Colour.BLACK if number % 2 else Colour.WHITE
            for ring in (False, True):
                sprite(board, _INSIDE, Cell(stone=colour, text=str(number), ring=ring))
                sprite(board, _INSIDE, Cell(stone=colour, ring=ring, dot=ring))
