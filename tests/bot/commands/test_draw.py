"""``renju draw`` and ``renju bench draw``: the file that was asked for, or one clear line."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from PIL import Image

from bot.__main__ import main
from bot.commands import bench_draw
from bot.render import gif, png
from bot.scene import BoardPicture
from core.notation import Colour, moves, point


def stones(text: str) -> tuple[tuple[int, Colour], ...]:
    return tuple((p, Colour.WHITE if count % 2 else Colour.BLACK) for count, p in enumerate(moves(text)))


class TestPictures:
    def test_a_position_becomes_the_picture_of_its_last_move(self, tmp_path: Path) -> None:
        """960 pixels, wood, no numbers unless asked for."""
        file = tmp_path / "board.png"
        assert main(["draw", "h8h9j10", "-o", str(file)]) == 0
        assert file.read_bytes() == png(BoardPicture(stones("h8h9j10"), last=point("j10")))

    def test_style_size_and_numbers_are_as_asked(self, tmp_path: Path) -> None:
        """All three at once; the name of the file may be in capitals."""
        file = tmp_path / "board.PNG"
        assert main(["draw", "H8 H9", "-o", str(file), "--style", "dark", "--size", "333", "--numbers"]) == 0
        wanted = BoardPicture(stones("h8h9"), last=point("h9"), numbered=True, style="dark")
        assert file.read_bytes() == png(wanted, 333)

    def test_no_moves_are_the_empty_board(self, tmp_path: Path) -> None:
        """A picture of it, or a GIF of one frame."""
        assert main(["draw", "", "-o", str(tmp_path / "board.png")]) == 0
        assert (tmp_path / "board.png").read_bytes() == png(BoardPicture())
        assert main(["draw", "", "-o", str(tmp_path / "board.gif")]) == 0
        assert (tmp_path / "board.gif").read_bytes() == gif((), numbered=False, end=BoardPicture())

    def test_a_five_is_marked(self, tmp_path: Path) -> None:
        """The line of the last stone, and in the game too."""
        text = "h8a1i8a2j8a3k8a4l8"
        won = BoardPicture(stones(text), last=point("l8"), win=moves("h8i8j8k8l8"))
        assert main(["draw", text, "-o", str(tmp_path / "won.png")]) == 0
        assert (tmp_path / "won.png").read_bytes() == png(won)
        assert main(["draw", text, "-o", str(tmp_path / "won.gif")]) == 0
        assert (tmp_path / "won.gif").read_bytes() == gif(won.stones, end=won, numbered=False)

    def test_forbidden_points_are_crossed_out_when_black_is_to_move(self, tmp_path: Path) -> None:
        """R4: h8 would make two threes; without the option nothing is given away."""
        text = "i8a1j8c1h9e1h10g1"
        file = tmp_path / "board.png"
        assert main(["draw", text, "-o", str(file), "--forbidden"]) == 0
        assert file.read_bytes() == png(BoardPicture(stones(text), last=point("g1"), forbidden=(point("h8"),)))
        assert main(["draw", text, "-o", str(file)]) == 0
        assert file.read_bytes() == png(BoardPicture(stones(text), last=point("g1")))

    def test_a_forbidden_last_stone_of_black_is_crossed_out(self, tmp_path: Path) -> None:
        """It is not Black's turn, so no other point is."""
        text = "i8a1j8c1h9e1h10g1h8"
        file = tmp_path / "board.png"
        assert main(["draw", text, "-o", str(file), "--forbidden"]) == 0
        assert file.read_bytes() == png(BoardPicture(stones(text), last=point("h8"), foul=point("h8")))

    def test_a_gif_is_the_game_at_its_own_size(self, tmp_path: Path) -> None:
        """720 pixels unless asked otherwise."""
        file = tmp_path / "game.gif"
        assert main(["draw", "h8h9j10", "-o", str(file), "--numbers"]) == 0
        with Image.open(file) as image:
            assert image.size == (720, 720)
            assert getattr(image, "n_frames", 1) == 3


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that commands run in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


class TestFaults:
    @pytest.mark.parametrize(
        ("arguments", "code", "says"),
        [
            (["8H", "-o", "a.png"], 1, "'8H' is not a point"),
            (["h8p16", "-o", "a.png"], 1, "'p16' is not a point (off_board)"),
            (["h8i9h8", "-o", "a.png"], 1, "move 3: h8 is occupied since move 1"),
            (["h8", "-o", "a.jpg"], 2, "must end with .png or .gif"),
            (["h8", "-o", "missing/a.png"], 1, "No such file or directory"),
            (["h8", "-o", "."], 2, "must end with .png or .gif"),
            (["h8"], 2, "-o"),
            (["h8", "-o", "a.png", "--size", "100"], 2, "240 to 2048"),
            (["h8", "-o", "a.png", "--size", "big"], 2, "'big' is not a number of pixels"),
            (["h8", "-o", "a.png", "--style", "marble"], 2, "wood"),
        ],
    )
    def test_bad_input_is_one_line_and_an_exit_code(
        self, arguments: list[str], code: int, says: str, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """1 when the moves or the file are at fault, 2 when the command is; no file is left behind."""
        try:
            got = main(["draw", *arguments])
        except SystemExit as leaving:
            got = int(str(leaving.code))
        said = capsys.readouterr()
        assert (got, said.out, said.err.count("\n")) == (code, "", 1)
        assert says in said.err
        assert list(folder.iterdir()) == []


class TestBench:
    def test_figures_are_printed_for_machines_and_for_people(self, capsys: pytest.CaptureFixture[str]) -> None:
        """Milliseconds and kilobytes, with the plain way beside them."""
        assert main(["bench", "draw", "--json"]) == 0
        figures = json.loads(capsys.readouterr().out)
        assert {"fresh_ms", "fresh_kb", "move_ms", "repeat_us", "plain_ms", "plain_kb", "ratio"} <= figures.keys()
        assert figures["fresh_kb"] <= 50
        assert main(["bench", "draw"]) == 0
        assert "the reference" in capsys.readouterr().out

    def test_the_plain_way_is_a_picture_too(self) -> None:
        """The reference draws the same position, in true colour."""
        with Image.open(io.BytesIO(bench_draw.plain_png(stones("h8h9j10")))) as image:
            assert (image.size, image.mode) == ((960, 960), "RGB")
