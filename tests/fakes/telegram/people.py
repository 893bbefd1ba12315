"""Who writes and taps in the fake Telegram, and where: what a test does with its hands and sees with its eyes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tests.fakes.telegram.server import TelegramServer

Keyboard = tuple[tuple[tuple[str, str], ...], ...]
"""Rows of buttons: the label, and the callback data or the address it leads to."""

ANONYMOUS = 1087968824
"""The account that messages of anonymous administrators come from."""


@dataclass(frozen=True)
class Answer:
    """What the person saw after a tap."""

    text: str
    alert: bool


@dataclass(frozen=True)
class Version:
    """What a message showed at one time."""

    text: str
    """The text, or the caption of a photo."""
    photo: str
    """The file id of the largest size; empty for a message without a photo."""
    keyboard: dict[str, Any] | None


@dataclass(eq=False)
class Message:
    """A message in a chat, as it looks now."""

    chat: Chat
    id: int
    sender: Person | None
    """``None``: the bot."""
    versions: list[Version]
    thread: int | None = None
    reply_to: Message | None = None
    deleted: bool = False
    service: dict[str, Any] = field(default_factory=dict)
    """Fields of a service message."""
    as_chat: bool = False
    """Whether it was sent in the name of the chat, by an anonymous administrator."""
    mention: Person | None = None
    """Whose name in the text is a link."""
    inline_id: str = ""
    """What the bot knows an inline message by; it never learns its chat."""

    @property
    def now(self) -> Version:
        """What it shows."""
        return self.versions[-1]

    @property
    def text(self) -> str:
        """The text or caption."""
        return self.now.text

    @property
    def photo(self) -> bytes:
        """The picture; empty for a message without one."""
        return self.chat.server.files[self.now.photo] if self.now.photo else b""

    @property
    def keyboard(self) -> Keyboard:
        """The buttons under it now."""
        return keyboard_of(self.now.keyboard)

    @property
    def labels(self) -> list[str]:
        """The labels of its buttons, in reading order."""
        return [label for row in self.keyboard for label, _ in row]

    def data(self, label: str) -> str:
        """What the button of this label carries."""
        return data_of(self.keyboard, label)


@dataclass(eq=False)
class Chat:
    """A private chat, a group or a supergroup."""

    server: TelegramServer
    id: int
    kind: str
    title: str = ""
    person: Person | None = None
    forum: bool = False
    history: dict[int, Message] = field(default_factory=dict)
    topics: dict[int, Message] = field(default_factory=dict)
    """Message threads by id: each begins with a service message."""
    blocked: str = ""
    """Why the bot cannot write here (a 403's words)."""
    migrated_to: int | None = None
    bot_is_admin: bool = False
    administrators: list[Person] = field(default_factory=list)
    other_bot_spoke: bool = False
    """Whether another bot was the last to write: then bare commands are not for us."""
    next_id: int = 1
    whispers: list[tuple[Person, str]] = field(default_factory=list)
    """What single members were told."""

    @property
    def messages(self) -> list[Message]:
        """What stands in the chat, oldest first."""
        return [message for message in self.history.values() if not message.deleted]

    @property
    def from_bot(self) -> list[Message]:
        """The bot's messages, oldest first."""
        return [message for message in self.messages if message.sender is None and not message.service]

    @property
    def boards(self) -> list[Message]:
        """The bot's photos, oldest first."""
        return [message for message in self.from_bot if message.now.photo]

    @property
    def board(self) -> Message:
        """The newest photo of the bot."""
        assert self.boards, f"no board in {self.title or self.kind}"
        return self.boards[-1]

    @property
    def last(self) -> Message:
        """The bot's newest message."""
        assert self.from_bot, f"the bot has written nothing in {self.title or self.kind}"
        return self.from_bot[-1]

    def topic(self, name: str, creator: Person) -> int:
        """Open a topic in a forum: the id of its thread."""
        assert self.forum
        message = self.server.add_message(self, creator, service={"forum_topic_created": _topic(name)})
        message.thread = message.id
        self.topics[message.id] = message
        return message.id

    def kick_bot(self) -> None:
        """Remove the bot from the group."""
        self.blocked = "Forbidden: bot was kicked from the group chat"
        self.server.membership(self, "kicked")

    def let_bot_in(self) -> None:
        """Add the bot again."""
        self.blocked = ""
        self.server.membership(self, "member")

    def describe(self) -> dict[str, Any]:
        """The chat as the Bot API writes it."""
        written: dict[str, Any] = {"id": self.id, "type": self.kind}
        if self.person is not None:
            return written | {"first_name": self.person.name}
        return written | {"title": self.title} | ({"is_forum": True} if self.forum else {})


def _topic(name: str) -> dict[str, Any]:
    return {"name": name, "icon_color": 0x6FB9F0}


@dataclass(eq=False)
class Person:
    """Somebody with a Telegram account."""

    server: TelegramServer
    id: int
    name: str
    language: str | None
    private: Chat
    username: str = ""
    is_bot: bool = False

    def describe(self) -> dict[str, Any]:
        """The account as the Bot API writes it."""
        written: dict[str, Any] = {"id": self.id, "is_bot": self.is_bot, "first_name": self.name}
        if self.username:
            written["username"] = self.username
        return written | ({"language_code": self.language} if self.language else {})

    def send(
        self,
        text: str,
        chat: Chat | None = None,
        *,
        reply_to: Message | None = None,
        thread: int | None = None,
        anonymous: bool = False,
        mention: Person | None = None,
    ) -> Message:
        """Write in a chat: the private one with the bot, unless another is given.

        ``mention``: somebody without a username whose name in the text the client made a link.
        """
        chat = chat or self.private
        if reply_to is not None and thread is None:
            thread = reply_to.thread
        message = self.server.add_message(chat, self, text=text, reply_to=reply_to, thread=thread, as_chat=anonymous)
        message.mention = mention
        self.server.deliver_message(message)
        return message

    async def tap(self, message: Message, label: str, *, keyboard: Keyboard | None = None) -> Answer:
        """Tap a button and see the answer. With ``keyboard``, one that the message showed earlier (an old client)."""
        return await self.tap_data(message, data_of(keyboard or message.keyboard, label))

    async def tap_data(self, message: Message, data: str) -> Answer:
        """Tap a button that carries ``data``, which may be forged."""
        query = self.server.deliver_tap(self, message, data)
        return await self.server.answer_to(query)

    async def type_inline(self, words: str, *, offset: str = "") -> list[dict[str, Any]]:
        """Type after the bot's name in some chat: what is offered, as the Bot API writes it."""
        return await self.server.inline.ask(self, words, offset)

    def send_inline(self, result: dict[str, Any], chat: Chat, *, told: bool = False) -> Message:
        """Send something that was offered into a chat that the bot is no member of.

        ``told``: whether the bot is told of it (the operator can ask @BotFather for that).
        """
        return self.server.inline.send(self, result, chat, told=told)

    async def call(self, words: str, chat: Chat, *, reply_to: Message | None = None) -> Message:
        """Mention the bot in a chat that it is no member of, and see its one answer."""
        return await self.server.inline.call(self, words, chat, reply_to)

    def block(self) -> None:
        """Block the bot."""
        self.private.blocked = "Forbidden: bot was blocked by the user"
        self.server.membership(self.private, "kicked", by=self)

    def unblock(self) -> None:
        """Let the bot write again."""
        self.private.blocked = ""
        self.server.membership(self.private, "member", by=self)


def keyboard_of(markup: dict[str, Any] | None) -> Keyboard:
    """A keyboard as rows of label and data."""
    if markup is None:
        return ()
    return tuple(
        tuple((button["text"], button.get("callback_data") or button.get("url", "")) for button in row)
        for row in markup["inline_keyboard"]
    )


def data_of(keyboard: Keyboard, label: str) -> str:
    """What the button of this label carries."""
    for row in keyboard:
        for text, data in row:
            if text == label:
                return data
    shown = [text for row in keyboard for text, _ in row]
    raise AssertionError(f"there is no button {label!r}; there are {shown}")


_MARKED: Final = (
    ("bot_command", r"(?<!\S)/[A-Za-z0-9_]{1,32}(@[A-Za-z0-9_]{3,32})?(?![A-Za-z0-9_/])"),
    ("mention", r"(?<!\S)@[A-Za-z0-9_]{3,32}(?![A-Za-z0-9_@])"),
)


def entities_of(text: str, mention: Person | None = None) -> list[dict[str, Any]]:
    """The commands and mentions in a text, as Telegram marks them: offsets and lengths in UTF-16 units."""
    found = [
        {"type": kind, "offset": _units(text[: match.start()]), "length": len(match[0])}
        for kind, pattern in _MARKED
        for match in re.finditer(pattern, text)
    ]
    if mention is not None:
        start = text.index(mention.name)
        linked = {"type": "text_mention", "offset": _units(text[:start]), "length": _units(mention.name)}
        found.append(linked | {"user": mention.describe()})
    return sorted(found, key=lambda entity: entity["offset"])


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
