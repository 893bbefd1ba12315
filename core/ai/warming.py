"""Getting the compiled kernels ready, part by part, with progress told: the first time takes a while."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final

#: What is compiled, in order. Importing a module compiles its kernels, or loads them from the cache.
_PARTS: Final = (
    ("rules", "core.rules"),
    ("positions", "core.ai.position"),
    ("continuous fours", "core.ai.fours"),
    ("continuous threes", "core.ai.threes"),
    ("search", "core.ai.search"),
    ("attention", "core.ai.sight"),
    ("decisions", "core.ai.decisions"),
)


def warm(progress: Callable[[str, int, int], None]) -> None:
    """Make every kernel ready. ``progress(part, number, of)`` is called before each part, and once at the end."""
    for number, (part, module) in enumerate(_PARTS):
        progress(part, number, len(_PARTS))
        import_module(module)
    progress("ready", len(_PARTS), len(_PARTS))
