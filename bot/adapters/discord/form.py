"""The form in which a point is typed. It is known again by its id, so it can be sent after a restart, too."""

from __future__ import annotations

from typing import Any, Final

import discord
from discord import ui

from bot.session.table import Person
from bot.words import words

_PREFIX: Final = "m:"
#: The longest text that is taken: a dozen points.
_LONGEST: Final = 60


def ask_for_point(person: Person, wire: str) -> ui.Modal:
    """The form for a point at the table that ``wire`` names; stopped, so that the library keeps nothing."""
    say = words(person.language).say
    form = ui.Modal(title=say("Type a point"), custom_id=f"{_PREFIX}{wire}", timeout=None)
    field: ui.TextInput[Any] = ui.TextInput(custom_id="point", placeholder="H8", min_length=1, max_length=_LONGEST)
    form.add_item(ui.Label(text=say("Letter and number, such as H8"), component=field))
    form.stop()
    return form


def is_form(interaction: discord.Interaction) -> bool:
    """Whether one of these forms was sent."""
    data: Any = interaction.data or {}
    return interaction.type is discord.InteractionType.modal_submit and data["custom_id"].startswith(_PREFIX)


def typed_in(interaction: discord.Interaction) -> tuple[str, str]:
    """The wire text of a form, and what was typed. Both can be forged, also to be longer than the form lets them be."""
    data: Any = interaction.data or {}
    typed = [part["component"].get("value") or "" for part in data.get("components", ()) if "component" in part]
    return data["custom_id"].removeprefix(_PREFIX), typed[0][:_LONGEST] if typed else ""
