"""The engine's next action in a game: stones, the steps of an opening protocol, claims, answers.

What an action means is asked of the game itself: every proposal passes through :func:`core.game.apply` before it is
returned, so no protocol's rules are repeated here, and a proposal that is refused is replaced.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from core.action import Act, Action
from core.ai import variety
from core.ai.book import Book, WellRead
from core.ai.fallback import possible_actions
from core.ai.levels import FULL, Level
from core.ai.levels import level as level_of
from core.ai.opening import (
    balanced_stone,
    choose_offer,
    declared_number,
    fifth_moves,
    offering_pays,
    prefers_black,
    second_stones,
    within,
)
from core.ai.resigning import hopeless
from core.ai.sight import overlooked
from core.ai.stop import Stop
from core.ai.think import Deadline, Mind, Rules, Thought
from core.game import GUESSING, MOST_HIDDEN, Game, Refusal, Seat, State, apply, claimable, offers_wanted, phase_of
from core.notation import POINTS, SIZE, TENGEN, Colour, Point
from core.openings.protocol import DONE, Phase

#: How much worse than even the engine must stand to take a draw: early, and late in a game.
_DRAW_EARLY: Final = -150
_LATE: Final = 60
#: How long a draw offer is thought about at most, in seconds and nodes.
_DRAW_SECONDS: Final = 0.3
_DRAW_NODES: Final = 50_000
#: What decides about colours is thought about for at least so many nodes: a weak player overlooks rows of stones, but
#: does not take the wrong side of a decided opening.
_SETTLING: Final = 5_000


def decide(
    game: Game,
    seat: Seat,
    *,
    level: int | Level = FULL,
    seconds: float | None = 1.0,
    stop: Stop | None = None,
    seed: int | None = None,
    book: Book | None = None,
) -> Action:
    """What ``seat`` does next. Always an action that the game accepts.

    Answers a standing request or offer first, claims when a claim is right (R6.6), else acts in the present phase;
    above the beginners' levels it gives up what has long been lost (:mod:`core.ai.resigning`). It thinks for the nodes
    of its ``level`` (:mod:`core.ai.levels`), for ``seconds`` at most, or until ``stop`` is set.
    ``seed`` makes the choice among equals, and what a level overlooks, repeatable. What stands in ``book`` is played
    without a search.

    Raises ``ValueError`` when the game waits for nothing from this seat.
    """
    skill = level_of(level) if isinstance(level, int) else level
    deadline = Deadline(seconds=seconds, nodes=skill.nodes, stop=stop)
    thinking = _Thinking(game, seat, skill, deadline, Random(seed), book)  # noqa: S311
    for proposal in thinking.proposals():
        if not isinstance(apply(game, seat, proposal, 0), Refusal):
            return proposal
    raise ValueError("nothing is expected of this seat")


class _Thinking:
    def __init__(  # noqa: PLR0917
        self, game: Game, seat: Seat, level: Level, deadline: Deadline, random: Random, book: Book | None
    ) -> None:
        self.game = game
        self.level = level
        self.state: State = game.state
        self.seat = seat
        self.deadline = deadline
        self.settling = Deadline(
            seconds=deadline.seconds,
            nodes=None if level.nodes is None else max(level.nodes, _SETTLING),
            stop=deadline.stop,
        )
        self.random = random
        self.book = book
        agreed = game.settings
        self.rules = Rules(agreed.fouls, agreed.black_needs_exactly_five(), agreed.white_needs_exactly_five())

    def proposals(self) -> Iterator[Action]:
        """Actions, the preferred first; each is only worked out when those before it were refused."""
        state = self.state
        if state.undo_by is not None and state.undo_by != self.seat:
            yield Action(Act.UNDO_ALLOW)
        if state.colour_of(self.seat) is Colour.WHITE and claimable(state, self.game.settings) is not None:
            yield Action(Act.CLAIM)
        if state.draw_by is not None and state.draw_by != self.seat:
            yield Action(Act.DRAW_ACCEPT if self._takes_draw_offer() else Act.DRAW_DECLINE)
        if self.seat not in self.game.to_act:
            return
        if state.phase == GUESSING:
            if self.game.settings.draw.by_parity:
                yield Action(Act.HIDE, number=self.random.randint(1, MOST_HIDDEN))
            else:
                yield Action(Act.GUESS, word=self.random.choice(("odd", "even")))
            return
        phase = phase_of(state, self.game.settings)
        yield from self._of_phase(phase)
        yield from possible_actions(self.game, self.seat)

    def mind(self) -> Mind:
        """The position as it stands, with the side that puts the next stone to move."""
        board, turn, seed = self.state.board(), self.state.turn, self.random.getrandbits(63)
        noise = variety.noise(board)
        if self.book is not None and self.level.well_read:
            return WellRead(self.book, board, turn, self.rules, seed=seed, noise=noise)
        return Mind(board, turn, self.rules, seed=seed, noise=noise)

    def attentive_mind(self) -> Mind:
        """The position as a player of this level sees it."""
        mind = self.mind()
        if self.level.blindness:
            last = self.state.last.point if self.state.last is not None else None
            mind.overlook(overlooked(self.state.board(), self.state.turn, last, self.level.blindness, self.random))
        return mind

    def _of_phase(self, phase: Phase) -> Iterator[Action]:
        """The considered action of a phase; every phase has at least one of these acts."""
        acts = phase.then
        if Act.BRANCH in acts and self._offers_instead(acts[Act.BRANCH]):
            yield Action(Act.BRANCH, word="offer_ten")
        if Act.SWAP in acts:
            has_black = self.state.colour_of(self.seat) is Colour.BLACK
            yield Action(Act.KEEP if self._prefers_black() == has_black else Act.SWAP)
        elif Act.COLOUR in acts:
            yield Action(Act.COLOUR, word="black" if self._prefers_black() else "white")
        elif Act.DECLARE in acts:
            yield Action(
                Act.DECLARE, number=declared_number(self.state, self.mind(), self.rules, phase.most, self.settling)
            )
        elif Act.OFFER in acts:
            wanted = offers_wanted(self.state, phase)
            offers = fifth_moves(
                self.state,
                self.mind(),
                self.rules,
                wanted=wanted,
                deadline=self.settling,
                accepted=self._offerable,
            )
            yield Action(Act.OFFER, points=offers)
        elif Act.CHOOSE in acts:
            yield Action(Act.CHOOSE, points=(choose_offer(self.state, self.rules, self.settling),))
        elif Act.PLACE in acts:
            yield from self._stone(phase)

    def _offerable(self, points: tuple[Point, ...]) -> bool:
        return not isinstance(apply(self.game, self.seat, Action(Act.OFFER, points=points), 0), Refusal)

    def _prefers_black(self) -> bool:
        return prefers_black(self.game, self.mind(), self.settling, self.random)

    def _offers_instead(self, offering: str) -> bool:
        """Whether Black does better to offer fifth moves than to let the colours be chosen anew (taraguchi)."""
        return offering_pays(self.mind(), self.game.settings.table()[offering].offers, self.settling)

    def _stone(self, phase: Phase) -> Iterator[Action]:
        state = self.state
        if state.pending is not None:
            yield Action(Act.PASS)  # R5.5: White has nothing to claim; the draw stands
        if not state.stones:
            yield _place(TENGEN)
        if self._others_choose_next(phase):
            point = balanced_stone(self.game, phase, self.mind(), self.settling, self.random)
            if point is not None:
                yield _place(point)
        restricted = phase.beyond or phase.area < SIZE
        if len(state.stones) == 1 and state.turn is Colour.WHITE and not restricted:
            beside = second_stones(state.stones[0].point)
            if beside:
                yield _place(self.random.choice(beside))
        mind = self.attentive_mind()
        if restricted:
            allowed = [p for p in range(POINTS) if not state.cells[p] and within(phase, p)]
            scored = mind.compare(allowed, self.deadline)
            for point in variety.ordered(scored, state.board(), state.turn, self.random):
                yield _place(point)
        thought = self._thought(mind)
        if phase.name == DONE:
            yield from self._ending(thought)
        if thought.point is not None:
            yield _place(thought.point)
        if phase.name == DONE:
            yield Action(Act.PASS)

    def _thought(self, mind: Mind) -> Thought:
        """What to play; early in a game one of several moves that are as good, by lot."""
        board = self.state.board()
        return (
            variety.drawn(mind, board, self.deadline, self.random)
            if variety.is_early(board)
            else mind.best(self.deadline)
        )

    def _ending(self, thought: Thought) -> Iterator[Action]:
        """What ends the game without a stone: the second pass in a row draws it (R5.6), or it is given up."""
        if self.state.passes and thought.point is not None and self._content_with_draw(self._score(thought)):
            yield Action(Act.PASS)
        undecided = not thought.lost and thought.depth > 0  # a forced stone is played without a search, at depth 0
        if not self.level.beginner and not undecided and hopeless(self.game, self.seat, self.rules, self.deadline):
            yield Action(Act.RESIGN)

    def _others_choose_next(self, phase: Phase) -> bool:
        """Whether the next decision about colours may take this stone's side away."""
        table = self.game.settings.table()
        name = phase.then[Act.PLACE]
        for _ in range(3):
            following = table[name]
            if Act.SWAP in following.then or Act.COLOUR in following.then:
                return True
            if name == DONE or (Act.PLACE not in following.then and Act.DECLARE not in following.then):
                return False
            name = next(iter(following.then.values()))
        return False

    def _takes_draw_offer(self) -> bool:
        colour = self.state.colour_of(self.seat)
        if colour is None or not self.state.stones:
            return False
        score = self._score()
        return self._content_with_draw(score if self.state.turn is colour else -score)

    def _score(self, thought: Thought | None = None) -> int:
        """What the position is worth to the side to move; worked out where ``thought`` has not been deep enough."""
        if thought is not None and thought.depth:
            return thought.score
        seconds = self.deadline.seconds
        limit = _DRAW_SECONDS if seconds is None else min(seconds, _DRAW_SECONDS)
        return self.mind().best(Deadline(seconds=limit, nodes=_DRAW_NODES, stop=self.deadline.stop)).score

    def _content_with_draw(self, score: int) -> bool:
        """Whether a draw is no worse than a position of this score: lost, or late and not better."""
        return score <= (0 if len(self.state.stones) >= _LATE else _DRAW_EARLY)


def _place(point: Point) -> Action:
    return Action(Act.PLACE, points=(point,))
