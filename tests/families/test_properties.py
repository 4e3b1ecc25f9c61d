"""Over all parameters: graphs are simple and symmetric, connected unless declared, and claims are true."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from topoctl.analysis.distances import Disconnected, measure
from topoctl.families import FAMILIES, topology_from_spec

PRIME_POWERS = (2, 3, 4, 5, 7, 8, 9, 11, 13)
small = st.integers(1, 5)
sizes = st.lists(small, min_size=1, max_size=3).map(tuple)
seeds = st.integers(0, 10**6)


@st.composite
def dragonflies(draw):
    a, h = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    arrangement = draw(st.sampled_from(("palmtree", "consecutive", "circulant")))
    return {"a": a, "h": h, "g": draw(st.integers(h + 1, a * h + 1)), "arrangement": arrangement}


@st.composite
def slim_dragonflies(draw):
    q, h = draw(st.sampled_from((3, 4, 5))), draw(st.integers(1, 3))
    arrangement = draw(st.sampled_from(("palmtree", "consecutive", "circulant")))
    most = min(2 * q * q * h + 1, 60)
    return {"q": q, "h": h, "g": draw(st.integers(h + 1, most)), "arrangement": arrangement}


@st.composite
def random_regular(draw):
    n = draw(st.integers(5, 40))
    return {
        "n": n,
        "r": draw(st.integers(3, n // 2 + 1).filter(lambda r: n * r % 2 == 0)),
        "seed": draw(seeds),
    }


@st.composite
def shortcuts(draw):
    n = draw(st.integers(8, 40))
    return {"n": n, "y": draw(st.integers(0, n // 3).filter(lambda y: n * y % 2 == 0)), "seed": draw(seeds)}


PARAMETERS = {
    "flex": st.fixed_dictionaries(
        {"nx": st.integers(2, 6), "ny": st.integers(2, 6), "nz": st.integers(2, 9)}
    ),
    "slimfly": st.fixed_dictionaries(
        {"q": st.sampled_from(PRIME_POWERS[1:]), "fill": st.integers(0, 4), "seed": seeds}
    ),
    "bdf": st.fixed_dictionaries({"u": st.sampled_from((3, 5, 7, 9))}),
    "delorme": st.fixed_dictionaries({"v": st.sampled_from((2, 3))}),
    "polarfly": st.fixed_dictionaries({"q": st.sampled_from(PRIME_POWERS)}),
    "tct": st.fixed_dictionaries({"n": st.integers(1, 4), "k": st.integers(1, 6)}),
    "toroid": st.fixed_dictionaries({"n": st.integers(1, 24)}),
    "tcc": st.fixed_dictionaries({"n": st.integers(1, 4), "k": st.integers(1, 6)}),
    "tofu": st.fixed_dictionaries({"k": st.integers(1, 5)}),
    "dragonfly": dragonflies(),
    "slimdragonfly": slim_dragonflies(),
    "hyperx": st.fixed_dictionaries({"dims": sizes}),
    "flatbutterfly": st.fixed_dictionaries({"k": st.integers(2, 6), "n": st.integers(2, 4)}),
    "fattree": st.fixed_dictionaries(
        {"k": st.integers(1, 4).map(lambda half: 2 * half), "levels": st.integers(2, 4)}
    ),
    "karytree": st.fixed_dictionaries({"k": st.integers(2, 5), "n": st.integers(2, 4)}),
    "torus": st.fixed_dictionaries({"dims": sizes}),
    "mesh": st.fixed_dictionaries({"dims": sizes}),
    "hypercube": st.fixed_dictionaries({"n": st.integers(1, 9)}),
    "longhop": st.fixed_dictionaries({"n": st.integers(4, 9), "hops": st.integers(1, 4)}),
    "jellyfish": random_regular(),
    "dln": shortcuts(),
}


@pytest.mark.parametrize("name", PARAMETERS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_claims_hold_for_all_parameters(name, data):
    family = FAMILIES[name]
    given_values = data.draw(PARAMETERS[name])
    topology = family.build(given_values)
    graph, claims = topology.graph, family.claims(topology.parameters)
    tails = np.repeat(np.arange(graph.order), graph.degrees)
    links = set(zip(tails.tolist(), graph.neighbors.tolist(), strict=True))
    assert len(links) == 2 * graph.size
    assert all((head, tail) in links and head != tail for tail, head in links)
    assert (claims.order, claims.network_radix) == (graph.order, graph.network_radix)
    assert claims.size == graph.size
    plain = measure(graph)
    assert claims.connected != isinstance(plain, Disconnected)
    if claims.connected:
        assert claims.diameter in (None, plain.diameter)
        assert claims.distance_sum in (None, plain.distance_sum)
    if topology.symmetry is not None:
        assert measure(graph, topology.symmetry) == plain
    assert np.array_equal(topology_from_spec(topology.spec).graph.neighbors, graph.neighbors)


def test_every_family_with_named_parameters_is_drawn_from():
    named = {name for name, family in FAMILIES.items() if family.examples[0].startswith(f"{name}(")}
    assert named == set(PARAMETERS)
