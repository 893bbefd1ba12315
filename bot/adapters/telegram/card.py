"""The card of ``/newgame``: the usual choices of a new game as buttons.

A button carries the whole choice as it would be after it, so a card outlives every restart and nothing is kept for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from bot import newgame
from bot.composing.lines import protocol_name
from bot.newgame import Wanted
from bot.words import Phrase, Words
from bot.words.choices import CLOCKS, begins_name, clock_name, fouls_name
from bot.words.levels import level_name
from core.game import ALL_PROTOCOLS, FoulMode

#: Of the first form of what a card carries: the lists below may only grow at their ends.
_TAG: Final = "c1"
PROTOCOLS: Final = ALL_PROTOCOLS
MODES: Final = tuple(FoulMode)
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
#: The pages: what is chosen there.
_PAGES: Final = "molpfbc"
GO: Final = "g"
PUT_AWAY: Final = "x"
_WIDE: Final = 2


@dataclass(frozen=True, slots=True)
class Card:
    """The choices as they stand."""

    asker: str
    """The account that wrote ``/newgame``, by number."""
    level: int = 0
    """The engine's level; 0 for whoever joins."""
    protocol: int = 0
    mode: int = 0
    begins: int = 0
    clock: int = 0
    page: str = "m"

    @property
    def typed(self) -> str:
        """The same as words after ``/newgame``."""
        opponent = f"engine {self.level}" if self.level else "friend"
        words = [opponent, PROTOCOLS[self.protocol], MODES[self.mode].value, newgame.BEGINS[self.begins]]
        return " ".join(words if not self.clock else [*words, CLOCKS[self.clock]])

    @property
    def state(self) -> str:
        """The choices in five characters."""
        return "".join(_DIGITS[at] for at in (self.level, self.protocol, self.mode, self.begins, self.clock))

    @property
    def wire(self) -> str:
        """What a button that leads here carries."""
        return f"{_TAG}:{self.asker}:{self.state}:{self.page}"


def read(wire: str) -> Card | None:
    """The card that a button leads to; ``None`` for any other button."""
    parts = wire.split(":")
    if len(parts) != 4 or parts[0] != _TAG or not (parts[1].isascii() and parts[1].isdecimal()):
        return None
    return with_state(Card(parts[1], page=parts[3]), parts[2]) if parts[3] in (*_PAGES, GO, PUT_AWAY) else None


def with_state(card: Card, state: str) -> Card | None:
    """The card with choices that were kept; ``None``: they cannot be read (any more)."""
    if len(state) != 5 or any(digit not in _DIGITS for digit in state):
        return None
    chosen = [_DIGITS.index(digit) for digit in state]
    most = (newgame.LEVELS[-1] + 1, len(PROTOCOLS), len(MODES), len(newgame.BEGINS), len(CLOCKS))
    if any(at >= end for at, end in zip(chosen, most, strict=True)):
        return None
    level, protocol, mode, begins, clock = chosen
    return replace(card, level=level, protocol=protocol, mode=mode, begins=begins, clock=clock)


def of(asker: str, wanted: Wanted, *, private: bool) -> Card | None:
    """The card that says the same as words after ``/newgame``; ``None``: they say something that no card can."""
    if wanted.options or wanted.clock not in CLOCKS or wanted.wait:
        return None
    level = wanted.level or (0 if wanted.opponent_said or not private else newgame.DEFAULT_LEVEL)
    return Card(
        asker,
        level=level,
        protocol=PROTOCOLS.index(wanted.protocol),
        mode=MODES.index(wanted.foul_mode),
        begins=newgame.BEGINS.index(wanted.begins),
        clock=CLOCKS.index(wanted.clock),
    )


def text(words: Words, card: Card) -> str:
    """What stands over the buttons."""
    return words.say(
        "A new game: choose, then press Start. In one line this is: {typed}", typed=Phrase(f"/newgame {card.typed}")
    )


def keyboard(words: Words, card: Card) -> InlineKeyboardMarkup:
    """The page of the card."""
    if card.page == "m":
        return InlineKeyboardMarkup([[button] for button in _main(words, card)] + [_end(words, card)])
    options = [
        InlineKeyboardButton(f"✓ {label}" if now else label, callback_data=replace(to, page="m").wire)
        for label, to, now in _options(words, card)
    ]
    rows = [options[at : at + _WIDE] for at in range(0, len(options), _WIDE)]
    return InlineKeyboardMarkup([*rows, [InlineKeyboardButton(words.say("Back"), callback_data=_to(card, "m"))]])


def _main(words: Words, card: Card) -> list[InlineKeyboardButton]:
    say = words.say
    shown = [("o", say("Opponent: {choice}", choice=Phrase(_opponent(words, card))))]
    if card.level:
        shown.append(("l", say("Level: {choice}", choice=Phrase(_level(words, card.level)))))
    shown += [
        ("p", say("Opening: {choice}", choice=Phrase(protocol_name(words, PROTOCOLS[card.protocol])))),
        ("f", say("Forbidden move: {choice}", choice=Phrase(fouls_name(words, MODES[card.mode])))),
        ("b", say("Colours: {choice}", choice=Phrase(begins_name(words, newgame.BEGINS[card.begins])))),
        ("c", say("Clock: {choice}", choice=Phrase(clock_name(words, CLOCKS[card.clock])))),
    ]
    return [InlineKeyboardButton(label, callback_data=_to(card, page)) for page, label in shown]


def _end(words: Words, card: Card) -> list[InlineKeyboardButton]:
    return [
        InlineKeyboardButton(words.say("Start"), callback_data=_to(card, GO), style="success"),
        InlineKeyboardButton(words.say("Put away"), callback_data=_to(card, PUT_AWAY)),
    ]


def _options(words: Words, card: Card) -> list[tuple[str, Card, bool]]:
    """The choices of a page: the label, the card after it, and whether it is so already."""
    match card.page:
        case "o":
            level = card.level or newgame.DEFAULT_LEVEL
            both = (replace(card, level=0), replace(card, level=level))
            return [(_opponent(words, one), one, one == card) for one in both]
        case "l":
            return [(_level(words, at), replace(card, level=at), card.level == at) for at in newgame.LEVELS]
        case "p":
            return [
                (protocol_name(words, name), replace(card, protocol=at), card.protocol == at)
                for at, name in enumerate(PROTOCOLS)
            ]
        case "f":
            return [(fouls_name(words, mode), replace(card, mode=at), card.mode == at) for at, mode in enumerate(MODES)]
        case "b":
            return [
                (begins_name(words, name), replace(card, begins=at), card.begins == at)
                for at, name in enumerate(newgame.BEGINS)
            ]
        case _:
            return [
                (clock_name(words, clock), replace(card, clock=at), card.clock == at) for at, clock in enumerate(CLOCKS)
            ]


def _opponent(words: Words, card: Card) -> str:
    return words.say("the engine") if card.level else words.say("whoever joins")


def _level(words: Words, level: int) -> str:
    return f"{level} {level_name(words, level)}"


def _to(card: Card, page: str) -> str:
    return replace(card, page=page).wire
