"""``tarannikov`` and ``taraguchi_n``: growing squares, with a swap open after every move."""

from __future__ import annotations

from core.action import Act
from core.openings.protocol import DONE, Phase, Protocol, Who, fifth_moves, swap


def _move(number: int, then: str) -> Phase:
    """Move ``number``, in the square of side 1, 3, 5, 7, 9."""
    return Phase(f"M{number}", Who.BLACK if number % 2 else Who.WHITE, {Act.PLACE: then}, area=2 * number - 1)


def _moves(last: int) -> tuple[Phase, ...]:
    """Moves 1 to ``last``, each followed by the question whether to swap."""
    return tuple(
        phase
        for number in range(1, last + 1)
        for phase in (_move(number, f"Q{number}"), swap(f"Q{number}", Who.OTHER, f"M{number + 1}"))
    )


def tarannikov() -> Protocol:
    """Five moves and five swaps."""
    return Protocol("tarannikov", (*_moves(4), _move(5, "Q5"), swap("Q5", Who.OTHER, DONE)))


def taraguchi(*, offers: int) -> Protocol:
    """As ``tarannikov`` to move 4; then Black may offer ``offers`` fifth moves instead of deciding on a swap."""
    return Protocol(
        f"taraguchi_{offers}",
        (
            *_moves(3),
            _move(4, "D4"),
            Phase("D4", Who.OTHER, {Act.SWAP: "M5", Act.KEEP: "M5", Act.BRANCH: "F5"}),
            _move(5, "Q5"),
            swap("Q5", Who.OTHER, DONE),
            *fifth_moves(offers),
        ),
    )
