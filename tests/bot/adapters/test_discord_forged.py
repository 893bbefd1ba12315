"""What no client of Discord sends, or only an old one: it is answered, and does nothing that is nobody's business."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from bot.session.tables import Tables
from tests.fakes.discord import Interaction, Message, Person
from tests.fakes.discord.facts import BUTTON, ROW, SELECT
from tests.fakes.discord.visits import COMPONENT, SUBMIT
from tests.fakes.discord_service import Service

#: What items of every kind carry, with ``{0}`` for the table and its rev.
BUTTONS = ("g:{0}.pass", "p:{0}.axes", "p:{0}.type", "a:{0}.pass", "a:{0}.no", "l:{0}.show", "b:start:", "p:what", "a:")
SELECTS = ("s:{0}.col-0", "n:opponent:", "q:0", "o:mystyle", "s:what")


@pytest_asyncio.fixture
async def game(tables: Tables) -> AsyncIterator[tuple[Service, Person, Message]]:
    """Ann's game against Ben, in which she is to move; the board is everybody's."""
    service = Service(tables)
    channel = service.server.guild("club").channel("general")
    ann, ben = service.server.person("Ann"), service.server.person("Ben")
    async with service:
        board = await service.game(ann, ben, channel)
        await service.play((ann, ben), board, "h8 h9")
        yield service, ann, board


async def used(
    service: Service, person: Person, message: Message, custom_id: str, kind: int, *, shown: bool
) -> Interaction:
    """Use an item that the message does not have; ``shown``: a client has made up that it does."""
    item: dict[str, Any] = {"type": kind, "id": 2, "custom_id": custom_id}
    item |= {"style": 2, "label": "-"} if kind == BUTTON else {"options": [{"label": "x", "value": "x"}]}
    then = [{"type": ROW, "id": 1, "components": [item]}] if shown else None
    data = {"custom_id": custom_id, "component_type": kind, "id": 2} | ({} if kind == BUTTON else {"values": ["x"]})
    interaction = await service.server.visit(COMPONENT, person, message.channel, data, message=message, then=then)
    await service.quiet()
    return interaction


@pytest.mark.asyncio
class TestItems:
    """Buttons and selects."""

    @pytest.mark.parametrize("shown", [False, True])
    @pytest.mark.parametrize(
        ("custom_id", "kind"), [*((one, BUTTON) for one in BUTTONS[1:]), *((one, SELECT) for one in SELECTS)]
    )
    async def test_what_belongs_to_a_private_message_does_nothing_to_a_board(
        self, game: tuple[Service, Person, Message], custom_id: str, kind: int, shown: bool
    ) -> None:
        """The board stays, and stays as it is; no stone is put, nothing passed."""
        service, ann, board = game
        table = board.custom_id("Pass").rpartition(".")[0].removeprefix("g:")
        before = (board.components, board.edits, len(board.channel.messages))
        interaction = await used(service, ann, board, custom_id.format(table), kind, shown=shown)
        assert len(interaction.answers) == 1
        assert interaction.modal or interaction.said == "This button means nothing here."
        assert (board.components, board.edits, len(board.channel.messages)) == before
        assert not board.deleted

    async def test_a_button_that_has_just_gone_is_answered(self, game: tuple[Service, Person, Message]) -> None:
        """Ann has seen Pass; by the time her tap is told of, the board shows another rev."""
        service, ann, board = game
        stale = board.custom_id("Pass")
        assert await service.typed(ann, board, "i9") == ""
        await service.stone("i9", board)
        interaction = await used(service, ann, board, stale, BUTTON, shown=False)
        assert "has moved on" in interaction.said

    async def test_a_number_of_a_list_brings_its_board_down_though_the_list_is_gone(
        self, game: tuple[Service, Person, Message]
    ) -> None:
        """The old board retires all the same."""
        service, ann, board = game
        asked = await ann.slash("games", board.channel)
        await service.quiet()
        listed = asked.private
        service.server.fail("DELETE answer", 404, code=10008)
        await ann.press(listed, "1")
        await service.quiet()
        await service.server.until(lambda: len(board.channel.boards) == 1 and board.channel.board is not board, "it")
        assert board.labels == []


@pytest.mark.asyncio
class TestForms:
    """Forms that were never opened."""

    @pytest.mark.parametrize("custom_id", ["m:what", "m:", "z:aaaaaaaa.1.type", "x"])
    async def test_it_is_answered(self, game: tuple[Service, Person, Message], custom_id: str) -> None:
        """Once, in one line."""
        service, ann, board = game
        data = {"custom_id": custom_id, "components": []}
        interaction = await service.server.visit(SUBMIT, ann, board.channel, data, message=board)
        await service.quiet()
        assert interaction.said == "This button means nothing here."

    async def test_what_is_longer_than_the_form_is_cut(self, game: tuple[Service, Person, Message]) -> None:
        """Nobody is answered with a page."""
        service, ann, board = game
        field = {"type": 4, "id": 2, "custom_id": "point", "value": "ü9" * 2000}
        data = {
            "custom_id": f"m:{board.custom_id('Type a point')[2:]}",
            "components": [{"type": 18, "component": field}],
        }
        interaction = await service.server.visit(SUBMIT, ann, board.channel, data, message=board)
        await service.quiet()
        assert 0 < len(interaction.said) < 200
