"""``renju forbidden``: Black's forbidden points of one position, or of a stream of them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import BinaryIO

from bot.commands import judging


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The position, or where positions come from."""
    parser.description = (
        "Print the points that are forbidden for Black, were Black to move, as one JSON line a position: "
        '{"forbidden":{"h8":"double-three"}}. With --why, reasons for the forbidden points and for those that only '
        'look forbidden follow: as text after a position string, as "why" within each line of --jsonl.'
    )
    parser.add_argument("moves", nargs="*", metavar="MOVES", help="a position string such as h8h9i9, Black first")
    parser.add_argument(
        "--jsonl",
        metavar="FILE|-",
        help='read lines {"black":["h8"],"white":["h9"]} from a file, or from standard input as they come',
    )
    parser.add_argument("--why", action="store_true", help="add the lines that make or unmake each verdict")


def run(arguments: argparse.Namespace) -> int:
    """Answer on standard output."""
    if bool(arguments.moves) == (arguments.jsonl is not None):
        return _refuse("give either a position string such as h8h9i9, or --jsonl FILE (- for standard input)")
    try:
        if arguments.jsonl is None:
            _one(" ".join(arguments.moves), arguments.why)
        elif arguments.jsonl == "-":
            _many(sys.stdin.buffer, arguments.why)
        else:
            with Path(arguments.jsonl).open("rb") as source:
                _many(source, arguments.why)
    except judging.BadPosition as bad:
        return _refuse(str(bad))
    except BrokenPipeError:
        raise  # the reader has gone; the command line knows what to do
    except OSError as fault:
        return _refuse(f"cannot read {arguments.jsonl}: {fault.strerror}")
    return 0


def _refuse(message: str) -> int:
    print(f"renju forbidden: {message}", file=sys.stderr)
    return 2


def _one(text: str, why: bool) -> None:
    board = judging.board_from_moves(text)
    print(judging.answers([board], why=False).decode(), end="")
    if why:
        print(judging.reasons(board))


def _many(source: BinaryIO, why: bool) -> None:
    sys.stdout.flush()
    judging.stream(source, sys.stdout.buffer, why=why)
