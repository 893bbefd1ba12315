"""A question that a request for a new game has left open, with its answers to be chosen from."""

from __future__ import annotations

from typing import Any, Final

import discord
from discord import ui

from bot.adapters.discord.items import ChoiceSelect
from bot.adapters.discord.layout import cut, made
from bot.adapters.discord.plain import plain
from bot.desk import Choice, Notice

#: How many options a select holds, how long the value of one may be, and its label.
_OPTIONS: Final = 25
_VALUE: Final = 100
_LABEL: Final = 100
#: How many selects there are at most; what is more is named in the text.
_SELECTS: Final = 4


def look(asked: Notice) -> ui.LayoutView:
    """The question and its answers. Answers that do not fit a select are to be typed: the text names all."""
    parts: list[ui.Item[Any]] = [ui.TextDisplay(plain(cut(asked.text)))]
    fitting = [choice for choice in asked.choices if len(choice.typed) <= _VALUE]
    if len(fitting) == len(asked.choices) <= _OPTIONS * _SELECTS:
        parts += [ui.ActionRow(_select(number, part)) for number, part in enumerate(_parts(fitting))]
    return made(parts)


def _parts(choices: list[Choice]) -> list[list[Choice]]:
    """The choices on as few selects as hold them, about as many on each."""
    if not choices:
        return []
    selects = -(-len(choices) // _OPTIONS)
    size = -(-len(choices) // selects)
    return [choices[at : at + size] for at in range(0, len(choices), size)]


def _select(number: int, choices: list[Choice]) -> ChoiceSelect:
    options = [discord.SelectOption(label=choice.label[:_LABEL], value=choice.typed) for choice in choices]
    return ChoiceSelect(str(number), placeholder=f"{choices[0].label} – {choices[-1].label}"[:150], options=options)
