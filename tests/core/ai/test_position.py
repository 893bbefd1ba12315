"""What is kept stone by stone equals what is worked out from nothing."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from core.ai import shapes
from core.ai.position import (
    Positions,
    forbidden_here,
    lift,
    new_record,
    put,
    rules,
    set_up,
)
from core.notation import POINTS, Board, name
from core.rules import Verdict, forbidden, judge
from core.rules.lines import DIRECTIONS

KEPT = ("cells", "near", "window", "key", "worth", "count", "points", "stones", "hash")
MODES = {
    "renju": {"fouls": True, "black_exact": True, "white_exact": False},
    "open": {"fouls": False, "black_exact": False, "white_exact": False},
    "exact": {"fouls": False, "black_exact": True, "white_exact": True},
    "black exact": {"fouls": False, "black_exact": True, "white_exact": False},
}


def position(cells: Board, mode: str = "renju") -> Positions:
    records = new_record()
    set_up(records, cells, *rules(**MODES[mode]))
    return records


def assert_equal(kept: Positions, fresh: Positions) -> None:
    for what in KEPT:
        if what == "key":  # of a taken point it means nothing
            empty = fresh["cells"][0] == 0
            assert np.array_equal(kept[what][0][:, empty], fresh[what][0][:, empty]), what
        else:
            assert np.array_equal(kept[what], fresh[what]), what


@pytest.mark.parametrize("mode", MODES)
def test_putting_and_lifting_equal_setting_up(mode: str) -> None:
    """Along random games, with stones put and taken back, every table equals the one made from the stones alone."""
    random = Random(mode)
    for _ in range(12):
        kept = position(np.zeros(POINTS, dtype=np.uint8), mode)
        played: list[tuple[int, int]] = []
        cells = np.zeros(POINTS, dtype=np.uint8)
        while len(played) < POINTS - 1 and len(played) < 150:
            if played and random.random() < 0.35:
                p, colour = played.pop()
                lift(kept[0], p, colour)
                cells[p] = 0
            else:
                p = random.choice(np.flatnonzero(cells == 0).tolist())
                colour = random.randrange(2)
                put(kept[0], p, colour)
                cells[p] = colour + 1
                played.append((p, colour))
            if random.random() < 0.1:
                assert_equal(kept, position(cells, mode))
        assert_equal(kept, position(cells, mode))
        for p, colour in reversed(played):
            lift(kept[0], p, colour)
        assert_equal(kept, position(np.zeros(POINTS, dtype=np.uint8), mode))


def test_forbidden_points_are_those_of_the_rules() -> None:
    """Point by point, the engine refuses Black exactly what the rules forbid, also on crowded boards."""
    random = Random(3)
    seen = 0
    for stones in range(10, 200, 2):
        cells = np.zeros(POINTS, dtype=np.uint8)
        for n, p in enumerate(random.sample(range(POINTS), stones)):
            cells[p] = 1 + (n % 3 == 0)
        record = position(cells)[0]
        fouls = forbidden(cells)
        seen += len(fouls)
        for p in range(POINTS):
            if not cells[p]:
                assert forbidden_here(record, p, 0) == (p in fouls), name(p)
                assert not forbidden_here(record, p, 1)
    assert seen > 100


def test_five_points_are_found_by_counting() -> None:
    """The set of points that win at once is what counting stones along the lines gives."""
    random = Random(4)
    for mode, (black_exact, white_exact) in {
        "renju": (True, False),
        "exact": (True, True),
        "open": (False, False),
    }.items():
        for _ in range(20):
            cells = np.array([random.choice((0, 1, 1, 2, 2)) for _ in range(POINTS)], dtype=np.uint8)
            record = position(cells, mode)[0]
            for colour, exact in ((0, black_exact), (1, white_exact)):
                bits = record["points"][colour, shapes.FIVES]
                found = [p for p in range(POINTS) if int(bits[p >> 6]) >> (p & 63) & 1]
                assert found == [p for p in range(POINTS) if not cells[p] and _wins(cells, p, colour + 1, exact)]


def _wins(cells: Board, p: int, colour: int, exact: bool) -> bool:
    runs = []
    for dx, dy in DIRECTIONS:
        length = 1
        for sign in (-1, 1):
            x, y = p % 15 + sign * dx, p // 15 + sign * dy
            while 0 <= x < 15 and 0 <= y < 15 and cells[y * 15 + x] == colour:
                length, x, y = length + 1, x + sign * dx, y + sign * dy
        runs.append(length)
    return 5 in runs if exact else max(runs) >= 5


@pytest.mark.parametrize("mode", MODES)
def test_fouls_at_sight_are_those_of_the_rules(mode: str) -> None:
    """Along random games the set of points that are forbidden without a doubt is, at every step, what the rules say
    of the stones alone: overlines and double-fours. White has none, nor has anybody in games without fouls.
    """
    random = Random(f"fouls {mode}")
    seen = 0
    for _ in range(6):
        kept = position(np.zeros(POINTS, dtype=np.uint8), mode)
        cells = np.zeros(POINTS, dtype=np.uint8)
        played: list[tuple[int, int]] = []
        while len(played) < 130:
            if played and random.random() < 0.3:
                p, colour = played.pop()
                lift(kept[0], p, colour)
                cells[p] = 0
            else:
                p = random.choice(np.flatnonzero(cells == 0).tolist())
                colour = int(random.random() < 0.4)
                put(kept[0], p, colour)
                cells[p] = colour + 1
                played.append((p, colour))
            if random.random() < 0.8:
                continue
            for colour in range(2):
                bits = kept[0]["points"][colour, shapes.FOULS]
                found = [p for p in range(POINTS) if int(bits[p >> 6]) >> (p & 63) & 1]
                wanted = _fouls_at_sight(cells) if mode == "renju" and colour == 0 else []
                assert found == wanted, [name(p) for p in {*found} ^ {*wanted}]
                seen += len(found)
    assert seen > 50 or mode != "renju"


def _fouls_at_sight(cells: Board) -> list[int]:
    """By the rules, one by one."""
    kinds = (Verdict.OVERLINE, Verdict.DOUBLE_FOUR)
    return [p for p in range(POINTS) if not cells[p] and judge(cells, p) in kinds]
