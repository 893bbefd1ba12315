"""The web table's server: addresses, who may ask for what, and the start and the end of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final, TypeVar

import msgspec
import structlog
from aiohttp import web
from aiohttp.http import HttpProcessingError

from bot.adapters.web.files import STATIC, names
from bot.adapters.web.guard import Guard, add_headers
from bot.adapters.web.invitations import Invitations
from bot.adapters.web.limits import Buckets
from bot.adapters.web.page_words import openings, protocols
from bot.adapters.web.pages import page
from bot.adapters.web.sockets import Hub, Socket
from bot.adapters.web.visitors import Visitors
from bot.adapters.web.wire import scene_form
from bot.desk import Desk, Done, Place
from bot.session.store import StoreUnavailable
from bot.session.table import Declined, Person, Table
from bot.session.tables import Tables
from bot.words import explain, words

log = structlog.get_logger("renju.web")

#: A request's body, in bytes.
LARGEST_BODY: Final = 8 * 1024
#: How long a request's body may take to arrive, in seconds.
BODY_SECONDS: Final = 10.0
#: How long a connection that asks for nothing, or never comes to the end of its question, stays open, in seconds.
IDLE_SECONDS: Final = 75.0
#: How many of a person's games the first page lists.
LISTED: Final = 12
#: Open sockets of one address.
SOCKETS_EACH: Final = 100

_T = TypeVar("_T")
_Name = Annotated[str, msgspec.Meta(max_length=200)]
_Id = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{8,64}$")]


class WebUnavailable(Exception):
    """The page cannot be served; the message is one clear line for the operator."""


class _New(msgspec.Struct, forbid_unknown_fields=True):
    id: _Id
    words: Annotated[str, msgspec.Meta(max_length=200)]
    """As they would be typed after ``newgame``."""
    name: _Name | None = None


class _Me(msgspec.Struct, forbid_unknown_fields=True):
    name: _Name | None = None
    language: Annotated[str, msgspec.Meta(max_length=20)] | None = None


class _Join(msgspec.Struct, forbid_unknown_fields=True):
    name: _Name | None = None


class Web:
    """The web table."""

    def __init__(
        self, *, desk: Desk, tables: Tables, listen: str = "127.0.0.1:8080", public_url: str | None = None
    ) -> None:
        self._desk = desk
        self._tables = tables
        self._listen = listen
        self._guard = Guard(listen, public_url)
        self._visitors = Visitors(tables, secure=self._guard.secure)
        self._invitations = Invitations(tables)
        self._hub = Hub(desk, tables, self._invitations)
        self._posts = Buckets(size=120, rate=2)
        # Five tries at codes in ten minutes (promise 11).
        self._wrong_codes = Buckets(size=5, rate=5 / 600)
        self._sockets_of: dict[str, int] = {}
        self.started = asyncio.Event()
        """Set once the page can be opened."""
        self.url = ""
        """Where people find the page, once it has started."""
        self.listening = ""
        """The address it listens on, once it has started."""

    async def run(self) -> None:
        """Serve until cancelled. Raises :class:`WebUnavailable`."""
        logging.getLogger("aiohttp.server").addFilter(_of_ours)
        runner = web.AppRunner(self._app(), access_log=None, shutdown_timeout=1.0, keepalive_timeout=IDLE_SECONDS)
        await runner.setup()
        host, _, port = self._listen.rpartition(":")
        host = host.strip("[]")
        try:
            try:
                await web.TCPSite(runner, host, int(port)).start()
            except OSError as error:
                reason = error.strerror or str(error)
                raise WebUnavailable(
                    f"the web table cannot listen on {self._listen} ({reason}); set RENJU_WEB_ADDR to another address"
                ) from error
            bound = runner.addresses[0][1]
            self.listening = f"{host}:{bound}"
            shown = "127.0.0.1" if host in ("", "0.0.0.0", "::") else host  # noqa: S104
            self.url = self._guard.public_url or f"http://{f'[{shown}]' if ':' in shown else shown}:{bound}"
            log.info("web_table_open", url=self.url)
            self.started.set()
            await self._hub.run()
        finally:
            await runner.cleanup()

    def _app(self) -> web.Application:
        app = web.Application(middlewares=[self._check], client_max_size=LARGEST_BODY)
        app.on_response_prepare.append(add_headers)
        app.on_shutdown.append(self._close_sockets)
        app.router.add_get("/", self._home)
        app.router.add_get("/t/{table:[a-z0-9]{6,16}}", self._table)
        app.router.add_get("/i/{code:[a-z0-9]{1,64}}", self._invitation)
        app.router.add_post("/i/{code:[a-z0-9]{1,64}}", self._join)
        app.router.add_get("/ws/{table:[a-z0-9]{6,16}}", self._socket)
        app.router.add_post("/api/new", self._new)
        app.router.add_post("/api/me", self._me)
        app.router.add_get("/health", self._health)
        app.router.add_static("/static/", STATIC, append_version=False)
        return app

    async def _close_sockets(self, _app: web.Application) -> None:
        await self._hub.close()

    # -- what every request passes -------------------------------------------------------------------------------------

    @web.middleware
    async def _check(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        say = words(self._visitors.language(request, None)).say
        if not self._guard.host_allowed(request.host):
            return _refused(421, say("This page is not served under that address."))
        changes = request.method not in ("GET", "HEAD") or request.path.startswith("/ws/")
        if changes and not self._guard.origin_allowed(request.headers.get("Origin"), request.host):
            return _refused(403, say("That came from another page."))
        if request.method == "POST" and not self._posts.take(self._guard.address(request)):
            return _refused(429, say("That is too fast. Wait a moment and try again."))
        under, _, file = request.path.partition("/static/")
        if not under and file and file not in names():
            return web.Response(status=404)
        try:
            return await handler(request)
        except web.HTTPRequestEntityTooLarge:
            return _refused(413, say("The page sent something that is too long."))
        except web.HTTPException as error:
            if error.status == 404 and request.method == "GET" and not request.path.startswith("/static/"):
                return await self._nothing_here(request)
            raise
        except (ConnectionError, asyncio.CancelledError):
            raise
        except StoreUnavailable:
            return await self._away(request)
        except Exception:
            log.exception("web_request_failed", path=request.path)
            return _refused(500, say("Something went wrong here. It has been noted; please try again."))

    # -- pages ---------------------------------------------------------------------------------------------------------

    async def _page(self, request: web.Request, view: str, *, status: int = 200, **boot: Any) -> web.Response:
        """One of the page's views. With every visit a person's cookie begins its life anew."""
        known = await self._visitors.known(request)
        met = None if known is None else await self._visitors.met(request)
        language = self._visitors.language(request, known)
        response = page(view, language=language, name="" if met is None else met.typed_name, boot=boot)
        response.set_status(status)
        return response if met is None else met.on(response)

    async def _home(self, request: web.Request) -> web.Response:
        person = await self._visitors.known(request)
        said = words(self._visitors.language(request, person))
        games = [] if person is None else await self._games(person)
        return await self._page(request, "home", games=games, protocols=protocols(said), openings=openings(said))

    async def _games(self, person: Person) -> list[dict[str, Any]]:
        """The games that a person sits at, newest first, as they are listed."""
        listed = []
        for table_id in (await self._tables.tables_of(person.id))[:LISTED]:
            table = await self._tables.get(table_id)
            if isinstance(table, Table):
                seats = table.seats_of(person.id)
                scene = scene_form(table, words(person.language), seats, self._tables.clock())
                yours = bool(set(seats) & set(table.game.to_act)) and not table.waiting
                listed.append({"scene": scene, "yours": yours})
        return listed

    async def _table(self, request: web.Request) -> web.Response:
        table = await self._tables.get(request.match_info["table"])
        if table is Declined.NOT_STORED:
            return await self._away(request)
        if table is Declined.GONE:
            return await self._nothing_here(request)
        return await self._page(request, "table", table=request.match_info["table"])

    async def _away(self, request: web.Request) -> web.Response:
        """The games cannot be read or written at the moment."""
        language = self._visitors.language(request, None)
        if request.method == "POST":
            return _refused(503, explain(words(language), Declined.NOT_STORED))
        response = page("away", language=language, name="", boot={})
        response.set_status(503)
        return response

    async def _nothing_here(self, request: web.Request) -> web.Response:
        return await self._page(request, "missing", status=404)

    async def _invitation(self, request: web.Request) -> web.Response:
        """The page to join from. Only looking at it uses nothing up: chats fetch links to preview them."""
        address = self._guard.address(request)
        if self._wrong_codes.empty(address):
            return await self._page(request, "invitation", status=429, state="too_many")
        code = request.match_info["code"]
        good_for = await self._invitations.table_of(code)
        table_id = good_for or await self._invitations.used_at(code)
        if table_id is None:
            self._wrong_codes.take(address)
            return await self._page(request, "invitation", status=404, state="used")
        table = await self._tables.get(table_id)
        if table is Declined.NOT_STORED:
            return await self._away(request)
        person = await self._visitors.known(request)
        if isinstance(table, Table) and person is not None and table.seats_of(person.id):
            if good_for is None:  # they have used it: it leads to their board
                raise web.HTTPFound(f"/t/{table.id}")
            return await self._page(request, "invitation", state="own", table=table.id)
        if isinstance(table, Declined) or good_for is None:
            return await self._page(request, "invitation", status=404, state="used")
        said = words(self._visitors.language(request, person))
        scene = scene_form(table, said, (), self._tables.clock())
        return await self._page(request, "invitation", state="open", code=code, scene=scene)

    # -- what people ask for -------------------------------------------------------------------------------------------

    async def _new(self, request: web.Request) -> web.Response:
        wanted = await self._body(request, _New)
        if wanted is None:
            return self._unreadable(request)
        met = await self._visitors.met(request, name=wanted.name)
        place = Place("web", met.person.id, private=True)
        source = f"{met.person.id}:{wanted.id}"
        answer = await self._desk.new_game(met.person, place, wanted.words, source=source, view=False)
        if not isinstance(answer, Done):
            return met.on(_refused(400, answer.text))
        return met.on(web.json_response({"path": f"/t/{answer.table.id}"}))

    async def _me(self, request: web.Request) -> web.Response:
        wanted = await self._body(request, _Me)
        if wanted is None:
            return self._unreadable(request)
        met = await self._visitors.met(request, name=wanted.name, language=wanted.language)
        return met.on(web.json_response({"name": met.person.name, "language": met.person.language}))

    async def _join(self, request: web.Request) -> web.Response:
        wanted = await self._body(request, _Join)
        if wanted is None:
            return self._unreadable(request)
        address = self._guard.address(request)
        say = words(self._visitors.language(request, await self._visitors.known(request))).say
        if self._wrong_codes.empty(address):
            return _refused(429, say("Too many wrong invitations. Wait ten minutes."))
        code = request.match_info["code"]
        table_id = await self._invitations.take(code)
        if table_id is None:
            return await self._too_late(request, code, address)
        met = await self._visitors.met(request, name=wanted.name)
        answer = await self._desk.join(met.person, table_id, source=f"{met.person.id}:{code}")
        if isinstance(answer, Done):
            self._hub.touch(table_id)
            return met.on(web.json_response({"path": f"/t/{table_id}"}))
        table = await self._tables.get(table_id)
        if isinstance(table, Declined) or table.waiting:  # nobody sits there: the invitation stays good
            await self._invitations.put_back(code, table_id)
        if isinstance(table, Table) and table.seats_of(met.person.id):
            return met.on(web.json_response({"path": f"/t/{table_id}"}))
        return met.on(_refused(409, answer.text))

    async def _too_late(self, request: web.Request, code: str, address: str) -> web.Response:
        """An invitation that is not good, or no longer. Who used it and asks again, the answer having been lost, is led
        to the table; who came second has not guessed.
        """
        person = await self._visitors.known(request)
        table_id = await self._invitations.used_at(code)
        if table_id is None:
            self._wrong_codes.take(address)
        elif person is not None:
            table = await self._tables.get(table_id)
            if isinstance(table, Table) and table.seats_of(person.id):
                return web.json_response({"path": f"/t/{table_id}"})
        say = words(self._visitors.language(request, person)).say
        return _refused(404, say("This invitation has been used or has expired. Ask for a new one."))

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        address = self._guard.address(request)
        if self._sockets_of.get(address, 0) >= SOCKETS_EACH:
            language = self._visitors.language(request, None)
            return _refused(429, words(language).say("Too many boards are open from your address."))
        self._sockets_of[address] = self._sockets_of.get(address, 0) + 1
        try:
            person = await self._visitors.known(request)
            language = self._visitors.language(request, person)
            link = self._guard.link(request, "")
            return await Socket(self._hub, request.match_info["table"], person, language, link).serve(request)
        finally:
            self._sockets_of[address] -= 1
            if not self._sockets_of[address]:
                del self._sockets_of[address]

    async def _health(self, _request: web.Request) -> web.Response:
        """For whoever watches the service: 200 while games can be read and stored."""
        try:
            await self._tables.remember("web:health", "", 60)
            stored = True
        except StoreUnavailable:
            stored = False
        return web.json_response({"ok": stored}, status=200 if stored else 503)

    async def _body(self, request: web.Request, form: type[_T]) -> _T | None:
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await request.read()
            return msgspec.json.decode(body, type=form)
        except (msgspec.DecodeError, RecursionError, TimeoutError, web.RequestPayloadError):
            return None  # the last: it cannot be unpacked

    def _unreadable(self, request: web.Request) -> web.Response:
        say = words(self._visitors.language(request, None)).say
        return _refused(400, say("The page sent something that cannot be read."))


def _of_ours(record: logging.LogRecord) -> bool:
    """Whether a line of the library is about a fault of ours. That somebody sends what is no HTTP is none: it was
    refused, and its traceback would only repeat what they sent, a cookie for one, into the operator's log.
    """
    fault = record.exc_info[1] if record.exc_info else None
    return not isinstance(fault, HttpProcessingError | web.RequestPayloadError)


def _refused(status: int, text: str) -> web.Response:
    return web.json_response({"text": text}, status=status)
