"""The cache chat: where pictures go first that are to be shown in chats the bot is no member of.

Messages there can only show a picture that Telegram knows by an id, so it is sent to a chat of the operator's own. One
picture is uploaded once, whoever waits for it. Where the chat does not work, boards are shown in letters.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

import structlog
from telegram import Bot
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter

from bot.adapters.telegram.pictures import Pictures
from bot.adapters.telegram.sending import Sending, seconds_of
from bot.scene import BoardPicture

log = structlog.get_logger("renju.telegram")

#: For how long a chat that refuses pictures is left alone, in seconds.
_REST: Final = 600.0
#: After how many seconds an upload is tried again when Telegram cannot be reached.
_BREATH: Final = 2.0
_FILENAME: Final = "renju.png"


class CacheChat:
    """Makes ids of pictures. ``chat``: its number, or ``@name`` of a channel; empty: there is none."""

    def __init__(
        self, bot: Bot, chat: str, pictures: Pictures, sending: Sending, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._bot = bot
        self._chat = chat
        self._pictures = pictures
        self._sending = sending
        self._clock = clock
        self._uploads: dict[BoardPicture, asyncio.Task[str | float | None]] = {}
        self._closed_until = 0.0

    @property
    def open(self) -> bool:
        """Whether pictures can be had at all now."""
        return bool(self._chat) and self._clock() >= self._closed_until

    async def id_of(self, picture: BoardPicture) -> str | float | None:
        """Telegram's id for the picture; the seconds until it is worth asking again, for the newest picture then;
        ``None``: there are no pictures here.
        """
        known = self._pictures.known(picture)
        if known is not None:
            return known
        if not self.open:
            return None
        upload = self._uploads.get(picture)
        if upload is None:  # several messages may want the same picture at once
            upload = self._uploads[picture] = asyncio.create_task(self._upload(picture))
            upload.add_done_callback(lambda _: self._uploads.pop(picture))
        return await asyncio.shield(upload)

    async def _upload(self, picture: BoardPicture) -> str | float | None:
        wait = await self._sending.ask(self._bucket)
        if wait:
            return wait
        try:
            photo = await self._pictures.photo(picture)
            number = int(self._chat) if _is_number(self._chat) else self._chat
            sent = await self._bot.send_photo(number, photo, filename=_FILENAME, disable_notification=True)
        except RetryAfter as error:
            await self._sending.halt(self._bucket, seconds_of(error))
            return seconds_of(error)
        except ChatMigrated as error:
            log.warning("telegram_cache_chat_moved", hint=f"set TELEGRAM_CACHE_CHAT={error.new_chat_id}")
            self._chat = str(error.new_chat_id)
            return _BREATH
        except (BadRequest, Forbidden) as error:
            log.error("telegram_cache_chat_unusable", why=error.message, hint="check TELEGRAM_CACHE_CHAT")
            self._closed_until = self._clock() + _REST
            return None
        except NetworkError:
            return _BREATH
        self._pictures.know(picture, sent)
        return self._pictures.known(picture)

    @property
    def _bucket(self) -> str:
        """The name of its bucket: of a group's size, unless it is somebody's private chat."""
        return self._chat if _is_number(self._chat) else f"-{self._chat}"


def _is_number(chat: str) -> bool:
    return chat.removeprefix("-").isdecimal()
