"""``renju bench``: that it measures and prints, never how fast the machine is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.commands import bench_rules


def test_rules_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """The figures come as one JSON object, the map's time beside the fixed loop's and their ratio."""
    assert main(["bench", "rules", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["bench"] == "rules"
    assert told["subject"].startswith("2921 judged positions")
    assert 0 < told["median_us"] <= told["max_us"]
    assert told["ratio"] == pytest.approx(told["median_us"] / told["loop_us"])


def test_rules_without_the_test_data(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An installed command has no test data: it makes positions with a fixed seed and says so."""
    monkeypatch.setattr(bench_rules, "_POSITIONS", tmp_path / "none.jsonl")
    assert main(["bench", "rules"]) == 0
    text = capsys.readouterr().out
    assert "1000 generated game-like positions" in text
    assert "median over the positions" in text


def test_no_such_bench(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown bench is wrong usage."""
    with pytest.raises(SystemExit) as stopped:
        main(["bench", "luck"])
    assert stopped.value.code == 2
    assert "luck" in capsys.readouterr().err
