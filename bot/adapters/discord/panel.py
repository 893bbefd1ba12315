"""The private message in which preferences are changed: one select for each, and every choice takes effect at once."""

from __future__ import annotations

from typing import Any, Final

import discord
from discord import ui

from bot.adapters.discord.items import PreferenceChannels, PreferenceRoles, PreferenceSelect
from bot.adapters.discord.layout import made
from bot.adapters.discord.plain import plain
from bot.adapters.discord.preferences import OfPerson, OfServer
from bot.words import LANGUAGES, Words

#: The preferences that only who may manage the server can change.
SERVERS: Final = ("language", "style", "calls", "quiet", "channels", "roles")


def panel(words: Words, person: OfPerson, server: OfServer | None) -> ui.LayoutView:
    """The panel of one person; with ``server`` also that of the server which they may manage."""
    parts: list[ui.Item[Any]] = [_heading(words.say("Your own settings")), *_personal(words, person)]
    if server is not None:
        parts += [_heading(words.say("Settings of this server")), *_servers(words, server)]
    return made(parts)


def _heading(text: str) -> ui.TextDisplay[Any]:
    return ui.TextDisplay(f"**{plain(text)}**")


def _personal(words: Words, now: OfPerson) -> list[ui.Item[Any]]:
    styles = {"wood": words.say("My board: wood"), "dark": words.say("My board: dark")}
    ways = {
        "axes": words.say("I choose a point by columns and rows"),
        "around": words.say("I choose from the points around the play"),
    }
    return [
        _select("mystyle", styles[now.style], styles),
        _select("myway", ways["around" if now.around else "axes"], ways),
    ]


def _servers(words: Words, now: OfServer) -> list[ui.Item[Any]]:
    languages = {"auto": words.say("Boards in the language of whoever opens them"), **LANGUAGES}
    calls = {"off": words.say("Nobody is called"), "on": words.say("Who is to move is called")}
    quiet = {"off": words.say("New messages are heard"), "on": words.say("Quiet: no sound, no calls")}
    styles = {"wood": words.say("Board: wood"), "dark": words.say("Board: dark")}
    return [
        _select("language", languages[now.language or "auto"], languages),
        _select("style", styles[now.style], styles),
        _select("calls", calls["on" if now.calls else "off"], calls),
        _select("quiet", quiet["on" if now.quiet else "off"], quiet),
        ui.ActionRow(PreferenceChannels(placeholder=words.say("Games in every channel"), chosen=now.channels)),
        ui.ActionRow(PreferenceRoles(placeholder=words.say("Everybody can play"), chosen=now.roles)),
    ]


def _select(name: str, chosen: str, choices: dict[str, str]) -> ui.ActionRow[Any]:
    options = [
        discord.SelectOption(label=label, value=value, default=label == chosen) for value, label in choices.items()
    ]
    return ui.ActionRow(PreferenceSelect(name, options=options))
