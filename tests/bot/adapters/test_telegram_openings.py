"""How games begin on Telegram, and where they are found again: the card, challenges, lists, rematches."""

from __future__ import annotations

import pytest

from bot.adapters.telegram.pace import Pace
from bot.newgame import DEFAULT_LEVEL
from bot.session.referee import GRACE
from bot.session.store import Store
from bot.session.tables import Tables
from bot.session.timekeeper import Timekeeper
from core.game import FoulMode
from tests.bot.session.timing import Watch, much_later
from tests.fakes.telegram import Message
from tests.fakes.telegram_service import Service

pytestmark = pytest.mark.asyncio


async def tapped(service: Service, asked: Message, label: str) -> None:
    """Tap what begins so, as the person who was asked, and see the next page."""
    person = next(iter(service.server.people.values()))
    before = len(asked.versions)
    found = next(text for text in asked.labels if text.startswith(label))
    assert (await person.tap(asked, found)).text == ""
    await service.server.until(lambda: len(asked.versions) > before, "the next page")


async def test_newgame_alone_asks_and_remembers(tables: Tables) -> None:
    """Two taps change a choice, one starts; next time the card begins with the last choice of that person and chat."""
    async with Service(tables) as service:
        server = service.server
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
        await service.reply_to(ann.send("/newgame", group))
        asked = group.last
        assert "asked this" in (await ben.tap(asked, "Start")).text
        for label in ("Opening", "RIF", "Forbidden", "it cannot be played"):
            await tapped(service, asked, label)
        assert "/newgame friend rif blocked guess" in asked.text
        await ann.tap(asked, "Start")
        await server.until(lambda: group.boards, "the board")
        await service.without_buttons(asked)
        assert asked.text == "Begun; the board follows. The same again: /newgame friend rif blocked guess"
        table = await service.table(group.board)
        assert (table.game.settings.protocol, table.game.settings.foul_mode) == ("rif", FoulMode.BLOCKED)
        assert table.waiting
        assert "rif blocked" in await service.reply_to(ann.send("/newgame", group))
        assert "free claim" in await service.reply_to(ben.send("/newgame", group))
        assert f"engine {DEFAULT_LEVEL} free" in await service.reply_to(ann.send("/newgame"))
        await ann.tap(ann.private.last, "Put away")
        await service.without_buttons(ann.private.last)
        assert "Put away" in ann.private.last.text


async def test_who_taps_a_card_too_fast_hears_it(tables: Tables) -> None:
    """A page that the pace does not allow yet is answered with the time to wait, not with nothing."""
    slow = Pace(lambda: 0.0, group=(3.0, 0.1))
    async with Service(tables, pace=slow) as service:
        server = service.server
        ann, group = server.person("Ann"), server.group("club")
        await service.reply_to(ann.send("/newgame", group))
        asked, said = group.last, []
        for label in ("Opening", "RIF", "Clock"):
            found = next((text for text in asked.labels if text.startswith(label)), asked.labels[0])
            said.append((await ann.tap(asked, found)).text)
            await service.idle()
        assert said[0] == ""
        assert "again in" in said[-1]


async def test_a_typed_line_is_remembered_on_the_card(tables: Tables) -> None:
    """Whatever was played last by that person in that chat stands on the card, also when it was typed."""
    async with Service(tables) as service:
        server = service.server
        ann, ben, group = server.person("Ann"), server.person("Ben", username="ben"), server.group("club")
        ann.send("/newgame @ben taraguchi 20分+60秒 执白", group)
        await server.until(lambda: group.boards, "the board")
        assert "/newgame friend taraguchi_10 claim white 20m+60s" in await service.reply_to(ann.send("/newgame", group))
        ann.send("/newgame rif no_pass", group)  # no card can say this
        await server.until(lambda: len(group.boards) == 2, "the board")
        assert "taraguchi_10" in await service.reply_to(ann.send("/newgame", group))
        assert "friend free" in await service.reply_to(ben.send("/newgame", group))


async def test_a_challenge_says_when_it_ends_and_ends_then(store: Store) -> None:
    """As its words, its chat or the usual say; then the message says so, and the old buttons do."""
    watch = Watch()
    tables = Tables(store, watch)
    keeper = Timekeeper(tables)
    async with Service(tables) as service:
        server = service.server
        ann, ben, group = server.person("Ann"), server.person("Ben", "zh-hans"), server.group("club")
        group.administrators.append(ann)
        ann.send("/newgame free", group)
        await server.until(lambda: group.boards, "the board")
        assert "Open until 2023-11-17 22:13 UTC." in group.board.text
        await service.reply_to(ann.send("/settings", group))
        await ann.tap(group.last, "1 day")
        ann.send("/newgame free", group)
        await server.until(lambda: len(group.boards) == 2, "the board")
        assert "Open until 2023-11-15 22:13 UTC." in group.board.text
        ann.send("/newgame free wait=2h", group)
        await server.until(lambda: len(group.boards) == 3, "the board")
        board, join = group.board, group.board.keyboard
        assert "Open until 2023-11-15 00:13 UTC." in board.text
        assert "14" in await service.reply_to(ann.send("/newgame free wait=100d", group))
        await much_later(keeper, watch, tables, 2 * 3_600_000 + GRACE)
        await server.until(lambda: not board.labels, "the end of the challenge")
        assert "Nobody joined in time" in board.text
        answer = await ben.tap(board, "Join", keyboard=join)
        assert "没有人按时加入" in answer.text
        for still in group.boards[:2]:
            assert "Join" in still.labels
        assert (await service.reply_to(ann.send("/games", group))).count("waits for") == 2
    await tables.close()


async def test_an_opening_that_lies_there_can_be_withdrawn(tables: Tables) -> None:
    """With its three stones on the board there is no game yet."""
    async with Service(tables) as service:
        server = service.server
        ann, group = server.person("Ann"), server.group("club")
        ann.send("/newgame designated D4", group)
        await server.until(lambda: group.boards, "the board")
        board = group.board
        assert (await ann.tap(board, "Withdraw")).text == ""
        await server.until(lambda: "The challenge was withdrawn." in board.text and not board.labels)


async def test_games_lists_those_of_every_topic(tables: Tables) -> None:
    """Asked in any topic; each with the address of its board, which names the topic."""
    async with Service(tables) as service:
        server = service.server
        ann, ben, forum = server.person("Ann"), server.person("Ben"), server.group("forum", forum=True)
        threads = [forum.topic("one", ann), forum.topic("two", ann), None]
        boards = [await service.game("free black", ann, ben, forum, thread=thread) for thread in threads]
        for thread in threads:
            listed = await service.reply_to(ben.send("/games", forum, thread=thread))
            for at, board in zip(threads, boards, strict=True):
                within = "" if at is None else f"{at}/"
                assert f"https://t.me/c/{str(forum.id)[4:]}/{within}{board.id}\n" in listed
        assert "to me alone" in listed


async def test_a_challenge_by_name_waits_for_whoever_has_it(tables: Tables) -> None:
    """The first tap from the account of that name takes the seat; others hear whom it is kept for."""
    async with Service(tables) as service:
        server = service.server
        ann, anna, group = server.person("Ann", username="Ann_K"), server.person("Anna", username="AnnaB"), None
        eve, group = server.person("Eve", username="eve"), server.group("club")
        ann.send("/newgame @annab rif 20m+60s", group)
        await server.until(lambda: group.boards, "the board")
        board = group.board
        assert "@annab" in board.text
        assert "@annab" in (await eve.tap(board, "Join")).text
        assert "yourself" not in (await ann.tap(board, "Join")).text
        assert (await anna.tap(board, "Join")).text == ""
        await server.until(lambda: "Join" not in board.labels, "the game")
        table = await service.table(board)
        assert table.seats_of(f"tg:{anna.id}")
        assert table.game.settings.protocol == "rif"


async def test_a_challenge_can_be_withdrawn_and_blocks_nobody(tables: Tables) -> None:
    """While it stands both play elsewhere; withdrawn it cannot be accepted any more."""
    async with Service(tables) as service:
        server = service.server
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
        said = ben.send("hello", group)
        ann.send("/newgame rif", group, reply_to=said)
        await server.until(lambda: group.boards, "the board")
        challenge = group.board
        assert "Waiting for Ben" in challenge.text
        board = await service.game("free black", ben, ann, group)
        ben.send("h8", group, reply_to=board)
        await service.stone("h8", board)
        join = challenge.keyboard
        assert (await ann.tap(challenge, "Withdraw")).text == ""
        await server.until(lambda: "Withdraw" not in challenge.labels, "the end of the challenge")
        assert (await ben.tap(challenge, "Join", keyboard=join)).text
        assert (await service.table(challenge)).waiting


async def test_nobody_challenges_themselves_or_a_bot(tables: Tables) -> None:
    """By name, by a linked name, by reply: each is refused in one line; this bot itself means the engine."""
    async with Service(tables) as service:
        server = service.server
        ann, group = server.person("Ann", username="ann"), server.group("club")
        robot = server.person("Robo", username="robo_bot", is_bot=True)
        cy = server.person("Cy Young")
        assert "yourself" in await service.reply_to(ann.send("/newgame @ANN", group))
        assert "yourself" in await service.reply_to(ann.send("/newgame", group, reply_to=ann.send("hi", group)))
        assert "bot" in await service.reply_to(ann.send("/newgame @gomoku_bot", group))
        assert "bot" in await service.reply_to(ann.send("/newgame", group, reply_to=robot.send("beep", group)))
        assert group.boards == []
        ann.send("/newgame Cy Young free", group, mention=cy)
        await server.until(lambda: group.boards, "the challenge")
        assert (await service.table(group.board)).reserved == f"tg:{cy.id}"
        ann.send(f"/newgame @{server.username} 1 black", group)
        await server.until(lambda: len(group.boards) == 2, "the engine’s game")
        assert not (await service.table(group.board)).waiting


async def test_nobody_waits_for_a_deleted_account(tables: Tables) -> None:
    """What it once wrote can still be replied to; in a chat without the bot the seat is then free for anybody."""
    async with Service(tables) as service:
        server = service.server
        ann, gone, group = server.person("Ann"), server.person(""), server.group("club")
        said = server.add_message(group, gone, text="who plays?")
        assert "deleted" in await service.reply_to(ann.send("/newgame free black", group, reply_to=said))
        assert group.boards == []
        board = await ann.call("@renju_test_bot free black", group, reply_to=said)
        assert (await server.person("Ben").tap(board, "Join")).text == ""


async def test_games_lists_them_with_links(tables: Tables) -> None:
    """In a group its games, in private one's own; a number brings that board down."""
    async with Service(tables) as service:
        server = service.server
        ann, ben, eve = server.person("Ann"), server.person("Ben"), server.person("Eve")
        group, small = server.group("club"), server.group("small", kind="group")
        assert "No game" in await service.reply_to(ann.send("/games", group))
        first = await service.game("rif black", ann, ben, group)
        second = await service.game("free black", ben, eve, group)
        third = await service.game("free black", eve, ann, small)
        listed = await service.reply_to(eve.send("/games", group))
        for board in (first, second):
            assert f"https://t.me/c/{str(group.id)[4:]}/{board.id}" in listed
        assert "RIF" in listed
        assert "https" not in await service.reply_to(eve.send("/games", small))
        mine = await service.reply_to(ann.send("/games"))
        assert tuple(name for name in ("Ben", "Eve") if name in mine) == ("Ben", "Eve")
        assert mine.count("\n") == 3
        await eve.tap(group.last, "2")
        await service.without_buttons(first)
        assert group.board.photo == first.photo
        assert third.keyboard


async def test_rematch_is_a_command_too(tables: Tables) -> None:
    """Of the game that ended last here, with the seats exchanged; the other only presses Join or Rematch."""
    async with Service(tables) as service:
        server = service.server
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
        assert "no game here that has ended" in await service.reply_to(ann.send("/rematch", group))
        board = await service.game("free black", ann, ben, group)
        for who, point in ((ann, "h8"), (ben, "h9")):
            who.send(point, group, reply_to=board)
            await service.stone(point, board)
        await ann.tap(board, "Resign")
        await server.until(lambda: "Yes resign" in board.labels, "the question")
        await ann.tap(board, "Yes resign")
        await server.until(lambda: "Rematch" in board.labels, "the end")
        ben.send("/rematch", group)
        await server.until(lambda: group.board is not board, "the new board")
        again = group.board
        assert (await ann.tap(again, "Join")).text == ""
        await server.until(lambda: "○ White: Ann" in again.text, "the colours exchanged")
