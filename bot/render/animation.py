"""A game as an animated GIF that holds, for each move, only what changed."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from PIL import GifImagePlugin, Image

from bot.render.layout import Layout, layout
from bot.render.plates import Indices, Plate, pixels, plate
from bot.scene import BoardPicture
from core.notation import Colour, Point

MOVE: Final = 600
"""How long a move is shown, milliseconds."""
LAST: Final = 3000
"""How long the end is shown, milliseconds."""

_COLOURS: Final = 128  # the size of the colour table: the power of two above a palette
_CLEAR: Final = _COLOURS - 1  # the index that means "as before"
_KEEP: Final = 1 << 2  # the next frame is painted over this one


def gif(
    stones: Sequence[tuple[Point, Colour]],
    style: str = "wood",
    size: int = 720,
    *,
    numbered: bool = True,
    end: BoardPicture | None = None,
) -> bytes:
    """The game move by move, 600 ms a move and 3 s on the last, for ever.

    ``end`` is shown as the last frame, with its marks (a winning line, say); without one it is the last move's picture.
    Raises ``ValueError`` as :func:`bot.render.png` does.
    """
    board = plate(style, size)
    moves = tuple(stones)
    if end is None:
        end = BoardPicture(stones=moves, last=moves[-1][0] if moves else None, numbered=numbered)
    shown = [
        # The letters and numbers of the margin light up at the end only: they would flicker all around the board.
        Layout(layout(BoardPicture(stones=moves[:count], last=moves[count - 1][0], numbered=numbered)).cells)
        for count in range(1, len(moves))
    ]
    shown.append(layout(replace(end, style=style)))
    colours = board.palette.tobytes().ljust(3 * _COLOURS, b"\0")
    head = b"GIF89a" + struct.pack("<HHBBB", size, size, 0xF0 | (_COLOURS.bit_length() - 2), 0, 0) + colours
    forever = b"!\xff\x0bNETSCAPE2.0\x03\x01" + struct.pack("<HB", 0, 0)
    return b"".join((head, forever, *_frames(board, shown), b";"))


def _frames(board: Plate, shown: Sequence[Layout]) -> Iterator[bytes]:
    before: Indices | None = None
    for number, one in enumerate(shown, start=1):
        picture = pixels(board, one)
        milliseconds = LAST if number == len(shown) else MOVE
        left, top, part = (0, 0, picture) if before is None else _changed(before, picture)
        height, width = part.shape
        yield struct.pack("<BBBBHBB", 0x21, 0xF9, 4, _KEEP | 1, milliseconds // 10, _CLEAR, 0)
        yield struct.pack("<BHHHHB", 0x2C, left, top, width, height, 0) + _packed(part)
        before = picture


def _changed(before: Indices, after: Indices) -> tuple[int, int, Indices]:
    """The smallest rectangle that holds every change, with its place; what stays the same in it is clear."""
    differs = before != after
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if not rows.size:
        return 0, 0, np.full((1, 1), _CLEAR, dtype=np.uint8)
    here = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return int(columns[0]), int(rows[0]), np.where(differs[here], after[here], np.uint8(_CLEAR))


def _packed(part: Indices) -> bytes:
    """The pixels as GIF's LZW data: Pillow writes an image, its ten bytes of header are dropped."""
    return b"".join(GifImagePlugin.getdata(Image.fromarray(np.ascontiguousarray(part))))[10:]
