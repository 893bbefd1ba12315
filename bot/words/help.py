"""The texts of ``/help`` and ``/rules``, and the one-line descriptions of the commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.words.catalogue import Words
from bot.words.values import Phrase

#: The commands that have a description, in the order they are listed.
COMMANDS: Final = (
    "newgame",
    "move",
    "board",
    "claim",
    "pass",
    "draw",
    "undo",
    "resign",
    "leave",
    "cancel",
    "rules",
    "help",
)


def describe(words: Words, command: str) -> str:
    """What a command of :data:`COMMANDS` does, in a few words. Raises ``ValueError`` for any other."""
    match command:
        case "newgame":
            return words.say("begin a game; add words such as: engine 5, friend, rif, blocked, black")
        case "move":
            return words.say("play a point, such as: /move h8")
        case "board":
            return words.say("show the board anew")
        case "claim":
            return words.say("claim that Black’s stone is a forbidden move (White)")
        case "pass":
            return words.say("pass the turn")
        case "draw":
            return words.say("offer a draw, or accept one")
        case "undo":
            return words.say("ask to take back, or allow it")
        case "resign":
            return words.say("give up the game")
        case "leave":
            return words.say("leave the table; a game that has begun is lost")
        case "cancel":
            return words.say("cancel the game before the second stone")
        case "rules":
            return words.say("the rules in brief")
        case "help":
            return words.say("this help")
        case _:
            raise ValueError(f"no description of {command!r}")


def help_text(words: Words, commands: Sequence[str] = COMMANDS) -> str:
    """How to play here. Lists ``commands`` only: those that the platform knows."""
    listed = "\n".join(f"/{command} – {describe(words, command)}" for command in commands)
    return "\n\n".join(
        (
            words.say("Renju: five in a row on a board of 15 × 15 points, with forbidden moves for Black."),
            words.say(
                "Begin with /newgame. In a group somebody else presses Join; in a private chat you play the engine."
            ),
            words.say(
                "To play, use the buttons under the board, or write a point, the letter first: h8. "
                "In a group write it as a reply to the board, or with /move."
            ),
            words.say("Commands:\n{list}", list=Phrase(listed)),
        )
    )


def rules_text(words: Words) -> str:
    """The rules in brief: aim, forbidden moves, foul modes, openings, draws."""
    return "\n\n".join(
        (
            words.say(
                "Aim. Black and White put stones in turn; Black begins. Black wins with exactly five stones in a row, "
                "White with five or more. Rows go along lines, columns and both diagonals."
            ),
            words.say(
                "Forbidden moves. Black may not make an overline (six or more in a row), a double-four or a "
                "double-three with one stone. A stone that makes exactly five is never forbidden. "
                "White has no forbidden moves."
            ),
            words.say(
                "Four and three. A four becomes five with one more stone. A three becomes a straight four, open at "
                "both ends, with one more stone that Black may really put there."
            ),
            words.say(
                "What a forbidden move costs. claim: White must claim it, a double-three or double-four before "
                "answering, an overline until the game ends; White has three wrong claims a game, one a turn. "
                "auto_loss: it loses at once. blocked: the point cannot be played. freestyle: there are no forbidden "
                "moves, and six or more in a row wins, too."
            ),
            words.say("Opening rule free. The first stone goes to the centre, H8; then the players just play."),
            words.say(
                "Opening rule rif. One player puts the first three stones: Black on H8, White next to it, Black within "
                "two points of H8. The other may swap colours. White plays move 4. Black offers two fifth moves that "
                "are not equivalent, White chooses one of them and plays move 6."
            ),
            words.say(
                "Draws. By agreement, by two passes in a row, on a full board, or when neither side can make five any "
                "more. Passing is possible after the opening steps."
            ),
            words.say(
                "Who begins. One side hides some stones, the other guesses whether their number is odd or even. "
                "A right guess begins as Black. Before the second stone a game can be cancelled; later one resigns."
            ),
        )
    )
