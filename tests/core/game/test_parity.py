"""The draw of colours by the parity of two hidden numbers (R2.2)."""

from __future__ import annotations

import pytest

from core.game import MOST_HIDDEN, Draw, Happened, Seat, Settings, new_game
from tests.core.game.games import begin, check, play, refusal, why


class TestParity:
    @pytest.mark.parametrize("provisional", [0, 1])
    @pytest.mark.parametrize(("first", "second"), [(3, 4), (4, 4), (7, 5), (1, 10)])
    def test_the_two_ways_are_exact_opposites(self, provisional: Seat, first: int, second: int) -> None:
        """An odd difference exchanges (cn); an odd sum keeps (jp)."""
        holders = []
        for draw in (Draw.PARITY_CN, Draw.PARITY_JP):
            game = play(new_game(Settings(draw=draw, first=provisional)), f"0 hide {first}; 1 hide {second}")
            check(game)
            holders.append(game.state.p1)
        cn = 1 - provisional if (first - second) % 2 else provisional
        assert holders == [cn, 1 - cn]

    def test_both_hide_one_after_the_other(self) -> None:
        """Seat 0, then seat 1; nothing else can be done meanwhile, but the game can be called off."""
        game = begin("rif", draw=Draw.PARITY_CN)
        assert game.to_act == (0,)
        assert why(game, "1 hide 3") == "not_your_turn"
        game = play(game, "0 hide 3")
        assert game.to_act == (1,)
        assert why(game, "0 hide 3") == "not_your_turn"
        for step in ("0 place h8", "1 guess odd", "1 swap", "0 pass"):
            assert why(game, step) == "not_now"
        for step in ("0 cancel", "1 cancel", "0 leave", "- flag 1"):
            assert play(game, step).outcome is not None
        game = play(game, "1 hide 3")
        assert game.to_act == (0,)
        assert why(game, "0 hide 3") == "not_now"

    @pytest.mark.parametrize("number", [0, MOST_HIDDEN + 1, 999])
    def test_a_handful_at_most(self, number: int) -> None:
        """And at least one stone."""
        refused = refusal(begin(draw=Draw.PARITY_JP), f"0 hide {number}")
        assert (refused.why.value, refused.number) == ("hide_range", MOST_HIDDEN)

    def test_the_first_number_is_a_secret_until_both_are_hidden(self) -> None:
        """No event and no repr of the state tells it; afterwards both are shown."""
        one, other = (play(begin(draw=Draw.PARITY_CN), f"0 hide {number}") for number in (7, 8))
        assert one.state.events == other.state.events
        assert repr(one.state) == repr(other.state)
        shown = play(one, "1 hide 2").state.events
        assert [(event.kind, event.seat, event.number) for event in shown] == [
            (Happened.SHOWN, 0, 7),
            (Happened.SHOWN, 1, 2),
            (Happened.SETTLED, 1, 1),
        ]

    def test_hiding_belongs_to_these_draws(self) -> None:
        """In other games nobody hides."""
        assert why(begin(draw=Draw.GUESS, hidden=3), "1 hide 3") == "not_now"
        assert why(begin(), "0 hide 3") == "not_now"
