"""``renju run``: the service."""

from __future__ import annotations

import argparse
import asyncio
import sys

from bot import settings as operator
from bot.commands.warm import warm


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Everything is a setting; there are no arguments."""


def run(_arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C; 0 after a clean stop, 1 with one line when it could not start or broke."""
    try:
        settings = operator.read()
    except operator.SettingsInvalid as error:
        print(f"renju run: {error}", file=sys.stderr)
        return 1
    warm()
    from bot import service  # noqa: PLC0415 (the chat libraries load only when the service runs)
    from bot.adapters.web import WebUnavailable  # noqa: PLC0415
    from bot.session.server import FolderInUse, NoServer  # noqa: PLC0415

    service.configure_logging(settings.log)
    try:
        asyncio.run(service.serve(settings))
    except (NoServer, FolderInUse, WebUnavailable, operator.SettingsInvalid) as error:
        print(f"renju run: {error}", file=sys.stderr)
        return 1
    except Exception:
        service.log.exception("service_broke")
        print("renju run: stopped by a fault of its own; the log above has it. No game is lost.", file=sys.stderr)
        return 1
    return 0
