"""Names: of tables and views, and of the keys that hold them.

Everything that one step changes carries the same partition tag, ``{p00}`` to ``{p63}``, so that one script may touch
all of it on a Redis Cluster too. A table lives in the partition of its id. What is found by something else than a
table (a person's tables, a chat's, the table of a message) lives in the partition of that name; it is written before
the step that makes it true and checked against the table when it is read, so an entry left over by a crash is harmless.
"""

from __future__ import annotations

import base64
import hmac
import secrets
import zlib
from typing import Final

PARTITIONS: Final = 64
_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz234567"
_LENGTH: Final = 10


def new_id() -> str:
    """A random name of 10 characters (50 bits) for a table or a view."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))


def derived_id(secret: bytes, source: str) -> str:
    """The name that belongs to ``source``: always the same, and not to be guessed without the secret."""
    digest = hmac.digest(secret, source.encode(), "sha256")
    return base64.b32encode(digest).decode().lower()[:_LENGTH]


def partition(name: str) -> int:
    """The partition that a name lives in: 0 to 63, the same in every process and version."""
    return zlib.crc32(name.encode()) % PARTITIONS


def tag(number: int) -> str:
    """The hash tag of a partition: ``{p07}``."""
    return f"{{p{number:02d}}}"


def shared(number: int, kind: str) -> str:
    """The key of something that a whole partition shares: ``stale``, ``engine``, ``events``, ``sending``."""
    return f"{tag(number)}:{kind}"


def key(kind: str, owner: str, *rest: str) -> str:
    """The key of something that belongs to ``owner``, in the owner's partition: ``{p07}:table:abcdefghij``."""
    return ":".join((tag(partition(owner)), kind, owner, *rest))


def entry(raw: bytes, number: int) -> str | None:
    """An entry of something that partition ``number`` shares, as text; ``None`` for what nobody here wrote.

    Every entry begins with the id of a table of that partition, and may go on after a slash.
    """
    text = raw.decode(errors="replace")
    return text if raw.isascii() and partition(text.partition("/")[0]) == number else None
