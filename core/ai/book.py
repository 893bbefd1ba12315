"""The opening book: positions of three and four stones, with what each move there was found to be worth.

A book is a text file that people can read and compare. Each line is a position, as the moves that lead to it, and then
moves with their scores in the engine's unit, from the view of the side to move, the best first::

    h8h9h10: g9 -187, i9 -187, g10 -194

Positions are known in every orientation. The book that comes with the engine was made by its own search
(``tools/make_book.py``); no game or analysis of anybody else is in it. It holds for the Renju rules alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from core.ai.chances import margin
from core.ai.think import RENJU, Deadline, Mind, Rules, Thought
from core.notation import SYMMETRIES, Board, Colour, NotationError, Point, board_of, moves, name, point

#: The book that comes with the engine.
OWN: Final = Path(__file__).with_name("book.txt")

#: So many known moves are enough to choose from.
ENOUGH: Final = 8

_MOVE = re.compile(r"([a-o][0-9]{1,2}) (-?[0-9]{1,5})")


class Scored(NamedTuple):
    """A move and what it is worth to the side that makes it."""

    score: int
    point: Point


class BookError(ValueError):
    """A file that is no book; the message is one line that says where."""


class Book:
    """What is known of some early positions."""

    def __init__(self, lines: Mapping[tuple[Point, ...], Iterable[Scored]]) -> None:
        self._known: dict[bytes, tuple[Scored, ...]] = {}
        for stones, scored in lines.items():
            key, symmetry = canonical(board_of(stones), to_move_after(stones))
            image = SYMMETRIES[symmetry]
            found = [Scored(score, int(image[p])) for score, p in scored]
            self._known[key] = tuple(sorted(found, key=lambda move: -move.score))

    @classmethod
    def read(cls, path: Path) -> Self:
        """The book in a file. Raises :class:`BookError`, or ``OSError`` when it cannot be read."""
        lines: dict[tuple[Point, ...], tuple[Scored, ...]] = {}
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            raise BookError(f"{path} is no text") from None
        for number, line in enumerate(text.splitlines(), start=1):
            if line and not line.startswith("#"):
                try:
                    stones, scored = parse(line)
                except ValueError as error:
                    raise BookError(f"{path}, line {number}: {error}") from None
                lines[stones] = scored
        return cls(lines)

    def __len__(self) -> int:
        """How many positions it knows; orientations are not counted."""
        return len(self._known)

    def moves(self, board: Board, to_move: Colour) -> tuple[Scored, ...]:
        """The known moves of a position, the best first; empty when the position is not in the book.

        Of moves that are equivalent by the position's own symmetry one is given.
        """
        key, symmetry = canonical(board, to_move)
        back = np.argsort(SYMMETRIES[symmetry])
        return tuple(Scored(score, int(back[p])) for score, p in self._known.get(key, ()))


@cache
def own_book() -> Book:
    """The book that comes with the engine, read once."""
    return Book.read(OWN)


def chosen(which: str) -> Book | None:
    """The book that a setting names: ``"own"``, ``"off"`` (``None``) or the path of a file.

    Raises :class:`BookError`.
    """
    if which == "off":
        return None
    if which == "own":
        return own_book()
    try:
        return Book.read(Path(which).expanduser())
    except OSError as error:
        raise BookError(f"{which} cannot be read: {error.strerror or error}") from None


def parse(line: str) -> tuple[tuple[Point, ...], tuple[Scored, ...]]:
    """A line of a book: the moves that lead to the position, and the moves from there. Raises ``ValueError``."""
    before, colon, after = line.partition(":")
    if not colon:
        raise ValueError("a position and a colon are missing")
    stones = moves(before)
    board_of(stones)  # two stones on one point raise
    scored: list[Scored] = []
    for part in after.split(","):
        match = _MOVE.fullmatch(part.strip())
        if match is None:
            raise ValueError(f"{part.strip()!r} is no move with a score")
        scored.append(Scored(int(match[2]), _free(match[1], stones)))
    return stones, tuple(scored)


def _free(text: str, stones: tuple[Point, ...]) -> Point:
    try:
        p = point(text)
    except NotationError as error:
        raise ValueError(str(error)) from None
    if p in stones:
        raise ValueError(f"{text} is taken")
    return p


def line_of(stones: Iterable[Point], scored: Iterable[Scored]) -> str:
    """The inverse of :func:`parse`."""
    found = ", ".join(f"{name(p)} {score}" for score, p in sorted(scored, key=lambda move: -move.score))
    return f"{''.join(name(p) for p in stones)}: {found}"


def to_move_after(stones: tuple[Point, ...]) -> Colour:
    """Black after an even number of stones, White after an odd one."""
    return Colour.WHITE if len(stones) % 2 else Colour.BLACK


def canonical(board: Board, to_move: Colour) -> tuple[bytes, int]:
    """A key that is the same in every orientation, and the symmetry that brings the position to it."""
    images = []
    for k in range(len(SYMMETRIES)):
        image = np.zeros_like(board)
        image[SYMMETRIES[k]] = board
        images.append(image.tobytes())
    key = max(images)
    return bytes([to_move]) + key, images.index(key)


class WellRead(Mind):
    """A mind that knows a book: what stands there it need not work out."""

    def __init__(
        self, book: Book, board: Board, to_move: Colour, agreed: Rules = RENJU, *, seed: int = 0, noise: int = 0
    ) -> None:
        super().__init__(board, to_move, agreed, seed=seed, noise=noise)
        self.known: tuple[Scored, ...] = book.moves(board, to_move) if agreed == RENJU else ()
        self._own = own_symmetries(board) if self.known else ()
        self._random = Random(seed)  # noqa: S311

    def best(self, deadline: Deadline) -> Thought:
        """One of the best moves of the book, else what the search finds."""
        if not self.known:
            return super().best(deadline)
        best = self.known[0].score
        near = [move for move in self.known if move.score >= best - margin(best, Colour(self.colour + 1))]
        score, p = self._random.choice(near)
        p = self._random.choice([int(image[p]) for image in self._own])
        return Thought(p, score, 0, 0, (p,))

    def compare(self, moves: Sequence[Point], deadline: Deadline) -> list[tuple[int, Point]]:
        """The moves that the book knows, when those are enough to choose from; else what the search finds."""
        score = {int(image[move.point]): move.score for move in self.known for image in self._own}
        found = [(score[p], p) for p in moves if p in score]
        if not found or len(found) < min(len(moves), ENOUGH):
            return super().compare(moves, deadline)
        return sorted(found, key=lambda pair: -pair[0])


def own_symmetries(board: Board) -> tuple[npt.NDArray[np.int16], ...]:
    """The symmetries that leave a position as it is; the identity is always one."""
    return tuple(image for image in SYMMETRIES if np.array_equal(board[image], board))
