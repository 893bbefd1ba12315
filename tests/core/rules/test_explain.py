"""Why a point is forbidden, or why it is not."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from core.notation import POINTS, Board, Colour, board, moves, name, point
from core.rules import Explanation, Shape, Verdict, explain, forbidden, judge, near_misses
from tests.core.rules import twin
from tests.core.rules.positions import cell_of, composed, judged, lines, stones

DIRECTIONS = dict(zip(("row", "column", "diagonal-up", "diagonal-down"), twin.DIRECTIONS, strict=True))


def figure(which: str) -> Board:
    (found,) = [entry for entry in lines("forbidden_figures.jsonl") if entry["id"] == which]
    return board([point(p) for p in found["black"]], [point(p) for p in found["white"]])


def implied(explanation: Explanation) -> Verdict:
    """The verdict that section 4 draws from the shapes that are named."""
    kinds = [shape.kind for shape in explanation.shapes]
    if "five" in kinds:
        return Verdict.FIVE
    if "overline" in kinds:
        return Verdict.OVERLINE
    if kinds.count("four") >= 2:
        return Verdict.DOUBLE_FOUR
    threes = sum(shape.kind == "three" and shape.counts for shape in explanation.shapes)
    return Verdict.DOUBLE_THREE if threes >= 2 else Verdict.LEGAL


def names(points: tuple[int, ...]) -> list[str]:
    return [name(p) for p in points]


class TestFigures:
    def test_two_threes(self) -> None:
        """A double-three names both threes, their stones and where they grow."""
        found = explain(figure("seed-33-2"), point("h9"))
        assert found.verdict is Verdict.DOUBLE_THREE
        assert [(s.kind, s.direction, names(s.stones)) for s in found.shapes] == [
            ("three", "row", ["g9", "h9", "i9"]),
            ("three", "column", ["h8", "h9", "h10"]),
        ]
        assert [names(tuple(g.point for g in s.growth)) for s in found.shapes] == [["f9", "j9"], ["h7", "h11"]]

    def test_two_fours_on_one_line(self) -> None:
        """Two fours on one line are two shapes, each with its own five-point."""
        found = explain(figure("line-1"), point("g8"))
        assert [(names(s.stones), names(s.five_points), s.straight) for s in found.shapes] == [
            (["d8", "f8", "g8", "h8"], ["e8"], False),
            (["f8", "g8", "h8", "j8"], ["i8"], False),
        ]

    def test_a_straight_four_is_one_four(self) -> None:
        """A straight four is named once, with both five-points."""
        found = explain(figure("line-6"), point("g8"))
        assert [(names(s.stones), names(s.five_points), s.straight) for s in found.shapes] == [
            (["d8", "e8", "f8", "g8"], ["c8", "h8"], True)
        ]

    def test_five_hides_everything_else(self) -> None:
        """Beside a five nothing is looked at, not even an overline (R4 step 1)."""
        found = explain(figure("five-beats-overline"), point("h8"))
        assert (found.verdict, [s.kind for s in found.shapes]) == (Verdict.FIVE, ["five"])

    @pytest.mark.parametrize(
        ("which", "where", "unmade", "growth", "verdict"),
        [
            ("undo-33-by-44", "i9", "diagonal-down", "j8", Verdict.DOUBLE_FOUR),
            ("undo-33-by-33", "g8", "diagonal-up", "h9", Verdict.DOUBLE_THREE),
            ("undo-33-by-overline", "h8", "column", "h7", Verdict.OVERLINE),
        ],
    )
    def test_forbidden_undoes_forbidden(
        self, which: str, where: str, unmade: str, growth: str, verdict: Verdict
    ) -> None:
        """A three that cannot grow says what its only growth point would be, with the shapes that make it so (R4.1)."""
        found = explain(figure(which), point(where))
        assert found.verdict is Verdict.LEGAL
        (broken,) = [s for s in found.shapes if not s.counts]
        assert broken.direction == unmade
        (only,) = broken.growth
        assert only.point == point(growth)
        assert only.why_not is not None
        assert only.why_not.verdict is verdict
        assert implied(only.why_not) is verdict

    def test_plain_data_for_machines(self) -> None:
        """The tree becomes plain JSON with points and kinds in machine words."""
        told = json.loads(json.dumps(explain(figure("undo-33-by-overline"), point("h8")).to_json()))
        assert (told["point"], told["verdict"]) == ("h8", "legal")
        column = next(s for s in told["shapes"] if s["direction"] == "column")
        assert column["counts"] is False
        assert column["growth"][0]["why"] == {
            "point": "h7",
            "verdict": "overline",
            "shapes": [
                {"kind": "overline", "direction": "row", "stones": ["e7", "f7", "g7", "h7", "i7", "j7"]},
            ],
        }

    def test_four_in_plain_data(self) -> None:
        """A four tells its five-points and whether it is straight."""
        told: dict[str, Any] = explain(figure("line-7"), point("g8")).to_json()
        assert told["shapes"] == [
            {
                "kind": "four",
                "direction": "row",
                "stones": ["d8", "e8", "g8", "h8"],
                "straight": False,
                "five_points": ["f8"],
            }
        ]


class TestLaws:
    @settings(max_examples=60, deadline=None)
    @given(composed())
    def test_the_shapes_imply_the_verdict(self, cells: Board) -> None:
        """Whatever is named is enough to conclude the verdict, at every level of the tree."""

        def check(explanation: Explanation) -> None:
            assert implied(explanation) is explanation.verdict
            for shape in explanation.shapes:
                assert explanation.point in shape.stones
                for growth in shape.growth:
                    if growth.why_not is not None:
                        assert growth.why_not.verdict is not Verdict.LEGAL
                        check(growth.why_not)

        for p in np.flatnonzero(cells == 0).tolist():
            found = explain(cells, p)
            assert found.verdict is judge(cells, p)
            check(found)

    @settings(max_examples=60, deadline=None)
    @given(composed())
    def test_fours_and_threes_are_the_twins(self, cells: Board) -> None:
        """The named fours and growth points are those that the slow rules find."""
        black, white = stones(cells, Colour.BLACK), stones(cells, Colour.WHITE)
        for p in np.flatnonzero(cells == 0).tolist():
            found = explain(cells, p)
            if found.verdict in (Verdict.FIVE, Verdict.OVERLINE):
                continue
            after, cell = black | {cell_of(p)}, cell_of(p)
            for label, direction in DIRECTIONS.items():
                here = [s for s in found.shapes if s.direction == label]
                fours = {frozenset(map(cell_of, s.stones)) for s in here if s.kind == "four"}
                assert fours == twin.fours(after, white, cell, direction)
                if found.verdict is not Verdict.DOUBLE_FOUR:
                    growth = {cell_of(g.point) for s in here for g in s.growth}
                    assert growth == set(twin.growth_points(after, white, cell, direction))

    def test_the_board_is_left_alone(self) -> None:
        """Explaining does not touch the caller's board."""
        cells = figure("undo-33-by-33")
        before = cells.copy()
        explain(cells, point("g8"))
        near_misses(cells)
        assert (cells == before).all()


class TestNearMisses:
    @pytest.mark.parametrize(
        ("which", "where"),
        [
            ("undo-33-by-44", "i9"),
            ("undo-33-by-33", "g8"),
            ("undo-33-by-overline", "h8"),
            ("five-beats-33", "h8"),
            ("five-beats-overline", "h8"),
        ],
    )
    def test_points_that_look_forbidden_are_found(self, which: str, where: str) -> None:
        """A point saved by an illegal growth point, or by a five, is worth a word."""
        assert point(where) in near_misses(figure(which))

    def test_a_plain_four_three_is_none(self) -> None:
        """Four-three is legal by shape alone (R3.8), not by a narrow escape."""
        assert near_misses(figure("43")) == ()

    def test_never_a_forbidden_point(self) -> None:
        """What is forbidden is no near miss, and every near miss has a reason to name."""
        for position in judged()[::25]:
            for p in near_misses(position.cells):
                assert p not in position.kinds
                found = explain(position.cells, p)
                assert found.verdict is Verdict.FIVE or any(not shape.counts for shape in found.shapes)


def test_a_shape_says_when_it_counts() -> None:
    """Only a three can be hollow."""
    assert Shape("four", "row", moves("a1b1c1d1"), five_points=moves("e1")).counts
    assert not Shape("three", "row", moves("b1c1d1")).counts


def test_an_empty_board_has_nothing_to_explain() -> None:
    """A lone stone is legal and makes nothing."""
    found = explain(board(), 112)
    assert (found.verdict, found.shapes) == (Verdict.LEGAL, ())
    assert forbidden(board()) == {}
    assert [explain(board(), p).verdict for p in (0, POINTS - 1)] == [Verdict.LEGAL] * 2
