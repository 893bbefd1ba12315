"""Where people write in the fake Discord: servers, channels, and the messages in them as they look now."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tests.fakes.discord.facts import BUTTON, EPHEMERAL, GALLERY, SELECT, TEXT, walk

if TYPE_CHECKING:
    from tests.fakes.discord.people import Person
    from tests.fakes.discord.server import DiscordServer

#: Kinds of channel.
CHAT, DM, VOICE, GROUP, ANNOUNCEMENT, THREAD, FORUM = 0, 1, 2, 3, 5, 11, 15

VIEW, SEND, ATTACH, HISTORY, IN_THREADS = 1 << 10, 1 << 11, 1 << 15, 1 << 16, 1 << 38
MANAGE_SERVER = 1 << 5
USUAL = VIEW | SEND | ATTACH | HISTORY | IN_THREADS


@dataclass(frozen=True)
class Attachment:
    """A file of a message."""

    id: int
    filename: str
    content: bytes
    description: str

    def describe(self, server: DiscordServer) -> dict[str, Any]:
        """The file as the API writes it."""
        url = f"{server.url}/attachments/{self.id}/{self.filename}"
        return {
            "id": str(self.id),
            "filename": self.filename,
            "size": len(self.content),
            "url": url,
            "proxy_url": url,
            "content_type": "image/png",
            "description": self.description,
        }


@dataclass(eq=False)
class Message:
    """A message of the bot, as it looks now."""

    channel: Channel
    id: int
    components: list[dict[str, Any]] = field(default_factory=list)
    content: str = ""
    embeds: list[Any] = field(default_factory=list)
    flags: int = 0
    attachments: list[Attachment] = field(default_factory=list)
    pings: list[int] = field(default_factory=list)
    """The people who heard a sound when it was sent; edits make none."""
    only_for: Person | None = None
    pending: bool = False
    """Whether it still says that the bot is thinking."""
    deleted: bool = False
    edits: int = 0
    nonce: str | None = None
    by_interaction: bool = False

    @property
    def text(self) -> str:
        """What is written, as readers see it."""
        parts = [self.content, *(part["content"] for part in walk(self.components) if part["type"] == TEXT)]
        return "\n".join(shown(part) for part in parts if part)

    @property
    def source(self) -> str:
        """What is written, as it was sent."""
        return "\n".join(part["content"] for part in walk(self.components) if part["type"] == TEXT) or self.content

    @property
    def buttons(self) -> list[dict[str, Any]]:
        """Its buttons in reading order."""
        return [part for part in walk(self.components) if part["type"] == BUTTON]

    @property
    def labels(self) -> list[str]:
        """The labels of its buttons in reading order."""
        return [button.get("label") or "" for button in self.buttons]

    @property
    def selects(self) -> list[dict[str, Any]]:
        """Its selects in reading order."""
        return [part for part in walk(self.components) if part["type"] == SELECT]

    @property
    def pictures(self) -> list[tuple[Attachment, str]]:
        """The pictures in its galleries, with their alt text."""
        found = []
        for gallery in (part for part in walk(self.components) if part["type"] == GALLERY):
            for item in gallery["items"]:
                name = item["media"]["url"].removeprefix("attachment://")
                found += [(file, item.get("description") or "") for file in self.attachments if file.filename == name]
        return found

    @property
    def picture(self) -> bytes:
        """Its only picture."""
        ((file, _),) = self.pictures
        return file.content

    def custom_id(self, label: str) -> str:
        """What the button of this label carries."""
        for button in self.buttons:
            if button.get("label") == label:
                return str(button["custom_id"])
        raise AssertionError(f"there is no button {label!r}; there are {self.labels}")

    def describe(self, components: list[dict[str, Any]] | None = None) -> dict[str, Any]:
        """The message as the API writes it; with ``components``, ones that it had earlier."""
        server = self.channel.server
        return {
            "id": str(self.id),
            "channel_id": str(self.channel.id),
            "type": 0,
            "content": self.content,
            "embeds": self.embeds,
            "attachments": [file.describe(server) for file in self.attachments],
            "components": [self._resolved(part) for part in (self.components if components is None else components)],
            "flags": self.flags | (EPHEMERAL if self.only_for is not None else 0),
            "author": server.bot,
            "timestamp": written_time(self.id, server),
            "edited_timestamp": written_time(self.id, server) if self.edits else None,
            "tts": False,
            "pinned": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "application_id": str(server.application),
        } | ({"nonce": self.nonce} if self.nonce else {})

    def _resolved(self, component: dict[str, Any]) -> dict[str, Any]:
        """A component as it is sent to clients: pictures by their addresses."""
        told = dict(component)
        if "components" in told:
            told["components"] = [self._resolved(part) for part in told["components"]]
        if told["type"] == GALLERY:
            told["items"] = [self._item(item) for item in told["items"]]
        return told

    def _item(self, item: dict[str, Any]) -> dict[str, Any]:
        name = item["media"]["url"].removeprefix("attachment://")
        file = next((file for file in self.attachments if file.filename == name), None)
        if file is None:
            return item
        told = file.describe(self.channel.server)
        media = {
            "url": told["url"],
            "proxy_url": told["proxy_url"],
            "width": 1,
            "height": 1,
            "content_type": "image/png",
        }
        return {**item, "media": media | {"attachment_id": told["id"], "loading_state": 2, "flags": 0}}


@dataclass(eq=False)
class Channel:
    """A channel of any kind."""

    server: DiscordServer
    id: int
    kind: int
    name: str = ""
    guild: Guild | None = None
    parent: Channel | None = None
    people: list[Person] = field(default_factory=list)
    """Of direct and group messages."""
    history: dict[int, Message] = field(default_factory=dict)
    bot_may: int = USUAL
    closed: bool = False
    """Whether the person of a direct message does not take messages of the bot."""
    archived: bool = False
    """Of a thread: asleep; nothing in it can be changed, and whatever is written wakes it."""
    locked: bool = False
    """Of a thread: only who manages threads can wake it, and nobody else can write."""

    @property
    def bot_is_here(self) -> bool:
        """Whether the bot can write by its own right."""
        if self.kind == DM:
            return not self.closed
        return self.guild is not None and self.guild.has_bot

    @property
    def messages(self) -> list[Message]:
        """What everybody sees here, oldest first."""
        return [message for message in self.history.values() if not message.deleted and message.only_for is None]

    @property
    def boards(self) -> list[Message]:
        """The messages with a picture, oldest first."""
        return [message for message in self.messages if message.pictures]

    @property
    def board(self) -> Message:
        """The newest message with a picture."""
        assert self.boards, f"no board in {self.name or 'the direct messages'}"
        return self.boards[-1]

    @property
    def last(self) -> Message:
        """The newest message."""
        assert self.messages, f"nothing is written in {self.name or 'the direct messages'}"
        return self.messages[-1]

    def private(self, person: Person) -> list[Message]:
        """What this person alone sees here, oldest first."""
        return [m for m in self.history.values() if not m.deleted and not m.pending and m.only_for is person]

    def thread(self, name: str) -> Channel:
        """A new thread of the channel; of a forum, a post."""
        made = Channel(self.server, self.server.snowflake(), THREAD, name, self.guild, parent=self)
        self.server.channels[made.id] = made
        return made

    def describe(self, *, partial: bool = False) -> dict[str, Any]:
        """The channel as the API writes it; ``partial``: as it comes with an interaction."""
        told: dict[str, Any] = {"id": str(self.id), "type": self.kind, "flags": 0, "last_message_id": None}
        if self.kind in (DM, GROUP):
            told["recipients"] = [person.describe() for person in self.people]
            if self.kind == GROUP:
                told |= {"name": self.name, "icon": None, "owner_id": str(self.people[0].id)}
            return told
        assert self.guild is not None
        told |= {"name": self.name, "guild_id": str(self.guild.id), "rate_limit_per_user": 0, "nsfw": False}
        told["parent_id"] = str(self.parent.id) if self.parent is not None else None
        if partial:
            told["permissions"] = str(USUAL)
        if self.kind == THREAD:
            meta = {"archived": self.archived, "auto_archive_duration": 1440, "locked": self.locked}
            meta["archive_timestamp"] = written_time(self.id, self.server)
            owner = {"owner_id": str(self.server.application), "message_count": 0, "member_count": 1}
            return told | owner | {"thread_metadata": meta}
        told |= {"position": 0, "topic": None, "permission_overwrites": []}
        if self.kind == VOICE:
            told |= {"bitrate": 64000, "user_limit": 0}
        if self.kind == FORUM:
            told |= {"available_tags": [], "default_reaction_emoji": None, "default_sort_order": None}
        return told


@dataclass(eq=False)
class Guild:
    """A server in the sense of Discord."""

    server: DiscordServer
    id: int
    name: str
    locale: str = "en-US"
    has_bot: bool = True
    channels: list[Channel] = field(default_factory=list)
    roles: dict[int, list[Person]] = field(default_factory=dict)
    """Who has which role."""
    managers: list[Person] = field(default_factory=list)
    """Who may manage the server."""

    def role(self, *people: Person) -> int:
        """A new role of these people. The bot must not be connected yet."""
        number = self.server.snowflake()
        self.roles[number] = list(people)
        return number

    def roles_of(self, person: Person) -> list[str]:
        """The roles of somebody."""
        return [str(role) for role, people in self.roles.items() if person in people]

    def channel(self, name: str, kind: int = CHAT) -> Channel:
        """A new channel, at first of the kind that people chat in."""
        made = Channel(self.server, self.server.snowflake(), kind, name, self)
        self.channels.append(made)
        self.server.channels[made.id] = made
        return made

    def describe(self) -> dict[str, Any]:
        """The server as the gateway tells it."""
        usual: dict[str, Any] = {"permissions": str(USUAL), "position": 0, "color": 0, "hoist": False, "managed": False}
        usual |= {"mentionable": False, "flags": 0}
        usual |= {"colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None}}
        roles = [{"id": str(number), "name": f"role {number}", **usual} for number in self.roles]
        me = {"user": self.server.bot, "roles": [], "joined_at": written_time(self.id, self.server), "flags": 0}
        return {
            "id": str(self.id),
            "name": self.name,
            "owner_id": str(self.server.application),
            "preferred_locale": self.locale,
            "roles": [{"id": str(self.id), "name": "@everyone", **usual}, *roles],
            "members": [me | {"deaf": False, "mute": False}],
            "member_count": 2,
            "channels": [channel.describe() for channel in self.channels],
            "threads": [],
            "emojis": [],
            "stickers": [],
            "features": [],
            "voice_states": [],
            "presences": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "unavailable": False,
            "large": False,
        }


def written_time(snowflake: int, server: DiscordServer) -> str:
    """When the thing of this id was made."""
    return datetime.fromtimestamp(server.born(snowflake) / 1000, UTC).isoformat()


def shown(markdown: str) -> str:
    """A text as readers see it: bold marks are gone, and backslashes before signs."""
    found, bold = [], re.compile(r"\\([^0-9A-Za-z\s])|\*\*|^(?:#{1,3}|-#) ", re.MULTILINE)
    at = 0
    for match in bold.finditer(markdown):
        found += [markdown[at : match.start()], match[1] or ""]
        at = match.end()
    return "".join([*found, markdown[at:]])


def is_private(flags: int) -> bool:
    """Whether a message of these flags is for one person alone."""
    return bool(flags & EPHEMERAL)
