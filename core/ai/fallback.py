"""Some legal action, without thinking: for when the engine fails, and behind every proposal of its own."""

from __future__ import annotations

from collections.abc import Iterator

from core.action import Act, Action
from core.game import GUESSING, Game, Refusal, Seat, apply, offers_wanted, phase_of
from core.notation import POINTS, Colour, Point, distance_from_tengen
from core.openings.protocol import Phase
from core.rules import forbidden


def legal_action(game: Game, seat: Seat) -> Action | None:
    """An action that the game accepts from ``seat`` now; ``None`` when it waits for nothing from this seat.

    A standing draw offer is declined and a request to take back allowed. Forbidden points come last, after passing.
    """
    return next(
        (found for found in possible_actions(game, seat) if not isinstance(apply(game, seat, found, 0), Refusal)), None
    )


def possible_actions(game: Game, seat: Seat) -> Iterator[Action]:
    """Actions one of which the game accepts, if it waits for this seat at all; the harmless ones first."""
    state = game.state
    if state.undo_by is not None and state.undo_by != seat:
        yield Action(Act.UNDO_ALLOW)
    if state.draw_by is not None and state.draw_by != seat:
        yield Action(Act.DRAW_DECLINE)
    if seat not in game.to_act:
        return
    if state.phase == GUESSING:
        yield Action(Act.GUESS, word="odd")
        yield Action(Act.HIDE, number=1)
        return
    phase = phase_of(state, game.settings)
    empty = sorted((p for p in range(POINTS) if not state.cells[p]), key=distance_from_tengen)
    if Act.OFFER in phase.then:
        yield from _offers(game, seat, empty, offers_wanted(state, phase))
    yield from _choices(phase, state.offers)
    if Act.PLACE in phase.then:
        fouls = forbidden(state.board()) if state.turn is Colour.BLACK and game.settings.fouls else {}
        yield from (_place(p) for p in empty if p not in fouls)
        yield Action(Act.PASS)
        yield from (_place(p) for p in fouls)


def _choices(phase: Phase, offers: tuple[Point, ...]) -> Iterator[Action]:
    if Act.KEEP in phase.then:
        yield Action(Act.KEEP)
    if Act.COLOUR in phase.then:
        yield Action(Act.COLOUR, word="black")
    if Act.DECLARE in phase.then:
        yield Action(Act.DECLARE, number=1)
    if Act.CHOOSE in phase.then:
        yield from (Action(Act.CHOOSE, points=(p,)) for p in offers)


def _offers(game: Game, seat: Seat, empty: list[Point], wanted: int) -> Iterator[Action]:
    """As many different fifth moves as are wanted, in one set."""
    chosen: tuple[Point, ...] = ()
    for p in empty:
        if len(chosen) < wanted and not isinstance(
            apply(game, seat, Action(Act.OFFER, points=(*chosen, p)), 0), Refusal
        ):
            chosen = (*chosen, p)
    if chosen:
        yield Action(Act.OFFER, points=chosen)


def _place(p: Point) -> Action:
    return Action(Act.PLACE, points=(p,))
