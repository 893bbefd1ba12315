"""What the engine's levels are called."""

from __future__ import annotations

from bot.words.catalogue import Words


def level_name(words: Words, level: int) -> str:
    """The name of a level from 1 to 10; of the nearest one for any other number."""
    names = (
        words.say("First week"),
        words.say("First month"),
        words.say("Casual"),
        words.say("Keen"),
        words.say("Club player"),
        words.say("Strong"),
        words.say("Sharp"),
        words.say("Expert"),
        words.say("Master"),
        words.say("Full strength"),
    )
    return names[min(max(level, 1), len(names)) - 1]
