"""What a seat can do, as a value, and the words it is written in.

The words are the same everywhere: in saved games, in ``renju script`` and in the data of a button:
``["place", "h8"]``, ``["offer", "g8", "g6"]``, ``["guess", "odd"]``, ``["claim"]``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.notation import NotationError, Point, name, point


class Act(StrEnum):
    """The kinds of action. Those of :data:`TURN_ACTS` use up (part of) a turn; the others can come in between."""

    GUESS = "guess"  # odd or even, before the game (R2.2)
    HIDE = "hide"  # a number of stones, before the game: both sides do, and the parity decides (R2.2)
    PLACE = "place"  # a stone of the side to move
    SWAP = "swap"  # exchange the colours of the two seats (R8.2)
    KEEP = "keep"  # leave them as they are
    COLOUR = "colour"  # take Black or White
    ADD = "add"  # add a white and a black stone (super_sakata, swap2)
    DECLARE = "declare"  # how many fifth moves will be offered
    BRANCH = "branch"  # offer ten fifth moves instead of deciding on a swap (taraguchi)
    OFFER = "offer"  # one or several fifth moves
    CHOOSE = "choose"  # one of the offered fifth moves
    PASS = "pass"
    CLAIM = "claim"  # White: Black's stone is a forbidden move
    RESIGN = "resign"
    LEAVE = "leave"
    CANCEL = "cancel"  # before the second stone: no game
    DRAW_OFFER = "draw_offer"
    DRAW_ACCEPT = "draw_accept"
    DRAW_DECLINE = "draw_decline"
    UNDO_ASK = "undo_ask"
    UNDO_ALLOW = "undo_allow"
    UNDO_REFUSE = "undo_refuse"
    FLAG = "flag"  # the referee: this seat's time is over
    CREDIT = "credit"  # the referee: milliseconds given back, for the service was down
    REMIND = "remind"  # the referee: the time of whoever has to act is nearly over
    EXPIRE = "expire"  # the referee: nobody has sat down opposite, so there is no game


#: Actions that a protocol's phases wait for. A take-back goes back to just before one of them.
TURN_ACTS = frozenset(
    {
        Act.PLACE,
        Act.SWAP,
        Act.KEEP,
        Act.COLOUR,
        Act.ADD,
        Act.DECLARE,
        Act.BRANCH,
        Act.OFFER,
        Act.CHOOSE,
        Act.PASS,
    }
)

#: How many points each act carries: (least, most).
_POINTS = {Act.PLACE: (1, 1), Act.CHOOSE: (1, 1), Act.OFFER: (1, 225), Act.ADD: (2, 2)}
#: The words an act may carry.
_WORDS = {Act.GUESS: ("odd", "even"), Act.COLOUR: ("black", "white"), Act.BRANCH: ("offer_ten",)}
#: Acts that carry a number, and of how many digits at most.
_NUMBERS = {Act.HIDE: 3, Act.DECLARE: 3, Act.FLAG: 1, Act.CREDIT: 10}


class ActionError(ValueError):
    """Words that are no action."""


@dataclass(frozen=True, slots=True)
class Action:
    """One action. Only the fields that its act carries are set: ``repr`` shows the words it is written in."""

    act: Act
    points: tuple[Point, ...] = ()
    word: str = ""
    number: int = 0

    def words(self) -> list[str]:
        """``["place", "h8"]``: the inverse of :func:`action`."""
        written = [self.act.value, *(name(p) for p in self.points)]
        if self.act in _WORDS:
            written.append(self.word)
        if self.act in _NUMBERS:
            written.append(str(self.number))
        return written

    def __repr__(self) -> str:
        return f"action({', '.join(repr(word) for word in self.words())})"


def action(*words: str) -> Action:
    """The action written in these words. Raises :class:`ActionError`; :class:`NotationError` for a bad point."""
    if not words:
        raise ActionError("no action was written")
    try:
        act = Act(words[0])
    except ValueError:
        raise ActionError(f"unknown action {words[0]!r}") from None
    rest = words[1:]
    if act in _POINTS:
        least, most = _POINTS[act]
        if not least <= len(rest) <= most:
            raise ActionError(f"{act.value} needs {least if least == most else f'{least} or more'} point(s)")
        return Action(act, points=tuple(point(text) for text in rest))
    if act in _WORDS:
        if len(rest) != 1 or rest[0] not in _WORDS[act]:
            raise ActionError(f"{act.value} needs one of: {', '.join(_WORDS[act])}")
        return Action(act, word=rest[0])
    if act in _NUMBERS:
        if len(rest) != 1 or not rest[0].isascii() or not rest[0].isdecimal() or len(rest[0]) > _NUMBERS[act]:
            raise ActionError(f"{act.value} needs a number")
        return Action(act, number=int(rest[0]))
    if rest:
        raise ActionError(f"{act.value} stands alone")
    return Action(act)


def place(text: str) -> Action:
    """A stone on the point that ``text`` names."""
    return action(Act.PLACE, text)


def encode(chosen: Action) -> str:
    """A button's short text for an action: the words with ``-`` between them. At most 64 bytes but for long offers."""
    return "-".join(chosen.words())


def decode(text: str) -> Action:
    """The inverse of :func:`encode`. Raises :class:`ActionError` for anything that it cannot have written."""
    try:
        return action(*text.split("-"))
    except NotationError as error:
        raise ActionError(str(error)) from error


def parse(words: Sequence[object]) -> Action:
    """Like :func:`action`, for words that come from JSON and may be anything."""
    return action(*(str(word) for word in words))
