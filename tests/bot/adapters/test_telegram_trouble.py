"""Telegram on a bad day: repeated updates, refusals, broken lines, people who block, messages that are gone."""

from __future__ import annotations

import asyncio
import logging
import threading
from pathlib import Path

import pytest

from bot.session.ids import key
from bot.session.server import RedisServer
from bot.session.store import Store, StoreUnavailable
from bot.session.tables import Tables
from core.ai.stop import Stop
from core.game import Action, Game, Seat, action
from tests.fakes.telegram import Message, Person, TelegramServer
from tests.fakes.telegram.server import PATIENCE
from tests.fakes.telegram_service import Service

pytestmark = pytest.mark.asyncio


class TestRepetition:
    """What comes again has no second effect."""

    async def test_every_update_three_times_is_once(self, tables: Tables) -> None:
        """A whole game with every confirmation lost twice: one board, every stone once, every tap answered once."""
        async with Service(tables) as service:
            server = service.server
            server.updates.repeat = 3
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            board = await service.game("free black", ann, ben, group)
            for who, point in ((ann, "h8"), (ben, "h9"), (ann, "i9"), (ben, "j9")):
                who.send(point, group, reply_to=board)
                await service.stone(point, board)
            await server.updates.settled()
            assert len(set(server.updates.deliveries)) * 3 == len(server.updates.deliveries)
            assert await service.stones(board) == "h8 h9 i9 j9"
            assert group.from_bot == [board]

    async def test_after_a_restart_they_are_known_too(self, tables: Tables) -> None:
        """The process that comes after gets everything again: still one table, one seat, every stone once."""
        async with Service(tables) as service:
            server = service.server
            server.updates.repeat = 1000
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            board = await service.game("free black", ann, ben, group)
            for who, point in ((ann, "h8"), (ben, "h9")):
                who.send(point, group, reply_to=board)
                await service.stone(point, board)
                await service.stop()
                await service.start()
            await server.until(lambda: server.updates.deliveries.count(server.updates.deliveries[-1]) > 1)
            ann.send("i9", group, reply_to=board)
            await service.stone("i9", board)
            assert await service.stones(board) == "h8 h9 i9"
            assert group.from_bot == [board]
            assert await tables.tables_of(f"tg:{ann.id}") == [(await service.table(board)).id]

    async def test_a_restart_while_the_engine_thinks_gives_one_answer(self, tables: Tables) -> None:
        """The old board is tapped and a new one brought down meanwhile: nobody plays for the other, one stone comes."""
        asked, go_on = threading.Event(), threading.Event()

        def decide(game: Game, seat: Seat, level: int, seconds: float, stop: Stop) -> Action:
            asked.set()
            while not go_on.wait(0.01):
                if stop.is_set:
                    break
            return action("place", "a1" if len(game.state.stones) == 1 else "o15")

        async with Service(tables, decide=decide) as service:
            server = service.server
            ann = server.person("Ann")
            ann.send("/newgame engine 1 black free")
            await server.until(lambda: ann.private.boards, "the board")
            board = ann.private.board
            ann.send("h8")
            await asyncio.to_thread(asked.wait, PATIENCE)
            table = await service.table(board)
            assert len(table.game.state.stones) == 1
            await service.stop()
            await service.start()
            assert "turn" in (await ann.tap_data(board, f"{table.id}.{table.rev}.place-i9")).text
            ann.send("/board")
            await server.until(lambda: ann.private.board is not board, "the board further down")
            assert "turn" in await service.reply_to(ann.send("i9"))
            go_on.set()
            await service.stone("a1", ann.private.board)
            await service.idle()
            assert await service.stones(ann.private.board) == "h8 a1"

    async def test_two_taps_on_one_button_are_one_move(self, tables: Tables) -> None:
        """A double tap plays once; the second tap gets a kind word."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            board = await service.game("free black", ann, ben, group)
            data = board.data("H8")
            queries = [server.deliver_tap(ann, board, data) for _ in range(2)]
            answers = [(await server.answer_to(query)).text for query in queries]
            assert sorted(bool(answer) for answer in answers) == [False, True]
            await service.stone("h8", board)
            assert await service.stones(board) == "h8"


class TestRefusals:
    """What Telegram refuses."""

    async def test_a_429_delays_one_chat_only(self, tables: Tables) -> None:
        """The edit comes when Telegram allows it, with the newest state; other chats are not held up."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, one, two = server.person("Ann"), server.person("Ben"), server.group("1"), server.group("2")
            busy, free = [await service.game("free black", ann, ben, group) for group in (one, two)]
            server.fail("editMessageMedia", 429, "Too Many Requests: retry after 1", retry_after=1, chat=one)
            edits = len(busy.versions)
            ann.send("h8", one, reply_to=busy)
            await server.until(lambda: any(call.error.startswith("Too Many") for call in server.calls))
            refused_at = asyncio.get_running_loop().time()
            ben.send("h9", one, reply_to=busy)
            ann.send("h8", two, reply_to=free)
            await service.stone("h8", free)
            await service.stone("h9", busy)
            assert asyncio.get_running_loop().time() - refused_at >= 0.9
            assert len(busy.versions) == edits + 1  # the frame in between was skipped
            assert sum(call.error.startswith("Too Many") for call in server.calls) == 1

    @pytest.mark.parametrize("method", ["sendPhoto", "sendMessage", "answerCallbackQuery", "editMessageReplyMarkup"])
    async def test_a_429_from_any_call_breaks_nothing(self, tables: Tables, method: str) -> None:
        """Whatever is refused, moves are kept and the board is shown."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            server.fail(method, 429, "Too Many Requests: retry after 1", retry_after=1)
            group.bot_is_admin = True
            ann.send("/newgame free black", group)
            await server.until(lambda: group.boards, "the board")
            board = group.board
            join = server.deliver_tap(ben, board, board.data("Join"))
            await server.until(lambda: "H8" in board.labels, "the game of two")
            assert await service.reply_to(ben.send("/m h8", group))
            move = server.deliver_tap(ann, board, board.data("H8"))
            await service.stone("h8", board)
            assert await service.stones(board) == "h8"
            assert len(join.answers) + len(move.answers) >= 1

    async def test_a_refused_answer_holds_back_all_answers_and_its_chat(self, tables: Tables) -> None:
        """They name no chat: none is tried before its time. The board that was tapped waits, too; other chats go on."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, one, two = server.person("Ann"), server.person("Ben"), server.group("1"), server.group("2")
            busy, free = [await service.game("free black", ann, ben, group) for group in (one, two)]
            server.fail("answerCallbackQuery", 429, "Too Many Requests: retry after 1", retry_after=1)
            before = len(server.calls)

            def refusals() -> list[str]:
                return [call.error for call in server.calls[before:] if call.error]

            first = server.deliver_tap(ben, busy, busy.data("H8"))  # out of turn: nothing but an answer
            await server.until(refusals, "the refusal")
            refused_at = asyncio.get_running_loop().time()
            others = [server.deliver_tap(ben, board, board.data("H8")) for board in (busy, free)]
            ann.send("/m h8", two)
            await service.stone("h8", free)
            ann.send("/m h8", one)
            for query in (first, *others):
                assert "turn" in (await server.answer_to(query)).text
            await service.stone("h8", busy)
            assert asyncio.get_running_loop().time() - refused_at >= 0.9
            await service.idle()
            assert len(refusals()) == 1
            assert [len(query.answers) for query in (first, *others)] == [1, 1, 1]

    async def test_who_blocks_the_bot_is_left_alone(self, tables: Tables) -> None:
        """After one 403 no further call goes there; the opponent plays on, and /board brings the board back."""
        async with Service(tables) as service:
            server = service.server
            ann, ben = server.person("Ann"), server.person("Ben")
            await _private_game(service, ann, ben)
            ben.private.blocked = "Forbidden: bot was blocked by the user"  # and no update has told of it
            ann.send("h8")
            await service.stone("h8", ann.private.board)
            await server.until(lambda: any("blocked" in call.error for call in server.calls))
            ann.send("/undo")
            await server.until(lambda: "take back" in ann.private.board.text)
            await service.idle()
            assert sum("blocked" in call.error for call in server.calls) == 1
            ben.unblock()
            before = len(ben.private.boards)
            ben.send("/board")
            await server.until(lambda: len(ben.private.boards) > before)
            await ben.tap(ben.private.board, "Allow undo")
            await server.until(lambda: "take back" not in ann.private.board.text)

    async def test_a_group_that_is_gone_is_tried_once(self, tables: Tables) -> None:
        """Deleted with everybody in it: the game goes on without a message, for whoever comes back to it in private."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            board = await service.game("free black", ann, ben, group)
            table = await service.table(board)
            del server.chats[group.id]
            for who, point in ((ann, "h8"), (ben, "h9")):
                who.send(point)
                await server.until(lambda: any("chat not found" in call.error for call in server.calls), "a refusal")
            await service.idle()
            ann.send("/board")
            await server.until(lambda: ann.private.boards, "the board")
            assert "White H9" in ann.private.board.text
            assert len(await tables.views(table.id)) == 1
            assert sum("chat not found" in call.error for call in server.calls) == 1

    async def test_not_modified_counts_as_shown(self, tables: Tables) -> None:
        """After a restart the first edit changes nothing: that is no fault, and the buttons work on."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            board = await service.game("free black", ann, ben, group)
            keyboard = board.keyboard
            await service.stop()
            found = await tables.view_at("tg", str(group.id), str(board.id))
            assert found is not None
            await tables.attach(*found)  # stale again, though nothing has changed
            await service.start()
            await server.until(lambda: any("not modified" in call.error for call in server.calls))
            await service.idle()
            assert board.keyboard == keyboard
            assert sum("not modified" in call.error for call in server.calls) == 1
            await ann.tap(board, "H8")
            await service.stone("h8", board)

    async def test_a_deleted_board_is_sent_anew(self, tables: Tables) -> None:
        """Somebody deletes the message: the next move brings a new one."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            board = await service.game("free black", ann, ben, group)
            server.forget(board)
            ann.send("/m h8", group)
            await server.until(lambda: group.boards, "a new board")
            await service.stone("h8", group.board)
            await ben.tap(group.board, "H")
            await server.until(lambda: "H9" in group.board.labels)
            await ben.tap(group.board, "H9")
            await service.stone("h9", group.board)
            assert len(group.boards) == 1

    async def test_a_group_without_pictures_is_told(self, tables: Tables) -> None:
        """Where the bot may write but not send photos, it says so in words."""
        async with Service(tables) as service:
            server = service.server
            ann, group = server.person("Ann"), server.group("club")
            server.fail("sendPhoto", 400, "Bad Request: not enough rights to send photos to the chat", chat=group)
            ann.send("/newgame free", group)
            await server.until(lambda: group.from_bot)
            assert "pictures" in group.last.text

    async def test_an_answer_that_comes_too_late_harms_nothing(self, tables: Tables) -> None:
        """The query is too old: the move counts all the same."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            board = await service.game("free black", ann, ben, group)
            server.queries_expire = True
            await ann.tap(board, "H8")
            await service.stone("h8", board)

    async def test_a_picture_that_telegram_has_forgotten_is_sent_again(self, tables: Tables) -> None:
        """A file id that is no longer valid is replaced by the picture."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            await service.game("free black", ann, ben, group)
            server.sizes.clear()
            board = await service.game("free black", ann, ben, group)
            assert board.photo


class TestButtons:
    """Buttons that are old, foreign or forged."""

    @pytest.mark.parametrize("data", ["", "x", "join", "aaaaaaaaaa.0.place-h8", "é" * 32, "aaaaaaaaaa.1.col-h"])
    async def test_forged_data_gets_a_word(self, tables: Tables, data: str) -> None:
        """Data that no button carries is answered, and nothing happens."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            board = await service.game("free black", ann, ben, group)
            assert (await ann.tap_data(board, data)).text
            assert await service.stones(board) == ""

    @pytest.mark.parametrize("forged", ["flag-0", "place-p16", "place-", "sure0-flag", "sure1-place", "offer-a1-a2"])
    async def test_forged_actions_get_a_word(self, tables: Tables, forged: str) -> None:
        """A right table with an action that is none, or not this person's."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            board = await service.game("free black", ann, ben, group)
            table = await service.table(board)
            for who in (ann, ben):
                assert (await who.tap_data(board, f"{table.id}.{table.rev}.{forged}")).text
            assert (await service.table(board)).rev == table.rev

    async def test_a_copy_that_no_view_owns_is_retired(self, tables: Tables) -> None:
        """A board sent just before a kill exists twice: a tap on the unknown copy takes its buttons away."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            board = await service.game("free black", ann, ben, group)
            copy = server.add_message(group, None, text=board.text, photo=board.now.photo, keyboard=board.now.keyboard)
            answer = await ann.tap(copy, "H8")
            assert "/board" in answer.text
            await service.without_buttons(copy)
            assert await service.stones(board) == ""
            assert (await ann.tap(board, "H8")).text == ""

    async def test_a_tap_on_a_message_that_is_gone_is_answered(self, tables: Tables) -> None:
        """Telegram tells of such a message no more than its number."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            board = await service.game("free black", ann, ben, group)
            server.forget(board)
            assert (await ben.tap(board, "H8")).text
            assert (await ann.tap(board, "H8")).text == ""
            await server.until(lambda: group.boards)
            await service.stone("h8", group.board)


class TestLine:
    """The connection."""

    async def test_broken_lines_are_mended(self, tables: Tables) -> None:
        """Requests for updates and edits that fail are made again; nothing is lost."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            board = await service.game("free black", ann, ben, group)
            for drop in (True, False):
                server.fail("getUpdates", 502, "Bad Gateway", drop=drop)
                server.fail("editMessageMedia", 500, "Internal Server Error", drop=drop)
            for who, point in ((ann, "h8"), (ben, "h9"), (ann, "i9")):
                who.send(point, group, reply_to=board)
                await service.stone(point, board)
            assert await service.stones(board) == "h8 h9 i9"
            assert group.from_bot == [board]

    async def test_a_second_poller_is_said_once_and_outlived(
        self, tables: Tables, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Another process with the same token: one line to the operator, and work goes on when it ends."""
        async with Service(tables) as service:
            server = service.server
            server.fail("getUpdates", 409, "Conflict: terminated by other getUpdates request", times=2)
            ann = server.person("Ann")
            await service.reply_to(ann.send("/help"))
            await service.reply_to(ann.send("/help"))
        assert capsys.readouterr().out.count("telegram_second_poller") == 1

    async def test_a_webhook_left_over_is_taken_down(self, tables: Tables) -> None:
        """A bot that used a webhook before can poll."""
        server = TelegramServer()
        server.webhook = True
        async with Service(tables, server=server) as service:
            assert service.server.updates.polling

    async def test_a_wrong_token_is_one_line_without_the_token(
        self, tables: Tables, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
    ) -> None:
        """The adapter ends, the rest goes on, and no view is given up because of it."""
        caplog.set_level(logging.WARNING)
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            board = await service.game("free black", ann, ben, group)
            await service.stop()
            capsys.readouterr()
            found = await tables.view_at("tg", str(group.id), str(board.id))
            assert found is not None
            await tables.attach(*found)
            token = server.token
            await service.start(wait=False)
            server.token = "4200000000:OTHER"  # before the first call arrives
            await service.adapter
            out = capsys.readouterr()
            said = out.out + out.err + caplog.text
            assert said.count("telegram_token_invalid") == 1
            assert "TEST-token" not in said
            assert await tables.view_at("tg", str(group.id), str(board.id)) is not None
            server.token = token
            await service.stop()
            await service.start()
            await ann.tap(board, "H8")
            await service.stone("h8", board)

    async def test_no_trouble_ever_shows_the_token(
        self, tables: Tables, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
    ) -> None:
        """Not in errors, not in the log."""
        caplog.set_level(logging.INFO)
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            for method in ("getUpdates", "sendPhoto", "answerCallbackQuery", "sendMessage"):
                server.fail(method, 500, "Internal Server Error", drop=True)
                server.fail(method, 500, "Internal Server Error")
            board = await service.game("free black", ann, ben, group)
            ann.send("/help")
            await ann.tap(board, "H8")
            await service.stone("h8", board)
            await service.idle()
        out = capsys.readouterr()
        assert "TEST-token" not in out.out + out.err + caplog.text


class TestFaults:
    """Trouble on our side."""

    async def test_a_store_that_is_away_is_said_to_whoever_asked(
        self, tables: Tables, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A tap and words while the store cannot be reached: one line each; later everything works."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            board = await service.game("free black", ann, ben, group)

            async def away(*_: object) -> None:
                raise StoreUnavailable("no server")

            with monkeypatch.context() as patch:
                patch.setattr(tables, "view_at", away)
                patch.setattr(tables, "shown_by", away)
                tapped = (await ann.tap(board, "H8")).text
                said = await service.reply_to(ann.send("h8", group, reply_to=board))
            assert tapped == said != ""
            assert (await ann.tap(board, "H8")).text == ""

    async def test_a_server_that_dies_in_mid_game_loses_nothing(self, tmp_path: Path) -> None:
        """While the store is down a tap and words get one line each; once it is back the game goes on by itself."""
        redis = RedisServer(tmp_path / "redis", fsync="always")
        redis.start()
        store = Store(redis.url, patience=0.3)
        tables = Tables(store)
        try:
            async with Service(tables) as service:
                server = service.server
                ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
                board = await service.game("free black", ann, ben, group)
                await ann.tap(board, "H8")
                await service.stone("h8", board)
                redis.stop()
                tapped = (await ben.tap(board, "Pass")).text
                said = await service.reply_to(ben.send("h9", group, reply_to=board))
                assert tapped == said != ""
                redis.start()
                for point, who in (("j9", ben), ("k9", ann)):
                    who.send(point, group, reply_to=board)
                    await service.stone(point, board)
                assert await service.stones(board) == "h8 j9 k9"
                assert group.from_bot[0] is board
        finally:
            await tables.close()
            await store.close()
            redis.stop()

    async def test_a_damaged_table_is_one_line(self, tables: Tables, store: Store) -> None:
        """A saved table that cannot be read: said to whoever pressed; other games go on."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            board = await service.game("free black", ann, ben, group)
            table = await service.table(board)
            await service.stop()
            await store.call("HSET", key("table", table.id), "body", b"{", "mark", b"other")
            await service.start()
            assert (await ann.tap(board, "H8")).text
            assert await service.reply_to(ann.send("h8", group, reply_to=board))
            other = await service.game("free black", ann, ben, group)
            await ann.tap(other, "H8")
            await service.stone("h8", other)

    async def test_a_fault_of_ours_is_one_kind_line(
        self, tables: Tables, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """No traceback reaches a person; the operator gets it, and the next update is handled."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            board = await service.game("free black", ann, ben, group)

            async def broken(*_: object, **__: object) -> None:
                raise RuntimeError("a fault of ours")

            with monkeypatch.context() as patch:
                patch.setattr(service.desk, "press", broken)
                patch.setattr(service.desk, "move", broken)
                tapped = (await ann.tap(board, "H8")).text
                said = await service.reply_to(ann.send("h8", group, reply_to=board))
            assert tapped == said
            assert "fault of ours" not in said
            assert "a fault of ours" in capsys.readouterr().out
            assert (await ann.tap(board, "H8")).text == ""


async def _private_game(service: Service, ann: Person, ben: Person) -> tuple[Message, Message]:
    """A game of two people, each in their private chat."""
    payload = (await service.reply_to(ann.send("/newgame friend free black"))).rpartition("=")[2]
    ben.send(f"/start {payload}")
    await service.server.until(lambda: ben.private.boards and "H8" in ann.private.board.labels, "both boards")
    return ann.private.board, ben.private.board
