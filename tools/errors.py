"""What decides the games of the weaker levels: their decisive errors, by what was overlooked.

    python tools/errors.py [--levels 1 2 3] [--games N]

Each level plays itself, from the 26 openings. A *decisive error* is a move after which the other side has a proven win
(by continuous fours, or by threes and fours within a bound), though there was another move after which it has none.
What was overlooked is the first of these that holds:

* ``four``: a five of either side could have been made at once, and the move neither made nor stopped it;
* ``three``: the same of an open four, or of two fours;
* ``diagonal``: the win needs a slanting row of two or more stones that lay there before the move: who does not see that
  row does not find the win;
* ``other``: everything else.

The same levels and games always give the same table.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from core.ai import ladder  # noqa: E402
from core.ai.levels import LEVELS  # noqa: E402
from core.ai.sight import rows  # noqa: E402
from core.ai.think import Deadline, Mind, vcf, vct  # noqa: E402
from core.game import Game  # noqa: E402
from core.notation import SIZE, Board, Colour, Point, board_of, name  # noqa: E402
from core.rules import five_line  # noqa: E402

KINDS: Final = ("four", "three", "diagonal", "other")
LEARNING: Final = tuple(number for number, level in LEVELS.items() if level.beginner)
GAMES: Final = 40
#: Nodes for a win by continuous fours, and for one by threes and fours; for the move that would have been better.
FOURS: Final = 5_000
THREES: Final = 20_000
_BETTER: Final = 10_000
_TABLE: Final = 1 << 19


def winning_line(board: Board, attacker: Colour, threes: int = THREES) -> tuple[Point, ...]:
    """A proven win of the side to move, as a line of play; empty when none is found within the bounds."""
    fours = vcf(board, attacker, nodes=FOURS)
    if fours.won:
        return fours.line
    return vct(board, attacker, nodes=threes, table_bytes=_TABLE).line


def errors(game: Game, threes: int = THREES) -> Iterator[tuple[int, str]]:
    """The decisive errors of both sides: the number of the move, and what was overlooked.

    ``threes``: nodes for a win by threes and fours.
    """
    stones = [stone.point for stone in game.state.stones]
    for number in range(4, len(stones) + (game.outcome is None)):
        before, after = board_of(tuple(stones[: number - 1])), board_of(tuple(stones[:number]))
        mover = Colour.BLACK if number % 2 else Colour.WHITE
        if winning_line(after, mover.other, threes) and not _was_lost(before, mover, stones[number - 1], threes):
            yield number, kind(before, stones[number - 1], mover, threes)


def _was_lost(board: Board, mover: Colour, played: Point, threes: int) -> bool:
    """Whether no other move is known after which the other side has no proven win."""
    thought = Mind(board, mover, table_bytes=_TABLE).best(Deadline(nodes=_BETTER))
    if thought.point is None or thought.lost or thought.point == played:
        return True
    if thought.won:
        return False
    after = board.copy()
    after[thought.point] = mover
    return bool(winning_line(after, mover.other, threes))


def kind(before: Board, move: Point, mover: Colour, threes: int = THREES) -> str:
    """What ``mover`` overlooked when its ``move`` on ``before`` let the other side win."""
    after = before.copy()
    after[move] = mover
    at_once = [vcf(before, colour, nodes=FOURS).line for colour in (mover, mover.other)]
    for colour, found in zip((mover, mover.other), at_once, strict=True):
        if len(found) == 1 and _is_five(before, found[0], colour):
            return "four"
    if any(len(found) == 1 for found in at_once):
        return "three"
    return "diagonal" if _needs_diagonal(after, mover.other, threes) else "other"


def _needs_diagonal(board: Board, attacker: Colour, threes: int) -> bool:
    """Whether there is a slanting row without which no win of ``attacker``, to move, is found, with twice the nodes."""
    for row in rows(board):
        if row.slanting and row.colour is attacker:
            mind = Mind(board, attacker, table_bytes=_TABLE)
            mind.overlook([row])
            if not mind.threes(Deadline(nodes=2 * threes)).won:
                return True
    return False


def _is_five(board: Board, p: Point, colour: Colour) -> bool:
    after = board.copy()
    after[p] = colour
    return bool(five_line(after, p, colour, exact=colour is Colour.BLACK))


def farthest(game: Game) -> int:
    """How far a stone after the opening lay from all others before it, at most, in points."""
    stones = [stone.point for stone in game.state.stones]
    return max((min(_apart(p, other) for other in stones[:n]) for n, p in enumerate(stones) if n >= 3), default=0)


def _apart(a: Point, b: Point) -> int:
    return max(abs(a % SIZE - b % SIZE), abs(a // SIZE - b // SIZE))


def games(number: int, count: int, begin: int = 0) -> Iterator[Game]:
    """Games of a level against itself."""
    player = ladder.player(f"level {number}")
    for game in range(begin, begin + count):
        yield ladder.game(player, player, game, Random(f"errors {number} {game}"))  # noqa: S311


def main(words: Sequence[str] | None = None) -> int:
    """Play, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--levels", type=int, nargs="+", choices=tuple(LEVELS), default=LEARNING)
    parser.add_argument("--games", type=int, default=GAMES, help="games of each level (default %(default)s)")
    parser.add_argument("--verbose", action="store_true", help="each error: the moves up to it, and its kind")
    asked = parser.parse_args(words)
    print("| level | games | decisive errors | " + " | ".join(KINDS) + " | four, three or diagonal | farthest stone |")
    print("| --- | --- | --- |" + " --- |" * (len(KINDS) + 2))
    for number in asked.levels:
        counted: Counter[str] = Counter()
        far = 0
        for game in games(number, asked.games):
            far = max(far, farthest(game))
            for move, what in errors(game):
                counted[what] += 1
                if asked.verbose:
                    print(what, "".join(name(stone.point) for stone in game.state.stones[:move]), file=sys.stderr)
        total = counted.total()
        share = f"{100 * (total - counted['other']) / total:.0f} %" if total else ""
        cells = [number, asked.games, total, *(counted[what] for what in KINDS), share, far]
        print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
