"""Decisions make sense, whatever the protocol: the better side is taken, the worse offer kept, the draw weighed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.ai import decide
from core.ai.levels import LEVELS
from core.ai.opening import USUAL_FIFTHS
from core.ai.think import Deadline, Mind
from core.game import ALL_PROTOCOLS, Act, Action, FoulMode, Game, Outcome, Reason, Seat, Settings, Stone, action, apply
from core.notation import POINTS, Colour, moves, name, point
from core.openings.names import find
from core.openings.protocol import Phase
from tests.core.ai.test_decide import at, settings
from tests.core.game.games import begin, play, stones

BLACK, WHITE = Colour.BLACK, Colour.WHITE


def opening(code: str) -> str:
    """The first three stones of one of the 26 openings."""
    found = find(code)
    assert found is not None
    return f"h8 {name(found.second)} {name(found.third)}"


#: For every number of stones: clearly better for Black, and clearly better for White. In order of play.
LOPSIDED = {
    3: (opening("D4"), opening("D13")),  # 花月 for Black (R8.5); White's by swap_1989
    4: ("h8 e5 h9 k5", "h8 h10 e5 i9"),  # White's stones far away; or one of Black's
    5: ("h8 e5 h9 k5 g10", "h8 h9 e5 i9 k5"),
    7: ("h8 e5 h9 k5 g10 e11 j10", "h8 h9 e5 i9 k5 h10 m4"),
    9: ("h8 e5 h9 k5 g10 e11 j10 k12 g8", "h8 h9 e5 i9 k5 h10 m4 g11 d12"),
    11: ("h8 e5 h9 k5 g10 e11 j10 k12 g8 m8 g12", "h8 h9 e5 i9 k5 h10 m4 g11 d12 i11 b8"),
}


def questions() -> Iterator[tuple[str, str]]:
    """Every step of a protocol, from the third stone on, in which somebody chooses between the colours."""
    for protocol in ALL_PROTOCOLS:
        for phase in settings(protocol).table().phases:
            if {Act.SWAP, Act.COLOUR} & set(phase.then) and _stones_before(phase) >= 3:
                yield protocol, phase.name


def _stones_before(phase: Phase) -> int:
    return int(phase.name[1:])


def asked(protocol: str, phase: str, line: str, **state: object) -> Game:
    """The game of this protocol in that phase, after these stones; seat 0 holds Black."""
    game = begin(protocol, **({"opening": "D5", "five_offers": 2} if protocol == "designated" else {}))
    put = tuple(Stone(point(text), WHITE if n % 2 else BLACK) for n, text in enumerate(line.split()))
    lying = bytearray(POINTS)
    for stone in put:
        lying[stone.point] = stone.colour
    turn = WHITE if len(put) % 2 else BLACK
    told = {"phase": phase, "p1": 0, "black": 0, "stones": put, "cells": bytes(lying), "turn": turn, **state}
    return replace(game, state=replace(game.state, **told))  # type: ignore[arg-type]


def decided(game: Game, seat: Seat, *, level: int, seed: int) -> Action:
    """What this level does, by its nodes alone: no clock decides. Full strength gets a few."""
    skill = LEVELS[level]
    return decide(game, seat, level=skill if skill.nodes else replace(skill, nodes=35_000), seconds=None, seed=seed)


class TestColours:
    """Keep or swap, take Black or White."""

    @pytest.mark.parametrize("level", [1, 8])
    @pytest.mark.parametrize(("protocol", "phase"), list(questions()))
    def test_the_better_side_is_taken(self, protocol: str, phase: str, level: int) -> None:
        """In every question of every protocol, at every strength: whoever is asked ends up with the better side."""
        number = int(phase[1:])
        for line, better in zip(LOPSIDED[number], (BLACK, WHITE), strict=True):
            game = asked(protocol, phase, line, declared=1)
            (seat,) = game.to_act
            chosen = decided(game, seat, level=level, seed=1)
            after = apply(game, seat, chosen, 0)
            assert isinstance(after, Game)
            assert after.state.colour_of(seat) is better or chosen.act is Act.BRANCH, f"{line}: {chosen}"
            assert chosen.act is not Act.BRANCH or better is BLACK


class TestFifthMoves:
    """How many are declared, which are offered, which is kept, and whether they are offered at all."""

    @pytest.mark.parametrize("level", [1, 8])
    def test_more_are_declared_after_a_bad_fourth_move(self, level: int) -> None:
        """The worse White stands, the more fifth moves White asks for (soosyrv)."""
        good, bad = (asked("soosyrv_8", "K4", f"{opening('D4')} {fourth}") for fourth in ("i9", "a15"))
        assert _declared(good, level) < _declared(bad, level)

    @pytest.mark.parametrize("level", [5, 8])
    def test_more_are_declared_for_a_better_opening(self, level: int) -> None:
        """With the opening, before anybody knows who will have which colour (yamaguchi)."""
        white, black = (asked("yamaguchi", "K3", opening(code)) for code in ("D13", "D4"))
        assert _declared(white, level) < _declared(black, level)

    @pytest.mark.parametrize("level", [1, 8, 10])
    def test_the_best_are_offered(self, level: int) -> None:
        """What White keeps of them leaves Black what its best moves do, and nothing that loses at once."""
        game = asked("rif", "F5", f"{opening('I10')} g8")
        offer = decided(game, 0, level=level, seed=1)
        mind = Mind(game.state.board(), BLACK)
        scored = mind.compare([int(p) for p in mind.candidates()], Deadline(nodes=40_000))
        best = [p for _, p in scored[: len(scored) // 3]]
        assert set(offer.points) <= set(best), [name(p) for p in offer.points]

    @pytest.mark.parametrize("level", [1, 7])
    @pytest.mark.parametrize("senseless", [0, 4, 9])
    def test_the_worst_of_ten_is_kept(self, senseless: int, level: int) -> None:
        """Nine fifth moves beside the play and one in a corner, wherever it stands among them."""
        offers = list(moves("g8i8g9i10h10j9g10i7f8"))
        offers.insert(senseless, point("a1"))
        game = asked("taraguchi_10", "C5", f"{opening('I10')} g7", offers=tuple(offers))
        (seat,) = game.to_act
        assert seat == 1
        assert decided(game, seat, level=level, seed=1) == action("choose", "a1")

    @pytest.mark.parametrize("level", [1, 7, 10])
    def test_they_are_offered_where_even_the_tenth_is_good(self, level: int) -> None:
        """Two stones beside each other and White's far away: Black does not let the colours be chosen again."""
        assert decided(asked("taraguchi_10", "D4", LOPSIDED[4][0]), 0, level=level, seed=1) == action(
            "branch", "offer_ten"
        )
        assert decided(asked("taraguchi_10", "D4", LOPSIDED[4][1]), 0, level=level, seed=1) == action("swap")


def _declared(game: Game, level: int) -> int:
    (seat,) = game.to_act
    chosen = decided(game, seat, level=level, seed=1)
    assert chosen.act is Act.DECLARE
    assert 1 <= chosen.number <= len(USUAL_FIFTHS)
    return chosen.number


class TestOpenings:
    """What stones are put while the other side may still choose."""

    @pytest.mark.parametrize("level", [1, 8])
    def test_white_answers_beside_the_first_stone(self, level: int) -> None:
        """As in every opening of Renju, in one of all the eight places; but not where Black began at the edge."""
        answers = {decided(stones(begin(), "h8"), 1, level=level, seed=n).points[0] for n in range(60)}
        assert answers == set(moves("g7g8g9h7h9i7i8i9"))
        (far,) = decided(stones(begin(free_first=True), "a1"), 1, level=level, seed=1).points
        assert far not in moves("a2b1b2")

    @pytest.mark.parametrize("protocol", ["swap", "swap2", "tarannikov", "taraguchi_10", "sakata", "soosyrv_8"])
    def test_nobody_is_given_a_won_position(self, protocol: str) -> None:
        """Whoever plays the opening with both hands comes to a position that neither side has won."""
        for seed in range(3):
            game = begin(protocol)
            while game.state.phase != "done" and len(game.state.stones) < 4:
                (seat,) = game.to_act
                after = apply(game, seat, decided(game, seat, level=6, seed=seed), 0)
                assert isinstance(after, Game)
                game = after
            thought = Mind(game.state.board(), game.state.turn).best(Deadline(nodes=30_000))
            assert not thought.won
            assert not thought.lost


#: Black, to move, has an open four to make.
WON = {"black": "f8 g8 h8 o15", "white": "i9 a15 o1"}


class TestDraws:
    """An offer, and the second pass."""

    @pytest.mark.parametrize("level", [1, 7, 10])
    def test_an_even_game_goes_on(self, level: int) -> None:
        """Early in a game there is something to play for."""
        game = play(asked("free", "done", "h8 i9 j10 g9"), "0 draw_offer")
        assert decided(game, 1, level=level, seed=1) == action("draw_decline")

    @pytest.mark.parametrize("level", [1, 8, 10])
    def test_a_lost_game_is_drawn_gladly(self, level: int) -> None:
        """By an offer, or by the second pass in a row: Black could win at once and lets White go."""
        offered = play(at(WON, BLACK), "0 draw_offer")
        assert decided(offered, 1, level=level, seed=1) == action("draw_accept")
        passed = play(at({**WON, "black": "f8 g8 h8 i8 o15"}, BLACK), "0 pass")
        chosen = decided(passed, 1, level=level, seed=1)
        assert chosen == action("pass")
        after = apply(passed, 1, chosen, 0)
        assert isinstance(after, Game)
        assert after.outcome == Outcome(Reason.DOUBLE_PASS)

    @pytest.mark.parametrize("level", [1, 8, 10])
    def test_a_won_game_is_not(self, level: int) -> None:
        """White to move has an open three and the move: neither the offer nor the second pass is taken."""
        mine = {"black": WON["white"], "white": WON["black"]}
        offered = play(at(mine, BLACK), "0 draw_offer")
        assert decided(offered, 1, level=level, seed=1) == action("draw_decline")
        passed = play(at(mine, BLACK), "0 pass")
        assert decided(passed, 1, level=level, seed=1).act is Act.PLACE

    @pytest.mark.parametrize("level", [1, 8])
    def test_a_pass_that_gives_something_away_is_used(self, level: int) -> None:
        """An even game in which Black passed goes on: White has a move more."""
        assert decided(play(asked("free", "done", "h8 i9 j10 g9"), "0 pass"), 1, level=level, seed=1).act is Act.PLACE


class TestClaims:
    """R6.2 and R6.3, beside what else there is to answer."""

    def overline(self) -> Game:
        """Black has made an overline, White has overlooked it, and it is Black's turn again."""
        game = at({"black": "a3 c3 d3 e3 f3", "white": "a1 c5 m2 o9"}, BLACK)
        return play(game, "0 place b3; 1 place o1")

    @pytest.mark.parametrize("level", list(LEVELS))
    def test_a_claim_wins_at_every_level(self, level: int) -> None:
        """Also for a beginner: a foul is never overlooked (R6.6)."""
        game = play(at({"black": "f8 g8 h6 h7", "white": "a1 c3 m2 o9"}, BLACK), "0 place h8")
        assert decided(game, 1, level=level, seed=1) == action("claim")

    def test_an_overline_is_claimed_instead_of_taking_a_draw(self) -> None:
        """Asked for an answer on Black's turn, White looks at the board first."""
        assert decided(play(self.overline(), "0 draw_offer"), 1, level=1, seed=1) == action("claim")

    def test_other_fouls_are_not_claimed_later(self) -> None:
        """After White's answer a double-three stands for good."""
        game = play(at({"black": "f8 g8 h6 h7", "white": "a1 c3 m2 o9"}, BLACK), "0 place h8; 1 place o1; 0 place o15")
        assert decided(game, 1, level=6, seed=1).act is Act.PLACE

    def test_black_claims_nothing(self) -> None:
        """Black's own stone is no reason for Black."""
        assert decided(self.overline(), 0, level=1, seed=1).act is Act.PLACE

    def test_where_nothing_can_be_claimed_play_goes_on(self) -> None:
        """Without forbidden moves an overline has won by itself; an exact five is asked of nobody's claim."""
        game = at({"black": "a3 c3 d3 e3 f3", "white": "a1 c5 m2 o9"}, BLACK, Settings(foul_mode=FoulMode.FREESTYLE))
        after = play(game, "0 place b3")
        assert after.outcome is not None
        assert after.outcome.winner == 0
