"""What Telegram delivers becomes the library's objects; of a tap on a board only what a tap is judged by.

Every tap brings the whole message that was tapped: caption, sizes of the picture, each button. Nothing of that is
believed, since the store knows what the message shows, so it is not taken apart either.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
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
        _user(
            who["id"],
            who["first_name"],
            is_bot=who["is_bot"],
            last=who.get("last_name"),
            username=who.get("username"),
            language=who.get("language_code"),
        ),
        query.get("chat_instance", ""),
        data=data,
        message=_message(
            message["message_id"],
            message["date"],
            chat["id"],
            chat["type"],
            thread=message.get("message_thread_id"),
            topic=message.get("is_topic_message"),
        ),
    )


# The same people tap the same boards again and again, and the library's objects never change.
@lru_cache(4096)
def _user(
    number: int, first: str, *, is_bot: bool, last: str | None, username: str | None, language: str | None
) -> User:
    return User(number, first, is_bot, last_name=last, username=username, language_code=language)


@lru_cache(4096)
def _message(number: int, date: int, chat: int, kind: str, *, thread: int | None, topic: bool | None) -> Message:
    sent = datetime.fromtimestamp(date, UTC)
    return Message(number, sent, Chat(chat, kind), message_thread_id=thread, is_topic_message=topic)
