"""A game: settings and a record of actions. Everything else is derived by replay."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import Final

import msgspec

from core.action import Act, Action, ActionError, parse
from core.clock import Clock
from core.game.outcome import Outcome, Refusal, Why
from core.game.play import start, step
from core.game.seats import to_act
from core.game.settings import Seat, Settings
from core.game.state import State
from core.notation import NotationError
from core.openings.names import Opening

#: The version of the saved form. A reader refuses what it does not know.
SCHEMA: Final = 1


class CorruptGame(ValueError):
    """A saved game that does not replay; the message says at which action, and why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted action: who did it (``None``: the referee), what, and when (milliseconds since 1970, UTC)."""

    seat: Seat | None
    action: Action
    at: int


@dataclass(frozen=True, slots=True)
class Game:
    """Settings, the record of accepted actions, and the state they lead to.

    Make one with :func:`new_game` and :func:`apply`, never by hand: the state must be what the record says.
    """

    settings: Settings
    record: tuple[Entry, ...]
    state: State
    began: int | None = None
    """When the clock began to run, since both seats were taken; ``None`` before."""

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; ``None`` while it runs."""
        return self.state.outcome

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats whose turn action the game waits for."""
        return to_act(self.state, self.settings)

    @property
    def opening(self) -> Opening | None:
        """Which of the 26 openings the first three stones form; ``None`` before move 3 or off the book."""
        return self.state.opening


def new_game(settings: Settings) -> Game:
    """A game before its first action."""
    return Game(settings, (), start(settings))


def begin(game: Game, now: int) -> Game:
    """The game when both seats are taken: the clock of whoever has to act first begins to run."""
    if game.began is not None or game.record:
        raise ValueError("the game has begun")
    return replace(game, began=now, state=replace(game.state, clock=game.state.clock.turned(_runs(game.to_act), now)))


def apply(game: Game, seat: Seat | None, action: Action, now: int) -> Game | Refusal:
    """The game after ``seat`` does ``action`` at ``now`` (ms since 1970); or why not. ``game`` itself never changes.

    Once the clock runs, nothing that comes after its deadline counts, and only then the referee may raise the flag.
    """
    clock = game.state.clock
    if seat is not None and clock.fallen(now):
        return Refusal(Why.TIME_OVER)
    if seat is None and action.act is Act.FLAG and not _flag_is_due(clock, action.number, now):
        return Refusal(Why.NOT_NOW, text=action.act)
    if game.outcome is None and action.act is Act.EXPIRE and (game.began is not None or game.record):
        return Refusal(Why.NOT_NOW, text=action.act)
    state = step(game.state, game.settings, seat, action)
    if isinstance(state, Refusal):
        return state
    if game.began is not None:
        state = _timed(state, game, action, now)
    return replace(game, record=(*game.record, Entry(seat, action, now)), state=state)


def _flag_is_due(clock: Clock, seat: int, now: int) -> bool:
    """A game without a running clock is given up by the referee's own judgement; else the deadline decides."""
    return clock.deadline is None or (clock.running == seat and now >= clock.deadline)


def _timed(state: State, game: Game, action: Action, now: int) -> State:
    """The state with its clock brought to ``now``."""
    before = game.state.clock
    runs = _runs(to_act(state, game.settings))
    if action.act is Act.CREDIT:
        clock = before.given_back(action.number)
    elif action.act is Act.UNDO_ALLOW:  # the state, clock included, is that of an earlier moment
        clock = before.taken_back(replace(state.clock, running=runs), now)
    else:
        clock = before.turned(runs, now)
    same_turn = clock.running == before.running and action.act is not Act.UNDO_ALLOW
    return replace(state, clock=clock, reminded=state.reminded and same_turn)


def _runs(seats: tuple[Seat, ...]) -> Seat | None:
    return seats[0] if seats else None


class _Saved(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    schema: int
    settings: Settings
    actions: list[list[int | str | None]]
    began: int | None = None


def save(game: Game) -> bytes:
    """The saved form: readable JSON, ``{"schema":1,"settings":{...},"actions":[[seat, at, "place", "h8"], ...]}``."""
    actions: list[list[int | str | None]] = [[entry.seat, entry.at, *entry.action.words()] for entry in game.record]
    return msgspec.json.encode(_Saved(SCHEMA, game.settings, actions, game.began))


def load(saved: bytes) -> Game:
    """The inverse of :func:`save`; replays the record. Raises :class:`CorruptGame`."""
    try:
        read = msgspec.json.decode(saved, type=_Saved)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise CorruptGame(f"unreadable: {error}") from error
    if read.schema != SCHEMA:
        raise CorruptGame(f"saved by another version (schema {read.schema}, this one reads {SCHEMA})")
    fresh = new_game(read.settings)
    begun = fresh if read.began is None else begin(fresh, read.began)
    return reduce(_replayed, enumerate(read.actions, 1), begun)


def _replayed(game: Game, numbered: tuple[int, list[int | str | None]]) -> Game:
    number, fields = numbered
    try:
        seat, at, *words = fields
        action = parse(words)
    except (ValueError, ActionError, NotationError) as error:
        raise CorruptGame(f"action {number}: {error}") from error
    if not isinstance(at, int) or seat not in (None, 0, 1):
        raise CorruptGame(f"action {number}: no seat or no time")
    after = apply(game, None if seat is None else (0 if seat == 0 else 1), action, at)
    if isinstance(after, Refusal):
        raise CorruptGame(f"action {number} ({' '.join(map(str, words))}) is refused: {after.why.value}")
    return after
