"""Preferences at work: the panel in which they are changed, and who may play where."""

from __future__ import annotations

from typing import Any, cast

import discord
from discord.ui import LayoutView

from bot import newgame
from bot.adapters.discord.panel import SERVERS, panel
from bot.adapters.discord.preferences import (
    Preferences,
    allowed_channel,
    allowed_person,
    changed_person,
    changed_server,
)
from bot.adapters.discord.reading import DIRECT, GUEST, PLATFORM, me, place_of
from bot.session.tables import Tables
from bot.words import Phrase, words


class Preferring:
    """Shows, changes and obeys preferences."""

    def __init__(self, preferences: Preferences, tables: Tables) -> None:
        self._preferences = preferences
        self._tables = tables

    async def style(self, interaction: discord.Interaction) -> str:
        """The look of what somebody alone sees."""
        return (await self._preferences.of_person(me(interaction).id)).style

    async def wait(self, interaction: discord.Interaction) -> int:
        """For how long somebody can join a game that is opened here, in milliseconds."""
        if place_of(interaction).private or not interaction.is_guild_integration():
            return newgame.span((await self._preferences.of_person(me(interaction).id)).wait)
        return newgame.span((await self._preferences.of_server(interaction.guild_id)).wait)

    async def panel(self, interaction: discord.Interaction) -> LayoutView:
        """Somebody's own preferences, and those of the server if they may manage it."""
        person = me(interaction)
        theirs = await self._preferences.of_person(person.id)
        servers = await self._preferences.of_server(interaction.guild_id) if _manages(interaction) else None
        return panel(words(person.language), theirs, servers)

    async def change(self, interaction: discord.Interaction, name: str) -> str:
        """Keep what was chosen; or why not, in one line."""
        data = cast("dict[str, Any]", interaction.data)
        return await self.choose(interaction, name, data.get("values", []))

    async def choose(self, interaction: discord.Interaction, name: str, values: list[str]) -> str:
        """Keep these values and bring the boards here up to date; or why not, in one line."""
        person, server = me(interaction), interaction.guild_id
        if name not in SERVERS:
            before = await self._preferences.of_person(person.id)
            after = changed_person(before, name, values)
            await self._preferences.keep_person(person.id, after)
            await self._preferences.recognise(interaction)
            await self._renew(f"{DIRECT}{interaction.user.id}")
            return ""
        if server is None or not _manages(interaction):
            return words(person.language).say("Only who may manage this server can change its settings.")
        now = await self._preferences.of_server(server)
        await self._preferences.keep_server(server, changed_server(now, name, values))
        await self._renew(place_of(interaction).chat)
        return ""

    async def _renew(self, chat: str) -> None:
        """Show the boards of a chat as they look now."""
        for table_id in await self._tables.tables_in(PLATFORM, chat):
            for view in await self._tables.views(table_id):
                if (view.platform, view.chat, view.thread) == (PLATFORM, chat, ""):
                    await self._tables.attach(table_id, view)

    async def unwelcome(self, interaction: discord.Interaction, *, opens: bool) -> str:
        """Why the server wants no game here, or none of this person; empty: it does."""
        place = place_of(interaction)
        if place.private or place.thread == GUEST:
            return ""
        preferred = await self._preferences.of_server(interaction.guild_id)
        say = words(me(interaction).language).say
        if opens and not allowed_channel(preferred, interaction):
            where = Phrase(" ".join(f"#{_channel_name(interaction, channel)}" for channel in preferred.channels))
            return say("In this server games are opened in: {channels}", channels=where)
        if not allowed_person(preferred, interaction.user):
            return say("In this server only some roles can play; you have none of them.")
        return ""


def _manages(interaction: discord.Interaction) -> bool:
    """Whether somebody may change what holds in the server they are in, and the bot is in it, too."""
    return interaction.is_guild_integration() and interaction.permissions.manage_guild


def _channel_name(interaction: discord.Interaction, channel: int) -> str:
    known = interaction.guild.get_channel(channel) if interaction.guild is not None else None
    return known.name if known is not None else str(channel)
