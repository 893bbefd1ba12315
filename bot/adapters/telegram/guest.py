"""Guest calls: somebody mentions the bot in a chat it has not joined. It may answer once: with a challenge, and from
then on that message is played like any inline message; or a point is played, and the answer says so.
"""

from __future__ import annotations

import asyncio
from typing import Final

import structlog
from telegram import Bot, InlineQueryResultArticle, Message, User
from telegram.error import BadRequest, NetworkError, RetryAfter

from bot.adapters.telegram.challenging import Challenge
from bot.adapters.telegram.inline import Inline, Unclear, article, explained
from bot.adapters.telegram.inline_board import INLINE
from bot.adapters.telegram.offers import Card
from bot.adapters.telegram.reading import LIKE_POINTS, PLATFORM, whole
from bot.adapters.telegram.replies import Replies
from bot.adapters.telegram.sending import seconds_of
from bot.desk import Desk, Done
from bot.newgame import narrow
from bot.session.table import Person, Table
from bot.session.tables import Tables
from bot.words import Phrase, words

log = structlog.get_logger("renju.telegram")

#: How often the one answer is tried when Telegram cannot be reached, and the pause between, in seconds.
_TRIES: Final = 3
_BREATH: Final = 0.5
#: How long the call is worth answering when Telegram asks to wait, in seconds.
_LATE: Final = 10.0
#: For how long the chat of a game is known, in seconds.
_KEPT: Final = 365 * 86_400


class Guest:
    """Answers guest calls."""

    def __init__(self, bot: Bot, desk: Desk, tables: Tables, inline: Inline, replies: Replies) -> None:
        self._bot = bot
        self._desk = desk
        self._tables = tables
        self._inline = inline
        self._replies = replies

    async def called(self, message: Message, person: Person, source: str, came: int) -> None:
        """Answer the call, at once. ``source`` names this very update, ``came`` is when it did. Raises
        ``StoreUnavailable``.
        """
        user = message.from_user
        if message.guest_query_id is None or user is None:
            return
        say = words(person.language).say
        card: Card | None = None
        typed = self._typed(message)
        if message.sender_chat is not None or message.guest_bot_caller_chat is not None:
            answer = explained(
                "nobody",
                say("Renju"),
                say(
                    "You write in the name of the chat, so I cannot tell who you are. "
                    "Use the buttons, or write under your own name."
                ),
            )
        elif LIKE_POINTS.fullmatch(typed):
            said = await self._played(person, message.chat_id, typed, source, came)
            answer = explained("point", say("Renju"), said)
        else:
            try:
                card = await self._inline.card(person, self._meant(message, typed, user, person))
                answer = article(card, say("Press here to send it."))
            except Unclear as unclear:
                answer = explained("unclear", say("These words make no game"), str(unclear))
        self._replies.later(self._answer(message.guest_query_id, answer, person, card, message.chat_id))

    def _typed(self, message: Message) -> str:
        """The words without the bot's name."""
        own = f"@{self._inline.username}".lower()
        rest = " ".join(word for word in whole(message.text or "").split() if word.lower() != own)
        return rest.removeprefix("/newgame").strip()

    def _meant(self, message: Message, typed: str, user: User, person: Person) -> Challenge:
        """The challenge of these words; who was replied to is the opponent."""
        wanted = self._inline.meant(typed, user, person)
        earlier = message.reply_to_message
        other = None if earlier is None or earlier.sender_chat is not None else earlier.from_user
        if wanted.reserved or other is None or other.is_bot or not other.full_name or other.id == user.id:
            return wanted
        return Challenge(wanted.typed, f"{PLATFORM}:{other.id}", whole(other.full_name))

    async def _played(self, person: Person, chat: int, typed: str, source: str, came: int) -> str:
        """A point for the caller's game in a chat without the bot: what is said of it.

        Which chat a message is in is known only where a call was answered by it: a game of this chat is meant before
        one of an unknown chat, and never one of another.
        """
        say = words(person.language).say
        here, unknown = list[Table](), list[Table]()
        for table_id in await self._tables.tables_of(person.id):
            table = await self._tables.get(table_id)
            if not isinstance(table, Table) or not set(table.seats_of(person.id)) & set(table.game.to_act):
                continue
            if any(view.platform == INLINE for view in await self._tables.views(table_id)):
                known = await self._tables.recall(_key(table_id))
                if known in (None, str(chat)):
                    (unknown if known is None else here).append(table)
        meant = here or unknown
        if not meant:
            return say("It is not your turn in any game here.")
        if len(meant) > 1:
            return say("You have several games here. Use the buttons under the board that you mean.")
        done = await self._desk.move(person, typed, table=meant[0].id, source=source, at=came)
        if isinstance(done, Done):
            return done.notice.text or say(
                "{points} is played; the board shows it.", points=Phrase(narrow(typed).upper())
            )
        return done.text

    async def _answer(
        self, query: str, answer: InlineQueryResultArticle, person: Person, card: Card | None, chat: int
    ) -> None:
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
            opened = await self._inline.offers.opened(person, card.id, sent.inline_message_id)
            if isinstance(opened, Done):
                await self._tables.remember(_key(opened.table.id), str(chat), _KEPT)


def _key(table: str) -> str:
    """Where the chat is kept in which a call was answered by this table."""
    return f"tg:guest:{table}"
