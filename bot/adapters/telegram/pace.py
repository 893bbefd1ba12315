"""How fast we write: below the pace at which Telegram begins to refuse.

About one message a second in a chat, twenty a minute in a group, thirty a second in all; edits count like messages.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from bot.pace import Buckets, Rate

PRIVATE: Final[Rate] = (3.0, 1.0)
GROUP: Final[Rate] = (5.0, 0.25)
EVERYTHING: Final[Rate] = (10.0, 20.0)


class Pace(Buckets):
    """One bucket for each chat, one for the bot."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        *,
        private: Rate = PRIVATE,
        group: Rate = GROUP,
        everything: Rate = EVERYTHING,
    ) -> None:
        super().__init__(lambda chat: group if chat.startswith("-") else private, everything, clock)
