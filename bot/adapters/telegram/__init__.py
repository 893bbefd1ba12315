"""Telegram: what people write and tap there comes to the desk, and tables are shown as photo messages."""

from bot.adapters.telegram.adapter import Delivery, Telegram

__all__ = ["Delivery", "Telegram"]
