"""A process that asks whether it may send, as fast as it can: told the address of a store, it says that it is ready,
asks when it is told to, and then says how often it might send to each chat.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter

from bot.pace import Rate
from bot.session.pace import SharedBuckets
from bot.session.store import Store

#: So slow that no test sees one come back.
CHAT: Rate = (3.0, 0.0001)
EVERYTHING: Rate = (20.0, 0.0001)
CHATS = tuple("abcdefghij")
ROUNDS = 10


async def main(address: str) -> None:
    """Ask one chat after the other."""
    store = Store(address, patience=60)
    buckets = SharedBuckets(store, "x")
    await store.call("PING")
    print("ready", flush=True)
    sys.stdin.readline()
    allowed: Counter[str] = Counter()
    for chat in CHATS * ROUNDS:
        allowed[chat] += await buckets.ask(chat, CHAT, EVERYTHING) == 0
    await store.close()
    print(json.dumps(allowed))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
