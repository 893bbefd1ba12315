"""The web table in a real browser: reloads, lost networks, a killed server."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import sys
from pathlib import Path

import pytest
from aiohttp import ClientError, ClientSession
from playwright.async_api import WebSocketRoute, expect

from bot.adapters.web import Web
from bot.session.tables import Tables
from core.notation import point
from tests.fakes.browser import BROWSER, Person, Sits, stored, two

pytestmark = BROWSER


class TestInterruptions:
    async def test_a_reload_in_mid_game_keeps_seat_game_and_the_stone_in_doubt(
        self, sits: Sits, tables: Tables
    ) -> None:
        """And opening the table in another window of the same browser gives the same seat."""
        ann, ben = await two(sits)
        await ann.play("h8")
        await ben.play("i9")
        await ann.may_enter()
        await ann.tap("j10")
        await expect(ann.page.locator(".aimed-point")).to_have_text("J10")
        await ann.page.reload()
        await expect(ann.page.locator(".aimed-point")).to_have_text("J10")
        await expect(ann.cell("h8")).to_have_attribute("aria-label", "H8, black")
        second = Person(await ann.page.context.new_page(), ann.url)
        await second.page.goto(ann.page.url)
        await second.may_enter()
        await ann.page.get_by_role("button", name="Confirm").click()
        await second.has("j10")
        assert len((await stored(tables, ann)).game.state.stones) == 3

    async def test_without_a_network_the_page_says_so_and_sends_what_was_meant_once(
        self, sits: Sits, tables: Tables, web: Web
    ) -> None:
        """The move that was confirmed while the line was down is played when it is back."""
        ann, ben = await two(sits)
        await ann.may_enter()
        await ann.tap("h8")
        await ann.page.context.set_offline(True)
        await web._hub.close()
        await expect(ann.page.locator(".line-state")).to_contain_text("Reconnecting")
        await ann.page.get_by_role("button", name="Confirm").click()
        await expect(ann.page.get_by_role("button", name="Sending")).to_be_visible()
        ann.complaints.clear()  # the browser's own remarks about the missing network
        await ann.page.context.set_offline(False)
        await ben.has("h8")
        await expect(ann.page.locator(".line-state")).to_be_hidden()
        await expect(ann.page.locator(".confirm-bar")).to_have_count(0)
        assert len((await stored(tables, ann)).game.state.stones) == 1
        ann.complaints = [one for one in ann.complaints if "ERR_INTERNET_DISCONNECTED" not in one]

    async def test_a_line_that_died_without_a_word_is_found_out(self, sits: Sits, tables: Tables) -> None:
        """The page sends, hears nothing, opens another line and sends again: one stone."""
        ann, ben = await two(sits)
        lines = 0

        def deaf(route: WebSocketRoute) -> None:
            nonlocal lines
            lines += 1
            server = route.connect_to_server()
            if lines == 1:
                route.on_message(lambda _message: None)  # what the page says never arrives
                server.on_message(route.send)

        await ann.page.route_web_socket(re.compile("/ws/"), deaf)
        await ann.page.reload()
        await ann.may_enter()
        await ann.tap("h8")
        await ann.page.get_by_role("button", name="Confirm").click()
        await ben.has("h8")
        await expect(ann.page.locator(".confirm-bar")).to_have_count(0)
        assert lines == 2
        assert len((await stored(tables, ann)).game.state.stones) == 1

    async def test_an_open_page_takes_the_new_version_once(self, sits: Sits, monkeypatch: pytest.MonkeyPatch) -> None:
        """After an upgrade of the service, with the stone in doubt; and it never reloads in a circle."""
        ann, ben = await two(sits)
        await ann.play("h8")
        await ben.may_enter()
        await ben.tap("i9")
        loads: list[str] = []
        ben.page.on("load", lambda page: loads.append(page.url))
        monkeypatch.setattr("bot.adapters.web.wire.page_version", lambda: "newer")
        await ann.press("Undo")  # anything that shows the table anew
        await ben.sees("take back")
        await expect(ben.page.locator(".aimed-point")).to_have_text("I9")
        await ben.press("Refuse undo")
        await ann.sees("refused")
        assert len(loads) == 1

    async def test_the_server_is_killed_in_mid_game_and_the_game_goes_on(self, sits: Sits, tmp_path: Path) -> None:
        """kill -9 and a new start: both pages come back by themselves, with the stone in doubt, and nothing doubled."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{probe.getsockname()[1]}"
        service = await _service(tmp_path, address)
        try:
            url = f"http://{address}"
            ann, ben = await sits(url=url), await sits(360, 740, url=url)
            await ann.start("friend", name="Ann", begins="black")
            await ben.join(await ann.invitation(), name="Ben")
            await ann.play("h8")
            await ben.play("i9")
            await ann.may_enter()
            await ann.tap("j10")
            service.send_signal(signal.SIGKILL)
            await service.wait()
            for person in (ann, ben):
                await expect(person.page.locator(".line-state")).to_contain_text("Reconnecting")
            await expect(ann.page.locator(".aimed-point")).to_have_text("J10")
            await ann.page.get_by_role("button", name="Confirm").click()  # into the void
            service = await _service(tmp_path, address)
            await ben.has("j10")
            for person in (ann, ben):
                await expect(person.page.locator(".line-state")).to_be_hidden()
                assert await person.stones() == [point("h8"), point("i9"), point("j10")]
            await ben.play("k11")
            await ann.has("k11")
        finally:
            service.send_signal(signal.SIGTERM)
            await service.wait()


async def _service(folder: Path, address: str) -> asyncio.subprocess.Process:
    """``renju run`` as an operator starts it; returns when its page answers."""
    environment = {
        **{name: value for name, value in os.environ.items() if not re.match("RENJU_|TELEGRAM_|DISCORD_|REDIS_", name)},
        "RENJU_DATA_DIR": str(folder),
        "RENJU_WEB_ADDR": address,
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        "run",
        env=environment,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=(folder / "log").open("ab"),
    )
    async with asyncio.timeout(180), ClientSession() as session:  # the first start may compile
        while True:
            assert process.returncode is None, (folder / "log").read_text()
            try:
                async with session.get(f"http://{address}/health") as answer:
                    if answer.status == 200:
                        return process
            except ClientError:
                await asyncio.sleep(0.1)
