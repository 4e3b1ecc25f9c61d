"""A topology: a router graph, the endpoints on it, and what is known of its symmetry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.cable_limit import LengthLimit
from topoctl.errors import InvalidParameters, TopoctlError, quoted
from topoctl.graph import Graph
from topoctl.layout import Layout

Value = int | float | str | bool | tuple[int, ...] | tuple[tuple[int, ...], ...] | None
MAX_ENDPOINTS, MAX_LISTED = 2**31 - 1, 10**7
"""Endpoints of a router; endpoints of a network, where each is looked at by itself."""


@dataclass(frozen=True, eq=False)
class Symmetry:
    """Automorphisms that a family declares; the orbits follow from them.

    Attributes:
        generators: permutations of the routers, each int32, shape (order,):
            router v goes to ``generator[v]``. Declared, therefore checkable: :meth:`holds_for`.

    Example:
        >>> ring = Graph.from_links(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
        >>> turn = Symmetry((np.array([1, 2, 3, 0], dtype=np.int32),))
        >>> turn.holds_for(ring)
        True
        >>> [array.tolist() for array in turn.orbits()]
        [[0], [4]]
    """

    generators: tuple[NDArray[np.int32], ...]

    def holds_for(self, graph: Graph) -> bool:
        """Check on every row of links, in O(size log degree), that every generator maps links onto links."""
        degrees, places = graph.degrees, np.arange(graph.order)
        alike = [np.flatnonzero(degrees == degree) for degree in np.unique(degrees)]
        for generator in self.generators:
            if not np.array_equal(np.sort(generator), places):
                return False
            if not np.array_equal(degrees[generator], degrees):
                return False
            for routers in alike:
                images = generator[_rows_of(graph, routers)]
                images.sort(axis=1)
                if not np.array_equal(images, _rows_of(graph, generator[routers])):
                    return False
        return True

    def orbits(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The smallest router of every orbit, int32, and the orbit's size, int64; both of shape (orbits,)."""
        sizes = np.bincount(_smallest_of_orbits(self.generators))
        representatives = np.flatnonzero(sizes)
        return representatives.astype(np.int32), sizes[representatives].astype(np.int64)

    def arc_orbits(self, graph: Graph) -> NDArray[np.int32]:
        """Return the orbit of every arc, a link in one direction: int32, shape (2 * size,), numbers 0, 1, ...

        Args:
            graph: its arcs are in the order of ``graph.neighbors``. That the automorphisms are its own is not
                checked.

        Example:
            >>> ring = Graph.from_links(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
            >>> turn = Symmetry((np.array([1, 2, 3, 0], dtype=np.int32),))
            >>> turn.arc_orbits(ring).tolist()  # from router 0 to 1 and to 3, from 1 to 0, ...
            [0, 1, 1, 0, 1, 0, 0, 1]
        """
        smallest = _smallest_of_orbits([_images_of_arcs(graph, generator) for generator in self.generators])
        numbers = np.cumsum(smallest == np.arange(len(smallest)), dtype=np.int32) - 1
        orbits: NDArray[np.int32] = numbers[smallest]
        return orbits


def _smallest_of_orbits(permutations: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
    """The smallest thing of every thing's orbit under permutations: int32, of their shape."""
    # Labels fall to the smallest of the orbit: hook the label of everything to the label of its image and
    # back, then jump to the label's label, as parallel algorithms for components do.
    labels = np.arange(len(permutations[0]), dtype=np.int32)
    while not all(np.array_equal(labels, labels[permutation]) for permutation in permutations):
        for permutation in permutations:
            here, there = labels, labels[permutation]
            labels = labels.copy()
            np.minimum.at(labels, here, there)
            np.minimum.at(labels, there, here)
            labels = labels[labels]
    return labels


def _images_of_arcs(graph: Graph, generator: NDArray[np.int32]) -> NDArray[np.int32]:
    """Where every arc goes by an automorphism: int32, shape (2 * size,), places in ``graph.neighbors``."""
    images = np.empty(len(graph.neighbors), dtype=np.int32)
    for degree in np.unique(graph.degrees):
        routers, places = np.flatnonzero(graph.degrees == degree)[:, None], np.arange(degree)
        # The n-th smallest image of a router's neighbours is the n-th neighbour of the router's image.
        rising = np.argsort(generator[graph.neighbors[graph.offsets[routers] + places]], axis=1)
        images[graph.offsets[routers] + rising] = graph.offsets[generator[routers]] + places
    return images


def _rows_of(graph: Graph, routers: NDArray[np.integer]) -> NDArray[np.int32]:
    """The neighbours of routers that all have the same degree, ascending: int32, shape (routers, degree)."""
    degree = int(graph.degrees[routers[0]])
    rows: NDArray[np.int32] = graph.neighbors[graph.offsets[routers][:, None] + np.arange(degree)]
    return rows


@dataclass(frozen=True)
class Names:
    """What users call the parts of a network; None where they leave that to whoever writes it.

    Attributes:
        routers, endpoints: by number, from 0; no two alike.
        ports: of every router, from port 1 on; those to other routers come first.
        endpoint_ports: of every endpoint, likewise.
        types: what else is called how, such as the ``site``, by the keys of the names of the user.
    """

    routers: tuple[str, ...] | None = None
    endpoints: tuple[str, ...] | None = None
    ports: tuple[str, ...] | None = None
    endpoint_ports: tuple[str, ...] | None = None
    types: Mapping[str, str] = field(default_factory=dict)


NUMBERS = Names()
"""Of a network whose parts have numbers alone."""


@dataclass(frozen=True, eq=False, repr=False)
class Topology:
    """A network: its routers and links, its endpoints, its name.

    Attributes:
        family: registry name of the family, or ``graph`` for a graph of no declared family.
        parameters: the family's parameters by name.
        graph: the router graph.
        endpoints_per_router: int32, shape (order,); some families have routers without endpoints.
        spec: the spec string that builds this topology again, where one exists.
        symmetry: automorphisms that the family declares, where it declares any.
        layout: where the routers stand, where that is known.
        length_limit: the longest link that the layout's builder allowed, where one was set.
        names: what its user calls its parts, as far as they have names.
        grown_from: the networks that stood before it grew, the first one first; each has the routers of those
            before, which stay where they stand.
    """

    family: str
    parameters: Mapping[str, Value]
    graph: Graph
    endpoints_per_router: NDArray[np.int32]
    spec: str | None = None
    symmetry: Symmetry | None = None
    layout: Layout | None = None
    length_limit: LengthLimit | None = None
    names: Names = NUMBERS
    grown_from: tuple[Topology, ...] = ()

    def __repr__(self) -> str:
        name, graph = self.spec or self.family, self.graph
        return f"<{name}: {graph.order} routers, {graph.size} links, {self.endpoints} endpoints>"

    def __post_init__(self) -> None:
        if self.layout is not None and self.layout.order != self.graph.order:
            raise InvalidParameters(
                f"{self.layout} has {self.layout.order} routers: expected the graph's {self.graph.order}"
            )
        if self.endpoints_per_router.shape != (self.graph.order,):
            raise InvalidParameters(
                f"endpoints_per_router has shape {self.endpoints_per_router.shape}: "
                f"expected ({self.graph.order},)"
            )
        if (self.endpoints_per_router < 0).any():
            raise InvalidParameters("endpoints_per_router holds a negative count: expected 0 or more")

    @property
    def concentration(self) -> int:
        """Endpoints per router, p, of the router that has most."""
        return int(self.endpoints_per_router.max())

    @property
    def endpoints(self) -> int:
        """Endpoints in the whole network."""
        return int(self.endpoints_per_router.sum(dtype=np.int64))

    @property
    def router_radix(self) -> int:
        """Ports of the largest router, k, for links and endpoints together."""
        return int((self.graph.degrees + self.endpoints_per_router).max())

    @property
    def edges(self) -> NDArray[np.int32]:
        """int32, shape (size, 2): every link once, smaller router first."""
        return self.graph.links()

    @cached_property
    def arc_orbits(self) -> NDArray[np.int32]:
        """The orbit of every arc under the declared symmetry (:meth:`Symmetry.arc_orbits`)."""
        assert self.symmetry is not None
        return self.symmetry.arc_orbits(self.graph)

    def to_networkx(self) -> Any:
        """The network as a :class:`networkx.Graph`, for which networkx has to be installed.

        Routers are 0, 1, …, each with its ``endpoints``, and its ``pos`` where a layout says where it stands.

        Raises:
            TopoctlError: networkx is not installed.
        """
        try:
            import networkx
        except ImportError:
            raise TopoctlError("to_networkx needs networkx: pip install networkx") from None
        graph = networkx.Graph(name=self.spec or self.family)
        graph.add_nodes_from(range(self.graph.order))
        graph.add_edges_from(self.edges.tolist())
        endpoints = self.endpoints_per_router.tolist()
        networkx.set_node_attributes(graph, dict(enumerate(endpoints)), "endpoints")
        if self.layout is not None:
            places = map(tuple, self.layout.positions.tolist())
            networkx.set_node_attributes(graph, dict(enumerate(places)), "pos")
        return graph

    @classmethod
    def from_networkx(cls, graph: Any) -> Topology:
        """A network from a :class:`networkx.Graph`: routers in the order of its nodes.

        Nodes may have a number of ``endpoints``; all else that the graph holds is left out.

        Raises:
            InvalidParameters: directed, with parallel links or self-loops, or without any node.
        """
        try:
            nodes, links = dict(graph.nodes(data=True)), list(graph.edges())
            directed, parallel = graph.is_directed(), graph.is_multigraph()
        except (AttributeError, TypeError):
            raise InvalidParameters(f"{quoted(repr(graph))[1:-1]}: expected a networkx.Graph") from None
        if directed or parallel:
            kind = "directed" if directed else "with parallel links"
            raise InvalidParameters(f"a graph {kind}: expected a networkx.Graph of undirected, single links")
        numbers = {node: number for number, node in enumerate(nodes)}
        pairs = np.array([(numbers[tail], numbers[head]) for tail, head in links], dtype=np.int64)
        found = Graph.from_links(len(nodes), pairs.reshape(-1, 2))
        counts = [data.get("endpoints", 0) for data in nodes.values()]
        for node, count in zip(nodes, counts, strict=True):
            if type(count) is not int or not 0 <= count < 2**31:
                raise InvalidParameters(
                    f"node {quoted(repr(node))[1:-1]}: endpoints {count!r}: expected 0 or more"
                )
        return cls("graph", {}, found, np.array(counts, dtype=np.int32))

    def to_scipy(self) -> Any:
        """The adjacency matrix: a :class:`scipy.sparse.csr_array` of int8 ones, shape (order, order)."""
        from scipy.sparse import csr_array

        graph = self.graph
        ones = np.ones(len(graph.neighbors), dtype=np.int8)
        return csr_array((ones, graph.neighbors, graph.offsets), shape=(graph.order, graph.order))


def uniform_endpoints(order: int, concentration: int) -> NDArray[np.int32]:
    """Return the same number of endpoints for every router: int32, shape (order,)."""
    if not 0 <= concentration <= MAX_ENDPOINTS:
        raise InvalidParameters(
            f"concentration {concentration}: expected 0..{MAX_ENDPOINTS} endpoints per router"
        )
    endpoints = np.full(order, concentration, dtype=np.int32)
    endpoints.setflags(write=False)
    return endpoints


def routers_of_endpoints(endpoints_per_router: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return the router of every endpoint, numbered router by router: int64, shape (endpoints,).

    Raises:
        InvalidParameters: endpoints that are too many to look at one by one.

    Example:
        >>> routers_of_endpoints(np.array([2, 0, 1])).tolist()
        [0, 0, 2]
    """
    require_listable(int(endpoints_per_router.sum(dtype=np.int64)))
    return np.repeat(np.arange(len(endpoints_per_router)), endpoints_per_router)


def require_listable(endpoints: int) -> None:
    """Refuse so many endpoints where each is to be looked at by itself.

    Raises:
        InvalidParameters: they are too many.
    """
    if endpoints > MAX_LISTED:
        raise InvalidParameters(f"{endpoints} endpoints, one by one: expected at most {MAX_LISTED}")
