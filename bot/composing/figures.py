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


def brief_rules(words: Words) -> str:
    """The rules in so few words that they fit under the picture."""
    say = words.say
    return "\n\n".join(
        (
            say(
                "Black begins. Five stones in a row win, along lines or diagonals; White also wins with more than five."
            ),
            say(
                "Forbidden for Black, as the crosses show: an overline, six or more in a row ({one}), a double-four "
                "({two}), a double-three ({three}). But exactly five always wins. White may do all of this.",
                one=Phrase(label(OVERLINE)),
                two=Phrase(label(DOUBLE_FOUR)),
                three=Phrase(label(DOUBLE_THREE)),
            ),
            say(
                "A four becomes five with one more stone. A three becomes a four open at both ends with one more "
                "stone, which Black must be allowed to put there."
            ),
            say(
                "claim, the usual way: Black can put such a stone, and White wins by pressing Claim before answering "
                "it; an overline can be claimed later, too. White may be wrong three times. auto_loss: it loses at "
                "once. blocked: it cannot be put. freestyle: nothing is forbidden."
            ),
            say(
                "Opening rules make the first moves fair; /rules rif explains one. Everything, also draws and clocks: "
                "/rules more. After a game /why h8 explains a point."
            ),
        )
    )
