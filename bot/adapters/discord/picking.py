"""The private messages: where a point is chosen and confirmed, and where a question is answered."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, TypeAlias

import discord
from discord import ui

from bot.adapters.discord import picker
from bot.adapters.discord.items import Step, SureButton, key
from bot.adapters.discord.layout import asked, said
from bot.adapters.discord.placing import Placing
from bot.adapters.discord.preferences import Preferences
from bot.adapters.discord.replies import Reply
from bot.composing import compose
from bot.desk import Desk
from bot.render import png
from bot.scene import Scene, Viewer, unpack
from bot.session.table import Declined, Person, Table
from bot.session.tables import Tables
from bot.words import Words, explain, words
from core.game import Act, Refusal, Why
from core.notation import COLUMNS, SIZE, NotationError, Point, column_of, name, point, row_of

#: How many private messages are remembered; a forgotten one is carried on by what its items carry.
_REMEMBERED: Final = 1024
#: What is asked about before it is done.
SERIOUS: Final = (Act.RESIGN.value, Act.LEAVE.value)


Axes: TypeAlias = tuple[int | None, int | None]
_NOTHING: Final[Axes] = (None, None)


@dataclass(frozen=True, slots=True)
class Stepped:
    """A step of a choice: what it is, what its item carries, and the value of a select."""

    step: str
    rest: str
    chosen: str
    source: str
    first: Point | None = None
    """When two stones are added: where the first one goes."""


class Choice:
    """A choice that goes on in one private message.

    It remembers column and row: who uses both selects before the message has changed has chosen both, though the
    second one carries nothing of the first.
    """

    def __init__(self, picking: Picking) -> None:
        self.lock = asyncio.Lock()
        self._picking = picking
        self._axes = _NOTHING

    async def step(self, reply: Reply, person: Person, table_id: str, data: str, chosen: str, source: str) -> None:
        """The next step. ``source`` names this very delivery."""
        first = None
        if data.startswith(f"{Step.ADD}-"):
            _, written, data = data.split("-", 2) if data.count("-") > 1 else ("", "", Step.AXES)
            first = _point(written)
        step, _, rest = data.partition("-")
        stepped = Stepped(step, rest, chosen, source, first)
        self._axes = await self._picking.step(reply, person, table_id, stepped, self._axes)


class Picking:
    """Shows and answers the private messages."""

    def __init__(self, desk: Desk, tables: Tables, preferences: Preferences, placing: Placing) -> None:
        self._desk = desk
        self._tables = tables
        self._preferences = preferences
        self._placing = placing
        self._choices: OrderedDict[int, Choice] = OrderedDict()

    async def begin(self, reply: Reply, person: Person, table_id: str) -> None:
        """Somebody wants to choose a point."""
        scene = await self.scene(person, table_id)
        if isinstance(scene, str):
            await reply.say(scene)
        else:
            chosen = words(person.language)
            around = (await self._preferences.of_person(person.id)).around
            window = Stepped(Step.WINDOW, name(picker.middle(scene)), "", "")
            first = window if around else Stepped(Step.AXES, "", "", "")
            look, seen, _ = _next(scene, chosen, first, _NOTHING)
            await reply.present(look, await asyncio.to_thread(png, picker.preview(scene, seen)))

    @asynccontextmanager
    async def turn(self, message: int) -> AsyncIterator[Choice]:
        """One step after the other in each private message, so that it never shows an older one last."""
        choice = self._choices.pop(message, None) or Choice(self)
        self._choices[message] = choice
        if len(self._choices) > _REMEMBERED:
            self._choices.popitem(last=False)
        async with choice.lock:
            yield choice

    async def step(self, reply: Reply, person: Person, table_id: str, step: Stepped, axes: Axes) -> Axes:
        """A step of the choice, and the column and row that are chosen after it."""
        scene = await self.scene(person, table_id, step.first)
        if isinstance(scene, str):
            await reply.show(said(scene))
            return _NOTHING
        look, seen, axes = _next(scene, words(person.language), step, axes)
        ends = seen is not None and step.step in (Step.COLUMN, Step.ROW, Step.SEE)
        at_once = ends and (await self._preferences.of_person(person.id)).at_once
        if at_once and seen is not None and scene.entry is not None:
            following = scene.entry.after(seen)
            if following is None:
                await self.sure(reply, person, key(scene.table, scene.rev, scene.entry.data(seen)), step.source)
                return _NOTHING
            on = Stepped(Step.WINDOW if step.step == Step.SEE else Step.AXES, name(seen), "", step.source, seen)
            return await self.step(reply, person, table_id, on, _NOTHING)
        await reply.show(look, await asyncio.to_thread(png, picker.preview(scene, seen)))
        return axes

    async def question(self, reply: Reply, person: Person, table_id: str, about: str) -> None:
        """Ask before it is done."""
        table = await self._tables.get(table_id)
        no = _refused(table, person)
        if no is not None or isinstance(table, Declined):
            await reply.say(explain(words(person.language), no or Declined.GONE))
            return
        say = words(person.language).say
        if about == Act.LEAVE:
            question, yes = say("Leave this table? A game that has begun is lost."), say("Yes, leave")
        elif about == Act.RESIGN:
            question, yes = say("Resign this game?"), say("Yes resign")
        else:
            await reply.say(say("This button means nothing here."))
            return
        danger = discord.ButtonStyle.danger
        answers = [
            SureButton(key(table.id, table.rev, about), label=yes, style=danger),
            SureButton(key(table.id, table.rev, Step.NO), label=say("Play on")),
        ]
        await reply.present(asked(question, answers))

    async def sure(self, reply: Reply, person: Person, wire: str, source: str) -> None:
        """A question was answered, or a point confirmed."""
        read = unpack(wire)
        if read is not None and read[2] == Step.NO:
            await reply.close()
            return
        if read is not None and read[2] in SERIOUS:  # means the game as it is now, whatever happened since the question
            done = await self._desk.command(person, read[2], table=read[0], source=source, at=reply.at)
        else:
            done = await self._desk.press(person, wire, place=None, source=source, at=reply.at)
        text = await self._placing.heard(reply.interaction, done)
        if text:
            await reply.show(said(text))
        else:
            await reply.close()

    async def scene(self, person: Person, table_id: str, first: Point | None = None) -> Scene | str:
        """What the person sees of the table; or why they can choose no point there."""
        table = await self._tables.get(table_id)
        no = _refused(table, person)
        if no is not None or isinstance(table, Declined):
            return explain(words(person.language), no or Declined.GONE)
        style = (await self._preferences.of_person(person.id)).style
        scene = compose(table, Viewer(person.language, seats=table.seats_of(person.id), style=style), first=first)
        if scene.entry is None or not scene.entry.points:
            return explain(words(person.language), Refusal(Why.NOT_YOUR_TURN))
        return scene


def _refused(table: Table | Declined, person: Person) -> Refusal | Declined | None:
    if isinstance(table, Declined):
        return table
    if not table.seats_of(person.id):
        return Declined.NOT_SEATED
    return Refusal(Why.OVER) if table.game.outcome is not None else None


def _next(scene: Scene, words: Words, step: Stepped, axes: Axes) -> tuple[ui.LayoutView, Point | None, Axes]:
    """What the choice looks like after a step, the point that it has come to, and the column and row chosen."""
    if step.step == Step.WINDOW:
        return picker.window(scene, words, _point(step.rest.partition("-")[0]) or 0), None, _NOTHING
    if step.step == Step.SEE:
        seen = _point(step.rest)
        if seen is not None and scene.entry is not None and seen in scene.entry.points:
            return picker.seen(scene, words, seen), seen, _NOTHING
        return picker.window(scene, words, picker.middle(scene)), None, _NOTHING
    column, row = axes
    if step.step == Step.COLUMN:
        column, row = _column(step.chosen), row if _row(step.rest) is None else _row(step.rest)
    elif step.step == Step.ROW:
        column, row = column if _column(step.rest) is None else _column(step.rest), _row(step.chosen)
    else:
        column, row = _NOTHING
    column, row = picker.settled(scene, column, row)
    both = None if column is None or row is None else row * SIZE + column
    if both is not None and (scene.entry is None or both not in scene.entry.points):
        column, row = (column, None) if step.step == Step.COLUMN else (None, row)  # the later choice stands
        both = None
    return picker.axes(scene, words, column, row), both, (column, row)


def _point(text: str) -> Point | None:
    try:
        return point(text)
    except NotationError:
        return None


def _column(text: str) -> int | None:
    seen = _point(f"{text}1")
    return None if seen is None or text not in COLUMNS else column_of(seen)


def _row(text: str) -> int | None:
    seen = _point(f"a{text}")
    return None if seen is None else row_of(seen)
