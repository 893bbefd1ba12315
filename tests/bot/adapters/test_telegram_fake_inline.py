"""The inline side of the fake Telegram, seen through the unmodified library."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from telegram import Bot, InlineQueryResultArticle, InputMediaPhoto, InputTextMessageContent, Update
from telegram.error import BadRequest

from tests.bot.adapters.test_telegram_fake import JOIN, client, picture
from tests.fakes.telegram import Message, Person, TelegramServer

pytestmark = pytest.mark.asyncio


def article(name: str = "one", text: str = "a card") -> InlineQueryResultArticle:
    """Something that can be sent."""
    return InlineQueryResultArticle(name, "Card", InputTextMessageContent(text), reply_markup=JOIN)


async def update(bot: Bot) -> Update:
    """The next one, of whatever kind."""
    (first, *_) = await bot.get_updates(timeout=10, allowed_updates=Update.ALL_TYPES)
    await bot.get_updates(offset=first.update_id + 1, timeout=0, allowed_updates=Update.ALL_TYPES)
    return first


async def sent(server: TelegramServer, bot: Bot) -> tuple[Person, Message]:
    """A card in a chat without the bot."""
    ann = server.person("Ann")
    asked = asyncio.create_task(ann.type_inline("words"))
    query = (await update(bot)).inline_query
    assert query is not None
    assert (query.query, query.from_user.id) == ("words", ann.id)
    await query.answer([article()], cache_time=0)
    return ann, ann.send_inline((await asked)[0], server.group("strangers"))


async def test_taps_name_the_message_and_never_its_chat() -> None:
    """And the message is edited by that name: text, caption, keyboard."""
    async with TelegramServer() as server, client(server) as bot:
        ann, message = await sent(server, bot)
        tapped = asyncio.create_task(ann.tap(message, "Join"))
        query = (await update(bot)).callback_query
        assert query is not None
        assert query.message is None
        assert query.inline_message_id == message.inline_id
        assert await query.edit_message_text("a board") is True
        assert (message.text, message.labels) == ("a board", [])
        await query.answer("yes")
        assert (await tapped).text == "yes"
        assert server.faults == []


async def test_nothing_is_uploaded_in_an_edit() -> None:
    """Only a picture that Telegram has already can be shown."""
    async with TelegramServer() as server, client(server) as bot:
        _, message = await sent(server, bot)
        with pytest.raises(BadRequest):
            await bot.edit_message_media(InputMediaPhoto(picture("red")), inline_message_id=message.inline_id)
        assert len(server.faults) == 1
        cache = server.group("pictures")
        known = (await bot.send_photo(cache.id, picture("red"))).photo[-1].file_id
        await bot.edit_message_media(InputMediaPhoto(known, caption="now"), inline_message_id=message.inline_id)
        assert (message.photo, message.text) == (picture("red"), "now")


async def test_edits_that_change_nothing_or_find_nothing() -> None:
    """As with any message, and with the words of inline ones."""
    async with TelegramServer() as server, client(server) as bot:
        _, message = await sent(server, bot)
        with pytest.raises(BadRequest, match=r"(?i)not modified"):
            await bot.edit_message_text("a card", inline_message_id=message.inline_id, reply_markup=JOIN)
        server.forget(message)
        for name in (message.inline_id, "AAAA"):
            with pytest.raises(BadRequest, match=r"(?i)message_id_invalid"):
                await bot.edit_message_text("new", inline_message_id=name)


@pytest.mark.parametrize(
    "results",
    [
        lambda: [article(str(number)) for number in range(51)],
        lambda: [article("same"), article("same")],
        lambda: [article("")],
        lambda: [article("x" * 65)],
        lambda: [article(text="")],
        lambda: [article(text="x" * 4097)],
    ],
    ids=["too many", "twice the same id", "no id", "a long id", "no text", "a long text"],
)
async def test_answers_that_cannot_be(results: Callable[[], Any]) -> None:
    """They are refused, and noted as our fault."""
    async with TelegramServer() as server, client(server) as bot:
        asked = asyncio.create_task(server.person("Ann").type_inline("words"))
        query = (await update(bot)).inline_query
        assert query is not None
        with pytest.raises(BadRequest):
            await bot.answer_inline_query(query.id, results())
        assert len(server.faults) == 1
        await query.answer([article()])
        await asked
        with pytest.raises(BadRequest, match="too old"):
            await query.answer([article()])


async def test_a_guest_call_is_answered_once() -> None:
    """The answer tells the name by which it can be edited."""
    async with TelegramServer() as server, client(server) as bot:
        chat, ann = server.group("strangers"), server.person("Ann")
        await bot.get_updates(allowed_updates=Update.ALL_TYPES)  # such messages must be asked for
        called = asyncio.create_task(ann.call(f"@{server.username} rif", chat))
        message = (await update(bot)).guest_message
        assert message is not None
        assert message.guest_query_id
        answer = await bot.answer_guest_query(message.guest_query_id, article())
        assert (await called).inline_id == answer.inline_message_id
        await bot.edit_message_text("a board", inline_message_id=answer.inline_message_id)
        assert (await called).text == "a board"
        with pytest.raises(BadRequest):
            await bot.answer_guest_query(message.guest_query_id, article())


async def test_what_was_chosen_is_told_where_that_was_asked_for() -> None:
    """With the name of the message, which has buttons."""
    async with TelegramServer() as server, client(server) as bot:
        ann, first = await sent(server, bot)
        result = article().to_dict()
        second = ann.send_inline(result, first.chat, told=True)
        chosen = (await update(bot)).chosen_inline_result
        assert chosen is not None
        assert (chosen.result_id, chosen.inline_message_id) == ("one", second.inline_id)
        assert second.inline_id != first.inline_id
