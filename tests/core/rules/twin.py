"""The rules once more, slow and obvious: sets of (column, row), loops, no tables, nothing shared with the kernels.

Written from the text of sections 3, 4 and 5.5; whoever doubts a verdict can follow it here line by line.
"""

from __future__ import annotations

from collections.abc import Iterable

Cell = tuple[int, int]
Stones = frozenset[Cell]

SIZE = 15
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
BOARD = frozenset((x, y) for x in range(SIZE) for y in range(SIZE))


def step(cell: Cell, direction: Cell, steps: int) -> Cell:
    """The cell so many steps along; it may lie off the board."""
    return cell[0] + steps * direction[0], cell[1] + steps * direction[1]


def run(stones: Stones, cell: Cell, direction: Cell) -> Stones:
    """R3.1: the maximal unbroken row through a stone."""
    found = {cell}
    for sign in (-1, 1):
        steps = sign
        while step(cell, direction, steps) in stones:
            found.add(step(cell, direction, steps))
            steps += sign
    return frozenset(found)


def empties_near(black: Stones, white: Stones, cell: Cell, direction: Cell) -> list[Cell]:
    """The empty points of the line close enough to share a five with the stone."""
    near = [step(cell, direction, steps) for steps in range(-4, 5)]
    return [c for c in near if c in BOARD and c not in black and c not in white]


def makes_exactly_five(black: Stones, cell: Cell, direction: Cell) -> bool:
    """Whether Black's stone on the empty cell completes a run of exactly five on that line."""
    return len(run(black, cell, direction)) == 5


def fours(black: Stones, white: Stones, stone: Cell, direction: Cell) -> set[Stones]:
    """R3.4: the different sets of four stones with ``stone`` that one more stone makes exactly five."""
    found = set()
    for cell in empties_near(black, white, stone, direction):
        five = run(black, cell, direction)
        if len(five) == 5 and stone in five:
            found.add(five - {cell})
    return found


def is_straight_four(black: Stones, white: Stones, row: Stones, direction: Cell) -> bool:
    """R3.5: four unbroken stones, and both cells beyond the ends are empty and make exactly five."""
    if len(row) != 4:
        return False
    ends = [step(c, direction, sign) for c in row for sign in (-1, 1)]
    beyond = [c for c in ends if c not in row]
    return all(
        c in BOARD and c not in black and c not in white and makes_exactly_five(black, c, direction) for c in beyond
    )


def growth_points(black: Stones, white: Stones, stone: Cell, direction: Cell) -> list[Cell]:
    """R3.7 but for the legality: where one more stone makes a straight four with ``stone`` out of a three."""
    found = []
    for cell in empties_near(black, white, stone, direction):
        more = black | {cell}
        row = run(more, cell, direction)
        if (
            stone in row
            and is_straight_four(more, white, row, direction)
            and not any(row - {cell} <= four for four in fours(black, white, stone, direction))
        ):
            found.append(cell)
    return found


def judge(black: Stones, white: Stones, cell: Cell) -> str:
    """Section 4: Black's stone on the empty ``cell``."""
    after = black | {cell}
    runs = [len(run(after, cell, direction)) for direction in DIRECTIONS]
    if 5 in runs:
        return "five"
    if max(runs) >= 6:
        return "overline"
    if sum(len(fours(after, white, cell, direction)) for direction in DIRECTIONS) >= 2:
        return "double-four"
    threes = 0
    for direction in DIRECTIONS:
        growth = growth_points(after, white, cell, direction)
        threes += any(judge(after, white, point) == "legal" for point in growth)
    return "double-three" if threes >= 2 else "legal"


def forbidden(black: Iterable[Cell], white: Iterable[Cell]) -> dict[Cell, str]:
    """Every forbidden point with its kind."""
    mine, theirs = frozenset(black), frozenset(white)
    verdicts = {cell: judge(mine, theirs, cell) for cell in sorted(BOARD - mine - theirs)}
    return {cell: kind for cell, kind in verdicts.items() if kind not in ("legal", "five")}


def winning_stones(stones: Iterable[Cell], cell: Cell, exact: bool) -> set[Cell]:
    """R5.1: all stones of the winning rows through ``cell``, found by trying every stretch of every length."""
    mine = frozenset(stones)
    won: set[Cell] = set()
    for direction in DIRECTIONS:
        for length in range(5, SIZE + 1):
            for back in range(length):
                row = {step(cell, direction, steps - back) for steps in range(length)}
                longer = step(cell, direction, -back - 1) in mine or step(cell, direction, length - back) in mine
                if row <= mine and not longer and (length == 5 or not exact):
                    won |= row
    return won


def can_make_five(mine: Iterable[Cell], theirs: Iterable[Cell], exact: bool) -> bool:
    """R5.5: whether some row of five is alive for the first side."""
    own, other = frozenset(mine), frozenset(theirs)
    for cell in BOARD:
        for direction in DIRECTIONS:
            row = {step(cell, direction, steps) for steps in range(5)}
            ends = {step(cell, direction, -1), step(cell, direction, 5)}
            if row <= BOARD and not row & other and not (exact and ends & own):
                return True
    return False
