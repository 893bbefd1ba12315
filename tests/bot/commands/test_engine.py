"""``renju engine``: the Gomocup protocol, spoken by a manager that is sometimes sloppy."""

from __future__ import annotations

import io
import queue
import re
import threading
from collections.abc import Iterator

import pytest

from bot.commands.engine import Engine
from core.ai.think import new_table
from core.notation import board, moves, point
from core.rules import forbidden

QUICK = "INFO max_node 2000"


def talk(*lines: str) -> list[str]:
    """What the engine answers to these lines, without its messages."""
    out = io.StringIO()
    Engine(out, patience=60).serve(iter(f"{line}\n" for line in lines))
    return [line for line in out.getvalue().splitlines() if not line.startswith("MESSAGE")]


def spot(text: str) -> int:
    """The point of an answer ``x,y``."""
    match = re.fullmatch(r"(\d+),(\d+)", text)
    assert match is not None, text
    return int(match[2]) * 15 + int(match[1])


def xy(name: str) -> str:
    """``"h8"`` as the protocol writes it."""
    p = point(name)
    return f"{p % 15},{p // 15}"


def stones(black: str, white: str, ours: str) -> list[str]:
    """A BOARD command: Black and White alternate as long as both have stones."""
    sides = {"black": black.split(), "white": white.split()}
    order = [
        (name, side)
        for n in range(max(len(names) for names in sides.values()))
        for side, names in sides.items()
        for name in names[n : n + 1]
    ]
    return ["BOARD", *(f"{xy(name)},{1 if side == ours else 2}" for name, side in order), "DONE"]


class TestCommands:
    def test_a_short_game(self) -> None:
        """START, BEGIN and TURN; every move is on an empty point."""
        answers = talk("START 15", QUICK, "BEGIN", f"TURN {xy('a1')}", f"TURN {xy('o15')}", "END")
        assert answers[0] == "OK"
        played = [spot(text) for text in answers[1:]]
        assert len({*played, point("a1"), point("o15")}) == 5

    def test_about_names_the_engine(self) -> None:
        """Match managers show the name and the version."""
        (about,) = talk("ABOUT")
        assert 'name="Renju Bot"' in about
        assert "version=" in about

    def test_only_size_15(self) -> None:
        """Other sizes get the protocol's ERROR, and so does a move before a good START."""
        answers = talk("START 20", "BEGIN", "START 15", QUICK, "BEGIN")
        assert [text.split()[0] for text in answers[:3]] == ["ERROR", "ERROR", "OK"]
        spot(answers[3])

    def test_restart_empties_the_board(self) -> None:
        """After RESTART the same point can be played again."""
        answers = talk("START 15", QUICK, f"TURN {xy('h8')}", "RESTART", f"TURN {xy('h8')}")
        assert answers[0] == answers[2] == "OK"
        assert "ERROR" not in " ".join(answers)

    def test_takeback_frees_a_point(self) -> None:
        """The stone is gone; a point without a stone is an error."""
        answers = talk("START 15", QUICK, f"TURN {xy('h8')}", f"TAKEBACK {xy('h8')}", f"TAKEBACK {xy('a1')}")
        assert answers[2] == "OK"
        assert answers[3].startswith("ERROR")

    def test_spacing_case_and_unknown_keys_are_tolerated(self) -> None:
        """Odd spacing, small letters, unknown INFO and blank lines disturb nothing."""
        answers = talk(
            "  start   15 ",
            "info folder C:\\temp with spaces",
            "INFO game_type 1",
            "INFO evaluate 7,7",
            "INFO rule 4",
            QUICK,
            "",
            "turn  7 , 7 ",
        )
        assert answers[0] == "OK"
        spot(answers[1])
        assert len(answers) == 2

    def test_unknown_commands_are_said_to_be_unknown(self) -> None:
        """As the protocol asks."""
        assert talk("SWAP2BOARD")[0].startswith("UNKNOWN")

    def test_tabs_divide_words_too(self) -> None:
        """And lines may end as they do elsewhere."""
        answers = talk("START\t15\r", "INFO\tmax_node\t2000\r", "TURN\t7,\t7\r")
        assert answers[0] == "OK"
        spot(answers[1])

    @pytest.mark.parametrize("line", ["INFO timeout_turn 1e300", "INFO max_node 1e30", "INFO time_left -1e300"])
    def test_enormous_limits_are_as_good_as_none(self, line: str) -> None:
        """No number is too large for what is counted or timed."""
        manager = Manager()
        for text in ("START 15", line, f"TURN {xy('h8')}", "STOP"):
            manager.say(text)
        assert manager.hear() == "OK"
        spot(manager.hear())
        manager.end()

    @pytest.mark.parametrize(
        "text",
        [
            *("TURN", "TURN x", "TURN 15,0", "TURN 3", "TURN -1,4", "TURN 1,2,3,4"),
            pytest.param(f"TURN {'9' * 5000},1", id="an enormous number"),
        ],
    )
    def test_bad_moves_are_errors(self, text: str) -> None:
        """One ERROR, and the conversation goes on."""
        answers = talk("START 15", QUICK, text, f"TURN {xy('h8')}")
        assert answers[1].startswith("ERROR")
        spot(answers[2])

    def test_a_taken_point_is_an_error(self) -> None:
        """The opponent cannot play where a stone lies."""
        answers = talk("START 15", QUICK, *stones("h8", "", "black")[:2], "DONE", f"TURN {xy('h8')}")
        assert answers[-1].startswith("ERROR")

    def test_messages_tell_depth_score_nodes_speed_and_line(self) -> None:
        """Before the move comes a MESSAGE that a manager may show."""
        out = io.StringIO()
        Engine(out).serve(iter(["START 15\n", f"{QUICK}\n", f"TURN {xy('h8')}\n"]))
        (message,) = [line for line in out.getvalue().splitlines() if line.startswith("MESSAGE")]
        assert re.search(r"depth \d+ score -?\d+ nodes \d+ speed \d+ time \d+ line( [a-o]\d+)+", message)


class TestBoards:
    def test_a_five_is_taken_by_either_colour(self) -> None:
        """The colour follows from the number of stones."""
        for ours, black, white in (
            ("black", "d4 e4 f4 g4", "c4 a9 c9 e9"),
            ("white", "a9 c9 e9 g9 i11", "d4 e4 f4 g4"),
        ):
            answers = talk("START 15", QUICK, *stones(black, white, ours))
            assert answers[-1] in (xy("h4"), xy("c4"))

    @pytest.mark.parametrize(("rule", "fills"), [(0, True), (1, False), (4, False)])
    def test_the_rules_differ_on_six(self, rule: int, fills: bool) -> None:
        """Under rule 0 Black wins with six, under 1 and 4 not."""
        board_lines = stones("c8 d8 e8 g8 h8", "k3 b2 m13 m2 o9", "black")
        answers = talk("START 15", f"INFO rule {rule}", QUICK, *board_lines)
        assert (answers[-1] == xy("f8")) is fills

    def test_rule_4_has_forbidden_points(self) -> None:
        """Black never plays one; here three of the best-looking points are."""
        position = "h8g6f6g5f7g4h7g3g2a1"
        played = moves(position)
        lines = [f"{p % 15},{p // 15},{1 + n % 2}" for n, p in enumerate(played)]
        answers = talk("START 15", "INFO rule 4", QUICK, "BOARD", *lines, "DONE")
        assert spot(answers[-1]) not in forbidden(board(played[::2], played[1::2]))

    def test_an_unsupported_rule_is_an_error(self) -> None:
        """Rules other than 0, 1 and 4 are refused."""
        assert talk("INFO rule 2")[0].startswith("ERROR")

    def test_a_full_board_is_an_error(self) -> None:
        """Nothing can be played on it."""
        lines = [f"{p % 15},{p // 15},{1 + p % 2}" for p in range(225)]
        assert talk("START 15", QUICK, "BOARD", *lines, "DONE")[-1].startswith("ERROR")

    def test_a_garbled_board_is_an_error(self) -> None:
        """And the next command is understood again."""
        answers = talk("START 15", QUICK, "BOARD", "7,7", "x", "DONE", "ABOUT")
        assert answers[1].startswith("ERROR")
        assert answers[-1].startswith("name=")

    @pytest.mark.parametrize("bad", ["15,0,1", "7,7,1", f"{'9' * 5000},1,1"])
    def test_of_a_bad_board_nothing_remains(self, bad: str) -> None:
        """One ERROR; the stones that could be read do not stay behind."""
        answers = talk("START 15", QUICK, "BOARD", "7,7,2", bad, "DONE", "BEGIN")
        assert answers[1].startswith("ERROR")
        assert len(answers) == 3
        spot(answers[2])

    @pytest.mark.parametrize("last", [(), ("END",)])
    def test_an_unfinished_board_ends_with_the_conversation(self, last: tuple[str, ...]) -> None:
        """A manager that dies, or takes its leave, in the middle of a board: nothing waits, nothing is played."""
        assert talk("START 15", QUICK, "BOARD", "7,7,2", *last) == ["OK"]

    def test_a_stop_within_a_board_is_ticked_off(self) -> None:
        """It belongs to no search; later ones think as long as they may."""
        engine = Engine(io.StringIO(), patience=60)
        engine.serve(iter(["START 15\n", f"{QUICK}\n", "BOARD\n", "7,7,2\n", "STOP\n", "DONE\n"]))
        assert [who for _, who in engine.stones] == [False, True]
        assert not engine._stops

    def test_a_winning_line_in_the_board_is_passed_over(self) -> None:
        """Managers that mark a line with 3 are understood."""
        answers = talk("START 15", QUICK, "BOARD", "7,7,2", "0,0,3", "DONE")
        spot(answers[-1])

    def test_a_board_with_a_five_is_answered(self) -> None:
        """A manager may ask about a finished game: a legal move within the limits."""
        for ours in ("black", "white"):
            asked = stones("d4 e4 f4 g4 h4", "d5 e5 f6 g7", ours)
            answer = talk("START 15", QUICK, *asked, "END")[-1]
            assert spot(answer) not in {point(name) for name in ["d4", "e4", "f4", "g4", "h4", "d5", "e5", "f6", "g7"]}


class TestMemoryAndThreads:
    def engine(self, *lines: str) -> Engine:
        engine = Engine(io.StringIO(), memory=64 << 20)
        engine.serve(iter(f"{line}\n" for line in ("START 15", QUICK, *lines, "BEGIN", "END")))
        return engine

    def size(self, *lines: str) -> int:
        table = self.engine(*lines).table
        assert table is not None
        return table.nbytes

    def test_the_table_keeps_within_what_is_set_and_what_the_manager_allows(self) -> None:
        """The setting, or less where ``max_memory`` leaves less beside the program; 0 there is no limit."""
        assert self.size() == 64 << 20
        assert self.size("INFO max_memory 0") == 64 << 20
        assert self.size("INFO max_memory 367001600") == 64 << 20
        assert self.size(f"INFO max_memory {288 << 20}") == 32 << 20
        assert self.size("INFO max_memory 1000000") <= 1 << 20

    def test_a_new_game_and_another_rule_forget_what_was_found(self) -> None:
        """Scores of another rule, and of the game before, are not believed."""
        engine = self.engine()
        for forget in (lambda: engine.restart(""), lambda: engine.info("rule 0"), lambda: engine.start("15")):
            engine.table = new_table(1)
            forget()
            assert engine.table is None

    def test_several_threads_answer(self) -> None:
        """``thread_num`` is kept; the answer is a legal move."""
        answers = talk("START 15", QUICK, "INFO thread_num 2", "BEGIN", f"TURN {xy('a1')}", "END")
        assert len({spot(text) for text in answers[1:]}) == 2
        assert self.engine("INFO thread_num 2").threads == 2
        assert self.engine("INFO thread_num 0").threads == 1


class TestTime:
    def test_no_match_clock(self) -> None:
        """``timeout_match 0`` and ``time_left 2147483647`` mean that only the turn counts."""
        engine = Engine(io.StringIO())
        engine.serve(iter(["INFO timeout_turn 1000\n", "INFO timeout_match 0\n", "INFO time_left 2147483647\n"]))
        assert 0.9 < engine.limits.seconds() < 1.0

    def test_the_match_clock_is_shared_out(self) -> None:
        """With ten seconds left for the match, a move takes a small part of it."""
        engine = Engine(io.StringIO())
        engine.serve(iter(["INFO timeout_turn 5000\n", "INFO timeout_match 100000\n", "INFO time_left 10000\n"]))
        assert 0 < engine.limits.seconds() < 0.5

    def test_as_fast_as_possible(self) -> None:
        """``timeout_turn 0`` still gets a move."""
        answers = talk("START 15", "INFO timeout_turn 0", f"TURN {xy('h8')}")
        spot(answers[-1])


class Manager:
    """A manager that speaks line by line and waits for answers."""

    def __init__(self) -> None:
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._answers: queue.Queue[str] = queue.Queue()
        manager = self

        class Out(io.StringIO):
            def write(self, text: str) -> int:
                manager._answers.put(text.strip())
                return len(text)

        self.engine = Engine(Out())
        self.thread = threading.Thread(target=self.engine.serve, args=(self._source(),), daemon=True)
        self.thread.start()

    def _source(self) -> Iterator[str]:
        while (line := self._lines.get()) is not None:
            yield line + "\n"

    def say(self, line: str) -> None:
        self._lines.put(line)

    def end(self) -> None:
        """END, and that the engine is gone."""
        self.say("END")
        self.thread.join(60)
        assert not self.thread.is_alive()

    def die(self) -> None:
        """No more input, and that the engine is gone."""
        self._lines.put(None)
        self.thread.join(60)
        assert not self.thread.is_alive()

    def hear(self) -> str:
        while True:
            text = self._answers.get(timeout=60)
            if text and not text.startswith("MESSAGE"):
                return text


class TestStopping:
    def test_stop_brings_the_move_at_once(self) -> None:
        """An engine that has an hour for its move answers as soon as it is told to stop, and plays on afterwards."""
        manager = Manager()
        manager.say("START 15")
        assert manager.hear() == "OK"
        manager.say("INFO timeout_turn 3600000")
        for name in ("h8", "a1"):
            manager.say(f"TURN {xy(name)}")
            manager.say("STOP")
            spot(manager.hear())
        manager.end()

    def test_end_ends_a_search(self) -> None:
        """END while it thinks: the process can go."""
        manager = Manager()
        manager.say("START 15")
        assert manager.hear() == "OK"
        manager.say("INFO timeout_turn 3600000")
        manager.say(f"TURN {xy('h8')}")
        manager.thread.join(0.2)
        assert manager.thread.is_alive()
        manager.end()

    @pytest.mark.parametrize("last", [(), ("END",)])
    def test_what_was_asked_before_the_end_is_answered_soon(self, last: tuple[str, ...]) -> None:
        """Everything written in one go, with an hour for each move: both are answered, and not in hours."""
        out = io.StringIO()
        lines = ["START 15", "INFO timeout_turn 3600000", f"TURN {xy('h8')}", f"TURN {xy('a1')}", *last]
        thread = threading.Thread(target=Engine(out).serve, args=(iter(f"{line}\n" for line in lines),), daemon=True)
        thread.start()
        thread.join(60)
        assert not thread.is_alive()
        assert len([line for line in out.getvalue().splitlines() if re.fullmatch(r"\d+,\d+", line)]) == 2

    def test_a_manager_that_dies_ends_a_search(self) -> None:
        """Its engine does not think on."""
        manager = Manager()
        manager.say("START 15")
        assert manager.hear() == "OK"
        manager.say("INFO timeout_turn 3600000")
        manager.say(f"TURN {xy('h8')}")
        manager.die()
