"""Invitations: links that give one seat, once (promise 11)."""

from __future__ import annotations

import asyncio
import re
import secrets

from bot.session.tables import Tables

#: How long a link lives after somebody who waits at its table was last here.
SECONDS = 600
_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
_LENGTH = 16  # 80 random bits
_CODE = re.compile(rf"[a-z2-7]{{{_LENGTH}}}")


class Invitations:
    """Codes and the tables that they give a seat at."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._lock = asyncio.Lock()

    async def code_for(self, table_id: str) -> str:
        """The table's present code, made when there is none; its life begins anew."""
        async with self._lock:
            code = await self._tables.recall(f"web:invited:{table_id}")
            if code is None or await self.table_of(code) != table_id:
                code = "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
            await self.put_back(code, table_id)
        return code

    async def put_back(self, code: str, table_id: str) -> None:
        """Let a code be good (again) for its whole life."""
        await self._tables.remember(f"web:invitation:{code}", table_id, SECONDS)
        await self._tables.remember(f"web:invited:{table_id}", code, SECONDS)

    async def table_of(self, code: str) -> str | None:
        """The table that a code invites to; the code stays good."""
        return await self._tables.recall(f"web:invitation:{code}") if _CODE.fullmatch(code) else None

    async def take(self, code: str) -> str | None:
        """The same, and the code is used up: of two who ask at once, one gets it."""
        if not _CODE.fullmatch(code):
            return None
        table_id = await self._tables.take(f"web:invitation:{code}")
        if table_id is not None:
            await self._tables.remember(f"web:used:{code}", table_id, SECONDS)
        return table_id

    async def used_at(self, code: str) -> str | None:
        """The table where a code was used not long ago: whoever has it did not guess it, and may be who used it."""
        return await self._tables.recall(f"web:used:{code}") if _CODE.fullmatch(code) else None
