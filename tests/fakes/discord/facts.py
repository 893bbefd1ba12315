"""What Discord says about the bodies of calls, and the check of a body against it.

``tests/data/discord_facts.json`` is cut from the machine-readable description by ``tools/discord_facts.py``; what it
does not say (how many components a message holds, how long all its texts may be) stands here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_DESCRIBED: Final = json.loads((Path(__file__).parents[2] / "data" / "discord_facts.json").read_text(encoding="utf-8"))
CALLS: Final[dict[str, Any]] = _DESCRIBED["calls"]
SCHEMAS: Final[dict[str, Any]] = _DESCRIBED["schemas"]

COMPONENTS_LIMIT: Final = 40
TEXT_LIMIT: Final = 4000
ROW_LIMIT: Final = 5
MODAL_PARTS: Final = 5
COMMANDS_LIMIT: Final = 100
#: The flag of messages made of components v2, and of those that one person alone sees.
V2: Final = 1 << 15
EPHEMERAL: Final = 1 << 6

ROW, BUTTON, SELECT, TEXT_INPUT, TEXT, GALLERY, LABEL = 1, 2, 3, 4, 10, 12, 18
#: Kinds that a message only has with the flag above.
ONLY_V2: Final = (9, 10, 11, 12, 13, 14, 17)

#: What discord.py sends beside what is described, and Discord ignores.
_IGNORED: Final = {
    "MessageEditRequestPartial": {"tts"},
    "IncomingWebhookUpdateRequestPartial": {"tts"},
    "IncomingWebhookUpdateForInteractionCallbackRequestPartial": {"tts"},
    "ApplicationCommandUpdateRequest": {"nsfw"},
    "MessageAttachmentRequest": {"size", "url", "proxy_url", "content_type", "spoiler", "height", "width"},
}


class Fault(Exception):
    """A body that the description does not allow: the caller is wrong, whatever the server would do."""


def checked(call: str, body: Any) -> Any:
    """The body of a call such as ``POST /channels/{channel_id}/messages``. Raises :class:`Fault`."""
    check(CALLS[call], body, call)
    return body


def check(schema: Mapping[str, Any], value: Any, path: str) -> None:
    """Whether ``value`` is what the schema says; ``path`` names the place in complaints. Raises :class:`Fault`."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        if name == "SnowflakeType" and isinstance(value, int) and not isinstance(value, bool):
            return  # taken as well, and what discord.py sends
        if name in _IGNORED and isinstance(value, dict):
            value = {key: item for key, item in value.items() if key not in _IGNORED[name]}
        check(SCHEMAS[name], value, path)
        return
    for part in schema.get("allOf", ()):
        check(part, value, path)
    choices = schema.get("oneOf") or schema.get("anyOf")
    if choices:
        _one_of(choices, value, path)
    if "const" in schema and value != schema["const"]:
        raise Fault(f"{path} is {value!r}, not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        raise Fault(f"{path} is {value!r}, none of {schema['enum']}")
    kinds = schema.get("type")
    if kinds is None:
        return
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if value is None:
        if "null" not in kinds:
            raise Fault(f"{path} is null")
    elif isinstance(value, dict) and "object" in kinds:
        _object(schema, value, path)
    elif isinstance(value, list) and "array" in kinds:
        _array(schema, value, path)
    elif not _simple(schema, kinds, value, path):
        raise Fault(f"{path} is {value!r}, no {' or '.join(kinds)}")


def _one_of(choices: list[Any], value: Any, path: str) -> None:
    complaints = []
    for choice in choices:
        try:
            check(choice, value, path)
        except Fault as fault:
            if not str(fault).startswith(f"{path}.type "):  # of another kind altogether
                complaints.append(str(fault))
        else:
            return
    raise Fault("; or ".join(dict.fromkeys(complaints)) or f"{path} is of no kind that is allowed there")


def _object(schema: Mapping[str, Any], value: Mapping[str, Any], path: str) -> None:
    fields = schema.get("properties", {})
    # The kind first: it says which of several schemas is meant.
    for name in sorted(value, key=lambda name: name != "type"):
        if name in fields:
            check(fields[name], value[name], f"{path}.{name}")
        elif isinstance(schema.get("additionalProperties"), dict):
            check(schema["additionalProperties"], value[name], f"{path}.{name}")
        else:
            raise Fault(f"{path} knows no {name!r}")
    for name in schema.get("required", ()):
        if name not in value:
            raise Fault(f"{path} needs {name!r}")
    if len(value) > schema.get("maxProperties", len(value)):
        raise Fault(f"{path} has {len(value)} fields")


def _array(schema: Mapping[str, Any], value: list[Any], path: str) -> None:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        raise Fault(f"{path} has {len(value)} items")
    if schema.get("uniqueItems") and len({json.dumps(item, sort_keys=True) for item in value}) < len(value):
        raise Fault(f"{path} has the same item twice")
    for at, item in enumerate(value):
        check(schema["items"], item, f"{path}[{at}]")


def _simple(schema: Mapping[str, Any], kinds: list[str], value: Any, path: str) -> bool:
    """Whether the value is a text, number or boolean of the kinds; its limits are checked. Raises :class:`Fault`."""
    if isinstance(value, bool):
        return "boolean" in kinds
    if isinstance(value, str):
        if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
            raise Fault(f"{path} has {len(value)} characters")
        if "pattern" in schema and not re.search(schema["pattern"], value):
            raise Fault(f"{path} is {value!r}")
        return "string" in kinds
    if isinstance(value, int | float):
        if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
            raise Fault(f"{path} is {value}")
        return "number" in kinds or ("integer" in kinds and isinstance(value, int))
    return False


# -- components --------------------------------------------------------------------------------------------------------


def walk(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every component, nested ones included, in reading order."""
    for component in components:
        yield component
        yield from walk(component.get("components", []))
        for name in ("component", "accessory"):
            if name in component:
                yield from walk([component[name]])


@dataclass(frozen=True)
class Looks:
    """What a message is made of, as far as components and content go together."""

    components: list[dict[str, Any]]
    content: str
    embeds: list[Any]
    flags: int


def check_looks(looks: Looks) -> None:
    """Limits of a message's components beyond their description. Raises :class:`Fault`."""
    every = list(walk(looks.components))
    if looks.flags & V2:
        if looks.content or looks.embeds:
            raise Fault("a message of components v2 has no content and no embeds")
        if not every:
            raise Fault("a message of components v2 without components")
        if len(every) > COMPONENTS_LIMIT:
            raise Fault(f"{len(every)} components; {COMPONENTS_LIMIT} are allowed")
        length = sum(len(component["content"]) for component in every if component["type"] == TEXT)
        if length > TEXT_LIMIT:
            raise Fault(f"texts of {length} characters; {TEXT_LIMIT} are allowed")
    else:
        if any(component["type"] in ONLY_V2 for component in every):
            raise Fault("components v2 without the flag for them")
        if len(looks.components) > 5:
            raise Fault(f"{len(looks.components)} rows; 5 are allowed")
    _check_ids(every)
    for component in every:
        if component["type"] == ROW:
            _check_row(component)
        elif component["type"] == BUTTON:
            _check_button(component)
        elif component["type"] == SELECT:
            _check_select(component)


def _check_ids(every: list[dict[str, Any]]) -> None:
    ids = [component["custom_id"] for component in every if component.get("custom_id")]
    if len(set(ids)) < len(ids):
        raise Fault(f"the same custom_id twice: {sorted(ids)}")


def _check_row(row: dict[str, Any]) -> None:
    inner = row["components"]
    if not 1 <= len(inner) <= ROW_LIMIT:
        raise Fault(f"a row of {len(inner)} components; 1 to {ROW_LIMIT} are allowed")
    if any(component["type"] != BUTTON for component in inner) and len(inner) > 1:
        raise Fault("a select shares its row")


def _check_button(button: dict[str, Any]) -> None:
    does = [name for name in ("custom_id", "url", "sku_id") if button.get(name)]
    if len(does) != 1 or (button["style"] == 5) != (does == ["url"]):
        raise Fault(f"the button {button.get('label')!r} does not do exactly one thing")
    if not (button.get("label") or "").strip() and not button.get("emoji"):
        raise Fault("a button without a label")


def _check_select(select: dict[str, Any]) -> None:
    values = [option["value"] for option in select["options"]]
    if len(set(values)) < len(values):
        raise Fault(f"the same option twice: {values}")
    if sum(bool(option.get("default")) for option in select["options"]) > (select.get("max_values") or 1):
        raise Fault("more options are chosen than may be")


def check_modal(modal: dict[str, Any]) -> None:
    """Limits of a modal beyond its description. Raises :class:`Fault`."""
    if not 1 <= len(modal["components"]) <= MODAL_PARTS:
        raise Fault(f"a modal of {len(modal['components'])} parts; 1 to {MODAL_PARTS} are allowed")
    _check_ids(list(walk(modal["components"])))


# -- commands ----------------------------------------------------------------------------------------------------------


def check_commands(commands: list[dict[str, Any]]) -> None:
    """Limits of the list of commands beyond its description. Raises :class:`Fault`."""
    chat = [command for command in commands if command.get("type", 1) == 1]
    if len(chat) > COMMANDS_LIMIT:
        raise Fault(f"{len(chat)} commands; {COMMANDS_LIMIT} are allowed")
    keys = [(command.get("type", 1), command["name"]) for command in commands]
    if len(set(keys)) < len(keys):
        raise Fault(f"the same command twice: {sorted(keys)}")
    for command in commands:
        _check_command(command)


def _check_command(command: dict[str, Any]) -> None:
    chat = command.get("type", 1) == 1
    if chat:
        _check_names(command)
        if not command.get("description"):
            raise Fault(f"/{command['name']} has no description")
    elif command.get("description"):
        raise Fault(f"{command['name']!r} of a menu has a description")
    options = command.get("options") or []
    names = [option["name"] for option in options]
    if len(set(names)) < len(names):
        raise Fault(f"/{command['name']} has the same option twice: {names}")
    optional = False
    for option in options:
        _check_names(option)
        if option.get("autocomplete") and option.get("choices"):
            raise Fault(f"/{command['name']} {option['name']} has choices and completes them, too")
        if option.get("required") and optional:
            raise Fault(f"/{command['name']} {option['name']} is required after an optional one")
        optional = optional or not option.get("required")
    length = sum(map(len, _texts(command)))
    if length > 8000:
        raise Fault(f"/{command['name']} has {length} characters in all")


def _check_names(named: dict[str, Any]) -> None:
    for name in (named["name"], *(named.get("name_localizations") or {}).values()):
        if not all(letter.isalnum() or letter in "-_'" for letter in name) or name != name.lower():
            raise Fault(f"{name!r} is no name of a command")


def _texts(entry: dict[str, Any]) -> Iterator[str]:
    yield entry["name"]
    yield entry.get("description") or ""
    for option in entry.get("options") or []:
        yield from _texts(option)
    for choice in entry.get("choices") or []:
        yield choice["name"]
        yield str(choice["value"])
