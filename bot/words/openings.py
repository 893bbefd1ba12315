"""The names of the 26 openings in the language of the reader."""

from __future__ import annotations

from bot.words.catalogue import Words
from bot.words.values import Phrase
from core.openings.names import Opening


def opening_name(words: Words, opening: Opening) -> Phrase:
    """``花月`` in Chinese; elsewhere the Japanese name in Latin letters and a gloss, as no other is agreed on."""
    if words.language == "zh_Hans":
        return Phrase(opening.zh_hans)
    return Phrase(f"{opening.romaji}, {opening.en}")
