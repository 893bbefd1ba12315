"""``renju bench``: the project's own figures, each reproducible from the command line.

A bench is a module ``bot.commands.bench_NAME`` with ``measure() -> Report``; one line in ``BENCHES`` adds it. One that
can be told more also has ``add_arguments(parser)``, and ``measure`` is given what was said.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from dataclasses import dataclass
from types import ModuleType
from typing import Final

#: The benches, each with its line in ``renju bench --help``.
BENCHES: Final = {
    "rules": "the map of Black's forbidden points of a whole board",
    "draw": "pictures of a board, beside the plain way to draw one",
    "ai": "the engine's levels against each other and against simple players",
    "thinking": "how long people wait for the engine while many play it at once",
    "service": "a tap in Telegram and Discord answered and shown, beside bots that do nothing else",
}
#: Those that can be told more.
_ASKING: Final = ("ai", "thinking")


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value."""

    name: str  # also the key in JSON
    value: float
    unit: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Report:
    """What a bench found, and on what."""

    subject: str
    figures: tuple[Figure, ...]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which bench, and how to print it."""
    benches = parser.add_subparsers(dest="bench", metavar="BENCH", required=True)
    for name, line in BENCHES.items():
        bench = benches.add_parser(name, help=line, description=line[0].upper() + line[1:] + ".")
        bench.add_argument("--json", action="store_true", help="one JSON object instead of a table")
        if name in _ASKING:
            _module(name).add_arguments(bench)


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"bot.commands.bench_{name}")


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    module = _module(arguments.bench)
    try:
        report: Report = module.measure(arguments) if arguments.bench in _ASKING else module.measure()
    except ValueError as error:
        print(f"renju bench: {error}", file=sys.stderr)
        return 2
    if arguments.json:
        figures = {figure.name: figure.value for figure in report.figures}
        print(json.dumps({"bench": arguments.bench, "subject": report.subject, **figures}))
    else:
        print(f"{arguments.bench}: {report.subject}")
        for figure in report.figures:
            print(f"  {figure.value:10.2f} {figure.unit:3} {figure.meaning}")
    return 0
