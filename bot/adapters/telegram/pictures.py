"""Pictures of boards: drawn once, and known by Telegram's id for them once they were sent."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final

from telegram import Message
from telegram.error import BadRequest

from bot.render import png
from bot.scene import BoardPicture

#: How many pictures are known by Telegram's id for them.
_KNOWN: Final = 1024


class Pictures:
    """What every part of the adapter shares: equal pictures are drawn and uploaded once."""

    def __init__(self) -> None:
        self._ids: OrderedDict[BoardPicture, str] = OrderedDict()
        self._drawing: dict[BoardPicture, asyncio.Task[bytes]] = {}

    def known(self, picture: BoardPicture) -> str | None:
        """Telegram's id for a picture that was sent before."""
        known = self._ids.get(picture)
        if known is not None:
            self._ids.move_to_end(picture)
        return known

    async def photo(self, picture: BoardPicture) -> str | bytes:
        """Telegram's id for a picture that was sent before; else the picture itself."""
        known = self.known(picture)
        if known is not None:
            return known
        drawing = self._drawing.get(picture)
        if drawing is None:  # two chats often want the same picture at once
            drawing = self._drawing[picture] = asyncio.create_task(asyncio.to_thread(png, picture))
            drawing.add_done_callback(lambda _: self._drawing.pop(picture))
        return await asyncio.shield(drawing)

    def know(self, picture: BoardPicture, message: Message) -> None:
        """Remember Telegram's id for a picture that was sent."""
        if message.photo:
            self.note(picture, message.photo[-1].file_id)

    def note(self, picture: BoardPicture, file: str) -> None:
        """Remember Telegram's id for a picture."""
        self._ids[picture] = file
        self._ids.move_to_end(picture)
        if len(self._ids) > _KNOWN:
            self._ids.popitem(last=False)

    def forgotten(self, error: BadRequest, picture: BoardPicture) -> bool:
        """Whether Telegram no longer knows a picture by the id it gave: then it is to be sent anew."""
        text = error.message.lower()
        about_file = "file identifier" in text or "file_id" in text or "file reference" in text
        return about_file and self._ids.pop(picture, None) is not None
