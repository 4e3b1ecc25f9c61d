"""Enumeration: the same instances as a search through every small choice of parameters."""

from itertools import product

import pytest

from topoctl.analysis.distances import Disconnected, measure
from topoctl.errors import Infeasible, InvalidParameters
from topoctl.families import FAMILIES
from topoctl.search.enumeration import Window, enumerate_family, parse_window


def specs(name, balanced=False, **windows):
    read = {quantity: parse_window(quantity, text) for quantity, text in windows.items()}
    return [instance.topology.spec for instance in enumerate_family(FAMILIES[name], read, balanced=balanced)]


@pytest.mark.parametrize(
    ("name", "choices", "windows"),
    [
        ("slimfly", {"q": range(3, 14)}, {"order": "40..200"}),
        ("slimfly", {"q": range(3, 14), "p": range(1, 20)}, {"order": "..100", "balance": "0.6..1.5"}),
        (
            "slimfly",
            {"q": range(3, 14), "p": range(1, 30)},
            {"router_radix": "20..22", "concentration": "3.."},
        ),
        ("dragonfly", {"a": range(1, 20), "h": range(1, 20)}, {"endpoints": "30..150", "diameter": "..3"}),
        ("polarfly", {"q": range(2, 20)}, {"aspl": "..1.9", "order": "..140"}),
        ("tct", {"n": range(1, 6), "k": range(2, 20)}, {"order": "50..300", "diameter": "..14"}),
        (
            "fattree",
            {"k": range(4, 20), "levels": range(2, 8)},
            {"router_radix": "..8", "endpoints": "16..200"},
        ),
        ("hypercube", {"n": range(1, 10)}, {"network_radix": "3..6"}),
        ("jellyfish", {"n": range(4, 12), "r": range(3, 12)}, {"order": "..10", "links": "15.."}),
        ("longhop", {"n": range(2, 4), "hops": range(1, 11)}, {"order": "..8", "moore_percent": "50.."}),
    ],
)
def test_no_instance_is_missed(name, choices, windows):
    family = FAMILIES[name]
    read = {quantity: parse_window(quantity, text) for quantity, text in windows.items()}
    expected = set()
    for values in product(*choices.values()):
        given = dict(zip(choices, values, strict=True))
        try:
            if family.claims(given).order > 500:  # above every window here
                continue
            topology = family.build(given)
        except InvalidParameters:
            continue
        distances = measure(topology.graph, topology.symmetry)
        if isinstance(distances, Disconnected):
            continue
        graph, radix, diameter = topology.graph, topology.graph.network_radix, distances.diameter
        structure = {key: value for key, value in topology.parameters.items() if key != "p"}
        found = {
            "order": graph.order,
            "endpoints": topology.endpoints,
            "links": graph.size,
            "network_radix": radix,
            "router_radix": topology.router_radix,
            "concentration": topology.concentration,
            "diameter": diameter,
            "aspl": distances.aspl,
            "moore_percent": 100
            * graph.order
            / (1 + radix * sum((radix - 1) ** hop for hop in range(diameter))),
            "balance": topology.concentration / family.build(structure).concentration,
        }
        if all(window.holds(found[quantity]) for quantity, window in read.items()):
            expected.add(topology.spec)
    assert expected
    assert set(specs(name, **windows)) == expected


def test_balanced_networks_that_slim_fly_counts():
    """SC14, VII-A: up to 20,000 endpoints, eleven Slim Flies and q = 3, and eight Dragonflies."""
    found = specs("slimfly", balanced=True, endpoints="..20000")
    assert [int(spec.split("=")[1].split(",")[0]) for spec in found] == [
        3,
        4,
        5,
        7,
        8,
        9,
        11,
        13,
        16,
        17,
        19,
        23,
    ]
    found = specs("dragonfly", balanced=True, endpoints="..20000")
    assert found == [f"dragonfly(p={h},a={2 * h},h={h},g={2 * h * h + 1})" for h in range(1, 9)]


def test_torus_sizes_are_listed_once():
    assert specs("torus", order="12") == [
        "torus(dims=3x2x2)",
        "torus(dims=4x3)",
        "torus(dims=6x2)",
        "torus(dims=12)",
    ]


def test_flex_sides_are_listed_once():
    found = specs("flex", order="36", diameter="..2")
    assert found == ["flex(nx=3,ny=4,nz=3,p=5)"]


@pytest.mark.parametrize(
    ("name", "windows", "reason"),
    [
        ("slimfly", {}, r"the window has no end"),
        ("slimfly", {"order": "50.."}, r"the window has no end"),
        ("slimfly", {"order": "..200", "balance": "1.."}, r"the concentration has no end"),
        ("flex", {"router_radix": "..8"}, r"expected smaller ones, or one on order"),
        ("slimfly", {"size": "..9"}, r"'size': expected one of order"),
        ("equality", {"order": "..9"}, r"search it instead"),
    ],
)
def test_windows_that_are_refused(name, windows, reason, monkeypatch):
    monkeypatch.setattr("topoctl.search.enumeration.ATTEMPTS", 2_000)
    with pytest.raises(InvalidParameters, match=reason):
        specs(name, **windows)


def test_an_empty_window_is_infeasible():
    with pytest.raises(Infeasible, match=r"slimfly: no balanced instance with order 51\.\.97"):
        specs("slimfly", balanced=True, order="51..97")


@pytest.mark.parametrize("text", ["", "..", "a..b", "5..3", "1...4", "-3..4", "1..2..3"])
def test_malformed_ranges(text):
    with pytest.raises(InvalidParameters, match="expected"):
        parse_window("order", text)


def test_a_single_value_is_a_range():
    assert parse_window("order", " 50 ") == Window(50, 50)
