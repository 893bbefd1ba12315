"""``free``, and everything that does not depend on a protocol: turns, results, passes, cancelling."""

from __future__ import annotations

import pytest

from core.game import Draw, Reason, Settings, new_game
from core.notation import Colour, moves, name
from tests.core.game.games import begin, check, play, refusal, stones, why

FIVE = "h8 a1 i8 a2 j8 a3 k8 a4 l8"


class TestStones:
    def test_black_begins_on_tengen(self) -> None:
        """Move 1 is H8; with ``free_first`` it lies anywhere."""
        assert refusal(begin(), "0 place g8").number == 1
        assert why(begin(), "0 place g8") == "outside_area"
        play(begin(), "0 place h8")
        play(begin(free_first=True), "0 place a1; 1 place o15")

    def test_seats_alternate(self) -> None:
        """A stone out of turn is refused for that reason, even on an occupied point."""
        game = begin()
        for number, text in enumerate(["h8", "h9", "a1", "o15"]):
            assert why(game, f"{1 - number % 2} place {text}") == "not_your_turn"
            game = play(game, f"{number % 2} place {text}")
            assert why(game, f"{number % 2} place h8") == "not_your_turn"
            assert why(game, f"{1 - number % 2} place h8") == "occupied"
        assert [stone.colour for stone in game.state.stones] == [1, 2, 1, 2]

    def test_no_offbook_keeps_the_first_three_on_the_book(self) -> None:
        """R8.4, and it overrides ``free_first``; from move 4 on every point is open."""
        game = begin(no_offbook=True, free_first=True)
        assert refusal(game, "0 place a1").number == 1
        game = play(game, "0 place h8")
        assert refusal(game, "1 place h10").number == 3
        assert why(game, "1 pass") == "pass_too_early"
        game = play(game, "1 place h9")
        assert refusal(game, "0 place k8").number == 5
        assert why(game, "1 claim") == "claim_too_early"
        game = play(game, "0 place j10; 1 place a1")
        assert game.opening is not None
        assert game.opening.code == "D3"

    def test_an_excluded_opening_is_refused_in_any_orientation(self) -> None:
        """R8.5a: in ``free`` too; off the book is not an opening."""
        game = play(begin(exclude=("D4",)), "0 place h8; 1 place h7")
        for text in ("i7", "g7"):
            refused = refusal(game, f"0 place {text}")
            assert (refused.why.value, refused.text) == ("excluded_opening", "D4")
        play(game, "0 place i9")
        play(game, "0 place a1")

    def test_an_early_pass_forms_no_opening(self) -> None:
        """Three stones that are not Black, White, Black are no opening (R2.4, section 11)."""
        game = stones(begin(exclude=("I9",)), "h8 -- i9 h7")
        assert game.opening is None


class TestResults:
    def test_five_wins(self) -> None:
        """The result names the reason, the seat, the colour and the line; nothing may follow."""
        game = stones(begin(), FIVE)
        assert game.outcome is not None
        assert (game.outcome.reason, game.outcome.winner, game.outcome.colour) == (Reason.FIVE, 0, Colour.BLACK)
        assert [name(p) for p in game.outcome.line] == ["h8", "i8", "j8", "k8", "l8"]
        for step in ("1 place a5", "1 claim", "0 resign", "1 undo_ask", "- flag 0", "1 pass", "0 cancel"):
            assert why(game, step) == "over"
        check(game)

    def test_five_beats_forbidden(self) -> None:
        """Black's five wins though another line becomes an overline (section 4, step 1)."""
        game = stones(begin(), "h8 a1 i8 a3 j8 a5 k8 a7 l9 c1 l10 c3 l11 c5 l7 c7 l6 c9 l8")
        assert game.outcome is not None
        assert game.outcome.reason is Reason.FIVE
        assert [name(p) for p in game.outcome.line] == ["h8", "i8", "j8", "k8", "l8"]

    def test_white_wins_with_six(self) -> None:
        """R4.5: an overline of White wins like a five."""
        game = stones(begin(), "h8 a1 c3 b1 e5 c1 g12 e1 k10 f1 m4 d1")
        assert game.outcome is not None
        assert (game.outcome.reason, game.outcome.winner) == (Reason.FIVE, 1)
        assert len(game.outcome.line) == 6

    def test_resigning_and_leaving_lose(self) -> None:
        """Either side, in or out of turn (R5.3)."""
        for seat in (0, 1):
            for word, reason in (("resign", Reason.RESIGNED), ("leave", Reason.LEFT)):
                game = play(stones(begin(), "h8 h9 i10"), f"{seat} {word}")
                assert game.outcome is not None
                assert (game.outcome.reason, game.outcome.winner) == (reason, 1 - seat)
                check(game)

    def test_a_flag_is_raised_by_the_referee_alone(self) -> None:
        """R5.3; a player cannot."""
        game = stones(begin(), "h8 h9")
        assert why(game, "0 flag 1") == "not_now"
        assert why(game, "- flag 7") == "not_now"
        assert why(game, "- place a1") == "not_seated"
        for seat in (0, 1):
            over = play(game, f"- flag {seat}")
            assert over.outcome is not None
            assert (over.outcome.reason, over.outcome.winner) == (Reason.TIME, 1 - seat)

    def test_before_the_second_stone_a_game_is_cancelled(self) -> None:
        """By either seat, without result; there is nothing to resign, to draw or to leave yet (section 9)."""
        for early in ("", "h8"):
            game = stones(begin(), early)
            for seat in (0, 1):
                assert why(game, f"{seat} resign") == "too_early"
                assert why(game, f"{seat} draw_offer") == "too_early"
                for word in ("cancel", "leave"):
                    over = play(game, f"{seat} {word}")
                    assert over.outcome is not None
                    assert (over.outcome.reason, over.outcome.winner) == (Reason.CANCELLED, None)
        assert why(stones(begin(), "h8 h9"), "0 cancel") == "cancel_too_late"


class TestPasses:
    def test_two_passes_in_a_row_draw(self) -> None:
        """R5.4 d; a stone between them starts the count anew."""
        game = stones(begin(), "h8 -- i9 h9 --")
        assert game.outcome is None
        over = stones(game, "--")
        assert over.outcome is not None
        assert over.outcome.reason is Reason.DOUBLE_PASS
        assert over.outcome.winner is None

    def test_a_pass_adds_no_number(self) -> None:
        """R2.4: stones are numbered, passes are not; the same side may have two stones in a row."""
        game = stones(begin(), "h8 -- i9")
        assert len(game.state.stones) == 2
        assert game.to_act == (1,)

    def test_when_passing_is_refused(self) -> None:
        """Before the protocol is done, out of turn, and under ``no_pass``: each has its own reason."""
        assert why(begin(), "0 pass") == "pass_too_early"
        assert why(begin(), "1 pass") == "not_your_turn"
        game = stones(begin(), "h8")
        assert why(game, "0 pass") == "not_your_turn"
        barred = stones(begin(no_pass=True), "h8")
        assert why(barred, "1 pass") == "no_pass"
        assert why(begin(no_pass=True), "0 pass") == "no_pass"


class TestColours:
    @pytest.mark.parametrize(("hidden", "word", "p1"), [(7, "odd", 1), (7, "even", 0), (4, "odd", 0), (4, "even", 1)])
    def test_a_right_guess_takes_black(self, hidden: int, word: str, p1: int) -> None:
        """R2.2: seat 1 guesses; a wrong guess takes White."""
        game = new_game(Settings(draw=Draw.GUESS, hidden=hidden))
        assert game.to_act == (1,)
        assert why(game, f"0 guess {word}") == "not_your_turn"
        for step in ("1 place h8", "0 place h8", "0 swap", "1 pass"):
            assert why(game, step) == "not_now"
        assert why(game, "1 claim") == "claim_too_early"
        assert why(game, "1 undo_ask") == "nothing_to_undo"
        game = play(game, f"1 guess {word}")
        assert game.state.p1 == game.state.black == p1
        assert game.to_act == (p1,)
        assert game.state.events[0].number == hidden
        assert why(game, "1 guess odd") == "not_now"
        check(game)

    def test_a_game_can_be_cancelled_or_flagged_before_the_guess(self) -> None:
        """No dead end while one waits for a guess."""
        game = new_game(Settings(draw=Draw.GUESS, hidden=3))
        assert play(game, "0 cancel").outcome is not None
        assert play(game, "1 leave").outcome is not None
        flagged = play(game, "- flag 1")
        assert flagged.outcome is not None
        assert (flagged.outcome.winner, flagged.outcome.colour) == (0, None)
        check(flagged)

    def test_first_says_who_is_p1(self) -> None:
        """Where the draw is fixed or has been made by lot."""
        for draw in (Draw.FIXED, Draw.RANDOM):
            game = new_game(Settings(draw=draw, first=1))
            assert game.to_act == (1,)
            play(game, "1 place h8; 0 place h9")


def test_actions_of_other_protocols_do_not_belong_here() -> None:
    """A decision that ordinary play does not know is refused by its name, whoever tries."""
    game = stones(begin(), "h8 h9")
    for seat in (0, 1):
        for words in (
            "swap",
            "keep",
            "colour black",
            "declare 3",
            "branch offer_ten",
            "offer a1",
            "choose a1",
            "add a1 a2",
        ):
            refused = refusal(game, f"{seat} {words}")
            assert (refused.why.value, refused.text) == ("not_now", words.split()[0])


def test_the_history_is_kept_with_its_times() -> None:
    """Who, what, when: that is the record."""
    game = play(begin(), "0 place h8; 1 place h9")
    assert [(entry.seat, entry.action.points[0], entry.at) for entry in game.record] == [
        (0, moves("h8")[0], 0),
        (1, moves("h9")[0], 2),
    ]
