"""The JSON that travels between the page and the server."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec

from bot.adapters.web.files import page_version
from bot.composing import compose
from bot.composing.clocks import times
from bot.composing.people import Told
from bot.scene import Command, Entry, Scene, SceneClock, Viewer, pack
from bot.session.table import Table
from bot.words import Words
from bot.words.values import LIMIT
from core.action import Act
from core.clock import Kind, Milliseconds
from core.game import Seat, other

#: The longest message that the page sends, in bytes; anything longer closes the socket.
LONGEST = 2048

_Id: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{8,64}$")]


class Press(msgspec.Struct, tag="press", tag_field="type", forbid_unknown_fields=True):
    """A button, or a point of the board."""

    id: _Id
    """Made by the page, once for each intention: sending it again is the same intention."""
    wire: Annotated[str, msgspec.Meta(max_length=64)]


class Typed(msgspec.Struct, tag="typed", tag_field="type", forbid_unknown_fields=True):
    """A move typed as text."""

    id: _Id
    text: Annotated[str, msgspec.Meta(max_length=200)]


class Ping(msgspec.Struct, tag="ping", tag_field="type", forbid_unknown_fields=True):
    """Is somebody there? A page that came back from sleep cannot know otherwise."""

    id: _Id


Incoming: TypeAlias = Press | Typed | Ping
_decoder = msgspec.json.Decoder(Incoming)


def read(text: str) -> Incoming | None:
    """What the page sent; ``None`` for anything that no page of ours sends."""
    try:
        return _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None


def said(text: str, *, to: str = "", ok: bool = False, alert: bool = False) -> str:
    """One line to whoever did ``to``; ``ok`` says that it happened."""
    return _json({"type": "said", "id": to, "ok": ok, "text": text, "alert": alert})


def go(path: str, *, to: str) -> str:
    """The page should show another table."""
    return _json({"type": "go", "id": to, "path": path})


def scene_message(scene: dict[str, Any], *, seated: bool, invitation: str | None, watch: str) -> str:
    """A scene, as :func:`scene_form` writes it, for one socket, with the links that this page may give away."""
    return _json(
        {
            "type": "scene",
            "page": page_version(),
            "scene": scene,
            "seated": seated,
            "invitation": invitation,
            "watch": watch,
        }
    )


def scene_form(table: Table, words: Words, seats: tuple[Seat, ...], now: Milliseconds) -> dict[str, Any]:
    """What somebody on ``seats`` sees of a table at ``now``, as JSON values.

    There is no Join on the page: a seat is given by an invitation. A clock that people watch by the second is given as
    numbers, which the page counts down, instead of as lines.
    """
    scene = compose(table, Viewer(language=words.language, seats=seats), now)
    rows = [
        [
            {
                "label": button.label,
                "wire": pack(scene.table, scene.rev, button.data),
                "style": button.style.value,
                "confirm": button.confirm,
                "yes": button.yes,
                "no": button.no,
            }
            for button in row
            if button.data != Command.JOIN
        ]
        for row in scene.buttons
    ]
    return {
        "table": scene.table,
        "rev": scene.rev,
        "title": scene.title,
        "lines": _lines(scene, table, words, now),
        "now": _line_of_now(table),
        "clock": _clock_form(table, scene.clock),
        "alt": scene.alt,
        "picture": {
            "stones": [[point, int(colour)] for point, colour in scene.picture.stones],
            "last": scene.picture.last,
            "numbered": scene.picture.numbered,
            "offers": scene.picture.offers,
            "forbidden": scene.picture.forbidden,
            "win": scene.picture.win,
            "foul": scene.picture.foul,
        },
        "buttons": [row for row in rows if row],
        "entry": None if scene.entry is None else _entry_form(scene.entry),
        "point": pack(scene.table, scene.rev, f"{_act(scene.entry).value}-"),
        "over": scene.over,
    }


def _line_of_now(table: Table) -> int:
    """Which of a scene's lines says what is expected now, or how it ended: the one after the players."""
    return 1 if table.waiting and table.game.state.black is None else 2


def _lines(scene: Scene, table: Table, words: Words, now: Milliseconds) -> list[str]:
    lines = list(scene.lines)
    if table.waiting and not scene.over:  # the others say: press Join
        lines[_line_of_now(table)] = (
            words.say("Waiting for the opponent of the last game to press Rematch.")
            if table.reserved
            else words.say("Waiting for a second player.")
        )
    if _watched(table):
        ticking = set(times(Told(words, table, LIMIT), now))
        lines = [line for line in lines if line not in ticking]
    return lines


def _watched(table: Table) -> bool:
    """Whether a clock runs that people watch by the second."""
    clock = table.game.state.clock
    return clock.running is not None and clock.control.real_time


def _clock_form(table: Table, clock: SceneClock) -> dict[str, Any] | None:
    """The time of the players in the order of their lines; ``None`` where it is told in words."""
    if not _watched(table):
        return None
    black = table.game.state.black
    first: Seat = black if black is not None else 1 if table.seats[0] is None else 0
    order = (first, other(first))
    return {
        "main": [clock.main[seat] for seat in order],
        "turn": [clock.turn[seat] for seat in order],
        "running": None if clock.running is None else order.index(clock.running),
        "adds": clock.kind is Kind.FISCHER,
    }


def _act(entry: Entry | None) -> Act:
    return Act.PLACE if entry is None else entry.act


def _entry_form(entry: Entry) -> dict[str, Any]:
    return {
        "act": entry.act.value,
        "points": sorted(entry.points),
        "colour": int(entry.colour),
        "then": sorted(entry.then),
    }


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
