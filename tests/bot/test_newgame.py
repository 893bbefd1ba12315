"""The words after /newgame."""

from __future__ import annotations

import pytest

from bot.newgame import UnknownWord, known_words, read
from core.game import Draw, FoulMode


def test_nothing_said_is_the_plain_game() -> None:
    """free, claim, colours by guess."""
    wanted = read("")
    assert (wanted.protocol, wanted.foul_mode, wanted.begins, wanted.level) == ("free", FoulMode.CLAIM, "guess", None)


def test_words_come_in_any_order_and_case() -> None:
    """People type as they like."""
    assert read("RIF engine Blocked white") == read("white blocked rif ENGINE")


def test_a_level_means_the_engine() -> None:
    """A bare number is the engine's level."""
    assert read("engine 3").level == read("3 engine").level == read("3").level == 3


def test_chinese_words_mean_the_same() -> None:
    """Players write in their language."""
    assert read("人机 无禁手 执黑") == read("engine freestyle black")


@pytest.mark.parametrize("typed", ["renju", "engine riff", "11", "0", "-1", "²", "claim; drop"])
def test_an_unknown_word_is_named(typed: str) -> None:
    """The culprit itself comes back, as it was written."""
    with pytest.raises(UnknownWord) as caught:
        read(typed)
    assert caught.value.word in typed.split()


@pytest.mark.parametrize("word", known_words())
def test_every_word_that_is_listed_is_understood(word: str) -> None:
    """What the help lists works."""
    read(word)


@pytest.mark.parametrize(("begins", "first"), [("black", 0), ("white", 1)])
def test_the_opener_gets_the_colour_they_asked_for(begins: str, first: int) -> None:
    """black: the opener is P1; white: the other seat is."""
    assert read(begins).settings(0).first == first
    assert read(begins).settings(1).first == 1 - first


def test_the_hidden_number_is_odd_or_even() -> None:
    """The guess can be won and lost."""
    hidden = {read("guess").settings(0).hidden for _ in range(200)}
    assert {number % 2 for number in hidden} == {0, 1}
    assert read("guess").settings(0).draw is Draw.GUESS
    assert min(hidden) >= 1
