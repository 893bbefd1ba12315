"""Fits the evaluation of the engine to games that it plays against itself.

    python tools/fit_shapes.py play DATA.npz --games 2000 --nodes 2000 --seed 1
    python tools/fit_shapes.py fit DATA.npz [DATA.npz ...]

``play`` plays Renju games from random balanced beginnings and keeps, for every quiet position, how often each feature
of :func:`core.ai.shapes.feature_table` stands on the empty points of either colour, who is to move and who won.
``fit`` finds the weights under which the evaluation predicts the results best (logistic regression) and writes
``core/ai/weights.py``. The same seeds and nodes give the same games; a score of ``SCALE`` stands for odds of e to 1.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from core.ai.shapes import (  # noqa: E402
    F5,
    FIVES,
    FOUL,
    OPEN,
    PAIRS,
    RANK,
    RENJU,
    SINGLES,
    WINNERS,
    feature_table,
)
from core.ai.think import Deadline, Mind  # noqa: E402
from core.ai.weights import FOULS, TEMPO  # noqa: E402
from core.notation import POINTS, TENGEN, Board, Colour  # noqa: E402
from core.rules import dead_board, five_line, judge  # noqa: E402

#: The score that stands for odds of e to 1.
SCALE: Final = 200.0
#: Features of one colour: pairs of shapes, single shapes, forbidden points.
PAIR: Final = 256
SINGLE: Final = 16
WIDTH: Final = PAIR + SINGLE + 1
TABLE_BYTES: Final = 1 << 20

_FEATURES: Final = feature_table()


def counts(keys: npt.NDArray[np.uint16], rule: int) -> npt.NDArray[np.uint8]:
    """How often each feature stands on points with these keys."""
    foul = RANK[rule, keys] == FOUL
    found = _FEATURES[keys[~foul]].astype(np.int64)
    out = np.zeros(WIDTH, dtype=np.int64)
    out[:PAIR] = np.bincount(found[:, 0], minlength=PAIR)
    out[PAIR : PAIR + SINGLE] = np.bincount(found[:, 1:].ravel(), minlength=SINGLE)
    out[-1] = foul.sum()
    return np.minimum(out, 255).astype(np.uint8)


def beginning(random: Random) -> tuple[Board, Colour]:
    """Three to seven stones near the middle."""
    cells = np.zeros(POINTS, dtype=np.uint8)
    cells[TENGEN] = Colour.BLACK
    colour = Colour.WHITE
    for number in range(random.randint(2, 6)):
        reach = 1 if number == 0 else 2 if number == 1 else 3
        free = [p for p in range(POINTS) if not cells[p] and max(abs(p % 15 - 7), abs(p // 15 - 7)) <= reach]
        p = random.choice(free)
        if colour is Colour.BLACK and judge(cells, p).forbidden:
            continue
        cells[p] = colour
        colour = colour.other
    return cells, colour


def play_game(random: Random, nodes: int) -> tuple[list[npt.NDArray[np.uint8]], list[int], float] | None:
    """One game: the features of its quiet positions, who was to move in each, Black's result. ``None``: unbalanced."""
    cells, colour = beginning(random)
    rows: list[npt.NDArray[np.uint8]] = []
    movers: list[int] = []
    first = True
    passes = 0
    while True:
        noise = 12 if (cells != 0).sum() < 12 else 0
        mind = Mind(cells, colour, seed=random.getrandbits(60), noise=noise, table_bytes=TABLE_BYTES)
        record = mind.records[0]
        quiet = not record["count"][:, FIVES].any() and not record["count"][int(colour) - 1, WINNERS]
        if quiet:
            empty = cells == 0
            rows.append(np.stack([counts(record["key"][c][empty], (RENJU, OPEN)[c]) for c in (0, 1)]))
            movers.append(int(colour) - 1)
        thought = mind.best(Deadline(nodes=nodes))
        if first and abs(thought.score) > 120:
            return None
        first = False
        if thought.won or thought.lost:
            if quiet and rows:  # decided by force: the evaluation need not know
                rows.pop()
                movers.pop()
            return rows, movers, float((colour is Colour.BLACK) == thought.won)
        if thought.point is None:
            passes += 1
            if passes == 2:
                return rows, movers, 0.5
            colour = colour.other
            continue
        passes = 0
        cells[thought.point] = colour
        if five_line(cells, thought.point, colour, exact=colour is Colour.BLACK):
            return rows, movers, float(colour is Colour.BLACK)
        if (cells != 0).all() or dead_board(cells, black_exact=True, white_exact=False):
            return rows, movers, 0.5
        colour = colour.other


def play(path: Path, *, games: int, nodes: int, seed: int) -> None:
    """Play games and keep their positions."""
    random = Random(seed)  # noqa: S311
    rows: list[npt.NDArray[np.uint8]] = []
    movers: list[int] = []
    results: list[float] = []
    played = 0
    while played < games:
        found = play_game(random, nodes)
        if found is None:
            continue
        played += 1
        rows.extend(found[0])
        movers.extend(found[1])
        results.extend([found[2]] * len(found[0]))
        if played % 100 == 0:
            print(f"{played} games, {len(rows)} positions, Black {np.mean(results):.3f}", flush=True)
            np.savez_compressed(path, rows=np.array(rows), movers=np.array(movers), results=np.array(results))
    np.savez_compressed(path, rows=np.array(rows), movers=np.array(movers), results=np.array(results))


def present() -> npt.NDArray[np.float64]:
    """The weights in use, shape (colour, side, WIDTH)."""
    out = np.zeros((2, 2, WIDTH))
    for c in range(2):
        for side in range(2):
            for a, row in enumerate(PAIRS[c][side]):
                out[c, side, 16 * a : 16 * a + len(row)] = row
            out[c, side, PAIR : PAIR + len(SINGLES[c][side])] = SINGLES[c][side]
    out[0, :, -1] = FOULS
    return out


def fit(paths: list[Path], *, rounds: int, pull: float) -> None:
    """Find the weights that predict the results of all games best, and write them."""
    parts = [np.load(path) for path in paths]
    rows = np.concatenate([part["rows"] for part in parts]).astype(np.float32)
    movers = np.concatenate([part["movers"] for part in parts]).astype(np.int64)
    results = np.concatenate([part["results"] for part in parts]).astype(np.float32)
    print(f"{len(rows)} positions; Black scores {results.mean():.3f}")
    won = np.where(movers == 0, results, 1 - results)
    design = np.zeros((len(rows), 4 * WIDTH + 2), dtype=np.float32)
    for mover in range(2):
        chosen = movers == mover
        for c in range(2):
            side = 0 if c == mover else 1
            start = (2 * c + side) * WIDTH
            design[chosen, start : start + WIDTH] = rows[chosen, c] * (1 if c == mover else -1)
        design[chosen, 4 * WIDTH + mover] = 1
    prior = np.concatenate([present().ravel(), np.array(TEMPO, dtype=np.float64)]).astype(np.float32) / SCALE
    order = np.random.default_rng(1).permutation(len(rows))
    held = order[: len(order) // 10]
    used = order[len(order) // 10 :]
    theta = prior.copy()
    mean = np.zeros_like(theta)
    square = np.zeros_like(theta)
    size = 4096
    step = 0
    for turn in range(rounds):
        np.random.default_rng(turn + 2).shuffle(used)
        rate = 0.004 * (1 - turn / rounds) + 0.0002
        for start in range(0, len(used), size):
            batch = used[start : start + size]
            x = design[batch]
            guess = 1 / (1 + np.exp(-(x @ theta)))
            slope = x.T @ (guess - won[batch]) / len(batch) + pull * (theta - prior)
            step += 1
            mean = 0.9 * mean + 0.1 * slope
            square = 0.999 * square + 0.001 * slope**2
            theta -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        print(
            f"round {turn + 1}: loss {loss(design[held], won[held], theta):.4f}"
            f" (before {loss(design[held], won[held], prior):.4f})",
            flush=True,
        )
    write(theta * SCALE, len(rows))


def loss(x: npt.NDArray[np.float32], won: npt.NDArray[np.float32], theta: npt.NDArray[np.float32]) -> float:
    """The mean cross entropy."""
    guess = np.clip(1 / (1 + np.exp(-(x @ theta))), 1e-6, 1 - 1e-6)
    return float(-(won * np.log(guess) + (1 - won) * np.log(1 - guess)).mean())


def write(weights: npt.NDArray[np.float32], positions: int) -> None:
    """Write ``core/ai/weights.py``."""
    table = np.rint(weights[: 4 * WIDTH]).astype(int).reshape(2, 2, WIDTH)
    tempo = tuple(round(float(w)) for w in weights[4 * WIDTH :])
    pairs = tuple(
        tuple(tuple(tuple(table[c, s, 16 * a : 16 * a + a + 1].tolist()) for a in range(F5 + 1)) for s in range(2))
        for c in range(2)
    )
    singles = tuple(tuple(tuple(table[c, s, PAIR : PAIR + F5 + 1].tolist()) for s in range(2)) for c in range(2))
    text = f'''"""The weights of the evaluation: tools/fit_shapes.py, {positions} positions.

Colours: Black (with forbidden moves), White (also both colours without). Sides: to move, waiting.
"""

from typing import Final

#: ``PAIRS[colour][side][stronger][other]``: a point by the two strongest shapes of its four lines.
PAIRS: Final = {pairs!r}
#: ``SINGLES[colour][side][shape]``: added for each of the two weaker ones.
SINGLES: Final = {singles!r}
#: ``FOULS[side]``: a point that is forbidden for Black.
FOULS: Final = {tuple(table[0, :, -1].tolist())!r}
#: ``TEMPO[colour]``: added for the side to move.
TEMPO: Final = {tempo!r}
'''
    (ROOT / "core" / "ai" / "weights.py").write_text(text, encoding="utf-8")


def main() -> None:
    """Run one of the two commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play")
    playing.add_argument("data", type=Path)
    playing.add_argument("--games", type=int, default=2000)
    playing.add_argument("--nodes", type=int, default=2000)
    playing.add_argument("--seed", type=int, default=1)
    fitting = commands.add_parser("fit")
    fitting.add_argument("data", type=Path, nargs="+")
    fitting.add_argument("--rounds", type=int, default=12)
    fitting.add_argument("--pull", type=float, default=1e-5, help="how strongly weights are held near the present ones")
    chosen = parser.parse_args()
    if chosen.command == "play":
        play(chosen.data, games=chosen.games, nodes=chosen.nodes, seed=chosen.seed)
    else:
        fit(chosen.data, rounds=chosen.rounds, pull=chosen.pull)


if __name__ == "__main__":
    main()
