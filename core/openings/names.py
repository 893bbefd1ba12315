"""The 26 openings: what they are called, and which of them three stones form (rules section 11).

An opening is known by the order of its moves and the symmetries of the board, never by the pattern of its stones:
D2 and I2 leave the same pattern, shifted by one point, and so do D6 and I6 (section 10).
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final

import msgspec

from core.notation import SYMMETRIES, TENGEN, Point, point


@dataclass(frozen=True, slots=True)
class Opening:
    """One of the 26: move 1 on tengen, move 2 above it (direct) or above and right of it (indirect), move 3."""

    code: str
    """``"D1"`` to ``"D13"`` (direct) and ``"I1"`` to ``"I13"`` (indirect)."""
    second: Point
    third: Point
    """Moves 2 and 3 in the orientation in which openings are drawn in books."""
    zh_hans: str
    zh_hant: str
    ja: str
    kana: str
    romaji: str
    en: str
    """A gloss of the name; there is no agreed English set."""
    also: tuple[str, ...] = ()
    """Other spellings."""

    @property
    def direct(self) -> bool:
        """Whether move 2 lies beside move 1 in a row or column (直止), rather than diagonally (斜止)."""
        return self.code.startswith("D")

    @property
    def points(self) -> tuple[Point, Point, Point]:
        """Its three moves in the orientation of the books."""
        return TENGEN, self.second, self.third


class _Row(msgspec.Struct, forbid_unknown_fields=True):
    code: str
    second: str
    third: str
    zh_hans: str
    zh_hant: str
    ja: str
    kana: str
    romaji: str
    en: str
    also: list[str]


def _read() -> tuple[Opening, ...]:
    rows = msgspec.json.decode(Path(__file__).with_name("openings.json").read_bytes(), type=list[_Row])
    return tuple(
        Opening(
            row.code,
            point(row.second),
            point(row.third),
            row.zh_hans,
            row.zh_hant,
            row.ja,
            row.kana,
            row.romaji,
            row.en,
            tuple(row.also),
        )
        for row in rows
    )


#: All of them, D1 to D13, then I1 to I13.
OPENINGS: Final = _read()

#: Moves 2 and 3 in every orientation.
_ORIENTED: Final = {
    (int(image[opening.second]), int(image[opening.third])): opening for opening in OPENINGS for image in SYMMETRIES
}


def opening_of(first: Point, second: Point, third: Point) -> Opening | None:
    """The opening that these three moves form, in any orientation; ``None`` when they are off the book (R8.4)."""
    return _ORIENTED.get((second, third)) if first == TENGEN else None


def orientations(opening: Opening) -> tuple[tuple[Point, Point], ...]:
    """Moves 2 and 3 of an opening in all its 4 or 8 orientations, the one of the books first."""
    return tuple(moves for moves, found in _ORIENTED.items() if found is opening)


# -- names as people type them -----------------------------------------------------------------------------------------

_FULL_WIDTH: Final = {0xFF01 + offset: 0x21 + offset for offset in range(94)}
_LONG_VOWELS: Final = (("ō", "o"), ("ū", "u"), ("ou", "o"), ("uu", "u"))


def _key(text: str) -> str:
    """A name without what spellings differ in: case, spaces, width, long vowels, the suffix 局 ("opening")."""
    key = "".join(text.translate(_FULL_WIDTH).casefold().split()).replace("-", "").removesuffix("局")
    for long, short in _LONG_VOWELS:
        key = key.replace(long, short)
    return key


def _spellings() -> dict[str, Opening]:
    known: dict[str, Opening] = {}
    for opening in OPENINGS:
        kind, number = opening.code[0], opening.code[1:]
        names = (opening.zh_hans, opening.zh_hant, opening.ja, opening.kana, opening.romaji, opening.en, *opening.also)
        for text in (opening.code, f"{number}{kind}", *names):
            if known.setdefault(_key(text), opening) is not opening:
                raise ValueError(f"{text!r} names two openings")
    return known


_KNOWN: Final = _spellings()


def find(text: str) -> Opening | None:
    """The opening called ``text``: its code (``D4``, ``4D``) or its name in Chinese, Japanese or English."""
    return _KNOWN.get(_key(text))


def nearest(text: str) -> tuple[Opening, ...]:
    """Openings whose code or name looks like ``text``, at most three, the likeliest first; for messages."""
    close = get_close_matches(_key(text[:40]), _KNOWN, n=6, cutoff=0.5)
    return tuple(dict.fromkeys(_KNOWN[key] for key in close))[:3]
