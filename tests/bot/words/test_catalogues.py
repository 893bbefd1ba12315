"""Every sentence is found by the translators, and every catalogue has it."""

from __future__ import annotations

import ast
from string import Formatter

import pytest

from bot.words import LANGUAGES, Phrase, words
from tools import catalogue

TRANSLATED = [language for language in LANGUAGES if language != "en"]
SENTENCES = list(catalogue.sentences())


def gaps(sentence: str) -> list[str]:
    """The names in braces, in order of the alphabet; each must be plain."""
    found = []
    for _, name, form, conversion in Formatter().parse(sentence):
        if name is not None:
            assert name.isidentifier(), sentence
            assert not form, sentence
            assert conversion is None, sentence
            found.append(name)
    return sorted(found)


class TestTheCode:
    def test_says_sentences_in_english(self) -> None:
        """There are sentences, and they are written in ASCII but for typography."""
        assert len(SENTENCES) > 150
        for sentence in SENTENCES:
            letters = {c for c in sentence.msgid if ord(c) > 127}
            assert letters <= set("×·–—…“”’●○"), sentence

    def test_gives_each_sentence_the_values_it_needs(self) -> None:
        """The gaps of a sentence are filled by the call that says it: no more, no less."""
        for sentence in SENTENCES:
            wanted = set(gaps(sentence.msgid)) | set(gaps(sentence.plural or ""))
            given = sentence.values - ({"n"} - wanted if sentence.plural else set())
            assert given == wanted, f"{sentence.file}:{sentence.line}: {sentence.msgid}"

    def test_gives_the_singular_no_gap_that_the_plural_lacks(self) -> None:
        """Languages with one form fill it with the plural's values."""
        for sentence in SENTENCES:
            if sentence.plural:
                assert set(gaps(sentence.msgid)) <= set(gaps(sentence.plural)), sentence

    @pytest.mark.parametrize(
        "source",
        [
            "words.say(text)",
            'words.say(f"Move {number}")',
            'say("Move " + number)',
            'self.words.say(messages["over"])',
            'words.count("one", many, 3)',
            "words.say()",
        ],
    )
    def test_may_not_compute_a_sentence(self, source: str) -> None:
        """A sentence that is put together is refused, with the place."""
        with pytest.raises(catalogue.NotLiteral, match=r"some/file\.py:2"):
            list(catalogue.in_source("\n" + source, "some/file.py"))

    def test_may_count_letters(self) -> None:
        """``count`` of a text or list is no sentence."""
        assert list(catalogue.in_source('text.count("x"); [1].count(n)', "some/file.py")) == []

    def test_may_send_what_it_was_told(self) -> None:
        """A method of a chat that is called ``say`` and awaited is no sentence."""
        source = "async def f():\n    await reply.say(notice.text)"
        assert list(catalogue.in_source(source, "some/file.py")) == []


@pytest.mark.parametrize("language", TRANSLATED)
class TestEachCatalogue:
    def test_has_every_sentence_and_no_other(self, language: str) -> None:
        """After a change of the code: python tools/catalogue.py, then translate."""
        has = {catalogue.key_of(message.id) for message in catalogue.read(language) if message.id}
        assert has == {sentence.key for sentence in SENTENCES}

    def test_translates_everything(self, language: str) -> None:
        """Nobody reads English in another language."""
        assert catalogue.untranslated(catalogue.read(language)) == []

    def test_is_certain(self, language: str) -> None:
        """A fuzzy translation is not shown, so there is none."""
        assert [message.id for message in catalogue.read(language) if message.fuzzy and message.id] == []

    def test_keeps_the_gaps(self, language: str) -> None:
        """A translation has the gaps of its sentence; one form for all numbers has those of the plural."""
        for message in catalogue.read(language):
            if not message.id:
                continue
            if isinstance(message.id, str):
                assert gaps(str(message.string)) == gaps(message.id), message.id
            else:
                for form in message.string:
                    assert set(gaps(form)) <= set(gaps(message.id[1])), message.id
                assert gaps(message.string[-1]) == gaps(message.id[1]), message.id

    def test_is_as_the_tool_writes_it(self, language: str) -> None:
        """Running the tool changes nothing."""
        fresh = catalogue.written(catalogue.updated(catalogue.read(language), language))
        assert (catalogue.CATALOGUES / f"{language}.po").read_bytes() == fresh

    def test_is_the_language_it_says(self, language: str) -> None:
        """Chinese sentences hold Chinese characters."""
        assert language == "zh_Hans"
        for message in catalogue.read(language):
            said = message.string if isinstance(message.string, str) else message.string[0]
            if message.id and len(gaps(said)) * 3 < len(said) and said not in ("、",):
                assert any("\u4e00" <= c <= "\u9fff" for c in said), message.id

    def test_is_read_as_it_stands(self, language: str) -> None:
        """What is said is what the file says."""
        chosen = words(language)
        for message in catalogue.read(language):
            if not message.id:
                continue
            if isinstance(message.id, str):
                filled = {name: Phrase(name) for name in gaps(message.id)}
                assert chosen.say(message.id, **filled) == str(message.string).format_map({n: n for n in filled})
            else:
                filled = {name: Phrase(name) for name in gaps(message.id[1]) if name != "n"}
                said = message.string[-1].format_map({"n": 7} | {n: n for n in filled})
                assert chosen.count(message.id[0], message.id[1], 7, **filled) == said


def test_the_tool_knows_every_language() -> None:
    """English needs no catalogue."""
    assert list(catalogue.LANGUAGES) == TRANSLATED


def test_the_tool_finds_nothing_to_do(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Its check says in words what the tests above say."""
    monkeypatch.setattr("sys.argv", ["catalogue.py", "--check"])
    assert catalogue.main() == 0
    assert capsys.readouterr().out == ""


def test_the_tool_keeps_translations_and_drops_what_is_unused() -> None:
    """A catalogue with one wrong entry: it goes, the others stay."""
    old = catalogue.read("zh_Hans")
    old.add("No such sentence.", "没有这句。")
    fresh = catalogue.updated(old, "zh_Hans")
    assert fresh.get("No such sentence.") is None
    resign = fresh.get("Resign")
    assert resign is not None
    assert resign.string == "认输"


def test_sentences_are_found_wherever_words_are_called() -> None:
    """``say`` on any receiver or by its bare name; ``count`` on words."""
    source = 'words(x).say("A {b}", b=1); say("C"); self._words.count("D", "{n} D", k)'
    found = list(catalogue.in_source(ast.unparse(ast.parse(source)), "f"))
    assert [(s.msgid, s.plural, s.values) for s in found] == [
        ("A {b}", "", {"b"}),
        ("C", "", set()),
        ("D", "{n} D", {"n"}),
    ]
