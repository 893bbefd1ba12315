"""``@bot`` in any chat: what is offered while somebody types, and taps on what was sent."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

from telegram import (
    Bot,
    CallbackQuery,
    ChosenInlineResult,
    InlineQuery,
    InlineQueryResultArticle,
    InlineQueryResultsButton,
    InputTextMessageContent,
    User,
)
from telegram.error import BadRequest, RetryAfter

from bot import newgame
from bot.adapters.telegram import keypad, offers
from bot.adapters.telegram.challenging import Challenge, named
from bot.adapters.telegram.inline_board import INLINE, InlineShower, place_at
from bot.adapters.telegram.offers import Card, Offer, Offers
from bot.adapters.telegram.preferences import Preferences
from bot.adapters.telegram.reading import LIKE_POINTS, handle, quiet, whole
from bot.adapters.telegram.replies import Replies
from bot.adapters.telegram.sending import seconds_of
from bot.adapters.telegram.steps import Steps
from bot.desk import Desk, Done, Notice, Place
from bot.newgame import BadValue, UnknownWord
from bot.scene import pack, unpack
from bot.session.table import Person
from bot.session.tables import Tables
from bot.words import cut, explain, words
from bot.words.newgame import misunderstood
from core.game import SettingsError

#: What is offered before anything is typed.
_USUAL: Final = ("free", "rif", "soosyrv_8", "taraguchi_10", "swap2", "freestyle")
#: For how many seconds Telegram may answer the same person and words by itself.
_CACHED: Final = 30
_DESCRIPTION: Final = 200
#: What is wrong with words that make no game.
_UNREADABLE: Final = (UnknownWord, BadValue, SettingsError)


class Unclear(ValueError):
    """The words make no challenge; the message says why, in the language of whoever typed them."""

    def __init__(self, text: str, instead: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.instead = instead
        """What may have been meant."""


class Inline:
    """Answers inline queries and the taps on inline messages. Methods raise ``StoreUnavailable``."""

    def __init__(
        self,
        bot: Bot,
        desk: Desk,
        tables: Tables,
        shower: InlineShower,
        replies: Replies,
        *,
        preferences: Preferences,
    ) -> None:
        self._bot = bot
        self._desk = desk
        self._tables = tables
        self._replies = replies
        self.offers = Offers(desk, tables)
        self._steps = Steps(desk, tables, shower, replies, preferences)
        self.username = ""
        """The bot's own name, known once the connection is open."""
        self._quiet_until = 0.0
        """Until when Telegram asked to answer no queries, by the loop's clock."""

    # -- what is offered -----------------------------------------------------------------------------------------------

    async def asked(self, query: InlineQuery, person: Person) -> None:
        """Somebody types after the bot's name."""
        typed, say = whole(query.query).strip(), words(person.language).say
        try:
            wanted = [self.meant(typed, query.from_user, person)] if typed else [Challenge(one) for one in _USUAL]
            results = [article(await self.card(person, one), say("Press here to send it.")) for one in wanted]
        except Unclear as unclear:
            cards = [await self.card(person, Challenge(one)) for one in unclear.instead]
            results = [article(card, say("Did you mean this?")) for card in cards]
            results.append(explained("unclear", say("These words make no game"), str(unclear)))
        button = InlineQueryResultsButton(say("Play the engine, alone with me"), start_parameter="engine")
        self._replies.later(self._answer(query.id, results, button))

    async def _answer(
        self, query: str, results: list[InlineQueryResultArticle], button: InlineQueryResultsButton
    ) -> None:
        loop = asyncio.get_running_loop()
        if loop.time() < self._quiet_until:
            return  # the next letter asks again
        try:
            await self._bot.answer_inline_query(query, results, cache_time=_CACHED, is_personal=True, button=button)
        except RetryAfter as error:
            self._quiet_until = loop.time() + seconds_of(error)
        except BadRequest as error:
            if "query is too old" not in error.message.lower():
                raise

    def meant(self, typed: str, user: User, person: Person) -> Challenge:
        """The challenge that these words make; ``@anna`` among them names whom. Raises :class:`Unclear`."""
        chosen = words(person.language)
        if LIKE_POINTS.fullmatch(typed):
            raise Unclear(chosen.say("To put a stone press the buttons under the board."))
        who = next((word for word in typed.split() if word.startswith("@") and len(word) > 1), "")
        rest = " ".join(word for word in typed.split() if word != who)
        wanted = named(who, user, rest, self.username, chosen) if who else Challenge(typed)
        if wanted.refusal:
            raise Unclear(wanted.refusal)
        try:
            read = newgame.read(wanted.typed)
            if read.lacks_opening:
                raise Unclear(chosen.say("Which opening?"), newgame.with_opening(wanted.typed))
            read.settings(0)
        except (UnknownWord, BadValue) as error:
            raise Unclear(misunderstood(chosen, error), _instead(wanted.typed, error)) from None
        except SettingsError as error:
            raise Unclear(explain(chosen, error)) from None
        if read.level is not None:
            raise Unclear(chosen.say("Here people play each other. To play the engine write to me alone."))
        return wanted

    async def card(self, person: Person, wanted: Challenge) -> Card:
        """The challenge as it is sent."""
        offer = Offer(person=person, typed=wanted.typed, reserved=wanted.reserved, invited=wanted.invited)
        return await self.offers.card(offer)

    async def chosen(self, result: ChosenInlineResult, person: Person) -> None:
        """A card was sent. Told only where the operator asked @BotFather for it, so nothing depends on it."""
        if result.inline_message_id is not None and result.result_id.isalnum():
            await self.offers.opened(person, result.result_id, result.inline_message_id)

    # -- taps ----------------------------------------------------------------------------------------------------------

    async def tapped(self, query: CallbackQuery, person: Person, source: str, came: int) -> Done | Notice:
        """A tap on an inline message: Telegram names the message, never its chat."""
        at, wire = query.inline_message_id or "", query.data or ""
        place, offered = place_at(at), offers.read(wire)
        if offered is not None:
            opened = await self.offers.opened(person, offered[0], at)
            if isinstance(opened, Notice):
                return opened
            wire = pack(opened.table.id, opened.table.rev, offered[1])
        step = keypad.read(wire)
        if step is not None:
            return await self._steps.take(person, step, place=place, at=at, source=source, came=came)
        asked = await self._steps.preview(person, wire, place=place, at=at)
        if asked is not None:
            return asked
        named_now = handle(query.from_user)
        done = await self._desk.press(person, wire, place=place, message=at, source=source, at=came, handle=named_now)
        unpacked = unpack(wire)
        if isinstance(done, Done) and unpacked is not None and done.table.id != unpacked[0]:
            await self._taken_over(unpacked[0], done, place)
        return replace(done, retire=False) if isinstance(done, Notice) else done

    async def _taken_over(self, before: str, done: Done, place: Place) -> None:
        """A rematch is played in the same message, also when it was opened elsewhere."""
        views = await self._tables.views(done.table.id)
        if all((view.platform, view.chat) != (INLINE, place.chat) for view in views):
            await self._desk.bring_down(done.table, place)
        for view in await self._tables.views(before):
            if (view.platform, view.message) == (INLINE, place.message):
                await self._tables.detach(before, view.id)


def article(card: Card, description: str) -> InlineQueryResultArticle:
    """A card as something that can be sent."""
    return InlineQueryResultArticle(
        card.id,
        card.title,
        InputTextMessageContent(card.text),
        reply_markup=card.keyboard,
        description=description,
    )


def explained(name: str, title: str, text: str) -> InlineQueryResultArticle:
    """Words instead of a card."""
    content = InputTextMessageContent(quiet(text))
    return InlineQueryResultArticle(name, title, content, description=cut(text, _DESCRIPTION))


def _instead(typed: str, error: UnknownWord | BadValue) -> tuple[str, ...]:
    """The same words with the unknown one replaced by those that look like it, where that makes a challenge."""
    if not isinstance(error, UnknownWord):
        return ()
    return tuple(other for near in error.near if _readable(other := typed.replace(error.word, near, 1)))


def _readable(typed: str) -> bool:
    try:
        wanted = newgame.read(typed)
        wanted.settings(0)
    except _UNREADABLE:
        return False
    return wanted.level is None and not wanted.lacks_opening
