"""What Discord is only asked: the games that run, why a point is forbidden, the rules; each for one person alone."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
import pytest_asyncio
from PIL import Image

from bot.session.tables import Tables
from tests.fakes.discord import Channel, Person
from tests.fakes.discord_service import Service

#: Black's last stone makes two threes.
DOUBLE_THREE = "h8 a1 i8 c1 h9 e1 i10 g1 g8"


@dataclass
class Club:
    """A server with two people."""

    service: Service
    channel: Channel
    other: Channel
    ann: Person
    ben: Person


@pytest_asyncio.fixture
async def club(tables: Tables) -> AsyncIterator[Club]:
    """The bot, connected."""
    service = Service(tables)
    guild = service.server.guild("club")
    channel, other = guild.channel("general"), guild.channel("other")
    ann, ben = service.server.person("Ann"), service.server.person("Ben")
    async with service:
        yield Club(service, channel, other, ann, ben)


def picture(content: bytes) -> tuple[int, int]:
    return Image.open(io.BytesIO(content)).size


@pytest.mark.asyncio
class TestGames:
    """``/games``."""

    async def test_every_game_is_listed_with_its_board(self, club: Club) -> None:
        """Who plays, how far, whose turn, and the address of the board."""
        assert "No game runs here" in await club.service.done(await club.ann.slash("games", club.channel))
        board = await club.service.game(club.ann, club.ben, club.channel)
        waiting = await club.service.opened(await club.ben.slash("newgame", club.channel, opponent="friend"))
        await club.service.game(club.ann, club.ben, club.other)
        asked = await club.ann.slash("games", club.channel)
        text = await club.service.done(asked)
        for line in ("Ann – Ben, stones: 0; to act: Ann", "Ben waits for a second player"):
            assert line in text.replace(" (Black)", "").replace(" (White)", ""), text
        guild = club.channel.guild
        assert guild is not None
        for message in (board, waiting):
            assert f"https://discord.com/channels/{guild.id}/{club.channel.id}/{message.id}" in text
        assert asked.private.labels == ["1", "2"]

    async def test_a_number_brings_a_board_down(self, club: Club) -> None:
        """The older message retires, the list goes away; also after a restart."""
        board = await club.service.game(club.ann, club.ben, club.channel)
        asked = await club.ben.slash("games", club.channel)
        await club.service.quiet()
        shown = asked.private
        await club.service.stop()
        await club.service.start()
        await club.ben.press(shown, "1")
        await club.service.server.until(lambda: club.channel.boards and club.channel.board is not board, "the board")
        await club.service.quiet()
        assert shown.deleted
        assert board.labels == []
        await club.service.known(club.channel.board)
        await club.service.play((club.ann, club.ben), club.channel.board, "h8")

    async def test_boards_of_others_stay_where_they_are(self, club: Club) -> None:
        """A forged number brings no game to a chat that it is not in."""
        eve = club.service.server.person("Eve")
        await club.service.game(club.ann, club.ben, club.channel)
        await club.service.game(eve, club.ben, club.other)
        asked = await eve.slash("games", club.other)
        await club.service.quiet()
        (theirs,) = await club.service.tables.tables_of(f"dc:{club.ann.id}")
        forged = [{"type": 1, "components": [{**asked.private.buttons[0], "custom_id": f"l:{theirs}.1.show"}]}]
        await eve.press_id(asked.private, f"l:{theirs}.1.show", then=forged)
        await club.service.quiet()
        assert "players" in asked.private.text
        assert len(club.other.boards) == 1

    async def test_many_games_fit_one_list(self, club: Club) -> None:
        """Ten, and how many more."""
        for _ in range(12):
            await club.service.opened(await club.ann.slash("newgame", club.channel, opponent="friend"))
        asked = await club.ann.slash("games", club.channel)
        text = await club.service.done(asked)
        assert "and 2 more" in text
        assert asked.private.labels == [str(number) for number in range(1, 11)]


@pytest.mark.asyncio
class TestWhy:
    """``/why``: rule R6.1 decides what may be told."""

    async def test_after_the_game_it_is_told_and_shown(self, club: Club) -> None:
        """While it runs it is not; both by the newest game here and by a game that is named."""
        service = club.service
        board = await service.game(club.ann, club.ben, club.channel)
        assert "no game here" in await service.done(await club.ann.slash("why", club.other, point="g8"))
        await service.play((club.ann, club.ben), board, DOUBLE_THREE)
        asked = await club.ann.slash("why", club.channel, point="g8")
        assert "While this game runs" in await service.done(asked)
        assert asked.private.pictures == []
        await club.ben.press(board, "Claim forbidden move")
        await service.server.until(lambda: "Rematch" in board.labels, "the end")
        ((_, table),) = await club.ann.complete("why", "game", "", club.channel, point="g8")
        for given in ({}, {"game": table}):
            asked = await club.ann.slash("why", club.channel, point="G8", **given)
            heard = await service.done(asked)
            assert heard.startswith("G8 is forbidden for Black: a double-three.")
            ((file, alt),) = asked.private.pictures
            assert picture(file.content) == (960, 960)
            assert "double-three" in alt
        assert ("G8", "G8") in await club.ann.complete("why", "point", "g", club.channel)

    async def test_what_is_no_point_is_one_line(self, club: Club) -> None:
        """In the person's language."""
        yu = club.service.server.person("小雨", "zh-CN")
        heard = await club.service.done(await yu.slash("why", club.channel, point="8h"))
        assert any("\u4e00" <= letter <= "\u9fff" for letter in heard)


@pytest.mark.asyncio
class TestRules:
    """``/rules``."""

    async def test_the_forbidden_shapes_are_shown(self, club: Club) -> None:
        """One picture with its words; an opening rule has none."""
        asked = await club.ann.slash("rules", club.channel)
        assert "Forbidden moves." in await club.service.done(asked)
        ((_, alt),) = asked.private.pictures
        assert all(shape in alt for shape in ("overline", "double-four", "double-three"))
        topic = await club.ann.slash("rules", club.channel, topic="rif")
        assert await club.service.done(topic)
        assert topic.private.pictures == []


@pytest.mark.asyncio
class TestLanguage:
    """``/language``: one's own, wherever one is."""

    async def test_a_chosen_language_holds_everywhere(self, club: Club) -> None:
        """For answers, forms, completions and boards of one's own; the others keep theirs; back to Discord's."""
        service = club.service
        own = await service.opened(await club.ann.slash("newgame", opponent="engine", begins="black"))
        assert "Black: Ann" in own.text
        panel = await club.ann.slash("language", club.channel, language="zh_Hans")
        assert _chinese(await service.done(panel))
        await service.server.until(lambda: _chinese(own.text), "the board in Chinese")
        await service.stop()
        await service.start()
        heard = await service.done(await club.ann.slash("help", club.channel))
        assert _chinese(heard)
        assert "/newgame – " in heard, "her client still calls it so"
        board = await service.game(club.ben, club.ann, club.channel)
        assert _chinese(await service.done(await club.ann.press(board, "Choose a point")))
        form = await club.ann.press(board, "Type a point")
        assert form.modal is not None
        assert _chinese(str(form.modal.body["title"]))
        assert all(_chinese(told) for told, _ in await club.ann.complete("newgame", "protocol", "", club.channel))
        assert "Black: Ben" in board.text
        assert (await service.done(await club.ben.slash("move", club.channel, point="8h"))).isascii()
        await service.done(await club.ann.slash("language", club.channel, language="auto"))
        assert not _chinese(await service.done(await club.ann.slash("help", club.channel)))


def _chinese(text: str) -> bool:
    return any("\u4e00" <= letter <= "\u9fff" for letter in text)
