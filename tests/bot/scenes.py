"""Tables and scenes for the tests of what people see."""

from __future__ import annotations

from bot.composing import compose
from bot.scene import Scene, Viewer
from bot.session.table import Occupant, Person, Table
from core.game import Game, Seat
from core.notation import Point

ANNA = Person(id="web:anna", name="Anna")
BOB = Person(id="web:bob", name="Bob")
PUBLIC = Viewer("en", public=True)

#: Black's i8 makes two threes; White's stones lie in the corners.
DOUBLE_THREE = "h8 a1 g8 o1 i9 a15 i10 o15 i8"
#: Black's i8 joins e8 to j8.
OVERLINE = "h8 a1 g8 o1 f8 a15 e8 o15 j8 a8 i8"
OFFERS = "0 place h8; 0 place h9; 0 place i9; 1 swap; 0 place g7; 1 offer i7; 1 offer f8"


def table(game: Game, seats: tuple[Occupant | None, Occupant | None] = (ANNA, BOB)) -> Table:
    """Anna on seat 0 and Bob on seat 1 play this game."""
    return Table(id="abcdefghij", game=game, seats=seats)


def scene(
    game: Game,
    viewer: Viewer = PUBLIC,
    seats: tuple[Occupant | None, Occupant | None] = (ANNA, BOB),
    now: int = 0,
    first: Point | None = None,
) -> Scene:
    """What they see of it."""
    return compose(table(game, seats), viewer, now, first=first)


def of(seat: Seat, language: str = "en") -> Viewer:
    """Whoever holds a seat."""
    return Viewer(language, seats=(seat,))


def labels(shown: Scene) -> list[list[str]]:
    """The words on the buttons, row by row."""
    return [[button.label for button in row] for row in shown.buttons]


def data(shown: Scene) -> set[str]:
    """What the buttons do."""
    return {button.data for row in shown.buttons for button in row}
