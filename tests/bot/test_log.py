"""What the operator reads."""

from __future__ import annotations

import subprocess
import sys

import pytest

_FAULT = """
import sys
import structlog
from bot.service import configure_logging

sys.stderr.isatty = lambda: {terminal}
configure_logging("info")


def fail(token):
    raise RuntimeError("broken")


try:
    fail("12345:very-secret")
except RuntimeError:
    structlog.get_logger("renju").exception("fault", table="abc")
"""


@pytest.mark.parametrize("terminal", [False, True])
def test_a_fault_is_told_without_what_the_variables_held(terminal: bool) -> None:
    """On a terminal as in a file: the line, the place in the code, no token."""
    code = _FAULT.format(terminal=terminal)
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr
    assert "fault" in told
    assert "abc" in told
    assert "RuntimeError: broken" in told
    assert "very-secret" not in told
