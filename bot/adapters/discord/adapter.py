"""Discord: the connection, and the parts that work on it."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import Any, Final

import aiohttp
import discord
import structlog
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.adapters.discord.address import api_base
from bot.adapters.discord.arrival import Arrivals
from bot.adapters.discord.commands import Names, add_commands
from bot.adapters.discord.completing import Completing
from bot.adapters.discord.form import is_form
from bot.adapters.discord.hearing import Hearing
from bot.adapters.discord.items import ITEMS, dispatch
from bot.adapters.discord.layout import said
from bot.adapters.discord.line import Line
from bot.adapters.discord.messages import Messages
from bot.adapters.discord.pace import Pace
from bot.adapters.discord.preferences import Preferences
from bot.adapters.discord.reading import me
from bot.adapters.discord.registration import Registration
from bot.adapters.discord.replies import LINE_FAULTS
from bot.adapters.discord.shower import GIVEN_UP, DiscordShower
from bot.adapters.discord.ways import Ways
from bot.desk import Desk
from bot.session.store import StoreUnavailable
from bot.session.tables import Tables
from bot.words import words

log = structlog.get_logger("renju.discord")

# Nobody speaks here: the operator need not hear that the libraries for it are missing.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False

#: The longest pause between tries to reach Discord at the start, in seconds.
_LONGEST: Final = 30.0
#: The longest wait that the library takes on itself when Discord asks for one, in seconds; it takes no smaller one.
_LIBRARY_WAITS: Final = 30.0
_SHORTEST: Final = 0.5
#: What the gateway closes with when nothing will be better the next time: the token, shards, version, intents.
_FOR_GOOD: Final = (4004, 4010, 4011, 4012, 4013, 4014)
#: Anything else would not even fit a request.
_A_TOKEN: Final = re.compile(r"[\x21-\x7e]+")
_HINT: Final = "check DISCORD_TOKEN; the developer portal gives a new one"


class _Tree(app_commands.CommandTree[discord.AutoShardedClient]):
    """The commands; one that cannot be understood is answered, too."""

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError, /) -> None:
        """A client that shows commands of another version, mostly."""
        log.warning("discord_command_not_understood", why=str(error))
        say = words(me(interaction).language).say
        await _answer(interaction, say("I do not know that command. Write /help to see those I know."))


@dataclass(frozen=True, slots=True)
class _Parts:
    """What outlives a connection."""

    hearing: Hearing
    completing: Completing
    arrivals: Arrivals
    registration: Registration
    shower: DiscordShower


class _Client(discord.AutoShardedClient):
    """The library's client, told where interactions go."""

    def __init__(self, parts: _Parts, api_url: str | None) -> None:
        super().__init__(
            # Commands, buttons and forms come without any privileged intent; servers come for the library's own sake.
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_ratelimit_timeout=_LIBRARY_WAITS,
        )
        self._api_url = api_url
        self._registering: asyncio.Task[None] | None = None
        self._parts = parts
        self.hearing = parts.hearing
        self.tree = _Tree(
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
        )
        add_commands(self.tree, parts.hearing, parts.completing)
        self.add_dynamic_items(*ITEMS)

    async def setup_hook(self) -> None:
        """After the login: find the gateway of another server, and tell Discord our commands."""
        if self._api_url is not None:
            _, gateway, _ = await self.http.get_bot_gateway()
            DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
        await self.tree.set_translator(Names())
        self._registering = asyncio.create_task(self._register(), name="discord commands")

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """The library tells of everything here, while it reads it: an interaction has arrived now, wait as it may."""
        if event == "interaction":
            self._parts.arrivals.note(args[0])
        super().dispatch(event, *args, **kwargs)

    async def _register(self) -> None:
        """One set of commands for everywhere, put in place of what is there; as often as it takes."""
        pause = 1.0
        while True:
            try:
                await self._parts.registration.register(self, self.tree)
                return
            except discord.RateLimited as error:
                pause = error.retry_after
            except (discord.DiscordServerError, StoreUnavailable, aiohttp.ClientError, OSError) as error:
                log.warning("discord_commands_not_registered", why=type(error).__name__)
            except (discord.HTTPException, app_commands.CommandSyncFailure) as error:
                log.error("discord_commands_refused", status=error.status, code=error.code, why=error.text)
                return
            await asyncio.sleep(pause)
            pause = min(_LONGEST, pause * 2)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """A server has let the bot in again: boards that could not be shown any more come back."""
        for channel in (*guild.channels, *guild.threads):
            await self._reopened(channel.id)

    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """The bot may perhaps write there again."""
        await self._reopened(after.id)

    async def on_thread_update(self, before: discord.Thread, after: discord.Thread) -> None:
        """The same; where a thread leaves the archive."""
        if not after.archived:
            await self._reopened(after.id)

    async def on_thread_join(self, thread: discord.Thread) -> None:
        """The same: the library forgets a thread that goes to sleep, so one that is woken is new to it."""
        if not thread.archived:
            await self._reopened(thread.id)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """What a role may do has changed, perhaps one of the bot's: the same, everywhere in that server."""
        if before.permissions != after.permissions:
            await self.on_guild_join(after.guild)

    async def _reopened(self, channel: int) -> None:
        try:
            await self._parts.shower.reopened(str(channel))
        except StoreUnavailable:
            log.warning("discord_boards_not_sent_anew", channel=channel)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Forms come by no other way, since the library forgets them at a restart; nor do items that it lets pass."""
        if is_form(interaction):
            await self.hearing.submitted(interaction)
            return
        component = interaction.type is discord.InteractionType.component
        if interaction.type is discord.InteractionType.modal_submit or (component and not await dispatch(interaction)):
            say = words(me(interaction).language).say
            await _answer(interaction, say("This button means nothing here."))

    async def on_ready(self) -> None:
        """Say so."""
        log.info("discord_connected", bot=str(self.user), shards=self.shard_count)

    async def close(self) -> None:
        """Let the work under way end, then the connections."""
        if self._registering is not None:
            self._registering.cancel()
        await self.hearing.close()
        await super().close()


async def _answer(interaction: discord.Interaction, text: str) -> None:
    """One line to whoever caused it, where nobody else answers."""
    try:
        await interaction.response.send_message(view=said(text), ephemeral=True)
    except (discord.HTTPException, discord.InteractionResponded, *LINE_FAULTS) as error:
        log.info("discord_not_delivered", why=type(error).__name__)


class Discord:
    """The adapter. Run :meth:`run`; give :attr:`shower` to the refresher.

    ``api_url``: where the calls go instead of Discord itself.
    """

    def __init__(
        self, *, token: str, desk: Desk, tables: Tables, api_url: str | None = None, pace: Pace | None = None
    ) -> None:
        self._token = token.strip()
        self._api_url = api_url
        self._line, pace = Line(), pace or Pace()
        ways, preferences = Ways(tables), Preferences(tables)
        messages = Messages(self._line, ways, pace)
        self.shower = DiscordShower(self._line, tables, messages, preferences, pace)
        self._hearing = Hearing(desk, tables, self.shower, ways, preferences)
        completing = Completing(desk, tables, preferences)
        arrivals, registration = Arrivals(tables.clock), Registration(tables)
        self._parts = _Parts(self._hearing, completing, arrivals, registration, self.shower)

    async def run(self) -> None:
        """Work until cancelled, or until Discord does not know the token: that is said once, and is the end here.

        After any other fault everything begins anew, however long Discord cannot be reached.
        """
        Route.BASE = api_base(self._api_url)
        pause = _SHORTEST
        try:
            while await self._work(pause):
                await asyncio.sleep(pause)
                pause = _SHORTEST if self._line.was_open else min(_LONGEST, pause * 2)
        finally:
            self.shower.closed_for = GIVEN_UP

    async def _work(self, pause: float) -> bool:
        """One connection, from its beginning to its end. Whether there is to be another one."""
        if not _A_TOKEN.fullmatch(self._token):
            log.error("discord_token_invalid", hint=_HINT)
            return False
        client = _Client(self._parts, self._api_url)
        self._line.open(client)
        try:
            await client.login(self._token)
            self._line.was_open, self.shower.closed_for = True, None
            await client.connect()
        except discord.LoginFailure:
            log.error("discord_token_invalid", hint=_HINT)
            return False
        except discord.ConnectionClosed as error:
            log.error("discord_connection_refused", code=error.code)
            return error.code not in _FOR_GOOD
        except (discord.HTTPException, discord.RateLimited, discord.GatewayNotFound, *LINE_FAULTS) as error:
            if pause == _SHORTEST:
                log.warning("discord_unreachable", why=type(error).__name__)
        except Exception:
            log.exception("discord_fault")
        finally:
            self.shower.close()
            await client.close()
        return True

    async def settled(self) -> None:
        """Return when everything that was begun is done."""
        await self._hearing.close()
