"""That games differ: in the first moves of a game, one of several moves is played that are as good as the best one.

The evaluation of every position is changed a little by lot, the move is drawn from those that a search finds as good as
the best one, and it is turned into any of those that are the same by the position's own symmetry. All of it is settled
by the seed: the same seed, level and position give the same move. What wins, and what alone does not lose, is never
exchanged for anything else.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

import numpy as np

from core.ai.book import own_symmetries
from core.ai.chances import AS_GOOD, margin
from core.ai.think import Deadline, Mind, Thought
from core.notation import Board, Colour, Point

#: A game is varied for as long as it has fewer stones.
UNTIL: Final = 12
#: The largest random change of an evaluation; a stone's three is worth about 40.
NOISE: Final = 10
#: The first three stones are an opening, and many of those can be played: so much they may cost.
_OPENING: Final = 3
_OPENING_COST: Final = 0.1
#: How many other moves are looked at.
_OTHERS: Final = 10
#: The share of the time and the nodes that goes into the best move; the others need little.
_BEST: Final = 0.85


def noise(board: Board) -> int:
    """How much evaluations are changed by lot."""
    return NOISE if is_early(board) else 0


def is_early(board: Board) -> bool:
    """Whether moves are varied in this position."""
    return bool(np.count_nonzero(board) < UNTIL)


def drawn(mind: Mind, board: Board, deadline: Deadline, random: Random) -> Thought:
    """A thought about the position of ``mind``, whose real stones are on ``board``: the best move or one as good."""
    thought = mind.best(deadline.part(_BEST))
    if thought.point is None:
        return thought
    worse = _margin(thought.score, board, Colour(mind.colour + 1))
    others = mind.as_good(thought, worse, _OTHERS, deadline)
    point = random.choice((thought.point, *others))
    point = random.choice([int(image[point]) for image in own_symmetries(board)])
    return thought if point == thought.point else thought.instead(point)


def ordered(scored: Sequence[tuple[int, Point]], board: Board, to_move: Colour, random: Random) -> list[Point]:
    """Moves with their scores, the best first, as they should be proposed: those first, by lot, that are as good."""
    worse = _margin(scored[0][0], board, to_move) if scored and is_early(board) else 0
    good = [p for score, p in scored if score >= scored[0][0] - worse]
    random.shuffle(good)
    return good + [p for _, p in scored[len(good) :]]


def _margin(score: int, board: Board, to_move: Colour) -> int:
    return margin(score, to_move, _OPENING_COST if np.count_nonzero(board) < _OPENING else AS_GOOD)
