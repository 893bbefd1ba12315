"""The JSON that travels between the page and the server."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec

from bot.adapters.web.files import page_version
from bot.scene import Command, Entry, Scene, pack
from bot.session.table import Table
from bot.words import Words
from core.action import Act

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


def _line_of_now(table: Table) -> int:
    """Which of a scene's lines says what is expected now, or how it ended: the one after the players."""
    return 1 if table.waiting and table.game.state.black is None else 2


def scene_message(scene: Scene, table: Table, words: Words, *, seated: bool, invitation: str | None, watch: str) -> str:
    """A scene for one socket, with the links that this page may give away."""
    return _json(
        {
            "type": "scene",
            "page": page_version(),
            "scene": scene_form(scene, table, words),
            "seated": seated,
            "invitation": invitation,
            "watch": watch,
        }
    )


def scene_form(scene: Scene, table: Table, words: Words) -> dict[str, Any]:
    """A scene as JSON values. There is no Join on the page: a seat is given by an invitation."""
    now = _line_of_now(table)
    lines = list(scene.lines)
    if table.waiting and table.reserved:
        lines[now] = words.say("Waiting for the opponent of the last game to press Rematch.")
    elif table.waiting and not scene.over:
        lines[now] = words.say("Waiting for a second player.")
    picture = scene.picture
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
        "lines": lines,
        "now": now,
        "alt": scene.alt,
        "picture": {
            "stones": [[point, int(colour)] for point, colour in picture.stones],
            "last": picture.last,
            "numbered": picture.numbered,
            "offers": picture.offers,
            "forbidden": picture.forbidden,
            "win": picture.win,
            "foul": picture.foul,
        },
        "buttons": [row for row in rows if row],
        "entry": None if scene.entry is None else _entry_form(scene.entry),
        "point": pack(scene.table, scene.rev, f"{_act(scene.entry).value}-"),
        "over": scene.over,
    }


def _act(entry: Entry | None) -> Act:
    return Act.PLACE if entry is None else entry.act


def _entry_form(entry: Entry) -> dict[str, Any]:
    return {"act": entry.act.value, "points": sorted(entry.points), "colour": int(entry.colour)}


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
