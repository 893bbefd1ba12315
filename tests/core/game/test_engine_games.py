"""Complete games between engines, judged by independent referees: the same opening and the same result."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from core.game import FoulMode, Game, Reason
from core.notation import moves, name
from core.rules import Verdict
from tests.core.game.games import begin, check, play, stones, why

ROOT = Path(__file__).parents[3]
GAMES = [json.loads(line) for line in (ROOT / "tests/data/engine_games.jsonl").read_text("utf-8").splitlines()]
ALL_GAMES = ROOT.parent / "shared/data/games_dev.jsonl.gz"
FOULS = {"33": Verdict.DOUBLE_THREE, "44": Verdict.DOUBLE_FOUR, "overline": Verdict.OVERLINE}
WINNER = {"black": 0, "white": 1}


@pytest.mark.parametrize("judged", GAMES, ids=[game["id"] for game in GAMES])
def test_the_same_opening_and_result(judged: dict[str, Any]) -> None:
    """Under each foul mode, as far as it knows the result."""
    replay(judged)


def test_all_of_them() -> None:
    """Every game of the collection, where it lies beside the project."""
    if not ALL_GAMES.exists():
        pytest.skip("the whole collection is not here; the sample above is")
    with gzip.open(ALL_GAMES, "rt") as lines:
        for line in lines:
            replay(json.loads(line))


def replay(judged: dict[str, Any]) -> None:
    played = [name(p) for p in moves(judged["moves"])]
    *before, last = played
    kind, _, foul = judged["end"].partition(":")
    for mode in (FoulMode.AUTO_LOSS, FoulMode.CLAIM, FoulMode.BLOCKED):
        game = stones(begin(foul_mode=mode), " ".join(before))
        assert game.outcome is None
        if kind == "five":
            game = stones(game, last)
            assert game.outcome is not None
            assert game.outcome.reason is Reason.FIVE
            assert len(game.outcome.line) >= 5
        elif mode is FoulMode.BLOCKED:
            assert why(game, f"0 place {last}") == "forbidden_point"
            continue
        else:
            game = stones(game, last)
            if mode is FoulMode.CLAIM:
                game = play(game, "1 claim")
            assert game.outcome is not None
            assert game.outcome.verdict is FOULS[foul]
            assert name(game.outcome.foul or 0) == last
        assert game.outcome.winner == WINNER[judged["result"]]
        assert opening(game) == judged["opening"]
        if mode is FoulMode.AUTO_LOSS:
            check(game)


def opening(game: Game) -> str:
    return "" if game.opening is None else game.opening.code
