"""Clocks in words: who has how much time, never below zero (rules section 7)."""

from __future__ import annotations

from core.clock import HOUR, MINUTE, SECOND, Milliseconds


def span(time: Milliseconds) -> str:
    """``18:05`` or ``1:02:30``; a begun second counts as a whole one, so that 0:00 means that the time is over."""
    seconds = -(-max(0, time) // SECOND)
    hours, minutes = seconds * SECOND // HOUR, seconds * SECOND % HOUR // MINUTE
    return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"
