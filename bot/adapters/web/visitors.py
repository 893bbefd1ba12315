"""Who looks at the page: a cookie that only the browser and this server know becomes a person."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Final

import msgspec
from aiohttp import web

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
        """The person of this request's cookie."""
        token = request.cookies.get(self._cookie, "")
        if not _TOKEN.fullmatch(token):
            return None
        kept = await self._tables.recall(_key(token))
        if kept is None:
            return None
        try:
            return msgspec.json.decode(kept, type=Person)
        except msgspec.DecodeError:
            return None

    async def met(self, request: web.Request, *, name: str | None = None, language: str | None = None) -> Met:
        """The person of this request, made when there is none, with these changes; kept for :data:`SECONDS`."""
        known = await self.known(request)
        token = request.cookies[self._cookie] if known is not None else secrets.token_urlsafe(32)
        chosen = pick(language) if language is not None else None
        if known is None:
            chosen = chosen or self.language(request, None)
            known = Person(id=f"web:{secrets.token_hex(10)}", name=words(chosen).say("Guest"), language=chosen)
        known = Person(
            id=known.id,
            name=known.name if name is None else name.strip() or words(chosen or known.language).say("Guest"),
            language=chosen or known.language,
        )
        await self._tables.remember(_key(token), msgspec.json.encode(known).decode(), SECONDS)
        return Met(known, token, self)

    def remember_on(self, response: web.StreamResponse, token: str) -> None:
        """Hand the cookie to the browser."""
        response.set_cookie(
            self._cookie, token, max_age=SECONDS, path="/", httponly=True, samesite="Lax", secure=self._secure
        )

    @staticmethod
    def language(request: web.Request, person: Person | None) -> str:
        """The language to speak: the person's, or what the browser asks for."""
        return person.language if person is not None else pick(request.headers.get("Accept-Language"))


class Met(msgspec.Struct, frozen=True):
    """A person and the cookie that is theirs."""

    person: Person
    token: str
    visitors: Visitors

    def on(self, response: web.Response) -> web.Response:
        """The same answer with the cookie on it."""
        self.visitors.remember_on(response, self.token)
        return response


def _key(token: str) -> str:
    return f"web:visitor:{hashlib.sha256(token.encode()).hexdigest()}"
