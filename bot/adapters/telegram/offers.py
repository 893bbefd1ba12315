"""Challenges that somebody sends into a chat the bot is no member of.

What was offered is kept under an id that only the sender's own request can have made; the buttons of the card carry
that id. The table comes into being with the first tap, from the id of the message: so nothing depends on Telegram
telling us which card was sent where, and one card sent to two chats makes two games.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec
from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from bot import newgame
from bot.adapters.telegram.inline_board import INLINE, place_at
from bot.adapters.telegram.shower import quieted
from bot.composing import compose
from bot.desk import Desk, Done, Notice
from bot.scene import Command, Style, Viewer
from bot.session.table import Declined, Person, Table
from bot.session.tables import Tables
from bot.words import explain, words
from core.game import new_game

#: An offer is kept a day longer than anybody may be waited for, in seconds.
_KEPT: Final = newgame.MOST_WAIT // 1000 + 86_400
_TAG: Final = "in"
_CAN: Final = (Command.JOIN, Command.WITHDRAW)


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """Who would like to play, and what."""

    person: Person
    typed: str
    """The words after ``newgame``."""
    reserved: str = ""
    """Whom the free seat is kept for, by id or handle."""
    invited: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """An offer as it looks."""

    id: str
    title: str
    text: str
    keyboard: InlineKeyboardMarkup


class Offers:
    """Keeps offers and opens their tables. Methods raise ``StoreUnavailable``."""

    def __init__(self, desk: Desk, tables: Tables) -> None:
        self._desk = desk
        self._tables = tables

    async def card(self, offer: Offer) -> Card:
        """Keep the offer; what is sent. The words must be readable: raises as :func:`bot.newgame.read`, and
        ``SettingsError``.
        """
        settings = newgame.read(f"friend {offer.typed}").settings(0)
        name = await self._tables.id_from(f"offer:{msgspec.json.encode(offer).decode()}")
        table = Table(
            id=name,
            game=new_game(settings),
            seats=(offer.person, None),
            reserved=offer.reserved,
            invited=offer.invited,
            language=offer.person.language,
        )
        scene = quieted(compose(table, Viewer(offer.person.language, public=True)), table)
        keys = [
            InlineKeyboardButton(
                button.label,
                callback_data=f"{_TAG}:{name}:{button.data}",
                style=None if button.style is Style.PLAIN else button.style.value,
            )
            for row in scene.buttons
            for button in row
        ]
        await self._tables.remember(_key(name), msgspec.json.encode(offer).decode(), _KEPT)
        return Card(name, scene.title, "\n".join((scene.title, *scene.lines)), InlineKeyboardMarkup([keys]))

    async def opened(self, person: Person, offer: str, message: str) -> Done | Notice:
        """The table of an inline message that shows this offer, opened now or before; ``person`` is who asks."""
        shown = await self._tables.view_at(INLINE, message, message)
        if shown is not None:  # perhaps a rematch by now
            table = await self._tables.get(shown[0])
            return Notice(explain(words(person.language), table)) if isinstance(table, Declined) else Done(table)
        kept = await self._tables.recall(_key(offer))
        try:
            meant = None if kept is None else msgspec.json.decode(kept, type=Offer)
        except (msgspec.DecodeError, ValueError):
            meant = None
        if meant is None:
            return Notice(words(person.language).say("This challenge is too old. Send a new one."), alert=True)
        return await self._desk.new_game(
            meant.person,
            place_at(message),
            f"friend {meant.typed}",
            source=f"tg:inline:{message}",
            reserved=meant.reserved,
            invited=meant.invited,
        )


def read(wire: str) -> tuple[str, Command] | None:
    """The offer and what its button does; ``None`` for any other button."""
    tag, _, rest = wire.partition(":")
    name, _, does = rest.partition(":")
    if tag != _TAG or not name.isalnum() or not name.isascii() or does not in _CAN:
        return None
    return name, Command(does)


def _key(name: str) -> str:
    return f"tg:offer:{name}"
