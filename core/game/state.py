"""Where a game stands: everything that replaying its actions tells."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from core.clock import UNHURRIED, Clock, started
from core.game.outcome import Event, Outcome, Reason
from core.game.settings import Seat
from core.notation import POINTS, Board, Colour, Point
from core.openings.names import Opening, opening_of
from core.rules import Verdict

#: The phase before the protocol, while the draw of colours is open (by guess or by parity).
GUESSING = "guess"


@dataclass(frozen=True, slots=True)
class Stone:
    """A stone on the board. Its move number is its place in :attr:`State.stones`, counted from 1 (R2.4)."""

    point: Point
    colour: Colour
    verdict: Verdict = Verdict.LEGAL
    """What the rules say about it. A secret (R6.1, R6.8) while a ``claim`` or ``auto_loss`` game runs."""


@dataclass(frozen=True, slots=True)
class State:
    """One moment of a game."""

    phase: str
    """A phase of the protocol, :data:`GUESSING`, or ``done`` for ordinary play."""
    hid: int = field(default=0, repr=False)
    """How many stones seat 0 has hidden, while seat 1 is still to hide some; a secret."""
    stones: tuple[Stone, ...] = ()
    cells: bytes = bytes(POINTS)
    """The board as bytes; :meth:`board` gives a writable array."""
    p1: Seat | None = None
    """The seat that was tentative Black when the game began; ``None`` before the guess."""
    black: Seat | None = None
    """The seat that holds Black now."""
    turn: Colour = Colour.BLACK
    """The side to move. In a protocol, the colour of the next stone."""
    offers: tuple[Point, ...] = ()
    """Fifth-move offers in the order they were made."""
    declared: int = 0
    """How many fifth moves were declared (0: the protocol declares none)."""
    passes: int = 0
    """Passes in a row."""
    answered: bool = True
    """Whether the last black stone has had White's answer, which ends the right of R6.2."""
    claimed_this_turn: bool = False
    wrong_claims: int = 0
    pending: Reason | None = None
    """A draw that waits for White's turn (R5.5)."""
    draw_by: Seat | None = None
    """Whose draw offer stands."""
    draw_used: bool = False
    """Whether the seat to act has offered a draw in this turn (R5.4)."""
    undo_by: Seat | None = None
    """Whose request to take back stands."""
    past: tuple[Seat, State] | None = field(default=None, repr=False, compare=False)
    """The last turn action: whose it was, and the state before it. A chain back to the beginning."""
    clock: Clock = field(default_factory=lambda: started(UNHURRIED))
    """The time of both seats; stands still until the game has begun (:func:`core.game.begin`)."""
    reminded: bool = False
    """Whether the seat to act has been told that its time is nearly over."""
    events: tuple[Event, ...] = ()
    """What the last action caused."""
    outcome: Outcome | None = None

    def board(self) -> Board:
        """A new array of the board, shape (225,)."""
        return np.frombuffer(bytearray(self.cells), dtype=np.uint8)

    def at(self, point: Point) -> Colour:
        """What lies on a point."""
        return Colour(self.cells[point])

    @property
    def last(self) -> Stone | None:
        """The last stone."""
        return self.stones[-1] if self.stones else None

    @property
    def opening(self) -> Opening | None:
        """Which of the 26 the first three stones form; ``None`` before move 3, off the book, or after an early pass."""
        first = self.stones[:3]
        if [stone.colour for stone in first] != [Colour.BLACK, Colour.WHITE, Colour.BLACK]:
            return None
        return opening_of(*(stone.point for stone in first))

    def seat_of(self, colour: Colour) -> Seat | None:
        """Who holds a colour; ``None`` before the guess."""
        if self.black is None or colour is Colour.EMPTY:
            return None
        return self.black if colour is Colour.BLACK else other(self.black)

    def colour_of(self, seat: Seat) -> Colour | None:
        """The colour a seat holds now; ``None`` before the guess."""
        if self.black is None:
            return None
        return Colour.BLACK if seat == self.black else Colour.WHITE


def other(seat: Seat) -> Seat:
    """The opposite seat."""
    return 1 if seat == 0 else 0
