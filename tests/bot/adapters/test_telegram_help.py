"""What newcomers see: /start, /help, /rules, and the commands that Telegram lists for them."""

from __future__ import annotations

import re

import pytest

from bot.adapters.telegram.helping import Elsewhere, first_steps, help_text, rules
from bot.adapters.telegram.naming import LISTED, Audience, described
from bot.composing.figures import forbidden_shapes
from bot.render import png
from bot.session.tables import Tables
from bot.words import LANGUAGES, words
from bot.words.values import utf16
from tests.fakes.telegram import Chat, Message
from tests.fakes.telegram.facts import CAPTION_LIMIT, check_keyboard
from tests.fakes.telegram_service import Service


async def reply(service: Service, sent: Message) -> Message:
    """The one message that answers."""

    def replies() -> list[Message]:
        return [message for message in sent.chat.from_bot if message.reply_to is sent]

    await service.server.until(replies, f"a reply to {sent.text!r}")
    await service.idle()
    assert len(replies()) == 1
    return replies()[0]


@pytest.mark.parametrize("language", LANGUAGES)
class TestTexts:
    """In every language."""

    @pytest.mark.parametrize("private", [True, False])
    def test_the_help_fits_and_names_every_command_that_works_there(self, language: str, *, private: bool) -> None:
        """And no other."""
        said = help_text(words(language), private=private, elsewhere=Elsewhere.GUEST, username="b" * 32)
        audience = Audience.PRIVATE if private else Audience.GROUP
        assert utf16(said) <= CAPTION_LIMIT
        named = set(re.findall(r"/([a-z]+)", said))
        assert named - {"m"} == set(audience.commands)
        assert ("/m h8" in said) is not private

    def test_the_rules_fit_under_their_picture(self, language: str) -> None:
        """In brief; the whole of them and one opening rule are texts."""
        said, picture = rules(words(language), "")
        assert picture == forbidden_shapes(words(language))[1]
        assert utf16(said) <= CAPTION_LIMIT
        assert all(point in said for point in ("E13", "E8", "K5", "/rules rif"))
        for topic in ("more", "ALL", "更多", "rif", "nonsense"):
            more, none = rules(words(language), topic)
            assert none is None
            assert more != said
            assert utf16(more) <= 4096

    def test_every_command_has_a_description(self, language: str) -> None:
        """Within Telegram's limit."""
        assert all(1 <= len(described(words(language), command)) <= 256 for command in LISTED)

    def test_the_first_steps_fit(self, language: str) -> None:
        """Buttons for a first game and the way into a group."""
        keys = first_steps(words(language), 10**15, "a_bot")
        assert keys is not None
        check_keyboard(keys.to_dict())


@pytest.mark.asyncio
async def test_a_newcomer_plays_with_one_tap(tables: Tables) -> None:
    """After /start: one message with the forbidden shapes, and the engine's game or an invitation behind a button."""
    async with Service(tables) as service:
        server = service.server
        ann, ben = server.person("Ann"), server.person("Ben", "zh-hans")
        hello = await reply(service, ann.send("/start"))
        assert hello.photo == png(forbidden_shapes(words("en"))[1])
        assert hello.data("Add me to a group") == "https://t.me/renju_test_bot?startgroup=new"
        assert (await ben.tap(hello, "Play the engine")).text  # not his
        assert (await ann.tap(hello, "Play the engine")).text == ""
        await server.until(lambda: len(ann.private.boards) == 2, "the board")
        assert "Engine" in ann.private.board.text
        again = await reply(service, ben.send("/start"))
        await ben.tap(again, "与朋友对局")
        await server.until(lambda: any("?start=" in message.text for message in ben.private.from_bot), "the link")


@pytest.mark.asyncio
async def test_help_and_rules_are_one_message_each(tables: Tables) -> None:
    """In the reader's language; the picture goes up once, after that by its id, in whatever chat."""
    async with Service(tables) as service:
        server = service.server
        ann, yu, group = server.person("Ann"), server.person("小雨", "zh-hans"), server.group("club")
        shown = [
            await reply(service, ann.send("/rules")),
            await reply(service, yu.send("/rules", group)),
            await reply(service, yu.send("/help", group)),
            await reply(service, ann.send("/help@renju_test_bot", group)),
        ]
        assert len({message.now.photo for message in shown}) == 1
        assert shown[0].text.startswith("Black begins")
        assert "三三" in shown[1].text
        assert "隐私模式" in shown[2].text
        assert "privacy mode" in shown[3].text
        assert not shown[3].labels
        assert "swap" in (await reply(service, ann.send("/rules rif"))).text


@pytest.mark.asyncio
async def test_help_comes_without_its_picture_where_pictures_are_not_allowed(tables: Tables) -> None:
    """The words alone."""
    async with Service(tables) as service:
        server = service.server
        ann, group = server.person("Ann"), server.group("club")
        server.fail("sendPhoto", 400, "Bad Request: not enough rights to send photos to the chat", chat=group)
        shown = await reply(service, ann.send("/rules", group))
        assert not shown.photo
        assert shown.text.startswith("Black begins")


@pytest.mark.asyncio
class TestLists:
    """The commands that Telegram shows."""

    async def test_each_is_listed_where_it_works(self, tables: Tables) -> None:
        """For every audience in both languages the same; what only administrators can do is shown to them alone."""
        async with Service(tables) as service:
            server = service.server
            await server.until(lambda: len(server.commands) == 2 * len(Audience), "the lists")
            named = {place: [command["command"] for command in commands] for place, commands in server.commands.items()}
            for audience in Audience:
                kind = audience.scope.type
                assert named[kind, ""] == named[kind, "zh"] == list(audience.commands)
            for (_, language), commands in server.commands.items():
                chinese = [bool(re.search("[\u4e00-\u9fff]", command["description"])) for command in commands]
                assert all(chinese) if language else not any(chinese)
            groups, private = named["all_group_chats", ""], named["all_private_chats", ""]
            assert "move" in groups
            assert not {"settings", "language"} & set(groups)
            assert {"settings", "language"} <= set(named["all_chat_administrators", ""])
            assert "move" not in private

    @pytest.mark.parametrize("audience", list(Audience))
    async def test_each_of_them_answers(self, tables: Tables, audience: Audience) -> None:
        """Whoever taps it there is answered with something, and never that it is unknown or not for them."""
        async with Service(tables) as service:
            server = service.server
            ann, group = server.person("Ann"), server.group("club")
            group.administrators += [ann] if audience is Audience.ADMINISTRATOR else []
            chat: Chat = ann.private if audience is Audience.PRIVATE else group

            def shown() -> int:
                return sum(len(message.versions) for message in chat.from_bot)

            for command in audience.commands:
                before = shown()
                ann.send(f"/{command}", chat)
                await server.until(lambda: shown() > before, f"an answer to /{command}")  # noqa: B023
                assert "do not know that command" not in chat.last.text
                assert "Only administrators" not in chat.last.text

    async def test_a_restart_sets_nothing_again(self, tables: Tables) -> None:
        """What stands there is left alone; a list that was changed elsewhere is set right."""
        async with Service(tables) as service:
            server = service.server
            await server.until(lambda: len(server.commands) == 2 * len(Audience), "the lists")
            await service.idle()
            server.calls.clear()
            del server.commands["all_group_chats", "zh"]
            await service.stop()
            await service.start()
            await server.until(lambda: len(server.commands) == 2 * len(Audience), "the list")
            await service.idle()
            assert [call.method for call in server.calls].count("setMyCommands") == 1

    async def test_trouble_with_a_list_stops_nothing(self, tables: Tables, capsys: pytest.CaptureFixture[str]) -> None:
        """A refused list is said to the operator, one that must wait is set later; meanwhile people play."""
        server_ = Service(tables)
        server_.server.fail("setMyCommands", 400, "Bad Request: BOT_COMMAND_INVALID")
        server_.server.fail("getMyCommands", 429, "Too Many Requests: retry after 1", retry_after=1)
        async with server_ as service:
            server = service.server
            ann = server.person("Ann")
            await reply(service, ann.send("/help"))
            await server.until(lambda: len(server.commands) == 2 * len(Audience) - 1, "the other lists")
        assert capsys.readouterr().out.count("telegram_commands_not_listed") == 1
