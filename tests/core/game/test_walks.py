"""Whole games at random, with illegal and stale actions mixed in: the laws that hold at every step of every game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.action import TURN_ACTS, Act, Action
from core.game import (
    ALL_PROTOCOLS,
    GUESSING,
    Draw,
    FoulMode,
    Game,
    Refusal,
    Seat,
    Settings,
    Why,
    apply,
    claimable,
    new_game,
    offers_wanted,
    phase_of,
)
from core.notation import POINTS, Colour, distance_from_tengen
from tests.core.game.games import check, quiet

NEAR = [p for p in range(POINTS) if distance_from_tengen(p) <= 3]
CODES = ["D4", "I7", "D1", "I10", "D13"]


@st.composite
def agreements(draw: st.DrawFn) -> Settings:
    """Any settings that can be agreed."""
    protocol = draw(st.sampled_from([*ALL_PROTOCOLS, "free", "free", "rif"]))
    mode = draw(st.sampled_from(FoulMode))
    freestyle = mode is FoulMode.FREESTYLE
    opening = draw(st.sampled_from(CODES)) if protocol == "designated" else ""
    return Settings(
        protocol=protocol,
        foul_mode=mode,
        draw=draw(st.sampled_from(Draw)),
        first=draw(st.sampled_from((0, 1))),
        hidden=draw(st.integers(1, 9)),
        rated=draw(st.booleans()),
        free_first=protocol == "free" and draw(st.booleans()),
        no_offbook=protocol not in ("pro", "long_pro") and draw(st.booleans()),
        exclude=tuple(code for code in draw(st.lists(st.sampled_from(CODES), max_size=2)) if code != opening),
        move2_by=draw(st.sampled_from(("black", "white"))) if protocol == "rif" else "black",
        k_max=draw(st.integers(1, 12)) if protocol == "yamaguchi" else 12,
        opening=opening,
        five_offers=draw(st.booleans()) if opening else 0,
        exact_five=freestyle and draw(st.booleans()),
        black_exact_five=freestyle and draw(st.booleans()),
        no_pass=draw(st.booleans()),
        overline_claim=draw(st.sampled_from(("any_time", "immediate"))),
        wrong_claim=draw(st.sampled_from(("free", "lose_turn"))),
        wrong_claims=draw(st.integers(0, 4)),
        symmetry=draw(st.sampled_from(("local", "board"))),
    )


def any_action(rng: random.Random) -> Action:
    """An action out of the blue, well formed."""
    act = rng.choice(list(Act))
    points = rng.choices(NEAR + list(range(POINTS)), k=2)
    match act:
        case Act.PLACE | Act.CHOOSE:
            return Action(act, tuple(points[:1]))
        case Act.ADD:
            return Action(act, tuple(points))
        case Act.OFFER:
            return Action(act, tuple(rng.choices(range(POINTS), k=rng.randint(1, 3))))
        case Act.GUESS:
            return Action(act, word=rng.choice(("odd", "even")))
        case Act.COLOUR:
            return Action(act, word=rng.choice(("black", "white")))
        case Act.BRANCH:
            return Action(act, word="offer_ten")
        case Act.DECLARE | Act.HIDE:
            return Action(act, number=rng.randint(0, 14))
        case Act.FLAG:
            return Action(act, number=rng.randint(0, 2))
        case _:
            return Action(act)


def fitting(game: Game, rng: random.Random) -> Iterator[Action]:
    """Turn actions of the kinds that the game waits for, in random order: sooner or later one is accepted."""
    if game.state.phase == GUESSING:
        yield Action(Act.GUESS, word=rng.choice(("odd", "even")))
        yield Action(Act.HIDE, number=rng.randint(1, 10))
        return
    phase = phase_of(game.state, game.settings)
    acts = [act for act in phase.then if act is not Act.PASS]
    if rng.random() < 0.03 or len(game.state.stones) == POINTS:
        acts = list(phase.then)
    rng.shuffle(acts)
    for act in acts:
        if act in (Act.PLACE, Act.CHOOSE):
            nearby = [p for p in NEAR if not game.state.cells[p]]
            rng.shuffle(nearby)
            rest = list(range(POINTS))
            rng.shuffle(rest)
            yield from (Action(act, (p,)) for p in (*(nearby if act is Act.PLACE else game.state.offers), *rest))
        elif act is Act.OFFER:
            wanted = offers_wanted(game.state, phase)
            for _ in range(200):
                yield Action(act, tuple(rng.sample(range(POINTS), rng.randint(1, wanted))))
            yield from (Action(act, (p,)) for p in range(POINTS))
        elif act is Act.ADD:
            for _ in range(100):
                yield Action(act, (rng.choice(NEAR), rng.choice(range(POINTS))))
        elif act is Act.COLOUR:
            yield Action(act, word=rng.choice(("black", "white")))
        elif act is Act.BRANCH:
            yield Action(act, word="offer_ten")
        elif act is Act.DECLARE:
            yield Action(act, number=rng.randint(1, phase.most))
        else:
            yield Action(act)
    yield Action(Act.PASS)


def settled(game: Game) -> Game:
    """The game without standing requests and offers, which a take-back removes."""
    return quiet(replace(game, state=replace(game.state, draw_by=None, undo_by=None)))


def advance(game: Game, rng: random.Random, now: int) -> Game:
    """One fitting turn action, which must exist: there are no dead ends."""
    (seat,) = game.to_act
    if claimable(game.state, game.settings) is not None and rng.random() < 0.3:
        claimed = apply(game, game.state.seat_of(Colour.WHITE), Action(Act.CLAIM), now)
        assert isinstance(claimed, Refusal) or claimed.outcome is not None
        return game if isinstance(claimed, Refusal) else claimed
    for done in fitting(game, rng):
        after = apply(game, seat, done, now)
        if isinstance(after, Game):
            if not game.settings.rated and done.act in TURN_ACTS and after.outcome is None:
                take_back(game, after, seat)
            return after
    pytest.fail(f"nobody can act: {game.settings} {game.record}")


def take_back(before: Game, after: Game, seat: Seat) -> None:
    """Undo undoes."""
    asked = apply(after, seat, Action(Act.UNDO_ASK), 0)
    assert isinstance(asked, Game)
    back = apply(asked, 1 if seat == 0 else 0, Action(Act.UNDO_ALLOW), 0)
    assert isinstance(back, Game)
    assert settled(back) == settled(before)


def disturb(game: Game, rng: random.Random, now: int) -> Game:
    """An action of anybody's, mostly illegal or stale: accepted or refused with a reason, never an exception."""
    seat = rng.choice((0, 1, 0, 1, None))
    stale = bool(game.record) and rng.random() < 0.5
    done = rng.choice(game.record).action if stale else any_action(rng)
    if done.act in (Act.RESIGN, Act.LEAVE, Act.CANCEL, Act.DRAW_ACCEPT, Act.FLAG, Act.EXPIRE) and rng.random() < 0.9:
        return game  # or hardly any game would last
    after = apply(game, seat, done, now)
    assert after == apply(game, seat, done, now), "the same action on the same game does the same"
    if isinstance(after, Refusal):
        assert after.why in Why
        return game
    if done.act in TURN_ACTS:
        assert game.to_act == (seat,)
    assert (seat is None) == (done.act in (Act.FLAG, Act.EXPIRE))
    assert after.record[:-1] == game.record
    return after


def walk(agreed: Settings, seed: int, stones: int) -> Game:
    """A game of about so many stones, or to its end."""
    rng = random.Random(seed)
    game = new_game(agreed)
    now = 0
    while game.outcome is None and len(game.state.stones) < stones:
        now += 1
        game = disturb(game, rng, now) if rng.random() < 0.4 else advance(game, rng, now)
        if now % 16 == 0:
            check(game)
    check(game)
    if game.outcome is not None:
        for seat in (0, 1, None):
            for _ in range(3):
                refused = apply(game, seat, any_action(rng), now)
                assert isinstance(refused, Refusal)
                assert refused.why is Why.OVER
    return game


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(agreements(), st.integers(0, 2**32), st.sampled_from((8, 30, 60)))
def test_the_laws_hold(agreed: Settings, seed: int, stones: int) -> None:
    """Only the right seat acts, refusals have reasons, undo undoes, the record replays, one result, no dead end."""
    walk(agreed, seed, stones)


@pytest.mark.slow
@settings(max_examples=3000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(agreements(), st.integers(0, 2**32), st.sampled_from((8, 40, POINTS)))
def test_the_laws_hold_for_long(agreed: Settings, seed: int, stones: int) -> None:
    """The same at length."""
    walk(agreed, seed, stones)


def test_walks_reach_every_ending() -> None:
    """The walks above are worth something: they meet every kind of result that play alone can bring about."""
    met = set()
    for seed in range(60):
        mode = list(FoulMode)[seed % 4]
        game = walk(Settings(foul_mode=mode, draw=Draw.GUESS, hidden=3), seed, 60)
        if game.outcome is not None:
            met.add(game.outcome.reason.value)
    assert {"five", "forbidden_claimed", "forbidden_judged"} <= met
