"""Where Discord is."""

from __future__ import annotations

from typing import Final

OFFICIAL: Final = "https://discord.com/api/v10"


def api_base(address: str | None) -> str:
    """What all calls begin with. Another address may leave the version away, or the whole path: ``http://host:8000``."""
    if address is None:
        return OFFICIAL
    address = address.rstrip("/")
    if address.endswith("/api"):
        return f"{address}/v10"
    return address if "/api/" in address else f"{address}/api/v10"
