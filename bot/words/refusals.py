"""One sentence of its own for everything that can be refused."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TypeAlias

from bot.session.table import Declined
from bot.words.catalogue import Words
from bot.words.openings import opening_name
from bot.words.values import Phrase
from core.action import Act, ActionError
from core.game import ALL_PROTOCOLS, Refusal, SettingsError, Why
from core.notation import NotationError, Point, Unreadable, label, point
from core.openings.names import find, nearest

Refused: TypeAlias = Refusal | Declined | NotationError | ActionError | SettingsError


def explain(words: Words, refusal: Refused) -> str:
    """Why it did not happen, in one sentence; empty for what needs no answer (a repeated delivery)."""
    match refusal:
        case Refusal():
            return _refused(words, refusal)
        case Declined():
            return _declined(words, refusal)
        case NotationError():
            return _unreadable(words, refusal)
        case SettingsError():
            return _unsettled(words, refusal)
        case ActionError():
            return words.say("That is not an action of this game.")


def _refused(words: Words, refusal: Refusal) -> str:
    match refusal.why:
        case Why.OVER:
            return words.say("This game is over.")
        case Why.NOT_SEATED:
            return words.say("You have no seat in this game.")
        case Why.TIME_OVER:
            return words.say("Too late: the time of whoever had to act was over.")
        case Why.NOT_YOUR_TURN:
            return words.say("It is not your turn.")
        case Why.NOT_NOW:
            return _not_now(words, refusal.text)
        case Why.MAKES_FIVE:
            return words.say("{point} cannot be added: it would make five or more.", point=_label(refusal.point))
        case Why.HIDE_RANGE:
            return words.say("The number of stones to hide is from 1 to {most}.", most=refusal.number)
        case Why.DECLARE_RANGE:
            return words.say("The number of fifth moves is from 1 to {most}.", most=refusal.number)
        case Why.OCCUPIED:
            return words.say("There is a stone on {point} already.", point=_label(refusal.point))
        case Why.OUTSIDE_AREA if refusal.number == 1:
            return words.say("The first stone goes to the centre, H8.")
        case Why.OUTSIDE_AREA:
            return words.say(
                "{point} is outside the central {size} × {size} square, where this stone must be.",
                point=_label(refusal.point),
                size=refusal.number,
            )
        case Why.INSIDE_AREA:
            return words.say(
                "{point} is inside the central {size} × {size} square, which this stone must leave.",
                point=_label(refusal.point),
                size=refusal.number,
            )
        case Why.EXCLUDED_OPENING:
            return _excluded(words, refusal)
        case Why.FORBIDDEN_POINT:
            return _forbidden(words, refusal)
        case Why.OFFERED_ALREADY:
            return words.say("{point} is among the offers already.", point=_label(refusal.point))
        case Why.SAME_AS_OFFER:
            return words.say(
                "{point} makes the same pattern as the offer {other}: offers must differ.",
                point=_label(refusal.point),
                other=_label(refusal.other),
            )
        case Why.TOO_MANY_OFFERS:
            return words.count(
                "That is too many: only one more offer is wanted.",
                "That is too many: only {n} more offers are wanted.",
                refusal.number,
            )
        case Why.NOT_OFFERED:
            return words.say("{point} is not among the offers.", point=_label(refusal.point))
        case Why.ONLY_WHITE_CLAIMS:
            return words.say("Only White can claim a forbidden move.")
        case Why.NO_CLAIMS_HERE:
            return words.say("In this game nobody needs to claim forbidden moves.")
        case Why.CLAIM_TOO_EARLY:
            return words.say("Forbidden moves can be claimed only after the opening steps.")
        case Why.CLAIMED_THIS_TURN:
            return words.say("You have claimed in this turn already: one claim a turn.")
        case Why.NO_CLAIMS_LEFT:
            return words.say("You have no claims left in this game.")
        case Why.PASS_TOO_EARLY:
            return words.say("Nobody can pass before the opening steps are done.")
        case Why.NO_PASS:
            return words.say("Passing was switched off for this game.")
        case Why.CANCEL_TOO_LATE:
            return words.say("With two stones on the board a game can no longer be cancelled; you can resign.")
        case Why.TOO_EARLY:
            return words.say("Before the second stone you can only cancel the game.")
        case Why.DRAW_STANDS:
            return words.say("Your draw offer still stands.")
        case Why.ANSWER_DRAW:
            return words.say("The other side has offered a draw: accept or decline it.")
        case Why.DRAW_ONCE:
            return words.say("You have offered a draw in this turn already.")
        case Why.NO_DRAW_OFFER:
            return words.say("There is no draw offer to answer.")
        case Why.NO_UNDO:
            return words.say("Moves cannot be taken back in a rated game.")
        case Why.NOTHING_TO_UNDO:
            return words.say("You have made no move that could be taken back.")
        case Why.UNDO_STANDS:
            return words.say("Your request to take back still stands.")
        case Why.ANSWER_UNDO:
            return words.say("The other side has asked to take back: allow or refuse it.")
        case Why.NO_UNDO_REQUEST:
            return words.say("There is no request to take back.")


def _not_now(words: Words, act: str) -> str:
    """An action that does not belong to the present step, by its name."""
    match act:
        case Act.GUESS:
            return words.say("There is nothing to guess at this step.")
        case Act.HIDE:
            return words.say("There are no stones to hide at this step.")
        case Act.PLACE:
            return words.say("No stone is put at this step: something else is asked.")
        case Act.SWAP | Act.KEEP:
            return words.say(
                "Colours can be swapped or kept only when that is asked; the moment is over or not yet here."
            )
        case Act.COLOUR:
            return words.say("A colour cannot be taken at this step.")
        case Act.ADD:
            return words.say("Two stones cannot be added at this step.")
        case Act.DECLARE:
            return words.say("The number of fifth moves is not asked at this step.")
        case Act.BRANCH:
            return words.say("Fifth moves instead of a swap are possible only after move 4, for who has not swapped.")
        case Act.OFFER:
            return words.say("Fifth moves are not offered at this step.")
        case Act.CHOOSE:
            return words.say("There are no fifth moves to choose from at this step.")
        case _:
            return words.say("That cannot be done at this step of the game.")


def _forbidden(words: Words, refusal: Refusal) -> str:
    at = _label(refusal.point)
    match refusal.text:
        case "overline":
            return words.say("{point} is forbidden for Black: it makes an overline.", point=at)
        case "double-four":
            return words.say("{point} is forbidden for Black: it makes a double-four.", point=at)
        case "double-three":
            return words.say("{point} is forbidden for Black: it makes a double-three.", point=at)
        case _:
            return words.say("{point} cannot be added: it would be a forbidden move.", point=at)


def _excluded(words: Words, refusal: Refusal) -> str:
    opening = find(refusal.text)
    return words.say(
        "The opening {code} {name} is excluded from this game.",
        code=Phrase(refusal.text),
        name=Phrase("") if opening is None else opening_name(words, opening),
    )


def _declined(words: Words, declined: Declined) -> str:
    match declined:
        case Declined.GONE:
            return words.say("This game no longer exists.")
        case Declined.MOVED_ON:
            return words.say("The game has moved on since; look at the board again.")
        case Declined.EXPIRED:
            return words.say("Nobody joined in time, so there is no game. /newgame begins another.")
        case Declined.WITHDRAWN:
            return words.say("This challenge was withdrawn. /newgame begins another.")
        case Declined.WAITING:
            return words.say("The second player is still missing.")
        case Declined.SEAT_TAKEN:
            return words.say("Both seats are taken.")
        case Declined.ALREADY_SEATED:
            return words.say("You sit at this table already; somebody else has to join.")
        case Declined.NOT_SEATED:
            return words.say("Only the two players of this game can do that.")
        case Declined.REPEATED:
            return ""
        case Declined.NOT_STORED:
            return words.say("The game cannot be saved just now, so nothing was changed. Please try again soon.")
        case Declined.DAMAGED:
            return words.say("This game was saved damaged and cannot be read. Its data has been kept.")


def _unreadable(words: Words, error: NotationError) -> str:
    match error.why:
        case Unreadable.EMPTY:
            return words.say("Nothing was written. Write a point such as H8.")
        case Unreadable.REVERSED if (turned := _turned(error.text)) is not None:
            return words.say("Write the letter first: {point}.", point=turned)
        case Unreadable.REVERSED | Unreadable.OFF_BOARD:
            return words.say("The board has columns A to O and rows 1 to 15.")
        case Unreadable.GARBLED:
            return words.say("“{text}” is not a point. Write a letter and a number, such as H8.", text=error.text)


def _turned(text: str) -> Phrase | None:
    """What was probably meant by ``8H``; ``None`` when that is no point either."""
    try:
        return _label(point(text[-1] + text[:-1]))
    except NotationError:
        return None


def _unsettled(words: Words, error: SettingsError) -> str:
    match error.word:
        case "free_first":
            return words.say("The option free_first belongs to the opening rule free.")
        case "move2_by":
            return words.say("The option move2_by belongs to the opening rule rif.")
        case "k_max":
            return words.say("The option k_max belongs to the opening rule yamaguchi: a number from 1 to 50.")
        case "opening":
            return words.say(
                "An opening belongs to the opening rule designated, which needs one: D1 to D13, I1 to I13."
            )
        case "five_offers":
            return words.say("The option five_offers belongs to the opening rule designated: a number from 0 to 50.")
        case "no_offbook":
            return words.say("The option no_offbook contradicts the opening rules pro and long_pro.")
        case "exact_five" | "black_exact_five":
            return words.say("The options exact_five and black_exact_five belong to freestyle games.")
        case "wrong_claims":
            return words.say("The number of wrong claims is from 0 to 225.")
        case "hidden":
            return words.say("The number of hidden stones is from 0 to 225.")
        case "clock":
            return words.say(
                "A clock is written 20m+60s, fischer:10m+5s, 3d (a turn) or idle:3d: "
                "at most 5 hours, 14 days a turn, 90 days idle."
            )
        case excluded if find(excluded) is not None:
            return words.say("The openings left out must leave a direct one, an indirect one, and the one agreed on.")
        case unknown:
            return _unknown(words, unknown)


def _unknown(words: Words, word: str) -> str:
    """A name that is neither a protocol's nor an opening's."""
    known = words.listed(ALL_PROTOCOLS)
    near = [*get_close_matches(word[:40].casefold(), ALL_PROTOCOLS, n=2), *(one.code for one in nearest(word))]
    if near:
        return words.say(
            "“{word}” is no opening rule and none of the 26 openings. Did you mean {near}? Opening rules: {known}.",
            word=word,
            near=words.listed(near),
            known=known,
        )
    return words.say(
        "“{word}” is no opening rule and none of the 26 openings. Opening rules: {known}.", word=word, known=known
    )


def _label(p: Point | None) -> Phrase:
    return Phrase("" if p is None else label(p))
