"""Playing on Discord, through unmodified discord.py over loopback sockets."""

from __future__ import annotations

import asyncio
import io
import itertools
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
import pytest_asyncio
from PIL import Image

from bot.session.tables import Tables
from bot.words import LANGUAGES
from core.game import ALL_PROTOCOLS
from core.notation import name
from tests.fakes.discord import Channel, DiscordServer, Guild, Message, Person
from tests.fakes.discord.facts import walk
from tests.fakes.discord.places import ANNOUNCEMENT, FORUM, VOICE
from tests.fakes.discord_service import Service


@dataclass
class Club:
    """A server with two people, and the bot."""

    service: Service
    guild: Guild
    channel: Channel
    ann: Person
    ben: Person

    async def game(self, **options: object) -> Message:
        return await self.service.game(self.ann, self.ben, self.channel, **options)


@pytest_asyncio.fixture
async def club(tables: Tables) -> AsyncIterator[Club]:
    """The bot, connected."""
    service = Service(tables)
    guild = service.server.guild("club")
    channel = guild.channel("general")
    ann, ben = service.server.person("Ann"), service.server.person("Ben")
    async with service:
        yield Club(service, guild, channel, ann, ben)


@pytest.mark.asyncio
class TestTheBoard:
    """One message, one picture, everything in words."""

    async def test_after_thirty_moves_there_is_one_attachment_shown_once(self, club: Club) -> None:
        """Every edit replaces the picture (A19), and its alt text says every stone."""
        board = await club.game()
        # No two of (column + 2 row) mod 5 are nearer than five points on any line: nobody ever makes a five.
        every = list(itertools.product(range(15), repeat=2))
        black, white = ([name(r * 15 + c) for r, c in every if (c + 2 * r) % 5 == k] for k in (1, 0))
        black.remove("h8")
        order = itertools.chain.from_iterable(zip(["h8", *black], white, strict=False))
        await club.service.play((club.ann, club.ben), board, " ".join(itertools.islice(order, 30)))
        assert board.edits >= 30
        assert len(board.attachments) == 1
        ((file, alt),) = board.pictures
        assert Image.open(io.BytesIO(file.content)).size == (960, 960)
        assert "H8" in alt
        assert len(club.channel.messages) == 1

    async def test_the_board_is_brought_down_and_the_old_one_retires(self, club: Club) -> None:
        """``/board`` shows it anew; the message above keeps one line and no button (A20)."""
        board = await club.game()
        again = await club.service.opened(await club.ann.slash("board", club.channel))
        await club.service.quiet()
        assert again is not board
        assert again.labels == ["Choose a point", "Type a point", "Cancel"]
        assert (board.labels, board.attachments) == ([], [])
        assert "end of the chat" in board.text
        await club.service.play((club.ann, club.ben), again, "h8 h9")
        assert "end of the chat" in board.text

    async def test_an_old_copy_of_a_board_loses_its_buttons_when_it_is_tapped(self, club: Club) -> None:
        """It keeps words and picture; the tap says why."""
        board = await club.game()
        components = board.components
        picture = board.picture
        await club.service.opened(await club.ann.slash("board", club.channel))
        await club.service.quiet()
        board.components = components  # as if the edit had been lost
        board.attachments = club.channel.board.attachments
        pressed = await club.ben.press(board, "Cancel")
        assert "old copy" in await club.service.done(pressed)
        assert board.labels == []
        assert board.picture == picture

    @pytest.mark.parametrize("kind", [VOICE, ANNOUNCEMENT, FORUM, None])
    async def test_a_game_is_played_wherever_people_chat(self, club: Club, kind: int | None) -> None:
        """Voice chats, announcements, posts of a forum, threads (A21)."""
        channel = club.channel if kind is None else club.guild.channel("elsewhere", kind)
        if kind in (FORUM, None):
            channel = channel.thread("a game")
        board = await club.service.game(club.ann, club.ben, channel)
        await club.service.play((club.ann, club.ben), board, "h8 h9 i9")

    async def test_several_games_run_side_by_side(self, club: Club) -> None:
        """Two in one channel, one in another; a command that could mean several says so, an option names one (A09)."""
        one, two = await club.game(), await club.game()
        other = await club.service.game(club.ann, club.ben, club.guild.channel("other"))
        assert "several games" in await club.service.done(await club.ann.slash("move", club.channel, point="h8"))
        choices = await club.ann.complete("move", "game", "ben", club.channel, point="h8")
        assert len(choices) == 3
        for told, game in choices:
            assert told.startswith("Ann – Ben · Renju · ")
            assert await club.service.done(await club.ann.slash("move", club.channel, point="h8", game=game)) == ""
        for board in (one, two, other):
            await club.service.stone("h8", board)

    async def test_the_free_seat_of_a_challenge_is_kept(self, club: Club) -> None:
        """Only who was challenged can take it; bots, oneself and the bot itself cannot be challenged (A10, G4)."""
        eve, robot = club.service.server.person("Eve"), club.service.server.person("Robot")
        robot.is_bot = True
        menu = "Challenge to Renju"
        assert "yourself" in await club.service.done(await club.ann.menu(menu, club.ann, club.channel))
        assert "is a bot" in await club.service.done(await club.ann.menu(menu, robot, club.channel))
        assert club.channel.messages == []
        board = await club.service.opened(await club.ann.menu(menu, club.ben, club.channel))
        assert f"<@{club.ben.id}>" in board.text
        assert board.pings == []
        assert await club.service.done(await eve.press(board, "Join"))
        assert "Join" in board.labels
        assert await club.service.done(await club.ben.press(board, "Join")) == ""
        await club.service.server.until(lambda: "Join" not in board.labels, "the game of two")
        assert "<@" not in board.text

    async def test_a_challenge_can_be_taken_back(self, club: Club) -> None:
        """And blocks nothing (G10)."""
        board = await club.service.opened(await club.ann.menu("Challenge to Renju", club.ben, club.channel))
        other = await club.game()
        await club.ann.press(board, "Withdraw")
        await club.service.server.until(lambda: "Join" not in board.labels, "taken back")
        assert "Choose a point" in other.labels

    async def test_names_call_nobody(self, tables: Tables) -> None:
        """@everyone, mentions of people and roles in names are words (A31); the fake checks every send for it."""
        service = Service(tables)
        channel = service.server.guild("club").channel("general")
        async with service:
            ann, ben = service.server.person("@everyone <@&1>"), service.server.person("**<@2>** `x` ||y||")
            ann.nick = "<@1> @here"
            board = await service.game(ann, ben, channel)
            assert "● Black: <@1> @here" in board.text
            assert "○ White: **<@2>** `x` ||y||" in board.text
            assert board.pings == []


@pytest.mark.asyncio
class TestChoosingAPoint:
    """In a message that one person alone sees."""

    async def test_a_choice_is_seen_by_nobody_else_until_it_is_confirmed(self, club: Club) -> None:
        """Column, row, preview, change, confirm: the board is not touched before the end."""
        board = await club.game()
        await club.service.play((club.ann, club.ben), board, "h8")
        edits = board.edits
        asked = await club.ben.press(board, "Choose a point")
        await club.service.quiet()
        private = asked.private
        assert club.channel.private(club.ann) == []
        assert len(private.selects[0]["options"]) == 15
        empty = private.picture
        await club.ben.select(private, 0, "h")
        await club.service.quiet()
        assert [option["label"] for option in private.selects[1]["options"] if option["label"] == "8"] == []
        await club.ben.select(private, 1, "9")
        await club.service.quiet()
        assert private.picture != empty
        assert private.labels[:2] == ["Confirm", "Change"]
        assert private.pictures[0][1].startswith("H9: confirm it"), "who cannot see it hears of it"
        await club.ben.press(private, "Change")
        await club.service.quiet()
        assert (private.picture, "Confirm" in private.labels) == (empty, False)
        assert board.edits == edits
        await club.ben.select(private, 1, "9")
        await club.ben.select(private, 0, "h")
        await club.service.quiet()
        await club.ben.press(private, "Confirm")
        await club.service.stone("h9", board)
        await club.service.quiet()
        assert private.deleted
        assert len(private.attachments) == 1

    async def test_what_need_not_be_chosen_is_not(self, club: Club) -> None:
        """The first stone has one point: it is shown at once, and confirmed."""
        board = await club.game()
        asked = await club.ann.press(board, "Choose a point")
        await club.service.quiet()
        assert asked.private.labels[0] == "Confirm"
        await club.ann.press(asked.private, "Confirm")
        await club.service.stone("h8", board)

    async def test_a_point_is_chosen_from_those_around_the_play(self, club: Club) -> None:
        """The window moves, what is occupied cannot be pressed, and the preview can be changed."""
        board = await club.game()
        await club.service.play((club.ann, club.ben), board, "h8")
        asked = await club.ben.press(board, "Choose a point")
        await club.service.quiet()
        private = asked.private
        await club.ben.press(private, "Points around the play")
        await club.service.quiet()
        assert next(b for b in private.buttons if b["label"] == "● H8")["disabled"]
        for move in ("Up", "Up", "Right", "Right", "Left"):
            await club.ben.press(private, move)
            await club.service.quiet()
        await club.ben.press(private, "I15")
        await club.service.quiet()
        assert private.labels == ["Confirm", "Change"]
        await club.ben.press(private, "Change")
        await club.service.quiet()
        assert "I15" in private.labels
        await club.ben.press(private, "Columns and rows")
        await club.service.quiet()
        assert len(private.selects) == 2

    async def test_who_is_not_to_move_is_told_so(self, club: Club) -> None:
        """In their own language; a stranger, too; a choice that has come too late likewise."""
        board = await club.game()
        yu = club.service.server.person("小雨", "zh-CN")
        assert "turn" in await club.service.done(await club.ben.press(board, "Choose a point"))
        heard = await club.service.done(await yu.press(board, "Choose a point"))
        assert any("\u4e00" <= letter <= "\u9fff" for letter in heard)
        asked = await club.ann.press(board, "Choose a point")
        await club.service.quiet()
        await club.service.play((club.ann, club.ben), board, "h8")
        await club.ann.select(asked.private, 0, "h")
        await club.service.quiet()
        assert "turn" in asked.private.text
        assert asked.private.labels == []

    async def test_points_are_completed_and_no_forbidden_point_is_given_away(self, club: Club) -> None:
        """In a claim game the double-three on I8 is offered like every other point; in a blocked one it is not."""
        for fouls, offered in (("claim", True), ("blocked", False)):
            board = await club.game(fouls=fouls, options="free_first")
            await club.service.play((club.ann, club.ben), board, "h8 a1 g8 o1 i9 a15 i10 o15")
            assert (("I8", "I8") in await club.ann.complete("move", "point", "i8", club.channel)) is offered
            assert await club.ann.complete("move", "point", "h8", club.channel) == []
            await club.service.done(await club.ann.press(board, "Resign"))
            (question,) = [m for m in club.channel.private(club.ann) if "Yes resign" in m.labels]
            await club.ann.press(question, "Yes resign")
            await club.service.server.until(lambda board=board: "Rematch" in board.labels, "the end")
            await club.service.quiet()

    async def test_two_stones_are_added_one_after_the_other(self, club: Club) -> None:
        """In the same private message: the first is confirmed, shown and carried along; then the second."""
        board = await club.game(protocol="swap2", begins="black")
        await club.service.play((club.ann, club.ann), board, "h8 i8 h9")
        await club.service.server.until(lambda: "Add two stones" in board.labels, "the decision")
        assert "Choose a point" not in board.labels
        asked = await club.ben.press(board, "Add two stones")
        await club.service.quiet()
        private = asked.private
        await club.ben.select(private, 0, "j")
        await club.ben.select(private, 1, "9")
        await club.service.quiet()
        await club.ben.press(private, "Confirm")
        await club.service.quiet()
        assert "J9" not in board.text
        assert "Confirm" not in private.labels
        await club.ben.press(private, "Points around the play")
        await club.service.quiet()
        assert next(b for b in private.buttons if b["label"].endswith("J9"))["disabled"]
        await club.ben.press(private, "J8")
        await club.service.quiet()
        await club.ben.press(private, "Confirm")
        await club.service.server.until(lambda: "J9" in board.text and "J8" in board.text, "both stones")
        await club.service.quiet()
        assert private.deleted

    async def test_a_designated_opening_is_completed_by_its_name(self, club: Club) -> None:
        """All 26, in the language of the client; with it the protocol is clear."""
        assert len(await club.ann.complete("newgame", "opening", "", club.channel)) == 25
        ((named, code),) = await club.ann.complete("newgame", "opening", "D4", club.channel)
        assert named.startswith("D4 ")
        board = await club.service.opened(
            await club.ann.slash("newgame", club.channel, opening=code, opponent="friend", begins="black")
        )
        assert "designated opening" in board.text
        yu = club.service.server.person("小雨", "zh-CN")
        assert await yu.complete("newgame", "opening", "花月", club.channel)

    async def test_fifth_moves_are_completed_one_after_the_other(self, club: Club) -> None:
        """What stands before the last word stays."""
        await club.game()
        choices = await club.ann.complete("move", "point", "g7 h", club.channel)
        assert choices == [("G7 H8", "G7 H8")]


@pytest.mark.asyncio
class TestCommands:
    """One set for everybody, in every language."""

    async def test_they_are_registered_once_and_everywhere(self, club: Club) -> None:
        """Globally, for servers, direct messages and private chats, installed by servers and by people (G12)."""
        server = club.service.server
        assert server.registrations == 1
        for command in server.commands:
            assert sorted(command["contexts"]) == [0, 1, 2]
            assert sorted(command["integration_types"]) == [0, 1]

    async def test_they_are_registered_again_only_when_they_are_others(
        self, club: Club, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Not at a restart; but when a word of them has changed, or when somebody has removed one at Discord."""
        service, server = club.service, club.service.server

        async def restarted() -> None:
            looked = _count(server, "GET commands")
            await service.stop()
            await service.start()
            await server.until(lambda: _count(server, "GET commands") > looked, "a look at what is there")

        await restarted()
        assert server.registrations == 1
        server.commands.pop()
        await restarted()
        await server.until(lambda: server.registrations == 2, "the one that was removed")
        monkeypatch.setattr("bot.adapters.discord.commands.command_text", lambda _, name: f"{name} anew")
        await service.stop()
        await service.start()
        await server.until(lambda: server.registrations == 3, "other words")
        assert all(command["description"].endswith("anew") for command in server.commands if command["type"] == 1)

    async def test_every_name_and_text_is_there_in_every_language(self, club: Club) -> None:
        """Commands, options and choices; Chinese clients see Chinese."""
        locales = {"zh_Hans": "zh-CN"}
        assert set(locales) == set(LANGUAGES) - {"en"}
        for locale in locales.values():
            for command in club.service.server.commands:
                for entry in (command, *command.get("options", [])):
                    assert locale in entry["name_localizations"], entry["name"]
                    if entry.get("description"):
                        assert locale in entry["description_localizations"], entry["name"]
                    for choice in entry.get("choices") or []:
                        assert locale in choice.get("name_localizations", {}), (entry["name"], choice)

    async def test_protocols_are_completed_by_their_names(self, club: Club) -> None:
        """In the language of the client, and by their ids."""
        every = await club.ann.complete("newgame", "protocol", "", club.channel)
        assert [value for _, value in every] == list(ALL_PROTOCOLS)
        assert ("RIF opening", "rif") in await club.ann.complete("newgame", "protocol", "RIF", club.channel)
        yu = club.service.server.person("小雨", "zh-CN")
        named = [told for told, _ in await yu.complete("newgame", "protocol", "", club.channel)]
        assert all(any("\u4e00" <= letter <= "\u9fff" for letter in told) for told in named)

    async def test_unknown_words_are_answered_with_the_known_ones(self, club: Club) -> None:
        """Privately, and what said that the bot is thinking goes away (G5)."""
        heard = await club.service.done(await club.ann.slash("newgame", club.channel, options="tarakuchi"))
        assert "tarakuchi" in heard
        assert club.channel.messages == []

    async def test_help_and_rules_are_private(self, club: Club) -> None:
        """In the language of the client."""
        heard = await club.service.done(await club.ann.slash("help", club.channel))
        assert "/newgame – begin a game" in heard
        assert "\nForbidden moves." in await club.service.done(await club.ann.slash("rules", club.channel))
        assert club.channel.messages == []

    async def test_a_game_is_played_by_commands_alone(self, club: Club) -> None:
        """Every command says nothing when it is done, and a reason when it is not."""
        service, ann, ben, channel = club.service, club.ann, club.ben, club.channel
        board = await club.game()
        for person, command, options in [
            (ann, "move", {"point": "h8"}),
            (ben, "move", {"point": "h9"}),
            (ann, "draw", {}),
            (ann, "move", {"point": "i9"}),
            (ann, "undo", {}),
            (ben, "undo", {}),
            (ann, "pass", {}),
        ]:
            assert await service.done(await person.slash(command, channel, **options)) == "", command
        assert await service.done(await ann.slash("cancel", channel))
        assert await service.done(await ben.slash("claim", channel)) == ""
        asked = await ben.slash("resign", channel)
        assert await service.done(asked) == "Resign this game?"
        await ben.press(asked.private, "Yes resign")
        await service.server.until(lambda: "Rematch" in board.labels, "the end")
        await service.quiet()
        assert channel.private(ben) == []
        assert await service.done(await ben.slash("rematch", channel)) == ""
        await service.server.until(lambda: channel.board is not board, "the board of the rematch")
        assert "Join" in channel.board.labels

    async def test_leaving_is_asked_about(self, club: Club) -> None:
        """No changes nothing."""
        board = await club.game()
        asked = await club.ann.slash("leave", club.channel)
        assert (await club.service.done(asked)).startswith("Leave this table?")
        await club.ann.press(asked.private, "Play on")
        await club.service.quiet()
        assert club.channel.private(club.ann) == []
        assert "Choose a point" in board.labels


@pytest.mark.asyncio
class TestDirectMessages:
    """Between one person and the bot."""

    async def test_there_the_engine_is_the_opponent(self, club: Club) -> None:
        """It answers the first stone."""
        board = await club.service.opened(await club.ann.slash("newgame", begins="black", options="free"))
        assert "Engine (level 3, Casual)" in board.text
        await club.service.typed(club.ann, board, "h8")
        await club.service.server.until(lambda: "Last move: 2" in board.text, "the engine's stone")

    async def test_a_friend_joins_by_a_code(self, club: Club) -> None:
        """Each has a board of their own with their own buttons only."""
        board = await club.service.opened(await club.ann.slash("newgame", opponent="friend", begins="black"))
        assert "Join" not in board.labels
        code = board.text.rpartition("/join ")[2]
        assert await club.service.done(await club.ben.slash("join", code=code.upper())) == ""
        await club.service.server.until(lambda: club.ben.dm.boards, "a board of one's own")
        assert await club.service.typed(club.ann, board, "h8") == ""
        await club.service.stone("h8", club.ben.dm.board)
        assert "Type a point" in club.ben.dm.board.labels
        await club.service.server.until(lambda: "Type a point" not in board.labels, "the other's turn")
        eve = club.service.server.person("Eve")
        assert await club.service.done(await eve.slash("join", code=code))
        assert await club.service.done(await eve.slash("join", code="nonsense"))


@pytest.mark.asyncio
class TestGuests:
    """Where people have brought the bot along, and it has no right of its own."""

    async def test_a_board_is_kept_up_to_date_while_a_token_lives(self, club: Club) -> None:
        """In the chat of two friends: by the newest tap, without any call that the bot may not make."""
        service, server = club.service, club.service.server
        chat = server.friends(club.ann, club.ben)
        board = await service.game(club.ann, club.ben, chat)
        assert "Refresh" in board.labels
        await service.play((club.ann, club.ben), board, "h8 h9")
        assert not [call for call in server.calls if call.name in ("POST message", "PATCH message")]
        assert {call.status for call in server.calls} <= {200, 204}

    async def test_after_fifteen_minutes_a_tap_refreshes_it(self, tables: Tables) -> None:
        """Until then it stays as it is; the bot does not try again and again."""
        service = Service(tables)
        server = service.server
        stranger = server.guild("elsewhere", bot=False)
        channel = stranger.channel("general")
        async with service:
            ann, ben = server.person("Ann"), server.person("Ben")
            board = await service.game(ann, ben, channel)
            await service.play((ann, ben), board, "h8")
            await service.quiet()
            forgotten = [key async for key in _tokens(tables)]
            assert forgotten
            server.advance(16 * 60)
            calls = len(server.calls)
            assert await service.done(await ben.slash("move", ben.dm, point="h9", game=_table_of(board))) == ""
            await service.quiet()
            refused = [call for call in server.calls[calls:] if call.status >= 400]
            assert len(refused) <= 1
            assert "Last move: 1" in board.text
            await ann.press(board, "Refresh")
            await service.stone("h9", board)
            await service.play((ann, ben), board, "i9 i8")

    async def test_who_lets_the_bot_in_goes_on_playing(self, club: Club) -> None:
        """Games begun before are found, their boards changed by the bot's own right, and brought down."""
        service, server = club.service, club.service.server
        elsewhere = server.guild("elsewhere", bot=False)
        channel = elsewhere.channel("general")
        board = await service.game(club.ann, club.ben, channel)
        await service.play((club.ann, club.ben), board, "h8 h9")
        await service.adapter._line.client.wait_until_ready()  # until then the library tells of no server
        elsewhere.has_bot = True
        entered = {key: value for key, value in elsewhere.describe().items() if key != "unavailable"}
        await server.gateway.dispatch("GUILD_CREATE", entered, guild=elsewhere.id)
        server.advance(16 * 60)
        assert await service.done(await club.ann.slash("move", channel, point="i9")) == ""
        await service.stone("i9", board)
        assert "Refresh" not in board.labels
        again = await service.opened(await club.ben.slash("board", channel))
        await server.until(lambda: not board.pictures, "the old board to retire")
        await service.play((club.ben, club.ann), again, "i8 j9")

    async def test_who_plays_by_commands_is_told_how_to_see_the_board(self, club: Club) -> None:
        """When no token is left to change it with: the move counts, and Refresh or ``/board`` shows it."""
        service, server = club.service, club.service.server
        chat = server.group(club.ann, club.ben)
        board = await service.game(club.ann, club.ben, chat)
        assert await service.done(await club.ann.slash("move", chat, point="h8")) == ""
        await service.stone("h8", board)
        server.advance(16 * 60)
        for key in [key async for key in _tokens(service.tables)]:
            if ":kept:dc:message:" in key:
                await service.tables._store.call("DEL", key)  # as time does
        heard = await service.done(await club.ben.slash("move", chat, point="h9"))
        assert "press Refresh" in heard
        await club.ann.press(board, "Refresh")
        await service.stone("h9", board)

    @pytest.mark.parametrize("way", ["Confirm", "Type a point"])
    async def test_who_takes_long_to_choose_is_told_how_to_see_the_board(self, club: Club, way: str) -> None:
        """The private message still works after its board can be changed no longer."""
        service, server = club.service, club.service.server
        chat = server.group(club.ann, club.ben)
        board = await service.game(club.ann, club.ben, chat)
        asked = await club.ann.press(board, "Choose a point")
        await service.quiet()
        private = asked.private
        server.advance(16 * 60)
        for key in [key async for key in _tokens(service.tables)]:
            if ":kept:dc:message:" in key:
                await service.tables._store.call("DEL", key)  # as time does
        pressed = await club.ann.press(private, way)
        if pressed.modal is not None:
            pressed = await club.ann.submit(pressed.modal, "h8")
        await service.quiet()
        assert "press Refresh" in private.text + pressed.said
        await club.ann.press(board, "Refresh")
        await service.stone("h8", board)

    async def test_refresh_under_an_old_board_says_that_it_is_old(self, club: Club) -> None:
        """One that nobody could retire, because its token was too old when the board went on."""
        service, server = club.service, club.service.server
        chat = server.group(club.ann, club.ben)
        board = await service.game(club.ann, club.ben, chat)
        server.advance(16 * 60)
        again = await service.opened(await club.ann.slash("board", chat))
        await service.quiet()
        assert "Refresh" in board.labels
        assert "old copy" in await service.done(await club.ben.press(board, "Refresh"))
        assert board.labels == []
        assert "Refresh" in again.labels

    async def test_a_deleted_board_is_shown_again_by_board(self, club: Club) -> None:
        """Where the bot is a guest somebody has to ask for it; nothing is asked of Discord again and again."""
        service, server = club.service, club.service.server
        chat = server.group(club.ann, club.ben)
        board = await service.game(club.ann, club.ben, chat)
        server.forget(board)
        await service.done(await club.ann.slash("move", chat, point="h8"))
        await server.until(lambda: [call for call in server.calls if call.status == 404], "the refusal")
        await service.quiet()
        assert "/board" in await service.done(await club.ben.slash("move", chat, point="h9"))
        await service.quiet()
        assert len([call for call in server.calls if call.status >= 400]) == 1
        again = await service.opened(await club.ann.slash("board", chat))
        await service.play((club.ann, club.ben), again, "i9")

    async def test_a_tap_never_needs_more_messages_than_it_has(self, club: Club) -> None:
        """Five further ones; whatever is tapped, in whatever order, it takes one or two: the fake counts."""
        service, server = club.service, club.service.server
        chat = server.group(club.ann, club.ben)
        board = await service.game(club.ann, club.ben, chat)
        for _ in range(8):
            for label in ("Choose a point", "Refresh"):
                await club.ann.press(board, label)
                await service.quiet()
            await service.done(await club.ann.slash("games", chat))
        most = max(len(interaction.follow_ups) for interaction in server.interactions.values())
        assert most <= 2

    async def test_a_board_that_a_command_asks_for_is_everybody_s(self, club: Club) -> None:
        """Also when it comes before the private "thinking" of the command has gone."""
        service, server = club.service, club.service.server
        chat = server.group(club.ann, club.ben)
        board = await service.game(club.ann, club.ben, chat)
        await service.play((club.ann, club.ben), board, "h8 h9")
        asked = await club.ann.press(board, "Resign")
        await service.quiet()
        await club.ann.press(asked.private, "Yes resign")
        await server.until(lambda: "Rematch" in board.labels, "the end")
        server.fail("DELETE answer", 404, code=10008)
        await club.ann.slash("rematch", chat)
        await server.until(lambda: len(chat.boards) == 2, "the board of the rematch")
        assert "Join" in chat.board.labels

    async def test_a_rematch_is_one_more_message(self, club: Club) -> None:
        """By the token of the tap, of which there are five."""
        service, server = club.service, club.service.server
        chat = server.group(club.ann, club.ben)
        board = await service.game(club.ann, club.ben, chat)
        await service.play((club.ann, club.ben), board, "h8 h9")
        asked = await club.ann.press(board, "Resign")
        await service.quiet()
        await club.ann.press(asked.private, "Yes resign")
        await server.until(lambda: "Rematch" in board.labels, "the end")
        await club.ben.press(board, "Rematch")
        await server.until(lambda: chat.board is not board, "another board")
        again = chat.board
        await service.known(again)
        await club.ann.press(again, "Join")
        await server.until(lambda: "Join" not in again.labels, "the game of two")


def _count(server: DiscordServer, name: str) -> int:
    """How many calls of this name the bot has made."""
    return sum(call.name == name for call in server.calls)


def _table_of(board: Message) -> str:
    return str(board.buttons[0]["custom_id"]).partition(":")[2].partition(".")[0]


async def _tokens(tables: Tables) -> AsyncIterator[str]:
    """The tokens that are kept."""
    for key in await tables._store.call("KEYS", "*dc:*"):  # what is kept where is nobody's promise
        yield key.decode()


@pytest.mark.asyncio
class TestOldMessages:
    """Buttons work after days and restarts, from anybody's hand."""

    async def test_every_kind_of_item_works_after_a_restart(self, club: Club) -> None:
        """The board's buttons, a choice half done, a form that is open, a question (A16, A17)."""
        service = club.service
        board = await club.game()
        await service.play((club.ann, club.ben), board, "h8 h9")
        choice = await club.ann.press(board, "Choose a point")
        question = await club.ben.press(board, "Resign")
        form = await club.ann.press(board, "Type a point")
        await service.quiet()
        await service.stop()
        service.server.advance(25 * 3600)
        await service.start()
        await club.ann.select(choice.private, 0, "i")
        await service.quiet()
        await club.ann.select(choice.private, 1, "9")
        await service.quiet()
        assert "Confirm" in choice.private.labels
        assert form.modal is not None
        assert await service.done(await club.ann.submit(form.modal, "i8")) == ""
        await service.stone("i8", board)
        await club.ann.press(choice.private, "Confirm")
        await service.quiet()
        assert "moved on" in choice.private.text
        await club.ben.press(question.private, "Yes resign")
        await service.server.until(lambda: "Rematch" in board.labels, "the end")

    async def test_a_double_tap_is_one_action(self, club: Club) -> None:
        """The same button pressed twice at once (A14, G9)."""
        board = await club.game()
        first, second = await asyncio.gather(club.ben.press(board, "Cancel"), club.ben.press(board, "Cancel"))
        await club.service.quiet()
        assert sorted([bool(first.said), bool(second.said)]) == [False, True]

    async def test_what_is_delivered_three_times_is_done_once(self, club: Club) -> None:
        """Acknowledged once, too: the fake counts (A15)."""
        club.service.server.deliver_times = 3
        board = await club.game()
        await club.service.play((club.ann, club.ben), board, "h8 h9 i9")
        assert len(club.channel.messages) == 1
        heard = await club.service.done(await club.ann.press(board, "Pass"))
        assert heard.count("turn") == 1

    async def test_all_components_of_the_board_can_be_read_by_the_library(self, club: Club) -> None:
        """Every id belongs to exactly one kind of item."""
        board = await club.game()
        patterns = [item.__discord_ui_compiled_template__ for item in _items()]
        for part in walk(board.components):
            if part.get("custom_id"):
                assert sum(bool(pattern.fullmatch(part["custom_id"])) for pattern in patterns) == 1


def _items() -> tuple[type, ...]:
    from bot.adapters.discord.items import ITEMS

    return ITEMS
