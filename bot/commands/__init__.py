"""The subcommands of ``renju``: each module offers ``add_arguments(parser)`` and ``run(arguments) -> exit code``.

0 is done, 1 a fault or a no, 2 wrong usage with one clear line on standard error.
"""
