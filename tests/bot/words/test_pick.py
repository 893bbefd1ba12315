"""Which language somebody gets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.words import LANGUAGES, pick, words


@pytest.mark.parametrize(
    ("wishes", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("en", "en"),
        ("en-GB", "en"),
        ("zh", "zh_Hans"),
        ("zh-CN", "zh_Hans"),
        ("zh_Hans", "zh_Hans"),
        ("ZH-hans-cn", "zh_Hans"),
        ("zh-TW", "zh_Hans"),
        ("de", "en"),
        ("de-DE,de;q=0.9,zh-CN;q=0.8,en;q=0.7", "zh_Hans"),
        ("de,en;q=0.5,zh;q=0.5", "en"),
        ("en;q=0.3,zh;q=0.9", "zh_Hans"),
        ("zh;q=0,en;q=0.1", "en"),
        ("zh;q=2", "en"),
        ("*", "en"),
        ("zh-CN ; q=0.5 , *;q=0.1", "zh_Hans"),
    ],
)
def test_the_best_of_what_is_wished_for(wishes: str | None, language: str) -> None:
    """By code or by a browser's list; English where nothing fits."""
    assert pick(wishes) == language


@given(st.text(max_size=80))
def test_any_text_picks_some_language(wishes: str) -> None:
    """The header comes from anybody."""
    assert pick(wishes) in LANGUAGES


def test_an_unknown_code_speaks_english() -> None:
    """A table from another version may name a language that is gone."""
    assert words("xx").language == "en"


def test_each_language_knows_its_own_name() -> None:
    """For a list to choose from."""
    assert LANGUAGES == {"en": "English", "zh_Hans": "简体中文"}
