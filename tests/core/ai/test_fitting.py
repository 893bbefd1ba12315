"""What the fitting program writes is what it has fitted."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from random import Random
from types import ModuleType

import numpy as np
import pytest

from core.ai import shapes
from core.ai.position import new_record, rules, set_up
from core.notation import POINTS
from tools import fit_shapes


def written(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("written", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_engine_s_tables_add_up_to_the_fitted_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On boards from empty to crowded the sum over the points is the model's value, but for rounding."""
    (tmp_path / "core" / "ai").mkdir(parents=True)
    monkeypatch.setattr(fit_shapes, "ROOT", tmp_path)
    width = fit_shapes.WIDTH
    theta = np.random.default_rng(2).normal(0, 300, 4 * width + 2)
    weights = theta.copy().reshape(-1)
    for table in range(4):  # a dead line is worth nothing
        weights[table * width] = weights[table * width + fit_shapes.SHAPE] = 0
    fit_shapes.write(weights, 0)
    found = written(tmp_path / "core" / "ai" / "weights.py")
    table = shapes._summed(found.PAIRS, found.SINGLES, found.FOULS).astype(int)

    random = Random(1)
    boards = np.zeros((12, POINTS), dtype=np.uint8)
    for n, cells in enumerate(boards):
        for p in random.sample(range(POINTS), 12 * n):
            cells[p] = random.choice((1, 2))
    movers = np.arange(len(boards)) % 2
    model = fit_shapes.design(fit_shapes.features(boards), movers) @ weights
    records = new_record()
    for cells, mover, wanted in zip(boards, movers, model, strict=True):
        set_up(records, cells, *rules(fouls=True, black_exact=True, white_exact=False))
        empty = cells == 0
        worth = [
            table[rule, records["key"][0, c][empty], 0 if c == mover else 1].sum()
            for c, rule in enumerate((shapes.RENJU, shapes.OPEN))
        ]
        total = worth[mover] - worth[1 - mover] + found.TEMPO[mover]
        assert abs(total - wanted) < 0.002 * np.abs(weights).mean() * empty.sum() * 4 + 3 * POINTS
