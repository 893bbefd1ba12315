"""Reading what Telegram sends: who it is, where it is, which command."""

from __future__ import annotations

import re
from typing import Final

from telegram import CallbackQuery, Message, MessageEntity, User
from telegram.constants import ChatType

from bot.desk import Place
from bot.session.table import Person
from bot.words import Words, pick, words

PLATFORM: Final = "tg"

_POINT: Final = "(?:[A-Za-zＡ-Ｚａ-ｚ][0-9０-９]{1,3}|[0-9０-９]{1,3}[A-Za-zＡ-Ｚａ-ｚ])"
#: What was surely meant as points, where people also talk, so that it is explained when it is wrong.
LIKE_POINTS: Final = re.compile(rf"\s*{_POINT}(?:[\s,，、]+{_POINT})*\s*")
ALIASES: Final = {"m": "move", "new": "newgame"}


def command_of(message: Message, username: str) -> tuple[str, str] | None:
    """The command a message begins with and the words after it; ``None`` without one, or for another bot's."""
    text = whole(message.text or "")
    first = next((entity for entity in message.entities if entity.offset == 0), None)
    if first is None or first.type != MessageEntity.BOT_COMMAND:
        return None
    name, _, meant = text[1 : first.length].partition("@")
    if meant and meant.lower() != username.lower():
        return None
    name = name.lower()
    return ALIASES.get(name, name), text[first.length :].strip()


def whole(text: str) -> str:
    """The text without halves of characters, which JSON can carry and nothing else can."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def person_of(user: User, language: str = "") -> Person:
    """The person; in the ``language`` they have chosen, else in that of their client."""
    return Person(
        id=f"{PLATFORM}:{user.id}", name=whole(user.full_name or "?"), language=language or pick(user.language_code)
    )


def words_of(user: User | None) -> Words:
    return words(pick(user.language_code if user is not None else None))


def place_of(message: Message) -> Place:
    return Place(
        platform=PLATFORM,
        chat=str(message.chat_id),
        # Outside forums a thread is a chain of replies; the general topic of a forum has no number.
        thread=str(message.message_thread_id) if message.is_topic_message else "",
        private=message.chat.type == ChatType.PRIVATE,
    )


def place_of_tap(query: CallbackQuery) -> Place | None:
    """Where the tapped message is; ``None`` for a message that Telegram does not name."""
    message = query.message
    if isinstance(message, Message):
        return place_of(message)
    if message is None:
        return None
    return Place(platform=PLATFORM, chat=str(message.chat.id), private=message.chat.type == ChatType.PRIVATE)


def handle(user: User) -> str:
    """What Telegram calls an account now, ``tg:@anna``; empty for one without such a name. It can change hands."""
    return f"{PLATFORM}:@{user.username.lower()}" if user.username else ""


#: What Telegram makes a call of by itself, in any text: a sign and the name of an account.
_CALLS: Final = re.compile("@([A-Za-z][A-Za-z0-9_]{2,})")
_WORD_JOINER: Final = "\N{WORD JOINER}"


def quiet(text: str, called: str = "") -> str:
    """The text looking the same, calling nobody but ``called`` (``@anna``): whoever names themselves ``@ben`` does not
    ping Ben with every board (promise 9).
    """
    return _CALLS.sub(lambda one: one[0] if one[0] == called else f"@{_WORD_JOINER}{one[1]}", text)


def link(chat: str, thread: str, message: str) -> str:
    """The address of a message in a supergroup, for its members; empty where messages have none."""
    if not chat.startswith("-100") or not message:
        return ""
    return "https://t.me/c/" + "/".join(part for part in (chat.removeprefix("-100"), thread, message) if part)


def alone(username: str, payload: str) -> str:
    """The address that leads to a private chat with the bot and says ``payload`` there, 64 letters, digits, _ and -."""
    return f"https://t.me/{username}?start={payload}"
