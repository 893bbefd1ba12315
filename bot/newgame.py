"""The words after ``newgame``, in any order: who plays, by which protocol, with which foul mode, who begins."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import Final

from core.game import PROTOCOLS, Draw, FoulMode, Settings

LEVELS: Final = range(1, 11)
DEFAULT_LEVEL: Final = 5

#: Other words for the same things, as players of other languages type them.
_ALIASES: Final = {
    "ai": "engine",
    "bot": "engine",
    "computer": "engine",
    "引擎": "engine",
    "电脑": "engine",
    "人机": "engine",
    "朋友": "friend",
    "好友": "friend",
    "猜先": "guess",
    "随机": "random",
    "执黑": "black",
    "黑": "black",
    "执白": "white",
    "白": "white",
    "指出": "claim",
    "自动判负": "auto_loss",
    "禁点": "blocked",
    "无禁": "freestyle",
    "无禁手": "freestyle",
    "自由": "free",
}
OPTIONS: Final = ("free_first", "no_offbook", "no_pass", "exact_five", "black_exact_five")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A game as somebody asked for it. ``None`` means: not said."""

    level: int | None = None
    """The engine's level; ``None`` for a person as the opponent."""
    opponent_said: bool = False
    """Whether ``engine`` or ``friend`` was said at all."""
    protocol: str = "free"
    foul_mode: FoulMode = FoulMode.CLAIM
    begins: str = "guess"
    """``guess``, ``random``, or the opener's colour: ``black``, ``white``."""
    options: tuple[str, ...] = ()

    def settings(self, opener: int) -> Settings:
        """The agreement of a table whose opener sits on seat ``opener``. Raises ``SettingsError``."""
        draw, first, hidden = Draw.FIXED, opener, 0
        if self.begins == "white":
            first = 1 - opener
        elif self.begins == "random":
            draw, first = Draw.RANDOM, secrets.randbelow(2)
        elif self.begins == "guess":
            draw, first, hidden = Draw.GUESS, 0, 1 + secrets.randbelow(20)
        return Settings(
            protocol=self.protocol,
            foul_mode=self.foul_mode,
            draw=draw,
            first=1 if first else 0,
            hidden=hidden,
            free_first="free_first" in self.options,
            no_offbook="no_offbook" in self.options,
            no_pass="no_pass" in self.options,
            exact_five="exact_five" in self.options,
            black_exact_five="black_exact_five" in self.options,
        )


class UnknownWord(ValueError):
    """A word that names nothing; ``word`` repeats it."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


def known_words() -> tuple[str, ...]:
    """Every word that is understood, in the order they are listed to people."""
    return (
        "engine",
        "friend",
        *(f"{level}" for level in LEVELS),
        *PROTOCOLS,
        *(mode.value for mode in FoulMode),
        "guess",
        "random",
        "black",
        "white",
        *OPTIONS,
    )


def read(typed: str) -> Wanted:
    """What ``typed`` asks for. Raises :class:`UnknownWord` for the first word that names nothing."""
    wanted = Wanted()
    for written in typed.split():
        word = _ALIASES.get(written.lower(), written.lower())
        if word == "engine":
            wanted = replace(wanted, level=wanted.level or DEFAULT_LEVEL, opponent_said=True)
        elif word == "friend":
            wanted = replace(wanted, level=None, opponent_said=True)
        elif word.isascii() and word.isdecimal() and int(word) in LEVELS:
            wanted = replace(wanted, level=int(word), opponent_said=True)
        elif word in PROTOCOLS:
            wanted = replace(wanted, protocol=word)
        elif word in tuple(FoulMode):
            wanted = replace(wanted, foul_mode=FoulMode(word))
        elif word in ("guess", "random", "black", "white"):
            wanted = replace(wanted, begins=word)
        elif word in OPTIONS:
            wanted = replace(wanted, options=(*wanted.options, word))
        else:
            raise UnknownWord(written)
    return wanted
