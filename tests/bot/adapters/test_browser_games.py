"""The web table in a real browser: whole games, and what a tap does."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from bot.session.tables import Tables
from core.game import Reason
from core.notation import point
from tests.fakes.browser import BROWSER, Sits, stored, two

pytestmark = BROWSER


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

    async def test_two_stones_are_added_by_two_taps_and_confirmed_together(self, sits: Sits, tables: Tables) -> None:
        """Both are ghosts of their own colours until then, and Change takes both away."""
        ann, ben = await two(sits, protocol="swap2")
        await ann.play("h8", "a1", "o15")
        await ben.sees("add a white and a black stone")
        await ben.may_enter()
        await ben.tap("c3")
        await expect(ben.page.locator("circle.ghost.white")).to_have_count(1)
        await expect(ben.page.get_by_role("button", name="Confirm")).to_be_disabled()
        await ben.page.get_by_role("button", name="Change").click()
        await expect(ben.page.locator("circle.ghost")).to_have_count(0)
        await ben.tap("c3")
        await ben.tap("d4")
        await expect(ben.page.locator(".aimed-point")).to_have_text("C3 D4")
        await expect(ben.page.locator("circle.ghost.black")).to_have_count(1)
        await ben.tap("d5")
        await expect(ben.page.locator(".aimed-point")).to_have_text("C3 D5")
        await ben.page.get_by_role("button", name="Confirm").click()
        await ann.press("Take White")
        stones = (await stored(tables, ann)).game.state.stones
        assert [(stone.point, stone.colour) for stone in stones[3:]] == [(point("c3"), 2), (point("d5"), 1)]

    async def test_a_clock_that_is_watched_is_counted_down_beside_the_names(self, sits: Sits) -> None:
        """Without a word from the server, never below zero, for both players and without the lines that grow old."""
        ann, ben = await two(sits, clock="20m+60s")
        await ann.play("h8")
        faces = ann.page.locator(".lines .clock")
        await expect(faces).to_have_count(2)
        await expect(faces.nth(1)).to_have_attribute("data-runs", "")
        await expect(faces.nth(0)).not_to_have_attribute("data-runs", "")
        await expect(faces.nth(1)).to_have_text(re.compile(r"^19:5\d$"))
        shown = await faces.nth(1).inner_text()
        await expect(faces.nth(1)).not_to_have_text(shown)
        assert "Time of" not in await ann.page.inner_text(".lines")
        await expect(ben.page.locator(".lines .clock[data-runs]")).to_have_count(1)

    async def test_a_game_begins_with_one_of_the_26_openings(self, sits: Sits) -> None:
        """Chosen by code and name on the first page."""
        ann = await sits()
        await ann.start("friend", protocol="designated", opening="I7", begins="black")
        await ann.sees("I7")
        assert len(await ann.stones()) == 3


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
