"""What viewers see of a table: words, board and buttons."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.composing import compose
from bot.composing.alt import alt_text
from bot.composing.compose import CAPTION
from bot.composing.people import Told
from bot.scene import Scene, Viewer
from bot.session.table import Machine, Person, Table
from bot.words import LANGUAGES, words
from bot.words.values import utf16
from core.game import (
    ALL_PROTOCOLS,
    Act,
    Draw,
    FoulMode,
    Game,
    Stone,
    action,
    apply,
)
from core.game import begin as start
from core.notation import POINTS, Colour, label, point
from core.rules import Verdict
from tests.bot.scenes import ANNA, BOB, DOUBLE_THREE, OFFERS, OVERLINE, PUBLIC, data, labels, of, scene, table
from tests.core.game.games import begin, play, stones


class TestWhoPlays:
    def test_is_said_with_colours_and_names(self) -> None:
        """The mark differs in shape, and the word is beside it."""
        assert scene(begin()).lines[:2] == ("● Black: Anna", "○ White: Bob")
        assert scene(begin(), Viewer("zh_Hans", public=True)).lines[:2] == ("● 黑：Anna", "○ 白：Bob")

    def test_follows_a_swap(self) -> None:
        """After it Bob is Black, and both are told so."""
        lines = scene(play(begin("rif"), "0 place h8; 0 place h9; 0 place i9; 1 swap")).lines
        assert lines[:2] == ("● Black: Bob", "○ White: Anna")
        assert "Bob (Black) has swapped the colours." in lines

    def test_names_the_engine_by_its_level(self) -> None:
        """It thinks, rather than having to do something."""
        lines = scene(begin(), seats=(Machine(level=7), BOB)).lines
        assert lines[0] == "● Black: Engine (level 7, Sharp)"
        assert lines[2] == "Engine (level 7, Sharp) (Black) is thinking."

    def test_is_who_opened_and_who_joined_before_the_guess(self) -> None:
        """Nobody has a colour yet."""
        guess = begin(draw=Draw.GUESS, hidden=5)
        assert scene(guess).lines[:2] == ("Opened by: Anna", "Joined by: Bob")
        assert scene(guess, seats=(None, BOB)).lines[0] == "Opened by: Bob"


class TestWhatIsExpected:
    def expected(self, game: Game) -> str:
        return scene(game).lines[2]

    def test_in_every_step_of_rif(self) -> None:
        """Who, with their colour, and exactly what."""
        game = begin("rif", draw=Draw.GUESS, hidden=5)
        told = [self.expected(game)]
        for step in ("1 guess even", *OFFERS.split(";"), "0 choose i7", "0 place i8"):
            game = play(game, step)
            told.append(self.expected(game))
        assert told == [
            "Bob: is the number of hidden stones odd or even? Who guesses right begins as Black.",
            "Anna (Black): put the first stone on the centre, H8.",
            "Anna (Black): put white stone 2 in the central 3 × 3 square.",
            "Anna (Black): put black stone 3 in the central 5 × 5 square.",
            "Bob (White): swap colours or keep them?",
            "Anna (White): put white stone 4 on any empty point.",
            "Bob (Black): offer 2 fifth moves that are not equivalent; 2 still to offer.",
            "Bob (Black): offer 2 fifth moves that are not equivalent; 1 still to offer.",
            "Anna (White): choose one of the offers A, B.",
            "Anna (White): put white stone 6 on any empty point.",
            "Bob (Black): your turn, black stone 7.",
        ]

    def test_while_the_table_waits(self) -> None:
        """Somebody has to join; after a rematch was asked for, the same opponent."""
        assert scene(begin(), seats=(ANNA, None)).lines[2] == "Waiting for a second player: press Join."
        kept = Table(id="abcdefghij", game=begin(), seats=(None, BOB), reserved="web:anna")
        assert compose(kept, PUBLIC).lines[2] == "Waiting for the opponent of the last game: press Join."

    def test_in_the_other_protocols(self) -> None:
        """Squares, declarations, decisions: read from the tables."""
        k3 = play(begin("yamaguchi"), "0 place h8; 0 place h9; 0 place i9")
        assert self.expected(k3) == "Anna (Black): how many fifth moves are to be offered? Declare 1 to 12."
        m3 = play(begin("pro"), "0 place h8; 1 place h9")
        assert self.expected(m3) == "Anna (Black): put black stone 3 outside the central 5 × 5 square."
        d4 = stones(
            play(
                stones(play(stones(play(begin("taraguchi_10"), "0 place h8; 1 keep"), "h9"), "0 keep"), "i9"), "1 keep"
            ),
            "g7",
        )
        assert self.expected(d4) == "Anna (Black): swap colours, keep them, or offer 10 fifth moves?"
        q3 = play(begin("swap2"), "0 place a1; 0 place b2; 0 place c3")
        assert self.expected(q3) == "Bob (White): take Black, take White, or add a white and a black stone?"
        q3 = play(begin("swap"), "0 place a1; 0 place b2; 0 place c3")
        assert self.expected(q3) == "Bob (White): take Black or White?"
        assert self.expected(stones(begin(no_offbook=True), "h8")) == (
            "Bob (White): put white stone 2 in the central 3 × 3 square."
        )


class TestTheTextTwin:
    def test_gives_the_last_move_with_its_number(self) -> None:
        """Move numbers count stones (R2.4)."""
        assert "No stone lies on the board yet." in scene(begin()).lines
        assert "Last move: 2, White J9" in scene(stones(begin(), "h8 j9")).lines

    def test_names_the_opening_from_move_three_on(self) -> None:
        """In the viewer's language, with its code; off the book it says so."""
        game = stones(begin(), "h8 h9 i9")
        assert "Opening: D4 Kagetsu, Flower Moon" in scene(game).lines
        assert "开局：花月（D4）" in scene(game, Viewer("zh_Hans", public=True)).lines
        assert "Opening: none of the 26" in scene(stones(begin(), "h8 a1 b2")).lines
        assert not any(line.startswith("Opening:") for line in scene(stones(begin(), "h8 h9")).lines)

    def test_says_where_the_offers_lie(self) -> None:
        """With the letters that the board shows, from the first offer on."""
        assert "Fifth moves on offer: A (I7)" in scene(play(begin("rif"), OFFERS.rpartition(";")[0])).lines
        assert "Fifth moves on offer: A (I7), B (F8)" in scene(play(begin("rif"), OFFERS)).lines

    def test_gives_long_names_and_then_options_up_for_room(self) -> None:
        """A caption holds 1,024; who, what and where come first."""
        options = {
            "no_offbook": True,
            "no_pass": True,
            "wrong_claim": "lose_turn",
            "symmetry": "board",
            "wrong_claims": 9,
        }
        free = [label(p).lower() for p in range(POINTS) if label(p).lower() not in ("h8", "h9", "i10", "a1")]
        game = play(
            begin("yamaguchi", k_max=50, **options), "0 place h8; 0 place h9; 0 place i10; 0 declare 50; 1 keep"
        )
        game = play(game, f"1 place a1; 0 offer {' '.join(free[:50])}; 1 draw_offer; 0 undo_ask")
        shown = scene(game, seats=(Person(id="a", name="W" * 99), Person(id="b", name="W" * 99)))
        assert len(game.state.offers) == 50
        assert CAPTION - 100 < utf16("\n".join((shown.title, *shown.lines))) <= CAPTION
        assert shown.lines[0] == "● Black: WWWWW…"
        assert "Passing is off." not in shown.lines

    def test_says_the_step_of_the_protocol(self) -> None:
        """In every phase, with or without an opening rule."""
        assert (
            "Opening step: the swap after move 3."
            in scene(play(begin("rif"), "0 place h8; 0 place h9; 0 place i9")).lines
        )
        assert "Opening step: the choice of the fifth move." in scene(play(begin("rif"), OFFERS)).lines
        assert "Step: normal play, move 2 is next." in scene(stones(begin(), "h8")).lines

    def test_says_the_number_that_was_hidden_only_after_the_guess(self) -> None:
        """Before it, no scene differs by the number."""
        five, eight = (begin(draw=Draw.GUESS, hidden=number) for number in (5, 8))
        for viewer in (PUBLIC, of(0), of(1)):
            assert scene(five, viewer) == scene(eight, viewer)
        assert "Bob (Black) guessed right: 5 stones were hidden." in scene(play(five, "1 guess odd")).lines
        assert (
            "Bob (White) guessed wrong: 1 stone was hidden."
            in scene(play(begin(draw=Draw.GUESS, hidden=1), "1 guess even")).lines
        )

    def test_says_which_offers_and_requests_stand(self) -> None:
        """And who must answer."""
        game = play(stones(begin(), "h8 j9"), "0 draw_offer; 1 undo_ask")
        lines = scene(game).lines
        assert "Anna (Black) offers a draw. Bob (White): accept or decline?" in lines
        assert "Bob (White) asks to take back the last move. Anna (Black): allow or refuse?" in lines
        assert "Bob (White) declined the draw." in scene(play(game, "1 draw_decline")).lines
        assert "Anna (Black) refused to take back." in scene(play(game, "0 undo_refuse")).lines
        assert "1 stone was taken back for Bob (White)." in scene(play(game, "0 undo_allow")).lines

    def test_says_that_a_decision_was_taken_back(self) -> None:
        """A swap is no stone."""
        game = play(begin("rif"), "0 place h8; 0 place h9; 0 place i9; 1 swap; 1 undo_ask; 0 undo_allow")
        assert "The last decision of Bob (White) was taken back." in scene(game).lines

    def test_says_that_somebody_passed_for_as_long_as_it_matters(self) -> None:
        """A second pass is a draw."""
        passed = play(stones(begin(), "h8"), "1 place j9; 0 pass; 1 draw_offer")
        assert "Anna (Black) passed. If the other side passes too, it is a draw." in scene(passed).lines

    def test_says_how_many_claims_are_left(self) -> None:
        """After a wrong one."""
        game = play(stones(begin(), "h8"), "1 claim")
        assert "Bob (White) claimed a forbidden move, but there is none; 2 claims left." in scene(game).lines

    def test_states_every_option_that_differs_from_the_default(self) -> None:
        """Both know what they agreed to."""
        plain = set(scene(begin()).lines)
        for options in (
            {"rated": True},
            {"free_first": True},
            {"no_offbook": True},
            {"exclude": ("D4",)},
            {"no_pass": True},
            {"overline_claim": "immediate"},
            {"wrong_claim": "lose_turn"},
            {"wrong_claims": 5},
            {"symmetry": "board"},
        ):
            assert set(scene(begin(**options)).lines) - plain, options

    @pytest.mark.parametrize("foul_mode", FoulMode)
    @pytest.mark.parametrize("protocol", ALL_PROTOCOLS)
    def test_is_headed_by_protocol_and_foul_mode(self, protocol: str, foul_mode: FoulMode) -> None:
        """Each pair has a title of its own."""
        agreed = {"opening": "D4"} if protocol == "designated" else {}
        titles = {
            scene(begin(p, foul_mode=m, **({"opening": "D4"} if p == "designated" else {}))).title
            for p in ALL_PROTOCOLS
            for m in FoulMode
            if (p, m) != (protocol, foul_mode)
        }
        assert scene(begin(protocol, foul_mode=foul_mode, **agreed)).title not in titles


class TestTheDrawByParity:
    """Both hide stones; nobody sees how many until both have."""

    def test_is_told_step_by_step(self) -> None:
        """Who is to hide, who has, what was hidden, what follows."""
        game = begin(draw=Draw.PARITY_CN)
        assert scene(game).lines[2].startswith("Anna: hide 1 to 10 stones. Anna is to be Black; if the difference")
        assert labels(scene(game))[:2] == [list("12345"), ["6", "7", "8", "9", "10"]]
        assert labels(scene(game, of(1))) == [["Cancel"]]
        game = play(game, "0 hide 3")
        shown = scene(game)
        assert shown.lines[2].startswith("Bob: hide 1 to 10 stones.")
        assert "Anna has hidden some stones." in shown.lines
        lines = scene(play(game, "1 hide 4")).lines
        assert "Anna had hidden 3 stones." in lines
        assert "Bob had hidden 4 stones." in lines
        assert "The colours were exchanged: Bob begins as Black." in lines
        assert "The colours were kept: Anna begins as Black." in scene(play(game, "1 hide 1")).lines
        japanese = play(begin(draw=Draw.PARITY_JP), "0 hide 3; 1 hide 1")
        assert "The colours were exchanged: Bob begins as Black." in scene(japanese).lines

    def test_keeps_the_first_number_secret(self) -> None:
        """No scene for anybody differs by it."""
        for viewer in (PUBLIC, of(0), of(1)):
            games = [play(begin(draw=Draw.PARITY_JP), f"0 hide {number}") for number in range(1, 11)]
            assert len({repr(scene(game, viewer)) for game in games}) == 1


class TestTheResult:
    def test_names_winner_reason_and_line(self) -> None:
        """Five in a row."""
        shown = scene(stones(begin(), "h8 a1 g8 o1 f8 a15 e8 o15 i8"))
        assert shown.lines[2] == "Anna (Black) wins with five in a row: E8, F8, G8, H8, I8."
        assert shown.over
        assert shown.picture.win == tuple(map(point, ("e8", "f8", "g8", "h8", "i8")))
        assert shown.picture.numbered

    def test_names_kind_point_and_number_of_a_forbidden_move(self) -> None:
        """Claimed or judged."""
        claimed = scene(play(stones(begin(), DOUBLE_THREE), "1 claim"))
        assert claimed.lines[2] == (
            "Bob (White) wins by a right claim: I8 (move 9) is a double-three, which is forbidden."
        )
        assert claimed.picture.foul == point("i8")
        judged = scene(stones(begin(foul_mode=FoulMode.AUTO_LOSS), OVERLINE))
        assert judged.lines[2] == "Bob (White) wins: I8 (move 11) is an overline, which is forbidden."

    def test_is_told_differently_for_every_reason(self) -> None:
        """No two ends are told in the same words."""
        two = stones(begin(), "h8 j9")
        ends = [
            play(two, "0 resign"),
            play(two, "0 leave"),
            apply(two, None, action("flag", "0"), 0),
            play(two, "0 draw_offer; 1 draw_accept"),
            play(two, "0 pass; 1 pass"),
            play(begin(), "0 cancel"),
        ]
        told = [scene(end).lines[2] for end in ends if isinstance(end, Game)]
        assert len(set(told)) == len(ends)
        assert told[0] == "Bob (White) wins: Anna (Black) resigned."

    def test_tells_a_win_by_consecutive_fours(self) -> None:
        """Beside the line of five (R5.8)."""
        won = stones(begin(), "h8 a1 g8 o1 f8 e8 h9 o15 h10 c1 i8 j8 h11 h7 h12")
        assert scene(won).lines[2:4] == (
            "Anna (Black) wins with five in a row: H8, H9, H10, H11, H12.",
            "It was a win by consecutive fours (VCF).",
        )

    def test_tells_that_black_was_driven(self) -> None:
        """The forbidden stone had to stop a four."""
        driven = play(stones(begin(), "h8 j7 g8 k6 i9 l5 n3 a1 i10 m4 i8"), "1 claim")
        assert "That stone had to stop a four: Black was driven onto a forbidden point." in scene(driven).lines

    def test_lists_what_white_did_not_claim_after_the_end_only(self) -> None:
        """With number and kind (R6.8); before the end there is no such line for anybody."""
        game = stones(begin(), DOUBLE_THREE + " b1 b15")
        listed = "Forbidden stones that White did not claim: I8 (move 9, double-three)."
        assert not any("did not claim" in line for line in scene(game).lines)
        assert listed in scene(play(game, "1 resign")).lines
        assert "白方未指出的禁手：I8（第 9 手，三三）。" in scene(play(game, "1 resign"), of(0, "zh_Hans")).lines
        overline = play(stones(begin(), OVERLINE + " b1"), "0 resign")
        assert "Forbidden stones that White did not claim: I8 (move 11, overline)." in scene(overline).lines
        assert not any("claim" in line for line in scene(play(stones(begin(), DOUBLE_THREE), "1 claim")).lines[3:])

    def test_is_the_last_word(self) -> None:
        """Afterwards there is a rematch, and nothing else to do."""
        for viewer in (PUBLIC, of(0), of(1)):
            shown = scene(play(stones(begin(), "h8 j9"), "0 resign"), viewer)
            assert labels(shown) == [["Rematch"]]
            assert shown.entry is None
            assert not any(line.startswith(("Step:", "Opening step:")) for line in shown.lines)

    def test_of_a_table_that_nobody_joined_has_no_rematch(self) -> None:
        """There is nobody to play again."""
        shown = scene(play(begin(), "0 cancel"), seats=(ANNA, None))
        assert shown.lines[2] == "The challenge was withdrawn."
        assert shown.buttons == ()


class TestButtons:
    def test_of_a_waiting_table(self) -> None:
        """A group sees both; the opener can withdraw; a watcher can do nothing."""
        seats = (ANNA, None)
        assert labels(scene(begin(), seats=seats)) == [["Join", "Withdraw"]]
        assert labels(scene(begin(), of(0), seats)) == [["Withdraw"]]
        assert labels(scene(begin(), Viewer("en"), seats)) == []

    def test_follow_the_steps_of_rif(self) -> None:
        """As the design names them."""
        game = begin("rif", draw=Draw.GUESS, hidden=5)
        assert labels(scene(game)) == [["Odd", "Even"], ["Cancel"]]
        assert labels(scene(game, of(0))) == [["Cancel"]], "the guess is Bob's"
        game = play(game, "1 guess even; 0 place h8; 0 place h9; 0 place i9")
        assert labels(scene(game, of(1)))[0] == ["Swap colours", "Keep colours"]
        game = play(game, "1 swap; 0 place g7; 1 offer i7 f8")
        assert labels(scene(game, of(0)))[0] == ["A", "B"]
        assert {"choose-i7", "choose-f8"} <= data(scene(game, of(0)))
        assert not {"choose-i7", "choose-f8"} & data(scene(game, of(1)))

    def test_let_white_claim_from_the_end_of_the_protocol_to_the_end_of_the_game(self) -> None:
        """Always, on either turn, whatever lies there, and with no claims left (R6.1, R6.5); never for Black."""
        game = play(begin("rif"), "0 place h8; 0 place h9; 0 place i9; 1 keep; 1 place g7; 0 offer i7 f8; 1 choose i7")
        assert "claim" not in data(scene(game))
        game = play(game, "1 place i8")
        for step in ("0 place a1", "1 claim", "1 place o1", "1 claim", "0 place a15", "1 claim", "1 place o15"):
            assert "claim" in data(scene(game, of(1))), step
            assert "claim" in data(scene(game))
            assert "claim" not in data(scene(game, of(0)))
            game = play(game, step)
        assert game.state.wrong_claims == 3
        assert "claim" in data(scene(game, of(1)))
        for mode in (FoulMode.AUTO_LOSS, FoulMode.BLOCKED, FoulMode.FREESTYLE):
            assert "claim" not in data(scene(stones(begin(foul_mode=mode), "h8")))

    def test_offer_a_pass_on_ones_own_turn(self) -> None:
        """Once the protocol is done (R5.6), unless it is switched off."""
        game = stones(begin(), "h8")
        assert "pass" in data(scene(game, of(1)))
        assert "pass" not in data(scene(game, of(0)))
        assert "pass" not in data(scene(begin()))
        assert "pass" not in data(scene(stones(begin(no_pass=True), "h8")))

    def test_cancel_before_the_second_stone_and_resign_after_it(self) -> None:
        """With a question before resigning, in the viewer's words."""
        early, late = stones(begin(), "h8"), stones(begin(), "h8 j9")
        assert {"cancel"} == {"cancel", "resign", "draw_offer"} & data(scene(early))
        assert {"resign", "draw_offer"} == {"cancel", "resign", "draw_offer"} & data(scene(late))
        (resign,) = (b for row in scene(late, of(0)).buttons for b in row if b.data == "resign")
        assert (resign.confirm, resign.yes, resign.no) == ("Resign this game?", "Yes resign", "Play on")

    def test_answer_what_was_asked(self) -> None:
        """Only for whoever has to answer."""
        game = play(stones(begin(), "h8 j9"), "0 draw_offer; 1 undo_ask")
        assert {"draw_accept", "draw_decline"} <= data(scene(game, of(1)))
        assert {"undo_allow", "undo_refuse"} <= data(scene(game, of(0)))
        assert not {"draw_accept", "undo_ask", "undo_allow"} & data(scene(game, Viewer("en")))
        assert "undo_ask" not in data(scene(game)), "one request at a time"
        assert "undo_ask" not in data(scene(stones(begin(rated=True), "h8 j9")))

    def test_in_a_group_come_once_each(self) -> None:
        """Both can resign by the same button."""
        shown = scene(stones(begin(), "h8 j9"))
        assert labels(shown) == [["Claim forbidden move", "Pass"], ["Offer draw", "Undo", "Resign"]]

    def test_of_the_engine_belong_to_nobody(self) -> None:
        """A group playing the engine sees the person's buttons only."""
        game = stones(begin(), "h8")
        assert "claim" not in data(scene(game, seats=(ANNA, Machine())))
        assert "pass" not in data(scene(game, seats=(ANNA, Machine())))
        assert "undo_ask" in data(scene(game, seats=(ANNA, Machine())))
        assert labels(scene(play(stones(begin(), "h8 j9"), "0 resign"), seats=(ANNA, Machine()))) == [["Rematch"]]

    def test_decide_in_the_other_protocols(self) -> None:
        """Numbers to declare, colours to take, ten offers."""
        k3 = play(begin("yamaguchi", k_max=4), "0 place h8; 0 place h9; 0 place i9")
        assert labels(scene(k3))[0] == ["1", "2", "3", "4"]
        k3 = play(begin("yamaguchi"), "0 place h8; 0 place h9; 0 place i9")
        assert labels(scene(k3))[:2] == [list("123456"), ["7", "8", "9", "10", "11", "12"]]
        q3 = play(begin("swap"), "0 place a1; 0 place b2; 0 place c3")
        assert labels(scene(q3))[0] == ["Take Black", "Take White"]
        q3 = play(begin("swap2"), "0 place a1; 0 place b2; 0 place c3")
        assert labels(scene(q3))[0] == ["Take Black", "Take White", "Add two stones"]
        steps = "0 place h8; 1 keep; 1 place h9; 0 keep; 0 place i9; 1 keep; 1 place g7"
        assert labels(scene(play(begin("taraguchi_10"), steps)))[0] == ["Swap colours", "Keep colours", "Offer ten"]
        assert labels(scene(play(begin("taraguchi_5"), steps)))[0] == ["Swap colours", "Keep colours", "Offer 5"]


class TestTapping:
    def test_is_open_to_whoever_is_to_act(self) -> None:
        """Nobody else's tap is a move."""
        game = stones(begin(), "h8")
        for viewer, open_ in ((PUBLIC, True), (of(1), True), (of(0), False), (Viewer("en"), False)):
            assert (scene(game, viewer).entry is not None) is open_
        assert scene(game, seats=(ANNA, Machine())).entry is None
        assert scene(begin(), seats=(ANNA, None)).entry is None

    def test_plays_within_the_square_of_the_phase(self) -> None:
        """H8 alone, then 3 × 3, then 5 × 5, then anywhere."""
        game = begin("rif")
        sizes = []
        for step in ("0 place h8", "0 place h9", "0 place i9"):
            entry = scene(game).entry
            assert entry is not None
            assert entry.act is Act.PLACE
            sizes.append(len(entry.points))
            game = play(game, step)
        assert sizes == [1, 8, 23]
        assert scene(game).entry is None, "a swap is no point"
        pro = scene(play(begin("pro"), "0 place h8; 1 place h9")).entry
        assert pro is not None
        assert len(pro.points) == POINTS - 25

    def test_offers_and_chooses_fifth_moves(self) -> None:
        """In Black's colour, both."""
        game = play(begin("rif"), OFFERS)
        chosen = scene(game).entry
        assert chosen is not None
        assert (chosen.act, chosen.points, chosen.colour) == (
            Act.CHOOSE,
            frozenset(map(point, ("i7", "f8"))),
            Colour.BLACK,
        )
        offered = scene(play(begin("rif"), OFFERS.rpartition(";")[0])).entry
        assert offered is not None
        assert (offered.act, len(offered.points), offered.colour) == (Act.OFFER, POINTS - 5, Colour.BLACK)

    def test_leaves_forbidden_points_out_in_blocked_games_only(self) -> None:
        """They are refused there, and crossed out; elsewhere that would be a secret told (R6.1)."""
        before = DOUBLE_THREE.removesuffix(" i8")
        for mode in FoulMode:
            shown = scene(stones(begin(foul_mode=mode), before))
            assert shown.entry is not None
            blocked = mode is FoulMode.BLOCKED
            assert (point("i8") in shown.entry.points) is not blocked
            assert (point("i8") in shown.picture.forbidden) is blocked
            assert ("Crossed out as forbidden: I8." in shown.alt) is blocked
        assert scene(stones(begin(foul_mode=FoulMode.BLOCKED), before + " i7")).picture.forbidden == (), "White to move"


class TestTheSecret:
    """R6.1: while a claim or auto_loss game runs, nothing tells what the rules say about a point or stone."""

    @pytest.mark.parametrize("clock", ["idle:3d", "20m+60s", "fischer:10m+5s", "3d"])
    @pytest.mark.parametrize("moves", [DOUBLE_THREE, OVERLINE, DOUBLE_THREE + " b1 b15 c1 c15"])
    def test_a_claim_game_looks_the_same_under_rules_that_know_no_fouls(
        self, moves: str, clock: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Every scene for everybody is equal, move by move, with words, buttons, points and clocks."""

        def scenes() -> list[Scene]:
            game, found = start(begin(clock=clock), 0), []
            for number, move in enumerate(moves.split()):
                game = stones(game, move)
                game = play(game, "- credit 1000") if number % 3 == 0 else game
                assert game.outcome is None
                found += [
                    scene(game, viewer, now=now)
                    for now in (0, 5_000, 500_000)
                    for language in LANGUAGES
                    for viewer in (Viewer(language, public=True), of(0, language), of(1, language), Viewer(language))
                ]
            assert any(stone.verdict.forbidden for stone in game.state.stones) is not blind
            return found

        blind = False
        seeing = scenes()
        blind = True
        monkeypatch.setattr("core.game.turns.judge", lambda *_: Verdict.LEGAL)
        monkeypatch.setattr("bot.composing.crosses.forbidden", _not_asked)
        assert repr(scenes()) == repr(seeing)

    @pytest.mark.parametrize("mode", [FoulMode.CLAIM, FoulMode.AUTO_LOSS, FoulMode.FREESTYLE])
    def test_the_rules_are_not_even_asked(self, mode: FoulMode, monkeypatch: pytest.MonkeyPatch) -> None:
        """Only blocked games ask for forbidden points."""
        monkeypatch.setattr("bot.composing.crosses.forbidden", _not_asked)
        scene(stones(begin(foul_mode=mode), DOUBLE_THREE.removesuffix(" i8")))


def _not_asked(_: object) -> dict[int, Verdict]:
    raise AssertionError("the rules were asked for forbidden points")


class TestTheBoardInWords:
    def test_lists_every_stone(self) -> None:
        """For readers without pictures: last move, side to move, opening, stones by colour."""
        assert scene(stones(begin(), "h8 h9 i9")).alt == "\n".join(
            (
                "Renju board after move 3, Black I9.",
                "The next stone is white.",
                "The opening is D4 Kagetsu, Flower Moon.",
                "Black: H8 I9.",
                "White: H9.",
            )
        )

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_holds_a_full_board(self, language: str) -> None:
        """225 stones in at most 1,024 characters."""
        game = full_board()
        assert len(game.state.stones) == POINTS
        alt = scene(game, Viewer(language, public=True)).alt
        assert utf16(alt) <= 1024
        assert all(label(stone.point) in alt for stone in game.state.stones)

    def test_leaves_out_the_oldest_stones_where_it_must(self) -> None:
        """And says that it did."""
        told = Told(words("en"), table(stones(begin(), "h8 h9 i9 j10 k11 l12 m13 n14")), 32)
        short = alt_text(told, (), limit=145)
        assert len(short) <= 145
        assert "The newest stones are listed." in short
        assert "H8" not in short
        assert "N14" in short


def full_board() -> Game:
    """A board that is full without a five. A game would end sooner, dead: so it is made by hand, for its length."""
    black = [p for p in range(POINTS) if (p % 15 + 2 * (p // 15)) % 4 < 2]
    lying = tuple(Stone(p, Colour.BLACK if p in black else Colour.WHITE) for p in range(POINTS))
    game = begin()
    return replace(game, state=replace(game.state, stones=lying, cells=bytes(s.colour for s in lying), phase="done"))


@pytest.mark.parametrize("name", ["<b>&_*", "{0}", "{name}", "%(x)s", "`code`", "@everyone"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_shown_exactly_wherever_they_are_shown(name: str, language: str) -> None:
    """Nobody's name changes anybody's sentence; escaping is for whoever shows it."""
    seats = (Person(id="tg:1", name=name), BOB)
    game = stones(begin(), "h8 j9")
    for state in (
        game,
        play(game, "0 draw_offer; 1 undo_ask"),
        play(game, "0 pass"),
        play(game, "0 resign"),
        play(begin("rif"), "0 place h8; 0 place h9; 0 place i9; 1 swap"),
        begin(draw=Draw.GUESS),
    ):
        lines = scene(state, Viewer(language, public=True), seats).lines
        assert any(name in line for line in lines)
        plain = scene(state, Viewer(language, public=True)).lines
        assert [line.replace(name, "Anna") for line in lines] == list(plain)
