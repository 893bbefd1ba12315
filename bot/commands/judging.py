"""Positions in, forbidden points out: the work behind ``renju forbidden``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO, Final, Protocol

import msgspec
import numpy as np

from core import notation
from core.notation import COLUMNS, POINTS, Board, Colour, Point, Unreadable, label, name
from core.rules import Explanation, Shape, Verdict, explain, forbidden, forbidden_maps, near_misses

#: How much is read at once: a few hundred positions, enough for the batch call to pay off.
_CHUNK: Final = 1 << 17

_BY_NAME: Final = {spelling: p for p in range(POINTS) for spelling in (name(p), label(p))}
_NAMES: Final = [name(p) for p in range(POINTS)]
_KINDS: Final = [verdict.kind for verdict in Verdict]

_FAULTS: Final = {
    Unreadable.EMPTY: "an empty text is no point",
    Unreadable.REVERSED: "{!r} is no point: write the letter first, as in h8",
    Unreadable.OFF_BOARD: "{!r} is not on the board: points go from a1 to o15",
    Unreadable.GARBLED: "{!r} is no point: write points as in h8",
}


class BadPosition(Exception):
    """A position that cannot be read; the message is one clear line."""


class _Position(msgspec.Struct):
    """One line of input. Other fields are welcome and not read."""

    black: list[str]
    white: list[str]


class _Sink(Protocol):
    def write(self, text: bytes, /) -> object: ...
    def flush(self) -> object: ...


def _point(text: str) -> Point:
    known = _BY_NAME.get(text)
    if known is not None:
        return known
    try:
        return notation.point(text)
    except notation.NotationError as bad:
        raise BadPosition(_FAULTS[bad.why].format(bad.text)) from bad


def _put(cells: Board, colour: Colour, points: Sequence[Point]) -> None:
    for p in points:
        if cells[p]:
            raise BadPosition(f"{_NAMES[p]} has two stones")
        cells[p] = colour


def board_from_moves(text: str) -> Board:
    """The board after a position string, black first. Raises :class:`BadPosition`."""
    try:
        played = notation.moves(text)
    except notation.NotationError as bad:
        raise BadPosition(_FAULTS[bad.why].format(bad.text)) from bad
    cells = notation.board()
    _put(cells, Colour.BLACK, played[::2])
    _put(cells, Colour.WHITE, played[1::2])
    return cells


def _read(line: bytes, decode: msgspec.json.Decoder[_Position]) -> Board:
    try:
        position = decode.decode(line)
    except msgspec.ValidationError as bad:
        raise BadPosition(f'not a position {{"black":["h8"],"white":["h9"]}}: {bad}') from bad
    except (msgspec.DecodeError, UnicodeDecodeError) as bad:
        raise BadPosition(f"not JSON: {bad}") from bad
    cells = notation.board()
    _put(cells, Colour.BLACK, [_point(text) for text in position.black])
    _put(cells, Colour.WHITE, [_point(text) for text in position.white])
    return cells


def answers(boards: Sequence[Board], *, why: bool) -> bytes:
    """One JSON line for each board, in order.

    With ``why`` a line also carries ``"why"``: the explanation of every forbidden point, and of every point that
    looks forbidden but is not.
    """
    encoder = msgspec.json.Encoder()
    out = bytearray()
    maps = forbidden_maps(np.array(boards, dtype=np.uint8).reshape(-1, POINTS))
    rows, points = np.nonzero(maps >= Verdict.OVERLINE)
    found: list[dict[str, str]] = [{} for _ in boards]
    for row, p, verdict in zip(rows.tolist(), points.tolist(), maps[rows, points].tolist(), strict=True):
        found[row][_NAMES[p]] = _KINDS[verdict]
    for board, points_found in zip(boards, found, strict=True):
        answer: dict[str, Any] = {"forbidden": points_found}
        if why:
            answer["why"] = {_NAMES[told.point]: told.to_json() for told in _told(board)}
        out += encoder.encode(answer)
        out += b"\n"
    return bytes(out)


def stream(source: BinaryIO, sink: _Sink, *, why: bool) -> None:
    """Answer line by line in the order of the lines; blank lines are passed over.

    What has arrived is answered and flushed before more is waited for, so a program that asks one position at a time
    gets its answer at once, and a big file goes through in batches. Raises :class:`BadPosition` for the first line
    that is no position, naming its number, after the lines before it have been answered.
    """
    decode = msgspec.json.Decoder(_Position)
    number = 0
    for lines in _batches(source):
        boards = []
        fault: BadPosition | None = None
        for line in lines:
            number += 1
            if not line.strip():
                continue
            try:
                boards.append(_read(line, decode))
            except BadPosition as bad:
                fault = BadPosition(f"line {number}: {bad}")
                break
        if boards:
            sink.write(answers(boards, why=why))
            sink.flush()
        if fault is not None:
            raise fault


def _batches(source: BinaryIO) -> Iterator[list[bytes]]:
    """The lines that are there, as they come; the last one needs no line end."""
    # BufferedReader.read1 asks the system once and gives what it has, instead of waiting for a full buffer.
    read = getattr(source, "read1", source.read)
    pending: list[bytes] = []
    while chunk := read(_CHUNK):
        if b"\n" not in chunk:
            pending.append(chunk)
            continue
        *lines, rest = b"".join([*pending, chunk]).split(b"\n")
        pending = [rest]
        yield lines
    yield [b"".join(pending)]


def _told(board: Board) -> list[Explanation]:
    return [explain(board, p) for p in sorted({*forbidden(board), *near_misses(board)})]


def reasons(board: Board) -> str:
    """English lines for every forbidden point and every point that only looks forbidden."""
    told = _told(board)
    if not told:
        return "No point is forbidden, and none looks as if it were."
    return "\n".join(line for explanation in told for line in _sentences(explanation))


def _sentences(explanation: Explanation) -> Iterator[str]:
    where, verdict = label(explanation.point), explanation.verdict
    if verdict.forbidden:
        yield f"{where} is forbidden: {verdict.kind}"
    elif verdict is Verdict.FIVE:
        yield f"{where} is no forbidden move: it makes five, and a five comes before everything else"
    else:
        yield f"{where} is legal: it looks like a double-three, but fewer than two of its threes can grow"
    yield from _shape_lines(explanation, "  ")


def _shape_lines(explanation: Explanation, indent: str) -> Iterator[str]:
    for shape in explanation.shapes:
        yield f"{indent}{_shape(shape)}"
        for growth in shape.growth:
            there = label(growth.point)
            if growth.why_not is None:
                yield f"{indent}  grows into a straight four at {there}"
            elif growth.why_not.verdict is Verdict.FIVE:
                yield f"{indent}  {there} does not count: it would make five at the same time"
            else:
                yield f"{indent}  {there} does not count: it would be a forbidden {growth.why_not.verdict.kind}"
                yield from _shape_lines(growth.why_not, indent + "    ")


def _shape(shape: Shape) -> str:
    stones = " ".join(label(p) for p in shape.stones)
    line = _line(shape)
    if shape.kind == "four":
        kind = "straight four" if shape.straight else "four"
        return f"{kind} on {line}: {stones}, five at {' and '.join(label(p) for p in shape.five_points)}"
    if shape.kind == "three" and not shape.counts:
        return f"three on {line} that does not count: {stones}"
    return f"{shape.kind} on {line}: {stones}"


def _line(shape: Shape) -> str:
    first = shape.stones[0]
    if shape.direction == "row":
        return f"row {notation.row_of(first) + 1}"
    if shape.direction == "column":
        return f"column {COLUMNS[notation.column_of(first)].upper()}"
    return "the rising diagonal" if shape.direction == "diagonal-up" else "the falling diagonal"
