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


_LANGUAGE: Final = "language"


def account(user: discord.User | discord.Member) -> str:
    """Somebody's id, as games know it."""
    return f"{PLATFORM}:{user.id}"


def me(interaction: discord.Interaction) -> Person:
    """Who caused it, in the language that they have chosen (see :func:`speaks`) or that their client has."""
    language: str = interaction.extras.get(_LANGUAGE) or pick(interaction.locale.value)
    return Person(id=account(interaction.user), name=interaction.user.display_name, language=language)


def speaks(interaction: discord.Interaction, language: str) -> None:
    """Whoever caused it has chosen this language; empty: that of their client."""
    interaction.extras[_LANGUAGE] = language


def place_of(interaction: discord.Interaction) -> Place:
    """Where it happened. A thread is a channel of its own on Discord; direct messages are named by their person."""
    if interaction.context.dm_channel:
        channel = interaction.channel
        reader = channel.recipient if isinstance(channel, discord.DMChannel) else None
        return Place(platform=PLATFORM, chat=f"{DIRECT}{(reader or interaction.user).id}", private=True, replies=False)
    thread = "" if may_write(interaction) else GUEST
    return Place(platform=PLATFORM, chat=str(interaction.channel_id or 0), thread=thread, topics=False, replies=False)


def may_write(interaction: discord.Interaction) -> bool:
    """Whether the bot itself is in the place, and sees it: then it can change its messages at any time."""
    if interaction.context.dm_channel:
        return True
    return interaction.is_guild_integration() and interaction.app_permissions.view_channel


def may_send(interaction: discord.Interaction) -> bool:
    """Whether the bot, where it may change its messages, may send new ones with pictures, too."""
    may, in_thread = interaction.app_permissions, isinstance(interaction.channel, discord.Thread)
    return (may.send_messages_in_threads if in_thread else may.send_messages) and may.attach_files


def is_private(interaction: discord.Interaction) -> bool:
    """Whether it was done in a message that nobody else sees."""
    return interaction.message is not None and interaction.message.flags.ephemeral
