"""The process of the command line, also run as ``python -m topoctl``."""

import os

from topoctl import interruption, streams

LONGEST_WIDTH = 6
"""Digits of the widest terminal."""


def main() -> None:
    """Make Ctrl-C and the standard streams safe, then import and run the command."""
    streams.open_missing()
    interruption.install()
    _forget_what_others_trip_over()
    from topoctl.cli import main as command_line

    try:
        command_line()
    except SystemExit as end:
        if interruption.answered() and isinstance(end.code, int):
            os._exit(end.code)  # all is written; to take the interpreter down may take longer than is left
        raise


def _forget_what_others_trip_over() -> None:
    """Drop settings that make rich and matplotlib fail, although no result depends on them."""
    if len(os.environ.get("COLUMNS", "")) > LONGEST_WIDTH:
        del os.environ["COLUMNS"]
    os.environ.pop("MPLBACKEND", None)  # figures are written to files, by no window


if __name__ == "__main__":
    main()
