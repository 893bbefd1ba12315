"""What is offered while an option of a command is typed. Never gives a forbidden point away: the scene decides."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from functools import wraps
from typing import Any, Final, ParamSpec

import discord
import structlog
from discord.app_commands import Choice

from bot.adapters.discord.picker import middle
from bot.adapters.discord.preferences import Preferences
from bot.adapters.discord.reading import me, place_of
from bot.composing import compose
from bot.composing.lines import protocol_name
from bot.composing.people import Told
from bot.desk import Desk, Notice
from bot.newgame import EXAMPLES, FLAGS
from bot.scene import Viewer
from bot.session.store import StoreUnavailable
from bot.session.table import Person, Table
from bot.session.tables import Tables
from bot.words import Words, words
from bot.words.choices import CLOCKS, clock_name
from bot.words.openings import opening_name
from core.clock import ControlError, control
from core.game import ALL_PROTOCOLS
from core.notation import POINTS, Point, column_of, label, row_of
from core.openings.names import OPENINGS

log = structlog.get_logger("renju.discord")

#: How many choices are shown, and how long the name or value of one may be.
_MOST: Final = 25
_NAME: Final = 100
#: How long choices are looked for, in seconds: Discord waits for three, and nobody waits longer while typing.
_SOON: Final = 2.0
Given = ParamSpec("Given")


def _in_time(
    look: Callable[Given, Awaitable[list[Choice[str]]]],
) -> Callable[Given, Coroutine[Any, Any, list[Choice[str]]]]:
    """Offer nothing while the store is too slow or away: what is typed counts all the same."""

    @wraps(look)
    async def limited(*given: Given.args, **named: Given.kwargs) -> list[Choice[str]]:
        try:
            async with asyncio.timeout(_SOON):
                return await look(*given, **named)
        except (StoreUnavailable, TimeoutError):
            return []

    return limited


class Completing:
    """Offers choices; nothing to offer is an empty list, never an error."""

    def __init__(self, desk: Desk, tables: Tables, preferences: Preferences) -> None:
        self._desk = desk
        self._tables = tables
        self._preferences = preferences

    @_in_time
    async def points(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        """The points that can be played, those near the play first; further ones of several are completed, too."""
        game: str | None = getattr(interaction.namespace, "game", None)
        before, _, last = typed.upper().rpartition(" ")
        table = await self._desk.find(me(interaction), game or None, None if game else place_of(interaction))
        if isinstance(table, Notice):
            return []
        person = me(interaction)
        scene = compose(table, Viewer(person.language, seats=table.seats_of(person.id)))
        if scene.entry is None:
            return []
        start = middle(scene)
        near = sorted(scene.entry.points, key=lambda point: (_distance(point, start), point))
        fitting = [label(point) for point in near if label(point).startswith(last)]
        return _offered((f"{before} {name}".strip(), f"{before} {name}".strip()) for name in fitting)

    async def labels(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        """Every point of the board, whatever lies there."""
        wish = typed.strip().upper()
        return _offered((label(at), label(at)) for at in range(POINTS) if label(at).startswith(wish))

    async def clocks(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        """The usual clocks, and what was typed, if it is one."""
        chosen, wish = await self._words(interaction), typed.strip().casefold()
        fitting = [(clock_name(chosen, clock), clock) for clock in CLOCKS]
        offered = [(name, clock) for name, clock in fitting if wish in name.casefold() or wish in clock]
        if wish and wish not in dict(fitting) and _is_clock(wish):
            offered.insert(0, (wish, wish))
        return _offered(offered)

    async def protocols(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        """The opening protocols by their names in the client's language."""
        chosen = await self._words(interaction)
        named = [(protocol_name(chosen, protocol), protocol) for protocol in ALL_PROTOCOLS]
        wish = typed.casefold()
        return _offered((name, value) for name, value in named if wish in name.casefold() or wish in value)

    async def openings(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        """The 26 openings by their names in the client's language and their codes."""
        chosen, wish = await self._words(interaction), typed.casefold()
        named = [(f"{opening.code} {opening_name(chosen, opening).text}", opening.code) for opening in OPENINGS]
        return _offered((name, code) for name, code in named if wish in name.casefold())

    async def options(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        """The options of the rules; several are typed one after the other."""
        before, _, last = typed.lower().rpartition(" ")
        fitting = [option for option in (*FLAGS, *EXAMPLES) if option.startswith(last) and option not in before.split()]
        return _offered((f"{before} {option}".strip(), f"{before} {option}".strip()) for option in fitting)

    @_in_time
    async def games(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        """The person's running games."""
        await self._preferences.recognise(interaction)
        return await self._games(me(interaction), await self._mine(interaction), typed, over=False)

    @_in_time
    async def ended(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        """The person's games that have ended."""
        await self._preferences.recognise(interaction)
        return await self._games(me(interaction), await self._mine(interaction), typed, over=True)

    @_in_time
    async def shown(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        """The games of this chat and those of the person: whose board can be shown."""
        place = place_of(interaction)
        await self._preferences.recognise(interaction)
        here = await self._desk.shown_in(place)
        every = dict.fromkeys([*here, *await self._mine(interaction)])
        return await self._games(me(interaction), list(every), typed, over=None)

    async def _words(self, interaction: discord.Interaction) -> Words:
        await self._preferences.recognise(interaction)
        return words(me(interaction).language)

    async def _mine(self, interaction: discord.Interaction) -> list[str]:
        return await self._tables.tables_of(me(interaction).id)

    async def _games(self, person: Person, ids: list[str], typed: str, *, over: bool | None) -> list[Choice[str]]:
        named = []
        for table_id in ids:
            table = await self._tables.get(table_id)
            if isinstance(table, Table) and over in (None, table.game.outcome is not None):
                named.append((_told(person, table), table_id))
        wish = typed.casefold()
        return _offered((name, table_id) for name, table_id in named if wish in name.casefold() or wish == table_id)


def _told(person: Person, table: Table) -> str:
    """A game in a few words: who plays whom, by which rule, how far."""
    chosen = words(person.language)
    told = Told(chosen, table, 20)
    title = compose(table, Viewer(person.language)).title
    stones = len(table.game.state.stones)
    return f"{told.name(0).text} – {told.name(1).text} · {title} · {stones}"


def _is_clock(typed: str) -> bool:
    """Whether this is a clock as it is written."""
    try:
        control(typed)
    except ControlError:
        return False
    return True


def _offered(named: Iterable[tuple[str, str]]) -> list[Choice[str]]:
    """As many as are shown. A value that is too long is none at all: cut, it would mean something else."""
    choices: list[Choice[str]] = []
    for name, value in named:
        if len(choices) == _MOST:
            break
        if len(value) <= _NAME:
            choices.append(Choice(name=name if len(name) <= _NAME else name[: _NAME - 1] + "…", value=value))
    return choices


def _distance(one: Point, other: Point) -> int:
    return max(abs(column_of(one) - column_of(other)), abs(row_of(one) - row_of(other)))
