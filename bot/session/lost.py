"""Chats that the bot cannot write to any more, and what becomes of their boards when it can again."""

from __future__ import annotations

from typing import Final

import msgspec

from bot.session.tables import Tables

#: For how long the boards of a lost chat are remembered, in seconds, and how many of them.
_KEPT: Final = 400 * 86_400
_MOST: Final = 50

Board = tuple[str, str]
"""A table, and the topic it was shown in."""


class Lost:
    """The boards of the chats that were lost. Methods raise ``StoreUnavailable``."""

    def __init__(self, tables: Tables, platform: str) -> None:
        self._tables = tables
        self._platform = platform

    async def note(self, chat: str, board: Board) -> None:
        """A board is shown in this chat no longer."""
        boards = [one for one in _decoded(await self._tables.recall(self._key(chat))) if one != board]
        kept = msgspec.json.encode([*boards, board][-_MOST:]).decode()
        await self._tables.remember(self._key(chat), kept, _KEPT)

    async def take(self, chat: str) -> list[Board]:
        """The boards that the chat had; then they are forgotten here."""
        return _decoded(await self._tables.take(self._key(chat)))

    def _key(self, chat: str) -> str:
        return f"{self._platform}:lost:{chat}"


def _decoded(kept: str | None) -> list[Board]:
    try:
        return [] if kept is None else msgspec.json.decode(kept, type=list[Board])
    except (msgspec.DecodeError, ValueError):
        return []
