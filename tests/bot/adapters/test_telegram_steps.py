"""The keypad and the question before resigning, under a board that everybody sees."""

from __future__ import annotations

import pytest

from bot.adapters.telegram.pace import Pace
from bot.session.tables import Tables
from tests.fakes.telegram import Message
from tests.fakes.telegram.people import keyboard_of
from tests.fakes.telegram_service import Service

pytestmark = pytest.mark.asyncio


async def rows_of(service: Service, board: Message, column: str) -> list[str]:
    """Wait for the second step: the points of a column."""
    await service.server.until(lambda: "Back" in board.labels, f"the points of column {column}")
    return [label for label in board.labels if label[0] == column and label[1:].isdecimal()]


async def test_column_then_row_plays(tables: Tables) -> None:
    """Two taps put a stone; in between only the keyboard changes, and what is taken is not offered."""
    async with Service(tables) as service:
        server = service.server
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
        board = await service.game("free black", ann, ben, group)
        await ann.tap(board, "H8")
        await service.stone("h8", board)
        shown = board.now
        assert (await ben.tap(board, "H")).text == ""
        points = await rows_of(service, board, "H")
        assert points == [f"H{row}" for row in range(1, 16) if row != 8]
        assert (board.now.photo, board.text) == (shown.photo, shown.text)
        await ben.tap(board, "Back")
        await server.until(lambda: board.keyboard == keyboard_of(shown.keyboard))
        await ben.tap(board, "J")
        await rows_of(service, board, "J")
        assert (await ben.tap(board, "J10")).text == ""
        await service.stone("j10", board)
        assert await service.stones(board) == "h8 j10"


async def test_only_who_is_to_move_has_the_keypad(tables: Tables) -> None:
    """The opponent, a stranger and a stale keypad are told why; the keyboard stays as it is."""
    async with Service(tables) as service:
        server = service.server
        ann, ben, eve, group = server.person("Ann"), server.person("Ben"), server.person("Eve"), server.group("club")
        board = await service.game("free black", ann, ben, group)
        await ann.tap(board, "H8")
        await service.stone("h8", board)
        old = board.keyboard
        assert "turn" in (await ann.tap(board, "H")).text
        assert "players" in (await eve.tap(board, "H")).text
        assert board.keyboard == old
        ben.send("h9", group, reply_to=board)
        await service.stone("h9", board)
        new = board.keyboard
        answer = await ben.tap(board, "H", keyboard=old)
        assert "moved on" in answer.text
        assert not answer.alert  # it passes by in a line: the board shows what has happened
        assert board.keyboard == new


async def test_a_step_never_replaces_a_newer_board(tables: Tables) -> None:
    """A keypad's step that is slower than the move after it changes nothing."""
    async with Service(tables) as service:
        server = service.server
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
        board = await service.game("free black", ann, ben, group)
        await ann.tap(board, "H8")
        await service.stone("h8", board)
        for number in range(5):  # the tap and the move travel together
            mover, point = (ben, ann)[number % 2], f"{'abcde'[number]}1"
            tap = server.deliver_tap(mover, board, board.data("H"))
            mover.send(point, group, reply_to=board)
            await server.answer_to(tap)
            await service.stone(point, board)
            await server.updates.settled()
            await service.idle()
            table = await service.table(board)
            assert all(f".{table.rev}." in data for row in board.keyboard for _, data in row)


async def test_resigning_asks_under_the_board(tables: Tables) -> None:
    """The question goes to who pressed; the other player's Yes is refused, and Play on brings the buttons back."""
    async with Service(tables) as service:
        server = service.server
        ann, ben, eve, group = server.person("Ann"), server.person("Ben"), server.person("Eve"), server.group("club")
        board = await service.game("free black", ann, ben, group)
        ann.send("h8", group, reply_to=board)
        ben.send("h9", group, reply_to=board)
        await service.stone("h9", board)
        usual = board.keyboard
        assert (await ann.tap(board, "Resign")).text == "Resign this game?"
        await server.until(lambda: len(board.labels) == 2, "the question")
        yes, no = board.labels
        assert "opponent" in (await ben.tap(board, yes)).text
        assert "players" in (await eve.tap(board, yes)).text
        assert "players" in (await eve.tap(board, no)).text
        await ann.tap(board, no)
        await server.until(lambda: board.keyboard == usual)
        await ben.tap(board, "Resign")
        await server.until(lambda: len(board.labels) == 2, "the question")
        await ben.tap(board, board.labels[0])
        await server.until(lambda: "Rematch" in board.labels, "the end")
        outcome = (await service.table(board)).game.outcome
        assert outcome is not None
        assert outcome.winner == (await service.table(board)).seats_of(f"tg:{ann.id}")[0]


async def test_who_is_too_fast_hears_it(tables: Tables) -> None:
    """Beyond the pace a step is not taken but answered with the time to wait; typing a point is never held up."""
    slow = Pace(lambda: 0.0, private=(3.0, 0.01))
    async with Service(tables, pace=slow) as service:
        server = service.server
        ann = server.person("Ann")
        ann.send("/newgame friend black free_first")
        await server.until(lambda: ann.private.boards)
        payload = ann.private.from_bot[-1].text.rpartition("=")[2]
        if not payload.startswith("join-"):
            payload = ann.private.from_bot[0].text.rpartition("=")[2]
        server.person("Ben").send(f"/start {payload}")
        board = ann.private.board
        await server.until(lambda: "H" in board.labels, "the game")
        answer = await ann.tap(board, "H")
        assert "seconds" in answer.text
        assert "/m" in answer.text
