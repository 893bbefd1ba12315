"""Shows tables: one message a view, made of components and edited in place, with one picture.

A message is changed by its channel and number with the bot's own right. Where the bot is only a guest it is changed by
the token of the newest interaction with it, for fifteen minutes; after that whoever taps it brings a new one.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator
from typing import Final

import aiohttp
import discord
import structlog

from bot.adapters.discord.calls import Calls, only
from bot.adapters.discord.layout import board, written
from bot.adapters.discord.line import Line
from bot.adapters.discord.messages import NOBODY, Messages
from bot.adapters.discord.pace import Pace
from bot.adapters.discord.preferences import OfPerson, OfServer, Policy, Preferences
from bot.adapters.discord.reading import DIRECT, GUEST, PLATFORM
from bot.composing import compose
from bot.render import png
from bot.scene import Scene, Viewer
from bot.session.lost import Lost
from bot.session.refresher import Later, Sent, Shown, Unreachable
from bot.session.table import Person, Table, View
from bot.session.tables import Tables
from bot.words import Phrase, Words, words

log = structlog.get_logger("renju.discord")

#: Seconds until the next try when Discord cannot be reached; before the connection is open; after giving up for good.
_UNREACHABLE_FOR_NOW: Final = 2.0
STARTING: Final = 0.5
GIVEN_UP: Final = 60.0


class DiscordShower:
    """The shower of platform ``dc``."""

    def __init__(self, line: Line, tables: Tables, messages: Messages, preferences: Preferences, pace: Pace) -> None:
        self._line = line
        self._tables = tables
        self._messages = messages
        self._preferences = preferences
        self._calls = Calls(line, tables, pace, messages)
        self._lost = Lost(tables, PLATFORM)
        self._pace = pace
        self.closed_for: float | None = STARTING
        """While there is no connection: how long to wait until the next try, in seconds."""

    async def thinking(self, view: View) -> None:
        """Let the view's chat show that somebody is at work."""
        if self.closed_for is None:
            await self._messages.thinking(view)

    async def show(self, table: Table, view: View) -> Shown:
        """Bring the view's message to this state of the table."""
        if self.closed_for is not None:
            return Later(self.closed_for)
        servers = await self._preferences.of_server(self._server(view))
        reader = _reader(view)
        theirs = OfPerson() if reader is None else await self._preferences.of_person(reader)
        viewer = _viewer(table, view, servers, theirs)
        chosen = words(viewer.language)
        policy = _policy(view, servers, theirs)
        if policy == "new" and table.waiting:
            policy = "call"  # the board is new anyway
        called = await self._calls.due(table, view) if policy == "new" else None
        scene = compose(table, viewer)
        picture = await asyncio.to_thread(png, scene.picture)
        more = [*_seat(table, view, chosen), *(_call(called, chosen) if called is not None else ())]
        moments = tuple(_moments(table, scene))
        look = board(scene, chosen, guest=not self._messages.owns(view), more=tuple(more), moments=moments)
        try:
            if view.message and called is None:
                shown = await self._messages.edit(look, picture, table, view, silent=servers.quiet)
            else:
                calls = NOBODY if called is None else only(called)
                try:
                    shown = await self._messages.send(look, picture, table, view, silent=servers.quiet, calls=calls)
                except discord.Forbidden:
                    if not view.message:
                        raise
                    # It may send nothing here any more: the board that stands is changed, and nobody is called.
                    called = None
                    shown = await self._messages.edit(look, picture, table, view, silent=servers.quiet)
            if isinstance(shown, Sent) and called is not None:
                await self._calls.called(table, view)
                if view.message:
                    await self.retire(view)
            if isinstance(shown, Sent) and policy == "call":
                await self._calls.call(table, view, shown.message, chosen)
        except discord.RateLimited as error:
            self._pace.halt(view.chat, error.retry_after)
            return Later(error.retry_after)
        except discord.HTTPException as error:
            shown = await self._refused(error, table, view)
        except (aiohttp.ClientError, OSError):
            if not view.message or called is not None:
                raise  # whether it was sent is not known
            return Later(_UNREACHABLE_FOR_NOW)  # whether it arrived or not: the next edit makes it so
        return shown

    def close(self) -> None:
        """The connection ends; the next one may show again."""
        self.closed_for = STARTING
        self._calls.close()

    async def retire(self, view: View) -> None:
        """A message that shows its table no more."""
        await self._messages.retire(view)

    def stands(self, chat: str, *, member: bool) -> None:
        """How it is in a channel now: the bot is in it and sees it, or is a guest."""
        self._messages.stands(chat, member=member)

    def learn(self, chat: str, channel: int) -> None:
        """The channel of somebody's direct messages."""
        self._messages.learn(chat, channel)

    async def _refused(self, error: discord.HTTPException, table: Table, view: View) -> Shown:
        """What a refusal means. 401, 403 and 404 are never asked again: many of them lead to a ban."""
        if error.status == 401:
            log.error("discord_token_refused", hint="the token was valid before; DISCORD_TOKEN needs the new one")
            self.closed_for = GIVEN_UP
            return Later(GIVEN_UP)
        if error.status == 429:
            self._pace.halt(view.chat, GIVEN_UP)
            return Later(GIVEN_UP)
        if error.status >= 500 and view.message:
            return Later(_UNREACHABLE_FOR_NOW)
        if error.status in (403, 404):
            log.info("discord_message_out_of_reach", chat=view.chat, status=error.status, code=error.code)
            await self._lose(table, view)
            return Unreachable()
        raise error

    # -- chats that were lost ------------------------------------------------------------------------------------------

    async def _lose(self, table: Table, view: View) -> None:
        """A board cannot be shown any more: it is remembered, and who plays elsewhere is told."""
        if view.thread == GUEST:
            return
        await self._lost.note(view.chat, (table.id, view.thread))
        gone = _seated(table, _reader(view))
        if gone is None or table.game.outcome is not None:
            return
        for other in await self._tables.views(table.id):
            if other.platform == PLATFORM and other.chat != view.chat and other.message:
                opposite = _seated(table, _reader(other))
                say = words(other.language if opposite is None else opposite.language).say
                told = say(
                    "{name} has blocked me and does not see the board any more. The game goes on.", name=gone.name
                )
                await self._messages.tell(other, told)

    async def reopened(self, chat: str, *, guest: bool = False) -> bool:
        """The bot may write in a chat again, if only as a ``guest``: the boards of its running games are sent anew.

        ``False``: there are none.
        """
        found = False
        for table_id, before in await self._lost.take(chat):
            thread = GUEST if guest else before
            table = await self._tables.get(table_id)
            if isinstance(table, Table) and not await self._shown(table_id, chat):
                view = View(
                    id=secrets.token_hex(4), platform=PLATFORM, chat=chat, thread=thread, language=table.language
                )
                await self._tables.attach(table_id, view)
                found = True
        return found

    async def _shown(self, table_id: str, chat: str) -> bool:
        return any((view.platform, view.chat) == (PLATFORM, chat) for view in await self._tables.views(table_id))

    # -- where ---------------------------------------------------------------------------------------------------------

    def _server(self, view: View) -> int | None:
        """The server that a view is in, as far as the library knows it."""
        if view.thread == GUEST or view.chat.startswith(DIRECT):
            return None
        channel = self._line.client.get_channel(int(view.chat))
        guild = getattr(channel, "guild", None)
        return guild.id if isinstance(guild, discord.Guild) else None


def _reader(view: View) -> str | None:
    """The one person who reads a message; ``None``: everybody in the channel."""
    return f"{PLATFORM}:{view.chat.removeprefix(DIRECT)}" if view.chat.startswith(DIRECT) else None


def _seated(table: Table, person: str | None) -> Person | None:
    """Somebody at the table, by id."""
    return next((one for one in table.seats if isinstance(one, Person) and one.id == person), None)


def _viewer(table: Table, view: View, servers: OfServer, theirs: OfPerson) -> Viewer:
    """Who reads a message, in which language: in direct messages that person's, whoever opened the game."""
    reader = _reader(view)
    if reader is None:
        return Viewer(servers.language or view.language, public=True, style=servers.style)
    seated = _seated(table, reader)
    language = theirs.language or (seated.language if seated is not None else view.language)
    return Viewer(language, seats=table.seats_of(reader), style=theirs.style)


def _moments(table: Table, scene: Scene) -> Iterator[int]:
    """The times that the words may tell; none that somebody is called, since names are shown as they are."""
    names = [one.name for one in table.seats if isinstance(one, Person)] + [table.invited]
    for moment in (scene.clock.deadline, table.expires):
        if moment and not any(written(moment) in name for name in names):
            yield moment


def _policy(view: View, servers: OfServer, theirs: OfPerson) -> Policy:
    """How whoever is to move learns of it here."""
    if view.thread == GUEST or servers.quiet:
        return "edit"
    return servers.policy if _reader(view) is None else theirs.policy


def _call(account: int, words: Words) -> Iterator[str]:
    yield words.say("{who}, it is your move.", who=Phrase(f"<@{account}>"))


def _seat(table: Table, view: View, words: Words) -> Iterator[str]:
    """Who can take the free seat, where a Join button does not say it."""
    if not table.waiting or table.game.outcome is not None:
        return
    platform, _, account = table.reserved.partition(":")
    if account and platform == PLATFORM:
        yield words.say("The free seat is kept for {who}.", who=Phrase(f"<@{account}>"))
    elif view.chat.startswith(DIRECT) and not account:
        yield words.say("A friend can join from anywhere: /join {code}", code=Phrase(table.id))
