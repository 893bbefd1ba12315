"""People who block the bot, groups that remove it, and what they see when it is back."""

from __future__ import annotations

import asyncio

import pytest

from bot.session.table import Person as Player
from bot.session.tables import Tables
from tests.fakes.telegram.server import PATIENCE
from tests.fakes.telegram_service import Service

pytestmark = pytest.mark.asyncio


async def test_who_is_blocked_tells_the_other_side_and_comes_back(tables: Tables) -> None:
    """The opponent is told once, the game goes on, nothing is sent in vain; unblocked, the board comes anew."""
    async with Service(tables) as service:
        server = service.server
        ann, ben = server.person("Ann"), server.person("Ben")
        ann.send("/newgame friend free black")
        await server.until(lambda: any("?start=" in message.text for message in ann.private.from_bot), "the link")
        link = next(message.text for message in ann.private.from_bot if "?start=" in message.text)
        ben.send("/start " + link.rpartition("?start=")[2])
        await server.until(lambda: ben.private.boards and ann.private.boards, "the boards")
        await server.until(lambda: "H8" in ann.private.board.labels, "the game")
        ben.block()
        await server.until(lambda: "Ben has blocked me" in ann.private.last.text, "the news")
        tried = len(server.calls)
        ann.send("h8")
        await service.stone("h8", ann.private.board)
        await service.idle()
        assert not [call for call in server.calls[tried:] if call.parameters.get("chat_id") == ben.id]
        assert len([message for message in ann.private.from_bot if "blocked me" in message.text]) == 1
        boards = len(ben.private.boards)
        ben.unblock()
        await server.until(lambda: len(ben.private.boards) > boards, "the board anew")
        assert "H8" in ben.private.board.text
        ben.send("h9")
        await service.stone("h9", ann.private.board)


@pytest.mark.parametrize("forum", [False, True])
async def test_a_group_that_lets_the_bot_in_again_has_its_boards(tables: Tables, *, forum: bool) -> None:
    """In their topics, with their buttons."""
    async with Service(tables) as service:
        server = service.server
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club", forum=forum)
        thread = group.topic("renju", ann) if forum else None
        board = await service.game("free black", ann, ben, group, thread=thread)
        table = await service.table(board)
        group.kick_bot()
        async with asyncio.timeout(PATIENCE):
            while await tables.views(table.id):  # noqa: ASYNC110 - the store tells nobody of it
                await asyncio.sleep(0.01)
        person = table.seats[0]
        assert isinstance(person, Player)
        await service.desk.move(person, "h8", table=table.id)
        await service.idle()
        assert not any("kicked" in call.error for call in server.calls)  # nothing is tried in vain
        group.let_bot_in()
        await server.until(lambda: group.board is not board, "the board anew")
        assert group.board.thread == thread
        assert group.board.labels
        assert "Black H8" in group.board.text
