"""Answers to interactions: acknowledged first, exactly once; what somebody is told, they alone see."""

from __future__ import annotations

import io
from enum import Enum, auto
from typing import Final

import aiohttp
import discord
import structlog
from discord import ui

from bot.adapters.discord.layout import PICTURE, said

log = structlog.get_logger("renju.discord")

#: "Unknown interaction": three seconds are over, nothing can be answered any more.
_TOO_LATE: Final = 10062
#: What a call raises when it is not known whether it arrived.
LINE_FAULTS: Final = (aiohttp.ClientError, OSError, discord.DiscordServerError)


class Kind(Enum):
    """How an interaction is acknowledged."""

    BOARD = auto()  # everybody sees that the bot is thinking; a board takes its place
    WORDS = auto()  # the person alone sees that the bot is thinking; words or a choice take its place
    CHANGE = auto()  # nobody sees anything; the message that was used may change
    STEP = auto()  # the same in a message that the person alone sees
    FORM = auto()  # a form opens, which is the acknowledgement


class Reply:
    """The answer to one interaction."""

    def __init__(self, interaction: discord.Interaction, kind: Kind, at: int) -> None:
        self.interaction = interaction
        self._kind = kind
        self.at = at
        """When it arrived, in milliseconds since 1970: clocks are judged by that."""

    async def acknowledge(self) -> bool:
        """Whether it came in time. A call whose fate is not known counts as arrived: doing things twice is harmless."""
        if self._kind is Kind.FORM:
            return True
        response = self.interaction.response
        try:
            if self._kind in (Kind.CHANGE, Kind.STEP):
                await response.defer()
            else:
                await response.defer(ephemeral=self._kind is Kind.WORDS, thinking=True)
        except discord.NotFound as error:
            log.warning("discord_too_late", code=error.code, interaction=self.interaction.id)
            return False
        except LINE_FAULTS as error:
            log.warning("discord_not_acknowledged", why=type(error).__name__)
        except discord.HTTPException as error:
            log.warning("discord_not_acknowledged", status=error.status, code=error.code)
        return True

    async def say(self, text: str) -> None:
        """One line to whoever caused it; empty: nothing."""
        if not text:
            await self.nothing()
        else:
            if self._kind is Kind.BOARD:
                await self.interaction.delete_original_response()
            await self.present(said(text))

    async def present(self, view: ui.LayoutView, picture: bytes | None = None) -> None:
        """A private message of this look; from then on it is a message of its own."""
        if self._kind is Kind.WORDS:
            await self.show(view, picture)
        else:
            await self.interaction.followup.send(view=view, files=files(picture), ephemeral=True)

    async def show(self, view: ui.LayoutView, picture: bytes | None = None) -> None:
        """Let the answer, or the message that was used, look like this."""
        await self.interaction.edit_original_response(view=view, attachments=files(picture))

    async def form(self, form: ui.Modal) -> None:
        """Open a form."""
        await self.interaction.response.send_modal(form)

    async def nothing(self) -> None:
        """There is nothing to say: what shows that the bot is thinking goes away."""
        if self._kind is Kind.WORDS:
            await self.interaction.delete_original_response()

    async def close(self) -> None:
        """The private message that was used has done its work."""
        await self.interaction.delete_original_response()


def files(picture: bytes | None) -> list[discord.File]:
    """The attachments of a message: at most its one picture."""
    if picture is None:
        return []
    return [discord.File(io.BytesIO(picture), filename=PICTURE)]
