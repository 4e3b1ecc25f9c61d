"""Measure the networks of an enumeration as tasks: a spec goes in, distances come out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain

from topoctl.analysis.distances import Distances
from topoctl.engine.protocol import Answer, Engine, Task
from topoctl.engine.tasks import POLL_SECONDS
from topoctl.errors import Damaged
from topoctl.families import topology_from_spec
from topoctl.json_shapes import many, record, whole
from topoctl.search.enumeration.listing import Entry, Structure
from topoctl.search.enumeration.ranking import distances_of

DISTANCES = record({"order": whole(1), "histogram": many(whole(1))})
"""The values of an answer."""


def measure_distances(task: Task) -> Answer:
    """Build the network of a spec, and measure it."""
    found = distances_of(topology_from_spec(task.values["spec"]), task.values["threads"])
    return Answer({"order": found.order, "histogram": [*found.histogram]})


class DistancesOnEngine:
    """Measures the entry that a ranking needs, and meanwhile the entries that it may need next.

    Args:
        engine: where it is measured.
        progress: called with the name of the network that is waited for, and how many are measured at once.
    """

    def __init__(self, engine: Engine, progress: Callable[[str, int], None]) -> None:
        self.engine, self.progress = engine, progress
        self.under_way: dict[int, Structure] = {}
        self.begun: set[Structure] = set()
        self.found: dict[Structure, Distances | Exception] = {}

    def __call__(self, entry: Entry, following: Iterable[Entry]) -> Distances:
        """The distances of an entry.

        Raises:
            TopoctlError: as :func:`~topoctl.search.enumeration.ranking.distances_of`; or the engine is lost.
        """
        ahead = chain([entry], following)
        while entry.structure not in self.found:
            while len(self.under_way) < self.engine.slots and (one := next(ahead, None)):
                self._begin(one)
            self.progress(entry.structure.name, len(self.under_way))
            for number, answer in self.engine.completed(POLL_SECONDS):
                self.found[self.under_way.pop(number)] = (
                    answer if isinstance(answer, Exception) else _distances_in(answer)
                )
        found = self.found[entry.structure]
        if isinstance(found, Exception):
            raise found
        return found

    def _begin(self, entry: Entry) -> None:
        """Have the structure of an entry measured, unless it has been or is being."""
        structure = entry.structure
        if structure not in self.begun:
            self.begun.add(structure)
            self.under_way[self.engine.submit(_distances_task(entry, self.engine.threads))] = structure


def _distances_in(answer: Answer) -> Distances:
    """Return the distances of an answer.

    Raises:
        Damaged: it holds none of a connected network.
    """
    DISTANCES(dict(answer.values), "the answer")
    found = Distances(answer.values["order"], tuple(answer.values["histogram"]))
    if sum(found.histogram) != found.pairs:
        raise Damaged(f"the answer has {sum(found.histogram)} distances; expected {found.pairs}")
    return found


def _distances_task(entry: Entry, threads: int) -> Task:
    """Return the task of an entry."""
    spec = f"{entry.structure.name[:-1]},p={entry.p})"
    return Task("distances", {"spec": spec, "threads": threads}, check=_distances_in)
