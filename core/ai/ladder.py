"""The project's own ladder: simple reference players and the engine's levels, one against the next.

A game of the ladder begins with one of the 26 openings, each played with both colours; Black never plays a forbidden
point. The levels that think for as long as they are let think for :data:`FULL_NODES` here, so that results do not
depend on the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Final, TypeAlias

from core.action import Act, Action
from core.ai import reference
from core.ai.levels import LEVELS, Level
from core.game import FoulMode, Game, Refusal, Seat, Settings, apply, new_game
from core.openings.names import OPENINGS

#: Nodes a move for levels that have no bound of their own.
FULL_NODES: Final = 350_000
#: Raised when the search, what is overlooked or a reference player changes so much that games before say little.
EDITION: Final = 2
#: A game with so many stones is a draw.
LONGEST: Final = 200

Player: TypeAlias = Callable[[Game, Seat, Random], Action]

_REFERENCES: Final = {"near": reference.near, "one-ply": reference.one_ply, "two-ply": reference.two_ply}

#: Everybody on the ladder, the weakest first as far as is known.
NAMES: Final = ("near", "one-ply", "two-ply", *(f"level {number}" for number in LEVELS))
#: Who plays whom: the second of each pair is held to be the stronger one.
PAIRS: Final = (
    ("near", "level 1"),
    ("level 1", "one-ply"),
    ("one-ply", "level 2"),
    ("one-ply", "two-ply"),
    ("two-ply", "level 3"),
    *((f"level {number}", f"level {number + 1}") for number in LEVELS if number + 1 in LEVELS),
)


class UnsoundPlayerError(AssertionError):
    """A player proposed what the game refuses, or a forbidden point: a fault of this project."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Games between two players, from the view of the first."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)

    @property
    def games(self) -> int:
        """How many games it counts."""
        return self.won + self.drawn + self.lost


def player(name: str) -> Player:
    """Somebody on the ladder. Raises ``KeyError`` for a name that is not on it."""
    if name in _REFERENCES:
        return _of_reference(_REFERENCES[name])
    if name not in NAMES:
        raise KeyError(name)
    return of_level(LEVELS[int(name.removeprefix("level "))])


def definition(name: str) -> str:
    """What somebody on the ladder is: games of one that has been changed since are not counted with newer ones."""
    if name in _REFERENCES:
        return f"edition {EDITION}"
    level = _bounded(LEVELS[int(name.removeprefix("level "))])
    book = ", with the book" if level.well_read else ""
    return f"edition {EDITION}, {level.nodes} nodes, overlooks {level.blindness:g}{book}"


def _bounded(level: Level) -> Level:
    return level if level.nodes is not None else replace(level, nodes=FULL_NODES)


def of_level(level: Level) -> Player:
    """The engine at a level, without a limit of time."""
    from core.ai.book import own_book  # noqa: PLC0415 (its kernels are loaded when somebody plays)
    from core.ai.decisions import decide  # noqa: PLC0415

    bounded, book = _bounded(level), own_book()
    return lambda game, seat, random: decide(
        game, seat, level=bounded, seconds=None, seed=random.getrandbits(60), book=book
    )


def _of_reference(choose: reference.Player) -> Player:
    def act(game: Game, _seat: Seat, random: Random) -> Action:
        p = choose(game.state.board(), game.state.turn, random)
        return Action(Act.PASS) if p is None else Action(Act.PLACE, points=(int(p),))

    return act


def game(first: Player, second: Player, number: int, random: Random) -> Game:
    """Game ``number`` between two players, to its end or to so many stones that it is a draw.

    The first one has Black in even games. Raises :class:`UnsoundPlayerError`.
    """
    opening = OPENINGS[number // 2 % len(OPENINGS)]
    played = new_game(Settings(protocol="designated", opening=opening.code, foul_mode=FoulMode.AUTO_LOSS))
    seated = (first, second) if number % 2 == 0 else (second, first)
    while played.outcome is None and len(played.state.stones) < LONGEST:
        (seat,) = played.to_act
        action = seated[seat](played, seat, random)
        after = apply(played, seat, action, 0)
        if isinstance(after, Refusal):
            raise UnsoundPlayerError(f"{action.words()}: {after.why}")
        played = after
    if played.state.stones[-1].verdict.forbidden:
        raise UnsoundPlayerError("a forbidden point was played")
    return played


def play(first: Player, second: Player, number: int, random: Random) -> Tally:
    """The result of game ``number``, see :func:`game`."""
    outcome = game(first, second, number, random).outcome
    if outcome is None or outcome.winner is None:
        return Tally(drawn=1)
    return Tally(won=1) if (outcome.winner == 0) == (number % 2 == 0) else Tally(lost=1)


def match(one: str, other: str, games: int, *, begin: int = 0) -> Iterator[Tally]:
    """So many games, one by one. The same names and numbers always give the same games."""
    first, second = player(one), player(other)
    for number in range(begin, begin + games):
        yield play(first, second, number, Random(f"{one} {other} {number}"))  # noqa: S311
