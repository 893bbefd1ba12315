"""How games begin: by words, by the card of ``/newgame``, by a challenge, by an invitation that is passed on."""

from __future__ import annotations

from typing import Final

from telegram import Message, User

from bot import newgame
from bot.adapters.telegram import card
from bot.adapters.telegram.card import Card
from bot.adapters.telegram.challenging import Challenge, challenge
from bot.adapters.telegram.preferences import Preferences
from bot.adapters.telegram.reading import PLATFORM, alone, place_of
from bot.adapters.telegram.replies import Replies, later
from bot.desk import Desk, Done, Notice
from bot.session.table import Person, Table
from bot.session.tables import Tables
from bot.words import Phrase, words

JOIN: Final = "join-"
#: The last choice of a person in a chat is kept for a year, in seconds.
_KEPT: Final = 365 * 86_400


class Opening:
    """Opens games and lets people in."""

    def __init__(self, desk: Desk, tables: Tables, replies: Replies, preferences: Preferences) -> None:
        self._desk = desk
        self._tables = tables
        self._replies = replies
        self._preferences = preferences
        self.username = ""
        """The bot's own name, known once the connection is open."""

    async def asked(self, message: Message, user: User, person: Person, rest: str, source: str) -> Done | Notice:
        """``/newgame``: with words a game, or why not; alone the card."""
        wanted = challenge(message, user, rest, self.username, words(person.language))
        if wanted.refusal:
            return Notice(wanted.refusal)
        if wanted.typed or wanted.reserved:
            done = await self.opened(message, person, wanted, source)
            if isinstance(done, Done):
                await self._remember(message, person, wanted)
            return done
        first = Card(str(user.id), level=newgame.DEFAULT_LEVEL if place_of(message).private else 0)
        kept = await self._tables.recall(_last(person, message))
        shown = (card.with_state(first, kept) if kept is not None else None) or first
        chosen = words(person.language)
        self._replies.reply(message, card.text(chosen, shown), card.keyboard(chosen, shown))
        return Notice()

    async def _remember(self, message: Message, person: Person, wanted: Challenge) -> None:
        """What was typed is where the card begins next time, if it can say it. One person who was challenged is not."""
        said = newgame.read(f"friend {wanted.typed}" if wanted.reserved else wanted.typed)
        shown = card.of(person.id.removeprefix(f"{PLATFORM}:"), said, private=place_of(message).private)
        if shown is not None:
            await self._tables.remember(_last(person, message), shown.state, _KEPT)

    async def opened(self, near: Message, person: Person, wanted: Challenge, source: str) -> Done | Notice:
        """A new game in the chat of a message; alone with the bot, with an invitation to pass on."""
        place = place_of(near)
        typed = f"friend {wanted.typed}" if wanted.reserved else wanted.typed
        reserved, invited = wanted.reserved, wanted.invited
        wait = (await self._preferences.of(place.chat)).waits
        done = await self._desk.new_game(
            person, place, typed, source=source, reserved=reserved, invited=invited, wait=wait
        )
        if isinstance(done, Done) and done.table.waiting and place.private:
            self._replies.reply(near, self._invitation(person, done.table))
        return done

    async def turned(self, near: Message, person: Person, turned: Card) -> Done | Notice:
        """A button of a card: another page, the game, or the card put away."""
        chosen = words(person.language)
        if f"{PLATFORM}:{turned.asker}" != person.id:
            return Notice(chosen.say("Somebody else was asked this, not you."))
        if turned.page == card.PUT_AWAY:
            self._replies.finish(near, chosen.say("Put away. /newgame brings the choices back."))
            return Notice()
        if turned.page != card.GO:
            wait = await self._replies.change(near, card.text(chosen, turned), card.keyboard(chosen, turned))
            return Notice(later(chosen, wait))
        await self._tables.remember(_last(person, near), turned.state, _KEPT)
        done = await self.opened(near, person, Challenge(turned.typed), f"tg:choice:{near.chat_id}:{near.message_id}")
        if isinstance(done, Done):
            typed = Phrase(f"/newgame {turned.typed}")
            self._replies.finish(near, chosen.say("Begun; the board follows. The same again: {typed}", typed=typed))
        return done

    def _invitation(self, person: Person, table: Table) -> str:
        link = alone(self.username, f"{JOIN}{table.id}")
        say = words(person.language).say
        if table.invited:
            return say(
                "Send this link to {name}; it lets nobody else in: {link}", name=table.invited, link=Phrase(link)
            )
        return say("Send this link to a friend; whoever opens it first plays with you: {link}", link=Phrase(link))


def _last(person: Person, near: Message) -> str:
    return f"{PLATFORM}:last:{person.id}:{near.chat_id}"
