"""Texts that Discord shows exactly as they are: nothing in them formats, links or calls anybody (promise 9)."""

from __future__ import annotations

import re
from typing import Final

#: What means something anywhere in a line; a backslash takes the meaning away and is not shown.
_ANYWHERE: Final = re.compile(r"[\\`*_~|<>#@\[\]]|:(?=//)")
#: What makes a list of a line that begins with it.
_AT_THE_START: Final = re.compile(r"^(\s*)([-+])|^(\s*\d+)([.)])", re.MULTILINE)


def plain(text: str) -> str:
    """The text with a backslash before every sign that would do something."""
    return _AT_THE_START.sub(r"\1\3\\\2\4", _ANYWHERE.sub(r"\\\g<0>", text))
