"""Games for tests: written as short scripts, and the laws that hold in every one of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from core.game import Game, Refusal, Seat, Settings, action, apply, load, new_game, save
from core.notation import POINTS, Colour, board_text


def begin(protocol: str = "free", **agreed: object) -> Game:
    """A new game; seat 0 is P1."""
    return new_game(Settings(protocol=protocol, **agreed))  # type: ignore[arg-type]


def attempt(game: Game, step: str, now: int = 0) -> Game | Refusal:
    """Try one step such as ``"0 place h8"``; ``"-"`` as the seat is the referee."""
    seat, *words = step.split()
    return apply(game, None if seat == "-" else _seat(seat), action(*words), now)


def play(game: Game, steps: str) -> Game:
    """Play steps such as ``"0 place h8; 1 swap"``, each of which must be accepted."""
    for number, step in enumerate(filter(None, map(str.strip, steps.split(";")))):
        after = attempt(game, step, now=len(game.record) + number)
        assert isinstance(after, Game), f"{step}: {after}\n{board_text(game.state.board())}"
        game = after
    return game


def stones(game: Game, moves: str) -> Game:
    """Play stones, each by whoever is to act: ``"h8 i9 j10"``."""
    for text in moves.split():
        (seat,) = game.to_act
        game = play(game, f"{seat} pass" if text == "--" else f"{seat} place {text}")
    return game


def refusal(game: Game, step: str) -> Refusal:
    """The refusal that a step gets; it must be refused."""
    after = attempt(game, step)
    assert isinstance(after, Refusal), step
    return after


def why(game: Game, step: str) -> str:
    """The reason's code."""
    return refusal(game, step).why.value


def quiet(game: Game) -> Game:
    """The game without what only the last action tells."""
    return replace(game, record=(), state=replace(game.state, events=()))


def check(game: Game) -> None:
    """What is true of every game at every moment."""
    state = game.state
    assert load(save(game)) == game, "a saved game loads equal, by replay"
    assert state.cells == bytes(bytearray(_cells(game))), "the board is what the stones say"
    assert len({stone.point for stone in state.stones}) == len(state.stones), "one stone a point"
    assert (state.black is None) == (state.p1 is None)
    if game.outcome is None:
        assert len(game.to_act) == 1, "somebody can act"
    else:
        assert game.to_act == ()
        assert game.outcome.winner in (None, 0, 1)
        assert (state.draw_by, state.undo_by, state.pending) == (None, None, None)
    for seat in (0, 1):
        if state.black is not None:
            colour = state.colour_of(_seat(str(seat)))
            assert colour is not None
            assert state.seat_of(colour) == seat


def _cells(game: Game) -> Iterable[int]:
    lying = {stone.point: stone.colour for stone in game.state.stones}
    return (lying.get(point, Colour.EMPTY) for point in range(POINTS))


def _seat(text: str) -> Seat:
    return 0 if text == "0" else 1
