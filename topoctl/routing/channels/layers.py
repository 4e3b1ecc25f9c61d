"""Layers: routes of single paths, each in one virtual channel from its first hop to its last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.memory import require_memory
from topoctl.routing.channels.certificate import Certificate, Channels
from topoctl.routing.channels.hops import DestinationHops, destination_hops
from topoctl.routing.routes import Routes, everyone

Steps = tuple[list[int], list[int]]
Step = tuple[int, int]
"""An arc, and the place that it leaves."""
MAX_LAYERS = 2**31
PAIR_BYTES = 80
"""Memory of one step of the path of a pair."""
SINGLE = "layers are for single paths, expected another scheme"


def destination_layers(routes: Routes) -> Channels:
    """Put all paths to a destination into the first layer that holds them all, in the order of the routers.

    So the layer follows from the destination. A network of 700 routers takes some seconds; the work
    grows with all dependencies times the work of keeping a layer in order.

    Raises:
        InvalidParameters: paths are not single.
    """
    arcs = len(routes.topology.graph.neighbors)
    layers = [Layer(arcs)]
    table = np.zeros(routes.topology.graph.order, dtype=np.int32)
    for hops in _single_path_hops(routes):
        before, after = (hops.arcs[side].tolist() for side in hops.followers())
        table[hops.destination] = _first_fit(layers, list(zip(before, after, strict=True)), arcs)
    return _certify_layers("destination-layers", table, layers)


def pair_layers(routes: Routes, most: int = MAX_LAYERS) -> Channels:
    """Put every path into the first layer that holds it, by source and then destination.

    LASH: Skeie, Lysne and Theiss, IPDPS 2002. A network of 250 routers takes half a minute, since the
    work grows with all pairs of routers.

    Args:
        routes: of a connected network.
        most: layers.

    Raises:
        InvalidParameters: paths are not single, or need more layers.
    """
    order, arcs = routes.topology.graph.order, len(routes.topology.graph.neighbors)
    require_memory(PAIR_BYTES * routes.phases * order**2, "the paths of all pairs")
    layers = [Layer(arcs)]
    table = np.zeros((order, order), dtype=np.int32)
    ways = [(hops.destination, hops.sources, _next_steps(hops, routes)) for hops in _single_path_hops(routes)]
    for source in range(order):
        for destination, sources, steps in ways:
            if sources[source]:
                path = list(pairwise(_arcs_from(source, steps)))
                table[source, destination] = _first_fit(layers, path, arcs, most)
    return _certify_layers("pair-layers", table, layers)


class DestinationLayers:
    """Layers of destinations, to which paths are added one by one, as long as they close no circle.

    Args:
        table: the layer of every router: int32, shape (order,).
        layers: with all dependencies of the paths that stay.
    """

    def __init__(self, scheme: str, table: NDArray[np.int32], layers: list[Layer]) -> None:
        self._scheme, self._table, self._layers = scheme, table, layers
        self._added: list[tuple[Layer, list[Dependency]]] = []

    @classmethod
    def of(cls, certificate: Certificate, kept: Routes) -> DestinationLayers | None:
        """Return the layers of what a failure leaves of routes; None for other schemes.

        Args:
            certificate: of the whole network.
            kept: its routes without what has failed.
        """
        layered = certificate.scheme == "destination-layers"
        if not layered and (certificate.scheme not in ("one", "own") or certificate.count > 1):
            return None
        order, arcs = kept.topology.graph.order, len(kept.topology.graph.neighbors)
        table = certificate.table if layered else np.zeros(order, dtype=np.int32)
        wanted: list[list[NDArray[np.int64]]] = [
            [np.zeros(0, dtype=np.int64)] for _ in range(certificate.count)
        ]
        for hops in destination_hops(kept, everyone(kept)):
            before, after = (hops.arcs[side] for side in hops.followers())
            wanted[table[hops.destination]].append(before * arcs + after)
        layers = []
        for numbers, words in zip(certificate.numbers, wanted, strict=True):
            held, waited = np.divmod(np.unique(np.concatenate(words)), arcs)
            layer = Layer(arcs, np.argsort(numbers, kind="stable"))
            layer.admit(zip(held.tolist(), waited.tolist(), strict=True))
            layers.append(layer)
        return cls(certificate.scheme, certificate.table, layers) if layered else cls("one", table, layers)

    def refused(self, destination: int, steps: list[tuple[Step, list[Dependency]]]) -> Step | None:
        """Add what packets wait for by new steps to a destination, or return a step that closes a circle."""
        layer = self._layers[self._table[destination]]
        new = layer.new_of(dependency for _, wanted in steps for dependency in wanted)
        if layer.admit(new):
            self._added.append((layer, new))
            return None
        taken: list[Dependency] = []
        closing = None
        for step, wanted in steps:
            here = layer.new_of(wanted)
            if not layer.admit(here):
                closing = step
                break
            taken += here
        layer.drop(taken)
        return closing

    def begin_again(self) -> None:
        """Take back all that was added."""
        while self._added:
            layer, taken = self._added.pop()
            layer.drop(taken)

    def certificate(self) -> Certificate:
        """Return the proof for all paths that stay and that have been added."""
        table = self._table if self._scheme == "destination-layers" else np.zeros(0, dtype=np.int32)
        return Certificate(self._scheme, table, np.stack([layer.numbers() for layer in self._layers]))


def _single_path_hops(routes: Routes) -> Iterator[DestinationHops]:
    """Yield the hops to all routers, at most one hop from every place."""
    if routes.through is not None:
        raise InvalidParameters(f"packets go over intermediate routers: {SINGLE}")
    for hops in destination_hops(routes, everyone(routes)):
        if len(np.unique(hops.starts)) < len(hops.starts):
            raise InvalidParameters(f"packets have several ways to router {hops.destination}: {SINGLE}")
        yield hops


def _next_steps(hops: DestinationHops, routes: Routes) -> Steps:
    """Return the arc that packets take from every place and the next place; arc -1 where they stop."""
    steps = np.full((2, routes.phases * routes.topology.graph.order), -1)
    steps[:, hops.starts] = hops.arcs, hops.ends
    arcs, places = steps.tolist()
    return arcs, places


def _arcs_from(source: int, steps: Steps) -> Iterator[int]:
    """Yield the arcs of the path from a router."""
    arcs, places = steps
    place = source
    while arcs[place] >= 0:
        yield arcs[place]
        place = places[place]


def _first_fit(layers: list[Layer], wanted: list[Dependency], arcs: int, most: int = MAX_LAYERS) -> int:
    """Return the number of the first layer that admits all dependencies, or of a new layer."""
    for number, layer in enumerate(layers):
        if layer.admit(wanted):
            return number
    if len(layers) == most:
        raise InvalidParameters(f"{most} layers: expected more, which the paths need")
    layers.append(Layer(arcs))
    layers[-1].admit(wanted)
    return len(layers) - 1


def _certify_layers(scheme: str, table: NDArray[np.int32], layers: list[Layer]) -> Channels:
    """Number the channels by the orders of their layers."""
    numbers = np.stack([layer.numbers() for layer in layers])
    return Channels(scheme, len(layers), Certificate(scheme, table, numbers))


Dependency = tuple[int, int]


class Layer:
    """Dependencies between the arcs of one virtual channel, and an order of these that rises at all of them.

    The order is mended where a dependency falls in it, between the places of its two arcs only: Pearce and
    Kelly, A dynamic topological sort algorithm for directed acyclic graphs, ACM JEA 11, 2007.

    Example:
        >>> layer = Layer(3)
        >>> layer.admit([(2, 1), (1, 0)]), layer.admit([(0, 2)])
        (True, False)
        >>> layer.numbers().tolist()
        [2, 1, 0]
    """

    def __init__(self, arcs: int, in_order: NDArray[np.int64] | None = None) -> None:
        self._after: list[list[int]] = [[] for _ in range(arcs)]
        self._before: list[list[int]] = [[] for _ in range(arcs)]
        places = np.arange(arcs)
        if in_order is not None:
            places[in_order] = np.arange(arcs)
        self._place: list[int] = places.tolist()
        self._known: set[Dependency] = set()
        self._refused: set[Dependency] = set()

    def admit(self, wanted: Iterable[Dependency]) -> bool:
        """Add all dependencies if they close no cycle; else add none."""
        new = [dependency for dependency in wanted if dependency not in self._known]
        if not self._refused.isdisjoint(new):
            return False
        for taken, (held, waited) in enumerate(new):
            if self._place[held] > self._place[waited] and not self._mend(held, waited):
                self._refused.update(new if len(new) == 1 else ())  # it will never fit what has been taken
                for dependency in new[:taken]:
                    self._drop(dependency)
                return False
            self._after[held].append(waited)
            self._before[waited].append(held)
            self._known.add((held, waited))
        return True

    def drop(self, dependencies: Iterable[Dependency]) -> None:
        """Take back dependencies that it holds; the order stays one that rises."""
        for dependency in dependencies:
            self._drop(dependency)
        self._refused.clear()

    def new_of(self, wanted: Iterable[Dependency]) -> list[Dependency]:
        """Return those that it does not hold, each once."""
        return [dependency for dependency in dict.fromkeys(wanted) if dependency not in self._known]

    def numbers(self) -> NDArray[np.int32]:
        """The place of every arc in the order: int32, shape (arcs,)."""
        return np.array(self._place, dtype=np.int32)

    def _drop(self, dependency: Dependency) -> None:
        held, waited = dependency
        self._after[held].remove(waited)
        self._before[waited].remove(held)
        self._known.remove(dependency)

    def _mend(self, held: int, waited: int) -> bool:
        """Move all arcs before `held` ahead of all arcs after `waited`; False where that would be a cycle."""
        low, high = self._place[waited], self._place[held]
        later = self._between(waited, self._after, low, high)
        if held in later:
            return False
        earlier = self._between(held, self._before, low, high)
        arcs = sorted(earlier, key=self._place.__getitem__) + sorted(later, key=self._place.__getitem__)
        places = sorted(self._place[arc] for arc in arcs)
        for arc, place in zip(arcs, places, strict=True):
            self._place[arc] = place
        return True

    def _between(self, start: int, steps: list[list[int]], low: int, high: int) -> set[int]:
        """Return the arcs that steps from an arc reach over places between two."""
        found, here = {start}, [start]
        while here:
            for arc in steps[here.pop()]:
                if arc not in found and low <= self._place[arc] <= high:
                    found.add(arc)
                    here.append(arc)
        return found
