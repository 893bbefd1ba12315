"""``renju engine``: the Gomocup (Piskvork) protocol on standard input and output.

Board 15; rules 0 (five or more wins), 1 (exactly five) and 4 (Renju). Unknown INFO keys are passed over. While it
thinks, input is read on, so that STOP (answer with the best move so far) works at once, END and the end of the input
within half a second: what was asked before them is still answered, for those who write all commands in one go.
"""

from __future__ import annotations

import argparse
import io
import queue
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, TextIO

from bot.settings import SettingsInvalid, read
from core.ai import Stop, best_move
from core.ai.table import Table
from core.ai.think import new_table
from core.notation import POINTS, SIZE, Colour, Point, board, name

ABOUT: Final = 'name="Renju Bot", version="0.1.0", author="The Renju Bot developers", country="-"'
#: Kept back of every time limit for starting, reading and writing, in milliseconds.
_MARGIN: Final = 30
#: "No limit" in ``time_left``.
_UNLIMITED: Final = 2_147_483_647
#: Of the time left for the match, one move gets this part.
_MATCH_SHARE: Final = 25
#: How much of what ``max_memory`` allows is for the program itself; the table gets the rest, or its least.
_PROGRAM: Final = 256 << 20
#: More nodes than this are no limit.
_MANY: Final = 1 << 62
#: More threads than this are not used.
_THREADS: Final = 64
#: The time for a move when none was told, in milliseconds; the protocol's default.
_TURN: Final = 30_000
_COORDINATES: Final = re.compile(r"\s*0*(\d{1,3})\s*,\s*0*(\d{1,3})\s*(?:,\s*(\d)\s*)?\Z")
#: Characters of a line that an answer repeats.
_REPEATED: Final = 40
_STOPS: Final = ("STOP", "YXSTOP")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Everything is told by the protocol; there are no arguments."""


def run(_arguments: argparse.Namespace) -> int:
    """Serve the protocol until END or the end of the input."""
    try:
        memory = read().engine_memory
    except SettingsInvalid as invalid:
        print(f"renju engine: {invalid}", file=sys.stderr)
        return 2
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):  # a folder's name in INFO may be in any encoding
            stream.reconfigure(errors="replace")
    # What a first thought loads is not to be taken from the time of a move.
    best_move(board([112, 113], [97]), Colour.WHITE, nodes=100, seconds=None)
    engine = Engine(sys.stdout, memory=memory << 20)
    engine.serve(sys.stdin)
    return 0


@dataclass(slots=True)
class _Limits:
    turn: int = _TURN
    match: int = 0
    left: int = _UNLIMITED
    nodes: int | None = None

    def seconds(self) -> float:
        """The time for this move."""
        given = self.turn
        if self.match > 0 and self.left < _UNLIMITED:
            given = min(given, max(self.left // _MATCH_SHARE, 1))
        return max(given - _MARGIN, given // 2, 1) / 1000


@dataclass(slots=True)
class Engine:
    """One conversation."""

    out: TextIO
    stones: list[tuple[Point, bool]] = field(default_factory=list)
    """The stones in the order they were put, and whether each is ours."""
    started: bool = False
    rule: int = 4
    memory: int = 64 << 20
    """Bytes that the table of known positions may take."""
    allowed: int = 0
    """Bytes that the manager allows the whole program, 0 for no limit."""
    threads: int = 1
    table: Table | None = None
    """What was found in this game by this rule."""
    limits: _Limits = field(default_factory=_Limits)
    stop: Stop = field(default_factory=Stop)
    patience: float = 0.5
    """For how many seconds a search may go on after END or the end of the input."""
    _stops: int = 0
    """How many stops have been read and not yet come up: a search that begins now is to end at once."""
    _closing: bool = False
    """Whether END or the end of the input has been read."""
    _over: bool = False
    """Whether it has come up: there are no more commands."""
    _lines: queue.SimpleQueue[str | None] = field(default_factory=queue.SimpleQueue)

    def serve(self, source: Iterable[str]) -> None:
        """Answer every command of ``source``; returns after END."""
        reader = threading.Thread(target=self._read, args=(source,), daemon=True, name="engine input")
        reader.start()
        while (text := self._next()) is not None:
            word, rest = _divided(text)
            command = _COMMANDS.get(word.upper())
            if command is None:
                self._say(f"UNKNOWN {_shortened(word)}")
            else:
                command(self, rest)

    def _read(self, source: Iterable[str]) -> None:
        try:
            for line in source:
                word = line.strip().upper()
                if word in _STOPS:
                    self._stops += 1
                    self.stop.set()
                if word == "END":
                    break
                self._lines.put(line)
        finally:
            # A search that begins from now on looks at this; one that has begun is stopped by the timer.
            self._closing = True
            timer = threading.Timer(self.patience, self.stop.set)
            timer.daemon = True
            timer.start()
            self._lines.put(None)

    def _next(self) -> str | None:
        """The next line that is a command or part of one; ``None`` after END. Stops, seen already, are ticked off."""
        while not self._over:
            line = self._lines.get()
            if line is None:
                self._over = True
            elif line.strip().upper() in _STOPS:
                self._stops -= 1
            elif line.strip():
                return line.strip()
        return None

    def _say(self, text: str) -> None:
        self.out.write(text + "\n")
        self.out.flush()

    # -- commands ------------------------------------------------------------------------------------------------------

    def start(self, rest: str) -> None:
        """START: a new game on a board of this side."""
        self.started = rest == str(SIZE)
        self.stones.clear()
        self.table = None
        self._say("OK" if self.started else f"ERROR only board size {SIZE} is supported")

    def restart(self, _rest: str) -> None:
        """RESTART: a new game on the same board."""
        self.stones.clear()
        self.table = None
        self._say("OK" if self.started else "ERROR no game was started")

    def begin(self, _rest: str) -> None:
        """BEGIN: we have the first move."""
        if self.started and self.stones:
            self._say("ERROR the board is not empty")
        else:
            self._move()

    def turn(self, rest: str) -> None:
        """TURN: the opponent's move; ours is wanted."""
        if self._put(_point(rest), ours=False):
            self._move()
        else:
            self._say(f"ERROR {_shortened(rest)!r} is no empty point")

    def board(self, _rest: str) -> None:
        """BOARD: lines ``x,y,who`` up to DONE: 1 is ours, 2 the opponent's; 3, a winning line, is passed over."""
        self.stones.clear()
        bad: list[str] = []
        while (text := self._next()) is not None and text.upper() != "DONE":
            read = _COORDINATES.match(text)
            who = read[3] if read is not None else None
            if who is None or (who in ("1", "2") and not self._put(_point(text), ours=who == "1")):
                bad.append(text)
        if bad:
            self.stones.clear()
            self._say(f"ERROR the board could not be read: {_shortened(bad[0])!r}")
        elif not self._over:
            self._move()

    def takeback(self, rest: str) -> None:
        """TAKEBACK: a stone is taken off again."""
        where = _point(rest)
        if where is not None and any(p == where for p, _ in self.stones):
            self.stones = [stone for stone in self.stones if stone[0] != where]
            self._say("OK")
        else:
            self._say("ERROR no stone there")

    def info(self, rest: str) -> None:
        """INFO: limits and the rule; whatever is not known is passed over."""
        key, value = _divided(rest)
        try:
            number = int(float(value))
        except (ValueError, OverflowError):
            return  # folders and other texts: nothing that we use
        match key.lower():
            case "timeout_turn":
                self.limits.turn = min(max(number, 0), _UNLIMITED)
            case "timeout_match":
                self.limits.match = max(number, 0)
            case "time_left":
                self.limits.left = number
            case "max_node":
                self.limits.nodes = min(number, _MANY) if number > 0 else None
            case "max_memory":
                self.allowed = max(number, 0)
                self.table = None
            case "thread_num":
                self.threads = min(max(number, 1), _THREADS)
            case "rule":
                if number in (0, 1, 4):
                    self.rule = number
                    self.table = None
                else:
                    self._say(f"ERROR rule {number} is not supported")

    def about(self, _rest: str) -> None:
        """ABOUT: who we are."""
        self._say(ABOUT)

    # -- moves ---------------------------------------------------------------------------------------------------------

    def _put(self, where: Point | None, *, ours: bool) -> bool:
        """Put a stone; whether that is an empty point."""
        if where is None or any(p == where for p, _ in self.stones):
            return False
        self.stones.append((where, ours))
        return True

    def _move(self) -> None:
        if not self.started:
            self._say("ERROR no game was started")
            return
        if len(self.stones) >= POINTS:
            self._say("ERROR the board is full")
            return
        mine = [p for p, ours in self.stones if ours]
        theirs = [p for p, ours in self.stones if not ours]
        colour = Colour.BLACK if len(self.stones) % 2 == 0 else Colour.WHITE
        cells = board(mine, theirs) if colour is Colour.BLACK else board(theirs, mine)
        self.stop = Stop()
        if self._stops:
            self.stop.set()
        seconds = min(self.limits.seconds(), self.patience) if self._closing else self.limits.seconds()
        if self.table is None:
            left = max(self.allowed - _PROGRAM, 0) if self.allowed else self.memory
            self.table = new_table(min(self.memory, left))
        began = time.perf_counter()
        thought = best_move(
            cells,
            colour,
            fouls=self.rule == 4,
            black_exact=self.rule != 0,
            white_exact=self.rule == 1,
            seconds=seconds,
            nodes=self.limits.nodes,
            stop=self.stop,
            table=self.table,
            threads=self.threads,
        )
        spent = max(time.perf_counter() - began, 1e-6)
        where = thought.point
        if where is None:  # every empty point is forbidden, and the protocol knows no pass
            where = next(p for p in range(POINTS) if not cells[p])
        line = " ".join(name(p) for p in thought.line)
        self._say(
            f"MESSAGE depth {thought.depth} score {thought.score} nodes {thought.nodes} "
            f"speed {int(thought.nodes / spent)} time {int(spent * 1000)} line {line}"
        )
        self.stones.append((where, True))
        self._say(f"{where % SIZE},{where // SIZE}")


def _point(text: str) -> Point | None:
    """The point ``x,y`` of our board; ``None`` for anything else."""
    read = _COORDINATES.match(text)
    if read is None:
        return None
    x, y = int(read[1]), int(read[2])
    return y * SIZE + x if x < SIZE and y < SIZE else None


def _divided(text: str) -> tuple[str, str]:
    """The first word, and the rest."""
    word, *rest = text.split(maxsplit=1) or [""]
    return word, rest[0] if rest else ""


def _shortened(text: str) -> str:
    """As much of somebody's line as an answer repeats."""
    return text if len(text) <= _REPEATED else text[:_REPEATED] + "..."


_COMMANDS: Final[dict[str, Callable[[Engine, str], None]]] = {
    "START": Engine.start,
    "RESTART": Engine.restart,
    "BEGIN": Engine.begin,
    "TURN": Engine.turn,
    "BOARD": Engine.board,
    "TAKEBACK": Engine.takeback,
    "INFO": Engine.info,
    "ABOUT": Engine.about,
}
