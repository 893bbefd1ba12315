"""The one decorator for compiled kernels, and where their compiled code is kept.

``@kernel`` compiles with the GIL released, so that a search in a thread never stops the event loop, and caches the
machine code in a folder of our own. Numba's cache does not notice a change in another file or in a table, so the
folder's name carries a digest of every source file that holds kernels or their tables, and of the versions that shape
the code: after an upgrade a fresh folder is filled, and a stale one is never read. A folder that cannot be written is
an error to Numba, so each candidate is tried first, and without any we compile in memory.

Recursive kernels need an explicit signature (numba issue 6061: a cached caller of a recursive kernel that was
specialised on a literal can crash). A signature compiles at import.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar, cast, overload

import numba
import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

_CORE: Final = Path(__file__).resolve().parent


def _digest() -> str:
    """Twelve hex digits that change whenever compiled code could."""
    seen = hashlib.blake2b(digest_size=6)
    for part in (numba.__version__, np.__version__, sys.version, platform.machine()):
        seen.update(part.encode())
    for key in ("NUMBA_CPU_NAME", "NUMBA_OPT", "NUMBA_BOUNDSCHECK"):
        seen.update(f"{key}={os.environ.get(key, '')}".encode())
    sources = [_CORE / "jit.py", _CORE / "notation.py", *_CORE.glob("rules/**/*.py"), *_CORE.glob("ai/**/*.py")]
    for source in sorted(sources):
        seen.update(source.relative_to(_CORE).as_posix().encode())
        seen.update(source.read_bytes())
    return seen.hexdigest()


def _candidates() -> Iterator[Path]:
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        yield Path(chosen)
    cache_home = os.environ.get("XDG_CACHE_HOME")
    if cache_home:
        yield Path(cache_home) / "renju-bot"
    home = Path.home() if os.environ.get("HOME") else None
    if home is not None:
        yield home / ".cache" / "renju-bot"
    yield Path(tempfile.gettempdir()) / f"renju-bot-{os.getuid() if hasattr(os, 'getuid') else 'user'}"


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=folder):
            return _ours(folder.parent)
    except OSError:
        return False


def _ours(base: Path) -> bool:
    """Whether nobody else can put code there for us to load: anybody may make folders where temporary files lie."""
    if Path(tempfile.gettempdir()) not in base.parents or not hasattr(os, "getuid"):
        return True
    made = base.stat()
    return made.st_uid == os.getuid() and not made.st_mode & 0o022


def _settle() -> Path | None:
    leaf = f"kernels-{_digest()}"
    for base in _candidates():
        if _writable(base / leaf):
            return base / leaf
    return None


#: Where compiled kernels are kept; ``None`` when no folder can be written and every start compiles anew.
CACHE: Final[Path | None] = _settle()

if CACHE is not None:
    setattr(numba.config, "CACHE_DIR", str(CACHE))  # noqa: B010 (the attribute is made at run time)


@overload
def kernel(function: F, /) -> F: ...
@overload
def kernel(function: str | list[str] | None = None, /) -> Callable[[F], F]: ...


def kernel(function: F | str | list[str] | None = None, /) -> F | Callable[[F], F]:
    """Compile a function: ``@kernel``, or ``@kernel("int64(uint8[::1], int64)")`` for a recursive one.

    The function keeps its Python type. Integer overflow wraps, bounds are not checked (set ``NUMBA_BOUNDSCHECK=1``
    for that), the GIL is released.
    """
    if callable(function):
        return cast(F, numba.njit(nogil=True, cache=CACHE is not None)(function))
    signature = function

    def decorate(wrapped: F) -> F:
        if signature is None:
            return cast(F, numba.njit(nogil=True, cache=CACHE is not None)(wrapped))
        return cast(F, numba.njit(signature, nogil=True, cache=CACHE is not None)(wrapped))

    return decorate
