"""The search: single right moves, limits, repeatable answers, boards with nothing left to do."""

from __future__ import annotations

import threading
import time
from random import Random

import numpy as np
import pytest

from core.ai import Stop, best_move, vcf, vct
from core.ai.think import TABLE_BYTES, Deadline, Mind, limit_tables, new_table
from core.notation import POINTS, TENGEN, Board, Colour, board, board_text, moves, name, point
from core.rules import forbidden
from tests.core.ai.test_fours import known

BLACK, WHITE = Colour.BLACK, Colour.WHITE


def position(black: str, white: str) -> Board:
    return board(map(point, black.split()), map(point, white.split()))


#: Black's stones, White's stones, who moves, every right move.
TACTICS = {
    "takes a five": ("d4 e4 f4 g4 j9", "d5 e5 f6 g7 h4", BLACK, "c4"),
    "takes its own five before stopping the other's": ("d4 e4 f4 g4 o1 a1", "d9 e9 f9 g9 h4 c4", WHITE, "c9 h9"),
    "stops a five": ("d4 e4 f4 g4 a8", "d5 e5 c4 g7", WHITE, "h4"),
    "White wins with six": ("a1 a3 a5 a7 c1 e1", "d8 e8 f8 h8 i8 k1", WHITE, "g8"),
    "Black takes a five that is also an overline": (
        "e8 f8 g8 h8 i3 i4 i5 i6 i7 i9",
        "d8 b2 c11 k13 m2 n9 e12 a15 o15",
        BLACK,
        "i8",
    ),
    "Black does not fill an overline but takes the other five": (
        "c8 d8 e8 g8 h8 i8 k4 k5 k6 k7",
        "k3 b2 c11 k13 m2 n9 e12 a15 o15 f1",
        BLACK,
        "k8",
    ),
    "makes an open four": ("g8 h8 i8 c3", "d12 m4 n11 k12", BLACK, "f8 j8"),
    "White makes two fours": ("g5 i6 d8 f12 g9 e11", "h8 i8 j8 g7 g6 d12", WHITE, "k8 g8"),
    "stops an open three": ("g8 h8 i8", "g10 n3", WHITE, "f8 j8 e8 k8"),
    "drives Black onto a forbidden point": (
        # White's four on row 8 can only be stopped on i8, where two black threes meet.
        "i6 i7 g10 h9 d8 n2",
        "e8 f8 g8 m11 c13 b3",
        WHITE,
        "h8",
    ),
}


class TestTactics:
    """Positions with one right move, or a few."""

    @pytest.mark.parametrize("what", TACTICS)
    def test_the_right_move_is_found(self, what: str) -> None:
        """Found within a few thousand nodes."""
        black, white, to_move, right = TACTICS[what]
        cells = position(black, white)
        thought = best_move(cells, to_move, seconds=None, nodes=20_000)
        assert thought.point is not None
        assert name(thought.point) in right.split(), f"{thought}\n{board_text(cells)}"

    def test_every_known_win_by_fours_is_played(self) -> None:
        """Where a win by continuous fours exists its first move is played, for either colour."""
        for case in known():
            if case.won:
                thought = best_move(case.cells, case.to_move, seconds=None, nodes=50_000)
                assert thought.point is not None
                assert name(thought.point) in case.first_moves, board_text(case.cells)
                assert thought.won

    def test_a_threatened_win_by_fours_is_prevented(self) -> None:
        """Whoever is to move and is not lost leaves the other side no win by fours."""
        prevented = 0
        for case in known():
            defender = case.to_move.other
            if not case.won or vcf(case.cells, defender).won:
                continue
            thought = best_move(case.cells, defender, seconds=None, nodes=50_000)
            assert thought.point is not None
            if not thought.lost:
                assert not loses(case.cells, defender, thought.point), f"{thought}\n{board_text(case.cells)}"
                prevented += 1
        assert prevented > 50


def loses(cells: Board, colour: Colour, p: int) -> bool:
    """Whether the other side wins by fours after this move."""
    after = cells.copy()
    after[p] = colour
    return vcf(after, colour.other).won is True


class TestRules:
    """The same search under other rules."""

    @pytest.mark.parametrize(
        ("options", "wins"),
        [
            ({"fouls": False, "black_exact": False}, True),
            ({"fouls": False, "black_exact": True}, False),
            ({"fouls": False, "black_exact": True, "white_exact": True}, False),
            ({}, False),
        ],
    )
    def test_six_wins_where_it_wins(self, options: dict[str, bool], wins: bool) -> None:
        """Black fills a row of six exactly where six wins for Black."""
        cells = position("c8 d8 e8 g8 h8", "k3 b2 c11 k13 m2")
        cells[point("i8")] = BLACK
        thought = best_move(cells, BLACK, seconds=None, nodes=2_000, **options)
        assert (thought.point == point("f8")) is wins


class TestLimits:
    """It ends when it is told to."""

    def test_nodes_are_kept(self) -> None:
        """A limit of nodes is never exceeded."""
        cells = position("h8 g7", "i9 h9")
        for limit in (1, 10, 500, 5_000):
            assert best_move(cells, BLACK, seconds=None, nodes=limit).nodes <= limit

    def test_a_stop_that_is_set_gives_a_legal_move_at_once(self) -> None:
        """Told to stop before it begins, it still answers, without searching."""
        stop = Stop()
        stop.set()
        thought = best_move(position("h8 g7", "i9 h9"), BLACK, seconds=None, stop=stop)
        assert thought.point is not None
        assert thought.nodes <= 2

    def test_a_stop_from_another_thread_ends_an_endless_search(self) -> None:
        """Without any other limit the search goes on until it is told to stop."""
        stop = Stop()
        found = []
        thread = threading.Thread(
            target=lambda: found.append(best_move(position("h8 g7", "i9 h9"), BLACK, seconds=None, stop=stop))
        )
        thread.start()
        thread.join(0.05)
        stop.set()
        thread.join(60)
        assert not thread.is_alive()
        assert found[0].point is not None

    def test_few_nodes_are_searched_after_the_stop(self) -> None:
        """The flag is looked at every 256 nodes, less than a millisecond: whatever is being searched ends by then."""
        for searching in ("best", "threes"):
            mind = Mind(position("h8 g7 f9 j10", "i9 h9 g8 k8"), BLACK)
            stop = Stop()
            run = {"best": mind.best, "threes": mind.threes}[searching]
            thread = threading.Thread(target=run, args=(Deadline(stop=stop),))
            thread.start()
            while mind.nodes() < 3_000 and thread.is_alive():
                pass
            stop.set()
            seen = mind.nodes()
            thread.join(60)
            assert not thread.is_alive()
            assert mind.nodes() - seen <= 257

    def test_the_callers_stop_is_not_set_by_the_clock(self) -> None:
        """When the time is over only this search ends; the same stop can be used for the next."""
        stop = Stop()
        best_move(position("h8 g7", "i9 h9"), BLACK, seconds=0.02, stop=stop)
        assert not stop.is_set

    def test_the_time_is_kept(self) -> None:
        """A tenth of a second is not two."""
        began = time.monotonic()
        best_move(position("h8 g7", "i9 h9"), BLACK, seconds=0.1)
        assert time.monotonic() - began < 2.0


class TestRepeatable:
    """One thread, the same seed and nodes: the same answer."""

    def test_the_same_seed_and_nodes_give_the_same_thought(self) -> None:
        """Score, line and counted nodes are equal, run after run."""
        cells = board(moves("h8g7f9")[::2], moves("h8g7f9")[1::2])
        for seed in (0, 7):
            first = best_move(cells, WHITE, seconds=None, nodes=20_000, seed=seed, noise=10)
            assert first == best_move(cells, WHITE, seconds=None, nodes=20_000, seed=seed, noise=10)

    def test_other_seeds_give_other_games(self) -> None:
        """With noise the answers to the same position differ from seed to seed."""
        cells = board([point("h8")])
        answers = {best_move(cells, WHITE, seconds=None, nodes=3_000, seed=seed, noise=10).point for seed in range(12)}
        assert len(answers) > 2


class TestThreads:
    """More than one thread on the same position."""

    def test_two_threads_find_what_one_finds(self) -> None:
        """The right moves of the tactics are found, and both have searched."""
        for black, white, to_move, right in TACTICS.values():
            thought = best_move(position(black, white), to_move, seconds=None, nodes=20_000, threads=2)
            assert thought.point is not None
            assert name(thought.point) in right.split()

    def test_helpers_end_with_the_answer(self) -> None:
        """No thread is left behind, also when the search was stopped, and their nodes are counted."""
        before = threading.active_count()
        cells = position("h8 g7", "i9 h9")
        thought = best_move(cells, BLACK, seconds=None, nodes=5_000, threads=3)
        assert thought.nodes > 5_000
        stop = Stop()
        stop.set()
        assert best_move(cells, BLACK, seconds=None, stop=stop, threads=3).point is not None
        assert threading.active_count() == before

    def test_what_was_found_before_helps(self) -> None:
        """With the table of the search before, the same nodes reach at least as deep."""
        cells = position("h8 g7", "i9 h9")
        table = new_table(1 << 22)
        first = best_move(cells, BLACK, seconds=None, nodes=20_000, table=table)
        again = best_move(cells, BLACK, seconds=None, nodes=20_000, table=table)
        assert again.depth >= first.depth


class TestMemory:
    """Tables keep within what they are given."""

    @pytest.mark.parametrize(("most", "size"), [(1 << 20, 1 << 20), ((1 << 21) - 1, 1 << 20), (0, 1 << 16)])
    def test_a_table_is_no_larger_than_told(self, most: int, size: int) -> None:
        """The largest power of two below, but never none."""
        assert new_table(most).nbytes == size

    def test_the_operators_limit_holds_for_every_thought(self) -> None:
        """What the operator sets is not exceeded, and never makes a table larger than usual."""
        cells = position("h8 g7", "i9 h9")
        try:
            limit_tables(1 << 20)
            assert Mind(cells, BLACK).table.nbytes == 1 << 20
            limit_tables(1 << 40)
            assert Mind(cells, BLACK).table.nbytes == TABLE_BYTES
        finally:
            limit_tables(TABLE_BYTES)


class TestNothingLeft:
    """Boards on which there is little or nothing to do."""

    def test_a_full_board_has_no_move(self) -> None:
        """No move, no search, no exception."""
        assert best_move(np.full(POINTS, 2, dtype=np.uint8), BLACK).point is None

    def test_an_empty_board_has_one(self) -> None:
        """The first stone belongs in the middle."""
        assert best_move(np.zeros(POINTS, dtype=np.uint8), BLACK, seconds=None, nodes=500).point == TENGEN

    def test_black_has_no_move_where_every_empty_point_is_forbidden(self) -> None:
        """A single hole in black rows of eight is an overline in every direction."""
        cells = np.full(POINTS, WHITE, dtype=np.uint8)
        for x in range(3, 12):
            cells[7 * 15 + x] = BLACK
        cells[point("h8")] = 0
        assert set(forbidden(cells)) == {point("h8")}
        assert best_move(cells, BLACK).point is None
        assert best_move(cells, WHITE).point == point("h8")

    def test_nearly_full_boards_are_answered(self) -> None:
        """With one to six empty points left there is a legal move, or none, and the search ends by itself."""
        random = Random(8)
        for _ in range(40):
            cells = np.array([random.choice((1, 2)) for _ in range(POINTS)], dtype=np.uint8)
            holes = random.sample(range(POINTS), random.randrange(1, 7))
            cells[holes] = 0
            for colour in (BLACK, WHITE):
                thought = best_move(cells, colour, seconds=None, nodes=50_000)
                legal = set(holes) - (set(forbidden(cells)) if colour is BLACK else set())
                assert thought.point in legal if legal else thought.point is None

    def test_a_five_on_the_board_is_no_trouble(self) -> None:
        """Whoever is to move in a finished game gets a legal move within the limits."""
        cells = position("d4 e4 f4 g4 h4", "d5 e5 f6 g7")
        for colour in (BLACK, WHITE):
            thought = best_move(cells, colour, seconds=None, nodes=5_000)
            assert thought.point is not None
            assert not cells[thought.point]
            assert vcf(cells, colour, nodes=5_000).won in (True, False, None)
            assert vct(cells, colour, nodes=5_000).won in (True, False, None)

    def test_only_a_forbidden_point_would_stop_the_five(self) -> None:
        """Black's one stopping point is forbidden (g7): still a legal move, within the limits (a public report)."""
        cells = board(moves("h8g6f6g5f7g4h7g3g2a1")[::2], moves("h8g6f6g5f7g4h7g3g2a1")[1::2])
        assert set(forbidden(cells)) == {point("g7")}
        thought = best_move(cells, BLACK, seconds=None, nodes=50_000)
        assert thought.point is not None
        assert thought.point != point("g7")
        assert thought.lost
