"""``renju bench service``, in a small size."""

from __future__ import annotations

import pytest

from bot.commands.bench_service import _measure
from bot.commands.taps import POINTS, SIZES, percentile
from core.game import Settings, apply, begin, new_game, place

pytestmark = pytest.mark.asyncio


async def test_every_bot_is_measured_in_every_size() -> None:
    """Each answers all taps and edits all photos; the figures are all there, with a unit and a meaning."""
    report = await _measure(((1, 3), (3, 2)), 1)
    names = {figure.name for figure in report.figures}
    for games in (1, 3):
        for bot in ("default", "aiohttp", "service", "discord_bare", "discord_service"):
            assert f"{bot}_{games}_cpu_ms" in names
            assert {f"{bot}_{games}_{what}_p{p}_ms" for what in ("answer", "board") for p in (50, 95, 99)} <= names
        assert {f"ratio_{games}", f"discord_ratio_{games}"} <= names
    assert all(figure.value > 0 and figure.meaning for figure in report.figures)


async def test_the_moves_of_a_bench_can_be_played() -> None:
    """No game ends before its moves do."""
    game = begin(new_game(Settings()), 0)
    for number in range(max(moves for _, moves in SIZES)):
        after = apply(game, game.to_act[0], place(POINTS[number]), number)
        assert not isinstance(after, str)
        game = after  # type: ignore[assignment]
        assert game.outcome is None


async def testpercentiles_are_values_that_were_measured() -> None:
    """Of a hundred values in any order the p99 is the largest but none."""
    times = [float(number) for number in range(100, 0, -1)]
    assert [percentile(times, percent) for percent in (50, 95, 99)] == [51.0, 96.0, 100.0]
    assert percentile([7.0], 99) == 7.0
