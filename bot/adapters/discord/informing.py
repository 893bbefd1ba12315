"""What is only shown, to one person alone: help, rules, the games that run, why a point is forbidden, preferences."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

from bot.adapters.discord.items import ListButton, Step, key
from bot.adapters.discord.layout import ROW, illustrated, made, said
from bot.adapters.discord.naming import help_text
from bot.adapters.discord.placing import Placing
from bot.adapters.discord.plain import plain
from bot.adapters.discord.preferring import Preferring
from bot.adapters.discord.reading import PLATFORM, me, place_of
from bot.adapters.discord.replies import Kind
from bot.adapters.discord.visits import Visits
from bot.composing.brief import brief
from bot.composing.figures import forbidden_shapes
from bot.composing.why import why
from bot.desk import Desk, Done, Notice
from bot.newgame import narrow
from bot.render import png
from bot.scene import unpack
from bot.session.table import Declined, Table, View
from bot.session.tables import Tables
from bot.words import Words, explain, pick, words
from bot.words.help import rules_text
from core.notation import NotationError, point

#: So many games are listed at once.
_MOST = 10


class Informing:
    """Answers questions."""

    def __init__(self, desk: Desk, tables: Tables, visits: Visits, placing: Placing, preferring: Preferring) -> None:
        self._desk = desk
        self._tables = tables
        self._visits = visits
        self._placing = placing
        self._preferring = preferring

    async def help(self, interaction: discord.Interaction, commands: list[str]) -> None:
        """``/help``."""
        async with self._visits.visit(interaction, Kind.WORDS) as reply:
            if reply is not None:
                client = words(pick(interaction.locale.value))
                await reply.say(help_text(words(me(interaction).language), commands, client))

    async def rules(self, interaction: discord.Interaction, topic: str) -> None:
        """``/rules``, with a picture of what is forbidden; with a ``topic``, an opening protocol, about that."""
        async with self._visits.visit(interaction, Kind.WORDS) as reply:
            if reply is None:
                return
            chosen = words(me(interaction).language)
            if topic.strip():
                await reply.say(rules_text(chosen, topic))
                return
            caption, picture = forbidden_shapes(chosen, style=await self._preferring.style(interaction))
            drawn = await asyncio.to_thread(png, picture)
            await reply.present(illustrated(rules_text(chosen), caption), drawn)

    async def why(self, interaction: discord.Interaction, typed: str, game: str | None) -> None:
        """``/why h8``: of the game that is named, else of the newest one here."""
        async with self._visits.visit(interaction, Kind.WORDS) as reply:
            if reply is None:
                return
            person = me(interaction)
            chosen = words(person.language)
            try:
                at = point(narrow(typed.strip()))
            except NotationError as error:
                await reply.say(explain(chosen, error))
                return
            table = await self._desk.asked_about(person, game or None, place_of(interaction))
            if isinstance(table, Notice):
                await reply.say(table.text)
                return
            told = why(chosen, table, at, style=await self._preferring.style(interaction))
            if told.picture is None:
                await reply.say(told.text)
            else:
                drawn = await asyncio.to_thread(png, told.picture)
                await reply.present(illustrated(told.text, told.text), drawn)

    # -- lists of games ------------------------------------------------------------------------------------------------

    async def games(self, interaction: discord.Interaction) -> None:
        """``/games``: what runs here, each game with its board."""
        async with self._visits.visit(interaction, Kind.WORDS) as reply:
            if reply is None:
                return
            person, place = me(interaction), await self._placing.note(interaction)
            chosen = words(person.language)
            running = await self._desk.running(person, place)
            if not running:
                await reply.say(chosen.say("No game runs here. Write /newgame to begin one."))
                return
            shown = [(table, await self._tables.views(table.id)) for table in running[:_MOST]]
            shown += [(table, []) for table in running[_MOST:]]
            await reply.show(game_list(chosen, shown, interaction.guild_id, private=place.private))

    async def brought(self, interaction: discord.Interaction, wire: str) -> None:
        """A number of the list was pressed: that board comes down to the end of this chat."""
        async with self._visits.visit(interaction, Kind.STEP) as reply:
            if reply is None:
                return
            person, place = me(interaction), await self._placing.note(interaction)
            read = unpack(wire)
            table = Declined.GONE if read is None else await self._tables.get(read[0])
            if isinstance(table, Declined):
                await reply.show(said(explain(words(person.language), table)))
                return
            if not table.seats_of(person.id) and table.id not in await self._desk.shown_in(place):
                await reply.show(said(explain(words(person.language), Declined.NOT_SEATED)))
                return
            done: Done | Notice = await self._desk.bring_down(table, place)
            await self._placing.retire(done)
            await reply.close()

    # -- preferences ---------------------------------------------------------------------------------------------------

    async def settings(self, interaction: discord.Interaction) -> None:
        """``/settings``: one's own, and the server's for who may manage it."""
        async with self._visits.visit(interaction, Kind.WORDS) as reply:
            if reply is not None:
                await reply.show(await self._preferring.panel(interaction))

    async def language(self, interaction: discord.Interaction, language: str | None) -> None:
        """``/language zh_Hans``: one's own; without one the panel."""
        async with self._visits.visit(interaction, Kind.WORDS) as reply:
            if reply is None:
                return
            if language:
                await self._preferring.choose(interaction, "mylanguage", [language])
            await reply.show(await self._preferring.panel(interaction))

    async def preferred(self, interaction: discord.Interaction, name: str) -> None:
        """A preference was chosen: it takes effect at once."""
        async with self._visits.visit(interaction, Kind.STEP) as reply:
            if reply is None:
                return
            no = await self._preferring.change(interaction, name)
            if no:
                await reply.say(no)
            else:
                await reply.show(await self._preferring.panel(interaction))


def game_list(
    words: Words, running: Sequence[tuple[Table, list[View]]], guild: int | None, *, private: bool
) -> ui.LayoutView:
    """Games with the messages that show them: a line for each of the first, and a number that brings its board down."""
    lines, buttons = [], []
    for number, (table, views) in enumerate(running[:_MOST], start=1):
        address = _address(views, guild)
        lines.append(plain(f"{number}. {brief(words, table)}") + (f"\n{address}" if address else ""))
        buttons.append(ListButton(key(table.id, table.rev, Step.SHOW), label=str(number)))
    if len(running) > _MOST:
        lines.append(plain(words.count("and {n} more", "and {n} more", len(running) - _MOST)))
    lines.append(
        plain(
            words.say("A number brings that board down here.")
            if private
            else words.say("A number brings that board down here. To see all your games, write /games to me alone.")
        )
    )
    rows: list[ui.Item[Any]] = [ui.ActionRow(*buttons[at : at + ROW]) for at in range(0, len(buttons), ROW)]
    return made([ui.TextDisplay("\n".join(lines)), *rows])


def _address(views: list[View], guild: int | None) -> str:
    """The address of a board in this server; empty where there is none."""
    for view in views:
        if view.platform == PLATFORM and view.message and view.chat.isdecimal() and guild is not None:
            return f"https://discord.com/channels/{guild}/{view.chat}/{view.message}"
    return ""
