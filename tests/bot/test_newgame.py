"""The words after /newgame."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.newgame import BEGINS, FLAGS, BadValue, UnknownWord, known_words, read
from core.game import Draw, FoulMode, SettingsError


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


@pytest.mark.parametrize(
    ("typed", "protocol"),
    [
        ("soosyrv", "soosyrv_8"),
        ("Soosõrv-4", "soosyrv_4"),
        ("taraguchi", "taraguchi_10"),
        ("taraguchi-5", "taraguchi_5"),
        ("swap1989", "swap_1989"),
        ("SWAP-1989", "swap_1989"),
        ("super-sakata", "super_sakata"),
        ("山口", "yamaguchi"),
        ("索索夫8", "soosyrv_8"),
        ("塔拉山口10", "taraguchi_10"),
        ("塔拉尼科夫", "tarannikov"),
        ("坂田", "sakata"),
        ("指定开局", "designated"),
        ("ｒｉｆ", "rif"),
    ],
)
def test_protocols_have_other_spellings(typed: str, protocol: str) -> None:
    """As other sites and languages write them."""
    assert read(typed).protocol == protocol


@pytest.mark.parametrize(
    ("typed", "clock"),
    [
        ("20m+60s", "20m+60s"),
        ("Fischer:10m+5s", "fischer:10m+5s"),
        ("3d", "3d"),
        ("idle:7d", "idle:7d"),
        ("clock=2d", "2d"),
        ("tournament", "20m+1m"),
        ("不计时", "idle:3d"),
        ("２０ｍ＋６０ｓ", "20m+60s"),
    ],
)
def test_clocks(typed: str, clock: str) -> None:
    """As core.clock writes them."""
    assert read(typed).clock == clock


@pytest.mark.parametrize(
    ("typed", "opening"),
    [
        ("designated D4", "D4"),
        ("designated 4d", "D4"),
        ("designated 3d", "D3"),
        ("指定 花月", "D4"),
        ("designated flower moon 3d", "D4"),
        ("designated blocked hogetsu", "I7"),
        ("kagetsu designated", "D4"),
    ],
)
def test_openings(typed: str, opening: str) -> None:
    """By code or name; right after ``designated`` 3d is the opening 3D, elsewhere three days a turn."""
    wanted = read(typed)
    assert wanted.settings(0).opening == opening
    assert not wanted.lacks_opening


@pytest.mark.parametrize("flag", FLAGS)
def test_flags_can_be_switched_off_again(flag: str) -> None:
    """The last word counts."""
    assert read(flag).options == read(f"{flag}=yes").options == {flag: True}
    assert read(f"{flag} {flag}=no").options == {flag: False}


def test_openings_left_out_add_up() -> None:
    """Several words, with commas of any keyboard."""
    assert read("exclude=D4,I7").settings(0).exclude == ("D4", "I7")
    assert read("exclude=花月、浦月").settings(0).exclude == ("D4", "I7")
    assert read("exclude=[D4] exclude=I7").settings(0).exclude == ("D4", "I7")


@pytest.mark.parametrize(
    ("typed", "option", "choices"),
    [
        ("k_max=many", "k_max", ()),
        ("wrong_claims=-1", "wrong_claims", ()),
        ("symmetry=round", "symmetry", ("local", "board")),
        ("rated=perhaps", "rated", ("yes", "no")),
    ],
)
def test_a_bad_value_is_named_with_the_good_ones(typed: str, option: str, choices: tuple[str, ...]) -> None:
    """No choices: a number."""
    with pytest.raises(BadValue) as caught:
        read(typed)
    assert (caught.value.option, caught.value.choices) == (option, choices)


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        ("tarakuchi", "taraguchi_10"),
        ("rfi", "rif"),
        ("blcked", "blocked"),
        ("engin", "engine"),
        ("kmx=3", "k_max="),
        ("kagetu", "D4"),
    ],
)
def test_an_unknown_word_comes_with_what_looks_like_it(typed: str, near: str) -> None:
    """The likeliest first."""
    with pytest.raises(UnknownWord) as caught:
        read(typed)
    assert caught.value.near[0] == near


@pytest.mark.parametrize(
    ("begins", "draw"),
    [
        ("guess", Draw.GUESS),
        ("random", Draw.RANDOM),
        ("black", Draw.FIXED),
        ("white", Draw.FIXED),
        ("parity_cn", Draw.PARITY_CN),
        ("parity_jp", Draw.PARITY_JP),
    ],
)
def test_the_colours_can_be_settled_in_every_way(begins: str, draw: Draw) -> None:
    """By parity the opener is Black for now."""
    assert begins in BEGINS
    agreed = read(begins).settings(1)
    assert agreed.draw is draw
    assert agreed.first == 1 or not draw.by_parity


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(typed: str) -> None:
    """Whatever people type."""
    with suppress(UnknownWord, BadValue, SettingsError):
        read(typed).settings(0)


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


@pytest.mark.parametrize(
    ("typed", "same"),
    [
        ("引擎 3级", "engine 3"),
        ("等级7", "7"),
        ("20分+60秒", "20m+60s"),
        ("20分钟+60秒钟", "20m+60s"),
        ("3天", "3d"),
        ("idle：7天", "idle:7d"),
        ("好友　山口　指出　执黑　10分+30秒", "friend yamaguchi claim black 10m+30s"),
        ("等待=2小时", "wait=2h"),
        ("wait：3天", "wait=3d"),
        ("无禁 交换2 猜先", "freestyle swap2 guess"),
    ],
)
def test_everything_can_be_typed_in_chinese(typed: str, same: str) -> None:
    """With full-width signs and spaces, as Chinese keyboards write them."""
    assert read(typed) == read(same)


@pytest.mark.parametrize(
    ("typed", "milliseconds"), [("wait=30m", 1_800_000), ("wait=2h", 7_200_000), ("wait:14d", 1_209_600_000)]
)
def test_how_long_somebody_can_join(typed: str, milliseconds: int) -> None:
    """In minutes, hours or days."""
    assert read(typed).wait == milliseconds


@pytest.mark.parametrize("typed", ["wait=0m", "wait=15d", "wait=2", "wait=", "wait=2s"])
def test_it_is_from_a_minute_to_two_weeks(typed: str) -> None:
    """Anything else is refused by its name."""
    with pytest.raises(BadValue) as raised:
        read(typed)
    assert raised.value.option == "wait"
