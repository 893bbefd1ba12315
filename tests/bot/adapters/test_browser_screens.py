"""The web table in a real browser: by keyboard, for screen readers, on small screens, in every look."""

from __future__ import annotations

import io

import pytest
from PIL import Image
from playwright.async_api import expect

from bot.session.tables import Tables
from core.notation import point
from tests.fakes.browser import BROWSER, Person, Sits, stored, two

pytestmark = BROWSER


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
    # In one step: the board is drawn anew whenever the table moves on, and what was found before is then gone.
    left, top, width, height = await person.page.evaluate(
        """selector => {
            const found = document.querySelector(selector);
            found.scrollIntoView({ block: "nearest", behavior: "instant" });
            const box = found.getBoundingClientRect();
            return [box.x, box.y, box.width, box.height];
        }""",
        selector,
    )
    # Beside the middle, where the last stone has its dot, and inside its ring.
    x, y = left + width * 0.5 + width * 0.17, top + height * 0.5
    picture = await person.page.screenshot(clip={"x": x, "y": y, "width": 2, "height": 2})
    return float(Image.open(io.BytesIO(picture)).convert("L").resize((1, 1)).getpixel((0, 0)) or 0)  # type: ignore[arg-type]
