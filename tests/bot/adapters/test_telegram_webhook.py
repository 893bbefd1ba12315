"""Updates that Telegram delivers by itself."""

from __future__ import annotations

import asyncio
import io
import json
from typing import Any

import aiohttp
import pytest
from structlog.testing import capture_logs

from bot.adapters.telegram import Delivery
from bot.adapters.telegram.webhook import secret_of
from bot.session.tables import Tables
from tests.fakes.telegram.webhook import HEADER
from tests.fakes.telegram_service import BY_WEBHOOK, Service

pytestmark = pytest.mark.asyncio


async def test_a_game_is_played_by_webhook(tables: Tables) -> None:
    """Each update is confirmed after it has been handled; delivered three times it counts once."""
    async with Service(tables, webhook=BY_WEBHOOK) as service:
        server = service.server
        assert server.secret == "a-secret-of-ours"
        server.updates.repeat = 3
        ann, group = server.person("Ann"), server.group("club")
        ann.send("/newgame engine 1 black free", group)
        assert await server.updates.deliver(service.webhook_url, server.secret) == [200] * 3
        await server.until(lambda: group.boards, "the board")
        table = await service.table(group.board)
        server.deliver_tap(ann, group.board, group.board.data("H8"))
        await server.updates.deliver(service.webhook_url, server.secret)
        after = await tables.get(table.id)
        assert not isinstance(after, str)
        assert len(after.game.record) > len(table.game.record)
        await server.until(lambda: "Last move: 2" in group.board.text, "the answer of the engine")
        assert len(group.boards) == 1


async def test_only_telegram_is_heard(tables: Tables) -> None:
    """A wrong secret, none, another path, another method, too much, or what is no update: nothing happens."""
    async with Service(tables, webhook=BY_WEBHOOK) as service:
        server, url = service.server, service.webhook_url
        ann = server.person("Ann")
        ann.send("/newgame engine 1 black free")
        assert await server.updates.deliver(url, "another-secret") == [403]
        good = {"X-Telegram-Bot-Api-Secret-Token": server.secret}
        async with aiohttp.ClientSession() as session:
            for headers, path, body, status in (
                ({}, "", b"{}", 403),
                (good, "x", b"{}", 404),
                (good, "", b"x" * ((1 << 20) + 1), 413),
            ):
                async with session.post(url + path, data=io.BytesIO(body), headers=headers) as answer:
                    assert answer.status == status
            async with session.get(url, headers=good) as answer:
                assert answer.status == 405
            with capture_logs() as logs:
                for body in (b"no json", b"[]", b"7", json.dumps({"message": 5}).encode()):
                    async with session.post(url, data=body, headers=good) as answer:
                        assert answer.status == 200
            assert all(entry["event"] == "telegram_update_unreadable" for entry in logs)
        assert ann.private.from_bot == []


async def test_no_form_of_update_is_a_fault(tables: Tables) -> None:
    """Whatever Telegram may leave away or send in a form that no game needs: it is passed over or answered."""
    async with Service(tables, webhook=BY_WEBHOOK) as service:
        server = service.server
        ann, group = server.person("Ann"), server.group("club")
        ann.private.blocked = ""
        account, chat, news = ann.describe(), group.describe(), {"id": -1009999, "type": "channel", "title": "news"}
        message = {"message_id": 5, "date": 1, "chat": chat, "from": account}
        query = {"id": "1", "from": account, "chat_instance": "5"}
        command = {"text": "/newgame", "entities": [{"type": "bot_command", "offset": 0, "length": 8}]}
        gone = {"chat": chat, "message_id": 3, "date": 0}
        inline = {"id": "7", "from": account, "query": "", "offset": ""}
        telegram = {"id": 777000, "is_bot": False, "first_name": "Telegram"}
        moved = {"old_chat_member": server.membership_of("left"), "new_chat_member": server.membership_of("member")}
        updates: list[dict[str, Any]] = [
            {},
            {"edited_message": message | {"text": "h8"}},
            {"callback_query": query},
            {"callback_query": query | {"game_short_name": "x"}},
            {"callback_query": query | {"data": "x"}, "message": message | {"text": "h8"}},
            {"callback_query": query | {"data": "abcdefghij.1.place-h8", "inline_message_id": "zz"}},
            {"callback_query": query | {"data": "in:abcdefghij:join", "inline_message_id": "zz"}},
            {"callback_query": query | {"data": "abcdefghij.1.place-h8", "message": gone}},
            {"callback_query": query | {"data": "s1:language:xx", "message": message | {"text": "a"}}},
            {"callback_query": query | {"data": "é" * 30, "message": message | {"text": "a"}}},
            {"message": message | command | {"sender_chat": news, "from": telegram, "is_automatic_forward": True}},
            {"message": {"message_id": 6, "date": 1, "chat": chat, "sender_chat": news} | command},
            {"message": message | {"caption": "/newgame", "caption_entities": command["entities"], "photo": []}},
            {"message": message | command | {"reply_to_message": {"message_id": 1, "date": 1, "chat": chat}}},
            {"message": message | {"text": "/newgame \ud800 @ann", "entities": command["entities"]}},
            {"message": message | {"text": "h8", "via_bot": server.bot_user()}},
            {"message": message | {"text": "h8", "chat": ann.private.describe()}},
            {"message": message | {"left_chat_member": server.bot_user()}},
            {"message": message | {"migrate_from_chat_id": -5}},
            {"guest_message": message | {"text": "@renju_test_bot"}},
            {"guest_message": message | {"text": "@renju_test_bot h8", "guest_query_id": "zz"}},
            {"guest_message": message | {"guest_query_id": "zz"}},
            {"guest_message": {"message_id": 6, "date": 1, "chat": chat, "guest_query_id": "zz", "text": "@x"}},
            {"inline_query": inline | {"query": "\ud800", "offset": "zz"}},
            {"inline_query": inline | {"query": "x" * 256}},
            {"chosen_inline_result": {"result_id": "unclear", "from": account, "query": ""}},
            {"chosen_inline_result": {"result_id": "abc", "from": account, "query": "", "inline_message_id": "zz"}},
            {"my_chat_member": {"chat": news, "from": account, "date": 1} | moved},
        ]
        with capture_logs() as logs:
            async with aiohttp.ClientSession(headers={HEADER: server.secret}) as session:
                for number, update in enumerate(updates):
                    async with session.post(service.webhook_url, json={"update_id": number, **update}) as answer:
                        assert answer.status == 200
            await service.idle()
        assert [entry for entry in logs if entry["log_level"] in ("error", "critical")] == []
        assert {call.method for call in server.calls if call.error} <= {
            "answerCallbackQuery",  # none of these queries was ever asked
            "answerGuestQuery",
            "answerInlineQuery",
            "editMessageReplyMarkup",
        }


async def test_a_restart_in_mid_game_loses_no_delivery(tables: Tables) -> None:
    """Over a line that loses many of them; what comes while nobody listens is delivered later, and in its order."""
    async with Service(tables, webhook=BY_WEBHOOK, delivered=True) as service:
        server = service.server
        server.deliveries.unreliable = True
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
        board = await service.game("free black", ann, ben, group)
        points = ("h8", "h9", "i9", "j9", "i8", "j8")
        for number, point in enumerate(points):
            if number % 2 == 0:
                await service.stop()
            (ann, ben)[number % 2].send(f"/m {point}", group)
            if number % 2 == 0:
                await service.start()
        await service.stone(points[-1], board)
        await server.updates.settled()
        assert await service.stones(board) == " ".join(points)
        assert group.from_bot == [board]
        assert max(server.deliveries.attempts.values()) > 1


async def test_an_address_in_use_is_said_and_ends_telegram_only(tables: Tables) -> None:
    """One line names it; the other parts of the service go on."""
    blocker = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = blocker.sockets[0].getsockname()[1]
    service = Service(tables, webhook=Delivery(url=BY_WEBHOOK.url, listen=f"127.0.0.1:{port}"))
    async with service.server:
        with capture_logs() as logs:
            await service.start(wait=False)
            await service.adapter
        await service.stop()
    blocker.close()
    assert "telegram_webhook_unavailable" in [entry["event"] for entry in logs]


async def test_the_usual_secret_tells_nothing_of_the_token() -> None:
    """The same in every process, within what Telegram allows."""
    secret = secret_of("4200000000:TEST-token")
    assert secret == secret_of("4200000000:TEST-token") != secret_of("4200000000:OTHER")
    assert len(secret) == 64
    assert secret.isalnum()
