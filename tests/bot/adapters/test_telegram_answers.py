"""What Telegram's people ask about a game and the rules: words with a picture."""

from __future__ import annotations

import pytest

from bot.session.tables import Tables
from tests.fakes.telegram import Message
from tests.fakes.telegram_service import Service

pytestmark = pytest.mark.asyncio


async def picture_for(service: Service, sent: Message) -> Message:
    """The picture that answers a message."""

    def pictures() -> list[Message]:
        return [message for message in sent.chat.boards if message.reply_to is sent]

    await service.server.until(pictures, f"a picture for {sent.text!r}")
    return pictures()[0]


async def test_why_is_told_after_the_game(tables: Tables) -> None:
    """While a claim game runs nothing is told; after it the verdict comes with a picture, of the board replied to; and
    with all the reasons for who follows the link.
    """
    async with Service(tables) as service:
        server = service.server
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
        assert "no game here" in await service.reply_to(ann.send("/why h8", group))
        board = await service.game("free black", ann, ben, group)
        for number, point in enumerate(("h8", "a1", "g9", "a3", "i9", "a5", "h10", "a7")):
            (ann, ben)[number % 2].send(point, group, reply_to=board)
            await service.stone(point, board)
        before = len(group.boards)
        assert "ask me after it" in await service.reply_to(ann.send("/why h9", group))
        assert "letter" in await service.reply_to(ann.send("/why 9h", group))
        assert len(group.boards) == before
        await ben.tap(board, "Resign")
        await server.until(lambda: "Yes resign" in board.labels, "the question")
        await ben.tap(board, "Yes resign")
        await server.until(lambda: "Rematch" in board.labels, "the end")
        told = await picture_for(service, ann.send("/why h9", group, reply_to=board))
        assert told.text == "H9 is forbidden for Black: a double-three."
        ((_, address),) = told.keyboard[0]
        alone = await picture_for(service, ben.send("/start " + address.partition("?start=")[2]))
        assert alone.text.startswith("H9 is forbidden for Black: a double-three.\nThree: ")
        assert alone.photo == told.photo
        assert alone.keyboard == ()


@pytest.mark.parametrize("payload", ["why-abcdefghij-h8", "why--h8", "why-abcdefghij-h16", "why-é-h8", "x"])
async def test_links_that_lead_nowhere_are_answered(tables: Tables, payload: str) -> None:
    """A link can be made up or old."""
    async with Service(tables) as service:
        assert await service.reply_to(service.server.person("Ann").send(f"/start {payload}"))
