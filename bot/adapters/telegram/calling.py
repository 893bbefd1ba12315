"""Calling whoever is to move by name: at most once a move, in the way the chat has chosen."""

from __future__ import annotations

from typing import Final

from telegram import MessageEntity, User

from bot.adapters.telegram.reading import PLATFORM, quiet
from bot.session.table import Person, Table, View
from bot.session.tables import Tables
from bot.words.values import harmless, utf16

#: For how long it is known that somebody was called, in seconds: the longest time for a turn is shorter.
_KEPT: Final = 60 * 86_400


class Calling:
    """Remembers who was called when, across restarts."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def due(self, table: Table, view: View) -> Person | None:
        """Whom to call now, and from now on they count as called. Raises ``StoreUnavailable``.

        Nobody, while somebody goes on who has just moved, while the engine thinks, and when all is over.
        """
        person = _expected(table)
        if person is None:
            return None
        key, turn = f"{PLATFORM}:called:{table.id}:{view.id}", _turn(table)
        if await self._tables.recall(key) == turn:
            return None
        await self._tables.remember(key, turn, _KEPT)
        return person


def mention(text: str, person: Person, words: str) -> MessageEntity | None:
    """What makes the name in a text call the person. ``words``: the part of the text that holds it."""
    account = person.id.removeprefix(f"{PLATFORM}:")
    name = quiet(harmless(person.name))
    start = text.find(words)
    at = text.find(name, start) if start >= 0 else -1
    if at < 0 or not account.isdecimal():
        return None
    user = User(int(account), name, is_bot=False)
    return MessageEntity(MessageEntity.TEXT_MENTION, utf16(text[:at]), utf16(name), user=user)


def _expected(table: Table) -> Person | None:
    """The person who is to act, unless they acted last."""
    if table.waiting or table.game.outcome is not None:
        return None
    for seat in table.game.to_act:
        occupant = table.seats[seat]
        last = table.game.record[-1].seat if table.game.record else None
        if isinstance(occupant, Person) and occupant.id.startswith(f"{PLATFORM}:") and seat != last:
            return occupant
    return None


def _turn(table: Table) -> str:
    """The turn, whatever is offered and answered in it."""
    state = table.game.state
    return f"{len(state.stones)}.{len(state.offers)}.{state.phase}.{state.passes}.{table.game.to_act[0]}"
