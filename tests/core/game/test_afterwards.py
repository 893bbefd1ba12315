"""How a finished game was won, and what nobody claimed (R5.8, R6.8)."""

from __future__ import annotations

import pytest

from core.game import FoulMode, Manner, manner, unclaimed
from core.notation import name
from tests.core.game.games import begin, play, stones

#: Black's i8 makes two threes; White's stones lie in the corners.
DOUBLE_THREE = "h8 a1 g8 o1 i9 a15 i10 o15 i8"
#: Black's i8 joins e8 to j8.
OVERLINE = "h8 a1 g8 o1 f8 a15 e8 o15 j8 a8 i8"
#: Black's i8 makes two threes, and stops White's four j7 k6 l5 m4, which n3 stops at the other end.
DRIVEN = "h8 j7 g8 k6 i9 l5 n3 a1 i10 m4 i8"


class TestAFive:
    def test_after_consecutive_fours_is_a_vcf_win(self) -> None:
        """i8 makes a four, h11 makes a four, h12 makes five."""
        assert manner(stones(begin(), "h8 a1 g8 o1 f8 e8 h9 o15 h10 c1 i8 j8 h11 h7 h12")) is Manner.VCF

    def test_after_a_single_four_is_a_five(self) -> None:
        """An open three that nobody stopped."""
        assert manner(stones(begin(), "h8 a1 g8 o1 f8 a15 e8 o15 i8")) is Manner.PLAIN

    def test_after_a_quiet_stone_between_two_fours_is_a_five(self) -> None:
        """a15 makes no four: only h11 is left of the chain."""
        assert manner(stones(begin(), "h8 e8 g8 a1 f8 o1 i8 j8 a15 o15 h9 c15 h10 d1 h11 h7 h12")) is Manner.PLAIN

    def test_after_a_pass_between_two_fours_is_a_five(self) -> None:
        """Who passes has let the chain go."""
        won = "h8 a1 g8 o1 f8 e8 h9 o15 h10 c1 i8 j8 -- a8 h11 h7 h12"
        assert manner(stones(begin(), won)) is Manner.PLAIN


class TestAForbiddenMove:
    @pytest.mark.parametrize("mode", [FoulMode.CLAIM, FoulMode.AUTO_LOSS])
    def test_that_stopped_a_four_was_driven(self, mode: FoulMode) -> None:
        """Claimed or judged (R4.3)."""
        game = stones(begin(foul_mode=mode), DRIVEN)
        assert manner(play(game, "1 claim") if mode is FoulMode.CLAIM else game) is Manner.DRIVEN

    @pytest.mark.parametrize("moves", [DOUBLE_THREE, OVERLINE])
    def test_of_free_will_was_not(self, moves: str) -> None:
        """White had no four."""
        assert manner(play(stones(begin(), moves), "1 claim")) is Manner.PLAIN


class TestUnclaimed:
    def test_stones_are_told_with_their_numbers(self) -> None:
        """All that lie there at the end, but the one that lost."""
        game = stones(begin(), DOUBLE_THREE + " b1 b15")
        assert [(n, name(s.point)) for n, s in unclaimed(play(game, "1 resign"))] == [(9, "i8")]
        assert unclaimed(play(stones(begin(), DOUBLE_THREE), "1 claim")) == ()

    def test_are_only_of_games_with_claims(self) -> None:
        """Elsewhere there is nothing to claim."""
        assert unclaimed(stones(begin(foul_mode=FoulMode.AUTO_LOSS), DOUBLE_THREE)) == ()


def test_other_ends_have_no_manner() -> None:
    """Resigning, drawing, cancelling."""
    assert manner(play(stones(begin(), "h8 j9"), "0 resign")) is Manner.PLAIN
    assert manner(play(begin(), "0 cancel")) is Manner.PLAIN


def test_nothing_is_told_while_the_game_runs() -> None:
    """It would be a secret (R6.1)."""
    game = stones(begin(), DOUBLE_THREE)
    with pytest.raises(ValueError, match="not over"):
        manner(game)
    with pytest.raises(ValueError, match="not over"):
        unclaimed(game)
