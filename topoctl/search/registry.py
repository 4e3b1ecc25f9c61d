"""The searches by their commands, the only names by which the runner and the study know them."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from topoctl.errors import Damaged
from topoctl.search.protocol import Search
from topoctl.search.stored_results import RANKED, Results


@dataclass(frozen=True)
class RegisteredSearch:
    """The search of a command.

    Attributes:
        class_path: module and name of its class, which is imported when it is asked for.
        results: what its documents hold.
    """

    class_path: str
    results: Results = RANKED


SEARCHES = {
    "search equality": RegisteredSearch("topoctl.search.equality.search:EqualitySearch"),
    "search cayley": RegisteredSearch("topoctl.search.cayley.search:CayleySearch"),
    "optimize grid": RegisteredSearch("topoctl.search.annealing.search:AnnealingSearch"),
    "optimize sweep": RegisteredSearch("topoctl.search.annealing.descent:DescentSearch"),
    "optimize graph": RegisteredSearch("topoctl.search.annealing.search:AnnealingSearch"),
}


def search_class(command: str) -> type[Search]:
    """The class of a command's search.

    Args:
        command: the command line words, e.g. ``search equality``.

    Raises:
        Damaged: no search of that name, as in a study that a later version wrote.
    """
    if command not in SEARCHES:
        raise Damaged(f"command {command!r} has no search; expected one of: {', '.join(SEARCHES)}")
    module, _, name = SEARCHES[command].class_path.partition(":")
    found: type[Search] = getattr(import_module(module), name)
    return found


def results_of(command: str) -> Results:
    """What the documents of a command hold; of one that a later version has, networks from best to worst."""
    return SEARCHES[command].results if command in SEARCHES else RANKED
