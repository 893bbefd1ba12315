"""Fits the evaluation of the engine to games that it plays against itself.

    python tools/fit_shapes.py play DATA.npz --games 2000 --nodes 3000 --seed 1
    python tools/fit_shapes.py fit DATA.npz [DATA.npz ...]

``play`` plays Renju games from random beginnings and keeps every quiet position of a game with the move and the score
that the search preferred and with the result of the game. ``fit`` finds the weights under which the evaluation
predicts the results best (logistic regression) and writes ``core/ai/weights.py``. The same seeds and nodes give the
same games. A score of 200 stands for odds of e to 1.

Results, not the search's own scores: scores only teach the evaluation that it already has.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from core.ai.fours import WIN  # noqa: E402
from core.ai.position import new_record, rules, set_up  # noqa: E402
from core.ai.search import fours_root  # noqa: E402
from core.ai.shapes import F5, FIVES, FOUL, OPEN, PARTS, RANK, RENJU, WINNERS, feature_table  # noqa: E402
from core.ai.stop import Stop  # noqa: E402
from core.ai.think import Deadline, Mind, Thought  # noqa: E402
from core.notation import POINTS, TENGEN, Board, Colour  # noqa: E402
from core.rules import dead_board, five_line, judge  # noqa: E402
from tools.weight_files import source  # noqa: E402

#: The score that stands for odds of e to 1, in the parts that the tables count in.
SCALE: Final = 200.0 * PARTS
#: What a position is to be worth: this part of the game's result, the rest of the search's score.
RESULT_PART: Final = 1.0
#: Features of one colour: every shape, pairs of the two strongest shapes of a point, forbidden points.
SHAPE: Final = 16
PAIR: Final = 256
WIDTH: Final = SHAPE + PAIR + 1
TABLE_BYTES: Final = 1 << 20

_FEATURES: Final = feature_table()
_STOP: Final = Stop()


@dataclass
class Positions:
    """What is kept of the games."""

    cells: list[Board]
    movers: list[int]
    scores: list[int]
    results: list[float]
    """Black's: 1, 0.5 or 0."""
    games: list[int]
    moves: list[int]
    """The move that the search preferred."""

    def add(self, cells: Board, mover: int, thought: Thought, game: int) -> None:
        """One more position, its result still unknown."""
        self.cells.append(cells.copy())
        self.movers.append(mover)
        self.scores.append(thought.score)
        self.results.append(-1.0)
        self.games.append(game)
        self.moves.append(255 if thought.point is None else thought.point)

    def save(self, path: Path) -> None:
        """Write them to a file."""
        np.savez_compressed(
            path,
            cells=np.array(self.cells, dtype=np.uint8),
            movers=np.array(self.movers, dtype=np.uint8),
            scores=np.array(self.scores, dtype=np.int16),
            results=np.array(self.results, dtype=np.float32),
            games=np.array(self.games, dtype=np.int32),
            moves=np.array(self.moves, dtype=np.uint8),
        )


def quiet(mind: Mind) -> bool:
    """Whether the evaluation is asked about such a position: nothing is forced, and the mover has no win by fours."""
    record = mind.records[0]
    if record["count"][:, FIVES].any() or record["count"][mind.colour, WINNERS]:
        return False
    return fours_root(mind.records, mind.colour, 2000, _STOP.flag) != WIN


def beginning(random: Random) -> tuple[Board, Colour]:
    """Three to eighteen stones: an opening near the middle, then moves by lot, likelier the sooner they are tried.

    What the search has to judge lies beside the best play; so must the positions that it learns from.
    """
    cells = np.zeros(POINTS, dtype=np.uint8)
    cells[TENGEN] = Colour.BLACK
    colour = Colour.WHITE
    number = random.choice((2, 3, 4, 5, 6, 8, 10, 12, 14, 16))
    while number:
        reach = max(2, int((cells != 0).sum()))
        if reach <= 3:
            near = [p for p in range(POINTS) if not cells[p] and max(abs(p % 15 - 7), abs(p // 15 - 7)) < reach]
            p = random.choice(near)
        else:
            candidates = Mind(cells, colour, table_bytes=TABLE_BYTES).candidates()
            p = int(candidates[min(int(random.expovariate(0.35)), len(candidates) - 1)])
        if colour is Colour.BLACK and judge(cells, p).forbidden:
            continue
        cells[p] = colour
        if five_line(cells, p, colour, exact=False):
            return beginning(random)
        colour = colour.other
        number -= 1
    return cells, colour


def play_game(random: Random, nodes: int, number: int, kept: Positions) -> bool:
    """Play one game and keep its positions; false when the beginning was as good as decided."""
    cells, colour = beginning(random)
    first = True
    begun = len(kept.results)
    passed = False
    while True:
        noise = 12 if (cells != 0).sum() < 12 else 0
        mind = Mind(cells, colour, seed=random.getrandbits(60), noise=noise, table_bytes=TABLE_BYTES)
        still = quiet(mind)
        thought = mind.best(Deadline(nodes=nodes))
        if first and abs(thought.score) > 600:
            return False
        first = False
        if still:
            kept.add(cells, mind.colour, thought, number)
        if thought.won or thought.lost:
            result = float((colour is Colour.BLACK) == thought.won)
            break
        if thought.point is None:
            if passed:
                result = 0.5
                break
            passed = True
            colour = colour.other
            continue
        passed = False
        cells[thought.point] = colour
        if five_line(cells, thought.point, colour, exact=colour is Colour.BLACK):
            result = float(colour is Colour.BLACK)
            break
        if (cells != 0).all() or dead_board(cells, black_exact=True, white_exact=False):
            result = 0.5
            break
        colour = colour.other
    for n in range(begun, len(kept.results)):
        kept.results[n] = result
    return True


def play(path: Path, *, games: int, nodes: int, seed: int) -> None:
    """Play games and keep their positions."""
    random = Random(seed)  # noqa: S311
    kept = Positions([], [], [], [], [], [])
    played = 0
    while played < games:
        if play_game(random, nodes, seed * 1_000_000 + played, kept):
            played += 1
            if played % 500 == 0:
                print(f"{played} games, {len(kept.cells)} positions, Black {np.mean(kept.results):.3f}", flush=True)
                kept.save(path)
    kept.save(path)


def features(cells: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
    """How often each feature stands on the empty points, shape (positions, colours, WIDTH)."""
    out = np.zeros((len(cells), 2, WIDTH), dtype=np.uint16)
    records = new_record()
    by_rule = rules(fouls=True, black_exact=True, white_exact=False)
    for n, board in enumerate(cells):
        set_up(records, board, *by_rule)
        for c in range(2):
            keys = records["key"][0, c][board == 0]
            foul = RANK[(RENJU, OPEN)[c], keys] == FOUL
            found = _FEATURES[keys[~foul]].astype(np.int64)
            shapes = np.concatenate([found[:, 0] >> 4, found[:, 0] & 15, found[:, 1], found[:, 2]])
            row = out[n, c]
            row[:SHAPE] = np.bincount(shapes, minlength=SHAPE)
            row[SHAPE : SHAPE + PAIR] = np.bincount(found[:, 0], minlength=PAIR)
            row[-1] = foul.sum()
            row[0] = 0  # a dead line is worth nothing
            row[SHAPE] = 0
    return out


def fit(paths: list[Path], *, rounds: int, pull: float) -> None:
    """Find the weights that predict the results of all positions best, and write them. Newton's method."""
    parts = [np.load(path) for path in paths]
    cells, movers, results, games = (
        np.concatenate([part[what] for part in parts]) for what in ("cells", "movers", "results", "games")
    )
    movers = movers.astype(np.int64)
    won = np.where(movers == 0, results, 1 - results)
    print(f"{len(cells)} positions; Black scores {results.mean():.3f}")
    rows = features(cells)
    held = games % 10 == 9
    # Pairs only correct what the single shapes say, and are held nearer to zero.
    strength = np.full((2, 2, WIDTH), pull)
    strength[:, :, SHAPE : SHAPE + PAIR] *= 10
    ridge = np.concatenate([strength.ravel(), [pull, pull]])
    theta = np.zeros(4 * WIDTH + 2)
    for turn in range(rounds):
        slope = ridge * theta
        curve = np.diag(ridge)
        for start in range(0, len(rows), 20_000):
            chosen = np.arange(start, min(start + 20_000, len(rows)))
            chosen = chosen[~held[chosen]]
            x = design(rows[chosen], movers[chosen])
            guess = 1 / (1 + np.exp(-(x @ theta)))
            slope += x.T @ (guess - won[chosen])
            curve += x.T @ (x * (guess * (1 - guess))[:, None].astype(np.float32))
        theta -= np.linalg.solve(curve, slope)
        x = design(rows[held], movers[held])
        print(f"round {turn + 1}: loss {loss(x, won[held], theta):.4f}", flush=True)
    write(theta * SCALE, len(rows))


def design(rows: npt.NDArray[np.uint16], movers: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    """The features from the view of the side to move: what is its own counts for it, the other's against it."""
    out = np.zeros((len(rows), 4 * WIDTH + 2), dtype=np.float32)
    for mover in range(2):
        chosen = movers == mover
        for c in range(2):
            side = 0 if c == mover else 1
            start = (2 * c + side) * WIDTH
            out[chosen, start : start + WIDTH] = rows[chosen, c] * np.float32(1 if c == mover else -1)
        out[chosen, 4 * WIDTH + mover] = 1
    return out


def loss(x: npt.NDArray[np.float32], won: npt.NDArray[np.float64], theta: npt.NDArray[np.float64]) -> float:
    """The mean cross entropy."""
    guess = np.clip(1 / (1 + np.exp(-(x @ theta))), 1e-6, 1 - 1e-6)
    return float(-(won * np.log(guess) + (1 - won) * np.log(1 - guess)).mean())


def write(weights: npt.NDArray[np.float64], positions: int) -> None:
    """Write ``core/ai/weights.py``."""
    table = weights[: 4 * WIDTH].reshape(2, 2, WIDTH)
    shapes = [[np.rint(table[c, s, : F5 + 1]).astype(int) for s in range(2)] for c in range(2)]

    def pair(c: int, s: int, a: int, b: int) -> int:
        return int(shapes[c][s][a] + shapes[c][s][b] + round(float(table[c, s, SHAPE + 16 * a + b])))

    pairs = [[[[pair(c, s, a, b) for b in range(a + 1)] for a in range(F5 + 1)] for s in range(2)] for c in range(2)]
    singles = [[shapes[c][s].tolist() for s in range(2)] for c in range(2)]
    fouls = np.rint(table[0, :, -1]).astype(int).tolist()
    tempo = np.rint(weights[4 * WIDTH :]).astype(int).tolist()
    text = source(
        f"""The weights of the evaluation: tools/fit_shapes.py, {positions} positions.

Colours: Black (with forbidden moves), White (also both colours without). Sides: to move, waiting.
Counted in parts of a score, ``core.ai.shapes.PARTS`` to one.
""",
        (
            (
                "PAIRS",
                "``PAIRS[colour][side][stronger][other]``: a point by the two strongest shapes of its lines.",
                pairs,
            ),
            ("SINGLES", "``SINGLES[colour][side][shape]``: added for each of the two weaker ones.", singles),
            ("FOULS", "``FOULS[side]``: a point that is forbidden for Black.", fouls),
            ("TEMPO", "``TEMPO[colour]``: added for the side to move.", tempo),
        ),
    )
    (ROOT / "core" / "ai" / "weights.py").write_text(text, encoding="utf-8")


def main() -> None:
    """Run one of the two commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play")
    playing.add_argument("data", type=Path)
    playing.add_argument("--games", type=int, default=2000)
    playing.add_argument("--nodes", type=int, default=3000)
    playing.add_argument("--seed", type=int, default=1)
    fitting = commands.add_parser("fit")
    fitting.add_argument("data", type=Path, nargs="+")
    fitting.add_argument("--rounds", type=int, default=6)
    fitting.add_argument("--pull", type=float, default=100.0, help="how strongly weights are held near zero")
    chosen = parser.parse_args()
    if chosen.command == "play":
        play(chosen.data, games=chosen.games, nodes=chosen.nodes, seed=chosen.seed)
    else:
        fit(chosen.data, rounds=chosen.rounds, pull=chosen.pull)


if __name__ == "__main__":
    main()
