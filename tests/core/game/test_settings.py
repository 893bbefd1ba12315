"""What can be agreed before a game, and what cannot."""

from __future__ import annotations

import msgspec
import pytest

from core.game import ALL_PROTOCOLS, FoulMode, Settings, SettingsError


def test_who_chooses_nothing_gets_the_defaults_of_the_rules() -> None:
    """Protocol ``free`` from tengen, claims with three wrong ones, passing allowed (section 13)."""
    agreed = Settings()
    assert (agreed.protocol, agreed.foul_mode, agreed.wrong_claims) == ("free", FoulMode.CLAIM, 3)
    assert (agreed.overline_claim, agreed.wrong_claim, agreed.symmetry) == ("any_time", "free", "local")
    assert not any((agreed.free_first, agreed.no_offbook, agreed.no_pass, agreed.rated, agreed.exclude))
    assert agreed.fouls
    assert agreed.secret
    assert msgspec.json.encode(agreed) == b"{}"


def test_all_sixteen_protocols_have_a_table() -> None:
    """Those offered in the chats are among them."""
    assert len(ALL_PROTOCOLS) == 16
    for protocol in ALL_PROTOCOLS:
        opening = "D4" if protocol == "designated" else ""
        assert Settings(protocol=protocol, opening=opening).table().id == protocol


def test_openings_are_kept_as_codes() -> None:
    """In any language, in order, without doubles; so equal agreements are equal values."""
    agreed = Settings(exclude=("浦月", "4d", "I7", "kagetsu"))
    assert agreed.exclude == ("D4", "I7")
    assert agreed == Settings(exclude=("D4", "I7"))
    assert Settings(protocol="designated", opening="花月").opening == "D4"
    assert msgspec.json.decode(msgspec.json.encode(agreed), type=Settings) == agreed


def test_two_offers_may_be_said_as_true() -> None:
    """``five_offers`` is a number, and ``True`` the two of the rules."""
    for said, kept in ((True, 2), (False, 0), (2, 2), (0, 0), (5, 5)):
        agreed = Settings(protocol="designated", opening="D4", five_offers=said)
        assert agreed.five_offers == kept
        assert agreed.five_offers is not True


@pytest.mark.parametrize(
    ("agreed", "word", "part"),
    [
        ({"protocol": "soosirv_8"}, "soosirv_8", "did you mean soosyrv_8?"),
        ({"protocol": "go"}, "go", "free, rif, swap_1989"),
        ({"protocol": ""}, "", "free, rif"),
        ({"exclude": ("D14",)}, "D14", "unknown opening"),
        ({"exclude": ("",)}, "", "unknown opening"),
        ({"protocol": "designated", "opening": "Kagetu"}, "Kagetu", "D4 Kagetsu"),
        ({"protocol": "designated"}, "opening", "needs an opening"),
        ({"protocol": "designated", "opening": "D4", "exclude": ("D4",)}, "D4", "excluded"),
        ({"exclude": tuple(f"D{n}" for n in range(1, 14))}, "D1", "at least one direct"),
        ({"exclude": tuple(f"I{n}" for n in range(1, 14))}, "I1", "at least one direct"),
        (
            {"protocol": "swap_1989", "exclude": tuple(f"D{n}" for n in range(1, 13))},  # D13 it leaves out itself
            "D1",
            "at least one direct",
        ),
        ({"exact_five": True}, "exact_five", "freestyle"),
        ({"black_exact_five": True, "foul_mode": FoulMode.BLOCKED}, "black_exact_five", "freestyle"),
        ({"protocol": "rif", "free_first": True}, "free_first", "free"),
        ({"move2_by": "white"}, "move2_by", "rif"),
        ({"protocol": "rif", "k_max": 5}, "k_max", "yamaguchi"),
        ({"protocol": "yamaguchi", "k_max": 0}, "k_max", "from 1 to 50"),
        ({"protocol": "yamaguchi", "k_max": 51}, "k_max", "from 1 to 50"),
        ({"opening": "D4"}, "opening", "designated"),
        ({"five_offers": 2}, "five_offers", "designated"),
        ({"protocol": "designated", "opening": "D4", "five_offers": -1}, "five_offers", "0 to 50"),
        ({"protocol": "pro", "no_offbook": True}, "no_offbook", "contradicts"),
        ({"protocol": "long_pro", "no_offbook": True}, "no_offbook", "contradicts"),
        ({"wrong_claims": -1}, "wrong_claims", "from 0"),
        ({"wrong_claims": 226}, "wrong_claims", "to 225"),
        ({"hidden": -1}, "hidden", "from 0"),
    ],
)
def test_what_cannot_be_agreed_says_why(agreed: dict[str, object], word: str, part: str) -> None:
    """Unknown names list the choices, options without effect say where they belong."""
    with pytest.raises(SettingsError, match=part.replace("?", r"\?")) as caught:
        Settings(**agreed)  # type: ignore[arg-type]
    assert caught.value.word == word
