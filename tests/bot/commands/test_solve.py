"""``renju solve``."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from core.notation import Colour, board, point
from tests.core.ai import checker

DATA = Path(__file__).resolve().parents[2] / "data" / "vcf_positions.jsonl"
WON = '{"black":["d4","e4","f4","g4"],"white":["d5"],"to_move":"b"}'
NOT_WON = '{"black":["h8"],"white":["h9"],"to_move":"w","comment":"others are passed over"}'


@pytest.fixture
def ask(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run the command and give its exit code, its answers and its complaint."""

    def run(*words: str, stdin: str = "") -> tuple[int, list[dict[str, Any]], str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = main(["solve", *words])
        out, err = capfd.readouterr()
        return code, [json.loads(line) for line in out.splitlines()], err

    return run


class TestAnswers:
    def test_one_answer_a_line_in_order(self, ask: Any) -> None:
        """Won with its line, not won without; blank lines are passed over."""
        code, answers, err = ask("--jsonl", "-", stdin=f"{WON}\n\n{NOT_WON}\n")
        assert (code, err) == (0, "")
        assert [answer["vcf"] for answer in answers] == [True, False]
        assert answers[0]["line"] == ["c4"] or answers[0]["line"] == ["h4"]
        assert answers[1]["line"] == []
        assert all(answer["ms"] >= 0 for answer in answers)

    def test_a_file_of_known_positions(self, ask: Any) -> None:
        """Every known position of the file is answered right, with lines that win."""
        code, answers, _ = ask("--jsonl", str(DATA))
        entries = [json.loads(line) for line in DATA.read_text().splitlines()]
        assert code == 0
        assert [answer["vcf"] for answer in answers] == [entry["vcf"] for entry in entries]
        for entry, answer in zip(entries, answers, strict=True):
            if entry["vcf"]:
                cells = board(map(point, entry["black"]), map(point, entry["white"]))
                colour = Colour.BLACK if entry["to_move"] == "b" else Colour.WHITE
                assert checker.faults(cells, colour, tuple(map(point, answer["line"]))) is None

    def test_out_of_time_is_null(self, ask: Any) -> None:
        """A puzzle in a hundred-thousandth of a second is not decided, or decided right."""
        puzzle = next(line for line in DATA.read_text().splitlines() if '"puzzle"' in line and '"length":80' in line)
        code, (answer,), _ = ask("--jsonl", "-", "--time", "0.00001", stdin=puzzle)
        assert code == 0
        assert answer["vcf"] in (None, True)

    def test_threes_are_looked_for_when_asked(self, ask: Any) -> None:
        """Where fours alone do not win, threes and fours may; a win by fours is one, too."""
        file = Path(__file__).resolve().parents[2] / "data" / "vct_positions.jsonl"
        attack = next(line for line in file.read_text().splitlines() if '"rules":"renju"' in line)
        code, answers, _ = ask("--jsonl", "-", "--threes", stdin=f"{attack}\n{WON}\n{NOT_WON}\n")
        assert code == 0
        assert [(answer["vcf"], answer["vct"]) for answer in answers] == [(False, True), (True, True), (False, False)]
        assert len(answers[0]["line"]) > 2
        assert len(answers[1]["line"]) == 1
        code, answers, _ = ask("--jsonl", "-", stdin=attack)
        assert "vct" not in answers[0]


class TestBadInput:
    @pytest.mark.parametrize(
        ("text", "complaint"),
        [
            ("{", "line 2: not JSON"),
            ('{"black":["h8"],"white":[]}', "line 2: "),
            ('{"black":["h8"],"white":[],"to_move":"x"}', "line 2: "),
            ('{"black":["p16"],"white":[],"to_move":"b"}', "line 2: "),
            ('{"black":["h8"],"white":["h8"],"to_move":"b"}', "line 2: two stones on h8"),
        ],
    )
    def test_the_line_is_named(self, ask: Any, text: str, complaint: str) -> None:
        """A bad line ends it with one clear line that names its number, after the answers before it."""
        code, answers, err = ask("--jsonl", "-", stdin=f"{WON}\n{text}\n")
        assert code == 2
        assert len(answers) == 1
        assert err.startswith(f"renju solve: {complaint}")
        assert len(err.splitlines()) == 1

    def test_a_missing_file(self, ask: Any) -> None:
        """One clear line, no traceback."""
        code, _, err = ask("--jsonl", "/nowhere/at/all.jsonl")
        assert code == 2
        assert err.startswith("renju solve: cannot read")

    @pytest.mark.parametrize("text", ["0", "-1", "soon", "nan", "inf"])
    def test_a_bad_time(self, ask: Any, text: str, capfd: pytest.CaptureFixture[str]) -> None:
        """Only a number of seconds above 0 is a time."""
        with pytest.raises(SystemExit) as end:
            ask("--jsonl", "-", "--time", text)
        assert end.value.code == 2
        assert "seconds" in capfd.readouterr().err
