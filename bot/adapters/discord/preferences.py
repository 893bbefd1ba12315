"""What a server and a person prefer. Server preferences are for who may manage the server; see ``/settings``."""

from __future__ import annotations

from typing import Final, TypeVar

import discord
import msgspec

from bot.session.tables import Tables
from bot.words import LANGUAGES

#: Preferences are kept for ten years after they were last changed, in seconds.
_KEPT: Final = 10 * 365 * 86_400
STYLES: Final = ("wood", "dark")


class OfServer(msgspec.Struct, frozen=True, kw_only=True):
    """What holds in all channels of a server."""

    language: str = ""
    """Of boards; empty: the language of whoever opens the game."""
    style: str = "wood"
    calls: bool = False
    """Whether the person to move is called, once for each move."""
    quiet: bool = False
    """Whether new messages make no sound; then nobody is called either."""
    channels: tuple[int, ...] = ()
    """Where games can be opened; empty: everywhere."""
    roles: tuple[int, ...] = ()
    """Who can open and join games; empty: everybody."""


class OfPerson(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for one person, everywhere."""

    style: str = "wood"
    """Of what they alone see."""
    around: bool = False
    """Whether a choice begins with the points around the play, instead of columns and rows."""


T = TypeVar("T", OfServer, OfPerson)


class Preferences:
    """Reads and keeps preferences. What cannot be read counts as not set."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def of_server(self, server: int | None) -> OfServer:
        """Those of a server; the usual ones elsewhere. Raises ``StoreUnavailable``, as all of these."""
        return OfServer() if server is None else await self._read(f"dc:server:{server}", OfServer)

    async def of_person(self, person: str) -> OfPerson:
        """Those of a person, by id."""
        return await self._read(f"dc:person:{person}", OfPerson)

    async def keep_server(self, server: int, preferred: OfServer) -> None:
        """Keep those of a server."""
        await self._tables.remember(f"dc:server:{server}", msgspec.json.encode(preferred).decode(), _KEPT)

    async def keep_person(self, person: str, preferred: OfPerson) -> None:
        """Keep those of a person."""
        await self._tables.remember(f"dc:person:{person}", msgspec.json.encode(preferred).decode(), _KEPT)

    async def _read(self, key: str, kind: type[T]) -> T:
        kept = await self._tables.recall(key)
        try:
            return kind() if kept is None else msgspec.json.decode(kept, type=kind)
        except (msgspec.DecodeError, ValueError):
            return kind()


def changed_server(before: OfServer, name: str, values: list[str]) -> OfServer:
    """The preferences of a server after a choice was made; values that mean nothing change nothing."""
    first = values[0] if values else ""
    match name:
        case "language" if first == "auto" or first in LANGUAGES:
            return msgspec.structs.replace(before, language="" if first == "auto" else first)
        case "style" if first in STYLES:
            return msgspec.structs.replace(before, style=first)
        case "calls":
            return msgspec.structs.replace(before, calls=first == "on")
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
        case "mystyle" if first in STYLES:
            return msgspec.structs.replace(before, style=first)
        case "myway":
            return msgspec.structs.replace(before, around=first == "around")
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
