"""What the door decides about a table as it stands: pure, and asked again when somebody else was faster."""

from __future__ import annotations

import msgspec

from bot.session.table import MACHINE, REFEREE, SEATS, Declined, Intent, Machine, Occupant, Person, Table
from core.game import Act, Refusal, Seat, Why, apply


def acted(table: Table, intent: Intent, now: int) -> Table | Refusal | Declined:
    """The table after an intent, or why not, the most telling reason first: see ``Tables.act``."""
    seat = _seat(table, intent.who)
    if isinstance(seat, Declined):
        return seat
    if table.game.outcome is not None:
        return Refusal(Why.OVER)
    if intent.rev is not None and intent.rev != table.rev:
        return Declined.MOVED_ON
    if table.waiting and intent.action.act not in (Act.CANCEL, Act.LEAVE):
        return Declined.WAITING
    game = apply(table.game, seat, intent.action, now)
    return game if isinstance(game, Refusal) else msgspec.structs.replace(table, game=game)


def joined(table: Table, person: Occupant, rev: int | None) -> Table | Declined:
    """The table with somebody on its free seat, or why not: see ``Tables.join``."""
    if isinstance(person, Person) and table.seats_of(person.id):
        return Declined.ALREADY_SEATED
    if not table.waiting:
        return Declined.SEAT_TAKEN
    if table.game.outcome is not None:
        return Declined.GONE
    if table.reserved and not (isinstance(person, Person) and person.id == table.reserved):
        return Declined.SEAT_TAKEN
    if rev is not None and rev != table.rev:
        return Declined.MOVED_ON
    first, second = table.seats
    seats = (person, second) if first is None else (first, person)
    return msgspec.structs.replace(table, seats=seats, joins=table.joins + 1)


def _seat(table: Table, who: str) -> Seat | Declined | None:
    """The seat that an intent comes from; ``None`` for the referee."""
    if who == REFEREE:
        return None
    if who == MACHINE:
        if table.machine_due is not None:
            return table.machine_due
        for seat in SEATS:
            if isinstance(table.seats[seat], Machine):
                return seat
        return Declined.NOT_SEATED
    seats = table.seats_of(who)
    return seats[0] if seats else Declined.NOT_SEATED
