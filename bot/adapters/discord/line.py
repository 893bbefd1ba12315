"""The connection to Discord as it is now; after a fault a new one takes its place."""

from __future__ import annotations

import discord


class Line:
    """Holds the library's client for those who make calls by themselves."""

    def __init__(self) -> None:
        self._client: discord.AutoShardedClient | None = None
        self.was_open = False
        """Whether the present connection has been open."""

    def open(self, client: discord.AutoShardedClient) -> None:
        """A new connection is about to begin."""
        self._client = client
        self.was_open = False

    @property
    def client(self) -> discord.AutoShardedClient:
        """The client. Only asked for while the shower is open."""
        if self._client is None:
            raise RuntimeError("there is no connection yet")
        return self._client
