"""The game that these tests play."""

from __future__ import annotations

from tests.bot.session.people import a_table, played


def test_the_moves_make_a_long_game() -> None:
    """Nobody has five after a hundred moves."""
    assert played(a_table(), 100).game.outcome is None
