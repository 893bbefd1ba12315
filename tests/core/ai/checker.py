"""A slow, independent judge of wins by continuous fours and threes: no tables, no memory, the rules' slow twin.

``faults`` replays a line of play; ``wins`` searches, for small positions, everything there is; ``escape`` tries every
defence on the board against an attack.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from core.notation import SIZE, Board, Colour, Point, name
from tests.core.rules import twin

_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def _run(cells: bytearray, p: Point, colour: Colour, dx: int, dy: int) -> int:
    length = 1
    for sign in (-1, 1):
        x, y = p % SIZE + sign * dx, p // SIZE + sign * dy
        while 0 <= x < SIZE and 0 <= y < SIZE and cells[y * SIZE + x] == colour:
            length += 1
            x, y = x + sign * dx, y + sign * dy
    return length


def makes_five(cells: bytearray, p: Point, colour: Colour, *, fouls: bool) -> bool:
    """Whether a stone of ``colour`` on the empty point wins at once."""
    runs = [_run(cells, p, colour, dx, dy) for dx, dy in _DIRECTIONS]
    return 5 in runs if fouls and colour is Colour.BLACK else max(runs) >= 5


def five_points(cells: bytearray, colour: Colour, *, fouls: bool) -> list[Point]:
    """All points where ``colour`` wins at once."""
    own = {q for p in range(SIZE * SIZE) if cells[p] == colour for q in _near(p)}
    return [p for p in sorted(own) if not cells[p] and makes_five(cells, p, colour, fouls=fouls)]


def forbidden(cells: bytearray, p: Point, colour: Colour, *, fouls: bool) -> bool:
    """Whether ``colour`` may not play there, by the slow twin."""
    if not fouls or colour is not Colour.BLACK:
        return False
    black = frozenset((q % SIZE, q // SIZE) for q in range(SIZE * SIZE) if cells[q] == Colour.BLACK)
    white = frozenset((q % SIZE, q // SIZE) for q in range(SIZE * SIZE) if cells[q] == Colour.WHITE)
    return twin.judge(black, white, (p % SIZE, p // SIZE)) not in ("legal", "five")


def faults(board: Board | bytearray, attacker: Colour, line: tuple[Point, ...], *, fouls: bool = True) -> str | None:
    """What is wrong with a line of continuous fours; ``None`` when it wins against every answer."""
    cells = bytearray(board)
    defender = attacker.other
    if not line or len(line) % 2 == 0:
        return "a line ends with the attacker's move"
    for n, p in enumerate(line):
        if cells[p]:
            return f"{name(p)} is taken"
        if n % 2:
            cells[p] = defender
            continue
        if makes_five(cells, p, attacker, fouls=fouls):
            return None if n == len(line) - 1 else f"play goes on after the five at {name(p)}"
        if forbidden(cells, p, attacker, fouls=fouls):
            return f"{name(p)} is forbidden"
        cells[p] = attacker
        if five_points(cells, defender, fouls=fouls):
            return f"the defender makes five after {name(p)}"
        threats = five_points(cells, attacker, fouls=fouls)
        if not threats:
            return f"{name(p)} makes no four"
        stoppable = len(threats) == 1 and not forbidden(cells, threats[0], defender, fouls=fouls)
        if n == len(line) - 1:
            return f"{name(threats[0])} stops the last four" if stoppable else None
        if not stoppable:
            return f"play goes on after {name(p)}, which cannot be stopped"
        if line[n + 1] != threats[0]:
            return f"{name(line[n + 1])} does not stop the four"
    return None


def wins(cells: bytearray, attacker: Colour, *, fouls: bool = True) -> bool:
    """Whether there is a win by continuous fours at all: every four is tried, nothing is remembered."""
    defender = attacker.other
    if five_points(cells, attacker, fouls=fouls):
        return True
    must = five_points(cells, defender, fouls=fouls)
    if len(must) > 1:
        return False
    for p in must or range(SIZE * SIZE):
        if cells[p]:
            continue
        cells[p] = attacker
        threats = [q for q in _near(p) if not cells[q] and makes_five(cells, q, attacker, fouls=fouls)]
        cells[p] = Colour.EMPTY
        if not threats or forbidden(cells, p, attacker, fouls=fouls):
            continue
        cells[p] = attacker
        won = len(threats) > 1 or forbidden(cells, threats[0], defender, fouls=fouls)
        if not won:
            cells[threats[0]] = defender
            won = wins(cells, attacker, fouls=fouls)
            cells[threats[0]] = Colour.EMPTY
        cells[p] = Colour.EMPTY
        if won:
            return True
    return False


@cache
def _near(p: Point) -> list[Point]:
    """The points that can share a five with this one."""
    x, y = p % SIZE, p // SIZE
    cells = [(x + k * dx, y + k * dy) for dx, dy in _DIRECTIONS for k in range(-4, 5) if k]
    return [v * SIZE + u for u, v in cells if 0 <= u < SIZE and 0 <= v < SIZE]


Reply = Callable[[bytearray], tuple[Point, ...]]


def escape(cells: bytearray, attacker: Colour, reply: Reply, *, fouls: bool = True) -> str | None:
    """A defence that ``reply`` has no winning answer to; ``None`` when it wins against everything.

    ``reply`` says what the attacker, to move, plays: a whole line of continuous fours that wins, or one move. Against
    a move that makes no four every legal point of the board is tried.
    """
    defender = attacker.other
    line = reply(cells)
    if not line:
        return "no way to go on"
    if faults(cells, attacker, line, fouls=fouls) is None:
        return None
    if len(line) > 1:
        return faults(cells, attacker, line, fouls=fouls)
    move = line[0]
    if cells[move] or forbidden(cells, move, attacker, fouls=fouls):
        return f"{name(move)} cannot be played"
    cells[move] = attacker
    try:
        if five_points(cells, defender, fouls=fouls):
            return f"the defender makes five after {name(move)}"
        fives = five_points(cells, attacker, fouls=fouls)
        for p in fives or range(SIZE * SIZE):
            if cells[p] or forbidden(cells, p, defender, fouls=fouls):
                continue
            cells[p] = defender
            left = fives[1:] if fives and p == fives[0] else fives[:1]
            found = None if left else escape(cells, attacker, reply, fouls=fouls)
            cells[p] = Colour.EMPTY
            if found is not None:
                return f"{name(move)} {name(p)}: {found}"
    finally:
        cells[move] = Colour.EMPTY
    return None
