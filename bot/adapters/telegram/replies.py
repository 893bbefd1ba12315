"""What one person is told: the answer to a tap, the reply to words. Sent in the background, after the commit."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Coroutine
from typing import Any, Final

import structlog
from telegram import Bot, CallbackQuery, InlineKeyboardMarkup, Message, ReplyParameters
from telegram.error import BadRequest, NetworkError, RetryAfter, TelegramError

from bot.adapters.telegram.answering import Answers
from bot.adapters.telegram.aside import Aside
from bot.adapters.telegram.reading import quiet
from bot.adapters.telegram.sending import Sending, turn
from bot.adapters.telegram.shower import TelegramShower, not_allowed
from bot.scene import BoardPicture
from bot.words import Words

log = structlog.get_logger("renju.telegram")

#: What an answer to a tap, a message and a caption may hold.
ANSWER: Final = 200
MESSAGE: Final = 4096
CAPTION: Final = 1024
#: How often something is tried when Telegram asks to wait or cannot be reached, and the pause for the latter.
_TRIES: Final = 4
_BREATH: Final = 0.5
#: The longest that a reply is worth waiting for, in seconds.
_WORTH: Final = 60.0


class Replies:
    """Answers and replies, and the tasks that send them."""

    def __init__(self, bot: Bot, pace: Sending, shower: TelegramShower, aside: Aside | None = None) -> None:
        self._bot = bot
        self._answers = Answers(bot, pace)
        self._aside = aside or Aside(bot, pace, on=False)
        self._pace = pace
        self._shower = shower
        self._tasks: set[asyncio.Task[None]] = set()

    def later(self, doing: Coroutine[Any, Any, object]) -> None:
        """Do it without being waited for."""
        task = asyncio.create_task(_quietly(doing))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self, seconds: float) -> None:
        """Let what is under way end, for so many seconds."""
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=seconds)
            for task in late:
                task.cancel()

    def answer(self, query: CallbackQuery, text: str = "", *, alert: bool = False) -> None:
        """Answer a tap; every tap is answered once."""
        short = _short(text, ANSWER)
        self.later(self._answers.give(query, short, alert=alert and bool(text)))
        if short != text and isinstance(query.message, Message):
            self.later(self._whole(query.message, query.from_user.id, text, query.id))

    async def _whole(self, near: Message, account: int, text: str, tap: str) -> None:
        """What was too long for the answer to a tap, where it can be said to that person alone."""
        thread = near.message_thread_id if near.is_topic_message else None
        await self._aside.tell(near.chat_id, thread, account, quiet(text), tap=tap)

    def reply(
        self,
        to: Message,
        text: str,
        keyboard: InlineKeyboardMarkup | None = None,
        *,
        picture: BoardPicture | None = None,
    ) -> None:
        """Reply to what somebody wrote, in its chat and topic; with a ``picture`` the text is its caption."""
        if text:
            said = _short(quiet(text, f"@{self._bot.username}"), MESSAGE if picture is None else CAPTION)
            self.later(self._reply(to, said, keyboard, picture))

    def privately(self, to: Message, text: str, keyboard: InlineKeyboardMarkup | None = None) -> None:
        """Reply with what concerns only whoever wrote: to them alone where that is switched on and works."""
        if text:
            self.later(self._privately(to, text, keyboard))

    async def _privately(self, to: Message, text: str, keyboard: InlineKeyboardMarkup | None) -> None:
        if not await self.aside(to, text, keyboard):
            await self._reply(to, _short(quiet(text), MESSAGE), keyboard, None)

    async def aside(self, to: Message, text: str, keyboard: InlineKeyboardMarkup | None = None) -> bool:
        """Say something to whoever wrote and to nobody else of a group; whether that was possible."""
        user, thread = to.from_user, to.message_thread_id if to.is_topic_message else None
        said = _short(quiet(text), MESSAGE)
        return user is not None and await self._aside.tell(to.chat_id, thread, user.id, said, keyboard)

    async def _reply(
        self, to: Message, text: str, keyboard: InlineKeyboardMarkup | None, picture: BoardPicture | None
    ) -> None:
        chat = str(to.chat_id)
        for _ in range(_TRIES):
            wait = await self._pace.ask(chat)
            while 0 < wait <= _WORTH:
                await asyncio.sleep(wait)
                wait = await self._pace.ask(chat)
            if wait:
                return
            try:
                answering = ReplyParameters(to.message_id, allow_sending_without_reply=True)
                thread = to.message_thread_id if to.is_topic_message else None
                if picture is None:
                    await self._bot.send_message(
                        to.chat_id, text, reply_parameters=answering, message_thread_id=thread, reply_markup=keyboard
                    )
                else:
                    await self._shower.send_picture(
                        picture,
                        to.chat_id,
                        text,
                        reply_parameters=answering,
                        message_thread_id=thread,
                        reply_markup=keyboard,
                    )
            except RetryAfter as error:
                await self._shower.halted(chat, error)
            except BadRequest as error:
                if picture is None or not not_allowed(error):
                    raise
                picture = None  # the words alone are better than nothing
            except NetworkError:
                await asyncio.sleep(_BREATH)
            else:
                return

    async def halted(self, near: Message, error: RetryAfter) -> None:
        """Telegram asked to wait when it was asked something about the chat of a message: nothing more for so long."""
        await self._shower.halted(str(near.chat_id), error)

    async def change(self, message: Message, text: str, keyboard: InlineKeyboardMarkup | None) -> float:
        """Let a text of ours show something else: 0, or the seconds until that is possible again, and it is not."""
        wait = await self._pace.ask(str(message.chat_id), spare=1)
        if not wait:
            self.later(self._change(message, _short(quiet(text), MESSAGE), keyboard))
        return wait

    def finish(self, message: Message, text: str) -> None:
        """Let a text of ours say something for good, without buttons, as soon as the pace allows it."""
        self.later(self._finish(message, _short(text, MESSAGE)))

    async def _finish(self, message: Message, text: str) -> None:
        for _ in range(_TRIES):
            await turn(self._pace, str(message.chat_id))
            if await self._change(message, text, None):
                return

    async def _change(self, message: Message, text: str, keyboard: InlineKeyboardMarkup | None) -> bool:
        """Whether there is nothing more to be done."""
        try:
            await self._bot.edit_message_text(text, message.chat_id, message.message_id, reply_markup=keyboard)
        except RetryAfter as error:
            await self._shower.halted(str(message.chat_id), error)
            return False
        except BadRequest as error:
            if "message is not modified" not in error.message.lower():
                raise
        except NetworkError:
            await asyncio.sleep(_BREATH)
            return False
        return True


def later(words: Words, seconds: float) -> str:
    """When something can be changed again; nothing, where that is now."""
    if not seconds:
        return ""
    return words.count(
        "Telegram lets me change this again in {n} second.",
        "Telegram lets me change this again in {n} seconds.",
        math.ceil(seconds),
    )


def _short(text: str, limit: int) -> str:
    """At most so many characters, as Telegram counts them."""
    if len(text.encode("utf-16-le", "surrogatepass")) // 2 <= limit:
        return text
    kept = text[: limit - 1]
    while len(kept.encode("utf-16-le", "surrogatepass")) // 2 > limit - 1:
        kept = kept[:-1]
    return f"{kept}…"


async def _quietly(doing: Coroutine[Any, Any, object]) -> None:
    """Nobody waits for it, so whatever goes wrong is said here."""
    try:
        await doing
    except TelegramError as error:
        log.info("telegram_not_delivered", why=error.message)
    except Exception:
        log.exception("telegram_fault")
