"""``renju draw``: a position as PNG, or the game that led to it as GIF."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from bot.render import LARGEST, SMALLEST, STYLES, gif, png
from bot.scene import BoardPicture
from core.notation import Colour, NotationError, Point, board_of, moves, name
from core.rules import five_line, forbidden, judge

_PNG_SIZE: Final = 960
_GIF_SIZE: Final = 720


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """MOVES, where to put the picture, and how it looks."""
    parser.add_argument("moves", metavar="MOVES", help="h8h9j10 ..., black first; '' is the empty board")
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, required=True, help="FILE.png, or FILE.gif: the game"
    )
    parser.add_argument("--style", choices=STYLES, default=STYLES[0])
    parser.add_argument(
        "--size",
        metavar="N",
        type=_size,
        help=f"pixels, {SMALLEST} to {LARGEST} (default {_PNG_SIZE}, of a GIF {_GIF_SIZE})",
    )
    parser.add_argument("--numbers", action="store_true", help="write move numbers on the stones")
    parser.add_argument(
        "--forbidden",
        action="store_true",
        help="cross out what is forbidden for Black, if Black is to move, or Black's last stone, if it was",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the file. 1 when the moves cannot be played or the file cannot be written, 2 for another kind of file."""
    kind = arguments.output.suffix.lower()
    if kind not in {".png", ".gif"}:
        print(f"renju draw: {arguments.output}: the name of the file must end with .png or .gif", file=sys.stderr)
        return 2
    try:
        picture = _picture(_played(arguments.moves), arguments.numbers, arguments.forbidden, arguments.style)
        if kind == ".gif":
            size = arguments.size or _GIF_SIZE
            drawn = gif(picture.stones, picture.style, size, numbered=picture.numbered, end=picture)
        else:
            drawn = png(picture, arguments.size or _PNG_SIZE)
        arguments.output.write_bytes(drawn)
    except (NotationError, _Occupied) as error:
        print(f"renju draw: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"renju draw: {arguments.output}: {error.strerror or error}", file=sys.stderr)
        return 1
    return 0


class _Occupied(ValueError):
    """A move to a point where a stone lies already."""


def _size(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not SMALLEST <= int(text) <= LARGEST:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of pixels from {SMALLEST} to {LARGEST}")
    return int(text)


def _played(text: str) -> tuple[Point, ...]:
    played = moves(text)
    for count, point in enumerate(played):
        if point in played[:count]:
            raise _Occupied(f"move {count + 1}: {name(point)} is occupied since move {played.index(point) + 1}")
    return played


def _picture(played: tuple[Point, ...], numbered: bool, crosses: bool, style: str) -> BoardPicture:
    stones = tuple((point, Colour.WHITE if count % 2 else Colour.BLACK) for count, point in enumerate(played))
    if not stones:
        return BoardPicture(style=style, numbered=numbered)
    last, colour = stones[-1]
    board = board_of(played)
    win = five_line(board, last, colour, exact=colour is Colour.BLACK)
    crossed: tuple[Point, ...] = ()
    foul: Point | None = None
    if crosses and not win:
        if colour is Colour.WHITE:
            crossed = tuple(forbidden(board))
        elif judge(board_of(played[:-1]), last).forbidden:
            foul = last
    return BoardPicture(stones, last=last, numbered=numbered, forbidden=crossed, win=win, foul=foul, style=style)
