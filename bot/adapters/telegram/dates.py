"""Dates in a text that each reader sees in their own time zone (Bot API 9.5). The text says the same in UTC, for
clients that know no such thing; where the server knows none, the text goes out alone.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import structlog
from telegram import MessageEntity
from telegram.constants import MessageEntityDateTimeFormats as Formats
from telegram.error import BadRequest

from bot.composing.clocks import moment
from bot.words.values import utf16

log = structlog.get_logger("renju.telegram")

#: How the text goes on after a moment: what is marked too, since it is not true of the reader's own time.
_ZONES: Final = (" UTC", "（UTC）")


class Dates:
    """Marks dates, as long as the server understands it."""

    def __init__(self) -> None:
        self._known = True

    def of(self, text: str, *times: int | None) -> list[MessageEntity]:
        """What marks these moments (ms since 1970) where the text names them; nothing where it does not."""
        return [found for time in times if time and self._known and (found := _found(text, time)) is not None]

    def refused(self, error: BadRequest) -> bool:
        """Whether the server did not understand it; from then on nothing is marked, and the call is worth repeating."""
        refused = self._known and "entit" in error.message.lower()
        if refused:
            log.info("telegram_dates_not_known", why=error.message)
            self._known = False
        return refused


def _found(text: str, time: int) -> MessageEntity | None:
    if all(zone not in text for zone in _ZONES):
        return None
    written = moment(time).text
    start = text.find(written)
    zone = next((zone for zone in _ZONES if text.startswith(zone, start + len(written))), None)
    if start < 0 or zone is None:
        return None
    return MessageEntity(
        MessageEntity.DATE_TIME,
        utf16(text[:start]),
        utf16(written + zone),
        unix_time=datetime.fromtimestamp(time // 1000, UTC),
        date_time_format=Formats.SHORT_DATE_SHORT_TIME,
    )
