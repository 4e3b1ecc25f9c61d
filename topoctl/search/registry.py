"""The searches by their commands, the only names by which the runner and the study know them."""

from __future__ import annotations

from importlib import import_module

from topoctl.errors import Damaged
from topoctl.search.protocol import Search

SEARCHES = {
    "search equality": "topoctl.search.populations.equality:EqualitySearch",
    "search cayley": "topoctl.search.populations.cayley:CayleySearch",
    "optimize grid": "topoctl.search.annealing.search:AnnealingSearch",
    "optimize sweep": "topoctl.search.annealing.descent:DescentSearch",
    "optimize graph": "topoctl.search.annealing.search:AnnealingSearch",
}
"""Module and name of the class of every command, which is imported when it is needed."""


def search_class(command: str) -> type[Search]:
    """The class of a command's search.

    Args:
        command: the command line words, e.g. ``search equality``.

    Raises:
        Damaged: no search of that name, as in a study that a later version wrote.
    """
    if command not in SEARCHES:
        raise Damaged(f"command {command!r} has no search; expected one of: {', '.join(SEARCHES)}")
    module, _, name = SEARCHES[command].partition(":")
    found: type[Search] = getattr(import_module(module), name)
    return found
