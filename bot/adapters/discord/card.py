"""The card of ``/newgame`` alone: the usual choices of a new game as selects, in a message that one person alone sees.

Every item carries the whole choice as it stands, so a card outlives every restart and nothing is kept for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import discord
from discord import ui

from bot import newgame
from bot.adapters.discord.items import CardButton, CardSelect
from bot.adapters.discord.layout import made
from bot.adapters.discord.plain import plain
from bot.composing.lines import protocol_name
from bot.newgame import Wanted
from bot.words import Phrase, Words
from bot.words.choices import CLOCKS, begins_name, clock_name, fouls_name, opponent_name
from core.clock import UNHURRIED
from core.game import ALL_PROTOCOLS, FoulMode

START: Final = "start"
OPPONENT, PROTOCOL, FOULS, BEGINS, CLOCK = "opponent", "protocol", "fouls", "begins", "clock"
#: The choice of a friend, where others are the level of the engine.
FRIEND: Final = "friend"


@dataclass(frozen=True, slots=True)
class Card:
    """The choices as they stand, as words after ``/newgame``."""

    opponent: str = FRIEND
    """``friend``, or the level of the engine."""
    protocol: str = "free"
    fouls: str = FoulMode.CLAIM.value
    begins: str = "guess"
    clock: str = str(UNHURRIED)

    @property
    def typed(self) -> str:
        """All of it as words."""
        return " ".join((self.opponent, self.protocol, self.fouls, self.begins, self.clock))

    @property
    def state(self) -> str:
        """What the items of the card carry: :func:`read` is the inverse."""
        return ",".join((self.opponent, self.protocol, self.fouls, self.begins, self.clock))


#: What can be chosen, field by field.
CHOICES: Final[dict[str, tuple[str, ...]]] = {
    OPPONENT: (FRIEND, *(str(level) for level in newgame.LEVELS)),
    PROTOCOL: ALL_PROTOCOLS,
    FOULS: tuple(mode.value for mode in FoulMode),
    BEGINS: newgame.BEGINS,
    CLOCK: CLOCKS,
}


def usual(*, private: bool) -> Card:
    """Alone with the bot one plays the engine, elsewhere whoever joins."""
    return Card(opponent=str(newgame.DEFAULT_LEVEL)) if private else Card()


def of(wanted: Wanted, *, private: bool) -> Card | None:
    """The card that says the same as words after ``/newgame``; ``None``: they say something that no card can."""
    if wanted.options or wanted.clock not in CLOCKS or wanted.wait:
        return None
    opponent = (
        str(wanted.level) if wanted.level else FRIEND if wanted.opponent_said else usual(private=private).opponent
    )
    return Card(opponent, wanted.protocol, wanted.foul_mode.value, wanted.begins, wanted.clock)


def read(state: str) -> Card | None:
    """The choices that were carried or kept; ``None``: they mean nothing (any more)."""
    parts = state.split(",")
    if len(parts) != len(CHOICES):
        return None
    card = Card(*parts)
    known = all(value in choices for value, choices in zip(parts, CHOICES.values(), strict=True))
    return card if known else None


def changed(before: Card, field: str, value: str) -> Card:
    """The card after a choice was made; a value that means nothing changes nothing."""
    return replace(before, **{field: value}) if value in CHOICES.get(field, ()) else before


def look(words: Words, card: Card) -> ui.LayoutView:
    """The message: one select for each field, and Start."""
    parts: list[ui.Item[Any]] = [ui.TextDisplay(plain(words.say("A new game: choose, then press Start.")))]
    for field, choices in CHOICES.items():
        options = [
            discord.SelectOption(label=_told(words, field, value), value=value, default=getattr(card, field) == value)
            for value in choices
        ]
        parts.append(ui.ActionRow(CardSelect(f"{field}:{card.state}", options=options)))
    start = CardButton(f"{START}:{card.state}", label=words.say("Start"), style=discord.ButtonStyle.success)
    parts.append(ui.ActionRow(start))
    return made(parts)


def _told(words: Words, field: str, value: str) -> str:
    """A choice with the name of its field, since a select has no other."""
    match field:
        case "opponent":
            return words.say("Opponent: {choice}", choice=Phrase(opponent_name(words, value)))
        case "protocol":
            return words.say("Opening: {choice}", choice=Phrase(protocol_name(words, value)))
        case "fouls":
            return words.say("Forbidden move: {choice}", choice=Phrase(fouls_name(words, FoulMode(value))))
        case "begins":
            return words.say("Colours: {choice}", choice=Phrase(begins_name(words, value)))
        case _:
            return words.say("Clock: {choice}", choice=Phrase(clock_name(words, value)))
