"""The catalogues: ``.po`` files beside this module, read at the start; and which language somebody gets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from bot.words.values import Phrase, Value, shown

FOLDER: Final = Path(__file__).parent

#: Every language by its code, with its own name for itself. English is the language of the sources.
LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "zh_Hans": "简体中文"}


class Words:
    """One language. Get it from :func:`words`."""

    def __init__(self, language: str, translations: NullTranslations) -> None:
        self.language = language
        self._translations = translations
        self._plain: dict[str, str] = {}
        """The sentences without gaps that have been said: as many as the sources have, at most."""

    def say(self, msgid: str, /, **values: Value) -> str:
        """The sentence in this language; English where the catalogue has none.

        ``msgid`` is a literal. A ``str`` among the values is foreign text and made harmless; our own is a ``Phrase``.
        """
        if values:
            return _filled(self._translations.gettext(msgid), values)
        said = self._plain.get(msgid)
        if said is None:
            said = self._plain[msgid] = _filled(self._translations.gettext(msgid), {})
        return said

    def count(self, singular: str, plural: str, n: int, /, **values: Value) -> str:
        """The sentence in the plural form that ``n`` needs; ``n`` itself can be used in it as ``{n}``."""
        return _filled(self._translations.ngettext(singular, plural, n), {"n": n, **values})

    def listed(self, items: Iterable[str]) -> Phrase:
        """Short texts of our own, such as points, as a list: a value for a sentence."""
        return Phrase(self._translations.gettext(", ").join(items))


def _filled(sentence: str, values: Mapping[str, Value]) -> str:
    return sentence.format_map({name: shown(value) for name, value in values.items()})


@cache
def words(language: str) -> Words:
    """The words of a language of :data:`LANGUAGES`; English for any other code."""
    if language not in LANGUAGES or language == "en":
        return Words("en", NullTranslations())
    compiled = BytesIO()
    with (FOLDER / f"{language}.po").open("rb") as file:
        write_mo(compiled, read_po(file, locale=language, abort_invalid=True))
    compiled.seek(0)
    return Words(language, GNUTranslations(compiled))


_WISH: Final = re.compile(r"\s*([A-Za-z]{1,8})(?:[-_][A-Za-z0-9]{1,8})*\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?")


def pick(wishes: str | None) -> str:
    """The language for a client that says ``zh-CN``, ``en_GB`` or a whole Accept-Language list; English otherwise.

    All of Chinese gets simplified characters: closer to what was asked for than English.
    """
    best, weight = "en", 0.0
    for wish in (wishes or "").split(","):
        match = _WISH.fullmatch(wish)
        if match is None:
            continue
        wanted = {"en": "en", "zh": "zh_Hans"}.get(match[1].lower())
        quality = float(match[2]) if match[2] else 1.0
        if wanted is not None and quality > weight:
            best, weight = wanted, quality
    return best
