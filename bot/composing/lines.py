"""The text twin of the board: one sentence a line (promise 7)."""

from __future__ import annotations

from collections.abc import Iterator

from bot.composing.clocks import agreed_clock, open_until, span, times
from bot.composing.ending import notes, result
from bot.composing.people import Told
from bot.composing.step import lettered, step, wanted
from bot.session.table import Person, Table
from bot.words import Words
from bot.words.openings import opening_name
from bot.words.values import Phrase
from core.clock import Milliseconds
from core.game import Event, FoulMode, Happened, Seat, Settings, other
from core.notation import Colour, Point, label


def title(words: Words, table: Table) -> str:
    """The opening rule and the foul mode."""
    settings = table.game.settings
    return " · ".join((words.say("Renju"), protocol_name(words, settings.protocol), _mode(words, settings)))


def protocol_name(words: Words, protocol: str) -> str:
    """What an opening protocol is called."""
    match protocol:
        case "rif":
            return words.say("RIF opening")
        case "swap_1989":
            return words.say("Swap of 1989")
        case "yamaguchi":
            return words.say("Yamaguchi opening")
        case "soosyrv_8":
            return words.say("Soosyrv-8 opening")
        case "soosyrv_4":
            return words.say("Soosyrv-4 opening")
        case "tarannikov":
            return words.say("Tarannikov opening")
        case "taraguchi_10":
            return words.say("Taraguchi-10 opening")
        case "taraguchi_5":
            return words.say("Taraguchi-5 opening")
        case "sakata":
            return words.say("Sakata opening")
        case "super_sakata":
            return words.say("Super Sakata opening")
        case "designated":
            return words.say("designated opening")
        case "swap":
            return words.say("Swap opening")
        case "swap2":
            return words.say("Swap2 opening")
        case "pro":
            return words.say("Pro opening")
        case "long_pro":
            return words.say("Long Pro opening")
        case _:
            return words.say("free opening")


def _mode(words: Words, settings: Settings) -> str:
    match settings.foul_mode:
        case FoulMode.CLAIM:
            return words.say("White must claim forbidden moves")
        case FoulMode.AUTO_LOSS:
            return words.say("a forbidden move loses at once")
        case FoulMode.BLOCKED:
            return words.say("forbidden points are blocked")
        case FoulMode.FREESTYLE:
            return words.say("no forbidden moves")


def lines(told: Told, now: Milliseconds, first: Point | None = None) -> tuple[str, ...]:
    """Everything that the board shows, and what it cannot show, in the order in which one reads it.

    ``first``: where the first of two stones will lie that are being added.
    """
    outcome = told.game.outcome
    return (
        *_players(told),
        *((wanted(told, first),) if outcome is None else (result(told, outcome), *notes(told))),
        *times(told, now),
        *open_until(told),
        *_standing(told),
        _last_move(told),
        *_opening(told),
        *(() if outcome is not None or told.table.waiting else (step(told),)),
        *_offers(told),
        *_happened(told),
        *_agreed(told.words, told.game.settings, begun=bool(told.game.state.stones)),
    )


def _players(told: Told) -> Iterator[str]:
    """Who plays which colour; before the draw of colours, who opened the table and who joined it."""
    words, state = told.words, told.game.state
    black, white = state.seat_of(Colour.BLACK), state.seat_of(Colour.WHITE)
    if black is not None and white is not None:
        yield words.say("● Black: {name}", name=told.name(black))
        yield words.say("○ White: {name}", name=told.name(white))
        return
    opener: Seat = 0 if isinstance(told.table.seats[0], Person) else 1  # the engine opens no table
    yield words.say("Opened by: {name}", name=told.name(opener))
    if not told.table.waiting:
        yield words.say("Joined by: {name}", name=told.name(other(opener)))


def _standing(told: Told) -> Iterator[str]:
    """A draw offer and a request to take back that wait for an answer."""
    words, state = told.words, told.game.state
    if state.draw_by is not None:
        yield words.say(
            "{who} offers a draw. {other}: accept or decline?",
            who=told.who(state.draw_by),
            other=told.who(other(state.draw_by)),
        )
    if state.undo_by is not None:
        yield words.say(
            "{who} asks to take back the last move. {other}: allow or refuse?",
            who=told.who(state.undo_by),
            other=told.who(other(state.undo_by)),
        )


def _last_move(told: Told) -> str:
    words, state = told.words, told.game.state
    if state.last is None:
        return words.say("No stone lies on the board yet.")
    number, point = len(state.stones), Phrase(label(state.last.point))
    if state.last.colour is Colour.BLACK:
        return words.say("Last move: {number}, Black {point}", number=number, point=point)
    return words.say("Last move: {number}, White {point}", number=number, point=point)


def _opening(told: Told) -> Iterator[str]:
    """From move 3 on: which of the 26 it is."""
    words, opening = told.words, told.game.opening
    if opening is not None:
        name = opening_name(words, opening)
        yield words.say("Opening: {code} {name}", code=Phrase(opening.code), name=name)
    elif len(told.game.state.stones) >= 3:
        yield words.say("Opening: none of the 26")


def _offers(told: Told) -> Iterator[str]:
    words = told.words
    if told.game.state.offers:
        yield words.say("Fifth moves on offer: {offers}", offers=lettered(told))


def _happened(told: Told) -> Iterator[str]:
    """What the last action caused, where no other line tells it; and a pass for as long as it stands."""
    words, state = told.words, told.game.state
    passer = state.seat_of(state.turn.other)
    if state.passes == 1 and state.outcome is None and passer is not None:
        yield words.say("{who} passed. If the other side passes too, it is a draw.", who=told.who(passer))
    for event in state.events:
        yield from _event(told, event)


def _event(told: Told, event: Event) -> Iterator[str]:
    if event.kind is Happened.TIME_GIVEN:
        given = span(event.number)
        yield told.words.say("The service was away; the running clock got {time} back.", time=given)
    if event.seat is None:
        return
    words, who, name = told.words, told.who(event.seat), told.name(event.seat)
    match event.kind:
        case Happened.GUESSED if event.colour is Colour.BLACK:
            yield words.count(
                "{who} guessed right: {n} stone was hidden.",
                "{who} guessed right: {n} stones were hidden.",
                event.number,
                who=who,
            )
        case Happened.GUESSED:
            yield words.count(
                "{who} guessed wrong: {n} stone was hidden.",
                "{who} guessed wrong: {n} stones were hidden.",
                event.number,
                who=who,
            )
        case Happened.HID:
            yield words.say("{who} has hidden some stones.", who=who)
        case Happened.SHOWN:
            yield words.count("{name} had hidden {n} stone.", "{name} had hidden {n} stones.", event.number, name=name)
        case Happened.SETTLED if event.number:
            yield words.say("The colours were exchanged: {name} begins as Black.", name=name)
        case Happened.SETTLED:
            yield words.say("The colours were kept: {name} begins as Black.", name=name)
        case Happened.SWAPPED:
            yield words.say("{who} has swapped the colours.", who=who)
        case Happened.KEPT:
            yield words.say("{who} has kept the colours.", who=who)
        case Happened.TOOK if event.colour is Colour.BLACK:
            yield words.say("{name} has taken Black.", name=name)
        case Happened.TOOK:
            yield words.say("{name} has taken White.", name=name)
        case Happened.ADDED:
            yield words.say("{who} has added two stones: {points}.", who=who, points=_listed(words, event.points))
        case Happened.DECLARED:
            yield words.count(
                "{who} has declared {n} fifth move.", "{who} has declared {n} fifth moves.", event.number, who=who
            )
        case Happened.BRANCHED:
            yield words.count(
                "{who} will offer {n} fifth move instead of a swap.",
                "{who} will offer {n} fifth moves instead of a swap.",
                event.number,
                who=who,
            )
        case Happened.CHOSEN:
            point = Phrase(label(event.points[0]))
            yield words.say("{who} chose {point} as the fifth move.", who=who, point=point)
        case Happened.WRONG_CLAIM:
            yield _wrong_claim(told, who)
        case Happened.REMINDED:
            yield words.say("{who}: your time is nearly over.", who=who)
        case Happened.DRAW_DECLINED:
            yield words.say("{who} declined the draw.", who=who)
        case Happened.UNDO_REFUSED:
            yield words.say("{who} refused to take back.", who=who)
        case Happened.UNDONE if event.number == 0:
            yield words.say("The last decision of {who} was taken back.", who=who)
        case Happened.UNDONE:
            yield words.count(
                "{n} stone was taken back for {who}.", "{n} stones were taken back for {who}.", event.number, who=who
            )


def _wrong_claim(told: Told, who: Phrase) -> str:
    return told.words.count(
        "{who} claimed a forbidden move, but there is none; {n} claim left.",
        "{who} claimed a forbidden move, but there is none; {n} claims left.",
        max(0, told.game.settings.wrong_claims - told.game.state.wrong_claims),
        who=who,
    )


def _listed(words: Words, points: tuple[Point, ...]) -> Phrase:
    return words.listed(label(point) for point in points)


def _agreed(words: Words, settings: Settings, *, begun: bool) -> Iterator[str]:
    """The time control, and the options that differ from what a player gets who chooses nothing; each has a line."""
    default = Settings()
    yield from agreed_clock(words, settings.control, begun=begun)
    if settings.rated:
        yield words.say("Rated game.")
    if settings.no_offbook:
        yield words.say("Moves 1 to 3 must form one of the 26 openings.")
    elif settings.free_first:
        yield words.say("The first stone may go anywhere.")
    if settings.exclude:
        yield words.say("Openings left out: {codes}", codes=words.listed(settings.exclude))
    if settings.move2_by == "white":
        yield words.say("White puts the second stone.")
    if settings.k_max != default.k_max:
        yield words.say("At most {number} fifth moves can be declared.", number=settings.k_max)
    if settings.five_offers:
        yield words.say("Fifth moves that Black offers: {number}.", number=settings.five_offers)
    if settings.symmetry == "board":
        yield words.say("Fifth moves are the same only by a symmetry of the board.")
    if settings.exact_five:
        yield words.say("Only exactly five wins.")
    elif settings.black_exact_five:
        yield words.say("Black needs exactly five; White wins with more, too.")
    if settings.no_pass:
        yield words.say("Passing is off.")
    if settings.foul_mode is not FoulMode.CLAIM:
        return
    if settings.overline_claim == "immediate":
        yield words.say("An overline, too, must be claimed before White answers.")
    if settings.wrong_claim == "lose_turn":
        yield words.say("A wrong claim costs White the turn.")
    if settings.wrong_claims != default.wrong_claims:
        yield words.say("Wrong claims that White has in the game: {number}.", number=settings.wrong_claims)
