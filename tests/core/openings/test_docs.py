"""The documentation of the protocols is what the tables say."""

from __future__ import annotations

from tools import protocols


def test_the_page_is_up_to_date() -> None:
    """``python tools/protocols.py`` writes it anew."""
    assert protocols.main(["--check"]) == 0
    assert protocols.PAGE.read_text(encoding="utf-8").count("\n## ") == 20
