"""The buttons that a viewer gets: what their seats may do now, in rows of at most three; six of numbers or letters.

The claim button stands for White from the end of the protocol to the end of the game, whether or not a claim would be
right, and also when no claims are left: then the refusal says so (R6.1, R6.5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Final, TypeAlias

from bot.composing.step import letter
from bot.scene import Button, Command, Style, Viewer
from bot.session.table import Person, Table
from bot.words import Words
from core.game import (
    GUESSING,
    MOST_HIDDEN,
    SERIOUS,
    Act,
    Action,
    FoulMode,
    Seat,
    action,
    before,
    encode,
    phase_of,
)
from core.notation import Colour
from core.openings.protocol import DONE

ROW: Final = 3
#: How many numbers or letters stand in a row.
SHORT_ROW: Final = 6
#: So many numbers and letters have buttons; what lies beyond is typed. Only who agreed on more meets more.
MOST_NUMBERS: Final = 12
MOST_LETTERS: Final = 20


def buttons(words: Words, table: Table, viewer: Viewer) -> tuple[tuple[Button, ...], ...]:
    """Rows of buttons. A public message gets those of both seats, each once."""
    mine = tuple(seat for seat in _SEATS if viewer.public or seat in viewer.seats)
    if table.game.outcome is not None:
        return _rows([_after(words, table, mine)])
    if table.waiting:
        return _rows([_before(words, table, mine, public=viewer.public)])
    people = [seat for seat in mine if isinstance(table.seats[seat], Person)]
    return _rows(
        [button for kind in kinds for seat in people for button in kind(words, table, seat)] for kinds in _ROWS
    )


_SEATS: Final[tuple[Seat, Seat]] = (0, 1)


def _rows(groups: Iterable[Iterable[Button]]) -> tuple[tuple[Button, ...], ...]:
    rows: list[tuple[Button, ...]] = []
    for group in groups:
        unique = tuple({button.data: button for button in group}.values())
        size = ROW
        if all(len(button.label) <= 2 for button in unique):
            count = -(-len(unique) // SHORT_ROW)
            size = -(-len(unique) // count) if count else ROW  # rows of nearly equal length
        rows += [unique[at : at + size] for at in range(0, len(unique), size)]
    return tuple(rows)


def _before(words: Words, table: Table, mine: tuple[Seat, ...], *, public: bool) -> Iterator[Button]:
    if public:
        yield Button(words.say("Join"), Command.JOIN.value, Style.PRIMARY)
    if any(isinstance(table.seats[seat], Person) for seat in mine):
        yield Button(words.say("Withdraw"), Command.WITHDRAW.value)


def _after(words: Words, table: Table, mine: tuple[Seat, ...]) -> Iterator[Button]:
    if not table.waiting and any(isinstance(table.seats[seat], Person) for seat in mine):
        yield Button(words.say("Rematch"), Command.REMATCH.value, Style.PRIMARY)


def _decide(words: Words, table: Table, seat: Seat) -> Iterator[Button]:
    """The decisions of a protocol, and the guess before it."""
    state = table.game.state
    if seat not in table.game.to_act:
        return
    if state.phase == GUESSING and table.game.settings.draw.by_parity:
        for number in range(1, MOST_HIDDEN + 1):
            yield _button(str(number), Action(Act.HIDE, number=number), Style.PRIMARY)
        return
    if state.phase == GUESSING:
        yield _button(words.say("Odd"), action(Act.GUESS, "odd"), Style.PRIMARY)
        yield _button(words.say("Even"), action(Act.GUESS, "even"), Style.PRIMARY)
        return
    phase = phase_of(state, table.game.settings)
    then = phase.then
    if Act.COLOUR in then:
        yield _button(words.say("Take Black"), action(Act.COLOUR, "black"), Style.PRIMARY)
        yield _button(words.say("Take White"), action(Act.COLOUR, "white"), Style.PRIMARY)
    if Act.ADD in then and Act.PLACE not in then:
        yield Button(words.say("Add two stones"), Command.ADD.value, Style.PRIMARY)
    if Act.SWAP in then:
        yield _button(words.say("Swap colours"), _alone(Act.SWAP), Style.PRIMARY)
    if Act.KEEP in then:
        yield _button(words.say("Keep colours"), _alone(Act.KEEP), Style.PRIMARY)
    if Act.BRANCH in then:
        offers = table.game.settings.table()[then[Act.BRANCH]].offers
        label = words.say("Offer ten") if offers == 10 else words.say("Offer {number}", number=offers)
        yield _button(label, action(Act.BRANCH, "offer_ten"), Style.PRIMARY)
    for number in range(1, min(phase.most, MOST_NUMBERS) + 1):
        yield _button(str(number), Action(Act.DECLARE, number=number), Style.PRIMARY)
    if Act.CHOOSE in then:
        for index, point in enumerate(state.offers[:MOST_LETTERS]):
            yield _button(letter(index), Action(Act.CHOOSE, points=(point,)), Style.PRIMARY)


def _claim(words: Words, table: Table, seat: Seat) -> Iterator[Button]:
    """For White from the end of the protocol on, always: that it stands there tells nothing (R6.1)."""
    game, state = table.game, table.game.state
    claims = state.phase == DONE and game.settings.foul_mode is FoulMode.CLAIM
    if claims and state.colour_of(seat) is Colour.WHITE:
        yield _button(words.say("Claim forbidden move"), _alone(Act.CLAIM), Style.DANGER)


def _pass(words: Words, table: Table, seat: Seat) -> Iterator[Button]:
    game, state = table.game, table.game.state
    if state.phase != DONE or seat not in game.to_act:
        return
    if state.pending is not None or not game.settings.no_pass:
        yield _button(words.say("Pass"), _alone(Act.PASS))


def _answers(words: Words, table: Table, seat: Seat) -> Iterator[Button]:
    """What the other side has asked."""
    state = table.game.state
    if state.draw_by not in (None, seat):
        yield _button(words.say("Accept draw"), _alone(Act.DRAW_ACCEPT), Style.SUCCESS)
        yield _button(words.say("Decline draw"), _alone(Act.DRAW_DECLINE))
    if state.undo_by not in (None, seat):
        yield _button(words.say("Allow undo"), _alone(Act.UNDO_ALLOW), Style.SUCCESS)
        yield _button(words.say("Refuse undo"), _alone(Act.UNDO_REFUSE))


def _draw(words: Words, table: Table, seat: Seat) -> Iterator[Button]:
    game, state = table.game, table.game.state
    if _begun(table) and seat in game.to_act and state.draw_by is None and not state.draw_used:
        yield _button(words.say("Offer draw"), _alone(Act.DRAW_OFFER))


def _undo(words: Words, table: Table, seat: Seat) -> Iterator[Button]:
    game, state = table.game, table.game.state
    if not game.settings.rated and state.undo_by is None and before(state, seat) is not None:
        yield _button(words.say("Undo"), _alone(Act.UNDO_ASK))


def _end(words: Words, table: Table, _: Seat) -> Iterator[Button]:
    """Before the second stone a game is cancelled, after it resigned."""
    if _begun(table):
        yield Button(
            words.say("Resign"),
            encode(_alone(Act.RESIGN)),
            Style.DANGER,
            confirm=words.say("Resign this game?"),
            yes=words.say("Yes resign"),
            no=words.say("Play on"),
        )
    else:
        yield _button(words.say("Cancel"), _alone(Act.CANCEL))


def _begun(table: Table) -> bool:
    return len(table.game.state.stones) >= SERIOUS


_Kind: TypeAlias = Callable[[Words, Table, Seat], Iterator[Button]]
#: What stands together in a row, in this order.
_ROWS: Final[tuple[tuple[_Kind, ...], ...]] = ((_decide,), (_answers,), (_claim, _pass), (_draw, _undo, _end))


@cache
def _alone(act: Act) -> Action:
    """The action that is an act and nothing else."""
    return action(act)


def _button(label: str, does: Action, style: Style = Style.PLAIN) -> Button:
    return Button(label, encode(does), style)
