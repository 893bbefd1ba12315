"""Painting small pictures: shapes as distances from their outline, so that every edge is smooth at any size.

A *cover* is a float array with values from 0 (outside) to 1 (inside), one a pixel; edges get the share of the pixel
that lies inside. Lengths are pixels; the origin of a :class:`Paint` is the middle of its picture.
"""

from __future__ import annotations

from functools import lru_cache
from math import pi, tau
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from bot.render.themes import Rgb

Cover: TypeAlias = npt.NDArray[np.float32]

_FONT: Final = Path(__file__).with_name("renju-numerals.ttf")
_FINER: Final = 4  # glyphs are drawn this many times larger and averaged: hints of whole pixels would unbalance them


@lru_cache(maxsize=64)
def _face(height: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_FONT, height, layout_engine=ImageFont.Layout.BASIC)


class Paint:
    """A picture being painted, in true colour."""

    def __init__(self, width: int, height: int, ground: Rgb) -> None:
        self.width = width
        self.height = height
        self.rgb = np.empty((height, width, 3), dtype=np.float32)
        self.rgb[:] = ground
        self.x = np.arange(width, dtype=np.float32)[None, :] - np.float32((width - 1) / 2)
        self.y = np.arange(height, dtype=np.float32)[:, None] - np.float32((height - 1) / 2)

    def lay(self, cover: Cover, colour: Rgb, strength: float = 1.0) -> None:
        """Lay ``colour`` where ``cover`` says, as thick as ``strength``."""
        self.rgb += (np.array(colour, dtype=np.float32) - self.rgb) * (cover * np.float32(strength))[..., None]

    def fill(self, left: int, top: int, right: int, bottom: int, colour: Rgb) -> None:
        """Fill whole pixels, counted from the upper left corner; right and bottom are just outside."""
        self.rgb[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)] = colour

    def disc(self, radius: float, x: float = 0, y: float = 0) -> Cover:
        """A filled circle around (x, y)."""
        return _inside(np.float32(radius) - np.hypot(self.x - np.float32(x), self.y - np.float32(y)))

    def ring(self, radius: float, width: float) -> Cover:
        """A circle line around the middle; ``radius`` goes to the centre of the line."""
        away = np.abs(np.hypot(self.x, self.y) - np.float32(radius))
        return _inside(np.float32(width / 2) - away)

    def dashes(self, radius: float, width: float, count: int, share: float) -> Cover:
        """A circle line broken into ``count`` dashes that take ``share`` of it; one dash is at the top."""
        pitch = tau / count
        angle = np.arctan2(self.x, -self.y)
        off = np.abs((angle + pitch / 2) % pitch - pitch / 2) * np.float32(radius)
        dash = _inside(np.float32(share * pi * radius / count) - off.astype(np.float32))
        return np.minimum(self.ring(radius, width), dash)

    def dots(self, radius: float, width: float, count: int) -> Cover:
        """A circle of ``count`` round dots, ``width`` across each; one is at the top."""
        pitch = tau / count
        nearest = np.round(np.arctan2(self.x, -self.y) / pitch) * pitch
        away = np.hypot(self.x - radius * np.sin(nearest), self.y + radius * np.cos(nearest))
        return _inside((width / 2 - away).astype(np.float32))

    def stroke(self, start: tuple[float, float], end: tuple[float, float], width: float) -> Cover:
        """A straight line with round ends."""
        along_x, along_y = end[0] - start[0], end[1] - start[1]
        length = along_x * along_x + along_y * along_y or 1.0
        part = np.clip(((self.x - start[0]) * along_x + (self.y - start[1]) * along_y) / length, 0, 1)
        away = np.hypot(self.x - start[0] - part * along_x, self.y - start[1] - part * along_y)
        return _inside((width / 2 - away).astype(np.float32))

    def cross(self, span: float, width: float) -> Cover:
        """An X as wide and high as ``span``."""
        arm = (span - width) / 2
        return np.maximum(
            self.stroke((-arm, -arm), (arm, arm), width),
            self.stroke((-arm, arm), (arm, -arm), width),
        )

    def panel(self, width: float, height: float, corner: float, x: float = 0, y: float = 0) -> Cover:
        """A rectangle with round corners around (x, y)."""
        over_x = np.abs(self.x - np.float32(x)) - np.float32(width / 2 - corner)
        over_y = np.abs(self.y - np.float32(y)) - np.float32(height / 2 - corner)
        outside = np.hypot(np.maximum(over_x, 0), np.maximum(over_y, 0))
        return _inside(np.float32(corner) - outside - np.minimum(np.maximum(over_x, over_y), 0))

    def text(self, text: str, height: float) -> Cover:
        """Digits and letters A-O in the middle; ``height`` is the size of the font."""
        return _glyphs(text, height, self.width, self.height)


def _inside(distance: Cover) -> Cover:
    cover: Cover = np.clip(distance + np.float32(0.5), 0, 1)
    return cover


def _glyphs(text: str, height: float, width: int, rows: int) -> Cover:
    face = _face(round(height * _FINER))
    large = Image.new("L", (width * _FINER, rows * _FINER))
    left, _, right, _ = face.getbbox(text, anchor="ls")
    _, top, _, base = face.getbbox("H", anchor="ls")
    at = (large.width / 2 - (left + right) / 2, large.height / 2 - (top + base) / 2)
    ImageDraw.Draw(large).text(at, text, fill=255, font=face, anchor="ls")
    return np.asarray(large.reduce(_FINER), dtype=np.float32) / np.float32(255)
