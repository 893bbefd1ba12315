"""Fits what a score means to games of the engine against itself: the curve of ``core/ai/chances.py``.

    python tools/fit_chances.py play GAMES.csv [--games N] [--nodes N] [--seed N]
    python tools/fit_chances.py fit GAMES.csv [GAMES.csv ...]

``play`` appends a line ``score,points`` for every position of every game: the search's score from Black's view, and
Black's points in the end (1, 0.5 or 0). Games begin with one of the 26 openings and two moves drawn by lot among the
urgent ones, so that good and bad positions occur. ``fit`` prints the constants that make the results likeliest, and how
the curve compares with what happened.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from core.ai.chances import likely  # noqa: E402
from core.ai.search import DECIDED  # noqa: E402
from core.ai.think import Deadline, Mind  # noqa: E402
from core.game import Act, Action, FoulMode, Refusal, Settings, apply, new_game  # noqa: E402
from core.openings.names import OPENINGS  # noqa: E402

NODES: Final = 3_000
#: Among how many of the most urgent moves the fourth and the fifth are drawn.
DRAWN_AMONG: Final = 8
#: The largest random change of an evaluation, so that games differ.
NOISE: Final = 8
_LONGEST: Final = 200


def game(nodes: int, random: Random) -> list[tuple[int, float]]:
    """The scores of one game's positions, each with Black's points."""
    played = new_game(Settings(protocol="free", foul_mode=FoulMode.AUTO_LOSS))
    opening = list(random.choice(OPENINGS).points)
    scores: list[int] = []
    while played.outcome is None and len(played.state.stones) < _LONGEST:
        state = played.state
        mind = Mind(state.board(), state.turn, seed=random.getrandbits(63), noise=NOISE)
        number = len(state.stones)
        if number < 3:
            point = opening[number]
        elif number < 5:
            point = random.choice([int(p) for p in mind.candidates()[:DRAWN_AMONG]])
        else:
            thought = mind.best(Deadline(nodes=nodes))
            if thought.point is None:
                break
            point = thought.point
            scores.append(thought.score if int(state.turn) == 1 else -thought.score)
        (seat,) = played.to_act
        after = apply(played, seat, Action(Act.PLACE, points=(point,)), 0)
        if isinstance(after, Refusal):
            raise RuntimeError(f"{after}")
        played = after
    outcome = played.outcome
    points = 0.5 if outcome is None or outcome.winner is None else 1.0 - outcome.winner
    return [(score, points) for score in scores]


Curve = tuple[float, float, float, float]
"""Scale, even point, width of draws, most."""


def loss(data: Sequence[tuple[int, float]], curve: Curve) -> float:
    """The mean surprise (natural logarithm) at the results."""
    total = 0.0
    for score, points in data:
        win, draw, lost = likely(score, curve)
        total -= math.log(max(win if points == 1 else lost if points == 0 else draw, 1e-9))
    return total / len(data)


def fitted(data: Sequence[tuple[int, float]]) -> Curve:
    """The curve that makes the results likeliest: a search by ever smaller steps."""
    best: Curve = (100.0, 0.0, 5.0, 400.0)
    steps = [40.0, 40.0, 4.0, 160.0]
    value = loss(data, best)
    while steps[0] > 0.5:
        moved = False
        for axis in range(4):
            for sign in (1, -1):
                scale, even, drawn, most = (at + (sign * steps[n] if n == axis else 0.0) for n, at in enumerate(best))
                if scale < 5 or drawn < 0.05 or most < 20:
                    continue
                tried = (scale, even, drawn, most)
                found = loss(data, tried)
                if found < value:
                    best, value, moved = tried, found, True
        if not moved:
            steps = [step / 2 for step in steps]
    return best


def compared(data: Sequence[tuple[int, float]], curve: Curve) -> Iterator[str]:
    """For bands of scores: what the curve expects and what happened."""
    ordered = sorted(data)
    size = max(1, len(ordered) // 10)
    for at in range(0, len(ordered), size):
        band = ordered[at : at + size]
        expected = sum(win + draw / 2 for win, draw, _ in (likely(score, curve) for score, _ in band)) / len(band)
        happened = sum(points for _, points in band) / len(band)
        yield f"{band[0][0]:7d} to {band[-1][0]:7d}: expected {expected:.3f}, happened {happened:.3f} ({len(band)})"


def read(files: Sequence[Path]) -> list[tuple[int, float]]:
    """The positions of files that are not decided."""
    data: list[tuple[int, float]] = []
    for file in files:
        with file.open(encoding="utf-8", newline="") as lines:
            data += [(int(score), float(points)) for score, points in csv.reader(lines)]
    return [(score, points) for score, points in data if abs(score) <= DECIDED]


def main(words: Sequence[str] | None = None) -> int:
    """Play or fit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    play = commands.add_parser("play")
    play.add_argument("file", type=Path)
    play.add_argument("--games", type=int, default=200)
    play.add_argument("--nodes", type=int, default=NODES)
    play.add_argument("--seed", type=int, default=1)
    fit = commands.add_parser("fit")
    fit.add_argument("files", type=Path, nargs="+")
    asked = parser.parse_args(words)
    if asked.command == "fit":
        data = read(asked.files)
        if not data:
            parser.error("no position in these files")
        curve = fitted(data)
        scale, even, drawn, most = curve
        print(f"SCALE {scale:.1f}   EVEN {even:.1f}   DRAWN {drawn:.2f}   MOST {most:.0f}   ({len(data)} positions)")
        print(f"surprise {loss(data, curve):.4f}; of a coin {math.log(2):.4f}")
        print("\n".join(compared(data, curve)))
        return 0
    with asked.file.open("a", encoding="utf-8", newline="") as out:
        for number in range(asked.games):
            csv.writer(out).writerows(game(asked.nodes, Random(asked.seed * 1_000_003 + number)))  # noqa: S311
            out.flush()
            print(f"\r{number + 1}/{asked.games}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
