"""Nothing is given away (rule R6.1): what leaves the server in a running claim game, byte by byte.

One conversation is held twice on each platform: as it is, and with rules that find no forbidden move. Until the claim
everything that is sent and logged must be the same: calls and their bodies, pictures, socket frames, log lines.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import structlog
from aiohttp import web

from bot.session.store import Store
from bot.session.tables import Tables
from core.game import Reason, turns
from core.notation import Board, Point
from core.rules import Verdict, judge
from tests.conversation import Player, Stage
from tests.conversation.discord import DiscordStage
from tests.conversation.stages import STAGES, WITHOUT_THE_BOT
from tests.conversation.telegram import TelegramStage

#: One way to enter points on each platform is enough: what is sent does not depend on it.
PLATFORMS = (
    "telegram group, replies",
    "telegram inline",
    "telegram inline without cache chat",
    "discord server, commands",
    "web page, typed",
)

#: Black's last stone makes two threes; before it White claims in vain. White's stones lie apart.
STONES = ("h8", "a1", "i8", "c1", "h9", "e1", "i10", "g1")
FOUL = "g8"

Sent = dict[str, int]


def blind(board: Board, point: Point) -> Verdict:
    """Rules that see fives and nothing else."""
    seen = judge(board, point)
    return Verdict.LEGAL if seen.forbidden else seen


def written(value: Any) -> str:
    """A body with its bytes in it: an upload is compared by what it holds, not by how it prints."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {written(value[key])}" for key in sorted(value, key=str)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(written(one) for one in value) + "]"
    content = value if isinstance(value, bytes) else getattr(value, "content", None)
    return digest(content) if isinstance(content, bytes) else repr(value)


def digest(content: bytes) -> str:
    """A name for these bytes, in letters that no id is written in."""
    return "bytes-" + hashlib.sha256(content).hexdigest().translate(
        str.maketrans("0123456789abcdef", "GHIJKLMNOPQRSTUV")
    )


def sent_by(stage: Stage, frames: list[str]) -> list[str]:
    """Everything that the bot has sent to the platform so far."""
    if isinstance(stage, TelegramStage | DiscordStage):
        calls: list[Any] = list(stage.server.calls)
        return [f"{getattr(call, 'method', None) or call.name} {written(vars(call))}" for call in calls]
    return frames


@contextmanager
def recorded_frames(patch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The frames of every socket that the service serves."""
    frames: list[str] = []
    real = web.WebSocketResponse.send_str

    async def send_str(self: web.WebSocketResponse, data: str, compress: int | None = None) -> None:
        frames.append(data)
        await real(self, data, compress)

    with patch.context() as patched:
        patched.setattr(web.WebSocketResponse, "send_str", send_str)
        yield frames


def same_in_every_run(line: str, table: str) -> str:
    """A line without what differs from run to run: random names, times, and ids counted up by the fakes."""
    line = line.replace(table, "TABLE")
    line = re.sub(r"(?<=in:)[a-z2-7]{10}(?=:)|(?<=id: ')[a-z2-7]{10}(?=')", "OFFER", line)
    line = re.sub(r"/i/[a-z2-7]{16}", "/i/INVITATION", line)
    line = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "MOMENT", line)
    line = re.sub(r"(?<=/)[\w-]{40,}(?=[/'])", "TOKEN", line)
    line = re.sub(r"\b[0-9a-f]{16,64}\b(?=[\"'])", "RANDOM", line)
    return re.sub(r"\d{5,}", "NUMBER", line)


async def held(stage: Stage, frames: list[str]) -> tuple[set[str], Player, Player]:
    """The conversation up to the foul; everything that was sent in it, as a set: how often depends on the weather."""
    ann, ben = await stage.player("Ann"), await stage.player("Ben")
    await ann.open_game("friend free black claim")
    await ben.join(ann)
    await ann.sees("Ben")
    for number, stone in enumerate((*STONES, FOUL)):
        player, other = (ann, ben) if number % 2 == 0 else (ben, ann)
        if number == len(STONES) - 1:
            await ben.claim()
            await ann.sees("claimed")
        await player.play(stone)
        await other.sees_stone(stone)
    table = await ann.TABLE()
    return {same_in_every_run(line, table) for line in sent_by(stage, frames)}, ann, ben


@pytest.mark.asyncio
@pytest.mark.parametrize("platform", PLATFORMS)
async def test_until_the_claim_every_outgoing_byte_is_equal(
    platform: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And only then it shows which of the two rules were at work."""
    sent: list[set[str]] = []
    logged: list[set[str]] = []
    reasons: list[Reason | None] = []
    make: Callable[[Tables], Stage] = (STAGES | WITHOUT_THE_BOT)[platform]
    for rules in (judge, blind):
        monkeypatch.setattr(turns, "judge", rules)
        await store.call("FLUSHDB")
        tables = Tables(store)
        with recorded_frames(monkeypatch) as frames, structlog.testing.capture_logs() as logs:
            async with make(tables) as stage:
                bytes_out, ann, ben = await held(stage, frames)
                sent.append(bytes_out)
                table = await ann.TABLE()
                logged.append({same_in_every_run(written(line), table) for line in logs})
                await ben.claim()
                outcome = (await ben.table()).game.outcome
                reasons.append(None if outcome is None else outcome.reason)
        await tables.close()
    assert sent[0] == sent[1]
    assert logged[0] == logged[1]
    assert reasons == [Reason.FORBIDDEN_CLAIMED, None]
