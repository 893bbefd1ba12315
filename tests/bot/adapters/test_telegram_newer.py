"""What newer servers and clients can do, and what happens where they cannot."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.telegram.dates import Dates
from bot.adapters.telegram.textboard import text_board
from bot.composing.clocks import moment
from bot.scene import BoardPicture
from bot.session.tables import Tables
from core.notation import POINTS, Colour, point
from tests.fakes.telegram import TelegramServer
from tests.fakes.telegram_service import Service


class TestTextBoard:
    def test_marks(self) -> None:
        """The last stone, offers, and at the end the winning line."""
        stones = tuple((point(at), Colour.BLACK) for at in ("g8", "h8", "i8"))
        lines = text_board(BoardPicture(stones=stones, last=point("i8"), offers=(point("a1"),))).splitlines()
        assert lines[0] == "   A B C D E F G H I J K L M N O"
        assert lines[8] == " 8 . . . . . . X X(X). . . . . ."
        assert lines[15] == " 1 a . . . . . . . . . . . . . ."
        won = text_board(BoardPicture(stones=stones, last=point("i8"), win=tuple(at for at, _ in stones)))
        assert won.splitlines()[8] == " 8 . . . . . .[X X X]. . . . . ."

    @given(st.lists(st.integers(0, POINTS - 1), unique=True, max_size=POINTS))
    def test_every_stone_stands_in_its_column(self, points: list[int]) -> None:
        """Each is where the letter of its column and the number of its row meet."""
        stones = tuple((at, (Colour.BLACK, Colour.WHITE)[index % 2]) for index, at in enumerate(points))
        lines = text_board(BoardPicture(stones=stones, last=points[-1] if points else None)).splitlines()
        assert len(lines) == 17
        assert max(map(len, lines)) <= 33
        for at, colour in stones:
            assert lines[15 - at // 15][3 + 2 * (at % 15)] == ("X" if colour is Colour.BLACK else "O")
        assert sum(line.count("X") + line.count("O") for line in lines[1:16]) == len(stones)


@pytest.mark.parametrize("text", ["Ann has time until {} UTC: 3 days.", "安的期限：{}（UTC），还有 3 天。"])
def test_a_deadline_is_marked_with_its_zone(text: str) -> None:
    """What a client replaces by its own words says nothing of UTC any more."""
    time = 1_800_000_000_000
    written = text.format(moment(time).text)
    (mark,) = Dates().of(written, time)
    shown = written[mark.offset : mark.offset + mark.length]
    assert "UTC" in shown
    assert moment(time).text in shown
    assert Dates().of("nothing of the kind", time, None) == []


@pytest.mark.asyncio
@pytest.mark.parametrize("known", [True, False])
async def test_a_long_game(tables: Tables, known: bool) -> None:
    """Its deadline is marked; a server that knows no marked dates gets the text alone, and the board is shown."""
    async with Service(tables) as service:
        if not known:
            service.server.dates_known = False
        ann, ben = service.server.person("Ann"), service.server.person("Ben")
        board = await service.game("free black 3d", ann, ben, service.server.group("club"))
        assert "UTC" in board.text
        marks = [
            one
            for call in service.server.calls
            if not call.error
            for media in [call.parameters.get("media", call.parameters)]
            for one in media.get("caption_entities", ())
        ]
        assert any(one["type"] == "date_time" for one in marks) is known


@pytest.mark.asyncio
class TestPrivateAnswers:
    async def heard(self, tables: Tables, server: TelegramServer, *, on: bool) -> tuple[list[str], list[str]]:
        """A move by somebody who has no game here: what was whispered, and what all could read."""
        async with Service(tables, server=server, private_answers=on) as service:
            chat, ann = server.group("club"), server.person("Ann")
            ann.send("/m h8", chat)
            await server.until(lambda: chat.whispers or chat.from_bot, "an answer")
            await service.idle()
            return [text for _, text in chat.whispers], [message.text for message in chat.from_bot]

    async def test_off_by_default(self, tables: Tables) -> None:
        """A refusal is a reply."""
        whispered, said = await self.heard(tables, TelegramServer(), on=False)
        assert whispered == []
        assert len(said) == 1

    async def test_on(self, tables: Tables) -> None:
        """Only whom it concerns sees it."""
        whispered, said = await self.heard(tables, TelegramServer(), on=True)
        assert len(whispered) == 1
        assert said == []

    async def test_on_with_a_server_that_refuses(self, tables: Tables) -> None:
        """Then it is a reply."""
        server = TelegramServer()
        server.ephemeral_refused = True
        whispered, said = await self.heard(tables, server, on=True)
        assert whispered == []
        assert len(said) == 1

    async def test_on_with_a_server_that_tells_everybody(self, tables: Tables) -> None:
        """It is said once, not twice; from then on by replies, and the operator is told."""
        server = TelegramServer()
        server.before_ephemeral = True
        async with Service(tables, server=server, private_answers=True) as service:
            chat, ann = server.group("club"), server.person("Ann")
            for number in (1, 2):
                ann.send("/m h8", chat)
                await server.until(lambda: len(chat.from_bot) == number, "an answer")  # noqa: B023
                await service.idle()
            first, second = chat.from_bot
            assert first.text == second.text
            assert first.reply_to is None
            assert second.reply_to is not None

    async def test_what_one_member_asks(self, tables: Tables) -> None:
        """Why a point is forbidden, in full; that settings are not theirs. A refused whisper is a reply, with the way
        to hear it alone.
        """
        async with Service(tables, private_answers=True) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            board = await service.game("free black", ann, ben, group)
            for number, point in enumerate(("h8", "a1", "g9", "a3", "i9", "a5", "h10", "a7")):
                (ann, ben)[number % 2].send(f"/m {point}", group)
                await service.stone(point, board)
            await ben.tap(board, "Resign")
            await server.until(lambda: "Yes resign" in board.labels, "the question")
            await ben.tap(board, "Yes resign")
            await server.until(lambda: "Rematch" in board.labels, "the end")
            ben.send("/why h9", group)
            await server.until(lambda: len(group.whispers) == 1, "the reasons")
            ben.send("/settings", group)
            await server.until(lambda: len(group.whispers) == 2, "the refusal")
            assert [to for to, _ in group.whispers] == [ben, ben]
            assert "Three: " in group.whispers[0][1]
            assert "administrators" in group.whispers[1][1]
            assert group.from_bot == [board]
            server.ephemeral_refused = True
            ben.send("/settings", group)
            await server.until(lambda: group.last is not board, "a reply")
            ((_, address),) = group.last.keyboard[0]
            assert "Your own settings" in await service.reply_to(ben.send("/start " + address.partition("?start=")[2]))
