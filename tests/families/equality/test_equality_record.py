"""What the Equality record adds to its networks: endpoints, and parameters by name."""

import pytest
from hypothesis import given

from families.equality.strategies import networks
from oracles import equality_distances
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.families.equality import EQUALITY
from topoctl.families.equality.family import balanced_concentration


@given(networks(largest=100))
def test_balanced_concentration_is_the_least_that_the_diameter_allows(network):
    hops = equality_distances(network.order, network.odd_hops, network.even_hops)
    concentration = balanced_concentration(network)
    assert concentration * max(hops.values()) >= network.network_radix
    assert (concentration - 1) * max(hops.values()) < network.network_radix


def test_omitted_concentration_is_balanced_and_stays_out_of_the_spec():
    topology = topology_from_spec("N14K6[-1,1,3,9](4)")
    assert topology.spec == "N14K6[-1,1,3,9](4)"
    assert topology.parameters["p"] == topology.concentration == 3
    assert topology.endpoints == 42


def test_given_concentration_is_kept():
    topology = topology_from_spec("n14k6p0[-1,1,3,9](4)")
    assert topology.spec == "N14K6P0[-1,1,3,9](4)"
    assert topology.parameters["p"] == topology.endpoints == 0


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"k": 5}, r"k 5: the hops make k = 6 \(Eq. 1\)"),
        ({"n": "14"}, "n '14': expected an integer"),
        ({"n": None}, "n None: expected an integer"),
        ({"odd_hops": 3}, "odd_hops 3: expected a tuple of integers"),
        ({"even_hops": None}, "even_hops None: expected a tuple of integers"),
        ({"p": 2.5}, "p 2.5: expected an integer"),
    ],
)
def test_wrong_parameters_are_named(change, reason):
    parameters = {**EQUALITY.parse("N14K6[-1,1,3,9](4)"), **change}
    with pytest.raises(InvalidParameters, match=reason):
        EQUALITY.build(parameters)


def test_radix_and_concentration_follow_from_the_hops():
    topology = EQUALITY.build({"n": 14, "odd_hops": (-1, 1, 3, 9), "even_hops": (4,)})
    assert topology.parameters == {"n": 14, "k": 6, "p": 3, "odd_hops": (1, 3, 9, 13), "even_hops": (4,)}
