"""Wins by threes where somebody needs exactly five without there being forbidden moves (``exact_five``)."""

from __future__ import annotations

import numpy as np
import pytest

from core.ai import vcf, vct
from core.notation import SIZE, Board, Colour, Point, board, board_text, point
from tests.core.ai import checker
from tests.core.ai.test_threes import ENOUGH, known, read

BLACK, WHITE = Colour.BLACK, Colour.WHITE
#: Who needs exactly five.
EXACTLY = {"both": (BLACK, WHITE), "black": (BLACK,), "white": (WHITE,)}
_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def options(who: str) -> dict[str, bool]:
    return {"fouls": False, "black_exact": BLACK in EXACTLY[who], "white_exact": WHITE in EXACTLY[who]}


def judge_by(who: str, patch: pytest.MonkeyPatch) -> None:
    """Let the slow checker count fives by these rules."""

    def makes_five(cells: bytearray, p: Point, colour: Colour, *, fouls: bool) -> bool:
        assert not fouls
        runs = [checker._run(cells, p, colour, dx, dy) for dx, dy in _DIRECTIONS]
        return 5 in runs if colour in EXACTLY[who] else max(runs) >= 5

    patch.setattr(checker, "makes_five", makes_five)


def escape(cells: Board, attacker: Colour, who: str) -> str | None:
    """A defence against the solver's own attack; ``None`` when there is none."""

    def reply(at: bytearray) -> tuple[Point, ...]:
        now = np.array(at, dtype=np.uint8)
        by_fours = vcf(now, attacker, **options(who))
        return by_fours.line if by_fours.won else vct(now, attacker, nodes=ENOUGH, **options(who)).line[:1]

    return checker.escape(bytearray(cells), attacker, reply, fouls=False)


@pytest.mark.parametrize("who", EXACTLY)
def test_what_is_claimed_stands(who: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The shortest wins of the known positions that are wins by these rules, against every defence on the board."""
    judge_by(who, monkeypatch)
    won = []
    for entry in known()[::3]:
        cells, attacker, _ = read(entry)
        found = vct(cells, attacker, nodes=ENOUGH, **options(who))
        if found.won and attacker in EXACTLY[who] and vcf(cells, attacker, **options(who)).won is False:
            won.append((len(found.line), board_text(cells), cells, attacker))
    assert len(won) > 2
    for _, text, cells, attacker in sorted(won, key=lambda one: one[:2])[:1]:
        assert escape(cells, attacker, who) is None, text


@pytest.mark.parametrize("who", EXACTLY)
def test_exactly_five_is_harder(who: str) -> None:
    """Who wins needing exactly five also wins needing five or more, the other side's rules being what they are."""
    for entry in known()[::3]:
        cells, attacker, _ = read(entry)
        if attacker not in EXACTLY[who]:
            continue
        strict = options(who)
        loose = strict | {"black_exact" if attacker is BLACK else "white_exact": False}
        if vct(cells, attacker, nodes=ENOUGH, **strict).won:
            assert vct(cells, attacker, nodes=ENOUGH, **loose).won, board_text(cells)


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_a_six_is_no_five(colour: Colour) -> None:
    """A row whose fifth stone would be the sixth is no threat where exactly five is needed, and one where it is not."""
    own = [point(text) for text in ("e8", "f8", "g8", "i8", "j8")]
    others = [point(text) for text in ("d8", "k8", "a1", "c1")]
    cells = board(own, others) if colour is BLACK else board(others, own)
    who = "black" if colour is BLACK else "white"
    assert vcf(cells, colour, **options(who)).won is False
    assert not vct(cells, colour, nodes=ENOUGH, **options(who)).won
    loose = {"fouls": False, "black_exact": False, "white_exact": False}
    assert vcf(cells, colour, **loose).line == (point("h8"),)
    assert vct(cells, colour, nodes=ENOUGH, **loose).won


def test_the_checker_counts_by_these_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six in a row are a five for who needs no more than five, and none for who needs exactly five."""
    cells = bytearray(SIZE * SIZE)
    for text in ("e8", "f8", "g8", "i8", "j8"):
        cells[point(text)] = WHITE
    for who, wins in (("both", False), ("white", False), ("black", True)):
        judge_by(who, monkeypatch)
        assert checker.makes_five(cells, point("h8"), WHITE, fouls=False) is wins
