"""Fits the order in which the engine tries moves to the moves that its own search preferred.

    python tools/fit_order.py DATA.npz [DATA.npz ...]

The positions are those of ``tools/fit_shapes.py play``. Every empty point near a stone gets a score from the shapes
that it would give its own colour and from those that it would take from the other; the scores are fitted so that the
preferred move is the likeliest under their softmax. Writes ``core/ai/order.py``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from core.ai.position import new_record, rules, set_up  # noqa: E402
from core.ai.shapes import F5, FOUL, OPEN, RANK, RENJU, feature_table  # noqa: E402
from core.rules import judge  # noqa: E402
from tools.weight_files import source  # noqa: E402

#: What a logit of one counts in the tables.
SCALE: Final = 32.0
#: Weights of one colour and purpose: pairs of the two strongest shapes of a point, single shapes, forbidden points.
PAIR: Final = 256
SHAPE: Final = 16
WIDTH: Final = PAIR + SHAPE + 1
#: The most candidates of one position that are looked at.
WIDE: Final = 120

_FEATURES: Final = feature_table()


def _rows(keys: npt.NDArray[np.uint16], rule: int, base: int) -> npt.NDArray[np.int32]:
    """Which weights these points' scores are the sum of, shape (points, 4); unused places repeat the last weight."""
    found = _FEATURES[keys].astype(np.int32)
    out = np.stack([found[:, 0], PAIR + found[:, 1], PAIR + found[:, 2], np.full(len(keys), -1)], axis=1)
    foul = RANK[rule, keys] == FOUL
    out[foul] = (PAIR + SHAPE, -1, -1, -1)
    return np.where(out < 0, 4 * WIDTH, base + out).astype(np.int32)


def examples(
    cells: npt.NDArray[np.uint8], movers: npt.NDArray[np.uint8], moves: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """For each position the weights of its candidates (padded), how many there are, and which was preferred."""
    weights = np.full((len(cells), WIDE, 8), 4 * WIDTH, dtype=np.int32)
    counts = np.zeros(len(cells), dtype=np.int32)
    chosen = np.full(len(cells), -1, dtype=np.int64)
    records = new_record()
    by_rule = rules(fouls=True, black_exact=True, white_exact=False)
    for n, board in enumerate(cells):
        set_up(records, board, *by_rule)
        points = np.flatnonzero((board == 0) & (records["near"][0] > 0))[:WIDE]
        mover = int(movers[n])
        if mover == 0:
            rank = RANK[RENJU, records["key"][0, 0, points]]
            legal = [
                p
                for p, r in zip(points, rank, strict=True)
                if r != FOUL and not (r & 16 and judge(board, int(p)).forbidden)
            ]
            points = np.array(legal, dtype=np.int64)
        at = np.flatnonzero(points == moves[n])
        if not len(at):
            continue
        chosen[n] = at[0]
        counts[n] = len(points)
        for part, c in enumerate((mover, 1 - mover)):
            keys = records["key"][0, c, points]
            base = (2 * c + part) * WIDTH
            weights[n, : len(points), 4 * part : 4 * part + 4] = _rows(keys, (RENJU, OPEN)[c], base)
    return weights, counts, chosen


def fit(paths: list[Path], *, rounds: int, limit: int) -> None:
    """Find the scores under which the preferred moves are likeliest, and write them."""
    parts = [np.load(path) for path in paths]
    cells, movers, moves = (np.concatenate([part[what] for part in parts]) for what in ("cells", "movers", "moves"))
    some = np.random.default_rng(1).permutation(len(cells))[:limit]
    weights, counts, chosen = examples(cells[some], movers[some], moves[some])
    usable = np.flatnonzero(chosen >= 0)
    held, used = usable[: len(usable) // 10], usable[len(usable) // 10 :]
    print(f"{len(usable)} positions")
    theta = np.zeros(4 * WIDTH + 1)
    mean = np.zeros_like(theta)
    square = np.zeros_like(theta)
    step = 0
    for turn in range(rounds):
        np.random.default_rng(turn).shuffle(used)
        rate = 0.05 * (1 - turn / rounds) + 0.002
        for start in range(0, len(used), 512):
            batch = used[start : start + 512]
            guess = softmax(theta, weights[batch], counts[batch])
            guess[np.arange(len(batch)), chosen[batch]] -= 1
            slope = (
                np.bincount(weights[batch].ravel(), weights=np.repeat(guess.ravel(), 8), minlength=len(theta))
                / len(batch)
                + 1e-5 * theta
            )
            slope[-1] = 0
            step += 1
            mean = 0.9 * mean + 0.1 * slope
            square = 0.999 * square + 0.001 * slope**2
            theta -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        theta[-1] = 0
        guess = softmax(theta, weights[held], counts[held])
        right = guess[np.arange(len(held)), chosen[held]]
        rank = (guess > right[:, None]).sum(axis=1)
        print(
            f"round {turn + 1}: loss {-np.log(right + 1e-9).mean():.3f}, first {np.mean(rank == 0):.3f}, "
            f"in three {np.mean(rank < 3):.3f}, in eight {np.mean(rank < 8):.3f}",
            flush=True,
        )
    write(theta, len(usable))


def softmax(
    theta: npt.NDArray[np.float64], weights: npt.NDArray[np.int32], counts: npt.NDArray[np.int32]
) -> npt.NDArray[np.float64]:
    """The likelihood of every candidate."""
    scores = theta[weights].sum(axis=2)
    scores[np.arange(WIDE)[None, :] >= counts[:, None]] = -1e9
    scores -= scores.max(axis=1, keepdims=True)
    out = np.exp(scores)
    return np.asarray(out / out.sum(axis=1, keepdims=True))


def write(theta: npt.NDArray[np.float64], positions: int) -> None:
    """Write ``core/ai/order.py``."""
    table = np.rint(theta[: 4 * WIDTH] * SCALE).astype(int).reshape(2, 2, WIDTH)
    pairs = [
        [[table[c, s, 16 * a : 16 * a + a + 1].tolist() for a in range(F5 + 1)] for s in range(2)] for c in range(2)
    ]
    singles = [[table[c, s, PAIR : PAIR + F5 + 1].tolist() for s in range(2)] for c in range(2)]
    text = source(
        f"""The order in which moves are tried: tools/fit_order.py, {positions} positions.

Colours: Black (with forbidden moves), White (also both colours without). Purposes: to play there, to take it away.
""",
        (
            (
                "PAIRS",
                "``PAIRS[colour][purpose][stronger][other]``: by the two strongest shapes of a point's lines.",
                pairs,
            ),
            ("SINGLES", "``SINGLES[colour][purpose][shape]``: added for each of the two weaker ones.", singles),
            ("FOULS", "``FOULS[purpose]``: a point that is forbidden for Black.", [0, int(table[0, 1, -1])]),
        ),
    )
    (ROOT / "core" / "ai" / "order.py").write_text(text, encoding="utf-8")


def main() -> None:
    """Fit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--limit", type=int, default=60_000, help="how many positions to use")
    chosen = parser.parse_args()
    fit(chosen.data, rounds=chosen.rounds, limit=chosen.limit)


if __name__ == "__main__":
    main()
