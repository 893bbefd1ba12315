"""The transport under the library: what goes wrong on the line becomes the library's errors, without addresses."""

from __future__ import annotations

import asyncio

import pytest
from telegram import Bot
from telegram.error import NetworkError, TimedOut

from bot.adapters.telegram.transport import AiohttpRequest, _proxy

pytestmark = pytest.mark.asyncio

TOKEN = "4200000000:TEST-token"


def bot_at(port: int, request: AiohttpRequest) -> Bot:
    """The library with this transport, pointed at a port of this machine."""
    return Bot(TOKEN, base_url=f"http://127.0.0.1:{port}/bot", request=request, get_updates_request=AiohttpRequest())


async def test_an_answer_that_does_not_come_times_out() -> None:
    """A server that accepts and says nothing: after the time that the call allows, ``TimedOut``."""
    released = asyncio.Event()

    async def silent(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await released.wait()
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    request = AiohttpRequest(read_timeout=0.05)
    await request.initialize()
    try:
        bot = bot_at(server.sockets[0].getsockname()[1], request)
        with pytest.raises(TimedOut):
            await bot.get_me()
        with pytest.raises(TimedOut):
            await bot.get_me(read_timeout=0.01)
    finally:
        released.set()
        await request.shutdown()
        server.close()
        await server.wait_closed()


@pytest.mark.parametrize("answer", [b"", b"nonsense\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{"])
async def test_broken_answers_are_network_errors_without_the_token(answer: bytes) -> None:
    """A line that closes, no HTTP at all, half an answer: one kind of error, and never the address."""

    async def broken(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()

    server = await asyncio.start_server(broken, "127.0.0.1", 0)
    request = AiohttpRequest()
    await request.initialize()
    try:
        with pytest.raises(NetworkError) as error:
            await bot_at(server.sockets[0].getsockname()[1], request).get_me()
        assert TOKEN not in f"{error.value!r} {error.value.__cause__!r}"
        assert error.value.__suppress_context__
    finally:
        await request.shutdown()
        server.close()
        await server.wait_closed()


async def test_nobody_there_and_a_closed_transport_are_network_errors() -> None:
    """A port where nobody listens; a call before the start or after the end."""
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    request = AiohttpRequest()
    with pytest.raises(NetworkError, match="closed"):
        await bot_at(port, request).get_me()
    await request.initialize()
    with pytest.raises(NetworkError) as error:
        await bot_at(port, request).get_me()
    assert TOKEN not in str(error.value)
    await request.shutdown()


async def test_a_proxy_of_the_environment_is_used_unless_it_is_to_be_passed_by(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls go through HTTP_PROXY, but not those to a host that NO_PROXY names."""
    asked: list[bytes] = []

    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readline())
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(proxy, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{port}")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, "127.0.0.1")
    _proxy.cache_clear()
    request = AiohttpRequest()
    await request.initialize()
    try:
        assert await request.do_request("http://bot-api.example/botX/getMe", "POST") == (200, b"ok")
        assert await request.do_request(f"http://127.0.0.1:{port}/botX/getMe", "POST") == (200, b"ok")
    finally:
        await request.shutdown()
        server.close()
        _proxy.cache_clear()
    assert asked == [b"POST http://bot-api.example/botX/getMe HTTP/1.1\r\n", b"POST /botX/getMe HTTP/1.1\r\n"]
