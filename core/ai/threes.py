"""Wins by continuous threes and fours (VCT): every move of the attacker threatens to win by the next one or two.

A move attacks when it makes a four, or when it leaves the attacker a legal point for a winning four. Against a four
there is one answer. Against a three the defender has the points that stop it, and his own fours: every point that stops
a winning four completes a four of the attacker there, or would if the point were not forbidden for Black. Only where
each of Black's winning points may turn forbidden (R3.7) by a stone elsewhere are all empty points tried. So a win that
is claimed holds against everything; that there is none is known only of attacks of this kind.

The search is depth-first proof-number search: every position has a number that tells how much is left to prove that the
attack wins, and one for how much is left to disprove it. Stones are only added, so play never comes back to a position,
but the same position is reached in many orders, and what is left below it is then counted once for each. Such sums grow
beyond all bounds while there is still something to find: they stop at ``_MUCH``, short of what says "decided".
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import types

from core.ai.fours import NONE, UNKNOWN, WIN, fours, told_to_stop, winning_four
from core.ai.position import (
    FLAG,
    MAX_PLY,
    ONE,
    RECORD,
    RECORDS,
    TABLE,
    ZOBRIST,
    Position,
    Positions,
    forbidden_here,
    int64,
    lift,
    lowest,
    put,
    signature,
    uint64,
)
from core.ai.shapes import DOUBT, FIVES, FOULS, FOURS, THREES, WINNERS
from core.ai.table import Flag, Table, recall
from core.jit import kernel
from core.notation import POINTS

#: Proof numbers end here: nothing can be proved any more.
_NEVER: Final = (1 << 24) - 1
#: The most that may be left while something can.
_MUCH: Final = _NEVER - 1
_LONGEST: Final = 255
#: Nodes for the fours that may end an attack, at every position of it; and how many times more where the answer has
#: hung on them.
_FINISH: Final = 300
_MORE: Final = 8
#: What a search has left out.
_SOME_FOURS: Final = 1
_SOME_DEPTH: Final = 2
#: Keys of positions with attacker and side to move, [attacker, attacker to move].
_ROLE: Final = np.array(
    [[0x8C5A1D3F9B7E2461, 0x3D94E6B17A5C082F], [0xB7139F4D5E8A6C03, 0x61F0C84B2DA7953E]], dtype=np.uint64
)


@kernel("uint64(int64, int64, int64)")
def _packed(proof: int, doubt: int, length: int) -> Any:
    return uint64(proof) | uint64(doubt) << uint64(24) | uint64(min(length, _LONGEST)) << uint64(48)


@kernel("int64(uint64)")
def _proof(entry: Any) -> int:
    return int64(entry & uint64(_NEVER))


@kernel("int64(uint64)")
def _doubt(entry: Any) -> int:
    return int64(entry >> uint64(24) & uint64(_NEVER))


@kernel("int64(uint64)")
def _length(entry: Any) -> int:
    return int64(entry >> uint64(48) & uint64(_LONGEST))


@kernel(signature(types.void, TABLE, types.uint64, types.uint64))
def _note(table: Table, key: Any, data: Any) -> None:
    """Keep what is known of a position; written as ``core.ai.table.remember`` does."""
    slot = int64(key >> uint64(1)) & (int64(len(table) // 2) - 1)
    table[2 * slot] = key ^ data
    table[2 * slot + 1] = data


@kernel(signature(types.int64, RECORD, types.int64, types.int64))
def _attacks(s: Position, attacker: int, ply: int) -> int:
    """Fill ``s.moves[ply]`` with the moves that may make a four or a three; how many."""
    count = 0
    defender = 1 - attacker
    must = s.count[defender, FIVES]
    for word in range(4):
        # An answer to a four need not attack by itself: the threat of before may still stand.
        bits = s.points[attacker, FOURS, word] | s.points[attacker, WINNERS, word] | s.points[attacker, THREES, word]
        if must:
            bits = s.points[defender, FIVES, word]
        while bits:
            point = word * 64 + lowest(bits)
            bits &= bits - ONE
            if not forbidden_here(s, point, attacker):
                s.moves[ply, count] = point
                count += 1
    return count


@kernel(signature(types.int64, RECORD, types.int64, types.int64))
def _defences(s: Position, attacker: int, ply: int) -> int:
    """Fill ``s.moves[ply]`` with everything that may help against the attacker's four or three; how many."""
    count = 0
    defender = 1 - attacker
    four = s.count[attacker, FIVES] > 0
    sure = four
    for word in range(4):
        bits = s.points[attacker, WINNERS, word]
        while bits and not sure:
            point = word * 64 + lowest(bits)
            bits &= bits - ONE
            sure = s.rank[s.rule[attacker], s.key[attacker, point]] & DOUBT == 0
    for word in range(4):
        if four:
            bits = s.points[attacker, FIVES, word]
        elif sure:
            bits = (
                s.points[attacker, FOURS, word]
                | s.points[attacker, WINNERS, word]
                | s.points[attacker, FOULS, word]
                | s.points[defender, FOURS, word]
                | s.points[defender, WINNERS, word]
            )
        else:
            bits = ~uint64(0)
        while bits:
            point = word * 64 + lowest(bits)
            bits &= bits - ONE
            if point < POINTS and s.cells[point] == 0 and not forbidden_here(s, point, defender):
                s.moves[ply, count] = point
                count += 1
    return count


@kernel(signature(types.uint64, RECORD, types.int64, types.int64))
def _key(s: Position, attacker: int, attacking: int) -> Any:
    return s.hash ^ _ROLE[attacker, attacking]


@kernel(signature(types.uint64, RECORD, FLAG, types.int64, types.int64, types.int64))
def _at_sight(s: Position, stop: Flag, attacker: int, attacking: int, ply: int) -> Any:
    """What is seen of a position without trying moves; all numbers 1 when it is still open."""
    defender = 1 - attacker
    never = _packed(_NEVER, 0, 0)
    if attacking:
        must = s.count[defender, FIVES]
        if must > 1 and s.count[attacker, FIVES] == 0:
            return never
        found = fours(s, attacker, 0, s.nodes + s.finish, stop)
        if found == WIN:
            return _packed(0, _NEVER, s.line_length)
        if found == UNKNOWN:
            s.cut |= _SOME_FOURS
        if ply >= MAX_PLY - 2:
            s.cut |= _SOME_DEPTH
            return never
        return _packed(1, 1, 0)
    if s.count[defender, FIVES]:
        return never
    if s.count[attacker, FIVES] == 0 and winning_four(s, attacker) < 0:
        return never
    return _packed(1, 1, 0)


@kernel(
    signature(
        types.uint64,
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
def attack(  # noqa: PLR0917
    s: Position, table: Table, stop: Flag, attacker: int, attacking: int, ply: int, proof_limit: int, doubt_limit: int
) -> Any:
    """Work on a position until it is decided or one of its two numbers reaches its limit; its entry.

    ``attacking``: whether the attacker is to move.
    """
    key = _key(s, attacker, attacking)
    entry = recall(table, key)
    if told_to_stop(s, stop):
        return _packed(1, 1, 0)
    if entry >> uint64(63):
        entry = _at_sight(s, stop, attacker, attacking, ply)
        if s.stopped:
            return _packed(1, 1, 0)
        _note(table, key, entry)
    if _proof(entry) == 0 or _doubt(entry) == 0:
        return entry
    count = _attacks(s, attacker, ply) if attacking else _defences(s, attacker, ply)
    mover = attacker if attacking else 1 - attacker
    while True:
        # For whoever is to move: how near the best child is, and how much all of them take together.
        nearest = _NEVER
        second = _NEVER
        total = 0
        decided = False
        length = 0
        at = -1
        for n in range(count):
            child = recall(table, key ^ ZOBRIST[mover, s.moves[ply, n]] ^ _ROLE[attacker, 0] ^ _ROLE[attacker, 1])
            mine, all_of = 1, 1
            if not child >> uint64(63):
                mine, all_of = _proof(child), _doubt(child)
                if not attacking:
                    mine, all_of = all_of, mine
                if mine == 0 and attacking:
                    length = _length(child) + 1 if length == 0 else min(length, _length(child) + 1)
                elif all_of == 0 and not attacking:
                    length = max(length, _length(child) + 1)
            total += all_of
            decided |= all_of == _NEVER
            if mine < nearest:
                second = nearest
                nearest = mine
                at = n
            elif mine < second:
                second = mine
        total = _NEVER if decided else min(total, _MUCH)
        proof, doubt = (nearest, total) if attacking else (total, nearest)
        if nearest == 0:
            total = _NEVER
            proof, doubt = (0, _NEVER) if attacking else (_NEVER, 0)
        elif total == 0:
            proof, doubt = (_NEVER, 0) if attacking else (0, _NEVER)
        entry = _packed(proof, doubt, max(length, 1) if proof == 0 else 0)
        if proof >= proof_limit or doubt >= doubt_limit or proof == 0 or doubt == 0:
            _note(table, key, entry)
            return entry
        move = int64(s.moves[ply, at])
        own_limit, sum_limit = (proof_limit, doubt_limit) if attacking else (doubt_limit, proof_limit)
        own = min(own_limit, second + 1 + second // 4)
        child = recall(table, key ^ ZOBRIST[mover, move] ^ _ROLE[attacker, 0] ^ _ROLE[attacker, 1])
        part = 1
        if not child >> uint64(63):
            part = _doubt(child) if attacking else _proof(child)
        rest = min(max(sum_limit - total, 1) + part, _NEVER)
        put(s, move, mover)
        if not attacking:
            own, rest = rest, own
        attack(s, table, stop, attacker, 1 - attacking, ply + 1, own, rest)
        lift(s, move, mover)
        if s.stopped:
            return entry


@kernel(signature(types.int64, RECORD, TABLE, FLAG, types.int64, types.int64, types.int64))
def _chosen(s: Position, table: Table, stop: Flag, attacker: int, attacking: int, ply: int) -> int:  # noqa: PLR0917
    """Of the moves of a position that is won for the attacker: his shortest way, or the longest defence; -1 if none."""
    key = _key(s, attacker, attacking)
    count = _attacks(s, attacker, ply) if attacking else _defences(s, attacker, ply)
    mover = attacker if attacking else 1 - attacker
    chosen = -1
    length = 0
    for n in range(count):
        move = int64(s.moves[ply, n])
        child = recall(table, key ^ ZOBRIST[mover, move] ^ _ROLE[attacker, 0] ^ _ROLE[attacker, 1])
        if not attacking and (child >> uint64(63) or _proof(child)):
            # It was proved, and forgotten when the place in the table was wanted for another.
            put(s, move, mover)
            child = attack(s, table, stop, attacker, 1, ply + 1, _NEVER, _NEVER)
            lift(s, move, mover)
            if s.stopped:
                return -1
        if child >> uint64(63) or _proof(child):
            continue
        if chosen < 0 or (_length(child) < length if attacking else _length(child) > length):
            chosen = move
            length = _length(child)
    return chosen


@kernel(signature(types.void, RECORD, TABLE, FLAG, types.int64))
def _trace(s: Position, table: Table, stop: Flag, attacker: int) -> None:
    """Put the line of play of a proven win into ``s.line``."""
    attacking = 1
    ply = 0
    finish = 0
    while not s.stopped and ply < MAX_PLY:
        if attacking and fours(s, attacker, 0, s.nodes + s.finish, stop) == WIN:
            finish = s.line_length
            break
        move = _chosen(s, table, stop, attacker, attacking, ply)
        if move < 0 and attacking and not s.stopped:
            attack(s, table, stop, attacker, 1, ply, _NEVER, _NEVER)
            move = _chosen(s, table, stop, attacker, attacking, ply)
        if move < 0:
            break
        s.pv[0, ply] = move
        put(s, move, attacker if attacking else 1 - attacker)
        attacking = 1 - attacking
        ply += 1
    for n in range(finish - 1, -1, -1):
        s.line[ply + n] = s.line[n]
    for n in range(ply):
        s.line[n] = s.pv[0, n]
    s.line_length = ply + finish
    while ply:
        ply -= 1
        attacking = 1 - attacking
        lift(s, int64(s.pv[0, ply]), attacker if attacking else 1 - attacker)


@kernel(signature(types.int64, RECORDS, TABLE, types.int64, types.int64, FLAG))
def threes_root(records: Positions, table: Table, attacker: int, limit: int, stop: Flag) -> int:
    """Whether ``attacker``, to move, wins by continuous threes and fours; ``s.line`` is then the line of play.

    ``limit``: nodes, counted from those already searched. ``NONE`` says that no such attack wins.
    """
    s = records[0]
    s.poll = 0
    s.stopped = 0
    s.limit = limit
    s.finish = _FINISH
    while True:
        s.cut = 0
        entry = attack(s, table, stop, attacker, 1, 0, _NEVER, _NEVER)
        if s.stopped:
            return UNKNOWN
        if _proof(entry) == 0:
            _trace(s, table, stop, attacker)
            return UNKNOWN if s.stopped else WIN
        if s.cut == 0 and _doubt(entry) == 0:
            return NONE
        if not s.cut & _SOME_FOURS:
            return UNKNOWN
        # What was disproved for want of fours is not known any more.
        s.finish *= _MORE
        for n in range(len(table)):
            table[n] = 0
