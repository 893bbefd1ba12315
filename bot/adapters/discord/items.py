"""Buttons and selects that carry their whole meaning, so that they work after days and after a restart.

An id is a letter for the kind of item, and the wire text of :mod:`bot.scene`: table, rev, and what it does.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, Protocol, cast

import discord
from discord import ui

from bot.scene import pack

_PLAIN: Final = discord.ButtonStyle.secondary
#: Stands for an item of a message that has it no longer.
_MISSING: Final = ui.Button[Any](label="-")
#: How many channels or roles can be chosen.
_MOST_CHOSEN: Final = 25


class Step(StrEnum):
    """What an item does besides actions of the game and the commands of a scene."""

    PICK = "pick"  # on a board: open the choice of a point
    TYPE = "type"  # open the form to type a point
    LOOK = "look"  # bring the board to the newest state
    ASK = "ask"  # ask-resign: ask before it is done
    NO = "no"  # the answer no
    AXES = "axes"  # choose by column and row
    WINDOW = "win"  # win-h8: choose from the points around H8
    SEE = "see"  # see-h8: show a stone there before it is put
    COLUMN = "col"  # col-8: a select of columns; row 8 is chosen already (col-0: none)
    SHOW = "show"  # bring the board down to the end of this chat
    ADD = "add"  # add-h9-axes: as the rest, for the second of two stones, the first of which goes to H9
    ROW = "row"  # row-h: a select of rows; column H is chosen already (row-0: none)


class Hearing(Protocol):
    """Who takes what is done with items. Each method acknowledges and answers the interaction by itself."""

    async def board(self, interaction: discord.Interaction, wire: str) -> None:
        """A button of a board."""
        ...

    async def picked(self, interaction: discord.Interaction, wire: str, chosen: str) -> None:
        """A step in the private message where a point is chosen; ``chosen``: the value of a select."""
        ...

    async def sure(self, interaction: discord.Interaction, wire: str) -> None:
        """An answer in a private message: a point confirmed, a question answered."""
        ...

    async def turned(self, interaction: discord.Interaction, wire: str, chosen: str) -> None:
        """Something on the card of a new game; ``chosen``: the value of a select."""
        ...

    async def asked(self, interaction: discord.Interaction, typed: str) -> None:
        """One of the ways to go on with a request for a new game was chosen."""
        ...

    async def brought(self, interaction: discord.Interaction, wire: str) -> None:
        """A game of a list is to be shown."""
        ...

    async def preferred(self, interaction: discord.Interaction, name: str) -> None:
        """A preference was chosen."""
        ...


class Hears(Protocol):
    """The client that the items belong to."""

    hearing: Hearing


def key(table: str, rev: int, data: str) -> str:
    """The wire text of an item."""
    return pack(table, rev, data)


def _hearing(interaction: discord.Interaction) -> Hearing:
    return cast("Hears", interaction.client).hearing


def _chosen(interaction: discord.Interaction) -> str:
    """The value of the select that was used; empty: none."""
    values = cast("dict[str, Any]", interaction.data).get("values") or [""]
    return str(values[0])


class BoardButton(ui.DynamicItem[ui.Button[Any]], template=r"g:(?P<wire>.+)"):
    """A button under a board that everybody sees."""

    def __init__(self, wire: str, *, label: str, style: discord.ButtonStyle = _PLAIN) -> None:
        super().__init__(ui.Button(label=label, style=style, custom_id=f"g:{wire}"))

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction, item: ui.Item[Any], match: Any, /) -> BoardButton:
        """The button that was pressed."""
        return cls(match["wire"], label="-")

    async def callback(self, interaction: discord.Interaction) -> None:
        """Hand it on."""
        await _hearing(interaction).board(interaction, self.custom_id[2:])


class PickButton(ui.DynamicItem[ui.Button[Any]], template=r"p:(?P<wire>.+)"):
    """A button in the private message where a point is chosen."""

    def __init__(self, wire: str, *, label: str, style: discord.ButtonStyle = _PLAIN, disabled: bool = False) -> None:
        super().__init__(ui.Button(label=label, style=style, custom_id=f"p:{wire}", disabled=disabled))

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction, item: ui.Item[Any], match: Any, /) -> PickButton:
        """The button that was pressed."""
        return cls(match["wire"], label="-")

    async def callback(self, interaction: discord.Interaction) -> None:
        """Hand it on."""
        await _hearing(interaction).picked(interaction, self.custom_id[2:], "")


class PickSelect(ui.DynamicItem[ui.Select[Any]], template=r"s:(?P<wire>.+)"):
    """A select of columns or rows in the private message where a point is chosen."""

    def __init__(self, wire: str, *, placeholder: str, options: list[discord.SelectOption]) -> None:
        super().__init__(ui.Select(custom_id=f"s:{wire}", placeholder=placeholder, options=options))

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction, item: ui.Item[Any], match: Any, /) -> PickSelect:
        """The select that was used."""
        return cls(match["wire"], placeholder="-", options=[discord.SelectOption(label="-")])

    async def callback(self, interaction: discord.Interaction) -> None:
        """Hand it on."""
        await _hearing(interaction).picked(interaction, self.custom_id[2:], _chosen(interaction))


class SureButton(ui.DynamicItem[ui.Button[Any]], template=r"a:(?P<wire>.+)"):
    """An answer in a private message: a point confirmed, a question answered."""

    def __init__(self, wire: str, *, label: str, style: discord.ButtonStyle = _PLAIN) -> None:
        super().__init__(ui.Button(label=label, style=style, custom_id=f"a:{wire}"))

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction, item: ui.Item[Any], match: Any, /) -> SureButton:
        """The button that was pressed."""
        return cls(match["wire"], label="-")

    async def callback(self, interaction: discord.Interaction) -> None:
        """Hand it on."""
        await _hearing(interaction).sure(interaction, self.custom_id[2:])


class ListButton(ui.DynamicItem[ui.Button[Any]], template=r"l:(?P<wire>.+)"):
    """A game of a list, in a private message."""

    def __init__(self, wire: str, *, label: str, style: discord.ButtonStyle = _PLAIN) -> None:
        super().__init__(ui.Button(label=label, style=style, custom_id=f"l:{wire}"))

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction, item: ui.Item[Any], match: Any, /) -> ListButton:
        """The button that was pressed."""
        return cls(match["wire"], label="-")

    async def callback(self, interaction: discord.Interaction) -> None:
        """Hand it on."""
        await _hearing(interaction).brought(interaction, self.custom_id[2:])


class CardSelect(ui.DynamicItem[ui.Select[Any]], template=r"n:(?P<wire>.+)"):
    """A field of the card of a new game, with all of the card."""

    def __init__(self, wire: str, *, options: list[discord.SelectOption]) -> None:
        super().__init__(ui.Select(custom_id=f"n:{wire}", options=options))

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction, item: ui.Item[Any], match: Any, /) -> CardSelect:
        """The select that was used."""
        return cls(match["wire"], options=[discord.SelectOption(label="-")])

    async def callback(self, interaction: discord.Interaction) -> None:
        """Hand it on."""
        await _hearing(interaction).turned(interaction, self.custom_id[2:], _chosen(interaction))


class CardButton(ui.DynamicItem[ui.Button[Any]], template=r"b:(?P<wire>.+)"):
    """The end of the card, with all of it."""

    def __init__(self, wire: str, *, label: str, style: discord.ButtonStyle = _PLAIN) -> None:
        super().__init__(ui.Button(label=label, style=style, custom_id=f"b:{wire}"))

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction, item: ui.Item[Any], match: Any, /) -> CardButton:
        """The button that was pressed."""
        return cls(match["wire"], label="-")

    async def callback(self, interaction: discord.Interaction) -> None:
        """Hand it on."""
        await _hearing(interaction).turned(interaction, self.custom_id[2:], "")


class ChoiceSelect(ui.DynamicItem[ui.Select[Any]], template=r"q:(?P<part>\d+)"):
    """Ways to go on with a request for a new game; the value of each is all of the request."""

    def __init__(self, part: str, *, placeholder: str, options: list[discord.SelectOption]) -> None:
        super().__init__(ui.Select(custom_id=f"q:{part}", placeholder=placeholder, options=options))

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction, item: ui.Item[Any], match: Any, /) -> ChoiceSelect:
        """The select that was used."""
        return cls(match["part"], placeholder="-", options=[discord.SelectOption(label="-")])

    async def callback(self, interaction: discord.Interaction) -> None:
        """Hand it on."""
        await _hearing(interaction).asked(interaction, _chosen(interaction))


class PreferenceSelect(ui.DynamicItem[ui.Select[Any]], template=r"o:(?P<name>[a-z]+)"):
    """A preference with a few choices."""

    def __init__(self, name: str, *, options: list[discord.SelectOption]) -> None:
        super().__init__(ui.Select(custom_id=f"o:{name}", options=options))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: ui.Item[Any], match: Any, /
    ) -> PreferenceSelect:
        """The select that was used."""
        return cls(match["name"], options=[discord.SelectOption(label="-")])

    async def callback(self, interaction: discord.Interaction) -> None:
        """Hand it on."""
        await _hearing(interaction).preferred(interaction, self.custom_id[2:])


class PreferenceChannels(ui.DynamicItem[ui.ChannelSelect[Any]], template=r"oc:channels"):
    """Where games can be opened."""

    def __init__(self, *, placeholder: str, chosen: tuple[int, ...] = ()) -> None:
        defaults = [discord.Object(channel) for channel in chosen]
        super().__init__(
            ui.ChannelSelect(
                custom_id="oc:channels",
                placeholder=placeholder,
                min_values=0,
                max_values=_MOST_CHOSEN,
                default_values=[discord.SelectDefaultValue.from_channel(one) for one in defaults],
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: ui.Item[Any], match: Any, /
    ) -> PreferenceChannels:
        """The select that was used."""
        return cls(placeholder="-")

    async def callback(self, interaction: discord.Interaction) -> None:
        """Hand it on."""
        await _hearing(interaction).preferred(interaction, "channels")


class PreferenceRoles(ui.DynamicItem[ui.RoleSelect[Any]], template=r"or:roles"):
    """Who can open and join games."""

    def __init__(self, *, placeholder: str, chosen: tuple[int, ...] = ()) -> None:
        defaults = [discord.Object(role) for role in chosen]
        super().__init__(
            ui.RoleSelect(
                custom_id="or:roles",
                placeholder=placeholder,
                min_values=0,
                max_values=_MOST_CHOSEN,
                default_values=[discord.SelectDefaultValue.from_role(one) for one in defaults],
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: ui.Item[Any], match: Any, /
    ) -> PreferenceRoles:
        """The select that was used."""
        return cls(placeholder="-")

    async def callback(self, interaction: discord.Interaction) -> None:
        """Hand it on."""
        await _hearing(interaction).preferred(interaction, "roles")


#: What a client must know to understand every message of the bot.
ITEMS: Final = (
    BoardButton,
    PickButton,
    PickSelect,
    SureButton,
    ListButton,
    CardSelect,
    CardButton,
    ChoiceSelect,
    PreferenceSelect,
    PreferenceChannels,
    PreferenceRoles,
)


async def dispatch(interaction: discord.Interaction) -> bool:
    """Hand on what the library lets pass: an item that the message, as it is by now, has no longer.

    Somebody has seen the message as it was before, and waits for an answer. ``False``: it is no item of ours, but one
    of another version of the bot.
    """
    custom_id = cast("dict[str, Any]", interaction.data)["custom_id"]
    for kind in ITEMS:
        match = kind.__discord_ui_compiled_template__.fullmatch(custom_id)
        if match is not None:
            if not _is_there(interaction.message, custom_id):
                await (await kind.from_custom_id(interaction, _MISSING, match)).callback(interaction)
            return True
    return False


def _is_there(message: discord.Message | None, custom_id: str) -> bool:
    """Whether the library finds an item in a message. Then it hands it on."""
    if message is None:
        return False
    look = ui.LayoutView if message.flags.components_v2 else ui.View
    view = look.from_message(message, timeout=None)
    return any(getattr(child, "custom_id", None) == custom_id for child in view.walk_children())
