"""A clock in the test's hand, and what happens while it goes on."""

from __future__ import annotations

import msgspec

from bot.session.table import Person, Table
from bot.session.tables import Tables
from bot.session.timekeeper import BEAT, Timekeeper
from tests.bot.session.people import intent

START = 1_700_000_000_000


class Watch:
    """The time of day, in the test's hand."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now


async def later(keeper: Timekeeper, watch: Watch, span: int) -> None:
    """So much time passes while the service runs and looks as often as it should."""
    end = watch.now + span
    while watch.now < end:
        watch.now = min(watch.now + BEAT, end)
        await keeper.look()


async def much_later(keeper: Timekeeper, watch: Watch, tables: Tables, span: int) -> None:
    """As :func:`later`, for days: the looks between are left out, but not the heartbeat."""
    watch.now += span
    await tables.deadlines.beat(watch.now)
    await keeper.look()


async def there(tables: Tables, table: Table) -> Table:
    """The table as it stands now."""
    now = await tables.get(table.id)
    assert isinstance(now, Table)
    return now


async def moved(tables: Tables, table: Table, who: Person, words: str, at: int = 0) -> Table:
    """The table after an action that must be accepted; it arrives at ``at``, or now."""
    after = await tables.act(msgspec.structs.replace(intent(table, who, *words.split()), at=at))
    assert isinstance(after, Table), after
    return after


async def acts(tables: Tables, table: Table) -> list[str]:
    """What has been done at a table, the referee's acts too."""
    return [" ".join(entry.action.words()) for entry in (await there(tables, table)).game.record]
