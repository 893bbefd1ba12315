"""The words of the page itself, by the names its modules know them under. What a table says comes with its scene."""

from __future__ import annotations

from typing import Final

from bot.composing.lines import protocol_name
from bot.newgame import LEVELS
from bot.words import Phrase, Words
from bot.words.levels import level_name
from bot.words.openings import opening_name
from bot.words.protocols import protocol_rules
from core.game import ALL_PROTOCOLS
from core.openings.names import OPENINGS

#: Gaps that the page fills by itself: the text keeps them as they are.
_GAPS: Final = {name: Phrase(f"{{{name}}}") for name in ("point", "letter", "level", "time")}


def page_words(words: Words) -> dict[str, str]:
    """Every word of the page in one language."""
    say = words.say
    return {
        # the head of every view
        "tagline": say("The board game of five in a row, made fair."),
        "noscript": say("This page needs JavaScript to show the board."),
        "home": say("Back to the start"),
        "settings": say("Settings"),
        "language": say("Language"),
        "look": say("Look"),
        "look_auto": say("As the device"),
        "look_wood": say("Wood"),
        "look_dark": say("Dark"),
        "numbers": say("Move numbers on the stones"),
        "name": say("Your name"),
        "name_hint": say("as others will see it"),
        # a new game
        "new_game": say("New game"),
        "opponent": say("Opponent"),
        "engine": say("The engine"),
        "friend": say("A friend"),
        "level": say("Level {level} of 10", level=_GAPS["level"]),
        **{f"level_{level}": level_name(words, level) for level in LEVELS},
        "friend_hint": say("You get a link to send to your friend."),
        "play": say("Play"),
        "invite": say("Invite"),
        "options": say("Rules and colours"),
        "protocol": say("Opening"),
        "which_opening": say("Which of the 26"),
        "clock": say("Clock"),
        "clock_none": say("No clock"),
        "clock_20m+60s": say("20 minutes, then 1 minute a move"),
        "clock_fischer:10m+5s": say("10 minutes, and 5 seconds more a move"),
        "clock_1d": say("1 day a move"),
        "clock_3d": say("3 days a move"),
        "fouls": say("Forbidden moves"),
        "fouls_claim": say("White must claim them"),
        "fouls_claim_hint": say("Black may put the stone; White wins by noticing it."),
        "fouls_auto_loss": say("They lose at once"),
        "fouls_auto_loss_hint": say("A forbidden stone loses the game."),
        "fouls_blocked": say("They cannot be played"),
        "fouls_blocked_hint": say("Forbidden points are crossed out for Black. Good for learning."),
        "fouls_freestyle": say("There are none"),
        "fouls_freestyle_hint": say("Five or more in a row wins for both colours."),
        "begins": say("Colours"),
        "begins_guess": say("By guess"),
        "begins_random": say("By lot"),
        "begins_black": say("I am Black"),
        "begins_white": say("I am White"),
        "my_games": say("Your games"),
        "your_turn": say("Your turn"),
        "how": say("How to play"),
        "how_five": say("Black and White put one stone in turn on a crossing of the lines. Five in a row wins."),
        "how_fouls": say(
            "Black begins and has the advantage, so some moves are forbidden for Black: "
            "two threes at once, two fours at once, and six or more in a row."
        ),
        "how_tap": say("Tap a crossing to see your stone there, tap again to play it. You can also type h8."),
        # a table
        "board": say("Board"),
        "board_help": say("Arrow keys move, Enter plays, Escape takes back what is not confirmed."),
        "clock_left": say("{time} left", time=_GAPS["time"]),
        "confirm": say("Confirm"),
        "change": say("Change"),
        "typed": say("Type a point"),
        "typed_example": say("e.g. h8"),
        "put": say("Play it"),
        "invitation": say("Invitation"),
        "invitation_hint": say(
            "Send this link to your friend. It gives the other seat, once, and ends ten minutes after you leave."
        ),
        "copy": say("Copy"),
        "copied": say("Copied"),
        "copy_failed": say("Copying is not possible here. Select the link and copy it."),
        "share": say("Share"),
        "watch": say("Link to watch"),
        "watch_hint": say("Whoever has this link can watch, but not play."),
        "watching": say("You are watching."),
        "connecting": say("Connecting…"),
        "reconnecting": say("The connection was lost. Reconnecting…"),
        "sending": say("Sending…"),
        "not_reached": say("The service could not be reached. Please try again."),
        "cell_empty": say("{point}, empty", point=_GAPS["point"]),
        "cell_black": say("{point}, black", point=_GAPS["point"]),
        "cell_white": say("{point}, white", point=_GAPS["point"]),
        "cell_offer": say("{point}, fifth move {letter}", point=_GAPS["point"], letter=_GAPS["letter"]),
        "cell_forbidden": say("{point}, forbidden for Black", point=_GAPS["point"]),
        "cell_last_black": say("{point}, black, the last move", point=_GAPS["point"]),
        "cell_last_white": say("{point}, white, the last move", point=_GAPS["point"]),
        "cell_preview": say("{point}, your stone, not confirmed yet", point=_GAPS["point"]),
        "previewed": say("{point}: press again to play it.", point=_GAPS["point"]),
        # an invitation
        "invited": say("You are invited to a game of Renju"),
        "join": say("Join"),
        "invitation_used": say("This invitation has been used or has expired. Ask for a new one."),
        "invitation_own": say("This is the invitation to your own game. Send it to a friend."),
        "invitation_many": say("Too many wrong invitations. Wait ten minutes."),
        "to_table": say("To the board"),
        "away": say("The games cannot be reached at the moment. This page tries again by itself."),
        "missing": say("There is nothing here"),
        "missing_hint": say("The game may have ended long ago, or the link is incomplete."),
    }


def protocols(words: Words) -> list[dict[str, str]]:
    """The opening protocols that can be chosen: id, name, and how each goes."""
    return [
        {"id": protocol, "name": protocol_name(words, protocol), "rules": protocol_rules(words, protocol)}
        for protocol in ALL_PROTOCOLS
    ]


def openings(words: Words) -> list[dict[str, str]]:
    """The 26 openings, for a game that begins with one of them."""
    return [{"code": opening.code, "name": opening_name(words, opening).text} for opening in OPENINGS]
