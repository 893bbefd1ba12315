"""Boards in chats that the bot is no member of: one inline message a table, changed by its inline id alone.

No file can be sent there, so the picture comes by way of the cache chat; without it the board is drawn in letters. No
second message can be sent either: who is to move is named in the text, and a rematch takes the message over.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final
from weakref import WeakValueDictionary

import structlog
from telegram import Bot, InputMediaPhoto, MessageEntity
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter

from bot.adapters.telegram import keypad
from bot.adapters.telegram.cache import CacheChat
from bot.adapters.telegram.keys import Keyboard, markup
from bot.adapters.telegram.preferences import Preferred
from bot.adapters.telegram.sending import Sending, seconds_of
from bot.adapters.telegram.shower import TelegramShower, not_allowed, quieted
from bot.adapters.telegram.textboard import legend, text_board
from bot.composing import compose
from bot.desk import Place
from bot.scene import Scene, Viewer
from bot.session.refresher import Later, Sent, Shown, Unreachable
from bot.session.store import StoreUnavailable
from bot.session.table import Table, View
from bot.session.tables import Tables
from bot.words import words
from bot.words.values import utf16

log = structlog.get_logger("renju.telegram")

#: The name of these views: people and their languages are Telegram's, the messages are reached in another way.
INLINE: Final = "tgi"
#: Up to so many seconds a picture is waited for; beyond them the board is shown in letters meanwhile.
_SHORT: Final = 2.5
#: After so many seconds at most a picture that must wait is asked for again; a newer board is shown then, too.
_AGAIN: Final = 1.0
_UNREACHABLE_FOR_NOW: Final = 2.0
_MESSAGES: Final = 4096
_CAPTION: Final = 1024


def place_at(message: str) -> Place:
    """The place that an inline message is: one of its own, since its chat is never named."""
    return Place(platform=INLINE, chat=message, message=message)


@dataclass(frozen=True, slots=True)
class _Showing:
    rev: int
    text: str
    photo: str
    """Telegram's id for the picture; empty for a board in letters."""
    keyboard: Keyboard | None


class InlineShower:
    """The shower of platform ``tgi``."""

    def __init__(self, bot: Bot, tables: Tables, sending: Sending, cache: CacheChat, boards: TelegramShower) -> None:
        self._bot = bot
        self._tables = tables
        self._sending = sending
        self._cache = cache
        self._boards = boards
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._showing: OrderedDict[str, _Showing] = OrderedDict()
        self._waiting: dict[str, float] = {}
        """Since when messages show an older board for want of a picture, by the loop's clock."""
        self._lettered: set[str] = set()
        """Messages in chats that allow no pictures."""
        self._pictured: set[str] = set()
        """Messages that have a picture, perhaps an older one: they can never be a text again."""

    async def show(self, table: Table, view: View) -> Shown:
        """Bring the inline message to this state of the table."""
        if self._boards.closed_for is not None:
            return Later(self._boards.closed_for)
        async with self._lock(view.message):
            try:
                owner = await self._tables.view_at(INLINE, view.chat, view.message)
                if owner is None or owner[0] != table.id:
                    return Unreachable()  # a rematch has taken the message over
                around = await self.around(table, Preferred())
            except StoreUnavailable:
                return Later(_UNREACHABLE_FOR_NOW)
            scene = self._compose(table, view)
            keyboard = keypad.board(scene, around=around)
            lacks_picture = self._is_in_letters(scene, view)
            if not lacks_picture and (wait := await self._sending.ask(view.chat)):
                return Later(wait)
            photo = None if view.message in self._lettered else await self._cache.id_of(scene.picture)
            if isinstance(photo, float) and (lacks_picture or self._waits(view.message, photo)):
                return Later(min(photo, _AGAIN))
            if lacks_picture and (wait := await self._sending.ask(view.chat)):
                return Later(wait)
            return await self._tried(scene, view, keyboard, photo)

    async def _tried(self, scene: Scene, view: View, keyboard: Keyboard | None, photo: str | float | None) -> Shown:
        at = view.message
        try:
            if isinstance(photo, str):
                await self._picture(scene, at, keyboard, photo)
            else:
                await self._letters(scene, view, keyboard)
        except RetryAfter as error:
            await self._sending.halt(view.chat, seconds_of(error))
            return Later(seconds_of(error))
        except BadRequest as error:
            if self._boards.pictures.forgotten(error, scene.picture) or self._boards.dates.refused(error):
                return Later(0.0)
            if isinstance(photo, str) and not_allowed(error):
                self._lettered.add(at)
                return await self._tried(scene, view, keyboard, None)
            if not _unchanged(error):
                return self._given_up(scene, at, error.message)
        except (Forbidden, ChatMigrated) as error:
            return self._given_up(scene, at, error.message)
        except NetworkError:  # whether it arrived or not: the next edit makes it so
            self._showing.pop(at, None)
            return Later(_UNREACHABLE_FOR_NOW)
        # What was shown in letters for want of time gets its picture then.
        return Later(min(photo, _AGAIN)) if isinstance(photo, float) else Sent(at)

    def _waits(self, at: str, seconds: float) -> bool:
        """Whether the picture is waited for so long: not where others have always been quicker to have theirs."""
        now = asyncio.get_running_loop().time()
        return now + seconds <= self._waiting.setdefault(at, now) + _SHORT

    def _given_up(self, scene: Scene, at: str, why: str) -> Shown:
        self._showing.pop(at, None)
        self._waiting.pop(at, None)
        log.info("telegram_inline_message_gone", table=scene.table, why=why)
        return Unreachable()

    async def _picture(self, scene: Scene, at: str, keyboard: Keyboard | None, photo: str) -> None:
        text, known = _text(scene), self._showing.get(at)
        if known is None or known.photo != photo:
            media = InputMediaPhoto(photo, caption=text, caption_entities=self._dates(scene, text))
            await self._bot.edit_message_media(media, inline_message_id=at, reply_markup=markup(keyboard))
            self._pictured.add(at)
        elif known.text != text:
            await self._bot.edit_message_caption(
                inline_message_id=at,
                caption=text,
                caption_entities=self._dates(scene, text),
                reply_markup=markup(keyboard),
            )
        elif known.keyboard != keyboard:
            await self._bot.edit_message_reply_markup(inline_message_id=at, reply_markup=markup(keyboard))
        self._keep(at, _Showing(scene.rev, text, photo, keyboard))

    async def _letters(self, scene: Scene, view: View, keyboard: Keyboard | None) -> None:
        """The text with the board in letters; under an older picture, where the message has one already."""
        at, text, board = view.message, _text(scene), text_board(scene.picture)
        full, known = _letters_of(scene, view), self._showing.get(at)
        if known is not None and known.text == full and known.keyboard == keyboard:
            return
        dates = self._dates(scene, text)
        spans = [*dates, MessageEntity(MessageEntity.PRE, utf16(text) + 2, utf16(board))]
        if at not in self._pictured:
            try:
                await self._bot.edit_message_text(
                    full, inline_message_id=at, entities=spans, reply_markup=markup(keyboard)
                )
            except BadRequest as error:
                if "no text in the message" not in error.message.lower():
                    raise
                self._pictured.add(at)
        if at in self._pictured:
            short = words(view.language).say("The picture is older; this is the board now.")
            under = f"{text}\n\n{board}\n{short}"
            fits = utf16(under) <= _CAPTION
            await self._bot.edit_message_caption(
                inline_message_id=at,
                caption=under if fits else text,
                caption_entities=spans if fits else dates,
                reply_markup=markup(keyboard),
            )
        self._keep(at, _Showing(scene.rev, full, "", keyboard))

    def _is_in_letters(self, scene: Scene, view: View) -> bool:
        """Whether the message shows this very board in letters, under whatever keys."""
        known = self._showing.get(view.message)
        return known is not None and (known.rev, known.text) == (scene.rev, _letters_of(scene, view))

    def _dates(self, scene: Scene, text: str) -> list[MessageEntity]:
        return self._boards.dates.of(text, scene.clock.deadline)

    def _keep(self, at: str, showing: _Showing) -> None:
        self._waiting.pop(at, None)
        self._showing[at] = showing
        self._showing.move_to_end(at)
        if len(self._showing) > _MESSAGES:
            oldest, _ = self._showing.popitem(last=False)
            self._lettered.discard(oldest)
            self._pictured.discard(oldest)

    # -- what a step over the keyboard needs ---------------------------------------------------------------------------

    async def around(self, table: Table, preferred: Preferred) -> bool:
        """As :meth:`TelegramShower.around`."""
        return await self._boards.around(table, preferred)

    async def scene(self, table: Table, view: View) -> Scene:
        """What a message shows of a table now."""
        return self._compose(table, view)

    @staticmethod
    def _compose(table: Table, view: View) -> Scene:
        return quieted(compose(table, Viewer(view.language, public=True)), table)

    def sent(self, chat: str, message: str, table: str) -> bool:  # noqa: ARG002 - as the other shower has it
        """Never: these messages are there before their table is."""
        return False

    async def may_step(self, chat: str) -> float:
        """As :meth:`TelegramShower.may_step`."""
        return await self._sending.ask(chat, spare=1)

    async def step(self, scene: Scene, chat: str, message: str, keyboard: Keyboard | None) -> None:
        """Show another keyboard under the same board; nothing happens when a newer rev is shown there already."""
        async with self._lock(message):
            known = self._showing.get(message)
            if known is not None and (known.rev > scene.rev or known.keyboard == keyboard):
                return
            try:
                await self._bot.edit_message_reply_markup(inline_message_id=message, reply_markup=markup(keyboard))
            except RetryAfter as error:
                await self._sending.halt(chat, seconds_of(error))
                return
            except BadRequest as error:
                if not _unchanged(error):
                    raise
            if known is not None:
                self._keep(message, _Showing(known.rev, known.text, known.photo, keyboard))

    def _lock(self, message: str) -> asyncio.Lock:
        lock = self._locks.get(message)
        if lock is None:
            lock = self._locks[message] = asyncio.Lock()
        return lock


def _letters_of(scene: Scene, view: View) -> str:
    return "\n\n".join((_text(scene), text_board(scene.picture), legend(words(view.language))))


def _text(scene: Scene) -> str:
    return "\n".join((scene.title, *scene.lines))


def _unchanged(error: BadRequest) -> bool:
    return "message is not modified" in error.message.lower()
