"""``rif`` in its details: openings, swap, equal offers, the choice, and what a take-back goes over."""

from __future__ import annotations

import pytest

from core.notation import Colour, name
from tests.core.game.games import attempt, begin, check, play, quiet, refusal, why

OPENED = "0 place h8; 0 place h9; 0 place i9"
#: D4 with move 4 on i8: the position with the most symmetries (section 10).
FOURTH = OPENED + "; 1 keep; 1 place i8"


def test_a_swap_exchanges_colours_and_nothing_else() -> None:
    """R8.2: P2 asks, P1 cannot refuse; the new White plays move 4."""
    game = play(begin("rif"), OPENED)
    assert game.to_act == (1,)
    assert why(game, "0 swap") == "not_your_turn"
    swapped = play(game, "1 swap")
    assert swapped.state.stones == game.state.stones
    assert (swapped.state.p1, swapped.state.black) == (0, 1)
    assert swapped.to_act == (0,)
    kept = play(game, "1 keep")
    assert kept.state.black == 0
    assert kept.to_act == (1,)
    for seat in (0, 1):  # its moment is over for both
        assert why(swapped, f"{seat} swap") == "not_now"


def test_openings_may_be_excluded() -> None:
    """R8.5 with the code of the one that was tried."""
    game = play(begin("rif", exclude=("D4", "I7")), "0 place h8; 0 place g8")
    assert refusal(game, "0 place g9").text == "D4"
    assert refusal(game, "0 place g7").text == "D4"
    game = play(begin("rif", exclude=("D4", "I7")), "0 place h8; 0 place g7")
    assert refusal(game, "0 place g9").text == "I7"


def test_equal_offers_name_the_earlier_one() -> None:
    """Section 10; a set with one bad point is refused whole."""
    game = play(begin("rif"), FOURTH)
    refused = refusal(game, "0 offer i10 h7")
    assert refused.why.value == "same_as_offer"
    assert (name(refused.point or 0), name(refused.other or 0)) == ("h7", "i10")
    game = play(game, "0 offer i10")
    for same in ("g8", "h7", "j9"):
        assert why(game, f"0 offer {same}") == "same_as_offer"
    assert game.to_act == (0,)
    game = play(game, "0 offer a1")
    assert game.to_act == (1,)
    assert [name(p) for p in game.state.offers] == ["i10", "a1"]


def test_the_weaker_test_of_equal_offers_can_be_agreed() -> None:
    """Option ``symmetry=board``: only what a symmetry of the board maps."""
    game = play(begin("rif", symmetry="board"), FOURTH + "; 0 offer i10")
    assert why(game, "0 offer j9") == "same_as_offer"
    play(game, "0 offer h7")


def test_offers_are_not_withdrawn_but_can_be_taken_back() -> None:
    """Section 9: by consent only."""
    game = play(begin("rif"), FOURTH + "; 0 offer i10")
    back = play(game, "0 undo_ask; 1 undo_allow")
    assert back.state.offers == ()
    play(back, "0 offer a1 b1")


def test_the_choice_leaves_one_offer() -> None:
    """Unchosen offers were never played (R2.1); the chosen one is move 5, and White plays move 6."""
    game = play(begin("rif"), FOURTH + "; 0 offer i10 g7")
    assert why(game, "0 choose g7") == "not_your_turn"
    assert why(game, "1 choose a1") == "not_offered"
    assert why(game, "1 place a1") == "not_now"
    game = play(game, "1 choose g7")
    assert game.state.offers == ()
    assert (game.state.stones[-1].colour, name(game.state.stones[-1].point)) == (Colour.BLACK, "g7")
    assert game.state.at(game.state.stones[-1].point) is Colour.BLACK
    assert why(game, "1 pass") == "pass_too_early"
    assert why(game, "1 claim") == "claim_too_early"
    game = play(game, "1 place i10")
    assert game.to_act == (0,)
    play(game, "1 claim; 0 pass")


#: A game through every kind of step.
WHOLE = [
    *OPENED.split("; "),
    "1 swap",
    "0 place i8",
    "1 offer i10",
    "1 offer a1",
    "0 choose a1",
    "0 place b2",
    "1 place c3",
    "0 pass",
    "1 place d13",
]


class TestTakeBacks:
    """Back over a swap, an offer, a choice, a claim, a pass: by consent, in unrated games (R5.3, section 9)."""

    @pytest.mark.parametrize("count", range(1, len(WHOLE) + 1))
    def test_back_over_every_kind_of_step(self, count: int) -> None:
        """The moment just before the asker's last turn action, whatever came after it."""
        steps = WHOLE[:count]
        game = play(begin("rif"), "; ".join(steps))
        for seat in (0, 1):
            own = [number for number, step in enumerate(steps) if step.startswith(f"{seat} ")]
            if not own:
                assert why(game, f"{seat} undo_ask") == "nothing_to_undo"
                continue
            earlier = play(begin("rif"), "; ".join(steps[: own[-1]]))
            back = play(game, f"{seat} undo_ask; {1 - seat} undo_allow")
            assert quiet(back) == quiet(earlier)
            assert back.state.events[0].number == len(game.state.stones) - len(earlier.state.stones)
            check(back)

    def test_back_to_the_beginning_and_on_again(self) -> None:
        """Take-backs may be repeated; what is played then is a game like any other."""
        game = play(begin("rif"), "; ".join(WHOLE))
        while True:
            asked = attempt(game, "0 undo_ask")
            if not hasattr(asked, "state"):
                break
            game = play(game, "0 undo_ask; 1 undo_allow")
        assert game.state.stones == ()
        game = play(game, "; ".join(WHOLE))
        check(game)

    def test_consent_is_needed_and_lapses(self) -> None:
        """A request waits for the other side, falls with anybody's next turn action, and may be repeated."""
        game = play(begin("rif"), FOURTH)
        assert why(game, "0 undo_allow") == "no_undo_request"
        asked = play(game, "1 undo_ask")
        assert why(asked, "1 undo_ask") == "undo_stands"
        assert why(asked, "0 undo_ask") == "answer_undo"
        assert why(asked, "1 undo_allow") == "no_undo_request"
        assert why(asked, "1 undo_refuse") == "no_undo_request"
        refused = play(asked, "0 undo_refuse")
        assert refused.state.stones == game.state.stones
        play(refused, "1 undo_ask; 0 undo_allow")
        moved_on = play(asked, "0 offer i10")
        assert why(moved_on, "0 undo_allow") == "no_undo_request"

    def test_never_in_rated_games(self) -> None:
        """R5.3."""
        game = play(begin("rif", rated=True), FOURTH)
        assert why(game, "1 undo_ask") == "no_undo"

    def test_not_after_the_result(self) -> None:
        """A request that stood is gone with it."""
        game = play(begin("rif"), FOURTH + "; 1 undo_ask; 0 resign")
        assert why(game, "0 undo_allow") == "over"
        assert game.state.undo_by is None
