"""Fetches updates, and confirms each only after it has been handled (promise 2).

Asking for what follows an update confirms it: so one batch is handled wholly before the next is asked for. Batches are
small and handling is quick; whatever has to wait for Telegram does not happen in here. Updates of one chat are handled
in their order, chats side by side.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Final

import structlog
from telegram import Bot, Update
from telegram.error import Conflict, InvalidToken, RetryAfter, TelegramError

from bot.adapters.telegram.sending import seconds_of

log = structlog.get_logger("renju.telegram")

#: The kinds of update that are handled; others are never sent to us.
ALLOWED: Final = (
    Update.MESSAGE,
    Update.CALLBACK_QUERY,
    Update.MY_CHAT_MEMBER,
    Update.INLINE_QUERY,
    Update.CHOSEN_INLINE_RESULT,
    Update.GUEST_MESSAGE,
)
#: Seconds that Telegram holds a request for updates open.
_LONG: Final = 30
#: How long the last confirmation may take when polling is stopped, in seconds.
_FAREWELL: Final = 1.0
#: The longest pause between tries when Telegram cannot be reached, in seconds.
_LONGEST: Final = 30.0
#: How many handled updates are known again when they come once more.
_KNOWN: Final = 2000


class Poller:
    """Asks for updates until cancelled.

    ``handle`` is given each update once, with the moment it arrived here by the ``clock`` (milliseconds since 1970),
    however long it waits for others of its chat; it raises nothing.
    """

    def __init__(self, bot: Bot, handle: Callable[[Update, int], Awaitable[None]], clock: Callable[[], int]) -> None:
        self._bot = bot
        self._handle = handle
        self._clock = clock
        self._offset: int | None = None
        self._handled: dict[int, None] = {}
        self._failures = 0

    async def run(self) -> None:
        """Poll. Raises ``InvalidToken`` when Telegram does not know the token (any more)."""
        try:
            await self._poll()
        except asyncio.CancelledError:
            await self._confirm()
            raise

    async def _confirm(self) -> None:
        """Stopping in peace: what has been handled need not come again."""
        if self._offset is not None:
            with contextlib.suppress(TelegramError, TimeoutError):
                async with asyncio.timeout(_FAREWELL):
                    await self._bot.get_updates(offset=self._offset, limit=1, timeout=0, allowed_updates=ALLOWED)

    async def _poll(self) -> None:
        while True:
            try:
                updates = await self._bot.get_updates(offset=self._offset, timeout=_LONG, allowed_updates=ALLOWED)
            except InvalidToken:
                raise
            except RetryAfter as error:
                await asyncio.sleep(seconds_of(error))
            except Conflict as error:
                await self._failed("telegram_second_poller", error)
            except TelegramError as error:
                await self._failed("telegram_unreachable", error)
            except Exception:  # an update of a form that the library cannot read
                log.exception("telegram_update_unreadable")
                await asyncio.sleep(_LONGEST)
            else:
                if self._failures:
                    self._failures = 0
                    log.info("telegram_reached_again")
                await self._all(updates, self._clock())
                if updates:
                    self._offset = updates[-1].update_id + 1

    async def _failed(self, event: str, error: TelegramError) -> None:
        """Said once until it is over; then wait longer each time."""
        self._failures += 1
        if self._failures == 1:
            log.warning(event, why=error.message)
        await asyncio.sleep(min(_LONGEST, 0.5 * 2.0 ** min(self._failures - 1, 6)))

    async def _all(self, updates: tuple[Update, ...], arrived: int) -> None:
        by_chat: defaultdict[int, list[Update]] = defaultdict(list)
        for update in updates:
            chat, user = update.effective_chat, update.effective_user
            by_chat[chat.id if chat is not None else user.id if user is not None else 0].append(update)
        await asyncio.gather(*(self._in_order(part, arrived) for part in by_chat.values()))

    async def _in_order(self, updates: list[Update], arrived: int) -> None:
        for update in updates:
            if update.update_id not in self._handled:
                await self._handle(update, arrived)
                self._handled[update.update_id] = None
        while len(self._handled) > _KNOWN:
            del self._handled[next(iter(self._handled))]
