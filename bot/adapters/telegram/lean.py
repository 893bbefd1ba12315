"""The library's bot, with the calls of every move made plainly: updates fetched, a tap answered, a photo changed to one
that Telegram knows.

The usual methods build, check, copy and take apart objects for every field, and again for the answer, of which one word
is wanted. Here JSON is written at once. Errors and transport are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import msgspec
from telegram import Bot, MessageEntity, Update

from bot.adapters.telegram.arriving import update_of
from bot.adapters.telegram.keys import Keyboard
from bot.adapters.telegram.transport import AiohttpRequest


class LeanBot(Bot):
    """Use it as a ``Bot``."""

    def __init__(self, token: str, *, base_url: str, base_file_url: str, polling: AiohttpRequest) -> None:
        self._calls, self._polling = AiohttpRequest(), polling
        super().__init__(
            token, base_url=base_url, base_file_url=base_file_url, request=self._calls, get_updates_request=polling
        )

    async def answer_callback_query(
        self,
        callback_query_id: str,
        text: str | None = None,
        show_alert: bool | None = None,
        *unusual: Any,
        **more: Any,
    ) -> bool:
        """As the library's."""
        if unusual or more:
            return await super().answer_callback_query(callback_query_id, text, show_alert, *unusual, **more)
        fields: dict[str, Any] = {"callback_query_id": callback_query_id}
        if text is not None:
            fields["text"] = text
        if show_alert is not None:
            fields["show_alert"] = show_alert
        return bool(await self._made("answerCallbackQuery", fields))

    async def get_updates(
        self,
        offset: int | None = None,
        limit: int | None = None,
        timeout: int | timedelta | None = None,  # noqa: ASYNC109 - the library's: how long the server may wait
        allowed_updates: Sequence[str] | None = None,
        *unusual: Any,
        **more: Any,
    ) -> tuple[Update, ...]:
        """As the library's; each update is read by :func:`bot.adapters.telegram.arriving.update_of`."""
        if unusual or more or isinstance(timeout, timedelta):
            return await super().get_updates(offset, limit, timeout, allowed_updates, *unusual, **more)
        given = {"offset": offset, "limit": limit, "timeout": timeout, "allowed_updates": allowed_updates}
        fields = {name: value for name, value in given.items() if value is not None}
        patience = (self._polling.read_timeout or 0) + (timeout or 0)
        found = await self._polling.call(
            f"{self.base_url}/getUpdates", msgspec.json.encode(fields), read_timeout=patience
        )
        return tuple(update_of(one, self) for one in found)

    async def show_photo(
        self,
        chat: str,
        message: str,
        photo: str,
        *,
        caption: str,
        entities: list[MessageEntity],
        keyboard: Keyboard | None,
    ) -> str | None:
        """Let a message show another photo, which Telegram knows by its id: the id that it has now.

        Raises ``TelegramError``.
        """
        media: dict[str, Any] = {"type": "photo", "media": photo, "caption": caption}
        if entities:
            media["caption_entities"] = [entity.to_dict() for entity in entities]
        fields: dict[str, Any] = {"chat_id": int(chat), "message_id": int(message), "media": media}
        if keyboard is not None:
            fields["reply_markup"] = keyboard
        edited = await self._made("editMessageMedia", fields)
        sizes = edited.get("photo") if isinstance(edited, dict) else None
        return str(sizes[-1]["file_id"]) if sizes else None

    async def _made(self, method: str, fields: dict[str, Any]) -> Any:
        return await self._calls.call(f"{self.base_url}/{method}", msgspec.json.encode(fields))
