"""The saved form of a table: readable JSON, with the game in it as ``core.game.save`` writes it."""

from __future__ import annotations

from typing import Final

import msgspec

from bot.session.table import Occupant, Table, View
from core.game import CorruptGame, load, save

#: The version of the saved form. A reader refuses what it does not know.
SCHEMA: Final = 1


class CorruptTable(ValueError):
    """A saved table that cannot be read; the message says where."""


class _Saved(msgspec.Struct, forbid_unknown_fields=True):
    schema: int
    id: str
    seats: tuple[Occupant | None, Occupant | None]
    joins: int
    language: str
    created: int
    game: msgspec.Raw
    reserved: str = ""
    invited: str = ""
    expires: int = 0


def freeze(table: Table) -> bytes:
    """``{"schema":1,"id":...,"seats":[...],...,"game":{"schema":1,...}}``."""
    return msgspec.json.encode(
        _Saved(
            schema=SCHEMA,
            id=table.id,
            seats=table.seats,
            joins=table.joins,
            language=table.language,
            created=table.created,
            game=msgspec.Raw(save(table.game)),
            reserved=table.reserved,
            invited=table.invited,
            expires=table.expires,
        )
    )


def thaw(body: bytes) -> Table:
    """The inverse of :func:`freeze`; replays the game. Raises :class:`CorruptTable`."""
    try:
        read = msgspec.json.decode(body, type=_Saved)
    except (msgspec.DecodeError, ValueError) as error:
        raise CorruptTable(f"unreadable: {error}") from error
    if read.schema != SCHEMA:
        raise CorruptTable(f"saved by another version (schema {read.schema}, this one reads {SCHEMA})")
    try:
        game = load(bytes(read.game))
    except CorruptGame as error:
        raise CorruptTable(f"its game: {error}") from error
    return Table(
        id=read.id,
        game=game,
        seats=read.seats,
        joins=read.joins,
        reserved=read.reserved,
        invited=read.invited,
        expires=read.expires,
        language=read.language,
        created=read.created,
    )


def freeze_view(view: View) -> bytes:
    """A view as JSON."""
    return msgspec.json.encode(view)


def thaw_view(saved: bytes) -> View:
    """The inverse of :func:`freeze_view`. Raises :class:`CorruptTable`."""
    try:
        return msgspec.json.decode(saved, type=View)
    except (msgspec.DecodeError, ValueError) as error:
        raise CorruptTable(f"its view: {error}") from error
