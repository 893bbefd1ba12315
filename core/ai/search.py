"""The search: principal variation search with a transposition table, threats first.

A node knows without searching: a five to make; two fives to stop (lost), or one (forced, or lost where Black may not
stop it); an open four to make. Against the threat of an open four only its stopping points and own fours are tried:
every point that stops it completes a four there, so no defence is missed. Wins by continuous fours are asked of
:mod:`core.ai.fours`. Black's moves are judged by the exact rules.

Scores are from the view of the side to move; ``MATE - n`` is a win in ``n`` plies.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
from numba import types

from core.ai.fours import WIN, fours, told_to_stop, winning_four
from core.ai.position import (
    FLAG,
    MAX_PLY,
    ONE,
    RECORD,
    RECORDS,
    TABLE,
    Position,
    Positions,
    first_of,
    forbidden_here,
    int64,
    lift,
    lowest,
    put,
    signature,
    uint64,
)
from core.ai.shapes import (
    FIVES,
    FOULS,
    FOUR_THREE,
    FOURS,
    PARTS,
    TO_MOVE,
    TO_PLAY,
    TO_TAKE,
    TWO_THREES,
    WAITING,
    WINNERS,
    WINNING_FOUR,
)
from core.ai.table import EXACT, LOWER, UPPER, Flag, Table, recall, remember
from core.ai.weights import TEMPO
from core.jit import kernel
from core.notation import POINTS, TENGEN

MATE: Final = 30000
#: Scores beyond this are wins or losses that have been seen to the end.
DECIDED: Final = MATE - 1000
INFINITE: Final = 32000
_TEMPO = np.array(TEMPO, dtype=np.int64)
_NO_MOVE = 255
#: Nodes that a search for continuous fours may take right after a move at the root.
_ROOT_FOURS = 10_000

_WHITE_TO_MOVE = np.uint64(0x5851F42D4C957F2D)
_MIX = np.uint64(0x9E3779B97F4A7C15)

#: Per ply of depth: how far above a bound a quiet position counts as safe, and how much a quiet move may hope to gain.
_SAFE = 50
_HOPE = 60
#: By how much less the later quiet moves are searched, [depth, number of the move].
_REDUCTION = np.rint(
    np.log(np.maximum(np.arange(32), 1))[:, None] * np.log(np.maximum(np.arange(64), 1))[None, :] / 1.9 + 0.3
).astype(np.int64)

#: Against the threat of an open four: what stops it, and own fours; only what stops it.
_ALL_DEFENCES = 1
_STOPPING = 2

# How much deeper than the nominal depth threats are followed.
_THREAT_DEPTH = -2


@kernel(signature(types.int64, RECORD, types.int64))
def value(s: Position, colour: int) -> int:
    """The evaluation: shapes of both sides, the move, and the noise that makes games differ."""
    score = (s.worth[colour, TO_MOVE] - s.worth[1 - colour, WAITING] + _TEMPO[colour]) // PARTS
    if s.noise:
        mixed = (s.hash ^ s.seed) * _MIX
        score += int64(mixed >> uint64(40)) % (2 * s.noise + 1) - s.noise
    return int64(min(max(score, -DECIDED + 1), DECIDED - 1))


@kernel(signature(types.uint64, RECORD, types.int64))
def table_key(s: Position, colour: int) -> Any:
    """The position and the side to move."""
    return s.hash ^ _WHITE_TO_MOVE if colour else s.hash


@kernel(signature(types.int64, RECORD, types.int64, types.int64, types.int64, types.int64))
def candidates(s: Position, colour: int, ply: int, defend: int, hint: int) -> int:
    """Fill ``s.moves[ply]`` and ``s.scores[ply]``; how many.

    ``defend``: only what answers the threat of an open four, with or without own fours.
    """
    other = 1 - colour
    moves = s.moves[ply]
    scores = s.scores[ply]
    count = 0
    if defend:
        for word in range(4):
            bits = s.points[other, FOURS, word] | s.points[other, WINNERS, word] | s.points[other, FOULS, word]
            if defend == _ALL_DEFENCES:
                bits |= s.points[colour, FOURS, word] | s.points[colour, WINNERS, word]
            while bits:
                point = word * 64 + lowest(bits)
                bits &= bits - ONE
                moves[count] = point
                count += 1
    else:
        for point in range(POINTS):
            if s.near[point] and s.cells[point] == 0:
                moves[count] = point
                count += 1
    for n in range(count):
        point = int64(moves[n])
        if point == hint:
            scores[n] = 1 << 20
        else:
            score = int64(s.urge[s.rule[colour], s.key[colour, point], TO_PLAY])
            score += int64(s.urge[s.rule[other], s.key[other, point], TO_TAKE])
            score += s.history[colour, point] >> 5
            if point == s.killers[ply, 0] or point == s.killers[ply, 1]:
                score += 32
            scores[n] = score
    return count


@kernel(signature(types.int64, RECORD, types.int64, types.int64, types.int64))
def pick(s: Position, ply: int, n: int, count: int) -> int:
    """Bring the best of the moves from ``n`` on to place ``n``; that move."""
    moves = s.moves[ply]
    scores = s.scores[ply]
    best = n
    for k in range(n + 1, count):
        if scores[k] > scores[best]:
            best = k
    moves[n], moves[best] = moves[best], moves[n]
    scores[n], scores[best] = scores[best], scores[n]
    return int64(moves[n])


@kernel(signature(types.boolean, RECORD, types.int64, types.int64))
def is_quiet(s: Position, move: int, colour: int) -> bool:
    """Whether a move makes no four and no two threes, and takes away nothing that could soon decide."""
    other = 1 - colour
    if s.rank[s.rule[colour], s.key[colour, move]] & 7 >= TWO_THREES:
        return False
    return bool(s.rank[s.rule[other], s.key[other, move]] & 7 not in (TWO_THREES, FOUR_THREE, WINNING_FOUR))


@kernel(signature(types.void, RECORD, types.int64, types.int64, types.int64, types.int64))
def reward(s: Position, colour: int, ply: int, move: int, depth: int) -> None:
    """Remember a quiet move that refuted a position: it is tried earlier in others."""
    if s.killers[ply, 0] != move:
        s.killers[ply, 1] = s.killers[ply, 0]
        s.killers[ply, 0] = move
    bonus = min(depth * depth * 4 + 4, 400)
    s.history[colour, move] += bonus - s.history[colour, move] * bonus // 2048


@kernel(signature(types.void, RECORD, types.int64, types.int64))
def extend_line(s: Position, ply: int, move: int) -> None:
    """The best line from ``ply`` is this move and the best line after it."""
    s.pv[ply, 0] = move
    length = min(s.pv_length[ply + 1], MAX_PLY)
    for k in range(length):
        s.pv[ply, k + 1] = s.pv[ply + 1, k]
    s.pv_length[ply] = length + 1


@kernel(
    signature(
        types.int64,
        RECORD,
        TABLE,
        FLAG,
        types.int64,
        types.int64,
        types.int64,
        types.int64,
        types.int64,
    )
)
def search(s: Position, table: Table, stop: Flag, colour: int, depth: int, alpha: int, beta: int, ply: int) -> int:  # noqa: PLR0917
    """The score of the position for ``colour``, to move, between ``alpha`` and ``beta`` (fail soft)."""
    other = 1 - colour
    s.pv_length[ply] = 0
    if told_to_stop(s, stop):
        return 0
    if s.stones >= POINTS:
        return 0
    if s.count[colour, FIVES]:
        return MATE - ply - 1
    must = s.count[other, FIVES]
    forced = -1
    if must:
        forced = first_of(s, other, FIVES)
        if must > 1 or forbidden_here(s, forced, colour):
            return -(MATE - ply - 2)
    elif winning_four(s, colour) >= 0:
        return MATE - ply - 3
    if ply >= MAX_PLY - 1:
        return value(s, colour)
    alpha = max(alpha, -(MATE - ply - 2))
    beta = min(beta, MATE - ply - 1)
    if alpha >= beta:
        return alpha

    if forced >= 0:
        # A forced answer costs no depth.
        put(s, forced, colour)
        score = -search(s, table, stop, other, max(depth, _THREAT_DEPTH + 1), -beta, -alpha, ply + 1)
        lift(s, forced, colour)
        extend_line(s, ply, forced)
        return score

    key = table_key(s, colour)
    entry = recall(table, key)
    hint = _NO_MOVE
    if not entry >> uint64(63):
        hint = int64(entry & uint64(255))
        score = int64(entry >> uint64(8) & uint64(0xFFFF)) - 32768
        if score > DECIDED:
            score -= ply
        elif score < -DECIDED:
            score += ply
        bound = int64(entry >> uint64(32) & uint64(3))
        if int64(entry >> uint64(24) & uint64(255)) - 32 >= depth and (
            bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha)
        ):
            return score

    defend = winning_four(s, other) >= 0
    standing = value(s, colour)
    narrow = beta - alpha == 1
    calm = not defend and abs(beta) < DECIDED
    if calm and depth <= 4 and (narrow or depth <= 0) and standing - _SAFE * max(depth, 0) >= beta:
        return standing
    if s.count[colour, FOURS]:
        budget = s.nodes + (_ROOT_FOURS if ply <= 1 else 60 if depth <= 0 else 200 if depth < 4 else 1000)
        if fours(s, colour, 0, budget, stop) == WIN:
            score = int64(MATE - ply - s.line_length - 2)
            remember(table, key, int64(s.line[0]), score + ply, 100, EXACT)
            return score
        if s.stopped:
            return 0
    if depth <= 0 and (not defend or depth <= _THREAT_DEPTH):
        return standing
    if hint == _NO_MOVE and depth >= 4:
        depth -= 1

    count = candidates(s, colour, ply, (_ALL_DEFENCES if depth > 0 else _STOPPING) if defend else 0, hint)
    best = -INFINITE
    best_move = _NO_MOVE
    original = alpha
    tried = 0
    for n in range(count):
        move = pick(s, ply, n, count)
        if forbidden_here(s, move, colour):
            continue
        quiet = not defend and is_quiet(s, move, colour)
        if quiet and best > -DECIDED:
            if tried >= 5 + 3 * max(depth, 0) + depth * depth // 2:
                break
            if calm and depth <= 3 and tried > 0 and standing + _HOPE * depth + _HOPE <= alpha:
                continue
        put(s, move, colour)
        reduced = depth - 1
        if defend and depth > 0 and tried < 3 and ply < 2 * s.depth:
            reduced = depth
        full = reduced
        if tried == 0:
            score = -search(s, table, stop, other, reduced, -beta, -alpha, ply + 1)
        else:
            if depth >= 2 and tried >= 2 and quiet:
                reduced -= int64(_REDUCTION[min(depth, 31), min(tried, 63)])
                if not narrow:
                    reduced += 1
                reduced = min(max(reduced, 0), full)
            score = -search(s, table, stop, other, reduced, -alpha - 1, -alpha, ply + 1)
            if score > alpha and reduced < full and not s.stopped:
                score = -search(s, table, stop, other, full, -alpha - 1, -alpha, ply + 1)
            if alpha < score < beta and not s.stopped:
                score = -search(s, table, stop, other, full, -beta, -alpha, ply + 1)
        lift(s, move, colour)
        if s.stopped:
            return 0
        tried += 1
        if score > best:
            best = score
            best_move = move
            if score > alpha:
                alpha = score
                extend_line(s, ply, move)
                if score >= beta:
                    if quiet:
                        reward(s, colour, ply, move, depth)
                    break
    if tried == 0:
        # Nothing near that Black may play, or nothing near at all: a quiet pass.
        return -(MATE - ply - 4) if defend else value(s, colour)
    kept = best
    if kept > DECIDED:
        kept += ply
    elif kept < -DECIDED:
        kept -= ply
    bound = LOWER if best >= beta else EXACT if best > original else UPPER
    remember(table, key, best_move, kept, depth, bound)
    return best


@kernel(
    signature(
        types.void,
        RECORDS,
        TABLE,
        FLAG,
        types.int64,
        types.int64,
        types.int64,
        types.int64,
        types.Array(types.uint8, 1, "C"),
        types.int64,
    )
)
def search_root(  # noqa: PLR0917
    records: Positions,
    table: Table,
    stop: Flag,
    colour: int,
    depth: int,
    alpha: int,
    beta: int,
    moves: npt.NDArray[np.uint8],
    count: int,
) -> None:
    """One iteration over the root moves given; ``best``, ``best_score`` and ``pv[0]`` of the record are the answer.

    When stopped in between, they tell of the moves that were finished; ``best`` is 255 when none was. The best move
    is brought to the front of ``moves``.
    """
    s = records[0]
    other = 1 - colour
    s.best = _NO_MOVE
    s.best_score = -INFINITE
    s.tried = 0
    s.depth = depth
    for n in range(count):
        move = int64(moves[n])
        put(s, move, colour)
        if n == 0:
            score = -search(s, table, stop, other, depth - 1, -beta, -alpha, 1)
        else:
            score = -search(s, table, stop, other, depth - 1, -alpha - 1, -alpha, 1)
            if alpha < score < beta and not s.stopped:
                score = -search(s, table, stop, other, depth - 1, -beta, -alpha, 1)
        lift(s, move, colour)
        if s.stopped:
            return
        s.tried += 1
        if score > s.best_score:
            s.best_score = score
            s.best = move
            extend_line(s, 0, move)
            for k in range(n, 0, -1):
                moves[k] = moves[k - 1]
            moves[0] = move
            alpha = max(alpha, score)
            if score >= beta:
                return


@kernel(signature(types.int64, RECORDS, types.int64, types.Array(types.uint8, 1, "C")))
def root_moves(records: Positions, colour: int, moves: npt.NDArray[np.uint8]) -> int:
    """Every legal move worth a thought, the most urgent first; how many.

    Points near stones; all empty points when none of those is legal. On an empty board the middle.
    """
    s = records[0]
    if s.stones == 0:
        moves[0] = TENGEN
        return 1
    count = candidates(s, colour, 0, 0, _NO_MOVE)
    kept = 0
    for n in range(count):
        move = pick(s, 0, n, count)
        if not forbidden_here(s, move, colour):
            moves[kept] = move
            kept += 1
    if kept == 0:
        for point in range(POINTS):
            if s.cells[point] == 0 and not forbidden_here(s, point, colour):
                moves[kept] = point
                kept += 1
    return kept


@kernel(signature(types.int64, RECORDS, types.int64, types.int64, FLAG))
def fours_root(records: Positions, colour: int, limit: int, stop: Flag) -> int:
    """:func:`core.ai.fours.fours` from the position given."""
    s = records[0]
    s.nodes = 0
    s.poll = 0
    s.stopped = 0
    s.limit = limit
    return fours(s, colour, 0, limit, stop)
