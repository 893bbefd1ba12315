"""Keyboards keep Telegram's limits, and every point is within reach."""

from __future__ import annotations

import json
from dataclasses import replace

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.adapters.telegram import keypad
from bot.adapters.telegram.keypad import Step, Stepped
from bot.adapters.telegram.keys import Keyboard, markup
from bot.desk import Choice
from bot.scene import BoardPicture, Button, Entry, Scene, Style, pack, unpack
from bot.words import LANGUAGES, words
from core.game import Act
from core.notation import COLUMNS, POINTS, Colour, name
from tests.fakes.telegram.facts import check_keyboard, checked

TABLE = "abcdefgh23"


def scene(points: frozenset[int] | None, act: Act = Act.PLACE, buttons: tuple[Button, ...] = ()) -> Scene:
    """A scene in which these points can be played."""
    return Scene(
        table=TABLE,
        rev=12345,
        title="",
        lines=(),
        alt="",
        picture=BoardPicture(),
        buttons=(buttons,) if buttons else (),
        entry=None if points is None else Entry(act, points, Colour.BLACK),
        over=False,
    )


def carried(keyboard: Keyboard | None) -> list[str]:
    """What the buttons carry, after the checks of the fake server; as the library would write it, too."""
    if keyboard is None:
        return []
    written = msgspec.json.encode(keyboard)
    library = markup(keyboard)
    assert library is not None
    assert json.loads(written) == library.to_dict()
    checked("sendMessage", {"chat_id": 1, "text": "x", "reply_markup": written.decode()}, {})
    check_keyboard(json.loads(written))
    wires = [unpack(button.callback_data) for row in keyboard.inline_keyboard for button in row]
    assert all(wire is not None and wire[:2] == (TABLE, 12345) for wire in wires)
    return [wire[2] for wire in wires if wire is not None]


@given(
    st.frozensets(st.integers(0, POINTS - 1)), st.sampled_from([Act.PLACE, Act.OFFER]), st.sampled_from([*LANGUAGES])
)
def test_exactly_the_playable_points_are_within_reach(points: frozenset[int], act: Act, language: str) -> None:
    """From the board's keyboard each playable point is one or two taps away, and no other point is."""
    shown = scene(points, act)
    reached = []
    for data in carried(keypad.board(shown)):
        step = keypad.read(pack(TABLE, 12345, data))
        if step is not None and step.step is Step.WINDOW:
            continue
        if step is None:
            reached.append(data)
            continue
        assert step.step is Step.COLUMN
        *rows, back = carried(keypad.rows(shown, step.word, words(language)))
        assert back == Step.BACK
        reached += rows
    assert sorted(reached) == sorted(f"{act.value}-{name(point)}" for point in points)


def test_the_whole_board_is_eight_columns_and_seven() -> None:
    """On an empty board the columns stand in two rows, with the way to the window in the last place; the rows of a
    column likewise, labelled as on the board.
    """
    shown = scene(frozenset(range(POINTS)))
    keyboard = keypad.board(shown)
    assert keyboard is not None
    assert [[b.text for b in row] for row in keyboard.inline_keyboard] == [list("ABCDEFGH"), [*"IJKLMNO", "🔍"]]
    keyboard = keypad.rows(shown, "h", words("en"))
    assert keyboard is not None
    assert [len(row) for row in keyboard.inline_keyboard] == [8, 7, 1]
    assert keyboard.inline_keyboard[0][0].text == "H1"
    assert keyboard.inline_keyboard[1][-1].text == "H15"


@settings(deadline=None, max_examples=30)
@given(
    st.frozensets(st.integers(0, POINTS - 1), min_size=17),
    st.sampled_from([Act.PLACE, Act.OFFER]),
    st.integers(0, POINTS - 1),
)
def test_the_window_reaches_every_playable_point(points: frozenset[int], act: Act, last: int) -> None:
    """Its arrows lead over the whole board; what cannot be played is no button that plays."""
    shown = replace(scene(points, act), picture=BoardPicture(((last, Colour.WHITE),), last=last))
    if keypad.board(shown, around=True) == keypad.board(shown):
        return  # so few that they all stand there
    reached: set[str] = set()
    seen = set[int | None]()
    corners: list[int | None] = [None]
    while corners:
        corner = corners.pop()
        if corner in seen:
            continue
        seen.add(corner)
        for data in carried(keypad.board(shown, around=True, corner=corner)):
            step = keypad.read(pack(TABLE, 12345, data))
            if step is None:
                reached.add(data)
            elif step.step is Step.WINDOW:
                corners.append(step.first)
            else:
                assert step.step in (Step.TAKEN, Step.COLUMNS)
    assert reached == {f"{act.value}-{name(point)}" for point in points}


def test_the_window_begins_around_the_last_stone() -> None:
    """Seven by seven, the far line on top; stones are drawn, not offered."""
    every = frozenset(range(POINTS)) - {112}
    shown = replace(scene(every), picture=BoardPicture(((112, Colour.BLACK),), last=112))
    keyboard = keypad.board(shown, around=True)
    assert keyboard is not None
    labels = [[b.text for b in row] for row in keyboard.inline_keyboard]
    assert labels[0] == [f"{column}11" for column in "EFGHIJK"]
    assert labels[3] == ["E8", "F8", "G8", "●", "I8", "J8", "K8"]
    assert labels[7] == ["◀", "▼", "▲", "▶", "A–O"]


def test_a_preview_carries_the_move() -> None:
    """One button plays the point, one leads back; nothing else can be tapped by mistake."""
    shown = scene(frozenset(range(POINTS)), buttons=(Button("Resign", "resign"),))
    for data in ("place-h8", "offer-a15", "add-h9-o15"):
        assert carried(keypad.preview(shown, data, words("en"))) == [f"do-{data}", "back"]
        assert keypad.read(pack(TABLE, 1, f"do-{data}")) == Stepped(TABLE, 1, Step.DO, data)
    for forged in ("do-resign", "do-", "do-claim", "win-p1", "win-j1", "win-a10", "win-", "cols-a", "taken-a"):
        assert keypad.read(pack(TABLE, 1, forged)) is None


def test_a_small_square_is_laid_out_like_the_board() -> None:
    """A few lines of the board stand there at once, the far one on top."""
    points = frozenset(row * 15 + column for row in (6, 7, 8) for column in (6, 7, 8)) - {112}
    keyboard = keypad.board(scene(points))
    assert keyboard is not None
    labels = [[b.text for b in row] for row in keyboard.inline_keyboard]
    assert labels == [["G9", "H9", "I9"], ["G8", "I8"], ["G7", "H7", "I7"]]


def test_two_stones_are_added_in_two_rounds() -> None:
    """Behind the button that adds them: the first point, then the second, which carries both."""
    every = frozenset(range(POINTS))
    adding = replace(scene(every, Act.ADD), entry=Entry(Act.ADD, every, Colour.WHITE, then=every))
    assert keypad.board(adding) is None
    *columns, back = carried(keypad.points(adding, words("en")))
    assert (len(columns), back) == (15, Step.BACK)
    *rows, back = carried(keypad.rows(adding, "h", words("en")))
    assert rows == [f"add-h{row}" for row in range(1, 16)]
    assert adding.entry is not None
    second = replace(adding, entry=adding.entry.after(127))
    *columns, back = carried(keypad.points(second, words("en")))
    assert columns[0] == "col-a-h9"
    *rows, back = carried(keypad.rows(second, "h", words("en")))
    assert rows == [f"add-h9-h{row}" for row in range(1, 16) if row != 9]


@given(st.text(max_size=80))
def test_only_a_choice_is_read_as_one(text: str) -> None:
    """What a choice carries comes back; nothing else is taken for one."""
    read = keypad.chosen(text)
    assert read is None or text.startswith("new:")
    made = keypad.choices([Choice("x", text)], 77)
    if made is not None:
        check_keyboard(made.to_dict())
        assert keypad.chosen(str(made.inline_keyboard[0][0].callback_data)) == ("tg:77", text)
        assert len(f"new:77:{text}".encode()) <= 64


def test_nobody_to_play_and_nothing_to_press_is_no_keyboard() -> None:
    """A message without buttons has none, rather than an empty keyboard."""
    assert keypad.board(scene(None)) is None


def test_offers_have_buttons_of_their_own() -> None:
    """Where one of the offers is chosen, their letters are the buttons; the points are not doubled."""
    offered = scene(frozenset({96, 97}), Act.CHOOSE, (Button("A", "choose-g7"), Button("B", "choose-h7")))
    assert carried(keypad.board(offered)) == ["choose-g7", "choose-h7"]


def test_a_button_that_asks_first_is_a_step() -> None:
    """Its question comes before its action; colours come along."""
    asking = Button("Resign", "resign", Style.DANGER, confirm="Resign?", yes="Yes resign", no="Play on")
    keyboard = keypad.board(scene(None, buttons=(asking, Button("Pass", "pass"))))
    assert carried(keyboard) == ["ask-resign", "pass"]
    assert keyboard is not None
    assert [b.style for b in keyboard.inline_keyboard[0]] == ["danger", None]


@given(st.text(max_size=70))
def test_forged_data_is_no_step(text: str) -> None:
    """Whatever a button carries, reading it does not fail."""
    read = keypad.read(text)
    assert read is None or isinstance(read, Stepped)


def test_steps_are_read_as_they_are_written() -> None:
    """Only whole and known steps count."""
    assert keypad.read(f"{TABLE}.7.col-h") == Stepped(TABLE, 7, Step.COLUMN, "h")
    assert keypad.read(f"{TABLE}.7.back") == Stepped(TABLE, 7, Step.BACK)
    assert keypad.read(f"{TABLE}.7.ask-resign") == Stepped(TABLE, 7, Step.ASK, "resign")
    assert keypad.read(f"{TABLE}.7.sure1-resign") == Stepped(TABLE, 7, Step.SURE, "resign", 1)
    assert keypad.read(f"{TABLE}.7.add") == Stepped(TABLE, 7, Step.ADD)
    assert keypad.read(f"{TABLE}.7.add-h9") == Stepped(TABLE, 7, Step.ADD, first=127)
    assert keypad.read(f"{TABLE}.7.col-j-h9") == Stepped(TABLE, 7, Step.COLUMN, "j", first=127)
    assert keypad.read(f"{TABLE}.7.add-h9-j10") is None
    for forged in (
        "col-",
        "col-h-",
        "col-h-p16",
        "add-",
        "col-p",
        "col-hh",
        "back-h",
        "ask-",
        "sure-resign",
        "sure2-resign",
        "place-h8",
        "join",
    ):
        assert keypad.read(f"{TABLE}.7.{forged}") is None
    assert len(COLUMNS) == 15
