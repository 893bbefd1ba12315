"""A fake of Discord's REST interface and gateway, and the people who use it. It knows nothing about Renju."""

from tests.fakes.discord.people import Person
from tests.fakes.discord.places import Attachment, Channel, Guild, Message
from tests.fakes.discord.server import Call, DiscordServer
from tests.fakes.discord.visits import Interaction, Modal

__all__ = ["Attachment", "Call", "Channel", "DiscordServer", "Guild", "Interaction", "Message", "Modal", "Person"]
