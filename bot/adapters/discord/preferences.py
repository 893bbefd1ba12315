"""What a server and a person prefer. Server preferences are for who may manage the server; see ``/settings``."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Literal, TypeVar

import discord
import msgspec

from bot.adapters.discord.reading import account, speaks
from bot.session.store import StoreUnavailable
from bot.session.tables import Tables
from bot.words import LANGUAGES
from bot.words.choices import WAITS

#: Preferences are kept for ten years after they were last changed, in seconds.
_KEPT: Final = 10 * 365 * 86_400
#: For how long what was read is believed, in seconds, and of how many servers and people.
_FRESH: Final = 5.0
_MOST: Final = 4096
#: How long a form waits at most until it is known in which language to ask, in seconds.
_SOON: Final = 1.0
STYLES: Final = ("wood", "dark")
Policy = Literal["edit", "call", "new"]
POLICIES: Final = ("edit", "call", "new")


class OfServer(msgspec.Struct, frozen=True, kw_only=True):
    """What holds in all channels of a server."""

    language: str = ""
    """Of boards; empty: the language of whoever opens the game."""
    style: str = "wood"
    policy: Policy = "edit"
    """How whoever is to move learns of it: not at all, by a line that calls them, by the board sent anew."""
    wait: str = "3d"
    """For how long somebody can join a game that is opened here, unless its words say it: one of ``WAITS``."""
    quiet: bool = False
    """Whether new messages make no sound; then nobody is called either."""
    channels: tuple[int, ...] = ()
    """Where games can be opened; empty: everywhere."""
    roles: tuple[int, ...] = ()
    """Who can open and join games; empty: everybody."""


class OfPerson(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for one person, everywhere."""

    language: str = ""
    """Empty: that of their client."""
    style: str = "wood"
    """Of what they alone see."""
    around: bool = False
    """Whether a choice begins with the points around the play, instead of columns and rows."""
    at_once: bool = False
    """Whether a chosen point is played at once, instead of shown first and confirmed."""
    policy: Policy = "edit"
    """As a server's, for their direct messages."""
    wait: str = "3d"
    """The same."""


T = TypeVar("T", OfServer, OfPerson)


class Preferences:
    """Reads and keeps preferences. What cannot be read counts as not set."""

    def __init__(self, tables: Tables, clock: Callable[[], float] = time.monotonic) -> None:
        self._tables = tables
        self._clock = clock
        self._fresh: OrderedDict[str, tuple[float, OfServer | OfPerson]] = OrderedDict()

    async def of_server(self, server: int | None) -> OfServer:
        """Those of a server; the usual ones elsewhere. Raises ``StoreUnavailable``, as all of these."""
        return OfServer() if server is None else await self._read(f"dc:server:{server}", OfServer)

    async def of_person(self, person: str) -> OfPerson:
        """Those of a person, by id."""
        return await self._read(f"dc:person:{person}", OfPerson)

    async def keep_server(self, server: int, preferred: OfServer) -> None:
        """Keep those of a server."""
        await self._keep(f"dc:server:{server}", preferred)

    async def keep_person(self, person: str, preferred: OfPerson) -> None:
        """Keep those of a person."""
        await self._keep(f"dc:person:{person}", preferred)

    async def recognise(self, interaction: discord.Interaction) -> None:
        """Find out which language whoever caused it has chosen. Their client's, while the store is away or slow."""
        try:
            async with asyncio.timeout(_SOON):
                speaks(interaction, (await self.of_person(account(interaction.user))).language)
        except (StoreUnavailable, TimeoutError):
            return

    async def _keep(self, key: str, preferred: OfServer | OfPerson) -> None:
        await self._tables.remember(key, msgspec.json.encode(preferred).decode(), _KEPT)
        self._note(key, preferred)

    async def _read(self, key: str, kind: type[T]) -> T:
        known = self._fresh.get(key)
        if known is not None and known[0] > self._clock() - _FRESH and isinstance(known[1], kind):
            return known[1]
        kept = await self._tables.recall(key)
        try:
            found = kind() if kept is None else msgspec.json.decode(kept, type=kind)
        except (msgspec.DecodeError, ValueError):
            found = kind()
        self._note(key, found)
        return found

    def _note(self, key: str, preferred: OfServer | OfPerson) -> None:
        self._fresh[key] = (self._clock(), preferred)
        self._fresh.move_to_end(key)
        if len(self._fresh) > _MOST:
            self._fresh.popitem(last=False)


def changed_server(before: OfServer, name: str, values: list[str]) -> OfServer:
    """The preferences of a server after a choice was made; values that mean nothing change nothing."""
    first = values[0] if values else ""
    match name:
        case "language" if first == "auto" or first in LANGUAGES:
            return msgspec.structs.replace(before, language="" if first == "auto" else first)
        case "style" if first in STYLES:
            return msgspec.structs.replace(before, style=first)
        case "policy" if first in POLICIES:
            return msgspec.structs.replace(before, policy=first)
        case "wait" if first in WAITS:
            return msgspec.structs.replace(before, wait=first)
        case "quiet":
            return msgspec.structs.replace(before, quiet=first == "on")
        case "channels":
            return msgspec.structs.replace(before, channels=tuple(map(int, values)))
        case "roles":
            return msgspec.structs.replace(before, roles=tuple(map(int, values)))
        case _:
            return before


def changed_person(before: OfPerson, name: str, values: list[str]) -> OfPerson:
    """The same for a person's own."""
    first = values[0] if values else ""
    match name:
        case "mylanguage" if first == "auto" or first in LANGUAGES:
            return msgspec.structs.replace(before, language="" if first == "auto" else first)
        case "mystyle" if first in STYLES:
            return msgspec.structs.replace(before, style=first)
        case "myway":
            return msgspec.structs.replace(before, around=first == "around")
        case "myconfirm":
            return msgspec.structs.replace(before, at_once=first == "off")
        case "mypolicy" if first in POLICIES:
            return msgspec.structs.replace(before, policy=first)
        case "mywait" if first in WAITS:
            return msgspec.structs.replace(before, wait=first)
        case _:
            return before


def allowed_channel(preferred: OfServer, interaction: discord.Interaction) -> bool:
    """Whether games can be opened in this channel; a thread goes with its channel."""
    channel = interaction.channel
    here = {interaction.channel_id, channel.parent_id if isinstance(channel, discord.Thread) else None}
    return not preferred.channels or bool(here & set(preferred.channels))


def allowed_person(preferred: OfServer, user: discord.User | discord.Member) -> bool:
    """Whether somebody can open and join games."""
    roles = {role.id for role in user.roles} if isinstance(user, discord.Member) else set()
    return not preferred.roles or bool(roles & set(preferred.roles))
