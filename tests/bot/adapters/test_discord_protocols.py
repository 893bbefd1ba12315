"""Every opening protocol, played on Discord to its end and on: by the buttons that there are, by points where not."""

from __future__ import annotations

import random

import pytest

from bot.session.table import Table
from bot.session.tables import Tables
from bot.typed import read
from core.ai.fallback import legal_action
from core.game import ALL_PROTOCOLS, Act, Refusal, apply, decode
from core.notation import name
from tests.fakes.discord import Message, Person
from tests.fakes.discord_service import Service

#: So many actions of a game are played: every opening is over by then.
_LONG = 26
#: Buttons that lead to a point or ask something of the other side, or that end the game.
_NO_DECISION = ("pick", "type", "ask", "add", "cancel", "undo_ask", "draw_offer", "claim", "pass")


def _wire(button: dict[str, object]) -> str:
    return str(button["custom_id"]).rpartition(".")[2]


def _decisions(table: Table, board: Message) -> list[str]:
    """The labels of the buttons under the board that decide something, and are allowed."""
    (seat,), record = table.game.to_act, table.game.record
    now = record[-1].at if record else 0
    found = []
    for button in board.buttons:
        wire = _wire(button)
        if wire.partition("-")[0] not in _NO_DECISION and not isinstance(
            apply(table.game, seat, decode(wire), now), Refusal
        ):
            found.append(str(button["label"]))
    return found


def _points(table: Table) -> str:
    """Words for what the step wants by points; empty: the engine would rather decide something."""
    (seat,) = table.game.to_act
    wanted = legal_action(table.game, seat)
    assert wanted is not None
    if not wanted.points:
        return ""
    written = " ".join(name(at) for at in wanted.points)
    assert read(table, (seat,), written) == wanted, "points alone mean what the step wants"
    return written


@pytest.mark.asyncio
@pytest.mark.parametrize("protocol", ALL_PROTOCOLS)
async def test_every_protocol_is_played(tables: Tables, protocol: str) -> None:
    """Two people, decisions by lot: nothing is refused, and the board shows each step."""
    chance = random.Random(protocol)
    service = Service(tables)
    channel = service.server.guild("club").channel("general")
    people = (service.server.person("Ann"), service.server.person("小雨", "zh-CN"))
    async with service:
        more = {"opening": "D4"} if protocol == "designated" else {}
        board = await service.game(*people, channel, protocol=protocol, begins="black", **more)
        (table_id,) = await tables.tables_of(f"dc:{people[0].id}")
        acts: list[Act] = []
        for _ in range(_LONG):
            table = await tables.get(table_id)
            assert isinstance(table, Table)
            if table.game.outcome is not None:
                break
            await service.server.until(lambda table=table: f".{table.rev}." in _first(board), "the newest board")
            person = people[table.game.to_act[0]]
            before = len(table.game.record)
            assert await _acted(service, person, board, table, chance) == ""
            after = await tables.get(table_id)
            assert isinstance(after, Table)
            assert len(after.game.record) > before, (table.game.state.phase, board.labels)
            acts.append(after.game.record[before].action.act)
        assert acts.count(Act.PLACE) >= 5 or {Act.OFFER, Act.ADD} & set(acts)
        assert service.server.faults == []


def _first(board: Message) -> str:
    return str(board.buttons[0]["custom_id"])


async def _acted(service: Service, person: Person, board: Message, table: Table, chance: random.Random) -> str:
    """One step, as the person finds it: a decision by its button, or a point; what they hear."""
    decisions = _decisions(table, board)
    points = _points(table) if "Type a point" in board.labels else ""
    if decisions and not (points and chance.random() < 0.5):
        return await service.done(await person.press(board, chance.choice(decisions)))
    return await service.typed(person, board, points)
