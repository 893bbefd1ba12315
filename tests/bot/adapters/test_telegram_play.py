"""Telegram as people use it: what they write and tap, and what they see."""

from __future__ import annotations

import re

import pytest

from bot.adapters.telegram.keypad import hinted
from bot.adapters.telegram.shower import viewer
from bot.composing import compose
from bot.render import png
from bot.session.table import Intent
from bot.session.tables import Tables
from bot.words import words
from core.game import Reason, place
from tests.fakes.telegram import Message
from tests.fakes.telegram_service import Service

pytestmark = pytest.mark.asyncio


def buttons(board: Message) -> set[str]:
    """The labels under a board, without a keypad's."""
    return {label for label in board.labels if len(label) > 3}


class TestBoard:
    """The one message that shows a game."""

    async def test_a_game_is_one_photo_that_is_edited(self, tables: Tables) -> None:
        """Every move changes the photo, the caption and the buttons of the same message; nothing else is sent."""
        async with Service(tables) as service:
            ann, ben = service.server.person("Ann"), service.server.person("Ben")
            group = service.server.group("club")
            board = await service.game("free black", ann, ben, group)
            for who, move in ((ann, "h8"), (ben, "H9"), (ann, "j9")):
                who.send(move, group, reply_to=board)
                await service.stone(move, board)
            assert len(group.from_bot) == 1
            table = await service.table(board)
            _, view = await tables.view_at("tg", str(group.id), str(board.id)) or (None, None)
            assert view is not None
            scene = hinted(compose(table, viewer(table, view)), words("en"))
            assert "Press a column" in scene.lines[-1]
            assert board.photo == png(scene.picture)
            assert board.text == "\n".join((scene.title, *scene.lines))

    async def test_a_caption_changes_without_the_picture(self, tables: Tables) -> None:
        """What leaves the board as it is uploads nothing; a picture that was sent before goes by its id."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            board = await service.game("free black", ann, ben, group)
            ann.send("h8", group, reply_to=board)
            await service.stone("H8", board)
            server.calls.clear()
            await ben.tap(board, "Pass")
            await server.until(lambda: "passed" in board.text)
            assert [call.method for call in server.calls if call.method.startswith("edit")] == ["editMessageCaption"]
            uploaded = len(server.files)
            second = await service.game("free black", ben, ann, group)
            ben.send("h8", group, reply_to=second)
            await service.stone("H8", second)
            assert second.photo == board.photo
            assert len(server.files) == uploaded

    async def test_board_brings_it_down_and_the_old_one_retires(self, tables: Tables) -> None:
        """/board sends the board anew; the old one loses its buttons, and a late tap on them says where to look."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            old = await service.game("free black", ann, ben, group)
            keyboard = old.keyboard
            ann.send("/board", group)
            await server.until(lambda: group.board is not old and not old.keyboard, "the new board")
            new = group.board
            assert (new.photo, new.labels) == (old.photo, ["H8", "Cancel"])
            answer = await ann.tap(old, "H8", keyboard=keyboard)
            assert "/board" in answer.text
            assert await service.stones(new) == ""
            assert (await ann.tap(new, "H8")).text == ""
            assert await service.stones(new) == "h8"

    @pytest.mark.parametrize("name", ["\ud800 half", "\u202eesrever", "👨‍👩‍👧‍👦" * 64, "a\nb", "Z̸̡͓a̵l̴g̷o" * 30, "مرحبا"])
    async def test_any_name_fits(self, tables: Tables, name: str) -> None:
        """Half characters, reversed text, sixty-four families, line breaks: the game goes on, the caption fits."""
        async with Service(tables) as service:
            ann, ben = service.server.person(name), service.server.person(name)
            board = await service.game("rif black", ann, ben, service.server.group("club"))
            assert (await ann.tap(board, "H8")).text == ""
            await service.stone("h8", board)

    async def test_names_are_shown_exactly(self, tables: Tables) -> None:
        """Captions have no markup, so nothing in a name is taken for any."""
        async with Service(tables) as service:
            names = "<b>&_*", "[a](tg://user?id=1) `@all`"
            ann, ben = (service.server.person(name) for name in names)
            board = await service.game("free black", ann, ben, service.server.group("club"))
            shown = board.text.replace("\N{WORD JOINER}", "")  # has no ink, and keeps a name from calling its namesake
            assert all(name in shown for name in names)
            assert "@all" not in board.text
            assert "parse_mode" not in str([call.parameters for call in service.server.calls])


class TestWords:
    """What people write."""

    async def test_privacy_mode_leaves_replies_and_commands(self, tables: Tables) -> None:
        """Replies to the board, /move, /m and either with the bot's name."""
        async with Service(tables) as service:
            ann, ben, group = service.server.person("Ann"), service.server.person("Ben"), service.server.group("c")
            board = await service.game("free black", ann, ben, group)
            ann.send("h8", group)  # does not even arrive
            ann.send(" h8 ", group, reply_to=board)
            ben.send("/move h9", group)
            await service.stone("H9", board)
            ann.send("/m@renju_test_bot J9", group)
            await service.stone("J9", board)
            ben.send("/M ｊ１０", group)
            await service.stone("J10", board)
            assert await service.stones(board) == "h8 h9 j9 j10"

    async def test_people_may_talk(self, tables: Tables) -> None:
        """An administrator bot hears everything: it plays only what players mean as moves, and is quiet otherwise."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, eve, group = server.person("Ann"), server.person("Ben"), server.person("Eve"), server.group("c")
            group.bot_is_admin = True
            board = await service.game("free black", ann, ben, group)
            for who, words in ((ann, "hello"), (eve, "h8"), (eve, "G7"), (ben, "A nice day, isn’t it"), (ann, "5")):
                who.send(words, group)
            for words in ("what a board", "pass me the salt", "nice", "draw me a picture", "5", "resign", "白子"):
                ann.send(words, group, reply_to=board)
            eve.send("draw", group, reply_to=board)
            ann.send("h8", group)
            await service.stone("H8", board)
            assert group.from_bot == [board]

    async def test_words_that_are_no_move_are_explained(self, tables: Tables) -> None:
        """8H, P16, a bare /m, an occupied point, a stranger's move: each has its own line, in its writer's language."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, eve, group = server.person("Ann"), server.person("Ben"), server.person("伊娃", "zh-hans"), None
            group = server.group("club")
            board = await service.game("free black", ann, ben, group)
            ann.send("h8", group, reply_to=board)
            await service.stone("H8", board)
            heard = [await service.reply_to(ben.send(words, group)) for words in ("/m 8h", "/m P16", "/m", "/m h8")]
            heard.append(await service.reply_to(eve.send("h9", group, reply_to=board)))
            assert len(set(heard)) == 5
            assert re.search("[\u4e00-\u9fff]", heard[-1])
            assert await service.stones(board) == "h8"

    async def test_resigning_by_command_is_asked_about(self, tables: Tables) -> None:
        """Only who was asked can answer; Play on puts the question away, Yes ends the game."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            board = await service.game("free black", ann, ben, group)
            ann.send("h8", group, reply_to=board)
            ben.send("h9", group, reply_to=board)
            await service.stone("H9", board)
            for command in ("/resign", "/leave"):
                assert await service.reply_to(ann.send(command, group))
                question = group.last
                yes, no = question.labels
                assert (await ben.tap(question, yes)).text
                assert (await service.table(board)).game.outcome is None
                await ann.tap(question, no)
                await service.without_buttons(question)
            sent = ann.send("/resign", group)
            await service.reply_to(sent)
            question = group.last
            await ann.tap(question, question.labels[0])
            await server.until(lambda: "Rematch" in board.labels and not question.keyboard, "the end")
            outcome = (await service.table(board)).game.outcome
            assert outcome is not None
            assert outcome.reason is Reason.RESIGNED

    async def test_help_rules_and_unknown_commands(self, tables: Tables) -> None:
        """Help and rules come in the reader's language; a foreign command in a group is left to its bot."""
        async with Service(tables) as service:
            server = service.server
            ann, yu, group = server.person("Ann"), server.person("小雨", "zh-hans"), server.group("club")
            assert "/newgame" in await service.reply_to(ann.send("/start"))
            assert "/newgame" in await service.reply_to(ann.send("/help"))
            assert "double-three" in await service.reply_to(ann.send("/rules"))
            assert "三三" in await service.reply_to(yu.send("/rules"))
            assert "/help" in await service.reply_to(ann.send("/castle"))
            ann.send("/castle", group)
            ann.send("/add 5 minutes", group)  # some other bot's
            ann.send("/help@another_bot", group)
            assert await service.reply_to(ann.send("/help", group))
            assert len(group.from_bot) == 1

    async def test_an_anonymous_administrator_is_told_why_not(self, tables: Tables) -> None:
        """A seat belongs to a person: a message in the chat's name cannot take one, a tap can."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            assert "name" in await service.reply_to(ann.send("/newgame", group, anonymous=True))
            assert "/newgame" in await service.reply_to(ann.send("/help", group, anonymous=True))
            board = await service.game("free black", ben, ann, group)
            assert "name" in await service.reply_to(ben.send("h8", group, reply_to=board, anonymous=True))
            assert (await ben.tap(board, "H8")).text == ""


class TestOffers:
    """Fifth moves, typed."""

    async def test_offers_and_their_choice_can_be_typed(self, tables: Tables) -> None:
        """Two points in one reply are two offers; a letter in reply chooses."""
        async with Service(tables) as service:
            ann, ben, group = service.server.person("Ann"), service.server.person("Ben"), service.server.group("c")
            board = await service.game("rif black", ann, ben, group)
            for point in ("h8", "h9", "i8"):
                ann.send(point, group, reply_to=board)
                await service.stone(point, board)
            ben.send("/keep", group)
            await service.server.until(lambda: "kept" in board.text)
            ben.send("o15", group, reply_to=board)
            await service.stone("o15", board)
            ann.send("g7, f4", group, reply_to=board)
            await service.server.until(lambda: "B" in board.labels)
            ben.send("b", group, reply_to=board)
            await service.stone("f4", board)
            assert await service.stones(board) == "h8 h9 i8 o15 f4"

    async def test_two_stones_are_added_by_the_keypad_or_typed(self, tables: Tables) -> None:
        """In swap2 the keypad asks for the white stone, then for the black one; add h9 j10 says both."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("c")
            board = await service.game("swap2 black", ann, ben, group)
            for point in ("h8", "h9", "i8"):
                ann.send(point, group, reply_to=board)
                await service.stone(point, board)
            assert "players" in (await server.person("Eve").tap(board, "Add two stones")).text
            assert "turn" in (await ann.tap(board, "Add two stones")).text
            for column, point in (("C", "C3"), ("O", "O15")):
                if column == "C":
                    assert "white stone" in (await ben.tap(board, "Add two stones")).text
                await server.until(lambda: "A" in board.labels and "O" in board.labels, "the columns")
                await ben.tap(board, column)
                await server.until(lambda: point in board.labels, "the points")  # noqa: B023
                await ben.tap(board, point)
            await server.until(lambda: "added" in board.text, "the stones")
            assert await service.stones(board) == "h8 h9 i8 c3 o15"
            other = await service.game("swap2 black", ann, ben, group)
            for point in ("h8", "h9", "i8"):
                ann.send(point, group, reply_to=other)
                await service.stone(point, other)
            ben.send("add c3 o15", group, reply_to=other)
            await server.until(lambda: "added" in other.text, "the stones")
            ann.send("take white", group, reply_to=other)
            await server.until(lambda: "taken White" in other.text)

    async def test_an_opening_is_chosen_from_all(self, tables: Tables) -> None:
        """designated without an opening: the 26 as buttons, for whoever asked; one game, however often pressed."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("c")
            assert await service.reply_to(ann.send("/newgame designated blocked", group))
            question = group.last
            assert len(question.labels) == 26
            label = next(label for label in question.labels if label.startswith("D4"))
            data = question.data(label)
            assert (await ben.tap(question, label)).text
            assert not group.boards
            for _ in range(2):
                await ann.tap_data(question, data)
            await server.until(lambda: group.boards)
            await service.without_buttons(question)
            await service.idle()
            assert len(group.boards) == 1
            assert (await service.table(group.board)).game.settings.opening == "D4"


class TestPrivate:
    """A chat with the bot alone."""

    async def test_a_friend_joins_by_the_link(self, tables: Tables) -> None:
        """The opener gets a link to pass on; who opens it first plays, in a board of their own."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, eve = server.person("Ann"), server.person("Ben"), server.person("Eve")
            invitation = await service.reply_to(ann.send("/newgame friend black"))
            link = re.search(r"https://t\.me/renju_test_bot\?start=([A-Za-z0-9_-]{1,64})\Z", invitation)
            assert link is not None
            assert await service.reply_to(ann.send(f"/start {link[1]}"))  # not against oneself
            ben.send(f"/start {link[1]}")
            await server.until(lambda: ben.private.boards, "a board for the friend")
            assert await service.reply_to(eve.send(f"/start {link[1]}"))  # the seat is taken
            assert not eve.private.boards
            assert await service.reply_to(eve.send("/start join-nonsense"))
            await ann.tap(ann.private.board, "H8")
            await service.stone("H8", ben.private.board)
            ben.send("h9")
            await service.stone("H9", ann.private.board)
            assert buttons(ann.private.board) != buttons(ben.private.board)

    async def test_the_engine_answers(self, tables: Tables) -> None:
        """Alone with the bot the opponent is the engine; plain words are moves."""
        async with Service(tables) as service:
            server = service.server
            ann = server.person("Ann")
            ann.send("/newgame black")
            await server.until(lambda: ann.private.boards)
            board = ann.private.board
            ann.send("h8")
            await server.until(lambda: "Last move: 2" in board.text, "the engine’s stone")
            assert (await service.stones(board)).startswith("h8 ")
            assert await service.reply_to(ann.send("how are you?"))

    async def test_a_rematch_comes_to_both(self, tables: Tables) -> None:
        """Each of two private chats gets the board of the new game when its person asks for it."""
        async with Service(tables) as service:
            server = service.server
            ann, ben = server.person("Ann"), server.person("Ben")
            payload = (await service.reply_to(ann.send("/newgame friend black"))).rpartition("=")[2]
            ben.send(f"/start {payload}")
            await server.until(lambda: ben.private.boards and "H8" in ann.private.board.labels)
            first, second = ann.private.board, ben.private.board
            await ann.tap(first, "H8")
            await service.stone("h8", second)
            ben.send("h9")
            await service.stone("h9", first)
            ben.send("/resign")
            await server.until(lambda: ben.private.last.labels[:1] == ["Yes resign"])
            await ben.tap(ben.private.last, "Yes resign")
            await server.until(lambda: "Rematch" in first.labels and "Rematch" in second.labels)
            await ann.tap(first, "Rematch")
            await server.until(lambda: ann.private.board is not first)
            await ben.tap(second, "Rematch")
            await server.until(lambda: ben.private.board is not second and "H8" in ben.private.board.labels)
            await ben.tap(ben.private.board, "H8")
            await service.stone("H8", ann.private.board)
            again, same = await service.table(ann.private.board), await service.table(ben.private.board)
            assert again.id == same.id


class TestPlaces:
    """Topics and several games in one chat."""

    async def test_every_topic_keeps_its_game(self, tables: Tables) -> None:
        """Two topics and the general one, a game each: boards and replies stay where they belong."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, forum = server.person("Ann"), server.person("Ben"), server.group("forum", forum=True)
            threads = [forum.topic("one", ann), forum.topic("two", ann), None]
            boards = []
            for thread in threads:
                boards.append(await service.game("free black", ann, ben, forum, thread=thread))
            assert [board.thread for board in boards] == threads
            for thread, board in zip(threads, boards, strict=True):
                ann.send("/m h8", forum, thread=thread)
                await service.stone("H8", board)
            for thread in threads:
                sent = ben.send("/m h8", forum, thread=thread)
                assert await service.reply_to(sent)
                assert forum.last.thread == thread
            ann.send("/board", forum, thread=threads[1])
            await server.until(lambda: forum.board is not boards[2])
            assert forum.board.thread == threads[1]

    async def test_several_games_in_one_chat_do_not_mix(self, tables: Tables) -> None:
        """With two boards a reply or a tap tells which is meant; a bare move is asked about."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
            one = await service.game("free black", ann, ben, group)
            two = await service.game("free black", ann, ben, group)
            assert "several" in await service.reply_to(ann.send("/m h8", group))
            ann.send("h8", group, reply_to=one)
            await service.stone("H8", one)
            ann.send("/m h8", group)  # the only one where it is her turn
            await service.stone("H8", two)
            ben.send("h9", group, reply_to=two)
            await service.stone("H9", two)
            assert (await service.stones(one), await service.stones(two)) == ("h8", "h8 h9")

    @pytest.mark.parametrize("told", [True, False])
    async def test_a_group_that_becomes_a_supergroup_keeps_its_game(self, tables: Tables, told: bool) -> None:
        """The board is sent to the new chat, and the game goes on there; also when only a refusal tells of it."""
        async with Service(tables) as service:
            server = service.server
            ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club", kind="group")
            board = await service.game("free black", ann, ben, group)
            ann.send("h8", group, reply_to=board)
            await service.stone("H8", board)
            new = server.migrate(group, told=told)
            if not told:
                await tables.act(Intent(table=(await service.table(board)).id, who=f"tg:{ben.id}", action=place("g7")))
            await server.until(lambda: new.boards, "the board in the supergroup")
            (ben if told else ann).send("/m h9", new)
            await service.stone("H9", new.board)
            assert len(new.boards) == 1
