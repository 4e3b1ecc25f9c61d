"""Every family and every example: what the record claims is what a plain breadth-first search measures."""

from collections import deque

import numpy as np
import pytest

from topoctl.families import FAMILIES, topology_from_spec

EXAMPLES = [(family, spec) for family in FAMILIES.values() for spec in family.examples]


def distances_from(graph, source):
    """Distance of every router by a queue, -1 where it cannot be reached."""
    distance = [-1] * graph.order
    distance[source] = 0
    queue = deque([source])
    neighbors = [graph.neighbors_of(router).tolist() for router in range(graph.order)]
    while queue:
        router = queue.popleft()
        for other in neighbors[router]:
            if distance[other] < 0:
                distance[other] = distance[router] + 1
                queue.append(other)
    return distance


@pytest.mark.parametrize(("family", "spec"), EXAMPLES, ids=[spec for _, spec in EXAMPLES])
def test_claims_equal_measurement(family, spec):
    topology = topology_from_spec(spec)
    graph, claims = topology.graph, family.claims(topology.parameters)
    assert topology.family == family.name
    assert (graph.order, graph.network_radix) == (claims.order, claims.network_radix)
    assert claims.size in (None, graph.size)
    sources, counts = np.arange(graph.order), np.ones(graph.order, dtype=int)
    if topology.symmetry is not None:
        assert topology.symmetry.holds_for(graph)
        sources, counts = topology.symmetry.orbits()
        assert counts.sum() == graph.order
    rows = [distances_from(graph, int(source)) for source in sources]
    assert claims.connected == all(min(row) == 0 for row in rows)
    if claims.connected:
        assert claims.diameter in (None, max(map(max, rows)))
        twice_the_sum = sum(int(count) * sum(row) for count, row in zip(counts, rows, strict=True))
        assert twice_the_sum % 2 == 0
        assert claims.distance_sum in (None, twice_the_sum // 2)
    else:
        assert claims.diameter is None
        assert claims.distance_sum is None


@pytest.mark.parametrize(("family", "spec"), EXAMPLES, ids=[spec for _, spec in EXAMPLES])
def test_canonical_spec_builds_the_same_network(family, spec):
    first = topology_from_spec(spec)
    again = topology_from_spec(f"  {first.spec.upper().replace('=', ' = ').replace(',', ' , ')} ")
    assert again.spec == first.spec
    assert again.parameters == first.parameters
    assert np.array_equal(again.graph.neighbors, first.graph.neighbors)
    assert np.array_equal(again.endpoints_per_router, first.endpoints_per_router)
