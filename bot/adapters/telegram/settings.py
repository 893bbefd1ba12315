"""``/settings`` and ``/language``: a panel of buttons; a group's for its administrators, one's own for everybody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, Message, User
from telegram.constants import ChatMemberStatus
from telegram.error import BadRequest, RetryAfter, TelegramError

from bot.adapters.telegram.preferences import Preferences, Preferred, changed
from bot.adapters.telegram.reading import PLATFORM, alone, place_of
from bot.adapters.telegram.replies import Replies, later
from bot.desk import Notice
from bot.session.table import Person
from bot.session.tables import Tables
from bot.words import LANGUAGES, Words, words
from bot.words.choices import WAITS, wait_name

#: What a link to one's own settings says.
OWN: Final = "settings"
_TAG: Final = "s1"
_ADMINISTRATORS: Final = (ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.OWNER)
#: Languages as people may write them.
_SPELLED: Final = {
    "en": "en",
    "english": "en",
    "zh": "zh_Hans",
    "zh_hans": "zh_Hans",
    "zh_cn": "zh_Hans",
    "中文": "zh_Hans",
    "auto": "auto",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """What a button of a panel chooses."""

    name: str
    value: str


def read(wire: str) -> Choice | None:
    """The choice that a button carries; ``None`` for any other button."""
    tag, _, rest = wire.partition(":")
    name, colon, value = rest.partition(":")
    return Choice(name, value) if tag == _TAG and colon and name and value else None


def panel(chosen: Words, now: Preferred, *, private: bool) -> tuple[str, InlineKeyboardMarkup]:
    """The text and the buttons; each line of buttons is one setting, the present choice is ticked."""
    say = chosen.say
    rows = [
        [("language", "auto", say("Language: automatic"), now.language == "")]
        + [("language", code, own, now.language == code) for code, own in LANGUAGES.items()],
        [("style", "wood", say("Wood"), now.style == "wood"), ("style", "dark", say("Dark"), now.style == "dark")],
        [
            ("policy", "edit", say("Edit only"), now.policy == "edit"),
            ("policy", "new", say("New message"), now.policy == "new"),
            ("policy", "reply", say("Reply"), now.policy == "reply"),
        ],
        [
            ("confirm", "off", say("Play at once"), not now.confirm),
            ("confirm", "on", say("Ask me first"), now.confirm),
        ],
    ]
    rows.append([("wait", span, wait_name(chosen, span), now.wait == span) for span in WAITS])
    if private:
        ways = (("off", say("Columns and rows")), ("on", say("Points around the play")))
        rows.append([("around", value, label, now.around is (value == "on")) for value, label in ways])
    keys = [
        [
            InlineKeyboardButton(f"✓ {label}" if ticked else label, callback_data=f"{_TAG}:{name}:{value}")
            for name, value, label, ticked in row
        ]
        for row in rows
    ]
    head = say("Your own settings.") if private else say("Settings of this chat, for its administrators.")
    lines = (
        head,
        say("Language."),
        say("The look of the board."),
        say(
            "When it is somebody’s turn: the board is edited only, or sent anew, or they are called in a reply to it; "
            "by name, at most once a move."
        ),
        say("A tapped point is played at once, or asked about first."),
        say("For how long somebody can join a game that is opened here."),
        *([say("What you see first under a board when it is your turn.")] if private else []),
    )
    numbered = (f"{number}. {line}" for number, line in enumerate(lines[1:], 1))
    return "\n".join((lines[0], *numbered)), InlineKeyboardMarkup(keys)


class Settings:
    """Shows panels and obeys them."""

    def __init__(self, bot: Bot, tables: Tables, replies: Replies, preferences: Preferences) -> None:
        self._bot = bot
        self._tables = tables
        self._replies = replies
        self._preferences = preferences

    async def asked(self, message: Message, person: Person, command: str, rest: str) -> Notice:
        """``/settings``, or ``/language`` with or without one."""
        place = place_of(message)
        chosen = words(person.language)
        user = message.from_user
        in_its_name = message.sender_chat is not None and message.sender_chat.id == message.chat_id
        if not place.private and not in_its_name:
            refusal = await self._not_theirs(message, user, chosen)
            if refusal is not None:
                own = InlineKeyboardButton(chosen.say("My own settings"), url=alone(self._bot.username, OWN))
                self._replies.privately(message, refusal.text, InlineKeyboardMarkup([[own]]))
                return Notice()
        if command == "language" and rest.strip():
            language = _SPELLED.get(rest.strip().casefold().replace("-", "_"))
            if language is None:
                return Notice(chosen.say("I speak: {list}.", list=chosen.listed([*LANGUAGES, "auto"])))
            now = await self._keep(message, Choice("language", language))
        else:
            now = await self._preferences.of(place.chat)
        if place.private and now.language:
            chosen = words(now.language)
        self._replies.reply(message, *panel(chosen, now, private=place.private))
        return Notice()

    async def chosen(self, near: Message, user: User, person: Person, choice: Choice) -> Notice:
        """A button of a panel."""
        place = place_of(near)
        if not place.private:
            refusal = await self._not_theirs(near, user, words(person.language))
            if refusal is not None:
                return refusal
        now = await self._keep(near, choice)
        language = now.language if place.private and now.language else person.language
        wait = await self._replies.change(near, *panel(words(language), now, private=place.private))
        return Notice(later(words(language), wait))

    async def _keep(self, near: Message, choice: Choice) -> Preferred:
        """Keep it, and bring the boards of this chat up to date."""
        place = place_of(near)
        before = await self._preferences.of(place.chat)
        now = changed(before, choice.name, choice.value)
        if now == before:
            return now
        await self._preferences.keep(place.chat, now)
        for table_id in await self._tables.tables_throughout(place.platform, place.chat):
            for view in await self._tables.views(table_id):
                if (view.platform, view.chat) == (PLATFORM, place.chat):
                    await self._tables.attach(table_id, view)
        return now

    async def _not_theirs(self, near: Message, user: User | None, chosen: Words) -> Notice | None:
        """Why somebody may not change what holds in the chat of a message; ``None``: they may."""
        if user is not None:
            try:
                member = await self._bot.get_chat_member(near.chat_id, user.id)
            except BadRequest:
                pass  # who is not known there is no administrator
            except TelegramError as error:
                if isinstance(error, RetryAfter):
                    await self._replies.halted(near, error)
                say = chosen.say
                return Notice(say("Telegram does not tell me now who manages this chat. Please try again."), alert=True)
            else:
                if member.status in _ADMINISTRATORS:
                    return None
        return Notice(
            chosen.say("Only administrators can change the settings here. For your own, write /settings to me alone."),
            alert=True,
        )
