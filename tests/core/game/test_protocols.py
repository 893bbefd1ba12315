"""Every protocol walked through all its decisions, beside its story in the model (section 9)."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from core.action import TURN_ACTS, Act
from core.game import Game, Refusal, action, apply, load, offers_wanted, phase_of, save
from core.notation import POINTS, Colour, distance_from_tengen, name
from core.openings.equivalence import equivalent
from core.openings.protocol import DONE
from core.rules import judge
from tests.core.game.games import attempt, begin, check, play, quiet, why
from tests.core.game.model import STORIES, Done, Expect, Story

#: One written form of every turn action that no point can excuse.
ANY = {
    Act.PLACE: "place a1",
    Act.SWAP: "swap",
    Act.KEEP: "keep",
    Act.COLOUR: "colour white",
    Act.ADD: "add a1 o15",
    Act.DECLARE: "declare 1",
    Act.BRANCH: "branch offer_ten",
    Act.OFFER: "offer a1",
    Act.CHOOSE: "choose a1",
    Act.PASS: "pass",
}


def decisions(expect: Expect, before: tuple[Done, ...]) -> Iterator[Done]:
    """Every decision that is open. Fifth moves are offered all at once, or one by one to the end."""
    for act in sorted(expect.acts):
        match act:
            case "colour":
                yield from (("colour", "black"), ("colour", "white"))
            case "declare":
                yield from (("declare", str(k)) for k in sorted({1, 2, expect.most}))
            case "branch":
                yield ("branch", "offer_ten")
            case "offer":
                one_by_one = before[-1:] == (("offer", "one"),)
                if not one_by_one:
                    yield ("offer", "all")
                if one_by_one or expect.offers > 1:
                    yield ("offer", "one")
            case "place" | "add" | "choose":
                yield (act, "?")
            case _:
                yield (act,)


#: How many paths there are: swaps, colours and branches multiplied out, k among 1, 2 and the most, offers in two ways.
PATHS = {
    "free": 1,
    "rif": 2 * 2,
    "rif, move 2 by White": 2 * 2,
    "swap_1989": 2 * 2,
    "yamaguchi": 2 * (1 + 2 + 2),
    "yamaguchi, k_max 3": 2 * (1 + 2 + 2),
    "soosyrv_8": 2 * 2 * (1 + 2 + 2),
    "soosyrv_4": 2 * 2 * (1 + 2 + 2),
    "tarannikov": 2**5,
    "taraguchi_10": 2**3 * (2 * 2 + 2),
    "taraguchi_5": 2**3 * (2 * 2 + 2),
    "sakata": 2 * 2,
    "super_sakata": 2 * (2 + 2 + 2 + 2),
    "swap": 2,
    "swap2": 2 + 2,
    "pro": 1,
    "long_pro": 1,
    "designated": 1,
    "designated, two offers": 2,
}


def test_decisions_know_every_act() -> None:
    """A new act must be walked too."""
    assert set(ANY) == set(TURN_ACTS)


def begun(title: str) -> Game:
    agreed, _ = STORIES[title]
    return begin(title.split(",", maxsplit=1)[0], **agreed)


@pytest.mark.parametrize("title", STORIES)
def test_every_path_of_decisions(title: str) -> None:
    """Only the right seat may act, only what is open is accepted, colours are right, and everything replays.

    Paths are told apart by their decisions; the points are drawn at random anew for each.
    """
    rng = random.Random(title)
    _, story = STORIES[title]
    paths = walk(title, story, rng)
    assert paths == PATHS[title]


def walk(title: str, story: object, rng: random.Random) -> int:
    """Walk all paths; how many there are."""
    paths = 0
    pending: list[tuple[Done, ...]] = [()]
    while pending:
        prefix = pending.pop()
        game, telling, expect = along(title, prefix, rng)
        if expect is None:
            finished(game)
            paths += 1
            continue
        check(game)
        only_what_is_open(game, expect, rng)
        pending.extend((*prefix, done) for done in decisions(expect, prefix))
        telling.close()
    return paths


def along(title: str, prefix: tuple[Done, ...], rng: random.Random) -> tuple[Game, Story, Expect | None]:
    """The game and the story after these decisions."""
    game = begun(title)
    telling = STORIES[title][1]()
    expect = next(telling, None)
    for done in prefix:
        assert expect is not None
        words = written(game, expect, done, rng)
        before = game
        game = play(game, f"{expect.seat} {' '.join(words)}")
        undone(before, game, expect.seat)
        try:
            expect = telling.send(words)
        except StopIteration:
            expect = None
    return game, telling, expect


def written(game: Game, expect: Expect, done: Done, rng: random.Random) -> Done:
    """The words of an action, its points drawn among those that the story allows."""
    match done[0]:
        case "place":
            return ("place", name(rng.choice(open_points(game, expect))))
        case "add":
            return ("add", *map(name, added(game, expect, rng)))
        case "choose":
            return ("choose", name(rng.choice(game.state.offers)))
        case "offer":
            return ("offer", *map(name, offers(game, 1 if done[1] == "one" else expect.offers, rng)))
        case _:
            return done


def open_points(game: Game, expect: Expect) -> list[int]:
    """Empty points within the story's squares whose stone ends nothing, and no opening that the protocol leaves out."""
    points = []
    for p in range(POINTS):
        distance = distance_from_tengen(p)
        if game.state.cells[p] or distance > expect.inside // 2 or (expect.outside and distance <= expect.outside // 2):
            continue
        if expect.colour == "black" and judge(game.state.board(), p).forbidden:
            continue
        refused = attempt(game, f"{expect.seat} place {name(p)}")
        if isinstance(refused, Refusal):
            assert game.settings.protocol == "swap_1989"
            assert refused.text in ("D13", "I13")
            continue
        points.append(p)
    return points


def added(game: Game, expect: Expect, rng: random.Random) -> tuple[int, int]:
    """A white and a black stone, far from making anything."""
    while True:
        white, black = rng.sample([p for p in range(POINTS) if not game.state.cells[p]], 2)
        near = distance_from_tengen(white) <= expect.inside // 2
        if near and distance_from_tengen(black) <= expect.second_inside // 2:
            return white, black


def offers(game: Game, number: int, rng: random.Random) -> list[int]:
    """So many further fifth moves, no two of them the same."""
    black = frozenset(s.point for s in game.state.stones if s.colour is Colour.BLACK)
    white = frozenset(s.point for s in game.state.stones if s.colour is Colour.WHITE)
    found: list[int] = []
    free = [p for p in range(POINTS) if not game.state.cells[p]]
    rng.shuffle(free)
    for p in free:
        if len(found) == number:
            break
        if not any(equivalent(black, white, q, p, board_only=False) for q in (*game.state.offers, *found)):
            found.append(p)
    return found


def only_what_is_open(game: Game, expect: Expect, rng: random.Random) -> None:
    """The game agrees with the story about this moment, action by action."""
    assert game.to_act == (expect.seat,)
    assert game.state.black == expect.black
    phase = phase_of(game.state, game.settings)
    assert {act.value for act in phase.then} == expect.acts
    other = 1 - expect.seat
    for act, words in ANY.items():
        assert why(game, f"{other} {words}") in ("not_your_turn", "not_now")
        if act.value not in expect.acts:
            assert why(game, f"{expect.seat} {words}") in ("not_now", "pass_too_early")
    if "place" in expect.acts:
        assert game.state.turn.name.lower() == expect.colour
        where_stones_may_lie(game, expect, rng)
    if "offer" in expect.acts:
        assert offers_wanted(game.state, phase) == expect.offers
        assert game.state.turn is Colour.BLACK
        assert why(game, f"{expect.seat} offer h8") == "occupied"
        too_many = " ".join(map(name, offers(game, expect.offers + 1, rng)))
        assert why(game, f"{expect.seat} offer {too_many}") == "too_many_offers"
        if game.state.offers:
            assert why(game, f"{expect.seat} offer {name(game.state.offers[0])}") == "offered_already"
    if "choose" in expect.acts:
        assert why(game, f"{expect.seat} choose h8") == "not_offered"
    if "declare" in expect.acts:
        for k in (0, expect.most + 1, 999):
            assert why(game, f"{expect.seat} declare {k}") == "declare_range"
    for seat in (0, 1):
        assert why(game, f"{seat} claim") == "claim_too_early"
        assert why(game, f"{seat} guess odd") == "not_now"


def where_stones_may_lie(game: Game, expect: Expect, rng: random.Random) -> None:
    """Inside the squares of the story and nowhere else."""
    for p in rng.sample(range(POINTS), 30):
        after = attempt(game, f"{expect.seat} place {name(p)}")
        distance = distance_from_tengen(p)
        if game.state.cells[p]:
            expected = "occupied"
        elif distance > expect.inside // 2:
            expected = "outside_area"
        elif expect.outside and distance <= expect.outside // 2:
            expected = "inside_area"
        else:
            expected = ""
        if isinstance(after, Game) or after.why.value == "excluded_opening":
            assert expected == ""
        else:
            assert after.why.value == expected


def undone(before: Game, after: Game, seat: int) -> None:
    """A take-back by consent leads back to the moment before, whatever was decided."""
    back = play(after, f"{seat} undo_ask; {1 - seat} undo_allow")
    assert quiet(back) == quiet(before)


def finished(game: Game) -> None:
    """The protocol is over: ordinary play, White to move (Black's move 2 apart), claims and passes open."""
    check(game)
    assert game.state.phase == DONE
    assert not game.state.offers
    (seat,) = game.to_act
    colours = [stone.colour for stone in game.state.stones]
    assert colours == [Colour.BLACK if n % 2 == 0 else Colour.WHITE for n in range(len(colours))]
    assert game.state.colour_of(seat) is (Colour.BLACK if len(colours) % 2 == 0 else Colour.WHITE)
    assert isinstance(attempt(game, f"{seat} pass"), Game)
    white = game.state.seat_of(Colour.WHITE)
    assert isinstance(attempt(game, f"{white} claim"), Game)
    for words in (
        "swap",
        "keep",
        "colour black",
        "declare 1",
        "offer a1",
        "choose a1",
        "add a1 a2",
        "branch offer_ten",
    ):
        assert why(game, f"{seat} {words}") == "not_now"
    again = load(save(game))
    assert isinstance(apply(again, seat, action("place", "a15" if not game.state.cells[210] else "o1"), 0), Game)
