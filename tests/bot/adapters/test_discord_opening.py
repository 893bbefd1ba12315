"""New games on Discord: the card, what a request lacks, a challenge."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from hypothesis import given
from hypothesis import strategies as st

from bot import newgame
from bot.adapters.discord import card, choosing
from bot.adapters.discord.card import CHOICES, Card
from bot.desk import Choice, Notice
from bot.session.tables import Tables
from bot.words import LANGUAGES, words
from tests.bot.adapters.test_discord_layout import within_limits
from tests.fakes.discord.facts import SELECT, walk
from tests.fakes.discord_service import Service

CARDS = st.builds(
    Card,
    opponent=st.sampled_from(CHOICES[card.OPPONENT]),
    protocol=st.sampled_from(CHOICES[card.PROTOCOL]),
    fouls=st.sampled_from(CHOICES[card.FOULS]),
    begins=st.sampled_from(CHOICES[card.BEGINS]),
    clock=st.sampled_from(CHOICES[card.CLOCK]),
)


class TestCards:
    """A card without a game."""

    @given(CARDS, st.sampled_from(list(LANGUAGES)))
    def test_every_card_fits_and_shows_what_is_chosen(self, shown: Card, language: str) -> None:
        """One default in each select, and what it carries is the whole card."""
        components = within_limits(card.look(words(language), shown))
        selects = [part for part in walk(components) if part["type"] == SELECT]
        assert [next(o["value"] for o in s["options"] if o.get("default")) for s in selects] == shown.state.split(",")
        for part in walk(components):
            if part.get("custom_id"):
                assert card.read(part["custom_id"].split(":", 2)[2]) == shown

    @given(CARDS)
    def test_every_card_is_words_after_newgame(self, shown: Card) -> None:
        """They are understood, and mean what the card says."""
        wanted = newgame.read(shown.typed)
        assert (wanted.protocol, wanted.foul_mode.value, wanted.begins) == (shown.protocol, shown.fouls, shown.begins)
        assert wanted.clock == shown.clock
        assert wanted.opponent_said
        assert str(wanted.level or card.FRIEND) == shown.opponent
        assert card.of(wanted, private=False) == shown

    @given(CARDS, st.sampled_from([*CHOICES, "other"]), st.text(max_size=8))
    def test_forged_choices_change_nothing(self, shown: Card, field: str, value: str) -> None:
        """A value that is none of the field's; and a state that was never made is none."""
        after = card.changed(shown, field, value)
        assert after == shown or value in CHOICES[field]
        assert card.read(value) is None
        assert card.read(f"{shown.state},x") is None


class TestQuestions:
    """What a request lacks, to be chosen from."""

    @pytest.mark.parametrize(("number", "selects"), [(0, 0), (1, 1), (25, 1), (26, 2), (76, 4), (101, 0)])
    def test_as_few_selects_as_hold_the_answers(self, number: int, selects: int) -> None:
        """What does not fit at all is left to the text."""
        asked = Notice("Which?", choices=tuple(Choice(f"D{n}", f"opening={n}") for n in range(number)))
        components = within_limits(choosing.look(asked))
        found = [part for part in walk(components) if part["type"] == SELECT]
        assert len(found) == selects
        assert sum(len(part["options"]) for part in found) == (number if selects else 0)

    def test_a_request_that_is_too_long_for_a_select_is_typed(self) -> None:
        """The value of an option holds a hundred characters."""
        asked = Notice("Which?", choices=(Choice("D4", "x" * 101),))
        assert not [part for part in walk(within_limits(choosing.look(asked))) if part["type"] == SELECT]


@pytest_asyncio.fixture
async def service(tables: Tables) -> AsyncIterator[Service]:
    """The bot, connected to a server with one channel."""
    made = Service(tables)
    made.server.guild("club").channel("general")
    async with made:
        yield made


@pytest.mark.asyncio
class TestNewGames:
    """``/newgame``, as people use it."""

    async def test_alone_it_shows_a_card_that_nobody_else_sees(self, service: Service) -> None:
        """Chosen, started, the card is gone and the board there; the next card begins with the last choices."""
        (guild,) = service.server.guilds.values()
        channel = guild.channels[0]
        ann, ben = service.server.person("Ann"), service.server.person("Ben")
        asked = await ann.slash("newgame", channel)
        await service.quiet()
        shown = asked.private
        assert channel.messages == []
        for number, value in enumerate(("friend", "rif", "auto_loss", "black", "20m+60s")):
            await ann.select(shown, number, value)
            await service.quiet()
        await ann.press(shown, "Start")
        await service.server.until(lambda: channel.boards, "the board")
        await service.quiet()
        assert shown.deleted
        assert "RIF opening" in channel.board.text
        await service.known(channel.board)
        await ben.press(channel.board, "Join")
        await service.server.until(lambda: "Join" not in channel.board.labels, "the game of two")
        again = (await ann.slash("newgame", channel)).original
        await service.quiet()
        assert again is not None
        defaults = [o["value"] for select in again.selects for o in select["options"] if o.get("default")]
        assert defaults == ["friend", "rif", "auto_loss", "black", "20m+60s"]
        alone = await ann.slash("newgame")
        await service.quiet()
        chosen = [o["value"] for select in alone.private.selects for o in select["options"] if o.get("default")]
        assert chosen[0] == str(newgame.DEFAULT_LEVEL), "alone with the bot one plays the engine"

    async def test_the_next_card_begins_with_the_last_game(self, service: Service) -> None:
        """However it was asked for; what no card can say leaves it as it is."""
        (guild,) = service.server.guilds.values()
        channel = guild.channels[0]
        ann = service.server.person("Ann")
        await service.opened(await ann.slash("newgame", channel, opponent="friend", protocol="rif", begins="black"))
        await service.opened(await ann.slash("newgame", channel, opponent="friend", options="no_pass"))
        asked = await ann.slash("newgame", channel)
        await service.quiet()
        chosen = [o["value"] for select in asked.private.selects for o in select["options"] if o.get("default")]
        assert chosen == ["friend", "rif", "claim", "black", "idle:3d"]

    async def test_how_long_a_challenge_stays_open_is_chosen(self, service: Service) -> None:
        """By the server, by oneself in direct messages, or by the words of the request (A11)."""
        (guild,) = service.server.guilds.values()
        channel = guild.channels[0]
        ann = service.server.person("Ann")
        guild.managers.append(ann)
        panel = await ann.slash("settings", channel)
        await service.quiet()
        await ann.choose(panel.private, "o:wait", "1h")
        await service.quiet()
        await ann.choose(panel.private, "o:mywait", "14d")
        await service.quiet()
        waits = []
        for where, options in ((channel, {}), (ann.dm, {}), (channel, {"options": "wait=2h"})):
            await service.opened(await ann.slash("newgame", where, opponent="friend", **options))
            newest = await service.tables.get((await service.tables.tables_of(f"dc:{ann.id}"))[0])
            waits.append(newest.expires - newest.created)  # type: ignore[union-attr]
        assert waits == [3_600_000, 14 * 86_400_000, 2 * 3_600_000]

    async def test_a_card_works_after_a_restart_and_starts_one_game(self, service: Service) -> None:
        """However often Start is pressed."""
        (guild,) = service.server.guilds.values()
        channel = guild.channels[0]
        ann = service.server.person("Ann")
        asked = await ann.slash("newgame", channel)
        await service.quiet()
        shown = asked.private
        await service.stop()
        await service.start()
        pressed = [service.server.begin(3, ann, channel, _press(shown, "Start"), message=shown) for _ in range(2)]
        for one in pressed:
            await service.server.deliver(one)
        await service.server.until(lambda: all(one.answers for one in pressed) and channel.boards, "the board")
        await service.quiet()
        assert len(await service.tables.tables_of(f"dc:{ann.id}")) == 1

    @pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
    async def test_an_opening_that_was_not_named_is_chosen(self, service: Service, locale: str) -> None:
        """All 26 on selects in the person's language, privately; the choice opens the game."""
        (guild,) = service.server.guilds.values()
        channel = guild.channels[0]
        ann = service.server.person("Ann", locale)
        asked = await ann.slash("newgame", channel, protocol="designated", opponent="friend", begins="black")
        await service.quiet()
        options = [option for select in asked.private.selects for option in select["options"]]
        assert len(options) == 26
        assert channel.messages == []
        wanted = next(option for option in options if option["label"].startswith("D4 "))
        await ann.choose(asked.private, "q:0", wanted["value"])
        await service.server.until(lambda: channel.boards, "the board")
        await service.quiet()
        table = await service.tables.get((await service.tables.tables_of(f"dc:{ann.id}"))[0])
        assert table.game.settings.opening == "D4"  # type: ignore[union-attr]
        assert not channel.private(ann)

    async def test_a_guest_starts_from_the_card_too(self, service: Service) -> None:
        """By the token of the press, as a message that everybody sees; a channel of people's own."""
        ann, ben = service.server.person("Ann"), service.server.person("Ben")
        chat = service.server.group(ann, ben)
        asked = await ann.slash("newgame", chat)
        await service.quiet()
        await ann.select(asked.private, 3, "black")
        await service.quiet()
        await ann.press(asked.private, "Start")
        await service.server.until(lambda: chat.boards, "the board")
        await service.known(chat.board)
        await ben.press(chat.board, "Join")
        await service.server.until(lambda: "Join" not in chat.board.labels, "the game of two")
        await service.play((ann, ben), chat.board, "h8 h9")

    async def test_what_is_refused_was_never_public(self, service: Service) -> None:
        """Words that mean nothing, a challenge to oneself: nobody sees that the bot was asked."""
        (guild,) = service.server.guilds.values()
        channel = guild.channels[0]
        ann = service.server.person("Ann")
        for visit in (
            await ann.slash("newgame", channel, options="tarakuchi"),
            await ann.menu("Challenge to Renju", ann, channel),
            await ann.slash("newgame", channel, options="k_max=x"),
        ):
            assert await service.done(visit)
            assert visit.original is not None
            assert visit.original.only_for is ann

    async def test_every_level_of_the_engine_can_be_chosen(self, service: Service) -> None:
        """By its name, in the option of the command and on the card."""
        ann = service.server.person("Ann")
        (option,) = [o for o in service.server.command("newgame", 1)["options"] if o["name"] == "level"]
        assert [choice["value"] for choice in option["choices"]] == [str(level) for level in newgame.LEVELS]
        assert len({choice["name"] for choice in option["choices"]}) == len(newgame.LEVELS)
        board = await service.opened(await ann.slash("newgame", level="2", begins="black"))
        assert "level 2" in board.text

    async def test_a_clock_is_completed(self, service: Service) -> None:
        """The usual ones by their names, any other as it is typed, and nothing for what is no clock."""
        ann, yu = service.server.person("Ann"), service.server.person("小雨", "zh-CN")
        offered = await ann.complete("newgame", "clock", "")
        assert len(offered) == len(CHOICES[card.CLOCK])
        assert ("no clock", "idle:3d") in offered
        assert await ann.complete("newgame", "clock", "7m+5s") == [("7m+5s", "7m+5s")]
        assert await ann.complete("newgame", "clock", "soon") == []
        assert ("不计时", "idle:3d") in await yu.complete("newgame", "clock", "不")
        board = await service.opened(await ann.slash("newgame", opponent="friend", clock="7m+5s", begins="black"))
        table = await service.tables.get(board.text.rpartition("/join ")[2])
        assert table.game.settings.clock == "7m+5s"  # type: ignore[union-attr]


def _press(message: object, label: str) -> dict[str, object]:
    return {"custom_id": message.custom_id(label), "component_type": 2, "id": 1}  # type: ignore[attr-defined]
