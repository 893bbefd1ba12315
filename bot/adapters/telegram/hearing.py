"""What people write and tap becomes a call to the desk; what the desk says goes back to them."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Final

import structlog
from telegram import Bot, CallbackQuery, ChatMemberUpdated, Message, Update, User
from telegram.constants import ChatMemberStatus

from bot.adapters.telegram import card, keypad, settings
from bot.adapters.telegram.challenging import Challenge
from bot.adapters.telegram.explaining import Explaining, asked_by
from bot.adapters.telegram.games import games
from bot.adapters.telegram.guest import Guest
from bot.adapters.telegram.helping import Elsewhere, first_steps, help_text, rules
from bot.adapters.telegram.inline import Inline
from bot.adapters.telegram.inline_board import InlineShower
from bot.adapters.telegram.keys import markup
from bot.adapters.telegram.naming import LISTED
from bot.adapters.telegram.opening import JOIN, Opening
from bot.adapters.telegram.preferences import Preferences
from bot.adapters.telegram.reading import (
    LIKE_POINTS,
    PLATFORM,
    command_of,
    handle,
    person_of,
    place_of,
    place_of_tap,
    whole,
    words_of,
)
from bot.adapters.telegram.replies import Replies
from bot.adapters.telegram.settings import OWN, Settings
from bot.adapters.telegram.shower import TelegramShower
from bot.adapters.telegram.steps import SERIOUS, Steps, refused
from bot.composing.figures import forbidden_shapes
from bot.desk import Desk, Done, Notice, Place
from bot.scene import unpack
from bot.session.store import StoreUnavailable
from bot.session.table import Declined, Person, Table, View
from bot.session.tables import Tables
from bot.typed import COMMANDS, OnePoint, read
from bot.words import explain, words
from core.game import Act, ActionError
from core.notation import NotationError

log = structlog.get_logger("renju.telegram")

#: What may have been meant for the game: one word, and one or two short ones after it (``take black``, ``add h9 i9``).
_LIKE_WORDS: Final = re.compile(r"\s*\w{1,12}(?:[\s,，、]+(?:\w{1,3}|black|white|odd|even)){0,12}\s*", re.IGNORECASE)

_OUTSIDE: Final = (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED)


class Hearing:
    """Handles one update after the other; raises nothing."""

    def __init__(
        self,
        bot: Bot,
        desk: Desk,
        tables: Tables,
        shower: TelegramShower,
        replies: Replies,
        *,
        inline: InlineShower,
        preferences: Preferences,
    ) -> None:
        self._desk = desk
        self._tables = tables
        self._shower = shower
        self._replies = replies
        self._preferences = preferences
        self._steps = Steps(desk, tables, shower, replies, preferences)
        self._explaining = Explaining(desk, replies, preferences)
        self._settings = Settings(bot, tables, replies, preferences)
        self._opening = Opening(desk, tables, replies, preferences)
        self._inline = Inline(bot, desk, tables, inline, replies, preferences=preferences)
        self._guest = Guest(bot, desk, tables, self._inline, replies)
        self._elsewhere = Elsewhere.NOT
        self.username = ""

    def named(self, username: str, *, elsewhere: Elsewhere = Elsewhere.NOT) -> None:
        """The bot's own name, known once the connection is open; and how it can be used in chats without it."""
        self._elsewhere = elsewhere
        self.username = self._opening.username = self._inline.username = username

    async def update(self, update: Update, came: int) -> None:
        """Handle an update that came at this moment (ms since 1970), by which clocks are judged. Whoever caused a
        fault is told so, in one line.
        """
        message, query = update.message, update.callback_query
        source = f"tg:update:{update.update_id}"
        try:
            if query is not None:
                await self._tapped(query, source, came)
            elif message is not None:
                await self._heard(message, source, came)
            elif update.inline_query is not None:
                await self._inline.asked(update.inline_query, await self._who(update.inline_query.from_user))
            elif update.chosen_inline_result is not None:
                sent = update.chosen_inline_result
                await self._inline.chosen(sent, await self._who(sent.from_user))
            elif update.guest_message is not None and update.guest_message.from_user is not None:
                called = update.guest_message
                await self._guest.called(called, await self._who(update.guest_message.from_user), source, came)
            elif update.my_chat_member is not None:
                await self._moved(update.my_chat_member)
        except StoreUnavailable:
            self._apologise(update, explain(words_of(update.effective_user), Declined.NOT_STORED))
        except Exception:
            log.exception("telegram_fault", update=update.update_id)
            self._apologise(update, words_of(update.effective_user).say("Something went wrong here. Please try again."))

    def _apologise(self, update: Update, text: str) -> None:
        if update.callback_query is not None:
            self._replies.answer(update.callback_query, text, alert=True)
        elif update.message is not None and update.message.text:
            self._replies.reply(update.message, text)

    async def _moved(self, told: ChatMemberUpdated) -> None:
        """The bot was let in, removed or blocked."""
        before, after = (one.status in _OUTSIDE for one in (told.old_chat_member, told.new_chat_member))
        if after:
            await self._shower.closed(str(told.chat.id))
        elif before:
            await self._shower.reopened(str(told.chat.id))

    # -- words ---------------------------------------------------------------------------------------------------------

    async def _heard(self, message: Message, source: str, came: int) -> None:
        if message.migrate_to_chat_id is not None:
            await self._shower.move(str(message.chat_id), str(message.migrate_to_chat_id))
            return
        user = message.from_user
        if user is None or message.text is None or message.via_bot is not None:
            return
        command = command_of(message, self.username)
        person = await self._who(user)
        if command is None:
            await self._typed(message, person, source, came)
            return
        name, rest = command
        if name == "rules":
            text, picture = rules(words(person.language), rest)
            self._replies.reply(message, text, picture=picture)
        elif name == "why":
            await self._explaining.asked(message, person, rest, await self._meant(message), self.username)
        elif name == "start" and (asked := asked_by(rest)) is not None:
            await self._explaining.asked(message, person, asked[1], asked[0], self.username)
        elif name == "start" and rest == OWN:
            self._say(message, await self._settings.asked(message, person, "settings", ""))
        elif name == "help" or (name == "start" and not rest.startswith(JOIN)):
            self._help(message, user, person)
        elif name in ("settings", "language"):
            self._say(message, await self._settings.asked(message, person, name, rest))
        elif message.sender_chat is not None:
            self._explain_names(message, person)
        elif not user.is_bot:
            await self._commanded(message, user, person, name, rest, source=source, came=came)

    def _help(self, message: Message, user: User, person: Person) -> None:
        """How to play, with the forbidden shapes; alone with the bot, the first game in one tap."""
        chosen, private = words(person.language), place_of(message).private
        _, picture = forbidden_shapes(chosen)
        keys = first_steps(chosen, user.id, self.username) if private else None
        self._replies.reply(
            message,
            help_text(chosen, private=private, elsewhere=self._elsewhere, username=self.username),
            keys,
            picture=picture,
        )

    async def _who(self, user: User) -> Person:
        """The person behind an account, in the language they have chosen; their client's, while the store is away."""
        try:
            return person_of(user, (await self._preferences.of(str(user.id))).language)
        except StoreUnavailable:
            return person_of(user)

    async def _commanded(
        self, message: Message, user: User, person: Person, name: str, rest: str, *, source: str, came: int
    ) -> None:
        place = place_of(message)
        done: Done | Notice
        if name == "newgame":
            done = await self._opening.asked(message, user, person, rest, source)
        elif name == "start":
            joined = rest.removeprefix(JOIN)
            done = await self._desk.join(person, joined, source=source, at=came, handle=handle(user))
            await self._board_of(done, place)
        elif name == "games":
            self._replies.reply(message, *await games(self._desk, self._tables, person, place))
            return
        elif name == "rematch":
            done = await self._again(message, person, place, source, came)
        elif name == "move":
            table = await self._meant(message)
            done = await self._desk.move(person, rest, table=table, place=place, source=source, at=came)
        elif name in SERIOUS:
            done = await self._asked(message, person, name, place)
        elif name in COMMANDS or name == "board":
            table = await self._meant(message)
            if not (place.private or name in LISTED or table is not None or await self._plays_here(person, place)):
                return  # /add, /take ... may be another bot's
            done = await self._desk.command(person, name, rest, table=table, place=place, source=source, at=came)
        elif place.private:
            done = Notice(words(person.language).say("I do not know that command. Write /help to see those I know."))
        else:
            return  # meant for another bot, most likely
        self._say(message, done)

    def _explain_names(self, message: Message, person: Person) -> None:
        """To an anonymous administrator: a seat belongs to a person."""
        say = words(person.language).say
        self._replies.reply(
            message,
            say(
                "You write in the name of the chat, so I cannot tell who you are. "
                "Use the buttons, or write under your own name."
            ),
        )

    async def _typed(self, message: Message, person: Person, source: str, came: int) -> None:
        """Words without a command: in private and as replies to the board they are moves."""
        place, text = place_of(message), whole(message.text or "")
        table = await self._meant(message)
        if not place.private:
            if message.sender_chat is not None:
                if table is not None and LIKE_POINTS.fullmatch(text):
                    self._explain_names(message, person)
                return
            if not await self._meant_as_move(person, place, table, text):
                return  # people talking
        done = await self._desk.move(person, text, table=table, place=place, source=source, at=came)
        self._say(message, done)

    async def _meant_as_move(self, person: Person, place: Place, table: str | None, text: str) -> bool:
        """Whether words in a group are for the game: a reply to the board, or a point of somebody who plays."""
        if LIKE_POINTS.fullmatch(text):
            return table is not None or await self._plays_here(person, place)
        if table is None or not _LIKE_WORDS.fullmatch(text):
            return False
        board = await self._tables.get(table)
        if isinstance(board, Declined) or not board.seats_of(person.id):
            return False
        try:
            read(board, board.seats_of(person.id), text)
        except OnePoint:
            return True
        except (NotationError, ActionError):
            return False
        return True

    async def _plays_here(self, person: Person, place: Place) -> bool:
        """Whether they have a running game in this chat."""
        mine = set(await self._tables.tables_of(person.id))
        for table_id in await self._tables.tables_in(place.platform, place.chat, place.thread):
            table = await self._tables.get(table_id) if table_id in mine else Declined.GONE
            if isinstance(table, Table) and table.game.outcome is None:
                return True
        return False

    async def _meant(self, message: Message) -> str | None:
        """The table whose board was replied to."""
        board = message.reply_to_message
        if board is None:
            return None
        found = await self._tables.view_at(PLATFORM, str(message.chat_id), str(board.message_id))
        return found[0] if found is not None else None

    async def _again(self, message: Message, person: Person, place: Place, source: str, came: int) -> Done | Notice:
        """``/rematch``: of the game that was replied to, or that ended last here."""
        meant = await self._meant(message)
        over = await self._desk.ended(person, place) if meant is None else await self._tables.get(meant)
        if isinstance(over, Notice):
            return over
        if isinstance(over, Declined):
            return Notice(explain(words(person.language), over))
        done = await self._desk.rematch(person, over, place, source=source, at=came)
        await self._board_of(done, place)
        return done

    async def _asked(self, message: Message, person: Person, name: str, place: Place) -> Notice:
        """Resigning or leaving by command: ask first, since a command is sent by one tap on its name."""
        table = await self._desk.find(person, table=await self._meant(message), place=place)
        if isinstance(table, Notice):
            return table
        no = refused(table, person, None)
        if no is not None:
            return no
        say = words(person.language).say
        if name == Act.LEAVE:
            asked, yes = say("Leave this table? A game that has begun is lost."), say("Yes, leave")
        else:
            asked, yes = say("Resign this game?"), say("Yes resign")
        seat = table.seats_of(person.id)[0]
        keys = keypad.question(table, name, seat, yes=yes, no=say("Play on"))
        self._replies.reply(message, asked, markup(keys))
        return Notice()

    def _say(self, message: Message, done: Done | Notice) -> None:
        notice = done.notice if isinstance(done, Done) else done
        user = message.from_user
        choices = keypad.choices(notice.choices, user.id) if user is not None else None
        if choices is None and isinstance(done, Notice):
            self._replies.privately(message, notice.text)  # why not, or something of their own
        else:
            self._replies.reply(message, notice.text, choices)
        if isinstance(done, Done):
            self._retire(done.retired)

    # -- taps ----------------------------------------------------------------------------------------------------------

    async def _tapped(self, query: CallbackQuery, source: str, came: int) -> None:
        person, wire = await self._who(query.from_user), query.data or ""
        if query.message is None and query.inline_message_id is not None:
            self._answer(query, await self._inline.tapped(query, person, source, came))
            return
        place = place_of_tap(query)
        at = str(query.message.message_id) if query.message is not None else ""
        step = keypad.read(wire) if place is not None else None
        chosen = keypad.chosen(wire) if isinstance(query.message, Message) else None
        turned, preferred = card.read(wire), settings.read(wire)
        done: Done | Notice
        if turned is not None and isinstance(query.message, Message):
            done = await self._opening.turned(query.message, person, turned)
        elif preferred is not None and isinstance(query.message, Message):
            done = await self._settings.chosen(query.message, query.from_user, person, preferred)
        elif chosen is not None and isinstance(query.message, Message):
            done = await self._chosen(query.message, person, *chosen)
        elif step is not None and place is not None:
            done = await self._steps.take(person, step, place=place, at=at, source=source, came=came)
        else:
            asked = None if place is None else await self._steps.preview(person, wire, place=place, at=at)
            named = handle(query.from_user)
            done = asked or await self._pressed(person, wire, named, place=place, at=at, source=source, came=came)
        notice = self._answer(query, done)
        if notice.retire and place is not None:
            self._replies.later(self._shower.retire(place.chat, at))
        if isinstance(done, Done):
            self._retire(done.retired)

    def _answer(self, query: CallbackQuery, done: Done | Notice) -> Notice:
        notice = done.notice if isinstance(done, Done) else done
        self._replies.answer(query, notice.text, alert=notice.alert)
        return notice

    async def _chosen(self, near: Message, person: Person, asked: str, typed: str) -> Done | Notice:
        """One of the ways to go on with a request for a new game; for whoever made the request."""
        if person.id != asked:
            return Notice(words(person.language).say("Somebody else was asked this, not you."))
        done = await self._opening.opened(near, person, Challenge(typed), f"tg:choice:{near.chat_id}:{near.message_id}")
        return replace(done, notice=replace(done.notice, retire=True)) if isinstance(done, Done) else done

    async def _pressed(
        self, person: Person, wire: str, named: str, *, place: Place | None, at: str, source: str, came: int
    ) -> Done | Notice:
        unpacked = unpack(wire)
        press = partial(self._desk.press, person, wire, source=source, at=came, handle=named)
        done = await press(place=place, message=at)
        if place is None or unpacked is None:
            return done
        if isinstance(done, Notice) and done.retire and self._shower.sent(place.chat, at, unpacked[0]):
            # Tapped the moment it was sent, before the store knows of it.
            done = await press(place=None)
        if isinstance(done, Done) and done.table.id != unpacked[0]:  # a rematch, which may have been opened elsewhere
            await self._board_here(done.table, place)
        return done

    async def _board_of(self, done: Done | Notice, place: Place) -> None:
        """Who has begun or joined a game sees it where they are."""
        if isinstance(done, Done):
            await self._board_here(done.table, place)

    async def _board_here(self, table: Table, place: Place) -> None:
        """Show the table in this chat, unless it is shown there."""
        views = await self._tables.views(table.id)
        if all((view.platform, view.chat) != (place.platform, place.chat) for view in views):
            await self._desk.bring_down(table, place)

    def _retire(self, views: tuple[View, ...]) -> None:
        for view in views:
            if view.platform == PLATFORM and view.message:
                self._shower.forget(view.chat, view.message)
                self._replies.later(self._shower.retire(view.chat, view.message))
