"""What the server says, yes or no."""

from __future__ import annotations

import json
from typing import Any

from aiohttp import web


class Refuse(Exception):
    """The server says no to a call that is well formed."""

    def __init__(self, status: int, code: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message


def told(body: Any, *, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """An answer as JSON, with the type exactly as Discord writes it: the client library compares the whole header."""
    return web.Response(body=json.dumps(body).encode(), status=status, headers=headers, content_type="application/json")
