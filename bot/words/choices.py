"""What the usual choices for a new game are called, for menus and cards."""

from __future__ import annotations

from typing import Final

from bot.words.catalogue import Words
from bot.words.levels import level_name
from bot.words.values import Phrase
from core.clock import UNHURRIED
from core.game import FoulMode

#: The clocks that are offered, as they are typed; all others can be written.
CLOCKS: Final = (str(UNHURRIED), "5m+30s", "20m+60s", "fischer:5m+5s", "fischer:15m+10s", "1d", "3d", "7d")

#: For how long somebody can join a game, as it is chosen for a chat; other times can be written.
WAITS: Final = ("1h", "1d", "3d", "14d")


def wait_name(words: Words, wait: str) -> str:
    """One of :data:`WAITS`. Raises ``KeyError`` for any other."""
    return {
        "1h": words.say("1 hour"),
        "1d": words.say("1 day"),
        "3d": words.say("3 days"),
        "14d": words.say("14 days"),
    }[wait]


def opponent_name(words: Words, opponent: str) -> str:
    """Who plays: ``friend``, ``engine``, or a level of the engine."""
    match opponent:
        case "friend":
            return words.say("whoever joins")
        case "engine":
            return words.say("the engine")
        case _:
            name = Phrase(level_name(words, int(opponent)))
            return words.say("the engine, level {level}: {name}", level=int(opponent), name=name)


def begins_name(words: Words, begins: str) -> str:
    """How the colours are settled: one of ``bot.newgame.BEGINS``. Raises ``KeyError`` for any other."""
    names = {
        "guess": words.say("a guess of odd or even"),
        "random": words.say("by lot"),
        "black": words.say("I play Black"),
        "white": words.say("I play White"),
        "parity_cn": words.say("hidden stones, Chinese"),
        "parity_jp": words.say("hidden stones, Japanese"),
    }
    return names[begins]


def fouls_name(words: Words, mode: FoulMode) -> str:
    """What happens when Black plays a forbidden move."""
    match mode:
        case FoulMode.CLAIM:
            return words.say("White must claim it")
        case FoulMode.AUTO_LOSS:
            return words.say("it loses at once")
        case FoulMode.BLOCKED:
            return words.say("it cannot be played")
        case FoulMode.FREESTYLE:
            return words.say("there are no forbidden moves")


def clock_name(words: Words, clock: str) -> str:
    """A clock as it is typed; the usual one by what it means."""
    return words.say("no clock") if clock == str(UNHURRIED) else clock
