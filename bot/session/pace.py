"""Token buckets that several processes share: one for each chat of a platform, one for the platform."""

from __future__ import annotations

from typing import Final

from bot.pace import Rate
from bot.session.ids import shared
from bot.session.lua import Script
from bot.session.store import Store

#: Take one from both buckets, or from none. KEYS: chat, all. ARGV: size and rate of each, how many must remain in the
#: chat's. -> the microseconds to wait; 0: taken
_TAKE: Final = Script(
    """
local t = redis.call('TIME')
local now = t[1] + t[2] / 1000000
local wait, levels = 0, {}
for i = 1, 2 do
  local size, rate = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  local kept = redis.call('HMGET', KEYS[i], 'level', 'at', 'closed')
  local level = tonumber(kept[1] or size)
  levels[i] = math.min(size, level + math.max(0, now - tonumber(kept[2] or now)) * rate)
  local left = i == 1 and tonumber(ARGV[5]) or 0
  wait = math.max(wait, tonumber(kept[3] or 0) - now, (1 + left - levels[i]) / rate)
end
for i = 1, 2 do
  local size, rate = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  local level = wait > 0 and levels[i] or levels[i] - 1
  redis.call('HSET', KEYS[i], 'level', string.format('%.6f', level), 'at', string.format('%.6f', now))
  local full = math.ceil((size - level) / rate) + 1
  redis.call('EXPIRE', KEYS[i], math.max(full, redis.call('TTL', KEYS[i])))
end
return {tostring(math.max(0, math.ceil(wait * 1000000)))}
"""
)

#: Nothing more for a while. KEYS: chat. ARGV: milliseconds. -> ok
_CLOSE: Final = Script(
    """
local t = redis.call('TIME')
local till = t[1] + t[2] / 1000000 + ARGV[1] / 1000
local before = tonumber(redis.call('HGET', KEYS[1], 'closed') or 0)
redis.call('HSET', KEYS[1], 'closed', string.format('%.6f', math.max(before, till)))
redis.call('EXPIRE', KEYS[1], math.max(math.ceil(ARGV[1] / 1000) + 1, redis.call('TTL', KEYS[1])))
return {'ok'}
"""
)


class SharedBuckets:
    """The buckets of one platform, by the server's clock. Methods raise ``StoreUnavailable``."""

    def __init__(self, store: Store, platform: str) -> None:
        self._store = store
        self._platform = platform

    async def ask(self, chat: str, rate: Rate, everything: Rate, *, spare: int = 0) -> float:
        """0 if something may be sent now, and then it counts in both buckets; else the seconds to wait.

        ``spare``: how many more must remain possible in the chat after it.
        """
        args: list[str | bytes | int] = [*(repr(number) for number in (*rate, *everything)), spare]
        answer = await self._store.run(_TAKE, [self._key(chat), self._key("")], args)
        return int(answer[0]) / 1_000_000

    async def halt(self, chat: str, seconds: float) -> None:
        """Leave the chat alone for so long."""
        await self._store.run(_CLOSE, [self._key(chat)], [max(1, int(seconds * 1000))])

    def _key(self, chat: str) -> str:
        """All in one slot, so that a script may have two of them."""
        return f"{shared(0, 'pace')}:{self._platform}:{chat}"
