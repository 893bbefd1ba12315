"""The web table: a page that shows the same conversation a chat would, with a board that can be tapped."""

from bot.adapters.web.server import Web, WebUnavailable

__all__ = ["Web", "WebUnavailable"]
