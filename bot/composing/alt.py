"""The board for readers without pictures: every stone, in at most 1,024 characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bot.composing.people import Told
from bot.composing.step import lettered
from bot.words.openings import opening_name
from bot.words.values import Phrase, utf16
from core.game import Stone
from core.notation import Colour, Point, label

LIMIT: Final = 1024


def alt_text(told: Told, crosses: Sequence[Point], limit: int = LIMIT) -> str:
    """Last move, side to move, opening, offers, crossed points, and all stones by colour in the order of play.

    Each on a line. Where it is too long the oldest stones are left out, and it says so.
    """
    stones = told.game.state.stones
    head = tuple(_head(told, crosses))
    text = ""
    for left_out in range(len(stones) + 1):
        text = "\n".join((*head, *_stones(told, stones[left_out:], shortened=left_out > 0)))
        if utf16(text) <= limit:
            break
    return text


def _head(told: Told, crosses: Sequence[Point]) -> Iterator[str]:
    words, game, state = told.words, told.game, told.game.state
    if state.last is None:
        yield words.say("An empty Renju board.")
    else:
        number, point = len(state.stones), Phrase(label(state.last.point))
        if state.last.colour is Colour.BLACK:
            yield words.say("Renju board after move {number}, Black {point}.", number=number, point=point)
        else:
            yield words.say("Renju board after move {number}, White {point}.", number=number, point=point)
    if game.outcome is not None:
        yield words.say("The game is over.")
        if game.outcome.foul is not None:
            foul = Phrase(label(game.outcome.foul))
            yield words.say("The stone that lost as a forbidden move is marked: {point}.", point=foul)
        if game.outcome.line:
            line = words.listed(label(point) for point in game.outcome.line)
            yield words.say("The winning line is marked: {line}.", line=line)
    elif state.turn is Colour.BLACK:
        yield words.say("The next stone is black.")
    else:
        yield words.say("The next stone is white.")
    if game.opening is not None:
        name = opening_name(words, game.opening)
        yield words.say("The opening is {code} {name}.", code=Phrase(game.opening.code), name=name)
    if state.offers:
        yield words.say("Fifth moves on offer: {offers}.", offers=lettered(told))
    if crosses:
        yield words.say("Crossed out as forbidden: {points}.", points=_spaced(crosses))


def _stones(told: Told, stones: Sequence[Stone], *, shortened: bool) -> Iterator[str]:
    words = told.words
    black = [stone.point for stone in stones if stone.colour is Colour.BLACK]
    white = [stone.point for stone in stones if stone.colour is Colour.WHITE]
    if shortened:
        yield words.say("The newest stones are listed.")
    if black:
        yield words.say("Black: {points}.", points=_spaced(black))
    if white:
        yield words.say("White: {points}.", points=_spaced(white))


def _spaced(points: Sequence[Point]) -> Phrase:
    return Phrase(" ".join(map(label, points)))
