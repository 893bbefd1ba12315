"""When two fifth moves are the same (section 10), against the judged examples and by count over every position."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import product
from pathlib import Path

import pytest

from core.notation import POINTS, SYMMETRIES, board_of, board_text, moves, name, point
from core.openings.equivalence import equivalent
from core.openings.names import OPENINGS, find

EXAMPLES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data/symmetry_examples.jsonl").read_text(encoding="utf-8").splitlines()
]

Dot = tuple[int, int]
Dots = frozenset[Dot]


def dot(p: int) -> Dot:
    return p % 15, p // 15


def grid_symmetries(black: Dots, white: Dots) -> list[tuple[int, int, int, int, int, int]]:
    """The slow twin: every map (x, y) -> (ax + by + e, cx + dy + f) of the infinite grid that keeps both sets.

    It is found by trying every rotation or reflection and every shift of up to 40, written to be believed.
    """
    found = []
    for a, b, c, d in product((-1, 0, 1), repeat=4):
        if abs(a * d - b * c) != 1 or a * b or c * d:
            continue
        stone = next(iter(black))
        for target in black:
            e = target[0] - (a * stone[0] + b * stone[1])
            f = target[1] - (c * stone[0] + d * stone[1])

            def moved(dots: Iterable[Dot]) -> Dots:
                return frozenset((a * x + b * y + e, c * x + d * y + f) for x, y in dots)  # noqa: B023

            if moved(black) == black and moved(white) == white:
                found.append((a, b, c, d, e, f))
    return found


@pytest.mark.parametrize("example", EXAMPLES, ids=[example["id"] for example in EXAMPLES])
def test_judged_examples(example: dict[str, object]) -> None:
    """Each class of the examples, complete: those listed are equivalent, every other empty point is not."""
    played = moves("".join(example["moves"]))  # type: ignore[arg-type]
    black, white = frozenset(played[::2]), frozenset(played[1::2])
    for field, board_only in (("equivalent_points", False), ("equivalent_under_board_symmetry_only", True)):
        classes: dict[str, list[str]] = example[field]  # type: ignore[assignment]
        for text, expected in classes.items():
            same = {
                name(q).upper()
                for q in range(POINTS)
                if q not in played and equivalent(black, white, point(text), q, board_only=board_only)
            }
            assert same == set(expected), board_text(board_of(played))


def test_the_groups_of_all_5772_positions() -> None:
    """Section 10's counts: 163 positions have a symmetry (157 of order 2, 6 of 4), 84 one of the board, 85 differ."""
    positions = local_orders = 0
    orders: dict[int, int] = {}
    board_symmetric = larger = 0
    for opening in OPENINGS:
        black = frozenset({opening.points[0], opening.third})
        for fourth in range(POINTS):
            if fourth in opening.points:
                continue
            positions += 1
            white = frozenset({opening.second, fourth})
            local = len(grid_symmetries(frozenset(map(dot, black)), frozenset(map(dot, white))))
            on_board = sum(
                {int(image[p]) for p in black} == black and {int(image[p]) for p in white} == white
                for image in SYMMETRIES
            )
            local_orders += local > 1
            orders[local] = orders.get(local, 0) + 1
            board_symmetric += on_board > 1
            larger += local > on_board
            if local > 1:
                classes_agree_with_the_twin(black, white)
    assert positions == 5772
    assert local_orders == 163
    assert orders == {1: 5609, 2: 157, 4: 6}
    assert board_symmetric == 84
    assert larger == 85


def classes_agree_with_the_twin(black: frozenset[int], white: frozenset[int]) -> None:
    """For every pair of empty points."""
    maps = grid_symmetries(frozenset(map(dot, black)), frozenset(map(dot, white)))
    for p in range(POINTS):
        if p in black | white:
            continue
        x, y = dot(p)
        images = {(a * x + b * y + e, c * x + d * y + f) for a, b, c, d, e, f in maps}
        near = {v * 15 + u for u, v in images if 0 <= u < 15 and 0 <= v < 15}
        for q in near | {(p + 1) % POINTS, (p + 15) % POINTS}:
            if q not in black | white:
                assert equivalent(black, white, p, q, board_only=False) == (dot(q) in images)


def test_positions_without_symmetry_allow_any_two_offers() -> None:
    """In a sample of the 5,609 positions without a symmetry no two points are the same."""
    for code, fourth in (("D3", "g6"), ("I5", "o15"), ("D4", "j10")):
        opening = find(code)
        assert opening is not None
        black, white = frozenset({opening.points[0], opening.third}), frozenset({opening.second, point(fourth)})
        free = [p for p in range(POINTS) if p not in black | white]
        assert not any(equivalent(black, white, free[0], q, board_only=False) for q in free[1:])


def test_the_two_black_stones_may_be_exchanged() -> None:
    """The order of play is ignored: D8 with h6 has a symmetry that carries h8 onto h7."""
    black, white = frozenset(moves("h8h7")), frozenset(moves("h9h6"))
    assert equivalent(black, white, point("g8"), point("g7"), board_only=False)
    assert not equivalent(black, white, point("g8"), point("g7"), board_only=True)
    assert equivalent(black, white, point("g8"), point("i8"), board_only=True)
