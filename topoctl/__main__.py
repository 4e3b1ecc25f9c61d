"""Run the command line as ``python -m topoctl``."""

from topoctl.cli import main

if __name__ == "__main__":
    main()
