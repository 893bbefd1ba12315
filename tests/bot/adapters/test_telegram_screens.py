"""Every screen, in every language, is one that Telegram takes."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from telegram import InlineKeyboardMarkup

from bot.adapters.telegram import keypad
from bot.adapters.telegram.shower import _caption
from bot.scene import Scene, pack
from bot.words import words
from bot.words.values import utf16
from core.game import Act
from core.notation import COLUMNS, POINTS
from tests.bot.adapters.test_discord_layout import scenes
from tests.fakes.telegram.facts import CAPTION_LIMIT, check_keyboard, checked


def fits(markup: InlineKeyboardMarkup | None) -> None:
    """Within the limits of a keyboard, and every button says and carries something."""
    if markup is None:
        return
    checked("sendMessage", {"chat_id": 1, "text": "x", "reply_markup": markup.to_json()}, {})
    check_keyboard(markup.to_dict())
    for row in markup.inline_keyboard:
        for button in row:
            assert 1 <= len(str(button.callback_data).encode()) <= 64


@settings(max_examples=120, deadline=None)
@given(scenes(), st.sampled_from(COLUMNS), st.integers(0, POINTS - 1))
def test_every_screen_fits(seen: tuple[Scene, str], column: str, point: int) -> None:
    """The board with columns and with the window, the rows of a column, both points of two, questions, previews."""
    scene, language = seen
    chosen = words(language)
    assert 1 <= utf16(_caption(scene)) <= CAPTION_LIMIT
    fits(keypad.board(scene))
    fits(keypad.board(scene, around=True))
    fits(keypad.rows(scene, column, chosen))
    fits(keypad.points(scene, chosen))
    for row in scene.buttons:
        for button in row:
            if button.confirm:
                assert keypad.read(pack(scene.table, scene.rev, f"ask-{button.data}")) is not None
    if scene.entry is not None and scene.entry.act in (Act.PLACE, Act.OFFER) and point in scene.entry.points:
        fits(keypad.preview(scene, scene.entry.data(point), chosen))
