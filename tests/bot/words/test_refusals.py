"""Every refusal has a sentence of its own, in every language."""

from __future__ import annotations

import pytest

from bot.session.table import Declined
from bot.words import LANGUAGES, explain, words
from core.action import ActionError
from core.game import Refusal, Settings, SettingsError, Why, action
from core.notation import NotationError, Unreadable, point
from core.openings.names import OPENINGS
from core.rules import Verdict

pytestmark = pytest.mark.parametrize("language", LANGUAGES)

H8, J9 = point("h8"), point("j9")


#: Actions that belong to a step; ``swap`` and ``keep`` share a sentence, the referee's have one together.
_STEPS = ("guess", "hide", "place", "swap", "colour", "add", "declare", "branch", "offer", "choose", "flag")


def every_refusal() -> list[Refusal]:
    """Each reason as the game gives it, with its variants."""
    kinds = [verdict.kind for verdict in Verdict if verdict.forbidden]
    variants = {
        Why.FORBIDDEN_POINT: [Refusal(Why.FORBIDDEN_POINT, point=H8, text=kind) for kind in (*kinds, "")],
        Why.OUTSIDE_AREA: [Refusal(Why.OUTSIDE_AREA, point=H8, number=size) for size in (1, 3)],
        Why.TOO_MANY_OFFERS: [Refusal(Why.TOO_MANY_OFFERS, number=2)],
        Why.EXCLUDED_OPENING: [Refusal(Why.EXCLUDED_OPENING, point=H8, text="D4")],
        Why.NOT_NOW: [Refusal(Why.NOT_NOW, text=act) for act in _STEPS],
    }
    return [refusal for why in Why for refusal in variants.get(why, [Refusal(why, point=H8, other=J9, number=12)])]


def settings_errors() -> list[SettingsError]:
    """Each kind of contradiction, as ``Settings`` raises it."""
    wrong: list[dict[str, object]] = [
        {"protocol": "rif", "free_first": True},
        {"protocol": "free", "move2_by": "white"},
        {"protocol": "free", "k_max": 5},
        {"protocol": "designated"},
        {"protocol": "free", "five_offers": 2},
        {"protocol": "pro", "no_offbook": True},
        {"exact_five": True},
        {"wrong_claims": 226},
        {"clock": "noon"},
        {"hidden": -1},
        {"exclude": tuple(opening.code for opening in OPENINGS if opening.direct)},
        {"protocol": "chess"},
    ]
    errors = []
    for settings in wrong:
        with pytest.raises(SettingsError) as raised:
            Settings(**settings)  # type: ignore[arg-type]
        errors.append(raised.value)
    return errors


def unreadable(text: str) -> NotationError:
    """How ``text`` fails as a point."""
    with pytest.raises(NotationError) as raised:
        point(text)
    return raised.value


def test_each_has_its_own_sentence(language: str) -> None:
    """No two reasons are told in the same words; only a repeated delivery is answered with silence."""
    chosen = words(language)
    said = [explain(chosen, refusal) for refusal in every_refusal()]
    said += [explain(chosen, declined) for declined in Declined if declined is not Declined.REPEATED]
    said += [explain(chosen, unreadable(text)) for text in ("", "8h", "p16", "hello")]
    said.append(explain(chosen, ActionError("x")))
    assert len(said) == len(set(said))
    for sentence in said:
        assert sentence[-1] in ".。"
        assert "\n" not in sentence
        assert "{" not in sentence
        assert len(sentence) <= 200, "fits the answer to a tap on Telegram"
    settled = [explain(chosen, error) for error in settings_errors()]
    assert len({*said, *settled}) == len(said) + len(settled)


def test_all_reasons_are_asked(language: str) -> None:
    """The lists above leave nothing out."""
    assert {refusal.why for refusal in every_refusal()} == set(Why)
    assert {unreadable(text).why for text in ("", "8h", "p16", "hello")} == set(Unreadable)


def test_a_repeated_delivery_is_silent(language: str) -> None:
    """It was answered the first time."""
    assert explain(words(language), Declined.REPEATED) == ""


def test_a_point_written_backwards_is_turned(language: str) -> None:
    """8H: the letter first. 16P would be no point either way."""
    chosen = words(language)
    assert "H8" in explain(chosen, unreadable("8H"))
    assert explain(chosen, unreadable("16P")) == explain(chosen, unreadable("P16"))


def test_the_board_is_described_to_who_left_it(language: str) -> None:
    """P16 is no point of a board from A to O and 1 to 15."""
    said = explain(words(language), unreadable("P16"))
    assert all(part in said for part in ("A", "O", "1", "15"))


def test_hostile_words_are_repeated_harmlessly(language: str) -> None:
    """What was typed comes back on one line and cut."""
    said = explain(words(language), unreadable("<b>" + "x" * 500 + "\n\u202e"))
    assert "<b>xxx" in said
    assert len(said) < 120
    assert "\u202e" not in said


def test_an_unknown_opening_rule_lists_the_right_ones(language: str) -> None:
    """Who mistypes learns what there is."""
    with pytest.raises(SettingsError) as raised:
        Settings(protocol="riff")
    said = explain(words(language), raised.value)
    assert "riff" in said
    assert all(name in said for name in ("free", "rif"))


def test_the_equal_offer_is_named(language: str) -> None:
    """Which earlier offer it equals."""
    said = explain(words(language), Refusal(Why.SAME_AS_OFFER, point=H8, other=J9))
    assert "H8" in said
    assert "J9" in said


def test_an_excluded_opening_is_named(language: str) -> None:
    """By code and name in the reader's language."""
    said = explain(words(language), Refusal(Why.EXCLUDED_OPENING, point=H8, text="D4"))
    assert "D4" in said
    assert {"en": "Kagetsu", "zh_Hans": "花月"}[language] in said


def test_words_that_are_no_action_are_refused_kindly(language: str) -> None:
    """A forged button."""
    with pytest.raises(ActionError) as raised:
        action("fly")
    assert explain(words(language), raised.value)
