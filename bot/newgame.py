"""The words after ``newgame``, in any order: who plays, by which protocol and rules, on which clock, who begins.

Options of the rules are written as the design names them: ``no_pass``, ``k_max=8``, ``exclude=D4,I7``. A clock is
written as :mod:`core.clock` reads it: ``20m+60s``, ``fischer:10m+5s``, ``3d``, ``idle:7d``.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, Final

from core.clock import DAY, HOUR, MINUTE, TOURNAMENT, UNHURRIED
from core.game import ALL_PROTOCOLS, Draw, FoulMode, Settings, only_for
from core.openings.names import OPENINGS, find, nearest

LEVELS: Final = range(1, 11)
#: One that most people can beat after a few games.
DEFAULT_LEVEL: Final = 3
#: The levels' names as words, from the first on.
LEVEL_WORDS: Final = (
    ("first_week", "初学"),
    ("first_month", "入门"),
    ("casual", "休闲"),
    ("keen", "爱好者"),
    ("club_player", "club", "棋友"),
    ("strong", "好手"),
    ("sharp", "强手"),
    ("expert", "高手"),
    ("master", "大师"),
    ("full_strength", "全力"),
)
#: How the colours can be settled.
BEGINS: Final = ("guess", "random", "black", "white", "parity_cn", "parity_jp")
#: For how long somebody can join, unless something else was said, in milliseconds; and the least and the most.
WAIT: Final = 3 * DAY
LEAST_WAIT: Final = MINUTE
MOST_WAIT: Final = 14 * DAY
#: Options that are on when they are named.
FLAGS: Final = ("free_first", "no_offbook", "exact_five", "black_exact_five", "no_pass", "rated")
#: Options that have a number.
NUMBERS: Final = ("k_max", "wrong_claims", "five_offers")
#: Options that have one of a few values.
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "move2_by": ("black", "white"),
    "overline_claim": ("any_time", "immediate"),
    "wrong_claim": ("free", "lose_turn"),
    "symmetry": ("local", "board"),
}
#: For the list of what can be written: each option that has a value, with one.
EXAMPLES: Final = (
    "move2_by=white",
    "k_max=8",
    "opening=D4",
    "five_offers",
    "exclude=D4,I7",
    "overline_claim=immediate",
    "wrong_claim=lose_turn",
    "wrong_claims=5",
    "symmetry=board",
    "20m+60s",
    "fischer:10m+5s",
    "3d",
    "idle:7d",
    "wait=2h",
)

#: Other words for the same things, as players of other languages and other sites type them.
_ALIASES: Final[Mapping[str, str]] = {
    "ai": "engine",
    "bot": "engine",
    "computer": "engine",
    "引擎": "engine",
    "电脑": "engine",
    "人机": "engine",
    **{word: str(level) for level, row in enumerate(LEVEL_WORDS, start=1) for word in row},
    "朋友": "friend",
    "好友": "friend",
    "猜先": "guess",
    "猜单双": "guess",
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
    "自由开局": "free",
    "国际规则": "rif",
    "五手两打": "rif",
    "山口": "yamaguchi",
    "soosyrv": "soosyrv_8",
    "soosorv": "soosyrv_8",  # Soosõrv, as it is written in Estonian
    "soosorv8": "soosyrv_8",
    "soosorv4": "soosyrv_4",
    "索索夫": "soosyrv_8",
    "索索夫8": "soosyrv_8",
    "索索夫4": "soosyrv_4",
    "塔拉尼科夫": "tarannikov",
    "taranikov": "tarannikov",
    "taraguchi": "taraguchi_10",
    "塔拉山口": "taraguchi_10",
    "塔拉山口10": "taraguchi_10",
    "塔拉山口5": "taraguchi_5",
    "坂田": "sakata",
    "超级坂田": "super_sakata",
    "指定": "designated",
    "指定开局": "designated",
    "指定打法": "designated",
    "交换": "swap",
    "交换2": "swap2",
    "职业开局": "pro",
    "长职业开局": "long_pro",
    "首手任意": "free_first",
    "禁下妖刀": "no_offbook",
    "不许弃权": "no_pass",
    "恰五": "exact_five",
    "黑恰五": "black_exact_five",
    "计分": "rated",
    "tournament": str(TOURNAMENT),
    "noclock": str(UNHURRIED),
    "不计时": str(UNHURRIED),
}
_CLOCK: Final = re.compile(r"(?:(?:fischer|idle):)?\d+[smhd](?:\+\d+[smhd])?")
_WAIT: Final = re.compile(r"(\d{1,5})([mhd])")
_UNITS: Final = {"m": MINUTE, "h": HOUR, "d": DAY}
#: Spans and levels as they are written in Chinese.
_CHINESE: Final = (
    (re.compile(r"(?<=\d)(?:分钟|分)"), "m"),
    (re.compile(r"(?<=\d)(?:秒钟|秒)"), "s"),
    (re.compile(r"(?<=\d)(?:个小时|小时|时)"), "h"),
    (re.compile(r"(?<=\d)(?:天|日)"), "d"),
    (re.compile(r"^(?:等级|级别|引擎|电脑)?(\d{1,2})级?$"), r"\1"),
    (re.compile(r"^等待(?=[=:])"), "wait"),
)
_YES: Final = ("yes", "true", "on", "1")
_NO: Final = ("no", "false", "off", "0")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A game as somebody asked for it."""

    level: int | None = None
    """The engine's level; ``None`` for a person as the opponent."""
    opponent_said: bool = False
    """Whether ``engine`` or ``friend`` was said at all."""
    protocol: str = "free"
    foul_mode: FoulMode = FoulMode.CLAIM
    begins: str = "guess"
    """One of :data:`BEGINS`; ``black`` and ``white`` are the opener's colour."""
    clock: str = str(UNHURRIED)
    wait: int = 0
    """For how long somebody can join, in milliseconds; 0: nothing was said."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options that were said, by the names of :class:`core.game.Settings`."""

    @property
    def lacks_opening(self) -> bool:
        """Whether ``designated`` was said without saying which opening."""
        return self.protocol == "designated" and "opening" not in self.options

    def settings(self, opener: int) -> Settings:
        """The agreement of a table whose opener sits on seat ``opener``. Raises ``SettingsError``."""
        draw, first, hidden = Draw.FIXED, opener, 0
        match self.begins:
            case "white":
                first = 1 - opener
            case "random":
                draw, first = Draw.RANDOM, secrets.randbelow(2)
            case "guess":
                draw, first, hidden = Draw.GUESS, 0, 1 + secrets.randbelow(20)
            case "parity_cn" | "parity_jp":
                draw = Draw(self.begins)
        only_for(self.protocol, *(option for option, value in self.options.items() if option not in FLAGS or value))
        return Settings(
            protocol=self.protocol,
            foul_mode=self.foul_mode,
            draw=draw,
            first=1 if first else 0,
            hidden=hidden,
            clock=self.clock,
            **self.options,
        )


#: Full-width forms and the Chinese comma, as Chinese keyboards write them.
_NARROW: Final = {0xFF01 + offset: 0x21 + offset for offset in range(94)} | {0x3000: " ", ord("、"): ","}


def narrow(text: str) -> str:
    """The text with the letters, digits and signs of Chinese keyboards in the width of others."""
    return text.translate(_NARROW)


class UnknownWord(ValueError):
    """A word that names nothing; ``word`` repeats it, ``near`` are words that look like it, the likeliest first."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word
        self.near = _near(word)


class BadValue(ValueError):
    """An option with a value that it cannot have; ``choices`` are those that it can: empty for a number."""

    def __init__(self, option: str, value: str, choices: tuple[str, ...] = ()) -> None:
        super().__init__(f"{option}={value}")
        self.option = option
        self.value = value
        self.choices = choices


def known_words() -> tuple[str, ...]:
    """Every word that is understood, in the order they are listed to people; examples of those that have values."""
    return (
        "engine",
        "friend",
        *(f"{level}" for level in LEVELS),
        *ALL_PROTOCOLS,
        *FoulMode,
        *BEGINS,
        *FLAGS,
        *EXAMPLES,
    )


def protocol(typed: str) -> str | None:
    """The protocol that is called ``typed``; ``None``: no such one."""
    meant = _KNOWN.get(_key(typed))
    return meant if meant in ALL_PROTOCOLS else None


def nearest_protocols(typed: str) -> tuple[str, ...]:
    """Protocols whose name looks like ``typed``, the likeliest first."""
    return tuple(word for word in _near(typed) if word in ALL_PROTOCOLS)


def read(typed: str) -> Wanted:
    """What ``typed`` asks for. Raises :class:`UnknownWord` for the first word that names nothing, :class:`BadValue`."""
    wanted = Wanted()
    words = typed.split()
    at = 0
    while at < len(words):
        used, wanted = _next(words, at, wanted)
        at += used
    return wanted


def _next(words: list[str], at: int, wanted: Wanted) -> tuple[int, Wanted]:
    """What the next words ask for, and how many they are: the name of an opening may have two."""
    written = words[at]
    plain = narrow(written).casefold()
    for pattern, meant in _CHINESE:
        plain = pattern.sub(meant, plain)
    if plain.startswith("wait:"):  # as one writes idle:3d
        plain = plain.replace(":", "=", 1)
    named, equals, value = plain.partition("=")
    if equals:
        return 1, _with_value(wanted, written, named, value)
    meant = _KNOWN.get(_key(plain), plain)
    opening_wanted = at > 0 and _KNOWN.get(_key(words[at - 1])) == "designated"
    if meant in _SAY and not opening_wanted:
        return 1, _SAY[meant](wanted)
    if opening_wanted or not _CLOCK.fullmatch(meant):
        for length in (3, 2, 1):
            opening = find(" ".join(words[at : at + length])) if at + length <= len(words) else None
            if opening is not None:
                return length, _option(wanted, "opening", opening.code)
    if meant in _SAY:
        return 1, _SAY[meant](wanted)
    if _CLOCK.fullmatch(meant):
        return 1, replace(wanted, clock=meant)
    raise UnknownWord(written)


def _with_value(wanted: Wanted, written: str, named: str, value: str) -> Wanted:
    option = _OPTIONS.get(_key(named))
    if option is None:
        raise UnknownWord(written)
    if option in FLAGS:
        if value not in (*_YES, *_NO):
            raise BadValue(option, value, ("yes", "no"))
        return _option(wanted, option, value in _YES)
    if option in NUMBERS:
        if not value.isascii() or not value.isdecimal() or len(value) > 4:
            raise BadValue(option, value)
        return _option(wanted, option, int(value))
    if option in CHOICES:
        chosen = next((choice for choice in CHOICES[option] if _key(choice) == _key(value)), None)
        if chosen is None:
            raise BadValue(option, value, CHOICES[option])
        return _option(wanted, option, chosen)
    if option == "exclude":
        codes = tuple(part for part in re.split(r"[,;]", value.strip("[]")) if part)
        return _option(wanted, option, (*wanted.options.get(option, ()), *codes))
    if option == "wait":
        return replace(wanted, wait=_wait(value))
    if option == "clock":
        return replace(wanted, clock=_ALIASES.get(value, value))
    return _option(wanted, option, value)


def span(written: str) -> int:
    """``2h`` in milliseconds; 0 for what cannot be read."""
    match = _WAIT.fullmatch(written)
    return int(match[1]) * _UNITS[match[2]] if match is not None else 0


def _wait(written: str) -> int:
    """For how long somebody can join. Raises :class:`BadValue`."""
    wait = span(written)
    if not LEAST_WAIT <= wait <= MOST_WAIT:
        raise BadValue("wait", written)
    return wait


def _option(wanted: Wanted, name: str, value: object) -> Wanted:
    return replace(wanted, options={**wanted.options, name: value})


def _says() -> Iterator[tuple[str, Callable[[Wanted], Wanted]]]:
    """What each word does that stands alone."""
    yield "engine", lambda wanted: replace(wanted, level=wanted.level or DEFAULT_LEVEL, opponent_said=True)
    yield "friend", lambda wanted: replace(wanted, level=None, opponent_said=True)
    for level in LEVELS:
        yield str(level), lambda wanted, level=level: replace(wanted, level=level, opponent_said=True)  # type: ignore[misc]
    for name in ALL_PROTOCOLS:
        yield name, lambda wanted, name=name: replace(wanted, protocol=name)  # type: ignore[misc]
    for mode in FoulMode:
        yield mode.value, lambda wanted, mode=mode: replace(wanted, foul_mode=mode)  # type: ignore[misc]
    for begins in BEGINS:
        yield begins, lambda wanted, begins=begins: replace(wanted, begins=begins)  # type: ignore[misc]
    for flag in (*FLAGS, "five_offers"):
        yield flag, lambda wanted, flag=flag: _option(wanted, flag, True)  # type: ignore[misc]


def _key(text: str) -> str:
    """A word without what spellings differ in: case, width, accents, and hyphens and underscores within it."""
    plain = unicodedata.normalize("NFD", narrow(text).casefold())
    return plain[:1] + "".join(c for c in plain[1:] if c not in "-_ " and not unicodedata.combining(c))


_SAY: Final = dict(_says())
_OPTIONS: Final = {_key(name): name for name in (*FLAGS, *NUMBERS, *CHOICES, "exclude", "opening", "clock", "wait")}
#: Every word that stands alone, in every spelling, and what is meant by it.
_KNOWN: Final = {_key(word): word for word in _SAY} | {_key(other): word for other, word in _ALIASES.items()}


def _near(word: str) -> tuple[str, ...]:
    """Words that look like one that names nothing: at most three, and openings, the likeliest first."""
    named, equals, _ = word.partition("=")
    if equals:
        close = get_close_matches(_key(named[:40]), _OPTIONS, n=3, cutoff=0.5)
        return tuple(f"{_OPTIONS[key]}=" for key in close)
    close = get_close_matches(_key(word[:40]), _KNOWN, n=4, cutoff=0.6)
    found = tuple(dict.fromkeys(_KNOWN[key] for key in close))[:3]
    return found or tuple(opening.code for opening in nearest(word))


def with_opening(typed: str) -> tuple[str, ...]:
    """What to type for each of the 26 openings, where ``designated`` was said without one; D1 first."""
    return tuple(f"{typed.strip()} opening={opening.code}" for opening in OPENINGS)
