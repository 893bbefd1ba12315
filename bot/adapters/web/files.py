"""The page's own files, and which version of them this is."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

STATIC: Final = Path(str(files("bot.adapters") / "static"))

#: In the order in which later ones add to earlier ones.
STYLES: Final = ("style.css", "home.css", "table.css", "board.css")


@cache
def page_version() -> str:
    """Changes whenever a file of the page does: an open page then knows that it is old."""
    found = hashlib.sha256()
    for path in sorted(STATIC.iterdir()):
        found.update(path.name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:16]


@cache
def names() -> frozenset[str]:
    """The names of all files; whatever else is asked for does not reach the disk."""
    return frozenset(path.name for path in STATIC.iterdir())


@cache
def modules() -> tuple[str, ...]:
    """The names of the page's modules."""
    return tuple(sorted(path.name for path in STATIC.glob("*.js") if path.name != "theme.js"))
