"""``/start``, ``/help`` and ``/rules``: one message each, the forbidden shapes above a few words."""

from __future__ import annotations

from enum import Enum
from typing import Final

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from bot.adapters.telegram import keypad
from bot.adapters.telegram.naming import Audience
from bot.composing.figures import brief_rules, forbidden_shapes
from bot.desk import Choice
from bot.scene import BoardPicture
from bot.words import Phrase, Words
from bot.words.help import rules_text

#: What leads from the short rules to the whole ones.
_MORE: Final = ("more", "all", "更多", "全部")


class Elsewhere(Enum):
    """How the bot can be used in chats that it has not joined: its operator has chosen that with @BotFather."""

    NOT = "not"
    INLINE = "inline"
    GUEST = "guest"
    """By being mentioned there, too."""

    @classmethod
    def of(cls, *, inline: bool, guest: bool) -> Elsewhere:
        """What the two switches come to."""
        return cls.GUEST if guest else cls.INLINE if inline else cls.NOT


def help_text(words: Words, *, private: bool, elsewhere: Elsewhere = Elsewhere.NOT, username: str = "") -> str:
    """How to begin and how to play; in a group also what its privacy mode keeps from the bot. Fits a caption.

    ``username``: the bot's own, by which it is called ``elsewhere``.
    """
    audience = Audience.PRIVATE if private else Audience.GROUP
    listed = " ".join(f"/{command}" for command in audience.commands)
    say, sign = words.say, Phrase(keypad.AROUND)
    begin, play = (
        (
            say(
                "Begin: write /newgame and choose; or all in one line, such as /newgame engine 3 or "
                "/newgame friend rif 20m+60s. A friend gets a link from you. In a group, add me there first."
            ),
            say(
                "Play: press a column under the board, then the row; {sign} shows the points around the play. "
                "Or write the point, the letter first: h8.",
                sign=sign,
            ),
        )
        if private
        else (
            say(
                "Begin: write /newgame and choose; or all in one line, such as /newgame rif 20m+60s. "
                "Others press Join. /newgame @anna challenges her alone."
            ),
            say(
                "Play: press a column under the board, then the row; {sign} shows the points around the play. "
                "Or write the point: h8 as a reply to the board, or /m h8. A bare h8 never reaches me: privacy mode "
                "hides from me all that is no command and no reply to me.",
                sign=sign,
            ),
        )
    )
    there, name = [], Phrase(f"@{username}")
    if elsewhere is not Elsewhere.NOT:
        there.append(say("In chats without me: write {name} rif, and a challenge is offered.", name=name))
    if elsewhere is Elsewhere.GUEST:
        there[0] += " " + say("There {name} h8 plays a point, as the buttons do.", name=name)
    return "\n\n".join(
        (
            say(
                "Renju: Black and White put stones in turn, five in a row wins. Crosses show what is forbidden for "
                "Black: /rules tells why."
            ),
            begin,
            play,
            *there,
            say("/board brings the board down. All commands: {list}", list=Phrase(listed)),
        )
    )


def first_steps(words: Words, asked: int, username: str) -> InlineKeyboardMarkup | None:
    """For somebody who has just come: the first game in one tap. ``asked``: their account."""
    offered = keypad.choices(
        (
            Choice(words.say("Play the engine"), "engine"),
            Choice(words.say("Play a friend"), "friend"),
        ),
        asked,
    )
    rows = [] if offered is None else [*offered.inline_keyboard]
    add = InlineKeyboardButton(words.say("Add me to a group"), url=f"https://t.me/{username}?startgroup=new")
    return InlineKeyboardMarkup([*rows, [add]])


def rules(words: Words, topic: str) -> tuple[str, BoardPicture | None]:
    """The rules in brief with their picture; ``more``: all of them; or one opening rule."""
    wanted = topic.strip()
    if not wanted:
        _, picture = forbidden_shapes(words)
        return brief_rules(words), picture
    return rules_text(words, "" if wanted.casefold() in _MORE else wanted), None
