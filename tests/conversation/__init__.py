"""Conversations written once, as intentions of players, and played on every platform.

``conversations.py`` holds the conversations: functions of a :class:`Stage` that know no platform.
``test_conversations.py`` plays each of them on every stage of ``stages.py``. To let a platform join, subclass the two
classes below (the names in capitals are all that is asked of it) and add the stage to ``stages.STAGES``:

* :class:`Stage` is the whole product with one platform in front, started in ``__aenter__`` and stopped in
  ``__aexit__``: real desk, real tables, real engine, and the platform's own wire. It makes players.
* :class:`Player` is one person in front of that platform. Its six abstract methods are what a person can do there;
  the intentions (``play``, ``swap``, ``claim`` ...) are built on them and belong to no platform.

Points are entered the way the platform's people do it (typed, tapped, by keypad); every way is a stage of its own.
Buttons are named by their English words, which the design fixes. What a person *hears* is the one line that is for
them alone: the answer to a tap, the reply to what they typed, or "" when nothing was said.

Nothing sleeps: :meth:`Player.sees` waits for the platform to deliver, and gives up after :data:`PATIENCE` seconds with
the last screen in its complaint.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from bot.session.table import Declined, Table
from bot.session.tables import Tables

PATIENCE = 30.0
"""Seconds until a wait is given up: long enough for a slow machine, never reached by a working one."""


@dataclass(frozen=True)
class Screen:
    """What one person sees of a game at one moment."""

    text: str
    """Title and lines, as they stand beside the board."""
    buttons: tuple[str, ...]
    """The labels of the buttons under it, in reading order; keypads and the board itself are not among them."""
    handle: object = None
    """The platform's own: lets :meth:`Player.press` press a button of this very screen later, when it is old."""


class Unseen(AssertionError):
    """What was waited for did not come."""


class Player(ABC):
    """One person in front of one platform."""

    def __init__(self, stage: Stage, name: str, language: str) -> None:
        self.stage = stage
        self.name = name
        self.language = language

    # -- what a platform provides ----------------------------------------------------------------------------------

    @abstractmethod
    async def OPEN(self, typed: str) -> str:  # noqa: N802
        """Open a game with these words after ``newgame``; from now on it is this player's game. What they hear."""

    @abstractmethod
    async def JOIN(self, opener: Player) -> str:  # noqa: N802
        """Take the free seat of the opener's game, as people do here (button, link); it becomes this player's game."""

    @abstractmethod
    async def WATCH(self, opener: Player) -> None:  # noqa: N802
        """Look at the opener's game without a seat; it becomes the game that this player looks at."""

    @abstractmethod
    async def ENTER(self, text: str) -> str:  # noqa: N802
        """Enter a point, or whatever was typed instead of one, in this player's game. What they hear."""

    @abstractmethod
    async def PRESS(self, label: str, screen: Screen, *, sure: bool) -> str:  # noqa: N802
        """Press the button of this label on that screen, which may be old. What they hear.

        Where the button asks before it acts, ``sure`` is the answer.
        """

    @abstractmethod
    async def SCREEN(self) -> Screen | None:  # noqa: N802
        """What this player sees now of their game; ``None`` while there is nothing yet."""

    @abstractmethod
    async def CHANGED(self) -> None:  # noqa: N802
        """Return when what this player sees may have changed; at once if it did since :meth:`SCREEN` was called."""

    @abstractmethod
    async def TABLE(self) -> str:  # noqa: N802
        """The id of the table of this player's game."""

    # -- intentions ------------------------------------------------------------------------------------------------

    async def open_game(self, typed: str = "friend") -> None:
        """Open a game and see it."""
        heard = await self.OPEN(typed)
        await self.until(_anything, f"a new game (they heard {heard!r})")

    async def join(self, opener: Player) -> None:
        """Take the free seat of the opener's game and see it."""
        heard = await self.JOIN(opener)
        await self.sees(self.name, heard=heard)

    async def watch(self, opener: Player) -> None:
        """Look at the opener's game without a seat."""
        await self.WATCH(opener)
        await self.until(_anything, "the game of another")

    async def play(self, *points: str) -> None:
        """Put a stone on each of the points, and see each as the last move."""
        for point in points:
            heard = await self.enter(point)
            await self.sees_stone(point, heard=heard)

    async def enter(self, text: str) -> str:
        """Enter a point or other words; what they hear."""
        return await self.ENTER(text)

    async def press(self, label: str, screen: Screen | None = None, *, sure: bool = True) -> str:
        """Press a button, of an older screen if one is given; what they hear."""
        if screen is None:
            screen = await self.until(lambda now: label in now.buttons, f"a button {label!r}")
        return await self.PRESS(label, screen, sure=sure)

    async def guess(self, word: str) -> None:
        """Guess ``odd`` or ``even``."""
        await self.press(word.capitalize())

    async def swap(self) -> None:
        """Exchange the colours."""
        await self.press("Swap colours")

    async def keep(self) -> None:
        """Leave the colours as they are."""
        await self.press("Keep colours")

    async def offer(self, *points: str) -> None:
        """Offer these fifth moves, one after the other."""
        for point in points:
            heard = await self.enter(point)
            await self.sees(point.upper(), heard=heard)

    async def choose(self, letter: str) -> None:
        """Choose the fifth move of this letter."""
        await self.press(letter)

    async def claim(self) -> str:
        """Claim that the last stone was a forbidden move; what they hear."""
        return await self.press("Claim forbidden move")

    async def resign(self) -> None:
        """Give the game up."""
        await self.press("Resign")

    # -- looking ---------------------------------------------------------------------------------------------------

    async def screen(self) -> Screen:
        """What this player sees now."""
        return await self.until(_anything, "anything")

    async def sees(self, *words: str, heard: str = "") -> Screen:
        """Wait until the text beside the board holds all of these words."""
        wanted = " and ".join(repr(word) for word in words)
        said = f" (they heard {heard!r})" if heard else ""
        return await self.until(lambda screen: all(word in screen.text for word in words), f"the words {wanted}{said}")

    async def sees_stone(self, point: str, *, heard: str = "") -> Screen:
        """Wait until the last move is on this point."""
        lines = [f"{colour} {point.upper()}" for colour in ("Black", "White")]
        said = f" (they heard {heard!r})" if heard else ""

        def last_move(screen: Screen) -> bool:
            return any(line.endswith(stone) for line in screen.text.splitlines() for stone in lines)

        return await self.until(last_move, f"a stone on {point}{said}")

    async def until(self, holds: Callable[[Screen], bool], what: str) -> Screen:
        """Wait until the screen is as wanted; ``what`` names it in the complaint."""
        last: Screen | None = None
        try:
            async with asyncio.timeout(PATIENCE):
                while True:
                    last = await self.SCREEN()
                    if last is not None and holds(last):
                        return last
                    await self.CHANGED()
        except TimeoutError:
            shown = "nothing" if last is None else f"{last.text}\n{list(last.buttons)}"
            raise Unseen(f"{self.name} waited in vain for {what}; the screen shows:\n{shown}") from None

    async def table(self) -> Table:
        """The table behind what this player sees, from the store."""
        table = await self.stage.tables.get(await self.TABLE())
        assert not isinstance(table, Declined), table
        return table

    async def stones(self) -> str:
        """The stones on the board in the order of play: ``"h8 h9 j10"``."""
        state = (await self.table()).game.state
        return " ".join(f"{'abcdefghijklmno'[s.point % 15]}{s.point // 15 + 1}" for s in state.stones)


class Stage(ABC):
    """The whole product with one platform in front."""

    tables: Tables
    apart = False
    """Whether everybody has a board of their own; else all look at one."""

    @abstractmethod
    async def PLAYER(self, name: str, language: str) -> Player:  # noqa: N802
        """A person of this name, who uses the platform in this language (``en``, ``zh``), in front of it."""

    async def player(self, name: str, language: str = "en") -> Player:
        """A new person."""
        return await self.PLAYER(name, language)

    @abstractmethod
    async def __aenter__(self) -> Self: ...

    @abstractmethod
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def _anything(_: Screen) -> bool:
    return True
