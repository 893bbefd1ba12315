"""The fake Telegram behaves like the real one where a bot can notice, seen through the unmodified library."""

from __future__ import annotations

import asyncio
import io
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, InputMediaPhoto, Update
from telegram.error import BadRequest, ChatMigrated, Conflict, Forbidden, InvalidToken, NetworkError, RetryAfter
from telegram.request import BaseRequest, HTTPXRequest

from bot.adapters.telegram.transport import AiohttpRequest
from tests.fakes.telegram import Limits, TelegramServer

JOIN = InlineKeyboardMarkup([[InlineKeyboardButton("Join", callback_data="join")]])


def picture(colour: str) -> bytes:
    """A PNG of one colour."""
    written = io.BytesIO()
    Image.new("RGB", (96, 96), colour).save(written, "PNG")
    return written.getvalue()


@asynccontextmanager
async def client(server: TelegramServer, request: type[BaseRequest] = AiohttpRequest) -> AsyncIterator[Bot]:
    """The unmodified library, pointed at the fake."""
    async with Bot(
        server.token,
        base_url=f"{server.url}/bot",
        base_file_url=f"{server.url}/file/bot",
        request=request(),
        get_updates_request=request(),
    ) as bot:
        yield bot


@pytest.mark.asyncio
class TestCalls:
    """Calls and their checks."""

    @pytest.mark.parametrize("request_class", [AiohttpRequest, HTTPXRequest])
    async def test_a_photo_is_sent_edited_and_sent_again_by_its_id(self, request_class: type[BaseRequest]) -> None:
        """Both transports of the library carry pictures, captions and keyboards unharmed."""
        async with TelegramServer() as server, client(server, request_class) as bot:
            ann = server.person("Ann")
            ann.send("hello")
            sent = await bot.send_photo(ann.id, picture("red"), caption="<b>&_*  é 五", reply_markup=JOIN)
            board = ann.private.board
            assert (board.text, board.labels, board.photo) == ("<b>&_*  é 五", ["Join"], picture("red"))
            await bot.edit_message_media(InputMediaPhoto(picture("blue"), caption="2"), ann.id, sent.message_id)
            assert (board.text, board.labels, board.photo) == ("2", [], picture("blue"))
            media = InputMediaPhoto(sent.photo[-1].file_id, caption="3")
            await bot.edit_message_media(media, ann.id, sent.message_id, reply_markup=JOIN)
            assert (board.text, board.labels, board.photo) == ("3", ["Join"], picture("red"))
            file = await bot.get_file(sent.photo[0].file_id)
            assert await file.download_as_bytearray() == picture("red")
            assert server.faults == []

    async def test_an_edit_that_changes_nothing_is_refused(self) -> None:
        """Caption, picture and keyboard alike: "message is not modified"."""
        async with TelegramServer() as server, client(server) as bot:
            ann = server.person("Ann")
            ann.send("hello")
            sent = await bot.send_photo(ann.id, picture("red"), caption="same", reply_markup=JOIN)
            where: dict[str, Any] = {"chat_id": ann.id, "message_id": sent.message_id, "reply_markup": JOIN}
            for edit in (
                bot.edit_message_caption(caption="same", **where),
                bot.edit_message_reply_markup(**where),
                bot.edit_message_media(InputMediaPhoto(picture("red"), caption="same"), **where),
            ):
                with pytest.raises(BadRequest, match=r"(?i)not modified"):
                    await edit
            server.forget(ann.private.board)
            with pytest.raises(BadRequest, match=r"(?i)message to edit not found"):
                await bot.edit_message_caption(caption="other", **where)

    async def test_what_the_description_does_not_allow_is_a_fault(self) -> None:
        """Unknown and missing fields, wrong types, too long texts and keyboards, files that are no picture."""
        async with TelegramServer() as server, client(server) as bot:
            ann = server.person("Ann")
            ann.send("hello")
            row = [InlineKeyboardButton("x", callback_data="x")]
            cases = [
                ("knows no 'colour'", bot.send_message(ann.id, "x", api_kwargs={"colour": "red"})),
                ("needs 'text'", bot.send_message(ann.id, None)),  # type: ignore[arg-type]
                ("no integer", bot.send_message(ann.id, "x", message_thread_id="one")),  # type: ignore[arg-type]
                ("too long", bot.send_message(ann.id, "x" * 4097)),
                ("empty", bot.send_message(ann.id, "  ")),
                ("too long", bot.send_photo(ann.id, picture("red"), caption="x" * 1025)),
                ("row of 9", bot.send_message(ann.id, "x", reply_markup=InlineKeyboardMarkup([row * 9]))),
                ("101 buttons", bot.send_message(ann.id, "x", reply_markup=InlineKeyboardMarkup([row] * 101))),
                ("65 bytes", bot.send_message(ann.id, "x", reply_markup=_button("é" * 32 + "x"))),
                ("201 characters", bot.answer_callback_query("1", "x" * 201)),
                ("parse_mode", bot.send_message(ann.id, "x", parse_mode="HTML")),
            ]
            for complaint, call in cases:
                with pytest.raises(BadRequest):
                    await call
                assert complaint in server.faults.pop()
            with pytest.raises(BadRequest, match=r"(?i)image_process_failed"):
                await bot.send_photo(ann.id, b"no picture")

    async def test_a_query_is_answered_once_and_in_time(self) -> None:
        """The second answer and the late one are refused; only the second is a fault of the bot."""
        async with TelegramServer() as server, client(server) as bot:
            ann = server.person("Ann")
            ann.send("hello")
            await bot.send_message(ann.id, "x", reply_markup=JOIN)
            tap = asyncio.create_task(ann.tap(ann.private.last, "Join"))
            query = (await _updates(bot, 1))[-1].callback_query
            assert query is not None
            await query.answer("welcome")
            assert (await tap).text == "welcome"
            with pytest.raises(BadRequest, match=r"(?i)query is too old"):
                await query.answer("again")
            assert server.faults == [f"the query {query.id} was answered twice"]
            server.queries_expire = True
            late = server.deliver_tap(ann, ann.private.last, "join")
            with pytest.raises(BadRequest, match=r"(?i)query is too old"):
                await bot.answer_callback_query(late.id)

    async def test_trouble_comes_on_demand_and_by_the_pace(self) -> None:
        """429 with the time to wait, 403, 5xx, a cut line, a wrong token, an upgraded group."""
        async with TelegramServer() as server, client(server) as bot:
            ann = server.person("Ann")
            with pytest.raises(Forbidden, match="initiate"):
                await bot.send_message(ann.id, "x")
            ann.send("hello")
            server.fail("sendMessage", 429, "Too Many Requests: retry after 7", retry_after=7)
            with pytest.raises(RetryAfter, match="7"):
                await bot.send_message(ann.id, "x")
            server.fail("sendMessage", 500, "Internal Server Error", drop=True)
            with pytest.raises(NetworkError):
                await bot.send_message(ann.id, "x")
            ann.block()
            with pytest.raises(Forbidden, match="blocked"):
                await bot.send_message(ann.id, "x")
            ann.unblock()
            now = [0.0]
            server.limits = Limits(lambda: now[0])
            for _ in range(8):
                await bot.send_message(ann.id, "x")
            with pytest.raises(RetryAfter, match="5"):
                await bot.send_message(ann.id, "x")
            now[0] = 5.0
            await bot.send_message(ann.id, "x")
            group = server.group("club", kind="group")
            new = server.migrate(group)
            with pytest.raises(ChatMigrated) as moved:
                await bot.send_message(group.id, "x")
            assert moved.value.new_chat_id == new.id
            with pytest.raises(InvalidToken):
                async with Bot("4200000000:WRONG", base_url=f"{server.url}/bot", request=AiohttpRequest()):
                    pass
            assert server.faults == []


@pytest.mark.asyncio
class TestUpdates:
    """What the bot is told, and how often."""

    async def test_an_update_comes_again_until_it_is_confirmed(self) -> None:
        """An offset beyond an update confirms it; with lost confirmations it comes several times."""
        async with TelegramServer() as server, client(server) as bot:
            ann = server.person("Ann")
            ann.send("one")
            (one,) = await bot.get_updates()
            assert [u.update_id for u in await bot.get_updates()] == [one.update_id]
            assert await bot.get_updates(offset=one.update_id + 1) == ()
            server.updates.repeat = 3
            ann.send("two")
            (two,) = await bot.get_updates(offset=one.update_id + 1)
            assert two.update_id == one.update_id + 1
            for _ in range(2):
                assert [u.update_id for u in await bot.get_updates(offset=two.update_id + 1)] == [two.update_id]
            assert await bot.get_updates(offset=two.update_id + 1) == ()

    async def test_a_poller_that_waits_is_woken_and_a_second_one_takes_over(self) -> None:
        """Long polling returns when something comes; of two pollers the older gets 409."""
        async with TelegramServer() as server, client(server) as bot, client(server) as second:
            ann = server.person("Ann")
            waiting = asyncio.create_task(bot.get_updates(timeout=25))
            await server.until(lambda: server.updates.polling)
            ann.send("wake up")
            assert len(await waiting) == 1
            waiting = asyncio.create_task(bot.get_updates(offset=-1, timeout=25))
            server.queries_expire = False
            first = await waiting
            waiting = asyncio.create_task(bot.get_updates(offset=first[0].update_id + 1, timeout=25))
            await server.until(lambda: server.updates.polling)
            taking_over = asyncio.create_task(second.get_updates(timeout=25))
            with pytest.raises(Conflict, match="terminated by other getUpdates"):
                await waiting
            ann.send("to the second")
            assert len(await taking_over) == 1

    async def test_privacy_mode_keeps_plain_words_of_a_group_from_the_bot(self) -> None:
        """Commands of its own and replies to it arrive; plain text, mentions and commands of others do not."""
        async with TelegramServer() as server, client(server) as bot:
            ann, group = server.person("Ann"), server.group("club")
            sent = await bot.send_message(group.id, "board")
            board = group.history[sent.message_id]
            ann.send("h8", group)
            ann.send("@renju_test_bot h8", group)
            ann.send("/move@other_bot h8", group)
            ann.send("/move h8", group)
            ann.send("/move@renju_test_bot h9", group)
            ann.send("h10", group, reply_to=board)
            group.other_bot_spoke = True
            ann.send("/move h11", group)
            heard = [u.message.text for u in await bot.get_updates() if u.message is not None]
            assert heard == ["/move h8", "/move@renju_test_bot h9", "h10"]

    async def test_topics_have_threads_and_the_general_one_has_none(self) -> None:
        """A message of a topic names its thread; thread 1 is refused; a reply thread is no topic."""
        async with TelegramServer() as server, client(server) as bot:
            ann, forum, plain = server.person("Ann"), server.group("forum", forum=True), server.group("plain")
            topic = forum.topic("Renju", ann)
            ann.send("/move h8", forum, thread=topic)
            ann.send("/move h8", forum)
            sent = await bot.send_message(plain.id, "x")
            ann.send("h8", plain, reply_to=plain.history[sent.message_id])
            in_topic, general, reply = [u.message for u in await bot.get_updates() if u.message is not None]
            assert (in_topic.message_thread_id, in_topic.is_topic_message) == (topic, True)
            assert in_topic.reply_to_message is not None
            assert (general.message_thread_id, general.is_topic_message) == (None, None)
            assert (reply.message_thread_id, reply.is_topic_message) == (sent.message_id, None)
            await bot.send_message(forum.id, "x", message_thread_id=topic)
            assert forum.last.thread == topic
            with pytest.raises(BadRequest, match="thread not found"):
                await bot.send_message(forum.id, "x", message_thread_id=1)


def _button(data: str) -> InlineKeyboardMarkup:
    return InlineKeyboardMarkup([[InlineKeyboardButton("x", callback_data=data)]])


async def _updates(bot: Bot, least: int) -> tuple[Update, ...]:
    found: tuple[Update, ...] = ()
    while len(found) < least:
        found = await bot.get_updates(timeout=10)
    return found


FULL = Path(__file__).parents[4] / "shared" / "specs" / "telegram_bot_api.json"


@pytest.mark.skipif(not FULL.exists(), reason="the full description is not at hand")
def test_the_facts_are_cut_from_the_full_description() -> None:
    """The committed data is what ``tools/telegram_facts.py`` makes of the description."""
    root = Path(__file__).parents[3]
    made = subprocess.run(
        [sys.executable, root / "tools" / "telegram_facts.py", FULL], check=True, capture_output=True, text=True
    ).stdout
    assert made == (root / "tests" / "data" / "telegram_methods.json").read_text(encoding="utf-8")
