"""A table: a game, who sits at it, and the messages that show it."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, TypeAlias

import msgspec

from core.game import Action, Game, Seat, other


class Person(msgspec.Struct, frozen=True, tag="person"):
    """Somebody with an account on a platform."""

    id: str
    """``tg:12345``, ``web:...``: the platform's own id after its short name. Never a display name."""
    name: str
    """As they call themselves: hostile text, shown exactly and escaped by whoever shows it."""
    language: str = "en"
    """The language of their client, as a catalogue of ``bot.words``."""

    def __post_init__(self) -> None:
        # Half a surrogate pair can arrive in JSON, but be neither saved nor sent.
        clean = self.name.encode(errors="replace").decode()
        if clean != self.name:
            msgspec.structs.force_setattr(self, "name", clean)


class Machine(msgspec.Struct, frozen=True, tag="machine"):
    """The engine in a seat."""

    level: int = 5


Occupant: TypeAlias = Person | Machine

SEATS: Final[tuple[Seat, Seat]] = (0, 1)


def _is(occupant: Occupant | None, person: str) -> bool:
    return isinstance(occupant, Person) and occupant.id == person


class View(msgspec.Struct, frozen=True, kw_only=True):
    """One message in one chat that shows a table. A web page is no view: it asks again when it comes back."""

    id: str
    """Random; names the view within its table."""
    platform: str
    """``tg`` ..., the adapter that shows it."""
    chat: str
    thread: str = ""
    """A topic within the chat, where the platform has them."""
    message: str = ""
    """The platform's id of the message; empty until it has been sent."""
    shown: int = -1
    """The rev that the message shows."""
    language: str = "en"


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A game and its seats at one rev. Immutable: :mod:`bot.session.tables` makes the next one."""

    id: str
    game: Game
    seats: tuple[Occupant | None, Occupant | None]
    joins: int = 0
    """How many times somebody sat down; together with the record it makes :attr:`rev`."""
    reserved: str = ""
    """Who the free seat is kept for, by id or by handle (``tg:@anna``); empty: whoever joins first."""
    invited: str = ""
    """What somebody who was challenged is called: hostile text; in a rematch the opponent. Empty where nobody was."""
    language: str = "en"
    """The language of the chat that the table was opened in."""
    created: int = 0
    """Milliseconds since 1970, UTC."""
    expires: int = 0
    """Until when somebody can sit down opposite, in milliseconds since 1970; 0: until the table is forgotten."""

    @property
    def rev(self) -> int:
        """The number of things that happened; the only concurrency control."""
        return len(self.game.record) + self.joins

    @property
    def waiting(self) -> bool:
        """Whether a seat is still free: nobody can play yet."""
        return None in self.seats

    @property
    def machine_due(self) -> Seat | None:
        """The seat where a machine is to answer now: it is to act, or the other side's offer or request stands."""
        if self.waiting or self.game.outcome is not None:
            return None
        state = self.game.state
        for seat in SEATS:
            if isinstance(self.seats[seat], Machine) and (
                seat in self.game.to_act or other(seat) in (state.draw_by, state.undo_by)
            ):
                return seat
        return None

    @property
    def due(self) -> int | None:
        """When the referee has something to do next, in milliseconds since 1970: the reminder, once a turn, or the end
        of the time; the end of a challenge. ``None`` while no time runs.
        """
        if self.waiting:
            return self.expires or None if self.game.outcome is None else None
        clock = self.game.state.clock
        if clock.running is None or clock.deadline is None:
            return None
        told = self.game.state.reminded or isinstance(self.seats[clock.running], Machine)
        return clock.deadline if told else clock.deadline - clock.control.notice

    @property
    def expired(self) -> bool:
        """Whether nobody came in time."""
        record = self.game.record
        return self.waiting and bool(record) and 0 < self.expires <= record[-1].at

    def seats_of(self, person: str) -> tuple[Seat, ...]:
        """The seats that a person holds, by id."""
        return tuple(seat for seat in SEATS if _is(self.seats[seat], person))


class Intent(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody wants to do something at a table."""

    table: str
    who: str
    """A person's id; ``machine`` for the engine's own answer; ``referee`` for what the clock asks for."""
    action: Action
    rev: int | None = None
    """The rev they saw; ``None`` for typed words, which mean the game as it is now."""
    source: str = ""
    """What makes a repeated delivery recognisable, e.g. ``tg:update:123``. Empty: never repeated."""
    at: int = 0
    """When it arrived, milliseconds since 1970; 0: now. The clock judges by this, however late it is handled."""


MACHINE = "machine"
REFEREE = "referee"


class Declined(StrEnum):
    """Why the door stayed shut, beyond the reasons of the game itself (``core.game.Why``)."""

    GONE = "gone"  # no such table
    MOVED_ON = "moved_on"  # the rev they saw is not the newest
    EXPIRED = "expired"  # nobody sat down opposite in time
    WITHDRAWN = "withdrawn"  # whoever opened the table took it back before anybody joined
    WAITING = "waiting"  # the other seat is still free
    SEAT_TAKEN = "seat_taken"
    ALREADY_SEATED = "already_seated"  # one cannot play oneself
    NOT_SEATED = "not_seated"  # neither seat is theirs
    REPEATED = "repeated"  # this very delivery has been handled: say nothing
    NOT_STORED = "not_stored"  # the store cannot be reached or written; nothing happened, as far as can be told
    DAMAGED = "damaged"  # the saved table cannot be read; it is kept as it is
