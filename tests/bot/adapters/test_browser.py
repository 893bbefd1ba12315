"""The web table in a real browser: whole games, interruptions, keyboards and small screens."""

from __future__ import annotations

import asyncio
import io
import os
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import ClientError, ClientSession
from PIL import Image
from playwright.async_api import Browser, async_playwright, expect

from bot.adapters.web import Web
from bot.session.table import Table
from bot.session.tables import Tables
from bot.thinking import Thinker
from core.game import Reason
from core.notation import point
from tests.fakes.browser import Person, chromium, launch

pytestmark = [
    pytest.mark.browser,
    pytest.mark.asyncio,
    pytest.mark.skipif(chromium() is None, reason="no Chromium on PATH (Debian: apt-get install chromium)"),
    # Playwright's own transport to a browser that is being closed.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

Sits = Callable[..., Awaitable[Person]]


@pytest_asyncio.fixture
async def browser() -> AsyncIterator[Browser]:
    """A headless Chromium."""
    path = chromium()
    assert path is not None
    async with async_playwright() as playwright:
        started = await launch(playwright, path)
        yield started
        await started.close()


@pytest_asyncio.fixture
async def engine(tables: Tables) -> AsyncIterator[None]:
    """The engine at the tables."""
    task = asyncio.create_task(Thinker(tables).run())
    yield
    task.cancel()
    await asyncio.wait([task])


@pytest_asyncio.fixture
async def sits(browser: Browser, web: Web) -> AsyncIterator[Sits]:
    """People who sit down in front of browsers; at the end none of their pages may have complained."""
    people: list[Person] = []

    async def person(width: int = 1280, height: int = 800, *, url: str = "", **options: Any) -> Person:
        options.setdefault("locale", "en-GB")
        context = await browser.new_context(viewport={"width": width, "height": height}, **options)
        people.append(Person(await context.new_page(), url or web.url))
        return people[-1]

    yield person
    assert [complaint for one in people for complaint in one.complaints] == []
    for one in people:
        await one.page.context.close()


async def two(sits: Sits, **choices: str) -> tuple[Person, Person]:
    """Ann on a desktop opens a game, Ben on a phone joins it."""
    ann, ben = await sits(), await sits(360, 740, has_touch=True)
    await ann.start("friend", name="Ann", begins="black", **choices)
    await ben.join(await ann.invitation(), name="Ben")
    await ann.sees("Ben")
    return ann, ben


async def stored(tables: Tables, person: Person) -> Table:
    """The table that a person looks at, from the store."""
    table = await tables.get(person.page.url.rpartition("/")[2])
    assert isinstance(table, Table)
    return table


class TestGames:
    @pytest.mark.usefixtures("engine")
    async def test_a_whole_game_against_the_engine(self, sits: Sits, tables: Tables) -> None:
        """From the first page to five in a row, with the winning line and the offer of a rematch."""
        ann = await sits()
        await ann.start("engine", level="1", begins="black", name="Ann")
        await ann.play("h8")
        for text in [
            "a1",
            "c3",
            "a5",
            "c7",
            "a9",
            "c11",
            "a13",
            "e1",
            "g3",
            "e13",
            "k1",
            "m3",
            "o1",
            "o5",
            "o9",
            "o13",
        ]:
            await ann.page.wait_for_selector("svg.board[data-entry], .buttons button:text-is('Rematch')")
            if (await stored(tables, ann)).game.outcome is not None:
                break
            if point(text) not in await ann.stones():
                await ann.play(text)
        await expect(ann.page.get_by_role("button", name="Rematch")).to_be_visible()
        outcome = (await stored(tables, ann)).game.outcome
        assert outcome is not None
        assert outcome.reason is Reason.FIVE
        await expect(ann.page.locator("path.bar")).to_have_count(1)
        await expect(ann.page.locator("circle.ring")).to_have_count(5)
        await expect(ann.page.locator("svg.board[data-entry]")).to_have_count(0)
        await ann.press("Rematch")
        await ann.sees("White: Ann")  # the seats are exchanged (R2.3)
        assert (await stored(tables, ann)).game.outcome is None

    async def test_a_whole_rif_game_between_two_browsers(self, sits: Sits, tables: Tables) -> None:
        """Opening, swap, two offers, choice, a forbidden move and the claim that wins by it."""
        ann, ben = await two(sits, protocol="rif", fouls="claim")
        await ann.play("h8", "h9", "i8")
        await ben.press("Swap colours")  # Ben is Black now, Ann White
        await ann.sees("Black: Ben", "White: Ann")
        await ann.play("o15")
        await ben.play("g7", "f4")
        await expect(ann.page.locator("g.offer text")).to_have_text(["A", "B"])
        await ann.press("A")
        await ann.play("a15")
        await ben.play("g6")
        await ann.play("a1")
        await ben.play("g8")  # a double-three
        await ann.has("g8")
        # Nothing tells: the button has been there since the protocol ended, and no cross stands anywhere (R6.1).
        for person in (ann, ben):
            await expect(person.page.locator("g.cross")).to_have_count(0)
            assert "double-three" not in await person.page.content()
        await ann.press("Claim forbidden move")
        for person in (ann, ben):
            await expect(person.page.locator("g.cross")).to_have_count(1)
            await person.sees("double-three")
            await expect(person.page.get_by_role("button", name="Rematch")).to_be_visible()
        outcome = (await stored(tables, ann)).game.outcome
        assert outcome is not None
        assert (outcome.reason, outcome.foul) == (Reason.FORBIDDEN_CLAIMED, point("g8"))
        # Both press Rematch and meet at one new table.
        await ann.press("Rematch")
        await ben.hears("rematch")
        await ben.press("Rematch")
        await ben.sees("Opening step")
        await ann.sees("Opening step")
        assert ann.page.url == ben.page.url

    async def test_an_offer_equal_to_another_is_refused_with_a_reason(self, sits: Sits, tables: Tables) -> None:
        """And the first one stands."""
        ann, ben = await two(sits, protocol="rif")
        await ann.play("h8", "h9", "h10")
        await ben.press("Keep colours")
        await ben.play("h7")
        await ann.play("g8")
        await ann.may_enter()
        await ann.tap("i8")
        await ann.page.get_by_role("button", name="Confirm").click()
        await ann.hears("G8", "I8")
        assert (await stored(tables, ann)).game.state.offers == (point("g8"),)

    async def test_resigning_asks_first(self, sits: Sits, tables: Tables) -> None:
        """Play on leaves the game as it is; Escape too; yes ends it."""
        ann, ben = await two(sits)
        await ann.play("h8")
        await ben.play("i9")
        await ann.press("Resign")
        await ann.page.get_by_role("button", name="Play on").click()
        await ann.press("Resign")
        await ann.page.keyboard.press("Escape")
        await expect(ann.page.locator("dialog[open]")).to_have_count(0)
        assert (await stored(tables, ann)).game.outcome is None
        await ann.press("Resign")
        await ann.page.get_by_role("button", name=re.compile("^Yes,? resign$")).click()
        await expect(ben.page.get_by_role("button", name="Rematch")).to_be_visible()


class TestTapping:
    async def test_the_first_tap_previews_and_the_second_plays(self, sits: Sits, tables: Tables) -> None:
        """The stone in doubt is a dotted ghost, named in the bar; Change and Escape take it away."""
        ann, ben = await two(sits)
        await ann.play("h8")
        await ben.may_enter()
        await ben.tap("i9", off=(0.4, -0.4))
        await expect(ben.page.locator(".aimed-point")).to_have_text("I9")
        await expect(ben.page.locator("circle.dots")).to_have_count(1)
        await expect(ben.page.locator("circle.stone.ghost.white")).to_have_count(1)
        await ben.tap("j9")  # another point: the ghost moves there
        await expect(ben.page.locator(".aimed-point")).to_have_text("J9")
        await ben.page.get_by_role("button", name="Change").click()
        await expect(ben.page.locator(".confirm-bar")).to_have_count(0)
        assert len((await stored(tables, ann)).game.state.stones) == 1
        await ben.tap("i9")
        await ben.tap("i9")
        await ann.has("i9")
        assert len((await stored(tables, ann)).game.state.stones) == 2

    async def test_a_tap_that_cannot_be_played_is_answered_with_one_line(self, sits: Sits, tables: Tables) -> None:
        """An occupied point, and the board of the other side's turn."""
        ann, ben = await two(sits)
        await ben.tap("h8")
        await ben.hears("not your turn")
        await ann.play("h8")
        await ben.may_enter()
        await ben.tap("h8")
        await ben.hears("H8")
        await expect(ben.page.locator(".confirm-bar")).to_have_count(0)
        assert len((await stored(tables, ann)).game.state.stones) == 1

    async def test_a_typed_point_is_played(self, sits: Sits) -> None:
        """And what cannot be read is explained and stays to be mended."""
        ann, _ = await two(sits)
        field = ann.page.get_by_label("Type a point")
        await field.fill("8h")
        await field.press("Enter")
        await ann.hears("H8")
        await expect(field).to_have_value("8h")
        await field.fill("H8")
        await field.press("Enter")
        await ann.has("h8")

    async def test_a_spectator_sees_and_cannot_disturb(self, sits: Sits, tables: Tables) -> None:
        """The link to watch shows every move, without buttons; tapping is answered with a word."""
        ann, ben = await two(sits)
        eve = await sits(768, 1024)
        await ann.page.click(".watch-link summary")
        await eve.page.goto(await ann.page.input_value(".watch-link input"))
        await ann.play("h8")
        await eve.has("h8")
        await expect(eve.page.locator(".buttons button")).to_have_count(0)
        await expect(eve.page.locator("form.typed")).to_be_hidden()
        await eve.tap("i9")
        await eve.hears("players")
        assert len((await stored(tables, ann)).game.state.stones) == 1
        await ben.play("i9")
        await eve.has("i9")

    async def test_a_hostile_name_is_shown_and_does_nothing(self, sits: Sits) -> None:
        """On the board's page, on the invitation, in the list of games."""
        name = "<img src=x onerror=alert(1)>"
        ann, ben = await sits(), await sits()
        await ann.start("friend", name=name)
        await ann.sees(name)
        await ben.page.goto(await ann.invitation())
        await expect(ben.page.locator("main")).to_contain_text(name)
        await ann.page.goto(ann.url)
        await expect(ann.page.locator(".games")).to_contain_text(name)
        assert await ann.page.locator("main img").count() == 0

    async def test_the_invitation_is_copied(self, sits: Sits) -> None:
        """With one press."""
        ann = await sits(permissions=["clipboard-read", "clipboard-write"])
        await ann.start("friend")
        await ann.page.get_by_role("button", name="Copy").first.click()
        await expect(ann.page.get_by_text("Copied")).to_be_visible()
        assert await ann.page.evaluate("navigator.clipboard.readText()") == await ann.invitation()


class TestKeyboard:
    @pytest.mark.usefixtures("engine")
    async def test_a_game_is_opened_and_played_without_a_pointer(self, sits: Sits, tables: Tables) -> None:
        """Tab and Enter to begin; arrows, Enter and Escape on the board; focus always to be seen."""
        ann = await sits()
        page, keys = ann.page, ann.page.keyboard
        await page.goto(ann.url)
        await _tab_to(ann, ".more > summary")
        await keys.press("Enter")
        await _tab_to(ann, "input[name=begins]")
        while not await page.is_checked("input[value=black]"):
            await keys.press("ArrowRight")
        await _tab_to(ann, "form.new-game button.big")
        await keys.press("Enter")
        await ann.at_table()
        await ann.may_enter()
        await _tab_to(ann, "svg.board")
        board = page.locator("svg.board")
        await expect(board).to_have_attribute("aria-activedescendant", f"p{point('h8')}")
        await expect(page.locator("g.cursor")).to_have_count(1)
        await keys.press("Enter")
        await expect(page.locator(".aimed-point")).to_have_text("H8")
        await keys.press("Escape")
        await expect(page.locator(".confirm-bar")).to_have_count(0)
        await keys.press("Enter")
        await keys.press("Enter")
        await ann.has("h8")
        await ann.sees("your turn")
        await ann.may_enter()
        for key in ("ArrowUp", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft"):
            await keys.press(key)
        await expect(board).to_have_attribute("aria-activedescendant", f"p{point('i7')}")
        if point("i7") in await ann.stones():
            await keys.press("ArrowRight")
        before = len((await stored(tables, ann)).game.state.stones)
        await keys.press(" ")
        await keys.press(" ")
        await expect(page.locator(".confirm-bar")).to_have_count(0)
        assert len((await stored(tables, ann)).game.state.stones) > before
        await keys.press("Home")
        await keys.press("PageUp")
        await expect(board).to_have_attribute("aria-activedescendant", f"p{point('a15')}")

    async def test_screen_readers_are_told_what_happens(self, sits: Sits) -> None:
        """The board is a grid of named cells, and a polite live region says what is new."""
        ann, ben = await two(sits)
        await expect(ann.page.get_by_role("grid", name="Board")).to_be_visible()
        await expect(ann.page.get_by_role("row")).to_have_count(15)
        await expect(ann.page.get_by_role("gridcell")).to_have_count(225)
        await ann.play("h8")
        await expect(ben.cell("h8")).to_have_attribute("aria-label", "H8, black, the last move")
        await expect(ben.cell("i9")).to_have_attribute("aria-label", "I9, empty")
        await expect(ben.page.locator("[aria-live=polite]")).to_contain_text("H8")
        await ben.tap("i9")
        await expect(ben.page.locator("[aria-live=polite]")).to_contain_text("I9")
        await expect(ben.cell("i9")).to_have_attribute("aria-selected", "true")


async def _tab_to(person: Person, selector: str) -> None:
    """Press Tab until the focus is there; on the way it must always be visible somewhere."""
    for _ in range(60):
        await person.page.keyboard.press("Tab")
        if await person.page.evaluate("s => document.activeElement?.matches(s) ?? false", selector):
            return
    raise AssertionError(f"the keyboard cannot reach {selector}")


class TestScreens:
    @pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
    @pytest.mark.parametrize("size", [(360, 740), (320, 568), (768, 1024), (1280, 800)])
    async def test_nothing_is_wider_than_the_screen(self, sits: Sits, size: tuple[int, int], locale: str) -> None:
        """On every view, in both languages, with the longest names."""
        ann, ben = await sits(*size, locale=locale), await sits(*size, locale=locale)
        page = ann.page
        await page.goto(ann.url)
        await page.click(".settings summary")
        assert await _overflow(ann) == 0
        await page.keyboard.press("Escape")
        await page.click(".more > summary")
        assert await _overflow(ann) == 0
        await page.check("input[value=friend]")
        await page.check("input[value=black]")
        await page.fill("#name", "W" * 60)
        await page.click("form.new-game button.big")
        await ann.at_table()
        assert await _overflow(ann) == 0
        await ben.page.goto(await ann.invitation())
        assert await _overflow(ben) == 0
        await ben.page.click("form button.big")
        await ben.at_table()
        await ann.may_enter()
        await ann.tap("h8")
        await expect(page.locator(".confirm-bar")).to_be_visible()
        assert await _overflow(ann) == 0

    async def test_on_a_phone_everything_to_press_is_big_enough_and_the_bar_in_sight(self, sits: Sits) -> None:
        """44 pixels at least; the confirm bar is inside the screen as soon as it appears."""
        _ann, ben = await two(sits)
        await _ann.play("h8")
        await ben.may_enter()
        await ben.tap("h12")
        bar = await ben.page.locator(".confirm-bar").bounding_box()
        assert bar is not None
        assert bar["y"] + bar["height"] <= 740
        for one in await ben.page.locator("button:visible, summary:visible, select:visible, input:visible").all():
            box = await one.bounding_box()
            assert box is not None
            assert box["height"] >= 44, await one.inner_text()

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    async def test_black_is_darker_than_white_in_every_look_and_the_legend_shows_the_same_stones(
        self, sits: Sits, scheme: str
    ) -> None:
        """Measured on the picture (A33)."""
        ann = await sits(color_scheme=scheme)
        ben = await sits()
        await ann.start("friend", begins="black")
        await ben.join(await ann.invitation(), name="Ben")
        await ann.play("h8")
        await ben.play("i9")
        await ann.has("i9")
        await ann.page.mouse.move(0, 0)
        stones = {shade: await _light(ann, f".board circle.stone.{shade}") for shade in ("black", "white")}
        legend = [await _light(ann, f".lines p:nth-child({row}) .disc circle") for row in (1, 2)]
        assert stones["white"] > stones["black"] + 120
        assert abs(legend[0] - stones["black"]) < 40
        assert abs(legend[1] - stones["white"]) < 40

    async def test_the_look_can_be_chosen_and_stays(self, sits: Sits) -> None:
        """Against what the device says, and over a reload."""
        ann = await sits(color_scheme="light")
        await ann.page.goto(ann.url)
        light = await ann.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        await ann.page.click(".settings summary")
        await ann.page.select_option("#look", "dark")
        dark = await ann.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        assert light != dark
        await ann.page.reload()
        assert await ann.page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == dark

    async def test_the_language_can_be_switched(self, sits: Sits) -> None:
        """The page and the table speak it from then on."""
        ann = await sits()
        await ann.start("friend", begins="black")
        await ann.page.click(".settings summary")
        await ann.page.select_option("#language", "zh_Hans")
        await ann.sees("黑")
        assert await ann.page.get_attribute("html", "lang") == "zh-Hans"

    async def test_numbers_are_shown_on_the_stones_when_asked_for(self, sits: Sits) -> None:
        """And remembered."""
        ann, _ = await two(sits)
        await ann.play("h8")
        await expect(ann.page.locator("text.number")).to_have_count(0)
        await ann.page.click(".settings summary")
        await ann.page.check("#numbers")
        await expect(ann.page.locator("text.number")).to_have_text(["1"])
        await ann.page.reload()
        await expect(ann.page.locator("text.number")).to_have_text(["1"])


async def _overflow(person: Person) -> int:
    """By how many pixels the page is wider than the screen."""
    return int(await person.page.evaluate("document.documentElement.scrollWidth - innerWidth"))


async def _light(person: Person, selector: str) -> float:
    """How light the middle of something is, 0 to 255, in the picture of the page."""
    found = person.page.locator(selector).first
    await found.scroll_into_view_if_needed()
    box = await found.bounding_box()
    assert box is not None
    # Beside the middle, where the last stone has its dot, and inside its ring.
    x, y = box["x"] + box["width"] * 0.5 + box["width"] * 0.17, box["y"] + box["height"] * 0.5
    picture = await person.page.screenshot(clip={"x": x, "y": y, "width": 2, "height": 2})
    return float(Image.open(io.BytesIO(picture)).convert("L").resize((1, 1)).getpixel((0, 0)) or 0)  # type: ignore[arg-type]


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
