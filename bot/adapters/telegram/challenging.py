"""Whom a ``/newgame`` means: somebody who is mentioned after it, or whose message it replies to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from telegram import Message, MessageEntity, User

from bot.adapters.telegram.reading import PLATFORM, handle, whole
from bot.words import Words

#: How the name of every bot ends.
_BOT: Final = "bot"


@dataclass(frozen=True, slots=True)
class Challenge:
    """The words after the command without the mention, and who was meant."""

    typed: str
    reserved: str = ""
    """By id; by handle, where only that is known. Empty: nobody."""
    invited: str = ""
    refusal: str = ""
    """Why that one cannot be challenged."""


def challenge(message: Message, me: User, rest: str, username: str, words: Words) -> Challenge:
    """Read it from a message; ``rest``: the words after the command; ``username``: the bot's own."""
    for entity in message.entities:
        if entity.type == MessageEntity.TEXT_MENTION and entity.user is not None:
            return _account(entity.user, me, _without(message, entity), username, words)
        if entity.type == MessageEntity.MENTION:
            name = _part(message.text or "", entity)
            return named(name, me, _without(message, entity), username, words)
    other = _replied(message)
    return Challenge(rest) if other is None else _account(other, me, rest, username, words)


def _replied(message: Message) -> User | None:
    """Who wrote what was replied to; nobody, where it is the start of a topic, a board, or written by a whole chat."""
    earlier = message.reply_to_message
    if earlier is None or earlier.sender_chat is not None or earlier.forum_topic_created is not None:
        return None
    if earlier.from_user is None or earlier.from_user.id == message.get_bot().id:
        return None
    return earlier.from_user


def _account(user: User, me: User, typed: str, username: str, words: Words) -> Challenge:
    if user.id == me.id:
        return Challenge(typed, refusal=words.say("You cannot challenge yourself."))
    if user.is_bot:
        return _bot(user.username or "", typed, username, words)
    if not user.full_name:
        return Challenge(typed, refusal=words.say("That account has been deleted; nobody can play there."))
    return Challenge(typed, f"{PLATFORM}:{user.id}", whole(user.full_name))


def named(name: str, me: User, typed: str, username: str, words: Words) -> Challenge:
    """Somebody called ``@anna``; ``typed``: the words without that."""
    if me.username is not None and handle(me) == f"{PLATFORM}:{name.lower()}":
        return Challenge(typed, refusal=words.say("You cannot challenge yourself."))
    if name.lower().endswith(_BOT):
        return _bot(name[1:], typed, username, words)
    return Challenge(typed, f"{PLATFORM}:{name.lower()}", name)


def _bot(name: str, typed: str, username: str, words: Words) -> Challenge:
    """A bot: this one means the engine, others play nobody."""
    if name.lower() == username.lower():
        return Challenge(f"engine {typed}")
    said = words.say("{name} is a bot and plays nobody. To play me, begin a game against the engine.", name=name)
    return Challenge(typed, refusal=said)


def _part(text: str, entity: MessageEntity) -> str:
    """What an entity marks: offsets count UTF-16 units."""
    units = text.encode("utf-16-le", "surrogatepass")
    return units[2 * entity.offset : 2 * (entity.offset + entity.length)].decode("utf-16-le", "replace")


def _without(message: Message, entity: MessageEntity) -> str:
    """The words after the command without those that the entity marks."""
    units = (message.text or "").encode("utf-16-le", "surrogatepass")
    command = message.entities[0]
    left = units[2 * command.length : 2 * entity.offset] + units[2 * (entity.offset + entity.length) :]
    return " ".join(left.decode("utf-16-le", "replace").split())
