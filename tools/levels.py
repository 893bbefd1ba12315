"""Writes the ladder's table into ``docs/levels.md``, from the levels and from the games kept in ``docs/ladder.json``.

``python tools/levels.py`` writes it; ``--check`` exits 1 when the page is not what the levels and the games say. Games
are added by ``renju bench ai --results docs/ladder.json``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bot.commands.bench_ai import elo, present, read  # noqa: E402
from bot.words.catalogue import words  # noqa: E402
from bot.words.levels import level_name  # noqa: E402
from core.ai.ladder import FULL_NODES, Tally  # noqa: E402
from core.ai.levels import LEVELS, Level  # noqa: E402

PAGE: Final = ROOT / "docs" / "levels.md"
GAMES: Final = ROOT / "docs" / "ladder.json"
HEAD: Final = (
    "| level | name | nodes a move | overlooks | beat the level below in | Elo above it | Elo above level 1 |\n"
    "| --- | --- | --- | --- | --- | --- | --- |\n"
)


def table() -> str:
    """A row for every level."""
    tallies = present(read(GAMES))
    from_first = elo(tallies)
    english = words("en")
    rows = []
    for number, level in LEVELS.items():
        below = (f"level {number - 1}", f"level {number}")
        tally = tallies.get(below, Tally())
        value, error = from_first.get(below[1], (0.0, 0.0))
        cells = [
            str(number),
            level_name(english, number),
            _nodes(level),
            f"{level.blindness:g}" if level.blindness else "",
            f"{tally.lost + tally.drawn / 2:g} of {tally.games}" if tally.games else "",
            _difference(tally, below) if tally.games else "",
            f"{value:.0f} ± {error:.0f}" if number > 1 else "0",
        ]
        rows.append("| " + " | ".join(cells) + " |\n")
    return HEAD + "".join(rows)


def _nodes(level: Level) -> str:
    return f"{level.nodes:,}" if level.nodes is not None else f"all its time ({FULL_NODES:,} here)"


def _difference(tally: Tally, pair: tuple[str, str]) -> str:
    """Of these games alone."""
    below, here = pair
    value, error = elo({pair: tally}, zero=below)[here]
    return f"{value:+.0f} ± {error:.0f}"


def page() -> str:
    """The page with the table as it should be."""
    return "".join(_with_table(PAGE.read_text("utf-8").splitlines(keepends=True)))


def _with_table(lines: Sequence[str]) -> Iterator[str]:
    first = lines.index(HEAD.splitlines(keepends=True)[0])
    after = next(n for n in range(first, len(lines)) if not lines[n].startswith("|"))
    yield from (*lines[:first], table(), *lines[after:])


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the table, or check it."""
    parser = argparse.ArgumentParser(description="Write the table of docs/levels.md from docs/ladder.json.")
    parser.add_argument("--check", action="store_true", help="change nothing; status 1 when the table is out of date")
    wanted = page()
    if parser.parse_args(arguments).check:
        return 0 if PAGE.read_text("utf-8") == wanted else 1
    PAGE.write_text(wanted, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
