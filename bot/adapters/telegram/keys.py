"""Keyboards as plain values, in the form in which the Bot API has them.

The board's keyboard is made anew with every move, and two of them are compared to tell whether anything changes. The
library's own objects do that too, at a cost that was a quarter of a whole move's.
"""

from __future__ import annotations

import msgspec
from telegram import InlineKeyboardButton, InlineKeyboardMarkup


class Key(msgspec.Struct, frozen=True, omit_defaults=True):
    """A button that carries data."""

    text: str
    callback_data: str
    style: str | None = None
    """``primary``, ``success`` or ``danger``."""


class Keyboard(msgspec.Struct, frozen=True):
    """Rows of buttons. As JSON it is what the Bot API wants."""

    inline_keyboard: tuple[tuple[Key, ...], ...]


def markup(keyboard: Keyboard | None) -> InlineKeyboardMarkup | None:
    """The same as the library's object, for its own methods."""
    if keyboard is None:
        return None
    return InlineKeyboardMarkup(
        [
            [InlineKeyboardButton(key.text, callback_data=key.callback_data, style=key.style) for key in row]
            for row in keyboard.inline_keyboard
        ]
    )
