"""PNG files put together from compressed strips, so that what did not change is not compressed again.

The pixels of a PNG are one zlib stream, and deflate data that ends with a full flush can be followed by any other. A
picture is cut into its upper margin, fifteen rows of the board and its lower margin; each strip is compressed once and
kept. A new position then costs the row of its new stone, the row of the stone that is no longer the last and two
margins; the checksum of the whole is combined from those of the strips.
"""

from __future__ import annotations

import struct
import zlib
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from bot.render.layout import Cell, Label, layout
from bot.render.plates import Indices, Plate, margin, plate, row_of_cells
from bot.scene import BoardPicture
from core.notation import SIZE

STRIPS: Final = 3000
"""Compressed strips kept, about 2.3 kB each at 960 pixels."""
PICTURES: Final = 128
"""Whole files kept, about 35 kB each at 960 pixels."""
_LEVEL: Final = 5
_ADLER: Final = 65521


class Strip(NamedTuple):
    """A few lines of a picture, compressed."""

    deflated: bytes
    adler: int
    length: int
    """Before compression, bytes."""


def _strip(pixels: Indices) -> Strip:
    lines = np.zeros((pixels.shape[0], pixels.shape[1] + 1), dtype=np.uint8)  # a zero before each line: no filter
    lines[:, 1:] = pixels
    raw = lines.tobytes()
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, 9)
    return Strip(packer.compress(raw) + packer.flush(zlib.Z_FULL_FLUSH), zlib.adler32(raw), len(raw))


@lru_cache(maxsize=STRIPS)
def kept_row(board: Plate, row: int, state: Label, cells: tuple[tuple[int, Cell], ...]) -> Strip:
    """A row of the board, compressed."""
    return _strip(row_of_cells(board, row, state, cells))


@lru_cache(maxsize=256)
def kept_margin(board: Plate, height: int, columns: tuple[Label, ...]) -> Strip:
    """The margin above or below the board, compressed."""
    return _strip(margin(board, height, columns))


@lru_cache(maxsize=PICTURES)
def png(picture: BoardPicture, size: int = 960) -> bytes:
    """The picture as a PNG file of ``size`` x ``size`` pixels.

    May be called from any thread. Raises ``ValueError`` for an unknown style, a size outside 240 to 2048 and a picture
    that no board can show (two stones on a point, a point off the board, more than twelve offers).
    """
    board = plate(picture.style, size)
    shown = layout(picture)
    strips = [
        kept_margin(board, board.before, shown.columns),
        *(kept_row(board, row, shown.rows[row], shown.row(row)) for row in range(SIZE - 1, -1, -1)),
        kept_margin(board, board.after, shown.columns),
    ]
    adler = 1
    for strip in strips:
        adler = joined(adler, strip.adler, strip.length)
    stream = b"".join((b"\x78\x9c", *(strip.deflated for strip in strips), b"\x03\x00", struct.pack(">I", adler)))
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", board.palette.tobytes()),
            _chunk(b"IDAT", stream),
            _chunk(b"IEND", b""),
        )
    )


def joined(first: int, second: int, length: int) -> int:
    """The Adler-32 of two pieces one after the other, from that of each and the length of the second."""
    low = (first & 0xFFFF) + (second & 0xFFFF) - 1
    high = (first >> 16) + (second >> 16) + length * ((first & 0xFFFF) - 1)
    return (high % _ADLER) << 16 | low % _ADLER


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(body, zlib.crc32(kind)))


def forget() -> None:
    """Drop every compressed strip and file: for measuring what a first picture costs."""
    for kept in (kept_row, kept_margin, png):
        kept.cache_clear()
