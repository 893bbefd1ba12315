"""Calling the person to move, where a server wants that: the only text that calls anybody, at most once a move."""

from __future__ import annotations

from typing import Final

import aiohttp
import discord
import structlog

from bot.adapters.discord.line import Line
from bot.adapters.discord.pace import Pace
from bot.adapters.discord.reading import DIRECT, PLATFORM
from bot.session.table import Person, Table, View
from bot.session.tables import Tables
from bot.words import Phrase, Words

log = structlog.get_logger("renju.discord")

#: No name in a text calls anybody.
NOBODY: Final = discord.AllowedMentions.none()
#: How long it is known who was called last, in seconds.
_KEPT: Final = 30 * 86_400


class Calls:
    """Writes one line to the person to move, and takes the line before away."""

    def __init__(self, line: Line, tables: Tables, pace: Pace) -> None:
        self._line = line
        self._tables = tables
        self._pace = pace

    async def call(self, table: Table, view: View, board: str, words: Words) -> None:
        """Call whoever is to move, unless they were called for this move. Best effort: the board is there anyway."""
        if view.chat.startswith(DIRECT):
            return
        due = _due(table)
        key = f"dc:called:{table.id}:{view.chat}"
        before, _, line = (await self._tables.recall(key) or "").partition(" ")
        if before == due or self._pace.ask(view.chat):
            return
        channel = self._line.client.get_partial_messageable(int(view.chat))
        sent = ""
        try:
            if due:
                account = int(due.partition("/")[0])
                sent = str(
                    (
                        await channel.send(self._words(channel, account, board, words), allowed_mentions=_only(account))
                    ).id
                )
            await self._tables.remember(key, f"{due} {sent}", _KEPT)
            if line:
                await channel.get_partial_message(int(line)).delete()
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.info("discord_nobody_called", chat=view.chat, why=type(error).__name__)

    @staticmethod
    def _words(channel: discord.PartialMessageable, account: int, board: str, words: Words) -> str:
        link = channel.get_partial_message(int(board)).jump_url
        return words.say("{who}, it is your move: {link}", who=Phrase(f"<@{account}>"), link=Phrase(link))


def _only(account: int) -> discord.AllowedMentions:
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=[discord.Object(account)])


def _due(table: Table) -> str:
    """Who is to move, and which move it is; empty: nobody who can be called."""
    if table.waiting or table.game.outcome is not None:
        return ""
    occupant = table.seats[table.game.to_act[0]]
    if not isinstance(occupant, Person) or not occupant.id.startswith(f"{PLATFORM}:"):
        return ""
    state = table.game.state
    return f"{occupant.id.partition(':')[2]}/{state.phase}/{len(state.stones)}/{len(state.offers)}"
