"""The process of the command line, also run as ``python -m topoctl``."""

import os

from topoctl import interruption, streams


def main() -> None:
    """Make Ctrl-C and the standard streams safe, then import and run the command."""
    streams.open_missing()
    interruption.install()
    from topoctl.cli import main as command_line

    try:
        command_line()
    except SystemExit as end:
        if interruption.answered() and isinstance(end.code, int):
            os._exit(end.code)  # all is written; to take the interpreter down may take longer than is left
        raise


if __name__ == "__main__":
    main()
