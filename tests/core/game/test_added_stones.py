"""What only some protocols know: added stones, designated openings, openings left out (section 9)."""

from __future__ import annotations

import pytest

from core.game import FoulMode
from core.notation import name
from tests.core.game.games import begin, check, play, refusal, why

SAKATA = "0 place h8; 0 place h9; 0 place i9"


class TestAddedStones:
    def test_white_is_numbered_before_black(self) -> None:
        """Two stones in one action, or one by one where the protocol knows both."""
        both = play(begin("sakata"), SAKATA + "; 1 add k11 l12")
        single = play(begin("sakata"), SAKATA + "; 1 place k11; 1 place l12")
        assert both.state.stones == single.state.stones
        assert both.state.phase == single.state.phase
        assert [stone.colour.name for stone in both.state.stones[3:]] == ["WHITE", "BLACK"]

    def test_each_has_its_own_square(self) -> None:
        """Move 4 in the 7x7, move 5 in the 9x9; a bad second stone takes the first with it."""
        game = play(begin("sakata"), SAKATA)
        assert refusal(game, "1 add l12 l11").number == 7
        assert refusal(game, "1 add k11 m11").number == 9
        assert why(game, "1 add k11 k11") == "occupied"
        assert why(game, "1 add h8 k11") == "occupied"
        assert len(game.state.stones) == 3

    def test_super_sakata_passes_the_choice_three_times_at_most(self) -> None:
        """Then the last chooser must choose."""
        game = play(begin("super_sakata"), SAKATA + "; 1 add k11 l12; 0 add a1 o1; 1 add a3 o3; 0 add a5 o5")
        assert game.to_act == (1,)
        assert why(game, "1 add a7 o7") == "not_now"
        game = play(game, "1 colour black")
        assert game.state.black == 1
        assert game.to_act == (0,)
        check(game)

    def test_an_added_stone_makes_no_five(self) -> None:
        """Neither White's fifth in a row nor Black's, in ``freestyle`` too."""
        for mode in (FoulMode.CLAIM, FoulMode.FREESTYLE):
            game = play(begin("super_sakata", foul_mode=mode), "0 place h8; 0 place i9; 0 place i8; 1 add j10 j8")
            game = play(game, "0 add k11 k8; 1 add l12 o1")
            refused = refusal(game, "0 add m13 a1")
            assert (refused.why.value, name(refused.point or 0)) == ("makes_five", "m13")
            assert why(game, "0 add a1 l8") == "makes_five"
            play(game, "0 add a1 a2")

    @pytest.mark.parametrize(("mode", "kind"), [("claim", ""), ("auto_loss", ""), ("blocked", "double-three")])
    def test_an_added_stone_is_not_forbidden(self, mode: str, kind: str) -> None:
        """The refusal cannot help telling that; the kind it tells only where R6.1 allows it."""
        game = play(begin("super_sakata", foul_mode=FoulMode(mode)), "0 place h8; 0 place g7; 0 place i8; 1 add e6 j9")
        game = play(game, "0 add a1 j10")
        refused = refusal(game, "1 add a15 j8")
        assert (refused.why.value, name(refused.point or 0), refused.text) == ("forbidden_point", "j8", kind)

    def test_freestyle_forbids_nothing(self) -> None:
        """The same two threes are welcome there."""
        game = play(begin("super_sakata", foul_mode=FoulMode.FREESTYLE), "0 place h8; 0 place g7; 0 place i8")
        play(game, "1 add e6 j9; 0 add a1 j10; 1 add a15 j8")

    def test_swap2(self) -> None:
        """P2 takes a colour, or adds two stones anywhere and leaves the choice to P1."""
        game = play(begin("swap2"), "0 place a1; 0 place b2; 0 place c3")
        for colour, black in (("black", 1), ("white", 0)):
            taken = play(game, f"1 colour {colour}")
            assert taken.state.black == black
            assert taken.to_act == (1 - black,)
        added = play(game, "1 add o15 o1")
        assert why(added, "1 colour black") == "not_your_turn"
        assert play(added, "0 colour white").to_act == (0,)


class TestOpeningsByName:
    def test_a_designated_opening_lies_there_from_the_start(self) -> None:
        """R8.1: White plays move 4; no swap, no cancelling, and nothing of the set-up can be taken back."""
        game = begin("designated", opening="浦月")
        assert [name(stone.point) for stone in game.state.stones] == ["h8", "i9", "i7"]
        assert game.opening is not None
        assert game.opening.code == "I7"
        assert game.to_act == (1,)
        assert why(game, "1 cancel") == "cancel_too_late"
        assert why(game, "0 undo_ask") == "nothing_to_undo"
        assert why(game, "1 swap") == "not_now"
        play(game, "1 draw_offer; 1 pass")
        over = play(game, "0 leave")
        assert over.outcome is not None
        assert over.outcome.winner == 1

    def test_swap_1989_leaves_two_openings_out(self) -> None:
        """D13 and I13, in any orientation."""
        for second, third, code in (("h9", "j6", "D13"), ("h9", "f6", "D13"), ("i9", "f6", "I13")):
            game = play(begin("swap_1989"), f"0 place h8; 1 place {second}")
            assert refusal(game, f"0 place {third}").text == code
        play(begin("rif", move2_by="white"), "0 place h8; 1 place h9; 0 place j6")

    def test_exclude_holds_in_every_protocol_with_openings(self) -> None:
        """R8.5a."""
        tarannikov = "0 place h8; 1 keep; 1 place h9; 0 keep"
        assert refusal(play(begin("tarannikov", exclude=("D4",)), tarannikov), "0 place i9").text == "D4"
        swap = play(begin("swap", exclude=("D4",)), "0 place h8; 0 place h9")
        assert refusal(swap, "0 place i9").text == "D4"
        play(swap, "0 place a1")

    def test_no_offbook_holds_where_stones_are_free(self) -> None:
        """R8.4 in ``swap`` and ``swap2``."""
        game = begin("swap2", no_offbook=True)
        assert refusal(game, "0 place a1").number == 1
        game = play(game, "0 place h8")
        assert refusal(game, "0 place a1").number == 3
        game = play(game, "0 place i9")
        assert refusal(game, "0 place a1").number == 5
        play(game, "0 place i7; 1 add a1 o15")
