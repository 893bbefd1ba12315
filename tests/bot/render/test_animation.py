"""A game as GIF: frame by frame the positions of the game, and the end is the picture of the end."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageSequence

from bot.render import STYLES, gif, png
from bot.render.layout import layout
from bot.render.plates import pixels, plate
from bot.scene import BoardPicture
from core.notation import Colour, moves

GAME = "h8i9h7e11h9h10j8i8h6h5i7g5j6k5i5j7g9f10g7f8g8g10f7e7i10j11e6"
STONES = tuple((p, Colour.WHITE if count % 2 else Colour.BLACK) for count, p in enumerate(moves(GAME)))


def frames(file: bytes) -> list[tuple[int, bytes]]:
    """Each frame as a viewer shows it: milliseconds and true colours."""
    with Image.open(io.BytesIO(file)) as image:
        return [(frame.info["duration"], frame.convert("RGB").tobytes()) for frame in ImageSequence.Iterator(image)]


def true_colours(picture: BoardPicture, size: int) -> bytes:
    with Image.open(io.BytesIO(png(picture, size))) as image:
        return image.convert("RGB").tobytes()


@pytest.mark.parametrize("style", STYLES)
class TestGame:
    def test_the_last_frame_is_the_picture_of_the_last_move(self, style: str) -> None:
        """Pixel by pixel."""
        picture = BoardPicture(STONES, last=STONES[-1][0], numbered=True, style=style)
        assert frames(gif(STONES, style))[-1][1] == true_colours(picture, 720)

    def test_the_end_may_carry_its_marks(self, style: str) -> None:
        """A winning line appears with the last move."""
        end = BoardPicture(STONES, last=STONES[-1][0], numbered=True, win=moves("e6f7g8h9i10"), style=style)
        shown = frames(gif(STONES, style, 481, end=end))
        assert shown[-1][1] == true_colours(end, 481)
        assert len(shown) == len(STONES)

    def test_every_move_has_its_frame(self, style: str) -> None:
        """One frame a move, 600 ms each and 3 s for the last, each with its stone and ring; for ever."""
        file = gif(STONES, style, 480, numbered=False)
        shown = frames(file)
        assert [duration for duration, _ in shown] == [600] * (len(STONES) - 1) + [3000]
        board = plate(style, 480)
        for count in (1, 2, 13, 26):
            stones = STONES[:count]
            position = layout(BoardPicture(stones, last=stones[-1][0], style=style))
            inside = slice(board.before, 480 - board.after)
            wanted = board.palette[pixels(board, position)][inside, inside]
            seen = Image.frombytes("RGB", (480, 480), shown[count - 1][1])
            box = (board.before, board.before, 480 - board.after, 480 - board.after)
            assert seen.crop(box).tobytes() == wanted.tobytes(), f"move {count}"
        assert b"NETSCAPE2.0\x03\x01\x00\x00" in file


class TestSizes:
    def test_a_move_adds_little(self) -> None:
        """27 moves at 720 pixels: at most 70 kB, since a frame holds only what changed."""
        assert len(gif(STONES)) <= 70_000

    @pytest.mark.parametrize("count", [0, 1])
    def test_a_game_that_has_hardly_begun_is_one_frame(self, count: int) -> None:
        """The board, or the board with its stone, for three seconds."""
        shown = frames(gif(STONES[:count]))
        assert len(shown) == 1
        last = STONES[0][0] if count else None
        assert shown[0][1] == true_colours(BoardPicture(STONES[:count], last=last, numbered=True), 720)

    def test_the_same_end_twice_still_has_its_frame(self) -> None:
        """Where nothing changes a frame of one clear pixel keeps the time."""
        end = BoardPicture(STONES[:1])
        shown = frames(gif(STONES[:2], end=end, numbered=False))
        assert [duration for duration, _ in shown] == [600, 3000]

    def test_bad_sizes_and_styles_are_refused(self) -> None:
        """As for a picture."""
        with pytest.raises(ValueError, match="240 to 2048"):
            gif(STONES, "wood", 100)
        with pytest.raises(ValueError, match="no style"):
            gif(STONES, "marble")
        with pytest.raises(ValueError, match="two stones"):
            gif((STONES[0], STONES[0]))
