"""Cut the part of a Bot API description that the fake server of the tests checks calls against.

    python tools/telegram_facts.py SPEC.json > tests/data/telegram_methods.json

``SPEC.json`` is a machine-readable description in the form of github.com/PaulSonOfLars/telegram-bot-api-spec with the
prose removed. Kept are the methods named here, every type that their parameters need, and the fields of the objects
that the fake itself makes.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

METHODS = (
    "answerCallbackQuery",
    "answerGuestQuery",
    "answerInlineQuery",
    "deleteMessage",
    "deleteMyCommands",
    "deleteWebhook",
    "editMessageCaption",
    "editMessageMedia",
    "editMessageReplyMarkup",
    "editMessageText",
    "getChat",
    "getChatMember",
    "getFile",
    "getMe",
    "getMyCommands",
    "getUpdates",
    "sendChatAction",
    "sendMessage",
    "sendPhoto",
    "setMyCommands",
    "setWebhook",
)
#: What the fake sends. Their fields are kept, the types of these fields only where they are needed anyway.
OBJECTS = (
    "CallbackQuery",
    "Chat",
    "ChatMemberAdministrator",
    "ChatMemberBanned",
    "ChatMemberLeft",
    "ChatMemberMember",
    "ChatMemberOwner",
    "ChatMemberUpdated",
    "ChosenInlineResult",
    "File",
    "ForumTopicCreated",
    "InlineQuery",
    "Message",
    "PhotoSize",
    "ResponseParameters",
    "Update",
    "User",
)
#: Parameters that nobody here passes and whose types would bring half of the description along.
LEFT_OUT = {"rich_message"}


def cut(spec: dict[str, Any]) -> dict[str, Any]:
    """The subset, with its source and version."""
    methods = {name: _short(spec["methods"][name]) for name in METHODS}
    wanted = [base for method in methods.values() for field in method["fields"] for base in bases(field["types"])]
    types: dict[str, Any] = {name: _short(spec["types"][name]) for name in OBJECTS}
    while wanted:
        name = wanted.pop()
        if name in types or name not in spec["types"]:
            continue
        types[name] = _short(spec["types"][name])
        wanted.extend(types[name].get("subtypes", ()))
        wanted.extend(base for field in types[name].get("fields", ()) for base in bases(field["types"]))
    return {
        "source": spec["source"],
        "version": spec["version"],
        "methods": methods,
        "types": dict(sorted(types.items())),
    }


def bases(types: list[str]) -> list[str]:
    """``["Array of Array of X", "Y"]`` -> ``["X", "Y"]``."""
    return [re.sub(r"^(Array of )+", "", name) for name in types]


def _short(entry: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in entry.items() if key in ("returns", "subtypes")}
    if "fields" in entry or "subtypes" not in entry:
        kept["fields"] = [field for field in entry.get("fields", []) if field["name"] not in LEFT_OUT]
    return kept


def _written(subset: dict[str, Any]) -> str:
    """One field a line: small, and readable when it changes."""
    lines = ["{", f' "source": {json.dumps(subset["source"])},', f' "version": {json.dumps(subset["version"])},']
    for part in ("methods", "types"):
        lines.append(f' "{part}": {{')
        entries = []
        for name, entry in subset[part].items():
            rows = [f'   "{key}": {json.dumps(value)}' for key, value in entry.items() if key != "fields"]
            if "fields" in entry:
                fields = ",\n".join(f"    {json.dumps(field)}" for field in entry["fields"])
                rows.append(f'   "fields": [\n{fields}\n   ]' if fields else '   "fields": []')
            entries.append(f'  "{name}": {{\n' + ",\n".join(rows) + "\n  }")
        lines.append(",\n".join(entries))
        lines.append(" }," if part == "methods" else " }")
    return "\n".join([*lines, "}"]) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: telegram_facts.py SPEC.json > tests/data/telegram_methods.json")
    sys.stdout.write(_written(cut(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))))
