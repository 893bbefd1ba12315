"""What one viewer should see of a table: words, board and buttons; the same for every platform."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from core.clock import Kind, Milliseconds
from core.game import Act, Action, Seat, encode
from core.notation import Colour, NotationError, Point, name, point


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


class Style(StrEnum):
    """What a button means; a platform may colour it, the words always say it."""

    PLAIN = "plain"
    PRIMARY = "primary"
    SUCCESS = "success"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class Button:
    """A button under the board."""

    label: str
    """In the viewer's language."""
    data: str
    """What it does: an action as ``core.game.encode`` writes it, or one of :class:`Command`."""
    style: Style = Style.PLAIN
    confirm: str = ""
    """A question to ask before it is done (``resign``); empty: done at once."""
    yes: str = ""
    no: str = ""
    """The words of the two answers to the question."""


class Command(StrEnum):
    """What a button can do besides an action of the game."""

    JOIN = "join"
    WITHDRAW = "withdraw"  # the opener takes an open table back
    REMATCH = "rematch"
    ADD = "add"  # show the points for two stones: see Entry


@dataclass(frozen=True, slots=True)
class Entry:
    """What tapping or typing a point means for this viewer now.

    Adding two stones takes two taps. The first one is no action yet: :meth:`data` gives a button for it whose data
    ``add-h9`` carries the point (:func:`first_tap` reads it), and :meth:`after` what the second tap means. Nothing has
    to be remembered between the two.
    """

    act: Act
    """PLACE, OFFER, CHOOSE or ADD."""
    points: frozenset[Point]
    """The points that can be tapped. Never tells a forbidden point, unless the game is ``blocked`` (R6.1)."""
    colour: Colour
    """The colour of the stone that would be put: for the preview."""
    then: frozenset[Point] = frozenset()
    """ADD, before the first tap: the points of the second stone, of the other colour."""
    first: Point | None = None
    """ADD, after the first tap: where it was."""

    def data(self, at: Point) -> str:
        """What a button for this point does."""
        if self.act is not Act.ADD:
            return encode(Action(self.act, points=(at,)))
        if self.first is None:
            return f"{Command.ADD}-{name(at)}"
        return encode(Action(Act.ADD, points=(self.first, at)))

    def after(self, at: Point) -> Entry | None:
        """What the second tap means after a first one on this point; ``None``: there is no second, or no such first."""
        if self.act is not Act.ADD or self.first is not None or at not in self.points:
            return None
        return replace(self, points=self.then - {at}, colour=self.colour.other, then=frozenset(), first=at)


def first_tap(data: str) -> Point | None:
    """The point of a button that is only the first tap of two, ``add-h9``; ``None`` for any other."""
    head, _, written = data.partition("-")
    if head != Command.ADD:
        return None
    try:
        return point(written)
    except NotationError:
        return None


@dataclass(frozen=True, slots=True)
class SceneClock:
    """The time of both seats at the moment of the scene, for a page that counts it down. Never below zero."""

    kind: Kind
    main: tuple[Milliseconds, Milliseconds]
    """What seats 0 and 1 have left for the game (byo-yomi, Fischer)."""
    turn: tuple[Milliseconds, Milliseconds]
    """What they have for the present turn, after the main time where there is any."""
    running: Seat | None
    """Whose time runs down: first the main time, then that of the turn. ``None``: nobody's."""
    deadline: Milliseconds | None
    """When it will be over, since 1970, UTC."""


#: Nobody's time runs, and nobody has any.
STOPPED: Final = SceneClock(Kind.IDLE, (0, 0), (0, 0), None, None)


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: the seats whose buttons they get, and their language.

    A private page or chat has the seats its person holds. A message that a whole group reads is ``public``: it has
    both seats' buttons, and every tap is checked against the tapper.
    """

    language: str
    seats: tuple[Seat, ...] = ()
    public: bool = False
    style: str = "wood"


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything one viewer sees of a table at one rev."""

    table: str
    rev: int
    title: str
    """Protocol and foul mode in a few words."""
    lines: tuple[str, ...]
    """The text twin of the board, one thing a line: players with their colours, whose turn it is and what is expected
    of them, the last move and its number, the opening, the step of the protocol, what just happened, the result."""
    alt: str
    """The same for readers without pictures, with every stone: at most 1,024 characters."""
    picture: BoardPicture
    buttons: tuple[tuple[Button, ...], ...]
    """In rows of at most three; of at most six where every label is a number or a letter."""
    entry: Entry | None
    """``None`` when no point can be tapped by this viewer now."""
    over: bool
    clock: SceneClock = STOPPED


def pack(table: str, rev: int, data: str) -> str:
    """A button's wire text: table, rev and what it does; at most 64 bytes (promise 4)."""
    wire = f"{table}.{rev}.{data}"
    if len(wire.encode()) > 64:
        raise ValueError(f"a button of {len(wire.encode())} bytes: {wire}")
    return wire


def unpack(wire: str) -> tuple[str, int, str] | None:
    """The inverse of :func:`pack`; ``None`` for anything else, since button data can be forged."""
    match = _WIRE.fullmatch(wire)
    return None if match is None else (match[1], int(match[2]), match[3])


_WIRE = re.compile(r"([a-z0-9]{6,16})\.(\d{1,5})\.([a-z0-9_-]{1,40})")
