"""Typed words as actions: ``h8``, ``take black``, ``declare 3``, ``add h9 i9``; what they mean depends on the step."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from typing import Final

from bot.composing.step import letter
from bot.newgame import narrow
from bot.session.table import Table
from core.game import GUESSING, MOST_HIDDEN, Act, Action, Seat, action, phase_of
from core.notation import Point, point

#: Commands that are an action by themselves, as they are typed.
_ALONE: Final[Mapping[str, tuple[str, ...]]] = {
    "claim": (Act.CLAIM,),
    "pass": (Act.PASS,),
    "swap": (Act.SWAP,),
    "keep": (Act.KEEP,),
    "odd": (Act.GUESS, "odd"),
    "even": (Act.GUESS, "even"),
    "black": (Act.COLOUR, "black"),
    "white": (Act.COLOUR, "white"),
    "accept": (Act.DRAW_ACCEPT,),
    "decline": (Act.DRAW_DECLINE,),
    "allow": (Act.UNDO_ALLOW,),
    "refuse": (Act.UNDO_REFUSE,),
    "resign": (Act.RESIGN,),
    "leave": (Act.LEAVE,),
    "cancel": (Act.CANCEL,),
}
#: Commands that take words after them, or that depend on what stands: see :func:`read`.
_LONGER: Final = ("draw", "undo", "guess", "hide", "take", "declare", "offer", "choose", "add", "place")
#: Every command, as adapters may offer them.
COMMANDS: Final = (*_ALONE, *_LONGER)
#: Commands that end a game: never read from plain words, only from a command of its own that asks first.
SERIOUS: Final = (Act.RESIGN, Act.LEAVE, Act.CANCEL)

_ALIASES: Final[Mapping[str, str]] = {
    "exchange": "swap",
    "color": "take",
    "colour": "take",
    "takeback": "undo",
    "交换": "swap",
    "不交换": "keep",
    "不换": "keep",
    "单": "odd",
    "双": "even",
    "猜": "guess",
    "藏": "hide",
    "黑": "black",
    "白": "white",
    "执黑": "black",
    "执白": "white",
    "加": "add",
    "加子": "add",
    "声明": "declare",
    "打点": "offer",
    "选": "choose",
    "禁手": "claim",
    "指出": "claim",
    "弃权": "pass",
    "提和": "draw",
    "同意": "accept",
    "悔棋": "undo",
}


class OnePoint(ValueError):
    """Two stones are to be added, and only the point of the first was written."""

    def __init__(self, at: Point) -> None:
        super().__init__(at)
        self.at = at


def read(table: Table, mine: tuple[Seat, ...], typed: str, *, serious: bool = False) -> Action:
    """What words mean to whoever holds the seats ``mine``, at the table as it stands; allowed or not.

    ``serious``: the words are a command, so they may end the game, and words that it does not need are passed over.
    Raises :class:`NotationError` for what was probably meant as a point, :class:`OnePoint`, and :class:`ActionError`
    for a command that lacks its words.
    """
    written = [part for part in re.split(r"[\s,;]+", narrow(typed)) if part]
    words = [_ALIASES.get(part.casefold(), part.casefold()) for part in written]
    if not words:
        return action(Act.PLACE, typed)
    head, rest = words[0], words[1:]
    if head in _ALONE and (serious or not (rest or _ALONE[head][0] in SERIOUS)):
        return action(*_ALONE[head])
    if head in _LONGER:
        return _longer(table, mine, head, rest)
    return _by_step(table, written)


def _longer(table: Table, mine: tuple[Seat, ...], head: str, rest: list[str]) -> Action:
    state = table.game.state
    match head, rest:
        case "draw", _:
            theirs = state.draw_by is not None and state.draw_by not in mine
            return action(Act.DRAW_ACCEPT if theirs else Act.DRAW_OFFER)
        case "undo", _:
            theirs = state.undo_by is not None and state.undo_by not in mine
            return action(Act.UNDO_ALLOW if theirs else Act.UNDO_ASK)
        case "hide", []:  # a number that nobody has read in the chat
            return Action(Act.HIDE, number=1 + secrets.randbelow(MOST_HIDDEN))
        case "take", [colour]:
            return action(Act.COLOUR, colour)
        case "offer", ["ten" | "five" | "10" | "5"]:
            return action(Act.BRANCH, "offer_ten")
        case "choose", [one] if (chosen := _lettered(table, one)) is not None:
            return Action(Act.CHOOSE, points=(chosen,))
        case "add", [one]:
            raise OnePoint(point(one))
        case _:
            return action(head, *rest)


def _by_step(table: Table, written: list[str]) -> Action:
    """Words without a command: points, a letter or a number, as the step wants them."""
    state = table.game.state
    number = written[0] if len(written) == 1 and written[0].isascii() and written[0].isdecimal() else ""
    if state.phase == GUESSING:
        return action(Act.HIDE, number) if number else action(Act.PLACE, " ".join(written))
    then = phase_of(state, table.game.settings).then
    if Act.DECLARE in then and number:
        return action(Act.DECLARE, number)
    if Act.CHOOSE in then and len(written) == 1:
        chosen = _lettered(table, written[0])
        return Action(Act.CHOOSE, points=(point(written[0]) if chosen is None else chosen,))
    if Act.OFFER in then:
        return action(Act.OFFER, *written)
    if Act.ADD in then and len(written) == 2:
        return action(Act.ADD, *written)
    if Act.ADD in then and Act.PLACE not in then and len(written) == 1:
        raise OnePoint(point(written[0]))
    return action(Act.PLACE, " ".join(written))


def _lettered(table: Table, text: str) -> Point | None:
    """The offer that is lettered so; ``None``: no such letter."""
    offers = table.game.state.offers
    return next((at for index, at in enumerate(offers) if letter(index) == text.upper()), None)
