"""Every family: windows that end a lattice hold exactly what a search through all small networks finds."""

from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from properties import THOROUGH
from topoctl.analysis.distances import Disconnected, measure
from topoctl.errors import TopoctlError
from topoctl.families import FAMILIES
from topoctl.families.dragonfly import ARRANGEMENTS
from topoctl.families.polarstar import SUPERNODES
from topoctl.search.enumeration.listing import WantedInstances, list_families
from topoctl.search.enumeration.ranking import Ranking
from topoctl.search.enumeration.windows import parse_window

ORDER = 45 if THOROUGH else 36
"""No window below holds a larger network."""

WINDOWS = [
    {"links": f"..{ORDER - 1}"},
    {"links": f"..{ORDER - 1}", "diameter": "..4"},
    {"order": f"..{ORDER}", "diameter": "..3"},
    {"order": f"..{ORDER}", "aspl": "..2.3"},
    {"order": f"20..{ORDER}", "diameter": "4..6", "moore_percent": "5.."},
    {"order": f"..{ORDER}", "endpoints": "..40", "aspl": "..3"},
    {"network_radix": "..3", "diameter": "..3"},
    {"network_radix": "..4", "aspl": "..2"},
    {"router_radix": "..6", "diameter": "..2"},
    {"order": f"..{ORDER}", "network_radix": "..4", "aspl": "2.5..3.5"},
]

MANY = {
    "jellyfish": 8,
    "dln": 6,
    "xpander": 12,
    "dragonfly wide": 10,
    "dragonflyplus wide": 10,
    "fattree wide": 24,
}
"""The same where there are many networks, or random ones, of which each is drawn and measured again."""

SIDES = range(2, ORDER + 1)
RANDOM = range(3, 9)
PRIME_POWERS = (2, 3, 4, 5, 7, 8)


def up_to(most, *sides):
    """Tuples of sides, descending, each with a product of at most `most`."""
    for side in range(2, min([most, *sides[-1:]]) + 1):
        yield (*sides, side)
        yield from up_to(most // side, *sides, side)


def grids():
    return [{"dims": dims} for dims in up_to(ORDER)]


def combinations(**choices):
    return [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]


def dragonflies():
    for a, h, g in product(range(1, 23), range(1, ORDER), range(2, ORDER + 1)):
        if a * g <= ORDER and h < g <= a * h + 1:
            for arrangement in ARRANGEMENTS:
                yield {"a": a, "h": h, "g": g, "arrangement": arrangement}


def is_twice_as_long(dims):
    """Whether all sides are the shortest one or twice as long, of two or three sides."""
    return len(dims) in (2, 3) and set(dims) == {dims[-1], 2 * dims[-1]}


def dragonflies_plus():
    sizes = {"leaves": range(1, 13), "spines": range(1, 7), "h": range(1, 7), "g": range(2, 15)}
    for known in combinations(**sizes, arrangement=ARRANGEMENTS):
        if (known["leaves"] + known["spines"]) * known["g"] <= ORDER:
            yield known


CHOICES = {
    "flex": lambda: [
        {"nx": x, "ny": y, "nz": z} for x, y, z in product(SIDES, repeat=3) if x <= y and x * y * z <= ORDER
    ],
    "slimfly": lambda: combinations(q=PRIME_POWERS),
    "bdf": lambda: combinations(u=PRIME_POWERS),
    "delorme": lambda: combinations(v=PRIME_POWERS),
    "polarfly": lambda: combinations(q=PRIME_POWERS),
    "polarstar": lambda: combinations(q=PRIME_POWERS, d=range(2, 15)),
    "polarstar wide": lambda: combinations(q=PRIME_POWERS, d=range(2, 15), supernode=SUPERNODES),
    "bundlefly": lambda: combinations(q=PRIME_POWERS, s=(5, 9)),
    "spectralfly": lambda: combinations(r=(3, 5, 7), q=(5, 7)),
    "dragonflyplus": lambda: combinations(leaves=range(1, 9)),
    "dragonflyplus wide": dragonflies_plus,
    "oft": lambda: combinations(q=PRIME_POWERS),
    "mlfm": lambda: combinations(h=range(1, 8)),
    "mlfm wide": lambda: combinations(h=range(1, 9), layers=range(1, 23)),
    "twistedtorus": lambda: [c for c in grids() if is_twice_as_long(c["dims"])],
    "twistedtorus wide": lambda: [c for c in grids() if len(set(c["dims"])) > 1],
    "xpander": lambda: combinations(d=range(3, 12), lift=range(1, 9)),
    "tct": lambda: combinations(n=range(1, 6), k=range(2, 24)),
    "toroid": lambda: combinations(n=range(1, 24)),
    "tcc": lambda: combinations(n=range(1, 6), k=range(2, 24)),
    "tofu": lambda: combinations(k=range(1, 4)),
    "dragonfly": lambda: [c for c in dragonflies() if c["arrangement"] == "palmtree" == least_groups(c)],
    "dragonfly wide": dragonflies,
    "slimdragonfly": lambda: combinations(q=(3, 4), h=range(1, 4)),
    "slimdragonfly wide": lambda: combinations(q=(3, 4), h=(1, 2), g=(2, 3, 4), arrangement=ARRANGEMENTS),
    "hyperx": grids,
    "flatbutterfly": lambda: combinations(k=SIDES, n=range(2, 8)),
    "fattree": lambda: combinations(k=range(4, ORDER, 2), levels=range(2, 6)),
    "fattree wide": lambda: combinations(k=range(4, ORDER, 2), levels=range(2, 6), taper=range(ORDER)),
    "karytree": lambda: combinations(k=range(2, ORDER), n=range(2, 6)),
    "torus": lambda: [c for c in grids() if c["dims"].count(2) < 2],  # two sides of 2 are one of 4
    "mesh": grids,
    "hypercube": lambda: combinations(n=range(1, 6)),
    "longhop": lambda: combinations(n=range(2, 6), hops=range(1, 11)),
    "jellyfish": lambda: [c for c in combinations(n=RANDOM, r=RANDOM) if c["r"] < c["n"]],
    "dln": lambda: [c for c in combinations(n=RANDOM, y=range(9)) if c["y"] < c["n"] - 2],
}


def least_groups(known):
    """The arrangement of the default lattice, where the groups are the most."""
    return known["arrangement"] if known["g"] == known["a"] * known["h"] + 1 else ""


@cache
def small_networks(case):
    """Spec and quantities of every connected network of a case with one endpoint, measured."""
    found = {}
    family, most = FAMILIES[case.split()[0]], MANY.get(case, ORDER)
    for known in CHOICES[case]():
        try:
            if family.claims(known).order > most:
                continue
            topology = family.build({**known, "p": 1})
        except TopoctlError:
            continue
        distances = measure(topology.graph, topology.symmetry)
        if isinstance(distances, Disconnected):
            continue
        graph, diameter = topology.graph, distances.diameter
        moore = 1 + graph.network_radix * sum((graph.network_radix - 1) ** hop for hop in range(diameter))
        found[topology.spec] = {
            "order": graph.order,
            "endpoints": topology.endpoints,
            "links": graph.size,
            "network_radix": graph.network_radix,
            "router_radix": topology.router_radix,
            "diameter": diameter,
            "aspl": Fraction(2 * distances.distance_sum, graph.order * (graph.order - 1)),
            "moore_percent": Fraction(100 * graph.order, moore),
        }
    return found


@pytest.mark.parametrize("case", CHOICES)
def test_windows_hold_all_that_is_in_them(case):
    name, *wide = case.split()
    measured = {}
    for texts in WINDOWS:
        most = {"order": f"..{MANY[case]}"} if case in MANY else {}
        windows = {key: parse_window(key, text) for key, text in (texts | most).items()}
        expected = {
            spec
            for spec, known in small_networks(case).items()
            if all(window.holds(known[key]) for key, window in windows.items())
        }
        windows["concentration"] = parse_window("concentration", "1")
        listing = list_families([FAMILIES[name]], WantedInstances(windows, wide=bool(wide)))
        found = [instance.topology.spec for instance in Ranking(listing, windows, measured=measured)]
        assert sorted(found) == sorted(expected), texts


def test_every_family_with_a_lattice_is_looked_through():
    assert {case.split()[0] for case in CHOICES} == {name for name, one in FAMILIES.items() if one.lattice}
    assert {case.split()[0] for case in CHOICES if " " in case} | {"flex"} == {
        name for name, one in FAMILIES.items() if one.wide
    }
    large = {"bdf", "delorme", "slimdragonfly", "bundlefly", "spectralfly"}
    assert {case for case in CHOICES if not small_networks(case)} == large


@pytest.mark.parametrize(
    ("name", "windows"),
    [
        ("mesh", {"aspl": "..3"}),
        ("mesh", {"diameter": "..5"}),
        ("torus", {"diameter": "..4"}),
        ("torus", {"aspl": "..2.2"}),
        ("toroid", {"diameter": "..6"}),
        ("tct", {"diameter": "..6"}),
        ("tct", {"aspl": "..2.9"}),
        ("tcc", {"diameter": "..5"}),
        ("tofu", {"diameter": "..3"}),
        ("hypercube", {"aspl": "..2.6"}),
        ("slimfly", {"aspl": "..1.86"}),
        ("polarfly", {"aspl": "..1.8"}),
        ("fattree", {"network_radix": "..8", "diameter": "..2"}),
        ("dragonfly", {"links": f"..{ORDER - 1}"}),
        ("flex", {"network_radix": "..5", "diameter": "..3"}),
    ],
)
def test_paths_alone_end_what_they_bound(name, windows):
    """No order is asked for: diameter and ASPL, or what follows from them, end the walk."""
    room = {key: parse_window(key, text) for key, text in windows.items()}
    listing = list_families([FAMILIES[name]], WantedInstances(room))
    found = list(Ranking(listing, room))
    small = [instance.topology for instance in found if instance.topology.graph.order <= ORDER]
    assert small
    assert {FAMILIES[name].build({**one.parameters, "p": 1}).spec for one in small} == {
        spec
        for spec, known in small_networks(name).items()
        if all(window.holds(known[key]) for key, window in room.items())
    }
