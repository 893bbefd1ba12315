"""Matches between engines that are programs of their own: refereed, counted, and never stuck."""

from __future__ import annotations

import asyncio
import json
import math
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.game import Reason
from core.notation import board_of, moves
from core.openings.names import opening_of
from tools.gomocup import Limits
from tools.match import ROOT, Match, Player, elo, interval, main, match, openings, play

FAKE = Path(__file__).parents[1] / "fakes" / "gomocup.py"
LINE = moves("h8h9h10i10g7")
PATIENT = Limits(seconds=60)


def fake(manner: str = "", limits: Limits = PATIENT) -> Player:
    return Player(f"{shlex.quote(sys.executable)} {shlex.quote(str(FAKE))} {manner or 'quiet'}", limits)


def one_game(black: Player, white: Player) -> tuple[str | None, str | None, Reason | None]:
    """Who won, the kind of the fault, and the reason of the rules."""

    async def played() -> tuple[str | None, str | None, Reason | None]:
        engines = black.engine(), white.engine()
        try:
            game, winner, fault = await play(*engines, LINE)
        finally:
            for engine in engines:
                await engine.close()
        who = None if winner is None else "black" if winner is engines[0] else "white"
        return who, fault.kind if fault is not None else None, game.outcome.reason if game.outcome else None

    return asyncio.run(played())


class TestGames:
    """One game, however the engines behave."""

    @pytest.mark.parametrize(
        ("manner", "kind"),
        [("crashes", "crash"), ("error", "crash"), ("occupied", "illegal"), ("outside", "illegal")],
    )
    def test_who_errs_loses(self, manner: str, kind: str) -> None:
        """With the kind of error, from either side."""
        assert one_game(fake(manner), fake())[:2] == ("white", kind)
        assert one_game(fake(), fake(manner))[:2] == ("black", kind)

    def test_who_never_answers_loses_on_time(self) -> None:
        """The program is ended."""
        assert one_game(fake(), fake("hangs", Limits(seconds=0.2, tolerance=0.1)))[:2] == ("black", "time")

    def test_five_in_a_row_wins(self) -> None:
        """For either side, without a fault."""
        assert one_game(fake("row"), fake()) == ("black", None, Reason.FIVE)
        assert one_game(fake(), fake("row")) == ("white", None, Reason.FIVE)

    def test_six_in_a_row_wins_for_white_and_loses_for_black(self) -> None:
        """An overline is forbidden to Black alone."""
        assert one_game(fake(), fake("six")) == ("white", None, Reason.FIVE)
        assert one_game(fake("six"), fake()) == ("white", "forbidden", Reason.FORBIDDEN_JUDGED)

    def test_an_engine_that_is_not_there_is_said(self, capsys: pytest.CaptureFixture[str]) -> None:
        """Exit code 2, in one line."""
        assert main(["/no/such/engine", "/no/such/engine", "--games", "2"]) == 2
        assert "match: " in capsys.readouterr().err


class TestMatches:
    """Many games."""

    def test_both_colours_of_every_line_whoever_fails(self) -> None:
        """A program that crashed is started again for the next game; two pairs at a time give the same counts."""
        for jobs in (1, 2):
            played = asyncio.run(match(fake("row"), fake("crashes"), [LINE] * 3, jobs=jobs))
            assert played.counts() == (6, 0, 0)
            assert played.other.faults == {"crash": 6}
            assert not played.first.faults
            assert [len(pair) for pair in played.points.values()] == [2, 2, 2]
            assert played.first.times

    def test_the_engine_of_this_project_against_itself(self, tmp_path: Path) -> None:
        """Two real programs to the end; the file holds every game."""
        file = tmp_path / "match.json"
        own = f"{shlex.quote(sys.executable)} -m bot engine"
        done = subprocess.run(
            [sys.executable, "tools/match.py", own, own, "--games", "2", "--nodes", "200", "--json", str(file)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.count("no fault") == 2
        played = json.loads(file.read_text("utf-8"))["played"]
        assert {game["first"] for game in played} == {"black", "white"}
        assert all(len(moves(game["moves"])) > 9 for game in played)

    def test_a_commit_that_does_not_exist_is_said(self) -> None:
        """Exit code 2."""
        assert main(["--commit", "no-such-commit", "--games", "2"]) == 2


class TestOpenings:
    """The lines of the own book."""

    def test_two_lines_of_each_opening(self) -> None:
        """Five stones, White to move, none twice; each half of the list has all 26."""
        lines = openings()
        assert len({board_of(line).tobytes() for line in lines}) == len(lines)
        assert {len(line) for line in lines} == {5}
        codes = [opening_of(*line[:3]).code for line in lines]  # type: ignore[union-attr]
        assert len(set(codes[:26])) == 26


class TestFigures:
    """Scores and what they stand for."""

    def test_elo(self) -> None:
        """Known values of the logistic curve."""
        assert elo(0.5) == 0
        assert elo(10 / 11) == pytest.approx(400)
        assert elo(0) == -math.inf
        assert elo(1) == math.inf

    @given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=60))
    def test_the_interval_holds_the_score(self, pairs: list[float]) -> None:
        """And is the same seen from the other side."""
        low, high = interval(pairs)
        mean = sum(pairs) / len(pairs)
        assert 0 <= low <= mean + 1e-12
        assert mean - 1e-12 <= high <= 1
        other_low, other_high = interval([1 - pair for pair in pairs])
        assert other_low == pytest.approx(1 - high)
        assert other_high == pytest.approx(1 - low)

    def test_more_games_tell_more(self) -> None:
        """The interval shrinks with the root of their number; all wins are no proof of an infinite difference."""
        few, many = [1.0, 0.5, 0.0] * 4, [1.0, 0.5, 0.0] * 64
        width = [high - low for low, high in (interval(few), interval(many))]
        assert width[0] > 3 * width[1]
        assert interval([1.0] * 20)[0] < 0.97

    def test_counts(self) -> None:
        """Of the first engine."""
        played = Match(points={0: [1.0, 0.0], 1: [0.5, 1.0]})
        assert played.counts() == (2, 1, 1)
        assert "won 2, drawn 1, lost 1" in str(played)
        assert "62.5%" in str(played)
