"""Taps that change the keyboard only: column then row, the window that is moved over the board, the point that waits to
be confirmed, and the question before a game is given up."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final, Protocol

import msgspec

from bot.adapters.telegram import keypad
from bot.adapters.telegram.keypad import Step, Stepped
from bot.adapters.telegram.keys import Keyboard
from bot.adapters.telegram.preferences import Preferences, Preferred
from bot.adapters.telegram.replies import Replies
from bot.composing import compose
from bot.desk import GRAVE, Desk, Done, Notice, Place
from bot.scene import Command, Scene, Viewer, first_tap, pack, unpack
from bot.session.table import Declined, Person, Table, View
from bot.session.tables import Tables
from bot.words import explain, words
from core.game import Act, Refusal, Why
from core.notation import name

#: What a person is asked about before it is done.
SERIOUS: Final = (Act.RESIGN, Act.LEAVE)


class Boards(Protocol):
    """The messages that steps are taken on: see :class:`bot.adapters.telegram.shower.TelegramShower`."""

    async def scene(self, table: Table, view: View) -> Scene:
        """What a message shows of a table now."""

    async def around(self, table: Table, preferred: Preferred) -> bool:
        """Whether whoever is to move likes to see the points around the play."""

    def sent(self, chat: str, message: str, table: str) -> bool:
        """Whether this process has sent the message for this table, though the store may not know of it yet."""

    async def may_step(self, chat: str) -> float:
        """0 if the keyboard of a board may be changed now, and then it counts; else the seconds to wait."""

    async def step(self, scene: Scene, chat: str, message: str, keyboard: Keyboard | None) -> None:
        """Show another keyboard under the same board."""


class Steps:
    """Takes steps."""

    def __init__(self, desk: Desk, tables: Tables, shower: Boards, replies: Replies, preferences: Preferences) -> None:
        self._desk = desk
        self._tables = tables
        self._shower = shower
        self._replies = replies
        self._preferences = preferences

    async def take(
        self, person: Person, step: Stepped, *, place: Place, at: str, source: str, came: int
    ) -> Done | Notice:
        """A step on the message ``at`` that was taken at ``came``; only an answered question goes on to the desk."""
        table = await self._tables.get(step.table)
        if isinstance(table, Declined):
            return Notice(explain(words(person.language), table), alert=True, retire=table is Declined.GONE)
        if step.step is Step.SHOW:
            return await self._shown(person, table, place)
        view = await self._view(table, place, at)
        if step.step is Step.DO:
            wire = pack(table.id, step.rev, step.word)
            return await self._desk.press(
                person, wire, place=None if view is not None else place, message=at, source=source, at=came
            )
        if step.step is Step.SURE:
            return await self._sure(person, table, step, source, came, is_board=view is not None)
        if view is None:  # a question of its own, which goes away; or an old copy of a board
            if step.step is Step.BACK:
                return Notice(retire=True)
            say = words(person.language).say
            old = say("This is an old copy of the board. Write /board to see the current one.")
            return Notice(old, alert=True, retire=True)
        no = refused(table, person, None if step.step is Step.BACK else step.rev)
        return await self._turned(person, table, step, view) if no is None else no

    async def _shown(self, person: Person, table: Table, place: Place) -> Done | Notice:
        """The board at the end of the chat: for whoever sits there, and in a chat that has it for everybody."""
        if not table.seats_of(person.id):
            views = await self._tables.views(table.id)
            if all((view.platform, view.chat) != (place.platform, place.chat) for view in views):
                return because(person, Declined.NOT_SEATED)
        return await self._desk.bring_down(table, place)

    async def _turned(self, person: Person, table: Table, step: Stepped, view: View) -> Notice:
        """Another keyboard under the board, shown in the background; the line that goes with it."""
        theirs = compose(table, Viewer(person.language, seats=table.seats_of(person.id)))
        shown = await self._shower.scene(table, view)
        said = ""
        keys: Keyboard | None
        match step.step:
            case Step.COLUMN | Step.ADD:
                if theirs.entry is None:
                    return because(person, Refusal(Why.NOT_YOUR_TURN))
                entry = shown.entry
                if step.first is not None and entry is not None:
                    entry = entry.after(step.first)
                if entry is None or (step.step is Step.ADD and entry.act is not Act.ADD):
                    return because(person, Refusal(Why.NOT_NOW))
                wanted, language = replace(shown, entry=entry), words(view.language)
                if step.step is Step.COLUMN:
                    keys = keypad.rows(wanted, step.word, language)
                else:
                    keys = keypad.points(wanted, language)
                    said = await self._how_to_add(person, table, step)
            case Step.WINDOW | Step.COLUMNS:
                if theirs.entry is None:
                    return because(person, Refusal(Why.NOT_YOUR_TURN))
                around = step.step is Step.WINDOW
                keys = keypad.board(shown, around=around, corner=step.first)
                if step.first is None:
                    await self._prefers(person, around=around)
            case Step.TAKEN:
                return Notice(words(person.language).say("No stone can be put there now."))
            case Step.ASK:
                asked = next((b for row in theirs.buttons for b in row if b.data == step.word and b.confirm), None)
                ours = next((b for row in shown.buttons for b in row if b.data == step.word), None)
                if asked is None or ours is None:
                    return because(person, Refusal(Why.NOT_NOW))
                said = asked.confirm
                seat = table.seats_of(person.id)[0]
                keys = keypad.question(table, step.word, seat, yes=ours.yes, no=ours.no)
            case _:
                keys = keypad.board(
                    shown, around=await self._shower.around(table, await self._preferences.of(view.chat))
                )
        return await self._show(person, shown, view, keys, said)

    async def preview(self, person: Person, wire: str, *, place: Place, at: str) -> Notice | None:
        """A point was tapped: where it is to be confirmed, only the keyboard changes. ``None``: play it at once."""
        unpacked = unpack(wire)
        if (
            unpacked is None
            or unpacked[2].partition("-")[0] not in keypad.PREVIEWED
            or first_tap(unpacked[2]) is not None
        ):
            return None
        wanted = await self._preferences.of(place.chat), await self._preferences.of(person.id.removeprefix("tg:"))
        if not any(preferred.confirm for preferred in wanted):
            return None
        table_id, rev, data = unpacked
        table = await self._tables.get(table_id)
        view = None if isinstance(table, Declined) else await self._view(table, place, at)
        if isinstance(table, Declined) or view is None:
            return None  # the door says what is wrong
        no = refused(table, person, rev)
        theirs = compose(table, Viewer(person.language, seats=table.seats_of(person.id)))
        if no is not None or theirs.entry is None:
            return no or because(person, Refusal(Why.NOT_YOUR_TURN))
        shown = await self._shower.scene(table, view)
        return await self._show(person, shown, view, keypad.preview(shown, data, words(view.language)), "")

    async def _prefers(self, person: Person, *, around: bool) -> None:
        account = person.id.removeprefix("tg:")
        before = await self._preferences.of(account)
        if before.around is not around:
            await self._preferences.keep(account, msgspec.structs.replace(before, around=around))

    async def _show(self, person: Person, shown: Scene, view: View, keys: Keyboard | None, said: str) -> Notice:
        """Another keyboard under the board, if the pace allows it now; the line that goes with it."""
        wait = await self._shower.may_step(view.chat)
        if wait:
            return Notice(
                words(person.language).count(
                    "Telegram lets me change this board again in {n} second. You can also write the point: /m h8",
                    "Telegram lets me change this board again in {n} seconds. You can also write the point: /m h8",
                    math.ceil(wait),
                )
            )
        self._replies.later(self._shower.step(shown, view.chat, view.message, keys))
        return Notice(said)

    async def _how_to_add(self, person: Person, table: Table, step: Stepped) -> str:
        """What the desk says about adding two stones."""
        data = Command.ADD.value if step.first is None else f"{Command.ADD}-{name(step.first)}"
        told = await self._desk.press(person, pack(table.id, table.rev, data), place=None)
        return told.text if isinstance(told, Notice) else ""

    async def _sure(
        self, person: Person, table: Table, step: Stepped, source: str, came: int, *, is_board: bool
    ) -> Done | Notice:
        if step.seat not in table.seats_of(person.id) or step.word not in SERIOUS:
            if table.seats_of(person.id):
                return Notice(words(person.language).say("Your opponent was asked this, not you."))
            return because(person, Declined.NOT_SEATED)
        done = await self._desk.command(person, step.word, table=table.id, source=source, at=came)
        notice = done.notice if isinstance(done, Done) else done
        notice = replace(notice, retire=not is_board)
        return replace(done, notice=notice) if isinstance(done, Done) else notice

    async def _view(self, table: Table, place: Place, at: str) -> View | None:
        """The view that a message is of this table; one that was sent a moment ago counts."""
        found = await self._tables.view_at(place.platform, place.chat, at)
        if found is not None and found[0] == table.id:
            return found[1]
        if self._shower.sent(place.chat, at, table.id):
            return View(id="", platform=place.platform, chat=place.chat, message=at, language=table.language)
        return None


def _plays(data: str) -> bool:
    """Whether a button puts stones; the first tap of two does not."""
    return data.partition("-")[0] in keypad.PREVIEWED and first_tap(data) is None and "-" in data


def refused(table: Table, person: Person, rev: int | None) -> Notice | None:
    """Why a person cannot do anything at the table; ``rev``: the one they saw, where that matters."""
    if not table.seats_of(person.id):
        return because(person, Declined.NOT_SEATED)
    if table.game.outcome is not None:
        return because(person, Refusal(Why.OVER))
    if rev not in (None, table.rev):
        return because(person, Declined.MOVED_ON)
    return None


def because(person: Person, why: Refusal | Declined) -> Notice:
    """The reason as one line in their language."""
    return Notice(explain(words(person.language), why), alert=why in GRAVE)
