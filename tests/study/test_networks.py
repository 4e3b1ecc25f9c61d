"""Networks as bytes: what is written is read back, and no other bytes pass for a network."""

import json
import random
import zlib
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoctl.cable_limit import CableLimit
from topoctl.errors import Damaged
from topoctl.families import topology_from_spec
from topoctl.graph import Graph
from topoctl.layout import Layout
from topoctl.study import network_bytes
from topoctl.topology import Topology, uniform_endpoints


@st.composite
def topologies(draw):
    """Connected networks: a random tree and links more, on a floor or not."""
    width, height = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    order = width * height
    tree = [(draw(st.integers(0, router - 1)), router) for router in range(1, order)]
    pair = st.tuples(st.integers(0, order - 1), st.integers(0, order - 1))
    more = [tuple(sorted(link)) for link in draw(st.lists(pair, max_size=40)) if link[0] != link[1]]
    graph = Graph.from_links(order, sorted({*tree, *more}))
    layout = (
        Layout(draw(st.sampled_from(["grid", "diagrid"])), width, height) if draw(st.booleans()) else None
    )
    metres = st.builds(CableLimit, st.integers(1, 9999), st.integers(1, 99), st.integers(1, 99), st.just(8))
    limit = draw(st.none() | st.integers(1, 20) | metres) if layout else None
    endpoints = uniform_endpoints(order, draw(st.integers(0, 50)))
    if draw(st.booleans()):
        endpoints = np.arange(order, dtype=np.int32)
    parameters = {"degree": graph.network_radix, "symmetry": 1}
    return Topology("graph", parameters, graph, endpoints, layout=layout, length_limit=limit)


@given(topologies())
def test_a_network_comes_back_from_its_bytes(topology):
    again = network_bytes.from_bytes(network_bytes.to_bytes(topology))
    np.testing.assert_array_equal(again.graph.links(), topology.graph.links())
    for name in ("family", "parameters", "layout", "length_limit", "endpoints"):
        assert getattr(again, name) == getattr(topology, name)
    assert again.graph.order == topology.graph.order
    assert again.endpoints_per_router.tolist() == topology.endpoints_per_router.tolist()


def test_what_a_network_has_grown_from_comes_back_with_it():
    ring = topology_from_spec("torus(dims=5,p=2)")
    links = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (0, 5)]
    between = Topology("graph", {}, Graph.from_links(6, links), uniform_endpoints(6, 2))
    graph = Graph.from_links(7, [*links, (5, 6)])
    grown = Topology("graph", {}, graph, uniform_endpoints(7, 2), grown_from=(ring, between))
    data = network_bytes.to_bytes(grown)
    again = network_bytes.from_bytes(data)
    assert [one.spec for one in again.grown_from] == [ring.spec, None]
    for one, other in zip((*again.grown_from, again), (ring, between, grown), strict=True):
        assert one.graph.links().tolist() == other.graph.links().tolist()
    with pytest.raises(Damaged):
        network_bytes.from_bytes(data + b"{}")


@given(topologies(), st.randoms(use_true_random=False))
def test_changed_bytes_are_a_network_or_damaged(topology, draw):
    data = bytearray(network_bytes.to_bytes(topology))
    for _ in range(draw.choice([1, 1, 4])):
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    with suppress(Damaged):  # any other error fails
        found = network_bytes.from_bytes(bytes(data))
        assert found.graph.order <= found.graph.size + 1


def blob(packed=b"", **changes):
    header = {
        **{"family": "graph", "parameters": {}, "order": 3, "links": 2, "concentration": 0},
        **{"layout": None, "length_limit": None},
        **changes,
    }
    return json.dumps(header).encode() + b"\n" + packed


def steps(*values):
    return zlib.compress(np.array(values, "<i4").tobytes())


GOOD = steps(0, 1, 1, 1)
BAD = [
    None,
    "text",
    b"",
    random.Random(1).randbytes(6000),
    blob(b"none"),
    blob(GOOD, order=10**9),
    blob(GOOD, order=0),
    blob(GOOD, links=10**9, order=10**9),
    blob(GOOD, links=2**26),
    blob(steps(*[1] * 200_000), links=100_000, order=100_001),
    blob(GOOD, links=1),
    blob(GOOD, links=3),
    blob(GOOD, concentration=-1),
    blob(GOOD, layout=["grid", 2, 2]),
    blob(GOOD, layout=["disc", 3, 1]),
    blob(steps(0, 0, 1, 1)),
    blob(steps(0, 1, 0, 1)),
    blob(steps(0, 2, 1, 1)),
    blob(steps(0, -1, 1, 1)),
    blob(zlib.compress(bytes(10**7))),
]


def test_the_good_one_among_the_bad_is_good():
    assert network_bytes.from_bytes(blob(GOOD)).graph.links().tolist() == [[0, 1], [1, 2]]


@pytest.mark.parametrize("data", BAD, ids=lambda data: repr(data)[-50:])
def test_what_is_no_network_is_damaged(data):
    with pytest.raises(Damaged, match="the network"):
        network_bytes.from_bytes(data)
