"""How a game ended, in one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.composing.people import Told
from bot.words.values import Phrase
from core.game import Manner, Outcome, Reason, Seat, Stone, manner, other, unclaimed
from core.notation import label
from core.rules import Verdict


def result(told: Told, outcome: Outcome) -> str:
    """Who won and why, with the kind and the point of a forbidden move; or why nobody did (R5.8)."""
    words = told.words
    if outcome.winner is not None:
        return _won(told, outcome, outcome.winner)
    match outcome.reason:
        case Reason.DRAW_AGREED:
            return words.say("Draw: both players agreed.")
        case Reason.FULL_BOARD:
            return words.say("Draw: the board is full.")
        case Reason.DEAD_BOARD:
            return words.say("Draw: neither side can make five any more.")
        case Reason.DOUBLE_PASS:
            return words.say("Draw: both players passed in a row.")
        case _ if told.table.expired:
            return words.say("Nobody joined in time, so there is no game. /newgame begins another.")
        case _ if told.table.waiting:
            return words.say("The challenge was withdrawn.")
        case _:
            return words.say("The game was cancelled; it has no result.")


#: So many missed claims are listed; more are counted by nobody.
_MOST: Final = 10


def notes(told: Told) -> Iterator[str]:
    """What belongs to the result: how the win came about, and what White never claimed (R5.8, R6.8)."""
    words = told.words
    match manner(told.game):
        case Manner.VCF:
            yield words.say("It was a win by consecutive fours (VCF).")
        case Manner.DRIVEN:
            yield words.say("That stone had to stop a four: Black was driven onto a forbidden point.")
    missed = unclaimed(told.game)
    if missed:
        listed = [_missed(told, number, stone) for number, stone in missed[:_MOST]]
        stones = words.listed(listed if len(missed) <= _MOST else [*listed, "…"])
        yield words.say("Forbidden stones that White did not claim: {stones}.", stones=stones)


def _missed(told: Told, number: int, stone: Stone) -> str:
    words, point = told.words, Phrase(label(stone.point))
    match stone.verdict:
        case Verdict.OVERLINE:
            return words.say("{point} (move {number}, overline)", point=point, number=number)
        case Verdict.DOUBLE_FOUR:
            return words.say("{point} (move {number}, double-four)", point=point, number=number)
        case _:
            return words.say("{point} (move {number}, double-three)", point=point, number=number)


def _won(told: Told, outcome: Outcome, seat: Seat) -> str:
    words = told.words
    winner, loser = told.who(seat), told.who(other(seat))
    match outcome.reason:
        case Reason.FORBIDDEN_CLAIMED | Reason.FORBIDDEN_JUDGED:
            return _foul(told, outcome, winner)
        case Reason.NO_MOVE:
            return words.say("{winner} wins: every empty point is forbidden for {loser}.", winner=winner, loser=loser)
        case Reason.RESIGNED:
            return words.say("{winner} wins: {loser} resigned.", winner=winner, loser=loser)
        case Reason.TIME:
            return words.say("{winner} wins: the time of {loser} is over.", winner=winner, loser=loser)
        case Reason.LEFT:
            return words.say("{winner} wins: {loser} left the game.", winner=winner, loser=loser)
        case _:
            line = words.listed(label(point) for point in outcome.line)
            if len(outcome.line) > 5:
                return words.say("{winner} wins with an overline: {line}.", winner=winner, line=line)
            return words.say("{winner} wins with five in a row: {line}.", winner=winner, line=line)


def _foul(told: Told, outcome: Outcome, winner: Phrase) -> str:
    words = told.words
    point = Phrase("" if outcome.foul is None else label(outcome.foul))
    stones = told.game.state.stones
    number = next((i for i, stone in enumerate(stones, 1) if stone.point == outcome.foul), 0)
    claimed = outcome.reason is Reason.FORBIDDEN_CLAIMED
    match outcome.verdict:
        case Verdict.OVERLINE if claimed:
            return words.say(
                "{winner} wins by a right claim: {point} (move {number}) is an overline, which is forbidden.",
                winner=winner,
                number=number,
                point=point,
            )
        case Verdict.OVERLINE:
            return words.say(
                "{winner} wins: {point} (move {number}) is an overline, which is forbidden.",
                winner=winner,
                number=number,
                point=point,
            )
        case Verdict.DOUBLE_FOUR if claimed:
            return words.say(
                "{winner} wins by a right claim: {point} (move {number}) is a double-four, which is forbidden.",
                winner=winner,
                number=number,
                point=point,
            )
        case Verdict.DOUBLE_FOUR:
            return words.say(
                "{winner} wins: {point} (move {number}) is a double-four, which is forbidden.",
                winner=winner,
                number=number,
                point=point,
            )
        case _ if claimed:
            return words.say(
                "{winner} wins by a right claim: {point} (move {number}) is a double-three, which is forbidden.",
                winner=winner,
                number=number,
                point=point,
            )
        case _:
            return words.say(
                "{winner} wins: {point} (move {number}) is a double-three, which is forbidden.",
                winner=winner,
                number=number,
                point=point,
            )
