"""What every request must pass: the right host, the right origin, and the headers of every answer (promise 11)."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from aiohttp import web
from multidict import CIMultiDict

#: Nothing is loaded from elsewhere, nothing inline runs, and no other page may frame this one.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


@dataclass(frozen=True, slots=True)
class Guard:
    """Knows under which addresses this page is reached."""

    listen: str
    """``host:port`` as it is listened on."""
    public_url: str | None = None
    """What links begin with, when it is reached through another address."""

    @property
    def secure(self) -> bool:
        """Whether people reach the page by https."""
        return self.public_url is not None and urlsplit(self.public_url).scheme == "https"

    def host_allowed(self, host: str) -> bool:
        """Whether a Host header may be answered.

        A name that somebody else points at this machine must not be (DNS rebinding): names are ``localhost``, the one
        listened on and the public one. A bare address cannot be rebound.
        """
        if self.public_url is not None and host.lower() == urlsplit(self.public_url).netloc.lower():
            return True
        name = _name_of(host)
        return name == "localhost" or _is_address(name) or (name != "" and name == _name_of(self.listen))

    def origin_allowed(self, origin: str | None, host: str) -> bool:
        """Whether a request that changes something comes from this very page. No Origin: no."""
        if not origin:
            return False
        try:
            parts = urlsplit(origin)
        except ValueError:  # half an IPv6 address, for one
            return False
        if parts.scheme not in ("http", "https"):
            return False
        if self.public_url is not None:
            public = urlsplit(self.public_url)
            if host.lower() == public.netloc.lower() and parts.scheme != public.scheme:
                return False
        return parts.netloc.lower() == host.lower()

    def address(self, request: web.Request) -> str:
        """Who to count a request against: the peer, or whom the proxy in front of a public address names."""
        peer = request.remote or ""
        if self.public_url is not None and _is_near(peer):
            named = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
            if _is_address(named):
                return named
        return peer

    def link(self, request: web.Request, path: str) -> str:
        """A whole link to a path here, as people should be given it."""
        if self.public_url is not None:
            return self.public_url.rstrip("/") + path
        return f"{request.scheme}://{request.host}{path}"


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Put :data:`HEADERS` on an answer, and keep everything but the page's own files out of caches."""
    response.headers.update(CIMultiDict(HEADERS))
    response.headers.setdefault("Cache-Control", "no-cache" if request.path.startswith("/static/") else "no-store")


_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?")


def _name_of(host: str) -> str:
    """The name in ``name:port``, without the brackets of an IPv6 address; empty for nonsense.

    What may stand before a name in a link (``somebody@name``) is nonsense too: links are made from the Host header.
    """
    match = _HOST.fullmatch(host)
    return "" if match is None else match[1].strip("[]").lower()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_near(peer: str) -> bool:
    return _is_address(peer) and (ipaddress.ip_address(peer).is_loopback or ipaddress.ip_address(peer).is_private)
