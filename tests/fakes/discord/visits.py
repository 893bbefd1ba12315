"""Interactions: what people do with the bot's commands and buttons, and what the bot answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.fakes.discord.facts import TEXT_INPUT, walk
from tests.fakes.discord.places import DM, GROUP, MANAGE_SERVER, USUAL, Channel, Message

if TYPE_CHECKING:
    from tests.fakes.discord.people import Person

COMMAND, COMPONENT, COMPLETION, SUBMIT = 2, 3, 4, 5
#: Seconds in which an interaction must be acknowledged, and in which its token can be used.
TO_ACKNOWLEDGE, TOKEN_LIVES = 3.0, 900.0
#: How many further messages a token gives where the bot is no member.
FOLLOW_UPS = 5

#: What may be answered to what: message 4, thinking 5, nothing yet 6, changed message 7, choices 8, modal 9.
ANSWERS = {COMMAND: (4, 5, 9), COMPONENT: (4, 5, 6, 7, 9), COMPLETION: (8,), SUBMIT: (4, 5, 6, 7)}


@dataclass(frozen=True)
class Modal:
    """A form that the bot has put before somebody."""

    interaction: Interaction
    body: dict[str, Any]

    @property
    def inputs(self) -> list[dict[str, Any]]:
        """Its text inputs."""
        return [part for part in walk(self.body["components"]) if part["type"] == TEXT_INPUT]

    def filled(self, values: list[str]) -> list[dict[str, Any]]:
        """Its parts with what was typed, as they are submitted."""
        left, parts = iter(values), []
        for part in self.body["components"]:
            inner = part["component"] if "component" in part else part["components"][0]
            typed = {"type": inner["type"], "id": 2, "custom_id": inner["custom_id"], "value": next(left)}
            nested = {"component": typed} if "component" in part else {"components": [typed]}
            parts.append({"type": part["type"], "id": 1} | nested)
        return parts


@dataclass(eq=False)
class Interaction:
    """One thing that somebody did, and everything that came of it."""

    id: int
    token: str
    kind: int
    person: Person
    channel: Channel
    data: dict[str, Any]
    born: float
    """By the server's clock of advances."""
    message: Message | None = None
    """The message whose component was used."""
    message_then: list[dict[str, Any]] | None = None
    """The components that it had when an old client showed it."""
    answers: list[int] = field(default_factory=list)
    original: Message | None = None
    follow_ups: list[Message] = field(default_factory=list)
    modal: Modal | None = None
    choices: list[tuple[str, str]] = field(default_factory=list)

    @property
    def foreign(self) -> bool:
        """Whether the bot has no right of its own where it happened: the person brought it along."""
        return not self.channel.bot_is_here

    @property
    def said(self) -> str:
        """What the person alone has heard of it: the private messages that it caused and that still stand."""
        caused = [message for message in (self.original, *self.follow_ups) if message is not None]
        return "\n".join(m.text for m in caused if m.only_for is not None and not m.deleted and not m.pending)

    @property
    def private(self) -> Message:
        """The private message that it caused and that still stands."""
        caused = [message for message in (self.original, *self.follow_ups) if message is not None]
        (found,) = [m for m in caused if m.only_for is not None and not m.deleted and not m.pending]
        return found

    def describe(self) -> dict[str, Any]:
        """The interaction as the gateway tells it."""
        person, channel, server = self.person, self.channel, self.channel.server
        owners: dict[str, str] = {}
        told: dict[str, Any] = {
            "id": str(self.id),
            "application_id": str(server.application),
            "type": self.kind,
            "token": self.token,
            "version": 1,
            "data": self.data,
            "channel_id": str(channel.id),
            "channel": channel.describe(partial=True),
            "locale": person.locale,
            "entitlements": [],
            "attachment_size_limit": 10 * 1024 * 1024,
            "app_permissions": str(channel.bot_may if channel.bot_is_here else USUAL),
        }
        if channel.guild is not None:
            guild = channel.guild
            may = USUAL | (MANAGE_SERVER if person in guild.managers else 0)
            told |= {"guild_id": str(guild.id), "guild_locale": guild.locale, "context": 0}
            told["guild"] = {"id": str(guild.id), "locale": guild.locale, "features": []}
            member = {
                "user": person.describe(),
                "roles": guild.roles_of(person),
                "joined_at": "2026-01-01T00:00:00+00:00",
                "flags": 0,
            }
            told["member"] = member | {"permissions": str(may), "deaf": False, "mute": False, "nick": person.nick}
            if guild.has_bot:
                owners["0"] = str(guild.id)
        else:
            told["user"] = person.describe()
            told["context"] = 1 if channel.kind == DM else 2
            if channel.kind == DM:
                owners["0"] = "0"
        if self.foreign or channel.kind == GROUP:
            owners["1"] = str(person.id)
        told["authorizing_integration_owners"] = owners
        if self.message is not None:
            told["message"] = self.message.describe(self.message_then)
        return told
