"""Foreign text in a sentence: shown exactly, and harmless (promise 9)."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.words import LANGUAGES, Phrase, words
from bot.words.values import LIMIT, cut, graphemes, harmless, utf16

FSI, PDI = "\u2068", "\u2069"


class TestNames:
    @pytest.mark.parametrize(
        "name", ["<b>&_*", "Anna", "O'Brien", "{name}", "{0.__class__}", "%s %(x)d", "@everyone", "李小龙"]
    )
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_are_shown_exactly(self, name: str, language: str) -> None:
        """Markup and braces mean nothing here; whoever shows the text escapes it."""
        assert name in words(language).say("{name} (Black)", name=name)

    def test_cannot_break_the_line(self) -> None:
        """Line breaks and control characters cannot forge a line of the text twin."""
        assert harmless("Anna\nWhite: Eve\r\u2028x\x1b[31m\x00\ttab") == "Anna White: Eve x[31m tab"

    def test_cannot_turn_the_sentence_around(self) -> None:
        """A name from right to left is isolated; marks that override the direction are gone."""
        assert harmless("שלום") == f"{FSI}שלום{PDI}"
        assert harmless("evil\u202eabc\u2066\u2069\u202c") == "evilabc"

    def test_are_never_empty(self) -> None:
        """A name of nothing but control characters is still a name."""
        assert harmless("\u202e\n\x00") == "?"

    @pytest.mark.parametrize(
        "name", ["\u200b\u200b", "\u3164", "\u2800\u2800", "\ufeff\u00ad", "\u200d\u0301", "\u034f"]
    )
    def test_are_never_invisible(self, name: str) -> None:
        """A name without ink would leave a line as if nobody sat there; as part of a name such signs stay."""
        assert harmless(name) == "?"
        assert harmless(f"a{name}") == f"a{name}"

    def test_are_cut_by_what_a_reader_sees(self) -> None:
        """Emoji of several characters and letters with marks stay whole."""
        family = "👨\u200d👩\u200d👧"
        assert list(graphemes(f"a{family}e\u0301🇩🇪🇫🇷👍🏽")) == ["a", family, "e\u0301", "🇩🇪", "🇫🇷", "👍🏽"]
        assert cut("🇩🇪" * 40, 5) == "🇩🇪" * 2 + "…", "bounded in UTF-16 units, too"
        assert cut("e\u0301" * 10, 5) == "e\u0301" * 4 + "…"
        assert cut("abcde", 5) == "abcde"
        assert cut("abcdef", 5) == "abcd…"

    def test_cannot_grow_in_height_without_end(self) -> None:
        """One letter under a thousand marks is too long, too."""
        assert utf16(harmless("z" + "\u0335" * 1000)) <= 2 * LIMIT

    @given(st.text(st.characters(codec=None), max_size=300))
    def test_keep_every_promise_whatever_they_are(self, name: str) -> None:
        """One line, bounded, encodable, balanced isolates, no control characters."""
        shown = harmless(name)
        assert shown
        assert utf16(shown) <= 2 * LIMIT + 2
        assert shown.encode()
        assert len(list(graphemes(shown))) <= LIMIT + 2
        assert shown.count(FSI) == shown.count(PDI) <= 1
        for character in shown.strip(FSI + PDI):
            assert unicodedata.category(character) not in ("Cc", "Zl", "Zp", "Cs")
            assert unicodedata.bidirectional(character) not in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI")

    @given(st.text(max_size=100))
    def test_are_split_into_what_makes_them_up(self, text: str) -> None:
        """Graphemes are pieces of the text, none empty."""
        pieces = list(graphemes(text))
        assert "".join(pieces) == text
        assert all(pieces)


class TestOurOwnWords:
    def test_are_shown_as_they_are(self) -> None:
        """A phrase is neither cut nor isolated."""
        long = "x" * 500
        assert words("en").say("{name} (Black)", name=Phrase(long)) == f"{long} (Black)"

    def test_are_listed_as_the_language_does(self) -> None:
        """Chinese has a comma of its own for lists."""
        assert words("en").listed(["H8", "J9"]) == Phrase("H8, J9")
        assert words("zh_Hans").listed(["H8", "J9"]) == Phrase("H8、J9")


class TestNumbers:
    @pytest.mark.parametrize(
        ("n", "en", "zh"),
        [
            (0, "0 stones were taken back for Anna.", "Anna悔棋，收回 0 子。"),
            (1, "1 stone was taken back for Anna.", "Anna悔棋，收回 1 子。"),
            (2, "2 stones were taken back for Anna.", "Anna悔棋，收回 2 子。"),
        ],
    )
    def test_choose_the_form(self, n: int, en: str, zh: str) -> None:
        """The plural forms are the language's own."""
        for language, expected in (("en", en), ("zh_Hans", zh)):
            said = words(language).count(
                "{n} stone was taken back for {who}.", "{n} stones were taken back for {who}.", n, who="Anna"
            )
            assert said == expected


def test_an_unknown_sentence_is_said_in_english() -> None:
    """Better English than nothing."""
    assert words("zh_Hans").say("Nobody has translated {what}.", what="this") == "Nobody has translated this."
