"""Inline messages: a game in a chat that the bot is no member of."""

from __future__ import annotations

import pytest

from bot.adapters.telegram.textboard import text_board
from bot.session.tables import Tables
from tests.fakes.telegram import Chat, Message, Person
from tests.fakes.telegram_service import Service

pytestmark = pytest.mark.asyncio


async def card(person: Person, chat: Chat, words: str, *, told: bool = False) -> Message:
    """A challenge in these words, sent."""
    results = await person.type_inline(words)
    return person.send_inline(next(r for r in results if "reply_markup" in r), chat, told=told)


async def joined(service: Service, words: str = "free black") -> tuple[Person, Person, Message]:
    """A game of two in a strange chat."""
    ann, ben = service.server.person("Ann"), service.server.person("Ben")
    board = await card(ann, service.server.group("strangers"), words)
    assert (await ben.tap(board, "Join")).text == ""
    await service.server.until(lambda: "Join" not in board.labels, "the game of two")
    return ann, ben, board


async def play(service: Service, player: Person, board: Message, point: str) -> None:
    """A stone by column and row."""
    before = board.text
    if point.upper() not in board.labels:
        assert (await player.tap(board, point[0].upper())).text == ""
        await service.server.until(lambda: point.upper() in board.labels, "the rows")
    assert (await player.tap(board, point.upper())).text == ""
    await service.server.until(
        lambda: board.text != before and f" {point.upper()}" in board.text, f"a stone on {point}"
    )


async def test_a_game_in_letters(tables: Tables) -> None:
    """Without a cache chat the board is drawn in letters, and who is to move is named."""
    async with Service(tables) as service:
        ann, ben, board = await joined(service)
        await play(service, ann, board, "h8")
        assert "(X)" in board.text
        assert "Ben (White)" in board.text
        await play(service, ben, board, "h9")
        assert " 9 . . . . . . .(O). . . . . . ." in board.text
        assert not board.now.photo


async def test_a_game_in_pictures(tables: Tables) -> None:
    """With one, every position is a picture; equal ones are uploaded once."""
    server_side = Service(tables)
    pictures = server_side.server.group("pictures")
    service = Service(tables, server=server_side.server, cache_chat=str(pictures.id))
    async with service:
        ann, _, board = await joined(service)
        assert board.now.photo
        await play(service, ann, board, "h8")
        await service.server.until(lambda: board.now.photo, "a picture")
        assert len(pictures.boards) <= 3
        count = len(pictures.boards)
        await joined(service)
        assert len(pictures.boards) == count
