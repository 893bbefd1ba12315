"""The engine. It plays every step of a game within its time, finds wins by continuous fours, and can be stopped.

Importing a name from here loads the compiled kernels, or compiles them the first time; :func:`warm` does the same with
progress told.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from core.ai.warming import warm

if TYPE_CHECKING:
    from core.ai.decisions import decide
    from core.ai.stop import Stop
    from core.ai.think import Fours, Thought, Threats, best_move, vcf, vct

__all__ = ["Fours", "Stop", "Thought", "Threats", "best_move", "decide", "vcf", "vct", "warm"]

_WHERE: Final = {
    "Fours": "core.ai.think",
    "Stop": "core.ai.stop",
    "Thought": "core.ai.think",
    "Threats": "core.ai.think",
    "best_move": "core.ai.think",
    "decide": "core.ai.decisions",
    "vcf": "core.ai.think",
    "vct": "core.ai.think",
}


def __getattr__(name: str) -> Any:
    """Load a name when it is first asked for, so that :func:`warm` can be imported before anything is compiled."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(_WHERE[name]), name)
    globals()[name] = found
    return found
