"""The fake Discord behaves like the real one where a bot can notice."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from tests.fakes.discord import Channel, DiscordServer, Interaction, Person
from tests.fakes.discord.facts import V2, Fault, check_commands, checked

NOBODY = {"allowed_mentions": {"parse": []}}


def text(content: str = "x") -> dict[str, Any]:
    return {"type": 10, "content": content}


def row(*inner: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(inner)}


def button(label: str = "x", custom_id: str = "g:x", **more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": label, "custom_id": custom_id, **more}


def select(number: int, custom_id: str = "s:x") -> dict[str, Any]:
    options = [{"label": str(n), "value": str(n)} for n in range(number)]
    return {"type": 3, "custom_id": custom_id, "options": options}


def gallery(name: str = "board.png") -> dict[str, Any]:
    return {"type": 12, "items": [{"media": {"url": f"attachment://{name}"}}]}


class Bot:
    """Raw calls, as a bot makes them."""

    def __init__(self, server: DiscordServer, session: aiohttp.ClientSession) -> None:
        self.server = server
        self.session = session

    async def call(self, method: str, path: str, body: Any = None, files: dict[str, bytes] | None = None) -> Any:
        """The status and the body of the answer."""
        data: Any = None
        if files:
            data = aiohttp.FormData(quote_fields=False)
            data.add_field("payload_json", json.dumps(body))
            for number, (name, content) in enumerate(files.items()):
                data.add_field(f"files[{number}]", content, filename=name)
        headers = {"Authorization": f"Bot {self.server.token}"}
        address = self.server.api_url + path
        async with self.session.request(
            method, address, json=None if files else body, data=data, headers=headers
        ) as got:
            return got.status, (json.loads(await got.read() or b"null"))

    async def send(self, channel: Channel, *components: dict[str, Any], **more: Any) -> Any:
        """A message of components."""
        body = {"flags": V2, "components": list(components), **NOBODY, **more}
        return await self.call("POST", f"/channels/{channel.id}/messages", body)

    async def answer(self, visit: Interaction, kind: int, **data: Any) -> tuple[int, int]:
        """Answer an interaction: the status, and the code of a refusal."""
        path = f"/interactions/{visit.id}/{visit.token}/callback"
        status, body = await self.call("POST", path, {"type": kind, **({"data": data} if data else {})})
        return status, (body or {}).get("code", 0)

    async def by_token(self, method: str, visit: Interaction, path: str = "", **body: Any) -> tuple[int, Any]:
        """A call by the token of an interaction."""
        address = f"/webhooks/{self.server.application}/{visit.token}{path}"
        return await self.call(method, address, {**NOBODY, **body} if method != "DELETE" else None)


@pytest_asyncio.fixture
async def server() -> AsyncIterator[DiscordServer]:
    """A server that nobody is connected to."""
    async with DiscordServer() as running:
        yield running


@pytest_asyncio.fixture
async def bot(server: DiscordServer) -> AsyncIterator[Bot]:
    """Something that makes calls."""
    async with aiohttp.ClientSession() as session:
        yield Bot(server, session)


def tap(server: DiscordServer, person: Person, channel: Channel, kind: int = 2) -> Interaction:
    """Something that a person did, which the bot has not been told of."""
    return server.begin(kind, person, channel, {"name": "x", "id": "1", "type": 1})


@pytest.mark.asyncio
class TestBodies:
    """What the description and the known limits do not allow is a fault."""

    @pytest.mark.parametrize(
        ("complaint", "body"),
        [
            ("knows no 'colour'", {"content": "x", "colour": "red"}),
            ("4001 characters", {"content": "x" * 4001}),
            ("no string", {"content": 5}),
            ("without allowed_mentions", {"content": "x", "allowed_mentions": None}),
            ("be called", {"content": "x", "allowed_mentions": {"parse": ["everyone"]}}),
            ("has no content", {"content": "x", "flags": V2, "components": [text()]}),
            ("without the flag", {"components": [text()]}),
            (
                "41 components",
                {"flags": V2, "components": [row(button(custom_id=str(n))) for n in range(20)] + [text()]},
            ),
            ("41 items", {"flags": V2, "components": [text() for _ in range(41)]}),
            ("texts of 4001", {"flags": V2, "components": [text("x" * 2000), text("y" * 2001)]}),
            ("6 items", {"flags": V2, "components": [row(*(button(custom_id=str(n)) for n in range(6)))]}),
            ("26 items", {"flags": V2, "components": [row(select(26))]}),
            ("shares its row", {"flags": V2, "components": [row(select(2), button())]}),
            ("same custom_id twice", {"flags": V2, "components": [row(button(), button())]}),
            ("101 characters", {"flags": V2, "components": [row(button(custom_id="x" * 101))]}),
            ("81 characters", {"flags": V2, "components": [row(button("x" * 81))]}),
            ("without a label", {"flags": V2, "components": [row(button(" "))]}),
            ("exactly one thing", {"flags": V2, "components": [row(button(url="https://example.org"))]}),
            ("shown but not attached", {"flags": V2, "components": [gallery()]}),
            ("neither there nor came", {"content": "x", "attachments": [{"id": 0}]}),
        ],
    )
    async def test_a_bad_message_is_a_fault(self, bot: Bot, complaint: str, body: dict[str, Any]) -> None:
        """Wrong types, too much of anything, what refers to nothing, names that would call somebody."""
        channel = bot.server.guild("club").channel("general")
        status, answer = await bot.call("POST", f"/channels/{channel.id}/messages", {**NOBODY, **body})
        assert (status, answer["code"]) == (400, 50035)
        assert complaint in bot.server.faults.pop()
        assert channel.messages == []

    async def test_forms_and_commands_have_limits_of_their_own(self) -> None:
        """Five parts in a form; names of commands in small letters; required options first."""
        modal = {"custom_id": "m", "title": "x" * 46, "components": [text()]}
        with pytest.raises(Fault, match="46 characters"):
            checked("POST /interactions/{interaction_id}/{interaction_token}/callback", {"type": 9, "data": modal})
        plain = {"name": "a", "description": "x"}
        option = {"type": 3, **plain}
        for complaint, command in [
            ("no name", {"name": "New Game", "description": "x"}),
            ("no description", {"name": "newgame"}),
            (
                "required after",
                {"name": "a", "description": "x", "options": [option, {**option, "name": "b", "required": True}]},
            ),
            ("option twice", {"name": "a", "description": "x", "options": [option, option]}),
            (
                "completes",
                {"name": "a", "description": "x", "options": [{**option, "autocomplete": True, "choices": [1]}]},
            ),
        ]:
            with pytest.raises(Fault, match=complaint):
                check_commands([command])
        with pytest.raises(Fault, match="101 commands"):
            check_commands([{"name": f"a{n}", "description": "x"} for n in range(101)])


@pytest.mark.asyncio
class TestMessages:
    """Files, permissions, messages that are gone."""

    async def test_an_edit_keeps_the_files_that_it_does_not_name(self, bot: Bot) -> None:
        """So they pile up; what an edit lists stays, what comes along is added."""
        channel = bot.server.guild("club").channel("general")
        listed = {"attachments": [{"id": 0, "filename": "board.png"}]}
        _, sent = await bot.call(
            "POST", f"/channels/{channel.id}/messages", {"content": "x", **listed, **NOBODY}, {"board.png": b"1"}
        )
        path = f"/channels/{channel.id}/messages/{sent['id']}"
        await bot.call("PATCH", path, {"content": "y", **NOBODY}, {"two.png": b"2"})
        assert [file.content for file in channel.last.attachments] == [b"1", b"2"]
        await bot.call("PATCH", path, {**listed, **NOBODY}, {"board.png": b"3"})
        assert [file.content for file in channel.last.attachments] == [b"3"]
        assert channel.last.edits == 2
        status, _ = await bot.call("PATCH", path, {"content": "z", **NOBODY}, {"board.png": b"4"})
        assert status == 400
        assert "one name" in bot.server.faults.pop()

    async def test_the_bot_writes_only_where_it_may(self, bot: Bot) -> None:
        """Not where it is no member, cannot see or send, nor to people who do not take its messages."""
        server = bot.server
        ann = server.person("Ann")
        club, other = server.guild("club"), server.guild("other", bot=False)
        for channel, code in [(other.channel("x"), 50001), (server.group(ann), 50001), (club.channel("y"), 50013)]:
            channel.bot_may &= ~(1 << 11)
            status, answer = await bot.send(channel, text())
            assert (status, answer["code"]) == (403, code)
        ann.dm.closed = True
        assert (await bot.send(ann.dm, text()))[1]["code"] == 50007
        status, answer = await bot.call(
            "PATCH", f"/channels/{club.channels[0].id}/messages/1", {"content": "x", **NOBODY}
        )
        assert (status, answer["code"]) == (404, 10008)
        assert server.faults == []

    async def test_the_same_number_twice_is_one_message(self, bot: Bot) -> None:
        """When the caller asks for it."""
        channel = bot.server.guild("club").channel("general")
        _, one = await bot.send(channel, text("1"), nonce="a", enforce_nonce=True)
        _, two = await bot.send(channel, text("2"), nonce="a", enforce_nonce=True)
        assert one["id"] == two["id"]
        assert channel.last.text == "1"


@pytest.mark.asyncio
class TestInteractions:
    """One answer in three seconds, fifteen minutes for a token."""

    async def test_an_interaction_is_answered_once_and_in_time(self, bot: Bot) -> None:
        """The second answer and the late one are refused; only the second is a fault."""
        server = bot.server
        ann, channel = server.person("Ann"), server.guild("club").channel("general")
        visit = tap(server, ann, channel)
        assert await bot.answer(visit, 5) == (204, 0)
        assert await bot.answer(visit, 5) == (400, 40060)
        assert "answered twice" in server.faults.pop()
        late = tap(server, ann, channel)
        server.advance(3.1)
        assert await bot.answer(late, 5) == (404, 10062)
        assert server.faults == []

    async def test_answers_fit_what_was_done(self, bot: Bot) -> None:
        """A command has no message to change, a form cannot answer a form, choices answer a completion only."""
        server = bot.server
        ann, channel = server.person("Ann"), server.guild("club").channel("general")
        for kind, answer in [(2, 6), (2, 8), (3, 6), (5, 9), (4, 5)]:
            data = {"title": "x", "custom_id": "m", "components": [text()]} if answer == 9 else {}
            data = {"choices": []} if answer == 8 else data
            status, _ = await bot.answer(tap(server, ann, channel, kind), answer, **data)
            assert status == 400
            assert "the answer" in server.faults.pop()

    async def test_a_token_lives_for_fifteen_minutes(self, bot: Bot) -> None:
        """Before the answer it is unknown, after its time it is refused."""
        server = bot.server
        visit = tap(server, server.person("Ann"), server.guild("club").channel("general"))
        assert (await bot.by_token("POST", visit, content="x"))[0] == 404
        await bot.answer(visit, 5)
        server.advance(899)
        assert (await bot.by_token("PATCH", visit, "/messages/@original", content="x"))[0] == 200
        server.advance(2)
        status, answer = await bot.by_token("PATCH", visit, "/messages/@original", content="y")
        assert (status, answer["code"]) == (401, 50027)

    async def test_the_first_further_message_takes_the_place_of_thinking(self, bot: Bot) -> None:
        """And is as private as that; after a deletion it is a message of its own."""
        server = bot.server
        ann, channel = server.person("Ann"), server.guild("club").channel("general")
        visit = tap(server, ann, channel)
        await bot.answer(visit, 5)
        await bot.by_token("POST", visit, content="secret", flags=64)
        assert [message.text for message in channel.messages] == ["secret"]
        visit = tap(server, ann, channel)
        await bot.answer(visit, 5)
        await bot.by_token("DELETE", visit, "/messages/@original")
        await bot.by_token("POST", visit, content="secret", flags=64)
        assert visit.said == "secret"
        assert len(channel.messages) == 1
        path = f"/channels/{channel.id}/messages/{visit.private.id}"
        assert (await bot.call("PATCH", path, {"content": "x", **NOBODY}))[0] == 404

    async def test_a_guest_has_five_further_messages(self, bot: Bot) -> None:
        """The sixth is refused and a fault; a member has no such limit."""
        server = bot.server
        ann = server.person("Ann")
        for channel, allowed in [(server.group(ann), 5), (server.guild("club").channel("x"), 6)]:
            visit = tap(server, ann, channel)
            await bot.answer(visit, 4, content="x", **NOBODY)
            sent = [(await bot.by_token("POST", visit, content="x"))[0] for _ in range(6)]
            assert sent == [200] * allowed + [400] * (6 - allowed)
        assert server.faults == ["more than 5 further messages where the bot is no member"]


@pytest.mark.asyncio
class TestGateway:
    """Sessions outlive their connections."""

    async def test_a_session_is_resumed_where_it_was(self, server: DiscordServer) -> None:
        """What was missed comes again, and nothing else; the compressed stream can be read."""
        async with aiohttp.ClientSession() as session:
            identify = {"token": server.token, "intents": 1, "shard": [0, 1]}
            async with session.ws_connect(server.gateway_url) as line:
                assert (await line.receive_json())["op"] == 10
                await line.send_json({"op": 2, "d": identify})
                ready = await line.receive_json()
                assert ready["t"] == "READY"
                server.gateway.drop()
                assert (await line.receive()).type is not aiohttp.WSMsgType.TEXT
            await server.gateway.dispatch("MISSED", {})
            resume = {"token": server.token, "session_id": ready["d"]["session_id"], "seq": ready["s"]}
            async with session.ws_connect(server.gateway_url) as line:
                await line.receive_json()
                await line.send_json({"op": 6, "d": resume})
                assert [(await line.receive_json())["t"] for _ in range(2)] == ["MISSED", "RESUMED"]
                await server.gateway.forget()
                assert await line.receive_json() == {"op": 9, "d": False, "s": None, "t": None}

    @pytest.mark.parametrize(("change", "code"), [({"token": "wrong"}, 4004), ({"intents": 1 << 15}, 4014)])
    async def test_a_wrong_token_and_privileged_intents_are_refused(
        self, server: DiscordServer, change: dict[str, Any], code: int
    ) -> None:
        """With the codes that Discord closes with."""
        async with aiohttp.ClientSession() as session, session.ws_connect(server.gateway_url) as line:
            await line.receive_json()
            await line.send_json({"op": 2, "d": {"token": server.token, "intents": 1, **change}})
            await line.receive()
            assert line.close_code == code


FULL = Path(__file__).parents[4] / "shared" / "specs" / "discord_openapi_subset.json"


@pytest.mark.skipif(not FULL.exists(), reason="the full description is not at hand")
def test_the_facts_are_cut_from_the_full_description() -> None:
    """The committed data is what ``tools/discord_facts.py`` makes of the description."""
    root = Path(__file__).parents[3]
    made = subprocess.run(
        [sys.executable, root / "tools" / "discord_facts.py", FULL], check=True, capture_output=True, text=True
    ).stdout
    assert made == (root / "tests" / "data" / "discord_facts.json").read_text(encoding="utf-8")
