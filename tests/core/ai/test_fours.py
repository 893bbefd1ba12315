"""Wins by continuous fours: known positions, lines that an independent checker accepts, limits."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache
from random import Random

import numpy as np
import pytest

from core.ai import Stop, vcf
from core.notation import POINTS, Board, Colour, board, board_text, name, point
from tests.core.ai import checker
from tests.core.rules.positions import lines


@dataclass(frozen=True)
class Known:
    """A position of ``tests/data/vcf_positions.jsonl``."""

    cells: Board
    to_move: Colour
    won: bool
    kind: str
    first_moves: tuple[str, ...]


@cache
def known() -> tuple[Known, ...]:
    return tuple(
        Known(
            board(map(point, entry["black"]), map(point, entry["white"])),
            Colour.BLACK if entry["to_move"] == "b" else Colour.WHITE,
            entry["vcf"],
            entry["kind"],
            tuple(entry.get("first_moves", ())),
        )
        for entry in lines("vcf_positions.jsonl")
    )


class TestKnownPositions:
    """Positions on which two independent solvers agree."""

    def test_every_position_is_decided_right(self) -> None:
        """Won or not, also where only a forbidden point wins or saves, also puzzles of up to 87 fours."""
        assert len(known()) == 303
        for case in known():
            assert vcf(case.cells, case.to_move).won is case.won, f"{case.kind}\n{board_text(case.cells)}"

    def test_every_line_stands_the_check(self) -> None:
        """The line wins against every answer, move by move, and begins with one of the winning first moves."""
        for case in known():
            if case.won:
                line = vcf(case.cells, case.to_move).line
                shown = f"{case.to_move.name} {[name(p) for p in line]}\n{board_text(case.cells)}"
                assert checker.faults(case.cells, case.to_move, line) is None, shown
                assert name(line[0]) in case.first_moves, shown

    def test_what_a_forbidden_point_decides_is_otherwise_without_fouls(self) -> None:
        """Without forbidden moves White loses the wins that need one, and Black has those that one prevents."""
        for case in known():
            if case.kind in ("forbidden_win", "forbidden_saves"):
                free = vcf(case.cells, case.to_move, fouls=False, black_exact=False)
                assert free.won is (case.kind == "forbidden_saves"), board_text(case.cells)


class TestTwin:
    """Against the slow search of everything."""

    @pytest.mark.parametrize("fouls", [True, False])
    def test_small_random_positions_agree(self, fouls: bool) -> None:
        """On crowded little positions the solver finds a win exactly when there is one."""
        random = Random(11)
        won = 0
        for _ in range(16):
            cells = np.zeros(POINTS, dtype=np.uint8)
            square = [y * 15 + x for x in range(7) for y in range(7)]
            for n, p in enumerate(random.sample(square, 15)):
                cells[p] = 1 + n % 2
            for colour in (Colour.BLACK, Colour.WHITE):
                found = vcf(cells, colour, fouls=fouls, black_exact=fouls)
                wanted = checker.wins(bytearray(cells), colour, fouls=fouls)
                assert found.won is wanted, f"{colour.name}\n{board_text(cells)}"
                if found.won:
                    won += 1
                    assert checker.faults(cells, colour, found.line, fouls=fouls) is None
        assert 3 < won < 29


class TestLimits:
    """A search that may not go on says so."""

    def hardest(self) -> Known:
        return next(
            case for case in known() if case.kind == "puzzle" and vcf(case.cells, case.to_move, nodes=50).won is None
        )

    def test_nodes_run_out(self) -> None:
        """Undecided is neither won nor lost."""
        case = self.hardest()
        found = vcf(case.cells, case.to_move, nodes=50)
        assert found.won is None
        assert found.line == ()

    def test_a_stop_that_is_set_ends_it_at_once(self) -> None:
        """Nothing is searched when the stop is set already."""
        case = self.hardest()
        stop = Stop()
        stop.set()
        assert vcf(case.cells, case.to_move, stop=stop).won is None

    def test_time_is_a_limit(self) -> None:
        """With no time left the answer is undecided or right, never wrong."""
        case = self.hardest()
        assert vcf(case.cells, case.to_move, seconds=0.0).won in (None, case.won)

    def test_a_limit_leaves_no_trace(self) -> None:
        """What was cut short is not remembered as decided: asked again without a limit, the answer is right."""
        case = self.hardest()
        for nodes in (10, 100, 1000):
            vcf(case.cells, case.to_move, nodes=nodes)
        assert vcf(case.cells, case.to_move).won is case.won

    def test_two_threads_do_not_disturb_each_other(self) -> None:
        """Solvers running at the same time in threads each give the right answers."""
        wrong: list[str] = []

        def solve(cases: tuple[Known, ...]) -> None:
            wrong.extend(case.kind for case in cases if vcf(case.cells, case.to_move).won is not case.won)

        threads = [threading.Thread(target=solve, args=(known()[k::2],)) for k in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []


class TestEdges:
    """The smallest and the fullest boards."""

    def test_an_empty_board_has_no_win(self) -> None:
        """Nothing to attack with."""
        assert vcf(np.zeros(POINTS, dtype=np.uint8), Colour.BLACK).won is False

    def test_a_full_board_has_no_win(self) -> None:
        """Nowhere to play."""
        assert vcf(np.full(POINTS, 2, dtype=np.uint8), Colour.BLACK).won is False

    def test_a_five_is_taken_at_once(self) -> None:
        """The line of a position with a five to make is that one move, even where it also makes an overline."""
        cells = board(map(point, ("e8", "f8", "g8", "h8", "i3", "i4", "i5", "i6", "i7", "i9")), [point("d8")])
        assert vcf(cells, Colour.BLACK).line == (point("i8"),)
