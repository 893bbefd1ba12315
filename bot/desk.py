"""The desk: where people's words and taps come in, the same for every platform.

An adapter turns what its platform sends into a call here and shows what comes back. The desk finds the table, asks the
one door (``Tables.act``) and answers in the language of whoever asked. It knows no rules and draws nothing.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, replace
from typing import Final

import msgspec

from bot import newgame
from bot.scene import Command, first_tap, unpack
from bot.session.ids import new_id
from bot.session.table import Declined, Intent, Machine, Occupant, Person, Table, View
from bot.session.tables import Tables
from bot.typed import COMMANDS, OnePoint, read
from bot.words import Phrase, words
from bot.words.newgame import misunderstood
from bot.words.openings import opening_name
from bot.words.refusals import explain
from core.game import (
    Act,
    Action,
    ActionError,
    Draw,
    Refusal,
    SettingsError,
    Why,
    action,
    decode,
    new_game,
    other,
)
from core.notation import NotationError, Point, label, name
from core.openings.names import OPENINGS


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody speaks or taps."""

    platform: str
    chat: str
    thread: str = ""
    private: bool = False
    """Whether the chat is between the person and the bot alone."""
    message: str = ""
    """The message that shows whatever is played here, where no other can be sent."""
    topics: bool = True
    """Whether threads of the chat have games of their own; else a game is at home in all of it."""
    replies: bool = True
    """Whether somebody can name a game by replying to its board; else a command has an option for that."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several ways to go on with a request: a button, where the platform can show one."""

    label: str
    typed: str
    """The words that make the whole request, for ``new_game``."""


@dataclass(frozen=True, slots=True)
class Notice:
    """One line to whoever caused it, in their language. An empty text: say nothing."""

    text: str = ""
    alert: bool = False
    """Whether it should be hard to miss."""
    retire: bool = False
    """Whether the message that was tapped is no current view of its table: its buttons should go."""
    choices: tuple[Choice, ...] = ()
    """What the text asks for, ready to be chosen from; the text names all of it."""


@dataclass(frozen=True, slots=True)
class Done:
    """It happened; ``table`` is the newest state."""

    table: Table
    notice: Notice = Notice()
    retired: tuple[View, ...] = ()
    """Messages that no longer show the table: their buttons should go."""


#: Reasons that nothing on the screen shows, and that somebody should not miss; the others pass by in a line.
GRAVE: Final = (Declined.GONE, Declined.NOT_STORED, Declined.DAMAGED)
#: Actions of the referee: never on a button.
_REFEREE: Final = (Act.FLAG, Act.CREDIT, Act.REMIND, Act.EXPIRE)


class Desk:
    """Every method answers :class:`Done` or :class:`Notice`; none raises for anything a person can do.

    ``at`` is when the person's message or tap arrived, in milliseconds since 1970: their clock is judged by that,
    however long it waited here. 0: when the method was called.

    ``StoreUnavailable`` passes through where not even a refusal can be found out.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    # -- opening and joining ---------------------------------------------------------------------------------------

    async def new_game(
        self,
        person: Person,
        place: Place | None,
        typed: str,
        *,
        source: str,
        view: bool = True,
        reserved: str = "",
        invited: str = "",
        wait: int = newgame.WAIT,
    ) -> Done | Notice:
        """Open a table by the words typed after ``newgame``.

        In a private chat the engine is the opponent unless ``friend`` was said; in a group the seat stays free for
        whoever joins, unless ``engine`` was said. ``source`` names this very request, so that delivering it twice opens
        one table. With ``view`` a message in ``place`` will show the table. ``reserved``: the person, by id or handle,
        that the free seat is kept for; ``invited``: what they are called. ``wait``: for how long somebody can join, in
        milliseconds, unless the words say it.
        """
        try:
            wanted = newgame.read(typed)
        except (newgame.UnknownWord, newgame.BadValue) as error:
            return Notice(misunderstood(words(person.language), error))
        if wanted.lacks_opening:
            return self._which_opening(person, typed)
        if not wanted.opponent_said and place is not None and place.private:
            wanted = replace(wanted, level=newgame.DEFAULT_LEVEL)
        # Against the engine the person sits on seat 1: that is the seat that guesses.
        opener = 0 if wanted.level is None else 1
        try:
            settings = wanted.settings(opener)
        except SettingsError as error:
            return Notice(explain(words(person.language), error))
        seats: tuple[Occupant | None, Occupant | None] = (
            (person, None) if wanted.level is None else (Machine(level=wanted.level), person)
        )
        now = self.tables.clock()
        table = Table(
            id=await self.tables.id_from(source) if source else new_id(),
            game=new_game(settings),
            seats=seats,
            reserved=reserved if None in seats else "",
            invited=invited if None in seats else "",
            language=person.language,
            created=now,
            expires=now + (wanted.wait or wait) if None in seats else 0,
        )
        return await self._open(person, table, place if view else None, source)

    @staticmethod
    def _which_opening(person: Person, typed: str) -> Notice:
        """``designated`` was said without an opening: the 26 to choose from."""
        chosen = words(person.language)
        labels = [f"{opening.code} {opening_name(chosen, opening).text}" for opening in OPENINGS]
        text = chosen.say(
            "Which opening? Write its code or name after designated, such as: designated D4. There are: {list}.",
            list=chosen.listed(labels),
        )
        pairs = zip(labels, newgame.with_opening(typed), strict=True)
        return Notice(text, choices=tuple(Choice(label, words) for label, words in pairs))

    async def _open(self, person: Person, table: Table, place: Place | None, source: str) -> Done | Notice:
        view = None if place is None else self._view(place, table.language)
        opened = await self.tables.open(table, view, source=source)
        return self._refused(person, opened) if isinstance(opened, Declined) else Done(opened)

    @staticmethod
    def _view(place: Place, language: str) -> View:
        # A message that is there before its table is one view, however often it is asked for.
        known = hashlib.sha256(place.message.encode()).hexdigest()[:8] if place.message else ""
        return View(
            id=known or secrets.token_hex(4),
            platform=place.platform,
            chat=place.chat,
            thread=place.thread,
            message=place.message,
            language=language,
        )

    async def join(self, person: Person, table_id: str, *, source: str, at: int = 0, handle: str = "") -> Done | Notice:
        """Take the free seat of a table. ``handle``: what the person's platform calls them now (``tg:@anna``)."""
        at = at or self.tables.clock()
        table = await self.tables.get(table_id)
        if isinstance(table, Declined):
            return self._refused(person, table)
        if table.game.outcome is not None and not table.waiting:
            return self._refused(person, Refusal(Why.OVER))
        if table.seats_of(person.id) and not table.waiting:  # they have what they want
            return Done(table)
        open_still = table.waiting and table.game.outcome is None
        if open_still and table.reserved not in ("", person.id, handle) and not table.seats_of(person.id):
            if table.invited:
                say = words(person.language).say
                return Notice(say("The free seat is kept for {who}.", who=table.invited))
            return self._refused(person, Declined.SEAT_TAKEN)
        joined = await self.tables.join(table_id, person, source=source, at=at, handle=handle)
        return self._refused(person, joined) if isinstance(joined, Declined) else Done(joined)

    # -- taps ------------------------------------------------------------------------------------------------------

    async def press(
        self,
        person: Person,
        wire: str,
        *,
        place: Place | None,
        message: str = "",
        source: str = "",
        at: int = 0,
        handle: str = "",
    ) -> Done | Notice:
        """A button was pressed. With ``place`` the ``message`` it hangs on must be a registered view of its table."""
        at = at or self.tables.clock()
        unpacked = unpack(wire)
        if unpacked is None:
            return self._unknown_button(person)
        table_id, rev, data = unpacked
        if place is None:
            table, shown = await self.tables.get(table_id), True
        else:
            table, shown = await self.tables.shown_by(table_id, place.platform, place.chat, message)
        if isinstance(table, Declined):
            return replace(self._refused(person, table), retire=table is Declined.GONE)
        if not shown:
            say = words(person.language).say
            text = say("This is an old copy of the board. Write /board to see the current one.")
            return Notice(text, alert=True, retire=True)
        if data == Command.JOIN:
            return await self.join(person, table_id, source=source, at=at, handle=handle)
        if data == Command.REMATCH:
            return await self.rematch(person, table, place, source=source, at=at)
        if data == Command.WITHDRAW:
            return await self._act(person, table, action(Act.CANCEL), rev=rev, source=source, at=at)
        if data == Command.ADD or first_tap(data) is not None:
            return self._two_points(person, first_tap(data))
        try:
            wanted = decode(data)
        except ActionError:
            return self._unknown_button(person)
        if wanted.act in _REFEREE:
            return self._unknown_button(person)
        return await self._act(person, table, wanted, rev=rev, source=source, at=at)

    def _unknown_button(self, person: Person) -> Notice:
        return Notice(words(person.language).say("This button means nothing here."), alert=True)

    @staticmethod
    def _two_points(person: Person, first: Point | None) -> Notice:
        """How to add two stones; ``first`` has been chosen already."""
        say = words(person.language).say
        if first is None:
            return Notice(say("Choose the point of the white stone, then that of the black one. Typed: add h9 i9"))
        at, example = Phrase(label(first)), Phrase(f"add {name(first)} i9")
        return Notice(
            say(
                "The white stone goes to {point}; the black one is missing. Typed: {example}", point=at, example=example
            )
        )

    async def rematch(
        self, person: Person, table: Table, place: Place | None, *, source: str, at: int = 0
    ) -> Done | Notice:
        """Another game of the same pair with the tentative seats exchanged (R2.3); however often it is pressed, one.

        Who presses first opens it; the seat of the other is kept for them, and pressing Rematch too takes it.
        """
        if not table.seats_of(person.id):
            return self._refused(person, Declined.NOT_SEATED)
        if table.game.outcome is None:
            return Notice(words(person.language).say("This game is not over yet."))
        first = table.game.state.p1
        settings = msgspec.structs.replace(
            table.game.settings,
            draw=Draw.FIXED if first is not None else table.game.settings.draw,
            first=other(first) if first is not None else table.game.settings.first,
        )
        mine = table.seats_of(person.id)[0]
        opponent = table.seats[other(mine)]
        kept = opponent if isinstance(opponent, Machine) else None
        now = self.tables.clock()
        again = Table(
            id=await self.tables.id_from(f"rematch:{table.id}"),
            game=new_game(settings),
            seats=(person, kept) if mine == 0 else (kept, person),
            reserved=opponent.id if isinstance(opponent, Person) else "",
            invited=opponent.name if isinstance(opponent, Person) else "",
            language=table.language,
            created=now,
            expires=now + newgame.WAIT if isinstance(opponent, Person) else 0,
        )
        opened = await self._open(person, again, place, f"rematch:{table.id}")
        if isinstance(opened, Notice) or opened.table.seats_of(person.id):
            return opened
        return await self.join(person, opened.table.id, source=source, at=at)

    # -- typed words -----------------------------------------------------------------------------------------------

    async def move(
        self,
        person: Person,
        typed: str,
        *,
        table: str | None = None,
        place: Place | None = None,
        source: str = "",
        at: int = 0,
    ) -> Done | Notice:
        """Typed words: a point (``h8``), or whatever the step wants (``take black``, ``3``, ``g8 g6``, ``A``).

        What ends a game is not read here: that takes a command.
        """
        return await self._typed(person, typed, table, place, source, at=at, serious=False)

    async def command(
        self,
        person: Person,
        name: str,
        rest: str = "",
        *,
        table: str | None = None,
        place: Place | None = None,
        source: str = "",
        at: int = 0,
    ) -> Done | Notice:
        """A typed command, one of ``bot.typed.COMMANDS`` or ``board``, with the words after it.

        ``draw`` and ``undo`` also answer the other side's offer or request.
        """
        if name == "board":
            found = await self.find(person, table, place)
            return found if isinstance(found, Notice) else await self.bring_down(found, place)
        if name not in COMMANDS:
            return Notice(words(person.language).say("I do not know that command. Write /help to see those I know."))
        return await self._typed(person, f"{name} {rest}", table, place, source, at=at, serious=True)

    async def _typed(
        self,
        person: Person,
        typed: str,
        table: str | None,
        place: Place | None,
        source: str,
        *,
        at: int,
        serious: bool,
    ) -> Done | Notice:
        at = at or self.tables.clock()
        found = await self.find(person, table, place)
        if isinstance(found, Notice):
            return found
        try:
            wanted = read(found, found.seats_of(person.id), typed, serious=serious)
        except OnePoint as missing:
            return self._two_points(person, missing.at)
        except (NotationError, ActionError) as error:
            return Notice(explain(words(person.language), error))
        return await self._act(person, found, wanted, rev=None, source=source, at=at)

    async def bring_down(self, table: Table, place: Place | None) -> Done | Notice:
        """Show the board anew at the end of the chat; the older messages there retire."""
        if place is None:
            return Done(table)
        older = [
            view
            for view in await self.tables.views(table.id)
            if (view.platform, view.chat) == (place.platform, place.chat)
            and (view.thread == place.thread or not place.topics)
        ]
        await self.tables.attach(table.id, self._view(place, table.language))
        for view in older:
            await self.tables.detach(table.id, view.id)
        return Done(table, retired=tuple(view for view in older if view.message))

    async def find(self, person: Person, table: str | None, place: Place | None) -> Table | Notice:
        """The table that typed words mean: the one given, or the person's only running one (here)."""
        if table is not None:
            given = await self.tables.get(table)
            return self._refused(person, given) if isinstance(given, Declined) else given
        mine = await self.tables.tables_of(person.id)
        if place is not None and not place.private:
            here = set(await self.shown_in(place))
            mine = [table_id for table_id in mine if table_id in here]
        running: list[Table] = []
        for table_id in mine:
            one = await self.tables.get(table_id)
            if one is Declined.NOT_STORED:
                return self._refused(person, one)
            if isinstance(one, Table) and one.game.outcome is None and one.seats_of(person.id):
                running.append(one)
        to_move = [one for one in running if set(one.game.to_act) & set(one.seats_of(person.id))]
        say = words(person.language).say
        if not running:
            return Notice(say("You have no game running here. Write /newgame to begin one."))
        if len(running) > 1 and len(to_move) != 1:
            if place is not None and not place.replies:
                return Notice(say("You have several games here. Use the buttons under the board, or the option game."))
            return Notice(say("You have several games here. Reply to the board that you mean."))
        return running[0] if len(running) == 1 else to_move[0]

    async def shown_in(self, place: Place) -> list[str]:
        """The tables that have a board here, newest first. Raises ``StoreUnavailable``."""
        if place.topics:
            return await self.tables.tables_in(place.platform, place.chat, place.thread)
        return await self.tables.tables_throughout(place.platform, place.chat)

    async def running(self, person: Person, place: Place) -> list[Table]:
        """The games under way or waiting for a player, newest first: in a private chat the person's own, wherever they
        are shown; else those of the whole chat, all its topics.
        """
        if place.private:
            listed = await self.tables.tables_of(person.id)
        else:
            listed = await self.tables.tables_throughout(place.platform, place.chat)
        found = [await self.tables.get(table_id) for table_id in listed]
        return [
            table
            for table in found
            if isinstance(table, Table)
            and table.game.outcome is None
            and (not place.private or table.seats_of(person.id))
        ]

    async def ended(self, person: Person, place: Place) -> Table | Notice:
        """The game of theirs that ended last here, for a rematch."""
        listed = await self.tables.tables_of(person.id)
        if not place.private:
            here = set(await self.shown_in(place))
            listed = [table_id for table_id in listed if table_id in here]
        found = [await self.tables.get(table_id) for table_id in listed]
        over = [
            table
            for table in found
            if isinstance(table, Table) and table.game.outcome is not None and table.seats_of(person.id)
        ]
        if not over:
            return Notice(words(person.language).say("You have no game here that has ended."))
        return max(over, key=lambda table: table.game.record[-1].at)

    async def asked_about(self, person: Person, table: str | None, place: Place) -> Table | Notice:
        """The game that a question about the rules means: the one given, else the newest one here (in a private chat:
        of theirs) in which a stone lies, running or over.
        """
        if table is not None:
            listed = [table]
        elif place.private:
            listed = await self.tables.tables_of(person.id)
        else:
            listed = await self.shown_in(place)
        for table_id in listed:
            found = await self.tables.get(table_id)
            if isinstance(found, Table) and found.game.state.stones:
                return found
        return Notice(words(person.language).say("There is no game here to ask about."))

    # -- the door --------------------------------------------------------------------------------------------------

    async def _act(
        self, person: Person, table: Table, wanted: Action, *, rev: int | None, source: str, at: int
    ) -> Done | Notice:
        if not table.seats_of(person.id):
            return self._refused(person, Declined.NOT_SEATED)
        if table.game.outcome is not None:
            return self._refused(person, Refusal(Why.OVER))
        wish = Intent(table=table.id, who=person.id, action=wanted, rev=rev, source=source, at=at)
        answer = await self.tables.act(wish)
        return Done(answer) if isinstance(answer, Table) else self._refused(person, answer)

    @staticmethod
    def _refused(person: Person, refusal: Refusal | Declined) -> Notice:
        return Notice(explain(words(person.language), refusal), alert=refusal in GRAVE)
