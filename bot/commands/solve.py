"""``renju solve``: wins by continuous fours, or by threes and fours, position by position."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from bot.commands.judging import BadPosition
from core.ai import vcf, vct
from core.notation import Colour, NotationError, board, name, point

#: How long one position may take, in seconds, unless ``--time`` says otherwise.
SECONDS: Final = 10.0


class _Position(msgspec.Struct):
    """One line of input. Other fields are welcome and not read."""

    black: list[str]
    white: list[str]
    to_move: Literal["b", "w"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the positions come from, and how long each may take."""
    parser.description = (
        'For each line {"black":[..],"white":[..],"to_move":"b"|"w"}, print whether the side to move wins by '
        'continuous fours: {"vcf":true|false|null,"line":["h8",..],"ms":..}; null: not decided within the time. '
        'With --threes there is also "vct": whether it wins by continuous threes and fours.'
    )
    parser.add_argument("--jsonl", metavar="FILE|-", required=True, help="the positions; - for standard input")
    parser.add_argument("--time", type=_seconds, default=SECONDS, metavar="S", help="seconds a position (default 10)")
    parser.add_argument("--threes", action="store_true", help="where fours alone do not win, look for threes and fours")


def run(arguments: argparse.Namespace) -> int:
    """Answer on standard output, line by line as they come."""
    try:
        if arguments.jsonl == "-":
            _solve(sys.stdin.buffer, arguments.time, threes=arguments.threes)
        else:
            with Path(arguments.jsonl).open("rb") as source:
                _solve(source, arguments.time, threes=arguments.threes)
    except BadPosition as bad:
        return _refuse(str(bad))
    except BrokenPipeError:
        raise  # the reader has gone; the command line knows what to do
    except OSError as fault:
        return _refuse(f"cannot read {arguments.jsonl}: {fault.strerror}")
    return 0


def _refuse(message: str) -> int:
    print(f"renju solve: {message}", file=sys.stderr)
    return 2


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return seconds


def _solve(source: Iterable[bytes], seconds: float, *, threes: bool) -> None:
    decode = msgspec.json.Decoder(_Position)
    for number, line in enumerate(source, 1):
        if not line.strip():
            continue
        try:
            answer = _answer(decode.decode(line), seconds, threes=threes)
        except msgspec.ValidationError as bad:
            raise BadPosition(f"line {number}: {bad}") from bad
        except (msgspec.DecodeError, UnicodeDecodeError) as bad:
            raise BadPosition(f"line {number}: not JSON: {bad}") from bad
        except (NotationError, ValueError) as bad:
            raise BadPosition(f"line {number}: {bad}") from bad
        sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
        sys.stdout.buffer.flush()


def _answer(position: _Position, seconds: float, *, threes: bool) -> dict[str, Any]:
    cells = board([point(text) for text in position.black], [point(text) for text in position.white])
    to_move = Colour.BLACK if position.to_move == "b" else Colour.WHITE
    began = time.perf_counter()
    found = vcf(cells, to_move, seconds=seconds)
    answer: dict[str, Any] = {"vcf": found.won}
    line = found.line
    if threes:
        answer["vct"] = found.won
        if not found.won:
            left = max(seconds - (time.perf_counter() - began), 0.0)
            attack = vct(cells, to_move, seconds=left)
            answer["vct"] = attack.won
            line = attack.line
    spent = time.perf_counter() - began
    return answer | {"line": [name(p) for p in line], "ms": round(spent * 1000, 3)}
