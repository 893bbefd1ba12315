"""The commands that Telegram lists, and what it says of each."""

from __future__ import annotations

from typing import Final

from bot.words import Phrase, Words
from bot.words.help import COMMANDS, describe

#: Commands of this platform alone, each listed after the one named with it.
_OURS: Final = {"board": ("games", "rematch"), "cancel": ("why", "settings", "language")}
LISTED: Final = tuple(name for command in COMMANDS for name in (command, *_OURS.get(command, ())))


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


def help_text(words: Words) -> str:
    """How to play on Telegram, and what its privacy mode keeps from the bot."""
    listed = "\n".join(f"/{command} – {described(words, command)}" for command in LISTED)
    return "\n\n".join(
        (
            words.say("Renju: five in a row on a board of 15 × 15 points, with forbidden moves for Black."),
            words.say(
                "Begin with /newgame and choose, or name somebody: /newgame @anna rif. In a group anybody can press "
                "Join unless somebody was named; in a private chat you play the engine, or pass an invitation on."
            ),
            words.say(
                "To play, use the buttons under the board, or write a point, the letter first: h8. In a group write it "
                "as a reply to the board, or as /m h8: Telegram’s privacy mode hides everything else from me."
            ),
            words.say("Commands:\n{list}", list=Phrase(listed)),
        )
    )
