"""Who uses the fake Discord: what a test does with its hands and sees with its eyes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.fakes.discord.facts import walk
from tests.fakes.discord.places import DM, Channel, Message
from tests.fakes.discord.visits import COMMAND, COMPLETION, COMPONENT, SUBMIT, Interaction, Modal

if TYPE_CHECKING:
    from tests.fakes.discord.server import DiscordServer

#: Kinds of option that a command has, by the type of what is given.
_TEXT, _NUMBER, _BOOLEAN, _SOMEBODY, _CHANNEL = 3, 4, 5, 6, 7


@dataclass(eq=False)
class Person:
    """Somebody with an account."""

    server: DiscordServer
    id: int
    name: str
    locale: str
    dm: Channel
    nick: str | None = None
    is_bot: bool = False

    def describe(self) -> dict[str, Any]:
        """The account as the API writes it."""
        told = {"id": str(self.id), "username": f"user{self.id}", "global_name": self.name, "discriminator": "0"}
        return told | {"avatar": None, "bot": self.is_bot, "public_flags": 0}

    async def slash(self, name: str, channel: Channel | None = None, **options: Any) -> Interaction:
        """Use a command that the bot has registered; returns when it is acknowledged."""
        command = self.server.command(name, 1)
        given = [self._option(command, key, value) for key, value in options.items()]
        data = {"id": command["id"], "name": name, "type": 1, "options": given, "resolved": self._resolved(options)}
        return await self.server.visit(COMMAND, self, channel or self.dm, data)

    async def menu(self, name: str, target: Person, channel: Channel) -> Interaction:
        """Use a command of the menu on somebody; returns when it is acknowledged."""
        command = self.server.command(name, 2)
        data = {"id": command["id"], "name": name, "type": 2, "target_id": str(target.id)}
        return await self.server.visit(COMMAND, self, channel, data | {"resolved": self._resolved({"": target})})

    async def complete(
        self, name: str, option: str, typed: str, channel: Channel | None = None, **others: Any
    ) -> list[tuple[str, str]]:
        """Type into an option of a command: the choices that are offered, by name and value."""
        command = self.server.command(name, 1)
        given = [self._option(command, key, value) for key, value in others.items()]
        given.append(self._option(command, option, typed) | {"focused": True})
        assert next(o for o in command["options"] if o["name"] == option).get("autocomplete"), (
            f"{option} has no choices"
        )
        data = {"id": command["id"], "name": name, "type": 1, "options": given}
        return (await self.server.visit(COMPLETION, self, channel or self.dm, data)).choices

    async def press(self, message: Message, label: str) -> Interaction:
        """Press a button; returns when it is acknowledged."""
        (button,) = [button for button in message.buttons if button.get("label") == label] or [None]
        assert button is not None, f"there is no button {label!r}; there are {message.labels}"
        assert not button.get("disabled"), f"the button {label!r} is disabled"
        return await self.press_id(message, button["custom_id"])

    async def press_id(
        self, message: Message, custom_id: str, *, then: list[dict[str, Any]] | None = None
    ) -> Interaction:
        """Press the button that carries ``custom_id``, of a message that showed the components ``then``."""
        self._sees(message)
        data = {"custom_id": custom_id, "component_type": 2, "id": 1}
        return await self.server.visit(COMPONENT, self, message.channel, data, message=message, then=then)

    async def select(self, message: Message, number: int, value: str) -> Interaction:
        """Choose a value of the select of this number; returns when it is acknowledged."""
        self._sees(message)
        select = message.selects[number]
        assert value in [option["value"] for option in select["options"]], f"{value} cannot be chosen"
        data = {"custom_id": select["custom_id"], "component_type": 3, "values": [value], "id": 1}
        return await self.server.visit(COMPONENT, self, message.channel, data, message=message)

    async def choose(self, message: Message, custom_id: str, *values: str | Channel) -> Interaction:
        """Choose values of the select that carries ``custom_id``: words, channels, or the numbers of roles."""
        self._sees(message)
        (select,) = [part for part in walk(message.components) if part.get("custom_id") == custom_id]
        assert (select.get("min_values") or 0) <= len(values) <= (select.get("max_values") or 1)
        given = [str(value.id) if isinstance(value, Channel) else value for value in values]
        if "options" in select:
            assert set(given) <= {option["value"] for option in select["options"]}, f"{given} cannot be chosen"
        data = {"custom_id": custom_id, "component_type": select["type"], "values": given, "id": 1}
        if "options" not in select:
            data["resolved"] = self._resolved({str(at): value for at, value in enumerate(values)})
        return await self.server.visit(COMPONENT, self, message.channel, data, message=message)

    async def submit(self, modal: Modal, *typed: str) -> Interaction:
        """Fill a form in and send it; returns when that is acknowledged."""
        for field, text in zip(modal.inputs, typed, strict=True):
            assert (field.get("min_length") or 0) <= len(text) <= (field.get("max_length") or 4000), text
        data = {"custom_id": modal.body["custom_id"], "components": modal.filled(list(typed))}
        opened = modal.interaction
        return await self.server.visit(SUBMIT, self, opened.channel, data, message=opened.message)

    def _sees(self, message: Message) -> None:
        assert not message.deleted, "the message was deleted"
        assert message.only_for in (None, self), f"only {message.only_for and message.only_for.name} sees the message"

    def _option(self, command: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
        known = {option["name"]: option for option in command.get("options") or []}
        assert name in known, f"/{command['name']} has no option {name!r}, but {sorted(known)}"
        option = known[name]
        if option.get("choices"):
            assert value in [choice["value"] for choice in option["choices"]], f"{value!r} is no choice of {name}"
        if isinstance(value, Person | Channel):
            value = str(value.id)
        fits = {_TEXT: str, _NUMBER: int, _BOOLEAN: bool, _SOMEBODY: str, _CHANNEL: str}[option["type"]]
        assert isinstance(value, fits), f"{name} is {value!r}"
        return {"name": name, "type": option["type"], "value": value}

    def _resolved(self, options: dict[str, Any]) -> dict[str, Any]:
        people = {str(p.id): p.describe() for p in options.values() if isinstance(p, Person)}
        channels = {str(c.id): c.describe(partial=True) for c in options.values() if isinstance(c, Channel)}
        return ({"users": people} if people else {}) | ({"channels": channels} if channels else {})


def newcomer(server: DiscordServer, name: str, locale: str) -> Person:
    """Somebody new, with their direct messages with the bot."""
    channel = Channel(server, server.snowflake(), DM)
    person = Person(server, server.snowflake(), name, locale, channel)
    channel.people.append(person)
    return person
