"""The opening book: what it holds, how it is found in every orientation, how the engine uses it."""

from __future__ import annotations

from pathlib import Path
from statistics import mean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ai import decide
from core.ai.book import (
    OWN,
    Book,
    BookError,
    Scored,
    WellRead,
    chosen,
    line_of,
    own_book,
    own_symmetries,
    parse,
    to_move_after,
)
from core.ai.chances import margin
from core.ai.opening import USUAL_FIFTHS, USUAL_THREE
from core.ai.think import Deadline, Rules
from core.notation import SYMMETRIES, TENGEN, Board, Colour, Point, board_of, name, point
from core.openings.names import OPENINGS, opening_of
from core.rules import judge
from tests.core.game.games import begin
from tests.core.game.games import stones as stones_played
from tools.make_book import distinct, main

LINES = [parse(line) for line in OWN.read_text("utf-8").splitlines() if not line.startswith("#")]
THREES = [(stones, scored) for stones, scored in LINES if len(stones) == 3]


def turned(board: Board, symmetry: int) -> Board:
    """The position in another orientation."""
    image = np.zeros_like(board)
    image[SYMMETRIES[symmetry]] = board
    return image


class TestWhatItHolds:
    """The file that comes with the engine."""

    def test_every_opening_is_there(self) -> None:
        """Each of the 26 once, with fourth moves, and fifth moves to some of them."""
        assert sorted(opening_of(*stones).code for stones, _ in THREES) == sorted(o.code for o in OPENINGS)  # type: ignore[union-attr]
        for three, fourths in THREES:
            assert len(fourths) >= 12
            board = board_of(three)
            followed = 0
            for move in fourths:
                after = board.copy()
                after[move.point] = Colour.WHITE
                followed += bool(own_book().moves(after, Colour.BLACK))
            assert followed >= 6

    def test_no_position_is_there_twice(self) -> None:
        """Also when two openings lead to it."""
        assert len(own_book()) == len(LINES)

    def test_every_move_may_be_played(self) -> None:
        """Legal moves, the best first, none twice."""
        for stones, scored in LINES:
            board = board_of(stones)
            assert [move.score for move in scored] == sorted((move.score for move in scored), reverse=True)
            assert len({move.point for move in scored}) == len(scored)
            assert distinct(board, [move.point for move in scored]) == [move.point for move in scored]
            if to_move_after(stones) is Colour.BLACK:
                assert not any(judge(board, move.point).forbidden for move in scored)

    def test_lines_read_back_as_they_were_written(self) -> None:
        """``line_of`` and ``parse`` are inverses."""
        for stones, scored in LINES:
            assert parse(line_of(stones, scored)) == (stones, scored)


class TestFinding:
    """Positions in every orientation."""

    @given(st.sampled_from(LINES), st.integers(0, 7))
    def test_a_turned_position_has_turned_moves(
        self, line: tuple[tuple[Point, ...], tuple[Scored, ...]], symmetry: int
    ) -> None:
        """Up to the position's own symmetry."""
        stones, scored = line
        board = turned(board_of(stones), symmetry)
        found = own_book().moves(board, to_move_after(stones))
        assert [move.score for move in found] == [move.score for move in scored]
        images = own_symmetries(board)

        def classes(moves: list[Point]) -> set[frozenset[int]]:
            return {frozenset(int(image[p]) for image in images) for p in moves}

        expected = [int(SYMMETRIES[symmetry][move.point]) for move in scored]
        assert classes([move.point for move in found]) == classes(expected)
        assert not any(board[move.point] for move in found)

    def test_the_other_side_to_move_is_another_position(self) -> None:
        """And so is one more stone."""
        stones = OPENINGS[0].points
        assert own_book().moves(board_of(stones), Colour.WHITE)
        assert not own_book().moves(board_of(stones), Colour.BLACK)
        assert not own_book().moves(board_of((TENGEN,)), Colour.WHITE)


class TestReading:
    """Files of others."""

    @pytest.mark.parametrize(
        "line",
        [
            "h8h9h10",
            "h8h9h10: ",
            "h8h9h10: g9",
            "h8h9h10: g9 x",
            "h8h8: g9 1",
            "h8h9h10: h9 1",
            "h8h9z10: g9 1",
            "h8h9h10: g16 1",
        ],
    )
    def test_a_bad_line_is_named(self, tmp_path: Path, line: str) -> None:
        """With its number."""
        file = tmp_path / "book.txt"
        file.write_text(f"# a book\nh8h9h10: g9 1\n{line}\n", "utf-8")
        with pytest.raises(BookError, match="line 3"):
            Book.read(file)

    def test_what_is_no_text_is_no_book(self, tmp_path: Path) -> None:
        """Also said in one line."""
        file = tmp_path / "book.bin"
        file.write_bytes(b"\xff\xfe\x00")
        with pytest.raises(BookError, match="no text"):
            chosen(str(file))
        with pytest.raises(BookError, match="cannot be read"):
            chosen(str(tmp_path / "none"))

    def test_the_setting(self, tmp_path: Path) -> None:
        """Own, off, or a path."""
        file = tmp_path / "book.txt"
        file.write_text("h8h9h10: g9 1\n", "utf-8")
        assert chosen("off") is None
        assert chosen("own") is own_book()
        small = chosen(str(file))
        assert small is not None
        assert len(small) == 1


class TestWhatIsUsual:
    """The book is where the engine's idea of an ordinary opening comes from."""

    def test_the_means_are_those_of_the_book(self) -> None:
        """With three stones, and for the best, the second best ... fifth move."""
        threes, fifths = [], []
        for three, fourths in THREES:
            threes.append(-fourths[0].score)
            replies = []
            for move in fourths:
                after = board_of(three)
                after[move.point] = Colour.WHITE
                if found := own_book().moves(after, Colour.BLACK):
                    replies.append([reply.score for reply in found])
            fifths.append([min(scores[n] for scores in replies) for n in range(len(USUAL_FIFTHS))])
        assert round(mean(threes)) == USUAL_THREE
        assert tuple(round(mean(scores)) for scores in zip(*fifths, strict=True)) == USUAL_FIFTHS

    def test_openings_known_to_be_won_stand_out(self) -> None:
        """浦月 and 花月 are good for Black, 彗星 and 流星 are not: what players have long agreed on."""
        worth = {opening_of(*three).code: -fourths[0].score for three, fourths in THREES}  # type: ignore[union-attr]
        ranked = sorted(worth, key=lambda code: worth[code])
        assert {"I13", "I12"} <= set(ranked[:4])
        assert {"D4", "I7"} <= set(ranked[10:])


class TestUse:
    """A mind that has read it."""

    def test_its_best_moves_are_played_without_a_search(self) -> None:
        """One of those that are as good as the best."""
        stones, scored = LINES[0]
        worse = margin(scored[0].score, to_move_after(stones))
        good = {move.point for move in scored if move.score >= scored[0].score - worse}
        board = board_of(stones)
        images = own_symmetries(board)
        played = set()
        for seed in range(40):
            thought = WellRead(own_book(), board, to_move_after(stones), seed=seed).best(Deadline(nodes=1))
            assert thought.nodes == 0
            played.add(thought.point)
        assert played <= {int(image[p]) for p in good for image in images}
        assert len(played) > 1 or len(good) * len(images) == 1

    def test_other_rules_are_not_in_the_book(self) -> None:
        """Without forbidden moves the position is another one."""
        stones, _ = LINES[0]
        mind = WellRead(own_book(), board_of(stones), to_move_after(stones), Rules(fouls=False))
        assert mind.best(Deadline(nodes=500)).nodes > 0

    def test_moves_are_compared_as_the_book_has_them(self) -> None:
        """And searched where it knows too few of them."""
        stones, scored = LINES[0]
        mind = WellRead(own_book(), board_of(stones), to_move_after(stones))
        asked = [move.point for move in reversed(scored)]
        assert mind.compare(asked, Deadline(nodes=1)) == [tuple(move) for move in scored]
        assert mind.nodes() == 0
        mind.compare([point("a1"), point("b1")], Deadline(nodes=500))
        assert mind.nodes() > 0

    @pytest.mark.parametrize("number", range(0, 26, 5))
    def test_the_engine_plays_from_it_at_a_table(self, number: int) -> None:
        """White's fourth move of a free game comes from the book it is given, and only then."""
        game = stones_played(begin(), " ".join(name(p) for p in OPENINGS[number].points))
        odd = point("h12") if not game.state.cells[point("h12")] else point("d8")
        book = Book({OPENINGS[number].points: [Scored(5, odd)]})
        images = {int(image[odd]) for image in own_symmetries(game.state.board())}
        (seat,) = game.to_act
        assert decide(game, seat, book=book, seed=1).points[0] in images


class TestMaking:
    """tools/make_book.py."""

    def test_it_goes_on_where_it_was_stopped(self, tmp_path: Path) -> None:
        """A book cut off after its third line and continued is the book made at once."""
        whole, cut = tmp_path / "whole.txt", tmp_path / "cut.txt"
        assert main(["--nodes", "60", "--out", str(whole), "--openings", "D4"]) == 0
        lines = whole.read_text("utf-8").splitlines(keepends=True)
        cut.write_text("".join(lines[:5]), "utf-8")
        assert main(["--nodes", "60", "--out", str(cut), "--openings", "D4"]) == 0
        assert cut.read_text("utf-8") == whole.read_text("utf-8")
        assert len(Book.read(whole)) == len(lines) - 2

    def test_a_book_of_other_nodes_is_not_continued(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """One line says why."""
        file = tmp_path / "book.txt"
        file.write_text("# another\n", "utf-8")
        with pytest.raises(SystemExit):
            main(["--nodes", "60", "--out", str(file)])
        assert "other nodes" in capsys.readouterr().err
