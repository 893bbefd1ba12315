"""Writes ``docs/protocols.md``: every opening protocol, drawn and listed from the tables that the game runs on.

``python tools/protocols.py`` writes the file; ``--check`` exits 1 when it is not what the tables say.
"""

from __future__ import annotations

import sys
from pathlib import Path

from core.action import Act
from core.game import ALL_PROTOCOLS, Settings
from core.openings.protocol import DONE, Phase, Protocol, Who

PAGE = Path(__file__).resolve().parent.parent / "docs" / "protocols.md"

HEAD = """# Opening protocols

Written by `python tools/protocols.py` from the tables in `core/openings`; do not edit.

P1 is the player who is Black at the start, P2 the other. Black and White are whoever holds the colour at that moment;
a swap exchanges the colours of P1 and P2 and nothing else. After the last step ordinary play follows: now either side
may pass on its turn, and in games with claims White may claim. At every step either player may resign (with fewer than
two stones on the board: cancel), and in unrated games ask to take back. Whoever is to act may offer a draw once in
their turn, from the second stone on.
"""

_WHO = {
    Who.P1: "P1",
    Who.P2: "P2",
    Who.BLACK: "Black",
    Who.WHITE: "White",
    Who.OTHER: "who did not put the last stone",
    Who.TURN: "the side to move",
}


def page() -> str:
    """The whole text."""
    parts = [HEAD]
    for name in ALL_PROTOCOLS:
        for title, agreed in _variants(name):
            parts.append(f"## {title}\n")
            parts.append(_story(agreed.table()))
    return "\n".join(parts)


def _variants(name: str) -> list[tuple[str, Settings]]:
    """The protocol, and under each option that changes its table."""
    match name:
        case "free":
            return [
                ("free", Settings()),
                ("free, with `free_first`", Settings(free_first=True)),
                ("free, with `no_offbook`", Settings(no_offbook=True)),
            ]
        case "rif":
            return [
                ("rif", Settings(protocol="rif")),
                ("rif, with `move2_by=white`", Settings(protocol="rif", move2_by="white")),
            ]
        case "designated":
            return [
                ("designated, for example D4", Settings(protocol=name, opening="D4")),
                ("designated, with `five_offers`", Settings(protocol=name, opening="D4", five_offers=True)),
            ]
        case _:
            return [(name, Settings(protocol=name))]


def _story(table: Protocol) -> str:
    lines = []
    if table.exclude:
        lines.append(f"The openings {' and '.join(table.exclude)} are left out.\n")
    if table.setup:
        lines.append("The three stones of the opening lie on the board; White is to move.\n")
    if not table.phases:
        return "\n".join(lines)
    lines += ["```mermaid", "stateDiagram-v2", f"    [*] --> {table.first}"]
    for phase in table.phases:
        for then, acts in _arrows(phase).items():
            goal = "[*]" if then == DONE else then
            lines.append(f"    {phase.name} --> {goal}: {', '.join(acts)}")
    lines += ["```", "", "| step | who acts | what they may do | next |", "| --- | --- | --- | --- |"]
    for phase in table.phases:
        what = "; ".join(_open(phase, act) for act in phase.then)
        goals = ", ".join("play" if then == DONE else then for then in _arrows(phase))
        lines.append(f"| {phase.name} | {_WHO[phase.who]} | {what} | {goals} |")
    lines.append("")
    return "\n".join(lines)


def _arrows(phase: Phase) -> dict[str, list[str]]:
    """The acts that lead to each next phase."""
    arrows: dict[str, list[str]] = {}
    for act, then in phase.then.items():
        arrows.setdefault(then, []).append(act.value)
    return arrows


def _open(phase: Phase, act: Act) -> str:
    match act:
        case Act.PLACE if phase.beyond:
            return f"a stone outside the central {phase.beyond} × {phase.beyond}"
        case Act.PLACE:
            return f"a stone {_within(phase.area)}"
        case Act.ADD if phase.area == phase.next_area:
            return f"add a white and a black stone {_within(phase.area)}, neither making five nor forbidden"
        case Act.ADD:
            return f"or both at once: the white one {_within(phase.area)}, the black one {_within(phase.next_area)}"
        case Act.DECLARE:
            return f"declare how many fifth moves will be offered, 1 to {phase.most}"
        case Act.BRANCH:
            return "offer fifth moves instead"
        case Act.OFFER:
            number = phase.offers or "the declared number of"
            return f"offer {number} fifth moves, no two the same, one or several at a time, until all stand"
        case Act.CHOOSE:
            return "keep one of the offers as move 5"
        case Act.COLOUR:
            return "take Black or White"
        case _:
            return {Act.SWAP: "swap colours", Act.KEEP: "keep them"}[act]


def _within(side: int) -> str:
    return {1: "on H8", 15: "anywhere"}.get(side, f"in the central {side} × {side}")


def main(arguments: list[str]) -> int:
    """Write the page, or compare it."""
    if "--check" in arguments:
        return 0 if PAGE.exists() and PAGE.read_text(encoding="utf-8") == page() else 1
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
