"""The desk: where people's words and taps come in, the same for every platform.

An adapter turns what its platform sends into a call here and shows what comes back. The desk finds the table, asks the
one door (``Tables.act``) and answers in the language of whoever asked. It knows no rules and draws nothing.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace

import msgspec

from bot import newgame
from bot.scene import Command, unpack
from bot.session.ids import new_id
from bot.session.table import Declined, Intent, Machine, Occupant, Person, Table, View
from bot.session.tables import Tables, now_ms
from bot.words import words
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
    phase_of,
)
from core.notation import NotationError, point


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody speaks or taps."""

    platform: str
    chat: str
    thread: str = ""
    private: bool = False
    """Whether the chat is between the person and the bot alone."""


@dataclass(frozen=True, slots=True)
class Notice:
    """One line to whoever caused it, in their language. An empty text: say nothing."""

    text: str = ""
    alert: bool = False
    """Whether it should be hard to miss."""
    retire: bool = False
    """Whether the message that was tapped is no current view of its table: its buttons should go."""


@dataclass(frozen=True, slots=True)
class Done:
    """It happened; ``table`` is the newest state."""

    table: Table
    notice: Notice = Notice()
    retired: tuple[View, ...] = ()
    """Messages that no longer show the table: their buttons should go."""


#: Typed commands that are an action without further words.
_COMMANDS = {
    "claim": Act.CLAIM,
    "pass": Act.PASS,
    "resign": Act.RESIGN,
    "leave": Act.LEAVE,
    "cancel": Act.CANCEL,
    "swap": Act.SWAP,
    "keep": Act.KEEP,
    "accept": Act.DRAW_ACCEPT,
    "decline": Act.DRAW_DECLINE,
    "allow": Act.UNDO_ALLOW,
    "refuse": Act.UNDO_REFUSE,
}


class Desk:
    """Every method answers :class:`Done` or :class:`Notice`; none raises for anything a person can do."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    # -- opening and joining ---------------------------------------------------------------------------------------

    async def new_game(
        self, person: Person, place: Place | None, typed: str, *, source: str, view: bool = True, reserved: str = ""
    ) -> Done | Notice:
        """Open a table by the words typed after ``newgame``.

        In a private chat the engine is the opponent unless ``friend`` was said; in a group the seat stays free for
        whoever joins, unless ``engine`` was said. ``source`` names this very request, so that delivering it twice opens
        one table. With ``view`` a message in ``place`` will show the table. ``reserved``: the person, by id, that the
        free seat is kept for.
        """
        say = words(person.language).say
        try:
            wanted = newgame.read(typed)
        except newgame.UnknownWord as error:
            listed = words(person.language).listed(newgame.known_words())
            return Notice(say("I do not know the word “{word}”. You can use: {list}.", word=error.word, list=listed))
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
        table = Table(
            id=await self.tables.id_from(source) if source else new_id(),
            game=new_game(settings),
            seats=seats,
            reserved=reserved if None in seats else "",
            language=person.language,
            created=now_ms(),
        )
        return await self._open(person, table, place if view else None, source)

    async def _open(self, person: Person, table: Table, place: Place | None, source: str) -> Done | Notice:
        view = None if place is None else self._view(place, table.language)
        opened = await self.tables.open(table, view, source=source)
        return self._refused(person, opened) if isinstance(opened, Declined) else Done(opened)

    @staticmethod
    def _view(place: Place, language: str) -> View:
        return View(
            id=secrets.token_hex(4),
            platform=place.platform,
            chat=place.chat,
            thread=place.thread,
            language=language,
        )

    async def join(self, person: Person, table_id: str, *, source: str) -> Done | Notice:
        """Take the free seat of a table."""
        table = await self.tables.get(table_id)
        if isinstance(table, Declined):
            return self._refused(person, table)
        if table.game.outcome is not None:
            return self._refused(person, Refusal(Why.OVER))
        if table.reserved and table.reserved != person.id and not table.seats_of(person.id):
            return self._refused(person, Declined.SEAT_TAKEN)
        joined = await self.tables.join(table_id, person, source=source)
        return self._refused(person, joined) if isinstance(joined, Declined) else Done(joined)

    # -- taps ------------------------------------------------------------------------------------------------------

    async def press(
        self, person: Person, wire: str, *, place: Place | None, message: str = "", source: str = ""
    ) -> Done | Notice:
        """A button was pressed. With ``place`` the ``message`` it hangs on must be a registered view of its table."""
        read = unpack(wire)
        if read is None:
            return self._unknown_button(person)
        table_id, rev, data = read
        table = await self.tables.get(table_id)
        if isinstance(table, Declined):
            return replace(self._refused(person, table), retire=table is Declined.GONE)
        if place is not None:
            known = await self.tables.view_at(place.platform, place.chat, message)
            if known is None or known[0] != table_id:
                say = words(person.language).say
                text = say("This is an old copy of the board. Write /board to see the current one.")
                return Notice(text, alert=True, retire=True)
        if data == Command.JOIN:
            return await self.join(person, table_id, source=source)
        if data == Command.REMATCH:
            return await self.rematch(person, table, place, source=source)
        if data == Command.WITHDRAW:
            return await self._act(person, table, action(Act.CANCEL), rev=rev, source=source)
        try:
            wanted = decode(data)
        except ActionError:
            return self._unknown_button(person)
        if wanted.act is Act.FLAG:  # the referee's, and never on a button
            return self._unknown_button(person)
        return await self._act(person, table, wanted, rev=rev, source=source)

    def _unknown_button(self, person: Person) -> Notice:
        return Notice(words(person.language).say("This button means nothing here."), alert=True)

    async def rematch(self, person: Person, table: Table, place: Place | None, *, source: str) -> Done | Notice:
        """Another game of the same pair with the tentative seats exchanged (R2.3); however often it is pressed, one.

        Who presses first opens it; the seat of the other is kept for them, and pressing Rematch too takes it.
        """
        if not table.seats_of(person.id):
            return self._refused(person, Declined.NOT_SEATED)
        if table.game.outcome is None:
            return Notice(words(person.language).say("This game is not over yet."), alert=True)
        first = table.game.state.p1
        settings = msgspec.structs.replace(
            table.game.settings,
            draw=Draw.FIXED if first is not None else table.game.settings.draw,
            first=other(first) if first is not None else table.game.settings.first,
        )
        mine = table.seats_of(person.id)[0]
        opponent = table.seats[other(mine)]
        kept = opponent if isinstance(opponent, Machine) else None
        again = Table(
            id=await self.tables.id_from(f"rematch:{table.id}"),
            game=new_game(settings),
            seats=(person, kept) if mine == 0 else (kept, person),
            reserved=opponent.id if isinstance(opponent, Person) else "",
            language=table.language,
            created=now_ms(),
        )
        opened = await self._open(person, again, place, f"rematch:{table.id}")
        if isinstance(opened, Notice) or opened.table.seats_of(person.id):
            return opened
        return await self.join(person, opened.table.id, source=source)

    # -- typed words -----------------------------------------------------------------------------------------------

    async def move(
        self, person: Person, typed: str, *, table: str | None = None, place: Place | None = None, source: str = ""
    ) -> Done | Notice:
        """A typed point (``h8``), several when fifth moves are offered (``g8 g6``), or an offer's letter (``A``)."""
        found = await self.find(person, table, place)
        if isinstance(found, Notice):
            return found
        try:
            wanted = _typed_action(found, typed)
        except NotationError as error:
            return Notice(explain(words(person.language), error))
        return await self._act(person, found, wanted, rev=None, source=source)

    async def command(
        self, person: Person, name: str, *, table: str | None = None, place: Place | None = None, source: str = ""
    ) -> Done | Notice:
        """A typed command without further words: ``claim``, ``draw``, ``undo``, ``board`` ..."""
        found = await self.find(person, table, place)
        if isinstance(found, Notice):
            return found
        if name == "board":
            return await self.bring_down(found, place)
        return await self._act(person, found, _command_action(found, person, name), rev=None, source=source)

    async def bring_down(self, table: Table, place: Place | None) -> Done | Notice:
        """Show the board anew at the end of the chat; the older messages there retire."""
        if place is None:
            return Done(table)
        older = [
            view
            for view in await self.tables.views(table.id)
            if (view.platform, view.chat, view.thread) == (place.platform, place.chat, place.thread)
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
            here = set(await self.tables.tables_in(place.platform, place.chat, place.thread))
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
            return Notice(say("You have several games here. Reply to the board that you mean."))
        return running[0] if len(running) == 1 else to_move[0]

    # -- the door --------------------------------------------------------------------------------------------------

    async def _act(
        self, person: Person, table: Table, wanted: Action, *, rev: int | None, source: str
    ) -> Done | Notice:
        if not table.seats_of(person.id):
            return self._refused(person, Declined.NOT_SEATED)
        if table.game.outcome is not None:
            return self._refused(person, Refusal(Why.OVER))
        answer = await self.tables.act(Intent(table=table.id, who=person.id, action=wanted, rev=rev, source=source))
        return Done(answer) if isinstance(answer, Table) else self._refused(person, answer)

    @staticmethod
    def _refused(person: Person, refusal: Refusal | Declined) -> Notice:
        return Notice(explain(words(person.language), refusal), alert=refusal is not Declined.REPEATED)


def _typed_action(table: Table, typed: str) -> Action:
    state = table.game.state
    then = phase_of(state, table.game.settings).then if state.p1 is not None else {}
    letter = typed.strip().upper()
    if Act.CHOOSE in then and len(letter) == 1 and 0 <= ord(letter) - ord("A") < len(state.offers):
        return Action(Act.CHOOSE, points=(state.offers[ord(letter) - ord("A")],))
    if Act.OFFER in then:
        return Action(Act.OFFER, points=tuple(point(part) for part in typed.replace(",", " ").split() or [typed]))
    return Action(Act.CHOOSE if Act.CHOOSE in then else Act.PLACE, points=(point(typed),))


def _command_action(table: Table, person: Person, name: str) -> Action:
    """The action a command means now: ``draw`` and ``undo`` also answer the other side's offer or request."""
    state = table.game.state
    mine = table.seats_of(person.id)
    if name == "draw":
        theirs = state.draw_by is not None and state.draw_by not in mine
        return action(Act.DRAW_ACCEPT if theirs else Act.DRAW_OFFER)
    if name == "undo":
        theirs = state.undo_by is not None and state.undo_by not in mine
        return action(Act.UNDO_ALLOW if theirs else Act.UNDO_ASK)
    if name in ("odd", "even"):
        return action(Act.GUESS, name)
    return action(_COMMANDS[name])
