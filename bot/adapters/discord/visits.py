"""What is the same for every interaction: done once, acknowledged first, and whatever goes wrong is said."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, cast

import discord
import structlog

from bot.adapters.discord.arrival import arrived
from bot.adapters.discord.preferences import Preferences
from bot.adapters.discord.reading import is_private, me
from bot.adapters.discord.replies import LINE_FAULTS, Kind, Reply
from bot.session.store import StoreUnavailable
from bot.session.table import Declined
from bot.words import explain, words

log = structlog.get_logger("renju.discord")

#: How many interactions are remembered, so that one that is delivered again is let pass.
_SEEN: Final = 4096
#: How long the work under way is waited for at the end, in seconds.
_LAST_WORK: Final = 5.0


class Visits:
    """Goes through every interaction, each in a task of the library's."""

    def __init__(self, clock: Callable[[], int], preferences: Preferences) -> None:
        self._clock = clock
        self._preferences = preferences
        self._seen: OrderedDict[int, None] = OrderedDict()
        self._working: set[asyncio.Task[Any]] = set()

    @asynccontextmanager
    async def visit(self, interaction: discord.Interaction, kind: Kind) -> AsyncIterator[Reply | None]:
        """Acknowledge, then let the work be done; whoever caused a fault is told so, in one line.

        ``None`` is given where nothing is to be done: it came again, or nobody waits for an answer any more, or it is
        forged.
        """
        task = cast("asyncio.Task[Any]", asyncio.current_task())
        self._working.add(task)
        reply = Reply(interaction, kind, arrived(interaction, self._clock))
        try:
            heard = not self._came_again(interaction) and await reply.acknowledge()
            if heard:
                await self._preferences.recognise(interaction)
            if heard and kind is Kind.STEP and not is_private(interaction):
                # Forged: what its answer would change or take away is a message that belongs to others, too.
                await reply.say(words(me(interaction).language).say("This button means nothing here."))
                heard = False
            yield reply if heard else None
        except StoreUnavailable:
            await self._apologise(reply, explain(words(me(interaction).language), Declined.NOT_STORED))
        except discord.HTTPException as error:
            log.warning("discord_not_delivered", status=error.status, code=error.code, why=error.text)
        except LINE_FAULTS as error:
            log.warning("discord_not_delivered", why=type(error).__name__)
        except Exception:
            log.exception("discord_fault", interaction=interaction.id)
            say = words(me(interaction).language).say
            await self._apologise(reply, say("Something went wrong here. Please try again."))
        finally:
            self._working.discard(task)

    @staticmethod
    async def _apologise(reply: Reply, text: str) -> None:
        try:
            await reply.say(text)
        except (discord.HTTPException, *LINE_FAULTS) as error:
            log.info("discord_not_delivered", why=type(error).__name__)

    def _came_again(self, interaction: discord.Interaction) -> bool:
        if interaction.id in self._seen:
            return True
        self._seen[interaction.id] = None
        if len(self._seen) > _SEEN:
            self._seen.popitem(last=False)
        return False

    async def close(self) -> None:
        """Let the work under way come to its end."""
        working = [task for task in self._working if task is not asyncio.current_task()]
        if working:
            await asyncio.wait(working, timeout=_LAST_WORK)
