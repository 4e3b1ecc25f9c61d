"""Which class runs a command's search; the runner and `runs resume` know searches by these names only."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from topoctl.errors import Damaged

SEARCHES = {
    "search equality": "topoctl.search.equality:EqualitySearch",
    "optimize grid": "topoctl.search.annealing:AnnealingSearch",
    "optimize sweep": "topoctl.search.sweeping:SweepSearch",
    "optimize graph": "topoctl.search.annealing:AnnealingSearch",
}


def search_class(command: str) -> Any:
    """The class of a command's search; it has ``plan(request, threads)`` and ``from_parameters(parameters)``.

    Args:
        command: the command line words, e.g. ``search equality``.

    Raises:
        Damaged: no search of that name, as in a study that a later version wrote.
    """
    if command not in SEARCHES:
        raise Damaged(f"command {command!r} has no search; expected one of: {', '.join(SEARCHES)}")
    module, _, name = SEARCHES[command].partition(":")
    return getattr(import_module(module), name)
