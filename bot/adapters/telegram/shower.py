"""Shows tables: one photo message a view, edited in place; its caption is the scene's title and lines.

Texts go out without a parse mode, so names are shown exactly and nothing needs escaping (promise 9).
"""

from __future__ import annotations

import asyncio
import dataclasses
import secrets
from collections import OrderedDict
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Final
from weakref import WeakValueDictionary

import structlog
from msgspec.structs import replace
from telegram import InlineKeyboardMarkup, InputMediaPhoto, Message, ReplyParameters
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter, TelegramError

from bot.adapters.telegram import keypad
from bot.adapters.telegram.calling import Calling, mention
from bot.adapters.telegram.dates import Dates
from bot.adapters.telegram.keys import Keyboard, markup
from bot.adapters.telegram.lean import LeanBot
from bot.adapters.telegram.pictures import Pictures
from bot.adapters.telegram.preferences import Preferences, Preferred
from bot.adapters.telegram.reading import quiet
from bot.adapters.telegram.sending import Sending, seconds_of
from bot.adapters.telegram.telling import Telling
from bot.composing import compose
from bot.composing.compose import CAPTION
from bot.scene import BoardPicture, Scene, Viewer
from bot.session.lost import Lost
from bot.session.refresher import Later, Sent, Shown, Unreachable
from bot.session.store import StoreUnavailable
from bot.session.table import Person, Table, View
from bot.session.tables import Tables
from bot.words import words
from bot.words.values import harmless, utf16

log = structlog.get_logger("renju.telegram")

#: Of how many messages it is known what they show.
_MESSAGES: Final = 4096
_FILENAME: Final = "renju.png"
#: Seconds until the next try when Telegram or the store cannot be reached.
_UNREACHABLE_FOR_NOW: Final = 2.0
#: The same before the connection is open, and after the adapter has given up for good. No view is lost by either.
STARTING: Final = 0.5
GIVEN_UP: Final = 5.0


class Uncertain(Exception):
    """The line broke while a message was being sent: it may exist or not. Says nothing of the address, or its token."""


@dataclass(frozen=True, slots=True)
class _Showing:
    table: str
    rev: int
    picture: BoardPicture
    caption: str
    keyboard: Keyboard | None


class TelegramShower:
    """The shower of platform ``tg``; also changes keyboards and takes them away, in the same order and pace."""

    def __init__(self, bot: LeanBot, tables: Tables, pace: Sending, preferences: Preferences) -> None:
        self._bot = bot
        self._tables = tables
        self._pace = pace
        self._preferences = preferences
        self._calling = Calling(tables)
        self._telling = Telling(bot, tables, pace)
        self._lost = Lost(tables, "tg")
        self._tasks: set[asyncio.Task[None]] = set()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.pictures: Final = Pictures()
        self.dates: Final = Dates()
        self._showing: OrderedDict[tuple[str, str], _Showing] = OrderedDict()
        self.closed_for: float | None = STARTING
        """While there is no connection: how long to wait until the next try, in seconds."""

    async def show(self, table: Table, view: View) -> Shown:
        """Bring the view's message to this state of the table."""
        if self.closed_for is not None:
            return Later(self.closed_for)
        async with self._lock(view.chat):
            wait = await self._pace.ask(view.chat)
            if wait:
                return Later(wait)
            try:
                preferred = await self._preferences.of(view.chat)
                around = await self.around(table, preferred)
                called = await self._calling.due(table, view) if preferred.policy != "edit" else None
            except StoreUnavailable:
                return Later(_UNREACHABLE_FOR_NOW)
            look = viewer(table, view, preferred)
            scene = quieted(keypad.hinted(compose(table, look, described=False), words(look.language)), table)
            keyboard = keypad.board(scene, around=around)
            try:
                if not view.message:
                    return await self._send(scene, view, keyboard, _invited(table, view))
                if called is None or preferred.policy == "reply":
                    shown = await self._edit(scene, view, keyboard)
                    if called is not None:
                        self._later(self._telling.call(called, table, view, words(look.language)))
                    return shown
                sent = await self._send(scene, view, keyboard, called)
                self._later(self.retire(view.chat, view.message))
                return sent
            except RetryAfter as error:
                return Later(await self.halted(view.chat, error))
            except ChatMigrated as error:
                await self.move(view.chat, str(error.new_chat_id))
                return Unreachable()  # the view of the old chat
            except Forbidden as error:
                log.info("telegram_chat_closed", chat=view.chat, why=error.message)
                await self._lose(table, view)
                return Unreachable()
            except BadRequest as error:
                log.error("telegram_refused", chat=view.chat, table=table.id, why=error.message)
                if not_allowed(error):
                    await self._excuse(view)
                return Unreachable()

    # -- messages ------------------------------------------------------------------------------------------------------

    async def around(self, table: Table, preferred: Preferred) -> bool:
        """Whether whoever is to move likes to see the points around the play."""
        for seat in () if table.waiting or table.game.outcome is not None else table.game.to_act:
            occupant = table.seats[seat]
            if isinstance(occupant, Person):
                return (await self._preferences.of(occupant.id.removeprefix("tg:"))).around
        return preferred.around

    async def scene(self, table: Table, view: View) -> Scene:
        """What a message shows of a table now."""
        return compose(table, viewer(table, view, await self._preferences.of(view.chat)))

    def _later(self, doing: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(doing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send(self, scene: Scene, view: View, keyboard: Keyboard | None, called: Person | None = None) -> Shown:
        caption = _caption(scene)
        entity = None if called is None else mention(caption, called, _now(scene, called))
        thread = int(view.thread) if view.thread else None
        while True:
            dates = self.dates.of(caption, scene.clock.deadline)
            try:
                message = await self._bot.send_photo(
                    int(view.chat),
                    await self.pictures.photo(scene.picture),
                    filename=_FILENAME,
                    caption=caption,
                    caption_entities=(dates if entity is None else [entity, *dates]) or None,
                    reply_markup=markup(keyboard),
                    message_thread_id=thread,
                )
                break
            except BadRequest as error:
                if not (self.pictures.forgotten(error, scene.picture) or self.dates.refused(error)):
                    raise
            except NetworkError as error:
                raise Uncertain(f"no word whether a board was sent to {view.chat}: {error.message}") from None
        self._remember(message, scene, caption, keyboard)
        return Sent(str(message.message_id))

    async def _edit(self, scene: Scene, view: View, keyboard: Keyboard | None) -> Shown:
        key = (view.chat, view.message)
        caption = _caption(scene)
        known = self._showing.get(key)
        try:
            if known is None or known.picture != scene.picture:
                await self._edit_picture(scene, view, caption, keyboard)
            elif known.caption != caption:
                await self._bot.edit_message_caption(
                    int(view.chat),
                    int(view.message),
                    caption=caption,
                    caption_entities=self.dates.of(caption, scene.clock.deadline) or None,
                    reply_markup=markup(keyboard),
                )
            elif known.keyboard != keyboard:
                await self._bot.edit_message_reply_markup(
                    int(view.chat), int(view.message), reply_markup=markup(keyboard)
                )
        except BadRequest as error:
            if _gone(error):
                self._showing.pop(key, None)
                return await self._send(scene, view, keyboard)
            if self.dates.refused(error):
                return Later(0.0)
            if not _unchanged(error):
                raise
        except NetworkError:  # whether it arrived or not: the next edit makes it so
            self._showing.pop(key, None)
            return Later(_UNREACHABLE_FOR_NOW)
        self._keep(key, _Showing(scene.table, scene.rev, scene.picture, caption, keyboard))
        return Sent(view.message)

    async def _edit_picture(self, scene: Scene, view: View, caption: str, keyboard: Keyboard | None) -> None:
        while True:
            marks = self.dates.of(caption, scene.clock.deadline)
            photo = self.pictures.known(scene.picture) or await self.pictures.photo(scene.picture)
            try:
                if isinstance(photo, str):
                    file = await self._bot.show_photo(
                        view.chat, view.message, photo, caption=caption, entities=marks, keyboard=keyboard
                    )
                    self.pictures.note(scene.picture, file or photo)
                    return
                edited = await self._bot.edit_message_media(
                    InputMediaPhoto(photo, caption=caption, caption_entities=marks or None, filename=_FILENAME),
                    int(view.chat),
                    int(view.message),
                    reply_markup=markup(keyboard),
                )
            except BadRequest as error:
                if not (self.pictures.forgotten(error, scene.picture) or self.dates.refused(error)):
                    raise
            else:
                if isinstance(edited, Message):
                    self._remember(edited, scene, caption, keyboard)
                return

    async def _excuse(self, view: View) -> None:
        """Say in words that pictures are not allowed here; where words are not either, nothing can be said."""
        text = words(view.language).say("I may not send pictures here; an administrator can allow it.")
        thread = int(view.thread) if view.thread else None
        try:
            await self._bot.send_message(int(view.chat), text, message_thread_id=thread)
        except RetryAfter as error:
            await self.halted(view.chat, error)
        except TelegramError as error:
            log.info("telegram_not_told", chat=view.chat, why=error.message)

    async def send_picture(
        self,
        picture: BoardPicture,
        chat: int,
        caption: str,
        *,
        reply_parameters: ReplyParameters,
        message_thread_id: int | None,
        reply_markup: InlineKeyboardMarkup | None = None,
    ) -> None:
        """A picture that shows no table. Raises ``TelegramError``."""
        while True:
            try:
                sent = await self._bot.send_photo(
                    chat,
                    await self.pictures.photo(picture),
                    filename=_FILENAME,
                    caption=caption,
                    reply_parameters=reply_parameters,
                    message_thread_id=message_thread_id,
                    reply_markup=reply_markup,
                )
            except BadRequest as error:
                if not self.pictures.forgotten(error, picture):
                    raise
            else:
                self.pictures.know(picture, sent)
                return

    def _remember(self, message: Message, scene: Scene, caption: str, keyboard: Keyboard | None) -> None:
        self.pictures.know(scene.picture, message)
        key = (str(message.chat_id), str(message.message_id))
        self._keep(key, _Showing(scene.table, scene.rev, scene.picture, caption, keyboard))

    def _keep(self, key: tuple[str, str], showing: _Showing) -> None:
        self._showing[key] = showing
        self._showing.move_to_end(key)
        if len(self._showing) > _MESSAGES:
            self._showing.popitem(last=False)

    # -- keyboards -----------------------------------------------------------------------------------------------------

    def sent(self, chat: str, message: str, table: str) -> bool:
        """Whether this process has sent the message for this table, though the store may not know of it yet."""
        known = self._showing.get((chat, message))
        return known is not None and known.table == table

    def forget(self, chat: str, message: str) -> None:
        """The message shows no table any more."""
        self._showing.pop((chat, message), None)

    async def may_step(self, chat: str) -> float:
        """0 if the keyboard of a board may be changed now, and then it counts; else the seconds to wait."""
        return await self._pace.ask(chat, spare=1)

    async def step(self, scene: Scene, chat: str, message: str, keyboard: Keyboard | None) -> None:
        """Show another keyboard under the same board; nothing happens when a newer rev is shown there already."""
        key = (chat, message)
        async with self._lock(chat):
            known = self._showing.get(key)
            if known is not None and (known.rev > scene.rev or known.keyboard == keyboard):
                return
            try:
                await self._bot.edit_message_reply_markup(int(chat), int(message), reply_markup=markup(keyboard))
            except RetryAfter as error:
                await self.halted(chat, error)
                return
            except BadRequest as error:
                if not _unchanged(error):
                    raise
            if known is not None:
                self._keep(key, _Showing(known.table, known.rev, known.picture, known.caption, keyboard))

    async def retire(self, chat: str, message: str) -> None:
        """Take the buttons of a message away; it shows no table any more. Waits for its turn; best effort."""
        while True:
            wait = await self._pace.ask(chat, spare=1)
            if wait:
                await asyncio.sleep(wait)
                continue
            try:
                async with self._lock(chat):
                    self.forget(chat, message)
                    await self._bot.edit_message_reply_markup(int(chat), int(message), reply_markup=None)
            except RetryAfter as error:
                await self.halted(chat, error)
                continue
            except (BadRequest, Forbidden, ChatMigrated, NetworkError) as error:
                log.debug("telegram_not_retired", chat=chat, why=error.message)
            return

    async def move(self, chat: str, new_chat: str) -> None:
        """A group became a supergroup: its boards are sent to the new one, and what it prefers goes along."""
        await self._preferences.move(chat, new_chat)
        for table_id in await self._tables.tables_throughout("tg", chat):
            for view in await self._tables.views(table_id):
                if (view.platform, view.chat) == ("tg", chat):
                    await self._tables.detach(table_id, view.id)
                    moved = replace(view, id=secrets.token_hex(4), chat=new_chat, message="", shown=-1)
                    await self._tables.attach(table_id, moved)

    async def closed(self, chat: str) -> None:
        """The bot was removed from a chat or blocked: nothing more is sent there, and the boards are remembered."""
        async with self._lock(chat):
            for table_id in await self._tables.tables_throughout("tg", chat):
                table = await self._tables.get(table_id)
                for view in await self._tables.views(table_id):
                    if (view.platform, view.chat) == ("tg", chat):
                        await self._tables.detach(table_id, view.id)
                        if isinstance(table, Table):
                            await self._lose(table, view)

    async def reopened(self, chat: str) -> None:
        """The bot may write in a chat again: the boards of its games under way are sent anew."""
        for table_id, thread in await self._lost.take(chat):
            table = await self._tables.get(table_id)
            if isinstance(table, Table) and table.game.outcome is None:
                view = View(id=secrets.token_hex(4), platform="tg", chat=chat, thread=thread, language=table.language)
                await self._tables.attach(table_id, view)

    async def _lose(self, table: Table, view: View) -> None:
        """A view cannot be shown any more: it is remembered, and who plays elsewhere is told."""
        if table.game.outcome is not None:
            return
        await self._lost.note(view.chat, (table.id, view.thread))
        gone = next((o for o in table.seats if isinstance(o, Person) and o.id == f"tg:{view.chat}"), None)
        if gone is None:
            return
        for other in await self._tables.views(table.id):
            if other.platform == "tg" and other.chat != view.chat and other.message:
                say = words((await self._preferences.of(other.chat)).language or other.language).say
                text = say(
                    "{name} has blocked me and does not see the board any more. The game goes on.", name=gone.name
                )
                self._later(self._telling.tell(other, text))

    async def halted(self, chat: str, error: RetryAfter) -> float:
        """Obey a 429: the seconds to leave the chat alone."""
        seconds = seconds_of(error)
        await self._pace.halt(chat, seconds)
        return seconds

    def _lock(self, chat: str) -> asyncio.Lock:
        lock = self._locks.get(chat)
        if lock is None:
            lock = self._locks[chat] = asyncio.Lock()
        return lock


def viewer(table: Table, view: View, preferred: Preferred = Preferred()) -> Viewer:  # noqa: B008 - immutable
    """Who reads a message: in a private chat, whose id is the person's, that person; else the whole group."""
    if view.chat.startswith("-"):
        return Viewer(preferred.language or view.language, public=True, style=preferred.style)
    reader = f"tg:{view.chat}"
    seated = next((one for one in table.seats if isinstance(one, Person) and one.id == reader), None)
    theirs = view.language if seated is None else seated.language  # whoever opened the game
    return Viewer(preferred.language or theirs, seats=table.seats_of(reader), style=preferred.style)


def quieted(scene: Scene, table: Table) -> Scene:
    """The scene in words that call nobody; but for whoever is challenged by name, who should learn of it."""
    called = table.invited if table.waiting and table.reserved == f"tg:{table.invited.lower()}" else ""
    lines = tuple(quiet(line, called) for line in scene.lines)
    while utf16("\n".join((scene.title, *lines))) > CAPTION:  # names full of signs; what was agreed stands at the end
        lines = lines[:-1]
    return dataclasses.replace(scene, lines=lines)


def _invited(table: Table, view: View) -> Person | None:
    """Who is called by the first message of a challenge, if only their account is known: a handle calls by itself."""
    if not table.waiting or table.game.outcome is not None or not view.chat.startswith("-"):
        return None
    return Person(id=table.reserved, name=table.invited) if table.invited and table.reserved[3:].isdecimal() else None


def _now(scene: Scene, called: Person) -> str:
    """The line that says what is expected of somebody, after those with the players."""
    name = quiet(harmless(called.name))
    return next((line for line in scene.lines[1:3] if name in line and not line.startswith(("●", "○"))), "")


def _caption(scene: Scene) -> str:
    return "\n".join((scene.title, *scene.lines))


def _unchanged(error: BadRequest) -> bool:
    return "message is not modified" in error.message.lower()


def not_allowed(error: BadRequest) -> bool:
    """Whether pictures may not be sent to a chat."""
    text = error.message.lower()
    return "not enough rights" in text or "chat_send_photos_forbidden" in text or "chat_send_media_forbidden" in text


def _gone(error: BadRequest) -> bool:
    text = error.message.lower()
    return "message to edit not found" in text or "message can't be edited" in text or "message_id_invalid" in text
