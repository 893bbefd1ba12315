"""What may stand in the gaps of a sentence, and how foreign text is made harmless there (promise 9)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

#: How many user-perceived characters of a foreign text are shown.
LIMIT: Final = 32

_FIRST_STRONG_ISOLATE: Final = "\N{FIRST STRONG ISOLATE}"
_POP_ISOLATE: Final = "\N{POP DIRECTIONAL ISOLATE}"
_ZERO_WIDTH_JOINER: Final = "\N{ZERO WIDTH JOINER}"
#: Characters that open or close a stretch of text with its own direction, and so could reorder the sentence around.
_REORDERING: Final = frozenset(["LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"])


#: Letters and signs that have no ink: the fillers of Hangul, and the braille pattern without dots.
_BLANK: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Text of our own as a value, e.g. a list of points or a name that has been made harmless: shown as it is."""

    text: str


#: A value in a sentence. A ``str`` is taken for foreign: a name, or something that was typed.
Value: TypeAlias = int | str | Phrase


def shown(value: Value) -> str:
    """The text of a value. Foreign text is cut, loses control characters, and cannot turn the sentence around."""
    match value:
        case Phrase(text):
            return text
        case str():
            return harmless(value)
        case _:
            return str(value)


@lru_cache(4096)  # the same names are shown with every move
def harmless(text: str, limit: int = LIMIT) -> str:
    """A foreign text on one line, at most ``limit`` graphemes, isolated where it holds right-to-left letters.

    Nothing else is changed: whoever shows it escapes it for its own medium.
    """
    clean = cut(" ".join("".join(map(_visible, text)).split()), limit)
    if not any(map(_inked, clean)):
        clean = "?"
    if all(unicodedata.bidirectional(character) not in ("R", "AL", "AN") for character in clean):
        return clean
    return f"{_FIRST_STRONG_ISOLATE}{clean}{_POP_ISOLATE}"


def _visible(character: str) -> str:
    """The character; a space for one that breaks the line, nothing for one that steers a terminal or the direction."""
    if unicodedata.bidirectional(character) in _REORDERING:
        return ""
    match unicodedata.category(character):
        case "Zl" | "Zp":
            return " "
        case "Cc":
            return " " if character.isspace() else ""
        case "Cs":
            return "\N{REPLACEMENT CHARACTER}"
        case _:
            return character


def _inked(character: str) -> bool:
    """Whether there is something to see. A name of spaces without width, or of letters that are blank, would be no name
    at all, and could be mistaken for a line without one.
    """
    return unicodedata.category(character) not in ("Cf", "Zs", "Mn", "Me") and character not in _BLANK


def cut(text: str, limit: int = LIMIT) -> str:
    """At most ``limit`` graphemes and twice as many UTF-16 units, with ``…`` for the rest.

    The second bound is for graphemes that are piled up from many characters: chats count units.
    """
    kept: list[str] = []
    units = 0
    for grapheme in graphemes(text):
        units += utf16(grapheme)
        if len(kept) == limit or units > 2 * limit:
            return "".join(kept[: limit - 1]) + "…"
        kept.append(grapheme)
    return text


def utf16(text: str) -> int:
    """The length of a text in UTF-16 units, as chats count it. A lone surrogate counts as one."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def graphemes(text: str) -> Iterator[str]:
    """The characters as a reader sees them: letters with their marks, joined emoji, pairs of regional indicators.

    The rules of UAX #29 that names need, without its tables for scripts whose letters stand alone.
    """
    cluster = ""
    for character in text:
        if cluster and not _continues(cluster, character):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster


def _continues(cluster: str, character: str) -> bool:
    if unicodedata.category(character) in ("Mn", "Me", "Mc") or character == _ZERO_WIDTH_JOINER:
        return True
    code = ord(character)
    if 0x1F3FB <= code <= 0x1F3FF or 0xE0020 <= code <= 0xE007F or 0x1160 <= code <= 0x11FF:
        return True  # skin tones, flag tags, the vowels and finals of decomposed Hangul
    if cluster.endswith(_ZERO_WIDTH_JOINER):
        return unicodedata.category(character) == "So"
    return _regional(character) and len(cluster) == 1 and _regional(cluster)


def _regional(character: str) -> bool:
    return 0x1F1E6 <= ord(character) <= 0x1F1FF
