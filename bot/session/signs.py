"""Tells the chats that show a table that somebody thinks there, each in its platform's own way.

Nothing is kept and nothing repeated: a sign that cannot be given is left out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Protocol

import structlog

from bot.session.store import StoreUnavailable
from bot.session.table import Table, View
from bot.session.tables import Tables

log = structlog.get_logger("renju.signs")


class Signer(Protocol):
    """What an adapter does for its platform's views."""

    async def thinking(self, view: View) -> None:
        """Let the view's chat show for a few seconds that somebody is at work, if that costs no board its turn."""
        ...


class Signs:
    """The signs of those platforms that have one. A web page needs none: its words say who thinks."""

    def __init__(self, tables: Tables, signers: Mapping[str, Signer]) -> None:
        self._tables = tables
        self._signers = dict(signers)

    async def thinking(self, table: Table) -> None:
        """Show it in every chat that has a board of this table. Raises nothing."""
        try:
            views = await self._tables.views(table.id)
        except StoreUnavailable:  # logged by the store
            return
        chats = {(view.platform, view.chat, view.thread): view for view in views if view.message}
        signs = [
            self._signers[view.platform].thinking(view) for view in chats.values() if view.platform in self._signers
        ]
        for fault in await asyncio.gather(*signs, return_exceptions=True):
            if isinstance(fault, Exception):
                log.warning("sign_not_given", table=table.id, why=repr(fault))
