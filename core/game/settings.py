"""What is agreed before a game: protocol, foul mode, how colours are drawn, and the options of the rules."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal, TypeAlias

import msgspec

from core.openings.free import free
from core.openings.protocol import Protocol
from core.openings.rif import rif

Seat: TypeAlias = Literal[0, 1]
"""0 is who opened the table, 1 who joined it. Which of them is P1 (tentative Black) is settled by the draw."""


class FoulMode(StrEnum):
    """What happens on a forbidden point (rules section 6)."""

    CLAIM = "claim"  # the stone may be put; White must claim it
    AUTO_LOSS = "auto_loss"  # it loses at once
    BLOCKED = "blocked"  # the point is refused
    FREESTYLE = "freestyle"  # no forbidden moves


class Draw(StrEnum):
    """How it is settled who is P1 (R2.2)."""

    GUESS = "guess"  # seat 1 guesses whether the hidden number of stones is odd or even
    RANDOM = "random"  # by lot, when the table is made
    FIXED = "fixed"  # by agreement


#: The protocols that can be chosen now, in the order they are shown.
PROTOCOLS: Final = ("free", "rif")


class SettingsError(ValueError):
    """Settings that contradict themselves or name something unknown. ``word`` is the culprit."""

    def __init__(self, text: str, word: str) -> None:
        super().__init__(text)
        self.word = word


class Settings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The agreement. Every default is what a player gets who chooses nothing (rules section 13)."""

    protocol: str = "free"
    foul_mode: FoulMode = FoulMode.CLAIM
    draw: Draw = Draw.FIXED
    first: Seat = 0
    """The seat that is P1, where the draw is RANDOM (already drawn) or FIXED."""
    hidden: int = 0
    """The number of stones hidden for GUESS; a secret until the guess."""
    rated: bool = False
    free_first: bool = False
    no_offbook: bool = False
    exclude: tuple[str, ...] = ()
    """Codes of openings that may not be played, e.g. ("D4", "I7") (R8.5)."""
    exact_five: bool = False
    """freestyle only: six or more wins for nobody."""
    black_exact_five: bool = False
    """freestyle only: six or more wins for White only."""
    no_pass: bool = False
    overline_claim: Literal["any_time", "immediate"] = "any_time"
    wrong_claim: Literal["free", "lose_turn"] = "free"
    wrong_claims: int = 3
    """How many wrong claims White has in a game."""
    symmetry: Literal["local", "board"] = "local"
    """When two fifth moves count as the same (rules section 10)."""

    def __post_init__(self) -> None:
        if self.protocol not in PROTOCOLS:
            raise SettingsError(f"unknown protocol {self.protocol!r}; there are: {', '.join(PROTOCOLS)}", self.protocol)
        if self.foul_mode is not FoulMode.FREESTYLE and (self.exact_five or self.black_exact_five):
            raise SettingsError("exact_five and black_exact_five belong to freestyle", "exact_five")
        if not 0 <= self.wrong_claims <= 225:
            raise SettingsError("wrong_claims is a number from 0 to 225", "wrong_claims")

    def table(self) -> Protocol:
        """The protocol's table of phases under these options."""
        if self.protocol == "rif":
            return rif()
        return free(free_first=self.free_first, no_offbook=self.no_offbook)

    @property
    def fouls(self) -> bool:
        """Whether forbidden moves exist in this game."""
        return self.foul_mode is not FoulMode.FREESTYLE

    @property
    def secret(self) -> bool:
        """Whether rule R6.1 keeps verdicts secret while the game runs."""
        return self.foul_mode in (FoulMode.CLAIM, FoulMode.AUTO_LOSS)

    def black_needs_exactly_five(self) -> bool:
        """Whether six in a row does not win for Black."""
        return self.fouls or self.exact_five or self.black_exact_five

    def white_needs_exactly_five(self) -> bool:
        """Whether six in a row does not win for White (R4.5: it does, except under ``exact_five``)."""
        return self.exact_five
