"""``renju bench draw``: what a picture costs, beside the plain way to draw one, measured in the same run."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Sequence
from statistics import mean, median
from typing import Final, TypeVar

from PIL import Image, ImageDraw, ImageFont

from bot.commands.bench import Figure, Report
from bot.render import gif, png, warm
from bot.render.strips import forget
from bot.scene import BoardPicture
from core.notation import POINTS, SIZE, Colour, Point, column_of, distance_from_tengen, row_of

T = TypeVar("T")

_MOVES: Final = 60
_FRESH: Final = 40
"""Stones in the picture that is drawn with nothing kept."""
_RUNS: Final = 15
_REPEATS: Final = 1000


def measure() -> Report:
    """CPU time on one core. Pieces are painted ahead and the bare board is kept, as in a service that runs."""
    warming, _ = _timed(warm)
    stones = _game()
    along = [BoardPicture(stones[:count], last=stones[count - 1][0], numbered=True) for count in range(1, _MOVES + 1)]
    position = along[_FRESH - 1]
    for shown in along:
        png(shown)
    fresh = median(_timed(lambda: _anew(position))[0] for _ in range(_RUNS))
    games = []
    for _ in range(_RUNS // 3):
        _anew(BoardPicture())
        games.append(_timed(lambda: [png(shown) for shown in along])[0] / _MOVES)
    repeats, _ = _timed(lambda: [png(position) for _ in range(_REPEATS)])
    animations = [_timed(lambda: gif(stones)) for _ in range(_RUNS // 3)]
    plain = [_timed(lambda: plain_png(stones[:_FRESH])) for _ in range(_RUNS // 3)]
    fresh_kb, plain_kb = len(png(position)) / 1000, len(plain[0][1]) / 1000
    plain_ms = median(spent for spent, _ in plain)
    return Report(
        f"960 pixels, {_FRESH} numbered stones; a game of {_MOVES} moves; median CPU time",
        (
            Figure("fresh_ms", fresh, "ms", "a first picture, nothing compressed before"),
            Figure("fresh_kb", fresh_kb, "kB", "and its size"),
            Figure("move_ms", median(games), "ms", "the next picture of a game, on average"),
            Figure("move_kb", mean(len(png(shown)) for shown in along) / 1000, "kB", "and its size"),
            Figure("repeat_us", 1000 * repeats / _REPEATS, "us", "the same picture again"),
            Figure("gif_move_ms", median(spent for spent, _ in animations) / _MOVES, "ms", "a move of a GIF"),
            Figure("gif_kb", len(animations[0][1]) / 1000, "kB", "the whole GIF, 720 pixels"),
            Figure("warm_ms", warming, "ms", "painting ahead, once at the start"),
            Figure("plain_ms", plain_ms, "ms", "the reference: the position drawn at once in true colour by Pillow"),
            Figure("plain_kb", plain_kb, "kB", "and its size"),
            Figure("ratio", plain_ms / fresh, "", "reference / first picture"),
        ),
    )


def _anew(picture: BoardPicture) -> bytes:
    forget()
    return png(picture)


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    began = time.process_time()
    done = work()
    return (time.process_time() - began) * 1000, done


def _game() -> tuple[tuple[Point, Colour], ...]:
    """Sixty stones around the centre, always the same: a board as crowded as that of a long game."""
    near = [point for point in range(POINTS) if distance_from_tengen(point) <= 5]
    order = sorted(near, key=lambda point: (distance_from_tengen(point) // 2, point * 37 % 101))
    return tuple((point, Colour.WHITE if count % 2 else Colour.BLACK) for count, point in enumerate(order[:_MOVES]))


def plain_png(stones: Sequence[tuple[Point, Colour]], size: int = 960) -> bytes:
    """The reference: true colour, drawn at once with Pillow's own shapes and font, saved with Pillow's defaults."""
    cell = size // 16
    first = (size - 14 * cell) // 2
    image = Image.new("RGB", (size, size), (233, 194, 131))
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(cell // 2)
    for line in range(SIZE):
        at = first + line * cell
        draw.line((at, first, at, first + 14 * cell), fill=(82, 54, 26), width=2)
        draw.line((first, at, first + 14 * cell, at), fill=(82, 54, 26), width=2)
        for away in (first - cell * 0.7, first + cell * 14.7):
            draw.text((at, away), "ABCDEFGHIJKLMNO"[line], fill=0, font=font, anchor="mm")
            draw.text((away, at), str(SIZE - line), fill=0, font=font, anchor="mm")
    for number, (point, colour) in enumerate(stones, start=1):
        x, y = first + column_of(point) * cell, first + (14 - row_of(point)) * cell
        fill, ink = ((25, 25, 27), (255, 255, 255)) if colour is Colour.BLACK else ((252, 250, 245), (20, 20, 22))
        draw.circle((x, y), cell * 0.47, fill=fill, outline=(20, 20, 20), width=2)
        draw.text((x, y), str(number), fill=ink, font=font, anchor="mm")
    held = io.BytesIO()
    image.save(held, "PNG")
    return held.getvalue()
