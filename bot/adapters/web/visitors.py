"""Who looks at the page: a cookie that only the browser and this server know becomes a person."""

from __future__ import annotations

import contextlib
import hashlib
import re
import secrets
from typing import Final

import msgspec
from aiohttp import web

from bot.session.store import StoreUnavailable
from bot.session.table import Person
from bot.session.tables import Tables
from bot.words import pick, words

#: Browsers keep a cookie for 400 days at most; every visit begins them anew.
SECONDS: Final = 400 * 24 * 3600
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


class Visitors:
    """People by their cookies. What is kept is found by a hash of the cookie, so the store never holds the cookie."""

    def __init__(self, tables: Tables, *, secure: bool) -> None:
        self._tables = tables
        self._secure = secure
        # The prefix makes browsers refuse the cookie from a neighbouring host; it exists for https only.
        self._cookie = "__Host-renju" if secure else "renju"

    async def known(self, request: web.Request) -> Person | None:
        """The person of this request's cookie; without a name of their own they are called a guest."""
        kept = await self._kept(request)
        return None if kept is None else kept.person()

    async def _kept(self, request: web.Request) -> _Kept | None:
        token = request.cookies.get(self._cookie, "")
        if not _TOKEN.fullmatch(token):
            return None
        text = await self._tables.recall(_key(token))
        if text is None:
            return None
        try:
            return msgspec.json.decode(text, type=_Kept)
        except msgspec.DecodeError:
            return None

    async def met(self, request: web.Request, *, name: str | None = None, language: str | None = None) -> Met:
        """The person of this request, made when there is none, with these changes; kept for :data:`SECONDS`."""
        kept = await self._kept(request)
        token = request.cookies[self._cookie] if kept is not None else secrets.token_urlsafe(32)
        if kept is not None and name is None and language is None:
            with contextlib.suppress(StoreUnavailable):  # who only looks needs no room on the disk
                await self._tables.remember(_key(token), msgspec.json.encode(kept).decode(), SECONDS)
            return Met(kept.person(), kept.name, token, self)
        if kept is None:
            kept = _Kept(id=f"web:{secrets.token_hex(10)}", language=self.language(request, None))
        if name is not None:
            kept = msgspec.structs.replace(kept, name=name.strip())
        if language is not None:
            kept = msgspec.structs.replace(kept, language=pick(language))
        await self._tables.remember(_key(token), msgspec.json.encode(kept).decode(), SECONDS)
        return Met(kept.person(), kept.name, token, self)

    def remember_on(self, response: web.StreamResponse, token: str) -> None:
        """Hand the cookie to the browser."""
        response.set_cookie(
            self._cookie, token, max_age=SECONDS, path="/", httponly=True, samesite="Lax", secure=self._secure
        )

    @staticmethod
    def language(request: web.Request, person: Person | None) -> str:
        """The language to speak: the person's, or what the browser asks for."""
        return person.language if person is not None else pick(request.headers.get("Accept-Language"))


class _Kept(msgspec.Struct, frozen=True):
    """What is remembered of somebody."""

    id: str
    language: str
    name: str = ""

    def person(self) -> Person:
        """As everybody else knows them."""
        return Person(id=self.id, name=self.name or words(self.language).say("Guest"), language=self.language)


class Met(msgspec.Struct, frozen=True):
    """A person and the cookie that is theirs."""

    person: Person
    typed_name: str
    """As they typed it: empty for a guest."""
    token: str
    visitors: Visitors

    def on(self, response: web.Response) -> web.Response:
        """The same answer with the cookie on it."""
        self.visitors.remember_on(response, self.token)
        return response


def _key(token: str) -> str:
    return f"web:visitor:{hashlib.sha256(token.encode()).hexdigest()}"
