"""Any moment of any game: agreements at random, and actions that are accepted."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from core.game import (
    ALL_PROTOCOLS,
    Act,
    Action,
    Draw,
    FoulMode,
    Game,
    Seat,
    Settings,
    action,
    apply,
    phase_of,
)
from core.notation import POINTS


@st.composite
def agreements(draw: st.DrawFn) -> Settings:
    """Any settings that can be agreed on."""
    protocol = draw(st.sampled_from(ALL_PROTOCOLS))
    mode = draw(st.sampled_from(FoulMode))
    freestyle = mode is FoulMode.FREESTYLE
    return Settings(
        protocol=protocol,
        foul_mode=mode,
        draw=draw(st.sampled_from(Draw)),
        hidden=draw(st.integers(0, 20)),
        clock=draw(st.sampled_from(["idle:3d", "20m+60s", "0s+30s", "fischer:10m+5s", "3d", "idle:5h"])),
        rated=draw(st.booleans()),
        free_first=protocol == "free" and draw(st.booleans()),
        no_offbook=protocol not in ("pro", "long_pro") and draw(st.booleans()),
        exclude=draw(st.sampled_from([(), ("D4", "I7")])),
        move2_by=draw(st.sampled_from(["black", "white"])) if protocol == "rif" else "black",
        k_max=draw(st.sampled_from([1, 12, 50])) if protocol == "yamaguchi" else 12,
        opening="D5" if protocol == "designated" else "",
        five_offers=draw(st.sampled_from([0, 1, 3, 30])) if protocol == "designated" else 0,
        exact_five=freestyle and draw(st.booleans()),
        black_exact_five=freestyle and draw(st.booleans()),
        no_pass=draw(st.booleans()),
        overline_claim=draw(st.sampled_from(["any_time", "immediate"])),
        wrong_claim=draw(st.sampled_from(["free", "lose_turn"])),
        wrong_claims=draw(st.integers(0, 5)),
        symmetry=draw(st.sampled_from(["local", "board"])),
    )


def somebody_does(game: Game, chance: random.Random, now: int) -> Game:
    """The game after some accepted action, mostly of whoever is to act; sometimes of the referee."""
    clock = game.state.clock
    if clock.fallen(now):
        flagged = apply(game, None, action("flag", str(clock.running)), now)
        assert isinstance(flagged, Game)
        return flagged
    if chance.random() < 0.05:
        word = chance.choice((("credit", "90000"), ("remind",)))
        after = apply(game, None, action(*word), now)
        if isinstance(after, Game):
            return after
    for _ in range(200):
        seat: Seat = game.to_act[0] if chance.random() < 0.8 else chance.choice((0, 1))
        free = [p for p in range(POINTS) if not game.state.cells[p]]
        near = [p for p in free if abs(p % 15 - 7) <= 3 and abs(p // 15 - 7) <= 3]
        drawn = game.state.p1 is not None
        acts = list(phase_of(game.state, game.settings).then) if drawn else [Act.GUESS, Act.HIDE]
        if chance.random() < 0.3:
            acts = [act for act in Act if act not in (Act.RESIGN, Act.LEAVE, Act.CANCEL)]
        act = chance.choice(acts)
        points: tuple[int, ...] = ()
        if act is Act.CHOOSE and game.state.offers:
            points = (chance.choice(game.state.offers),)
        elif act is Act.OFFER:
            points = tuple(chance.sample(free, chance.choice((1, 1, 2, 5))))
        elif act in (Act.PLACE, Act.CHOOSE):
            points = (chance.choice(near if near and chance.random() < 0.9 else free),)
        elif act is Act.ADD:
            points = tuple(chance.sample(free, 2))
        word = {Act.GUESS: "odd", Act.COLOUR: chance.choice(("black", "white")), Act.BRANCH: "offer_ten"}.get(act, "")
        after = apply(game, seat, Action(act, points, word, number=chance.choice((1, 2, 3, 4, 25))), now)
        if isinstance(after, Game):
            return after
    left = apply(game, game.to_act[0], action("leave"), now)
    assert isinstance(left, Game)
    return left
