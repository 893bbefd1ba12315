"""The card of /newgame: what its buttons carry."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.telegram import card
from bot.adapters.telegram.card import Card
from bot.newgame import DEFAULT_LEVEL, read
from bot.words import LANGUAGES, words
from tests.fakes.telegram.facts import check_keyboard


def cards() -> st.SearchStrategy[Card]:
    """Every card there can be."""
    return st.builds(
        Card,
        st.integers(0, 10**16 - 1).map(str),
        st.integers(0, 10),
        st.integers(0, len(card.PROTOCOLS) - 1),
        st.integers(0, len(card.MODES) - 1),
        st.integers(0, 5),
        st.integers(0, len(card.CLOCKS) - 1),
        st.sampled_from("molpfbc"),
    )


class TestCard:
    """What the buttons of a card carry."""

    @given(cards(), st.sampled_from([*LANGUAGES]))
    def test_every_page_fits_and_reads_back(self, shown: Card, language: str) -> None:
        """All buttons are within Telegram's limits, and each leads to a card that can be read."""
        markup = card.keyboard(words(language), shown)
        check_keyboard(markup.to_dict())
        wires = [str(button.callback_data) for row in markup.inline_keyboard for button in row]
        assert all(len(wire.encode()) <= 64 for wire in wires)
        assert all(card.read(wire) is not None for wire in wires)
        assert card.read(shown.wire) == shown

    @given(cards())
    def test_the_card_says_what_can_be_typed(self, shown: Card) -> None:
        """The line on the card asks for the very same game."""
        wanted = read(shown.typed)
        assert (wanted.level or 0, wanted.protocol) == (shown.level, card.PROTOCOLS[shown.protocol])
        assert wanted.foul_mode is card.MODES[shown.mode]
        assert wanted.clock == card.CLOCKS[shown.clock]

    @given(st.text(max_size=70))
    def test_forged_cards_are_none(self, text: str) -> None:
        """Nothing else is read as a card."""
        assert card.read(text) is None or text.startswith("c1:")

    @pytest.mark.parametrize("wire", ["c1:5:z0000:m", "c1:5:0000:m", "c1:x:00000:m", "c1:5:00000:q", "c1:5:00009:m"])
    def test_what_there_is_not_cannot_be_chosen(self, wire: str) -> None:
        """A level, a page or an asker that cannot be."""
        assert card.read(wire) is None


@given(cards(), st.booleans())
def test_what_was_typed_is_where_the_card_begins(shown: Card, private: bool) -> None:
    """The line on a card leads back to that card; what a card cannot say leads to none."""
    assert card.of(shown.asker, read(shown.typed), private=private) == replace(shown, page="m")
    for more in ("no_pass", "wait=2h", "idle:9d"):
        assert card.of(shown.asker, read(f"{shown.typed} {more}"), private=private) is None


def test_the_usual_opponent_is_remembered_too() -> None:
    """Alone with the bot it is the engine, unless something else was said."""
    for typed, private, level in (
        ("rif", True, DEFAULT_LEVEL),
        ("rif", False, 0),
        ("friend", True, 0),
        ("engine", False, DEFAULT_LEVEL),
    ):
        kept = card.of("7", read(typed), private=private)
        assert kept is not None
        assert kept.level == level
