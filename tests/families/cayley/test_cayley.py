"""Cayley networks: their groups, their notation, and Equality networks among them."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.families.cayley import Cayley, Group, groups_of_order
from topoctl.families.cayley.family import spec_of
from topoctl.families.equality import Equality

pytestmark = pytest.mark.once
SMALL = [group for order in range(1, 33) for group in groups_of_order(order)]


def invariants(group):
    """How many elements have which order, and commute with how many: the same for isomorphic groups."""
    elements = list(product(range(group.s), range(group.t)))
    found = Counter()
    for x in elements:
        power, order = x, 1
        while power != (0, 0):
            power, order = group.product(power, x), order + 1
        found[order, sum(group.product(x, y) == group.product(y, x) for y in elements)] += 1
    return tuple(sorted(found.items()))


@given(st.sampled_from(SMALL), st.data())
def test_a_group_is_one(group, data):
    x, y, z = (group.element(data.draw(st.integers(0, group.order - 1))) for _ in range(3))
    assert group.product(group.product(x, y), z) == group.product(x, group.product(y, z))
    assert group.product(x, group.inverse(x)) == group.product(group.inverse(x), x) == (0, 0)
    assert group.element(group.number(x)) == x
    assert (group.number(x) in group.involutions) == (x != (0, 0) and group.inverse(x) == x)


@pytest.mark.parametrize("order", [1, 2, 8, 12, 16, 18, 20, 21, 24])
def test_every_group_of_an_order_is_like_one_that_is_listed(order):
    listed = groups_of_order(order)
    assert len({(group.s, group.t, group.r) for group in listed}) == len(listed)
    known = {invariants(group) for group in listed}
    for s in (s for s in range(1, order + 1) if order % s == 0):
        for r in (r for r in range(1, max(2, s)) if pow(r, order // s, s) == 1 % s):
            assert invariants(Group(s, order // s, r)) in known
    assert len(known) >= len(listed) - order // 8  # few are listed twice


EQUALITY = ["N14K6[-1,1,3,9](4)", "N4K2[-1,1]()", "N16K4[-1,1,5](8)", "N40K9[-1,1,7,13,29](6,16)"]


@pytest.mark.parametrize("spec", EQUALITY)
def test_equality_networks_are_cayley_networks_of_the_dihedral_group(spec):
    topology = topology_from_spec(spec)
    odd, even = (topology.parameters[f"{parity}_hops"] for parity in ("odd", "even"))
    network = Equality(topology.graph.order, odd, even)
    (odd_halves, even_halves), half = network.halves(), network.order // 2
    generators = (*((b, 0) for b in even_halves), *((t, 1) for t in odd_halves))
    found = Cayley(Group(half, 2, max(1, half - 1)), generators, 1)
    numbers = np.arange(network.order) // 2 + np.arange(network.order) % 2 * half  # of even and odd routers
    links = np.sort(numbers[topology.graph.links()], axis=1)
    assert {*map(tuple, links.tolist())} == {*map(tuple, found.graph().links().tolist())}
    assert topology_from_spec(spec_of(found)).graph.size == network.size


def test_a_spec_has_one_form():
    forms = ["cayley(7,3,2,6:0+0:2)", " Cayley(x=0:1 + 1:0, r=2, t=3, s=7)", "cayley(s=7,t=3,r=2,x=1:0+0:1)"]
    assert {topology_from_spec(form).spec for form in forms} == {"cayley(s=7,t=3,r=2,x=1:0+0:1,p=2)"}


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("cayley(s=7,t=3,r=2)", "cayley: x is missing: expected generators"),
        ("cayley(s=7,t=3,r=2,x=1)", r"cayley: x='1': expected pairs such as 1:0\+3:2"),
        ("cayley(s=7,t=3,r=2,x=1:0+)", r"cayley: x='1:0\+': expected pairs such as"),
        ("cayley(s=7,t=3,r=3,x=1:0)", r"cayley: r 3: expected r\^3 = 1 modulo 7, found 6"),
        ("cayley(s=7,t=3,r=2,x=7:0)", r"cayley: generator 7:0: expected 0\.\.6 and 0\.\.2"),
        ("cayley(s=7,t=3,r=2,x=0:0)", "cayley: generator 0:0: expected another than the identity"),
        (
            "cayley(s=7,t=3,r=2,x=1:0+6:0)",
            "cayley: generators 1:0 and 6:0 are equal or inverse to each other",
        ),
        (
            "cayley(s=7,t=3,r=2,x=1:0)",
            "cayley: the generators reach 7 of the 21 routers: expected generators",
        ),
        ("cayley(s=70000,t=70000,r=1,x=1:0)", "cayley: s 70000 and t 70000: expected positive numbers of a"),
        ("cayley(s=7,t=3,r=2,x=1:0+0:1,p=-1)", r"cayley: p=-1: expected 0\.\."),
    ],
)
def test_wrong_specs_are_named(spec, reason):
    with pytest.raises(InvalidParameters, match=reason) as caught:
        topology_from_spec(spec)
    assert "\n" not in str(caught.value)
