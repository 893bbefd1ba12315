"""``renju warm``: compile every kernel and keep the machine code, so that no player waits for it."""

from __future__ import annotations

import argparse
import sys
import time

from core.jit import CACHE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(_arguments: argparse.Namespace) -> int:
    """Compile, with progress on standard error."""
    warm()
    return 0


def warm() -> None:
    """Load or compile the kernels. Says what it does only when it takes long enough to wonder."""
    began = time.monotonic()
    if CACHE is None:
        print("No folder for compiled kernels can be written (set NUMBA_CACHE_DIR): compiling anew.", file=sys.stderr)
    ready = CACHE / "ready" if CACHE is not None else None
    if ready is None or not ready.exists():
        print("Compiling the rules and the engine; once after each upgrade, about half a minute:", file=sys.stderr)
    from core import ai  # noqa: PLC0415 (importing compiles the kernels that have signatures)

    ai.warm(_show if ready is None or not ready.exists() else _silent)
    if ready is not None and not ready.exists():
        ready.touch()
        print(f"Compiled in {time.monotonic() - began:.0f} s.", file=sys.stderr, flush=True)


def _show(what: str, done: int, of: int) -> None:
    print(f"  [{done}/{of}] {what}", file=sys.stderr, flush=True)


def _silent(_what: str, _done: int, _of: int) -> None:
    pass
