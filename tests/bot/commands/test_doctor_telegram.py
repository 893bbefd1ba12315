"""What the doctor says about Telegram."""

from __future__ import annotations

import pytest

from bot.commands import doctor
from bot.settings import Settings
from tests.fakes.telegram import TelegramServer

pytestmark = pytest.mark.asyncio


class TestDoctor:
    async def test_a_cache_chat_that_takes_pictures(self) -> None:
        """One is sent and deleted again, so that nothing stays there."""
        async with TelegramServer() as server:
            cache = server.group("pictures")
            found = await doctor._remote(_settings(server, cache.id))
            assert found[-1].what == f"Telegram cache chat {cache.id}: takes pictures"
            assert not any(one.fault for one in found)
            assert [call.method for call in server.calls] == ["getMe", "sendPhoto", "deleteMessage"]
            assert cache.messages == []

    async def test_one_that_does_not(self) -> None:
        """Unknown, closed, moved, busy, not there: each with its own words, none with the token."""
        async with TelegramServer() as server:
            said = []
            unknown = await doctor._remote(_settings(server, -100123))
            said.append(unknown[-1])
            closed, moved, busy = (server.group(name) for name in ("closed", "moved", "busy"))
            closed.blocked = "Forbidden: bot is not a member of the supergroup chat"
            server.person("Ann")
            new = server.migrate(moved)
            server.fail("sendPhoto", 429, "Too Many Requests: retry after 7", retry_after=7, chat=busy)
            for chat in (closed, moved, busy):
                said.append((await doctor._remote(_settings(server, chat.id)))[-1])
        said.append((await doctor._remote(_settings(server, busy.id)))[-1])
        faults = ["chat not found", "bot is not a member of the supergroup chat", "has become a supergroup", "is busy"]
        assert [one.fault for one in said[:4]] == faults
        assert said[4].fault.startswith("cannot be reached")
        assert str(new.id) in said[2].mend
        assert "7 seconds" in said[3].mend
        assert all(one.mend for one in said)
        assert "TEST-token" not in str(said)

    async def test_none_is_no_finding(self) -> None:
        """It is not needed."""
        async with TelegramServer() as server:
            found = await doctor._remote(_settings(server))
            assert found[-2].what == "Telegram: @renju_test_bot"
            assert "cache" not in str(found)


def _settings(server: TelegramServer, cache: int | None = None) -> Settings:
    given = {"TELEGRAM_TOKEN": server.token, "TELEGRAM_API_URL": server.url}
    if cache is not None:
        given["TELEGRAM_CACHE_CHAT"] = str(cache)
    return Settings(_env_file=None, **given)  # type: ignore[call-arg, arg-type]
