"""What one viewer sees of a table: :func:`compose` gathers words, board and buttons into a scene."""

from bot.composing.compose import compose

__all__ = ["compose"]
