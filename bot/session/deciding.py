"""What the door decides about a table as it stands: pure, and asked again when somebody else was faster."""

from __future__ import annotations

import msgspec

from bot.session.table import MACHINE, REFEREE, SEATS, Declined, Intent, Machine, Occupant, Person, Table
from core.game import Act, Action, Game, Refusal, Seat, Why, apply, begin


def acted(table: Table, intent: Intent, now: int) -> Table | Refusal | Declined:
    """The table after an intent that arrived at ``now``, or why not, the most telling reason first: see ``Tables.act``.

    Time never goes back in a record: what comes later than something that arrived after it counts as coming with it.
    """
    seat = _seat(table, intent.who)
    if isinstance(seat, Declined):
        return seat
    if table.game.outcome is not None:
        return Refusal(Why.OVER)
    if intent.rev is not None and intent.rev != table.rev:
        return Declined.MOVED_ON
    if table.waiting:
        return _closed(table, intent, now)
    game = apply(table.game, seat, intent.action, max(now, _latest(table.game)))
    return game if isinstance(game, Refusal) else msgspec.structs.replace(table, game=game)


def _closed(table: Table, intent: Intent, now: int) -> Table | Refusal | Declined:
    """A table without an opponent: its opener takes it back, or nobody has come in time. There was no game, so that
    also holds where the stones of an opening lie there already.
    """
    if intent.action.act is not Act.EXPIRE and intent.action.act not in (Act.CANCEL, Act.LEAVE):
        return Declined.WAITING
    if (intent.who == REFEREE) is not (intent.action.act is Act.EXPIRE):
        return Declined.WAITING
    game = apply(table.game, None, Action(Act.EXPIRE), now)
    return game if isinstance(game, Refusal) else msgspec.structs.replace(table, game=game)


def joined(table: Table, person: Occupant, rev: int | None, now: int, handle: str = "") -> Table | Declined:
    """The table with somebody on its free seat, who came at ``now``, or why not: see ``Tables.join``."""
    if isinstance(person, Person) and table.seats_of(person.id):
        return Declined.ALREADY_SEATED
    if not table.waiting:
        return Declined.SEAT_TAKEN
    if table.game.outcome is not None:
        return Declined.EXPIRED if table.expired else Declined.WITHDRAWN
    if table.expires and now >= table.expires:
        return Declined.EXPIRED
    if table.reserved and not (isinstance(person, Person) and table.reserved in (person.id, handle)):
        return Declined.SEAT_TAKEN
    if rev is not None and rev != table.rev:
        return Declined.MOVED_ON
    first, second = table.seats
    seats = (person, second) if first is None else (first, person)
    return begun(msgspec.structs.replace(table, seats=seats, joins=table.joins + 1), now)


def begun(table: Table, now: int) -> Table:
    """The table, its game begun when both seats are taken: from then on somebody's time runs."""
    game = table.game
    if table.waiting or game.outcome is not None or game.began is not None or game.record:
        return table
    return msgspec.structs.replace(table, game=begin(game, now))


def _latest(game: Game) -> int:
    """The time of the last thing that happened."""
    return game.record[-1].at if game.record else game.began or 0


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
