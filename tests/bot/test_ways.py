"""In every step of every protocol there is a way to act by buttons and points, and one by typed words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.scene import Command, Scene, Viewer
from bot.typed import read
from core.ai.fallback import legal_action
from core.game import (
    ALL_PROTOCOLS,
    GUESSING,
    Act,
    Action,
    Draw,
    Game,
    Refusal,
    Seat,
    Settings,
    apply,
    decode,
    new_game,
    offers_wanted,
    phase_of,
)
from core.notation import label
from tests.bot.scenes import of, scene, table

#: Every protocol, with the options that change its table.
AGREED = [
    *(Settings(protocol=name) for name in ALL_PROTOCOLS if name != "designated"),
    Settings(protocol="designated", opening="D4"),
    Settings(protocol="designated", opening="D4", five_offers=3),
    Settings(no_offbook=True),
    Settings(free_first=True),
    Settings(protocol="rif", move2_by="white"),
    Settings(protocol="yamaguchi", k_max=50),
    Settings(draw=Draw.GUESS, hidden=3),
    Settings(draw=Draw.PARITY_CN),
    Settings(draw=Draw.PARITY_JP),
]
IDS = [f"{a.protocol}-{n}" for n, a in enumerate(AGREED)]


def acts(game: Game) -> tuple[Act, ...]:
    """What the step is waiting for."""
    if game.state.phase == GUESSING:
        return (Act.HIDE,) if game.settings.draw.by_parity else (Act.GUESS,)
    return tuple(phase_of(game.state, game.settings).then)


def typed(game: Game, act: Act) -> list[str]:
    """Words for an act, in each form that people may use."""
    state = game.state
    match act:
        case Act.GUESS:
            return ["odd", "guess even", "单"]
        case Act.HIDE:
            return ["3", "hide 3", "hide", "藏 3"]
        case Act.SWAP:
            return ["swap", "Swap", "交换"]
        case Act.KEEP:
            return ["keep", "不换"]
        case Act.COLOUR:
            return ["take black", "white", "colour white", "执黑"]
        case Act.DECLARE:
            return ["1", "declare 1", "声明 1"]
        case Act.BRANCH:
            return ["offer ten", "offer 10"]
        case Act.OFFER:
            (seat,) = game.to_act
            found = legal_action(game, seat)
            assert found is not None
            points = [label(at) for at in found.points]
            assert len(points) == offers_wanted(state, phase_of(state, game.settings))
            return [" ".join(points), f"offer {', '.join(points)}", "、".join(points)]
        case Act.CHOOSE:
            return ["A", "choose a", label(state.offers[0]), f"choose {label(state.offers[0])}"]
        case Act.ADD:
            first, second = added(game)
            return [f"{first} {second}", f"add {first},{second}"]
        case Act.PASS:
            return ["pass", "弃权"]
        case _:
            entry = scene(game, Viewer("en", public=True)).entry
            assert entry is not None
            good = next(at for at in sorted(entry.points) if not refused(game, Action(Act.PLACE, points=(at,))))
            return [label(good), label(good).lower(), f"place {label(good)}"]


def added(game: Game) -> tuple[str, str]:
    """Two points that can be added."""
    phase = phase_of(game.state, game.settings)
    near = [at for at in range(225) if not game.state.cells[at] and max(abs(at % 15 - 7), abs(at // 15 - 7)) <= 3]
    pairs = ((one, other) for one in near for other in near if one != other)
    assert Act.ADD in phase.then
    one, other = next(pair for pair in pairs if not refused(game, Action(Act.ADD, points=pair)))
    return label(one), label(other)


def refused(game: Game, done: Action) -> bool:
    """Whether whoever is to act may not do this."""
    (seat,) = game.to_act
    return isinstance(apply(game, seat, done, 0), Refusal)


def tapped(shown: Scene) -> Iterator[Action]:
    """Everything that can be done by buttons, and by one point or two of the board."""
    for row in shown.buttons:
        yield from (decode(button.data) for button in row if button.data not in tuple(Command))
    entry = shown.entry
    if entry is not None:
        for at in sorted(entry.points):
            after = entry.after(at)
            if after is None:
                yield decode(entry.data(at))
            else:
                yield from (decode(after.data(then)) for then in sorted(after.points)[:20])


def steps(agreed: Settings) -> Iterator[Game]:
    """A game in each step that the protocol has, reached by doing everything that is open in those before."""
    met: set[tuple[str, int]] = set()
    waiting = [new_game(agreed)]
    while waiting:
        game = waiting.pop()
        place = (game.state.phase, game.to_act[0] if game.state.phase == GUESSING else 0)
        if place in met or len(game.state.stones) > 12:
            continue
        met.add(place)
        yield game
        (seat,) = game.to_act
        for act in acts(game):
            words = typed(game, act)[0]
            after = apply(game, seat, read(table(game), (seat,), words), 0)
            assert isinstance(after, Game), (game.state.phase, words, after)
            if after.outcome is None:
                waiting.append(after)
    assert {name for name, _ in met} >= {phase.name for phase in agreed.table().phases}


@pytest.mark.parametrize("agreed", AGREED, ids=IDS)
def test_every_step_can_be_acted_in(agreed: Settings) -> None:
    """Whatever the step waits for has a button or a point that does it, and words in every form."""
    for game in steps(agreed):
        seat: Seat = game.to_act[0]
        open_to = {done.act for done in tapped(scene(game, of(seat))) if not refused(game, done)}
        for act in acts(game):
            both = Act.PLACE in acts(game)  # sakata: the two stones can be put one by one, which has the points
            assert act in open_to or (act is Act.ADD and both), (game.state.phase, act)
            for words in typed(game, act):
                done = read(table(game), (seat,), words)
                assert done.act is act, words
                assert not refused(game, done), words
        nothing = scene(game, of(1 if seat == 0 else 0))
        assert nothing.entry is None
        assert not {done.act for done in tapped(nothing)} & set(acts(game))


@pytest.mark.parametrize("language", ["en", "zh_Hans"])
@pytest.mark.parametrize("agreed", AGREED, ids=IDS)
def test_every_step_says_what_is_expected(agreed: Settings, language: str) -> None:
    """Of whom, and what: no two steps of one kind of act look alike to who must act."""
    for game in steps(agreed):
        lines = scene(game, of(game.to_act[0], language)).lines
        name = ("Anna", "Bob")[game.to_act[0]]
        assert name in lines[2]
        assert lines[2][-1] in ".?。？"


def test_the_points_of_two_stones_are_asked_one_after_the_other() -> None:
    """White's first; the first is seen on the board, and can be chosen anew by showing the board anew."""
    game = next(game for game in steps(Settings(protocol="super_sakata")) if game.state.phase == "Q5")
    seat = game.to_act[0]
    before = scene(game, of(seat))
    assert before.entry is not None
    assert before.picture.preview is None
    first = min(before.entry.points)
    asked = scene(game, of(seat), first=first)
    assert asked.picture.preview == (first, before.entry.colour)
    assert asked.entry is not None
    assert asked.entry.first == first
    assert asked.entry.colour is before.entry.colour.other
    assert first not in asked.entry.points
    assert label(first) in asked.lines[2]
    assert asked.buttons == before.buttons
    stone = game.state.stones[0].point
    assert scene(game, of(seat), first=stone) == before, "there is a stone already"
    assert scene(new_game(Settings()), of(0), first=first) == scene(new_game(Settings()), of(0)), "nothing to add"
