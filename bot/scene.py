"""What one viewer should see of a table: words, board and buttons; the same for every platform."""

from __future__ import annotations

from dataclasses import dataclass

from core.notation import Colour, Point


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """Everything a drawing of the board depends on; equal pictures are equal bytes, so it is also the cache key."""

    stones: tuple[tuple[Point, Colour], ...] = ()
    """In the order of play: the stone at index ``i`` carries move number ``i + 1``."""
    last: Point | None = None
    """The stone to mark as the last move."""
    numbered: bool = False
    """Whether move numbers are written on the stones."""
    offers: tuple[Point, ...] = ()
    """Fifth-move offers, lettered A, B, ... in the order they were made."""
    forbidden: tuple[Point, ...] = ()
    """Empty points to cross out; only where rule R6.1 allows it."""
    win: tuple[Point, ...] = ()
    """The stones of the winning line."""
    foul: Point | None = None
    """The black stone that lost as a forbidden move."""
    preview: tuple[Point, Colour] | None = None
    """A stone its player has not confirmed yet."""
    style: str = "wood"
    """``wood`` or ``dark``."""
