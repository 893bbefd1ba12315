"""tools/levels.py: the page about the levels is what they are and what was played."""

from __future__ import annotations

from bot.commands.bench_ai import present, read
from core.ai.levels import LEVELS
from tools import levels


def test_the_page_is_up_to_date() -> None:
    """``python tools/levels.py`` writes the table anew."""
    assert levels.main(["--check"]) == 0
    assert levels.table().count("\n") == len(LEVELS) + 2


def test_the_games_are_those_of_the_present_levels() -> None:
    """Every level has met the one below it as they are now."""
    played = present(read(levels.GAMES))
    assert all((f"level {number - 1}", f"level {number}") in played for number in LEVELS if number > 1)
