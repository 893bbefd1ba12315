"""The tokens of interactions: the way to answer, and where the bot is a guest the only way to change a message.

They are kept in the store, so that a board that was asked for before a restart still takes the place of "thinking".
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from bot.session.tables import Tables

#: A token lives for fifteen minutes; the last half is not relied on.
LIFETIME: Final = 15 * 60 - 30
#: How many tokens are remembered that were refused before their time.
_USELESS: Final = 1024


class Ways:
    """Remembers tokens for as long as they can be used."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._useless: OrderedDict[str, None] = OrderedDict()

    async def keep_answer(self, table_id: str, chat: str, token: str) -> None:
        """The board of this table is to take the place of the answer of this interaction."""
        await self._tables.remember(_answer(table_id, chat), token, LIFETIME)

    async def answer(self, table_id: str, chat: str) -> str | None:
        """The interaction whose answer the board is to be."""
        return await self._tables.recall(_answer(table_id, chat))

    async def answered(self, table_id: str, chat: str) -> None:
        """The answer has been given, or cannot be given any more."""
        await self._tables.take(_answer(table_id, chat))

    async def keep(self, chat: str, message: str, token: str, *, original: bool = True) -> None:
        """By this token messages can be sent to the chat, and ``message`` be changed, if one is named.

        ``original``: the message is the interaction's answer, or the one that was used; else one that was sent later.
        """
        await self._tables.remember(_chat(chat), token, LIFETIME)
        if message:
            await self._tables.remember(_message(chat, message), f"{int(original)}{token}", LIFETIME)

    async def to_chat(self, chat: str) -> str | None:
        """A token by which something can be sent to the chat."""
        return await self._tables.recall(_chat(chat))

    async def to_message(self, chat: str, message: str) -> tuple[str, bool] | None:
        """A token by which the message can be changed, and whether it is the ``original``."""
        kept = await self._tables.recall(_message(chat, message))
        return None if kept is None or kept[1:] in self._useless else (kept[1:], kept[0] == "1")

    def useless(self, token: str) -> None:
        """By this token nothing can be changed any more."""
        self._useless[token] = None
        if len(self._useless) > _USELESS:
            self._useless.popitem(last=False)


def _answer(table_id: str, chat: str) -> str:
    return f"dc:answer:{table_id}:{chat}"


def _chat(chat: str) -> str:
    return f"dc:chat:{chat}"


def _message(chat: str, message: str) -> str:
    return f"dc:message:{chat}:{message}"
