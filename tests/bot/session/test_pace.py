"""Buckets that several processes share."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from pathlib import Path

import pytest

from bot.adapters.telegram.pace import Pace
from bot.adapters.telegram.sending import Together
from bot.session.pace import SharedBuckets
from bot.session.store import Store
from tests.bot.session import asker

pytestmark = pytest.mark.asyncio

#: So slow that no test sees one come back.
SLOW = (3.0, 0.0001)
WIDE = (1000.0, 1000.0)
ROOT = Path(__file__).parents[3]


async def test_processes_share_what_a_chat_may_get(redis_url: str) -> None:
    """Two of them, asking at once, get together what one would."""
    stores = Store(redis_url, patience=60), Store(redis_url, patience=60)
    both = [SharedBuckets(store, "x") for store in stores]
    asked = [buckets.ask("7", SLOW, WIDE) for _ in range(5) for buckets in both]
    waits = await asyncio.gather(*asked)
    assert sum(wait == 0 for wait in waits) == 3
    assert all(wait > 1000 for wait in waits if wait)
    assert await both[0].ask("8", SLOW, WIDE) == 0
    for store in stores:
        await store.close()


async def test_two_real_processes_keep_to_one_pace(redis_url: str) -> None:
    """Both ask as fast as they can: together they get what one would, for each chat and for the bot."""
    both = [
        await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.bot.session.asker", redis_url),
            cwd=ROOT,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        for _ in range(2)
    ]
    for process in both:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"ready\n"
    allowed: Counter[str] = Counter()
    for out, _ in await asyncio.gather(*(process.communicate(b"go\n") for process in both)):
        allowed.update(json.loads(out))
    assert sum(allowed.values()) == asker.EVERYTHING[0]
    assert max(allowed.values()) <= asker.CHAT[0]


async def test_the_whole_and_what_is_spared_count(store: Store) -> None:
    """The bucket of all chats holds back a chat that has enough of its own; a spare one is not touched."""
    buckets = SharedBuckets(store, "y")
    assert await buckets.ask("7", SLOW, WIDE, spare=2) == 0
    assert await buckets.ask("7", SLOW, WIDE, spare=2) > 0
    assert await buckets.ask("7", SLOW, WIDE) == 0
    everything = (2.0, 0.0001)
    narrow = SharedBuckets(store, "z")
    assert [await narrow.ask(chat, SLOW, everything) == 0 for chat in "abc"] == [True, True, False]


async def test_who_is_told_to_wait_waits_in_every_process(store: Store) -> None:
    """And a shorter wait later shortens nothing; other chats go on."""
    one, other = Together(Pace(), SharedBuckets(store, "w")), Together(Pace(), SharedBuckets(store, "w"))
    await one.halt("-100", 600)
    await one.halt("-100", 1)
    assert 590 < await other.ask("-100") <= 600
    assert await other.ask("-200") == 0


async def test_without_the_store_each_keeps_its_own_pace() -> None:
    """Nothing fails, nothing floods."""
    away = Store("unix:///nowhere/at/all", patience=0.2)
    alone = Together(Pace(lambda: 0.0), SharedBuckets(away, "v"))
    waits = [await alone.ask("7") for _ in range(4)]
    assert [wait == 0 for wait in waits] == [True, True, True, False]
    await alone.halt("7", 5)
    await away.close()
