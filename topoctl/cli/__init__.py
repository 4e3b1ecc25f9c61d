"""The command line."""


def main() -> None:
    """Run topoctl."""
