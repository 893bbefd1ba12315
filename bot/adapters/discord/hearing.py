"""What people do at their boards on Discord becomes a call to the desk; what the desk says goes back to them."""

from __future__ import annotations

import discord

from bot.adapters.discord.form import ask_for_point, typed_in
from bot.adapters.discord.informing import Informing
from bot.adapters.discord.items import Step
from bot.adapters.discord.layout import stripped
from bot.adapters.discord.opening import Opening
from bot.adapters.discord.picking import Picking
from bot.adapters.discord.placing import Placing, notice, source_of
from bot.adapters.discord.preferences import Preferences
from bot.adapters.discord.preferring import Preferring
from bot.adapters.discord.reading import GUEST, is_private, me, place_of
from bot.adapters.discord.replies import Kind, Reply
from bot.adapters.discord.shower import DiscordShower
from bot.adapters.discord.visits import Visits
from bot.adapters.discord.ways import Ways
from bot.desk import Desk, Done, Notice
from bot.scene import Command, unpack
from bot.session.tables import Tables
from bot.words import words


class Hearing:
    """Handles interactions, each in a task of the library's; raises nothing."""

    def __init__(self, desk: Desk, tables: Tables, shower: DiscordShower, ways: Ways, preferences: Preferences) -> None:
        self._desk = desk
        self._placing = Placing(desk, tables, shower, ways)
        self._visits = Visits(tables.clock, preferences)
        self._preferring = Preferring(preferences, tables)
        self._picking = Picking(desk, tables, preferences, self._placing)
        self.opening = Opening(desk, tables, ways, self._visits, self._placing, self._preferring)
        """New games, and seats in them."""
        self.informing = Informing(desk, tables, self._visits, self._placing, self._preferring)
        """What is only shown, and preferences."""

    # -- items ---------------------------------------------------------------------------------------------------------

    async def board(self, interaction: discord.Interaction, wire: str) -> None:
        """A button of a board."""
        read = unpack(wire)
        head, _, word = read[2].partition("-") if read is not None else ("", "", "")
        if head == Step.TYPE:
            await self._type(interaction, wire)
            return
        # Nothing but this acknowledgement gives a guest a token for the board itself.
        async with self._visits.visit(interaction, Kind.CHANGE) as reply:
            if reply is None:
                return
            await self._placing.note(interaction)
            if read is not None and head in (Step.PICK, Command.ADD):
                await self._picking.begin(reply, me(interaction), read[0])
            elif read is not None and head == Step.ASK:
                await self._picking.question(reply, me(interaction), read[0], word)
            elif read is not None and head == Step.LOOK:
                await self._look(interaction, reply, wire, read[0])
            elif head in (Command.JOIN, Command.REMATCH) and (
                no := await self._preferring.unwelcome(interaction, opens=head == Command.REMATCH)
            ):
                await reply.say(no)
            else:
                await self._pressed(interaction, reply, wire, read[0] if read is not None else "")

    async def _look(self, interaction: discord.Interaction, reply: Reply, wire: str, table_id: str) -> None:
        """Refresh. What is no board any more says so, as with every other button of it."""
        place, message = place_of(interaction), interaction.message
        if await self._placing.refresh(interaction, table_id) or message is None:
            return
        if not await self._placing.shows(table_id, place, str(message.id)):  # else it has just been sent
            await self._pressed(interaction, reply, wire, table_id)

    async def _pressed(self, interaction: discord.Interaction, reply: Reply, wire: str, table_id: str) -> None:
        person, place, at = me(interaction), place_of(interaction), str(interaction.message.id)  # type: ignore[union-attr]
        source = source_of(interaction)
        done = await self._desk.press(person, wire, place=place, message=at, source=source, at=reply.at)
        if isinstance(done, Notice) and done.retire and await self._placing.shows(table_id, place, at):
            # Tapped the moment it was sent, before the store knows of it.
            done = await self._desk.press(person, wire, place=None, source=source, at=reply.at)
        if isinstance(done, Done) and done.table.id != table_id:  # a rematch, which may have been opened elsewhere
            await self._placing.board_here(done.table, place)
        await self._placing.told(reply, done)
        if notice(done).retire and interaction.message is not None:
            await interaction.edit_original_response(
                view=stripped(interaction.message), attachments=list(interaction.message.attachments)
            )
        else:
            await self._placing.refresh(interaction, table_id)

    async def picked(self, interaction: discord.Interaction, wire: str, chosen: str) -> None:
        """A step in the private message where a point is chosen."""
        read = unpack(wire)
        if read is not None and read[2] == Step.TYPE:
            await self._type(interaction, wire)
            return
        async with self._visits.visit(interaction, Kind.STEP) as reply:
            if reply is None or interaction.message is None:
                return
            if read is None:
                await reply.say(words(me(interaction).language).say("This button means nothing here."))
            else:
                async with self._picking.turn(interaction.message.id) as turn:
                    await turn.step(reply, me(interaction), read[0], read[2], chosen, source_of(interaction))

    async def _type(self, interaction: discord.Interaction, wire: str) -> None:
        async with self._visits.visit(interaction, Kind.FORM) as reply:
            if reply is not None:
                await reply.form(ask_for_point(me(interaction), wire))

    async def sure(self, interaction: discord.Interaction, wire: str) -> None:
        """An answer in a private message."""
        async with self._visits.visit(interaction, Kind.STEP) as reply:
            if reply is not None:
                await self._picking.sure(reply, me(interaction), wire, source_of(interaction))

    async def submitted(self, interaction: discord.Interaction) -> None:
        """A form was sent: a typed point."""
        wire, typed = typed_in(interaction)
        read, private = unpack(wire), is_private(interaction)
        async with self._visits.visit(interaction, Kind.CHANGE) as reply:
            if reply is None:
                return
            if read is None:
                await reply.say(words(me(interaction).language).say("This button means nothing here."))
                return
            if not private:
                await self._placing.note(interaction)
            person, source = me(interaction), source_of(interaction)
            done = await self._desk.move(person, typed, table=read[0], place=None, source=source, at=reply.at)
            text = await self._placing.heard(interaction, done)
            await reply.say(text)
            if private and not text:
                await reply.close()

    async def turned(self, interaction: discord.Interaction, wire: str, chosen: str) -> None:
        """Something on the card of a new game."""
        await self.opening.turned(interaction, wire, chosen)

    async def asked(self, interaction: discord.Interaction, typed: str) -> None:
        """One of the ways to go on with a request for a new game."""
        await self.opening.chosen(interaction, typed)

    async def brought(self, interaction: discord.Interaction, wire: str) -> None:
        """A game of a list: its board comes down to the end of this chat."""
        await self.informing.brought(interaction, wire)

    async def preferred(self, interaction: discord.Interaction, name: str) -> None:
        """A preference was chosen."""
        await self.informing.preferred(interaction, name)

    # -- commands ------------------------------------------------------------------------------------------------------

    async def show_board(self, interaction: discord.Interaction, game: str | None) -> None:
        """``/board``: the board again at the end of the chat."""
        async with self._visits.visit(interaction, Kind.BOARD) as reply:
            if reply is None:
                return
            place = await self._placing.note(interaction)
            if place.thread != GUEST:
                await self._placing.reopened(place)
            found = await self._desk.find(me(interaction), game, place)
            if isinstance(found, Notice):
                if place.thread == GUEST and game is None and await self._placing.reopened(place):
                    return  # a board that comes back takes the place of "thinking"
                await reply.say(found.text)
                return
            await self.opening.takes_the_answer(interaction, found.id)
            await self._placing.told(reply, await self._desk.bring_down(found, place))

    async def move(self, interaction: discord.Interaction, typed: str, game: str | None) -> None:
        """``/move``."""
        async with self._visits.visit(interaction, Kind.WORDS) as reply:
            if reply is None:
                return
            place = await self._placing.note(interaction)
            person, source = me(interaction), source_of(interaction)
            here = None if game else place
            done = await self._desk.move(person, typed, table=game, place=here, source=source, at=reply.at)
            await self._placing.told_of_a_game(interaction, reply, done)

    async def command(self, interaction: discord.Interaction, name: str, game: str | None) -> None:
        """A command that is an action without further words."""
        async with self._visits.visit(interaction, Kind.WORDS) as reply:
            if reply is None:
                return
            place = await self._placing.note(interaction)
            person, source = me(interaction), source_of(interaction)
            here = None if game else place
            done = await self._desk.command(person, name, table=game, place=here, source=source, at=reply.at)
            await self._placing.told_of_a_game(interaction, reply, done)

    async def serious(self, interaction: discord.Interaction, name: str, game: str | None) -> None:
        """A command that gives a game up: asked about first."""
        async with self._visits.visit(interaction, Kind.WORDS) as reply:
            if reply is None:
                return
            found = await self._desk.find(me(interaction), game, None if game else place_of(interaction))
            if isinstance(found, Notice):
                await reply.say(found.text)
            else:
                await self._picking.question(reply, me(interaction), found.id, name)

    async def close(self) -> None:
        """Let the work under way come to its end."""
        await self._visits.close()
