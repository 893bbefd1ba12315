"""What chats and people can set on Telegram, and that it holds: language, look, calls, window, confirming."""

from __future__ import annotations

from typing import Any

import pytest

from bot.adapters.telegram import settings
from bot.adapters.telegram.preferences import Preferred, changed
from bot.session.tables import Tables
from bot.words import LANGUAGES, words
from core.game import Act
from tests.fakes.telegram import Person
from tests.fakes.telegram.facts import check_keyboard
from tests.fakes.telegram_service import Service


def called(service: Service, person: Person) -> list[str]:
    """The texts in which somebody was called by name."""
    texts = []
    for call in service.server.calls:
        marked: list[dict[str, Any]] = [
            *(call.parameters.get("entities") or ()),
            *(call.parameters.get("caption_entities") or ()),
        ]
        text = call.parameters.get("text") or call.parameters.get("caption", "")
        for entity in marked:
            if entity["user"]["id"] == person.id:
                units = text.encode("utf-16-le")
                named = units[2 * entity["offset"] : 2 * (entity["offset"] + entity["length"])].decode("utf-16-le")
                assert named == person.name
                texts.append(text)
    return texts


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("private", [True, False])
async def test_every_button_of_a_panel_changes_something_or_is_ticked(language: str, *, private: bool) -> None:
    """Within Telegram's limits; what is not ticked makes a difference."""
    now = Preferred()
    _, markup = settings.panel(words(language), now, private=private)
    check_keyboard(markup.to_dict())
    for row in markup.inline_keyboard:
        for button in row:
            choice = settings.read(str(button.callback_data))
            assert choice is not None
            assert (changed(now, choice.name, choice.value) == now) is button.text.startswith("✓")
    for name, value in (("style", "neon"), ("policy", "shout"), ("language", "tlh"), ("size", "9")):
        assert changed(now, name, value) == now


async def test_only_administrators_change_a_group(tables: Tables) -> None:
    """Others are told where their own settings are; an anonymous administrator can ask, and whoever is one can tap."""
    async with Service(tables) as service:
        server = service.server
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
        group.administrators.append(ann)
        board = await service.game("free black", ann, ben, group)
        assert "administrators" in await service.reply_to(ben.send("/settings", group))
        assert "administrators" in await service.reply_to(ann.send("/settings", group, anonymous=True))
        panel = group.last
        answer = await ben.tap(panel, "Dark")
        assert answer.alert
        wood = board.now.photo
        assert (await ann.tap(panel, "Dark")).text == ""
        await server.until(lambda: "✓ Dark" in panel.labels and board.now.photo != wood, "the dark board")
        await ann.tap(panel, "简体中文")
        await server.until(lambda: "黑" in board.text, "the Chinese board")
        ben.send("/newgame rif", group)
        await server.until(lambda: group.board is not board, "another board")
        assert "加入" in group.board.labels


@pytest.mark.parametrize("trouble", [429, 502])
async def test_who_cannot_be_asked_about_is_told_so(tables: Tables, trouble: int) -> None:
    """An administrator is not called none because Telegram could not be asked."""
    async with Service(tables) as service:
        ann, group = service.server.person("Ann"), service.server.group("club")
        group.administrators.append(ann)
        service.server.fail("getChatMember", trouble, "not now", retry_after=1 if trouble == 429 else None)
        assert "try again" in await service.reply_to(ann.send("/settings", group))
        assert "Settings of this chat" in await service.reply_to(ann.send("/settings", group))


async def test_a_person_chooses_a_language(tables: Tables) -> None:
    """What they are told follows at once, everywhere; nonsense is answered with the list."""
    async with Service(tables) as service:
        ann, group = service.server.person("Ann", "fr"), service.server.group("club")
        assert "en, zh_Hans" in await service.reply_to(ann.send("/language klingon"))
        assert "设置" in await service.reply_to(ann.send("/language zh-CN"))
        assert "对局" in await service.reply_to(ann.send("/games", group))
        await service.reply_to(ann.send("/language auto"))
        assert "No game" in await service.reply_to(ann.send("/games", group))


@pytest.mark.parametrize("policy", ["New message", "Reply"])
async def test_whoever_is_to_move_is_called_once_a_move(tables: Tables, policy: str) -> None:
    """By the board sent anew, whose older copy loses its buttons, or by a reply; never for a draw offer."""
    async with Service(tables) as service:
        server = service.server
        ann, ben, group = server.person("Ann"), server.person("B<e>n"), server.group("club")
        group.administrators.append(ann)
        board = await service.game("free black", ann, ben, group)
        await service.reply_to(ann.send("/settings", group))
        panel = group.last
        await ann.tap(panel, policy)
        await server.until(lambda: f"✓ {policy}" in panel.labels, "the choice")
        ann.send("/m h8", group)
        await server.until(lambda: len(called(service, ben)) == 1, "the call")
        newest = group.board
        assert (newest is board) is (policy == "Reply")
        if policy == "New message":
            await service.without_buttons(board)
        await service.stone("h8", newest)
        ann.send("/undo", group)
        await server.until(lambda: "take back" in group.board.text, "the request")
        ben.send("/undo", group)
        await server.until(lambda: "taken back" in group.board.text, "the stone taken back")
        ann.send("/m h8", group)
        await server.until(lambda: "H8" in group.board.text, "the stone again")
        ben.send("/m j9", group)
        await server.until(lambda: "J9" in group.board.text, "the answer")
        await service.idle()
        assert len(called(service, ben)) <= 2
        assert len(called(service, ann)) <= 3


async def test_the_window_is_remembered_for_its_person(tables: Tables) -> None:
    """Who has switched sees it at each turn of theirs, the other the columns; arrows change the keyboard only."""
    async with Service(tables) as service:
        server = service.server
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
        board = await service.game("free black", ann, ben, group)
        ann.send("/m h8", group)
        await service.stone("h8", board)
        photo, text = board.now.photo, board.text
        assert "turn" in (await ann.tap(board, "🔍")).text
        await ben.tap(board, "🔍")
        await server.until(lambda: "A–O" in board.labels, "the window")
        assert "●" in board.labels
        assert "No stone" in (await ben.tap(board, "●")).text
        await ben.tap(board, "▶")
        await server.until(lambda: "O9" in board.labels, "the window moved")
        assert (board.now.photo, board.text) == (photo, text)
        assert (await ben.tap(board, "O9")).text == ""
        await service.stone("o9", board)
        assert "A" in board.labels
        ann.send("/m a1", group)
        await service.stone("a1", board)
        assert "A–O" in board.labels
        await ben.tap(board, "A–O")
        await server.until(lambda: "A" in board.labels, "the columns")


async def test_a_point_is_confirmed_where_that_is_wished(tables: Tables) -> None:
    """The first tap changes nothing but the keyboard; Back takes it back, the second tap of the mover plays."""
    async with Service(tables) as service:
        server = service.server
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
        await service.reply_to(ben.send("/settings"))
        await ben.tap(ben.private.last, "Ask me first")
        await server.until(lambda: "✓ Ask me first" in ben.private.last.labels, "the choice")
        board = await service.game("free black", ann, ben, group)
        assert (await ann.tap(board, "H8")).text == ""
        await service.stone("h8", board)
        photo = board.now.photo
        for turn in range(2):
            await ben.tap(board, "I")
            await server.until(lambda: "I9" in board.labels, "the points")
            await ben.tap(board, "I9")
            await server.until(lambda: "Play I9" in board.labels, "the question")
            assert (await service.stones(board), board.now.photo) == ("h8", photo)
            assert (await ann.tap(board, "Play I9")).text
            await ben.tap(board, "Play I9" if turn else "Back")
            if not turn:
                await server.until(lambda: "I" in board.labels, "the columns")
        await service.stone("i9", board)
        record = (await service.table(board)).game.record
        assert [entry.action.act for entry in record].count(Act.PLACE) == 2


pytestmark = pytest.mark.asyncio
