"""What is said when the words after ``newgame`` are not understood."""

from __future__ import annotations

from bot.newgame import LEVELS, BadValue, UnknownWord, known_words
from bot.words.catalogue import Words
from bot.words.values import Phrase


def misunderstood(words: Words, error: UnknownWord | BadValue) -> str:
    """What was wrong, the nearest choices first, then all of them."""
    match error:
        case UnknownWord(near=()):
            return words.say("I do not know the word “{word}”. You can use: {list}.", word=error.word, list=_all(words))
        case UnknownWord():
            return words.say(
                "I do not know the word “{word}”. Did you mean {near}? You can use: {list}.",
                word=error.word,
                near=words.listed(error.near),
                list=_all(words),
            )
        case BadValue(option="wait"):
            return words.say("For how long somebody can join is written wait=30m, wait=2h or wait=3d: at most 14 days.")
        case BadValue(choices=()):
            return words.say("The option {option} needs a number, such as {option}=5.", option=Phrase(error.option))
        case BadValue():
            return words.say(
                "The option {option} cannot be “{value}”. It can be: {list}.",
                option=Phrase(error.option),
                value=error.value,
                list=words.listed(error.choices),
            )


def _all(words: Words) -> Phrase:
    """Every word that can be used, the levels of the engine in one."""
    levels = [str(level) for level in LEVELS]
    listed = [word for word in known_words() if word not in levels]
    return words.listed([f"{levels[0]}–{levels[-1]}", *listed])
