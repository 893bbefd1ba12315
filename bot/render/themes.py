"""The two looks of a board, as colours, and the palette of each.

Colours follow Okabe and Ito's set where they carry meaning (vermilion accent, blue information), darkened or lightened
until they reach the contrast a reader needs; no mark relies on its colour alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

Rgb: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of one look, 0-255 sRGB."""

    margin: Rgb
    label: Rgb
    chip: Rgb
    """Behind the letter and the number of the last move."""
    chip_label: Rgb
    board: Rgb
    line: Rgb
    black: Rgb
    """The lower side of a black stone."""
    black_lit: Rgb
    """Its upper side: light falls from above."""
    black_rim: Rgb
    white: Rgb
    """The upper side of a white stone."""
    white_shade: Rgb
    """Its lower side."""
    white_rim: Rgb
    on_black: Rgb
    """A number on a black stone."""
    on_white: Rgb
    ring_on_black: Rgb
    """Accent: last move and winning line."""
    ring_on_white: Rgb
    bar: Rgb
    """Accent: the bar under the winning stones."""
    cross: Rgb
    casing: Rgb
    """Around the cross, so that it stands out from lines and stones."""
    dash: Rgb
    """The circle of an offer and of an unconfirmed stone."""
    letter: Rgb


THEMES: Final = {
    "wood": Theme(
        margin=(246, 226, 186),
        label=(74, 49, 24),
        chip=(154, 52, 0),
        chip_label=(255, 255, 255),
        board=(233, 194, 131),
        line=(82, 54, 26),
        black=(25, 25, 27),
        black_lit=(52, 52, 56),
        black_rim=(4, 4, 5),
        white=(254, 253, 250),
        white_shade=(230, 225, 213),
        white_rim=(48, 38, 28),
        on_black=(255, 255, 255),
        on_white=(20, 20, 22),
        ring_on_black=(240, 120, 30),
        ring_on_white=(196, 70, 0),
        bar=(190, 66, 0),
        cross=(196, 62, 0),
        casing=(255, 255, 255),
        dash=(20, 18, 16),
        letter=(0, 78, 142),
    ),
    "dark": Theme(
        margin=(31, 31, 34),
        label=(226, 220, 208),
        chip=(255, 146, 60),
        chip_label=(24, 22, 20),
        board=(75, 66, 55),
        line=(164, 148, 124),
        black=(12, 12, 14),
        black_lit=(40, 40, 43),
        black_rim=(176, 168, 156),
        white=(244, 242, 237),
        white_shade=(212, 208, 198),
        white_rim=(18, 17, 16),
        on_black=(244, 242, 238),
        on_white=(16, 16, 18),
        ring_on_black=(255, 140, 50),
        ring_on_white=(196, 70, 0),
        bar=(255, 140, 50),
        cross=(196, 62, 0),
        casing=(255, 255, 255),
        dash=(240, 236, 226),
        letter=(112, 196, 246),
    ),
}


SHADES: Final = 8
"""How many tones a stone has from its upper to its lower side."""


def _ramps(theme: Theme) -> list[tuple[Rgb, Rgb, int]]:
    """Which colours meet at an edge somewhere, and how many steps between them an eye asks for."""
    t = theme
    return [
        (t.black_lit, t.black, SHADES - 2),
        (t.white, t.white_shade, SHADES - 2),
        (t.margin, t.label, 5),
        (t.margin, t.chip, 3),
        (t.chip, t.chip_label, 5),
        (t.margin, t.board, 2),
        (t.board, t.line, 3),
        (t.board, t.black_rim, 4),
        (t.board, t.white_rim, 4),
        (t.black, t.black_rim, 2),
        (t.white, t.white_rim, 5),
        (t.black, t.on_black, 6),
        (t.white, t.on_white, 6),
        (t.black, t.ring_on_black, 4),
        (t.white, t.ring_on_white, 4),
        (t.board, t.bar, 3),
        (t.bar, t.black_rim, 2),
        (t.bar, t.white_rim, 2),
        (t.board, t.casing, 3),
        (t.casing, t.cross, 4),
        (t.casing, t.black, 3),
        (t.board, t.dash, 4),
        (t.board, t.letter, 4),
        (t.board, t.black, 5),
        (t.board, t.white, 5),
    ]


def palette(theme: Theme) -> npt.NDArray[np.uint8]:
    """Every colour a picture of this theme may hold, shape (n, 3) with n < 128."""
    colours = {
        mixed(start, end, step / (steps + 1)): None for start, end, steps in _ramps(theme) for step in range(steps + 2)
    }
    return np.array(list(colours), dtype=np.uint8)


def mixed(start: Rgb, end: Rgb, part: float) -> Rgb:
    """The colour ``part`` of the way from ``start`` to ``end``."""
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(start, end, strict=True))
    return red, green, blue
