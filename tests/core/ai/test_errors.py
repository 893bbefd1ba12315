"""tools/errors.py: what decides the games of the weaker levels, and that they err as people do."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from core.ai.levels import LEVELS
from core.notation import Colour, board, board_of, moves
from tools.errors import KINDS, errors, farthest, games, kind, main, winning_line


class TestKinds:
    """What Black overlooked when White then wins by a line."""

    @pytest.mark.parametrize(
        ("black", "white", "expected"),
        [
            ("d8", "e8f8g8h8", "four"),
            ("e8f8g8h8", "d8e4f4g4", "four"),  # Black's own five was missed
            ("", "f8g8h8", "three"),
            ("", "f6g7h8", "three"),
            ("f8g8h8", "e4f4", "three"),  # Black's own open four
        ],
    )
    def test_is_the_first_that_holds(self, black: str, white: str, expected: str) -> None:
        """Black put a stone at a1: a four before a three."""
        before = board(moves(black), moves(white))
        assert kind(before, moves("a1")[0], Colour.BLACK) == expected

    @pytest.mark.parametrize(
        ("game", "expected"),
        [
            ("h8h9i9i10g8j10h10g9f9j8j9e10e8f8g6d9g7f11g12g10e12g5", "diagonal"),
            ("h8h9i8j9i7g8g9f10i6i9j6k5k8f7", "other"),
        ],
    )
    def test_else_it_is_a_slanting_row_that_the_win_needs(self, game: str, expected: str) -> None:
        """The last stone was the error; in the second game Black wins without any of its slanting rows."""
        *stones, error = moves(game)
        before = board_of(tuple(stones))
        assert kind(before, error, Colour.WHITE) == expected

    def test_a_win_is_proven(self) -> None:
        """By fours, by threes, or not at all."""
        assert winning_line(board(moves("a1d8"), moves("e8f8g8h8")), Colour.WHITE) == moves("i8")
        assert winning_line(board(moves("a1"), moves("f6g7i7j6")), Colour.WHITE)
        assert winning_line(board(moves("a1"), moves("f6k7")), Colour.WHITE) == ()


class TestLevels:
    """Levels 1 to 5 against themselves; a longer table by the tool stands in docs/levels.md."""

    def test_they_err_as_people_do(self) -> None:
        """At least four in five decisive errors are an overlooked four, three or diagonal, as far as ten games can tell
        (two standard deviations); no stone lies far away.
        """
        counted: Counter[str] = Counter()
        for number in range(1, 6):
            for game in games(number, 2):
                assert farthest(game) <= 3
                counted.update(what for _, what in errors(game, threes=2_000))
        total = counted.total()
        assert total
        assert counted["other"] <= 0.2 * total + 2 * math.sqrt(0.16 * total)

    @pytest.mark.slow
    @pytest.mark.parametrize("number", [number for number, level in LEVELS.items() if level.beginner])
    def test_each_of_them(self, number: int) -> None:
        """The same of every level, in more games."""
        counted: Counter[str] = Counter()
        for game in games(number, 40):
            assert farthest(game) <= 3
            counted.update(what for _, what in errors(game))
        assert counted["other"] <= counted.total() / 5

    def test_the_table(self, capsys: pytest.CaptureFixture[str]) -> None:
        """One row for each level asked for."""
        assert main(["--levels", "1", "2", "--games", "1"]) == 0
        head, _, *levels = capsys.readouterr().out.splitlines()
        assert all(f" {what} " in head for what in KINDS)
        assert [row.split("|")[1].strip() for row in levels] == ["1", "2"]
