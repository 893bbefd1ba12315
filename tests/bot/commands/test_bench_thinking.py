"""``renju bench thinking``, in a small size."""

from __future__ import annotations

import argparse

import pytest

from bot.commands.bench_thinking import _measure, measure


@pytest.mark.asyncio
async def test_a_game_alone_and_many_at_once_are_measured() -> None:
    """Everybody is answered; the figures are all there, with a meaning."""
    report = await _measure(games=3, level=1, pause=0.2, seconds=120.0, moves=2)
    found = {figure.name: figure.value for figure in report.figures}
    assert all(figure.meaning for figure in report.figures)
    assert found["answers"] == 6
    assert 0 < found["crowd_p50_s"] <= found["crowd_p95_s"] <= found["crowd_max_s"]
    assert 0 < found["alone_p50_s"] <= found["alone_max_s"]


def test_impossible_sizes_are_refused() -> None:
    """In one line."""
    with pytest.raises(ValueError, match="more than 0"):
        measure(argparse.Namespace(games=0, level=1, pause=1.0, seconds=1.0))
