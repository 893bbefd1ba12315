"""Forbidden points: known positions, laws, and the slow twin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.notation import POINTS, SIZE, SYMMETRIES, Board, Colour, board, board_text, name, point
from core.rules import Verdict, forbidden, forbidden_map_kernel, forbidden_maps, judge, judge_kernel
from tests.core.rules import twin
from tests.core.rules.positions import cell_of, composed, game_like, judged, lines, stones, twin_forbidden


def kinds(cells: Board) -> dict[int, str]:
    return {p: verdict.kind for p, verdict in forbidden(cells).items()}


def show(cells: Board, found: dict[int, str], wanted: dict[int, str]) -> str:
    """What to print when an answer is wrong."""
    wrong = {name(p): (found.get(p), wanted.get(p)) for p in found | wanted if found.get(p) != wanted.get(p)}
    return f"{board_text(cells)}\nfound, wanted: {wrong}"


class TestVerdict:
    def test_kinds_are_the_machine_words(self) -> None:
        """Machine formats write each verdict in one fixed word."""
        assert [v.kind for v in Verdict] == ["legal", "five", "overline", "double-four", "double-three"]

    def test_three_of_them_are_forbidden(self) -> None:
        """A five is no forbidden move."""
        assert [v for v in Verdict if v.forbidden] == [Verdict.OVERLINE, Verdict.DOUBLE_FOUR, Verdict.DOUBLE_THREE]


class TestKnownPositions:
    def test_every_judged_position_is_right_point_by_point_and_kind_by_kind(self) -> None:
        """All 2,921 positions on which independent checkers agree come out the same, in one batch call."""
        known = judged()
        assert len(known) == 2921
        maps = forbidden_maps(np.array([position.cells for position in known]))
        for position, verdicts in zip(known, maps, strict=True):
            found = {int(p): Verdict(int(verdicts[p])).kind for p in np.flatnonzero(verdicts >= Verdict.OVERLINE)}
            assert found == position.kinds, show(position.cells, found, position.kinds)

    @pytest.mark.parametrize("figure", list(lines("forbidden_figures.jsonl")), ids=lambda figure: figure["id"])
    @pytest.mark.parametrize("filled", [False, True], ids=["bare", "with far white stones"])
    def test_the_figures_of_the_rules(self, figure: dict[str, Any], filled: bool) -> None:
        """Each figure of the rule texts has the verdict of its caption, and no other forbidden points."""
        white = [point(text) for text in figure["white"] + (figure["filler"] if filled else [])]
        cells = board([point(text) for text in figure["black"]], white)
        assert {name(p): kind for p, kind in kinds(cells).items()} == figure["forbidden"]
        for text, kind in figure["expected"].items():
            assert judge(cells, point(text)).kind == kind

    @pytest.mark.parametrize(
        "figure", [f for f in lines("forbidden_figures.jsonl") if "figure" in f], ids=lambda figure: figure["id"]
    )
    def test_edges_count(self, figure: dict[str, Any]) -> None:
        """R4.6: slid over every place where it fits, a figure keeps its verdict in just the known number of places."""
        rows: list[str] = figure["figure"][::-1]
        marked = {(x, y): mark for y, row in enumerate(rows) for x, mark in enumerate(row) if mark != "."}
        (spot,) = [cell for cell, mark in marked.items() if mark == "?"]
        (kind,) = figure["expected"].values()
        verdicts = []
        for up in range(SIZE - len(rows) + 1):
            for right in range(SIZE - len(rows[0]) + 1):
                at = {cell: (cell[1] + up) * SIZE + cell[0] + right for cell in marked}
                verdicts.append(judge(board([at[cell] for cell in marked if cell != spot]), at[spot]).kind)
        assert (len(verdicts), verdicts.count(kind)) == (figure["placements"], figure["kept"])


class TestLaws:
    @settings(deadline=None)
    @given(composed(), st.integers(1, 7))
    def test_a_turned_board_has_turned_verdicts(self, cells: Board, k: int) -> None:
        """Each of the 8 symmetries of the board takes forbidden points to forbidden points of the same kind."""
        turned = np.zeros_like(cells)
        turned[SYMMETRIES[k]] = cells
        assert kinds(turned) == {int(SYMMETRIES[k][p]): kind for p, kind in kinds(cells).items()}

    @settings(deadline=None)
    @given(
        st.lists(st.sampled_from((0, 0, 1, 1, 2)), min_size=25, max_size=25),
        st.sets(st.sampled_from([p for p in range(POINTS) if max(cell_of(p)) == 14]), min_size=1),
    )
    def test_a_white_stone_far_away_changes_nothing(self, corner: list[int], far: set[int]) -> None:
        """With Black in one corner of 5 x 5, White's stones ten points away touch no verdict."""
        near = np.zeros((SIZE, SIZE), dtype=np.uint8)
        near[:5, :5] = np.reshape(corner, (5, 5))
        wider = near.reshape(-1).copy()
        wider[list(far)] = Colour.WHITE
        assert kinds(wider) == kinds(near.reshape(-1))

    @settings(deadline=None)
    @given(game_like())
    def test_one_point_at_a_time_agrees_with_the_map(self, cells: Board) -> None:
        """``judge`` and ``judge_kernel`` say of every empty point what the map says."""
        out = np.full(POINTS, 9, dtype=np.uint8)
        work = cells.copy()
        forbidden_map_kernel(work, out)
        for p in range(POINTS):
            if cells[p]:
                assert out[p] == 0
            else:
                assert out[p] == judge(cells, p) == judge_kernel(work, p)
        assert (work == cells).all()

    @settings(deadline=None)
    @given(composed())
    def test_without_black_stones_nothing_is_forbidden(self, cells: Board) -> None:
        """White's stones alone forbid no point."""
        assert forbidden(np.where(cells == Colour.BLACK, Colour.EMPTY, cells).astype(np.uint8)) == {}


class TestTwin:
    @settings(max_examples=150, deadline=None)
    @given(composed())
    def test_composed_positions(self, cells: Board) -> None:
        """Kernels and twin agree where shapes are made to cross."""
        found, wanted = kinds(cells), twin_forbidden(cells)
        assert found == wanted, show(cells, found, wanted)

    @settings(max_examples=60, deadline=None)
    @given(game_like())
    def test_game_like_positions(self, cells: Board) -> None:
        """Kernels and twin agree on positions that look like games."""
        found, wanted = kinds(cells), twin_forbidden(cells)
        assert found == wanted, show(cells, found, wanted)

    @settings(max_examples=60, deadline=None)
    @given(st.lists(st.sampled_from((0, 0, 1, 1, 2)), min_size=POINTS, max_size=POINTS))
    def test_noise(self, stones_drawn: list[int]) -> None:
        """Kernels and twin agree on boards full of noise."""
        cells = np.array(stones_drawn, dtype=np.uint8)
        found, wanted = kinds(cells), twin_forbidden(cells)
        assert found == wanted, show(cells, found, wanted)

    def test_judged_positions(self) -> None:
        """The twin itself is right on a sample of the known positions."""
        for position in judged()[::60]:
            found = twin_forbidden(position.cells)
            assert found == position.kinds, show(position.cells, found, position.kinds)

    @pytest.mark.slow
    def test_all_judged_positions(self) -> None:
        """The twin itself is right on all known positions."""
        for position in judged():
            found = twin_forbidden(position.cells)
            assert found == position.kinds, show(position.cells, found, position.kinds)

    @pytest.mark.slow
    @settings(max_examples=3000, deadline=None)
    @given(st.one_of(composed(12), game_like()))
    def test_long_search_for_a_difference(self, cells: Board) -> None:
        """Thousands of composed and game-like positions show no difference."""
        found, wanted = kinds(cells), twin_forbidden(cells)
        assert found == wanted, show(cells, found, wanted)

    @settings(max_examples=100, deadline=None)
    @given(composed())
    def test_fives_are_told_from_legal_points(self, cells: Board) -> None:
        """The map marks exactly the points where Black's stone makes five."""
        black, white = stones(cells, Colour.BLACK), stones(cells, Colour.WHITE)
        verdicts = forbidden_maps(cells[None])[0]
        for p in np.flatnonzero(cells == 0).tolist():
            assert (verdicts[p] == Verdict.FIVE) == (twin.judge(black, white, cell_of(p)) == "five")


class TestDeepRecursion:
    @pytest.mark.parametrize("entry", list(lines("forbidden_nested.jsonl")), ids=lambda entry: f"{entry['depth']} deep")
    def test_threes_within_threes(self, entry: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
        """On boards bred for it the rule looks a dozen stones ahead, and kernels and twin still agree."""
        cells = board([point(p) for p in entry["black"]], [point(p) for p in entry["white"]])
        judge_once, deepest = twin.judge, 0

        def watched(black: twin.Stones, white: twin.Stones, cell: twin.Cell) -> str:
            nonlocal deepest
            deepest = max(deepest, len(black) - len(entry["black"]))
            return judge_once(black, white, cell)

        monkeypatch.setattr(twin, "judge", watched)
        assert kinds(cells) == twin_forbidden(cells)
        assert deepest >= 10

    def test_the_board_is_left_as_it_was(self) -> None:
        """The kernel takes back every stone that it tried, however deep it went."""
        for position in judged():
            work = position.cells.copy()
            for p in position.kinds:
                assert judge_kernel(work, p) >= Verdict.OVERLINE
            assert (work == position.cells).all()


class TestRefusals:
    def test_a_taken_point(self) -> None:
        """A stone cannot be judged on a taken point."""
        with pytest.raises(ValueError, match="h8 is not empty"):
            judge(board([112]), 112)

    @pytest.mark.parametrize("off", [-1, 225])
    def test_a_point_off_the_board(self, off: int) -> None:
        """Nor off the board."""
        with pytest.raises(ValueError, match="no point"):
            judge(board(), off)

    @pytest.mark.parametrize("cells", [np.zeros(224, np.uint8), np.full(225, 3, np.uint8)], ids=["short", "third"])
    def test_no_board(self, cells: Board) -> None:
        """What is no board is refused before a kernel sees it."""
        for ask in (lambda: judge(cells, 0), lambda: forbidden(cells), lambda: forbidden_maps(cells[None])):
            with pytest.raises(ValueError, match="225"):
                ask()

    def test_no_boards_no_maps(self) -> None:
        """A batch may be empty."""
        assert forbidden_maps(np.zeros((0, POINTS), np.uint8)).shape == (0, POINTS)

    def test_a_read_only_board_can_be_judged(self) -> None:
        """The caller's board is never written to."""
        cells = board([112, 113])
        cells.flags.writeable = False
        assert judge(cells, 114) is Verdict.LEGAL
        assert forbidden(cells) == {}
        assert forbidden_maps(cells[None]).sum() == 0
