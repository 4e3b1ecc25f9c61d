"""Paths that share no router, and paths round faulty ones, in any network."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import numpy as np

from topoctl.errors import Infeasible, InvalidParameters
from topoctl.graph import Graph
from topoctl.kernels.validation import check_whole
from topoctl.routing.arcs import arc_tails
from topoctl.topology import Topology

Path = tuple[int, ...]
"""Routers, from the first to the last."""


def disjoint_paths(
    topology: Topology,
    sources: int | Iterable[int],
    targets: int | Iterable[int],
    faulty: int | Iterable[int] = (),
) -> list[Path]:
    """Find the most paths from some routers to others that share no router, by a maximum flow (Menger).

    A single source or target is an end of all paths; several are the ends of one each.

    Args:
        topology: any network.
        sources: a router, or several.
        targets: a router, or several.
        faulty: routers that no path may use.

    Returns:
        The paths, short ones first; their number is the largest, their lengths need not be the least.

    Raises:
        InvalidParameters: a router that the network does not have, or that is faulty or named twice.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> found = disjoint_paths(topology_from_spec("tct(n=2,k=3)"), 0, 7)
        >>> len(found), {path[-1] for path in found}
        (3, {7})
    """
    from scipy.sparse.csgraph import maximum_flow

    graph, avoided = topology.graph, _checked(topology.graph, faulty, "faulty router")
    starts, ends = _checked(graph, sources, "source"), _checked(graph, targets, "target")
    for name, routers in (("source", starts), ("target", ends)):
        if not routers or avoided & routers:
            raise InvalidParameters(f"{name}s {[*routers]}: expected one at least, and none that is faulty")
    if len(starts) == 1 and starts == ends:
        raise InvalidParameters(f"router {min(starts)} is source and target: expected two routers")
    order, single = graph.order, {min(routers) for routers in (starts, ends) if len(routers) == 1}
    first = min(starts) + order if len(starts) == 1 else 2 * order
    last = min(ends) if len(ends) == 1 else 2 * order + 1
    flow = maximum_flow(_split_routers(graph, avoided | single, starts, ends), first, last).flow.tocoo()
    onward: dict[int, list[int]] = {}
    for tail, head in zip(flow.row[flow.data > 0].tolist(), flow.col[flow.data > 0].tolist(), strict=True):
        onward.setdefault(tail, []).append(head)
    paths = []
    for entry in onward.get(first, []):
        halves = [first, entry]
        while halves[-1] != last:
            halves.append(onward[halves[-1]][0])
        paths.append(tuple(dict.fromkeys(half % order for half in halves if half < 2 * order)))
    return sorted(paths, key=lambda path: (len(path), path))


def _checked(graph: Graph, routers: int | Iterable[int], name: str) -> set[int]:
    """One router, or several, as a set: each one that the graph has, and that is named once."""
    found: set[int] = set()
    for router in routers if isinstance(routers, Iterable) else [routers]:
        check_whole(**{name.replace(" ", "_"): router})
        if not 0 <= router < graph.order:
            raise InvalidParameters(f"{name} {router}: expected 0..{graph.order - 1}")
        if router in found:
            raise InvalidParameters(f"{name} {router} is named twice: expected different routers")
        found.add(int(router))
    return found


def _split_routers(
    graph: Graph, closed: Iterable[int] = (), starts: Iterable[int] = (), ends: Iterable[int] = ()
) -> Any:
    """Capacities under which flows share no router: a scipy.sparse.csr_array of int32.

    Router v is entered at v and left at v + order, with one unit from one to the other, none where it is
    closed. A node before all starts has the number 2 order, one behind all ends the next.
    """
    from scipy.sparse import coo_array

    order = graph.order
    kept = np.setdiff1d(np.arange(order), list(closed))
    before, behind = np.array(sorted(starts), dtype=np.int64), np.array(sorted(ends), dtype=np.int64)
    tails = [kept, arc_tails(graph) + order, np.full(len(before), 2 * order), behind + order]
    heads = [kept + order, graph.neighbors, before, np.full(len(behind), 2 * order + 1)]
    places = np.concatenate(tails), np.concatenate(heads)
    ones = np.ones(len(places[0]), dtype=np.int32)
    return coo_array((ones, places), shape=(2 * order + 2, 2 * order + 2)).tocsr()


def fault_free_path(topology: Topology, source: int, target: int, faulty: int | Iterable[int]) -> Path:
    """Find a shortest path between two routers that avoids the faulty ones.

    There always is one where fewer routers are faulty than the network's connectivity. Bossard 2023, 3.3,
    looks for one in the torus of toroids alone, and has none where a fault is in the toroid of an end.

    Raises:
        InvalidParameters: a router that the network does not have, or an end that is faulty.
        Infeasible: all paths use faulty routers.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> fault_free_path(topology_from_spec("tct(n=2,k=3)"), 0, 7, [2, 11])
        (0, 1, 3, 6, 7)
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    graph, avoided = topology.graph, _checked(topology.graph, faulty, "faulty router")
    for end in _checked(graph, [source, target], "end") & avoided:
        raise InvalidParameters(f"router {end} is an end of the path: expected no faulty one")
    kept = ~np.isin(graph.neighbors, sorted(avoided))
    places = arc_tails(graph)[kept], graph.neighbors[kept]
    links = csr_array((np.ones(kept.sum()), places), shape=(graph.order, graph.order))
    _, before = breadth_first_order(links, source)
    path = [target]
    while path[-1] != source:
        if before[path[-1]] < 0:
            faults = ", ".join(map(str, sorted(avoided)))
            raise Infeasible(f"all paths from router {source} to {target} use faulty ones, of {faults}")
        path.append(int(before[path[-1]]))
    return tuple(reversed(path))


def vertex_connectivity(topology: Topology) -> int:
    """Count the fewest routers without which a network falls apart, exactly; one less may always fail.

    Where the fewest leave out some router, a flow from it to one of the others finds them. Else it has
    neighbours on both sides, between which a flow does (Esfahanian and Hakimi, Networks 14 (1984)). A router
    is left out for certain where symmetry has as many images of it as the least degree.

    Args:
        topology: the symmetry that it declares holds.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> vertex_connectivity(topology_from_spec("tct(n=3,k=3)"))
        4
    """
    from scipy.sparse.csgraph import maximum_flow

    graph = topology.graph
    fewest, root, inside = int(graph.degrees.min()), int(graph.degrees.argmin()), True
    if topology.symmetry is not None:
        routers, images = topology.symmetry.orbits()
        if images.max() >= fewest:
            root, inside = int(routers[images.argmax()]), False
    around = graph.neighbors_of(root).tolist()
    pairs = [(root, other) for other in range(graph.order) if other not in {root, *around}]
    if inside:
        pairs += [(a, b) for a, b in combinations(around, 2) if b not in graph.neighbors_of(a)]
    capacities = _split_routers(graph)
    return min([fewest, *(int(maximum_flow(capacities, a + graph.order, b).flow_value) for a, b in pairs)])
