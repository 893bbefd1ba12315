"""Looking at a position for somebody who wants to understand it: the best moves, what they are worth, how play goes on.

For hints, for going over a finished game, for puzzles. The same search as in play, asked for several moves: in every
iteration the best move is found, then the best of the others, and so on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from core.ai.chances import Chances
from core.ai.fours import WIN
from core.ai.position import MAX_PLY
from core.ai.search import DECIDED, MATE, fours_root
from core.ai.stop import Stop
from core.ai.think import RENJU, Deadline, Mind, Rules
from core.notation import Board, Colour, Point

#: How many moves are looked for unless something else is asked.
MOVES: Final = 5
_NO_LIMIT: Final = 1 << 62
_ROOT_FOURS: Final = 100_000
_LAST_START: Final = 0.6


@dataclass(frozen=True, slots=True)
class Candidate:
    """One of the best moves."""

    point: Point
    score: int
    """For the side to move, in the engine's unit; beyond 29,000 (below -29,000) a win (loss) seen to its end."""
    depth: int
    """The iteration that this score is from, in plies."""
    line: tuple[Point, ...]
    """The expected play, ``point`` first."""

    @property
    def plies_to_win(self) -> int | None:
        """In how many plies the side to move wins (or, negative, loses), where that has been seen."""
        if abs(self.score) <= DECIDED:
            return None
        plies = MATE - abs(self.score)
        return plies if self.score > 0 else -plies


@dataclass(frozen=True, slots=True)
class Analysis:
    """What has been found so far."""

    to_move: Colour
    moves: tuple[Candidate, ...]
    """The best first. Empty only where there is no legal move."""
    depth: int
    """The deepest iteration that is finished for all of them; 0 before the first."""
    nodes: int

    @property
    def score(self) -> int:
        """The best move's, from Black's view; 0 where there is no move."""
        if not self.moves:
            return 0
        return self.moves[0].score if self.to_move is Colour.BLACK else -self.moves[0].score

    @property
    def chances(self) -> Chances:
        """What that means for the result."""
        return Chances.of(self.score)


def analyse(
    board: Board,
    to_move: Colour,
    *,
    agreed: Rules = RENJU,
    moves: int = MOVES,
    seconds: float | None = 1.0,
    nodes: int | None = None,
    stop: Stop | None = None,
    progress: Callable[[Analysis], None] | None = None,
) -> Analysis:
    """The best ``moves`` of a position, the best first, as deep as the limits allow.

    Ends after ``seconds`` or ``nodes``, when ``stop`` is set, or when every move's end has been seen. ``progress`` is
    called after every iteration, in the same thread. With ``nodes`` alone the answer is always the same.

    Raises ``ValueError`` when ``moves`` is less than 1, or when nothing bounds the search.
    """
    if moves < 1:
        raise ValueError("at least one move must be asked for")
    if seconds is None and nodes is None and stop is None:
        raise ValueError("an analysis needs a bound")
    mind = _Analyst(board, to_move, agreed)
    return mind.analyse(moves, Deadline(seconds=seconds, nodes=nodes, stop=stop), progress)


class _Analyst(Mind):
    def analyse(self, wanted: int, deadline: Deadline, progress: Callable[[Analysis], None] | None) -> Analysis:
        order = [int(p) for p in self.candidates()]
        found = Analysis(
            Colour(self.colour + 1), tuple(Candidate(p, 0, 0, (p,)) for p in order[:wanted]), depth=0, nodes=0
        )
        if not order:
            return found
        limit = deadline.nodes if deadline.nodes is not None else _NO_LIMIT
        with deadline.flag() as flag:
            certain = self._certain(min(limit // 2, _ROOT_FOURS), flag)
            for depth in range(1, MAX_PLY // 2):
                best: list[Candidate] = []
                for _ in range(min(wanted, len(order))):
                    taken = {candidate.point for candidate in best}
                    rest = np.array([p for p in order if p not in taken], dtype=np.uint8)
                    if not self._iterate(flag, rest, depth, limit):
                        return self._so_far(self._cut_short(found, rest, depth), best, certain)
                    best.append(self._candidate(depth))
                best.sort(key=lambda candidate: -candidate.score)
                order = [*(one.point for one in best), *(p for p in order if p not in {one.point for one in best})]
                found = self._so_far(Analysis(found.to_move, tuple(best), depth, self.nodes()), [], certain)
                if progress is not None:
                    progress(found)
                ended = all(abs(candidate.score) > DECIDED for candidate in best)
                if ended or deadline.over or deadline.spent > _LAST_START:
                    break
        return found

    def _candidate(self, depth: int) -> Candidate:
        """The best move of the iteration that has just ended."""
        record = self.records
        length = int(record["pv_length"][0, 0])
        line = tuple(int(p) for p in record["pv"][0, 0, :length])
        return Candidate(int(record["best"][0]), int(record["best_score"][0]), depth, line)

    def _cut_short(self, found: Analysis, tried: npt.NDArray[np.uint8], depth: int) -> Analysis:
        """With what an iteration has learnt before it was stopped: its best move, and that the others are no better."""
        count = int(self.records["tried"][0])
        if not count or int(self.records["best_score"][0]) < -DECIDED:
            return found  # nothing was finished, or what was tried loses and the next move may not
        newer = self._candidate(depth)
        worse = {int(p) for p in tried[:count]}
        kept = [
            replace(one, score=min(one.score, newer.score)) if one.point in worse else one
            for one in found.moves
            if one.point != newer.point
        ]
        best = sorted((newer, *kept), key=lambda candidate: -candidate.score)[: len(found.moves)]
        return replace(found, moves=tuple(best))

    def _certain(self, limit: int, flag: npt.NDArray[np.uint8]) -> Candidate | None:
        """A win by continuous fours, with its whole line."""
        if fours_root(self.records, self.colour, limit, flag) != WIN:
            return None
        length = int(self.records["line_length"][0])
        line = tuple(int(p) for p in self.records["line"][0, :length])
        return Candidate(line[0], MATE - length, length, line)

    def _so_far(self, found: Analysis, newer: list[Candidate], certain: Candidate | None) -> Analysis:
        """The iteration before, with what an unfinished one has added, and a win that is certain in front."""
        known = {candidate.point: candidate for candidate in found.moves}
        known.update((candidate.point, candidate) for candidate in newer)
        if certain is not None:
            before = known.get(certain.point)
            if before is None or before.score <= certain.score:
                known[certain.point] = certain
        best = sorted(known.values(), key=lambda candidate: -candidate.score)[: len(found.moves)]
        return Analysis(found.to_move, tuple(best), found.depth, self.nodes())
