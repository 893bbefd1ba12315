"""The text of ``/rules``, and the one-line descriptions of the commands."""

from __future__ import annotations

from typing import Final

from bot.newgame import nearest_protocols, protocol
from bot.words.catalogue import Words
from bot.words.protocols import protocol_rules
from core.game import ALL_PROTOCOLS

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
            return words.say("begin a game; add words such as: engine 5, friend, rif, blocked, black, 20m+60s")
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
            return words.say("the rules in brief; of an opening rule: /rules rif")
        case "help":
            return words.say("this help")
        case _:
            raise ValueError(f"no description of {command!r}")


def rules_text(words: Words, topic: str = "") -> str:
    """The rules in brief: aim, forbidden moves, foul modes, openings, draws. ``topic``: those of an opening rule.

    A topic that is none is answered with the nearest ones, then all.
    """
    if topic.strip():
        return _topic(words, topic.strip())
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
            words.say(
                "Opening rules. They make the first moves fair. To read about one, write /rules and its name: {list}.",
                list=words.listed(ALL_PROTOCOLS),
            ),
            protocol_rules(words, "free"),
            protocol_rules(words, "rif"),
            words.say(
                "Draws. By agreement, by two passes in a row, on a full board, or when neither side can make five any "
                "more. Passing is possible after the opening steps."
            ),
            words.say(
                "Who begins. guess: one side hides some stones, the other guesses whether their number is odd or even; "
                "a right guess begins as Black. parity_cn: both hide stones, and an odd difference exchanges the "
                "colours. parity_jp: an even sum does. random, black, white: by lot, or as you say. In a rematch the "
                "players change places."
            ),
            words.say(
                "Clocks. 20m+60s: 20 minutes for the game, then 60 seconds a turn. fischer:10m+5s: 10 minutes, and 5 "
                "seconds more after each turn. 3d: three days a turn. Without a clock, who does nothing for three days "
                "loses (idle:3d)."
            ),
            words.say("Before the second stone a game can be cancelled; later one resigns."),
        )
    )


def _topic(words: Words, topic: str) -> str:
    known = protocol(topic)
    if known is not None:
        return protocol_rules(words, known)
    near = nearest_protocols(topic)
    every = words.listed(ALL_PROTOCOLS)
    if near:
        return words.say(
            "“{word}” is no opening rule. Did you mean {near}? There are: {list}.",
            word=topic,
            near=words.listed(near),
            list=every,
        )
    return words.say("“{word}” is no opening rule. There are: {list}.", word=topic, list=every)
