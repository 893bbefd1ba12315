"""What one more stone would make on a line, and on a point's four lines together: the engine's tables.

A *window* is a number for the eleven cells around a point as in :mod:`core.rules.lines`, but from the view of either
colour: 0 empty, 1 own, 2 blocked (the opponent, or off the board). ``LINE[exact, window]`` is the *shape* that an own
stone in the middle would make there. Five or more may win (White; row 0) or only exactly five (Black, row 1).

The shapes of a point's four lines, four bits each, are its *key*. Every colour plays by one of three *rules*:
``OPEN`` (five or more wins), ``EXACT`` (exactly five) and ``RENJU`` (exactly five, with forbidden moves). For each rule
and key the tables hold the point's rank (:data:`RANK`), its worth in the evaluation and its urgency in move ordering.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from core.ai import order, weights
from core.rules.lines import REACH

#: Shapes of one line, weak to strong. What the own stone makes, or makes possible.
DEAD, OVERLINE, B1, F1, B2, F2, F2A, F2B, B3, F3S, F3, B4, B44, F4, F5 = range(15)
SHAPES: Final = 16

OPEN, EXACT, RENJU = range(3)

#: Ranks of a point for one colour. From FOUR on its stone must be answered at once.
NOTHING, THREE, TWO_THREES, FOUR, FOUR_THREE, WINNING_FOUR, FIVE = range(7)
#: Flags beside the rank: the point is forbidden; it may be, ask ``judge_kernel``.
FOUL: Final = 8
DOUBT: Final = 16


def _windows() -> npt.NDArray[np.uint8]:
    number = np.arange(3 ** (2 * REACH))
    cells = np.ones((len(number), 2 * REACH + 1), dtype=np.uint8)
    for place in range(REACH):
        cells[:, REACH - 1 - place] = number // 3**place % 3
        cells[:, REACH + 1 + place] = number // 3 ** (REACH + place) % 3
    return cells


def _line(exact: bool) -> npt.NDArray[np.uint8]:
    """The shape that the stone in the middle makes, for every window."""
    cells = _windows()
    empty, own = cells == 0, cells == 1
    count = len(cells)
    five = np.zeros(count, dtype=bool)
    six = np.zeros(count, dtype=bool)
    fours = np.zeros(count, dtype=np.int8)
    straight = np.zeros(count, dtype=bool)
    reach = np.zeros((count, 5), dtype=np.int8)  # rows of five that hold so many own stones and nothing foreign
    free = np.zeros((count, 5), dtype=np.int8)  # rows of four with open ends that do
    for start in range(REACH + 1):
        six |= own[:, start : start + 6].all(axis=1)
    for start in range(1, REACH + 1):
        row = slice(start, start + 5)
        stones, holes = own[:, row].sum(axis=1), empty[:, row].sum(axis=1)
        alive = stones + holes == 5
        if exact:
            alive &= ~own[:, start - 1] & ~own[:, start + 5]
        five |= alive & (stones == 5)
        fours += alive & (stones == 4)
        for n in range(1, 5):
            reach[:, n] += alive & (stones == n)
    for start in range(2, REACH + 1):
        row = slice(start, start + 4)
        stones, holes = own[:, row].sum(axis=1), empty[:, row].sum(axis=1)
        alive = (stones + holes == 4) & empty[:, start - 1] & empty[:, start + 4]
        if exact:
            alive &= ~own[:, start - 2] & ~own[:, start + 5]
        fours -= alive & (stones == 4)
        straight |= alive & (stones == 4)
        for n in range(1, 4):
            free[:, n] += alive & (stones == n)
    shape = np.full(count, DEAD, dtype=np.uint8)
    # From weak to strong: a later line overrides.
    for where, what in (
        (reach[:, 1] > 0, B1),
        (free[:, 1] > 0, F1),
        (reach[:, 2] > 0, B2),
        (free[:, 2] > 0, F2),
        (free[:, 2] > 1, F2A),
        (free[:, 2] > 2, F2B),
        (reach[:, 3] > 0, B3),
        (free[:, 3] > 0, F3S),
        (free[:, 3] > 1, F3),
        (fours > 0, B4),
        (fours > 1, B44),
        (straight, F4),
    ):
        shape[where] = what
    if exact:
        shape[six] = OVERLINE
    else:
        five |= six
    shape[five] = F5
    return shape


#: ``LINE[exact, window]``.
LINE: Final = np.stack([_line(False), _line(True)])


def _ranks() -> npt.NDArray[np.uint8]:
    """``RANK`` for every rule and key."""
    key = np.arange(1 << 16)
    lines = np.stack([key >> 4 * d & 15 for d in range(4)])
    has_five = (lines == F5).any(axis=0)
    straight = (lines == F4).any(axis=0)
    fours = (lines == B4).sum(axis=0) + (lines == F4).sum(axis=0) + 2 * (lines == B44).sum(axis=0)
    threes = (lines == F3).sum(axis=0) + (lines == F3S).sum(axis=0)
    overline = (lines == OVERLINE).any(axis=0)
    ranks = []
    for rule in (OPEN, EXACT, RENJU):
        rank = np.zeros(len(key), dtype=np.uint8)
        for where, what in (
            (threes == 1, THREE),
            (threes > 1, TWO_THREES),
            (fours > 0, FOUR),
            ((fours > 0) & (threes > 0), FOUR_THREE),
            (straight | (fours > 1), WINNING_FOUR),
        ):
            rank[where] = what
        if rule == RENJU:
            rank[threes > 1] |= DOUBT
            foul = overline | (fours > 1)
            rank[foul] = FOUL
        rank[has_five] = FIVE
        ranks.append(rank)
    return np.stack(ranks)


#: ``RANK[rule, key]``: a rank and perhaps :data:`FOUL` or :data:`DOUBT`.
RANK: Final = _ranks()

#: Sides of the evaluation: a point is worth more to who is to move.
TO_MOVE, WAITING = range(2)


def feature_table() -> npt.NDArray[np.uint8]:
    """For every key the features that its worth is the sum of, shape (keys, 3).

    The two strongest shapes as one number (``16 * stronger + other``), then the two weaker ones one by one.
    """
    key = np.arange(1 << 16)
    lines = np.sort(np.stack([key >> 4 * d & 15 for d in range(4)], axis=1), axis=1)
    return np.stack([16 * lines[:, 3] + lines[:, 2], lines[:, 1], lines[:, 0]], axis=1).astype(np.uint8)


def _summed(
    pairs: Sequence[Sequence[Sequence[Sequence[int]]]], singles: Sequence[Sequence[Sequence[int]]], fouls: Sequence[int]
) -> npt.NDArray[np.int16]:
    """A table for every rule, key and use from weights ``[colour][use]``; ``fouls[use]`` for forbidden points.

    Black's weights serve the rule RENJU, White's the others.
    """
    features = feature_table()
    tables = []
    for rule in (OPEN, EXACT, RENJU):
        colour = 0 if rule == RENJU else 1
        uses = []
        for use in range(2):
            pair = np.zeros(256, dtype=np.int32)
            for stronger, row in enumerate(pairs[colour][use]):
                pair[16 * stronger : 16 * stronger + len(row)] = row
            single = np.zeros(16, dtype=np.int32)
            single[: len(singles[colour][use])] = singles[colour][use]
            total = pair[features[:, 0]] + single[features[:, 1]] + single[features[:, 2]]
            total[RANK[rule] == FOUL] = fouls[use]
            uses.append(total.astype(np.int16))
        tables.append(np.stack(uses, axis=1))
    return np.stack(tables)


#: The evaluation's tables count in such parts of a score: many points add up.
PARTS: Final = 8
#: What an empty point is worth to a colour: ``WORTH[rule, key, TO_MOVE or WAITING]``.
WORTH: Final = _summed(weights.PAIRS, weights.SINGLES, weights.FOULS)
#: How soon a move there is tried: ``URGE[rule, key, TO_PLAY or TO_TAKE]``, for its own shapes and the other side's.
URGE: Final = _summed(order.PAIRS, order.SINGLES, order.FOULS)
TO_PLAY, TO_TAKE = range(2)

#: The sets of points that a position keeps for each colour, by rank (see ``core.ai.position``).
NO_SET, THREES, FOURS, WINNERS, FIVES, FOULS = range(6)
SET_OF: Final = np.zeros(32, dtype=np.uint8)
for _flag in (0, DOUBT):
    SET_OF[_flag | THREE] = SET_OF[_flag | TWO_THREES] = THREES
    SET_OF[_flag | FOUR] = SET_OF[_flag | FOUR_THREE] = FOURS
    SET_OF[_flag | WINNING_FOUR] = WINNERS
SET_OF[FIVE] = FIVES
SET_OF[FOUL] = FOULS
