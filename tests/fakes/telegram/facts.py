"""What the Bot API says about calls and objects, and the check of a call against it.

``tests/data/telegram_methods.json`` is cut from a machine-readable description by ``tools/telegram_facts.py``; what it
does not say (the length of a message, the size of a keyboard) stands here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

_DESCRIBED: Final = json.loads(
    (Path(__file__).parents[2] / "data" / "telegram_methods.json").read_text(encoding="utf-8")
)
METHODS: Final[dict[str, Any]] = _DESCRIBED["methods"]
TYPES: Final[dict[str, Any]] = _DESCRIBED["types"]

#: Newer than the description: messages that one member of a group alone sees.
METHODS["sendMessage"]["fields"].append(
    {"name": "ephemeral_message_parameters", "types": ["EphemeralMessageParameters"], "required": False}
)
TYPES["EphemeralMessageParameters"] = {
    "fields": [
        {"name": "receiver_user_id", "types": ["Integer"], "required": True},
        {"name": "callback_query_id", "types": ["String"], "required": False},
        {"name": "replace_callback_query_message", "types": ["Boolean"], "required": False},
    ]
}

TEXT_LIMIT: Final = 4096
CAPTION_LIMIT: Final = 1024
ROW_LIMIT: Final = 8
KEYBOARD_LIMIT: Final = 100
COMMANDS_LIMIT: Final = 100
STYLES: Final = ("danger", "success", "primary")
#: Exactly one of these makes an inline button do something.
BUTTON_KINDS: Final = (
    "url",
    "callback_data",
    "web_app",
    "login_url",
    "switch_inline_query",
    "switch_inline_query_current_chat",
    "switch_inline_query_chosen_chat",
    "copy_text",
    "callback_game",
    "pay",
)


class Fault(Exception):
    """A call that the Bot API's description does not allow: the caller is wrong, whatever the server would do."""


@dataclass(frozen=True)
class Upload:
    """A file that came with a call as multipart/form-data."""

    content: bytes = field(repr=False)
    filename: str


def checked(method: str, given: Mapping[str, Any], uploads: Mapping[str, Upload]) -> dict[str, Any]:
    """The parameters of a call, each as the type the description names. Raises :class:`Fault`.

    Forms carry everything as text, so numbers and booleans may come as text and objects as JSON text.
    """
    fields = {field["name"]: field for field in METHODS[method]["fields"]}
    reader = _Reader(uploads)
    read: dict[str, Any] = {}
    for name, value in given.items():
        if name not in fields:
            raise Fault(f"{method} knows no {name!r}")
        read[name] = reader.any_of(fields[name]["types"], value, f"{method}.{name}", text=True)
        _limits(fields[name], read[name], f"{method}.{name}")
    for name, upload in uploads.items():
        if name in fields:
            if "InputFile" not in fields[name]["types"]:
                raise Fault(f"{method}.{name} is no file")
            read[name] = upload
    for name, described in fields.items():
        if described["required"] and name not in read:
            raise Fault(f"{method} needs {name!r}")
    return read


def check_object(kind: str, value: Any) -> None:
    """Whether an object that the fake is about to send is one the description knows. Raises :class:`Fault`."""
    _Reader({}, sent=True).one(kind, value, kind, text=False)


@dataclass(frozen=True)
class _Reader:
    """Reads values as the types of the description; ``path`` names the place in complaints."""

    uploads: Mapping[str, Upload]
    sent: bool = False
    """Whether the fake sends the value: then types that are not described here are let pass."""

    def any_of(self, types: list[str], value: Any, path: str, *, text: bool) -> Any:
        """``value`` as the first of ``types`` that it can be."""
        complaints = []
        for kind in types:
            try:
                return self.one(kind, value, path, text=text)
            except Fault as fault:
                complaints.append(str(fault))
        raise Fault("; or ".join(complaints))

    def one(self, kind: str, value: Any, path: str, *, text: bool) -> Any:
        """``value`` as this type; with ``text`` it may be written as in a form."""
        if kind.startswith("Array of "):
            items = _from_json(value, path) if text else value
            if not isinstance(items, list):
                raise Fault(f"{path} is no array")
            inner = kind.removeprefix("Array of ")
            return [self.one(inner, item, f"{path}[{at}]", text=False) for at, item in enumerate(items)]
        if kind == "String":
            if not isinstance(value, str):
                raise Fault(f"{path} is no text")
            if value.startswith("attach://") and value.removeprefix("attach://") not in self.uploads:
                raise Fault(f"{path}: no file {value!r} came with the call")
            return value
        if kind == "Integer":
            if isinstance(value, int) and not isinstance(value, bool):
                return value
            if text and isinstance(value, str) and re.fullmatch(r"-?\d+", value, re.ASCII):
                return int(value)
            raise Fault(f"{path} is no integer")
        if kind == "Boolean":
            if isinstance(value, bool):
                return value
            if text and value in ("true", "false"):
                return value == "true"
            raise Fault(f"{path} is no boolean")
        if kind == "Float":
            if isinstance(value, int | float) and not isinstance(value, bool):
                return float(value)
            raise Fault(f"{path} is no number")
        if kind == "InputFile":
            raise Fault(f"{path} is no uploaded file")
        return self._object(kind, _from_json(value, path) if text else value, path)

    def _object(self, kind: str, value: Any, path: str) -> Any:
        if kind not in TYPES:
            if self.sent:
                return value
            raise Fault(f"{path}: nothing is known about {kind}")
        if not isinstance(value, dict):
            raise Fault(f"{path} is no {kind}")
        if "subtypes" in TYPES[kind]:
            return self.any_of([name for name in TYPES[kind]["subtypes"] if name in TYPES], value, path, text=False)
        fields = {field["name"]: field for field in TYPES[kind]["fields"]}
        for name, item in value.items():
            if name not in fields:
                raise Fault(f"{path}: {kind} knows no {name!r}")
            described = fields[name]
            read = self.any_of(described["types"], item, f"{path}.{name}", text=False)
            if "const" in described and read != described["const"]:
                raise Fault(f"{path}.{name} must be {described['const']!r}")
            _limits(described, read, f"{path}.{name}")
        for name, described in fields.items():
            if described["required"] and name not in value:
                raise Fault(f"{path}: {kind} needs {name!r}")
        return value


def _from_json(value: Any, path: str) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        raise Fault(f"{path} is no JSON") from None


def _limits(field: Mapping[str, Any], value: Any, path: str) -> None:
    if "limits" not in field:
        return
    least, most, unit = field["limits"]
    if unit == "value":
        size = value
    elif unit == "bytes":
        size = len(value.encode())
    else:
        size = len(value)
    if not least <= size <= most:
        raise Fault(f"{path}: {size} {unit}, allowed are {least} to {most}")


def check_keyboard(markup: Mapping[str, Any]) -> None:
    """Limits of an inline keyboard beyond its description. Raises :class:`Fault`."""
    rows = markup["inline_keyboard"]
    if sum(len(row) for row in rows) > KEYBOARD_LIMIT:
        raise Fault(f"a keyboard of {sum(len(row) for row in rows)} buttons; {KEYBOARD_LIMIT} are allowed")
    for row in rows:
        if not 1 <= len(row) <= ROW_LIMIT:
            raise Fault(f"a row of {len(row)} buttons; 1 to {ROW_LIMIT} are allowed")
        for button in row:
            if not button["text"].strip():
                raise Fault("a button without text")
            if sum(kind in button for kind in BUTTON_KINDS) != 1:
                raise Fault(f"the button {button['text']!r} does not do exactly one thing")
            if button.get("style", "primary") not in STYLES:
                raise Fault(f"the style {button['style']!r} of the button {button['text']!r} is unknown")
            if "url" in button and not re.match(r"(https?|tg)://\S+\Z", button["url"]):
                raise Fault(f"the button {button['text']!r} leads to {button['url']!r}")


def check_entities(text: str, entities: Iterable[Mapping[str, Any]]) -> None:
    """Whether entities lie within their text, and say what they mean. Raises :class:`Fault`."""
    size = len(text.encode("utf-16-le", "surrogatepass")) // 2
    for entity in entities:
        if entity["offset"] < 0 or entity["length"] < 1 or entity["offset"] + entity["length"] > size:
            raise Fault(f"the entity {entity} lies outside of a text of {size} units")
        if entity["type"] == "date_time" and not isinstance(entity.get("unix_time"), int):
            raise Fault(f"the entity {entity} has no unix_time")


def check_commands(commands: list[Mapping[str, Any]]) -> None:
    """Limits of a list of commands beyond its description. Raises :class:`Fault`."""
    if len(commands) > COMMANDS_LIMIT:
        raise Fault(f"{len(commands)} commands; {COMMANDS_LIMIT} are allowed")
    for command in commands:
        if not re.fullmatch(r"[a-z0-9_]{1,32}", command["command"]):
            raise Fault(f"{command['command']!r} is no command")
