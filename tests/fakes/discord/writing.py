"""How a body becomes what a message looks like."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tests.fakes.discord.facts import EPHEMERAL, GALLERY, TEXT, V2, Fault, Looks, check_looks, walk
from tests.fakes.discord.places import Attachment, Message
from tests.fakes.discord.refusals import Refuse


@dataclass(frozen=True)
class Upload:
    """A file that came with a call as multipart/form-data."""

    content: bytes
    filename: str


def write(message: Message, body: dict[str, Any], uploads: dict[int, Upload], *, new: bool) -> None:
    """Make a message look as the body says; an edit keeps what the body does not name. Raises :class:`Fault`."""
    flags = message.flags | (body.get("flags") or 0)
    looks = Looks(
        components=_known(body.get("components"), message.components),
        content=_known(body.get("content"), message.content),
        embeds=_known(body.get("embeds"), message.embeds),
        flags=flags,
    )
    if not looks.components and not looks.content and not looks.embeds and not uploads:
        raise Refuse(400, 50006, "Cannot send an empty message")
    if message.flags & V2 and not flags & V2:
        raise Fault("components v2 cannot be given up")
    check_looks(looks)
    attachments = _attachments(message, body, uploads)
    _check_media(looks.components, attachments)
    pings = _pings(body, looks)
    message.components, message.content, message.embeds = looks.components, looks.content, looks.embeds
    message.flags = flags & ~EPHEMERAL
    message.attachments = attachments
    message.pending = False
    if new:
        message.pings = pings
    else:
        message.edits += 1


def _known(given: Any, before: Any) -> Any:
    return before if given is None else given


def _attachments(message: Message, body: dict[str, Any], uploads: dict[int, Upload]) -> list[Attachment]:
    """The files of the message after a call: new ones come after those that were there and are kept."""
    server = message.channel.server
    listed = body.get("attachments")
    kept = list(message.attachments)
    told: dict[int, dict[str, Any]] = {}
    if listed is not None:
        names = {int(entry["id"]): entry for entry in listed}
        kept = [file for file in kept if file.id in names]
        told = {number: entry for number, entry in names.items() if number in uploads}
        unknown = set(names) - {file.id for file in kept} - set(told)
        if unknown:
            raise Fault(f"attachments {sorted(unknown)} are neither there nor came with the call")
        if set(uploads) - set(told):
            raise Fault("a file came with the call and is not listed")
    for number, upload in sorted(uploads.items()):
        entry = told.get(number, {})
        name = entry.get("filename") or upload.filename
        kept.append(Attachment(server.snowflake(), name, upload.content, entry.get("description") or ""))
    if len({file.filename for file in kept}) < len(kept):
        raise Fault(f"several attachments of one name: {[file.filename for file in kept]}")
    if len(kept) > 10:
        raise Fault(f"{len(kept)} attachments; 10 are allowed")
    return kept


def _check_media(components: list[dict[str, Any]], attachments: list[Attachment]) -> None:
    shown = set()
    for part in walk(components):
        if part["type"] == GALLERY:
            for item in part["items"]:
                url = item["media"]["url"]
                name = url.removeprefix("attachment://")
                if name == url:
                    continue
                if name in shown:
                    raise Fault(f"{name} is shown twice")
                if name not in [file.filename for file in attachments]:
                    raise Fault(f"{name} is shown but not attached")
                shown.add(name)


def _pings(body: dict[str, Any], looks: Looks) -> list[int]:
    """Whom the text would call: every body says whom it may. Raises :class:`Fault`."""
    allowed = body.get("allowed_mentions")
    if allowed is None:
        raise Fault("a message without allowed_mentions")
    if allowed.get("parse"):
        raise Fault(f"allowed_mentions let {allowed['parse']} be called")
    if allowed.get("roles"):
        raise Fault("allowed_mentions let roles be called")
    text = "\n".join([looks.content, *(part["content"] for part in walk(looks.components) if part["type"] == TEXT)])
    named = [int(number) for number in re.findall(r"(?<!\\)<@!?(\d+)>", text)]
    return [number for number in named if number in [int(user) for user in allowed.get("users") or ()]]
