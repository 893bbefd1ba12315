"""PNG files out of kept strips: they are the picture, whatever was drawn before, and what is kept stays bounded."""

from __future__ import annotations

import io
import random
import struct
import threading
import zlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from bot.render import STYLES, png, strips
from bot.render.layout import layout
from bot.render.plates import SPRITES, pixels, plate, sprite
from bot.scene import BoardPicture
from core.notation import POINTS, Colour, moves, point

STONES = tuple(
    (p, Colour.WHITE if count % 2 else Colour.BLACK)
    for count, p in enumerate(moves("h8i9h7e11h9h10j8i8h6h5i7g5j6k5i5j7g9f10g7f8g8g10f7e7i10j11e6"))
)


def game(count: int, *, numbered: bool = True, style: str = "wood") -> BoardPicture:
    stones = STONES[:count]
    return BoardPicture(stones, last=stones[-1][0] if stones else None, numbered=numbered, style=style)


def plainly(picture: BoardPicture, size: int) -> bytes:
    """The same palette picture, written by Pillow in one piece and read again: its true colours."""
    board = plate(picture.style, size)
    image = Image.fromarray(pixels(board, layout(picture)))
    image.putpalette(board.palette.tobytes())
    held = io.BytesIO()
    image.save(held, "PNG")
    return Image.open(held).convert("RGB").tobytes()


def true_colours(file: bytes) -> bytes:
    with Image.open(io.BytesIO(file)) as image:
        return image.convert("RGB").tobytes()


@st.composite
def pictures(draw: st.DrawFn) -> BoardPicture:
    """Any position with any marks."""
    points = draw(st.lists(st.integers(0, POINTS - 1), unique=True, max_size=80))
    cut = draw(st.integers(0, len(points)))
    placed, free = points[:cut], points[cut:]
    stones = tuple((p, Colour.WHITE if count % 2 else Colour.BLACK) for count, p in enumerate(placed))
    offers = draw(st.integers(0, min(12, len(free))))
    crossed = draw(st.integers(0, len(free) - offers))
    start = draw(st.integers(0, 10)) * 15 + draw(st.integers(0, 10))
    step = draw(st.sampled_from((1, 15, 16)))
    return BoardPicture(
        stones,
        last=draw(st.none() | st.sampled_from(placed)) if placed else None,
        numbered=draw(st.booleans()),
        offers=tuple(free[:offers]),
        forbidden=tuple(free[offers : offers + crossed]),
        win=tuple(start + step * at for at in range(draw(st.sampled_from((0, 5))))),
        foul=draw(st.none() | st.sampled_from(placed)) if placed else None,
        preview=(free[-1], draw(st.sampled_from((Colour.BLACK, Colour.WHITE)))) if free else None,
        style=draw(st.sampled_from(STYLES)),
    )


class TestTheFileIsThePicture:
    @pytest.mark.parametrize("style", STYLES)
    def test_every_position_of_a_game_has_the_pixels_of_a_plain_file(self, style: str) -> None:
        """Move by move, with strips kept from the moves before, the pixels are those of an ordinary PNG."""
        for count in range(len(STONES) + 1):
            picture = game(count, style=style)
            assert true_colours(png(picture)) == plainly(picture, 960), f"after {count} moves"

    @given(picture=pictures(), size=st.integers(240, 400))
    @settings(max_examples=60, deadline=None)
    def test_any_marks_in_any_size_have_the_pixels_of_a_plain_file(self, picture: BoardPicture, size: int) -> None:
        """Odd sizes and every mixture of marks too."""
        assert true_colours(png(picture, size)) == plainly(picture, size)

    def test_every_checksum_is_right_and_the_chunks_are_in_order(self) -> None:
        """Four chunks with right CRCs, and one zlib stream with the right Adler-32."""
        file = png(game(20))
        assert file[:8] == b"\x89PNG\r\n\x1a\n"
        at, kinds, data = 8, [], b""
        while at < len(file):
            (length,) = struct.unpack_from(">I", file, at)
            kind, body = file[at + 4 : at + 8], file[at + 8 : at + 8 + length]
            (crc,) = struct.unpack_from(">I", file, at + 8 + length)
            assert crc == zlib.crc32(kind + body)
            kinds.append(kind)
            data += body if kind == b"IDAT" else b""
            at += 12 + length
        assert kinds == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
        reader = zlib.decompressobj()
        assert len(reader.decompress(data)) == 960 * 961
        assert reader.eof
        assert not reader.unused_data

    def test_equal_pictures_are_equal_bytes_whatever_was_drawn_before(self) -> None:
        """What is kept from other pictures never shows."""
        strips.forget()
        cold = png(game(20))
        strips.forget()
        for count in range(27, 0, -1):
            png(game(count))
        png.cache_clear()
        assert png(game(20)) == cold

    @given(first=st.binary(max_size=200_000), second=st.binary(max_size=70_000), large=st.integers(0, 90_000))
    @settings(max_examples=40, deadline=None)
    def test_two_checksums_make_the_checksum_of_both(self, first: bytes, second: bytes, large: int) -> None:
        """The combined Adler-32 is the one zlib finds on the joined bytes, also of long pieces."""
        second += b"\xff" * large
        assert strips.joined(zlib.adler32(first), zlib.adler32(second), len(second)) == zlib.adler32(first + second)


class TestSize:
    @pytest.mark.parametrize("style", STYLES)
    def test_a_picture_of_a_usual_game_is_small(self, style: str) -> None:
        """Numbered stones at 960 pixels: at most 40 kB after 27 moves."""
        assert len(png(game(27, style=style))) <= 40_000

    @pytest.mark.parametrize("style", STYLES)
    def test_forty_numbered_stones_anywhere_stay_under_50_kilobytes(self, style: str) -> None:
        """Also when they lie as scattered as no game does."""
        for seed in range(5):
            points = random.Random(seed).sample(range(POINTS), 40)
            stones = tuple((p, Colour.WHITE if count % 2 else Colour.BLACK) for count, p in enumerate(points))
            assert len(png(BoardPicture(stones, last=points[-1], numbered=True, style=style))) <= 50_000


class TestWhatIsKept:
    def test_the_same_picture_again_is_the_same_object(self) -> None:
        """A repeat costs nothing."""
        assert png(game(9)) is png(game(9))

    def test_a_new_move_compresses_at_most_two_rows_and_two_margins(self) -> None:
        """All other strips are those of the picture before."""
        png(game(20))
        rows, margins = strips.kept_row.cache_info().misses, strips.kept_margin.cache_info().misses
        png(game(21))
        assert strips.kept_row.cache_info().misses - rows <= 2
        assert strips.kept_margin.cache_info().misses - margins <= 2

    def test_nothing_grows_without_bound(self) -> None:
        """After a thousand pictures of scattered stones every store holds at most what it may."""
        chance = random.Random(5)
        for _ in range(1000):
            points = chance.sample(range(POINTS), 12)
            png(BoardPicture(tuple((p, Colour.BLACK) for p in points), numbered=True), 240)
        for store, most in ((strips.kept_row, strips.STRIPS), (png, strips.PICTURES), (sprite, SPRITES)):
            info = store.cache_info()
            assert info.maxsize == most
            assert info.currsize <= most
        assert png.cache_info().currsize == strips.PICTURES

    def test_a_kept_piece_cannot_be_painted_over(self) -> None:
        """Pieces are shared by all pictures, so they are read-only."""
        board = plate("wood", 240)
        piece = sprite(board, (0, 0, False), layout(BoardPicture(((point("h9"), Colour.BLACK),))).cells[point("h9")])
        with pytest.raises(ValueError, match="read-only"):
            piece[0, 0] = 1


class TestThreads:
    def test_many_threads_draw_what_one_thread_draws(self) -> None:
        """Eight threads start at once on empty stores, each with its own order of the same pictures."""
        wanted = [game(count, style=style, numbered=count % 3 > 0) for style in STYLES for count in range(len(STONES))]
        alone = [png(picture, 480) for picture in wanted]
        strips.forget()
        sprite.cache_clear()
        together = threading.Barrier(8)

        def draw(seed: int) -> list[bytes]:
            order = list(range(len(wanted)))
            random.Random(seed).shuffle(order)
            together.wait()
            drawn = {at: png(wanted[at], 480) for at in order}
            return [drawn[at] for at in range(len(wanted))]

        with ThreadPoolExecutor(8) as threads:
            for drawn in threads.map(draw, range(8)):
                assert drawn == alone


class TestRefusals:
    @pytest.mark.parametrize("size", [-1, 0, 239, 2049, 10**9])
    def test_a_size_that_is_no_picture_is_refused(self, size: int) -> None:
        """Below 240 pixels nothing can be read, above 2048 no chat shows it."""
        with pytest.raises(ValueError, match="240 to 2048"):
            png(BoardPicture(), size)

    def test_an_unknown_style_is_refused_by_name(self) -> None:
        """The message names the styles there are."""
        with pytest.raises(ValueError, match="'marble'; there are wood, dark"):
            png(BoardPicture(style="marble"))

    @pytest.mark.parametrize("size", [240, 241, 2048])
    def test_the_smallest_and_largest_sizes_are_drawn(self, size: int) -> None:
        """The bounds belong to what is possible."""
        with Image.open(io.BytesIO(png(game(5), size))) as image:
            assert image.size == (size, size)

    def test_a_board_full_of_stones_is_drawn(self) -> None:
        """225 numbered stones."""
        stones = tuple((p, Colour.WHITE if p % 2 else Colour.BLACK) for p in range(POINTS))
        picture = BoardPicture(stones, last=224, numbered=True)
        assert true_colours(png(picture)) == plainly(picture, 960)
        assert np.unique(pixels(plate("wood", 960), layout(picture))).size > 20
