"""Lower bounds on the cut of every halving of a network, each with its proof."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil

import numpy as np

from topoctl.analysis.algebraic_connectivity import algebraic_connectivity_at_least
from topoctl.analysis.distances import Disconnected
from topoctl.analysis.loads import measure_loads
from topoctl.graph import Graph
from topoctl.topology import Topology, uniform_endpoints

MAX_VISITS = 10**9
"""Sources times links, both ways, for which loads are measured: some seconds."""
ROUNDING = 1 - 2.0**-30
"""What a load may be off by: sums of positive shares, each of far fewer than 2^20 operations on doubles."""


def lower_bound(topology: Topology, threads: int | None = None) -> tuple[int, str]:
    """Bound the links that every halving into floor(N/2) and ceil(N/2) routers cuts, and name the proof.

    Args:
        topology: of two routers or more.
        threads: for the loads; by default every core.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> lower_bound(topology_from_spec("slimfly(q=5)")), lower_bound(topology_from_spec("tct(n=2,k=4)"))
        ((63, 'second eigenvalue'), (8, 'loads of shortest paths'))
    """
    graph = topology.graph
    if len(graph.component_sizes()) > 1:
        return 0, "not connected"
    form, proof = closed_form(topology)
    bounds = [(1, "connected"), (_bound_by_eigenvalue(graph), "second eigenvalue")]
    bounds.append((_bound_by_loads(topology, threads), "loads of shortest paths"))
    if form is not None and proof:
        bounds.append((ceil(form), proof))
    least, proof = max(bounds, key=lambda bound: bound[0])
    return _round_up_to_parity(graph, least), proof


def _round_up_to_parity(graph: Graph, links: int) -> int:
    """Round up to a possible cut: the links at the routers of a half less twice the links inside it.

    Example:
        >>> _round_up_to_parity(Graph.from_links(4, [(0, 1), (1, 2), (2, 3), (3, 0)]), 1)
        2
    """
    parities = graph.degrees % 2
    if parities.min() != parities.max():
        return links
    return links + (links - int(parities[0]) * (graph.order // 2)) % 2


def _bound_by_eigenvalue(graph: Graph) -> int:
    """Halves of a and b routers are joined by a b/N links for each unit of the Laplacian's second eigenvalue.

    Fiedler, Czechoslovak Mathematical Journal 23 (1973); Mohar, "The Laplacian spectrum of graphs" (1991).
    """
    small = graph.order // 2
    pairs = Fraction(small * (graph.order - small), graph.order)
    return ceil(Fraction(algebraic_connectivity_at_least(graph)) * pairs)


def _bound_by_loads(topology: Topology, threads: int | None) -> int:
    """Bound the cut by traffic: all that the halves exchange crosses it, over links that carry limited loads.

    Where each of N routers sends 1/(N - 1) to every other, halves of a and b routers exchange 2ab/(N - 1);
    over shortest paths, which is one way to send it, a link carries what is measured. Leighton and Rao,
    Journal of the ACM 46 (1999), have the same from any flow.
    """
    graph, symmetry = topology.graph, topology.symmetry
    sources = graph.order if symmetry is None else len(symmetry.orbits()[0])
    if sources * len(graph.neighbors) > MAX_VISITS:
        return 0
    found = measure_loads(replace(topology, endpoints_per_router=uniform_endpoints(graph.order, 1)), threads)
    if isinstance(found, Disconnected):
        return 0
    tails = np.repeat(np.arange(graph.order), graph.degrees)
    back = np.lexsort((tails, graph.neighbors))
    small = graph.order // 2
    exchanged = 2 * small * (graph.order - small) / (graph.order - 1)
    spread = [found.over_next_hops] if found.over_paths is None else [found.over_next_hops, found.over_paths]
    worst = min(float((loads + loads[back]).max()) for loads in spread)
    return ceil(exchanged / worst * ROUNDING)


def closed_form(topology: Topology) -> tuple[Fraction | None, str | None]:
    """Return the bisection by the family's formula, and its proof where no halving cuts fewer links."""
    if topology.spec is None:
        return None, None  # no family built it
    from topoctl.families import FAMILIES

    claims = FAMILIES[topology.family].claims(topology.parameters)
    return claims.bisection, claims.bisection_proof
