"""Equality: construction, symmetry, semicircle cut."""

from fractions import Fraction

import pytest
from hypothesis import given

from families.equality.strategies import networks
from oracles import adjacency_of, equality_adjacency, equality_distances, table
from topoctl.errors import InvalidParameters
from topoctl.families.equality.family import semicircle_cut
from topoctl.families.equality.network import Equality
from topoctl.families.equality.notation import parse_equality

TABLE = table("equality_table3.tsv")


@given(networks())
def test_links_follow_the_connection_rule(network):
    graph = network.graph()
    assert adjacency_of(graph) == equality_adjacency(network.order, network.odd_hops, network.even_hops)
    assert set(graph.degrees.tolist()) == {network.network_radix}
    assert graph.size == network.size


@given(networks())
def test_every_router_sees_the_same_network(network):
    graph = network.graph()
    assert network.symmetry().holds_for(graph)
    representatives, sizes = network.symmetry().orbits()
    assert (representatives.tolist(), sizes.tolist()) == ([0], [network.order])


@given(networks())
def test_hops_and_halves_are_two_names_of_one_network(network):
    odd, even = network.halves()
    assert Equality.from_halves(network.order, odd, even, network.concentration) == network
    as_written = tuple(hop - network.order if hop > network.order // 2 else hop for hop in network.odd_hops)
    assert Equality(network.order, as_written[::-1], network.even_hops, network.concentration) == network


@pytest.mark.parametrize(
    ("order", "odd", "even", "reason"),
    [
        (15, (-1, 1), (), "order 15: expected an even number of routers, at least 4"),
        (2, (-1, 1), (), "order 2: expected an even number"),
        (14, (-1, 1, 4), (), "odd hop 4: expected an odd number"),
        (14, (-1, 3), (), "odd hop 1 is missing"),
        (14, (1, 3), (), "odd hop -1 is missing"),
        (14, (-1, 1, 13), (), "odd hops -1 and 13 are the same links modulo 14"),
        (14, (-1, 1, 3, 17), (), "odd hops 3 and 17 are the same links modulo 14"),
        (14, (-1, 1), (3,), "even hop 3: expected an even number"),
        (14, (-1, 1), (10,), "even hop 10: expected 2..7; hop 4 makes the same links"),
        (14, (-1, 1), (4, 4), "even hop 4 is given twice"),
        (14, (-1, 1), (14,), "even hop 14: expected 2..7; it is 0 modulo 14, a link to itself"),
        (2**31 - 2, (-1, 1), (), "2147483646 links: a graph holds at most"),
    ],
)
def test_wrong_hops_are_named(order, odd, even, reason):
    with pytest.raises(InvalidParameters, match=reason):
        Equality(order, odd, even)


def test_a_negative_concentration_is_refused():
    with pytest.raises(InvalidParameters, match="concentration -1"):
        Equality(14, (-1, 1), (), -1)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row["id"])
def test_published_networks_have_the_published_figures(row):
    network = parse_equality(row["spec"])
    assert network.order == int(row["routers"])
    assert network.network_radix == int(row["network_radix"])
    hops = equality_distances(network.order, network.odd_hops, network.even_hops)
    assert max(hops.values()) == int(row["diameter"])
    assert f"{sum(hops.values()) / (network.order - 1):.6f}" == row["aspl"]
    cut = semicircle_cut(network)
    assert cut.links == int(row["semicircle_cut"])
    assert f"{cut.topology_ratio:.6f}" == row["semicircle_ratio"]


@given(networks(largest=40))
def test_semicircle_cut_is_the_least_over_all_rotations(network):
    half = network.order // 2
    links = network.graph().links().tolist()
    cuts = [
        sum(
            ((tail - start) % network.order < half) != ((head - start) % network.order < half)
            for tail, head in links
        )
        for start in range(network.order)
    ]
    cut = semicircle_cut(network)
    assert cut.links == min(cuts)
    assert cut.topology_ratio == cut.links / network.size


@given(networks(largest=40))
def test_network_ratio_follows_equation_3(network):
    cut = semicircle_cut(network)
    if not network.concentration:
        assert cut.network_ratio == (None if network.concentration is None else cut.topology_ratio)
        return
    ratio = Fraction(network.network_radix, network.concentration)
    expected = Fraction(cut.links, network.size) * ratio / (ratio + 2)
    assert cut.network_ratio == float(expected)
