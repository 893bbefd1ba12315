"""What every interaction brings along and leaves behind: the ways to its place, and the boards there."""

from __future__ import annotations

import secrets

import discord
import msgspec

from bot.adapters.discord.reading import DIRECT, GUEST, PLATFORM, may_send, me, place_of
from bot.adapters.discord.replies import Reply
from bot.adapters.discord.shower import DiscordShower
from bot.adapters.discord.ways import Ways
from bot.desk import Desk, Done, Notice, Place
from bot.session.table import Table
from bot.session.tables import Tables
from bot.words import words


class Placing:
    """Looks after the boards in the place of an interaction."""

    def __init__(self, desk: Desk, tables: Tables, shower: DiscordShower, ways: Ways) -> None:
        self._desk = desk
        self._tables = tables
        self._shower = shower
        self._ways = ways

    async def note(self, interaction: discord.Interaction) -> Place:
        """Keep what the interaction tells about the ways to its place; the place."""
        place = place_of(interaction)
        if not place.private:
            self._shower.stands(place.chat, member=place.thread != GUEST)
        if place.thread == GUEST:
            message = interaction.message
            await self._ways.keep(place.chat, str(message.id) if message is not None else "", interaction.token)
            if message is not None:
                await self._by_tokens(place, str(message.id))
        elif place.chat.startswith(DIRECT) and interaction.channel_id is not None:
            self._shower.learn(place.chat, interaction.channel_id)
        elif not may_send(interaction):
            await self._ways.keep(place.chat, "", interaction.token)
        return place

    async def _by_tokens(self, place: Place, message: str) -> None:
        """A board that the bot saw before and does so no longer: from now on it is changed as a guest changes it."""
        found = await self._tables.view_at(PLATFORM, place.chat, message)
        if found is not None and found[1].thread != GUEST:
            table_id, before = found
            view = msgspec.structs.replace(before, id=secrets.token_hex(4), thread=GUEST)
            await self._tables.sent(table_id, view)
            await self._tables.attach(table_id, view)
            await self._tables.detach(table_id, before.id)

    async def board_here(self, table: Table, place: Place) -> None:
        """A board of the table in this place, if it has none."""
        views = await self._tables.views(table.id)
        if not any((view.platform, view.chat) == (PLATFORM, place.chat) for view in views):
            await self._desk.bring_down(table, place)

    async def shows(self, table_id: str, place: Place, at: str) -> bool:
        """Whether the message is a board of the table, or may be one that is on its way to this place."""
        return any(
            (view.platform, view.chat) == (PLATFORM, place.chat) and view.message in ("", at)
            for view in await self._tables.views(table_id)
        )

    async def refresh(self, interaction: discord.Interaction, table_id: str) -> bool:
        """Where the bot is a guest, every tap brings a token by which the board can be brought to the newest state.

        ``False``: the message is no board of the table, or no longer.
        """
        place = place_of(interaction)
        if place.thread != GUEST or interaction.message is None:
            return True
        found = await self._tables.view_at(PLATFORM, place.chat, str(interaction.message.id))
        if found is None or found[0] != table_id:
            return False
        await self._tables.attach(table_id, found[1])
        return True

    async def told(self, reply: Reply, done: Done | Notice) -> None:
        """Say what there is to say, and retire the boards whose place others have taken."""
        await reply.say(notice(done).text)
        await self.retire(done)

    async def told_of_a_game(self, interaction: discord.Interaction, reply: Reply, done: Done | Notice) -> None:
        """The same after something was done away from the board, which a guest cannot always change."""
        await reply.say(await self.heard(interaction, done))
        await self.retire(done)

    async def heard(self, interaction: discord.Interaction, done: Done | Notice) -> str:
        """What is to be said of something that was done away from the board; empty: the board shows it."""
        text, place = notice(done).text, place_of(interaction)
        if not text and isinstance(done, Done) and place.thread == GUEST and not await self._changes(done.table, place):
            say = words(me(interaction).language).say
            return say("Done. As a guest I cannot change the board now: press Refresh under it, or write /board.")
        return text

    async def retire(self, done: Done | Notice) -> None:
        """Retire the boards whose place others have taken."""
        for view in done.retired if isinstance(done, Done) else ():
            await self._shower.retire(view)

    async def reopened(self, place: Place) -> bool:
        """Somebody speaks in a place: boards that could not be shown there come back, if there are any."""
        return await self._shower.reopened(place.chat, guest=place.thread == GUEST)

    async def _changes(self, table: Table, place: Place) -> bool:
        """Whether a board of the table in a guest's place can be changed now, or there is none."""
        here = [view for view in await self._tables.views(table.id) if view.chat == place.chat and view.message]
        ways = [await self._ways.to_message(view.chat, view.message) for view in here]
        return not here or any(way is not None for way in ways)


def notice(done: Done | Notice) -> Notice:
    """What is to be said."""
    return done.notice if isinstance(done, Done) else done


def source_of(interaction: discord.Interaction) -> str:
    """The name of this very delivery."""
    return f"{PLATFORM}:interaction:{interaction.id}"
