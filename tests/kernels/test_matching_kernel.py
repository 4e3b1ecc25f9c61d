"""Networks matched outward: both backends alike, what agrees by counting, and what is refused."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.backends import BACKENDS, on
from properties import few
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.graph import Graph
from topoctl.kernels.matching import NOBODY, Links, match_outward


def side_of(graph, random, ports):
    numbers = (
        random.integers(0, 3, (len(graph.neighbors), 2)) if ports else np.zeros((len(graph.neighbors), 2))
    )
    colors = random.integers(0, 2, graph.order).astype(np.int32)
    hosts = random.integers(0, 4, graph.order).astype(np.int32)
    return Links(graph.offsets, graph.neighbors, numbers.astype(np.int32), colors, hosts)


def ends_of(side):
    """The ports of both ends of every arc, by its routers."""
    tails = np.repeat(np.arange(len(side.colors)), np.diff(side.offsets))
    return dict(
        zip(zip(tails.tolist(), side.neighbors.tolist(), strict=True), side.ports.tolist(), strict=True)
    )


@few(2)
@given(st.data())
def test_both_match_alike_and_what_agrees_is_counted(data):
    random = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    spec = data.draw(
        st.sampled_from(["torus(dims=3x4)", "slimfly(q=3)", "mesh(dims=5)", "jellyfish(n=12,r=3)"])
    )
    plan = topology_from_spec(spec).graph
    links = random.permutation(plan.order)[plan.links()]
    other = Graph.from_links(plan.order, links[data.draw(st.integers(0, 3)) :])
    ports = data.draw(st.booleans())
    sides = side_of(plan, random, ports), side_of(other, random, ports)
    starts = random.integers(-1, plan.order, (3, 2, 2)).astype(np.int32)
    limit, rounds = data.draw(st.sampled_from([(3, 0), (99, 0), (99, 5)]))
    results = [
        on(name, match_outward, *sides[0], *sides[1], starts, np.arange(3), limit, rounds)
        for name in BACKENDS
    ]
    for images, totals in results:
        np.testing.assert_array_equal(images, results[0][0])
        for image, total in zip(images.tolist(), totals.tolist(), strict=True):
            known = [one for one in image if one != NOBODY]
            assert len({*known}) == len(known)
            if rounds:
                assert len(known) == plan.order
            theirs = ends_of(sides[1])
            same = [(theirs.get((image[a], image[b])), own) for (a, b), own in ends_of(sides[0]).items()]
            pairs = [(there, own) for there, own in same if there is not None]
            ports = Counter(sum(0 < x == y for x, y in zip(*pair, strict=True)) for pair in pairs)
            hosts = [min(sides[0].hosts[a], sides[1].hosts[b]) for a, b in enumerate(image) if b != NOBODY]
            assert total == ports[0] + 2 * ports[1] + 6 * ports[2] + sum(hosts)


def test_a_network_is_matched_with_itself_from_one_pair():
    graph = topology_from_spec("jellyfish(n=200,r=6)").graph
    turn = np.random.default_rng(1).permutation(200)
    other = Graph.from_links(200, turn[graph.links()])
    none = np.zeros(200, dtype=np.int32)
    sides = [
        Links(one.offsets, one.neighbors, np.zeros((len(one.neighbors), 2), np.int32), none, none)
        for one in (graph, other)
    ]
    known = np.stack([np.arange(12), turn[:12]], axis=1).astype(np.int32)[None]
    images, totals = match_outward(*sides[0], *sides[1], known, np.zeros(1, dtype=np.int64), 200, 9)
    assert images[0].tolist() == turn.tolist()
    assert totals[0] == 2 * graph.size


def test_pairs_of_no_routers_are_refused():
    side = side_of(topology_from_spec("torus(dims=3)").graph, np.random.default_rng(1), ports=False)
    starts = np.array([[[0, 3]]], dtype=np.int32)
    with pytest.raises(InvalidParameters, match="starts"):
        match_outward(*side, *side, starts, np.zeros(1, dtype=np.int64), 3, 0)
