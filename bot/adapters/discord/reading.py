"""Reading what Discord sends: who it is, and where."""

from __future__ import annotations

from typing import Final

import discord

from bot.desk import Place
from bot.session.table import Person
from bot.words import pick

PLATFORM: Final = "dc"
#: The thread of places where the bot has no right of its own: there it answers, and changes its answers for a while.
GUEST: Final = "guest"
#: What stands before the person's number where a chat is the direct messages of one person.
DIRECT: Final = "@"


def person_of(user: discord.User | discord.Member, locale: discord.Locale) -> Person:
    """Who it is, with the language of their client."""
    return Person(id=f"{PLATFORM}:{user.id}", name=user.display_name, language=pick(locale.value))


def me(interaction: discord.Interaction) -> Person:
    """Who caused it."""
    return person_of(interaction.user, interaction.locale)


def place_of(interaction: discord.Interaction) -> Place:
    """Where it happened. A thread is a channel of its own on Discord; direct messages are named by their person."""
    if interaction.context.dm_channel:
        channel = interaction.channel
        reader = channel.recipient if isinstance(channel, discord.DMChannel) else None
        return Place(platform=PLATFORM, chat=f"{DIRECT}{(reader or interaction.user).id}", private=True)
    thread = "" if may_write(interaction) else GUEST
    return Place(platform=PLATFORM, chat=str(interaction.channel_id or 0), thread=thread)


def may_write(interaction: discord.Interaction) -> bool:
    """Whether the bot itself is in the place, and sees it: then it can change its messages at any time."""
    if interaction.context.dm_channel:
        return True
    return interaction.is_guild_integration() and interaction.app_permissions.view_channel
