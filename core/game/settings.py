"""What is agreed before a game: protocol, foul mode, how colours are drawn, and the options of the rules."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from enum import StrEnum
from functools import lru_cache
from typing import Final, Literal, TypeAlias

import msgspec

from core.clock import UNHURRIED, Control, ControlError, control
from core.openings.declared import soosyrv, yamaguchi
from core.openings.designated import designated
from core.openings.free import free
from core.openings.gomoku import long_pro, pro, swap2, swap_first
from core.openings.names import OPENINGS, Opening, find, nearest
from core.openings.protocol import Protocol
from core.openings.rif import rif, swap_1989
from core.openings.sakata import sakata, super_sakata
from core.openings.tarannikov import taraguchi, tarannikov

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
    PARITY_CN = "parity_cn"  # both seats hide stones; an odd difference exchanges the provisional colours
    PARITY_JP = "parity_jp"  # both seats hide stones; an even sum exchanges the provisional colours
    RANDOM = "random"  # by lot, when the table is made
    FIXED = "fixed"  # by agreement

    @property
    def by_parity(self) -> bool:
        """Whether both seats hide stones. The two ways are exact opposites."""
        return self in (Draw.PARITY_CN, Draw.PARITY_JP)

    @property
    def settles_later(self) -> bool:
        """Whether the seats have to do something before it is known who is P1."""
        return self is Draw.GUESS or self.by_parity


class SettingsError(ValueError):
    """Settings that contradict themselves or name something unknown. ``word`` is the culprit."""

    def __init__(self, text: str, word: str) -> None:
        super().__init__(text)
        self.word = word


#: The most stones that a seat may hide for the draw of colours: a handful.
MOST_HIDDEN: Final = 10

#: The most fifth moves that may ever be asked for: with the largest symmetry of section 10 there are still more than
#: 50 different ones.
_MOST_OFFERS: Final = 50


class Settings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The agreement. Every default is what a player gets who chooses nothing (rules section 13).

    Raises :class:`SettingsError` when made with an unknown name, an option that the protocol or foul mode does not
    know, or options that leave nothing to play.
    """

    protocol: str = "free"
    """One of :data:`ALL_PROTOCOLS`."""
    foul_mode: FoulMode = FoulMode.CLAIM
    draw: Draw = Draw.FIXED
    first: Seat = 0
    """The seat that is P1, where the draw is RANDOM (already drawn) or FIXED; provisionally, where it is by parity."""
    hidden: int = 0
    """The number of stones hidden for GUESS; a secret until the guess."""
    clock: str = str(UNHURRIED)
    """The time control, as ``core.clock`` writes it; kept in its shortest form."""
    rated: bool = False
    free_first: bool = False
    """``free`` only: Black begins anywhere."""
    no_offbook: bool = False
    """Moves 1 to 3 must form one of the 26 openings (R8.4), whatever else the protocol allows."""
    exclude: tuple[str, ...] = ()
    """Openings that may not be played (R8.5, R8.5a). Any name will do; kept as sorted codes, e.g. ("D4", "I7")."""
    move2_by: Literal["black", "white"] = "black"
    """``rif`` only: whether tentative Black (P1) or White (P2) puts move 2."""
    k_max: int = 12
    """``yamaguchi`` only: the most fifth moves that may be declared."""
    opening: str = ""
    """``designated`` only: which opening. Any name will do; kept as its code."""
    five_offers: bool | int = 0
    """``designated`` only: how many fifth moves Black offers; ``True`` means 2, 0 none. Kept as the number."""
    exact_five: bool = False
    """freestyle only: six or more wins for nobody."""
    black_exact_five: bool = False
    """freestyle only: six or more wins for White only."""
    no_pass: bool = False
    """Nobody may pass (but for R5.5); with ``blocked``, Black without a legal point has lost (R6.7)."""
    overline_claim: Literal["any_time", "immediate"] = "any_time"
    """Until when White may claim an overline: the end of the game (R6.3), or White's answer as for the others."""
    wrong_claim: Literal["free", "lose_turn"] = "free"
    """What a wrong claim costs beside being counted: nothing, or White's turn (R6.5, R6.5a)."""
    wrong_claims: int = 3
    """How many wrong claims White has in a game; after the last every claim, right or wrong, is refused (R6.5a).

    0 means what it says: every claim is refused from the start.
    """
    symmetry: Literal["local", "board"] = "local"
    """When two fifth moves count as the same (rules section 10)."""

    def __post_init__(self) -> None:
        _known_protocol(self.protocol)
        self._only_where_it_means_something()
        _within("wrong_claims", self.wrong_claims, 0, 225)
        _within("hidden", self.hidden, 0, 225)
        _within("k_max", self.k_max, 1, _MOST_OFFERS)
        offers = 2 if self.five_offers is True else int(self.five_offers)
        _within("five_offers", offers, 0, _MOST_OFFERS)
        excluded = sorted({_opening(text) for text in self.exclude}, key=OPENINGS.index)
        if excluded:
            gone = {*(opening.code for opening in excluded), *_TABLES[self.protocol](self).exclude}
            for family in (True, False):
                if all(opening.code in gone for opening in OPENINGS if opening.direct is family):
                    text = "exclude must leave at least one direct and one indirect opening"
                    raise SettingsError(text, self.exclude[0])
        codes = tuple(opening.code for opening in excluded)
        opening = _opening(self.opening).code if self.opening else ""
        if opening in codes:
            raise SettingsError(f"{opening} is both the opening and excluded", opening)
        try:
            clock = str(control(self.clock))
        except ControlError as error:
            raise SettingsError(str(error), "clock") from error
        derived = (("five_offers", offers), ("exclude", codes), ("opening", opening), ("clock", clock))
        for field, value in derived:
            if value != getattr(self, field):  # a default left alone stays out of the saved form
                msgspec.structs.force_setattr(self, field, value)

    def _only_where_it_means_something(self) -> None:
        """An option that would have no effect is refused: whoever chose it believes that it holds."""
        said = {
            "free_first": self.free_first,
            "move2_by": self.move2_by != "black",
            "k_max": self.k_max != 12,
            "opening": self.opening != "",
            "five_offers": self.five_offers,
        }
        only_for(self.protocol, *(option for option, differs in said.items() if differs))
        if self.protocol == "designated" and not self.opening:
            raise SettingsError("designated needs an opening: D1 to D13, I1 to I13, or a name", "opening")
        if self.no_offbook and self.protocol in ("pro", "long_pro"):
            raise SettingsError(f"{self.protocol} puts move 3 off the book: no_offbook contradicts it", "no_offbook")
        if self.fouls:
            for option, chosen in (("exact_five", self.exact_five), ("black_exact_five", self.black_exact_five)):
                if chosen:
                    raise SettingsError(f"{option} belongs to the foul mode freestyle", option)

    def table(self) -> Protocol:
        """The protocol's table of phases under these options."""
        return _table(self)

    @property
    def control(self) -> Control:
        """The time control."""
        return control(self.clock)

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


#: Options that mean something under one protocol only.
_BELONGS: Final = {
    "free_first": "free",
    "move2_by": "rif",
    "k_max": "yamaguchi",
    "opening": "designated",
    "five_offers": "designated",
}


def only_for(protocol: str, *options: str) -> None:
    """Raises :class:`SettingsError` for the first option, said by name, that belongs to another protocol.

    :class:`Settings` does so for whatever differs from the default; who named an option with its default value believes
    just as well that it means something, and only whoever read the name can tell.
    """
    for option in options:
        if _BELONGS.get(option, protocol) != protocol:
            raise SettingsError(f"{option} belongs to the protocol {_BELONGS[option]}", option)


_TABLES: Final[dict[str, Callable[[Settings], Protocol]]] = {
    "free": lambda agreed: free(free_first=agreed.free_first, no_offbook=agreed.no_offbook),
    "rif": lambda agreed: rif(white_second=agreed.move2_by == "white"),
    "swap_1989": lambda _: swap_1989(),
    "yamaguchi": lambda agreed: yamaguchi(most=agreed.k_max),
    "soosyrv_8": lambda _: soosyrv(most=8),
    "soosyrv_4": lambda _: soosyrv(most=4),
    "tarannikov": lambda _: tarannikov(),
    "taraguchi_10": lambda _: taraguchi(offers=10),
    "taraguchi_5": lambda _: taraguchi(offers=5),
    "sakata": lambda _: sakata(),
    "super_sakata": lambda _: super_sakata(),
    "designated": lambda agreed: designated(_opening(agreed.opening), offers=int(agreed.five_offers)),
    "swap": lambda _: swap_first(),
    "swap2": lambda _: swap2(),
    "pro": lambda _: pro(),
    "long_pro": lambda _: long_pro(),
}

#: Every protocol that can be played, by its id.
ALL_PROTOCOLS: Final = tuple(_TABLES)


@lru_cache(maxsize=512)
def _table(settings: Settings) -> Protocol:
    return _TABLES[settings.protocol](settings)


def _known_protocol(text: str) -> None:
    if text not in _TABLES:
        close = get_close_matches(text[:40].casefold(), _TABLES, n=1)
        hint = f"did you mean {close[0]}? " if close else ""
        raise SettingsError(f"unknown protocol {text!r}; {hint}there are: {', '.join(_TABLES)}", text)


def _opening(text: str) -> Opening:
    found = find(text)
    if found is None:
        close = ", ".join(f"{opening.code} {opening.romaji}" for opening in nearest(text))
        hint = f"the nearest are {close}" if close else "there are D1 to D13 and I1 to I13"
        raise SettingsError(f"unknown opening {text!r}; {hint}", text)
    return found


def _within(option: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        raise SettingsError(f"{option} is a number from {least} to {most}", option)
