"""Discord's REST interface and gateway on the loopback interface, for an unmodified client library.

It keeps servers, channels, messages and interactions, checks every body against the description of the API and behaves
like the real one where a bot can notice: an interaction is acknowledged once and within three seconds, its token lives
for fifteen minutes, an edit keeps the attachments that it does not list, the bot writes only where it may. What a call
got wrong by itself is kept in :attr:`DiscordServer.faults`; a test ends with that list empty.

Seconds pass only by :meth:`DiscordServer.advance`, so that a slow machine breaks no rule.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from tests.fakes.discord import calls
from tests.fakes.discord.gateway import Gateway
from tests.fakes.discord.people import Person, newcomer
from tests.fakes.discord.places import GROUP, Channel, Guild, Message
from tests.fakes.discord.refusals import told
from tests.fakes.discord.visits import COMPLETION, Interaction

PATIENCE = 30.0
"""Seconds until :meth:`DiscordServer.until` gives up."""
EPOCH = 1_420_070_400_000


@dataclass(frozen=True)
class Call:
    """A call that the bot made, and how it ended."""

    name: str
    path: str
    body: Any
    status: int


@dataclass
class _Failure:
    name: str
    status: int
    body: dict[str, Any]
    times: int
    headers: dict[str, str] = field(default_factory=dict)
    path: str = ""


class DiscordServer:
    """Use it as ``async with DiscordServer() as server``."""

    def __init__(self, token: str = "TESTTOKEN.made.up", *, shards: int = 1) -> None:  # noqa: S107 - made up
        self.token = token
        self.shards = shards
        self.url = ""
        self.elapsed = 0.0
        """Seconds that have passed by :meth:`advance`."""
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.people: dict[int, Person] = {}
        self.interactions: dict[str, Interaction] = {}
        """By token."""
        self.commands: list[dict[str, Any]] = []
        self.registrations = 0
        self.calls: list[Call] = []
        self.faults: list[str] = []
        self.deliver_times = 1
        """How many times every interaction is delivered."""
        self.hold: asyncio.Event | None = None
        """While set, calls that change messages wait for it: a slow network."""
        self.gateway = Gateway(self)
        self.pulses = 0
        """How many things have happened."""
        self._serial = 0
        self._failures: list[_Failure] = []
        self._changed = asyncio.Event()
        self._runner: web.AppRunner | None = None
        self.application = self.snowflake()
        self.bot = {
            "id": str(self.application),
            "username": "renju",
            "global_name": None,
            "discriminator": "0001",
            "avatar": None,
            "bot": True,
            "public_flags": 0,
        }

    # -- running ---------------------------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        calls.add_routes(app, self)
        app.router.add_get("/gateway", self.gateway.connect)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._runner is not None
        await self.gateway.close()
        await self._runner.cleanup()

    @property
    def api_url(self) -> str:
        """The address that calls begin with."""
        return f"{self.url}/api/v10"

    @property
    def gateway_url(self) -> str:
        """The address of the gateway."""
        return self.url.replace("http://", "ws://") + "/gateway"

    async def until(self, holds: Callable[[], object], what: str = "") -> None:
        """Wait until ``holds()`` is true; it is asked again whenever something happened here."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not holds():
                    await self.changed()
        except TimeoutError:
            recent = "\n".join(f"  {call.name} {call.path} {call.status}" for call in self.calls[-8:])
            raise AssertionError(
                f"it never came: {what or holds}\nfaults: {self.faults}\nlast calls:\n{recent}"
            ) from None

    async def changed(self) -> None:
        """Return when the next thing happens."""
        await self._changed.wait()

    def pulse(self) -> None:
        """Something happened: wake whoever waits."""
        self.pulses += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def ready(self) -> None:
        """Wait until the bot is connected and has registered its commands."""
        await self.until(lambda: self.gateway.connected and self.commands, "the bot is there")

    # -- time ------------------------------------------------------------------------------------------------------

    def advance(self, seconds: float) -> None:
        """Let time pass, for the rules of the server and for :meth:`clock`."""
        self.elapsed += seconds

    def clock(self) -> int:
        """Milliseconds since 1970, with the advances."""
        return time.time_ns() // 1_000_000 + int(self.elapsed * 1000)

    def snowflake(self) -> int:
        """A new id; later ones are larger."""
        self._serial += 1
        return (self.clock() - EPOCH) << 22 | self._serial

    @staticmethod
    def born(snowflake: int) -> int:
        """When the thing of this id was made, in milliseconds since 1970."""
        return (snowflake >> 22) + EPOCH

    # -- people and places -----------------------------------------------------------------------------------------

    def person(self, name: str, locale: str = "en-US") -> Person:
        """Somebody new."""
        person = newcomer(self, name, locale)
        self.people[person.id] = person
        self.channels[person.dm.id] = person.dm
        return person

    def guild(self, name: str, *, locale: str = "en-US", bot: bool = True) -> Guild:
        """A new server, with the bot in it or not. The bot must not be connected yet when it is in it."""
        guild = Guild(self, self.snowflake(), name, locale, bot)
        self.guilds[guild.id] = guild
        return guild

    def group(self, *people: Person) -> Channel:
        """A group of people, which the bot can never be in."""
        channel = Channel(self, self.snowflake(), GROUP, "group", people=list(people))
        self.channels[channel.id] = channel
        return channel

    def friends(self, one: Person, other: Person) -> Channel:
        """The direct messages of two people."""
        channel = Channel(self, self.snowflake(), GROUP, "friends", people=[one, other])
        self.channels[channel.id] = channel
        return channel

    # -- what people do --------------------------------------------------------------------------------------------

    async def visit(
        self,
        kind: int,
        person: Person,
        channel: Channel,
        data: dict[str, Any],
        *,
        message: Message | None = None,
        then: list[dict[str, Any]] | None = None,
    ) -> Interaction:
        """Tell the bot what somebody did, and wait until it is acknowledged."""
        interaction = self.begin(kind, person, channel, data, message=message, then=then)
        await self.deliver(interaction)
        await self.until(lambda: interaction.answers, f"an answer to what {person.name} did: {data}")
        return interaction

    def begin(
        self,
        kind: int,
        person: Person,
        channel: Channel,
        data: dict[str, Any],
        *,
        message: Message | None = None,
        then: list[dict[str, Any]] | None = None,
    ) -> Interaction:
        """An interaction that the bot has not been told of yet."""
        made = Interaction(
            self.snowflake(), secrets.token_urlsafe(40), kind, person, channel, data, self.elapsed, message, then
        )
        self.interactions[made.token] = made
        return made

    async def deliver(self, interaction: Interaction) -> None:
        """Tell the bot of an interaction."""
        guild = interaction.channel.guild
        shard = guild.id if guild is not None and guild.has_bot else None
        for _ in range(1 if interaction.kind == COMPLETION else self.deliver_times):
            await self.gateway.dispatch("INTERACTION_CREATE", interaction.describe(), guild=shard)

    def command(self, name: str, kind: int) -> dict[str, Any]:
        """A command that the bot has registered."""
        found = [command for command in self.commands if (command["name"], command.get("type", 1)) == (name, kind)]
        assert found, f"there is no command {name!r}; there are {[command['name'] for command in self.commands]}"
        return found[0]

    # -- trouble ---------------------------------------------------------------------------------------------------

    def fail(
        self,
        name: str,
        status: int,
        *,
        code: int = 0,
        message: str = "",
        times: int = 1,
        retry_after: float | None = None,
        path: str = "",
    ) -> None:
        """Let the next calls of a name such as ``PATCH message`` fail; ``path``: only those with it in their path."""
        body: dict[str, Any] = {"code": code, "message": message or f"{status}"}
        headers: dict[str, str] = {}
        if retry_after is not None:
            body |= {"retry_after": retry_after, "global": False}
            headers = {"Via": "1.1 google", "Retry-After": str(retry_after)}
        self._failures.append(_Failure(name, status, body, times, headers, path))

    def failure(self, name: str, path: str) -> web.Response | None:
        """The failure that this call is to meet, if any."""
        for failure in self._failures:
            if failure.name == name and failure.path in path:
                failure.times -= 1
                if failure.times == 0:
                    self._failures.remove(failure)
                return told(failure.body, status=failure.status, headers=failure.headers)
        return None

    def forget(self, message: Message) -> None:
        """Somebody deletes a message."""
        message.deleted = True

    @property
    def messages(self) -> list[Message]:
        """Every message that exists."""
        return [m for channel in self.channels.values() for m in channel.history.values() if not m.deleted]
