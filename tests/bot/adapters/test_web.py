"""The web table over HTTP: pages, people, invitations, and what it refuses."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
from http.cookies import SimpleCookie

import pytest
from redis import Redis
from yarl import URL

from bot.adapters.web import Web, WebUnavailable
from bot.adapters.web.files import STATIC
from bot.adapters.web.page_words import page_words
from bot.session.server import RedisServer
from bot.session.tables import Tables
from bot.words import LANGUAGES, words
from tests.bot.adapters.conftest import Pages, Runs
from tests.fakes.web_page import Page

pytestmark = pytest.mark.asyncio

HOSTILE = ["<b>&_*", "</script><script>x()</script>", "\"'><img src=x onerror=x()>", "`@everyone` [x](y)"]


async def invited(page: Page, table: str) -> str:
    """The invitation that the opener's page shows."""
    line = await page.line(table)
    await line.first()
    assert line.shown is not None
    invitation = line.shown["invitation"]
    await line.close()
    assert invitation, "the opener of an open table is shown an invitation"
    return str(invitation)


class TestPages:
    async def test_the_first_page_needs_nothing_from_elsewhere_and_runs_nothing_inline(self, pages: Pages) -> None:
        """Every script, style and picture comes from this server, by address."""
        _, text = await pages().get("/")
        for tag in re.findall(r"<script[^>]*>", text):
            assert 'src="/static/' in tag
        assert "<style" not in text
        assert " onclick" not in text
        for address in re.findall(r'(?:src|href)="([^"]+)"', text):
            assert address.startswith("/static/")
            status, _ = await pages().get(address)
            assert status == 200

    async def test_every_answer_carries_the_security_headers(self, pages: Pages) -> None:
        """Pages, files, refusals and pages that are not there."""
        page = pages()
        for path in ("/", "/static/board.js", "/nowhere", "/health", "/i/aaaa", "/t/aaaaaaaaaa"):
            async with page.session.get(path) as answer:
                policy = answer.headers["Content-Security-Policy"]
                assert "default-src 'self'" in policy
                assert "unsafe" not in policy
                assert "frame-ancestors 'none'" in policy
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                assert answer.headers["Referrer-Policy"] == "no-referrer"

    async def test_only_the_pages_own_files_may_be_kept_by_caches(self, pages: Pages) -> None:
        """A page shows somebody's name and games."""
        page = pages()
        for path, kept in (("/", "no-store"), ("/static/board.js", "no-cache"), ("/health", "no-store")):
            async with page.session.get(path) as answer:
                assert answer.headers["Cache-Control"] == kept

    @pytest.mark.parametrize(
        ("asks", "speaks"), [("zh-CN,zh;q=0.9", "zh_Hans"), ("en-GB", "en"), ("fr", "en"), ("", "en")]
    )
    async def test_the_page_speaks_the_language_of_the_browser(self, pages: Pages, asks: str, speaks: str) -> None:
        """English where the browser's language is not among ours."""
        boot = await pages(asks).boot("/")
        assert boot["language"] == speaks
        assert boot["words"] == page_words(words(speaks))

    async def test_the_language_that_was_chosen_stays(self, pages: Pages) -> None:
        """On every page, whatever the browser asks for."""
        page = pages("en")
        status, answer = await page.post("/api/me", {"language": "zh_Hans"})
        assert (status, answer["language"]) == (200, "zh_Hans")
        assert (await page.boot("/"))["language"] == "zh_Hans"
        table = await page.new_game("engine 1 black")
        assert "黑" in (await (await page.line(table)).first())["lines"][0]

    async def test_a_page_that_is_not_there_says_so(self, pages: Pages) -> None:
        """With the status that says the same to programs."""
        for path in ("/nowhere", "/t/aaaaaaaaaa", "/t/../etc", "/static/../server.py"):
            status, _ = await pages().get(path)
            assert status == 404
        assert (await pages().boot("/nowhere"))["view"] == "missing"

    async def test_without_room_for_another_action_the_boards_can_still_be_looked_at(
        self, pages: Pages, redis_server: RedisServer
    ) -> None:
        """A full disk or memory is no reason to show nothing; whoever watches the service is told."""
        page = pages()
        table = await page.new_game("friend black", name="Ann")
        with Redis(unix_socket_path=str(redis_server.socket)) as client:
            try:
                client.config_set("maxmemory", 1)
                assert (await page.boot("/"))["name"] == "Ann"
                assert (await page.boot(f"/t/{table}"))["view"] == "table"
                assert (await page.get("/health"))[0] == 503
                status, answer = await page.post("/api/new", {"id": "request-0002", "words": "friend"})
                assert (status, bool(answer["text"])) == (503, True)
            finally:
                client.config_set("maxmemory", 0)
        assert await page.get("/health") == (200, '{"ok": true}')

    async def test_the_health_page_answers_while_games_can_be_read(self, pages: Pages) -> None:
        """For whoever watches the service."""
        assert await pages().get("/health") == (200, '{"ok": true}')


class TestWords:
    async def test_the_modules_say_only_what_the_catalogue_gives_them_and_all_of_it(self) -> None:
        """Every key that is used exists, and every key is used."""
        code = "".join(path.read_text(encoding="utf-8") for path in STATIC.glob("*.js"))
        used = set(re.findall(r'(?<![\w.])say\(\s*"(\w+)"', code))
        used |= {key for key in re.findall(r'"(\w+)"', code) if key in page_words(words("en"))}
        patterns = re.findall(r"say\(\s*`([^`]+)`", code)
        wanted = [re.compile(re.sub(r"\\\$\\\{.*?\\\}", r".*", re.escape(pattern))) for pattern in patterns]
        known = set(page_words(words("en")))
        assert used <= known
        unused = {key for key in known - used if not any(pattern.fullmatch(key) for pattern in wanted)}
        assert unused <= {"tagline", "noscript"}

    @pytest.mark.parametrize("language", sorted(LANGUAGES))
    async def test_the_gaps_that_the_page_fills_survive_translation(self, language: str) -> None:
        """``{point}`` in English is ``{point}`` in every language."""
        english = page_words(words("en"))
        for key, text in page_words(words(language)).items():
            assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", english[key])), key

    async def test_no_sentence_is_written_in_the_modules(self) -> None:
        """No text of two words that begins like one, outside comments."""
        for path in STATIC.glob("*.js"):
            code = re.sub(r"/\*.*?\*/|(?<![:\"])//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
            assert not re.findall(r'["`][A-Z][a-z]+ [a-z]+[^"`]*["`]', code), path.name


class TestPeople:
    async def test_a_person_is_a_cookie_that_scripts_cannot_read(self, pages: Pages) -> None:
        """At least 128 random bits, HttpOnly, SameSite."""
        page = pages()
        async with page.session.post("/api/me", json={"name": "Ann"}, headers={"Origin": page.url}) as answer:
            cookie = SimpleCookie(answer.headers["Set-Cookie"])["renju"]
        assert cookie["httponly"]
        assert cookie["samesite"] == "Lax"
        assert not cookie["secure"]
        assert len(cookie.value) * 6 >= 128

    async def test_behind_https_the_cookie_is_bound_to_this_host(self, tables: Tables, run_web: Runs) -> None:
        """Secure, and with the prefix that browsers enforce."""
        async with run_web(tables, public_url="https://renju.example") as web, Page(_local(web)) as page:
            headers = {"Host": "renju.example", "Origin": "https://renju.example"}
            async with page.session.post("/api/me", json={}, headers=headers) as answer:
                cookie = SimpleCookie(answer.headers["Set-Cookie"])["__Host-renju"]
        assert cookie["secure"]
        assert cookie["path"] == "/"
        assert not cookie["domain"]

    async def test_the_store_never_holds_the_cookie(self, pages: Pages, redis_server: RedisServer) -> None:
        """Who reads the store cannot become anybody."""
        page = pages()
        await page.new_game("engine 1", name="Ann")
        token = next(iter(page.session.cookie_jar)).value
        with Redis(unix_socket_path=str(redis_server.socket)) as client:
            kept = b"".join(key + (client.dump(key) or b"") for key in client.scan_iter())
        assert token.encode() not in kept

    async def test_a_forged_cookie_is_nobody(self, pages: Pages) -> None:
        """Whether it is nonsense or merely unknown."""
        opener, page = pages(), pages()
        table = await opener.new_game("engine 1 black")
        for value in ("x", "A" * 43, "../../etc/passwd"):
            page.session.cookie_jar.update_cookies({"renju": value})
            line = await page.line(table)
            await line.first()
            assert line.shown is not None
            assert not line.shown["seated"]

    @pytest.mark.parametrize("name", HOSTILE)
    async def test_a_hostile_name_is_text_everywhere(self, pages: Pages, name: str) -> None:
        """In the page it stands inside one escaped attribute; in scenes as it was given."""
        page, friend = pages(), pages()
        table = await page.new_game("friend black", name=name)
        scene = await (await page.line(table)).first()
        assert any(name in line for line in scene["lines"])
        for path in ("/", f"/t/{table}"):
            _, text = await page.get(path)
            assert not re.search(r"<(b|img|script|/script><script)>", text)
            assert text.count("<script") == 2
        invitation = await invited(page, table)
        boot = await friend.boot(invitation.removeprefix(page.url))
        assert any(name in line for line in boot["scene"]["lines"])

    @pytest.mark.parametrize("name", ["", "   ", "\n\t"])
    async def test_who_gives_no_name_is_a_guest(self, pages: Pages, name: str) -> None:
        """In their own language."""
        assert (await pages("zh").post("/api/me", {"name": name}))[1]["name"] == words("zh_Hans").say("Guest")

    async def test_the_first_page_lists_the_games_of_the_person(self, pages: Pages) -> None:
        """Newest first, each with whose turn it is; nobody else's."""
        page, other = pages(), pages()
        first = await page.new_game("engine 1 black")
        second = await page.new_game("friend white")
        await other.new_game("engine 1 black")
        games = (await page.boot("/"))["games"]
        assert {game["scene"]["table"] for game in games} == {first, second}
        assert {game["scene"]["table"] for game in games if game["yours"]} == {first}


class TestNewGames:
    async def test_the_same_request_twice_opens_one_table(self, pages: Pages) -> None:
        """A page that got no answer asks again."""
        page = pages()
        await page.post("/api/me", {})
        first = await page.new_game("engine 1", request="request-0001")
        assert await page.new_game("engine 1", request="request-0001") == first
        assert await page.new_game("engine 1", request="request-0002") != first

    async def test_a_word_that_means_nothing_gets_one_clear_line(self, pages: Pages) -> None:
        """And no table."""
        status, answer = await pages().post("/api/new", {"id": "request-0001", "words": "chess"})
        assert status == 400
        assert "chess" in answer["text"]

    @pytest.mark.parametrize(
        "body", [b"", b"{", b"[]", b"null", b'{"id":"short","words":""}', b'{"words":""}', b"\xff\xfe", b"[" * 5000]
    )
    async def test_a_body_that_no_page_of_ours_sends_gets_one_clear_line(self, pages: Pages, body: bytes) -> None:
        """Never a traceback, never a 500."""
        for path in ("/api/new", "/api/me", "/i/aaaaaaaaaaaaaaaa"):
            status, answer = await pages().post(path, None, raw=body)
            if path == "/api/me" and body == b"{}":
                continue
            assert status == 400
            assert "\n" not in answer["text"]

    @pytest.mark.parametrize(
        "sent",
        [
            b"\x00\x01\r\n\r\n",
            b"\x16\x03\x01\x00\xc8\x01\x00",
            b"GET / HTTP/1.1\r\nCookie: renju=a-secret\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            b"GET / HTTP/1.1\r\nCookie: renju=a-secret" + b"x" * 20_000 + b"\r\n\r\n",
        ],
    )
    async def test_what_is_no_http_is_refused_and_fills_no_log(
        self, web: Web, caplog: pytest.LogCaptureFixture, sent: bytes
    ) -> None:
        """Least of all with the cookie that came with it."""
        reader, writer = await asyncio.open_connection("127.0.0.1", _port(web))
        writer.write(sent)
        async with asyncio.timeout(20):
            answered = await reader.readline()
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
        assert b" 400 " in answered
        assert not caplog.records

    async def test_a_body_that_cannot_be_unpacked_is_refused(self, pages: Pages) -> None:
        """It is nobody's fault here."""
        status, answer = await pages().post("/api/me", None, raw=b"{}", **{"Content-Encoding": "gzip"})
        assert status == 400
        assert answer["text"]

    @pytest.mark.parametrize(
        "name", ["", "a" * 300, "../server.py", "%2e%2e/web/server.py", "..%2fserver.py", "%00", "/"]
    )
    async def test_only_the_files_of_the_page_are_to_be_had(self, pages: Pages, name: str) -> None:
        """Whatever else the name may be."""
        page = pages()
        async with page.session.get(URL(f"{page.url}/static/{name}", encoded=True)) as answer:
            assert answer.status in (403, 404)

    async def test_a_body_that_is_too_long_is_refused(self, pages: Pages) -> None:
        """Before it is read."""
        status, answer = await pages().post("/api/new", None, raw=b" " * 100_000)
        assert status == 413
        assert answer["text"]


class TestOrigins:
    @pytest.mark.parametrize(
        "origin", ["", "null", "http://evil.example", "https://127.0.0.1.evil.example", "file://", "http://["]
    )
    async def test_only_this_page_can_change_anything(self, pages: Pages, origin: str) -> None:
        """A foreign page's request is refused, with the cookie or without."""
        page = pages()
        table = await page.new_game("engine 1 black")
        for path in ("/api/new", "/api/me", "/i/aaaaaaaaaaaaaaaa"):
            status, _ = await page.post(path, {"id": "request-0001", "words": ""}, Origin=origin)
            assert status == 403
        headers = {"Origin": origin} if origin else {}
        async with page.session.get(
            f"/ws/{table}", headers={"Connection": "Upgrade", "Upgrade": "websocket", **headers}
        ) as answer:
            assert answer.status == 403

    @pytest.mark.parametrize(
        "host",
        ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "[::1", "", "a b", "evil.example@127.0.0.1"],
    )
    async def test_a_name_that_somebody_pointed_here_is_not_served(self, web: Web, host: str) -> None:
        """DNS rebinding ends at the Host header; so does a request without one."""
        reader, writer = await asyncio.open_connection("127.0.0.1", _port(web))
        writer.write(f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        status = int((await reader.readline()).split()[1])
        writer.close()
        assert status in (400, 421)

    @pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1", "192.168.1.7:8080", "[::1]:8080"])
    async def test_addresses_and_localhost_are_served(self, pages: Pages, host: str) -> None:
        """Also through another port than the one listened on, as containers do it."""
        status, _ = await pages().get("/", Host=host)
        assert status == 200
        status, _ = await pages().post("/api/me", {}, Host=host, Origin=f"http://{host}")
        assert status == 200

    async def test_behind_a_public_name_links_carry_it_and_only_https_may_speak(
        self, tables: Tables, run_web: Runs
    ) -> None:
        """The proxy in front passes the name on."""
        async with run_web(tables, public_url="https://renju.example/") as web, Page(_local(web)) as page:
            host = {"Host": "renju.example"}
            status, _ = await page.post("/api/me", {}, Host="renju.example", Origin="http://renju.example")
            assert status == 403
            async with page.session.post(
                "/api/new",
                json={"id": "request-0001", "words": "friend"},
                headers={**host, "Origin": "https://renju.example"},
            ) as answer:
                path = (await answer.json())["path"]
                cookie = answer.headers["Set-Cookie"].split(";")[0]
            line = await page.line(path.removeprefix("/t/"), **host, Cookie=cookie, Origin="https://renju.example")
            await line.first()
            assert line.shown is not None
            assert line.shown["invitation"].startswith("https://renju.example/i/")
            assert line.shown["watch"] == f"https://renju.example{path}"
            await line.close()


class TestInvitations:
    async def test_an_invitation_gives_the_seat_once(self, pages: Pages) -> None:
        """Whoever comes second is told, and sits nowhere."""
        opener, friend, third = pages(), pages(), pages()
        table = await opener.new_game("friend black", name="Ann")
        invitation = await invited(opener, table)
        assert await friend.join(invitation, name="Bob") == (200, {"path": f"/t/{table}"})
        status, answer = await third.join(invitation, name="Eve")
        assert status == 404
        assert "used" in answer["text"]
        scene = await (await third.line(table)).first()
        assert "Ann" in scene["lines"][0]
        assert "Bob" in scene["lines"][1]

    async def test_of_two_who_come_at_once_one_sits(self, pages: Pages) -> None:
        """And the other is told."""
        opener, *friends = [pages() for _ in range(5)]
        table = await opener.new_game("friend black")
        invitation = await invited(opener, table)
        answers = await asyncio.gather(*(friend.join(invitation) for friend in friends))
        assert sorted(status for status, _ in answers) == [200, 404, 404, 404]

    async def test_whoever_used_an_invitation_and_asks_again_is_led_to_the_table(self, pages: Pages) -> None:
        """The answer may have been lost, or the link opened again from the chat it was sent in."""
        opener, friend, third = pages(), pages(), pages()
        table = await opener.new_game("friend black")
        invitation = await invited(opener, table)
        for _ in range(2):
            assert await friend.join(invitation) == (200, {"path": f"/t/{table}"})
        assert (await friend.boot(invitation.removeprefix(opener.url)))["table"] == table
        assert (await third.boot(invitation.removeprefix(opener.url)))["state"] == "used"

    async def test_who_comes_too_late_has_not_been_guessing(self, pages: Pages) -> None:
        """Twenty people behind one address may press Join at once; the next invitation is good for any of them."""
        opener, *friends = [pages() for _ in range(9)]
        invitation = await invited(opener, await opener.new_game("friend black"))
        await asyncio.gather(*(friend.join(invitation) for friend in friends))
        for friend in friends:
            await friend.get(invitation.removeprefix(opener.url))
        invitation = await invited(opener, await opener.new_game("friend black"))
        assert (await friends[-1].join(invitation))[0] == 200

    async def test_looking_at_an_invitation_does_not_use_it_up(self, pages: Pages) -> None:
        """Chats fetch links to show what is behind them."""
        opener, friend = pages(), pages()
        table = await opener.new_game("friend")
        invitation = await invited(opener, table)
        for _ in range(3):
            assert (await pages().boot(invitation.removeprefix(opener.url)))["state"] == "open"
        assert (await friend.join(invitation))[0] == 200

    async def test_ones_own_invitation_stays_good(self, pages: Pages) -> None:
        """Whether it is opened or even joined."""
        opener, friend = pages(), pages()
        table = await opener.new_game("friend")
        invitation = await invited(opener, table)
        assert (await opener.boot(invitation.removeprefix(opener.url)))["state"] == "own"
        assert (await opener.join(invitation))[1] == {"path": f"/t/{table}"}
        assert (await friend.join(invitation))[0] == 200

    async def test_the_invitation_of_an_open_table_stays_the_same(self, pages: Pages) -> None:
        """However often the page is opened: it has been sent already."""
        opener = pages()
        table = await opener.new_game("friend")
        assert await invited(opener, table) == await invited(opener, table)

    async def test_an_invitation_lives_ten_minutes_and_cannot_be_guessed(
        self, pages: Pages, redis_server: RedisServer
    ) -> None:
        """From when its table was last looked at by who waits there; at least 40 random bits."""
        opener = pages()
        code = (await invited(opener, await opener.new_game("friend"))).rpartition("/")[2]
        assert len(set(code)) > 4
        assert len(code) * 5 >= 40
        with Redis(unix_socket_path=str(redis_server.socket)) as client:
            (key,) = [key for key in client.scan_iter() if code.encode() in key]
            assert 0 < client.ttl(key) <= 600

    async def test_five_wrong_invitations_and_the_sixth_has_to_wait(self, pages: Pages) -> None:
        """Even a right one, for who has been guessing."""
        opener, guesser = pages(), pages()
        invitation = await invited(opener, await opener.new_game("friend"))
        for wrong in "bcdef":
            assert (await guesser.join(f"/i/{wrong * 16}"))[0] == 404
        assert (await guesser.join(invitation))[0] == 429
        assert (await guesser.boot(invitation.removeprefix(opener.url)))["state"] == "too_many"

    async def test_the_link_to_watch_gives_no_seat(self, pages: Pages) -> None:
        """Not by a forged Join either."""
        opener, watcher = pages(), pages()
        table = await opener.new_game("friend black")
        await watcher.post("/api/me", {"name": "Eve"})
        line = await watcher.line(table)
        scene = await line.first()
        assert line.shown is not None
        assert (line.shown["seated"], line.shown["invitation"]) == (False, None)
        answer = await line.press(f"{table}.{scene['rev']}.join")
        assert not answer["ok"]
        assert "invitation" in answer["text"]
        assert "free seat" in (await (await opener.line(table)).first())["lines"][1]


class TestLimits:
    async def test_who_asks_too_often_has_to_wait(self, pages: Pages) -> None:
        """One clear line, and later it works again."""
        page = pages()
        statuses = [(await page.post("/api/me", {}))[0] for _ in range(140)]
        assert statuses[0] == 200
        assert statuses[-1] == 429
        assert set(statuses) == {200, 429}

    async def test_whoever_never_comes_to_the_end_is_hung_up_on(
        self, tables: Tables, run_web: Runs, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Of the question's head, or of its body: neither holds a connection for ever."""
        monkeypatch.setattr("bot.adapters.web.server.IDLE_SECONDS", 0.3)
        monkeypatch.setattr("bot.adapters.web.server.BODY_SECONDS", 0.3)
        async with run_web(tables) as web:
            head = f"Host: 127.0.0.1:{_port(web)}\r\nOrigin: {_local(web)}\r\nConnection: close\r\n"
            for unfinished, answered in (
                ("", b""),
                (f"GET / HTTP/1.1\r\n{head}X: ", b""),
                (f"POST /api/me HTTP/1.1\r\n{head}Content-Length: 9\r\n\r\n{{", b"400"),
            ):
                reader, writer = await asyncio.open_connection("127.0.0.1", _port(web))
                writer.write(unfinished.encode())
                async with asyncio.timeout(20):
                    assert answered in await reader.readline()
                    await reader.read()
                writer.close()
                with contextlib.suppress(ConnectionError):
                    await writer.wait_closed()

    async def test_an_address_cannot_take_all_sockets(self, pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
        """The others are free again when their pages close."""
        monkeypatch.setattr("bot.adapters.web.server.SOCKETS_EACH", 2)
        page = pages()
        table = await page.new_game("engine 1 black")
        lines = [await page.line(table) for _ in range(2)]
        status, text = await page.get(f"/ws/{table}", Origin=page.url, Connection="Upgrade", Upgrade="websocket")
        assert status == 429
        assert "address" in text
        await lines[0].close()
        async with asyncio.timeout(10):
            while (await page.get(f"/ws/{table}", Origin=page.url))[0] == 429:  # until the server has seen it go
                pass


class TestStart:
    async def test_a_port_that_is_taken_is_one_clear_line(self, tables: Tables, run_web: Runs) -> None:
        """It names the address and the setting."""
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            with pytest.raises(WebUnavailable) as raised:
                async with run_web(tables, listen=address):
                    pass
        assert address in str(raised.value)
        assert "RENJU_WEB_ADDR" in str(raised.value)
        assert "\n" not in str(raised.value)


def _port(web: Web) -> int:
    return int(web.listening.rpartition(":")[2])


def _local(web: Web) -> str:
    """Where a proxy in front of the page finds it."""
    return f"http://{web.listening}"
