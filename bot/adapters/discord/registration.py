"""Telling Discord our commands: once, and again only when they have changed or are no longer there."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

import discord
import structlog
from discord import app_commands

from bot.session.tables import Tables

log = structlog.get_logger("renju.discord")

#: How long it is known what was registered, in seconds.
_KEPT: Final = 400 * 86_400


class Registration:
    """Registers the commands of a tree, for everywhere."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def register(self, client: discord.Client, tree: app_commands.CommandTree[Any]) -> None:
        """Put our commands in place of what is there, unless they are what was put there last and are there still.

        Raises what the library raises, and ``StoreUnavailable``.
        """
        key = f"dc:commands:{client.application_id}"
        wanted = await _digest(tree)
        if await self._tables.recall(key) == wanted:
            there = {(command.type, command.name) for command in await tree.fetch_commands()}
            if there == {(_kind(command), command.name) for command in _all(tree)}:
                return
        await tree.sync()
        await self._tables.remember(key, wanted, _KEPT)
        log.info("discord_commands_registered")


def _all(tree: app_commands.CommandTree[Any]) -> list[Any]:
    kinds = (discord.AppCommandType.chat_input, discord.AppCommandType.user, discord.AppCommandType.message)
    return [command for kind in kinds for command in tree.get_commands(type=kind)]


def _kind(command: Any) -> discord.AppCommandType:
    return getattr(command, "type", discord.AppCommandType.chat_input)


async def _digest(tree: app_commands.CommandTree[Any]) -> str:
    """A name for everything that would be registered, in every language."""
    translator = tree.translator
    if translator is None:
        told = [command.to_dict(tree) for command in _all(tree)]
    else:
        told = [await command.get_translated_payload(tree, translator) for command in _all(tree)]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
