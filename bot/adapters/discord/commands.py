"""The commands: one set for everybody everywhere, with names and descriptions in every language that we have."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import discord
from discord import app_commands
from discord.app_commands import Choice, locale_str

from bot.adapters.discord.completing import Completing
from bot.adapters.discord.hearing import Hearing
from bot.adapters.discord.naming import command_name, command_text, option_name, option_text
from bot.newgame import BEGINS, LEVELS
from bot.words import LANGUAGES, Words, pick, words
from bot.words.choices import begins_name, fouls_name, opponent_name
from core.game import FoulMode

#: Commands that are an action, or a question about one, without further words.
_PLAIN: Final = ("claim", "pass", "draw", "undo", "cancel")
_SERIOUS: Final = ("resign", "leave")
#: Everything that can be typed, in the order that help lists it.
LISTED: Final = (
    *("newgame", "join", "move", "board", "games", "rematch", *_PLAIN, *_SERIOUS),
    *("why", "settings", "language", "rules", "help"),
)
OPPONENTS: Final = ("friend", "engine")


class Names(app_commands.Translator):
    """Gives Discord the names in its clients' languages."""

    async def translate(
        self, string: locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """The text in that language; ``None`` where English stands."""
        language = pick(locale.value)
        told: Callable[[Words], str] | None = string.extras.get("told")
        return told(words(language)) if told is not None and language != "en" else None


def localised(told: Callable[[Words], str]) -> locale_str:
    """A text that is said in each client's language."""
    return locale_str(told(words("en")), told=told)


def add_commands(tree: app_commands.CommandTree[Any], hearing: Hearing, completing: Completing) -> None:
    """Add every command to the tree."""
    tree.add_command(_new_game(hearing, completing))
    tree.add_command(_move(hearing, completing))
    tree.add_command(_of_a_game("board", hearing.show_board, completing.shown))
    tree.add_command(_of_a_game("rematch", hearing.opening.rematch, completing.ended))
    for name in _PLAIN:
        tree.add_command(_of_a_game(name, _bound(hearing.command, name), completing.games))
    for name in _SERIOUS:
        tree.add_command(_of_a_game(name, _bound(hearing.serious, name), completing.games))

    async def help_(interaction: discord.Interaction) -> None:
        await hearing.informing.help(interaction, list(LISTED))

    @_named("topic")
    async def rules(interaction: discord.Interaction, topic: str | None = None) -> None:
        await hearing.informing.rules(interaction, topic or "")

    @_named("point", "game")
    async def why(interaction: discord.Interaction, point: str, game: str | None = None) -> None:
        await hearing.informing.why(interaction, point, game)

    async def games(interaction: discord.Interaction) -> None:
        await hearing.informing.games(interaction)

    async def settings(interaction: discord.Interaction) -> None:
        await hearing.informing.settings(interaction)

    @_named("language")
    @app_commands.choices(language=_choices(_spoken, ("auto", *LANGUAGES)))
    async def language(interaction: discord.Interaction, language: str | None = None) -> None:
        await hearing.informing.language(interaction, language)

    async def challenge(interaction: discord.Interaction, somebody: discord.User) -> None:
        await hearing.opening.new_game(interaction, "friend", against=somebody)

    @_named("code")
    async def join(interaction: discord.Interaction, code: str) -> None:
        await hearing.opening.join(interaction, code)

    asking = _command("why", why)
    asking.autocomplete("point")(completing.labels)
    asking.autocomplete("game")(completing.shown)
    tree.add_command(asking)
    tree.add_command(_command("games", games))
    tree.add_command(_command("language", language))
    tree.add_command(_command("join", join))
    tree.add_command(_command("settings", settings))
    tree.add_command(_command("help", help_))
    about = _command("rules", rules)
    about.autocomplete("topic")(completing.protocols)
    tree.add_command(about)
    tree.add_command(
        app_commands.ContextMenu(
            name=localised(lambda words: words.say("Challenge to Renju")),
            callback=challenge,
            type=discord.AppCommandType.user,
        )
    )


def _command(name: str, callback: Callable[..., Any]) -> app_commands.Command[Any, ..., None]:
    return app_commands.Command(
        name=localised(lambda words: command_name(words, name)),
        description=localised(lambda words: command_text(words, name)),
        callback=callback,
    )


def _named(*options: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give the options of a command their names and texts."""

    def name(callback: Callable[..., Any]) -> Callable[..., Any]:
        texts = {option: localised(lambda words, option=option: option_text(words, option)) for option in options}  # type: ignore[misc]
        names = {option: localised(lambda words, option=option: option_name(words, option)) for option in options}  # type: ignore[misc]
        return app_commands.describe(**texts)(app_commands.rename(**names)(callback))

    return name


def _choices(told: Callable[[Words, str], str], values: Iterable[str]) -> list[Choice[str]]:
    return [Choice(name=localised(lambda words, value=value: told(words, value)), value=value) for value in values]  # type: ignore[misc]


def _spoken(words: Words, language: str) -> str:
    return LANGUAGES.get(language) or words.say("the language of Discord")


def _fouls(words: Words, mode: str) -> str:
    return fouls_name(words, FoulMode(mode))


def _of_a_game(
    name: str, does: Callable[[discord.Interaction, str | None], Any], complete: Callable[..., Any]
) -> app_commands.Command[Any, ..., None]:
    @_named("game")
    async def callback(interaction: discord.Interaction, game: str | None = None) -> None:
        await does(interaction, game)

    command = _command(name, callback)
    command.autocomplete("game")(complete)
    return command


def _bound(
    does: Callable[[discord.Interaction, str, str | None], Any], name: str
) -> Callable[[discord.Interaction, str | None], Any]:
    async def bound(interaction: discord.Interaction, game: str | None) -> None:
        await does(interaction, name, game)

    return bound


def _move(hearing: Hearing, completing: Completing) -> app_commands.Command[Any, ..., None]:
    @_named("point", "game")
    async def move(interaction: discord.Interaction, point: str, game: str | None = None) -> None:
        await hearing.move(interaction, point, game)

    command = _command("move", move)
    command.autocomplete("point")(completing.points)
    command.autocomplete("game")(completing.games)
    return command


def _new_game(hearing: Hearing, completing: Completing) -> app_commands.Command[Any, ..., None]:
    @_named("opponent", "level", "protocol", "opening", "fouls", "begins", "clock", "options")
    @app_commands.choices(
        opponent=_choices(opponent_name, OPPONENTS),
        level=_choices(opponent_name, (str(level) for level in LEVELS)),
        fouls=_choices(_fouls, FoulMode),
        begins=_choices(begins_name, BEGINS),
    )
    async def newgame(
        interaction: discord.Interaction,
        opponent: str | None = None,
        level: str | None = None,
        protocol: str | None = None,
        opening: str | None = None,
        fouls: str | None = None,
        begins: str | None = None,
        clock: str | None = None,
        options: str | None = None,
    ) -> None:
        if opening:
            protocol, opening = protocol or "designated", f"opening={opening}"
        chosen = (opponent, level, protocol, opening, fouls, begins, clock, options)
        await hearing.opening.new_game(interaction, " ".join(word for word in chosen if word))

    command = _command("newgame", newgame)
    command.autocomplete("protocol")(completing.protocols)
    command.autocomplete("opening")(completing.openings)
    command.autocomplete("clock")(completing.clocks)
    command.autocomplete("options")(completing.options)
    return command
