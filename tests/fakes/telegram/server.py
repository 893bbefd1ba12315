"""A Bot API server on the loopback interface that an unmodified client library talks to.

It keeps chats, messages, files and updates, checks every call against the description of the API and behaves like the
real one where a bot can notice: unconfirmed updates come again, a second poller gets 409, an unchanged edit 400, a
query is answered once and not too late. What a call got wrong by itself is kept in :attr:`TelegramServer.faults`; a
test ends with that list empty.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from tests.fakes.telegram.facts import METHODS, Fault, Upload, checked
from tests.fakes.telegram.inline import InlineMessages
from tests.fakes.telegram.limits import Limits
from tests.fakes.telegram.methods import Refuse, perform
from tests.fakes.telegram.people import ANONYMOUS, Answer, Chat, Message, Person, Version, entities_of
from tests.fakes.telegram.updates import Updates
from tests.fakes.telegram.webhook import Deliveries

PATIENCE = 30.0
"""Seconds until :meth:`TelegramServer.until` gives up."""


@dataclass(frozen=True)
class Call:
    """A call that the bot made, and how it ended."""

    method: str
    parameters: dict[str, Any]
    error: str = ""


@dataclass
class Query:
    """A tap on a button, and its answer."""

    id: str
    message: Message
    update: int
    """The id of the update that tells of it."""
    answers: list[Answer] = field(default_factory=list)
    too_old: bool = False


@dataclass
class _Failure:
    method: str
    error: Refuse
    times: int
    chat: int | None


class TelegramServer:
    """Use it as ``async with TelegramServer() as server``."""

    def __init__(self, token: str = "4200000000:TEST-token") -> None:  # noqa: S107 - made up
        self.token = token
        self.username = "renju_test_bot"
        self.bot = {
            "id": 4200000000,
            "is_bot": True,
            "first_name": "Renju",
            "username": self.username,
            "can_join_groups": True,
            "can_read_all_group_messages": False,
            "supports_inline_queries": True,
            "supports_guest_queries": True,
        }
        self.url = ""
        self.chats: dict[int, Chat] = {}
        self.people: dict[int, Person] = {}
        self.files: dict[str, bytes] = {}
        self.sizes: dict[str, list[dict[str, Any]]] = {}
        self.queries: dict[str, Query] = {}
        self.commands: dict[tuple[str, str], list[dict[str, str]]] = {}
        """By scope and language."""
        self.calls: list[Call] = []
        self.faults: list[str] = []
        self.queries_expire = False
        """Whether every query is too old when its answer comes."""
        self.dates_known = True
        """Whether texts may have marked dates."""
        self.before_ephemeral = False
        """Whether it knows no messages that one member of a group alone sees: then all see them, as with every field
        that a server does not know."""
        self.ephemeral_refused = False
        """Whether it refuses such messages."""
        self.webhook = False
        """Whether one is set: then nobody may ask for updates."""
        self.secret = ""
        """What deliveries to it carry."""
        self.limits: Limits | None = None
        self.updates = Updates(self)
        self.deliveries = Deliveries(self)
        self.inline = InlineMessages(self)
        self._failures: list[_Failure] = []
        self._changed = asyncio.Event()
        self.pulses = 0
        """How often something happened."""
        self._runner: web.AppRunner | None = None
        self._next_person = 5_000_000_001
        self._next_group = -4_000_000_001
        self._next_file = 1

    # -- running ---------------------------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_route("*", "/bot{token}/{method}", self._called)
        app.router.add_get("/file/bot{token}/{path:.+}", self._download)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._runner is not None
        self.updates.stop()
        await self.deliveries.stop()
        await self._runner.cleanup()

    async def until(self, holds: Callable[[], object], what: str = "", *, patience: float = PATIENCE) -> None:
        """Wait until ``holds()`` is true; it is asked again whenever something happened here."""
        try:
            async with asyncio.timeout(patience):
                while not holds():
                    await self.changed()
        except TimeoutError:
            recent = "\n".join(f"  {call}" for call in self.calls[-8:])
            raise AssertionError(
                f"it never came: {what or holds}\nfaults: {self.faults}\nlast calls:\n{recent}"
            ) from None

    def changed(self) -> Coroutine[Any, Any, Any]:
        """Waits for the next thing that happens after this call, also if it is awaited later."""
        return self._changed.wait()

    def pulse(self) -> None:
        """Something happened: wake whoever waits."""
        self.pulses += 1
        self._changed.set()
        self._changed = asyncio.Event()

    # -- people and places -----------------------------------------------------------------------------------------

    def person(self, name: str, language: str | None = "en", *, username: str = "", is_bot: bool = False) -> Person:
        """Somebody new."""
        number, self._next_person = self._next_person, self._next_person + 7
        chat = Chat(self, number, "private", blocked="Forbidden: bot can't initiate conversation with a user")
        chat.person = person = Person(self, number, name, language, chat, username, is_bot)
        self.people[number] = person
        self.chats[number] = chat
        return person

    def group(self, title: str, *, kind: str = "supergroup", forum: bool = False) -> Chat:
        """A new group with the bot in it."""
        number, self._next_group = self._next_group, self._next_group - 1
        if kind == "supergroup":
            number -= 1_000_000_000_000
        chat = Chat(self, number, kind, title, forum=forum, next_id=2)  # 1 is the general topic
        self.chats[chat.id] = chat
        return chat

    def migrate(self, chat: Chat, *, told: bool = True) -> Chat:
        """Make a group a supergroup: it gets a new id. Unless ``told``, the bot learns of it only by a refusal."""
        new = self.group(chat.title)
        chat.migrated_to = new.id
        someone = next(iter(self.people.values()))
        for place, news in ((chat, {"migrate_to_chat_id": new.id}), (new, {"migrate_from_chat_id": chat.id})):
            message = self.add_message(place, someone, service=news)
            if told:
                self.deliver_message(message)
        return new

    def forget(self, message: Message) -> None:
        """Somebody deletes a message."""
        message.deleted = True
        self.pulse()

    # -- updates ---------------------------------------------------------------------------------------------------

    def add_message(
        self,
        chat: Chat,
        sender: Person | None,
        *,
        text: str = "",
        photo: str = "",
        keyboard: dict[str, Any] | None = None,
        reply_to: Message | None = None,
        thread: int | None = None,
        service: dict[str, Any] | None = None,
        as_chat: bool = False,
    ) -> Message:
        """Put a message into a chat."""
        message = Message(
            chat,
            chat.next_id,
            sender,
            [Version(text, photo, keyboard)],
            thread,
            reply_to,
            service=service or {},
            as_chat=as_chat,
        )
        chat.next_id += 1
        chat.history[message.id] = message
        self.pulse()
        return message

    def deliver_message(self, message: Message) -> None:
        """Tell the bot of a message, if privacy mode lets it see it."""
        chat = message.chat
        if chat.person is not None and chat.blocked.endswith("a user"):
            chat.blocked = ""  # who has written can be written to
        if not chat.blocked and (chat.kind == "private" or chat.bot_is_admin or self._addressed(message)):
            self.updates.add({"message": self.describe(message)})

    def _addressed(self, message: Message) -> bool:
        if message.service:
            return "forum_topic_created" not in message.service
        if message.reply_to is not None and message.reply_to.sender is None:
            return True
        for entity in [one for one in entities_of(message.text) if one["type"] == "bot_command"][:1]:
            command, _, name = message.text[entity["offset"] : entity["offset"] + entity["length"]].partition("@")
            if name:
                return name.lower() == self.username.lower()
            return bool(command) and not message.chat.other_bot_spoke
        return False

    def deliver_tap(self, person: Person, message: Message, data: str) -> Query:
        """Tell the bot of a tap."""
        query = Query(f"{person.id}{len(self.queries):06d}", message, self.updates.next)
        self.queries[query.id] = query
        query.too_old = self.queries_expire
        shown: dict[str, Any] = {} if message.inline_id else self.describe(message)
        if message.deleted and not message.inline_id:
            shown = {"chat": message.chat.describe(), "message_id": message.id, "date": 0}
        self.updates.add(
            {
                "callback_query": {
                    "id": query.id,
                    "from": person.describe(),
                    **({"inline_message_id": message.inline_id} if message.inline_id else {"message": shown}),
                    "chat_instance": f"{message.chat.id * 31 % 2**61}",
                    "data": data,
                }
            }
        )
        return query

    async def answer_to(self, query: Query) -> Answer:
        """The answer that the tapper sees, once it has come."""
        await self.until(lambda: query.answers, f"an answer to the tap {query.id}")
        return query.answers[0]

    def membership(self, chat: Chat, status: str, by: Person | None = None) -> None:
        """Tell the bot that it was let in, blocked or removed."""
        by = by or next(iter(self.people.values()))
        old = "member" if status != "member" else "kicked"
        self.updates.add(
            {
                "my_chat_member": {
                    "chat": chat.describe(),
                    "from": by.describe(),
                    "date": int(time.time()),
                    "old_chat_member": self.membership_of(old),
                    "new_chat_member": self.membership_of(status),
                }
            }
        )

    def membership_of(self, status: str) -> dict[str, Any]:
        """The bot as a member of a chat."""
        return {"status": status, "user": self.bot_user()} | ({"until_date": 0} if status == "kicked" else {})

    def bot_user(self) -> dict[str, Any]:
        """The bot as others see it."""
        return {key: self.bot[key] for key in ("id", "is_bot", "first_name", "username")}

    def describe(self, message: Message, *, depth: int = 1) -> dict[str, Any]:
        """A message as the Bot API writes it."""
        written: dict[str, Any] = {
            "message_id": message.id,
            "date": int(time.time()),
            "chat": message.chat.describe(),
        }
        if message.as_chat:
            anonymous = {"id": ANONYMOUS, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
            written |= {"from": anonymous, "sender_chat": message.chat.describe()}
        else:
            written["from"] = self.bot_user() if message.sender is None else message.sender.describe()
        written |= message.service
        now = message.now
        if now.photo:
            written["photo"] = self.sizes[now.photo]
            if now.text:
                written["caption"] = now.text
        elif now.text:
            written["text"] = now.text
            entities = entities_of(now.text, message.mention)
            if entities:
                written["entities"] = entities
        if now.keyboard is not None:
            written["reply_markup"] = now.keyboard
        reply_to = message.reply_to
        if message.thread is not None:
            written["message_thread_id"] = message.thread
            if message.chat.forum:
                written["is_topic_message"] = True
                # In a topic whatever is no reply counts as one to the message that opened it.
                reply_to = reply_to or message.chat.topics[message.thread]
        elif reply_to is not None and message.chat.kind == "supergroup":
            written["message_thread_id"] = reply_to.id  # a thread of replies, which is no topic
        if reply_to is not None and depth and reply_to is not message:
            written["reply_to_message"] = self.describe(reply_to, depth=0)
        return written

    def keep_photo(self, content: bytes, width: int, height: int) -> str:
        """Keep a picture in the sizes that Telegram makes of it: the file id of the largest."""
        number, self._next_file = self._next_file, self._next_file + 1
        sizes = []
        for letter, longest in (("s", 90), ("m", 320), ("x", 800), ("y", 1280)):
            scale = min(1.0, longest / max(width, height))
            file_id = f"AgACAgIAAx{letter}{number:06d}"
            self.files[file_id] = content
            sizes.append(
                {
                    "file_id": file_id,
                    "file_unique_id": f"AQAD{letter}{number:06d}",
                    "width": max(1, round(width * scale)),
                    "height": max(1, round(height * scale)),
                    "file_size": len(content),
                }
            )
            if scale == 1.0:
                break
        for size in sizes:
            self.sizes[str(size["file_id"])] = sizes
        return str(sizes[-1]["file_id"])

    # -- trouble on demand -----------------------------------------------------------------------------------------

    def fail(
        self,
        method: str,
        code: int,
        description: str,
        *,
        times: int = 1,
        chat: Chat | None = None,
        retry_after: int | None = None,
        drop: bool = False,
    ) -> None:
        """Let the next calls of a method fail; ``drop`` cuts the connection instead."""
        error = Refuse(code, description, retry_after=retry_after, drop=drop)
        self._failures.append(_Failure(method, error, times, None if chat is None else chat.id))

    def _scripted(self, method: str, parameters: dict[str, Any]) -> None:
        for failure in self._failures:
            if failure.method == method and failure.times and failure.chat in (None, parameters.get("chat_id")):
                failure.times -= 1
                raise failure.error

    # -- the wire --------------------------------------------------------------------------------------------------

    async def _called(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        if request.match_info["token"] != self.token:
            return _error(Refuse(401, "Unauthorized"))
        if method not in METHODS:
            self.faults.append(f"{method} is no method that is known here")
            return _error(Refuse(404, "Not Found"))
        given, uploads = await _read(request)
        parameters: dict[str, Any] = dict(given)
        try:
            parameters = checked(method, given, uploads)
            self._scripted(method, parameters)
            if method == "getUpdates":
                return _result(await self.updates.get(parameters))
            result = perform(self, method, parameters, uploads)
        except Fault as fault:
            self.faults.append(str(fault))
            return self._refused(method, parameters, Refuse(400, f"Bad Request: {fault}"))
        except Refuse as refusal:
            if refusal.drop:
                assert request.transport is not None
                request.transport.abort()
            return self._refused(method, parameters, refusal)
        self.calls.append(Call(method, parameters))
        self.pulse()
        return _result(result)

    def _refused(self, method: str, parameters: dict[str, Any], refusal: Refuse) -> web.Response:
        self.calls.append(Call(method, parameters, refusal.description))
        self.pulse()
        return _error(refusal)

    async def _download(self, request: web.Request) -> web.Response:
        content = self.files.get(request.match_info["path"].removeprefix("photos/").removesuffix(".jpg"))
        if request.match_info["token"] != self.token or content is None:
            return web.Response(status=404)
        return web.Response(body=content)


async def _read(request: web.Request) -> tuple[dict[str, Any], dict[str, Upload]]:
    """The parameters of a call, however they were sent, and the files that came along."""
    given: dict[str, Any] = dict(request.query)
    uploads: dict[str, Upload] = {}
    if request.content_type == "application/json":
        with suppress(ValueError):
            given |= await request.json()
        return given, uploads
    for name, value in (await request.post()).items():
        if isinstance(value, web.FileField):
            uploads[name] = Upload(value.file.read(), value.filename)
        else:
            given[name] = value.decode() if isinstance(value, bytes | bytearray) else value
    return given, uploads


def _result(result: Any) -> web.Response:
    return web.json_response({"ok": True, "result": result})


def _error(refusal: Refuse) -> web.Response:
    body: dict[str, Any] = {"ok": False, "error_code": refusal.code, "description": refusal.description}
    if refusal.parameters:
        body["parameters"] = refusal.parameters
    return web.json_response(body, status=refusal.code)
