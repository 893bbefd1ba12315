"""New games on Discord: the card, a challenge, a seat in somebody else's game, a rematch."""

from __future__ import annotations

from typing import Final

import discord

from bot import newgame
from bot.adapters.discord import card, choosing
from bot.adapters.discord.placing import Placing, notice, source_of
from bot.adapters.discord.preferring import Preferring
from bot.adapters.discord.reading import PLATFORM, account, me, place_of
from bot.adapters.discord.replies import Kind, Reply
from bot.adapters.discord.visits import Visits
from bot.adapters.discord.ways import Ways
from bot.desk import Desk, Done, Notice, Place
from bot.session.table import Declined, Person, Table
from bot.session.tables import Tables
from bot.words import explain, words

#: How long the last choices of a person in a chat are kept, in seconds.
_KEPT: Final = 400 * 86_400


class Opening:
    """Opens games and fills their seats."""

    def __init__(
        self, desk: Desk, tables: Tables, ways: Ways, visits: Visits, placing: Placing, preferring: Preferring
    ) -> None:
        self._desk = desk
        self._tables = tables
        self._ways = ways
        self._visits = visits
        self._placing = placing
        self._preferring = preferring

    async def new_game(
        self, interaction: discord.Interaction, typed: str, *, against: discord.User | discord.Member | None = None
    ) -> None:
        """``/newgame``, or a challenge to somebody. Without a word about the game: the card."""
        # Only what will most likely become a board begins as a message that everybody sees.
        public = bool(typed) and _understood(typed) and not _no_opponent(me(interaction), against)
        async with self._visits.visit(interaction, Kind.BOARD if public else Kind.WORDS) as reply:
            if reply is None:
                return
            person = me(interaction)
            no = _no_opponent(person, against) or await self._preferring.unwelcome(interaction, opens=True)
            if no:
                await reply.say(no)
                return
            place = await self._placing.note(interaction)
            if not typed:
                kept = await self._tables.recall(_last(person, place))
                shown = card.read(kept or "") or card.usual(private=place.private)
                await reply.show(card.look(words(person.language), shown))
                return
            reserved = account(against) if against is not None else ""
            invited = against.display_name if against is not None else ""
            source = source_of(interaction)
            if public:
                await self.takes_the_answer(interaction, await self._tables.id_from(source))
            wait = await self._preferring.wait(interaction)
            done = await self._desk.new_game(
                person, place, typed, source=source, reserved=reserved, invited=invited, wait=wait
            )
            if isinstance(done, Notice):
                if public:
                    await self._ways.answered(await self._tables.id_from(source), place.chat)
                await _ask(reply, done)
                return
            if not public:
                await reply.nothing()
            if against is None:
                await self._remember(person, place, typed)

    async def takes_the_answer(self, interaction: discord.Interaction, table_id: str) -> None:
        """The next board of this table here takes the place of "thinking"."""
        await self._ways.keep_answer(table_id, place_of(interaction).chat, interaction.token)

    async def turned(self, interaction: discord.Interaction, wire: str, chosen: str) -> None:
        """A select of the card, or its Start."""
        async with self._visits.visit(interaction, Kind.STEP) as reply:
            if reply is None:
                return
            person = me(interaction)
            field, _, state = wire.partition(":")
            before = card.read(state) or card.usual(private=place_of(interaction).private)
            if field != card.START:
                await reply.show(card.look(words(person.language), card.changed(before, field, chosen)))
                return
            await self._begin(interaction, reply, before.typed)

    async def chosen(self, interaction: discord.Interaction, typed: str) -> None:
        """One of the ways to go on with a request that lacked something."""
        async with self._visits.visit(interaction, Kind.STEP) as reply:
            if reply is not None:
                await self._begin(interaction, reply, typed)

    async def _begin(self, interaction: discord.Interaction, reply: Reply, typed: str) -> None:
        """A game by the words of a private message, which has then done its work; however often, one."""
        no = await self._preferring.unwelcome(interaction, opens=True)
        if no or interaction.message is None:
            await reply.say(no)
            return
        place = await self._placing.note(interaction)
        source = f"{PLATFORM}:choice:{interaction.message.id}"
        wait = await self._preferring.wait(interaction)
        done = await self._desk.new_game(me(interaction), place, typed, source=source, wait=wait)
        if isinstance(done, Done):
            await reply.close()
            await self._remember(me(interaction), place, typed)
        else:
            await reply.show(choosing.look(done))

    async def _remember(self, person: Person, place: Place, typed: str) -> None:
        """What was asked for is where the card begins next time, if it can say it."""
        shown = card.of(newgame.read(typed), private=place.private)
        if shown is not None:
            await self._tables.remember(_last(person, place), shown.state, _KEPT)

    async def join(self, interaction: discord.Interaction, code: str) -> None:
        """``/join``: the free seat of a table that was opened elsewhere, with a board of one's own."""
        async with self._visits.visit(interaction, Kind.WORDS) as reply:
            if reply is None:
                return
            place = await self._placing.note(interaction)
            no = await self._preferring.unwelcome(interaction, opens=True)
            if no:
                await reply.say(no)
                return
            table_id = code.strip().lower()
            done = await self._desk.join(me(interaction), table_id, source=source_of(interaction), at=reply.at)
            if isinstance(done, Done):
                await self._placing.board_here(done.table, place)
            await self._placing.told(reply, done)

    async def rematch(self, interaction: discord.Interaction, game: str | None) -> None:
        """``/rematch``: of the game that ended last here, or of the one that is named."""
        async with self._visits.visit(interaction, Kind.WORDS) as reply:
            if reply is None:
                return
            person = me(interaction)
            place = await self._placing.note(interaction)
            no = await self._preferring.unwelcome(interaction, opens=True)
            if no:
                await reply.say(no)
                return
            over = await self._tables.get(game) if game else await self._desk.ended(person, place)
            if isinstance(over, Table):
                done = await self._desk.rematch(person, over, place, source=source_of(interaction), at=reply.at)
            else:
                done = over if isinstance(over, Notice) else _declined(person, over)
            if isinstance(done, Done):
                await self._placing.board_here(done.table, place)
            await self._placing.told(reply, done)


async def _ask(reply: Reply, done: Notice) -> None:
    """Why there is no game yet, with the ways to go on."""
    if notice(done).choices:
        await reply.present(choosing.look(done))
    else:
        await reply.say(done.text)


def _declined(person: Person, why: Declined) -> Notice:
    return Notice(explain(words(person.language), why))


def _understood(typed: str) -> bool:
    """Whether the words make a whole request."""
    try:
        return not newgame.read(typed).lacks_opening
    except (newgame.UnknownWord, newgame.BadValue):
        return False


def _last(person: Person, place: Place) -> str:
    return f"{PLATFORM}:last:{person.id}:{place.chat}"


def _no_opponent(person: Person, against: discord.User | discord.Member | None) -> str:
    """Why somebody cannot be challenged; empty: they can."""
    say = words(person.language).say
    if against is not None and account(against) == person.id:
        return say("You cannot challenge yourself.")
    if against is not None and against.bot:
        return say("{name} is a bot and plays nobody. To play me, begin a game against the engine.", name=against.name)
    return ""
