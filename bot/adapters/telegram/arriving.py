"""What Telegram delivers becomes the library's objects; of a tap on a board only what a tap is judged by.

Every tap brings the whole message that was tapped: caption, sizes of the picture, each button. Nothing of that is
believed, since the store knows what the message shows, so it is not taken apart either.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from telegram import Bot, CallbackQuery, Chat, Message, Update, User

from bot.scene import unpack


def update_of(raw: dict[str, Any], bot: Bot) -> Update:
    """An update from its JSON. Raises whatever the library raises for one that cannot be read."""
    query = raw.get("callback_query")
    if isinstance(query, dict):
        message, data = query.get("message"), query.get("data")
        # A message without a date is one that the bot cannot see any more.
        if isinstance(message, dict) and message.get("date") and isinstance(data, str) and unpack(data) is not None:
            return Update(raw["update_id"], callback_query=_tap(query, message, data))
    return Update.de_json(raw, bot)


def _tap(query: dict[str, Any], message: dict[str, Any], data: str) -> CallbackQuery:
    who, chat = query["from"], message["chat"]
    return CallbackQuery(
        query["id"],
        User(
            who["id"],
            who["first_name"],
            who["is_bot"],
            last_name=who.get("last_name"),
            username=who.get("username"),
            language_code=who.get("language_code"),
        ),
        query.get("chat_instance", ""),
        data=data,
        message=Message(
            message["message_id"],
            datetime.fromtimestamp(message["date"], UTC),
            Chat(chat["id"], chat["type"]),
            message_thread_id=message.get("message_thread_id"),
            is_topic_message=message.get("is_topic_message"),
        ),
    )
