"""How the people of a table are called, with the colours they hold."""

from __future__ import annotations

from dataclasses import dataclass

from bot.session.table import Machine, Person, Table
from bot.words import Words
from bot.words.levels import level_name
from bot.words.values import Phrase, harmless
from core.game import Game, Seat
from core.notation import Colour


@dataclass(frozen=True, slots=True)
class Told:
    """A table in the words of one language; names are cut at ``limit`` graphemes."""

    words: Words
    table: Table
    limit: int

    @property
    def game(self) -> Game:
        """The table's game."""
        return self.table.game

    def name(self, seat: Seat) -> Phrase:
        """Who sits there, as they call themselves."""
        words = self.words
        match self.table.seats[seat]:
            case Person(name=name):
                return Phrase(harmless(name, self.limit))
            case Machine(level=level):
                called = Phrase(level_name(words, level))
                return Phrase(words.say("Engine (level {level}, {name})", level=level, name=called))
            case _:
                return Phrase(words.say("free seat"))

    def who(self, seat: Seat) -> Phrase:
        """Who sits there, and their colour as soon as it is known: ``Anna (Black)``."""
        words = self.words
        match self.game.state.colour_of(seat):
            case Colour.BLACK:
                return Phrase(words.say("{name} (Black)", name=self.name(seat)))
            case Colour.WHITE:
                return Phrase(words.say("{name} (White)", name=self.name(seat)))
            case _:
                return self.name(seat)
