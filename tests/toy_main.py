"""The command line with the toy search in the place of the real one, for tests that need a real process."""

from topoctl.__main__ import main
from topoctl.search.registry import SEARCHES

if __name__ == "__main__":
    SEARCHES["search equality"] = "toy_search:ToySearch"
    main()
