"""What people do on Discord becomes a call to the desk; what the desk says goes back to them."""

from __future__ import annotations

import discord
import structlog

from bot.adapters.discord.form import ask_for_point, typed_in
from bot.adapters.discord.items import Step
from bot.adapters.discord.layout import stripped
from bot.adapters.discord.naming import help_text
from bot.adapters.discord.picking import Picking
from bot.adapters.discord.preferences import Preferences
from bot.adapters.discord.preferring import Preferring
from bot.adapters.discord.reading import DIRECT, GUEST, PLATFORM, me, place_of
from bot.adapters.discord.replies import Kind, Reply
from bot.adapters.discord.shower import DiscordShower
from bot.adapters.discord.visits import Visits
from bot.adapters.discord.ways import Ways
from bot.desk import Desk, Done, Notice, Place
from bot.scene import Command, unpack
from bot.session.table import Person, Table
from bot.session.tables import Tables
from bot.words import words
from bot.words.help import rules_text

log = structlog.get_logger("renju.discord")


class Hearing:
    """Handles interactions, each in a task of the library's; raises nothing."""

    def __init__(self, desk: Desk, tables: Tables, shower: DiscordShower, ways: Ways, preferences: Preferences) -> None:
        self._desk = desk
        self._tables = tables
        self._shower = shower
        self._ways = ways
        self._preferring = Preferring(preferences)
        self._picking = Picking(desk, tables, preferences)
        self._visits = Visits(tables.clock)

    # -- items under boards --------------------------------------------------------------------------------------------

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
            await self._note_way(interaction)
            if read is not None and head in (Step.PICK, Command.ADD):
                await self._picking.begin(reply, me(interaction), read[0])
            elif read is not None and head == Step.ASK:
                await self._picking.question(reply, me(interaction), read[0], word)
            elif read is not None and head == Step.LOOK:
                await self._refresh(interaction, read[0])
            elif head in (Command.JOIN, Command.REMATCH) and (
                no := await self._preferring.unwelcome(interaction, opens=head == Command.REMATCH)
            ):
                await reply.say(no)
            else:
                await self._pressed(interaction, reply, wire, read[0] if read is not None else "")

    async def _pressed(self, interaction: discord.Interaction, reply: Reply, wire: str, table_id: str) -> None:
        person, place, at = me(interaction), place_of(interaction), str(interaction.message.id)  # type: ignore[union-attr]
        source = _source(interaction)
        done = await self._desk.press(person, wire, place=place, message=at, source=source, at=reply.at)
        if isinstance(done, Notice) and done.retire and await self._shows(table_id, place, at):
            # Tapped the moment it was sent, before the store knows of it.
            done = await self._desk.press(person, wire, place=None, source=source, at=reply.at)
        if isinstance(done, Done) and done.table.id != table_id:  # a rematch, which may have been opened elsewhere
            await self._board_here(done.table, place)
        await self._told(reply, done)
        if self._notice(done).retire and interaction.message is not None:
            await interaction.edit_original_response(
                view=stripped(interaction.message), attachments=list(interaction.message.attachments)
            )
        else:
            await self._refresh(interaction, table_id)

    async def _shows(self, table_id: str, place: Place, at: str) -> bool:
        """Whether the message is a board of the table, or may be one that is on its way to this place."""
        return any(
            (view.platform, view.chat, view.thread) == (PLATFORM, place.chat, place.thread) and view.message in ("", at)
            for view in await self._tables.views(table_id)
        )

    async def _refresh(self, interaction: discord.Interaction, table_id: str) -> None:
        """Where the bot is a guest, every tap brings a token by which the board can be brought to the newest state."""
        place = place_of(interaction)
        if place.thread != GUEST or interaction.message is None:
            return
        found = await self._tables.view_at(PLATFORM, place.chat, str(interaction.message.id))
        if found is not None and found[0] == table_id:
            await self._tables.attach(table_id, found[1])

    async def _board_here(self, table: Table, place: Place) -> None:
        """A board of the table in this place, if it has none."""
        views = await self._tables.views(table.id)
        if not any((view.platform, view.chat, view.thread) == (PLATFORM, place.chat, place.thread) for view in views):
            await self._desk.bring_down(table, place)

    async def picked(self, interaction: discord.Interaction, wire: str, chosen: str) -> None:
        """A step in the private message where a point is chosen."""
        read = unpack(wire)
        if read is not None and read[2] == Step.TYPE:
            await self._type(interaction, wire)
            return
        async with self._visits.visit(interaction, Kind.CHANGE) as reply:
            if reply is not None and read is not None and interaction.message is not None:
                async with self._picking.turn(interaction.message.id) as turn:
                    await turn.step(reply, me(interaction), read[0], read[2], chosen)

    async def _type(self, interaction: discord.Interaction, wire: str) -> None:
        async with self._visits.visit(interaction, Kind.FORM) as reply:
            if reply is not None:
                await reply.form(ask_for_point(me(interaction), wire))

    async def sure(self, interaction: discord.Interaction, wire: str) -> None:
        """An answer in a private message."""
        async with self._visits.visit(interaction, Kind.CHANGE) as reply:
            if reply is not None:
                await self._picking.sure(reply, me(interaction), wire, _source(interaction), reply.at)

    async def submitted(self, interaction: discord.Interaction) -> None:
        """A form was sent: a typed point."""
        wire, typed = typed_in(interaction)
        read = unpack(wire)
        if read is None:
            return
        private = interaction.message is not None and interaction.message.flags.ephemeral
        async with self._visits.visit(interaction, Kind.CHANGE) as reply:
            if reply is None:
                return
            if not private:
                await self._note_way(interaction)
            person, source = me(interaction), _source(interaction)
            done = await self._desk.move(person, typed, table=read[0], place=None, source=source, at=reply.at)
            notice = self._notice(done)
            await reply.say(notice.text)
            if private and not notice.text:
                await reply.close()

    # -- commands ------------------------------------------------------------------------------------------------------

    async def new_game(
        self, interaction: discord.Interaction, typed: str, *, against: discord.User | discord.Member | None = None
    ) -> None:
        """``/newgame``, or a challenge to somebody."""
        async with self._visits.visit(interaction, Kind.BOARD) as reply:
            if reply is None:
                return
            person, place, source = me(interaction), place_of(interaction), _source(interaction)
            no = _no_opponent(person, against) or await self._preferring.unwelcome(interaction, opens=True)
            if no:
                await reply.say(no)
                return
            await self._note_way(interaction)
            table_id = await self._tables.id_from(source)
            await self._ways.keep_answer(table_id, place.chat, interaction.token)
            reserved = f"{PLATFORM}:{against.id}" if against is not None else ""
            done = await self._desk.new_game(person, place, typed, source=source, reserved=reserved)
            if isinstance(done, Notice):
                await self._ways.answered(table_id, place.chat)
                await reply.say(done.text)

    async def show_board(self, interaction: discord.Interaction, game: str | None) -> None:
        """``/board``: the board again at the end of the chat."""
        async with self._visits.visit(interaction, Kind.BOARD) as reply:
            if reply is None:
                return
            place = place_of(interaction)
            await self._note_way(interaction)
            found = await self._desk.find(me(interaction), game, place)
            if isinstance(found, Notice):
                await reply.say(found.text)
                return
            await self._ways.keep_answer(found.id, place.chat, interaction.token)
            await self._told(reply, await self._desk.bring_down(found, place))

    async def move(self, interaction: discord.Interaction, typed: str, game: str | None) -> None:
        """``/move``."""
        async with self._visits.visit(interaction, Kind.WORDS) as reply:
            if reply is None:
                return
            place = None if game else place_of(interaction)
            await self._note_way(interaction)
            person, source = me(interaction), _source(interaction)
            done = await self._desk.move(person, typed, table=game, place=place, source=source, at=reply.at)
            await self._told(reply, done)

    async def command(self, interaction: discord.Interaction, name: str, game: str | None) -> None:
        """A command that is an action without further words."""
        async with self._visits.visit(interaction, Kind.WORDS) as reply:
            if reply is None:
                return
            place = None if game else place_of(interaction)
            await self._note_way(interaction)
            person, source = me(interaction), _source(interaction)
            done = await self._desk.command(person, name, table=game, place=place, source=source, at=reply.at)
            await self._told(reply, done)

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

    async def join(self, interaction: discord.Interaction, code: str) -> None:
        """``/join``: the free seat of a table that was opened elsewhere, with a board of one's own."""
        async with self._visits.visit(interaction, Kind.WORDS) as reply:
            if reply is None:
                return
            await self._note_way(interaction)
            no = await self._preferring.unwelcome(interaction, opens=True)
            if no:
                await reply.say(no)
                return
            done = await self._desk.join(
                me(interaction), code.strip().lower(), source=_source(interaction), at=reply.at
            )
            if isinstance(done, Done):
                await self._board_here(done.table, place_of(interaction))
            await self._told(reply, done)

    async def rematch(self, interaction: discord.Interaction, game: str | None) -> None:
        """``/rematch``: of the game that ended last here, or of the one that is named."""
        async with self._visits.visit(interaction, Kind.WORDS) as reply:
            if reply is None:
                return
            person, place = me(interaction), place_of(interaction)
            await self._note_way(interaction)
            no = await self._preferring.unwelcome(interaction, opens=True)
            if no:
                await reply.say(no)
                return
            table = await self._ended(person, place, game)
            if table is None:
                await reply.say(words(person.language).say("You have no game here that has ended."))
                return
            done = await self._desk.rematch(person, table, place, source=_source(interaction), at=reply.at)
            if isinstance(done, Done):
                await self._board_here(done.table, place)
            await self._told(reply, done)

    async def _ended(self, person: Person, place: Place, game: str | None) -> Table | None:
        here = [game] if game else await self._tables.tables_in(place.platform, place.chat, place.thread)
        for table_id in here:
            table = await self._tables.get(table_id)
            if isinstance(table, Table) and table.game.outcome is not None and table.seats_of(person.id):
                return table
        return None

    async def settings(self, interaction: discord.Interaction) -> None:
        """``/settings``: one's own, and the server's for who may manage it."""
        async with self._visits.visit(interaction, Kind.WORDS) as reply:
            if reply is not None:
                await reply.show(await self._preferring.panel(interaction))

    async def preferred(self, interaction: discord.Interaction, name: str) -> None:
        """A preference was chosen: it takes effect at once."""
        async with self._visits.visit(interaction, Kind.CHANGE) as reply:
            if reply is None:
                return
            no = await self._preferring.change(interaction, name)
            if no:
                await reply.say(no)
            else:
                await reply.show(await self._preferring.panel(interaction))

    async def help(self, interaction: discord.Interaction, commands: list[str]) -> None:
        """``/help``."""
        async with self._visits.visit(interaction, Kind.WORDS) as reply:
            if reply is not None:
                await reply.say(help_text(words(me(interaction).language), commands))

    async def rules(self, interaction: discord.Interaction, topic: str) -> None:
        """``/rules``; with a ``topic``, an opening protocol, about that."""
        async with self._visits.visit(interaction, Kind.WORDS) as reply:
            if reply is not None:
                await reply.say(rules_text(words(me(interaction).language), topic))

    # -- the same for all ----------------------------------------------------------------------------------------------

    async def _note_way(self, interaction: discord.Interaction) -> None:
        """Keep what this interaction tells about the ways to its place."""
        place = place_of(interaction)
        if place.thread == GUEST:
            message = interaction.message
            await self._ways.keep(place.chat, str(message.id) if message is not None else "", interaction.token)
        elif place.chat.startswith(DIRECT) and interaction.channel_id is not None:
            self._shower.learn(place.chat, interaction.channel_id)

    async def _told(self, reply: Reply, done: Done | Notice) -> None:
        await reply.say(self._notice(done).text)
        if isinstance(done, Done):
            for view in done.retired:
                await self._shower.retire(view)

    @staticmethod
    def _notice(done: Done | Notice) -> Notice:
        return done.notice if isinstance(done, Done) else done

    async def close(self) -> None:
        """Let the work under way come to its end."""
        await self._visits.close()


def _source(interaction: discord.Interaction) -> str:
    return f"{PLATFORM}:interaction:{interaction.id}"


def _no_opponent(person: Person, against: discord.User | discord.Member | None) -> str:
    """Why somebody cannot be challenged; empty: they can."""
    if against is not None and f"{PLATFORM}:{against.id}" == person.id:
        return words(person.language).say("You cannot challenge yourself.")
    if against is not None and against.bot:
        say = words(person.language).say
        return say("{name} is a bot and plays nobody. To play me, begin a game against the engine.", name=against.name)
    return ""
