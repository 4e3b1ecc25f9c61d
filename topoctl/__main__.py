"""The process of the command line, also run as ``python -m topoctl``."""

from topoctl import interruption, streams


def main() -> None:
    """Make Ctrl-C and the standard streams safe, then import and run the command."""
    streams.open_missing()
    interruption.install()
    from topoctl.cli import main as command_line

    command_line()


if __name__ == "__main__":
    main()
