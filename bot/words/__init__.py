"""The one door to words for people: gettext catalogues, chosen by language.

``words("zh_Hans").say("Move {number}: Black {point}.", number=5, point="H8")``. The English sentence is the key, always
a literal, so that ``tools/catalogue.py`` finds it. A sentence is never built from pieces: values are numbers, names,
points and lists. Names and typed texts are hostile; see :mod:`bot.words.values`.
"""

from bot.words.catalogue import LANGUAGES, Words, pick, words
from bot.words.refusals import explain
from bot.words.values import Phrase, Value, cut

__all__ = ["LANGUAGES", "Phrase", "Value", "Words", "cut", "explain", "pick", "words"]
