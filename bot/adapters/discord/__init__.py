"""Discord: what people do there comes to the desk, and tables are shown as messages of components."""

from bot.adapters.discord.adapter import Discord

__all__ = ["Discord"]
