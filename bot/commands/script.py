"""``renju script``: replay games from text, legal or not, with the state after each step."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from core.action import ActionError, parse
from core.game import ALL_PROTOCOLS, FoulMode, Game, Refusal, Seat, Settings, SettingsError, apply, new_game
from core.notation import NotationError, name

#: Fields of the settings that a script does not choose as options: it names protocol and foul mode beside them, and in
#: it P1 is always who begins.
_NO_OPTIONS: Final = ("protocol", "foul_mode", "draw", "first", "hidden")
_OPTIONS: Final = tuple(field for field in Settings.__struct_fields__ if field not in _NO_OPTIONS)
_SEATS: Final[dict[object, Seat]] = {"P1": 0, "P2": 1}
_PLAYERS: Final = ("P1", "P2")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where scripts come from."""
    parser.description = (
        'Replay games, one JSON line each: {"protocol":"rif","foul_mode":"claim","options":{},'
        '"steps":[{"seat":"P1","action":["place","h8"]}]}. The answer is one JSON line each with the state after every '
        "step; a refused step says why and leaves the game as it was. P1 is the player who is Black at the start."
    )
    parser.add_argument(
        "--jsonl",
        metavar="FILE|-",
        default="-",
        help="read scripts from a file, or from standard input as they come (the default)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Answer on standard output, in the order of the input."""
    try:
        if arguments.jsonl == "-":
            _stream(sys.stdin.buffer, sys.stdout.buffer)
        else:
            with Path(arguments.jsonl).open("rb") as source:
                _stream(source, sys.stdout.buffer)
    except BrokenPipeError:
        raise  # the reader has gone; the command line knows what to do
    except OSError as fault:
        print(f"renju script: cannot read {arguments.jsonl}: {fault.strerror}", file=sys.stderr)
        return 2
    return 0


def _stream(source: BinaryIO, sink: BinaryIO) -> None:
    for line in source:
        if line.strip():
            sink.write(msgspec.json.encode(answer(line)) + b"\n")
            sink.flush()


class _Step(msgspec.Struct):
    seat: str
    action: list[Any]
    """``["offer", "g8", "g6"]``; the points may be a list of their own, ``["offer", ["g8", "g6"]]``."""


class _Script(msgspec.Struct, forbid_unknown_fields=True):
    steps: list[Any]
    protocol: str = "free"
    foul_mode: str = "claim"
    options: dict[str, Any] = {}


def answer(line: bytes) -> dict[str, object]:
    """The answer to one line: ``{"steps": [...]}``, or ``{"error": "..."}`` for a line that is no script."""
    try:
        script = msgspec.json.decode(line, type=_Script)
        game = new_game(_settings(script))
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, SettingsError):  # readable, but its options contradict each other
            return {"error": str(error.__cause__)}
        return {"error": f"not a script: {error}"}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return {"error": f"not JSON: {error}"}
    except SettingsError as error:
        return {"error": str(error)}
    steps: list[dict[str, object]] = []
    for number, raw in enumerate(script.steps, 1):
        after = _step(game, raw, number)
        if isinstance(after, Game):
            game = after
        steps.append(_state(game, why="" if isinstance(after, Game) else after))
    return {"steps": steps}


def _settings(script: _Script) -> Settings:
    if script.foul_mode not in tuple(FoulMode):
        text = f"unknown foul mode {script.foul_mode!r}; there are: {', '.join(FoulMode)}"
        raise SettingsError(text, script.foul_mode)
    for option in script.options:
        if option not in _OPTIONS:
            raise SettingsError(f"unknown option {option!r}; there are: {', '.join(_OPTIONS)}", option)
    if script.protocol not in ALL_PROTOCOLS:
        Settings(protocol=script.protocol)  # raises, with the nearest choice
    agreed = {**script.options, "protocol": script.protocol, "foul_mode": script.foul_mode}
    return msgspec.convert(agreed, Settings)


def _step(game: Game, raw: object, now: int) -> Game | str:
    """The game after a step, or why it was refused."""
    try:
        step = msgspec.convert(raw, _Step)
    except msgspec.ValidationError as error:
        return f"unreadable: {error}"
    seat = _SEATS.get(step.seat)
    if seat is None:
        return f"not_seated: {step.seat!r} is neither P1 nor P2"
    try:
        done = parse([word for part in step.action for word in (part if isinstance(part, list) else [part])])
    except (ActionError, NotationError) as error:
        return f"unreadable: {error}"
    after = apply(game, seat, done, now)
    return _why(after) if isinstance(after, Refusal) else after


def _why(refusal: Refusal) -> str:
    """The reason's code, and after a colon what it is about: ``"same_as_offer: g7 equals g8"``."""
    about = [] if refusal.point is None else [name(refusal.point)]
    if refusal.other is not None:
        about.append(f"equals {name(refusal.other)}")
    if refusal.text:
        about.append(refusal.text)
    if refusal.number:
        about.append(str(refusal.number))
    return f"{refusal.why.value}: {' '.join(about)}" if about else refusal.why.value


def _state(game: Game, *, why: str) -> dict[str, object]:
    state = game.state
    outcome = game.outcome
    result: dict[str, object] | None = None
    if outcome is not None:
        winner = None if outcome.winner is None else _PLAYERS[outcome.winner]
        result = {"winner": winner, "reason": outcome.reason.value}
    return {
        "ok": not why,
        "why": why,
        "to_act": [_PLAYERS[seat] for seat in game.to_act],
        "colours": {player: "black" if _SEATS[player] == state.black else "white" for player in _PLAYERS},
        "stones": " ".join(f"{stone.colour.name[0].lower()}{name(stone.point)}" for stone in state.stones),
        "offers": [name(point) for point in state.offers],
        "result": result,
    }
