"""The engine's tables of shapes say the same as the rules."""

from __future__ import annotations

import numpy as np

from core.ai import shapes
from core.rules.lines import FIVES, FOURS, GROWTH, OVERLINES, YIELD


class TestLines:
    """One line, every window there is."""

    def test_exactly_five_means_what_the_rules_say(self) -> None:
        """Fives and overlines of the exact table are those of the rules, window by window."""
        line = shapes.LINE[1]
        assert np.array_equal(line == shapes.F5, YIELD & FIVES != 0)
        assert np.array_equal(line == shapes.OVERLINE, YIELD & OVERLINES != 0)

    def test_fours_are_the_rules_fours(self) -> None:
        """One four, two fours on a line and the straight four are told apart as in R3.4 and R3.5."""
        line = shapes.LINE[1]
        fours = YIELD & FOURS
        assert np.array_equal(np.isin(line, (shapes.B4, shapes.F4)), fours == 1)
        assert np.array_equal(line == shapes.B44, fours > 1)

    def test_threes_are_the_rules_apparent_threes(self) -> None:
        """A three is a shape with a growth point, before the rules ask whether that point is legal (R3.7)."""
        line = shapes.LINE[1]
        assert np.array_equal(np.isin(line, (shapes.F3, shapes.F3S)), GROWTH != 0)

    def test_where_six_wins_more_shapes_are_alive(self) -> None:
        """A line that is worth something to who needs exactly five is worth no less where six wins too."""
        exact, free = shapes.LINE[1].astype(int), shapes.LINE[0].astype(int)
        assert (free[exact != shapes.OVERLINE] >= exact[exact != shapes.OVERLINE]).all()
        assert (free[exact == shapes.OVERLINE] == shapes.F5).all()


def key(*lines: int) -> int:
    """The key of a point with these shapes on its four lines."""
    return sum(line << 4 * d for d, line in enumerate(lines))


class TestPoints:
    """Four lines together."""

    def test_a_five_beats_everything(self) -> None:
        """A point that makes five is a five even beside an overline or two fours."""
        for rule in (shapes.OPEN, shapes.EXACT, shapes.RENJU):
            assert shapes.RANK[rule, key(shapes.F5, shapes.OVERLINE, shapes.B4, shapes.F4)] == shapes.FIVE

    def test_two_fours_win_or_are_forbidden(self) -> None:
        """Two fours win for White and are forbidden for Black."""
        for lines in ((shapes.B4, shapes.B4), (shapes.F4, shapes.B4), (shapes.B44, shapes.DEAD)):
            assert shapes.RANK[shapes.OPEN, key(*lines)] == shapes.WINNING_FOUR
            assert shapes.RANK[shapes.RENJU, key(*lines)] == shapes.FOUL

    def test_two_threes_are_doubtful_for_black_only(self) -> None:
        """Whether two apparent threes are forbidden is left to the exact rules."""
        assert shapes.RANK[shapes.OPEN, key(shapes.F3, shapes.F3S)] == shapes.TWO_THREES
        assert shapes.RANK[shapes.RENJU, key(shapes.F3, shapes.F3S)] & shapes.DOUBT

    def test_the_order_of_lines_means_nothing(self) -> None:
        """Rank, worth and urgency depend on the shapes, not on their directions."""
        for table in (shapes.RANK, shapes.WORTH, shapes.URGE):
            a = table[:, key(shapes.B4, shapes.F3, shapes.F2, shapes.B1)]
            b = table[:, key(shapes.B1, shapes.F2, shapes.F3, shapes.B4)]
            assert np.array_equal(a, b)
