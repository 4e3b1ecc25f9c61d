"""What a search for Equality networks accepts, against the family itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoctl.errors import Infeasible, InvalidParameters
from topoctl.families.equality import Equality
from topoctl.families.equality.bounds import splits
from topoctl.search.populations.equality_request import EqualityRequest


@st.composite
def networks(draw):
    order = 2 * draw(st.integers(3, 40))
    odd = draw(st.sets(st.sampled_from(range(3, order - 1, 2)))) if order > 4 else set()
    even = draw(st.sets(st.sampled_from(range(2, order // 2 + 1, 2))))
    return Equality(order, (-1, 1, *odd), tuple(even))


@given(networks())
def test_the_number_of_odd_hops_follows_from_equation_1(network):
    request = EqualityRequest(
        order=network.order, network_radix=network.network_radix, fixed_even=network.even_hops
    )
    assert request.odd_length == len(network.odd_hops)
    EqualityRequest(
        order=network.order,
        network_radix=network.network_radix,
        fixed_even=network.even_hops,
        fixed_odd=network.odd_hops,
    )


def accepted(**values):
    try:
        EqualityRequest(**values)
    except (InvalidParameters, Infeasible):
        return False
    return True


@pytest.mark.parametrize("order", range(4, 26, 2))
def test_a_number_of_even_hops_is_accepted_where_some_network_has_it(order):
    for radix in range(2, order):
        possible = {split.even + split.opposite for split in splits(order, radix)}
        taken = {
            count for count in range(order) if accepted(order=order, network_radix=radix, even_hops=count)
        }
        assert taken == possible, radix


@pytest.mark.parametrize(
    "values",
    [
        {"fixed_odd": (3, 5, 7)},
        {"fixed_odd": (3,), "fixed_even": (4,)},
        {"fixed_odd": (3, 5), "even_hops": 1},
    ],
)
def test_more_fixed_odd_hops_than_ports_are_infeasible(values):
    with pytest.raises(Infeasible, match="fixed odd hops"):
        EqualityRequest(order=30, network_radix=4, **values)


@pytest.mark.parametrize("order", range(4, 26, 2))
def test_as_many_odd_hops_may_be_fixed_as_some_network_has(order):
    odd_hops = (-1, *range(1, order - 1, 2))
    for radix in range(2, order):
        most = max(split.odd for split in splits(order, radix))
        taken = {
            count
            for count in range(2, len(odd_hops) + 1)
            if accepted(order=order, network_radix=radix, fixed_odd=odd_hops[:count])
        }
        assert taken == set(range(2, most + 1)), radix


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"order": 31}, "31"),
        ({"network_radix": 30}, "30"),
        ({"network_radix": 1}, "1"),
        ({"fixed_even": (16,)}, "16"),
        ({"fixed_even": (5,)}, "5"),
        ({"fixed_even": (4, 4)}, "4 is given twice"),
        ({"fixed_odd": (4,)}, "4"),
        ({"fixed_odd": (31,)}, "31"),
        ({"fixed_odd": (-1, 29)}, "29 is given twice"),
        ({"fixed_even": (2,), "even_hops": 1}, "exclude"),
        ({"even_hops": -1}, "-1"),
        ({"population": 1}, "population 1"),
        ({"crossover": 1.1}, "1.1"),
        ({"mutation": float("nan")}, "nan"),
        ({"seconds": float("inf")}, "inf"),
        ({"seconds": 1.0, "evaluations": 5}, "exclude"),
        ({"seconds": 1e308}, "1e+308"),
        ({"evaluations": 0}, "evaluations 0"),
        ({"evaluations": 10**26}, "evaluations 1000"),
        ({"generations": 10**26}, "generations 1000"),
        ({"population": 10**12}, "population 1000"),
        ({"islands": 10**4, "population": 10**4}, "10000 islands of population 10000"),
        ({"order": 10**10, "network_radix": 2}, "10000000000"),
        ({"order": 40000, "network_radix": 20000}, "20000"),
        ({"stagnation": 0}, "stagnation 0"),
        ({"islands": 0}, "islands 0"),
        ({"top": 0}, "top 0"),
        ({"seed": 2**63}, str(2**63)),
        ({"objective": "speed"}, "speed"),
    ],
)
def test_a_refusal_names_the_value(values, named):
    with pytest.raises(InvalidParameters, match=r"expected|exclude") as refusal:
        EqualityRequest(**{"order": 30, "network_radix": 7, **values})
    assert named in str(refusal.value)
    assert "\n" not in str(refusal.value)
