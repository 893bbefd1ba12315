"""The private message in which preferences are changed: one select for each, and every choice takes effect at once."""

from __future__ import annotations

from typing import Any, Final

import discord
from discord import ui

from bot.adapters.discord.items import PreferenceChannels, PreferenceRoles, PreferenceSelect
from bot.adapters.discord.layout import made
from bot.adapters.discord.plain import plain
from bot.adapters.discord.preferences import OfPerson, OfServer
from bot.words import LANGUAGES, Phrase, Words
from bot.words.choices import WAITS, wait_name

#: The preferences that only who may manage the server can change.
SERVERS: Final = ("language", "style", "policy", "wait", "quiet", "channels", "roles")
#: Those that everybody has.
PERSONS: Final = ("mylanguage", "mystyle", "myway", "myconfirm", "mypolicy", "mywait")


def panel(words: Words, person: OfPerson, server: OfServer | None) -> ui.LayoutView:
    """The panel of one person; with ``server`` also that of the server which they may manage."""
    parts: list[ui.Item[Any]] = [_heading(words.say("Your own settings")), *_personal(words, person)]
    if server is not None:
        parts += [_heading(words.say("Settings of this server")), *_servers(words, server)]
    return made(parts)


def _heading(text: str) -> ui.TextDisplay[Any]:
    return ui.TextDisplay(f"**{plain(text)}**")


def _personal(words: Words, now: OfPerson) -> list[ui.Item[Any]]:
    languages = {"auto": words.say("My language: that of Discord"), **LANGUAGES}
    styles = {"wood": words.say("My board: wood"), "dark": words.say("My board: dark")}
    ways = {
        "axes": words.say("I choose a point by columns and rows"),
        "around": words.say("I choose from the points around the play"),
    }
    confirming = {
        "on": words.say("A point that I have chosen is shown first"),
        "off": words.say("A point that I have chosen is played at once"),
    }
    policies = {
        "edit": words.say("My direct messages: the board is only changed"),
        "call": words.say("My direct messages: a line calls me when it is my move"),
        "new": words.say("My direct messages: the board comes anew when it is my move"),
    }
    return [
        _select("mylanguage", now.language or "auto", languages),
        _select("mystyle", now.style, styles),
        _select("myway", "around" if now.around else "axes", ways),
        _select("myconfirm", "off" if now.at_once else "on", confirming),
        _select("mypolicy", now.policy, policies),
        _select("mywait", now.wait, _waits(words)),
    ]


def _servers(words: Words, now: OfServer) -> list[ui.Item[Any]]:
    languages = {"auto": words.say("Boards in the language of whoever opens them"), **LANGUAGES}
    policies = {
        "edit": words.say("Nobody is called: the board is only changed"),
        "call": words.say("Who is to move is called by a line"),
        "new": words.say("Who is to move is called by the board, which comes anew"),
    }
    quiet = {"off": words.say("New messages are heard"), "on": words.say("Quiet: no sound, no calls")}
    styles = {"wood": words.say("Board: wood"), "dark": words.say("Board: dark")}
    return [
        _select("language", now.language or "auto", languages),
        _select("style", now.style, styles),
        _select("policy", now.policy, policies),
        _select("wait", now.wait, _waits(words)),
        _select("quiet", "on" if now.quiet else "off", quiet),
        ui.ActionRow(PreferenceChannels(placeholder=words.say("Games in every channel"), chosen=now.channels)),
        ui.ActionRow(PreferenceRoles(placeholder=words.say("Everybody can play"), chosen=now.roles)),
    ]


def _waits(words: Words) -> dict[str, str]:
    return {
        wait: words.say("Somebody can join a game for: {time}", time=Phrase(wait_name(words, wait))) for wait in WAITS
    }


def _select(name: str, chosen: str, choices: dict[str, str]) -> ui.ActionRow[Any]:
    options = [
        discord.SelectOption(label=label, value=value, default=value == chosen) for value, label in choices.items()
    ]
    return ui.ActionRow(PreferenceSelect(name, options=options))
