"""What messages look like: a scene as components, and plain words.

Every view made here is stopped before it is sent. The library would keep a running one, and when it ends forget the
patterns of its items, after which no button in any message would work; the patterns are known to the client anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import discord
from discord import ui

from bot.adapters.discord.items import BoardButton, Step, key
from bot.adapters.discord.plain import plain
from bot.scene import Button, Scene, Style
from bot.words import Words
from core.game import Act

PICTURE: Final = "board.png"
#: How the lines write that a time is of no zone in particular.
_ZONES: Final = (" UTC", "（UTC）")
#: How many buttons stand in a row.
ROW: Final = 5
#: What a message holds in all its texts; a little is left for the backslashes of the last one.
_TEXT: Final = 3900
#: How long the words for readers without pictures may be.
ALT: Final = 1024

_STYLES: Final = {
    Style.PLAIN: discord.ButtonStyle.secondary,
    Style.PRIMARY: discord.ButtonStyle.primary,
    Style.SUCCESS: discord.ButtonStyle.success,
    Style.DANGER: discord.ButtonStyle.danger,
}


def board(
    scene: Scene, words: Words, *, guest: bool = False, more: Sequence[str] = (), moments: Sequence[int] = ()
) -> ui.LayoutView:
    """A table: words, picture and buttons. ``guest``: the bot cannot change the message by itself.

    ``more``: further lines, as Discord is to read them. ``moments``: milliseconds since 1970 that the lines may name;
    everybody reads them by the clock on their wall.
    """
    twin = "\n".join([f"**{plain(scene.title)}**", *(local(plain(line), moments) for line in scene.lines), *more])
    parts: list[ui.Item[Any]] = [ui.TextDisplay(twin), picture(scene.alt)]
    rows = [_board_row(scene, group) for group in _groups(scene.buttons)]
    entry = _entry(scene, words)
    if entry:
        rows.insert(0, ui.ActionRow(*entry))
    if guest:
        parts.append(ui.TextDisplay("-# " + plain(words.say("I am a guest here: Refresh shows the newest board."))))
        rows.append(ui.ActionRow(BoardButton(key(scene.table, scene.rev, Step.LOOK), label=words.say("Refresh"))))
    return made([*parts, *rows])


def written(moment: int) -> str:
    """How the lines write a moment, in milliseconds since 1970."""
    return datetime.fromtimestamp(moment // 1000, UTC).strftime("%Y-%m-%d %H:%M")


def local(line: str, moments: Sequence[int]) -> str:
    """A line that names one of these moments, with it as Discord shows times."""
    for moment in moments:
        for zone in _ZONES:
            before, found, after = line.rpartition(f"{written(moment)}{zone}")
            if found:
                return f"{before}<t:{moment // 1000}:f>{after}"
    return line


def picture(alt: str) -> ui.MediaGallery[Any]:
    """The attached picture of the board, with the words for readers without pictures."""
    return ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{PICTURE}", description=alt))


def said(text: str) -> ui.LayoutView:
    """Words alone."""
    return made([ui.TextDisplay(plain(cut(text)))])


def illustrated(text: str, alt: str) -> ui.LayoutView:
    """Words under a picture; ``alt``: what the picture shows."""
    return made([picture(alt[:ALT]), ui.TextDisplay(plain(cut(text)))])


def asked(question: str, answers: Sequence[ui.Item[Any]]) -> ui.LayoutView:
    """A question with its answers as buttons."""
    return made([ui.TextDisplay(plain(question)), ui.ActionRow(*answers)])


def made(parts: Iterable[ui.Item[Any]]) -> ui.LayoutView:
    """A view of these parts, stopped; see above."""
    view = ui.LayoutView(timeout=None)
    for part in parts:
        view.add_item(part)
    view.stop()
    return view


def _entry(scene: Scene, words: Words) -> list[ui.Item[Any]]:
    """The ways to a point: columns and rows, or typed."""
    if scene.entry is None:
        return []
    pick = BoardButton(
        key(scene.table, scene.rev, Step.PICK), label=words.say("Choose a point"), style=discord.ButtonStyle.primary
    )
    type_ = BoardButton(key(scene.table, scene.rev, Step.TYPE), label=words.say("Type a point"))
    # Adding two stones is one of several decisions, with a button of its own.
    return [type_] if scene.entry.act is Act.ADD else [pick, type_]


def _groups(rows: Sequence[Sequence[Button]]) -> list[list[Button]]:
    """The short rows of a scene in longer ones; only buttons of one kind come together."""
    groups: list[list[Button]] = []
    for row in rows:
        if groups and _alike(groups[-1][0], row[0]):
            groups[-1] += row
        else:
            groups.append(list(row))
    return [group[at : at + ROW] for group in groups for at in range(0, len(group), ROW)]


def _alike(one: Button, other: Button) -> bool:
    return one.data.partition("-")[0] == other.data.partition("-")[0]


def _board_row(scene: Scene, group: Sequence[Button]) -> ui.ActionRow[Any]:
    return ui.ActionRow(*(_board_button(scene, button) for button in group))


def _board_button(scene: Scene, button: Button) -> BoardButton:
    data = f"{Step.ASK}-{button.data}" if button.confirm else button.data
    return BoardButton(key(scene.table, scene.rev, data), label=button.label, style=_STYLES[button.style])


def cut(text: str) -> str:
    """A text that is too long for a message, cut."""
    return text if len(plain(text)) <= _TEXT else text[: _TEXT // 2] + "…"


def stripped(message: discord.Message) -> ui.LayoutView:
    """A message as it is, without its buttons."""
    parts: list[ui.Item[Any]] = []
    for component in message.components:
        if isinstance(component, discord.TextDisplay):
            parts.append(ui.TextDisplay(component.content))
        elif isinstance(component, discord.MediaGalleryComponent):
            parts.append(picture(component.items[0].description or ""))
    return made(parts)
