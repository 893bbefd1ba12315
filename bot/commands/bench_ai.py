"""``renju bench ai``: the engine's levels against each other and against simple players, without any other program.

Results can be kept in a file and added to: the next call plays on where the last one ended. Each pair stands there
with what its players were (:func:`core.ai.ladder.definition`): when one is changed, the pair begins anew, and what was
played before is kept beside it. ``docs/ladder.json`` has the games that ``docs/levels.md`` tells of.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from bot.commands.bench import Figure, Report
from core.ai.ladder import NAMES, PAIRS, Tally, definition, match

#: How many games a pair plays when nothing is said.
GAMES: Final = 20
#: Whose strength is called 0.
ZERO: Final = "level 1"
#: 95 % of what is measured lies within so many standard deviations.
_WIDE: Final = 1.96
_ELO: Final = 400 / math.log(10)
_STEPS: Final = 100

Pair = tuple[str, str]
Kept = dict[tuple[str, str, str, str], Tally]
"""Both names and what both were: the games."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Who plays, how often, and where results are kept."""
    parser.add_argument("--games", type=int, default=GAMES, help=f"games a pair (default {GAMES}); 0: only print")
    parser.add_argument(
        "--players",
        nargs="+",
        choices=NAMES,
        default=(),
        metavar="NAME",
        help=f"only pairs with these: {', '.join(NAMES)}",
    )
    parser.add_argument("--results", type=Path, metavar="FILE", help="keep results here, and add to what is there")


def measure(arguments: argparse.Namespace) -> Report:
    """Play, and tell every pair's score and everybody's strength. Raises ``ValueError`` for an unreadable file."""
    kept = read(arguments.results) if arguments.results is not None else {}
    for one, other in PAIRS:
        if not set(arguments.players) <= {one, other} or arguments.games < 1:
            continue
        now = (one, other, definition(one), definition(other))
        before = kept.get(now, Tally())
        for number, tally in enumerate(match(one, other, arguments.games, begin=before.games), start=1):
            kept[now] = kept.get(now, Tally()) + tally
            if arguments.results is not None:
                write(arguments.results, kept)
            print(f"\r{one} - {other}: {number}/{arguments.games} ", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
    tallies = present(kept)
    strengths = elo(tallies)
    return Report("the engine's levels against their neighbours", (*_scores(tallies), *_strengths(strengths)))


def present(kept: Kept) -> dict[Pair, Tally]:
    """The games of the players as they are now, in the order of the ladder."""
    pairs = {(one, other): (one, other, definition(one), definition(other)) for one, other in PAIRS}
    return {pair: kept[now] for pair, now in pairs.items() if now in kept}


def read(path: Path) -> Kept:
    """The results in a file; none when there is no file yet. Raises ``ValueError``."""
    if not path.exists():
        return {}
    try:
        return {
            (row["one"], row["other"], row["one_was"], row["other_was"]): Tally(row["won"], row["drawn"], row["lost"])
            for row in json.loads(path.read_text("utf-8"))["pairs"]
        }
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path} holds no results of this bench") from error


def write(path: Path, kept: Kept) -> None:
    """The inverse of :func:`read`."""
    rows = [
        {
            "one": one,
            "one_was": one_was,
            "other": other,
            "other_was": other_was,
            "won": tally.won,
            "drawn": tally.drawn,
            "lost": tally.lost,
        }
        for (one, other, one_was, other_was), tally in kept.items()
    ]
    path.write_text(json.dumps({"pairs": rows}, indent=1) + "\n", "utf-8")


def _scores(tallies: Mapping[Pair, Tally]) -> Iterator[Figure]:
    for (one, other), tally in tallies.items():
        score, error = stronger_scores(tally)
        said = f"± {error:.0f}  {other} against {one}: {tally.lost} won, {tally.drawn} drawn, {tally.won} lost"
        yield Figure(f"{other} - {one}".replace(" ", "_"), score, "%", said)


def stronger_scores(tally: Tally) -> tuple[float, float]:
    """What the second of a pair scores, in percent, and how far that may be off (95 %)."""
    n = max(tally.games, 1)
    mean = (tally.lost + tally.drawn / 2) / n
    square = (tally.lost + tally.drawn / 4) / n
    return 100 * mean, 100 * _WIDE * math.sqrt(max(square - mean * mean, 0.25 / n) / n)


def _strengths(strengths: Mapping[str, tuple[float, float]]) -> Iterator[Figure]:
    for name in sorted(strengths, key=lambda one: strengths[one][0]):
        value, error = strengths[name]
        yield Figure(f"elo_{name}".replace(" ", "_"), value, "Elo", f"± {error:.0f}  {name}")


def elo(tallies: Mapping[Pair, Tally], zero: str = ZERO) -> dict[str, tuple[float, float]]:
    """Everybody's strength by maximum likelihood, and how far it may be off (95 %); ``zero`` has 0.

    A draw is half a point. Each pair has one more draw than was played, so that a whitewash stays finite. Only who is
    linked to ``zero`` by games is told.
    """
    linked = {zero}
    for _ in NAMES:
        linked |= {name for pair in tallies for name in pair if linked & set(pair)}
    names = [name for name in NAMES if name in linked and name != zero]
    at = {name: number for number, name in enumerate(names)}
    rating = np.zeros(len(names))
    curvature: npt.NDArray[np.float64] = np.eye(len(names))
    for _ in range(_STEPS):
        slope = np.zeros(len(names))
        curvature = np.eye(len(names)) * 1e-9
        for (one, other), tally in tallies.items():
            if one not in linked or not tally.games:
                continue
            i, j = at.get(one), at.get(other)
            lead = (0.0 if i is None else rating[i]) - (0.0 if j is None else rating[j])
            expected = 1 / (1 + math.exp(-lead))
            surplus = tally.won + (tally.drawn + 1) / 2 - (tally.games + 1) * expected
            weight = (tally.games + 1) * expected * (1 - expected)
            for here, sign in ((i, 1.0), (j, -1.0)):
                if here is not None:
                    slope[here] += sign * surplus
                    for there, opposite in ((i, 1.0), (j, -1.0)):
                        if there is not None:
                            curvature[here, there] += sign * opposite * weight
        step = np.linalg.solve(curvature, slope)
        rating += np.clip(step, -1.0, 1.0)
        if np.abs(step).max(initial=0.0) < 1e-9:
            break
    errors = np.sqrt(np.diag(np.linalg.inv(curvature)))
    told = {zero: (0.0, 0.0)} if tallies else {}
    return told | {name: (_ELO * rating[at[name]], _WIDE * _ELO * errors[at[name]]) for name in names}
