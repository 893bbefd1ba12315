"""The commands that Telegram lists, where it lists them, and what it says of each."""

from __future__ import annotations

from enum import Enum
from typing import Final

from telegram import (
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeDefault,
)

from bot.words import Words
from bot.words.help import COMMANDS, describe

#: Commands of this platform alone, each listed after the one named with it.
_OURS: Final = {"board": ("games", "rematch"), "cancel": ("why", "settings", "language")}
#: Every command that is listed anywhere.
LISTED: Final = tuple(name for command in COMMANDS for name in (command, *_OURS.get(command, ())))
#: What only administrators can do in a group, and what nobody needs alone with the bot, where a point is just written.
_ADMINISTRATORS: Final = ("settings", "language")
_GROUPS: Final = ("move",)


class Audience(Enum):
    """Who is shown a list of commands, as Telegram tells them apart."""

    EVERYBODY = "wherever nothing else holds"
    PRIVATE = "alone with the bot"
    GROUP = "in a group"
    ADMINISTRATOR = "administrators of a group"

    @property
    def scope(self) -> BotCommandScope:
        """Telegram's name for it."""
        match self:
            case Audience.EVERYBODY:
                return BotCommandScopeDefault()
            case Audience.PRIVATE:
                return BotCommandScopeAllPrivateChats()
            case Audience.GROUP:
                return BotCommandScopeAllGroupChats()
            case Audience.ADMINISTRATOR:
                return BotCommandScopeAllChatAdministrators()

    @property
    def commands(self) -> tuple[str, ...]:
        """Those that work for them."""
        hidden: tuple[str, ...]
        match self:
            case Audience.EVERYBODY:
                hidden = _GROUPS + _ADMINISTRATORS
            case Audience.PRIVATE:
                hidden = _GROUPS
            case Audience.GROUP:
                hidden = _ADMINISTRATORS
            case Audience.ADMINISTRATOR:
                hidden = ()
        return tuple(command for command in LISTED if command not in hidden)


def described(words: Words, command: str) -> str:
    """What a command of :data:`LISTED` does, in a few words."""
    match command:
        case "games":
            return words.say("the games that run here, each with its board")
        case "rematch":
            return words.say("play the same opponent again, with colours exchanged")
        case "why":
            return words.say("why a point is forbidden for Black or not, such as: /why h8")
        case "settings":
            return words.say("language, look and calls: your own, or a group’s for its administrators")
        case "language":
            return words.say("the language I speak with you, such as: /language en")
        case _:
            return describe(words, command)
