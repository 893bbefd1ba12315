"""How fast boards are changed: below the pace at which Discord begins to refuse, about five edits in five seconds.

Answers to interactions do not count.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from bot.pace import Buckets, Rate

#: In one channel, and by the bot in all.
CHANNEL: Final[Rate] = (4.0, 0.8)
EVERYTHING: Final[Rate] = (30.0, 30.0)


class Pace(Buckets):
    """One bucket for each channel, one for the bot."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        *,
        channel: Rate = CHANNEL,
        everything: Rate = EVERYTHING,
    ) -> None:
        super().__init__(lambda _: channel, everything, clock)
