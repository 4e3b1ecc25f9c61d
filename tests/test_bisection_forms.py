"""Closed forms of the bisection: of tiny networks, the least cut over every choice of half of the routers."""

from itertools import combinations

import numpy as np
import pytest

from topoctl.families import FAMILIES, topology_from_spec


def least_cut(graph):
    """Over all halves that hold router 0."""
    others = np.array(list(combinations(range(1, graph.order), graph.order // 2 - 1)))
    side = np.zeros((len(others), graph.order), dtype=bool)
    side[:, 0] = True
    side[np.arange(len(others))[:, None], others] = True
    links = graph.links()
    return int((side[:, links[:, 0]] != side[:, links[:, 1]]).sum(axis=1).min())


@pytest.mark.parametrize(
    "spec",
    [
        "hypercube(n=4)",
        "hyperx(dims=4x4)",
        "hyperx(dims=4x3)",
        "hyperx(dims=6x2)",
        "hyperx(dims=4x1)",
        "flatbutterfly(k=4,n=3)",
        "flatbutterfly(k=2,n=4)",
        "tct(n=1,k=4)",
        "tct(n=2,k=2)",
    ],
)
def test_least_cut(spec):
    topology = topology_from_spec(spec)
    claims = FAMILIES[topology.family].claims(topology.parameters)
    if spec == "hyperx(dims=4x3)":  # halving the side of 3 is the paper's form, and no cut
        assert claims.bisection == 9
        assert least_cut(topology.graph) > 9
    else:
        assert claims.bisection == least_cut(topology.graph)
