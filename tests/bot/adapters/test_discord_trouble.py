"""What goes wrong between Discord and us, and what people notice of it: as little as possible."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio

from bot.adapters.discord.address import OFFICIAL, api_base
from bot.adapters.discord.pace import Pace
from bot.adapters.discord.ways import Ways
from bot.commands import doctor
from bot.session.refresher import Later, Sent, Unreachable
from bot.session.store import StoreUnavailable
from bot.session.table import Intent, Table, View
from bot.session.tables import Tables
from bot.settings import Settings
from tests.fakes.discord import Channel, DiscordServer, Interaction, Message, Person
from tests.fakes.discord.places import ATTACH, SEND, USUAL, VIEW
from tests.fakes.discord.server import PATIENCE
from tests.fakes.discord_service import Service


@dataclass
class Play:
    """A game that has begun."""

    service: Service
    channel: Channel
    ann: Person
    ben: Person
    board: Message

    @property
    def server(self) -> DiscordServer:
        return self.service.server

    def count(self, name: str, status: int | None = None) -> int:
        """How many calls of this name the bot has made, or of those that ended so."""
        return sum(call.name == name and status in (None, call.status) for call in self.server.calls)

    async def table(self) -> Table:
        found = await self.service.tables.view_at("dc", str(self.channel.id), str(self.board.id))
        assert found is not None
        table = await self.service.tables.get(found[0])
        assert isinstance(table, Table)
        return table

    async def view(self) -> View:
        (view,) = await self.service.tables.views((await self.table()).id)
        return view

    async def show(self) -> object:
        """What the shower says when it is to show the board as it is now."""
        return await self.service.adapter.shower.show(await self.table(), await self.view())

    def tap(self, label: str) -> Interaction:
        """Ann presses a button; the bot is not told yet."""
        data = {"custom_id": self.board.custom_id(label), "component_type": 2, "id": 1}
        return self.server.begin(3, self.ann, self.channel, data, message=self.board)


@pytest_asyncio.fixture
async def play(tables: Tables) -> AsyncIterator[Play]:
    """Ann and Ben have put two stones."""
    service = Service(tables)
    channel = service.server.guild("club").channel("general")
    ann, ben = service.server.person("Ann"), service.server.person("Ben")
    async with service:
        board = await service.game(ann, ben, channel)
        await service.play((ann, ben), board, "h8 h9")
        await service.quiet()
        yield Play(service, channel, ann, ben, board)


@pytest.mark.asyncio
class TestAcknowledgement:
    """First the acknowledgement, then the work."""

    async def test_a_tap_is_acknowledged_while_the_store_is_slow(
        self, play: Play, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """However long the work takes, nobody sees that the interaction failed (A18)."""
        going_on, act = asyncio.Event(), Tables.act

        async def slow(tables: Tables, intent: Intent) -> Any:
            await going_on.wait()
            return await act(tables, intent)

        monkeypatch.setattr(Tables, "act", slow)
        for visit in (
            await play.ann.press(play.board, "Pass"),
            await play.ann.slash("move", play.channel, point="i9"),
        ):
            assert visit.answers
        assert "passed" not in play.board.text
        play.server.advance(10)
        going_on.set()
        await play.server.until(lambda: "passed" in play.board.text, "the pass")
        await play.service.quiet()

    async def test_a_board_is_acknowledged_while_it_is_drawn(self, play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
        """The picture takes the place of "thinking" when it is ready."""
        import threading

        from bot.adapters.discord import shower

        drawn, png = threading.Event(), shower.png

        def slow(*given: Any) -> bytes:
            drawn.wait(30)
            return png(*given)

        monkeypatch.setattr(shower, "png", slow)
        opened = await play.ann.slash("newgame", play.channel, opponent="friend")
        assert opened.answers == [5]
        assert opened.original is not None
        assert opened.original.pending
        drawn.set()
        await play.service.opened(opened)

    @pytest.mark.parametrize(("command", "option"), [("move", "point"), ("board", "game"), ("resign", "game")])
    async def test_choices_are_given_up_in_time_while_the_store_is_slow(
        self, play: Play, monkeypatch: pytest.MonkeyPatch, command: str, option: str
    ) -> None:
        """An empty list is an answer, a late one none; what is typed counts."""
        from bot.adapters.discord import completing

        going_on = asyncio.Event()

        async def slow(*given: object, **named: object) -> Any:
            await going_on.wait()

        assert await play.ann.complete(command, option, "", play.channel)
        monkeypatch.setattr(completing, "_SOON", 0.01)
        for name in ("run", "call", "many"):
            monkeypatch.setattr(play.service.tables._store, name, slow)
        assert await play.ann.complete(command, option, "", play.channel) == []

    async def test_what_comes_too_late_is_not_done(self, play: Play) -> None:
        """Whoever pressed it was told that it failed, so it must not happen after all."""
        visit = play.tap("Pass")
        play.server.advance(3.5)
        await play.server.deliver(visit)
        await play.server.until(lambda: play.count("POST callback", 404), "the refusal")
        await play.service.quiet()
        assert len((await play.table()).game.record) == 2
        assert play.server.faults == []

    async def test_an_acknowledgement_whose_fate_is_unknown_counts(self, play: Play) -> None:
        """Discord took it but could not say so: the tap is not lost."""
        play.server.fail("POST callback", 400, code=40060, message="Interaction has already been acknowledged.")
        await play.server.deliver(play.tap("Pass"))
        await play.server.until(lambda: "passed" in play.board.text, "the pass")


@pytest.mark.asyncio
class TestRefusals:
    """What Discord refuses is asked for no second time; it counts them."""

    async def test_a_board_that_was_deleted_is_sent_anew(self, play: Play) -> None:
        """Once: one 404 and one message, however often the game goes on after that; where it was silent, silently."""
        table = await play.table()
        play.server.forget(play.board)
        assert await play.service.done(await play.ann.slash("move", play.channel, point="i9", game=table.id)) == ""
        await play.server.until(lambda: play.channel.boards, "a new board")
        again = play.channel.board
        await play.service.known(again)
        await play.service.play((play.ben, play.ann), again, "i8 j9")
        assert (play.count("PATCH message", 404), play.channel.messages) == (1, [again])
        play.server.forget(again)
        await play.service.done(await play.ben.slash("move", play.channel, point="j8", game=table.id))
        await play.server.until(lambda: play.channel.boards, "one more")
        assert "Last move: 6" in play.channel.board.text
        assert play.count("PATCH message", 404) == 2

    async def test_a_board_whose_place_was_taken_twice_is_one(self, play: Play) -> None:
        """Not noted before a kill, it is sent a second time: Discord knows it by its number."""
        play.server.forget(play.board)
        first = await play.show()
        assert first == await play.show() == Sent(str(play.channel.board.id))
        assert len(play.channel.messages) == 1

    async def test_a_deleted_board_stays_away_from_a_channel_that_is_closed(self, play: Play) -> None:
        """One 404, one 403, and no more; ``/board`` brings it back when the channel is open."""
        play.server.forget(play.board)
        play.channel.bot_may &= ~SEND
        table = (await play.table()).id
        assert await play.service.done(await play.ann.slash("move", play.channel, point="i9", game=table)) == ""
        await play.server.until(lambda: play.count("POST message", 403), "the refusal")
        await play.service.quiet()
        assert await play.service.done(await play.ben.slash("move", play.channel, point="i8", game=table)) == ""
        assert (play.count("PATCH message", 404), play.count("POST message", 403)) == (1, 1)
        play.channel.bot_may = USUAL
        again = await play.service.opened(await play.ann.slash("board", play.channel))
        assert "Last move: 4" in again.text

    @pytest.mark.parametrize("taken", [SEND, ATTACH])
    async def test_where_the_bot_may_only_answer_a_rematch_is_shown_all_the_same(self, play: Play, taken: int) -> None:
        """By the right of whoever asks for it; the game is then played as everywhere."""
        play.channel.bot_may = USUAL & ~taken
        await play.ann.press((await self.private(play, "Resign")), "Yes resign")
        await play.server.until(lambda: "Rematch" in play.board.labels, "the end")
        heard = await play.service.done(await play.ann.press(play.board, "Rematch"))
        assert heard == ""
        await play.server.until(lambda: len(play.channel.boards) == 2, "the board of the rematch")
        again = play.channel.board
        await play.service.known(again)
        await play.ben.press(again, "Join")
        await play.service.quiet()
        await play.server.until(lambda: "Type a point" in again.labels, "the rematch")
        await play.service.play((play.ben, play.ann), again, "h8 h9")

    @staticmethod
    async def private(play: Play, label: str) -> Message:
        """What Ann alone sees after she has pressed a button of the board."""
        asked = await play.ann.press(play.board, label)
        await play.service.quiet()
        return asked.private

    async def test_a_channel_that_nobody_but_the_players_sees_is_asked_for_its_board(self, play: Play) -> None:
        """The bot may not even look; whoever writes ``/board`` brings it along as a guest, and plays on."""
        table = await play.table()
        play.channel.bot_may = USUAL & ~VIEW
        assert await play.service.done(await play.ann.slash("move", play.ann.dm, point="i9", game=table.id)) == ""
        await _given_up(play.service.tables, table.id)
        again = await play.service.opened(await play.ben.slash("board", play.channel))
        assert "Refresh" in again.labels
        await play.service.play((play.ben, play.ann), again, "i8")

    async def test_who_plays_at_a_board_that_the_bot_sees_no_longer_plays_on(self, play: Play) -> None:
        """Their own taps let it be changed; when it is seen again, it is one board as before."""
        play.channel.bot_may = USUAL & ~VIEW
        await play.service.play((play.ann, play.ben), play.board, "i9 i8")
        assert "Refresh" in play.board.labels
        assert not [call for call in play.server.calls if call.status in (401, 403, 404)]
        play.channel.bot_may = USUAL
        await play.service.play((play.ann, play.ben), play.board, "j9")
        assert "Refresh" not in play.board.labels
        assert play.channel.boards == [play.board]

    async def test_a_channel_that_cannot_be_seen_is_given_up(self, play: Play) -> None:
        """One 403, whether on a change or on a new message."""
        play.channel.bot_may = 0
        assert await play.show() == Unreachable()
        new = View(id="abcd", platform="dc", chat=str(play.channel.id))
        assert await play.service.adapter.shower.show(await play.table(), new) == Unreachable()
        assert play.count("PATCH message", 403) == play.count("POST message", 403) == 1

    async def test_a_server_that_lets_the_bot_in_again_has_its_boards_again(self, play: Play) -> None:
        """Removed in mid game: one refusal; after the next invitation the board comes back by itself."""
        guild, table = play.channel.guild, await play.table()
        assert guild is not None
        guild.has_bot = False
        for person, point in ((play.ann, "i9"), (play.ben, "i8")):
            assert await play.service.done(await person.slash("move", person.dm, point=point, game=table.id)) == ""
            await play.server.until(lambda: play.count("PATCH message", 403), "the refusal")
            await play.service.quiet()
        assert play.count("PATCH message", 403) == 1
        await play.service.adapter._line.client.wait_until_ready()  # until then the library tells of no server
        await play.server.gateway.dispatch("GUILD_DELETE", {"id": str(guild.id)}, guild=guild.id)
        guild.has_bot = True
        entered = {key: value for key, value in guild.describe().items() if key != "unavailable"}
        await play.server.gateway.dispatch("GUILD_CREATE", entered, guild=guild.id)
        await play.server.until(lambda: play.channel.board is not play.board, "the board")
        assert "Last move: 4" in play.channel.board.text

    async def test_a_game_that_ended_while_the_bot_was_out_is_shown_to_its_end(self, play: Play) -> None:
        """Nobody is left with a board on which it goes on for ever."""
        guild, table = play.channel.guild, await play.table()
        assert guild is not None
        guild.has_bot = False
        asked = await play.ann.slash("resign", play.ann.dm, game=table.id)
        await play.service.quiet()
        await play.ann.press(asked.private, "Yes resign")
        await play.server.until(lambda: play.count("PATCH message", 403), "the refusal")
        await play.service.quiet()
        await play.service.adapter._line.client.wait_until_ready()  # until then the library tells of no server
        await play.server.gateway.dispatch("GUILD_DELETE", {"id": str(guild.id)}, guild=guild.id)
        guild.has_bot = True
        entered = {key: value for key, value in guild.describe().items() if key != "unavailable"}
        await play.server.gateway.dispatch("GUILD_CREATE", entered, guild=guild.id)
        await play.server.until(lambda: play.channel.board is not play.board, "the board")
        assert "Ann (Black) resigned" in play.channel.board.text
        assert play.channel.board.labels == ["Rematch"]

    async def test_a_thread_that_sleeps_is_woken(self, tables: Tables) -> None:
        """A correspondence game goes on after its thread was archived; a locked thread is left alone."""
        service = Service(tables)
        thread = service.server.guild("club").channel("general").thread("a game")
        ann, ben = service.server.person("Ann"), service.server.person("Ben")
        async with service:
            board = await service.game(ann, ben, thread)
            await service.play((ann, ben), board, "h8")
            thread.archived = True
            table = str(board.buttons[0]["custom_id"]).partition(":")[2].partition(".")[0]
            assert await service.done(await ben.slash("move", ben.dm, point="h9", game=table)) == ""
            await service.stone("h9", board)
            assert not thread.archived
            thread.archived = thread.locked = True
            for person, point in ((ann, "i9"), (ben, "i8")):
                assert await service.done(await person.slash("move", person.dm, point=point, game=table)) == ""
                await service.server.until(lambda: _refused(service, "PATCH channel"), "the refusal")
                await service.quiet()
            assert _refused(service, "PATCH channel") == 1
            thread.archived = thread.locked = False
            again = await service.opened(await ann.slash("board", thread))
            assert "Last move: 4" in again.text

    async def test_a_thread_that_somebody_wakes_has_its_board_again(self, tables: Tables) -> None:
        """Locked and asleep it lost its board; nobody has to ask for it when it is opened again."""
        service = Service(tables)
        guild = service.server.guild("club")
        thread = guild.channel("general").thread("a game")
        ann, ben = service.server.person("Ann"), service.server.person("Ben")
        async with service:
            board = await service.game(ann, ben, thread)
            await service.play((ann, ben), board, "h8")
            await service.adapter._line.client.wait_until_ready()
            for asleep in (True, False):
                thread.archived = thread.locked = asleep
                await service.server.gateway.dispatch("THREAD_UPDATE", thread.describe(), guild=guild.id)
                if asleep:
                    table = str(board.buttons[0]["custom_id"]).partition(":")[2].partition(".")[0]
                    assert await service.done(await ben.slash("move", ben.dm, point="h9", game=table)) == ""
                    await _given_up(tables, table)
            await service.server.until(lambda: thread.board is not board, "the board")
            assert "Last move: 2" in thread.board.text

    async def test_a_role_that_lets_the_bot_in_again_brings_its_boards(self, play: Play) -> None:
        """The server has taken a right from a role, and gives it back: no channel says so by itself."""
        guild = play.channel.guild
        assert guild is not None
        table = await play.table()
        await play.service.adapter._line.client.wait_until_ready()
        play.channel.bot_may = USUAL & ~VIEW
        everyone = guild.describe()["roles"][0]
        told = {"guild_id": str(guild.id), "role": everyone | {"permissions": str(USUAL & ~VIEW)}}
        await play.server.gateway.dispatch("GUILD_ROLE_UPDATE", told, guild=guild.id)
        assert await play.service.done(await play.ann.slash("move", play.ann.dm, point="i9", game=table.id)) == ""
        await _given_up(play.service.tables, table.id)
        play.channel.bot_may = USUAL
        told = {"guild_id": str(guild.id), "role": everyone}
        await play.server.gateway.dispatch("GUILD_ROLE_UPDATE", told, guild=guild.id)
        await play.server.until(lambda: play.channel.board is not play.board, "the board")
        assert "Last move: 3" in play.channel.board.text

    async def test_who_blocks_the_bot_is_missed_once(self, tables: Tables) -> None:
        """The other one is told, the game goes on, and no call is repeated (A28)."""
        service = Service(tables)
        ann, ben = service.server.person("Ann"), service.server.person("Ben")
        async with service:
            board = await service.opened(await ann.slash("newgame", opponent="friend", begins="black"))
            code = board.text.rpartition("/join ")[2]
            await service.done(await ben.slash("join", code=code))
            await service.server.until(lambda: ben.dm.boards, "a board of one's own")
            ben.dm.closed = True
            await service.play((ann, ann), board, "h8")
            await service.server.until(lambda: len(ann.dm.messages) == 2, "a word about it")
            assert ann.dm.last.text.startswith("Ben has blocked me")
            ben.dm.closed = False
            await service.done(await ben.slash("move", point="h9", game=code))
            await service.stone("h9", board)
            assert _refused(service, "PATCH message") == 1

    async def test_closed_direct_messages_are_given_up(self, play: Play) -> None:
        """They open no channel a second time."""
        play.ann.dm.closed = True
        view = View(id="abcd", platform="dc", chat=f"@{play.ann.id}")
        shower = play.service.adapter.shower
        assert await shower.show(await play.table(), view) == Unreachable()
        play.ann.dm.closed = False
        shown = await shower.show(await play.table(), view)
        assert shown == Sent(str(play.ann.dm.last.id))
        assert play.count("POST channel") == 1

    async def test_a_token_that_is_refused_later_ends_the_calls(self, play: Play) -> None:
        """One 401; no view is lost, since a new token may come."""
        play.server.token = "another"
        assert await play.show() == Later(60.0)
        assert await play.show() == Later(60.0)
        assert play.count("PATCH message", 401) == 1

    async def test_a_long_wait_is_handed_on(self, play: Play) -> None:
        """429 with more seconds than the library waits by itself: later, and nothing until then."""
        service = play.service
        pace = Pace()  # the usual one instead of one that never asks to wait
        service.adapter.shower._pace = service.adapter.shower._messages._pace = pace
        play.server.fail("PATCH message", 429, retry_after=31.0)
        assert await play.show() == Later(31.0)
        later = await play.show()
        assert isinstance(later, Later)
        assert 30 < later.seconds <= 31
        assert play.count("PATCH message", 429) == 1

    async def test_a_short_wait_is_waited_for(self, play: Play) -> None:
        """The library does that by itself."""
        play.server.fail("PATCH message", 429, retry_after=0.01)
        await play.ann.press(play.board, "Pass")
        await play.server.until(lambda: "passed" in play.board.text, "the pass")

    async def test_a_server_that_is_away_is_asked_again(self, play: Play) -> None:
        """5xx on a change: later. On a new message it is not known what became of it."""
        play.server.fail("PATCH message", 503)
        assert await play.show() == Later(2.0)
        new = View(id="abcd", platform="dc", chat=str(play.channel.id))
        table, shower = await play.table(), play.service.adapter.shower
        first = await shower.show(table, new)
        assert first == await shower.show(table, new) == Sent(str(play.channel.last.id)), "the number makes them one"

    async def test_an_answer_that_cannot_be_given_becomes_a_message(self, play: Play) -> None:
        """After fifteen minutes, by the bot's own right."""
        await Ways(play.service.tables).keep_answer((await play.table()).id, str(play.channel.id), "gone")
        new = View(id="abcd", platform="dc", chat=str(play.channel.id))
        assert isinstance(await play.service.adapter.shower.show(await play.table(), new), Sent)
        assert (play.count("PATCH answer", 404), play.count("POST message", 200)) == (1, 1)


@pytest.mark.asyncio
class TestFaults:
    """Nobody sees a traceback, and everybody hears something."""

    async def test_a_store_that_is_away_is_said_so(self, play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
        """Privately, after taps, commands and forms."""

        async def away(*given: object, **named: object) -> Any:
            raise StoreUnavailable("away")

        form = await play.ann.press(play.board, "Type a point")
        assert form.modal is not None
        for name in ("run", "call", "many"):
            monkeypatch.setattr(play.service.tables._store, name, away)
        for visit in (
            await play.ann.press(play.board, "Pass"),
            await play.ann.slash("claim", play.channel),
            await play.ann.slash("newgame", play.channel, opponent="friend"),
            await play.ann.slash("newgame", play.channel),
            await play.ann.submit(form.modal, "i9"),
        ):
            assert "cannot be saved" in await play.service.done(visit), visit.data
        assert len(play.channel.messages) == 1
        assert await play.ann.complete("move", "point", "", play.channel) == []

    async def test_an_unknown_fault_is_said_so(
        self, play: Play, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """One line to the person, the rest to the operator."""

        async def broken(*given: object, **named: object) -> Any:
            raise RuntimeError("a bug")

        monkeypatch.setattr(play.service.adapter._hearing._desk, "press", broken)
        heard = await play.service.done(await play.ann.press(play.board, "Pass"))
        assert heard == "Something went wrong here. Please try again."
        assert "a bug" in capsys.readouterr().out

    async def test_commands_and_buttons_of_another_version_are_answered(self, play: Play) -> None:
        """Nobody sees that the interaction failed."""
        old = play.server.begin(2, play.ann, play.channel, {"id": "1", "name": "chess", "type": 1})
        await play.server.deliver(old)
        await play.server.until(lambda: old.said, "an answer")
        assert "/help" in old.said
        button = {"type": 2, "style": 1, "label": "x", "custom_id": "chess:e4"}
        visit = await play.ann.press_id(play.board, "chess:e4", then=[{"type": 1, "components": [button]}])
        assert visit.said == "This button means nothing here."

    async def test_forged_words_mean_nothing(self, play: Play) -> None:
        """Ids that no button ever had."""
        table = (await play.table()).id
        for wire in ("nonsense", f"{table}.4.flag-0", f"{table}.4.pick-x-y", "aaaaaaaaaa.1.join"):
            components = [{"type": 1, "components": [{"type": 2, "style": 1, "label": "x", "custom_id": f"g:{wire}"}]}]
            visit = await play.ann.press_id(play.board, f"g:{wire}", then=components)
            await play.service.quiet()
            assert visit.answers == [6]
        assert len((await play.table()).game.record) == 2


@pytest.mark.asyncio
class TestConnection:
    """The gateway comes and goes."""

    async def test_what_happened_while_the_line_was_cut_is_done_when_it_is_back(self, play: Play) -> None:
        """The session is resumed, not begun anew."""
        visit = play.tap("Pass")
        play.server.gateway.drop()
        await play.server.deliver(visit)
        await play.server.until(lambda: "passed" in play.board.text, "the pass")
        assert (play.server.gateway.identified, play.server.gateway.resumed) == (1, 1)

    async def test_a_session_that_is_no_longer_known_is_begun_anew(self, play: Play) -> None:
        """At the same server, not at Discord's own."""
        await play.server.gateway.forget()
        await play.server.until(lambda: play.server.gateway.connected, "a new session")
        await play.service.play((play.ann, play.ben), play.board, "i9")
        assert play.server.gateway.identified == 2

    async def test_a_fault_of_the_library_is_not_the_end(self, play: Play, capsys: pytest.CaptureFixture[str]) -> None:
        """What it cannot understand ends its connection; a new one begins, and the rest of the service goes on."""
        await play.server.gateway.dispatch("READY", {})
        await play.server.until(lambda: play.server.gateway.identified == 2, "a new session")
        await play.server.until(lambda: play.count("GET commands"), "a look at the commands")
        assert play.server.registrations == 1, "they have not changed"
        await play.service.play((play.ann, play.ben), play.board, "i9")
        assert "discord_fault" in capsys.readouterr().out

    async def test_a_server_that_is_away_at_the_start_is_waited_for(self, tables: Tables) -> None:
        """Nobody has to start the bot again."""
        server = DiscordServer()
        server.fail("GET me", 503, times=2)
        async with server:
            service = Service(tables, server)
            async with service:
                assert server.gateway.connected

    @pytest.mark.parametrize("token", ["two\nlines", "   ", "中文"])
    async def test_what_can_be_no_token_is_one_clear_line(
        self, tables: Tables, token: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Nothing is even asked."""
        async with DiscordServer() as server:
            service = Service(tables, server, token=token)
            await service.start()
            await service.stop()
            assert server.calls == []
        assert capsys.readouterr().out.count("discord_token_invalid") == 1

    async def test_commands_that_are_refused_for_now_are_registered_later(self, tables: Tables) -> None:
        """The bot plays meanwhile."""
        server = DiscordServer()
        server.fail("PUT commands", 503)
        async with server:
            service = Service(tables, server)
            async with service:
                assert server.registrations == 1

    async def test_a_wrong_token_is_one_clear_line(self, tables: Tables, capsys: pytest.CaptureFixture[str]) -> None:
        """The adapter ends, the rest goes on, and the token is not in it."""
        async with DiscordServer() as server:
            service = Service(tables, server, token="WRONG.secret")
            await service.start()
            discord = next(task for task in service._running if task.get_name() == "discord")
            await asyncio.wait_for(discord, 30)
            assert isinstance(await service.adapter.shower.show(None, None), Later)  # type: ignore[arg-type]
            await service.stop()
        said = capsys.readouterr()
        assert said.out.count("discord_token_invalid") == 1
        assert "DISCORD_TOKEN" in said.out
        assert "secret" not in said.out + said.err

    @pytest.mark.slow
    async def test_every_shard_is_heard(self, tables: Tables) -> None:
        """Two of them; Discord lets one begin every five seconds."""
        service = Service(tables, DiscordServer(shards=2))
        async with service.server:
            guilds = [service.server.guild(f"club {n}") for n in range(2)]
            while service.server.gateway.shard_of(guilds[0].id) == service.server.gateway.shard_of(guilds[1].id):
                service.server.guilds.pop(guilds[1].id)
                service.server.advance(0.001)
                guilds[1] = service.server.guild("club")
            channels = [guild.channel("general") for guild in guilds]
            ann, ben = service.server.person("Ann"), service.server.person("Ben")
            async with service:
                for channel in channels:
                    board = await service.game(ann, ben, channel)
                    await service.play((ann, ben), board, "h8 h9")


async def _given_up(tables: Tables, table: str) -> None:
    """Wait until no board of a table is left."""
    async with asyncio.timeout(PATIENCE):
        while await tables.views(table):  # noqa: ASYNC110 - the store tells nobody
            await asyncio.sleep(0.005)


def _refused(service: Service, name: str) -> int:
    """How many calls of this name were refused."""
    return sum(call.name == name and call.status in (401, 403, 404) for call in service.server.calls)


class TestPace:
    """Below what Discord takes."""

    def test_five_edits_in_five_seconds_are_never_passed(self) -> None:
        """Whatever is asked, and one channel does not slow another."""
        now = [0.0]
        pace = Pace(lambda: now[0])
        taken = []
        for _ in range(600):
            if pace.ask("1") == 0:
                taken.append(now[0])
            now[0] += 0.05
        for start in taken:
            assert sum(start <= at < start + 5 for at in taken) <= 8
        assert len(taken) >= 24
        assert pace.ask("2") == 0

    def test_a_channel_is_left_alone_for_as_long_as_discord_asks(self) -> None:
        """And no longer."""
        now = [0.0]
        pace = Pace(lambda: now[0])
        pace.halt("1", 30)
        assert pace.ask("1") == 30
        assert pace.ask("2") == 0
        now[0] = 30.0
        assert pace.ask("1") == 0


class TestAddress:
    """Where the calls go."""

    @pytest.mark.parametrize(
        ("given", "base"),
        [
            (None, OFFICIAL),
            ("http://host:1", "http://host:1/api/v10"),
            ("http://host:1/api/", "http://host:1/api/v10"),
            ("http://host:1/api/v10/", "http://host:1/api/v10"),
        ],
    )
    def test_the_path_can_be_left_away(self, given: str | None, base: str) -> None:
        """The operator writes as much as they like."""
        assert api_base(given) == base

    @pytest.mark.asyncio
    async def test_the_doctor_knows_a_token(self) -> None:
        """Good, wrong, not set, nobody there: each with its own words, none with the token."""
        async with DiscordServer() as server:
            good = await doctor._discord(_settings(DISCORD_TOKEN=server.token, DISCORD_API_URL=server.url))
            wrong = await doctor._discord(_settings(DISCORD_TOKEN="secret", DISCORD_API_URL=server.api_url))
        gone = await doctor._discord(_settings(DISCORD_TOKEN="secret", DISCORD_API_URL=server.url))
        unset = await doctor._discord(_settings())
        assert (good.what, good.fault) == ("Discord: renju", "")
        assert "refused" in wrong.fault
        assert "cannot be reached" in gone.fault
        assert "not set up" in unset.what
        assert "secret" not in str((wrong, gone))


def _settings(**given: str) -> Settings:
    return Settings(_env_file=None, **given)  # type: ignore[call-arg]
