"""The socket of a web table: who may do what, what is shown to whom, and what becomes of nonsense."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import AsyncExitStack

import pytest
from aiohttp import ClientWebSocketResponse

from bot.adapters.web.limits import Bucket
from bot.adapters.web.sockets import BURST
from bot.adapters.web.wire import LONGEST
from bot.desk import Desk
from bot.session.server import RedisServer
from bot.session.store import Store
from bot.session.table import Declined, Table
from bot.session.tables import Tables
from bot.words import explain, words
from core.notation import point
from tests.bot.adapters.conftest import Pages, Runs
from tests.fakes.web_page import Line, Page, labels

pytestmark = pytest.mark.asyncio

EN = words("en")


async def two(pages: Pages, settings: str = "free claim black") -> tuple[str, Page, Page]:
    """A table of two people: its id, the opener and the friend."""
    opener, friend = pages(), pages()
    table = await opener.new_game(f"friend {settings}", name="Ann")
    line = await opener.line(table)
    await line.first()
    assert line.shown is not None
    assert (await friend.join(line.shown["invitation"], name="Bob"))[0] == 200
    await line.close()
    return table, opener, friend


async def seated(pages: Pages, settings: str = "free claim black") -> tuple[str, Line, Line]:
    """The same, with both pages open."""
    table, opener, friend = await two(pages, settings)
    lines = await opener.line(table), await friend.line(table)
    for line in lines:
        await line.first()
    return table, *lines


async def stones(tables: Tables, table: str) -> int:
    """How many stones lie on the board, from the store."""
    found = await tables.get(table)
    assert isinstance(found, Table)
    return len(found.game.state.stones)


class TestPlay:
    async def test_a_move_reaches_everybody_who_looks(self, pages: Pages) -> None:
        """Both players and a spectator, each in their own language."""
        table, black, white = await seated(pages)
        watcher = await pages("zh").line(table)
        before = (await watcher.first())["rev"]
        assert (await black.tap("h8"))["ok"]
        for line in (black, white, watcher):
            scene = await line.rev(before + 1)
            assert scene["picture"]["stones"] == [[point("h8"), 1]]
            assert scene["picture"]["last"] == point("h8")
        assert (await white.first())["entry"] is not None
        assert (await black.first())["entry"] is None
        assert "黑" in watcher.scene["lines"][0]

    async def test_a_typed_move_is_played_and_an_unreadable_one_explained(self, pages: Pages) -> None:
        """The letter comes first."""
        _, black, _ = await seated(pages)
        for text in ("8h", "p16", "", "h8 h9", "é", "x" * 200):
            answer = await black.typed(text)
            assert not answer["ok"]
            assert answer["text"]
            assert "\n" not in answer["text"]
        assert (await black.typed("H8"))["ok"]

    async def test_an_occupied_point_and_a_move_out_of_turn_each_get_their_line(self, pages: Pages) -> None:
        """And nothing changes."""
        _, black, white = await seated(pages)
        before = (await white.first())["rev"]
        answer = await white.tap("h8")
        assert answer["text"] == EN.say("It is not your turn.")
        await black.tap("h8")
        await white.rev(before + 1)
        answer = await white.tap("h8")
        assert answer["text"] == EN.say("There is a stone on {point} already.", point="H8")

    async def test_the_point_to_enter_and_every_button_carry_the_rev_that_was_seen(self, pages: Pages) -> None:
        """An old page cannot act on a new position."""
        table, black, white = await seated(pages)
        old = await black.first()
        await black.tap("h8")
        await white.rev(old["rev"] + 1)
        await white.tap("i9")
        await black.rev(old["rev"] + 2)
        answer = await black.press(f"{old['point']}h9")
        assert answer["text"] == explain(EN, Declined.MOVED_ON)
        for row in black.scene["buttons"]:
            for button in row:
                assert button["wire"].startswith(f"{table}.{black.scene['rev']}.")

    async def test_the_line_of_now_says_what_is_expected(self, pages: Pages) -> None:
        """While waiting, guessing, playing and after the end."""
        opener = pages()
        table = await opener.new_game("friend rif guess", name="Ann")
        line = await opener.line(table)
        scene = await line.first()
        assert "Waiting" in scene["lines"][scene["now"]]
        table, black, white = await seated(pages, "rif guess")
        scene = await white.first()
        assert "odd or even" in scene["lines"][scene["now"]]
        table, black, white = await seated(pages)
        scene = await black.first()
        assert "Ann" in scene["lines"][scene["now"]]
        assert "H8" in scene["lines"][scene["now"]] or "stone 1" in scene["lines"][scene["now"]]
        await black.button("Cancel")
        scene = await black.rev(scene["rev"] + 1)
        assert scene["over"]
        assert "cancel" in scene["lines"][scene["now"]].lower()

    async def test_two_stones_are_added_by_one_message(self, pages: Pages, tables: Tables) -> None:
        """The scene says where each of them may go."""
        table, black, white = await seated(pages, "swap2 black")
        for at in ("h8", "h9", "h10"):
            await black.tap(at)
        scene = await white.rev(black.scene["rev"])
        assert (scene["entry"]["act"], scene["entry"]["colour"]) == ("add", 2)
        assert len(scene["entry"]["then"]) == len(scene["entry"]["points"]) == 222
        assert (await white.press(f"{scene['point']}c3-d4"))["ok"]
        assert await stones(tables, table) == 5

    async def test_a_clock_by_the_second_is_numbers_in_the_order_of_the_players_lines(self, pages: Pages) -> None:
        """The page counts them down; the lines that would grow old are left out."""
        _, black, white = await seated(pages, "free black 20m+60s")
        await black.tap("h8")
        scene = await white.rev(black.scene["rev"])
        clock = scene["clock"]
        assert clock["running"] == 1
        assert "White" in scene["lines"][clock["running"]]
        assert 0 < clock["main"][1] <= 20 * 60_000
        assert clock["turn"] == [60_000, 60_000]
        assert not [line for line in scene["lines"] if line.startswith("Time of")]

    async def test_days_are_told_in_words_that_do_not_grow_old(
        self, tables: Tables, run_web: Runs, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The scene comes again when its words have changed, without anybody having moved."""
        monkeypatch.setattr("bot.adapters.web.sockets.AGE_SECONDS", 0.01)
        later = 0
        clock = tables.clock
        async with run_web(tables) as web, Page(web.url) as page:
            line = await page.line(await page.new_game("engine 1 black 3d"))
            scene = await line.first()
            monkeypatch.setattr(tables, "clock", lambda: clock() + later)
            later = 30 * 3_600_000
            await line.until(lambda now: now.scene["lines"] != scene["lines"])
            assert line.scene["rev"] == scene["rev"]

    async def test_a_rematch_brings_both_to_one_new_table(self, pages: Pages) -> None:
        """Who presses second is called by the first one's press, and sits down by their own."""
        table, black, white = await seated(pages)
        before = (await black.first())["rev"]
        await black.tap("h8")
        await white.rev(before + 1)
        await white.tap("i9")
        await black.rev(before + 2)
        await black.button("Resign")
        for line in (black, white):
            await line.until(lambda shown: shown.shown is not None and shown.scene["over"])
        assert (await black.button("Rematch"))["ok"]
        await white.until(lambda line: any("rematch" in said["text"] for said in line.said))
        assert (await white.button("Rematch"))["ok"]
        assert black.went == white.went
        assert black.went[0].startswith("/t/")
        assert black.went[0] != f"/t/{table}"


class TestSpectators:
    async def test_who_has_no_seat_has_no_buttons_and_changes_nothing(self, pages: Pages, tables: Tables) -> None:
        """With an account and without; by the players' own wires and by typing."""
        table, black, _ = await seated(pages)
        known, unknown = pages(), pages()
        await known.post("/api/me", {"name": "Eve"})
        wires = [button["wire"] for row in black.scene["buttons"] for button in row]
        for page in (known, unknown):
            line = await page.line(table)
            scene = await line.first()
            assert line.shown is not None
            assert (line.shown["seated"], line.shown["invitation"], scene["entry"]) == (False, None, None)
            assert labels(scene) == []
            for wire in (*wires, f"{black.scene['point']}h8"):
                answer = await line.press(wire)
                assert not answer["ok"]
                assert answer["text"] == explain(EN, Declined.NOT_SEATED)
            assert not (await line.typed("h8"))["ok"]
        assert await stones(tables, table) == 0

    async def test_a_button_of_another_table_means_nothing_here(self, pages: Pages, tables: Tables) -> None:
        """Even one's own."""
        opener = pages()
        first, second = await opener.new_game("engine 1 black"), await opener.new_game("engine 1 black")
        line = await opener.line(first)
        other = await (await opener.line(second)).first()
        assert not (await line.press(f"{other['point']}h8"))["ok"]
        assert await stones(tables, second) == 0

    @pytest.mark.parametrize(
        "data",
        [
            "flag-0",
            "flag-1",
            "join",
            "withdraw",
            "rematch",
            "claim",
            "resign",
            "offer-a1-a2",
            "place-z99",
            "",
            "x" * 60,
        ],
    )
    async def test_a_forged_wire_is_refused_with_one_line(self, pages: Pages, tables: Tables, data: str) -> None:
        """Whatever it claims to be; the game is as it was."""
        table, black, _ = await seated(pages)
        rev = (await black.first())["rev"]
        answer = await black.press(f"{table}.{rev}.{data}"[:64])
        if data == "withdraw":  # cancelling is theirs to do before the second stone
            assert answer["ok"]
            return
        assert not answer["ok"]
        assert answer["text"]
        assert "\n" not in answer["text"]
        found = await tables.get(table)
        assert isinstance(found, Table)
        assert found.rev == rev


class TestOnce:
    async def test_the_same_message_again_is_the_same_intention(self, pages: Pages, tables: Tables) -> None:
        """A page that lost its answer sends it again: answered well, done once."""
        table, black, white = await seated(pages)
        scene = await black.first()
        request = secrets.token_hex(8)
        for _ in range(3):
            assert await black.press(f"{scene['point']}h8", request=request) == {
                "type": "said",
                "id": request,
                "ok": True,
                "text": "",
                "alert": False,
            }
        assert await stones(tables, table) == 1
        assert (await white.rev(scene["rev"] + 1))["rev"] == scene["rev"] + 1

    async def test_the_same_id_from_somebody_else_is_another_intention(self, pages: Pages, tables: Tables) -> None:
        """Ids are made by pages and may be forged."""
        table, black, white = await seated(pages)
        request = secrets.token_hex(8)
        before = (await black.first())["rev"]
        await black.press(f"{black.scene['point']}h8", request=request)
        await white.rev(before + 1)
        assert (await white.press(f"{white.scene['point']}i9", request=request))["ok"]
        assert await stones(tables, table) == 2

    async def test_a_restart_between_sending_and_answer_loses_and_doubles_nothing(
        self, tables: Tables, run_web: Runs
    ) -> None:
        """The page comes back, sees the newest state, and sends the unanswered message again."""
        async with AsyncExitStack() as browsers:
            async with run_web(tables) as web:
                page = await browsers.enter_async_context(Page(web.url))
                friend = await browsers.enter_async_context(Page(web.url))
                table = await page.new_game("friend black")
                line = await page.line(table)
                await line.first()
                assert line.shown is not None
                await friend.join(line.shown["invitation"])
                await line.rev(1)
                address, wire, request = web.listening, f"{line.scene['point']}h8", secrets.token_hex(8)
                await line.press(wire, request=request)
            async with run_web(tables, listen=address):
                line = await page.line(table)
                assert (await line.first())["picture"]["stones"] == [[point("h8"), 1]]
                assert (await line.press(wire, request=request))["ok"]
        assert await stones(tables, table) == 1


class TestNonsense:
    @pytest.mark.parametrize(
        "text",
        [
            "",
            "hello",
            "{",
            "[]",
            "null",
            "{}",
            '{"type":"press"}',
            '{"type":"flag","id":"12345678"}',
            '{"type":"press","id":"1","wire":"x"}',
            '{"type":"press","id":"12345678","wire":7}',
            '{"type":"press","id":"12345678","wire":"x","more":1}',
            '{"type":"typed","id":"12345678","text":"\\ud800"}',
            "[" * 1500,
        ],
    )
    async def test_what_no_page_sends_gets_one_line_and_the_socket_stays(self, pages: Pages, text: str) -> None:
        """Never silence, never a traceback."""
        _, black, _ = await seated(pages)
        await black.socket.send_str(text)
        await black.until(lambda line: bool(line.said))
        assert black.said[0]["text"]
        assert "\n" not in black.said[0]["text"]
        assert (await black.tap("h8"))["ok"]

    async def test_bytes_get_the_same_line(self, pages: Pages) -> None:
        """Pages send text."""
        _, black, _ = await seated(pages)
        await black.socket.send_bytes(b"\x00\xff")
        await black.until(lambda line: bool(line.said))
        assert (await black.tap("h8"))["ok"]

    async def test_a_message_that_is_too_long_ends_the_socket(self, pages: Pages) -> None:
        """Before it is kept in memory."""
        _, black, _ = await seated(pages)
        await black.socket.send_str("x" * (LONGEST + 1))
        assert await _closed(black) == 1009

    async def test_who_sends_too_fast_is_told_and_heard_again_later(
        self, pages: Pages, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The messages above the limit do nothing."""
        now = 0.0
        monkeypatch.setattr("bot.adapters.web.sockets.Bucket", lambda size, rate: Bucket(size, rate, lambda: now))
        _, black, _ = await seated(pages)
        for _ in range(BURST + 1):
            await black.socket.send_str("{}")
        fast = EN.say("That is too fast. Wait a moment and try again.")
        await black.until(lambda line: any(said["text"] == fast for said in line.said))
        now += 1.0
        assert (await black.tap("h8"))["ok"]

    async def test_a_flood_ends_the_socket(self, pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
        """After many warnings."""
        monkeypatch.setattr("bot.adapters.web.sockets.A_SECOND", 0.0)
        monkeypatch.setattr("bot.adapters.web.sockets.WARNINGS", 10)
        _, black, _ = await seated(pages)
        for _ in range(BURST + 20):
            if black.socket.closed:
                break
            await black.socket.send_str("{}")
        assert await _closed(black) == 1008


class TestTrouble:
    async def test_a_table_that_is_gone_is_said(self, pages: Pages) -> None:
        """On a socket that was opened for it."""
        line = await pages().line("aaaaaaaaaa")
        await line.until(lambda now: bool(now.said))
        assert line.said[0]["text"] == explain(EN, Declined.GONE)

    async def test_while_the_store_is_away_people_are_told_and_afterwards_play_on(
        self, tmp_path_factory: pytest.TempPathFactory, run_web: Runs
    ) -> None:
        """Ten seconds or ten hours: one line, nothing lost."""
        server = RedisServer(tmp_path_factory.mktemp("away"), fsync="no")
        server.start()
        store = Store(server.url, patience=0.3)
        tables = Tables(store)
        try:
            async with run_web(tables) as web, Page(web.url) as page:
                table = await page.new_game("engine 1 black")
                line = await page.line(table)
                scene = await line.first()
                await asyncio.to_thread(server.stop)
                answer = await line.press(f"{scene['point']}h8")
                assert (answer["ok"], answer["text"]) == (False, explain(EN, Declined.NOT_STORED))
                for path in ("/", f"/t/{table}"):
                    status, text = await page.get(path)
                    assert status == 503
                    assert "away" in text
                assert (await page.get("/health"))[0] == 503
                assert (await page.post("/api/me", {}))[0] == 503
                await asyncio.to_thread(server.start)
                assert (await line.press(f"{scene['point']}h8"))["ok"]
                assert await stones(tables, table) == 1
        finally:
            await tables.close()
            await store.close()
            await asyncio.to_thread(server.stop)

    async def test_when_the_service_ends_pages_are_told_to_come_back(self, tables: Tables, run_web: Runs) -> None:
        """With the code that means: restart."""
        async with run_web(tables) as web, Page(web.url) as page:
            line = await page.line(await page.new_game("engine 1 black"))
            await line.first()
            other = await page.line("aaaaaaaaaa")
            await other.until(lambda now: bool(now.said))
            # The pages stay open here while the server goes.
            sockets = (line, other)
            closing = asyncio.gather(*(_closed(one) for one in sockets))
            await web._hub.close()
            assert await closing == [1012, 1012]

    async def test_an_error_of_ours_is_one_line_for_them_and_a_traceback_for_us(
        self, pages: Pages, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """On the socket and on the page; both go on."""

        async def broken(*_: object, **__: object) -> None:
            raise RuntimeError("broken on purpose")

        _, black, _ = await seated(pages)
        page = pages()
        with monkeypatch.context() as patched:
            patched.setattr(Desk, "press", broken)
            patched.setattr(Desk, "new_game", broken)
            answer = await black.tap("h8")
            status, refused = await page.post("/api/new", {"id": "request-0001", "words": "engine"})
        for text in (answer["text"], refused["text"]):
            assert text
            assert "broken" not in text
        assert status == 500
        logged = capsys.readouterr()
        assert (logged.out + logged.err).count("broken on purpose") >= 2
        assert (await black.tap("h8"))["ok"]


async def _closed(line: Line) -> int | None:
    """Wait until the server has closed a socket; its code."""
    socket: ClientWebSocketResponse = line.socket
    await line.until(lambda now: now.socket.closed)
    return socket.close_code
