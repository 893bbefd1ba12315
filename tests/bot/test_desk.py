"""The desk: what people's words and taps become, against a real store."""

from __future__ import annotations

import msgspec
import pytest
import pytest_asyncio

from bot.desk import Desk, Done, Notice, Place
from bot.scene import pack
from bot.session.table import Machine, Person, Table, View
from bot.session.tables import Tables
from bot.words import explain, words
from core.game import ALL_PROTOCOLS, Draw, FoulMode, Refusal, Why
from core.notation import name

pytestmark = pytest.mark.asyncio

ANN = Person(id="tg:1", name="Ann")
BEN = Person(id="tg:2", name="Ben", language="zh_Hans")
CAT = Person(id="tg:3", name="Cat")
GROUP = Place(platform="tg", chat="-100")
PRIVATE = Place(platform="tg", chat="1", private=True)


@pytest_asyncio.fixture
async def desk(tables: Tables) -> Desk:
    """A desk over an empty store."""
    return Desk(tables)


def done(answer: Done | Notice) -> Table:
    """The table; it must have happened."""
    assert isinstance(answer, Done), answer
    return answer.table


def told(answer: Done | Notice) -> str:
    """What was said; nothing may have happened."""
    assert isinstance(answer, Notice), answer
    return answer.text


class Counter:
    """Asks the desk, each time with a source of its own."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.number = 0

    def source(self) -> str:
        self.number += 1
        return f"test:{self.number}"

    async def open(self, typed: str = "friend black", *, by: Person = ANN, place: Place = GROUP) -> Table:
        return done(await self.desk.new_game(by, place, typed, source=self.source()))

    async def pair(self, typed: str = "friend black", place: Place = GROUP) -> Table:
        """A table where Ann, who opened it, plays Ben."""
        table = await self.open(typed, place=place)
        return done(await self.desk.join(BEN, table.id, source=self.source()))

    async def say(self, who: Person, typed: str, table: Table | None = None, place: Place = GROUP) -> Done | Notice:
        meant = None if table is None else table.id
        return await self.desk.move(who, typed, table=meant, place=place, source=self.source())

    async def play(self, table: Table, *steps: tuple[Person, str]) -> Table:
        for who, typed in steps:
            table = done(await self.say(who, typed, table))
        return table

    async def sent(self, table: Table, message: str) -> View:
        """The view of a table, as if it had been sent as this message."""
        (view,) = await self.desk.tables.views(table.id)
        shown = msgspec.structs.replace(view, message=message)
        await self.desk.tables.detach(table.id, view.id)
        await self.desk.tables.attach(table.id, shown)
        return shown

    async def press(
        self, who: Person, table: Table, data: str, *, message: str = "7", rev: int | None = None, place: Place = GROUP
    ) -> Done | Notice:
        wire = pack(table.id, table.rev if rev is None else rev, data)
        return await self.desk.press(who, wire, place=place, message=message, source=self.source())


@pytest.fixture
def counter(desk: Desk) -> Counter:
    """Somebody who asks it."""
    return Counter(desk)


class TestANewGame:
    async def test_in_a_group_waits_for_whoever_joins(self, counter: Counter) -> None:
        """The opener is seat 0; the message in the group is a view."""
        table = await counter.open("")
        assert table.seats == (ANN, None)
        (view,) = await counter.desk.tables.views(table.id)
        assert (view.platform, view.chat, view.language) == ("tg", "-100", "en")
        settings = table.game.settings
        assert (settings.protocol, settings.foul_mode, settings.draw) == ("free", FoulMode.CLAIM, Draw.GUESS)
        assert (settings.clock, settings.rated) == ("idle:3d", False)

    async def test_in_private_is_against_the_engine(self, counter: Counter) -> None:
        """Unless a friend was asked for; the person guesses."""
        assert (await counter.open("", place=PRIVATE)).seats == (Machine(level=3), ANN)
        assert (await counter.open("7", place=PRIVATE)).seats == (Machine(level=7), ANN)
        assert (await counter.open("friend", place=PRIVATE)).seats == (ANN, None)

    @pytest.mark.parametrize("protocol", [name for name in ALL_PROTOCOLS if name != "designated"])
    async def test_can_have_every_protocol(self, counter: Counter, protocol: str) -> None:
        """By its id."""
        assert (await counter.open(f"{protocol} engine 3")).game.settings.protocol == protocol

    async def test_can_have_every_option(self, counter: Counter) -> None:
        """In any order, with clock and colours."""
        typed = "20m+60s rif move2_by=white exclude=D4,I7 no_pass rated symmetry=board wrong_claims=5 parity_cn"
        agreed = (await counter.open(typed)).game.settings
        assert (agreed.move2_by, agreed.exclude, agreed.no_pass, agreed.rated) == ("white", ("D4", "I7"), True, True)
        assert (agreed.symmetry, agreed.wrong_claims, agreed.clock) == ("board", 5, "20m+1m")
        assert (agreed.draw, agreed.first) == (Draw.PARITY_CN, 0)

    async def test_delivered_twice_is_one(self, counter: Counter) -> None:
        """The source names the request."""
        first = done(await counter.desk.new_game(ANN, GROUP, "", source="tg:update:1"))
        again = done(await counter.desk.new_game(ANN, GROUP, "", source="tg:update:1"))
        assert first.id == again.id
        assert len(await counter.desk.tables.tables_of(ANN.id)) == 1

    async def test_by_unknown_words_is_none(self, counter: Counter) -> None:
        """The nearest choices first, then the list."""
        said = told(await counter.desk.new_game(ANN, GROUP, "tarakuchi", source="x"))
        assert said.index("Did you mean taraguchi_10") < said.index("You can use:")
        assert "parity_jp" in said
        said = told(await counter.desk.new_game(BEN, GROUP, "xyzzy", source="y"))
        assert "xyzzy" in said
        assert "Did you mean" not in said
        assert await counter.desk.tables.tables_of(ANN.id) == []

    @pytest.mark.parametrize(
        ("typed", "says"),
        [
            ("k_max=8", "yamaguchi"),
            ("rif free_first", "free_first"),
            ("exact_five", "freestyle"),
            ("pro no_offbook", "no_offbook"),
            ("free five_offers=0", "designated"),
            ("move2_by=black", "rif"),
            ("rif k_max=12", "yamaguchi"),
            ("wrong_claims=226", "225"),
            ("wrong_claims=many", "number"),
            ("symmetry=round", "local, board"),
            ("no_pass=perhaps", "yes, no"),
            ("9h+1s", "20m+60s"),
            ("exclude=D99", "D9"),
            ("designated opening=kagetu", "D4"),
        ],
    )
    async def test_by_contradictory_words_is_none(self, counter: Counter, typed: str, says: str) -> None:
        """The sentence says which."""
        assert says in told(await counter.desk.new_game(ANN, GROUP, typed, source="x"))

    async def test_with_a_designated_opening_asks_which(self, counter: Counter) -> None:
        """All 26 in words, and each ready to be chosen."""
        answer = await counter.desk.new_game(ANN, GROUP, "designated blocked", source="x")
        assert "D4 Kagetsu" in told(answer)
        assert isinstance(answer, Notice)
        assert len(answer.choices) == 26
        chosen = next(choice for choice in answer.choices if choice.label.startswith("I7 "))
        agreed = (await counter.open(chosen.typed)).game.settings
        assert (agreed.protocol, agreed.opening, agreed.foul_mode) == ("designated", "I7", FoulMode.BLOCKED)
        assert len((await counter.open("designated 花月 five_offers black")).game.state.stones) == 3

    async def test_can_keep_its_seat_for_somebody(self, counter: Counter) -> None:
        """Others are told that it is taken."""
        table = done(await counter.desk.new_game(ANN, GROUP, "friend", source="x", reserved=BEN.id))
        assert told(await counter.desk.join(CAT, table.id, source="y")) == "Both seats are taken."
        assert done(await counter.desk.join(BEN, table.id, source="z")).seats == (ANN, BEN)


class TestJoining:
    async def test_takes_the_free_seat_once(self, counter: Counter) -> None:
        """The third is told so; the opener cannot play themselves."""
        table = await counter.open()
        assert told(await counter.desk.join(ANN, table.id, source="a")).startswith("You sit at this table already")
        assert done(await counter.desk.join(BEN, table.id, source="b")).seats == (ANN, BEN)
        assert told(await counter.desk.join(CAT, table.id, source="c")) == "Both seats are taken."
        again = done(await counter.desk.join(BEN, table.id, source="d"))
        assert (again.seats, len(again.game.record)) == ((ANN, BEN), 0), "pressed twice, nothing is wrong"

    async def test_a_table_that_is_over_or_gone_cannot_be_joined(self, counter: Counter) -> None:
        """Each has its sentence."""
        table = await counter.open()
        done(await counter.desk.command(ANN, "cancel", table=table.id))
        assert told(await counter.desk.join(CAT, table.id, source="a")).startswith("This challenge was withdrawn.")
        assert told(await counter.desk.join(CAT, "aaaaaaaaaa", source="b")) == "This game no longer exists."


class TestPressing:
    async def test_plays_by_a_current_board(self, counter: Counter) -> None:
        """The message is a view of the table, the rev is the newest."""
        table = await counter.pair()
        await counter.sent(table, "7")
        table = done(await counter.press(ANN, table, "place-h8"))
        assert [name(stone.point) for stone in table.game.state.stones] == ["h8"]

    @pytest.mark.parametrize(
        "wire", ["", "x", "....", "abcdefghij.0.fly", "abcdefghij.0.place-z9", "abcdefghij.0.flag-0"]
    )
    async def test_a_forged_button_means_nothing(self, counter: Counter, wire: str) -> None:
        """Whatever stands in it: an alert, and nothing happens."""
        table = await counter.pair()
        await counter.sent(table, "7")
        answer = await counter.desk.press(
            ANN, wire.replace("abcdefghij", table.id), place=GROUP, message="7", source="x"
        )
        assert told(answer) == "This button means nothing here."
        assert isinstance(answer, Notice)
        assert answer.alert

    @pytest.mark.parametrize("data", ["flag-0", "credit-99999", "remind"])
    async def test_the_referee_presses_no_buttons(self, counter: Counter, data: str) -> None:
        """Nobody raises a flag or gives time by hand."""
        table = await counter.pair()
        await counter.sent(table, "7")
        assert told(await counter.press(ANN, table, data)) == "This button means nothing here."

    async def test_a_copy_of_a_board_is_old(self, counter: Counter) -> None:
        """Another message, or a message of another table: its buttons go."""
        table, other = await counter.pair(), await counter.pair()
        await counter.sent(table, "7")
        for answer in (
            await counter.press(ANN, table, "place-h8", message="8"),
            await counter.press(ANN, other, "place-h8", message="7"),
        ):
            assert told(answer).startswith("This is an old copy of the board.")
            assert isinstance(answer, Notice)
            assert answer.retire

    async def test_of_a_stranger_does_nothing(self, counter: Counter) -> None:
        """Only who holds a seat plays; the other seat's buttons are refused, too."""
        table = await counter.pair()
        await counter.sent(table, "7")
        assert told(await counter.press(CAT, table, "place-h8")) == "Only the two players of this game can do that."
        assert told(await counter.press(BEN, table, "place-h8")) == explain(
            words("zh_Hans"), Refusal(Why.NOT_YOUR_TURN)
        )

    async def test_of_an_older_rev_has_been_overtaken(self, counter: Counter) -> None:
        """A button means the board that it was under."""
        table = await counter.pair()
        await counter.sent(table, "7")
        done(await counter.press(ANN, table, "place-h8"))
        assert told(await counter.press(ANN, table, "draw_offer")).startswith("The game has moved on since")

    async def test_of_a_finished_game_is_late(self, counter: Counter) -> None:
        """It says that the game is over, whatever the button; a rematch it still gives."""
        table = await counter.play(await counter.pair(), (ANN, "h8"), (BEN, "h9"))
        await counter.sent(table, "7")
        over = done(await counter.desk.command(ANN, "resign", table=table.id))
        for data in ("place-j9", "claim", "draw_accept", "cancel", "withdraw"):
            assert told(await counter.press(ANN, table, data)) == "This game is over."
        done(await counter.press(ANN, over, "rematch"))

    async def test_of_a_table_that_is_gone_retires_it(self, counter: Counter) -> None:
        """Nothing can come of it any more."""
        answer = await counter.desk.press(ANN, "aaaaaaaaaa.0.join", place=GROUP, message="7", source="x")
        assert isinstance(answer, Notice)
        assert answer.retire

    async def test_joins_and_withdraws(self, counter: Counter) -> None:
        """The opener alone takes the table back."""
        table = await counter.open()
        await counter.sent(table, "7")
        assert told(await counter.press(CAT, table, "withdraw")) == "Only the two players of this game can do that."
        joined = done(await counter.press(BEN, table, "join"))
        assert joined.seats == (ANN, BEN)
        other = await counter.open()
        await counter.sent(other, "8")
        assert done(await counter.press(ANN, other, "withdraw", message="8")).game.outcome is not None

    async def test_to_add_two_stones_asks_for_both_points(self, counter: Counter) -> None:
        """The button, and the first tap of two, say what is missing; the second tap does it."""
        table = await counter.pair("friend black swap2")
        table = await counter.play(table, (ANN, "h8"), (ANN, "h9"), (ANN, "a1"))
        await counter.sent(table, "7")
        assert "add h9 i9" in told(await counter.press(ANN, table, "add"))
        assert "add k4 i9" in told(await counter.press(ANN, table, "add-k4"))
        assert len(done(await counter.press(BEN, table, "add-k4-l4")).game.state.stones) == 5


class TestARematch:
    async def over(self, counter: Counter, typed: str = "friend black") -> Table:
        table = await counter.play(await counter.pair(typed), (ANN, "h8"), (BEN, "h9"))
        await counter.sent(table, "7")
        return done(await counter.desk.command(ANN, "resign", table=table.id))

    async def test_is_one_with_the_seats_exchanged(self, counter: Counter) -> None:
        """However often it is pressed, by either; the opponent's press takes the kept seat (R2.3)."""
        over = await self.over(counter)
        assert over.game.state.p1 == 0
        first = done(await counter.press(BEN, over, "rematch"))
        again = done(await counter.press(BEN, over, "rematch"))
        assert first.id == again.id
        assert first.reserved == ANN.id
        assert told(await counter.desk.join(CAT, first.id, source="c")) == "The free seat is kept for Ann."
        both = done(await counter.press(ANN, over, "rematch"))
        assert both.id == first.id
        assert both.seats == (ANN, BEN)
        assert both.game.state.p1 == 1
        assert (await counter.desk.tables.tables_of(ANN.id)).count(first.id) == 1

    async def test_against_the_engine_begins_at_once(self, counter: Counter) -> None:
        """The engine keeps its seat and its level."""
        table = await counter.open("engine 3 black", place=GROUP)
        await counter.sent(table, "7")
        over = done(await counter.desk.command(ANN, "cancel", table=table.id))
        again = done(await counter.press(ANN, over, "rematch"))
        assert again.seats == (Machine(level=3), ANN)
        assert again.game.state.p1 == 0

    async def test_is_for_the_two_players_and_after_the_end(self, counter: Counter) -> None:
        """A watcher, and a game that still runs."""
        over = await self.over(counter)
        assert told(await counter.press(CAT, over, "rematch")) == "Only the two players of this game can do that."
        running = await counter.pair()
        await counter.sent(running, "9")
        assert told(await counter.press(ANN, running, "rematch", message="9")) == "This game is not over yet."


class TestTypedWords:
    async def test_play_through_the_decisions_of_a_protocol(self, counter: Counter) -> None:
        """Points, a number, a swap, several offers, a letter."""
        table = await counter.pair("friend black yamaguchi")
        table = await counter.play(
            table,
            (ANN, "h8"),
            (ANN, "H9"),
            (ANN, "i9"),
            (ANN, "declare 2"),
            (BEN, "交换"),
            (ANN, "g7"),
            (BEN, "g8 f8"),
            (ANN, "B"),
            (ANN, "a1"),
        )
        assert table.game.state.phase == "done"
        assert [name(stone.point) for stone in table.game.state.stones] == ["h8", "h9", "i9", "g7", "f8", "a1"]

    async def test_mean_the_only_game_that_runs_here(self, counter: Counter) -> None:
        """Of several that where the person is to move; else they are asked."""
        assert told(await counter.say(ANN, "h8")).startswith("You have no game running here.")
        one = await counter.pair()
        assert done(await counter.say(ANN, "h8")).id == one.id
        two = await counter.pair()
        assert done(await counter.say(ANN, "h8")).id == two.id, "only there it is her turn"
        assert told(await counter.say(ANN, "h9")).startswith("You have several games here.")
        assert done(await counter.say(BEN, "h9", one)).id == one.id
        elsewhere = Place(platform="tg", chat="-200")
        assert told(await counter.say(ANN, "h8", place=elsewhere)).startswith("You have no game running here.")

    async def test_that_are_no_move_say_why(self, counter: Counter) -> None:
        """Each mistake has its sentence."""
        table = await counter.pair()
        for typed, says in (
            ("8h", "Write the letter first: H8."),
            ("", "Nothing was written."),
            ("P16", "A to O"),
            ("hello", "is not a point"),
            ("h8 h9", "is not a point"),
            ("swap", "only when that is asked"),
            ("take black", "A colour cannot be taken"),
            ("take red", "That is not an action of this game."),
            ("declare", "That is not an action of this game."),
            ("declare 3", "is not asked at this step"),
            ("offer ten", "instead of a swap"),
            ("add h8 h9", "cannot be added"),
            ("odd", "nothing to guess"),
            ("hide 3", "no stones to hide"),
            ("resign", "is not a point"),
            ("claim", "after the opening steps"),
        ):
            assert says in told(await counter.say(ANN, typed, table)), typed

    async def test_hide_stones_without_telling_how_many(self, counter: Counter) -> None:
        """hide alone takes a number that nobody has read."""
        table = await counter.pair("friend parity_jp")
        table = await counter.play(table, (ANN, "hide"), (BEN, "hide 4"))
        assert table.game.state.p1 is not None
        assert 1 <= table.game.record[0].action.number <= 10


class TestCommands:
    async def test_offer_and_answer(self, counter: Counter) -> None:
        """draw and undo answer what the other side has asked."""
        table = await counter.play(await counter.pair(), (ANN, "h8"), (BEN, "h9"))
        command = counter.desk.command
        table = done(await command(ANN, "undo", table=table.id))
        table = done(await command(BEN, "undo", table=table.id))
        assert len(table.game.state.stones) == 0
        table = await counter.play(table, (ANN, "h8"), (BEN, "h9"))
        table = done(await command(ANN, "draw", table=table.id))
        assert told(await command(ANN, "draw", table=table.id)) == "Your draw offer still stands."
        table = done(await command(BEN, "draw", "please", table=table.id))
        assert table.game.outcome is not None

    @pytest.mark.parametrize(
        ("name", "early", "late"),
        [
            ("cancel", "cancelled", "can no longer be cancelled"),
            ("leave", "cancelled", "left"),
            ("resign", "you can only cancel", "resigned"),
        ],
    )
    async def test_end_games(self, counter: Counter, name: str, early: str, late: str) -> None:
        """Before the second stone, and after it."""
        fresh = await counter.pair()
        answer = await counter.desk.command(ANN, name, table=fresh.id)
        assert early in (answer.text if isinstance(answer, Notice) else str(answer.table.game.outcome))
        played = await counter.play(await counter.pair(), (ANN, "h8"), (BEN, "h9"))
        answer = await counter.desk.command(ANN, name, table=played.id)
        assert late in (answer.text if isinstance(answer, Notice) else str(answer.table.game.outcome))

    async def test_with_words_after_them(self, counter: Counter) -> None:
        """As a chat command and its argument."""
        table = await counter.pair("friend black swap")
        table = await counter.play(table, (ANN, "a1"), (ANN, "b2"), (ANN, "c3"))
        table = done(await counter.desk.command(BEN, "take", "black", table=table.id))
        assert table.game.state.black == 1

    async def test_nobody_knows_are_said_to_be_unknown(self, counter: Counter) -> None:
        """Never an exception."""
        await counter.pair()
        assert "do not know that command" in told(await counter.desk.command(ANN, "fly", place=GROUP))

    async def test_bring_the_board_down(self, counter: Counter) -> None:
        """A new view at the end of the chat; the old messages there retire, those elsewhere stay."""
        table = await counter.pair()
        old = await counter.sent(table, "7")
        elsewhere = View(id="else", platform="tg", chat="-200", message="3")
        await counter.desk.tables.attach(table.id, elsewhere)
        answer = await counter.desk.command(ANN, "board", place=GROUP)
        assert isinstance(answer, Done)
        assert [view.id for view in answer.retired] == [old.id]
        views = {view.id: view for view in await counter.desk.tables.views(table.id)}
        assert old.id not in views
        assert "else" in views
        assert sorted(view.message for view in views.values()) == ["", "3"]
        assert await counter.desk.tables.view_at("tg", "-100", "7") is None
        nowhere = await counter.desk.command(ANN, "board", table=table.id)
        assert isinstance(nowhere, Done)
        assert nowhere.retired == ()

    async def test_of_a_table_that_is_gone(self, counter: Counter) -> None:
        """By its id."""
        assert told(await counter.desk.command(ANN, "claim", table="aaaaaaaaaa")) == "This game no longer exists."

    async def test_of_a_stranger_at_a_given_table(self, counter: Counter) -> None:
        """Replying to a board is not sitting at it."""
        table = await counter.pair()
        assert (
            told(await counter.desk.move(CAT, "h8", table=table.id)) == "Only the two players of this game can do that."
        )
        assert told(await counter.desk.command(CAT, "draw", table=table.id)).startswith("Only the two players")


class TestAskingAboutAGame:
    """Which game ``/why`` means."""

    async def test_the_newest_one_here_in_which_a_stone_lies(self, counter: Counter) -> None:
        """In a group that of the group, in private one's own; over or not."""
        first = await counter.play(await counter.pair(), (ANN, "h8"))
        await counter.pair()  # no stone yet
        for who, place in ((ANN, GROUP), (CAT, GROUP), (ANN, PRIVATE)):
            found = await counter.desk.asked_about(who, None, place)
            assert isinstance(found, Table)
            assert found.id == first.id
        assert "no game here" in told_of(await counter.desk.asked_about(CAT, None, PRIVATE))

    async def test_the_one_that_is_named(self, counter: Counter) -> None:
        """Wherever it is played."""
        first = await counter.play(await counter.pair(), (ANN, "h8"))
        await counter.play(await counter.pair(), (ANN, "h8"), (BEN, "h9"))
        found = await counter.desk.asked_about(CAT, first.id, PRIVATE)
        assert isinstance(found, Table)
        assert found.id == first.id
        assert "no game here" in told_of(await counter.desk.asked_about(CAT, "aaaaaaaaaa", GROUP))

    async def test_several_games_are_told_apart_as_the_platform_can(self, counter: Counter) -> None:
        """Where nobody can reply to a board, nobody is asked to."""
        for _ in range(2):
            await counter.pair()
        assert "Reply to the board" in told_of(await counter.desk.find(ANN, None, GROUP))
        silent = Place(platform="tg", chat="-100", replies=False)
        assert "option game" in told_of(await counter.desk.find(ANN, None, silent))


def told_of(answer: Table | Notice) -> str:
    """What was said instead of a table."""
    assert isinstance(answer, Notice), answer
    return answer.text
