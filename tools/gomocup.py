"""An engine that is spoken to by the Gomocup (Piskvork) protocol, as a program of its own."""

from __future__ import annotations

import asyncio
import contextlib
import re
import shlex
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.notation import SIZE, Colour, Point

#: How long an engine may take to start, to compile what it must, and to answer START, in seconds.
STARTING: Final = 180.0
#: Some engines lose what is said to them right after their move: so many seconds pass before they are spoken to again.
SETTLING: Final = 0.03
_MOVE: Final = re.compile(r"\s*(-?\d+)\s*,\s*(-?\d+)\s*\Z")


class Fault(Exception):
    """What an engine did that loses it the game; ``kind`` is one of crash, time, illegal, forbidden."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Limits:
    """How long an engine may think about each move."""

    seconds: float = 60.0
    nodes: int | None = None
    tolerance: float = 0.5
    """How far past its time a move still counts, in seconds."""


class Engine:
    """A running engine, playing one game after the other. The rule is Renju, the board 15."""

    def __init__(self, command: str, limits: Limits, *, folder: Path | None = None) -> None:
        self.command = command
        self.limits = limits
        self.folder = folder
        self.times: list[float] = []
        """How long each move took, in seconds."""
        self._process: asyncio.subprocess.Process | None = None
        self._answered = 0.0

    async def new_game(self) -> None:
        """Begin a game, starting the program if it does not run. Raises :class:`Fault`."""
        if self._process is None:
            words = shlex.split(self.command)
            self._process = await asyncio.create_subprocess_exec(
                *words,
                cwd=self.folder,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
            )
        await self._say(f"START {SIZE}")
        while (line := await self._line(STARTING)).upper() != "OK":
            if line.upper().startswith("ERROR"):
                raise Fault("crash", f"answered START with {line!r}")
        await self._say("INFO rule 4")
        await self._say(f"INFO timeout_turn {round(self.limits.seconds * 1000)}")
        await self._say("INFO timeout_match 0")
        await self._say("INFO time_left 2147483647")
        if self.limits.nodes is not None:
            await self._say(f"INFO max_node {self.limits.nodes}")

    async def move(self, stones: Sequence[Point]) -> Point:
        """The engine's move after these stones, Black first. Raises :class:`Fault` unless it is on the board."""
        mine = Colour.BLACK if len(stones) % 2 == 0 else Colour.WHITE
        lines = ["BOARD"]
        for n, p in enumerate(stones):
            whose = 1 if (Colour.WHITE if n % 2 else Colour.BLACK) is mine else 2
            lines.append(f"{p % SIZE},{p // SIZE},{whose}")
        await asyncio.sleep(self._answered + SETTLING - time.monotonic())
        await self._say("\n".join([*lines, "DONE"]))
        allowed = self.limits.seconds + self.limits.tolerance
        began = time.monotonic()
        while True:
            line = await self._line(began + allowed - time.monotonic())
            found = _MOVE.match(line)
            if found is not None:
                break
            if line.upper().startswith("ERROR"):
                raise Fault("crash", f"answered a board with {line!r}")
        self._answered = time.monotonic()
        self.times.append(self._answered - began)
        x, y = int(found[1]), int(found[2])
        if not (0 <= x < SIZE and 0 <= y < SIZE):
            raise Fault("illegal", f"moved to {line.strip()}, which is off the board")
        return y * SIZE + x

    async def close(self) -> None:
        """End the program, by force if it does not go."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ConnectionError, TimeoutError):
            stdin, _ = _streams(process)
            stdin.write(b"END\n")
            await stdin.drain()
            await asyncio.wait_for(process.wait(), 2.0)
        if process.returncode is None:
            process.kill()
            await process.wait()

    async def _say(self, text: str) -> None:
        stdin, _ = _streams(self._process)
        try:
            stdin.write(text.encode() + b"\n")
            await stdin.drain()
        except ConnectionError:
            raise Fault("crash", "ended while it was spoken to") from None

    async def _line(self, seconds: float) -> str:
        _, stdout = _streams(self._process)
        try:
            line = await asyncio.wait_for(stdout.readline(), max(seconds, 0.0))
        except TimeoutError:
            raise Fault("time", "did not answer in time") from None
        if not line:
            raise Fault("crash", "ended by itself")
        return line.decode(errors="replace").strip()


def _streams(process: asyncio.subprocess.Process | None) -> tuple[asyncio.StreamWriter, asyncio.StreamReader]:
    if process is None or process.stdin is None or process.stdout is None:
        raise Fault("crash", "is not running")
    return process.stdin, process.stdout
