"""The library's bot, with the two calls that every move makes written as JSON at once: a tap answered, a photo changed
to one that Telegram knows.

The usual methods build, check, copy and take apart objects for every field, and again for the answer, of which one word
is wanted. Errors and transport are the same here.
"""

from __future__ import annotations

from typing import Any

import msgspec
from telegram import Bot, MessageEntity

from bot.adapters.telegram.keys import Keyboard
from bot.adapters.telegram.transport import AiohttpRequest


class LeanBot(Bot):
    """Use it as a ``Bot``."""

    def __init__(self, token: str, *, base_url: str, base_file_url: str, polling: AiohttpRequest) -> None:
        self._calls = AiohttpRequest()
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
