"""What a chat and a person prefer; alone with the bot both are the same. See ``/settings``."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Literal

import msgspec

from bot import newgame
from bot.adapters.telegram.reading import PLATFORM
from bot.session.tables import Tables
from bot.words import LANGUAGES

#: Preferences are kept for ten years after they were last changed, in seconds.
_KEPT: Final = 10 * 365 * 86_400
#: For how long what was read is believed, in seconds, and of how many chats and people.
_FRESH: Final = 5.0
_MOST: Final = 4096

Policy = Literal["edit", "new", "reply"]
STYLES: Final = ("wood", "dark")


class Preferred(msgspec.Struct, frozen=True, kw_only=True):
    """What holds in a chat, or for a person everywhere."""

    language: str = ""
    """A person's, and that of boards in a chat; empty: as Telegram says, and as whoever opened the game."""
    style: Literal["wood", "dark"] = "wood"
    policy: Policy = "edit"
    """How whoever is to move learns of it: not at all, by the board sent anew, by a reply to the board."""
    around: bool = False
    """Whether the points around the play are offered first, instead of columns and rows."""
    confirm: bool = False
    """Whether a tapped point is asked about before it is played."""
    wait: Literal["1h", "1d", "3d", "14d"] = "3d"
    """For how long somebody can join a game that is opened here, unless its words say it."""

    @property
    def waits(self) -> int:
        """The same in milliseconds."""
        return newgame.span(self.wait)


class Preferences:
    """Reads and keeps preferences. What cannot be read counts as not set."""

    def __init__(self, tables: Tables, clock: Callable[[], float] = time.monotonic) -> None:
        self._tables = tables
        self._clock = clock
        self._read: OrderedDict[str, tuple[float, Preferred]] = OrderedDict()

    async def of(self, who: str) -> Preferred:
        """Those of a chat or an account, by number. Raises ``StoreUnavailable``, as :meth:`keep`."""
        now = self._clock()
        known = self._read.get(who)
        if known is not None and known[0] > now - _FRESH:
            return known[1]
        kept = await self._tables.recall(_key(who))
        return self._note(who, now, _decoded(kept))

    async def keep(self, who: str, preferred: Preferred) -> None:
        """Keep them."""
        await self._tables.remember(_key(who), msgspec.json.encode(preferred).decode(), _KEPT)
        self._note(who, self._clock(), preferred)

    async def move(self, who: str, new: str) -> None:
        """A group got another number."""
        await self.keep(new, await self.of(who))

    def _note(self, who: str, now: float, preferred: Preferred) -> Preferred:
        self._read[who] = (now, preferred)
        self._read.move_to_end(who)
        if len(self._read) > _MOST:
            self._read.popitem(last=False)
        return preferred


def changed(before: Preferred, name: str, value: str) -> Preferred:
    """The preferences after a choice was made; values that mean nothing change nothing."""
    wanted: dict[str, object]
    match name:
        case "language" if value == "auto" or value in LANGUAGES:
            wanted = {"language": "" if value == "auto" else value}
        case "style" | "policy" | "wait":
            wanted = {name: value}
        case "around" | "confirm":
            wanted = {name: value == "on"}
        case _:
            return before
    try:
        return msgspec.convert(msgspec.to_builtins(before) | wanted, Preferred)
    except msgspec.ValidationError:
        return before


def _decoded(kept: str | None) -> Preferred:
    try:
        return Preferred() if kept is None else msgspec.json.decode(kept, type=Preferred)
    except (msgspec.DecodeError, ValueError):
        return Preferred()


def _key(who: str) -> str:
    return f"{PLATFORM}:preferred:{who}"
