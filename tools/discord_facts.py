"""Cut the part of Discord's API description that the fake server of the tests checks calls against.

    python tools/discord_facts.py SPEC.json > tests/data/discord_facts.json

``SPEC.json`` is a subset of the machine-readable description in github.com/discord/discord-api-spec: ``paths`` with the
schema of each body, and ``schemas``. Kept are the bodies of the calls named here and every schema that they need;
prose is removed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CALLS = (
    ("post", "/channels/{channel_id}/messages"),
    ("patch", "/channels/{channel_id}/messages/{message_id}"),
    ("post", "/interactions/{interaction_id}/{interaction_token}/callback"),
    ("post", "/webhooks/{webhook_id}/{webhook_token}"),
    ("patch", "/webhooks/{webhook_id}/{webhook_token}/messages/@original"),
    ("patch", "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"),
    ("put", "/applications/{application_id}/commands"),
    ("post", "/users/@me/channels"),
    ("patch", "/channels/{channel_id}"),
)
#: What nobody here sends and would bring much of the description along.
LEFT_OUT = {
    "LaunchActivityInteractionCallbackRequest",
    "PollCreateRequest",
    "CustomClientThemeShareRequest",
    "SocialLayerSKUPurchaseEligibilityInteractionCallbackRequest",
    "UpdateGroupDMRequestPartial",
    "UpdateGuildChannelRequestPartial",
}
#: Keywords that say nothing about what is allowed.
PROSE = {"description", "title", "x-discord-union"}
_REF = "#/components/schemas/"


def cut(spec: dict[str, Any]) -> dict[str, Any]:
    """The subset, with its source."""
    calls = {f"{method.upper()} {path}": short(spec["paths"][path][method].get("body", {})) for method, path in CALLS}
    schemas: dict[str, Any] = {}
    wanted = [name for body in calls.values() for name in names(body)]
    while wanted:
        name = wanted.pop()
        if name not in schemas:
            schemas[name] = short(spec["schemas"][name])
            wanted.extend(names(schemas[name]))
    return {"source": spec["source"], "calls": calls, "schemas": dict(sorted(schemas.items()))}


def names(schema: Any) -> Iterator[str]:
    """The schemas that a schema refers to."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].removeprefix(_REF)
        for value in schema.values():
            yield from names(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from names(value)


def short(schema: Any, *, fields: bool = False) -> Any:
    """A schema without prose; ``fields``: the keys are names of fields, not keywords."""
    if isinstance(schema, list):
        return [short(entry) for entry in schema if not _left_out(entry)]
    if not isinstance(schema, dict):
        return schema
    return {
        key: short(value, fields=key == "properties" and not fields)
        for key, value in schema.items()
        if fields or key not in PROSE
    }


def _left_out(entry: Any) -> bool:
    return isinstance(entry, dict) and entry.get("$ref", "").removeprefix(_REF) in LEFT_OUT


def _written(subset: dict[str, Any]) -> str:
    """One schema a line: small, and readable when it changes."""
    lines = ["{", f' "source": {json.dumps(subset["source"])},']
    for part in ("calls", "schemas"):
        entries = ",\n".join(f"  {json.dumps(name)}: {json.dumps(entry)}" for name, entry in subset[part].items())
        lines.append(f' "{part}": {{\n{entries}\n }}' + ("," if part == "calls" else ""))
    return "\n".join([*lines, "}"]) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: discord_facts.py SPEC.json > tests/data/discord_facts.json")
    sys.stdout.write(_written(cut(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))))
