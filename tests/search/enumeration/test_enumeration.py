"""Enumeration: the same instances as a search through every small choice of parameters, in their order."""

from fractions import Fraction
from itertools import islice, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import document
from properties import THOROUGH, few
from topoctl.analysis import effort
from topoctl.analysis.distances import Disconnected, measure
from topoctl.errors import InvalidParameters
from topoctl.families import FAMILIES
from topoctl.families.torus import torus
from topoctl.graph import Graph
from topoctl.search.enumeration.listing import WantedInstances, list_families
from topoctl.search.enumeration.ranking import DEFAULT_SORT, Ranking
from topoctl.search.enumeration.windows import SORTABLE, Window, parse_sort, parse_window, quantities


def ranking(names, *, balanced=False, wide=False, sort=DEFAULT_SORT, **windows):
    read = {quantity: parse_window(quantity, text) for quantity, text in windows.items()}
    listing = list_families([FAMILIES[name] for name in names.split()], WantedInstances(read, balanced, wide))
    return Ranking(listing, read, sort)


def specs(names, **options):
    return [instance.topology.spec for instance in ranking(names, **options)]


def measured_quantities(topology, distances, rule):
    """By definition, from the built graph."""
    graph, endpoints = topology.graph, topology.endpoints
    radix, diameter = graph.network_radix, distances.diameter
    moore = 1 + radix * sum((radix - 1) ** hop for hop in range(diameter))
    return {
        "order": graph.order,
        "endpoints": endpoints,
        "links": graph.size,
        "network_radix": radix,
        "router_radix": topology.router_radix,
        "concentration": topology.concentration,
        "diameter": diameter,
        "aspl": Fraction(distances.distance_sum, graph.order * (graph.order - 1) // 2),
        "moore_percent": Fraction(100 * graph.order, moore),
        "balance": Fraction(topology.concentration, rule),
    }


@pytest.mark.parametrize(
    ("name", "choices", "options"),
    [
        ("slimfly", {"q": range(3, 14)}, {"order": "40..200"}),
        ("slimfly", {"q": range(3, 14), "p": range(1, 20)}, {"order": "..100", "balance": "0.6..1.5"}),
        (
            "slimfly",
            {"q": range(3, 14), "p": range(1, 30)},
            {"router_radix": "20..22", "concentration": "3.."},
        ),
        ("flex", {name: range(2, 8) for name in ("nx", "ny", "nz")}, {"wide": True, "order": "..30"}),
        (
            "dragonfly",
            {"a": range(1, 20), "h": range(1, 20)},
            {"endpoints": "30..150", "balance": "1", "diameter": "..3"},
        ),
        (
            "dragonfly",
            {
                "a": range(1, 7),
                "h": range(1, 12),
                "g": range(2, 13),
                "arrangement": ("palmtree", "consecutive", "circulant"),
            },
            {"wide": True, "order": "8..12", "links": "..30"},
        ),
        (
            "slimdragonfly",
            {
                "q": range(3, 6),
                "h": range(1, 6),
                "g": range(2, 7),
                "arrangement": ("palmtree", "consecutive", "circulant"),
            },
            {"wide": True, "order": "..110"},
        ),
        ("polarfly", {"q": range(2, 20)}, {"aspl": "..1.9", "order": "..140"}),
        ("tct", {"n": range(1, 6), "k": range(2, 20)}, {"order": "50..300", "diameter": "..14"}),
        ("tct", {"n": range(1, 8), "k": range(2, 41)}, {"order": "..80", "network_radix": "..5"}),
        (
            "fattree",
            {"k": range(4, 9), "levels": range(2, 6), "p": range(1, 9)},
            {"router_radix": "..8", "endpoints": "16..100", "order": "..80"},
        ),
        ("hypercube", {"n": range(1, 10)}, {"network_radix": "3..6"}),
        ("jellyfish", {"n": range(4, 12), "r": range(3, 12)}, {"order": "..10", "links": "15.."}),
        ("longhop", {"n": range(2, 4), "hops": range(1, 11)}, {"order": "..8", "moore_percent": "50.."}),
    ],
)
def test_no_instance_is_missed(name, choices, options):
    family = FAMILIES[name]
    windows = {key: parse_window(key, text) for key, text in options.items() if key != "wide"}
    expected = set()
    for values in product(*choices.values()):
        known = dict(zip(choices, values, strict=True))
        try:
            order = family.claims(known).order
            if order > 500 or ("order" in windows and not windows["order"].holds(order)):
                continue
            topology = family.build(known)
        except InvalidParameters:
            continue
        distances = measure(topology.graph, topology.symmetry)
        if isinstance(distances, Disconnected):
            continue
        rule = family.complete({key: value for key, value in known.items() if key != "p"})["p"]
        found = measured_quantities(topology, distances, rule)
        if all(window.holds(found[quantity]) for quantity, window in windows.items()):
            expected.add(topology.spec)
    assert expected
    assert sorted(specs(name, **options)) == sorted(expected)


def test_the_window_of_the_help_is_complete():
    """Order and ports of FleX are products and sums: every choice can be looked through without building."""
    expected = set()
    for nx, ny in product(range(2, 49), repeat=2):
        radix = (nx + ny - 2) * 2
        if nx > ny or radix // 2 >= 48:
            continue
        for nz in range(2, 1100 // (nx * ny) + 1):
            links = radix if nz > 2 else radix // 2
            for p in range(1, 48 - links + 1):
                if 900 <= nx * ny * nz * p <= 1100 and not (nx == ny == 2 and nz % 2 == 0):
                    expected.add(f"flex(nx={nx},ny={ny},nz={nz},p={p})")
    listing = ranking("flex", endpoints="900..1100", router_radix="..48").listing
    found = [
        entry.structure.family.parse(f"{entry.structure.name[:-1]},p={entry.p})") for entry in listing.entries
    ]
    assert all(entry.decided for entry in listing.entries)
    assert len(found) == len(expected)
    assert {f"flex(nx={v['nx']},ny={v['ny']},nz={v['nz']},p={v['p']})" for v in found} == expected
    assert any("not connected" in note for note in listing.notes)


def test_balanced_networks_that_slim_fly_counts():
    """SC14, VII-A: up to 20,000 endpoints, eleven Slim Flies and q = 3, and eight Dragonflies."""

    def listed(name):
        return [
            entry.structure.parameters
            for entry in ranking(name, balanced=True, endpoints="..20000").listing.entries
        ]

    sizes = [3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23]
    assert [known["q"] for known in listed("slimfly")] == sizes
    shapes = [tuple(known[key] for key in "pahg") for known in listed("dragonfly")]
    assert shapes == [(h, 2 * h, h, 2 * h * h + 1) for h in range(1, 9)]


def test_tori_with_two_sides_of_two_are_those_with_one_of_four():
    around = np.array([0, 1, 3, 2])  # two sides of 2, all the way round
    for sides in ((2, 2), (3, 2, 2), (5, 2, 2)):
        square, ring = torus(sides), torus((*sides[:-2], 4))
        number = np.argsort(np.concatenate([around + 4 * x for x in range(square.order // 4)]))
        assert Graph.from_links(square.order, number[square.links()].astype(np.int32)).links().tolist() == (
            ring.links().tolist()
        )


def test_sizes_are_listed_once():
    assert specs("torus", order="12", sort=("diameter", "aspl")) == [
        "torus(dims=4x3)",
        "torus(dims=6x2)",
        "torus(dims=12)",
    ]
    assert specs("flex", order="36", diameter="..2") == ["flex(nx=3,ny=4,nz=3,p=5)"]


def test_balanced_flex_has_three_layers():
    """More layers would load their links beyond what they carry, at the paper's p = floor(k/3)."""
    found = ranking("flex", balanced=True, endpoints="..2000").listing.entries
    assert {entry.structure.parameters["nz"] for entry in found} == {3}
    loads = []
    for layers in (3, 4, 5, 8, 12):
        (row,) = document("evaluate", f"flex(6,6,{layers},10)")["results"]
        loads.append(row["distance_sum"] * row["concentration"] ** 2 / row["endpoints"] / row["size"])
    assert [round(load, 3) for load in loads] == [0.898, 1.104, 1.083, 1.302, 1.701]


def test_relative_bisection_of_hyperx():
    """FleX paper, eqs. 1 to 3: T + sum(S - 1) <= R, N <= T prod(S), min(S)/(2T) >= B."""
    expected = {
        f"hyperx(dims={a}x{b},p={t})"
        for a, b, t in product(range(2, 28), range(2, 28), range(1, 28))
        if b <= a
        and t + a - 1 + b - 1 <= 28
        and 1000 <= t * a * b <= 1100
        and Fraction(b, 2 * t) >= Fraction(1, 2)
    }
    windows = {"endpoints": "1000..1100", "router_radix": "..28", "relative_bisection": "0.5.."}
    found = specs("hyperx", diameter="..2", **windows)
    assert expected == {"hyperx(dims=10x10,p=10)"}
    assert set(found) == expected
    windows["router_radix"] = "..30"
    listing = ranking("polarfly flex", **windows).listing
    assert "flex" in {entry.structure.family.name for entry in listing.entries}
    assert "no closed form of their bisection" in listing.skipped["polarfly"]
    assert any("no closed form" in note for note in listing.notes)


@few(0.5)
@given(
    sort=st.lists(
        st.sampled_from(
            ("diameter", "-aspl", "-moore_percent", "degree_times_diameter", "endpoint_aspl", "-order")
        ),
        min_size=1,
        max_size=2,
    ),
    top=st.integers(1, 12),
)
def test_the_best_come_first_whatever_is_measured(sort, top):
    """The first of a lazy ranking are those of a sort of everything, and no more is measured for them."""
    names, windows = "tcc toroid fattree", {"order": "8..40"}
    full = ranking(names, sort=sort, **windows)
    everything = list(full)
    keys = [
        [-instance.known[key[1:]] if key[0] == "-" else instance.known[key] for key in sort]
        for instance in everything
    ]
    assert keys == sorted(keys)
    some = ranking(names, sort=sort, **windows)
    first = [instance.topology.spec for instance in islice(some, top)]
    assert first == [instance.topology.spec for instance in everything[:top]]
    assert len(some.measured) <= len(full.measured)


def test_a_graph_is_measured_once():
    chosen = ranking("slimfly", endpoints="..2000", router_radix="..30")
    found = list(chosen)
    assert len({instance.topology.parameters["q"] for instance in found}) == len(chosen.measured) < len(found)


def test_what_only_a_measurement_tells_is_counted():
    chosen = ranking("tcc", order="..200", diameter="..8", sort=("order",))
    next(iter(chosen))
    assert chosen.undecided > 0
    before = chosen.fitting + chosen.undecided
    found = list(chosen := ranking("tcc", order="..200", diameter="..8", sort=("order",)))
    assert (chosen.fitting, chosen.undecided) == (len(found), 0)
    assert len(found) <= before
    assert all(instance.distances.diameter <= 8 for instance in found)


def test_what_cannot_be_measured_is_named(monkeypatch):
    monkeypatch.setattr(effort, "EXACT_EFFORT", {"native": 1000, "numpy": 1000})
    chosen = ranking("dln", order="4..20", network_radix="4")
    found = list(chosen)
    assert found
    assert "looks along" in chosen.refused["dln(n=20,y=2,seed=0)"]
    assert chosen.fitting == len(found)


@pytest.mark.parametrize(
    ("name", "windows", "reason"),
    [
        ("flex", {}, r"lets nx grow without end"),
        ("slimfly", {"order": "50.."}, r"lets q grow without end"),
        ("bdf", {"order": "50.."}, r"lets u grow without end"),
        ("torus", {"router_radix": "..48"}, r"lets dims grow without end"),
        ("flex", {"router_radix": "..8"}, r"lets nz grow without end: expected an upper bound on order"),
        (
            "hyperx",
            {"network_radix": "..40"},
            r"more than 2000 instances are below .* smaller one, or an upper",
        ),
        ("hyperx", {"order": "..900", "endpoints": "..9000"}, r"more than 2000 instances are within"),
        ("tct", {"order": "..2000000000", "network_radix": "..3"}, r"more than 2000 instances are below"),
        ("slimfly", {"size": "..9"}, r"'size': expected one of order"),
        ("equality", {"order": "..9"}, r"search it instead"),
    ],
)
def test_windows_that_are_refused(name, windows, reason, monkeypatch):
    monkeypatch.setattr("topoctl.search.enumeration.listing.ATTEMPTS", 2_000)
    read = {quantity: parse_window(quantity, text) for quantity, text in windows.items()}
    with pytest.raises(InvalidParameters, match=reason):
        list_families([FAMILIES[name]], WantedInstances(read))


@pytest.mark.parametrize("name", ["hypercube", "longhop"])
def test_what_cannot_be_built_is_not_listed(name, monkeypatch):
    """32-bit offsets hold 2^31 - 1 ends of links; memory may hold less."""
    monkeypatch.setattr("topoctl.families.spec.memory_of_machine", lambda: float("inf"))
    listing = ranking(name, balanced=True, endpoints="..2000000000", network_radix="26").listing
    dimensions = {entry.structure.parameters["n"] for entry in listing.entries}
    assert max(dimensions) == (26 if name == "hypercube" else 25)
    assert "too large to be built" in ranking("hypercube", balanced=True, endpoints="9..").listing.notes[0]
    monkeypatch.setattr("topoctl.families.spec.memory_of_machine", lambda: 1e6)
    listing = ranking("hypercube", balanced=True, endpoints="..2000000000").listing
    assert [entry.structure.parameters["n"] for entry in listing.entries] == list(range(1, 11))


def test_one_family_without_end_does_not_hide_the_others():
    chosen = ranking("slimfly torus", network_radix="..7")
    assert "without end" in chosen.listing.skipped["torus"]
    assert {entry.structure.family.name for entry in chosen.listing.entries} == {"slimfly"}
    assert "balanced concentration only" in chosen.listing.notes[0]


@pytest.mark.parametrize(
    ("name", "wide"),
    [
        (name, wide)
        for name, family in FAMILIES.items()
        for wide in (False, True)
        if (family.wide if wide else family.lattice)
        # The smallest Slim Dragonfly of the most groups has 342 routers.
        and (name, wide) != ("slimdragonfly", False)
        and name not in ("delorme", "longhop", "bundlefly", "spectralfly")
    ],
)
def test_what_ends_a_lattice_grows_along_it(name, wide):
    """A loop stops at the first instance above a window; nothing that is within comes after it."""
    order = "..30" if name in ("dragonfly", "dragonflyplus", "dln", "jellyfish") else "..60"
    full = ranking(name, wide=wide, order=order, concentration="1").listing.entries
    assert full
    for quantity in ("endpoints", "links", "network_radix", "router_radix"):
        for most in (3, 6, 40) if THOROUGH else (6, 40):
            windows = {"order": order, "concentration": "1", quantity: f"..{most}"}
            found = ranking(name, wide=wide, **windows).listing.entries
            expected = [
                entry.structure.name
                for entry in full
                if quantities(entry.structure.claims, 1, entry.structure.rule)[quantity] <= most
            ]
            assert [entry.structure.name for entry in found] == expected


@pytest.mark.parametrize("text", ["", "..", "a..b", "5..3", "1...4", "-3..4", "1..2..3", "1e9"])
def test_malformed_ranges(text):
    with pytest.raises(InvalidParameters, match="expected"):
        parse_window("order", text)


def test_a_single_value_is_a_range():
    assert parse_window("order", " 50 ") == Window(50, 50)
    assert parse_window("aspl", "1.8").holds(Fraction(9, 5))


def test_sort_keys_are_checked():
    with pytest.raises(InvalidParameters, match="sort key 'size' is unknown; expected one of order"):
        parse_sort("diameter,size", SORTABLE)


def test_empty_ports_are_filled_with_random_links():
    windows = {"router_radix": parse_window("router_radix", "..14"), "order": parse_window("order", "..50")}
    plain = list_families([FAMILIES["slimfly"]], WantedInstances(windows, balanced=True))
    listing = list_families([FAMILIES["slimfly"]], WantedInstances(windows, balanced=True, fill_ports=True))
    assert [entry.structure.parameters["q"] for entry in listing.entries] == [3, 4, 5]
    for entry, bare in zip(listing.entries, plain.entries, strict=True):
        parameters = entry.structure.parameters
        assert parameters == {
            **bare.structure.parameters,
            "fill": 14 - bare.structure.claims.network_radix - bare.p,
        }
        topology = FAMILIES["slimfly"].build(parameters)
        assert topology.router_radix == 14
        assert set(topology.graph.degrees.tolist()) == {entry.structure.claims.network_radix}


@pytest.mark.parametrize(
    ("name", "windows", "reason"),
    [
        ("slimfly", {"order": "..50"}, "an upper bound on the router radix"),
        ("torus", {"router_radix": "..8"}, "no random links fit into torus; expected slimfly"),
    ],
)
def test_ports_that_cannot_be_filled_are_explained(name, windows, reason):
    read = {quantity: parse_window(quantity, text) for quantity, text in windows.items()}

    def listed():
        return list_families([FAMILIES[name]], WantedInstances(read, fill_ports=True))

    with pytest.raises(InvalidParameters, match=reason):
        listed()
