"""A board of one style and size: where everything is, and the painted pieces a picture is put together from.

Pieces are arrays of palette indices, painted once and kept. A cell is painted together with the board under it, so that
putting a picture together is only copying.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from bot.render.layout import Cell, Label, Layout
from bot.render.paint import Paint
from bot.render.themes import SHADES, THEMES, mixed, palette
from core.notation import COLUMNS, SIZE, STARS, Colour

Indices: TypeAlias = npt.NDArray[np.uint8]

SMALLEST: Final = 240
LARGEST: Final = 2048
_CELLS_ACROSS: Final = 16.4  # fifteen cells and 0.7 of one on each side

SPRITES: Final = 2048
"""Painted pieces kept; about 3.4 kB each at 960 pixels."""


class Plate:
    """Geometry and colours. Compare by identity: :func:`plate` keeps one for each style and size."""

    def __init__(self, style: str, size: int) -> None:
        self.style = style
        self.size = size
        self.theme = THEMES[style]
        self.palette = palette(self.theme)
        self._palette = self.palette.astype(np.float32)
        self._half_norm = (self._palette**2).sum(axis=1) / 2
        self.cell = int(size / _CELLS_ACROSS)
        self.before = (size - SIZE * self.cell) // 2
        """Left and upper margin, pixels."""
        self.after = size - SIZE * self.cell - self.before
        """Right and lower margin: one more where the leftover is odd."""
        self.line = self._width(0.035)
        self.border = self._width(0.06)

    def _width(self, share: float) -> int:
        """A line width that sits on whole pixels around the middle of a cell: odd in an odd cell, else even.

        The thinnest line is one pixel, half a pixel off the middle of an even cell: two would be a grid of bars.
        """
        parity = self.cell % 2
        wanted = share * self.cell
        return 1 if wanted < 1.5 else max(2 - parity, 2 * round((wanted - parity) / 2) + parity)

    def left(self, column: int) -> int:
        """The first pixel column of a board column."""
        return self.before + column * self.cell

    def top(self, row: int) -> int:
        """The first pixel row of a board row; row 15 is on top."""
        return self.before + (SIZE - 1 - row) * self.cell

    def indices(self, paint: Paint) -> Indices:
        """The nearest colours of the palette."""
        red, green, blue = paint.rgb.round().astype(np.int32).reshape(-1, 3).T
        used, where = np.unique(red << 16 | green << 8 | blue, return_inverse=True)  # few: most of a cell is flat
        colours = np.stack([used >> 16, used >> 8 & 255, used & 255], axis=1).astype(np.float32)
        nearest = (colours @ self._palette.T - self._half_norm).argmax(axis=1).astype(np.uint8)
        found: Indices = nearest[where].reshape(paint.height, paint.width)
        found.flags.writeable = False
        return found


@lru_cache(maxsize=8)
def plate(style: str, size: int) -> Plate:
    """The board of this style and size. Raises ``ValueError`` when there is none."""
    if style not in THEMES:
        raise ValueError(f"no style {style!r}; there are {', '.join(THEMES)}")
    if not SMALLEST <= size <= LARGEST:
        raise ValueError(f"{size} pixels: a picture is {SMALLEST} to {LARGEST} wide")
    return Plate(style, size)


Ground: TypeAlias = tuple[int, int, bool]
"""Which border a point lies on, left to right and near to far (-1, 0, 1), and whether it is a star point."""


def ground(column: int, row: int) -> Ground:
    """What the bare board looks like around a point."""
    across = (column == SIZE - 1) - (column == 0)
    up = (row == SIZE - 1) - (row == 0)
    return across, up, row * SIZE + column in STARS


@lru_cache(maxsize=SPRITES)
def sprite(board: Plate, under: Ground, cell: Cell) -> Indices:
    """A cell with everything on it, painted over its piece of board."""
    if cell.stone and not cell.ghost and under[2]:
        return sprite(board, (under[0], under[1], False), cell)  # the stone hides the star
    paint = Paint(board.cell, board.cell, board.theme.margin)
    _paint_ground(board, paint, under)
    for bar in cell.bars:
        _paint_bar(board, paint, bar)
    if cell.offer:
        _paint_offer(board, paint)
    if cell.stone and cell.ghost:
        _paint_ghost(board, paint, cell.stone)
    elif cell.stone:
        _paint_stone(board, paint, cell)
    if cell.text:
        _paint_text(board, paint, cell)
    if cell.cross:
        _paint_cross(board, paint, 0.62 if cell.stone and not cell.ghost else 0.48)
    return board.indices(paint)


def _paint_ground(board: Plate, paint: Paint, under: Ground) -> None:
    across, up, star = under
    theme, cell = board.theme, board.cell
    corner = 0.3 * cell if across and up else 0.0
    far = 2.0 * cell  # a panel this much larger than the cell has its other edges outside
    shift = far / 2 - cell / 2
    paint.lay(paint.panel(far, far, corner, -across * shift, up * shift), theme.board)
    for thick, fill in (
        (board.border if across else board.line, _down),
        (board.border if up else board.line, _sideways),
    ):
        fill(board, paint, under, (cell - thick) // 2, (cell + thick) // 2)
    if star:
        paint.lay(paint.disc(0.11 * cell), theme.line)


def _down(board: Plate, paint: Paint, under: Ground, start: int, end: int) -> None:
    top = (board.cell - board.border) // 2 if under[1] > 0 else 0  # lines of the border end flush with each other
    bottom = (board.cell + board.border) // 2 if under[1] < 0 else board.cell
    paint.fill(start, top, end, bottom, board.theme.line)


def _sideways(board: Plate, paint: Paint, under: Ground, start: int, end: int) -> None:
    left = (board.cell - board.border) // 2 if under[0] < 0 else 0
    right = (board.cell + board.border) // 2 if under[0] > 0 else board.cell
    paint.fill(left, start, right, end, board.theme.line)


def _paint_bar(board: Plate, paint: Paint, bar: tuple[int, int, int, int]) -> None:
    x0, y0, x1, y1 = (part * board.cell for part in bar)
    slanting = x0 != x1 and y0 != y1
    paint.lay(paint.stroke((x0, -y0), (x1, -y1), (0.24 if slanting else 0.62) * board.cell), board.theme.bar)


def _paint_offer(board: Plate, paint: Paint) -> None:
    theme, cell = board.theme, board.cell
    paint.lay(paint.disc(0.46 * cell), theme.board)
    paint.lay(paint.dashes(0.44 * cell, max(1.5, 0.055 * cell), 14, 0.6), theme.dash)


def _paint_ghost(board: Plate, paint: Paint, stone: Colour) -> None:
    theme, cell = board.theme, board.cell
    colour = theme.black if stone is Colour.BLACK else theme.white
    paint.lay(paint.disc(0.34 * cell), colour, 0.6)
    paint.lay(paint.dots(0.43 * cell, max(2.0, 0.1 * cell), 12), theme.dash)


def _paint_stone(board: Plate, paint: Paint, cell: Cell) -> None:
    theme, width = board.theme, board.cell
    black = cell.stone is Colour.BLACK
    radius = 0.475 * width
    paint.lay(paint.disc(radius), theme.black_rim if black else theme.white_rim)
    inside = paint.disc(radius - 0.045 * width)
    for shade in range(SHADES):  # level bands: they give roundness and compress as well as a flat stone
        part = shade / (SHADES - 1)
        colour = mixed(theme.black_lit, theme.black, part) if black else mixed(theme.white, theme.white_shade, part)
        band = inside * (paint.y > (shade / SHADES - 0.5) * 2 * radius)
        paint.lay(band, colour)
    accent = theme.ring_on_black if black else theme.ring_on_white
    if cell.ring:
        paint.lay(paint.ring(0.385 * width, 0.075 * width), accent)
    if cell.dot:
        paint.lay(paint.disc(0.13 * width), accent)


def _paint_text(board: Plate, paint: Paint, cell: Cell) -> None:
    theme = board.theme
    height = (0.60, 0.52, 0.40)[min(len(cell.text), 3) - 1] * board.cell
    if cell.stone:
        colour = theme.on_black if cell.stone is Colour.BLACK else theme.on_white
    else:
        colour = theme.letter
    paint.lay(paint.text(cell.text, height), colour)


def _paint_cross(board: Plate, paint: Paint, share: float) -> None:
    theme, width = board.theme, board.cell
    span = share * width
    line = 0.23 * span
    casing = max(1.0, 0.05 * width)
    paint.lay(paint.cross(span + 2 * casing, line + 2 * casing), theme.casing)
    paint.lay(paint.cross(span, line), theme.cross)


@lru_cache(maxsize=512)
def label(board: Plate, text: str, width: int, height: int, state: Label) -> Indices:
    """A letter or number of the margin, in the middle of its piece."""
    theme, cell = board.theme, board.cell
    paint = Paint(width, height, theme.margin)
    colour = theme.label
    if state is not Label.PLAIN:
        chip = paint.panel(0.70 * cell, 0.58 * cell, 0.16 * cell)
        paint.lay(chip, theme.chip)
        if state is Label.LAST:
            colour = theme.chip_label
        else:
            thick = 0.06 * cell
            inner = paint.panel(0.70 * cell - 2 * thick, 0.58 * cell - 2 * thick, 0.16 * cell - thick)
            paint.lay(inner, theme.margin)
    paint.lay(paint.text(text, 0.50 * cell), colour)
    return board.indices(paint)


@lru_cache(maxsize=128)
def bare_row(board: Plate, row: int, state: Label) -> Indices:
    """A row of the board without stones, margins left and right included."""
    text = str(row + 1)
    pieces = [
        label(board, text, board.before, board.cell, state),
        *(sprite(board, ground(column, row), Cell()) for column in range(SIZE)),
        label(board, text, board.after, board.cell, state),
    ]
    return np.hstack(pieces)


def row_of_cells(board: Plate, row: int, state: Label, cells: tuple[tuple[int, Cell], ...]) -> Indices:
    """A row of the board with its stones, shape (cell, size)."""
    pixels = bare_row(board, row, state).copy()
    for column, cell in cells:
        left = board.left(column)
        pixels[:, left : left + board.cell] = sprite(board, ground(column, row), cell)
    return pixels


def margin(board: Plate, height: int, columns: tuple[Label, ...]) -> Indices:
    """The strip with letters above or below the board."""
    corner = label(board, "", board.before, height, Label.PLAIN)
    other = label(board, "", board.after, height, Label.PLAIN)
    letters = [label(board, COLUMNS[at].upper(), board.cell, height, state) for at, state in enumerate(columns)]
    return np.hstack([corner, *letters, other])


def pixels(board: Plate, shown: Layout) -> Indices:
    """The whole picture as palette indices, shape (size, size)."""
    rows = [row_of_cells(board, row, shown.rows[row], shown.row(row)) for row in range(SIZE - 1, -1, -1)]
    return np.vstack(
        [margin(board, board.before, shown.columns), *rows, margin(board, board.after, shown.columns)],
    )
