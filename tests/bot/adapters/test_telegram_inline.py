"""Games in chats that the bot is no member of: inline messages and guest calls."""

from __future__ import annotations

import asyncio
import time

import pytest

from bot.adapters.telegram import inline_board
from bot.adapters.telegram.cache import CacheChat
from bot.adapters.telegram.inline_board import INLINE
from bot.adapters.telegram.pace import Pace
from bot.composing import compose
from bot.render import png
from bot.scene import Viewer
from bot.session.table import Declined, Table
from bot.session.tables import Tables
from tests.fakes.telegram import Chat, Limits, Message, Person, TelegramServer
from tests.fakes.telegram.people import keyboard_of
from tests.fakes.telegram.server import PATIENCE
from tests.fakes.telegram_service import Service

pytestmark = pytest.mark.asyncio


async def card(person: Person, chat: Chat, words: str, *, told: bool = False) -> Message:
    """A challenge in these words, sent."""
    results = await person.type_inline(words)
    return person.send_inline(next(result for result in results if "reply_markup" in result), chat, told=told)


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


async def table_at(tables: Tables, message: Message) -> Table | None:
    """The table that an inline message shows."""
    found = await tables.view_at(INLINE, message.inline_id, message.inline_id)
    table = None if found is None else await tables.get(found[0])
    assert not isinstance(table, Declined)
    return table


def with_pictures(tables: Tables) -> tuple[Service, Chat]:
    """A service with a cache chat."""
    server = TelegramServer()
    cache = server.group("pictures")
    return Service(tables, server=server, cache_chat=str(cache.id)), cache


class TestBoard:
    async def test_in_letters(self, tables: Tables) -> None:
        """Without a cache chat the board is drawn in letters, and who is to move is named."""
        async with Service(tables) as service:
            ann, ben, board = await joined(service)
            await play(service, ann, board, "h8")
            assert "(X)" in board.text
            assert "Ben (White)" in board.text
            await play(service, ben, board, "h9")
            assert " 9 . . . . . . .(O). . . . . . ." in board.text
            assert not board.now.photo

    async def test_in_pictures_each_uploaded_once(self, tables: Tables) -> None:
        """Equal positions are one picture, whatever games they are from."""
        service, cache = with_pictures(tables)
        async with service:
            ann, _, board = await joined(service)
            await play(service, ann, board, "h8")
            await service.server.until(lambda: board.now.photo, "a picture")
            uploads = len(cache.boards)
            await joined(service)
            assert len(cache.boards) == uploads <= 2

    async def test_a_cache_chat_that_cannot_be_used(self, tables: Tables) -> None:
        """The board is drawn in letters; nothing is lost."""
        service, cache = with_pictures(tables)
        cache.blocked = "Forbidden: bot is not a member of the supergroup chat"
        async with service:
            ann, _, board = await joined(service)
            await play(service, ann, board, "h8")
            assert not board.now.photo
            assert "(X)" in board.text

    async def test_a_cache_chat_that_fails_in_mid_game(self, tables: Tables) -> None:
        """A message that has a picture keeps it, and the newest board stands under it in letters."""
        service, cache = with_pictures(tables)
        async with service:
            ann, _, board = await joined(service)
            await service.server.until(lambda: board.now.photo, "a picture")
            cache.kick_bot()
            await play(service, ann, board, "h8")
            assert board.now.photo
            assert "(X)" in board.text
            assert "The picture is older" in board.text

    async def test_a_cache_chat_that_is_busy(self, tables: Tables) -> None:
        """Nobody waits for its pace: the newest board is shown in letters meanwhile."""
        server = TelegramServer()
        cache = server.group("pictures")
        slow = Pace(private=(1e6, 1e6), group=(1.0, 0.001), everything=(1e6, 1e6))
        async with Service(tables, server=server, cache_chat=str(cache.id), pace=slow) as service:
            ann, ben, board = await joined(service)
            await service.server.until(lambda: board.now.photo, "a picture")
            await play(service, ann, board, "h8")
            await play(service, ben, board, "h9")
            assert "(O)" in board.text
            assert "The picture is older" in board.text
            assert len(cache.boards) == 1

    async def test_a_picture_that_others_are_always_quicker_to_have(
        self, tables: Tables, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It is soon its turn, each time it is asked for; after a while the board is shown in letters."""

        async def soon(*_: object) -> float:
            return 0.02

        monkeypatch.setattr(CacheChat, "id_of", soon)
        monkeypatch.setattr(inline_board, "_SHORT", 0.1)
        service, _ = with_pictures(tables)
        async with service:
            ann, ben, board = await joined(service)
            await play(service, ann, board, "h8")
            await play(service, ben, board, "h9")
            assert "(O)" in board.text

    async def test_a_private_chat_as_cache_chat(self, tables: Tables) -> None:
        """The operator's own chat with the bot, whose pace is a quicker one."""
        server = TelegramServer()
        operator = server.person("Op")
        operator.private.blocked = ""
        async with Service(tables, server=server, cache_chat=str(operator.id)) as service:
            _, _, board = await joined(service)
            await service.server.until(lambda: board.now.photo, "a picture")
            assert operator.private.board.now.photo == board.now.photo

    async def test_a_message_that_was_deleted_is_given_up(self, tables: Tables) -> None:
        """Its view goes; the game does not."""
        async with Service(tables) as service:
            ann, _, board = await joined(service)
            table = await table_at(tables, board)
            assert table is not None
            service.server.forget(board)
            refused = len(service.server.calls)
            await ann.tap_data(board, f"{table.id}.{table.rev}.place-h8")
            await service.server.until(
                lambda: any("MESSAGE_ID_INVALID" in call.error for call in service.server.calls[refused:]), "a refusal"
            )
            await service.idle()
            newest = await tables.get(table.id)
            assert isinstance(newest, Table)
            assert newest.rev == table.rev + 1

    async def test_a_rematch_takes_the_message_over(self, tables: Tables) -> None:
        """The old game's buttons, pressed from an old screen, do nothing to the new one."""
        async with Service(tables) as service:
            ann, ben, board = await joined(service)
            old = board.keyboard
            first = await table_at(tables, board)
            assert (await ann.tap(board, "Cancel")).text == ""
            await service.server.until(lambda: "Rematch" in board.labels, "the end")
            assert (await ben.tap(board, "Rematch")).text == ""
            await service.server.until(lambda: "Join" in board.labels, "the rematch")
            second = await table_at(tables, board)
            assert first is not None
            assert second is not None
            assert second.id != first.id
            assert (await ann.tap(board, "H8", keyboard=old)).text != ""
            assert await table_at(tables, board) == second


@pytest.mark.parametrize("cached", [True, False])
async def test_many_games_at_once_meet_no_limit(tables: Tables, cached: bool) -> None:
    """Ten games in chats without the bot, played as fast as people can tap, by a clock ten times as fast: Telegram
    never has to ask to wait, and each message shows its last stone in the end.

    What was allowed may arrive a little later, by which a window can hold one more than the pace let through in it. The
    pace of the bot as a whole is proved with the pace itself.
    """
    began = time.monotonic()

    def fast() -> float:
        return (time.monotonic() - began) * 10

    server = TelegramServer()
    cache = str(server.group("pictures").id) if cached else ""
    async with Service(tables, server=server, pace=Pace(fast), cache_chat=cache):
        people = [(server.person(f"Ann {number}"), server.person(f"Ben {number}")) for number in range(10)]
        strangers = server.group("strangers")
        server.limits = Limits(fast, chat=(9, 5.0), everything=(1000, 1.0))

        async def game(ann: Person, ben: Person, number: int) -> None:
            results = await ann.type_inline("free black freestyle")
            if number % 2:
                board = ann.send_inline(results[0], strangers)
            else:
                board = await ann.call("@renju_test_bot free black freestyle", strangers)
            assert (await ben.tap(board, "Join")).text == ""
            points = [f"{column}{row}" for row in (8, 10, 6) for column in "hjln"][: 11 - number % 3]
            points.append(f"a{number + 1}")  # each game ends with a picture of its own
            for move, point in enumerate(points):
                table = await table_at(tables, board)
                assert table is not None
                assert (await (ann, ben)[move % 2].tap_data(board, f"{table.id}.{table.rev}.place-{point}")).text == ""
            await server.until(lambda: f" {points[-1].upper()}" in board.text, "the last stone")
            if cached:
                table = await table_at(tables, board)
                assert table is not None
                last = png(compose(table, Viewer("en", public=True)).picture)
                await server.until(lambda: board.photo == last and "older" not in board.text, "the last picture")

        await asyncio.gather(*(game(ann, ben, number) for number, (ann, ben) in enumerate(people)))
        assert [call.error for call in server.calls if call.error] == []


class TestChallenge:
    async def test_the_card_carries_all_that_is_needed(self, tables: Tables) -> None:
        """A restart between sending and joining, and nobody told of the sending: the game begins all the same."""
        async with Service(tables) as service:
            ann, ben = service.server.person("Ann"), service.server.person("Ben")
            board = await card(ann, service.server.group("strangers"), "taraguchi claim 20m+60s")
            assert await table_at(tables, board) is None
            await service.stop()
            await service.start()
            assert (await ben.tap(board, "Join")).text == ""
            await service.server.until(lambda: "Join" not in board.labels, "the game of two")
            table = await table_at(tables, board)
            assert table is not None
            assert table.game.settings.protocol == "taraguchi_10"

    async def test_told_twice_and_tapped_twice(self, tables: Tables) -> None:
        """One message is one table; the same card in two chats is two."""
        async with Service(tables) as service:
            ann, ben, eve = (service.server.person(name) for name in ("Ann", "Ben", "Eve"))
            service.server.updates.repeat = 2
            results = await ann.type_inline("rif")
            sent = keyboard_of(results[0]["reply_markup"])
            boards = [ann.send_inline(results[0], service.server.group(name), told=True) for name in ("one", "two")]
            for board in boards:
                assert (await ben.tap(board, "Join", keyboard=sent)).text == ""
                assert (await eve.tap(board, "Join", keyboard=sent)).text != ""
            one, two = [await table_at(tables, board) for board in boards]
            assert one is not None
            assert two is not None
            assert one.id != two.id
            assert len(await tables.tables_of(f"tg:{ann.id}")) == 2

    async def test_the_sender_cannot_join_and_can_withdraw(self, tables: Tables) -> None:
        """Nobody else can withdraw it."""
        async with Service(tables) as service:
            ann, ben = service.server.person("Ann"), service.server.person("Ben")
            board = await card(ann, service.server.group("strangers"), "rif")
            sent = board.keyboard
            assert "somebody else" in (await ann.tap(board, "Join")).text
            assert (await ben.tap(board, "Withdraw", keyboard=sent)).text != ""
            assert (await ann.tap(board, "Withdraw", keyboard=sent)).text == ""
            await service.server.until(lambda: not board.keyboard, "no buttons")
            assert "withdrawn" in (await ben.tap(board, "Join", keyboard=sent)).text

    async def test_a_seat_kept_for_somebody(self, tables: Tables) -> None:
        """``@ben`` among the words: others are told whom it is for."""
        async with Service(tables) as service:
            ann, eve = service.server.person("Ann"), service.server.person("Eve")
            ben = service.server.person("Ben", username="ben")
            board = await card(ann, service.server.group("strangers"), "@ben rif")
            assert "@ben" in (await eve.tap(board, "Join")).text
            assert (await ben.tap(board, "Join")).text == ""

    async def test_forged_buttons(self, tables: Tables) -> None:
        """An offer that nobody made opens nothing, in the tapper's language."""
        async with Service(tables) as service:
            ann, yu = service.server.person("Ann"), service.server.person("小雨", "zh-hans")
            board = await card(ann, service.server.group("strangers"), "rif")
            assert "too old" in (await ann.tap_data(board, "in:abcdefghij:join")).text
            assert not (await yu.tap_data(board, "in:abcdefghij:join")).text.isascii()
            for data in ("in::join", "in:abcdefghij:flag", "in:é:join"):
                assert (await ann.tap_data(board, data)).text != ""
            assert await table_at(tables, board) is None


class TestOffered:
    async def test_before_a_word_is_typed(self, tables: Tables) -> None:
        """The usual openings; all of them can be sent."""
        async with Service(tables) as service:
            results = await service.server.person("Ann").type_inline("")
            assert len(results) >= 5
            assert all("reply_markup" in result for result in results)

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            ("tarakuchi", "taraguchi"),
            ("engine 5", "alone"),
            ("@renju_test_bot", "alone"),
            ("k_max=x rif", "number"),
            ("h8", "buttons"),
        ],
    )
    async def test_words_that_make_no_game(self, tables: Tables, words: str, said: str) -> None:
        """One result says what would be right."""
        async with Service(tables) as service:
            results = await service.server.person("Ann").type_inline(words)
            assert said in results[-1]["input_message_content"]["message_text"]
            assert "reply_markup" not in results[-1]

    async def test_likely_words_are_offered(self, tables: Tables) -> None:
        """A slip of the finger is one tap away from what was meant; so are the 26 openings."""
        async with Service(tables) as service:
            ann = service.server.person("Ann")
            assert any("Taraguchi-10" in result["title"] for result in await ann.type_inline("taraguchy"))
            openings = await ann.type_inline("designated")
            assert sum("reply_markup" in result for result in openings) == 26

    async def test_a_429_is_obeyed(self, tables: Tables) -> None:
        """No query is answered before Telegram allows it; who types on later is."""
        async with Service(tables) as service:
            server, ann = service.server, service.server.person("Ann")
            server.fail("answerInlineQuery", 429, "Too Many Requests: retry after 1", retry_after=1)
            asking = [asyncio.create_task(ann.type_inline("rif")) for _ in range(3)]
            await server.updates.settled()
            await service.idle()
            calls = [call for call in server.calls if call.method == "answerInlineQuery"]
            assert len([call for call in calls if call.error]) == 1
            assert not any(task.done() for task in asking if len(calls) == 1)
            for task in asking:
                task.cancel()
            async with asyncio.timeout(PATIENCE):
                while True:
                    typed = asyncio.create_task(ann.type_inline("rif"))
                    await asyncio.wait([typed], timeout=0.3)
                    if typed.done():
                        break
                    typed.cancel()
            assert (await typed)[0]["type"] == "article"
            assert len([call for call in server.calls if call.error]) == 1


class TestGuest:
    async def test_a_call_is_answered_by_a_challenge(self, tables: Tables) -> None:
        """Who is replied to has the seat kept for them."""
        async with Service(tables) as service:
            ann, ben, eve = (service.server.person(name) for name in ("Ann", "Ben", "Eve"))
            chat = service.server.group("strangers")
            said = service.server.add_message(chat, ben, text="who plays?")
            board = await ann.call("@renju_test_bot rif", chat, reply_to=said)
            assert "Ben" in (await eve.tap(board, "Join")).text
            assert (await ben.tap(board, "Join")).text == ""
            await service.server.until(lambda: "Join" not in board.labels, "the game of two")

    async def test_a_point_is_played_by_a_call(self, tables: Tables) -> None:
        """``@bot h8`` plays where it is one's turn; else the true reason is said."""
        async with Service(tables) as service:
            ann, ben = service.server.person("Ann"), service.server.person("Ben")
            chat, other = service.server.group("strangers"), service.server.group("others")
            boards = [await ann.call("@renju_test_bot free black", where) for where in (chat, other)]
            for board in boards:
                assert (await ben.tap(board, "Join")).text == ""
                await service.server.until(lambda: "Join" not in board.labels, "the game of two")  # noqa: B023
            assert "H8 is played" in (await ann.call("@renju_test_bot h8", chat)).text
            await service.server.until(lambda: "Black H8" in boards[0].text, "the stone")
            assert "not your turn" in (await ann.call("@Renju_Test_Bot h9", chat)).text
            assert "H8" in (await ben.call("@renju_test_bot h8", chat)).text  # where a stone lies
            assert "H9 is played" in (await ben.call("@renju_test_bot Ｈ９", chat)).text
            await service.server.until(lambda: "White H9" in boards[0].text, "the stone")
            assert "Last move" not in boards[1].text

    async def test_a_point_is_not_played_in_a_game_that_is_guessed_at(self, tables: Tables) -> None:
        """Of messages that were sent by ``@bot`` the chat is unknown: the only game is meant, none of two is."""
        async with Service(tables) as service:
            ann, _, first = await joined(service)
            chat = service.server.group("elsewhere")
            assert "H8 is played" in (await ann.call("@renju_test_bot h8", chat)).text
            await service.server.until(lambda: "Black H8" in first.text, "the stone")
            eve = service.server.person("Eve")
            boards = [await card(eve, chat, "free black") for _ in range(2)]
            for board in boards:
                assert (await service.server.person("Cy").tap(board, "Join")).text == ""
            assert "several games" in (await eve.call("@renju_test_bot h8", chat)).text
            await service.idle()
            assert not any("Last move" in board.text for board in boards)

    @pytest.mark.parametrize(("code", "seconds"), [(429, 1), (502, None)])
    async def test_an_answer_that_is_refused_is_tried_again(
        self, tables: Tables, code: int, seconds: int | None
    ) -> None:
        """The call is not lost by it, and the card works."""
        async with Service(tables) as service:
            service.server.fail("answerGuestQuery", code, "not now", retry_after=seconds)
            board = await service.server.person("Ann").call("@renju_test_bot rif", service.server.group("strangers"))
            assert (await service.server.person("Ben").tap(board, "Join")).text == ""

    async def test_words_that_make_no_game(self, tables: Tables) -> None:
        """The one answer says what would be right."""
        async with Service(tables) as service:
            ann = service.server.person("Ann")
            answer = await ann.call("@renju_test_bot tarakuchi", service.server.group("strangers"))
            assert "taraguchi" in answer.text
            assert not answer.keyboard


@pytest.mark.parametrize(("inline", "guest"), [(True, True), (True, False), (False, False)])
async def test_help_speaks_of_it_where_it_works(tables: Tables, inline: bool, guest: bool) -> None:
    """Only where the operator has switched it on with @BotFather."""
    async with Service(tables) as service:
        await service.stop()
        service.server.bot |= {"supports_inline_queries": inline, "supports_guest_queries": guest}
        await service.start()
        text = await service.reply_to(service.server.person("Ann").send("/help"))
        assert ("@renju_test_bot rif" in text) is inline
        assert ("@renju_test_bot h8" in text) is guest
