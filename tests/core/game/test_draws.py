"""Draws: by agreement, on a full or dead board, and what a claim game still owes White then (R5.4, R5.5)."""

from __future__ import annotations

import random

import pytest

from core.game import FoulMode, Game, Reason
from core.notation import POINTS, Colour, name, point
from core.rules import dead_board
from tests.core.game.full_boards import FOUR, SIX, Filling
from tests.core.game.games import begin, check, play, stones, why


class TestOffers:
    def test_an_offer_is_made_on_ones_own_turn_once(self) -> None:
        """Out of turn, twice, or against a standing offer: each has its own reason (R5.4)."""
        game = stones(begin(), "h8 h9")
        assert why(game, "1 draw_offer") == "not_your_turn"
        game = play(game, "0 draw_offer")
        assert why(game, "0 draw_offer") == "draw_stands"
        assert why(game, "1 draw_offer") == "answer_draw"
        assert why(game, "0 draw_accept") == "no_draw_offer"
        assert why(game, "0 draw_decline") == "no_draw_offer"
        game = play(game, "1 draw_decline")
        assert why(game, "0 draw_offer") == "draw_once"
        assert why(game, "1 draw_accept") == "no_draw_offer"
        game = play(game, "0 place i9")
        play(game, "1 draw_offer")

    def test_the_receiver_may_accept_at_any_time(self) -> None:
        """At once, or after the offerer's stone."""
        offered = play(stones(begin(), "h8 h9"), "0 draw_offer")
        for game in (offered, play(offered, "0 place i9")):
            over = play(game, "1 draw_accept")
            assert over.outcome is not None
            assert (over.outcome.reason, over.outcome.winner) == (Reason.DRAW_AGREED, None)
            check(over)

    def test_an_offer_lapses_when_its_receiver_moves(self) -> None:
        """Stone or pass; it survives the offerer's own move and claims."""
        game = play(stones(begin(), "h8 h9"), "0 draw_offer; 0 place i9; 1 claim")
        assert game.state.draw_by == 0
        for answer in ("1 place a1", "1 pass"):
            assert why(play(game, answer), "1 draw_accept") == "no_draw_offer"
        play(game, "1 place a1; 0 draw_offer")

    def test_a_take_back_removes_an_offer(self) -> None:
        """Whoever's it was."""
        game = play(stones(begin(), "h8 h9"), "0 draw_offer; 0 place i9; 0 undo_ask; 1 undo_allow")
        assert game.state.draw_by is None
        assert why(game, "1 draw_accept") == "no_draw_offer"
        assert why(game, "0 draw_offer") == "draw_once"

    def test_a_turn_in_a_protocol_lasts_until_the_other_seat_acts(self) -> None:
        """P1 puts three stones of ``rif`` in one turn, and may offer once in it."""
        game = play(begin("rif"), "0 place h8; 0 place h9; 0 draw_offer; 1 draw_decline; 0 place i9")
        game = play(game, "1 draw_offer; 0 draw_decline; 1 keep")
        assert why(game, "1 draw_offer") == "draw_once"
        game = play(game, "1 place a1; 0 draw_offer; 1 draw_decline; 0 offer b1")
        assert why(game, "0 draw_offer") == "draw_once"

    def test_a_swap_by_the_receiver_lets_an_offer_lapse(self) -> None:
        """A decision of the protocol is a move too."""
        game = play(begin("rif"), "0 place h8; 0 place h9; 0 draw_offer; 0 place i9; 1 swap")
        assert why(game, "1 draw_accept") == "no_draw_offer"


MODES = [{"foul_mode": FoulMode.FREESTYLE, "black_exact_five": True}, {"foul_mode": FoulMode.CLAIM}]


class TestFullBoard:
    @pytest.mark.parametrize("agreed", MODES, ids=["freestyle", "claim"])
    @pytest.mark.parametrize("filling", [FOUR, SIX], ids=["four", "six"])
    def test_not_before_the_last_stone(self, filling: Filling, agreed: dict[str, object]) -> None:
        """One empty point where White could make five keeps the board alive."""
        game = stones(begin(**agreed), filling.but_the_last)
        assert game.outcome is None
        assert len(game.state.stones) == POINTS - 1
        over = play(game, f"0 pass; 1 place {filling.last}")
        assert over.outcome is not None
        assert (over.outcome.reason, over.outcome.winner) == (Reason.FIVE, 1)

    def test_the_last_stone_draws(self) -> None:
        """Where nobody can claim, at once; the reason is the full board (R5.5)."""
        for agreed in (MODES[0], {"foul_mode": FoulMode.AUTO_LOSS}, {"foul_mode": FoulMode.BLOCKED}):
            game = stones(begin(**agreed), f"{FOUR.but_the_last} {FOUR.last}")
            assert game.outcome is not None
            assert (game.outcome.reason, game.outcome.winner) == (Reason.FULL_BOARD, None)
            check(game)

    @pytest.mark.parametrize("no_pass", [False, True])
    def test_a_claim_game_waits_for_white(self, no_pass: bool) -> None:
        """White may pass even under ``no_pass``; a wrong claim first changes nothing (R5.5)."""
        game = stones(begin(no_pass=no_pass), f"{FOUR.but_the_last} {FOUR.last}")
        assert game.outcome is None
        assert game.to_act == (1,)
        assert why(game, "1 place a1") == "occupied"
        game = play(game, "1 claim")
        assert game.outcome is None
        game = play(game, "1 pass")
        assert game.outcome is not None
        assert game.outcome.reason is Reason.FULL_BOARD
        check(game)

    def test_white_may_still_claim_the_last_stone(self) -> None:
        """An overline that fills the board loses if White says so."""
        game = stones(begin(), f"{SIX.but_the_last} {SIX.last}")
        assert game.outcome is None
        claimed = play(game, "1 claim")
        assert claimed.outcome is not None
        assert claimed.outcome.winner == 1
        stands = play(game, "1 pass")
        assert stands.outcome is not None
        assert stands.outcome.reason is Reason.FULL_BOARD

    def test_a_turn_lost_by_a_wrong_claim_lets_the_draw_happen(self) -> None:
        """With ``wrong_claim=lose_turn`` White's turn is over, so the draw takes effect."""
        game = play(stones(begin(wrong_claim="lose_turn"), f"{FOUR.but_the_last} {FOUR.last}"), "1 claim")
        assert game.outcome is not None
        assert game.outcome.reason is Reason.FULL_BOARD

    def test_the_draw_can_be_taken_back(self) -> None:
        """While White has not answered, Black's stone can be undone by consent, and the draw with it."""
        game = play(stones(begin(), f"{FOUR.but_the_last} {FOUR.last}"), "0 undo_ask; 1 undo_allow")
        assert game.state.pending is None
        assert game.to_act == (0,)


def fill(agreed: dict[str, object], seed: int) -> Game:
    """A full-board pattern put in random order until something ends the game or waits to."""
    rng = random.Random(seed)
    colours = {Colour.BLACK: [], Colour.WHITE: []}  # type: dict[Colour, list[int]]
    for p in range(POINTS):
        colours[Colour.WHITE if ((p % 15) // 2 + p // 15) % 2 else Colour.BLACK].append(p)
    colours[Colour.BLACK].remove(point("h8"))
    for points in colours.values():
        rng.shuffle(points)
    game = stones(begin(**agreed), "h8")
    while game.outcome is None and game.state.pending is None:
        game = stones(game, name(colours[game.state.turn].pop()))
    return game


class TestDeadBoard:
    def test_it_ends_the_game_exactly_when_nobody_can_make_five(self) -> None:
        """R5.5, after each stone; before it the game goes on."""
        for seed in range(6):
            game = fill({"foul_mode": FoulMode.FREESTYLE}, seed)
            assert game.outcome is not None
            assert game.outcome.reason is Reason.DEAD_BOARD
            cells = game.state.board()
            assert dead_board(cells, black_exact=False, white_exact=False)
            cells[game.state.stones[-1].point] = 0
            assert not dead_board(cells, black_exact=False, white_exact=False)
            check(game)

    def test_in_a_claim_game_it_waits_for_white_after_blacks_stone_only(self) -> None:
        """White's own stone ends it at once; after Black's, White may pass, put a stone, or claim."""
        killers = set()
        for seed in range(12):
            game = fill({"no_pass": True}, seed)
            killers.add(game.state.stones[-1].colour)
            if game.state.stones[-1].colour is Colour.WHITE:
                assert game.outcome is not None
                continue
            assert game.outcome is None
            assert game.to_act == (1,)
            free = next(name(p) for p in range(POINTS) if not game.state.cells[p])
            for answer in ("1 pass", f"1 place {free}", f"1 claim; 1 place {free}"):
                over = play(game, answer)
                assert over.outcome is not None
                assert over.outcome.reason is Reason.DEAD_BOARD
                check(over)
        assert killers == {Colour.BLACK, Colour.WHITE}
