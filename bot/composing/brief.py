"""A table in one line, for lists of games."""

from __future__ import annotations

from bot.composing.lines import protocol_name
from bot.composing.people import Told
from bot.session.table import Table
from bot.words import Words
from bot.words.values import Phrase, harmless

#: How many graphemes of a name are shown.
_NAME = 20


def brief(words: Words, table: Table) -> str:
    """Who plays whom and who is to move: ``Anna (Black) – Ben (White), move 12: Ben (White) is to move.``"""
    told = Told(words, table, _NAME)
    protocol = Phrase(protocol_name(words, table.game.settings.protocol))
    if table.waiting:
        opener = told.name(0 if table.seats[0] is not None else 1)
        if table.invited:
            return words.say(
                "{one} has challenged {other} ({protocol}).",
                one=opener,
                other=Phrase(harmless(table.invited, _NAME)),
                protocol=protocol,
            )
        return words.say("{one} waits for a second player ({protocol}).", one=opener, protocol=protocol)
    return words.say(
        "{one} – {other}, stones: {number}; to act: {who} ({protocol}).",
        one=told.who(0),
        other=told.who(1),
        number=len(table.game.state.stones),
        who=told.name(table.game.to_act[0]),
        protocol=protocol,
    )
