"""Calling the person to move, where that is wanted: the only text that calls anybody, at most once a move."""

from __future__ import annotations

import asyncio
from typing import Final

import aiohttp
import discord
import structlog

from bot.adapters.discord.line import Line
from bot.adapters.discord.messages import Messages
from bot.adapters.discord.pace import Pace
from bot.adapters.discord.reading import DIRECT, PLATFORM
from bot.session.store import StoreUnavailable
from bot.session.table import Person, Table, View
from bot.session.tables import Tables
from bot.words import Phrase, Words

log = structlog.get_logger("renju.discord")

#: How long it is known who was called last, in seconds.
_KEPT: Final = 30 * 86_400


class Calls:
    """Knows who was called for what, across restarts, and writes the lines that call."""

    def __init__(self, line: Line, tables: Tables, pace: Pace, messages: Messages) -> None:
        self._line = line
        self._tables = tables
        self._pace = pace
        self._messages = messages
        self._waiting: dict[str, asyncio.Task[None]] = {}

    async def due(self, table: Table, view: View) -> int | None:
        """The account to call now; ``None``: nobody, or they were called for this move. Raises ``StoreUnavailable``."""
        turn = _turn(table, view)
        before, _ = await self._last(table, view)
        return int(turn.partition("/")[0]) if turn and turn != before else None

    async def called(self, table: Table, view: View) -> None:
        """Whoever was due has been called by the board itself; a line that called before goes."""
        _, line = await self._last(table, view)
        await self._tables.remember(_key(table, view), f"{_turn(table, view)} ", _KEPT)
        if line:
            try:
                channel = self._line.client.get_partial_messageable(await self._messages.number(view.chat))
                await channel.get_partial_message(int(line)).delete()
            except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
                log.info("discord_line_not_taken_away", chat=view.chat, why=type(error).__name__)

    async def call(self, table: Table, view: View, board: str, words: Words) -> None:
        """Write one line to whoever is due and take the line before away. Best effort: the board is there anyway."""
        turn = _turn(table, view)
        before, line = await self._last(table, view)
        if before == turn:
            return
        if wait := self._pace.ask(view.chat):
            self._later(wait, table, view, board, words)
            return
        sent = ""
        try:
            channel = self._line.client.get_partial_messageable(await self._messages.number(view.chat))
            if turn:
                account = int(turn.partition("/")[0])
                text = self._words(table, channel, account, board, words)
                sent = str((await channel.send(text, allowed_mentions=only(account))).id)
            await self._tables.remember(_key(table, view), f"{turn} {sent}", _KEPT)
            if line:
                await channel.get_partial_message(int(line)).delete()
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.info("discord_nobody_called", chat=view.chat, why=type(error).__name__)

    def _later(self, wait: float, table: Table, view: View, board: str, words: Words) -> None:
        """Call when the channel's pace allows it, unless the game has gone on: then the next board calls."""

        async def after() -> None:
            await asyncio.sleep(wait)
            del self._waiting[key]
            try:
                if await self._tables.get(table.id) == table:
                    await self.call(table, view, board, words)
            except StoreUnavailable as error:
                log.info("discord_nobody_called", chat=view.chat, why=str(error))

        key = _key(table, view)
        if (before := self._waiting.get(key)) is not None:
            before.cancel()
        self._waiting[key] = asyncio.create_task(after(), name="renju call")

    def close(self) -> None:
        """Nobody is called any more."""
        for task in self._waiting.values():
            task.cancel()
        self._waiting.clear()

    async def _last(self, table: Table, view: View) -> tuple[str, str]:
        """For which turn somebody was called last, and the line that did it."""
        before, _, line = (await self._tables.recall(_key(table, view)) or "").partition(" ")
        return before, line

    @staticmethod
    def _words(table: Table, channel: discord.PartialMessageable, account: int, board: str, words: Words) -> str:
        link = channel.get_partial_message(int(board)).jump_url
        if table.waiting:
            return words.say("{who}, you have been challenged: {link}", who=Phrase(f"<@{account}>"), link=Phrase(link))
        return words.say("{who}, it is your move: {link}", who=Phrase(f"<@{account}>"), link=Phrase(link))


def only(account: int) -> discord.AllowedMentions:
    """A text may call this one person."""
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=[discord.Object(account)])


def _key(table: Table, view: View) -> str:
    return f"dc:called:{table.id}:{view.chat}"


def _turn(table: Table, view: View) -> str:
    """Who is to move, and which move it is; or who is challenged. Empty: nobody who can be called here, or who has just
    moved themselves.
    """
    if table.game.outcome is not None:
        return ""
    if table.waiting:
        platform, _, kept_for = table.reserved.partition(":")
        return f"{kept_for}/waiting" if platform == PLATFORM and kept_for.isdecimal() else ""
    seat = table.game.to_act[0]
    occupant = table.seats[seat]
    if not isinstance(occupant, Person) or not occupant.id.startswith(f"{PLATFORM}:"):
        return ""
    account = occupant.id.partition(":")[2]
    if view.chat.startswith(DIRECT) and view.chat != f"{DIRECT}{account}":
        return ""
    record = table.game.record
    if record and record[-1].seat == seat:
        return ""
    state = table.game.state
    return f"{account}/{state.phase}/{len(state.stones)}/{len(state.offers)}/{state.passes}"
