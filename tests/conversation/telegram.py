"""The conversations on Telegram: the unmodified library talks to the fake server of the tests."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import Self

from bot.scene import unpack
from bot.session.table import Declined
from bot.session.tables import Tables
from core.notation import NotationError, label, point
from tests.conversation import PATIENCE, Player, Screen, Stage
from tests.fakes.telegram import Chat, Message, Person
from tests.fakes.telegram.people import Keyboard, data_of
from tests.fakes.telegram_service import BY_WEBHOOK, Service

#: What a keypad's buttons carry, besides the points themselves.
_KEYPAD = ("col-", "win", "cols", "taken", "back", "place-", "offer-")


class Entry(Enum):
    """How points are entered."""

    REPLY = "reply"  # h8, as a reply to the board in a group, plain in private
    COMMAND = "command"  # /m h8
    KEYPAD = "keypad"  # column, then row


@dataclass(frozen=True)
class _Seen:
    """What a screen hangs on."""

    message: Message
    keyboard: Keyboard


class TelegramStage(Stage):
    """A bot on Telegram: people in one group, or each in their private chat with it.

    It asks for updates, or they are delivered to it ``by_webhook``, on a line that loses many of them on the way.
    """

    def __init__(self, tables: Tables, *, private: bool, entry: Entry, by_webhook: bool = False) -> None:
        self.tables = tables
        self.private = self.apart = private
        self.entry = entry
        self.group: Chat | None = None
        self._webhook = BY_WEBHOOK if by_webhook else None
        self._service = Service(tables, webhook=self._webhook, delivered=by_webhook)
        self.server = self._service.server
        self.server.deliveries.unreliable = by_webhook

    async def __aenter__(self) -> Self:
        await self._service.__aenter__()
        self.group = None if self.private else self.server.group("Renju <club> & *friends*")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._service.__aexit__(kind, error, trace)

    async def PLAYER(self, name: str, language: str) -> Player:  # noqa: N802
        return TelegramPlayer(self, name, language)


class TelegramPlayer(Player):
    """Somebody with a Telegram account."""

    stage: TelegramStage

    def __init__(self, stage: TelegramStage, name: str, language: str) -> None:
        super().__init__(stage, name, language)
        self.server = stage.server
        self.person: Person = stage.server.person(name, language)
        self.chat: Chat = stage.group or self.person.private
        self.message: Message | None = None
        self._table = ""
        self._seen = 0

    async def OPEN(self, typed: str) -> str:  # noqa: N802
        return await self._await_board(self.person.send(f"/newgame {typed}".strip(), self.chat))

    async def JOIN(self, opener: Player) -> str:  # noqa: N802
        assert isinstance(opener, TelegramPlayer)
        if self.stage.private:

            def links() -> list[str]:
                return [message.text for message in opener.chat.from_bot if "?start=" in message.text]

            await self.server.until(links, "the invitation")  # which travels beside the board
            return await self._await_board(
                self.person.send("/start " + links()[-1].rpartition("?start=")[2], self.chat)
            )
        await self.WATCH(opener)
        assert self.message is not None
        return (await self.person.tap(self.message, "Join")).text

    async def WATCH(self, opener: Player) -> None:  # noqa: N802
        assert isinstance(opener, TelegramPlayer)
        self.message, self._table = opener.message, opener._table

    async def _await_board(self, sent: Message) -> str:
        """The board that comes after what was sent, or what is said instead."""

        def boards() -> list[Message]:
            return [message for message in self.chat.boards if message.id > sent.id]

        def replies() -> list[Message]:
            return [m for m in self.chat.from_bot if m.reply_to is sent and "?start=" not in m.text]

        await self.server.until(lambda: boards() or replies(), "a board or a word")
        if boards():
            self._follow(boards()[-1])
            return ""
        return replies()[-1].text

    def _follow(self, board: Message) -> None:
        self.message = board
        wires = [unpack(data) for row in board.keyboard for _, data in row]
        self._table = next((wire[0] for wire in wires if wire is not None), self._table)

    async def ENTER(self, text: str) -> str:  # noqa: N802
        assert self.message is not None
        if self.stage.entry is Entry.KEYPAD:
            heard = await self._by_keypad(text)
            if heard is not None:
                return heard
        before = await self._rev()
        if self.stage.entry is Entry.COMMAND:
            sent = self.person.send(f"/m {text}".strip(), self.chat)
        else:
            sent = self.person.send(text, self.chat, reply_to=None if self.stage.private else self.message)
        async with asyncio.timeout(PATIENCE):
            while True:
                seen = self.server.pulses
                replies = [message for message in self.chat.from_bot if message.reply_to is sent]
                if replies:
                    return replies[-1].text
                if await self._rev() > before:
                    return ""
                if seen == self.server.pulses:
                    await self.server.changed()

    async def _by_keypad(self, text: str) -> str | None:
        """Tap the point; ``None`` if the keypad does not have it now."""
        assert self.message is not None
        try:
            wanted = label(point(text))
        except NotationError:
            return None
        message = self.message
        if wanted not in message.labels:
            column = f".col-{wanted[0].lower()}"
            if column not in str(message.keyboard):
                return None
            turned = await self.person.tap(message, wanted[0])
            if turned.text:
                return turned.text
            await self.server.until(lambda: column not in str(message.keyboard), "the rows")
            if wanted not in message.labels:
                await self.person.tap(message, "Back")
                return None
        return (await self.person.tap(message, wanted)).text

    async def _rev(self) -> int:
        table = await self.stage.tables.get(self._table)
        assert not isinstance(table, Declined)
        return table.rev

    async def PRESS(self, label: str, screen: Screen, *, sure: bool) -> str:  # noqa: N802
        assert isinstance(screen.handle, _Seen)
        message = screen.handle.message
        answer = await self.person.tap(message, label, keyboard=screen.handle.keyboard)
        if ".ask-" in data_of(screen.handle.keyboard, label) and answer.text.endswith("?"):
            await self.server.until(lambda: ".sure" in str(message.keyboard), "the question's answers")
            yes, no = message.labels
            answer = await self.person.tap(message, yes if sure else no)
        if label == "Rematch" and not answer.text:
            await self._follow_rematch(message)
        return answer.text

    async def _follow_rematch(self, before: Message) -> None:
        await self.server.until(lambda: self.chat.board is not before, "the board of the rematch")
        self._follow(self.chat.board)

    async def SCREEN(self) -> Screen | None:  # noqa: N802
        self._seen = self.server.pulses
        if self.message is None:
            return None
        keyboard = self.message.keyboard
        buttons = [text for row in keyboard for text, data in row if not _is_keypad(data)]
        return Screen(self.message.text.replace("\N{WORD JOINER}", ""), tuple(buttons), _Seen(self.message, keyboard))

    async def CHANGED(self) -> None:  # noqa: N802
        if self._seen == self.server.pulses:
            await self.server.changed()

    async def TABLE(self) -> str:  # noqa: N802
        return self._table


class Strange(Enum):
    """How a board comes into a chat that the bot is no member of."""

    PICTURE = "inline"  # @bot, with a cache chat
    LETTERS = "inline without cache chat"
    GUEST = "guest"  # the bot is mentioned there


class StrangeStage(TelegramStage):
    """People in a group that the bot is no member of; boards are played in inline messages, points by keypad."""

    def __init__(self, tables: Tables, *, how: Strange, by_webhook: bool = False) -> None:
        super().__init__(tables, private=False, entry=Entry.KEYPAD, by_webhook=by_webhook)
        self.how = how
        self.cache: Chat | None = None
        if how is not Strange.LETTERS:
            self.cache = self.server.group("pictures")
            self._service = Service(
                tables,
                server=self.server,
                webhook=self._webhook,
                delivered=by_webhook,
                cache_chat=str(self.cache.id),
            )

    async def PLAYER(self, name: str, language: str) -> Player:  # noqa: N802
        return StrangePlayer(self, name, language)


class StrangePlayer(TelegramPlayer):
    """Somebody in a group without the bot. What they see of a board in letters is the words above it."""

    stage: StrangeStage

    async def OPEN(self, typed: str) -> str:  # noqa: N802
        typed = typed.replace("friend", "").strip()
        if self.stage.how is Strange.GUEST:
            message = await self.person.call(f"@{self.server.username} {typed}", self.chat)
        else:
            results = await self.person.type_inline(typed)
            sendable = [result for result in results if "reply_markup" in result]
            if not sendable or len(sendable) < len(results):  # words that were not understood
                return str(results[-1]["input_message_content"]["message_text"])
            message = self.person.send_inline(sendable[0], self.chat)
        if not message.keyboard:
            return message.text
        self.message = message
        return ""

    async def JOIN(self, opener: Player) -> str:  # noqa: N802
        heard = await super().JOIN(opener)
        await self.server.until(lambda: self.message is not None and _table_of(self.message), "a table")
        assert self.message is not None
        assert isinstance(opener, TelegramPlayer)
        self._table = opener._table = _table_of(self.message)
        return heard

    async def ENTER(self, text: str) -> str:  # noqa: N802
        assert self.message is not None
        message = self.message
        async with asyncio.timeout(PATIENCE):
            while True:  # until the keys of a column that somebody looked at are gone, and the new ones there
                seen = self.server.pulses
                heard = await self._by_keypad(text)
                if heard is not None:
                    return heard
                if "Back" in message.labels:
                    await self.person.tap(message, "Back")
                if seen == self.server.pulses:
                    await self.server.changed()

    async def press(self, label: str, screen: Screen | None = None, *, sure: bool = True) -> str:
        """A rematch that the other side has asked for is joined: it has taken the message over."""
        if label == "Rematch" and screen is None and "Join" in (await self.screen()).buttons:
            label = "Join"
        return await super().press(label, screen, sure=sure)

    async def PRESS(self, label: str, screen: Screen, *, sure: bool) -> str:  # noqa: N802
        heard = await super().PRESS(label, screen, sure=sure)
        assert self.message is not None
        self._table = _table_of(self.message) or self._table
        return heard

    async def _follow_rematch(self, before: Message) -> None:
        """It takes the message over."""
        await self.server.until(lambda: _table_of(before) not in ("", self._table), "the board of the rematch")


def _table_of(message: Message) -> str:
    """The table whose buttons a message has; empty before it has one."""
    wires = [unpack(data) for row in message.keyboard for _, data in row]
    return next((wire[0] for wire in wires if wire is not None), "")


def _is_keypad(data: str) -> bool:
    wire = unpack(data)
    return wire is not None and wire[2].startswith(_KEYPAD)
