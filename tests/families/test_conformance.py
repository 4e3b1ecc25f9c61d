"""Every family: what its record claims is what a plain breadth-first search and the kernel measure."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from families.instances import NAMED, small_networks
from oracles import distances
from properties import THOROUGH, few
from topoctl.analysis.distances import Disconnected, measure
from topoctl.analysis.loads import measure_loads
from topoctl.errors import Infeasible, InvalidParameters
from topoctl.families import FAMILIES, topology_from_spec

each_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=list(FAMILIES))
EACH = None if THOROUGH else 1  # examples
EXAMPLES = [(family, spec) for family in FAMILIES.values() for spec in family.examples[:EACH]]
each_example = pytest.mark.parametrize(("family", "spec"), EXAMPLES, ids=[spec for _, spec in EXAMPLES])


@cache
def built(spec):
    return topology_from_spec(spec)


def hops_from(graph, source):
    """Distance of every router that can be reached from one: int64 (reached,), with their numbers."""
    found = distances(lambda router: graph.neighbors_of(router).tolist(), int(source))
    return np.array(list(found)), np.array(list(found.values()))


@each_family
def test_record_is_complete(family):
    assert FAMILIES[family.name] is family
    assert family.title
    assert family.source
    assert family.definition.endswith(".")
    assert family.examples
    assert family.closed_forms
    assert all(parameter.meaning for parameter in family.parameters)
    names = [parameter.name for parameter in family.parameters]
    assert len(set(names)) == len(names)
    concentration = next(parameter for parameter in family.parameters if parameter.name == "p")
    assert concentration.default


@each_example
def test_claims_equal_measurement(family, spec):
    topology = built(spec)
    graph, claims = topology.graph, family.claims(topology.parameters)
    assert (graph.order, graph.network_radix) == (claims.order, claims.network_radix)
    assert claims.size in (None, graph.size)
    sources, counts = np.arange(graph.order), np.ones(graph.order, dtype=int)
    if topology.symmetry is not None:
        assert topology.symmetry.holds_for(graph)
        sources, counts = topology.symmetry.orbits()
        assert counts.sum() == graph.order
    rows = [hops_from(graph, source)[1] for source in sources]
    measured = measure(graph)
    assert measure(graph, topology.symmetry) == measured
    assert claims.connected == all(len(row) == graph.order for row in rows)
    assert claims.connected != isinstance(measured, Disconnected)
    if not claims.connected:
        assert (claims.diameter, claims.distance_sum) == (None, None)
        return
    assert measured.diameter == max(map(max, rows))
    assert 2 * measured.distance_sum == sum(
        int(count) * int(row.sum()) for count, row in zip(counts, rows, strict=True)
    )
    assert claims.diameter in (None, measured.diameter)
    assert claims.distance_sum in (None, measured.distance_sum)


@each_example
def test_claims_of_routers_with_endpoints_hold(family, spec):
    topology = built(spec)
    claims, holding = family.claims(topology.parameters), topology.endpoints_per_router > 0
    leaves = claims.order if claims.leaves is None else claims.leaves
    assert holding.sum() == (leaves if topology.concentration else 0)
    if claims.leaf_distance_sum is not None:
        found = [hops_from(topology.graph, leaf) for leaf in np.flatnonzero(holding)]
        assert 2 * claims.leaf_distance_sum == sum(
            int(hops[holding[routers]].sum()) for routers, hops in found
        )


@each_example
def test_canonical_spec_builds_the_same_network(family, spec):
    first = built(spec)
    assert first.family == family.name
    assert set(first.parameters) == {parameter.name for parameter in family.parameters}
    assert first.concentration >= 1
    for text in (first.spec, f"  {first.spec.upper()} "):
        again = topology_from_spec(text)
        assert again.spec == first.spec
        assert again.parameters == first.parameters
        assert np.array_equal(again.graph.links(), first.graph.links())
        assert np.array_equal(again.endpoints_per_router, first.endpoints_per_router)


@pytest.mark.parametrize("family", NAMED, ids=[family.name for family in NAMED])
@few(0.2)
@given(data=st.data(), seed=st.integers(0, 10**6))
def test_claims_hold_for_all_parameters(family, data, seed):
    known = data.draw(st.sampled_from(small_networks(family)))
    drawn = {one.name: seed for one in family.parameters if one.name == "seed"}
    try:
        topology = family.build(known | drawn)
    except Infeasible:
        assert drawn, "only random links may find no place"
        return
    graph, claims = topology.graph, family.claims(topology.parameters)
    tails = np.repeat(np.arange(graph.order), graph.degrees)
    links = set(zip(tails.tolist(), graph.neighbors.tolist(), strict=True))
    assert len(links) == 2 * graph.size
    assert all((head, tail) in links and head != tail for tail, head in links)
    assert (claims.order, claims.network_radix, claims.size) == (graph.order, graph.network_radix, graph.size)
    plain = measure(graph)
    assert claims.connected != isinstance(plain, Disconnected)
    if claims.connected:
        assert claims.diameter in (None, plain.diameter)
        assert claims.distance_sum in (None, plain.distance_sum)
    if topology.symmetry is not None:
        assert measure(graph, topology.symmetry) == plain
    if claims.connected and claims.crossings and topology.endpoints > 1:
        throughput = measure_loads(topology).throughput or 0.0
        sent = topology.concentration**2 / (topology.endpoints - 1)
        for links, hops in claims.crossings:
            assert 0 < links <= graph.size
            assert throughput * hops * sent <= links * (1 + 1e-9)
    assert np.array_equal(topology_from_spec(topology.spec).graph.neighbors, graph.neighbors)


@given(st.text() | st.from_regex(r"[a-z]{1,8}\([a-z]=[0-9]{1,3}\)"))
def test_any_text_is_parsed_or_refused_in_one_line(text):
    refusals = []
    for family in FAMILIES.values():
        try:
            family.parse(text)
        except InvalidParameters as refusal:
            refusals.append(str(refusal))
    assert len(refusals) <= 1  # no text is a wrong spec of two families
    assert "\n" not in "".join(refusals)
