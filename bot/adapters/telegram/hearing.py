"""What people write and tap becomes a call to the desk; what the desk says goes back to them."""

from __future__ import annotations

import re
from typing import Final

import structlog
from telegram import CallbackQuery, Message, Update, User

from bot.adapters.telegram import keypad
from bot.adapters.telegram.reading import PLATFORM, command_of, person_of, place_of, place_of_tap, whole, words_of
from bot.adapters.telegram.replies import Replies
from bot.adapters.telegram.shower import TelegramShower
from bot.adapters.telegram.steps import SERIOUS, Steps, refused
from bot.desk import Desk, Done, Notice, Place
from bot.scene import unpack
from bot.session.store import StoreUnavailable
from bot.session.table import Declined, Person, Table, View
from bot.session.tables import Tables
from bot.words import Phrase, explain, words
from bot.words.help import help_text, rules_text
from core.game import Act
from core.notation import NotationError, point

log = structlog.get_logger("renju.telegram")

#: Commands that the desk understands as they are.
_DESK: Final = (
    "board",
    "claim",
    "pass",
    "draw",
    "undo",
    "cancel",
    "swap",
    "keep",
    "odd",
    "even",
    "accept",
    "decline",
    "allow",
    "refuse",
)
_LETTER: Final = "[A-Za-zＡ-Ｚａ-ｚ]"
_NUMBER: Final = "[0-9０-９]{1,3}"
#: What somebody may have meant as points or as an offer's letter, in a group where people also talk.
_LIKE_A_MOVE: Final = re.compile(
    rf"\s*(?:(?:{_LETTER}{_NUMBER}|{_NUMBER}{_LETTER})(?:[\s,]+(?:{_LETTER}{_NUMBER}|{_NUMBER}{_LETTER}))*|[A-La-l])\s*"
)
_JOIN: Final = "join-"


class Hearing:
    """Handles one update after the other; raises nothing."""

    def __init__(self, desk: Desk, tables: Tables, shower: TelegramShower, replies: Replies) -> None:
        self._desk = desk
        self._tables = tables
        self._shower = shower
        self._replies = replies
        self._steps = Steps(desk, tables, shower, replies)
        self.username = ""
        """The bot's own name, known once the connection is open."""

    async def update(self, update: Update) -> None:
        """Handle an update. Whoever caused a fault is told so, in one line."""
        message, query = update.message, update.callback_query
        source = f"tg:update:{update.update_id}"
        try:
            if query is not None:
                await self._tapped(query, source)
            elif message is not None:
                await self._heard(message, source)
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

    # -- words ---------------------------------------------------------------------------------------------------------

    async def _heard(self, message: Message, source: str) -> None:
        if message.migrate_to_chat_id is not None:
            await self._shower.move(str(message.chat_id), str(message.migrate_to_chat_id))
            return
        user = message.from_user
        if user is None or message.text is None or message.via_bot is not None:
            return
        command = command_of(message, self.username)
        if command is None:
            await self._typed(message, user, source)
            return
        name, rest = command
        if name == "rules":
            self._replies.reply(message, rules_text(words_of(user)))
        elif name == "help" or (name == "start" and not rest.startswith(_JOIN)):
            self._replies.reply(message, help_text(words_of(user)))
        elif message.sender_chat is not None:
            self._explain_names(message, user)
        elif not user.is_bot:
            await self._commanded(message, person_of(user), name, rest, source)

    async def _commanded(self, message: Message, person: Person, name: str, rest: str, source: str) -> None:
        place = place_of(message)
        if name == "newgame":
            done = await self._desk.new_game(person, place, rest, source=source)
            if isinstance(done, Done) and done.table.waiting and place.private:
                self._replies.reply(message, self._invitation(person, done.table))
        elif name == "start":
            done = await self._joined(person, rest.removeprefix(_JOIN), place, source)
        elif name == "move":
            done = await self._desk.move(person, rest, table=await self._meant(message), place=place, source=source)
        elif name in SERIOUS:
            done = await self._asked(message, person, name, place)
        elif name in _DESK:
            table = await self._meant(message)
            done = await self._desk.command(person, name, table=table, place=place, source=source)
        elif place.private:
            done = Notice(words(person.language).say("I do not know that command. Write /help to see those I know."))
        else:
            return  # meant for another bot, most likely
        self._say(message, done)

    def _explain_names(self, message: Message, user: User) -> None:
        """To an anonymous administrator: a seat belongs to a person."""
        say = words_of(user).say
        self._replies.reply(
            message,
            say(
                "You write in the name of the chat, so I cannot tell who you are. "
                "Use the buttons, or write under your own name."
            ),
        )

    async def _typed(self, message: Message, user: User, source: str) -> None:
        """Words without a command: in private and as replies to the board they are moves."""
        place, text, person = place_of(message), whole(message.text or ""), person_of(user)
        table = await self._meant(message)
        if not place.private:
            if not _LIKE_A_MOVE.fullmatch(text):
                return  # people talking
            if message.sender_chat is not None:
                if table is not None:
                    self._explain_names(message, user)
                return
            if table is None and not await self._plays_here(person, place, text):
                return
        self._say(message, await self._desk.move(person, text, table=table, place=place, source=source))

    async def _plays_here(self, person: Person, place: Place, text: str) -> bool:
        """Whether a plain word in a group, which only reaches an administrator, can be a move."""
        try:
            point(text)
        except NotationError:
            return False
        here = await self._tables.tables_in(place.platform, place.chat, place.thread)
        return bool(set(here) & set(await self._tables.tables_of(person.id)))

    async def _meant(self, message: Message) -> str | None:
        """The table whose board was replied to."""
        board = message.reply_to_message
        if board is None:
            return None
        found = await self._tables.view_at(PLATFORM, str(message.chat_id), str(board.message_id))
        return found[0] if found is not None else None

    async def _joined(self, person: Person, table_id: str, place: Place, source: str) -> Done | Notice:
        """Somebody followed an invitation: they get a board of their own."""
        done = await self._desk.join(person, table_id, source=source)
        if isinstance(done, Done):
            await self._board_here(done.table, place)
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
        self._replies.reply(message, asked, keys)
        return Notice()

    def _invitation(self, person: Person, table: Table) -> str:
        link = f"https://t.me/{self.username}?start={_JOIN}{table.id}"
        return words(person.language).say(
            "Send this link to a friend; whoever opens it first plays with you: {link}", link=Phrase(link)
        )

    def _say(self, message: Message, done: Done | Notice) -> None:
        notice = done.notice if isinstance(done, Done) else done
        self._replies.reply(message, notice.text)
        if isinstance(done, Done):
            self._retire(done.retired)

    # -- taps ----------------------------------------------------------------------------------------------------------

    async def _tapped(self, query: CallbackQuery, source: str) -> None:
        person, wire = person_of(query.from_user), query.data or ""
        place = place_of_tap(query)
        at = str(query.message.message_id) if query.message is not None else ""
        step = keypad.read(wire) if place is not None else None
        if step is not None and place is not None:
            done = await self._steps.take(person, step, place=place, at=at, source=source)
        else:
            done = await self._pressed(person, wire, place=place, at=at, source=source)
        notice = done.notice if isinstance(done, Done) else done
        self._replies.answer(query, notice.text, alert=notice.alert)
        if notice.retire and place is not None:
            self._replies.later(self._shower.retire(place.chat, at))
        if isinstance(done, Done):
            self._retire(done.retired)

    async def _pressed(self, person: Person, wire: str, *, place: Place | None, at: str, source: str) -> Done | Notice:
        read = unpack(wire)
        if place is None or read is None:
            return await self._desk.press(person, wire, place=place, message=at, source=source)
        done = await self._desk.press(person, wire, place=place, message=at, source=source)
        if isinstance(done, Notice) and done.retire and self._shower.sent(place.chat, at, read[0]):
            # Tapped the moment it was sent, before the store knows of it.
            done = await self._desk.press(person, wire, place=None, source=source)
        if isinstance(done, Done) and done.table.id != read[0]:  # a rematch, which may have been opened elsewhere
            await self._board_here(done.table, place)
        return done

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
