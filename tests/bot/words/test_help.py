"""/help and /rules."""

from __future__ import annotations

import pytest

from bot.newgame import BEGINS
from bot.words import LANGUAGES, words
from bot.words.help import COMMANDS, describe, rules_text
from core.game import ALL_PROTOCOLS, FoulMode

pytestmark = pytest.mark.parametrize("language", LANGUAGES)


def test_every_command_is_described_in_one_short_line(language: str) -> None:
    """As chat platforms show it beside the command: up to 100 characters."""
    said = [describe(words(language), command) for command in COMMANDS]
    assert len(set(said)) == len(COMMANDS)
    assert all(0 < len(line) <= 100 and "\n" not in line for line in said)


def test_an_unknown_command_has_no_description(language: str) -> None:
    """A new command needs its words first."""
    with pytest.raises(ValueError, match="fly"):
        describe(words(language), "fly")


def test_the_rules_explain_every_choice(language: str) -> None:
    """Every opening rule and foul mode that can be chosen is in them, in a message that a chat can carry."""
    said = rules_text(words(language))
    for choice in (*ALL_PROTOCOLS, *FoulMode, *BEGINS):
        assert choice in said
    assert len(said) <= 4096


@pytest.mark.parametrize("protocol", ALL_PROTOCOLS)
def test_each_opening_rule_is_explained_in_a_few_lines(language: str, protocol: str) -> None:
    """By its name, however it is written."""
    said = rules_text(words(language), protocol)
    assert said.startswith(protocol)
    assert 40 <= len(said) <= 500
    assert rules_text(words(language), f" {protocol.upper().replace('_', '-')} ") == said
    others = {rules_text(words(language), other) for other in ALL_PROTOCOLS if other != protocol}
    assert said not in others


def test_an_unknown_rule_is_answered_with_the_nearest(language: str) -> None:
    """Then all of them."""
    said = rules_text(words(language), "tarakuchi")
    assert said.index("taraguchi_10") < said.index("free")
    assert all(name in rules_text(words(language), "zzz") for name in ALL_PROTOCOLS)
