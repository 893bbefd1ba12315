"""Plays a match between two engines that speak the Gomocup protocol; Renju, refereed by this project's own rules.

    python tools/match.py "renju engine" "path/to/other" --games 104 --nodes 20000 --other-nodes 1000
    python tools/match.py --commit HEAD~3          the engine of this folder against that of an earlier commit

Every opening is played twice, with colours exchanged. The openings come from the engine's own book: two lines for each
of the 26, those whose fifth move leaves the sides most even. Printed are wins, draws and losses of the first engine,
its score with the Elo difference and a 95 % interval over pairs of games, what each engine did wrong, and how long it
thought. Exit code 0: the match was played; 2: it could not be; 3: ``--at-least`` was missed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import shlex
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from core.ai.book import OWN, parse  # noqa: E402
from core.game import Act, Action, FoulMode, Game, Reason, Refusal, Settings, apply, new_game  # noqa: E402
from core.notation import Point, move_string  # noqa: E402
from tools.gomocup import Engine, Fault, Limits  # noqa: E402

#: Lines of each opening that are played.
LINES: Final = 2
#: A game with so many stones is a draw: near a full board Black may have forbidden points only, and no engine can pass.
LONGEST: Final = 200


def openings() -> list[tuple[Point, ...]]:
    """Five stones each, White to move: the most even lines of the own book, the 26 openings in turn."""
    lines: dict[tuple[Point, ...], list[tuple[int, tuple[Point, ...]]]] = {}
    for text in OWN.read_text("utf-8").splitlines():
        if text and not text.startswith("#"):
            stones, scored = parse(text)
            if len(stones) == 4:
                even = min(scored, key=lambda move: abs(move.score))
                lines.setdefault(stones[:3], []).append((abs(even.score), (*stones, even.point)))
    ordered = [sorted(found) for found in lines.values()]
    return [found[n][1] for n in range(LINES) for found in ordered if n < len(found)]


@dataclass(slots=True)
class Side:
    """One engine's part of a match."""

    faults: Counter[str] = field(default_factory=Counter)
    times: list[float] = field(default_factory=list)
    """Seconds, a move each."""

    def __str__(self) -> str:
        faults = ", ".join(f"{count} {kind}" for kind, count in self.faults.items()) or "no fault"
        if not self.times:
            return faults
        times = sorted(self.times)
        late = times[int(0.95 * (len(times) - 1))]
        return f"{faults}; {statistics.median(times):.3f} s a move (95 %: {late:.3f}, most: {times[-1]:.3f})"


@dataclass(slots=True)
class Match:
    """What was played so far."""

    first: Side = field(default_factory=Side)
    other: Side = field(default_factory=Side)
    points: dict[int, list[float]] = field(default_factory=dict)
    """The first engine's points in the games of each opening."""
    games: list[dict[str, object]] = field(default_factory=list)

    def counts(self) -> tuple[int, int, int]:
        """Wins, draws and losses of the first engine."""
        points = [p for pair in self.points.values() for p in pair]
        return points.count(1.0), points.count(0.5), points.count(0.0)

    def elo(self) -> tuple[float, float, float]:
        """The lower end of the 95 % interval, the likeliest difference, the upper end."""
        pairs = [statistics.fmean(points) for points in self.points.values()]
        low, high = interval(pairs)
        return elo(low), elo(statistics.fmean(pairs)), elo(high)

    def __str__(self) -> str:
        won, drawn, lost = self.counts()
        games = won + drawn + lost
        low, middle, high = self.elo()
        return (
            f"games {games}: won {won}, drawn {drawn}, lost {lost}\n"
            f"score {(won + drawn / 2) / games:.1%}   Elo {middle:+.0f}   95 %: {low:+.0f} to {high:+.0f}\n"
            f"first: {self.first}\nother: {self.other}"
        )


def elo(score: float) -> float:
    """The difference in strength that a score stands for; infinite at 0 and 1."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)


def interval(pairs: Sequence[float]) -> tuple[float, float]:
    """A 95 % interval for the score behind these scores of pairs (each 0 to 1).

    The spread is that of the pairs and of one more at either end: few games, all won, prove no infinite difference.
    """
    mean = statistics.fmean(pairs)
    spread = statistics.stdev([*pairs, 0.0, 1.0]) / math.sqrt(len(pairs))
    return max(0.0, mean - 1.96 * spread), min(1.0, mean + 1.96 * spread)


async def play(black: Engine, white: Engine, opening: Sequence[Point]) -> tuple[Game, Engine | None, Fault | None]:
    """One game: how it stands at its end, who won (``None``: a draw), and the fault that ended it, if one did."""
    game = new_game(Settings(protocol="free", foul_mode=FoulMode.AUTO_LOSS))
    stones: list[Point] = []
    for p in opening:
        game = _put(game, p)
        stones.append(p)
    begun: set[int] = set()
    while game.outcome is None and len(stones) < LONGEST:
        mover, rival = (white, black) if len(stones) % 2 else (black, white)
        try:
            if id(mover) not in begun:
                await mover.new_game()
                begun.add(id(mover))
            p = await mover.move(stones)
            if game.state.cells[p]:
                raise Fault("illegal", "moved to a point that is taken")
            game = _put(game, p)
            stones.append(p)
            if game.outcome is not None and game.outcome.reason is Reason.FORBIDDEN_JUDGED:
                raise Fault("forbidden", "made a forbidden move")
        except Fault as fault:
            await mover.close()
            return game, rival, fault
    if game.outcome is None or game.outcome.winner is None:
        return game, None, None
    return game, (black, white)[game.outcome.winner], None


def _put(game: Game, p: Point) -> Game:
    (seat,) = game.to_act
    after = apply(game, seat, Action(Act.PLACE, points=(p,)), 0)
    if isinstance(after, Refusal):
        raise Fault("illegal", f"was refused: {after.why.value}")
    return after


@dataclass(frozen=True, slots=True)
class Player:
    """How to run an engine."""

    command: str
    limits: Limits
    folder: Path | None = None

    def engine(self) -> Engine:
        """A new one, not started yet."""
        return Engine(self.command, self.limits, folder=self.folder)


async def match(first: Player, other: Player, lines: Sequence[Sequence[Point]], *, jobs: int = 1) -> Match:
    """Both colours of every line, ``jobs`` pairs at a time; a word about every game goes to standard error.

    Raises ``OSError`` when an engine cannot be started.
    """
    played = Match()
    waiting = iter(enumerate(lines))

    async def work() -> None:
        mine, theirs = first.engine(), other.engine()
        try:
            for number, line in waiting:
                for black, white in ((mine, theirs), (theirs, mine)):
                    game, winner, fault = await play(black, white, line)
                    points = 0.5 if winner is None else 1.0 if winner is mine else 0.0
                    played.points.setdefault(number, []).append(points)
                    if fault is not None:
                        side = played.other if winner is mine else played.first
                        side.faults[fault.kind] += 1
                    played.games.append(_record(game, points, fault, first_is_black=black is mine))
                    print(progress(played), file=sys.stderr, flush=True)
        finally:
            await mine.close()
            await theirs.close()
            played.first.times += mine.times
            played.other.times += theirs.times

    tasks = [asyncio.create_task(work()) for _ in range(jobs)]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return played


def _record(game: Game, points: float, fault: Fault | None, *, first_is_black: bool) -> dict[str, object]:
    return {
        "moves": move_string(stone.point for stone in game.state.stones),
        "first": "black" if first_is_black else "white",
        "points": points,
        "end": f"{fault.kind}: {fault}" if fault is not None else game.outcome.reason.value if game.outcome else "long",
    }


def progress(played: Match) -> str:
    """A line about the last game and the score."""
    won, drawn, lost = played.counts()
    last = played.games[-1]
    return f"{won + drawn + lost:4d}  +{won} ={drawn} -{lost}   {last['first']}: {last['points']} ({last['end']})"


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """A folder with the project as it was at a commit. Raises ``CalledProcessError`` for one that does not exist."""
    with tempfile.TemporaryDirectory(prefix="renju-match-") as folder:
        tree = Path(folder) / "tree"
        git = ["git", "-C", str(ROOT)]
        subprocess.run([*git, "worktree", "add", "--quiet", "--detach", str(tree), commit], check=True)  # noqa: S603
        try:
            yield tree
        finally:
            subprocess.run([*git, "worktree", "remove", "--force", str(tree)], check=True)  # noqa: S603


def arguments() -> argparse.ArgumentParser:
    """What the command line may say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", nargs="?", help="the first engine's command; by default this folder's engine")
    parser.add_argument("other", nargs="?", help="the other engine's command; or --commit")
    parser.add_argument("--commit", help="the other engine is this project's at a commit")
    parser.add_argument("--games", type=int, default=104, help="an even number (default %(default)s)")
    parser.add_argument("--seconds", type=float, help="time for a move (default 60, or 1 without --nodes)")
    parser.add_argument("--nodes", type=int, help="nodes for a move")
    parser.add_argument("--other-seconds", type=float, help="the same for the other engine, where it differs")
    parser.add_argument("--other-nodes", type=int)
    parser.add_argument("--other-folder", type=Path, help="the folder to run the other engine in")
    parser.add_argument("--jobs", type=int, default=1, help="games at a time (default %(default)s)")
    parser.add_argument("--json", type=Path, help="write figures and games to this file")
    parser.add_argument("--at-least", type=float, help="exit with 3 if the whole interval is below this Elo")
    return parser


def limits(seconds: float | None, nodes: int | None) -> Limits:
    """Nodes, or time, or both; one second when nothing is said."""
    return Limits(seconds=seconds if seconds is not None else 60.0 if nodes is not None else 1.0, nodes=nodes)


def main(words: Sequence[str] | None = None) -> int:
    """Play and print."""
    parser = arguments()
    asked = parser.parse_args(words)
    if (asked.other is None) == (asked.commit is None):
        parser.error("name the other engine, or a --commit")
    if asked.games < 2 or asked.games % 2 or asked.jobs < 1:
        parser.error("--games is an even number, --jobs at least 1")
    lines = openings()
    lines = [lines[n % len(lines)] for n in range(asked.games // 2)]
    own = f"{shlex.quote(sys.executable)} -m bot engine"
    first = Player(asked.engine or own, limits(asked.seconds, asked.nodes), None if asked.engine else ROOT)
    theirs = limits(
        asked.other_seconds if asked.other_seconds is not None else asked.seconds,
        asked.other_nodes if asked.other_nodes is not None or asked.other_seconds is not None else asked.nodes,
    )
    try:
        if asked.commit is not None:
            with checked_out(asked.commit) as tree:
                played = asyncio.run(match(first, Player(own, theirs, tree), lines, jobs=asked.jobs))
        else:
            played = asyncio.run(match(first, Player(asked.other, theirs, asked.other_folder), lines, jobs=asked.jobs))
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"match: {error}", file=sys.stderr)
        return 2
    print(played)
    if asked.json is not None:
        figures = {"counts": played.counts(), "elo": played.elo(), "played": played.games}
        asked.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    return 3 if asked.at_least is not None and played.elo()[2] < asked.at_least else 0


if __name__ == "__main__":
    sys.exit(main())
