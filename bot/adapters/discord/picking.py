"""The private messages: where a point is chosen and confirmed, and where a question is answered."""

from __future__ import annotations

import asyncio
from typing import Final

import discord
from discord import ui

from bot.adapters.discord import picker
from bot.adapters.discord.items import Step, SureButton, key
from bot.adapters.discord.layout import asked, said
from bot.adapters.discord.replies import Reply
from bot.composing import compose
from bot.desk import Desk, Done
from bot.render import png
from bot.scene import Scene, Viewer, unpack
from bot.session.table import Declined, Person, Table
from bot.session.tables import Tables
from bot.words import Words, explain, words
from core.game import Act, Refusal, Why
from core.notation import COLUMNS, SIZE, NotationError, Point, column_of, point, row_of

#: What is asked about before it is done.
SERIOUS: Final = (Act.RESIGN.value, Act.LEAVE.value)


class Picking:
    """Shows and answers the private messages."""

    def __init__(self, desk: Desk, tables: Tables) -> None:
        self._desk = desk
        self._tables = tables

    async def begin(self, reply: Reply, person: Person, table_id: str) -> None:
        """Somebody wants to choose a point."""
        scene = await self._scene(person, table_id)
        if isinstance(scene, str):
            await reply.say(scene)
        else:
            look = picker.axes(scene, words(person.language), None, None)
            await reply.present(look, await asyncio.to_thread(png, scene.picture))

    async def step(self, reply: Reply, person: Person, table_id: str, data: str, chosen: str) -> None:
        """A step of the choice; ``chosen``: the value of a select."""
        scene = await self._scene(person, table_id)
        if isinstance(scene, str):
            await reply.show(said(scene))
            return
        step, _, rest = data.partition("-")
        look, seen = _next(scene, words(person.language), step, rest, chosen)
        await reply.show(look, await asyncio.to_thread(png, picker.preview(scene, seen)))

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
            done = await self._desk.command(person, read[2], table=read[0], source=source)
        else:
            done = await self._desk.press(person, wire, place=None, source=source)
        notice = done.notice if isinstance(done, Done) else done
        if notice.text:
            await reply.show(said(notice.text))
        else:
            await reply.close()

    async def _scene(self, person: Person, table_id: str) -> Scene | str:
        """What the person sees of the table; or why they can choose no point there."""
        table = await self._tables.get(table_id)
        no = _refused(table, person)
        if no is not None or isinstance(table, Declined):
            return explain(words(person.language), no or Declined.GONE)
        scene = compose(table, Viewer(person.language, seats=table.seats_of(person.id)))
        if scene.entry is None or not scene.entry.points:
            return explain(words(person.language), Refusal(Why.NOT_YOUR_TURN))
        return scene


def _refused(table: Table | Declined, person: Person) -> Refusal | Declined | None:
    if isinstance(table, Declined):
        return table
    if not table.seats_of(person.id):
        return Declined.NOT_SEATED
    return Refusal(Why.OVER) if table.game.outcome is not None else None


def _next(scene: Scene, words: Words, step: str, rest: str, chosen: str) -> tuple[ui.LayoutView, Point | None]:
    """What the choice looks like after a step, and the point that it has come to."""
    if step == Step.WINDOW:
        return picker.window(scene, words, _point(rest.partition("-")[0]) or 0), None
    if step == Step.SEE:
        seen = _point(rest)
        if seen is not None and scene.entry is not None and seen in scene.entry.points:
            return picker.seen(scene, words, seen), seen
        return picker.window(scene, words, picker.middle(scene)), None
    if step == Step.COLUMN:
        column, row = _column(chosen), _row(rest)
    elif step == Step.ROW:
        column, row = _column(rest), _row(chosen)
    else:
        column, row = None, None
    both = None if column is None or row is None else row * SIZE + column
    return picker.axes(scene, words, column, row), both


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
