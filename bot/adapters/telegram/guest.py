"""Guest calls: somebody mentions the bot in a chat it has not joined. It may answer once, with a challenge; from then
on that message is played like any inline message.
"""

from __future__ import annotations

import asyncio
from typing import Final

import structlog
from telegram import Bot, InlineQueryResultArticle, Message, User
from telegram.error import BadRequest, NetworkError, RetryAfter

from bot.adapters.telegram.challenging import Challenge
from bot.adapters.telegram.inline import Inline, Unclear, article, explained
from bot.adapters.telegram.offers import Card
from bot.adapters.telegram.reading import PLATFORM, whole
from bot.adapters.telegram.replies import Replies
from bot.adapters.telegram.sending import seconds_of
from bot.session.table import Person
from bot.words import words

log = structlog.get_logger("renju.telegram")

#: How often the one answer is tried when Telegram cannot be reached, and the pause between, in seconds.
_TRIES: Final = 3
_BREATH: Final = 0.5
#: How long the call is worth answering when Telegram asks to wait, in seconds.
_LATE: Final = 10.0


class Guest:
    """Answers guest calls."""

    def __init__(self, bot: Bot, inline: Inline, replies: Replies) -> None:
        self._bot = bot
        self._inline = inline
        self._replies = replies

    async def called(self, message: Message, person: Person) -> None:
        """Answer the call, at once. Raises ``StoreUnavailable``."""
        user = message.from_user
        if message.guest_query_id is None or user is None:
            return
        say = words(person.language).say
        card: Card | None = None
        if message.sender_chat is not None or message.guest_bot_caller_chat is not None:
            answer = explained(
                "nobody",
                say("Renju"),
                say(
                    "You write in the name of the chat, so I cannot tell who you are. "
                    "Use the buttons, or write under your own name."
                ),
            )
        else:
            try:
                card = await self._inline.card(person, self._meant(message, user, person))
                answer = article(card, say("Press here to send it."))
            except Unclear as unclear:
                answer = explained("unclear", say("These words make no game"), str(unclear))
        self._replies.later(self._answer(message.guest_query_id, answer, person, card))

    def _meant(self, message: Message, user: User, person: Person) -> Challenge:
        """The words without the bot's name; what was replied to names the opponent."""
        own = f"@{self._inline.username}".lower()
        rest = " ".join(word for word in whole(message.text or "").split() if word.lower() != own)
        wanted = self._inline.meant(rest.removeprefix("/newgame").strip(), user, person)
        earlier = message.reply_to_message
        other = None if earlier is None or earlier.sender_chat is not None else earlier.from_user
        if wanted.reserved or other is None or other.is_bot or other.id == user.id:
            return wanted
        return Challenge(wanted.typed, f"{PLATFORM}:{other.id}", whole(other.full_name))

    async def _answer(self, query: str, answer: InlineQueryResultArticle, person: Person, card: Card | None) -> None:
        for left in reversed(range(_TRIES)):
            try:
                sent = await self._bot.answer_guest_query(query, answer)
                break
            except BadRequest as error:  # answered already, perhaps by a try whose answer was lost
                log.info("telegram_guest_not_answered", why=error.message)
                return
            except RetryAfter as error:
                if not left or seconds_of(error) > _LATE:
                    raise
                await asyncio.sleep(seconds_of(error))
            except NetworkError:
                if not left:
                    raise
                await asyncio.sleep(_BREATH)
        if card is not None:
            await self._inline.offers.opened(person, card.id, sent.inline_message_id)
