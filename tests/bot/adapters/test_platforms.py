"""What a player can do on one platform, they can do on the other: a table of both, made from the scenes themselves."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from bot.adapters.discord import commands as discord_commands
from bot.adapters.discord.layout import board
from bot.adapters.telegram import keypad
from bot.scene import Scene, unpack
from bot.words import words
from bot.words.help import COMMANDS
from core.game import Act
from tests.bot.adapters.test_discord_layout import scenes
from tests.fakes.discord.facts import walk

#: The words of each platform for the way to a point; everything else is an action, a command or a question.
_TELEGRAM_WAYS = ("col", "win", "back", "place", "offer")
_DISCORD_WAYS = ("pick", "type")


def on_discord(scene: Scene, language: str) -> set[str]:
    """What the buttons of a board do on Discord."""
    parts: list[dict[str, Any]] = board(scene, words(language)).to_components()
    wires = [unpack(part["custom_id"][2:]) for part in walk(parts) if part.get("custom_id")]
    assert None not in wires
    return {wire[2] for wire in wires if wire is not None}


def on_telegram(scene: Scene) -> set[str]:
    """What the buttons of a board do on Telegram."""
    markup = keypad.board(scene)
    rows = () if markup is None else markup.inline_keyboard
    wires = [unpack(str(button.callback_data)) for row in rows for button in row]
    assert None not in wires
    return {wire[2] for wire in wires if wire is not None}


@settings(max_examples=150, deadline=None)
@given(scenes())
def test_every_button_is_on_both_platforms(seen: tuple[Scene, str]) -> None:
    """Each moment of each game: the same decisions, answers, claims, questions; and points can be entered on both."""
    scene, language = seen
    discord, telegram = on_discord(scene, language), on_telegram(scene)
    by_points = scene.entry is not None and scene.entry.act not in (Act.CHOOSE, Act.ADD)
    assert {does for does in discord if does.partition("-")[0] not in _DISCORD_WAYS} == {
        does for does in telegram if not (by_points and does.partition("-")[0] in _TELEGRAM_WAYS)
    }
    assert any(does in _DISCORD_WAYS for does in discord) == (scene.entry is not None)
    if by_points:
        assert any(does.partition("-")[0] in _TELEGRAM_WAYS for does in telegram)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_on_both_platforms(command: str) -> None:
    """Telegram lists these; on Discord they are registered."""
    assert command in discord_commands.LISTED
