"""``sakata`` and ``super_sakata``: P1 puts three stones, P2 two more, and P1 chooses a colour."""

from __future__ import annotations

from core.action import Act
from core.openings.protocol import DONE, Phase, Protocol, Who, opening

#: P2's two stones, one by one or both at once.
_FOUR_AND_FIVE = (
    Phase("M4", Who.P2, {Act.PLACE: "M5", Act.ADD: "Q5"}, area=7, next_area=9),
    Phase("M5", Who.P2, {Act.PLACE: "Q5"}, area=9),
)


def sakata() -> Protocol:
    """The table of ``sakata``."""
    return Protocol("sakata", (*opening("M4"), *_FOUR_AND_FIVE, Phase("Q5", Who.P1, {Act.COLOUR: DONE})))


def super_sakata() -> Protocol:
    """Whoever is to choose may add two stones instead and leave the choice to the other: three times at most."""
    return Protocol(
        "super_sakata",
        (
            *opening("M4"),
            *_FOUR_AND_FIVE,
            Phase("Q5", Who.P1, {Act.COLOUR: DONE, Act.ADD: "Q7"}),
            Phase("Q7", Who.P2, {Act.COLOUR: DONE, Act.ADD: "Q9"}),
            Phase("Q9", Who.P1, {Act.COLOUR: DONE, Act.ADD: "Q11"}),
            Phase("Q11", Who.P2, {Act.COLOUR: DONE}),
        ),
    )
