"""When the engine gives a game up: never on a mere estimate, and not before the other side has shown that it can win.

A position is *proven lost* when after each of its moves the other side wins by continuous fours, which is decided
exactly. Such a win may still be hard to see. So the engine plays on for as long as the other side may miss it, and
resigns only when it was proven lost at each of its last :data:`TURNS` turns. While it has fours of its own to make, the
other side must answer those, nothing is proven, and it plays them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from core.ai.think import Deadline, Rules, vcf
from core.game import Game, Seat, State
from core.notation import POINTS, Board, Colour
from core.openings.protocol import DONE
from core.rules import five_line, forbidden

#: At so many of its own turns in a row the engine must have been lost.
TURNS: Final = 3
#: Nodes for the fours after one move.
_FOURS: Final = 20_000


def hopeless(game: Game, seat: Seat, agreed: Rules, deadline: Deadline) -> bool:
    """Whether ``seat``, to move, has been lost for so long that it may resign.

    ``False`` when ``deadline`` is over before that is known.
    """
    turns = list(islice(_own_turns(game.state, seat), TURNS))
    if len(turns) < TURNS:
        return False
    # The quick question first, of all of them.
    boards = [(state.board(), state.turn) for state in turns]
    return all(_fours(*of, agreed, deadline) for of in boards) and all(lost(*of, agreed, deadline) for of in boards)


def lost(board: Board, to_move: Colour, agreed: Rules, deadline: Deadline) -> bool:
    """Whether the other side wins by continuous fours whatever ``to_move`` does now.

    Exact where it says so; ``False`` where that is not proven, or not before ``deadline`` is over.
    """
    if not _fours(board, to_move, agreed, deadline):  # a stone far away helps no less than none
        return False
    black = to_move is Colour.BLACK
    fouls = forbidden(board) if black and agreed.fouls else {}
    exact = agreed.black_exact if black else agreed.white_exact
    for p in range(POINTS):
        if board[p] or p in fouls:
            continue
        after = board.copy()
        after[p] = to_move
        if five_line(after, p, to_move, exact=exact) or not _fours(after, to_move, agreed, deadline):
            return False
    return True


def _own_turns(state: State, seat: Seat) -> Iterator[State]:
    """The states in ordinary play in which ``seat`` was to move, from the present one back."""
    at: State | None = state
    mover: Seat | None = seat
    while at is not None and at.phase == DONE:
        if mover == seat and at.colour_of(seat) is at.turn:
            yield at
        if at.past is None:
            return
        mover, at = at.past


def _fours(board: Board, loser: Colour, agreed: Rules, deadline: Deadline) -> bool:
    """Whether the side opposite ``loser``, to move, is known to win by continuous fours."""
    if deadline.over:
        return False
    found = vcf(
        board,
        loser.other,
        fouls=agreed.fouls,
        black_exact=agreed.black_exact,
        white_exact=agreed.white_exact,
        nodes=_FOURS,
        stop=deadline.stop,
    )
    return found.won is True
