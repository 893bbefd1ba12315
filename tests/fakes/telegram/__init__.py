"""A fake Bot API server, and the people who use it. It knows nothing about Renju."""

from tests.fakes.telegram.limits import Limits
from tests.fakes.telegram.people import ANONYMOUS, Answer, Chat, Message, Person
from tests.fakes.telegram.server import Call, TelegramServer

__all__ = ["ANONYMOUS", "Answer", "Call", "Chat", "Limits", "Message", "Person", "TelegramServer"]
