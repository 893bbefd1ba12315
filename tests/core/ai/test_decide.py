"""Every decision of a game, in every protocol: always accepted, never foul, sensible where sense can be checked."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from core.ai import Stop, decide
from core.ai.fallback import legal_action
from core.game import (
    ALL_PROTOCOLS,
    Act,
    Action,
    Draw,
    FoulMode,
    Game,
    Outcome,
    Reason,
    Refusal,
    Settings,
    Stone,
    action,
    apply,
    new_game,
)
from core.notation import POINTS, Colour, Point, board_text, distance_from_tengen, moves, name, point
from core.openings.names import find, orientations
from core.rules import Verdict, forbidden
from tests.core.game.games import begin, play, stones


def settings(protocol: str = "free", **options: object) -> Settings:
    if protocol == "designated":
        options = {"opening": "D5", "five_offers": 2, **options}
    return Settings(protocol=protocol, **options)  # type: ignore[arg-type]


def engine_game(agreed: Settings, seed: int, *, level: int = 1, seconds: float = 0.05) -> Game:
    """The engine in both seats, to the end; every action must be accepted and no black stone be forbidden."""
    game = new_game(agreed)
    while game.outcome is None:
        (seat,) = game.to_act
        chosen = decide(game, seat, level=level, seconds=seconds, seed=seed + len(game.record))
        after = apply(game, seat, chosen, 0)
        assert isinstance(after, Game), f"{chosen}: {after}\n{board_text(game.state.board())}"
        game = after
        assert len(game.record) < 400
    assert not any(stone.verdict.forbidden for stone in game.state.stones)
    return game


def at(cells: dict[str, str], turn: Colour, agreed: Settings | None = None) -> Game:
    """A running game of ``free`` that stands like this; seat 0 has Black. Its record is empty."""
    game = begin()
    if agreed is not None:
        game = new_game(agreed)
    lying = bytearray(POINTS)
    put = []
    for colour, names in ((Colour.BLACK, cells.get("black", "")), (Colour.WHITE, cells.get("white", ""))):
        for text in names.split():
            lying[point(text)] = colour
            put.append(Stone(point(text), colour))
    return replace(game, state=replace(game.state, phase="done", stones=tuple(put), cells=bytes(lying), turn=turn))


class TestWholeGames:
    """The engine against itself."""

    @pytest.mark.parametrize("protocol", ALL_PROTOCOLS)
    def test_every_protocol_is_played_to_the_end(self, protocol: str) -> None:
        """In every protocol and foul mode each action of both seats is accepted, and Black commits no foul."""
        for number, mode in enumerate(FoulMode):
            engine_game(settings(protocol, foul_mode=mode), seed=1000 * number)

    @pytest.mark.parametrize(
        "options",
        [
            {"foul_mode": FoulMode.FREESTYLE, "exact_five": True},
            {"foul_mode": FoulMode.FREESTYLE, "black_exact_five": True},
            {"foul_mode": FoulMode.BLOCKED, "no_pass": True},
            {"foul_mode": FoulMode.CLAIM, "no_pass": True},
            {"free_first": True},
            {"no_offbook": True, "exclude": ("D4", "I7")},
            {"protocol": "rif", "move2_by": "white", "symmetry": "board"},
            {"protocol": "tarannikov", "no_offbook": True},
            {"protocol": "swap2", "no_offbook": True, "exclude": ("D1", "I2")},
        ],
    )
    def test_options_are_respected(self, options: dict[str, object]) -> None:
        """Whatever was agreed, each action is accepted."""
        for seed in range(3):
            engine_game(Settings(**options), seed=seed)  # type: ignore[arg-type]

    def test_the_rif_steps_are_never_refused(self) -> None:
        """Opening, swap, fourth move, two offers, choice and sixth move in both seats, over many seeds."""
        openings: set[str] = set()
        for seed in range(60):
            game = begin("rif")
            while game.outcome is None and game.state.phase != "done":
                (seat,) = game.to_act
                after = apply(game, seat, decide(game, seat, level=1, seconds=0.01, seed=seed), 0)
                assert isinstance(after, Game)
                game = after
            assert game.outcome is None
            assert game.opening is not None
            openings.add(game.opening.code)
        assert len(openings) > 10, "it does not always choose the same opening"
        assert not openings & {"D4", "I7"}, "nor one that is held to be won"

    def test_black_commits_no_foul_in_many_fast_games(self) -> None:
        """Black by the engine with a handful of nodes against random stones nearby: not one forbidden stone."""
        random = Random(6)
        for seed in range(30):
            game = begin("free")
            while game.outcome is None and len(game.state.stones) < 120:
                (seat,) = game.to_act
                chosen = (
                    decide(game, seat, level=1, seconds=0.05, seed=seed) if seat == 0 else _random_stone(game, random)
                )
                after = apply(game, seat, chosen, 0)
                assert isinstance(after, Game)
                game = after
            assert not any(stone.verdict.forbidden for stone in game.state.stones)

    def test_games_differ(self) -> None:
        """The same human moves do not bring the same game: within the first six stones some seed has deviated."""
        openings = set()
        for seed in range(6):
            game = begin("free")
            for _ in range(6):
                (seat,) = game.to_act
                after = apply(game, seat, decide(game, seat, level=2, seconds=1.0, seed=seed), 0)
                assert isinstance(after, Game)
                game = after
            openings.add(tuple(stone.point for stone in game.state.stones))
        assert len(openings) > 1

    def test_the_same_seed_gives_the_same_action(self) -> None:
        """At a level that is limited by nodes, not by time, an action can be repeated exactly."""
        game = stones(begin("free"), "h8 i9 j10")
        first = decide(game, 1, level=1, seconds=60.0, seed=5)
        assert all(decide(game, 1, level=1, seconds=60.0, seed=5) == first for _ in range(3))


def _random_stone(game: Game, random: Random) -> Action:
    cells = game.state.cells
    taken = [p for p in range(POINTS) if cells[p]]
    near = [
        p
        for p in range(POINTS)
        if not cells[p] and any(max(abs(p % 15 - q % 15), abs(p // 15 - q // 15)) <= 2 for q in taken)
    ]
    return Action(Act.PLACE, points=(random.choice(near),))


class TestSwap:
    """Which colour to have."""

    @pytest.mark.parametrize("code", ["D4", "I7"])
    def test_openings_that_win_for_black_are_swapped(self, code: str) -> None:
        """Offered an opening that is held to be won for Black, in any orientation, it takes Black (R8.5)."""
        opening = find(code)
        assert opening is not None
        for second, third in orientations(opening):
            game = stones(begin("rif"), f"h8 {name(second)} {name(third)}")
            assert decide(game, 1, level=1, seconds=0.1, seed=1) == action("swap")

    @pytest.mark.parametrize("code", ["D13", "I13"])
    def test_openings_that_win_for_white_are_kept(self, code: str) -> None:
        """Offered one that is held to be won for White, it stays White."""
        opening = find(code)
        assert opening is not None
        game = stones(begin("rif"), f"h8 {name(opening.second)} {name(opening.third)}")
        assert decide(game, 1, level=1, seconds=0.1, seed=1) == action("keep")

    def test_the_winning_side_is_chosen(self) -> None:
        """Where one side has won already, that colour is taken, by whoever chooses and under either question."""
        for colour, cells in (
            (Colour.WHITE, {"black": "h8 g8 f8 a1", "white": "e8 i10 j10 k10"}),
            (Colour.BLACK, {"black": "h8 g8 a1", "white": "e8 i10 j10 k10"}),
        ):
            won = "white" if colour is Colour.WHITE else "black" if cells["black"].count(" ") == 3 else "white"
            game = at(cells, colour)
            state = replace(game.state, phase="Q5", p1=0, black=0)
            asked = replace(game, settings=settings("sakata"), state=state)
            assert decide(asked, 0, level=2, seconds=5.0, seed=1) == action("colour", won)


class TestOffers:
    """Two fifth moves, and the choice between them."""

    def test_offers_are_two_different_points(self) -> None:
        """Also where the stones are symmetrical and many points are the same move (D8 with H6)."""
        game = stones(begin("rif"), "h8 h9 h7")
        game = play(game, "1 keep; 1 place h6")
        for seed in range(5):
            offer = decide(game, 0, level=1, seconds=0.2, seed=seed)
            assert offer.act is Act.OFFER
            assert len(offer.points) == 2
            assert isinstance(apply(game, 0, offer, 0), Game)

    def test_a_second_offer_completes_the_first(self) -> None:
        """When one of two offers stands already, one more is made, and never an equivalent one."""
        game = play(stones(begin("rif"), "h8 h9 h7"), "1 keep; 1 place h6; 0 offer g8")
        offer = decide(game, 0, level=1, seconds=0.2, seed=1)
        assert len(offer.points) == 1
        assert isinstance(apply(game, 0, offer, 0), Game)

    def test_the_worse_offer_for_black_is_chosen(self) -> None:
        """Of a strong and a senseless fifth move White keeps the senseless one."""
        game = play(stones(begin("rif"), "h8 i9 j10"), "1 keep; 1 place g9; 0 offer a1 i8")
        assert decide(game, 1, level=2, seconds=5.0, seed=1) == action("choose", "a1")


class TestClaims:
    """R6.6: White always claims, and only what is right."""

    def foul(self) -> Game:
        """Black has just made a double-three on h8; White is to move."""
        game = at({"black": "f8 g8 h6 h7", "white": "a1 c3 m2 o9"}, Colour.BLACK)
        after = apply(game, 0, action("place", "h8"), 0)
        assert isinstance(after, Game)
        assert after.state.stones[-1].verdict is Verdict.DOUBLE_THREE
        return after

    def test_a_foul_is_claimed(self) -> None:
        """And wins at once."""
        game = self.foul()
        assert decide(game, 1, level=1, seconds=0.1) == action("claim")
        assert apply(game, 1, action("claim"), 0).outcome == Outcome(  # type: ignore[union-attr]
            Reason.FORBIDDEN_CLAIMED, 1, Colour.WHITE, foul=point("h8"), verdict=Verdict.DOUBLE_THREE
        )

    def test_nothing_is_claimed_without_reason(self) -> None:
        """After a legal stone White plays on."""
        game = stones(begin("free"), "h8")
        assert decide(game, 1, level=1, seconds=0.1).act is Act.PLACE

    def test_without_claims_left_it_plays_on(self) -> None:
        """A right claim that would be refused is not made."""
        game = self.foul()
        game = replace(game, state=replace(game.state, wrong_claims=3))
        chosen = decide(game, 1, level=1, seconds=0.1)
        assert chosen.act is Act.PLACE
        assert isinstance(apply(game, 1, chosen, 0), Game)

    def test_an_old_overline_is_claimed_at_any_time(self) -> None:
        """An unclaimed overline can still be claimed later (R6.3)."""
        game = at({"black": "a3 c3 d3 e3 f3", "white": "a1 c5 m2 o9"}, Colour.BLACK)
        game = play(game, "0 place b3; 1 place o1; 0 place o15")
        assert decide(game, 1, level=1, seconds=0.1) == action("claim")


class TestAnswers:
    """Requests and offers of the other side."""

    def test_a_take_back_is_always_allowed(self) -> None:
        """Before anything else, and also when it is not the engine's turn."""
        game = play(stones(begin("free"), "h8 i9 j10"), "0 undo_ask")
        assert decide(game, 1, level=1, seconds=0.1) == action("undo_allow")
        game = play(stones(begin("free"), "h8 i9"), "0 undo_ask")
        assert decide(game, 1, level=1, seconds=0.1) == action("undo_allow")

    def test_a_winning_engine_declines_a_draw(self) -> None:
        """It has a five to make."""
        game = at({"black": "a1 a3 a5 a7 o1", "white": "e8 f8 g8 h8"}, Colour.BLACK)
        game = play(game, "0 draw_offer")
        assert decide(game, 1, level=1, seconds=0.1) == action("draw_decline")

    def test_a_lost_engine_takes_a_draw(self) -> None:
        """The other side has a five to make."""
        game = at({"black": "e8 f8 g8 h8", "white": "a1 a3 a5 a7"}, Colour.BLACK)
        game = play(game, "0 draw_offer")
        assert decide(game, 1, level=1, seconds=0.1) == action("draw_accept")

    def test_nothing_to_decide_is_an_error(self) -> None:
        """Asked when the game waits for the other seat, or is over, it says so instead of inventing something."""
        game = stones(begin("free"), "h8")
        with pytest.raises(ValueError, match="nothing is expected"):
            decide(game, 0)
        with pytest.raises(ValueError, match="nothing is expected"):
            decide(play(stones(game, "i9"), "0 resign"), 1)

    def test_a_guess_is_made(self) -> None:
        """Seat 1 guesses odd or even."""
        game = new_game(Settings(draw=Draw.GUESS, hidden=3))
        assert {decide(game, 1, seed=seed).word for seed in range(20)} == {"odd", "even"}

    def test_stones_are_hidden(self) -> None:
        """Where both seats hide stones it hides an allowed number of them, not always the same."""
        game = new_game(Settings(draw=Draw.PARITY_JP))
        hidden = set()
        for seed in range(20):
            chosen = decide(game, 0, seed=seed)
            after = apply(game, 0, chosen, 0)
            assert isinstance(after, Game)
            assert isinstance(apply(after, 1, decide(after, 1, seed=seed), 0), Game)
            assert isinstance(legal_action(after, 1), Action)
            hidden.add(chosen.number)
        assert len(hidden) > 2


class TestNowhereToGo:
    """When no stone can sensibly be put."""

    def all_forbidden(self, agreed: Settings) -> Game:
        """The only empty point is an overline for Black, who is to move."""
        cells = np.full(POINTS, Colour.WHITE, dtype=np.uint8)
        for x in range(3, 12):
            cells[7 * 15 + x] = Colour.BLACK
        cells[point("h8")] = 0
        game = new_game(agreed)
        put = tuple(Stone(p, Colour(int(cells[p]))) for p in range(POINTS) if cells[p])
        state = replace(game.state, phase="done", stones=put, cells=cells.tobytes(), turn=Colour.BLACK)
        return replace(game, state=state)

    @pytest.mark.parametrize("mode", [FoulMode.CLAIM, FoulMode.AUTO_LOSS, FoulMode.BLOCKED])
    def test_black_passes_when_every_point_is_forbidden(self, mode: FoulMode) -> None:
        """R6.7: the pass saves it."""
        assert decide(self.all_forbidden(Settings(foul_mode=mode)), 0) == action("pass")

    def test_without_the_right_to_pass_the_last_point_is_played(self) -> None:
        """There is nothing else that the game would accept."""
        assert decide(self.all_forbidden(Settings(no_pass=True)), 0) == action("place", "h8")

    def test_white_passes_when_a_draw_stands_after_black_s_stone(self) -> None:
        """R5.5: with nothing to claim White lets the stone stand."""
        game = at({"black": "h8 a1 c1", "white": "i9 a3 c3"}, Colour.WHITE)
        game = replace(game, state=replace(game.state, pending=Reason.DEAD_BOARD))
        assert decide(game, 1, level=1) == action("pass")

    def test_near_full_boards_end_by_themselves(self) -> None:
        """From boards with up to eight empty points every game ends with accepted actions."""
        random = Random(9)
        for _ in range(15):
            holes = random.sample(range(POINTS), random.randrange(1, 9))
            lying = bytearray(random.choice((1, 2)) for _ in range(POINTS))
            for p in holes:
                lying[p] = 0
            put = tuple(Stone(p, Colour(lying[p])) for p in range(POINTS) if lying[p])
            game = begin()
            turn = Colour.BLACK if random.random() < 0.5 else Colour.WHITE
            state = replace(game.state, phase="done", stones=put, cells=bytes(lying), turn=turn)
            game = replace(game, state=state)
            steps = 0
            while game.outcome is None:
                (seat,) = game.to_act
                after = apply(game, seat, decide(game, seat, level=1, seconds=0.1), 0)
                assert isinstance(after, Game)
                game = after
                steps += 1
                assert steps < 30

    def test_a_single_stopping_point_that_is_forbidden(self) -> None:
        """A lost position is played on with a legal stone (a public report)."""
        played = moves("h8g6f6g5f7g4h7g3g2a1")
        game = at({"black": " ".join(map(name, played[::2])), "white": " ".join(map(name, played[1::2]))}, Colour.BLACK)
        chosen = decide(game, 0, level=5, seconds=0.3)
        assert chosen.act is Act.PLACE
        assert chosen.points[0] not in forbidden(game.state.board())


class TestStopping:
    """The engine is a guest."""

    def test_a_stop_that_is_set_still_gives_an_accepted_action(self) -> None:
        """In every phase of a protocol with many of them, told to stop before it begins."""
        stop = Stop()
        stop.set()
        for protocol in ALL_PROTOCOLS:
            game = new_game(settings(protocol))
            for _ in range(14):
                (seat,) = game.to_act
                after = apply(game, seat, decide(game, seat, stop=stop, seed=3), 0)
                assert isinstance(after, Game), protocol
                game = after
                if game.outcome is not None:
                    break


class TestFallback:
    """Some legal action without thinking."""

    @pytest.mark.parametrize("protocol", ALL_PROTOCOLS)
    def test_there_is_always_one(self, protocol: str) -> None:
        """A whole game can be played with it, in every protocol."""
        game = new_game(settings(protocol, foul_mode=FoulMode.BLOCKED))
        for _ in range(400):
            if game.outcome is not None:
                break
            (seat,) = game.to_act
            chosen = legal_action(game, seat)
            assert chosen is not None
            after = apply(game, seat, chosen, 0)
            assert isinstance(after, Game)
            game = after
        assert game.outcome is not None

    def test_standing_questions_come_first(self) -> None:
        """A request is allowed and an offer declined; with nothing to answer there is nothing to do."""
        game = stones(begin("free"), "h8 i9")
        assert legal_action(game, 1) is None
        assert legal_action(play(game, "0 undo_ask"), 1) == action("undo_allow")
        assert legal_action(play(game, "0 draw_offer"), 1) == action("draw_decline")


def test_opening_stones_lie_where_the_protocol_wants_them() -> None:
    """The second stone of an opening within the central 3 x 3, the third within 5 x 5."""
    distances: list[list[int]] = []
    for seed in range(10):
        game = begin("rif")
        found: list[Point] = []
        for _ in range(3):
            chosen = decide(game, 0, level=1, seed=seed)
            found.append(chosen.points[0])
            after = apply(game, 0, chosen, 0)
            assert not isinstance(after, Refusal)
            game = after
        distances.append([distance_from_tengen(p) for p in found])
    assert all(d[0] == 0 and d[1] == 1 and d[2] <= 2 for d in distances)
