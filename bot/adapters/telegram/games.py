"""``/games``: the games of a chat and of a person, each with its board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from bot.adapters.telegram.keypad import Step
from bot.adapters.telegram.reading import PLATFORM, link
from bot.composing.brief import brief
from bot.desk import Desk, Place
from bot.scene import pack
from bot.session.table import Person, Table
from bot.session.tables import Tables
from bot.words import Words, words

#: So many games are listed at once, and so many numbers stand in a row.
MOST: Final = 10
_ROW: Final = 5


async def games(desk: Desk, tables: Tables, person: Person, place: Place) -> tuple[str, InlineKeyboardMarkup | None]:
    """The list and the buttons that bring a game's board down to the end of this chat.

    In private it is one's own games, wherever they are; in a group those of the group, in all its topics.
    """
    chosen = words(person.language)
    running = await desk.running(person, place)
    lines = [
        f"{number}. {brief(chosen, table)}{await _where(tables, table)}"
        for number, table in enumerate(running[:MOST], start=1)
    ]
    return listed(chosen, running, lines, private=place.private)


def listed(
    chosen: Words, running: Sequence[Table], lines: Sequence[str], *, private: bool
) -> tuple[str, InlineKeyboardMarkup | None]:
    """The message: ``lines`` are those of the first games that run."""
    if not running:
        return chosen.say("No game runs here. Write /newgame to begin one."), None
    text = [*lines]
    if len(running) > MOST:
        text.append(chosen.count("and {n} more", "and {n} more", len(running) - MOST))
    text.append(
        chosen.say("A number brings that board down here.")
        if private
        else chosen.say("A number brings that board down here. To see all your games, write /games to me alone.")
    )
    keys = [
        InlineKeyboardButton(str(number), callback_data=pack(table.id, table.rev, Step.SHOW))
        for number, table in enumerate(running[:MOST], start=1)
    ]
    return "\n".join(text), InlineKeyboardMarkup([keys[at : at + _ROW] for at in range(0, len(keys), _ROW)])


async def _where(tables: Tables, table: Table) -> str:
    """The address of a board that has one, on a line of its own."""
    for view in await tables.views(table.id):
        address = link(view.chat, view.thread, view.message) if view.platform == PLATFORM else ""
        if address:
            return f"\n   {address}"
    return ""
