"""Wins by continuous threes and fours: every claim stands against every defence on the board."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from core.ai import Stop, vcf, vct
from core.notation import POINTS, Board, Colour, Point, board, board_text, moves, name, point
from tests.core.ai import checker
from tests.core.rules.positions import lines

BLACK, WHITE = Colour.BLACK, Colour.WHITE
#: Nodes that are far more than enough for the known positions.
ENOUGH = 50_000


@cache
def known() -> tuple[dict[str, Any], ...]:
    """Positions of the engine's own games that it won by threes and not by fours alone, under two sets of rules."""
    return tuple(lines("vct_positions.jsonl"))


def read(entry: dict[str, Any]) -> tuple[Board, Colour, dict[str, bool]]:
    cells = board(map(point, entry["black"]), map(point, entry["white"]))
    free = entry["rules"] == "free"
    return cells, BLACK if entry["to_move"] == "b" else WHITE, {"fouls": not free, "black_exact": not free}


def escape(cells: Board, attacker: Colour, options: dict[str, bool]) -> str | None:
    """A defence against the solver's own attack, by the slow checker; ``None`` when there is none."""

    def reply(at: bytearray) -> tuple[Point, ...]:
        now = np.array(at, dtype=np.uint8)
        by_fours = vcf(now, attacker, **options)
        return by_fours.line if by_fours.won else vct(now, attacker, nodes=ENOUGH, **options).line[:1]

    return checker.escape(bytearray(cells), attacker, reply, fouls=options["fouls"])


class TestKnownPositions:
    """Positions with a win by threes."""

    def test_every_win_is_found(self) -> None:
        """All are won, none by fours alone, and the line begins and goes on with legal moves, in turn."""
        assert len(known()) == 60
        for entry in known():
            cells, attacker, options = read(entry)
            assert vcf(cells, attacker, **options).won is False
            found = vct(cells, attacker, nodes=ENOUGH, **options)
            assert found.won, board_text(cells)
            for n, p in enumerate(found.line):
                mover = attacker if n % 2 == 0 else attacker.other
                assert not cells[p]
                assert not checker.forbidden(bytearray(cells), p, mover, fouls=options["fouls"])
                cells[p] = mover

    def test_a_win_is_found_anew_all_along_its_line(self) -> None:
        """Each position of an attack that is proven is a win by itself, with a search of its own."""
        for entry in known()[::6]:
            cells, attacker, options = read(entry)
            line = vct(cells, attacker, nodes=ENOUGH, **options).line
            for n, p in enumerate(line):
                if n % 2 == 0:
                    assert vct(cells, attacker, nodes=ENOUGH, **options).won, board_text(cells)
                cells[p] = attacker if n % 2 == 0 else attacker.other

    def test_a_position_reached_in_many_orders_does_not_look_endless(self) -> None:
        """White's k12 makes a four and goes on; what is left to prove, summed up over all orders, once hid that."""
        black = moves("e12l11i12g11g8h8g7i7j7e6f6e5f5")
        white = moves("f11h11i11j11k11g10i10h9i9i8f7d4")
        cells = board(black, white)
        assert vct(cells, WHITE, nodes=ENOUGH, fouls=False, black_exact=False).won

    @pytest.mark.parametrize("rules", ["renju", "free"])
    def test_the_short_wins_stand_against_every_defence(self, rules: str) -> None:
        """Every empty point is tried against every three, with and without forbidden moves."""
        short = sorted((e for e in known() if e["rules"] == rules), key=lambda e: e["length"])[:2]
        for entry in short:
            cells, attacker, options = read(entry)
            assert escape(cells, attacker, options) is None, board_text(cells)

    @pytest.mark.slow
    def test_all_of_them_do(self) -> None:
        """The long ones too."""
        for entry in known():
            cells, attacker, options = read(entry)
            assert escape(cells, attacker, options) is None, board_text(cells)


class TestLimits:
    """A search that may not go on says so, and never claims what it does not know."""

    def test_nodes_run_out(self) -> None:
        """Undecided is neither won nor lost."""
        for entry in known()[:5]:
            cells, attacker, options = read(entry)
            found = vct(cells, attacker, nodes=3, **options)
            assert found.won is None
            assert found.line == ()

    def test_a_stop_that_is_set_ends_it_at_once(self) -> None:
        """Nothing is searched when the stop is set already."""
        stop = Stop()
        stop.set()
        cells, attacker, options = read(known()[0])
        assert vct(cells, attacker, stop=stop, **options).won is None

    def test_a_quiet_board_has_no_attack(self) -> None:
        """Without anything to attack with the answer is no."""
        assert vct(np.zeros(POINTS, dtype=np.uint8), BLACK).won is False
        assert vct(np.full(POINTS, 2, dtype=np.uint8), BLACK).won is False
        assert vct(board(moves("h8h9")[::2], moves("h8h9")[1::2]), BLACK).won is False

    def test_the_same_question_has_the_same_answer(self) -> None:
        """Line and verdict are equal, run after run."""
        cells, attacker, options = read(known()[3])
        first = vct(cells, attacker, nodes=ENOUGH, **options)
        assert first == vct(cells, attacker, nodes=ENOUGH, **options)
        assert [name(p) for p in first.line]
