"""When somebody did something, by this process's own clock: their game's clock is judged by that.

An interaction waits nowhere before it is stamped: the connection calls :meth:`Arrivals.note` while it reads it. Its id
tells to the millisecond when Discord took it, by Discord's clock, which may differ from ours; so only what an
interaction was late by, compared with the promptest one of late, counts for the player: a slow line or a resumed
session costs nobody their time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

import discord
from discord.utils import snowflake_time

#: Of how many interactions the promptest is looked for: few enough to follow a clock that is set anew.
_LATELY: Final = 256
#: The longest delay that is believed, in milliseconds: what comes later cannot be answered any more.
LONGEST: Final = 3_000
_AT: Final = "at"


class Arrivals:
    """Stamps interactions. ``clock``: milliseconds since 1970."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._offsets: deque[int] = deque(maxlen=_LATELY)

    def note(self, interaction: discord.Interaction) -> None:
        """It has just been read."""
        now = self._clock()
        offset = now - _taken(interaction)
        self._offsets.append(offset)
        late = min(offset - min(self._offsets), LONGEST)
        interaction.extras[_AT] = now - late


def arrived(interaction: discord.Interaction, clock: Callable[[], int]) -> int:
    """When it arrived, in milliseconds since 1970."""
    at = interaction.extras.get(_AT)
    return at if isinstance(at, int) else clock()


def _taken(interaction: discord.Interaction) -> int:
    """When Discord took it, by its own clock, in milliseconds."""
    return round(snowflake_time(interaction.id).timestamp() * 1000)
