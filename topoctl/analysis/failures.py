"""Which links and routers have failed, drawn or one by one, and what of a network is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.random_failures import Damage
from topoctl.errors import InvalidParameters
from topoctl.graph import Graph
from topoctl.topology import Topology

Link = tuple[int, int]
SHOWN, LISTED = 3, 5
"""Failures of a kind that a cell names, of more it tells the number; and that a line of its own names."""


@dataclass(frozen=True)
class Failures:
    """Links and routers that have failed, by the numbers of a network; a router takes its links with it.

    Attributes:
        links: pairs of routers, in either order.
        routers: numbers.

    Example:
        >>> print(Failures(links=((3, 0),), routers=(7,)))
        link 0-3 and router 7
    """

    links: tuple[Link, ...] = ()
    routers: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self._told(None)

    def told(self, topology: Topology) -> str:
        """Return the same by the names of the routers of a network, where they have names."""
        return self._told(topology.names.routers)

    def listed(self, topology: Topology) -> str:
        """Return the same, with the first of many names rather than their number."""
        found = []
        for kind, names in self._names(topology.names.routers).items():
            more = " …" if len(names) > LISTED else ""
            if names:
                found.append(f"{kind}{'' if len(names) == 1 else 's'} {', '.join(names[:LISTED])}{more}")
        return " and ".join(found)

    def _told(self, names: tuple[str, ...] | None) -> str:
        kinds = [_named(*one) for one in self._names(names).items()]
        return " and ".join(kind for kind in kinds if kind) or "nothing"

    def _names(self, names: tuple[str, ...] | None) -> dict[str, list[str]]:
        """Return the names of what has failed, by its kind."""
        pairs = [link_named(min(link), max(link), names) for link in self.links]
        return {"link": pairs, "router": [str(one) if names is None else names[one] for one in self.routers]}

    def left_of(self, topology: Topology) -> Left:
        """Return what is left of a network.

        Raises:
            InvalidParameters: the network has no such link or router.
        """
        graph = topology.graph
        for fault in faults_in(self, graph):
            raise InvalidParameters(fault)
        dead = np.zeros(graph.order, dtype=np.bool_)
        dead[list(self.routers)] = True
        tails = np.repeat(np.arange(graph.order, dtype=np.int64), graph.degrees)
        words = tails * graph.order + graph.neighbors
        failed = np.array(self.links, dtype=np.int64).reshape(-1, 2)
        gone = np.concatenate([failed @ (graph.order, 1), failed[:, ::-1] @ (graph.order, 1)])
        alive = ~(dead[tails] | dead[graph.neighbors] | np.isin(words, gone))
        return Left(topology, alive, dead, _parts_of(graph, tails, alive))


def link_named(tail: int, head: int, names: Sequence[str] | None) -> str:
    """Return what a link is called: by the names of its routers, which may have hyphens, or by their numbers.

    Example:
        >>> link_named(0, 3, None), link_named(0, 1, ["leaf-0", "leaf-1"])
        ('0-3', 'leaf-0 – leaf-1')
    """
    return f"{tail}-{head}" if names is None else f"{names[tail]} – {names[head]}"


def _named(kind: str, names: list[str]) -> str:
    """Name failures of a kind, or tell how many they are."""
    if not names:
        return ""
    if len(names) == 1:
        return f"{kind} {names[0]}"
    return f"{kind}s {', '.join(names)}" if len(names) <= SHOWN else f"{len(names)} {kind}s"


def faults_in(failures: Failures, graph: Graph) -> list[str]:
    """Return what a network lacks of what is said to have failed, the first of it in a line."""
    for router in (*failures.routers, *(router for link in failures.links for router in link)):
        if not 0 <= router < graph.order:
            return [f"router {router} has failed: expected 0..{graph.order - 1}"]
    for tail, head in failures.links:
        if head not in graph.neighbors_of(tail):
            return [f"link {tail}-{head} has failed: expected routers with a link between them"]
    return []


def _parts_of(graph: Graph, tails: NDArray[np.int64], alive: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Number the parts into which a network falls over its live arcs: int32, shape (order,)."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    ends = (tails[alive], graph.neighbors[alive])
    links = csr_array((np.ones(len(ends[0]), dtype=np.int8), ends), shape=(graph.order, graph.order))
    labels: NDArray[np.int32] = connected_components(links, directed=False)[1]
    return labels.astype(np.int32)


@dataclass(frozen=True, eq=False)
class Left:
    """What failures leave of a network, by the numbers of the whole one.

    Attributes:
        topology: the whole network.
        alive: whether an arc still leads on: bool, shape (arcs,).
        dead: whether a router has failed: bool, shape (order,).
        parts: the part that a router is in, within which all reach each other: int32, shape (order,). Failed
            routers are parts of their own.
    """

    topology: Topology
    alive: NDArray[np.bool_]
    dead: NDArray[np.bool_]
    parts: NDArray[np.int32]

    @property
    def cut_off(self) -> int:
        """Routers that work, and do not reach the largest part."""
        sizes = np.bincount(self.parts[~self.dead], minlength=1)
        return int(sizes.sum() - sizes.max())

    def network(self) -> Topology:
        """Return it as a network of its own, of the routers that work, numbered anew in their order.

        Raises:
            InvalidParameters: no router is left.
        """
        routers = np.flatnonzero(~self.dead)
        if not len(routers):
            raise InvalidParameters("all routers have failed: expected one that is left")
        return self.part(routers)

    def part(self, routers: NDArray[np.integer]) -> Topology:
        """Return some routers, ascending, with the links left between them, as a network of its own."""
        graph, numbers = self.topology.graph, np.full(len(self.dead), -1, dtype=np.int32)
        numbers[routers] = np.arange(len(routers), dtype=np.int32)
        tails = np.repeat(np.arange(graph.order, dtype=np.int32), graph.degrees)
        once = self.alive & (tails < graph.neighbors)
        links = numbers[np.stack([tails[once], graph.neighbors[once]], axis=1)]
        kept = Graph.from_links(len(routers), links[(links >= 0).all(axis=1)])
        return Topology("graph", {}, kept, self.topology.endpoints_per_router[routers])


def drawn_failures(graph: Graph, links: int, routers: int, seed: int) -> Failures:
    """Draw links and routers that fail: those that fail first in the first trial of resilience by the seed.

    Raises:
        InvalidParameters: more than there are.

    Example:
        >>> square = Graph.from_links(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
        >>> len(drawn_failures(square, 2, 1, seed=1).links)
        2
    """
    for what, wanted, there in (("links", links, graph.size), ("routers", routers, graph.order)):
        if wanted > there:
            raise InvalidParameters(f"--fail {what}={wanted}: expected at most the {there} of the network")
    failed = Damage.drawn(graph, "links", seed, 0).sequence[:links]
    dead = Damage.drawn(graph, "routers", seed, 0).sequence[:routers]
    pairs = graph.links()[np.sort(failed)].tolist()
    return Failures(tuple((tail, head) for tail, head in pairs), tuple(np.sort(dead).tolist()))


def single_failures(topology: Topology, kind: str, orbits: bool) -> list[tuple[Failures, int]]:
    """Return every single failure of a kind, and for how many alike each stands.

    Args:
        topology: the network.
        kind: ``link`` or ``router``.
        orbits: whether what the declared symmetry maps onto each other is alike; else each stands for itself.
    """
    symmetry = topology.symmetry if orbits else None
    if kind == "router":
        routers = np.arange(topology.graph.order), np.ones(topology.graph.order, dtype=np.int64)
        first, sizes = symmetry.orbits() if symmetry else routers
        return [
            (Failures(routers=(router,)), size)
            for router, size in zip(first.tolist(), sizes.tolist(), strict=True)
        ]
    links = topology.graph.links()
    labels = _link_orbits(topology) if symmetry else np.arange(len(links))
    _, places, counts = np.unique(labels, return_index=True, return_counts=True)
    by_place = np.argsort(places)
    return [
        (Failures(links=((tail, head),)), size)
        for (tail, head), size in zip(
            links[places[by_place]].tolist(), counts[by_place].tolist(), strict=True
        )
    ]


def _link_orbits(topology: Topology) -> NDArray[np.int64]:
    """Return the orbit of every link, in whichever direction it is mapped: int64, shape (size,)."""
    graph, symmetry = topology.graph, topology.symmetry
    assert symmetry is not None
    orbits = symmetry.arc_orbits(graph)
    forward = np.repeat(np.arange(graph.order), graph.degrees) < graph.neighbors
    back = np.argsort(graph.neighbors, kind="stable")  # the opposite of every arc
    return _together(orbits[forward], orbits[back][forward], int(orbits.max(initial=0)) + 1)


def _together(first: NDArray[np.int32], second: NDArray[np.int32], count: int) -> NDArray[np.int64]:
    """Join the labels of both directions: the smaller one, where they are not the same already."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    pairs = coo_array((np.ones(len(first), dtype=np.int8), (first, second)), shape=(count, count))
    joined: NDArray[np.int64] = connected_components(pairs, directed=False)[1][first].astype(np.int64)
    return joined
