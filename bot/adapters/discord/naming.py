"""Names and texts of the commands and their options, in a language of ours."""

from __future__ import annotations

from collections.abc import Sequence

from bot.words import Phrase, Words
from bot.words.help import describe


def command_name(words: Words, command: str) -> str:
    """What a command is called: small letters without spaces."""
    names = {
        "newgame": words.say("newgame"),
        "join": words.say("join"),
        "move": words.say("move"),
        "board": words.say("board"),
        "rematch": words.say("rematch"),
        "games": words.say("games"),
        "why": words.say("why"),
        "language": words.say("language"),
        "claim": words.say("claim"),
        "pass": words.say("pass"),
        "draw": words.say("draw"),
        "undo": words.say("undo"),
        "cancel": words.say("cancel"),
        "resign": words.say("resign"),
        "leave": words.say("leave"),
        "settings": words.say("settings"),
        "rules": words.say("rules"),
        "help": words.say("help"),
    }
    return names[command]


def command_text(words: Words, command: str) -> str:
    """What a command does, in at most 100 characters."""
    match command:
        case "newgame":
            return words.say("begin a game against a friend or the engine")
        case "join":
            return words.say("take the free seat of a game by its code")
        case "move":
            return words.say("play a point by its letter and number")
        case "settings":
            return words.say("your own settings, and those of the server for who may manage it")
        case "rematch":
            return words.say("play the same opponent again, with colours exchanged")
        case "games":
            return words.say("the games that run here, each with its board")
        case "why":
            return words.say("why a point is forbidden for Black or not, such as: /why h8")
        case "language":
            return words.say("the language I speak with you, wherever you are")
        case _:
            return describe(words, command)


def option_name(words: Words, option: str) -> str:
    """What an option is called: small letters without spaces."""
    names = {
        "opponent": words.say("opponent"),
        "level": words.say("level"),
        "protocol": words.say("protocol"),
        "opening": words.say("opening"),
        "topic": words.say("topic"),
        "fouls": words.say("fouls"),
        "begins": words.say("begins"),
        "clock": words.say("clock"),
        "language": words.say("language"),
        "options": words.say("options"),
        "point": words.say("point"),
        "game": words.say("game"),
        "code": words.say("code"),
    }
    return names[option]


def option_text(words: Words, option: str) -> str:
    """What an option means, in at most 100 characters."""
    texts = {
        "opponent": words.say("a friend (whoever joins) or the engine"),
        "level": words.say("play the engine at this level"),
        "protocol": words.say("the opening protocol"),
        "opening": words.say("which of the 26 openings; then the protocol is designated"),
        "topic": words.say("an opening protocol"),
        "fouls": words.say("what happens when Black plays a forbidden move"),
        "begins": words.say("who plays Black"),
        "clock": words.say("byo-yomi 20m+60s, an increment fischer:10m+5s, days a move 3d, or none"),
        "language": words.say("a language; that of Discord if you leave it to me"),
        "options": words.say("options of the rules, several with spaces between them"),
        "point": words.say("such as h8; several for fifth moves, or the letter of an offer"),
        "game": words.say("which of your games"),
        "code": words.say("the word that stands under the board"),
    }
    return texts[option]


def help_text(words: Words, commands: Sequence[str], client: Words) -> str:
    """How to play on Discord; commands are called as the person's ``client`` calls them."""
    listed = "\n".join(f"/{command_name(client, command)} – {command_text(words, command)}" for command in commands)
    return "\n\n".join(
        (
            words.say("Renju: five in a row on a board of 15 × 15 points, with forbidden moves for Black."),
            words.say(
                "Begin with /newgame, or with Challenge to Renju in somebody’s menu. In a channel somebody else "
                "presses Join; in direct messages you play the engine."
            ),
            words.say("To play, press Choose a point or Type a point under the board, or write /move."),
            words.say("Commands:\n{list}", list=Phrase(listed)),
        )
    )
