"""Inline queries, inline messages and guest calls: what a bot can do in chats that it is no member of."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.fakes.telegram.facts import TEXT_LIMIT, Fault, check_entities, check_keyboard
from tests.fakes.telegram.methods import TOO_OLD, Refuse
from tests.fakes.telegram.people import Chat, Message, Person, entities_of

if TYPE_CHECKING:
    from tests.fakes.telegram.server import TelegramServer

RESULTS_LIMIT = 50
QUERY_LIMIT = 256


@dataclass
class _Asked:
    person: Person
    words: str
    results: list[dict[str, Any]] | None = None


@dataclass
class _Called:
    chat: Chat
    message: Message
    answer: Message | None = None


@dataclass
class InlineMessages:
    """The inline side of one server."""

    server: TelegramServer
    messages: dict[str, Message] = field(default_factory=dict)
    """By inline id."""
    cache_times: list[int] = field(default_factory=list)
    button: dict[str, Any] | None = None
    """What stood above the last results."""
    _asked: dict[str, _Asked] = field(default_factory=dict)
    _called: dict[str, _Called] = field(default_factory=dict)

    # -- queries -------------------------------------------------------------------------------------------------------

    async def ask(self, person: Person, words: str, offset: str) -> list[dict[str, Any]]:
        """Tell the bot what somebody types, and wait for its answer."""
        assert len(words) <= QUERY_LIMIT, "clients do not let people type more"
        number = f"{person.id}{len(self._asked):06d}"
        asked = self._asked[number] = _Asked(person, words)
        body = {"id": number, "from": person.describe(), "query": words, "offset": offset, "chat_type": "private"}
        self.server.updates.add({"inline_query": body})
        await self.server.until(lambda: asked.results is not None, f"results for {words!r}")
        assert asked.results is not None
        return asked.results

    def answered(self, given: dict[str, Any]) -> bool:
        """``answerInlineQuery``. Raises :class:`Fault` and :class:`Refuse`."""
        asked = self._asked.get(given["inline_query_id"])
        if asked is None or asked.results is not None:
            raise Refuse(400, TOO_OLD)
        results = given["results"]
        if len(results) > RESULTS_LIMIT:
            raise Fault(f"{len(results)} results; {RESULTS_LIMIT} are allowed")
        names = [result["id"] for result in results]
        if len(set(names)) < len(names):
            raise Fault(f"RESULT_ID_DUPLICATE in {names}")
        for result in results:
            check_result(result)
        if given.get("cache_time", 300) < 0:
            raise Fault("a negative cache_time")
        self.cache_times.append(given.get("cache_time", 300))
        self.button = given.get("button")
        asked.results = results
        return True

    def send(self, person: Person, result: dict[str, Any], chat: Chat, *, told: bool) -> Message:
        """Put a result into a chat."""
        message = self._put(person, result, chat)
        if told:
            chosen = {"result_id": result["id"], "from": person.describe(), "query": ""}
            # The bot learns of the message only where it has buttons.
            named = {"inline_message_id": message.inline_id} if message.now.keyboard else {}
            self.server.updates.add({"chosen_inline_result": chosen | named})
        return message

    def _put(self, sender: Person | None, result: dict[str, Any], chat: Chat) -> Message:
        content = result["input_message_content"]
        keyboard = result.get("reply_markup")
        message = self.server.add_message(chat, sender, text=content["message_text"], keyboard=keyboard)
        packed = b"inline" + message.id.to_bytes(4, "big") + abs(chat.id).to_bytes(8, "big") + b"\xff\xfe"
        message.inline_id = base64.urlsafe_b64encode(packed).decode().rstrip("=")
        self.messages[message.inline_id] = message
        return message

    def sent(self, inline_id: str) -> Message:
        """The message of this id. Raises :class:`Refuse`."""
        message = self.messages.get(inline_id)
        if message is None or message.deleted:
            raise Refuse(400, "Bad Request: MESSAGE_ID_INVALID")
        return message

    def paced(self, message: Message) -> None:
        """Each inline message has a pace of its own. Raises :class:`Refuse`."""
        limits = self.server.limits
        number = 1 + sorted(self.messages).index(message.inline_id)
        seconds = 0 if limits is None else limits.refuse(number)
        if seconds:
            raise Refuse(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)

    # -- guest calls ---------------------------------------------------------------------------------------------------

    async def call(self, person: Person, words: str, chat: Chat, reply_to: Message | None) -> Message:
        """Mention the bot, and wait for its answer."""
        message = self.server.add_message(chat, person, text=words, reply_to=reply_to)
        number = f"g{person.id}{len(self._called):06d}"
        called = self._called[number] = _Called(chat, message)
        body = self.server.describe(message) | {"guest_query_id": number}
        marked = entities_of(words)
        self.server.updates.add({"guest_message": body | ({"entities": marked} if marked else {})})
        await self.server.until(lambda: called.answer is not None, f"an answer to the call {words!r}")
        assert called.answer is not None
        return called.answer

    def guest_answered(self, given: dict[str, Any]) -> dict[str, str]:
        """``answerGuestQuery``. Raises :class:`Fault` and :class:`Refuse`."""
        called = self._called.get(given["guest_query_id"])
        if called is None or called.answer is not None:
            raise Refuse(400, TOO_OLD)
        check_result(given["result"])
        called.answer = self._put(None, given["result"], called.chat)
        return {"inline_message_id": called.answer.inline_id}


def check_result(result: dict[str, Any]) -> None:
    """What the description does not say about a result. Raises :class:`Fault`."""
    if result["type"] != "article":
        raise Fault("only articles are modelled here")
    content = result["input_message_content"]
    text = content.get("message_text", "")
    if not text.strip() or len(text) > TEXT_LIMIT:
        raise Fault(f"a result with a text of {len(text)} characters")
    if content.get("parse_mode") is not None:
        raise Fault("texts with a parse_mode are not modelled here: names would need escaping")
    check_entities(text, content.get("entities", ()))
    if "reply_markup" in result:
        check_keyboard(result["reply_markup"])
