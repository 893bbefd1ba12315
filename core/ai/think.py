"""Thinking about a position: the best move, several moves compared, a win by continuous fours.

Every call is bounded by time, by nodes or by both, and ends early when told to. A call holds the GIL only between
iterations of the search.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from core.ai.fours import NONE, UNKNOWN, WIN
from core.ai.position import MAX_PLY, Positions, new_record, rules, set_up
from core.ai.search import DECIDED, INFINITE, MATE, fours_root, root_moves, search_root
from core.ai.sight import Row, hide
from core.ai.stop import Stop
from core.ai.table import Flag, Table
from core.ai.threes import threes_root
from core.ai.together import helpers
from core.notation import POINTS, Board, Colour, Point

#: Bytes of the table of known positions of one thought, unless told otherwise.
TABLE_BYTES: Final = 1 << 24
#: No table is smaller.
_LEAST_BYTES: Final = 1 << 16
_most_bytes = TABLE_BYTES

_NO_LIMIT: Final = 1 << 62
_NO_MOVE: Final = 255
#: Nodes of a fours search that take no longer than a few milliseconds.
_AT_ONCE: Final = 2_000
#: Nodes for a fours search before a search of all moves.
_ROOT_FOURS: Final = 100_000
#: The share of its time after which no deeper iteration is begun. One that is cut short still tells whether the best
#: move holds, so little time is given away.
_LAST_START: Final = 0.9


@dataclass(frozen=True, slots=True)
class Rules:
    """By which rules both colours play on: forbidden moves, and who needs exactly five."""

    fouls: bool = True
    black_exact: bool = True
    white_exact: bool = False


RENJU: Final = Rules()


@dataclass(frozen=True, slots=True)
class Thought:
    """What a search found."""

    point: Point | None
    """The best move; ``None`` when there is no legal one."""
    score: int
    """For the side to move; beyond 29,000 (or below -29,000) a win (loss) that was seen to the end."""
    depth: int
    """The deepest finished iteration, in plies."""
    nodes: int
    line: tuple[Point, ...]
    """The expected play, ``point`` first."""

    @property
    def won(self) -> bool:
        """Whether a win was seen to the end."""
        return self.score > DECIDED

    @property
    def lost(self) -> bool:
        """Whether every move was seen to lose."""
        return self.score < -DECIDED

    def instead(self, point: Point) -> Thought:
        """The same about another move that is as good."""
        return replace(self, point=point, line=(point,))


@dataclass(frozen=True, slots=True)
class Fours:
    """The answer to whether there is a win by continuous fours."""

    won: bool | None
    """``None``: not decided within the limits."""
    line: tuple[Point, ...]
    """For a win: four, answer, four ... to the four (or five) that cannot be stopped."""


@dataclass(frozen=True, slots=True)
class Threats:
    """The answer to whether there is a win by continuous threes and fours."""

    won: bool | None
    """``None``: not decided within the limits. ``False`` is about attacks of this kind only."""
    line: tuple[Point, ...]
    """For a win: the shortest attack known against the longest defence, to the four (or five) that wins."""


class Deadline:
    """The clock and the stop flag of one thought, shared by all its searches."""

    def __init__(self, *, seconds: float | None = None, nodes: int | None = None, stop: Stop | None = None) -> None:
        self.seconds = seconds
        self.nodes = nodes
        self.stop = stop
        self.began = time.monotonic()

    def part(self, share: float) -> Deadline:
        """A deadline after this share of the time and the nodes, counted from when this one was set."""
        part = Deadline(
            seconds=None if self.seconds is None else self.seconds * share,
            nodes=None if self.nodes is None else max(1, round(self.nodes * share)),
            stop=self.stop,
        )
        part.began = self.began
        return part

    @property
    def over(self) -> bool:
        """Whether no further search should begin."""
        if self.stop is not None and self.stop.is_set:
            return True
        return self.seconds is not None and time.monotonic() - self.began >= self.seconds

    @property
    def spent(self) -> float:
        """The share of the time that is used up; 0 without a limit of time."""
        return (time.monotonic() - self.began) / self.seconds if self.seconds else 0.0

    @contextmanager
    def flag(self) -> Iterator[Flag]:
        """The flag for kernels, raised when the time is over or the stop is set."""
        stop = self.stop if self.stop is not None else Stop()
        if self.seconds is None:
            yield stop.flag
            return
        # The timer must not set the caller's flag, which may be used for a further thought.
        own = Stop()
        release = stop.also(own)
        timer = threading.Timer(max(self.seconds - (time.monotonic() - self.began), 0.0), own.set)
        timer.daemon = True
        timer.start()
        try:
            yield own.flag
        finally:
            timer.cancel()
            release()


def new_table(most_bytes: int) -> Table:
    """An empty table of known positions, of the largest power of two that is not above so many bytes."""
    return np.zeros((1 << max(most_bytes, _LEAST_BYTES).bit_length() - 1) // 8, dtype=np.uint64)


def limit_tables(most_bytes: int) -> None:
    """From now on no thought of this process makes itself a table of more bytes."""
    global _most_bytes  # noqa: PLW0603 - an operator's setting for the whole process
    _most_bytes = min(most_bytes, TABLE_BYTES)


class Mind:
    """A position that is being thought about, with the memory of the searches so far."""

    def __init__(
        self,
        board: Board,
        to_move: Colour,
        agreed: Rules = RENJU,
        *,
        seed: int = 0,
        noise: int = 0,
        table_bytes: int | None = None,
        table: Table | None = None,
        threads: int = 1,
    ) -> None:
        """``table``: of :func:`new_table`, to go on with what was found before by the same rules and without noise.

        With more than one of ``threads`` the answer depends on their pace.
        """
        self.records: Positions = new_record()
        self.table: Table = new_table(_most_bytes if table_bytes is None else table_bytes) if table is None else table
        self.threads = threads
        self.colour = int(to_move) - 1
        black, white = rules(fouls=agreed.fouls, black_exact=agreed.black_exact, white_exact=agreed.white_exact)
        set_up(self.records, np.ascontiguousarray(board, dtype=np.uint8), black, white)
        self.records["seed"][0] = seed
        self.records["noise"][0] = noise
        self._legal: frozenset[Point] | None = None
        self._order: list[Point] = []

    def overlook(self, rows: Iterable[Row]) -> None:
        """Think on without seeing these rows. What is played stays legal."""
        self._legal = frozenset(int(p) for p in self.candidates())
        for row in rows:
            hide(self.records, row)

    def candidates(self) -> npt.NDArray[np.uint8]:
        """The legal moves worth a thought, the most urgent first."""
        moves = np.zeros(POINTS, dtype=np.uint8)
        found = moves[: root_moves(self.records, self.colour, moves)]
        if self._legal is None:
            return found
        seen = [p for p in found if int(p) in self._legal]
        return np.array(seen or sorted(self._legal), dtype=np.uint8)

    def nodes(self) -> int:
        """The nodes searched so far."""
        return int(self.records["nodes"][0])

    def _iterate(  # noqa: PLR0917
        self,
        flag: Flag,
        moves: npt.NDArray[np.uint8],
        depth: int,
        limit: int,
        alpha: int = -INFINITE,
        beta: int = INFINITE,
    ) -> bool:
        """One iteration; whether it was finished."""
        record = self.records
        record["limit"][0] = limit
        record["poll"][0] = 0
        record["stopped"][0] = 0
        search_root(record, self.table, flag, self.colour, depth, alpha, beta, moves, len(moves))
        return not record["stopped"][0]

    def best(self, deadline: Deadline) -> Thought:
        """Search deeper and deeper until the deadline. The first iteration's answer is always there."""
        moves = self.candidates()
        if not len(moves):
            return Thought(None, 0, 0, 0, ())
        thought = Thought(int(moves[0]), 0, 0, 0, (int(moves[0]),))
        if len(moves) == 1:
            return thought
        limit = deadline.nodes if deadline.nodes is not None else _NO_LIMIT
        with deadline.flag() as flag:
            if self._wins_by_fours(limit, flag):
                length = int(self.records["line_length"][0])
                line = tuple(int(p) for p in self.records["line"][0, :length])
                return Thought(line[0], MATE - length, length, self.nodes(), line)
            with helpers(self.threads - 1, self.records, self.table, self.colour, moves) as helping:
                thought = self._deepen(thought, moves, deadline, flag, limit)
            self._order = [int(p) for p in moves]
            return replace(thought, nodes=thought.nodes + sum(int(record["nodes"][0]) for record in helping))

    def as_good(self, thought: Thought, margin: int, most: int, deadline: Deadline) -> list[Point]:
        """Other moves than that of ``thought``, which :meth:`best` has just found, that are at most so much worse.

        ``most`` moves are looked at, those first that were the best one for a while, for as long as ``deadline`` lets.
        None when the end has been seen.
        """
        if thought.point is None or not thought.depth or abs(thought.score) > DECIDED:
            return []
        limit = deadline.nodes if deadline.nodes is not None else _NO_LIMIT
        found: list[Point] = []
        with deadline.flag() as flag:
            # The same depth for all of them: a score is no measure for one that is a ply deeper.
            if not self._iterate(flag, _alone(thought.point), thought.depth, limit):
                return []
            bound = int(self.records["best_score"][0]) - margin
            for p in [p for p in self._order if p != thought.point][:most]:
                if not self._iterate(flag, _alone(p), thought.depth, limit, alpha=bound - 1, beta=bound):
                    break
                if int(self.records["best_score"][0]) >= bound:
                    found.append(p)
        return found

    def _deepen(
        self, thought: Thought, moves: npt.NDArray[np.uint8], deadline: Deadline, flag: Flag, limit: int
    ) -> Thought:
        for depth in range(1, MAX_PLY // 2):
            finished = self._iterate(flag, moves, depth, limit)
            thought = self._after(thought, moves, depth, finished)
            if not finished or abs(thought.score) > DECIDED or deadline.over or deadline.spent > _LAST_START:
                break
        return thought

    def _wins_by_fours(self, limit: int, flag: Flag) -> bool:
        """Whether a win by continuous fours is seen; ``line`` of the record tells it."""
        if fours_root(self.records, self.colour, min(limit // 2, _ROOT_FOURS), flag) != WIN:
            return False
        return self._legal is None or int(self.records["line"][0, 0]) in self._legal

    def _after(self, before: Thought, moves: npt.NDArray[np.uint8], depth: int, finished: bool) -> Thought:
        """What an iteration has taught, even when it was cut short: its best move is at least the one before."""
        found, score = int(self.records["best"][0]), int(self.records["best_score"][0])
        tried = int(self.records["tried"][0])
        if found == _NO_MOVE:
            return replace(before, nodes=self.nodes())
        if not finished and score < -DECIDED:
            # What was tried loses, so the next move is no worse.
            hope = int(moves[tried])
            return Thought(hope, before.score, depth - 1, self.nodes(), (hope,))
        length = int(self.records["pv_length"][0, 0])
        line = tuple(int(p) for p in self.records["pv"][0, 0, :length])
        return Thought(found, score, depth if finished else depth - 1, self.nodes(), line)

    def threes(self, deadline: Deadline) -> Threats:
        """Whether the side to move wins by continuous threes and fours."""
        limit = deadline.nodes if deadline.nodes is not None else _NO_LIMIT
        with deadline.flag() as flag:
            result = threes_root(self.records, self.table, self.colour, limit, flag)
        if result == WIN:
            length = int(self.records["line_length"][0])
            return Threats(True, tuple(int(p) for p in self.records["line"][0, :length]))
        return Threats(False if result == NONE else None, ())

    def compare(self, moves: Sequence[Point], deadline: Deadline) -> list[tuple[int, Point]]:
        """Each move with its score for the side to move, best first, as deep as the deadline lets all of them go."""
        scored = [(0, p) for p in moves]
        limit = deadline.nodes if deadline.nodes is not None else _NO_LIMIT
        with deadline.flag() as flag:
            for depth in range(1, MAX_PLY // 2):
                deeper = []
                for _, p in scored:
                    if not self._iterate(flag, _alone(p), depth, limit):
                        return scored
                    deeper.append((int(self.records["best_score"][0]), p))
                deeper.sort(key=lambda pair: -pair[0])
                scored = deeper
                if deadline.over or deadline.spent > 0.5 or all(abs(score) > DECIDED for score, _ in scored):
                    break
        return scored


def _alone(point: Point) -> npt.NDArray[np.uint8]:
    """One move, as kernels take them."""
    return np.array([point], dtype=np.uint8)


def best_move(
    board: Board,
    to_move: Colour,
    *,
    fouls: bool = True,
    black_exact: bool = True,
    white_exact: bool = False,
    seconds: float | None = 1.0,
    nodes: int | None = None,
    stop: Stop | None = None,
    seed: int = 0,
    noise: int = 0,
    table: Table | None = None,
    threads: int = 1,
) -> Thought:
    """The best move on ``board`` for ``to_move``.

    ``fouls``: Black has forbidden moves; ``black_exact``, ``white_exact``: six or more in a row does not win. The
    search ends after ``seconds`` or ``nodes``; with ``nodes`` alone it always gives the same answer. ``noise`` is the
    largest random change of an evaluation (a stone's three is worth about 40), drawn by ``seed``. ``table`` and
    ``threads``: as for :class:`Mind`; ``nodes`` limits the first thread.
    """
    deadline = Deadline(seconds=seconds, nodes=nodes, stop=stop)
    mind = Mind(
        board, to_move, Rules(fouls, black_exact, white_exact), seed=seed, noise=noise, table=table, threads=threads
    )
    return mind.best(deadline)


_local = threading.local()


def vcf(
    board: Board,
    to_move: Colour,
    *,
    fouls: bool = True,
    black_exact: bool = True,
    white_exact: bool = False,
    nodes: int | None = None,
    seconds: float | None = None,
    stop: Stop | None = None,
) -> Fours:
    """Whether ``to_move`` wins by continuous fours (VCF), exactly, under these rules.

    Raises nothing; undecided when ``nodes`` or ``seconds`` run out or ``stop`` is set.
    """
    records: Positions | None = getattr(_local, "records", None)
    if records is None:
        records = _local.records = new_record()
    black, white = rules(fouls=fouls, black_exact=black_exact, white_exact=white_exact)
    set_up(records, np.ascontiguousarray(board, dtype=np.uint8), black, white)
    records["four_memory"].fill(0)
    colour = int(to_move) - 1
    limit = nodes if nodes is not None else _NO_LIMIT
    deadline = Deadline(seconds=seconds, stop=stop)
    # Nearly every position is decided before a clock could be set up.
    result = fours_root(records, colour, min(limit, _AT_ONCE), (stop or Stop()).flag)
    if result == UNKNOWN and limit > _AT_ONCE:
        with deadline.flag() as flag:
            result = fours_root(records, colour, limit, flag)
    if result == WIN:
        length = int(records["line_length"][0])
        return Fours(True, tuple(int(p) for p in records["line"][0, :length]))
    return Fours(False if result == NONE else None, ())


def vct(
    board: Board,
    to_move: Colour,
    *,
    fouls: bool = True,
    black_exact: bool = True,
    white_exact: bool = False,
    nodes: int | None = None,
    seconds: float | None = None,
    stop: Stop | None = None,
    table_bytes: int | None = None,
) -> Threats:
    """Whether ``to_move`` wins by continuous threes and fours (VCT) under these rules: see :mod:`core.ai.threes`.

    A win that is claimed holds against every defence. Without a limit it may take very long.
    """
    deadline = Deadline(seconds=seconds, nodes=nodes, stop=stop)
    return Mind(board, to_move, Rules(fouls, black_exact, white_exact), table_bytes=table_bytes).threes(deadline)
