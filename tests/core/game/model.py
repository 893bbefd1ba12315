"""The opening protocols once more, as plain stories instead of tables: the slow twin that the tables must agree with.

Each story is a generator. It yields what it expects of the game (who acts, what is open to them, where a stone may
lie) and is sent what was done. It keeps its own account of who is Black. Written from section 9, line by line.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import TypeAlias

P1, P2 = 0, 1
BLACK, WHITE = "black", "white"


@dataclass(frozen=True)
class Expect:
    """What a story waits for."""

    seat: int
    acts: frozenset[str]
    black: int
    """Who holds Black now."""
    colour: str = ""
    """The colour of a stone put now."""
    inside: int = 15
    outside: int = 0
    offers: int = 0
    most: int = 0
    second_inside: int = 15


Done: TypeAlias = tuple[str, ...]
Story: TypeAlias = Generator[Expect, Done, None]


@dataclass
class Teller:
    """The account that a story keeps."""

    black: int = P1
    said: list[str] = field(default_factory=list)

    def holder(self, colour: str) -> int:
        return self.black if colour == BLACK else 1 - self.black

    def ask(self, seat: int, acts: str, **more: object) -> Expect:
        return Expect(seat, frozenset(acts.split()), self.black, **more)  # type: ignore[arg-type]

    def stone(self, seat: int, colour: str, inside: int = 15, outside: int = 0) -> Story:
        yield self.ask(seat, "place", colour=colour, inside=inside, outside=outside)

    def opening(self, second: int = P1) -> Story:
        yield from self.stone(P1, BLACK, 1)
        yield from self.stone(second, WHITE, 3)
        yield from self.stone(P1, BLACK, 5)

    def maybe_swap(self, seat: int) -> Story:
        done = yield self.ask(seat, "swap keep")
        if done[0] == "swap":
            self.black = 1 - self.black

    def n5(self, k: int) -> Story:
        left = k
        while left:
            done = yield self.ask(self.holder(BLACK), "offer", offers=left)
            left -= len(done) - 1
        yield self.ask(self.holder(WHITE), "choose")
        yield from self.stone(self.holder(WHITE), WHITE)

    def choose_colour(self, seat: int, *, may_add: bool) -> Generator[Expect, Done, bool]:
        """Whether two stones were added instead."""
        done = yield self.ask(seat, "colour add" if may_add else "colour")
        if done[0] == "add":
            return True
        self.black = seat if done[1] == "black" else 1 - seat
        return False


def free() -> Story:
    yield from Teller().stone(P1, BLACK, 1)


def rif(second: int = P1) -> Story:
    t = Teller()
    yield from t.opening(second)
    yield from t.maybe_swap(P2)
    yield from t.stone(t.holder(WHITE), WHITE)
    yield from t.n5(2)


def yamaguchi(k_max: int = 12) -> Story:
    t = Teller()
    yield from t.opening()
    done = yield t.ask(P1, "declare", most=k_max)
    yield from t.maybe_swap(P2)
    yield from t.stone(t.holder(WHITE), WHITE)
    yield from t.n5(int(done[1]))


def soosyrv(n: int) -> Story:
    t = Teller()
    yield from t.opening()
    yield from t.maybe_swap(P2)
    fourth = t.holder(WHITE)
    yield from t.stone(fourth, WHITE)
    done = yield t.ask(fourth, "declare", most=n)
    yield from t.maybe_swap(1 - fourth)
    yield from t.n5(int(done[1]))


def squares(t: Teller, last: int) -> Story:
    for number in range(1, last + 1):
        colour = BLACK if number % 2 else WHITE
        mover = t.holder(colour)
        yield from t.stone(mover, colour, 2 * number - 1)
        yield from t.maybe_swap(1 - mover)


def tarannikov() -> Story:
    yield from squares(Teller(), 5)


def taraguchi(n: int) -> Story:
    t = Teller()
    yield from squares(t, 3)
    fourth = t.holder(WHITE)
    yield from t.stone(fourth, WHITE, 7)
    done = yield t.ask(1 - fourth, "swap keep branch")
    if done[0] == "branch":
        yield from t.n5(n)
        return
    if done[0] == "swap":
        t.black = 1 - t.black
    fifth = t.holder(BLACK)
    yield from t.stone(fifth, BLACK, 9)
    yield from t.maybe_swap(1 - fifth)


def sakata(adds: int = 0) -> Story:
    t = Teller()
    yield from t.opening()
    done = yield t.ask(P2, "place add", colour=WHITE, inside=7, second_inside=9)
    if done[0] == "place":
        yield from t.stone(P2, BLACK, 9)
    chooser = P1
    while (yield from t.choose_colour(chooser, may_add=adds > 0)):
        adds -= 1
        chooser = 1 - chooser


def swap(*, two: bool = False) -> Story:
    t = Teller()
    for colour in (BLACK, WHITE, BLACK):
        yield from t.stone(P1, colour)
    if (yield from t.choose_colour(P2, may_add=two)):
        yield from t.choose_colour(P1, may_add=False)


def pro(beyond: int) -> Story:
    t = Teller()
    yield from t.stone(P1, BLACK, 1)
    yield from t.stone(P2, WHITE)
    yield from t.stone(P1, BLACK, outside=beyond)


def designated(offers: int) -> Story:
    if not offers:
        return
    t = Teller()
    yield from t.stone(P2, WHITE)
    yield from t.n5(offers)


#: Every protocol under every option that changes its story.
STORIES: dict[str, tuple[dict[str, object], Callable[[], Story]]] = {
    "free": ({}, free),
    "rif": ({}, rif),
    "rif, move 2 by White": ({"move2_by": "white"}, lambda: rif(P2)),
    "swap_1989": ({}, lambda: rif(P2)),
    "yamaguchi": ({}, yamaguchi),
    "yamaguchi, k_max 3": ({"k_max": 3}, lambda: yamaguchi(3)),
    "soosyrv_8": ({}, lambda: soosyrv(8)),
    "soosyrv_4": ({}, lambda: soosyrv(4)),
    "tarannikov": ({}, tarannikov),
    "taraguchi_10": ({}, lambda: taraguchi(10)),
    "taraguchi_5": ({}, lambda: taraguchi(5)),
    "sakata": ({}, sakata),
    "super_sakata": ({}, lambda: sakata(3)),
    "swap": ({}, swap),
    "swap2": ({}, lambda: swap(two=True)),
    "pro": ({}, lambda: pro(5)),
    "long_pro": ({}, lambda: pro(7)),
    "designated": ({"opening": "D4"}, lambda: designated(0)),
    "designated, two offers": ({"opening": "I7", "five_offers": True}, lambda: designated(2)),
}
