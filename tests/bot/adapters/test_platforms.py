"""What a player can do on one platform, they can do on the other: tables of both, made from what they really offer.

Every table is made from the adapters themselves: from the scenes of games in every protocol, from the registered
commands, from the fields of preferences and cards. What is missing on one side needs a reason in :data:`EXCUSED`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from discord import app_commands
from hypothesis import given, settings

from bot import newgame
from bot.adapters.discord import card as discord_card
from bot.adapters.discord import commands as discord_commands
from bot.adapters.discord import panel as discord_panel
from bot.adapters.discord import picker
from bot.adapters.discord.layout import board
from bot.adapters.discord.preferences import OfPerson, OfServer, changed_person, changed_server
from bot.adapters.telegram import card as telegram_card
from bot.adapters.telegram import keypad
from bot.adapters.telegram.naming import LISTED as TELEGRAM_COMMANDS
from bot.adapters.telegram.preferences import Preferred
from bot.adapters.telegram.preferences import changed as changed_on_telegram
from bot.scene import Button, Scene, Viewer, unpack
from bot.words import words
from bot.words.choices import CLOCKS
from core.game import Act, Settings, new_game
from core.notation import name
from tests.bot.adapters.test_discord_layout import scenes
from tests.bot.moments import somebody_does
from tests.bot.scenes import scene
from tests.bot.test_ways import AGREED
from tests.fakes.discord.facts import walk

#: The words of each platform for the way to a point; everything else is an action, a command or a question.
_TELEGRAM_WAYS = ("col", "win", "back", "place", "offer")
_DISCORD_WAYS = ("pick", "type")
#: Acts of the referee, whom nobody plays.
_REFEREE = (Act.FLAG, Act.CREDIT, Act.REMIND, Act.EXPIRE)

#: What one platform has alone, and why.
EXCUSED: Mapping[tuple[str, str], str] = {
    ("command", "join"): "on Telegram one joins a game that was opened elsewhere by following a link",
    ("setting", "quiet"): "silent messages are a server's wish; on Telegram everybody mutes the chat for themselves",
    ("setting", "channels"): "a server has many channels; a group is one",
    ("setting", "roles"): "Telegram has no roles",
}


@dataclass(frozen=True)
class Row:
    """One thing that a player can do, and where."""

    kind: str
    name: str
    telegram: bool
    discord: bool


def rows(kind: str, telegram: set[str], discord: set[str]) -> list[Row]:
    """The table of both."""
    return [Row(kind, name, name in telegram, name in discord) for name in sorted(telegram | discord)]


def missing(table: list[Row]) -> list[Row]:
    """What one side lacks without an excuse."""
    return [row for row in table if not (row.telegram and row.discord) and (row.kind, row.name) not in EXCUSED]


# -- actions -----------------------------------------------------------------------------------------------------------


def on_discord(scene: Scene, language: str) -> set[str]:
    """What the buttons of a board do on Discord."""
    parts: list[dict[str, Any]] = board(scene, words(language)).to_components()  # type: ignore[no-untyped-call]
    wires = [unpack(part["custom_id"][2:]) for part in walk(parts) if part.get("custom_id")]
    assert None not in wires
    return {wire[2] for wire in wires if wire is not None}


def on_telegram(scene: Scene) -> set[str]:
    """What the buttons of a board do on Telegram."""
    markup = keypad.board(scene)
    rows = () if markup is None else markup.inline_keyboard
    wires = [unpack(str(button.callback_data)) for row in rows for button in row]
    assert None not in wires
    return {wire[2] for wire in wires if wire is not None}


def _heads(wires: set[str]) -> set[str]:
    """The kinds of action: a question is the action that it asks about."""
    return {wire.removeprefix("ask-").partition("-")[0] for wire in wires}


def by_points_on_discord(scene: Scene) -> set[str]:
    """What the private choice of a point leads to, at the end of it."""
    if scene.entry is None or not scene.entry.points:
        return set()
    at = min(scene.entry.points)
    parts: list[dict[str, Any]] = picker.seen(scene, words("en"), at).to_components()  # type: ignore[no-untyped-call]
    wires = [unpack(part["custom_id"][2:]) for part in walk(parts) if part.get("custom_id", "")[:2] in ("a:", "p:")]
    return _heads({wire[2] for wire in wires if wire is not None}) & {act.value for act in Act}


def by_points_on_telegram(scene: Scene) -> set[str]:
    """What the keypad leads to."""
    if scene.entry is None or not scene.entry.points:
        return set()
    column = name(min(scene.entry.points))[0]
    markup = keypad.rows(scene, column, words("en"))
    assert markup is not None
    wires = [unpack(str(button.callback_data)) for row in markup.inline_keyboard for button in row]
    return _heads({wire[2] for wire in wires if wire is not None}) & {act.value for act in Act}


def moments(agreements: Sequence[Settings]) -> Iterator[Scene]:
    """Games by these agreements, played at random, as everybody sees them."""
    for agreed in agreements:
        for seed in range(2):
            game, chance = new_game(agreed), random.Random(seed)
            for _ in range(30):
                yield scene(game, Viewer("en", public=True))
                if game.outcome is not None:
                    break
                game = somebody_does(game, chance, 0)


#: Every act but the referee's; leaving is a command on both, see below.
ACTS = {act.value for act in Act if act not in (*_REFEREE, Act.LEAVE)}


def actions(agreements: Sequence[Settings]) -> list[Row]:
    """The table of all acts that can be done by buttons and points in games by these agreements."""
    telegram: set[str] = set()
    discord: set[str] = set()
    for moment in moments(agreements):
        telegram |= _heads(on_telegram(moment)) | by_points_on_telegram(moment)
        discord |= _heads(on_discord(moment, "en")) | by_points_on_discord(moment)
    return rows("action", telegram & ACTS, discord & ACTS)


def test_every_action_of_every_protocol_is_on_both_platforms() -> None:
    """None lacks on one of them, and none has been forgotten here."""
    table = actions(AGREED)
    assert missing(table) == []
    assert {row.name for row in table} == ACTS


@settings(max_examples=150, deadline=None)
@given(scenes())
def test_every_button_is_on_both_platforms(seen: tuple[Scene, str]) -> None:
    """Each moment of each game: the same decisions, answers, claims, questions; and points can be entered on both."""
    scene, language = seen
    discord, telegram = on_discord(scene, language), on_telegram(scene)
    by_points = scene.entry is not None and scene.entry.act not in (Act.CHOOSE, Act.ADD)
    assert {does for does in discord if does.partition("-")[0] not in _DISCORD_WAYS} == {
        does for does in telegram if not (by_points and does.partition("-")[0] in _TELEGRAM_WAYS)
    }
    assert any(does in _DISCORD_WAYS for does in discord) == (scene.entry is not None)
    if by_points:
        assert any(does.partition("-")[0] in _TELEGRAM_WAYS for does in telegram)


# -- commands, settings, the card --------------------------------------------------------------------------------------


def registered() -> set[str]:
    """The commands that are really in Discord's tree."""
    added: list[app_commands.Command[Any, ..., Any]] = []

    class Tree:
        def add_command(self, command: Any) -> None:
            if isinstance(command, app_commands.Command):  # the rest stands in menus
                added.append(command)

    class Anything:
        def __getattr__(self, name: str) -> Any:
            async def complete(interaction: Any, current: str) -> list[Any]:
                return []

            return Anything() if name in ("opening", "informing") else complete

    discord_commands.add_commands(Tree(), Anything(), Anything())  # type: ignore[arg-type]
    return {command.name for command in added}


def test_every_command_is_on_both_platforms() -> None:
    """Telegram lists these; on Discord they are registered, and listed in its help."""
    assert registered() == set(discord_commands.LISTED)
    assert missing(rows("command", set(TELEGRAM_COMMANDS), registered())) == []


def test_every_setting_is_on_both_platforms() -> None:
    """By what it is about; and each is in a panel and changes something."""
    telegram = {field.name for field in msgspec.structs.fields(Preferred)}
    called = {"at_once": "confirm"}
    fields = [*msgspec.structs.fields(OfPerson), *msgspec.structs.fields(OfServer)]
    discord = {called.get(field.name, field.name) for field in fields}
    assert missing(rows("setting", telegram, discord)) == []
    personal = {field.name for field in msgspec.structs.fields(OfPerson)}
    assert telegram <= {called.get(name, name) for name in personal}, "what Telegram offers a person, Discord does"
    shown = discord_panel.panel(words("en"), OfPerson(), OfServer())
    selects = {
        part["custom_id"].partition(":")[2]: [option["value"] for option in part.get("options", [])]
        for part in walk(shown.to_components())  # type: ignore[no-untyped-call]
        if part.get("custom_id")
    }
    assert set(selects) == {*discord_panel.PERSONS, *discord_panel.SERVERS}
    for which in discord_panel.PERSONS:
        assert len({changed_person(OfPerson(), which, [value]) for value in selects[which]}) == len(selects[which])
    for which in discord_panel.SERVERS:
        values = selects[which] or ["1", "2"]
        assert len({changed_server(OfServer(), which, [value]) for value in values}) == len(values)
    for which in ("language", "style", "policy", "wait"):
        for value in selects[which]:
            there = {"call": "reply"}.get(value, value)  # a line on Discord is a reply on Telegram
            usual = value in ("auto", "wood", "edit", "3d")
            assert (changed_on_telegram(Preferred(), which, there) == Preferred()) == usual


def test_every_choice_of_a_new_game_is_on_both_platforms() -> None:
    """The cards offer the same; and so do the options of Discord's command."""
    telegram = {
        *("friend", *(str(level) for level in newgame.LEVELS)),
        *telegram_card.PROTOCOLS,
        *(mode.value for mode in telegram_card.MODES),
        *newgame.BEGINS,
        *CLOCKS,
    }
    discord = {value for choices in discord_card.CHOICES.values() for value in choices}
    assert missing(rows("choice", telegram, discord)) == []


@pytest.mark.parametrize("kind", ["command", "setting", "choice", "action"])
@pytest.mark.parametrize("lost_on", ["telegram", "discord"])
def test_the_tables_can_fail(kind: str, lost_on: str) -> None:
    """What only one side has is found."""
    both = {"one", "two"}
    table = rows(kind, both - {"two"}, both) if lost_on == "telegram" else rows(kind, both, both - {"two"})
    assert [row.name for row in missing(table)] == ["two"]


def test_a_button_that_is_lost_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if Discord's boards had no way to claim any more."""
    from bot.adapters.discord import layout

    groups = layout._groups

    def fewer(rows: Sequence[Sequence[Button]]) -> list[list[Button]]:
        left = [[button for button in row if button.data != "claim"] for row in rows]
        return groups([row for row in left if row])

    monkeypatch.setattr(layout, "_groups", fewer)
    assert [row.name for row in missing(actions(AGREED[:1]))] == ["claim"]


def test_every_excuse_is_needed() -> None:
    """A reason that has become untrue goes."""
    commands = rows("command", set(TELEGRAM_COMMANDS), registered())
    fields = [*msgspec.structs.fields(OfPerson), *msgspec.structs.fields(OfServer)]
    wanted = rows("setting", {f.name for f in msgspec.structs.fields(Preferred)}, {f.name for f in fields})
    lacking = {(row.kind, row.name) for row in (*commands, *wanted) if not (row.telegram and row.discord)}
    assert set(EXCUSED) <= lacking
