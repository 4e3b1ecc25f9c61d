"""The instances that were listed, best first; every instance that is given out was measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from heapq import heapify, heappop, heappush, nsmallest

from topoctl.analysis.distances import Disconnected, Distances, measure
from topoctl.analysis.effort import refuse_effort
from topoctl.errors import EngineLost, Infeasible, TopoctlError
from topoctl.search.enumeration.listing import Entry, Listing, Structure
from topoctl.search.enumeration.windows import MEASURED, Number, Windows, bounded, quantities, sort_key
from topoctl.topology import Topology

DEFAULT_SORT = ("diameter", "aspl", "router_radix", "order", "concentration")

Key = tuple[tuple[Number, ...], bool, int]
OnMeasured = Callable[[str, int, int], None]
AHEAD = 1024
"""Entries that are looked at for what may be measured next, if several are measured at once."""


@dataclass(frozen=True)
class MeasuredInstance:
    """A network within the windows.

    Attributes:
        topology: built from its parameters.
        distances: measured on its graph.
        known: its quantities, exact.
    """

    topology: Topology
    distances: Distances
    known: dict[str, Number]


def built(entry: Entry) -> Topology:
    """Build the network of an entry.

    Raises:
        TopoctlError: it needs too much memory.
    """
    structure = entry.structure
    return structure.family.build({**structure.parameters, "p": entry.p})


def distances_of(
    topology: Topology, threads: int | None = None, progress: OnMeasured | None = None
) -> Distances:
    """Measure a network that was listed.

    Raises:
        TopoctlError: the measurement would take too long, or the network is not connected.
    """
    refuse_effort(topology.graph, topology.symmetry)
    on_sources = partial(progress, topology.spec or topology.family) if progress else None
    distances = measure(topology.graph, topology.symmetry, threads, on_sources)
    if isinstance(distances, Disconnected):
        raise Infeasible(f"not connected: {distances.components} components")
    return distances


@dataclass
class Ranking:
    """The entries of a listing, best first, measured no earlier than their rank needs.

    Every entry waits in a heap at the best place that its closed forms and Moore's bounds allow. If the place
    of the first entry is not certain, the entry is measured and goes back to its true place. If it is
    certain, no waiting entry can come before it.

    Attributes:
        listing: the entries that can be within the windows.
        windows: by quantity.
        sort: keys from :data:`~topoctl.search.enumeration.windows.SORTABLE`, a minus before one for largest
            first.
        each: instances of a family, at most; None for all.
        top: instances of all families, at most; None for all.
        threads: for the kernel.
        progress: called with the name of what is measured, the sources done and their total.
        elsewhere: measures an entry outside this process, given the entries that may follow, and raises what
            :func:`distances_of` would; None to measure here.
        measured: distances by structure, measured once for all concentrations.
        refused: structures that could not be built or measured, and why.
        fits: entries that are known to be within the windows, by family.
        undecided: entries that would have to be measured to know, and were not.
        yielded: instances that were yielded, by family.
        complete: the family whose complete graphs stand for those of all others, where `each` is given.
        repeated: complete graphs of other families that were left out for these, by family.

    Example:
        >>> from topoctl.families import FAMILIES
        >>> from topoctl.search.enumeration.listing import WantedInstances, list_families
        >>> from topoctl.search.enumeration.windows import Window
        >>> wanted = WantedInstances({"endpoints": Window(most=300)}, balanced=True)
        >>> ranking = Ranking(list_families([FAMILIES["slimfly"]], wanted), wanted.windows)
        >>> [instance.topology.spec for instance in ranking]
        ['slimfly(q=3,p=3)', 'slimfly(q=4,p=3)', 'slimfly(q=5,p=4)']
    """

    listing: Listing
    windows: Windows
    sort: Sequence[str] = DEFAULT_SORT
    each: int | None = None
    top: int | None = None
    threads: int | None = None
    progress: OnMeasured | None = None
    elsewhere: Callable[[Entry, Iterable[Entry]], Distances] | None = None
    measured: dict[Structure, Distances] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    fits: Counter[str] = field(default_factory=Counter)
    undecided: int = 0
    yielded: Counter[str] = field(default_factory=Counter)
    complete: str | None = None
    repeated: Counter[str] = field(default_factory=Counter)

    def __iter__(self) -> Iterator[MeasuredInstance]:
        """Yield the instances, best first."""
        self.fits = Counter(entry.structure.family.name for entry in self.listing.entries if entry.decided)
        self.undecided = len(self.listing.entries) - self.fitting
        waiting = [self.place(number) for number in range(len(self.listing.entries))]
        heapify(waiting)
        while waiting and self.yielded.total() != self.top:
            _, certain, number = heappop(waiting)
            entry = self.listing.entries[number]
            if self.is_full(entry) or (certain and self.is_repeated(entry)):
                continue
            try:
                self.measure(entry, waiting)
                topology = built(entry) if certain else None
            except EngineLost:
                raise
            except TopoctlError as error:  # too much memory or time, or never connected
                self.refused.setdefault(entry.structure.name, str(error))
                self.settle(entry, fits=False)
                continue
            if topology is not None:
                self.yielded[entry.structure.family.name] += 1
                yield MeasuredInstance(topology, self.measured[entry.structure], self.known(entry))
            elif self.settle(entry, fits=self.is_within(entry)):
                heappush(waiting, self.place(number))

    def measure(self, entry: Entry, waiting: Sequence[Key]) -> None:
        """Measure the structure of an entry, unless it was measured.

        Raises:
            TopoctlError: it needs too much memory or time, or is not connected.
        """
        structure = entry.structure
        if structure in self.measured:
            return
        if self.elsewhere:
            distances = self.elsewhere(entry, self.following(waiting))
        else:
            distances = distances_of(built(entry), self.threads, self.progress)
        self.measured[structure] = distances

    def following(self, waiting: Sequence[Key]) -> Iterator[Entry]:
        """Yield the first entries that wait to be measured."""
        for _, _, number in nsmallest(AHEAD, waiting):
            entry = self.listing.entries[number]
            if entry.structure not in self.measured and not self.is_full(entry):
                yield entry

    @property
    def fitting(self) -> int:
        """Entries that are known to be within the windows."""
        return self.fits.total()

    @property
    def beyond_each(self) -> int:
        """Entries that are never yielded: enough of their family are better, or another family has them."""
        if self.each is None:
            return 0
        return sum(max(0, fits - self.each, self.repeated[family]) for family, fits in self.fits.items())

    def is_full(self, entry: Entry) -> bool:
        """Say whether as many as are wanted of an entry's family were yielded."""
        return self.each is not None and self.yielded[entry.structure.family.name] >= self.each

    def is_repeated(self, entry: Entry) -> bool:
        """Say whether an entry is a complete graph, and another family has such first; count it then."""
        family = entry.structure.family.name
        if self.each is None or self.known(entry).get("diameter") != 1:
            return False
        self.complete = self.complete or family
        self.repeated[family] += family != self.complete
        return family != self.complete

    def is_within(self, entry: Entry) -> bool:
        """Say whether a measured entry is within the windows."""
        known = self.known(entry)
        return all(window.holds(known[name]) for name, window in self.windows.items())

    def settle(self, entry: Entry, *, fits: bool) -> bool:
        """Count an entry as soon as it is known whether it fits."""
        self.fits[entry.structure.family.name] += fits - entry.decided
        self.undecided -= not entry.decided
        return fits

    def known(self, entry: Entry) -> dict[str, Number]:
        """Return the quantities of an entry, from its measurement if there is one."""
        structure = entry.structure
        return quantities(structure.claims, entry.p, structure.rule, self.measured.get(structure))

    def place(self, number: int) -> Key:
        """Return the first place that an entry can have: its key, whether that is certain, its number."""
        entry = self.listing.entries[number]
        known = self.known(entry)
        asked = [key.removeprefix("-") for key in self.sort] + list(self.windows)
        certain = all(name in known for name in asked if name in MEASURED)
        least, most = (known, known) if certain else bounded(entry.structure.claims, known)
        return sort_key(self.sort, least, most), certain, number
