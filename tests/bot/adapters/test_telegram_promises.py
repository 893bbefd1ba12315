"""What must hold on Telegram whatever happens: the faults of other bots, each made impossible."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Callable

import aiohttp
import pytest

from bot.adapters.telegram import pictures
from bot.adapters.telegram.pace import Pace
from bot.adapters.telegram.preferences import Preferences
from bot.adapters.telegram.reading import quiet
from bot.composing import compose
from bot.render import png
from bot.scene import BoardPicture, Viewer
from bot.session.tables import Tables
from core.notation import name
from tests.fakes.telegram import Message
from tests.fakes.telegram.limits import Limits
from tests.fakes.telegram.people import entities_of
from tests.fakes.telegram.server import PATIENCE
from tests.fakes.telegram.webhook import HEADER
from tests.fakes.telegram_service import BY_WEBHOOK, Service

pytestmark = pytest.mark.asyncio


async def test_sixty_moves_in_a_minute_meet_no_limit(tables: Tables) -> None:
    """In one group, by a clock that runs twenty times as fast: Telegram never has to ask to wait, and the last move is
    shown in the end.
    """
    began = time.monotonic()

    def fast() -> float:
        return (time.monotonic() - began) * 20

    async with Service(tables, pace=Pace(fast)) as service:
        server = service.server
        server.limits = Limits(fast)
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
        board = await service.game("free black freestyle", ann, ben, group)
        table = (await service.table(board)).id
        points = ["h8"] + [name(p) for i in range(225) if (p := i * 38 % 225) != 112]
        start = fast()
        for number, point in enumerate(points[:60]):
            (ann, ben)[number % 2].send(f"/m {point}", group)
            await _stones(tables, table, number + 1)
            await asyncio.sleep(max(0.0, (start + number - fast()) / 20))
        await service.stone(points[59], board)
        assert group.from_bot == [board]
        assert not [call.error for call in server.calls if call.error]
        assert len(board.versions) < 60  # frames were skipped


async def _stones(tables: Tables, table: str, number: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while len((await tables.get(table)).game.state.stones) < number:  # type: ignore[union-attr] # noqa: ASYNC110
            await asyncio.sleep(0.001)  # the store tells nobody of it


async def test_a_tap_is_answered_before_anything_is_drawn(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a picture takes: the tap has its answer, the move counts, and the board comes when it is ready."""
    async with Service(tables) as service:
        server = service.server
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
        board = await service.game("free black", ann, ben, group)
        drawn = threading.Event()

        def slowly(picture: BoardPicture) -> bytes:
            assert drawn.wait(PATIENCE)
            return png(picture)

        monkeypatch.setattr(pictures, "png", slowly)
        assert (await ann.tap(board, "H8")).text == ""
        assert await service.stones(board) == "h8"
        assert "H8" not in board.text.replace("centre, H8", "")
        drawn.set()
        await service.stone("h8", board)


async def test_every_refusal_of_a_tap_is_in_the_tappers_language(tables: Tables) -> None:
    """The board is English; who taps reads Chinese: a stranger, out of turn, too early, moved on, over, forged."""
    async with Service(tables) as service:
        server = service.server
        ann, group = server.person("Ann"), server.group("club")
        yu, eve = server.person("小雨", "zh-hans"), server.person("伊娃", "zh-hans")
        ann.send("/newgame free black", group)
        await server.until(lambda: group.boards, "the board")
        board = group.board
        heard = [await eve.tap(board, "Withdraw"), await yu.tap_data(board, "x")]
        await yu.tap(board, "Join")
        await server.until(lambda: "H8" in board.labels, "the game")
        heard += [await yu.tap(board, "H8"), await eve.tap(board, "H8"), await eve.tap(board, "Cancel")]
        first = board.keyboard
        await ann.tap(board, "H8")
        await service.stone("h8", board)
        heard += [await yu.tap(board, "H8", keyboard=first), await eve.tap(board, "🔍"), await eve.tap(board, "A")]
        yu.send("h9", group, reply_to=board)
        await service.stone("h9", board)
        old = board.keyboard
        heard += [await yu.tap(board, "A"), await yu.tap(board, "🔍"), await yu.tap(board, "Resign")]
        await server.until(lambda: len(board.labels) == 2, "the question")
        heard.append(await eve.tap(board, board.labels[0]))
        await yu.tap(board, board.labels[0])
        await server.until(lambda: "Rematch" in board.labels, "the end")
        heard += [await yu.tap(board, label, keyboard=old) for label in ("A", "Resign", "Pass")]
        heard.append(await eve.tap(board, "Rematch"))
        assert all(re.search("[\u4e00-\u9fff]", answer.text) for answer in heard), heard


@pytest.mark.parametrize("policy", ["Edit only", "New message", "Reply"])
@pytest.mark.parametrize("trouble", ["", "429", "line"])
async def test_the_last_board_is_the_final_one(tables: Tables, policy: str, trouble: str) -> None:
    """In every way of calling, and whatever goes wrong with it: the final stones with their numbers, the reason, and
    Rematch alone.
    """
    async with Service(tables) as service:
        server = service.server
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
        group.administrators.append(ann)
        await service.reply_to(ann.send("/settings", group))
        if policy != "Edit only":
            await ann.tap(group.last, policy)
        await service.game("free black claim", ann, ben, group)
        moves = ("h8", "h1", "i8", "h3", "j8", "h5", "k8", "h7")
        for number, point in enumerate(moves):
            (ann, ben)[number % 2].send(f"/m {point}", group)
            await server.until(lambda: point.upper() in group.board.text, point)  # noqa: B023
        for method in ("editMessageMedia", "sendPhoto"):
            if trouble == "429":
                server.fail(method, 429, "Too Many Requests: retry after 1", retry_after=1)
            elif trouble == "line":
                server.fail(method, 502, "Bad Gateway")
        ann.send("/m l8", group)
        await server.until(lambda: group.board.labels == ["Rematch"], "the end")
        board = group.board
        assert "five in a row" in board.text
        scene = compose(await service.table(board), Viewer("en", public=True))
        assert scene.picture.numbered
        assert board.photo == png(scene.picture)


async def test_a_name_calls_nobody(tables: Tables) -> None:
    """Who is called @benny on the board is not Benny; who is challenged by name is called."""
    async with Service(tables) as service:
        server = service.server
        ann, ben, group = server.person("@benny_b"), server.person("Ben (@annie)"), server.group("club")
        board = await service.game("free black", ann, ben, group)
        await service.reply_to(ann.send("/games", group))
        ann.send("/newgame @cyril", group)
        await server.until(lambda: len(group.boards) == 2, "the challenge")
        seen = [version.text for message in group.from_bot for version in message.versions]
        mentions = [text for text in seen if any(one["type"] == "mention" for one in entities_of(text))]
        assert mentions == [group.board.text]
        assert "@cyril" in group.board.text
        assert "@\N{WORD JOINER}benny_b" in board.text


async def test_quiet_changes_nothing_else() -> None:
    """Addresses of mail, lone signs and short words stay as they are."""
    for text in ("a @ b", "@1", "@", "5@", "h8", "/newgame", "@ab"):
        assert quiet(text) == text
    assert quiet("@anna @anna_b", "@anna") == "@anna @\N{WORD JOINER}anna_b"


async def test_a_supergroup_keeps_what_its_group_had_chosen(tables: Tables) -> None:
    """Language and look go along with the boards."""
    async with Service(tables) as service:
        server = service.server
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club", kind="group")
        group.administrators.append(ann)
        await service.reply_to(ann.send("/settings", group))
        await ann.tap(group.last, "Dark")
        await service.game("free black", ann, ben, group)
        new = server.migrate(group)
        await server.until(lambda: new.boards, "the board in the supergroup")
        assert (await Preferences(tables).of(str(new.id))).style == "dark"
        table = await service.table(new.board)
        assert new.board.photo == png(compose(table, Viewer("en", public=True, style="dark")).picture)


async def test_a_point_of_the_window_is_confirmed_too(tables: Tables) -> None:
    """The preview has the same pace as every step, and Back leads to the window again."""
    async with Service(tables) as service:
        server = service.server
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
        await service.reply_to(ben.send("/settings"))
        for label in ("Ask me first", "Points around the play"):
            await ben.tap(ben.private.last, label)
            await server.until(_ticked(ben.private.last, label), label)
        board = await service.game("free black", ann, ben, group)
        ann.send("/m h8", group)
        await server.until(lambda: "A–O" in board.labels, "the window")
        shown = (board.text, board.now.photo)
        await ben.tap(board, "I9")
        await server.until(lambda: board.labels == ["Play I9", "Back"], "the question")
        await ben.tap(board, "Back")
        await server.until(lambda: "A–O" in board.labels, "the window again")
        assert (board.text, board.now.photo) == shown
        await ben.tap(board, "I9")
        await server.until(lambda: "Play I9" in board.labels, "the question")
        await ben.tap(board, "Play I9")
        await service.stone("i9", board)


def _ticked(message: Message, label: str) -> Callable[[], bool]:
    return lambda: f"✓ {label}" in message.labels


async def test_who_is_challenged_learns_of_it(tables: Tables) -> None:
    """By reply or as the opponent of the last game: the name in the first message is a link that calls the account."""
    async with Service(tables) as service:
        server = service.server
        ann, ben, group = server.person("Ann"), server.person("Be<n> @all 👍"), server.group("club")

        def called() -> list[int]:
            marked = [call.parameters.get("caption_entities") or [] for call in server.calls]
            return [one["user"]["id"] for entities in marked for one in entities]

        ann.send("/newgame free black", group, reply_to=ben.send("hi", group))
        await server.until(called, "the call")
        assert called() == [ben.id]
        board = group.board
        await ben.tap(board, "Join")
        for who, point in ((ann, "h8"), (ben, "h9")):
            who.send(point, group, reply_to=board)
            await service.stone(point, board)
        await ann.tap(board, "Resign")
        await server.until(lambda: "Yes resign" in board.labels, "the question")
        await ann.tap(board, "Yes resign")
        await server.until(lambda: "Rematch" in board.labels, "the end")
        await ann.tap(board, "Rematch")
        await server.until(lambda: group.board is not board, "the new board")
        assert called() == [ben.id] * 2


async def test_an_old_message_means_its_own_game(tables: Tables) -> None:
    """A button of a finished game plays in no other, and Join on an older challenge does not accept the newer one."""
    async with Service(tables) as service:
        server = service.server
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")
        first = await service.game("free black free_first", ann, ben, group)
        old = first.keyboard
        assert (await ann.tap(first, "Cancel")).text == ""
        await server.until(lambda: "cancelled" in first.text, "the end")
        second = await service.game("free black free_first", ann, ben, group)
        assert "over" in (await ann.tap(first, "H", keyboard=old)).text
        assert await service.stones(second) == ""
        for number in (3, 4):
            ann.send("/newgame free black", group)
            await server.until(lambda: len(group.boards) == number, "the challenge")  # noqa: B023
        older, newer = group.boards[2:]
        join = older.keyboard
        await ann.tap(older, "Withdraw")
        assert "withdrawn" in (await ben.tap(older, "Join", keyboard=join)).text
        assert (await service.table(newer)).waiting


async def test_a_third_person_can_do_nothing_to_a_game(tables: Tables) -> None:
    """By none of its buttons, no command as a reply to it, no forged button; the true reason is said each time."""
    async with Service(tables) as service:
        server = service.server
        ann, ben, eve, group = server.person("Ann"), server.person("Ben"), server.person("Eve"), server.group("club")
        board = await service.game("free black claim", ann, ben, group)
        for who, point in ((ann, "h8"), (ben, "h9")):
            who.send(f"/m {point}", group)
            await service.stone(point, board)
        before, shown = await service.table(board), board.now
        forged = ("resign", "leave", "cancel", "undo_allow", "draw_accept", "claim", "ask-resign", "place-h10")
        buttons = [data for row in board.keyboard for _, data in row]
        for data in (*buttons, *(f"{before.id}.{before.rev}.{act}" for act in forged)):
            assert "two players" in (await eve.tap_data(board, data)).text, data
        for command in ("resign", "leave", "cancel", "draw", "undo", "claim", "pass", "m i9", "swap"):
            assert "two players" in await service.reply_to(eve.send(f"/{command}", group, reply_to=board)), command
        for act in ("flag", "expire", "credit"):
            assert (await eve.tap_data(board, f"{before.id}.{before.rev}.{act}")).text
        assert await service.table(board) == before
        assert board.now == shown


async def test_updates_in_another_order_are_harmless(tables: Tables) -> None:
    """Three moves whose deliveries overtake each other: what does not fit yet is refused with a word, nothing is lost
    or mixed up.
    """
    async with Service(tables, webhook=BY_WEBHOOK) as service:
        server = service.server
        ann, ben, group = server.person("Ann"), server.person("Ben"), server.group("club")

        async def deliver(*, backwards: bool = False) -> None:
            async with aiohttp.ClientSession(headers={HEADER: server.secret}) as session:
                for update in server.updates.waiting[:: -1 if backwards else 1]:
                    async with session.post(service.webhook_url, json=update) as answer:
                        assert answer.status == 200
                    server.updates.confirm(update["update_id"])

        ann.send("/newgame free black", group)
        await deliver()
        await server.until(lambda: group.boards, "the board")
        board = group.board
        server.deliver_tap(ben, board, board.data("Join"))
        await deliver()
        await server.until(lambda: "H8" in board.labels, "the game of two")
        table = await service.table(board)
        taps = [
            server.deliver_tap(who, board, f"{table.id}.{table.rev + number}.place-{point}")
            for number, (who, point) in enumerate(((ann, "h8"), (ben, "h9"), (ann, "i9")))
        ]
        await deliver(backwards=True)
        first, *others = [(await server.answer_to(tap)).text for tap in taps]
        assert first == ""
        assert all(others)
        await service.stone("h8", board)
        assert await service.stones(board) == "h8"
