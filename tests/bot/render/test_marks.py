"""What a reader can tell apart: every mark at 330 pixels, without colour, and the contrasts measured in the picture."""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from bot.render import STYLES, png
from bot.render.themes import THEMES, Rgb, palette
from bot.scene import BoardPicture
from core.notation import Colour, Point, column_of, point, row_of

BLACK, WHITE = Colour.BLACK, Colour.WHITE
WIDTH: Final = 330
"""How wide a chat on a telephone shows a picture."""
CELL, BEFORE = 58, 45
"""Of a picture of 960 pixels."""
HERE: Final = point("g6")

MARKS: Final = {
    "empty point": BoardPicture(),
    "black stone": BoardPicture(((HERE, BLACK),)),
    "white stone": BoardPicture(((HERE, WHITE),)),
    "black stone, last": BoardPicture(((HERE, BLACK),), last=HERE),
    "white stone, last": BoardPicture(((HERE, WHITE),), last=HERE),
    "black stone, won": BoardPicture(((HERE, BLACK),), win=(HERE,)),
    "white stone, won": BoardPicture(((HERE, WHITE),), win=(HERE,)),
    "black stone, number": BoardPicture(((0, WHITE), (HERE, BLACK)), numbered=True),
    "white stone, number": BoardPicture(((0, WHITE), (HERE, WHITE)), numbered=True),
    "black stone, number, last": BoardPicture(((0, WHITE), (HERE, BLACK)), numbered=True, last=HERE),
    "white stone, number, last": BoardPicture(((0, WHITE), (HERE, WHITE)), numbered=True, last=HERE),
    "foul": BoardPicture(((HERE, BLACK),), foul=HERE, last=HERE),
    "forbidden": BoardPicture(forbidden=(HERE,)),
    "offer": BoardPicture(offers=(HERE,)),
    "unconfirmed black": BoardPicture(preview=(HERE, BLACK)),
    "unconfirmed white": BoardPicture(preview=(HERE, WHITE)),
    "unconfirmed on forbidden": BoardPicture(preview=(HERE, BLACK), forbidden=(HERE,)),
}


def styled(picture: BoardPicture, style: str) -> BoardPicture:
    return BoardPicture(
        picture.stones,
        picture.last,
        picture.numbered,
        picture.offers,
        picture.forbidden,
        picture.win,
        picture.foul,
        picture.preview,
        style,
    )


def image(picture: BoardPicture) -> Image.Image:
    return Image.open(io.BytesIO(png(picture))).convert("RGB")


def cell_of(picture: BoardPicture, at: Point) -> npt.NDArray[np.uint8]:
    """The pixels of a point in the full picture."""
    left, top = BEFORE + column_of(at) * CELL, BEFORE + (14 - row_of(at)) * CELL
    return np.asarray(image(picture).crop((left, top, left + CELL, top + CELL)))


def small_grey(picture: BoardPicture, at: Point) -> npt.NDArray[np.float64]:
    """The point as a telephone shows it to somebody who sees no colours."""
    small = image(picture).convert("L").resize((WIDTH, WIDTH), Image.Resampling.LANCZOS)
    x = round((BEFORE + (column_of(at) + 0.5) * CELL) * WIDTH / 960)
    y = round((BEFORE + (14.5 - row_of(at)) * CELL) * WIDTH / 960)
    return np.asarray(small, dtype=np.float64)[y - 10 : y + 10, x - 10 : x + 10]


def difference_in_shape(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> float:
    """How far two pieces differ besides being lighter or darker as a whole: 0 to 255."""
    return float((one - other).std())


def luminance(colour: Iterable[int]) -> float:
    """Relative luminance as WCAG 2 defines it."""
    red, green, blue = (
        value / 255 / 12.92 if value / 255 <= 0.04045 else ((value / 255 + 0.055) / 1.055) ** 2.4 for value in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Iterable[int], other: Iterable[int]) -> float:
    """The WCAG contrast ratio, 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def colours(pixels: npt.NDArray[np.uint8], at_least: int) -> set[Rgb]:
    """The colours that cover ``at_least`` so many pixels: what the edges mix is left out."""
    found, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_counts=True)
    return {(int(r), int(g), int(b)) for (r, g, b), count in zip(found, counts, strict=True) if count >= at_least}


def weakest(ones: Iterable[Rgb], others: Iterable[Rgb]) -> float:
    return min(contrast(one, other) for one, other in itertools.product(ones, others))


def box(pixels: npt.NDArray[np.uint8], half: int) -> npt.NDArray[np.uint8]:
    middle = CELL // 2
    return pixels[middle - half : middle + half, middle - half : middle + half]


@pytest.mark.parametrize("style", STYLES)
class TestAtThreeHundredAndThirtyPixels:
    def test_every_mark_differs_from_every_other_by_shape(self, style: str) -> None:
        """Reduced, and in shades of grey, no two marks look alike, even after equal brightness."""
        seen = {name: small_grey(styled(picture, style), HERE) for name, picture in MARKS.items()}
        for one, other in itertools.combinations(seen, 2):
            # The black and the white stone have one shape: they differ by lightness (rule 10), and a lot.
            plain = {one, other} == {"black stone", "white stone"}
            apart = abs(seen[one] - seen[other]).mean() if plain else difference_in_shape(seen[one], seen[other])
            assert apart >= 20, f"{one} / {other}: {apart:.1f}"

    def test_the_letters_of_the_offers_differ(self, style: str) -> None:
        """Each of A to L can be told from each other, as can the circle they stand in."""
        offers = tuple(range(31, 31 + 12))
        picture = BoardPicture(offers=offers, style=style)
        seen = [small_grey(picture, p) for p in offers]
        for one, other in itertools.combinations(range(12), 2):
            assert difference_in_shape(seen[one], seen[other]) >= 8, f"{'ABCDEFGHIJKL'[one]} / {'ABCDEFGHIJKL'[other]}"

    def test_the_numbers_of_a_long_game_differ(self, style: str) -> None:
        """All numbers of stones of one colour that stand side by side in a game of 60 moves."""
        stones = tuple((30 + at, WHITE if at % 2 else BLACK) for at in range(60))
        picture = BoardPicture(stones, numbered=True, style=style)
        for first in (0, 1):
            seen = [small_grey(picture, 30 + at) for at in range(first, 60, 2)]
            for one, other in itertools.combinations(range(len(seen)), 2):
                assert difference_in_shape(seen[one], seen[other]) >= 4

    def test_the_last_move_can_be_read_off_the_margins(self, style: str) -> None:
        """Its letter above and below and its number left and right stand on chips; an unconfirmed stone's in frames."""
        bare = image(BoardPicture(style=style))
        for marked in (BoardPicture(last=HERE, style=style), BoardPicture(preview=(HERE, BLACK), style=style)):
            changed = np.asarray(bare).astype(int) - np.asarray(image(marked)).astype(int)
            spots = np.abs(changed).sum(axis=2) > 60
            column, row = BEFORE + 6 * CELL, BEFORE + (14 - 5) * CELL
            letters, numbers = np.s_[column : column + CELL], np.s_[row : row + CELL]
            for piece in (spots[:BEFORE, letters], spots[-45:, letters], spots[numbers, :BEFORE], spots[numbers, -45:]):
                assert piece.sum() > 200
            spots[:BEFORE, letters] = spots[-45:, letters] = False
            spots[numbers, :BEFORE] = spots[numbers, -45:] = False
            spots[numbers, letters] = False
            assert not spots.any(), "nothing else changes"

    def test_a_winning_line_is_joined_by_a_bar(self, style: str) -> None:
        """Between two winning stones, and nowhere beside them, the board is covered; slanting and straight."""
        for step in (1, 15, 16, 14):
            win = tuple(point("f6") + step * at for at in range(5))
            stones = tuple((p, BLACK) for p in win)
            plain, won = (np.asarray(image(BoardPicture(stones, win=w, style=style))).astype(int) for w in ((), win))
            x = BEFORE + (column_of(win[0]) + column_of(win[1]) + 1) * CELL // 2
            y = BEFORE + (29 - row_of(win[0]) - row_of(win[1])) * CELL // 2
            between = np.abs(plain - won)[y - 14 : y + 14, x - 14 : x + 14].sum(axis=2) > 60
            assert between.sum() >= 100, f"step {step}"


@pytest.mark.parametrize("style", STYLES)
class TestContrast:
    """The floors of the visual rules, on the colours that are really in the picture."""

    def test_labels(self, style: str) -> None:
        """At least 7 for every letter and number of the margin, on the chip as well."""
        whole = np.asarray(image(BoardPicture(last=HERE, style=style)))
        theme = THEMES[style]
        plain = colours(whole[:BEFORE, BEFORE : BEFORE + CELL], 25)
        assert plain == {theme.margin, theme.label}
        assert contrast(theme.margin, theme.label) >= 7
        chip = colours(whole[:BEFORE, BEFORE + 6 * CELL : BEFORE + 7 * CELL], 60)
        assert {theme.margin, theme.chip, theme.chip_label} <= chip
        assert contrast(theme.chip, theme.chip_label) >= 7
        assert contrast(theme.chip, theme.margin) >= 3

    def test_lines(self, style: str) -> None:
        """At least 3 against the board."""
        board, line = THEMES[style].board, THEMES[style].line
        assert colours(cell_of(BoardPicture(style=style), HERE), 20) == {board, line}
        assert contrast(board, line) >= 3

    @pytest.mark.parametrize("size", [240, 330, 481, 720, 960, 1283])
    def test_the_border_is_closed_and_nothing_sticks_out(self, style: str, size: int) -> None:
        """From line A to O and 1 to 15, in every size: beyond the border there is only the board."""
        with Image.open(io.BytesIO(png(BoardPicture(style=style), size))) as file:
            whole = np.asarray(file.convert("RGB"))
        cell = size * 10 // 164
        first = (size - 15 * cell) // 2
        inked = (whole[first : first + 15 * cell, first : first + 15 * cell] == THEMES[style].line).all(axis=2)
        rows, columns = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
        assert (rows[0], rows[-1]) == (columns[0], columns[-1])
        for side in (inked[rows[0]], inked[rows[-1]], inked[:, rows[0]], inked[:, rows[-1]]):
            assert np.flatnonzero(side).tolist() == list(range(rows[0], rows[-1] + 1))

    def test_numbers_on_stones(self, style: str) -> None:
        """At least 12 against every tone of the stone under them."""
        theme = THEMES[style]
        for name, ink in (("black stone, number", theme.on_black), ("white stone, number", theme.on_white)):
            seen = colours(box(cell_of(styled(MARKS[name], style), HERE), 13), 25)
            assert ink in seen
            assert len(seen) > 3
            assert weakest([ink], seen - {ink}) >= 12

    def test_stones_on_the_board(self, style: str) -> None:
        """A stone or its rim reaches 4 against the board."""
        theme = THEMES[style]
        for name, rim in (("black stone", theme.black_rim), ("white stone", theme.white_rim)):
            tones = colours(box(cell_of(styled(MARKS[name], style), HERE), 14), 40)
            assert rim not in tones
            assert rim in colours(cell_of(styled(MARKS[name], style), HERE), 40)
            assert max(contrast(rim, theme.board), weakest(tones, [theme.board])) >= 4

    def test_rings_and_dots_on_stones(self, style: str) -> None:
        """At least 3 against every tone of the stone."""
        theme = THEMES[style]
        for name, accent in (("black stone", theme.ring_on_black), ("white stone", theme.ring_on_white)):
            tones = colours(box(cell_of(styled(MARKS[name], style), HERE), 17), 60)
            assert accent in colours(cell_of(styled(MARKS[f"{name}, last"], style), HERE), 60)
            assert weakest(tones, [accent]) >= 3

    def test_crosses(self, style: str) -> None:
        """At least 3 between cross and casing."""
        theme = THEMES[style]
        for name in ("forbidden", "foul", "unconfirmed on forbidden"):
            seen = colours(cell_of(styled(MARKS[name], style), HERE), 40)
            assert {theme.cross, theme.casing} <= seen
        assert contrast(theme.cross, theme.casing) >= 3

    def test_offers_and_bars(self, style: str) -> None:
        """Letter, dashes and bar against the board: 4.5, 4 and 3."""
        theme = THEMES[style]
        seen = colours(cell_of(styled(MARKS["offer"], style), HERE), 40)
        assert {theme.letter, theme.dash, theme.board} <= seen
        assert contrast(theme.letter, theme.board) >= 4.5
        assert contrast(theme.dash, theme.board) >= 4
        assert contrast(theme.bar, theme.board) >= 3

    def test_the_palette_leaves_room_for_a_clear_colour(self, style: str) -> None:
        """Fewer than 128 colours, all different, so that a GIF has an index left for "as before"."""
        found = palette(THEMES[style])
        assert len(found) < 128
        assert len({tuple(colour) for colour in found.tolist()}) == len(found)
