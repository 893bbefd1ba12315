"""Makes the engine's opening book by its own analysis of the 26 openings.

    python tools/make_book.py [--nodes N] [--out core/ai/book.txt] [--openings D1,I7]

For every opening White's fourth moves are compared; then, for the fourth moves that White would choose and for some
that leave Black its usual advantage, Black's fifth moves. A line is written as soon as it is known, and a second run
goes on where the first one was stopped. The same nodes always give the same book.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from core.ai.book import OWN, Scored, canonical, line_of, own_symmetries, parse, to_move_after  # noqa: E402
from core.ai.think import Deadline, Mind  # noqa: E402
from core.notation import Board, Point, board_of  # noqa: E402
from core.openings.names import OPENINGS, Opening  # noqa: E402

#: Nodes for each move that is compared.
NODES: Final = 50_000
#: How many moves of a position are compared, the most urgent ones.
FOURTHS: Final = 24
FIFTHS: Final = 20
#: The fourth moves that are followed: White's best ones, and those after which Black stands as well as it usually does
#: with its best fifth move still to come.
BEST: Final = 6
EVEN: Final = 3
USUAL: Final = 225

HEAD: Final = """\
# The opening book of the engine: positions and moves with their scores for the side to move, the best first.
# Made by its own search, {nodes} nodes a move:  python tools/make_book.py --nodes {nodes}
"""


def distinct(board: Board, moves: Sequence[Point]) -> list[Point]:
    """The moves without those that are the same as an earlier one by the position's own symmetry."""
    own = own_symmetries(board)
    seen: set[Point] = set()
    kept: list[Point] = []
    for p in moves:
        if p not in seen:
            kept.append(p)
            seen.update(int(image[p]) for image in own)
    return kept


def compared(stones: tuple[Point, ...], wide: int, nodes: int) -> tuple[Scored, ...]:
    """The most urgent moves after these stones with their scores, the best first."""
    board = board_of(stones)
    mind = Mind(board, to_move_after(stones))
    moves = distinct(board, [int(p) for p in mind.candidates()])[:wide]
    return tuple(Scored(score, p) for score, p in mind.compare(moves, Deadline(nodes=nodes * len(moves))))


def followed(fourths: Sequence[Scored]) -> list[Point]:
    """The fourth moves after which the fifth ones are looked at."""
    even = sorted(fourths, key=lambda move: abs(move.score + USUAL))
    return list(dict.fromkeys(move.point for move in (*fourths[:BEST], *even[:EVEN])))


def analyse(
    opening: Opening, nodes: int, known: dict[bytes, tuple[Scored, ...]]
) -> Iterator[tuple[tuple[Point, ...], tuple[Scored, ...]]]:
    """The positions of one opening that are not ``known`` yet, also from another opening; they are added to it."""

    def looked_at(stones: tuple[Point, ...], wide: int) -> Iterator[tuple[tuple[Point, ...], tuple[Scored, ...]]]:
        key = key_of(stones)
        if key not in known:
            known[key] = compared(stones, wide, nodes)
            yield stones, known[key]

    three = opening.points
    yield from looked_at(three, FOURTHS)
    for fourth in followed(known[key_of(three)]):
        yield from looked_at((*three, fourth), FIFTHS)


def key_of(stones: tuple[Point, ...]) -> bytes:
    """The same for every order of moves and orientation that leads to the position."""
    return canonical(board_of(stones), to_move_after(stones))[0]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the book."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=NODES, help="nodes for each move compared (default %(default)s)")
    parser.add_argument("--out", type=Path, default=OWN, help="the book, begun or continued")
    parser.add_argument("--openings", help="only these, by code: D1,I7")
    asked = parser.parse_args(arguments)
    wanted = set(asked.openings.split(",")) if asked.openings else {opening.code for opening in OPENINGS}
    if unknown := wanted - {opening.code for opening in OPENINGS}:
        parser.error(f"no such opening: {', '.join(sorted(unknown))}")
    head = HEAD.format(nodes=asked.nodes)
    if not asked.out.exists():
        asked.out.write_text(head, "utf-8")
    text = asked.out.read_text("utf-8")
    if not text.startswith(head):
        parser.error(f"{asked.out} was made with other nodes; continue it with those, or remove it")
    lines = [parse(line) for line in text.splitlines() if not line.startswith("#")]
    known = {key_of(stones): scored for stones, scored in lines}
    with asked.out.open("a", encoding="utf-8") as out:
        for opening in (opening for opening in OPENINGS if opening.code in wanted):
            print(f"{opening.code} ({opening.romaji})", file=sys.stderr, flush=True)
            for stones, scored in analyse(opening, asked.nodes, known):
                line = line_of(stones, scored)
                print(f"  {line}", file=sys.stderr, flush=True)
                out.write(line + "\n")
                out.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
