"""How a game ended, what an action caused, and why an action was refused. All values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.game.settings import Seat
from core.notation import Colour, Point
from core.rules import Verdict


class Reason(StrEnum):
    """Why a game is over (R5.8)."""

    FIVE = "five"
    FORBIDDEN_CLAIMED = "forbidden_claimed"
    FORBIDDEN_JUDGED = "forbidden_judged"  # auto_loss
    NO_MOVE = "no_move"  # blocked with no_pass: every empty point is forbidden
    RESIGNED = "resigned"
    TIME = "time"
    LEFT = "left"
    DRAW_AGREED = "draw_agreed"
    FULL_BOARD = "full_board"
    DEAD_BOARD = "dead_board"
    DOUBLE_PASS = "double_pass"
    CANCELLED = "cancelled"  # before the second stone: no result


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game. ``winner`` is ``None`` for a draw, and for a cancelled game, which has no result."""

    reason: Reason
    winner: Seat | None = None
    colour: Colour | None = None
    """The winner's colour, where colours were known."""
    line: tuple[Point, ...] = ()
    """The stones of the winning five, or overline, in board order."""
    foul: Point | None = None
    """The black stone that lost."""
    verdict: Verdict = Verdict.LEGAL
    """The kind of forbidden move that lost."""


class Happened(StrEnum):
    """The kinds of event."""

    GUESSED = "guessed"
    HID = "hid"  # a number of stones, which stays a secret
    SHOWN = "shown"  # the number that a seat had hidden
    SETTLED = "settled"  # by the parity of both numbers: who is P1
    STONE = "stone"
    SWAPPED = "swapped"
    KEPT = "kept"
    TOOK = "took"
    ADDED = "added"
    DECLARED = "declared"
    BRANCHED = "branched"
    OFFERED = "offered"
    CHOSEN = "chosen"
    PASSED = "passed"
    WRONG_CLAIM = "wrong_claim"
    DRAW_OFFERED = "draw_offered"
    DRAW_DECLINED = "draw_declined"
    UNDO_ASKED = "undo_asked"
    UNDO_REFUSED = "undo_refused"
    UNDONE = "undone"
    TIME_GIVEN = "time_given"
    REMINDED = "reminded"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Event:
    """What an action caused: who did it, and the points or the colour it is about."""

    kind: Happened
    seat: Seat | None = None
    colour: Colour | None = None
    points: tuple[Point, ...] = ()
    number: int = 0
    """The hidden number (GUESSED, SHOWN), 1 where the provisional colours were exchanged (SETTLED), the declared number
    (DECLARED), how many stones were taken back (UNDONE), milliseconds given back (TIME_GIVEN)."""


class Why(StrEnum):
    """Why an action was refused. Each has a sentence of its own in every language."""

    OVER = "over"  # the game has ended
    NOT_SEATED = "not_seated"  # whoever tried plays in no seat of this game
    TIME_OVER = "time_over"  # it came after the deadline of whoever has to act
    NOT_YOUR_TURN = "not_your_turn"
    NOT_NOW = "not_now"  # this action does not belong to the present step; text: its act
    OCCUPIED = "occupied"
    OUTSIDE_AREA = "outside_area"  # number: the side of the square around tengen
    INSIDE_AREA = "inside_area"  # number: the side of the square that must be left
    EXCLUDED_OPENING = "excluded_opening"  # text: its code
    FORBIDDEN_POINT = "forbidden_point"  # blocked games, and added stones; text: the kind, where R6.1 allows it
    MAKES_FIVE = "makes_five"  # a stone that is added may not make five or more in a row (super_sakata)
    HIDE_RANGE = "hide_range"  # number: the most stones that may be hidden; the least is 1
    DECLARE_RANGE = "declare_range"  # number: the most fifth moves that may be declared; the least is 1
    OFFERED_ALREADY = "offered_already"
    SAME_AS_OFFER = "same_as_offer"  # other: the earlier offer that it equals
    TOO_MANY_OFFERS = "too_many_offers"  # number: how many are still wanted
    NOT_OFFERED = "not_offered"
    ONLY_WHITE_CLAIMS = "only_white_claims"
    NO_CLAIMS_HERE = "no_claims_here"  # the foul mode knows no claim
    CLAIM_TOO_EARLY = "claim_too_early"  # the protocol is not done
    CLAIMED_THIS_TURN = "claimed_this_turn"
    NO_CLAIMS_LEFT = "no_claims_left"
    PASS_TOO_EARLY = "pass_too_early"
    NO_PASS = "no_pass"
    CANCEL_TOO_LATE = "cancel_too_late"
    TOO_EARLY = "too_early"  # resign, draw: before the second stone a game is cancelled instead
    DRAW_STANDS = "draw_stands"  # an offer of one's own is still unanswered
    ANSWER_DRAW = "answer_draw"  # the other side's offer stands: answer it
    DRAW_ONCE = "draw_once"  # once a turn
    NO_DRAW_OFFER = "no_draw_offer"
    NO_UNDO = "no_undo"  # the option or a rated game
    NOTHING_TO_UNDO = "nothing_to_undo"
    UNDO_STANDS = "undo_stands"
    ANSWER_UNDO = "answer_undo"
    NO_UNDO_REQUEST = "no_undo_request"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action did not happen. The game is as it was."""

    why: Why
    point: Point | None = None
    other: Point | None = None
    number: int = 0
    text: str = ""
