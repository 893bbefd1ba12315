"""``renju engine``: the Gomocup (Piskvork) protocol on standard input and output.

Board 15; rules 0 (five or more wins), 1 (exactly five) and 4 (Renju). Unknown INFO keys are passed over. While it
thinks, input is read on, so that STOP (answer with the best move so far) and END work at once.
"""

from __future__ import annotations

import argparse
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
#: More threads than this are not used.
_THREADS: Final = 64
#: The time for a move when none was told, in milliseconds; the protocol's default.
_TURN: Final = 30_000
_COORDINATES: Final = re.compile(r"\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+)\s*)?\Z")
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
    _stops: int = 0
    """How many stops have been read and not yet come up: a search that begins now is to end at once."""
    _lines: queue.SimpleQueue[str | None] = field(default_factory=queue.SimpleQueue)

    def serve(self, source: Iterable[str]) -> None:
        """Answer every command of ``source``; returns after END."""
        reader = threading.Thread(target=self._read, args=(source,), daemon=True, name="engine input")
        reader.start()
        while (line := self._lines.get()) is not None:
            word, _, rest = line.strip().partition(" ")
            if not word:
                continue
            if word.upper() == "END":
                return
            command = _COMMANDS.get(word.upper())
            if command is None:
                self._say(f"UNKNOWN {word}")
            else:
                command(self, rest.strip())

    def _read(self, source: Iterable[str]) -> None:
        for line in source:
            word = line.strip().upper()
            if word in _STOPS:
                self._stops += 1
            if word in _STOPS or word == "END":
                self.stop.set()
            self._lines.put(line)
        self.stop.set()
        self._lines.put(None)

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
        if self.stones:
            self._say("ERROR the board is not empty")
        else:
            self._move()

    def turn(self, rest: str) -> None:
        """TURN: the opponent's move; ours is wanted."""
        if self._put(rest, ours=False):
            self._move()

    def board(self, _rest: str) -> None:
        """BOARD: lines ``x,y,who`` up to DONE: 1 is ours, 2 the opponent's; 3, a winning line, is passed over."""
        self.stones.clear()
        fine = True
        while (line := self._lines.get()) is not None:
            text = line.strip()
            if text.upper() == "DONE":
                break
            read = _COORDINATES.match(text)
            if read is None or read[3] is None:
                fine = not text and fine
            elif read[3] in ("1", "2"):
                fine = self._put(f"{read[1]},{read[2]}", ours=read[3] == "1") and fine
        if fine:
            self._move()
        else:
            self._say("ERROR the board could not be read")

    def takeback(self, rest: str) -> None:
        """TAKEBACK: a stone is taken off again."""
        read = _COORDINATES.match(rest)
        where = _point(read)
        if where is not None and any(p == where for p, _ in self.stones):
            self.stones = [stone for stone in self.stones if stone[0] != where]
            self._say("OK")
        else:
            self._say("ERROR no stone there")

    def info(self, rest: str) -> None:
        """INFO: limits and the rule; whatever is not known is passed over."""
        key, _, value = rest.partition(" ")
        try:
            number = int(float(value.strip()))
        except (ValueError, OverflowError):
            return  # folders and other texts: nothing that we use
        match key.lower():
            case "timeout_turn":
                self.limits.turn = max(number, 0)
            case "timeout_match":
                self.limits.match = max(number, 0)
            case "time_left":
                self.limits.left = number
            case "max_node":
                self.limits.nodes = number if number > 0 else None
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

    def stopped(self, _rest: str) -> None:
        """STOP: the reader has told the search already; here it is only ticked off."""
        self._stops -= 1

    # -- moves ---------------------------------------------------------------------------------------------------------

    def _put(self, text: str, *, ours: bool) -> bool:
        where = _point(_COORDINATES.match(text))
        if where is None or any(p == where for p, _ in self.stones):
            self._say(f"ERROR {text!r} is no empty point")
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
            seconds=self.limits.seconds(),
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


def _point(read: re.Match[str] | None) -> Point | None:
    if read is None:
        return None
    x, y = int(read[1]), int(read[2])
    return y * SIZE + x if x < SIZE and y < SIZE else None


_COMMANDS: Final[dict[str, Callable[[Engine, str], None]]] = {
    "START": Engine.start,
    "RESTART": Engine.restart,
    "BEGIN": Engine.begin,
    "TURN": Engine.turn,
    "BOARD": Engine.board,
    "TAKEBACK": Engine.takeback,
    "INFO": Engine.info,
    "ABOUT": Engine.about,
    "STOP": Engine.stopped,
    "YXSTOP": Engine.stopped,
}
