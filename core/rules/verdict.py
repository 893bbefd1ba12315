"""What a black stone would be judged as."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Verdict(IntEnum):
    """The outcome of section 4 for one black stone, in the order in which the rules ask."""

    LEGAL = 0  #: an ordinary stone (R4 step 5)
    FIVE = 1  #: exactly five in a row: Black has won, whatever else the stone makes (R4 step 1)
    OVERLINE = 2  #: six or more in a row (R4 step 2)
    DOUBLE_FOUR = 3  #: two or more different fours through the stone (R4 step 3)
    DOUBLE_THREE = 4  #: threes through the stone on two or more lines (R4 step 4)

    @property
    def forbidden(self) -> bool:
        """Whether Black may not put this stone."""
        return self >= Verdict.OVERLINE

    @property
    def kind(self) -> str:
        """``"legal"``, ``"five"``, ``"overline"``, ``"double-four"`` or ``"double-three"``, as machines write it."""
        return _KINDS[self]


_KINDS: Final = ("legal", "five", "overline", "double-four", "double-three")
