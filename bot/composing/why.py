"""Why a point is forbidden for Black or not, in words and as a picture; told only where rule R6.1 allows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.scene import BoardPicture
from bot.session.table import Table
from bot.words import Words
from bot.words.values import Phrase
from core.game import FoulMode
from core.notation import Colour, Point, board, label
from core.rules import Explanation, Growth, Shape, Verdict, explain


@dataclass(frozen=True, slots=True)
class Why:
    """The answer: a text of a few lines, and the board at that moment, where there is anything to see."""

    text: str
    picture: BoardPicture | None = None


def why(words: Words, table: Table, point: Point, *, style: str = "wood") -> Why:
    """What Black's stone on ``point`` is or would be: after the game, and while a ``blocked`` game runs.

    A stone that lies there is judged as it was put, an empty point on the board as it is now.
    """
    at, game = Phrase(label(point)), table.game
    if game.settings.foul_mode is FoulMode.FREESTYLE:
        return Why(words.say("In this game there are no forbidden moves."))
    if game.outcome is None and game.settings.foul_mode is not FoulMode.BLOCKED:
        return Why(words.say("While this game runs I do not tell what is forbidden; ask me after it."))
    stones = game.state.stones
    index = next((index for index, stone in enumerate(stones) if stone.point == point), len(stones))
    if index < len(stones) and stones[index].colour is Colour.WHITE:
        return Why(words.say("{point} is a white stone, and White has no forbidden moves.", point=at))
    before = tuple((stone.point, stone.colour) for stone in stones[:index])
    black, white = ([at for at, colour in before if colour is wanted] for wanted in (Colour.BLACK, Colour.WHITE))
    found = explain(board(black, white), point)
    marked = {stone for shape in found.shapes for stone in shape.stones}
    picture = BoardPicture(
        stones=(*before, (point, Colour.BLACK)),
        last=None if found.verdict.forbidden else point,
        win=tuple(sorted(marked)),
        foul=point if found.verdict.forbidden else None,
        style=style,
    )
    return Why("\n".join((_verdict(words, found), *_shapes(words, found))), picture)


def _verdict(words: Words, found: Explanation) -> str:
    at = Phrase(label(found.point))
    match found.verdict:
        case Verdict.FIVE:
            return words.say("{point} makes five and wins, whatever else it makes.", point=at)
        case Verdict.OVERLINE:
            return words.say("{point} is forbidden for Black: an overline, six or more in a row.", point=at)
        case Verdict.DOUBLE_FOUR:
            return words.say("{point} is forbidden for Black: a double-four.", point=at)
        case Verdict.DOUBLE_THREE:
            return words.say("{point} is forbidden for Black: a double-three.", point=at)
        case _:
            return words.say("{point} is allowed for Black.", point=at)


def _shapes(words: Words, found: Explanation) -> Iterator[str]:
    for shape in found.shapes:
        stones = _listed(words, shape.stones)
        match shape.kind:
            case "four":
                fives = _listed(words, shape.five_points)
                yield words.say("Four: {stones}. One more stone makes five: {points}.", stones=stones, points=fives)
            case "three":
                yield from _three(words, shape)
            case _:
                yield words.say("In a row: {stones}.", stones=stones)


def _three(words: Words, shape: Shape) -> Iterator[str]:
    stones = _listed(words, shape.stones)
    grows = [growth.point for growth in shape.growth if growth.counts]
    if grows:
        yield words.say(
            "Three: {stones}. One more stone makes a straight four: {points}.",
            stones=stones,
            points=_listed(words, grows),
        )
        return
    yield words.say("No three: {stones}. No straight four can come of it.", stones=stones)
    for growth in shape.growth:
        yield from _no_growth(words, growth)


def _no_growth(words: Words, growth: Growth) -> Iterator[str]:
    at = Phrase(label(growth.point))
    match None if growth.why_not is None else growth.why_not.verdict:
        case Verdict.OVERLINE:
            yield words.say("At {point} the stone would make an overline.", point=at)
        case Verdict.DOUBLE_FOUR:
            yield words.say("At {point} the stone would make a double-four.", point=at)
        case Verdict.DOUBLE_THREE:
            yield words.say("At {point} the stone would make a double-three.", point=at)
        case Verdict.FIVE:
            yield words.say("At {point} the stone would make five.", point=at)


def _listed(words: Words, points: Sequence[Point]) -> Phrase:
    return words.listed(label(point) for point in points)
