"""The 26 openings: by the order of their moves, in any orientation, and by name."""

from __future__ import annotations

from itertools import product

import pytest

from core.notation import POINTS, SYMMETRIES, TENGEN, distance_from_tengen, moves, point
from core.openings.names import OPENINGS, find, nearest, opening_of, orientations


def test_there_are_13_direct_and_13_indirect() -> None:
    """Codes in order, canonical second moves h9 and i9."""
    assert [opening.code for opening in OPENINGS] == [f"{kind}{n}" for kind in "DI" for n in range(1, 14)]
    for opening in OPENINGS:
        assert opening.direct is opening.code.startswith("D")
        assert opening.second == point("h9" if opening.direct else "i9")
        assert opening_of(*opening.points) is opening


def test_every_book_pair_is_exactly_one_opening() -> None:
    """All 184 pairs of a move 2 in the 3x3 and a move 3 in the 5x5 are covered, and nothing else (R8.4)."""
    found = 0
    for second, third in product(range(POINTS), repeat=2):
        if len({second, third, TENGEN}) < 3:
            continue
        on_book = distance_from_tengen(second) == 1 and distance_from_tengen(third) <= 2
        opening = opening_of(TENGEN, second, third)
        assert (opening is not None) == on_book
        found += on_book
        if opening is not None:
            images = {(int(image[second]), int(image[third])) for image in SYMMETRIES}
            assert all(opening_of(TENGEN, *image) is opening for image in images)
            assert (opening.second, opening.third) in images
    assert found == 184


def test_twenty_have_eight_orientations_and_six_have_four() -> None:
    """As counted in section 11."""
    four = {opening.code for opening in OPENINGS if len(orientations(opening)) == 4}
    assert four == {"D1", "D8", "D11", "I1", "I11", "I13"}
    assert all(len(orientations(opening)) == 8 for opening in OPENINGS if opening.code not in four)
    assert all(orientations(opening)[0] == (opening.second, opening.third) for opening in OPENINGS)


def test_the_order_of_moves_counts() -> None:
    """D2 and I2, D6 and I6 leave the same pattern but are different openings (section 10)."""
    assert opening_of(*moves("h8h9i10")).code == "D2"  # type: ignore[union-attr]
    assert opening_of(*moves("h8i9j9")).code == "I2"  # type: ignore[union-attr]
    assert opening_of(*moves("h9h8i10")) is None
    assert opening_of(*moves("h8h6h9")) is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("D4", "D4"),
        ("d4", "D4"),
        ("4D", "D4"),
        (" 4d ", "D4"),
        ("Ｄ４", "D4"),
        ("花月", "D4"),
        ("花月局", "D4"),
        ("Kagetsu", "D4"),
        ("flower moon", "D4"),
        ("かげつ", "D4"),
        ("浦月", "I7"),
        ("7i", "I7"),
        ("雲月", "I6"),
        ("云月", "I6"),
        ("殘月", "D5"),
        ("残月", "D5"),
        ("恆星", "I3"),
        ("疎星", "D3"),
        ("疏星", "D3"),
        ("遊星", "D13"),
        ("游星", "D13"),
        ("kōsei", "I3"),
        ("kosei", "I3"),
        ("kousei", "I3"),
        ("Myojo", "I10"),
        ("Meteor", "I5"),
        ("Shooting star", "I5"),
    ],
)
def test_names_as_people_type_them(text: str, code: str) -> None:
    """Codes in both orders, both Chinese scripts, Japanese, romaji with or without long vowels, English."""
    found = find(text)
    assert found is not None
    assert found.code == code


@pytest.mark.parametrize("text", ["", "D0", "D14", "I14", "H8", "月", "4", "Flower"])
def test_what_names_nothing(text: str) -> None:
    """No opening, rather than a wrong one."""
    assert find(text) is None


def test_every_name_leads_back_to_its_opening() -> None:
    """No two openings share a spelling in any language."""
    for opening in OPENINGS:
        for text in (opening.zh_hans, opening.zh_hant, opening.ja, opening.kana, opening.romaji, opening.en):
            assert find(text) is opening


def test_the_nearest_names_help_with_a_slip() -> None:
    """A typing slip finds the opening meant; noise finds nothing."""
    assert nearest("Kagetu")[0].code == "D4"
    assert nearest("long stars")[0].code == "I1"
    assert nearest("xyzzy" * 1000) == ()
