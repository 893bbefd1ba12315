"""``/why h8``: why a point is forbidden or not. In a group the verdict with a picture; the rest for who asks alone."""

from __future__ import annotations

import re
from typing import Final

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Message

from bot.adapters.telegram.preferences import Preferences
from bot.adapters.telegram.reading import alone, place_of
from bot.adapters.telegram.replies import Replies
from bot.composing.why import Why, why
from bot.desk import Desk, Notice
from bot.newgame import narrow
from bot.session.table import Person, Table
from bot.words import Words, explain, words
from core.notation import NotationError, Point, name, point

#: A question that a link asks in private: the table and the point.
_LINK: Final = re.compile("why-([a-z0-9]{1,40})-([a-o](?:[1-9]|1[0-5]))")


def asked_by(payload: str) -> tuple[str, str] | None:
    """The table and the point of a link's question; ``None`` for any other link."""
    read = _LINK.fullmatch(payload)
    return None if read is None else (read[1], read[2])


class Explaining:
    """Answers the question. Methods raise ``StoreUnavailable``."""

    def __init__(self, desk: Desk, replies: Replies, preferences: Preferences) -> None:
        self._desk = desk
        self._replies = replies
        self._preferences = preferences

    async def asked(self, message: Message, person: Person, typed: str, meant: str | None, username: str) -> None:
        """Of the board ``meant``, else of the newest game here that has stones."""
        chosen, place = words(person.language), place_of(message)
        try:
            at = point(narrow(typed.strip()))
        except NotationError as error:
            self._replies.privately(message, explain(chosen, error))
            return
        table = await self._desk.asked_about(person, meant, place)
        if isinstance(table, Notice):
            self._replies.privately(message, table.text)
            return
        told = why(chosen, table, at, style=(await self._preferences.of(place.chat)).style)
        self._replies.later(self._tell(message, told, None if place.private else _more(chosen, table, at, username)))

    async def _tell(self, message: Message, told: Why, more: InlineKeyboardMarkup | None) -> None:
        """``more``: what leads to the whole answer, in a group."""
        if more is None:
            self._replies.reply(message, told.text, picture=told.picture)
        elif told.picture is None:
            self._replies.privately(message, told.text)
        elif not await self._replies.aside(message, told.text, more):
            verdict, _, rest = told.text.partition("\n")
            self._replies.reply(message, verdict, more if rest else None, picture=told.picture)


def _more(chosen: Words, table: Table, at: Point, username: str) -> InlineKeyboardMarkup:
    address = alone(username, f"why-{table.id}-{name(at)}")
    return InlineKeyboardMarkup([[InlineKeyboardButton(chosen.say("All of it, alone with me"), url=address)]])
