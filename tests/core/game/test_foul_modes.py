"""The four foul modes and White's claims, to the letter of section 6."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.game import FoulMode, Game, Reason, claimable
from core.notation import POINTS, Colour, name, point
from core.rules import Verdict
from tests.core.game.full_boards import SIX
from tests.core.game.games import begin, check, play, refusal, stones, why

#: Moves before, and the black stone that is forbidden.
FOULS = {
    Verdict.DOUBLE_THREE: ("h8 a1 i8 a15 j9 o1 j10 o15", "j8"),
    Verdict.DOUBLE_FOUR: ("h8 a1 j8 a3 f8 a5 l8 a7", "i8"),
    Verdict.OVERLINE: ("h8 a1 i8 a3 j8 a5 l8 a7 m8 c1", "k8"),
}
KINDS = list(FOULS)
SHORT = [Verdict.DOUBLE_THREE, Verdict.DOUBLE_FOUR]


def fouled(kind: Verdict, **agreed: object) -> Game:
    """A claim game just after a forbidden black stone."""
    before, foul = FOULS[kind]
    return stones(begin(**agreed), f"{before} {foul}")


@pytest.mark.parametrize("kind", KINDS)
class TestModes:
    def test_auto_loss(self, kind: Verdict) -> None:
        """The stone lies there and loses at once; the result names point and kind."""
        game = fouled(kind, foul_mode=FoulMode.AUTO_LOSS)
        assert game.outcome is not None
        assert (game.outcome.reason, game.outcome.winner) == (Reason.FORBIDDEN_JUDGED, 1)
        assert name(game.outcome.foul or 0) == FOULS[kind][1]
        assert game.outcome.verdict is kind
        assert game.state.at(point(FOULS[kind][1])) is Colour.BLACK
        check(game)

    def test_blocked(self, kind: Verdict) -> None:
        """The point is refused with its kind, and Black chooses another."""
        before, foul = FOULS[kind]
        game = stones(begin(foul_mode=FoulMode.BLOCKED), before)
        refused = refusal(game, f"0 place {foul}")
        assert (refused.why.value, refused.text) == ("forbidden_point", kind.kind)
        play(game, "0 place o8; 1 place o9")

    def test_freestyle(self, kind: Verdict) -> None:
        """No stone is forbidden; six or more wins."""
        game = fouled(kind, foul_mode=FoulMode.FREESTYLE)
        assert (game.outcome is not None) == (kind is Verdict.OVERLINE)
        assert why(game, "1 claim") == ("over" if game.outcome else "no_claims_here")

    def test_claim_says_nothing(self, kind: Verdict) -> None:
        """The stone stands and the game goes on; the mode's secret is kept (R6.1)."""
        game = fouled(kind)
        assert game.outcome is None
        assert game.to_act == (1,)
        assert [event.kind.value for event in game.state.events] == ["stone"]


class TestClaims:
    @pytest.mark.parametrize("kind", KINDS)
    def test_a_right_claim_wins_at_once(self, kind: Verdict) -> None:
        """It need not name the kind; the result does (R6.2, R6.5)."""
        game = play(fouled(kind), "1 claim")
        assert game.outcome is not None
        assert (game.outcome.reason, game.outcome.winner) == (Reason.FORBIDDEN_CLAIMED, 1)
        assert game.outcome.verdict is kind
        assert name(game.outcome.foul or 0) == FOULS[kind][1]
        check(game)

    @pytest.mark.parametrize("answer", ["1 place e5", "1 pass"])
    @pytest.mark.parametrize("kind", KINDS)
    def test_after_the_answer_only_an_overline_can_be_claimed(self, kind: Verdict, answer: str) -> None:
        """R6.2 lapses with White's stone or pass; R6.3 holds on Black's turn and later."""
        answered = play(fouled(kind), answer)
        on_whites_turn = play(answered, "0 place e12")
        later = play(on_whites_turn, "1 place d13; 0 place b12")
        for game in (answered, on_whites_turn, later):
            after = play(game, "1 claim")
            assert (after.outcome is not None) == (kind is Verdict.OVERLINE)

    def test_an_overline_claim_can_be_agreed_to_lapse(self) -> None:
        """Option ``overline_claim=immediate``."""
        game = fouled(Verdict.OVERLINE, overline_claim="immediate")
        assert play(game, "1 claim").outcome is not None
        assert play(game, "1 place e5; 1 claim").outcome is None

    def test_an_answered_stone_stands_for_good(self) -> None:
        """Black uses it like any other (R6.2): here for a five."""
        game = stones(fouled(Verdict.DOUBLE_FOUR), "g8 k8")
        assert game.outcome is not None
        assert game.outcome.reason is Reason.FIVE

    def test_an_unclaimed_overline_never_wins(self) -> None:
        """R6.4; and when the game has ended it can no longer be claimed."""
        game = stones(fouled(Verdict.OVERLINE), "o15 o1")
        assert game.outcome is None
        for end in ("0 resign", "1 resign", "- flag 0", "1 pass; 0 pass", "1 draw_offer; 0 draw_accept"):
            over = play(game, end)
            assert over.outcome is not None
            assert over.outcome.reason is not Reason.FORBIDDEN_CLAIMED
            assert why(over, "1 claim") == "over"

    def test_who_may_claim_and_when(self) -> None:
        """White, from the end of the protocol; each other try has its own reason."""
        assert why(begin(), "1 claim") == "claim_too_early"
        assert why(fouled(Verdict.OVERLINE), "0 claim") == "only_white_claims"
        for mode in (FoulMode.AUTO_LOSS, FoulMode.BLOCKED, FoulMode.FREESTYLE):
            assert why(stones(begin(foul_mode=mode), "h8 h9"), "1 claim") == "no_claims_here"

    def test_a_forbidden_stone_that_makes_five_cannot_be_claimed(self) -> None:
        """The game is won (section 4, step 1)."""
        game = stones(begin(), "h8 a1 i8 a3 j8 a5 k8 a7 l9 c1 l10 c3 l11 c5 l7 c7 l6 c9 l8")
        assert why(game, "1 claim") == "over"


class TestWrongClaims:
    def test_one_a_turn_and_three_a_game(self) -> None:
        """A turn of either side; after three every claim is refused, right or wrong (R6.5a)."""
        game = stones(begin(), "h8")
        game = play(game, "1 claim")
        assert why(game, "1 claim") == "claimed_this_turn"
        game = play(game, "1 place a1; 1 claim")
        assert why(game, "1 claim") == "claimed_this_turn"
        game = play(game, "0 place j8; 1 claim")
        assert game.state.wrong_claims == 3
        assert why(game, "1 claim") == "no_claims_left"
        game = stones(game, "a3 f8 a5 l8 a7 i8")
        assert claimable(game.state, game.settings) is not None
        assert why(game, "1 claim") == "no_claims_left"
        check(game)

    def test_the_number_is_a_setting(self) -> None:
        """After one, or with none from the start."""
        game = play(stones(begin(wrong_claims=1), "h8"), "1 claim; 1 place a1")
        assert why(game, "1 claim") == "no_claims_left"
        assert why(fouled(Verdict.OVERLINE, wrong_claims=0), "1 claim") == "no_claims_left"

    def test_no_penalty_by_default(self) -> None:
        """The game goes on as it was, and a right claim is still open next turn."""
        game = play(stones(begin(), FOULS[Verdict.DOUBLE_FOUR][0]), "1 claim")
        assert game.to_act == (0,)
        assert play(game, "0 place i8; 1 claim").outcome is not None

    def test_a_wrong_claim_may_cost_the_turn(self) -> None:
        """Option ``wrong_claim=lose_turn``: Black moves again, and what White did not answer is answered (R6.5a)."""
        game = play(stones(begin(wrong_claim="lose_turn"), "h8 a1 i9"), "1 claim")
        assert game.to_act == (0,)
        assert game.state.turn is Colour.BLACK
        assert game.state.passes == 0
        assert [event.kind.value for event in game.state.events] == ["wrong_claim"]
        game = play(game, "1 claim; 0 place c3; 1 place d4")
        assert game.state.wrong_claims == 2
        check(game)

    def test_no_turn_is_lost_on_blacks_turn(self) -> None:
        """It is not White's to lose."""
        game = play(stones(begin(wrong_claim="lose_turn"), "h8 a1"), "1 claim")
        assert game.to_act == (0,)
        assert play(game, "0 place i9").to_act == (1,)

    def test_a_lost_turn_is_no_pass(self) -> None:
        """Two passes of Black with a lost turn between them are not two passes in a row."""
        game = play(stones(begin(wrong_claim="lose_turn"), "h8 a1"), "0 pass; 1 claim; 0 pass")
        assert game.outcome is None
        assert game.to_act == (1,)
        assert play(game, "1 pass").outcome is not None

    def test_a_take_back_undoes_wrong_claims(self) -> None:
        """Everything from the asker's last turn action on (section 9)."""
        game = play(stones(begin(), "h8 a1"), "1 claim; 0 place i8; 1 claim; 1 undo_ask; 0 undo_allow")
        assert game.state.wrong_claims == 0
        assert len(game.state.stones) == 1
        assert not game.state.claimed_this_turn


class TestSecrecy:
    """R6.1: until a claim, a claim game looks the same to a rule engine that finds no fouls."""

    @pytest.mark.parametrize("kind", KINDS)
    def test_nothing_but_the_verdict_differs(self, kind: Verdict, monkeypatch: pytest.MonkeyPatch) -> None:
        """State, events, whose turn, refusals and the saved game are equal; only the kept verdict is not."""

        def watched() -> list[object]:
            game = fouled(kind)
            seen: list[object] = []
            for text in ("", "e5", "e12"):
                game = stones(game, text)
                state = replace(game.state, stones=tuple(replace(s, verdict=Verdict.LEGAL) for s in game.state.stones))
                seen += [state, game.to_act, game.outcome, game.record, why(game, "0 claim"), why(game, "1 swap")]
            return seen

        honest = watched()
        monkeypatch.setattr("core.game.turns.judge", lambda _board, _point: Verdict.LEGAL)
        assert watched() == honest

    def test_a_refused_claim_tells_nothing(self) -> None:
        """Once claims are used up, right and wrong claims get the same answer."""
        used = play(stones(begin(wrong_claims=1), "h8"), "1 claim")
        wrong = stones(used, "a1 j8 a3 f8 a5 l8 a7 o8")
        right = stones(used, "a1 j8 a3 f8 a5 l8 a7 i8")
        assert refusal(wrong, "1 claim") == refusal(right, "1 claim")


class TestFreestyle:
    SIX = "h8 a1 i8 a3 j8 a5 l8 a7 m8 c1 k8"
    WHITE_SIX = "h8 a1 c3 b1 e5 c1 g12 e1 k10 f1 m4 d1"

    @pytest.mark.parametrize(
        ("options", "black", "white"),
        [
            ({}, True, True),
            ({"black_exact_five": True}, False, True),
            ({"exact_five": True}, False, False),
            ({"exact_five": True, "black_exact_five": True}, False, False),
        ],
    )
    def test_who_wins_with_six(self, options: dict[str, bool], black: bool, white: bool) -> None:
        """Both, only White, or nobody; five always wins."""
        six = stones(begin(foul_mode=FoulMode.FREESTYLE, **options), self.SIX)
        assert (six.outcome is not None) == black
        six = stones(begin(foul_mode=FoulMode.FREESTYLE, **options), self.WHITE_SIX)
        assert (six.outcome is not None) == white
        five = stones(begin(foul_mode=FoulMode.FREESTYLE, **options), "h8 a1 i8 a3 j8 a5 k8 a7 l8")
        assert five.outcome is not None


class TestStuck:
    """R6.7: in ``blocked``, Black may be left with nothing but forbidden points: here one, which makes six."""

    def test_black_passes_when_every_point_is_forbidden(self) -> None:
        """Pass is open, and counts for the double pass."""
        game = stones(begin(foul_mode=FoulMode.BLOCKED), SIX.but_the_last)
        assert why(game, f"0 place {SIX.last}") == "forbidden_point"
        assert len(game.state.stones) == POINTS - 1
        game = play(game, "0 pass")
        assert game.to_act == (1,)
        assert play(game, "1 pass").outcome is not None

    def test_without_passes_black_has_lost(self) -> None:
        """The option ``no_pass``: the reason is that no move was left."""
        game = stones(begin(foul_mode=FoulMode.BLOCKED, no_pass=True), SIX.but_the_last)
        assert game.outcome is not None
        assert (game.outcome.reason, game.outcome.winner) == (Reason.NO_MOVE, 1)
        check(game)
