"""The step that a game is in, and what is expected of whoever has to act. Read from the protocol's table of phases."""

from __future__ import annotations

from bot.composing.crosses import crosses
from bot.composing.people import Told
from bot.session.table import Machine
from bot.words.values import Phrase, harmless
from core.game import GUESSING, MOST_HIDDEN, Act, Draw, Reason, Seat, offers_wanted, phase_of, square
from core.notation import POINTS, SIZE, Colour, Point, label
from core.openings.protocol import DONE, Phase


def wanted(told: Told, first: Point | None = None) -> str:
    """Whose turn it is, and exactly what they are to do. The game runs.

    ``first``: where the first of two stones will lie that are being added.
    """
    words, state = told.words, told.game.state
    if told.table.waiting and told.table.invited:
        return words.say("Waiting for {name}: press Join.", name=Phrase(harmless(told.table.invited, told.limit)))
    if told.table.waiting and told.table.reserved:
        return words.say("Waiting for the opponent of the last game: press Join.")
    if told.table.waiting:
        return words.say("Waiting for a second player: press Join.")
    seat = told.game.to_act[0]
    who = told.who(seat)
    if isinstance(told.table.seats[seat], Machine):
        return words.say("{who} is thinking.", who=who)
    if state.phase == GUESSING and told.game.settings.draw.by_parity:
        return _hiding(told, who)
    if state.phase == GUESSING:
        return words.say(
            "{who}: is the number of hidden stones odd or even? Who guesses right begins as Black.", who=who
        )
    phase = phase_of(state, told.game.settings)
    if Act.OFFER in phase.then:
        left = offers_wanted(state, phase)
        return words.count(
            "{who}: offer {n} fifth move.",
            "{who}: offer {n} fifth moves that are not equivalent; {left} still to offer.",
            left + len(state.offers),
            who=who,
            left=left,
        )
    if Act.CHOOSE in phase.then:
        letters = words.listed(letter(index) for index in range(len(state.offers)))
        return words.say("{who}: choose one of the offers {offers}.", who=who, offers=letters)
    if Act.DECLARE in phase.then:
        return words.say(
            "{who}: how many fifth moves are to be offered? Declare 1 to {most}.", who=who, most=phase.most
        )
    if Act.PLACE in phase.then:
        return _stone(told, seat, phase)
    if first is not None:
        point = Phrase(label(first))
        return words.say("{who}: the white stone goes to {point}. Where does the black one?", who=who, point=point)
    return _decision(told, who, phase)


def _hiding(told: Told, who: Phrase) -> str:
    words, agreed = told.words, told.game.settings
    black = told.name(agreed.first)
    if agreed.draw is Draw.PARITY_CN:
        return words.say(
            "{who}: hide 1 to {most} stones. {black} is to be Black; "
            "if the difference of what both have hidden is odd, the colours are exchanged.",
            who=who,
            most=MOST_HIDDEN,
            black=black,
        )
    return words.say(
        "{who}: hide 1 to {most} stones. {black} is to be Black; "
        "if the sum of what both have hidden is even, the colours are exchanged.",
        who=who,
        most=MOST_HIDDEN,
        black=black,
    )


def _decision(told: Told, who: Phrase, phase: Phase) -> str:
    words = told.words
    if Act.BRANCH in phase.then:
        return words.count(
            "{who}: swap colours, keep them, or offer {n} fifth move?",
            "{who}: swap colours, keep them, or offer {n} fifth moves?",
            told.game.settings.table()[phase.then[Act.BRANCH]].offers,
            who=who,
        )
    if Act.SWAP in phase.then:
        return words.say("{who}: swap colours or keep them?", who=who)
    if Act.ADD in phase.then:
        return words.say("{who}: take Black, take White, or add a white and a black stone?", who=who)
    return words.say("{who}: take Black or White?", who=who)


def _stone(told: Told, seat: Seat, phase: Phase) -> str:
    words, state = told.words, told.game.state
    who, number, black = told.who(seat), len(state.stones) + 1, state.turn is Colour.BLACK
    match state.pending:
        case Reason.FULL_BOARD:
            return words.say("{who}: the board is full. Claim a forbidden move, or pass for a draw.", who=who)
        case Reason.DEAD_BOARD:
            return words.say(
                "{who}: nobody can make five any more. Claim a forbidden move, or pass for a draw.", who=who
            )
    if phase.name == DONE:
        if len(crosses(told.table)) == POINTS - len(state.stones):  # R6.7; only Black, in a blocked game
            return words.say("{who}: every empty point is forbidden for you. Press Pass.", who=who)
        if black:
            return words.say("{who}: your turn, black stone {number}.", who=who, number=number)
        return words.say("{who}: your turn, white stone {number}.", who=who, number=number)
    size = square(state, told.game.settings, phase.area)
    if size == 1:
        return words.say("{who}: put the first stone on the centre, H8.", who=who)
    if phase.beyond:
        return words.say(
            "{who}: put black stone {number} outside the central {size} × {size} square.",
            who=who,
            number=number,
            size=phase.beyond,
        )
    if size < SIZE and black:
        return words.say(
            "{who}: put black stone {number} in the central {size} × {size} square.",
            who=who,
            number=number,
            size=size,
        )
    if size < SIZE:
        return words.say(
            "{who}: put white stone {number} in the central {size} × {size} square.",
            who=who,
            number=number,
            size=size,
        )
    if black:
        return words.say("{who}: put black stone {number} on any empty point.", who=who, number=number)
    return words.say("{who}: put white stone {number} on any empty point.", who=who, number=number)


def step(told: Told) -> str:
    """Which step of the opening the game is in."""
    words, state = told.words, told.game.state
    if state.phase == GUESSING:
        return words.say("Step: the draw of colours.")
    phase = phase_of(state, told.game.settings)
    number = len(state.stones)
    if phase.name == DONE:
        return words.say("Step: normal play, move {number} is next.", number=number + 1)
    if Act.OFFER in phase.then:
        return words.say("Opening step: fifth moves are offered.")
    if Act.CHOOSE in phase.then:
        return words.say("Opening step: the choice of the fifth move.")
    if Act.DECLARE in phase.then:
        return words.say("Opening step: the number of fifth moves.")
    if Act.SWAP in phase.then:
        return words.say("Opening step: the swap after move {number}.", number=number)
    if Act.COLOUR in phase.then:
        return words.say("Opening step: the choice of colours after move {number}.", number=number)
    return words.say("Opening step: move {number}.", number=number + 1)


def lettered(told: Told) -> Phrase:
    """The offers with the letters that the board and the buttons show: ``A (H8), B (J9)``."""
    return told.words.listed(f"{letter(index)} ({label(point)})" for index, point in enumerate(told.game.state.offers))


def letter(index: int) -> str:
    """A for the first offer, B for the second, and so on; AA after Z."""
    return chr(ord("A") + index) if index < 26 else "A" + letter(index - 26)
