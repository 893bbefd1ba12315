"""``/games``: what runs here, each game with its board."""

from __future__ import annotations

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from bot.adapters.telegram.keypad import Step
from bot.adapters.telegram.reading import PLATFORM, link
from bot.composing.brief import brief
from bot.desk import Desk, Place
from bot.scene import pack
from bot.session.table import Person, Table
from bot.session.tables import Tables
from bot.words import words

#: So many games are listed at once.
_MOST = 10
_ROW = 5


async def games(desk: Desk, tables: Tables, person: Person, place: Place) -> tuple[str, InlineKeyboardMarkup | None]:
    """The list and the buttons that bring a game's board down to the end of this chat."""
    chosen = words(person.language)
    running = await desk.running(person, place)
    if not running:
        return chosen.say("No game runs here. Write /newgame to begin one."), None
    lines = [
        f"{number}. {brief(chosen, table)}{await _where(tables, table)}"
        for number, table in enumerate(running[:_MOST], start=1)
    ]
    if len(running) > _MOST:
        lines.append(chosen.count("and {n} more", "and {n} more", len(running) - _MOST))
    lines.append(chosen.say("A number brings that board down here."))
    keys = [
        InlineKeyboardButton(str(number), callback_data=pack(table.id, table.rev, Step.SHOW))
        for number, table in enumerate(running[:_MOST], start=1)
    ]
    return "\n".join(lines), InlineKeyboardMarkup([keys[at : at + _ROW] for at in range(0, len(keys), _ROW)])


async def _where(tables: Tables, table: Table) -> str:
    """The address of a board that has one, on a line of its own."""
    for view in await tables.views(table.id):
        address = link(view.chat, view.thread, view.message) if view.platform == PLATFORM else ""
        if address:
            return f"\n   {address}"
    return ""
