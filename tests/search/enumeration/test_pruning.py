"""What ends a lattice: lower bounds that hold, that never shrink along it, and refusals that are true."""

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from properties import few
from topoctl.analysis.distances import Disconnected, measure
from topoctl.errors import Infeasible, InvalidParameters
from topoctl.families import FAMILIES
from topoctl.families.dragonfly import ARRANGEMENTS
from topoctl.search.enumeration.listing import GROWTH, Limits, WantedInstances, list_families, most_routers
from topoctl.search.enumeration.ranking import Ranking
from topoctl.search.enumeration.windows import Window, parse_window, quantities

PRIMES = (2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32, 37)
FEW = 400
"""Routers up to which a network is built and measured."""


def rising(**ranges):
    """Two choices of integer parameters, the second one nowhere below the first."""

    def pair(first, second):
        low = {name: min(first[name], second[name]) for name in first}
        return low, {name: max(first[name], second[name]) for name in first}

    values = st.fixed_dictionaries({name: st.sampled_from(list(choices)) for name, choices in ranges.items()})
    return st.builds(pair, values, values)


@st.composite
def grids(draw):
    """Sides in descending order, and those of a larger grid: longer sides, and more of them."""
    low = draw(st.lists(st.integers(2, 9), min_size=1, max_size=4))
    added = draw(st.lists(st.integers(0, 9), min_size=len(low), max_size=len(low)))
    more = draw(st.lists(st.integers(2, 5), max_size=2))
    high = [side + longer for side, longer in zip(sorted(low), sorted(added), strict=True)] + more
    return {"dims": tuple(sorted(low, reverse=True))}, {"dims": tuple(sorted(high, reverse=True))}


@st.composite
def groups(draw, sides):
    """Two Dragonflies of any number of groups; `sides` draws the two other parameters."""
    pair = draw(sides)
    arrangement = draw(st.sampled_from(ARRANGEMENTS))
    least, built = 0, []
    for one in pair:
        routers = one["a"] if "a" in one else 2 * one["q"] ** 2
        g = draw(st.integers(max(least, one["h"] + 1), max(least, routers * one["h"] + 1)))
        least = g
        built.append({**one, "g": g, "arrangement": arrangement})
    return tuple(built)


@st.composite
def groups_plus(draw):
    """Two Dragonfly+ networks of any number of groups, the second one nowhere below the first."""
    pair = draw(rising(leaves=range(1, 9), spines=range(1, 9), h=range(1, 9)))
    arrangement, least, built = draw(st.sampled_from(ARRANGEMENTS)), 0, []
    for one in pair:
        least = draw(st.integers(max(least, one["h"] + 1), max(least, one["spines"] * one["h"] + 1)))
        built.append({**one, "g": least, "arrangement": arrangement})
    return tuple(built)


STEPS = {
    "flex": rising(nx=range(2, 9), ny=range(2, 9), nz=range(2, 12)),
    "slimfly": rising(q=PRIMES),
    "bdf": rising(u=PRIMES),
    "delorme": rising(v=PRIMES),
    "polarfly": rising(q=PRIMES),
    "polarstar": rising(q=PRIMES, d=range(2, 15)),
    "bundlefly": rising(q=PRIMES, s=(5, 9, 13, 17, 25)),
    "spectralfly": rising(r=(3, 5, 7, 11), q=(5, 7, 11, 13)),
    "dragonflyplus": groups_plus(),
    "oft": rising(q=PRIMES),
    "mlfm": rising(h=range(1, 20), layers=range(1, 20)),
    "twistedtorus": grids(),
    "xpander": rising(d=range(3, 9), lift=range(1, 9)),
    "tct": rising(n=range(1, 11), k=range(2, 13)),
    "toroid": rising(n=range(1, 60)),
    "tcc": rising(n=range(1, 11), k=range(2, 13)),
    "tofu": rising(k=range(1, 30)),
    "dragonfly": groups(rising(a=range(1, 9), h=range(1, 9))),
    "slimdragonfly": groups(rising(q=PRIMES, h=range(1, 9))),
    "hyperx": grids(),
    "flatbutterfly": rising(k=range(2, 30), n=range(2, 8)),
    "fattree": rising(k=range(4, 40, 2), levels=range(2, 8), taper=range(2)),
    "karytree": rising(k=range(2, 20), n=range(2, 8)),
    "torus": grids(),
    "mesh": grids(),
    "hypercube": rising(n=range(1, 31)),
    "longhop": rising(n=range(2, 9), hops=range(1, 11)),
    "jellyfish": rising(n=range(4, 30), r=range(3, 29)),
    "dln": rising(n=range(4, 30), y=range(27)),
}


def grown(family, known, p):
    least = (family.least or family.claims)(known)
    return {name: growth(least, p) for name, growth in GROWTH.items()}


@pytest.mark.parametrize("name", STEPS)
@few(0.4)
@given(data=st.data(), p=st.integers(1, 9))
def test_least_claims_never_shrink_along_a_lattice_and_are_never_too_large(name, data, p):
    family = FAMILIES[name]
    pair = data.draw(STEPS[name])
    try:
        low, high = (grown(family, known, p) for known in pair)
        claims = family.claims(pair[1])
    except InvalidParameters:  # no such instance
        return
    for quantity in GROWTH:
        assert low[quantity] <= high[quantity], quantity
    true = quantities(claims, p, 1)
    if claims.order <= FEW and "aspl" not in true:
        try:
            topology = family.build({**pair[1], "p": p})
        except Infeasible:  # a random graph that came out neither simple nor connected
            assert family.random
            return
        distances = measure(topology.graph, topology.symmetry)
        if not isinstance(distances, Disconnected):
            true = quantities(claims, p, 1, distances)
    for quantity in set(GROWTH) & set(true):
        assert high[quantity] <= true[quantity], quantity


def test_every_lattice_is_stepped_along():
    assert set(STEPS) == {name for name, family in FAMILIES.items() if family.lattice}


@pytest.mark.parametrize(
    ("windows", "most"),
    [
        ({"links": "..40"}, 41),
        ({"network_radix": "..3", "diameter": "..2"}, 10),
        ({"router_radix": "..7", "diameter": "..2"}, 50),
        ({"network_radix": "..7", "aspl": "..1.857142857142857142"}, 49),
        ({"network_radix": "..7", "aspl": "..1.857142857142857143"}, 50),
        ({"network_radix": "..2", "diameter": "..5"}, 11),
        ({"network_radix": "..1", "diameter": "..5"}, 11),
        ({"network_radix": "..3", "diameter": "..99999999999999999999"}, math.inf),
        ({"diameter": "..2"}, math.inf),
        ({"network_radix": "..3"}, math.inf),
    ],
)
def test_windows_imply_a_bound_on_the_order(windows, most):
    assert most_routers({name: parse_window(name, text) for name, text in windows.items()}) == most


def looked_at(name, **windows):
    """Structures that are looked at, and networks that are listed."""
    read = {quantity: parse_window(quantity, text) for quantity, text in windows.items()}
    listing = list_families([FAMILIES[name]], WantedInstances(read))
    limits = Limits(FAMILIES[name], read)
    for _ in FAMILIES[name].lattice(limits.within, limits.orders):
        pass
    return limits.looked, len(listing.entries)


@pytest.mark.parametrize("name", ["torus", "mesh"])
def test_a_window_that_holds_nothing_is_told_soon(name):
    looked, listed = looked_at(name, endpoints="10000..11000", router_radix="..64", diameter="..3")
    assert listed == 0
    assert looked < 200


@pytest.mark.parametrize(
    ("name", "order", "grids_of_it"),
    [
        *product(("torus", "mesh"), (999_983,), (1,)),
        *product(("torus", "mesh"), (999_999,), (296,)),
        *(("mesh", 65_536, 231), ("torus", 65_536, 231 - 135)),
    ],
)
def test_grids_of_one_order_are_its_factors(name, order, grids_of_it, monkeypatch):
    """A prime; 3^3 7 11 13 37, which has 296 products of descending factors; partitions of 16 for 2^16.

    Of these, 135 partitions of 14 and two ones are sides of which two are 2, in a torus one of 4.
    """
    monkeypatch.setattr("topoctl.families.spec.memory_of_machine", lambda: math.inf)
    looked, listed = looked_at(name, order=str(order), concentration="1")
    assert listed == grids_of_it
    assert looked < 20 * grids_of_it + 20


def test_fat_trees_that_cannot_be_built_are_not_listed():
    looked, listed = looked_at("fattree", endpoints="5000..", router_radix="..48")
    assert looked < 1000
    windows = {"endpoints": Window(least=5000), "router_radix": Window(most=48)}
    listing = list_families([FAMILIES["fattree"]], WantedInstances(windows))
    assert listed == len(listing.entries) > 1000
    assert listing.notes == ["fattree: networks too large to be built on this machine are not listed"]
    assert max(entry.structure.claims.order for entry in listing.entries) < 2**31


def test_filled_ports_shorten_paths_and_lose_no_network():
    """Slim Flies alone have an ASPL near 2; what random links make of them depends on the ports."""
    read = {"router_radix": Window(most=20), "aspl": parse_window("aspl", "..1.5")}
    listing = list_families([FAMILIES["slimfly"]], WantedInstances(read, balanced=True, fill_ports=True))
    found = [instance.topology.spec for instance in Ranking(listing, read)]
    # 2 - (k' + fill)/(N - 1) with p + k' + fill = 20: 1 for q = 3, 1.45 for q = 4, 1.67 for q = 5.
    assert found == ["slimfly(q=3,p=3,fill=12)", "slimfly(q=4,p=3,fill=11)"]
    assert list_families([FAMILIES["slimfly"]], WantedInstances(read, balanced=True)).entries == []
