"""Every family and every example: what the record claims is what a plain breadth-first search measures."""

from collections import deque

import numpy as np
import pytest

from topoctl.analysis.distances import Disconnected, measure
from topoctl.families import FAMILIES, topology_from_spec

EXAMPLES = [(family, spec) for family in FAMILIES.values() for spec in family.examples]
over_all_examples = pytest.mark.parametrize(("family", "spec"), EXAMPLES, ids=[spec for _, spec in EXAMPLES])


def distances_from(graph, source):
    """Distance of every router by a queue, -1 where it cannot be reached."""
    distance = [-1] * graph.order
    distance[source] = 0
    queue = deque([source])
    while queue:
        router = queue.popleft()
        for other in graph.neighbors_of(router).tolist():
            if distance[other] < 0:
                distance[other] = distance[router] + 1
                queue.append(other)
    return distance


@over_all_examples
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
    measured = measure(graph, topology.symmetry)
    if claims.connected:
        assert measured.diameter == max(map(max, rows))
        assert 2 * measured.distance_sum == sum(
            int(count) * sum(row) for count, row in zip(counts, rows, strict=True)
        )
        assert claims.diameter in (None, measured.diameter)
        assert claims.distance_sum in (None, measured.distance_sum)
        holding = topology.endpoints_per_router > 0
        leaves = claims.order if claims.leaves is None else claims.leaves
        assert holding.sum() == (leaves if topology.concentration else 0)
        if claims.leaf_distance_sum is not None:
            leaf_rows = [distances_from(graph, int(leaf)) for leaf in np.flatnonzero(holding)]
            assert 2 * claims.leaf_distance_sum == sum(int(np.array(row)[holding].sum()) for row in leaf_rows)
    else:
        assert isinstance(measured, Disconnected)
        assert claims.diameter is None
        assert claims.distance_sum is None


@over_all_examples
def test_canonical_spec_builds_the_same_network(family, spec):
    first = topology_from_spec(spec)
    again = topology_from_spec(f"  {first.spec.upper()} ")
    assert again.spec == first.spec
    assert again.parameters == first.parameters
    assert np.array_equal(again.graph.neighbors, first.graph.neighbors)
    assert np.array_equal(again.endpoints_per_router, first.endpoints_per_router)


@pytest.mark.parametrize("family", FAMILIES.values(), ids=list(FAMILIES))
def test_record_is_complete(family):
    assert FAMILIES[family.name] is family
    assert family.title
    assert family.source
    assert family.definition.endswith(".")
    assert family.examples
    assert family.closed_forms
    assert all(parameter.meaning for parameter in family.parameters)
    concentration = next(parameter for parameter in family.parameters if parameter.name == "p")
    assert concentration.default
