"""``renju bench ai``: results that are kept, and the strengths they tell of."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import pytest

from bot.commands import bench_ai
from bot.commands.bench_ai import elo, measure, present, read, stronger_scores, write
from core.ai import ladder
from core.ai.ladder import Tally, definition
from core.ai.levels import LEVELS


def asked(results: Path, games: int, *players: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    bench_ai.add_arguments(parser)
    return parser.parse_args(["--results", str(results), "--games", str(games), "--players", *players])


class TestResults:
    """A file of games."""

    def test_are_added_to(self, tmp_path: Path) -> None:
        """The second call plays the games after those of the first; they are those that one call would have played."""
        twice, once = tmp_path / "twice.json", tmp_path / "once.json"
        measure(asked(twice, 1, "near", "level 1"))
        measure(asked(twice, 1, "near", "level 1"))
        measure(asked(once, 2, "near", "level 1"))
        assert read(twice) == read(once)
        assert sum(tally.games for tally in read(once).values()) == 2

    def test_of_a_level_that_was_changed_begin_anew(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """What the level was before is kept, and counted again when it is that again."""
        file = tmp_path / "results.json"
        measure(asked(file, 2, "near", "level 1"))
        with monkeypatch.context() as changed:
            changed.setattr(ladder, "LEVELS", {**LEVELS, 1: replace(LEVELS[1], nodes=50)})
            assert present(read(file)) == {}
            measure(asked(file, 1, "near", "level 1"))
            assert present(read(file))["near", "level 1"].games == 1
        assert len(read(file)) == 2
        assert present(read(file))["near", "level 1"].games == 2

    def test_a_new_edition_begins_all_of_them_anew(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Also of the reference players."""
        before = [definition(name) for name in ladder.NAMES]
        monkeypatch.setattr(ladder, "EDITION", ladder.EDITION + 1)
        assert not set(before) & {definition(name) for name in ladder.NAMES}

    def test_read_back_as_they_were_written(self, tmp_path: Path) -> None:
        """And a file that holds none is named."""
        file = tmp_path / "results.json"
        assert read(file) == {}
        kept = {("level 1", "level 2", "a", "b"): Tally(1, 2, 3), ("level 1", "level 2", "c", "b"): Tally(4, 5, 6)}
        write(file, kept)
        assert read(file) == kept
        file.write_text("{}", "utf-8")
        with pytest.raises(ValueError, match="holds no results"):
            read(file)


class TestStrength:
    """By maximum likelihood."""

    def test_one_pair(self) -> None:
        """Three quarters of the points are 191 Elo, a little less for the draw that is added."""
        found = elo({("level 1", "level 2"): Tally(25, 0, 75)})
        assert found["level 1"] == (0.0, 0.0)
        value, error = found["level 2"]
        assert 180 < value < 191
        assert 60 < error < 100

    def test_differences_add_up_and_errors_with_them(self) -> None:
        """Along a chain; who is not linked to it is not told of."""
        chain = {("level 1", "level 2"): Tally(25, 0, 75), ("level 2", "level 3"): Tally(25, 0, 75)}
        found = elo({**chain, ("level 8", "level 9"): Tally(1, 0, 9)})
        assert set(found) == {"level 1", "level 2", "level 3"}
        assert found["level 3"][0] == pytest.approx(2 * found["level 2"][0])
        assert found["level 3"][1] == pytest.approx(2**0.5 * found["level 2"][1], rel=0.01)

    def test_anybody_can_be_zero(self) -> None:
        """The differences stay."""
        games = {("level 1", "level 2"): Tally(25, 0, 75)}
        assert elo(games, zero="level 2")["level 1"][0] == pytest.approx(-elo(games)["level 2"][0])

    def test_score(self) -> None:
        """A draw is half a point; a whitewash has an error, too."""
        assert stronger_scores(Tally(2, 4, 4))[0] == 60
        assert stronger_scores(Tally(0, 0, 20)) == (100, pytest.approx(4.9, abs=0.1))
