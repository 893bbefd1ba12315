"""Discord: the connection, and the parts that work on it."""

from __future__ import annotations

import asyncio
from typing import Final

import aiohttp
import discord
import structlog
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.adapters.discord.address import api_base
from bot.adapters.discord.calls import Calls
from bot.adapters.discord.commands import Names, add_commands
from bot.adapters.discord.completing import Completing
from bot.adapters.discord.form import is_form
from bot.adapters.discord.hearing import Hearing
from bot.adapters.discord.items import ITEMS
from bot.adapters.discord.pace import Pace
from bot.adapters.discord.preferences import Preferences
from bot.adapters.discord.shower import GIVEN_UP, DiscordShower
from bot.adapters.discord.ways import Ways
from bot.desk import Desk
from bot.session.tables import Tables

log = structlog.get_logger("renju.discord")

# Nobody speaks here: the operator need not hear that the libraries for it are missing.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False

#: The longest pause between tries to reach Discord at the start, in seconds.
_LONGEST: Final = 30.0
#: The longest wait that the library takes on itself when Discord asks for one, in seconds; it takes no smaller one.
_LIBRARY_WAITS: Final = 30.0


class _Client(discord.AutoShardedClient):
    """The library's client, told where interactions go."""

    def __init__(self, desk: Desk, tables: Tables, pace: Pace, api_url: str | None) -> None:
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
        ways, preferences = Ways(tables), Preferences(tables)
        self.shower = DiscordShower(self, ways, preferences, Calls(self, tables, pace), pace)
        self.hearing = Hearing(desk, tables, self.shower, ways, preferences)
        self.tree = app_commands.CommandTree(
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
        )
        add_commands(self.tree, self.hearing, Completing(desk, tables))
        self.add_dynamic_items(*ITEMS)

    async def setup_hook(self) -> None:
        """After the login: find the gateway of another server, and tell Discord our commands."""
        if self._api_url is not None:
            _, gateway, _ = await self.http.get_bot_gateway()
            DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
        await self.tree.set_translator(Names())
        self._registering = asyncio.create_task(self._register(), name="discord commands")

    async def _register(self) -> None:
        """One set of commands for everywhere, put in place of what is there; as often as it takes."""
        pause = 1.0
        while True:
            try:
                await self.tree.sync()
                return
            except discord.RateLimited as error:
                pause = error.retry_after
            except (discord.DiscordServerError, aiohttp.ClientError, OSError) as error:
                log.warning("discord_commands_not_registered", why=type(error).__name__)
            except discord.HTTPException as error:
                log.error("discord_commands_refused", status=error.status, code=error.code, why=error.text)
                return
            await asyncio.sleep(pause)
            pause = min(_LONGEST, pause * 2)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Forms come by no other way: the library forgets them at a restart."""
        if is_form(interaction):
            await self.hearing.submitted(interaction)

    async def on_ready(self) -> None:
        """Say so."""
        log.info("discord_connected", bot=str(self.user), shards=self.shard_count)

    async def close(self) -> None:
        """Let the work under way end, then the connections."""
        registering = getattr(self, "_registering", None)
        if registering is not None:
            registering.cancel()
        await self.hearing.close()
        await super().close()


class Discord:
    """The adapter. Run :meth:`run`; give :attr:`shower` to the refresher.

    ``api_url``: where the calls go instead of Discord itself.
    """

    def __init__(
        self, *, token: str, desk: Desk, tables: Tables, api_url: str | None = None, pace: Pace | None = None
    ) -> None:
        self._token = token
        self._api_url = api_url
        self._client = _Client(desk, tables, pace or Pace(), api_url)
        self.shower = self._client.shower

    async def run(self) -> None:
        """Work until cancelled, or until Discord does not know the token: that is said once, and is the end here."""
        Route.BASE = api_base(self._api_url)
        try:
            await self._login()
            self.shower.closed_for = None
            await self._client.connect()
        except discord.LoginFailure:
            log.error("discord_token_invalid", hint="check DISCORD_TOKEN; the developer portal gives a new one")
        except discord.ConnectionClosed as error:
            log.error("discord_connection_refused", code=error.code)
        finally:
            self.shower.closed_for = GIVEN_UP
            await self._client.close()

    async def _login(self) -> None:
        """Log in, however long Discord cannot be reached. Raises ``LoginFailure``."""
        pause = 0.5
        while True:
            try:
                await self._client.login(self._token)
                return
            except discord.LoginFailure:
                raise
            except (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError) as error:
                if pause == 0.5:
                    log.warning("discord_unreachable", why=type(error).__name__)
            await asyncio.sleep(pause)
            pause = min(_LONGEST, pause * 2)

    async def settled(self) -> None:
        """Return when everything that was begun is done."""
        await self._client.hearing.close()
