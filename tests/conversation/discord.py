"""The conversations on Discord: the unmodified library talks to the fake REST and gateway of the tests."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import Any, Self

from bot.scene import unpack
from bot.session.tables import Tables
from core.notation import NotationError, label, name, point
from tests.conversation import Player, Screen, Stage
from tests.fakes.discord import Channel, Interaction, Message, Person
from tests.fakes.discord.places import ANNOUNCEMENT, CHAT, FORUM, VOICE
from tests.fakes.discord_service import Service

#: The words after newgame that have an option of their own; all others are typed.
_OPTIONS = {
    "opponent": ("friend", "engine"),
    "fouls": ("claim", "auto_loss", "blocked", "freestyle"),
    "begins": ("guess", "random", "black", "white", "parity_cn", "parity_jp"),
}
_LOCALES = {"en": "en-US", "zh-hans": "zh-CN"}
#: The buttons that lead to a point.
_ENTRY = ("Choose a point", "Type a point")


class Where(Enum):
    """Where the game is."""

    SERVER = "server"  # a channel of a server that the bot is in
    THREAD = "thread"
    POST = "post"  # of a forum
    VOICE = "voice"  # the chat of a voice channel
    NEWS = "news"  # an announcement channel
    GUEST = "guest"  # a group of friends, who have brought the bot along
    STRANGE = "strange"  # a server that has not added the bot
    DIRECT = "direct"  # each in their direct messages with the bot


#: What kind of channel of a server it is.
_KINDS = {
    Where.SERVER: CHAT,
    Where.THREAD: CHAT,
    Where.POST: FORUM,
    Where.VOICE: VOICE,
    Where.NEWS: ANNOUNCEMENT,
    Where.STRANGE: CHAT,
}


class Entry(Enum):
    """How points are entered."""

    COMMAND = "command"  # /move h8
    FORM = "form"  # typed into a form
    AXES = "axes"  # column and row, in a private message
    WINDOW = "window"  # the points around the play, in a private message


@dataclass(frozen=True)
class _Seen:
    """What a screen hangs on."""

    message: Message
    components: list[dict[str, Any]]

    def custom_id(self, label: str) -> str:
        return Message(self.message.channel, 0, self.components).custom_id(label)


class DiscordStage(Stage):
    """The bot on Discord, in one place."""

    def __init__(self, tables: Tables, *, where: Where, entry: Entry) -> None:
        self.tables = tables
        self.where = where
        self.apart = where is Where.DIRECT
        self.entry = entry
        self.service = Service(tables)
        self.server = self.service.server
        self.channel: Channel | None = None

    async def __aenter__(self) -> Self:
        if self.where in _KINDS:
            guild = self.server.guild("Renju *club*", bot=self.where is not Where.STRANGE)
            self.channel = guild.channel("general", _KINDS[self.where])
        if self.where in (Where.THREAD, Where.POST) and self.channel is not None:
            self.channel = self.channel.thread("a game")
        if self.where is Where.GUEST:
            self.channel = self.server.group()
        await self.service.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.service.__aexit__(kind, error, trace)

    async def PLAYER(self, name: str, language: str) -> Player:  # noqa: N802
        return DiscordPlayer(self, name, language)


class DiscordPlayer(Player):
    """Somebody with an account on Discord."""

    stage: DiscordStage

    def __init__(self, stage: DiscordStage, name: str, language: str) -> None:
        super().__init__(stage, name, language)
        self.server = stage.server
        self.person: Person = stage.server.person(name, _LOCALES[language])
        self.channel: Channel = stage.channel or self.person.dm
        if stage.where is Where.GUEST:
            self.channel.people.append(self.person)
        self.message: Message | None = None
        self._table = ""
        self._seen = 0

    async def OPEN(self, typed: str) -> str:  # noqa: N802
        options: dict[str, str] = {}
        rest = []
        for word in typed.split():
            option = next((option for option, words in _OPTIONS.items() if word in words), "")
            if option:
                options[option] = word
            elif word.isdecimal():
                options["level"] = word
            else:
                rest.append(word)
        if rest:
            options["options"] = " ".join(rest)
        opened = await self.person.slash("newgame", self.channel, **options)
        await self.stage.service.quiet()
        await self.server.until(lambda: opened.said or self._boards_of(opened), "a board or a word")
        if not opened.said:
            self._follow(self._boards_of(opened)[0])
        return opened.said

    @staticmethod
    def _boards_of(interaction: Interaction) -> list[Message]:
        return [interaction.original] if interaction.original is not None and interaction.original.pictures else []

    def _follow(self, board: Message) -> None:
        self.message = board
        wires = [unpack(button["custom_id"][2:]) for button in board.buttons]
        self._table = next((wire[0] for wire in wires if wire is not None), self._table)

    async def JOIN(self, opener: Player) -> str:  # noqa: N802
        assert isinstance(opener, DiscordPlayer)
        assert opener.message is not None
        if self.stage.where is not Where.DIRECT:
            await self.WATCH(opener)
            return await self._done(await self.person.press(opener.message, "Join"))
        code = opener.message.text.rpartition("/join ")[2]
        heard = await self._done(await self.person.slash("join", self.channel, code=code))
        if not heard:
            await self.server.until(lambda: self.channel.boards, "a board of their own")
            self._follow(self.channel.board)
        return heard

    async def WATCH(self, opener: Player) -> None:  # noqa: N802
        assert isinstance(opener, DiscordPlayer)
        self.message, self._table = opener.message, opener._table

    async def _done(self, interaction: Interaction) -> str:
        """What the person hears of what they did, when everything is done."""
        await self.stage.service.quiet()
        return interaction.said

    async def ENTER(self, text: str) -> str:  # noqa: N802
        assert self.message is not None
        offered = all(button in self.message.labels for button in _ENTRY)
        if self.stage.entry is Entry.COMMAND or not offered or self.language != "en":
            return await self._done(await self.person.slash("move", self.channel, point=text, game=self._table))
        if self.stage.entry is Entry.FORM:
            return await self._type(self.message, text)
        asked = await self.person.press(self.message, "Choose a point")
        await self.stage.service.quiet()
        private = asked.private
        if not private.selects:
            return private.text
        try:
            wanted = point(text)
        except NotationError:
            return await self._type(private, text)
        found = self._by_axes if self.stage.entry is Entry.AXES else self._by_window
        if not await found(private, name(wanted)):
            return await self._type(self.message, text)
        confirmed = await self.person.press(private, "Confirm")
        await self.stage.service.quiet()
        return "" if private.deleted else private.text + confirmed.said.replace(private.text, "")

    async def _type(self, message: Message, text: str) -> str:
        opened = await self.person.press(message, "Type a point")
        assert opened.modal is not None
        return await self._done(await self.person.submit(opened.modal, text))

    async def _by_axes(self, private: Message, wanted: str) -> bool:
        """Choose column and row; whether they can be chosen."""
        for number, value in ((0, wanted[0]), (1, wanted[1:])):
            if value not in [option["value"] for option in private.selects[number]["options"]]:
                return False
            await self.person.select(private, number, value)
            await self.stage.service.quiet()
        return "Confirm" in private.labels

    async def _by_window(self, private: Message, wanted: str) -> bool:
        """Find the point among those around the play; whether it can be pressed."""
        await self.person.press(private, "Points around the play")
        await self.stage.service.quiet()
        goal = label(point(wanted))
        for _ in range(12):
            shown = {button["label"].split()[-1]: button for button in private.buttons}
            if goal in shown:
                if shown[goal].get("disabled"):
                    return False
                await self.person.press(private, shown[goal]["label"])
                await self.stage.service.quiet()
                return "Confirm" in private.labels
            first, last = private.labels[20], private.labels[4]  # the corners: left below, right above
            (left, low), (right, high) = ((text.split()[-1][0], int(text.split()[-1][1:])) for text in (first, last))
            column, row = goal[0], int(goal[1:])
            move = "Left" if column < left else "Right" if column > right else "Down" if row < low else "Up"
            assert row < low or row > high or move in ("Left", "Right")
            await self.person.press(private, move)
            await self.stage.service.quiet()
        raise AssertionError(f"the window never came to {goal}")

    async def PRESS(self, label: str, screen: Screen, *, sure: bool) -> str:  # noqa: N802
        seen = screen.handle
        assert isinstance(seen, _Seen)
        pressed = await self.person.press_id(seen.message, seen.custom_id(label), then=seen.components)
        heard = await self._done(pressed)
        if ".ask-" in seen.custom_id(label) and heard.endswith("?"):
            question = pressed.private
            yes, no = question.labels
            await self.person.press(question, yes if sure else no)
            await self.stage.service.quiet()
            heard = "" if question.deleted else question.text
        if label == "Rematch" and not heard:
            await self.server.until(lambda: self.channel.board is not seen.message, "the board of the rematch")
            self._follow(self.channel.board)
        return heard

    async def SCREEN(self) -> Screen | None:  # noqa: N802
        self._seen = self.server.pulses
        if self.message is None:
            return None
        buttons = tuple(label for label in self.message.labels if label not in _ENTRY)
        return Screen(self.message.text, buttons, _Seen(self.message, self.message.components))

    async def CHANGED(self) -> None:  # noqa: N802
        if self._seen == self.server.pulses:
            await self.server.changed()

    async def TABLE(self) -> str:  # noqa: N802
        return self._table
