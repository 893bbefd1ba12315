"""While the engine takes its time, every platform shows that somebody thinks; quick answers need no sign."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
import structlog

from bot.adapters.discord.pace import Pace as DiscordPace
from bot.adapters.telegram.pace import Pace
from bot.adapters.web import Web
from bot.desk import Desk
from bot.session.signs import Signs
from bot.session.store import StoreUnavailable
from bot.session.table import Machine, Table, View
from bot.session.tables import Tables
from bot.thinking import Thinker
from tests.bot.session.people import ALICE, a_table, intent, until
from tests.bot.test_thinking import Hand, moved, thinking
from tests.fakes.discord.server import DiscordServer
from tests.fakes.discord_service import Service as DiscordService
from tests.fakes.telegram import TelegramServer
from tests.fakes.telegram_service import Service
from tests.fakes.web_page import Page

pytestmark = pytest.mark.asyncio

THINKING = "is thinking"


def actions(server: TelegramServer) -> list[dict[str, object]]:
    return [call.parameters for call in server.calls if call.method == "sendChatAction"]


def typings(server: DiscordServer) -> list[str]:
    return [call.path for call in server.calls if call.name == "POST typing"]


class TestTelegram:
    async def test_the_chat_says_that_the_bot_is_typing(self, tables: Tables) -> None:
        """In the topic of the board; the words under the board say who thinks; then the answer comes."""
        hand = Hand()
        async with Service(tables, decide=hand, sign_after=0.0) as service:
            server = service.server
            ann, group = server.person("Ann"), server.group("club", forum=True)
            topic = group.topic("games", ann)
            ann.send("/newgame engine black", group, thread=topic)
            await server.until(lambda: group.boards, "the board")
            ann.send("h8", group, reply_to=group.board, thread=topic)
            await server.until(lambda: actions(server), "the sign")
            told = {key: str(value) for key, value in actions(server)[0].items()}
            assert told == {"chat_id": str(group.id), "action": "typing", "message_thread_id": str(topic)}
            await server.until(lambda: THINKING in group.board.text, "who thinks")
            hand.go.release()
            await server.until(lambda: THINKING not in group.board.text, "the answer")

    async def test_it_takes_no_turn_from_the_board(self, tables: Tables) -> None:
        """One message must remain possible after it, for the answer that it announces."""
        async with Service(tables, pace=Pace(lambda: 0.0, group=(3.0, 1.0))) as service:
            group = service.server.group("club")
            view = View(id="v", platform="tg", chat=str(group.id), message="1")
            for _ in range(5):
                await service.telegram.typing.thinking(view)
            assert len(actions(service.server)) == 2

    async def test_a_refused_sign_is_left_out(self, tables: Tables) -> None:
        """Nothing depends on it."""
        hand = Hand()
        async with Service(tables, decide=hand, sign_after=0.0) as service:
            server = service.server
            ann, group = server.person("Ann"), server.group("club")
            ann.send("/newgame engine black", group)
            await server.until(lambda: group.boards, "the board")
            server.fail("sendChatAction", 400, "Bad Request: chat not found")
            ann.send("h8", group, reply_to=group.board)
            await server.until(lambda: actions(server), "the sign")
            hand.go.release()
            await server.until(lambda: THINKING not in group.board.text, "the answer")


class TestDiscord:
    async def test_the_channel_says_that_the_bot_is_typing(self, tables: Tables) -> None:
        """In the channel of the board."""
        hand = Hand()
        service = DiscordService(tables, decide=hand, sign_after=0.0)
        channel = service.server.guild("club").channel("general")
        ann = service.server.person("Ann")
        async with service:
            board = await service.opened(await ann.slash("newgame", channel, opponent="engine", begins="black"))
            await service.typed(ann, board, "h8")
            await service.server.until(lambda: typings(service.server), "the sign")
            assert typings(service.server)[0].endswith(f"/channels/{channel.id}/typing")
            await service.server.until(lambda: THINKING in board.text, "who thinks")
            hand.go.release()
            await service.server.until(lambda: THINKING not in board.text, "the answer")

    async def test_a_guest_cannot_type(self, tables: Tables) -> None:
        """Where the bot was brought along it has no right to; the words say it."""
        hand = Hand()
        service = DiscordService(tables, decide=hand, sign_after=0.0)
        channel = service.server.group()
        ann = service.server.person("Ann")
        channel.people.append(ann)
        async with service:
            board = await service.opened(await ann.slash("newgame", channel, opponent="engine", begins="black"))
            await service.typed(ann, board, "h8")
            await service.server.until(lambda: THINKING in board.text, "who thinks")
            hand.go.release()
            await service.server.until(lambda: THINKING not in board.text, "the answer")
            assert typings(service.server) == []

    async def test_it_keeps_to_the_pace(self, tables: Tables) -> None:
        """What the channel has had counts; there is no sign in place of a board."""
        service = DiscordService(tables, pace=DiscordPace(lambda: 0.0, channel=(1.0, 1.0)))
        channel = service.server.guild("club").channel("general")
        async with service:
            view = View(id="v", platform="dc", chat=str(channel.id), message="1")
            await service.adapter.shower.thinking(view)
            await service.adapter.shower.thinking(view)
            assert len(typings(service.server)) == 1


class TestWeb:
    async def test_the_page_says_who_thinks(self, tables: Tables) -> None:
        """From the moment in which the stone lies there."""
        hand = Hand()
        web = Web(desk=Desk(tables), tables=tables, listen="127.0.0.1:0")
        tasks = [asyncio.create_task(web.run()), asyncio.create_task(Thinker(tables, decide=hand).run())]
        await web.started.wait()
        page = Page(web.url, "en")
        _, answer = await page.post("/api/new", {"id": "0123456789abcdef", "words": "engine black", "name": "Ann"})
        line = await page.line(str(answer["path"]).removeprefix("/t/"))
        await line.first()
        assert THINKING not in " ".join(line.scene["lines"])
        await line.tap("h8")
        await line.until(lambda line: THINKING in " ".join(line.scene["lines"]))
        hand.go.release()
        await line.until(lambda line: THINKING not in " ".join(line.scene["lines"]))
        await line.close()
        await page.close()
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


class Noted:
    """A platform that notes its signs, and fails when it is told to."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.views: list[View] = []
        self._fault = fault

    async def thinking(self, view: View) -> None:
        self.views.append(view)
        if self._fault is not None:
            raise self._fault


class TestWhen:
    """Only where an answer takes its time, and never so that it would come to harm."""

    async def test_a_quick_answer_has_no_sign(self, tables: Tables) -> None:
        """It is there before one is due."""
        given: list[Table] = []

        async def sign(table: Table) -> None:
            given.append(table)

        table = await tables.open(a_table(ALICE, Machine()), None)
        async with thinking(tables, sign=sign, sign_after=3600.0):
            await tables.act(intent(table, ALICE, "place", "h8"))
            await moved(tables, table, 2)
        assert given == []

    async def test_one_for_each_chat_and_topic(self, tables: Tables) -> None:
        """Two boards in one chat are one chat; a board that has not been sent yet is none; some platforms have none."""
        views = [
            View(id="a", platform="tg", chat="1", message="5"),
            View(id="b", platform="tg", chat="1", message="6"),
            View(id="c", platform="tg", chat="1", thread="7", message="8"),
            View(id="d", platform="tg", chat="2"),
            View(id="e", platform="tgi", chat="x", message="9"),
            View(id="f", platform="dc", chat="3", message="10"),
        ]
        table = await tables.open(a_table(ALICE, Machine()), views[0])
        for view in views[1:]:
            await tables.attach(table.id, view)
        telegram, discord = Noted(), Noted()
        await Signs(tables, {"tg": telegram, "dc": discord}).thinking(table)
        assert sorted((view.chat, view.thread) for view in telegram.views) == [("1", ""), ("1", "7")]
        assert [view.id for view in discord.views] == ["f"]

    async def test_a_sign_that_fails_is_told_to_the_operator(self, tables: Tables) -> None:
        """And to nobody else; the other platforms have theirs."""
        table = await tables.open(a_table(ALICE, Machine()), View(id="a", platform="tg", chat="1", message="5"))
        with structlog.testing.capture_logs() as logs:
            await Signs(tables, {"tg": Noted(ValueError("broken"))}).thinking(table)
        assert [line["event"] for line in logs] == ["sign_not_given"]

    async def test_without_the_store_there_is_no_sign(self, tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
        """Nothing is raised."""

        async def away(_: str) -> list[View]:
            raise StoreUnavailable("away")

        monkeypatch.setattr(tables, "views", away)
        table = await tables.open(a_table(ALICE, Machine()), None)
        await Signs(tables, {}).thinking(table)

    async def test_it_stops_with_the_answer(self, tables: Tables) -> None:
        """While the thought lasts there is a sign; after the answer no more."""
        hand = Hand()
        given = asyncio.Event()

        async def sign(_: Table) -> None:
            given.set()

        table = await tables.open(a_table(ALICE, Machine()), None)
        async with thinking(tables, hand, sign=sign, sign_after=0.0):
            await tables.act(intent(table, ALICE, "place", "h8"))
            await asyncio.wait_for(given.wait(), 30)
            hand.go.release()
            await moved(tables, table, 2)
            await until(lambda: not any("_show_thinking" in repr(task) for task in asyncio.all_tasks()))
