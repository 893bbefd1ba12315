"""Judged positions from ``tests/data``, and hypothesis strategies that compose new ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from core.notation import POINTS, SIZE, Board, Colour, Point, board, point
from tests.core.rules import twin

DATA = Path(__file__).resolve().parents[2] / "data"


@dataclass(frozen=True)
class Judged:
    """A position whose forbidden points are known, ``kinds`` in machine words."""

    cells: Board
    kinds: dict[Point, str]


def _points(names: list[str]) -> list[Point]:
    return [point(text) for text in names]


def lines(file: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of a file in ``tests/data``."""
    with (DATA / file).open(encoding="utf-8") as stream:
        yield from map(json.loads, stream)


@cache
def judged() -> tuple[Judged, ...]:
    """The 2,921 positions on which independent checkers agree."""
    return tuple(
        Judged(
            board(_points(entry["black"]), _points(entry["white"])),
            {point(text): kind for text, kind in entry["forbidden"].items()},
        )
        for entry in lines("forbidden_positions.jsonl")
    )


def cell_of(p: Point) -> twin.Cell:
    return p % SIZE, p // SIZE


def stones(cells: Board, colour: Colour) -> frozenset[twin.Cell]:
    """The twin's view of one colour."""
    return frozenset(cell_of(int(p)) for p in np.flatnonzero(cells == colour))


def twin_forbidden(cells: Board) -> dict[Point, str]:
    """The twin's answer in the kernels' words."""
    found = twin.forbidden(stones(cells, Colour.BLACK), stones(cells, Colour.WHITE))
    return {y * SIZE + x: kind for (x, y), kind in found.items()}


@st.composite
def composed(draw: st.DrawFn, pieces: int = 7) -> Board:
    """Short random stretches of stones, most of them crossing near one point: fours and threes meet all the time."""
    cells = np.zeros(POINTS, dtype=np.uint8)
    x0, y0 = draw(st.integers(0, 14)), draw(st.integers(0, 14))
    for _ in range(draw(st.integers(2, pieces))):
        dx, dy = draw(st.sampled_from(twin.DIRECTIONS))
        x, y = x0 + draw(st.integers(-3, 3)), y0 + draw(st.integers(-3, 3))
        for steps, stone in enumerate(draw(st.lists(st.sampled_from((0, 0, 1, 1, 1, 2)), min_size=3, max_size=9)), -4):
            u, v = x + steps * dx, y + steps * dy
            if stone and 0 <= u < SIZE and 0 <= v < SIZE:
                cells[v * SIZE + u] = stone
    return cells


@st.composite
def game_like(draw: st.DrawFn, longest: int = 80) -> Board:
    """Stones of alternating colours, each within two points of an earlier one."""
    cells = np.zeros(POINTS, dtype=np.uint8)
    played = [(draw(st.integers(2, 12)), draw(st.integers(2, 12)))]
    cells[played[0][1] * SIZE + played[0][0]] = 1
    near = st.integers(-2, 2)
    for ply in range(draw(st.integers(8, longest))):
        x, y = draw(st.sampled_from(played[-8:]))
        u, v = x + draw(near), y + draw(near)
        if 0 <= u < SIZE and 0 <= v < SIZE and not cells[v * SIZE + u]:
            cells[v * SIZE + u] = 2 - ply % 2
            played.append((u, v))
    return cells
