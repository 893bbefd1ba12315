"""The one answer that every interaction gets, within three seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.fakes.discord.facts import EPHEMERAL, Fault, check_modal, checked
from tests.fakes.discord.places import Message
from tests.fakes.discord.refusals import Refuse
from tests.fakes.discord.visits import ANSWERS, TO_ACKNOWLEDGE, Interaction, Modal
from tests.fakes.discord.writing import Upload, write

if TYPE_CHECKING:
    from tests.fakes.discord.server import DiscordServer

MESSAGE, THINKING, LATER, CHANGE, CHOICES, FORM = 4, 5, 6, 7, 8, 9


def callback(server: DiscordServer, request: web.Request, body: Any, uploads: dict[int, Upload]) -> Any:
    """Take the answer to an interaction. Raises :class:`Refuse` and :class:`Fault`."""
    checked("POST /interactions/{interaction_id}/{interaction_token}/callback", body)
    interaction = server.interactions.get(request.match_info["token"])
    if interaction is None or interaction.id != int(request.match_info["interaction"]):
        raise Refuse(404, 10062, "Unknown interaction")
    if server.elapsed - interaction.born > TO_ACKNOWLEDGE:
        raise Refuse(404, 10062, "Unknown interaction")
    if interaction.answers:
        server.faults.append(f"an interaction of kind {interaction.kind} was answered twice")
        raise Refuse(400, 40060, "Interaction has already been acknowledged.")
    kind = body["type"]
    if kind not in ANSWERS[interaction.kind] or (kind in (LATER, CHANGE) and interaction.message is None):
        raise Fault(f"the answer {kind} to an interaction of kind {interaction.kind}")
    message = _perform(server, interaction, kind, body.get("data") or {}, uploads)
    interaction.answers.append(kind)
    told: dict[str, Any] = {"id": str(interaction.id), "type": interaction.kind}
    if message is not None:
        told |= {"response_message_id": str(message.id), "response_message_ephemeral": message.only_for is not None}
        told |= {"response_message_loading": message.pending}
    resource: dict[str, Any] = {"type": kind}
    if message is not None and kind in (MESSAGE, CHANGE):
        resource["message"] = message.describe()
    return {"interaction": told, "resource": resource} if "with_response" in request.query else None


def _perform(
    server: DiscordServer, interaction: Interaction, kind: int, data: dict[str, Any], uploads: dict[int, Upload]
) -> Message | None:
    if kind in (MESSAGE, THINKING):
        made = Message(interaction.channel, server.snowflake(), by_interaction=True, pending=kind == THINKING)
        if (data.get("flags") or 0) & EPHEMERAL:
            made.only_for = interaction.person
        if kind == MESSAGE:
            write(made, data, uploads, new=True)
        interaction.channel.history[made.id] = made
        interaction.original = made
        return made
    if kind in (LATER, CHANGE):
        interaction.original = interaction.message
        if kind == CHANGE and interaction.message is not None:
            write(interaction.message, data, uploads, new=False)
        return interaction.message
    if kind == CHOICES:
        choices = data.get("choices") or []
        if len(choices) > 25:
            raise Fault(f"{len(choices)} choices; 25 are allowed")
        interaction.choices = [
            ((choice.get("name_localizations") or {}).get(interaction.person.locale, choice["name"]), choice["value"])
            for choice in choices
        ]
        return None
    if kind == FORM:
        check_modal(data)
        interaction.modal = Modal(interaction, data)
    return None
