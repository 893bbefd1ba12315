"""The picture that goes with the rules: the three kinds of forbidden moves on one board."""

from __future__ import annotations

from typing import Final

from bot.scene import BoardPicture
from bot.words import Words
from bot.words.values import Phrase
from core.notation import Colour, label, point

#: Where Black may not play, and the stones that forbid it.
OVERLINE: Final = point("e13")
DOUBLE_FOUR: Final = point("e8")
DOUBLE_THREE: Final = point("k5")
_STONES: Final = "b13 c13 d13 f13 g13 b8 c8 d8 e5 e6 e7 j5 l5 k4 k6"


def forbidden_shapes(words: Words, *, style: str = "wood") -> tuple[str, BoardPicture]:
    """What the picture shows, and the picture: black stones and the three crossed points."""
    text = words.say(
        "What Black may not play: at {one} an overline, at {two} a double-four, at {three} a double-three.",
        one=Phrase(label(OVERLINE)),
        two=Phrase(label(DOUBLE_FOUR)),
        three=Phrase(label(DOUBLE_THREE)),
    )
    stones = tuple((point(name), Colour.BLACK) for name in _STONES.split())
    crossed = (OVERLINE, DOUBLE_FOUR, DOUBLE_THREE)
    return text, BoardPicture(stones=stones, forbidden=crossed, style=style)
