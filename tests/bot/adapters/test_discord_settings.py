"""What servers and people prefer on Discord."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
import pytest_asyncio
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bot.adapters.discord.pace import Pace
from bot.adapters.discord.panel import panel
from bot.adapters.discord.preferences import OfPerson, OfServer, Preferences, changed_person, changed_server
from bot.session.tables import Tables
from bot.words import LANGUAGES, words
from tests.fakes.discord import Channel, Guild, Message, Person
from tests.fakes.discord.facts import V2, Looks, check_looks, checked
from tests.fakes.discord.places import SEND, USUAL
from tests.fakes.discord_service import Service


@dataclass
class Club:
    """A server with one who manages it, and others."""

    service: Service
    guild: Guild
    channel: Channel
    other: Channel
    players: int
    boss: Person
    ann: Person
    ben: Person

    async def prefer(self, **choices: str | Channel) -> Message:
        """The boss changes settings of the server; the panel."""
        asked = await self.boss.slash("settings", self.channel)
        await self.service.quiet()
        for name, value in choices.items():
            custom_id = {"channels": "oc:channels", "roles": "or:roles"}.get(name, f"o:{name}")
            await self.boss.choose(asked.private, custom_id, value)
            await self.service.quiet()
        return asked.private

    async def game(self) -> Message:
        return await self.service.game(self.ann, self.ben, self.channel)


@pytest_asyncio.fixture
async def club(tables: Tables) -> AsyncIterator[Club]:
    """The bot, connected."""
    service = Service(tables)
    guild = service.server.guild("club")
    channel, other = guild.channel("games"), guild.channel("talk")
    boss, ann, ben = (service.server.person(name) for name in ("Boss", "Ann", "Ben"))
    guild.managers.append(boss)
    players = guild.role(ann, boss)
    async with service:
        yield Club(service, guild, channel, other, players, boss, ann, ben)


def darkness(board: Message) -> bool:
    """Whether the picture is of the dark style."""
    pixel = Image.open(io.BytesIO(board.picture)).convert("L").getpixel((2, 2))
    assert isinstance(pixel, int)
    return pixel < 100


def _chinese(text: str) -> bool:
    return any("\u4e00" <= letter <= "\u9fff" for letter in text)


@pytest.mark.asyncio
class TestOfServers:
    """Only for who may manage the server."""

    async def test_only_who_manages_the_server_sees_and_changes_them(self, club: Club) -> None:
        """Others have their own only, and a forged choice is refused (G11)."""
        theirs = await club.ann.slash("settings", club.channel)
        await club.service.quiet()
        assert "server" not in theirs.private.text
        panel_of_boss = await club.prefer()
        assert "Settings of this server" in panel_of_boss.text
        forged = club.service.server.begin(
            3,
            club.ann,
            club.channel,
            {"custom_id": "o:style", "component_type": 3, "values": ["dark"], "id": 1},
            message=theirs.private,
            then=panel_of_boss.components,
        )
        await club.service.server.deliver(forged)
        await club.service.server.until(lambda: forged.follow_ups, "a refusal")
        assert "may manage this server" in forged.said
        assert not darkness(await club.game())

    async def test_boards_have_the_style_and_the_language_of_the_server(self, club: Club) -> None:
        """Whoever opens them; those that are there change at once."""
        board = await club.game()
        await club.prefer(style="dark", language="zh_Hans")
        await club.service.server.until(lambda: darkness(board) and _chinese(board.text), "the dark Chinese board")
        again = await club.prefer()
        options = [option for select in again.selects for option in select["options"] if option.get("default")]
        assert [option["value"] for option in options] == [
            *("auto", "wood", "axes", "on", "edit", "3d"),
            *("zh_Hans", "dark", "edit", "3d", "off"),
        ]

    async def test_games_are_opened_where_the_server_wants_them(self, club: Club) -> None:
        """In the channels that were chosen and their threads; those that run go on elsewhere."""
        running = await club.service.game(club.ann, club.ben, club.other)
        await club.prefer(channels=club.channel)
        for visit in (
            await club.ann.slash("newgame", club.other, opponent="friend"),
            await club.ann.menu("Challenge to Renju", club.ben, club.other),
        ):
            assert await club.service.done(visit) == "In this server games are opened in: #games"
        await club.service.opened(await club.ann.slash("newgame", club.channel, opponent="friend"))
        await club.service.opened(await club.ann.slash("newgame", club.channel.thread("more"), opponent="friend"))
        await club.service.play((club.ann, club.ben), running, "h8")
        await club.service.opened(
            await club.ann.slash("newgame", opponent="friend")
        )  # direct messages are nobody's server

    async def test_only_the_chosen_roles_play(self, club: Club) -> None:
        """They open and join; the others are told so."""
        await club.prefer(roles=str(club.players))
        board = await club.service.opened(await club.ann.slash("newgame", club.channel, begins="black"))
        assert "some roles" in await club.service.done(await club.ben.press(board, "Join"))
        assert "some roles" in await club.service.done(await club.ben.slash("newgame", club.channel))
        assert await club.service.done(await club.boss.press(board, "Join")) == ""
        await club.service.server.until(lambda: "Join" not in board.labels, "the game of two")

    async def test_who_is_to_move_is_called_once_a_move(self, club: Club) -> None:
        """By a line that goes away with the next one; an offer of a draw calls nobody again (A20)."""
        await club.prefer(policy="call")
        board = await club.game()

        def calls() -> list[Message]:
            return [message for message in club.channel.messages if message.pings]

        await club.service.server.until(lambda: calls() and calls()[-1].pings == [club.ann.id], "Ann is called")
        await club.service.play((club.ann, club.ben), board, "h8 h9")
        await club.service.server.until(lambda: [m.pings for m in calls()] == [[club.ann.id]], "Ann is called again")
        line = calls()[0]
        assert str(board.id) in line.text
        await club.ann.press(board, "Offer draw")
        await club.service.server.until(lambda: "Accept draw" in board.labels, "the offer")
        await club.service.quiet()
        assert calls() == [line]
        question = await club.ann.press(board, "Resign")
        await club.service.quiet()
        await club.ann.press(question.private, "Yes resign")
        await club.service.server.until(lambda: "Rematch" in board.labels and not calls(), "nobody is called")
        assert len([m for m in club.channel.history.values() if m.pings]) == 3

    async def test_a_call_waits_for_the_pace(self, club: Club) -> None:
        """Where the board took the last that the channel allows for now, the call is not lost: it comes after it."""
        await club.prefer(policy="call")
        board = await club.game()
        await club.service.server.until(lambda: club.channel.last.pings == [club.ann.id], "Ann is called")
        asked: list[str] = []
        pace = club.service.adapter.shower._calls._pace = Pace(channel=(1.0, 2.0))
        usual = pace.ask

        def ask(place: str, *, spare: int = 0) -> float:
            asked.append("refused" if (wait := usual(place, spare=spare)) else "allowed")
            return wait

        pace.ask = ask  # type: ignore[method-assign]
        pace.halt(f"{club.channel.id}", 0.2)
        await club.service.play((club.ann,), board, "h8")
        await club.service.server.until(lambda: club.channel.last.pings == [club.ben.id], "Ben is called")
        assert asked == ["refused", "allowed"]

    async def test_a_call_that_waits_is_of_no_use_when_the_game_went_on(self, club: Club) -> None:
        """Only whoever is to move then is called."""
        await club.prefer(policy="call")
        board = await club.game()
        await club.service.server.until(lambda: club.channel.last.pings == [club.ann.id], "Ann is called")
        pace = club.service.adapter.shower._calls._pace = Pace(channel=(1e6, 1e6), everything=(1e6, 1e6))
        pace.halt(f"{club.channel.id}", 1.0)
        await club.service.play((club.ann, club.ben, club.ann), board, "h8 h9 i9")

        def called() -> list[list[int]]:
            return [message.pings for message in club.channel.messages if message.pings]

        await club.service.server.until(lambda: called() == [[club.ben.id]], "Ben alone is called")
        assert [m.pings for m in club.channel.history.values() if m.pings] == [[club.ann.id], [club.ben.id]]

    async def test_the_board_comes_anew_for_whoever_is_to_move(self, club: Club) -> None:
        """It calls them by name, once a move, and the message before retires; nobody is called for their own move."""
        await club.prefer(policy="new")
        board = await club.game()
        service = club.service
        await service.server.until(lambda: club.channel.board.pings == [club.ann.id], "Ann is called")
        for person, point, other in ((club.ann, "h8", club.ben), (club.ben, "h9", club.ann)):
            await service.quiet()
            board = club.channel.board
            await service.known(board)
            assert await service.typed(person, board, point) == ""
            await service.server.until(
                lambda board=board: club.channel.boards and club.channel.board is not board, "the board anew"
            )
            assert club.channel.board.pings == [other.id]
            assert f"<@{other.id}>" in club.channel.board.text
        last = club.channel.board
        await service.known(last)
        await club.ann.press(last, "Offer draw")
        await service.server.until(lambda: "Accept draw" in last.labels, "the offer")
        await service.quiet()
        assert club.channel.boards == [last]

    async def test_where_nothing_more_may_be_sent_the_board_that_stands_goes_on(self, club: Club) -> None:
        """A move from elsewhere brings no right to answer here: the board is changed, and anew when that is allowed."""
        await club.prefer(policy="new")
        await club.game()
        service = club.service
        await service.server.until(lambda: club.channel.board.pings == [club.ann.id], "Ann is called")
        await service.quiet()
        board = club.channel.board
        club.channel.bot_may = USUAL & ~SEND
        assert await service.done(await club.ann.slash("move", club.ann.dm, point="h8")) == ""
        await service.stone("h8", board)
        assert club.channel.boards == [board]
        club.channel.bot_may = USUAL
        assert await service.done(await club.ben.slash("move", club.ben.dm, point="h9")) == ""
        await service.server.until(lambda: club.channel.board is not board, "the board anew")
        await service.stone("h9", club.channel.board)

    @pytest.mark.parametrize("policy", ["edit", "call", "new"])
    async def test_who_is_challenged_hears_of_it_where_people_are_called(self, club: Club, policy: str) -> None:
        """Once, by a line that goes away when they have joined."""
        await club.prefer(policy=policy)
        board = await club.service.opened(await club.ann.menu("Challenge to Renju", club.ben, club.channel))
        await club.service.quiet()
        if policy == "edit":
            assert [message for message in club.channel.history.values() if message.pings] == []
            return
        await club.service.server.until(lambda: club.channel.last.pings == [club.ben.id], "Ben is called")
        line = club.channel.last
        assert "challenged" in line.text
        assert str(board.id) in line.text
        await club.ben.press(board, "Join")
        await club.service.server.until(lambda: "Join" not in club.channel.board.labels, "the game of two")
        await club.service.server.until(lambda: line.deleted, "the line is gone")

    async def test_quiet_servers_hear_nothing(self, club: Club) -> None:
        """No calls, and new messages without a sound."""
        await club.prefer(policy="call", quiet="on")
        board = await club.game()
        await club.service.play((club.ann, club.ben), board, "h8 h9")
        question = await club.ann.press(board, "Resign")
        await club.service.quiet()
        await club.ann.press(question.private, "Yes resign")
        await club.service.server.until(lambda: "Rematch" in board.labels, "the end")
        await club.ann.press(board, "Rematch")
        await club.service.server.until(lambda: club.channel.board is not board, "the board of the rematch")
        assert not [message for message in club.channel.history.values() if message.pings]
        assert club.channel.board.flags & 1 << 12


@pytest.mark.asyncio
class TestOfPeople:
    """Everybody's own."""

    async def test_a_person_chooses_the_look_of_what_they_alone_see(self, club: Club) -> None:
        """Dark pictures and the points around the play first; nobody else's messages change."""
        asked = await club.ann.slash("settings")
        await club.service.quiet()
        await club.ann.choose(asked.private, "o:mystyle", "dark")
        await club.service.quiet()
        await club.ann.choose(asked.private, "o:myway", "around")
        board = await club.game()
        assert not darkness(board)
        choice = await club.ann.press(board, "Choose a point")
        await club.service.quiet()
        assert darkness(choice.private)
        assert "Columns and rows" in choice.private.labels
        own = await club.service.opened(await club.ann.slash("newgame", begins="black"))
        assert darkness(own)

    async def test_a_point_can_be_played_as_soon_as_it_is_chosen(self, club: Club) -> None:
        """By whoever wants that: both selects, or one tap on a point; two stones one after the other."""
        service = club.service
        asked = await club.ben.slash("settings")
        await service.quiet()
        await club.ben.choose(asked.private, "o:myconfirm", "off")
        await service.quiet()
        board = await service.game(club.ann, club.ben, club.channel, protocol="swap2")
        await service.play((club.ann, club.ann), board, "h8 i8 h9")
        choice = await club.ben.press(board, "Add two stones")
        await service.quiet()
        for stone in ("j9", "j8"):
            await club.ben.select(choice.private, 0, stone[0])
            await service.quiet()
            await club.ben.select(choice.private, 1, stone[1:])
            await service.quiet()
        await service.server.until(lambda: "J9" in board.text and "J8" in board.text, "both stones")
        assert not club.channel.private(club.ben)
        board = await service.game(club.ben, club.ann, club.other)
        await service.play((club.ben, club.ann), board, "h8 h9")
        choice = await club.ben.press(board, "Choose a point")
        await service.quiet()
        await club.ben.press(choice.private, "Points around the play")
        await service.quiet()
        await club.ben.press(choice.private, "I9")
        await service.stone("i9", board)
        await service.quiet()
        assert not club.other.private(club.ben)

    @pytest.mark.parametrize("policy", ["edit", "call", "new"])
    async def test_direct_messages_call_as_their_person_likes(self, club: Club, policy: str) -> None:
        """The board changed, a line under it, or the board anew: once for each of one's own moves."""
        service = club.service
        asked = await club.ben.slash("settings")
        await service.quiet()
        await club.ben.choose(asked.private, "o:mypolicy", policy)
        await service.quiet()
        board = await service.opened(await club.ann.slash("newgame", opponent="friend", begins="black"))
        code = board.text.rpartition("/join ")[2]
        assert await service.done(await club.ben.slash("join", code=code)) == ""
        await service.server.until(lambda: club.ben.dm.boards, "a board of one's own")
        first = club.ben.dm.board
        await service.known(first)
        for number, (mine, theirs) in enumerate((("h8", "h9"), ("i9", "i8"))):
            assert await service.typed(club.ann, board, mine) == ""
            await service.server.until(lambda mine=mine: _last(club.ben, mine), "the stone")
            if policy != "edit":
                await service.server.until(lambda: _called(club.ben), "a call")
            await service.known(club.ben.dm.board)
            assert await service.typed(club.ben, club.ben.dm.board, theirs) == ""
            await service.stone(theirs, board)
            calls = [message for message in club.ben.dm.history.values() if message.pings]
            assert len(calls) == (0 if policy == "edit" else number + 1)
        assert (club.ben.dm.board is first) == (policy != "new")
        assert not [message for message in club.ann.dm.history.values() if message.pings]


def _last(person: Person, point: str) -> bool:
    return f"Black {point.upper()}" in person.dm.board.text


def _called(person: Person) -> bool:
    return bool(person.dm.last.pings)


class TestPanel:
    """The message with the selects."""

    @pytest.mark.parametrize("language", LANGUAGES)
    @given(
        st.builds(
            OfServer,
            language=st.sampled_from(["", *LANGUAGES]),
            style=st.sampled_from(["wood", "dark"]),
            policy=st.sampled_from(["edit", "call", "new"]),
            quiet=st.booleans(),
            channels=st.lists(st.integers(1, 99), unique=True, max_size=25).map(tuple),
            roles=st.lists(st.integers(1, 99), unique=True, max_size=25).map(tuple),
        ),
        st.builds(
            OfPerson,
            language=st.sampled_from(["", *LANGUAGES]),
            style=st.sampled_from(["wood", "dark"]),
            around=st.booleans(),
            at_once=st.booleans(),
            policy=st.sampled_from(["edit", "call", "new"]),
        ),
    )
    def test_every_panel_fits_and_shows_what_is_set(self, language: str, server: OfServer, person: OfPerson) -> None:
        """One choice of each select is the one that holds."""
        components = panel(words(language), person, server).to_components()
        checked("POST /channels/{channel_id}/messages", {"components": components, "flags": V2})
        check_looks(Looks(components, "", [], V2))
        selects = [row["components"][0] for row in components if row["type"] == 1]
        assert all(sum(o["default"] for o in select["options"]) == 1 for select in selects if select["type"] == 3)

    def test_words_that_mean_nothing_change_nothing(self) -> None:
        """Choices can be forged."""
        for name, values in (("language", ["klingon"]), ("style", []), ("other", ["x"]), ("mystyle", ["glass"])):
            assert changed_server(OfServer(), name, values) == OfServer()
            assert changed_person(OfPerson(), name, values) == OfPerson()

    @pytest.mark.asyncio
    async def test_what_cannot_be_read_counts_as_not_set(self, tables: Tables) -> None:
        """Of an older or newer version, or damaged."""
        await tables.remember("dc:server:1", "{", 60)
        await tables.remember("dc:person:dc:1", '{"style": 5}', 60)
        assert await Preferences(tables).of_server(1) == OfServer()
        assert await Preferences(tables).of_person("dc:1") == OfPerson()
