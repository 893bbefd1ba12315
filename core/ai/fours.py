"""Wins by continuous fours (VCF): every move of the attacker makes a four, every answer is forced.

The attacker may be either colour. A Black attacker never plays a forbidden point but with five; a White attacker also
wins when the only answer to a four is forbidden for Black (R4.3); a four of the defender has to be answered by a four
that stops it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import types

from core.ai.position import (
    FLAG,
    FOUR_MEMORY,
    ONE,
    RECORD,
    Position,
    first_of,
    forbidden_here,
    int64,
    lift,
    lowest,
    put,
    signature,
    uint64,
)
from core.ai.shapes import FIVES, FOURS, TO_MOVE, WINNERS
from core.jit import kernel

#: What the search says: there is a win, there is none, or it was stopped before it knew.
WIN = 1
NONE = 0
UNKNOWN = -1

_POLL = 256
_SLOT = np.uint64(FOUR_MEMORY - 1)
_SIDE = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], dtype=np.uint64)


@kernel(signature(types.boolean, RECORD, FLAG))
def told_to_stop(s: Position, stop: npt.NDArray[np.uint8]) -> bool:
    """Count a node; whether the search has to end. The flag is looked at every 256 nodes."""
    s.nodes += 1
    if s.nodes >= s.poll:
        s.poll = s.nodes + _POLL
        if stop[0]:
            s.stopped = 1
    if s.nodes >= s.limit:
        s.stopped = 1
    return bool(s.stopped != 0)


@kernel(signature(types.int64, RECORD, types.int64))
def winning_four(s: Position, colour: int) -> int:
    """A legal point where ``colour`` makes an open four (or two fours); -1 when there is none."""
    if s.count[colour, WINNERS] == 0:
        return -1
    for word in range(4):
        bits = s.points[colour, WINNERS, word]
        while bits:
            point = word * 64 + lowest(bits)
            bits &= bits - ONE
            if not forbidden_here(s, point, colour):
                return point
    return -1


@kernel(signature(types.int64, RECORD, types.int64, types.int64, types.int64, FLAG))
def fours(s: Position, attacker: int, ply: int, budget: int, stop: npt.NDArray[np.uint8]) -> int:
    """Whether ``attacker``, to move, wins by continuous fours; ``s.line`` from ``ply`` on is then the line of play.

    The search ends undecided at ``budget`` on the node counter, or when the whole search is told to stop.
    """
    defender = 1 - attacker
    if s.count[attacker, FIVES] > 0:
        s.line[ply] = first_of(s, attacker, FIVES)
        s.line_length = ply + 1
        return WIN
    must = s.count[defender, FIVES]
    if must > 1 or s.count[attacker, FOURS] + s.count[attacker, WINNERS] == 0:
        return NONE
    if told_to_stop(s, stop) or s.nodes >= budget:
        return UNKNOWN
    remembered = (s.hash ^ _SIDE[attacker]) & ~ONE
    slot = int64(s.hash ^ _SIDE[attacker]) >> 8 & int64(_SLOT)
    if s.four_memory[slot] == remembered:
        return NONE
    moves = s.four_moves[ply >> 1]
    scores = s.four_scores[ply >> 1]
    count = 0
    for word in range(4):
        bits = s.points[attacker, FOURS, word] | s.points[attacker, WINNERS, word]
        if must:
            bits &= s.points[defender, FIVES, word]
        winners = s.points[attacker, WINNERS, word]
        while bits:
            low = lowest(bits)
            bits &= bits - ONE
            point = word * 64 + low
            score = 300 * int64(s.rank[s.rule[attacker], s.key[attacker, point]] & 7)
            score += int64(s.value[s.rule[attacker], s.key[attacker, point], TO_MOVE]) // 4
            if winners >> uint64(low) & ONE:
                score += 100000
            if ply > 1:
                last = int64(s.line[ply - 2])
                dx = abs(last % 15 - point % 15)
                dy = abs(last // 15 - point // 15)
                score -= 8 * max(dx, dy)
            at = count
            while at > 0 and scores[at - 1] < score:
                scores[at] = scores[at - 1]
                moves[at] = moves[at - 1]
                at -= 1
            scores[at] = score
            moves[at] = point
            count += 1
    unknown = False
    for n in range(count):
        point = int64(moves[n])
        if forbidden_here(s, point, attacker):
            continue
        s.line[ply] = point
        put(s, point, attacker)
        answers = s.count[attacker, FIVES]
        result = NONE
        if answers > 0:
            answer = first_of(s, attacker, FIVES)
            if answers > 1 or forbidden_here(s, answer, defender):
                # Two points to make five, or one that Black may not stop: no answer helps.
                s.line_length = ply + 1
                result = WIN
            else:
                s.line[ply + 1] = answer
                put(s, answer, defender)
                result = fours(s, attacker, ply + 2, budget, stop)
                lift(s, answer, defender)
        lift(s, point, attacker)
        if result == WIN:
            return WIN
        if result == UNKNOWN:
            unknown = True
            if s.stopped or s.nodes >= budget:
                return UNKNOWN
    if unknown:
        return UNKNOWN
    s.four_memory[slot] = remembered
    return NONE
