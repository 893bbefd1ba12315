"""``renju forbidden``."""

from __future__ import annotations

import io
import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.commands import judging
from core.notation import board, point

DATA = Path(__file__).resolve().parents[2] / "data"
#: Black can make two threes on h8, and White has a stone far away.
CROSS = ["h7a1g8a3i8a5h9"]


class Input(io.TextIOWrapper):
    """Standard input with these bytes."""

    def __init__(self, text: bytes) -> None:
        super().__init__(io.BytesIO(text))


@pytest.fixture
def ask(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run the command and give its exit code, its lines and its complaint."""

    def run(*words: str, stdin: bytes = b"") -> tuple[int, list[str], str]:
        monkeypatch.setattr("sys.stdin", Input(stdin))
        code = main(["forbidden", *words])
        out, err = capfd.readouterr()
        return code, out.splitlines(), err

    return run


class TestOnePosition:
    def test_a_position_string(self, ask: Any) -> None:
        """A position string, Black first, gives one JSON line with lower-case points and machine kinds."""
        code, lines, err = ask(*CROSS)
        assert (code, err) == (0, "")
        (line,) = lines
        assert json.loads(line)["forbidden"]["h8"] == "double-three"

    def test_moves_may_stand_apart(self, ask: Any) -> None:
        """Moves written as separate words are the same position, in either case."""
        assert ask("h7", "A1", "G8", "a3", "i8", "a5", "h9") == ask(*CROSS)

    def test_why_names_lines_stones_and_growth_points(self, ask: Any) -> None:
        """With ``--why`` English lines follow that name what makes each verdict."""
        _, lines, _ = ask(*CROSS, "--why")
        assert "H8 is forbidden: double-three" in lines
        at = lines.index("H8 is forbidden: double-three")
        assert lines[at + 1 : at + 4] == [
            "  three on row 8: G8 H8 I8",
            "    grows into a straight four at F8",
            "    grows into a straight four at J8",
        ]
        assert lines[at + 4] == "  three on column H: H7 H8 H9"

    def test_why_with_nothing_to_say(self, ask: Any) -> None:
        """A position without anything forbidden says so."""
        assert ask("h8", "--why")[1] == [
            '{"forbidden":{}}',
            "No point is forbidden, and none looks as if it were.",
        ]

    @pytest.mark.parametrize(
        ("text", "complaint"),
        [
            ("h8p16", "'p16' is not on the board: points go from a1 to o15"),
            ("8H", "'8H' is no point: write the letter first, as in h8"),
            ("h8 tengen", "'tengen' is no point: write points as in h8"),
            ("h8h8", "h8 has two stones"),
            ("h8i9h8", "h8 has two stones"),
        ],
    )
    def test_what_cannot_be_read(self, ask: Any, text: str, complaint: str) -> None:
        """A bad position is one clear line and exit code 2."""
        assert ask(text) == (2, [], f"renju forbidden: {complaint}\n")

    @pytest.mark.parametrize("words", [(), ("h8", "--jsonl", "-")], ids=["neither", "both"])
    def test_wrong_usage(self, ask: Any, words: tuple[str, ...]) -> None:
        """It wants a position or a file, not both and not neither."""
        code, lines, err = ask(*words)
        assert (code, lines) == (2, [])
        assert err.startswith("renju forbidden: give either")
        assert err.count("\n") == 1


class TestManyPositions:
    def test_twenty_thousand_positions_in_order(self, ask: Any, tmp_path: Path) -> None:
        """20,000 judged positions in one call come back right and in the order of the lines."""
        text = (DATA / "forbidden_positions.jsonl").read_bytes().splitlines(keepends=True)
        many = (text * 7)[:20_000]
        file = tmp_path / "many.jsonl"
        file.write_bytes(b"".join(many))
        code, lines, err = ask("--jsonl", str(file))
        assert (code, err, len(lines)) == (0, "", 20_000)
        for asked, answered in zip(many, lines, strict=True):
            assert json.loads(answered) == {"forbidden": json.loads(asked)["forbidden"]}

    def test_standard_input(self, ask: Any) -> None:
        """``-`` reads standard input; blank lines, other fields and a missing last line end do no harm."""
        text = b'\n{"black":["H8"],"white":[],"source":"mine"}\r\n  \n{"black":[],"white":["a1"]}'
        assert ask("--jsonl", "-", stdin=text) == (0, ['{"forbidden":{}}'] * 2, "")

    def test_nothing_in_nothing_out(self, ask: Any) -> None:
        """An empty file is no mistake."""
        assert ask("--jsonl", "-") == (0, [], "")

    def test_why_is_part_of_the_line(self, ask: Any) -> None:
        """With ``--why`` each line carries the explanation trees, near misses among them."""
        (figure,) = [
            json.loads(line)
            for line in (DATA / "forbidden_figures.jsonl").read_text().splitlines()
            if '"undo-33-by-44"' in line
        ]
        code, lines, _ = ask("--jsonl", "-", "--why", stdin=json.dumps(figure).encode())
        answer = json.loads(lines[0])
        assert code == 0
        assert answer["forbidden"] == {"h7": "double-three", "i7": "double-three"}
        assert list(answer["why"]) == ["h7", "i7", "i9"]
        assert answer["why"]["i9"]["verdict"] == "legal"

    @pytest.mark.parametrize(
        ("bad", "complaint"),
        [
            (b"xx", "not JSON"),
            (b'{"black":["h8"]', "not JSON"),
            (b'["h8"]', "not a position"),
            (b'{"black":["h8"]}', "`white`"),
            (b'{"black":[1],"white":[]}', "not a position"),
            (b'{"black":["p1"],"white":[]}', "'p1' is not on the board: points go from a1 to o15"),
            (b'{"black":["8h"],"white":[]}', "'8h' is no point: write the letter first, as in h8"),
            (b'{"black":["tengen"],"white":[]}', "'tengen' is no point: write points as in h8"),
            (b'{"black":[""],"white":[]}', "an empty text is no point"),
            (b'{"black":["h8"],"white":["h8"]}', "h8 has two stones"),
            (b'{"black":["\xff"],"white":[]}', "not JSON"),
        ],
    )
    def test_a_bad_line(self, ask: Any, bad: bytes, complaint: str) -> None:
        """The lines before a bad one are answered; it is named by number in one line; exit code 2."""
        good = b'{"black":["h8"],"white":[]}\n'
        code, lines, err = ask("--jsonl", "-", stdin=good + b"\n" + bad + b"\n" + good)
        assert (code, lines) == (2, ['{"forbidden":{}}'])
        assert err.startswith("renju forbidden: line 3: ")
        assert complaint in err
        assert err.count("\n") == 1

    def test_a_file_that_is_not_there(self, ask: Any, tmp_path: Path) -> None:
        """A file that cannot be opened is one clear line."""
        code, lines, err = ask("--jsonl", str(tmp_path / "none.jsonl"))
        assert (code, lines) == (2, [])
        assert err == f"renju forbidden: cannot read {tmp_path / 'none.jsonl'}: No such file or directory\n"


class TestStreaming:
    def test_each_question_is_answered_before_the_next_is_asked(self) -> None:
        """A program that asks one position at a time gets its answer at once."""
        question, asking = os.pipe()
        answering, answer = os.pipe()
        with (
            os.fdopen(question, "rb") as source,
            os.fdopen(asking, "wb", buffering=0) as ask_end,
            os.fdopen(answering, "rb") as answer_end,
            os.fdopen(answer, "wb") as sink,
        ):
            work = threading.Thread(target=judging.stream, args=(source, sink), kwargs={"why": False}, daemon=True)
            work.start()
            for text in (b'{"black":["h8"],', b'"white":[]}\n{"black":[],"white":[]}\n'):
                ask_end.write(text)  # the first half of a line is no question yet
            assert [answer_end.readline(), answer_end.readline()] == [b'{"forbidden":{}}\n'] * 2
            ask_end.write(b'{"black":["d8","e8","g8","h8","i8"],"white":[]}\n')
            assert json.loads(answer_end.readline()) == {"forbidden": {"f8": "overline"}}
            ask_end.close()
            work.join(30)
            assert not work.is_alive()

    def test_lines_longer_than_one_read(self) -> None:
        """However the bytes are cut, the lines are the same."""

        class Dripping(io.BytesIO):
            def read1(self, _size: int | None = -1, /) -> bytes:
                return self.read(7)

        sink = io.BytesIO()
        judging.stream(Dripping(b'{"black":["h8"],"white":[]}\n' * 3), sink, why=False)
        assert sink.getvalue() == b'{"forbidden":{}}\n' * 3


class TestReasons:
    def test_a_growth_point_that_does_not_count(self) -> None:
        """The text goes down into what a growth point would be."""
        (figure,) = [
            json.loads(line)
            for line in (DATA / "forbidden_figures.jsonl").read_text().splitlines()
            if '"undo-33-by-overline"' in line
        ]
        moves = "".join(
            black + white for black, white in zip(figure["black"], [*figure["white"], *figure["filler"]], strict=False)
        )
        text = judging.reasons(judging.board_from_moves(moves)).splitlines()
        at = text.index("H8 is legal: it looks like a double-three, but fewer than two of its threes can grow")
        assert text[at + 4 : at + 7] == [
            "  three on column H that does not count: H8 H9 H10",
            "    H7 does not count: it would be a forbidden overline",
            "      overline on row 7: E7 F7 G7 H7 I7 J7",
        ]

    def test_five_at_the_same_time(self) -> None:
        """A growth point that makes five does not count, and the text says so; a point saved by five too."""
        texts = []
        for line in (DATA / "forbidden_positions.jsonl").read_text().splitlines()[:600]:
            position = json.loads(line)
            cells = board(*([point(text) for text in position[colour]] for colour in ("black", "white")))
            texts.append(judging.reasons(cells))
        assert any("does not count: it would make five at the same time" in text for text in texts)
        assert any("makes five, and a five comes before everything else" in text for text in texts)
