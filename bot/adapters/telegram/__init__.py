"""Telegram: what people write and tap there comes to the desk, and tables are shown as photo messages."""

from bot.adapters.telegram.adapter import Telegram

__all__ = ["Telegram"]
