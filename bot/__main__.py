"""The ``renju`` command: one subcommand a module of ``bot.commands``, imported only when it is used.

Exit codes: 0 done, 1 the answer is no or a fault, 2 wrong usage. A fault is one line on standard error, never a
traceback.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from typing import Final, NoReturn

#: The subcommands, each with its line in ``renju --help``; ``bot.commands.NAME`` has ``add_arguments`` and ``run``.
COMMANDS: Final = {
    "run": "the service: embedded Redis, the web table, and every chat whose token is set",
    "warm": "compile the kernels and keep them, with progress shown",
    "doctor": "check settings, storage, tokens and cache, and say how to mend each fault",
    "forbidden": "which points are forbidden for Black",
    "solve": "wins by continuous fours",
    "engine": "the Gomocup protocol on standard input and output",
    "draw": "a position as PNG, a game as GIF",
    "script": "replay a game from text",
    "bench": "the project's own figures",
}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One clear line, without the usage block."""
        print(f"{self.prog}: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)


def main(arguments: list[str] | None = None) -> int:
    """Run one subcommand and return its exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    parser = _Parser(prog="renju", description="Renju Bot: play Renju in the chats you already use.")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    # Only the module of the command asked for is imported: `renju forbidden` needs no chat library.
    asked = next((word for word in words if not word.startswith("-")), None)
    for name, line in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=line, description=line[0].upper() + line[1:] + ".")
        if name == asked:
            module = importlib.import_module(f"bot.commands.{name}")
            module.add_arguments(subparser)
            subparser.set_defaults(run=module.run)
    chosen = parser.parse_args(words)
    try:
        code: int = chosen.run(chosen)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has gone; that is its right
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    return code


if __name__ == "__main__":
    sys.exit(main())
