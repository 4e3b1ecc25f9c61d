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
    "optimize hosts": "topoctl.search.hosts.search:HostsSearch",
    "grow": "topoctl.search.growth.search:GrowSearch",
}
"""Module and name of the class of every command that finds networks, imported when it is needed."""
SIMULATIONS = {"simulate": "topoctl.search.simulation.search:PointSearch"}
"""Those that find no networks; each takes one thread, so that several run side by side."""


def search_class(command: str) -> type[Search]:
    """The class of a command's search.

    Args:
        command: the command line words, e.g. ``search equality``.

    Raises:
        Damaged: no search of that name, as in a study that a later version wrote.
    """
    known = {**SEARCHES, **SIMULATIONS}
    if command not in known:
        raise Damaged(f"command {command!r} has no search; expected one of: {', '.join(known)}")
    module, _, name = known[command].partition(":")
    found: type[Search] = getattr(import_module(module), name)
    return found
