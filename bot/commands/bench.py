"""``renju bench``: the project's own figures, each reproducible from the command line.

A bench is a module ``bot.commands.bench_NAME`` with ``measure() -> Report``; one line in ``BENCHES`` adds it.
"""

from __future__ import annotations

import argparse
import importlib
import json
from dataclasses import dataclass
from typing import Final

#: The benches, each with its line in ``renju bench --help``.
BENCHES: Final = {
    "rules": "the map of Black's forbidden points of a whole board",
    "draw": "pictures of a board, beside the plain way to draw one",
    "service": "a tap in Telegram and Discord answered and shown, beside bots that do nothing else",
}


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


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    report: Report = importlib.import_module(f"bot.commands.bench_{arguments.bench}").measure()
    if arguments.json:
        figures = {figure.name: figure.value for figure in report.figures}
        print(json.dumps({"bench": arguments.bench, "subject": report.subject, **figures}))
    else:
        print(f"{arguments.bench}: {report.subject}")
        for figure in report.figures:
            print(f"  {figure.value:10.2f} {figure.unit:3} {figure.meaning}")
    return 0
