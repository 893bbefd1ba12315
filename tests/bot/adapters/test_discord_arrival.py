"""An action counts by when it arrived, whatever Discord's clock says and however long it waits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.discord.arrival import LONGEST, Arrivals, arrived
from bot.session.table import Intent
from bot.session.tables import Tables
from tests.fakes.discord_service import Service

EPOCH = 1_420_070_400_000


@dataclass
class Read:
    """An interaction, as far as arrivals know it."""

    id: int
    extras: dict[Any, Any] = field(default_factory=dict)


def stamps(skew: int, delays: list[int], pauses: list[int]) -> list[tuple[int, int]]:
    """When people acted and what they were stamped with, by our clock; Discord's is ``skew`` ahead."""
    now = [1_790_000_000_000]
    arrivals, found = Arrivals(lambda: now[0]), []
    acted = now[0]
    for delay, pause in zip(delays, pauses, strict=True):
        acted = max(acted + pause, now[0])
        now[0] = acted + delay
        read = Read((acted + skew - EPOCH) << 22)
        interaction = cast("discord.Interaction", read)
        arrivals.note(interaction)
        found.append((acted, arrived(interaction, lambda: -1)))
    return found


class TestStamps:
    """Discord's clock is not ours."""

    @given(
        st.integers(-10_000_000, 10_000_000),
        st.lists(st.tuples(st.integers(0, 2_000), st.integers(0, 10_000)), min_size=1, max_size=300),
    )
    def test_a_slow_line_costs_nobody_their_time(self, skew: int, taps: list[tuple[int, int]]) -> None:
        """Once one interaction came at once, all later ones are stamped with when they were done."""
        delays, pauses = [0, *(delay for delay, _ in taps)], [0, *(pause for _, pause in taps)]
        for number, (acted, stamped) in enumerate(stamps(skew, delays, pauses)):
            if number < 256:
                assert stamped == acted

    @given(
        st.integers(-10_000_000, 10_000_000),
        st.lists(st.tuples(st.integers(0, 60_000), st.integers(0, 10_000)), min_size=1, max_size=50),
    )
    def test_nobody_gains_more_than_a_tap_can_be_late(self, skew: int, taps: list[tuple[int, int]]) -> None:
        """Never before it was done, never after it was read, and at most three seconds before that."""
        delays = [delay for delay, _ in taps]
        for delay, (acted, stamped) in zip(delays, stamps(skew, delays, [pause for _, pause in taps]), strict=True):
            assert acted <= stamped <= acted + delay
            assert stamped >= acted + delay - LONGEST

    def test_without_a_stamp_it_arrives_when_it_is_asked(self) -> None:
        """Nobody is refused for that."""
        assert arrived(cast("discord.Interaction", Read(1)), lambda: 7) == 7


@pytest.mark.asyncio
async def test_a_tap_that_waits_for_the_loop_counts_by_its_arrival(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock runs on between reading it and judging it: the move is of the moment when it was read."""
    now = [1_790_000_000_000]
    monkeypatch.setattr(tables, "clock", lambda: now[0])
    seen: list[Intent] = []
    act = Tables.act

    async def noted(self: Tables, intent: Intent) -> Any:
        seen.append(intent)
        return await act(self, intent)

    monkeypatch.setattr(Tables, "act", noted)
    service = Service(tables)
    channel = service.server.guild("club").channel("general")
    ann, ben = service.server.person("Ann"), service.server.person("Ben")
    async with service:
        board = await service.game(ann, ben, channel)
        client = service.adapter._line.client
        note = client._parts.arrivals.note  # type: ignore[attr-defined]
        read: list[int] = []

        def waits(interaction: discord.Interaction) -> None:
            note(interaction)
            read.append(interaction.extras["at"])
            now[0] += 1_500  # until the loop comes to it

        monkeypatch.setattr(type(client._parts.arrivals), "note", lambda _, interaction: waits(interaction))  # type: ignore[attr-defined]
        assert await service.done(await ann.slash("move", channel, point="h8")) == ""
        form = await ben.press(board, "Type a point")
        assert form.modal is not None
        assert await service.done(await ben.submit(form.modal, "h9")) == ""
        await service.server.until(lambda: "Pass" in board.labels, "the turn to move")
        await service.done(await ann.press(board, "Pass"))
    moves = [intent for intent in seen if intent.action.act in ("place", "pass")]
    assert [intent.at for intent in moves] == [read[0], read[2], read[3]]
