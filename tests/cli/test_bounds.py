"""``topoctl bounds``: of one network, of networks on a floor, of every preset."""

import json

from commands import call, document


def test_bounds_of_one_network():
    (row,) = document("bounds", "--n", "50", "--k", "7")["results"]
    assert (row["diameter_lower_bound"], row["moore_order"], row["aspl_lower_bound"]) == (2, 50, 91 / 49)


def test_bounds_on_a_floor():
    size = ("--width", "10", "--height", "10", "--k", "4", "--l", "3")
    (row,) = document("bounds", "grid", *size, "--levels")["results"]
    assert (row["layout_diameter_bound"], row["longest_length"], row["network_radix"]) == (6, 18, 4)
    assert row["layout_aspl_bound"] > max(row["aspl_lower_bound"], row["length_aspl_bound"])
    assert [level["by_both"] for level in row["levels"]] == [1, 5, 17, 53, 79, 94, 100]
    bare = call("bounds", "grid", "--json")
    assert "the paper's grid 10x10, k' 4, L 3" in bare.stderr
    del row["levels"]
    assert json.loads(bare.stdout)["results"] == [row]
    assert "m(i)  d(i)" in call("bounds", "grid", *size, "--levels").stdout
    (diagrid,) = document("bounds", "grid", "--layout", "diagrid")["results"]
    assert (diagrid["width"], diagrid["height"], diagrid["layout_diameter_bound"]) == (7, 14, 5)


def test_well_balanced_pairs_and_the_least_for_a_diameter():
    size = ("--width", "30", "--height", "30", "--balanced")
    pairs = [(3, 3), (4, 4), (5, 5), (6, 6), (9, 7), (10, 8)]
    rows = document("bounds", "grid", *size)["results"]
    assert [(row["network_radix"], row["length_limit"]) for row in rows] == pairs
    rows = document("bounds", "grid", *size, "--diameter", "8")["results"]
    assert {(row["network_radix"], row["length_limit"]) for row in rows if row["well_balanced"]} == {*pairs}
    (least,) = (row for row in rows if row["recommended"])
    assert (least["network_radix"], least["length_limit"], least["layout_diameter_bound"]) == (4, 8, 8)


def test_the_least_for_a_diameter_that_asks_for_nothing():
    for size, diameter in (("30", 450), ("30", 10**6), ("30", 10**20), ("1000", 10**20)):
        floor = ("--width", size, "--height", size)
        rows = document("bounds", "grid", *floor, "--balanced", "--diameter", diameter)["results"]
        (least,) = (row for row in rows if row["recommended"])
        assert (least["network_radix"], least["length_limit"]) == (2, 1)


def test_bounds_of_presets_stand_beside_published_values():
    rows = document("bounds")["results"]
    assert len(rows) == len(document("presets", "list")["results"])
    assert {row["command"] for row in rows} == {"search equality", "optimize grid", "optimize graph"}
    for row in rows:
        bound = row.get("family_aspl_bound", row.get("layout_aspl_bound", row["aspl_lower_bound"]))
        assert bound >= row["aspl_lower_bound"]
        assert row["published_aspl"] is None or row["published_aspl"] >= bound
        least = row.get("layout_diameter_bound", row["diameter_lower_bound"])
        assert row["published_diameter"] is None or row["published_diameter"] >= least
        assert (row["published_aspl"] is None) or row["published_diameter"]


def test_bounds_of_every_sensible_split_of_ports():
    rows = document("bounds", "--endpoints", "5000", "--router-radix", "48")["results"]
    assert rows
    for row in rows:
        assert row["network_radix"] + row["concentration"] == row["router_radix"] == 48
        assert row["order"] == -(-5000 // row["concentration"])
        assert row["endpoints"] == row["order"] * row["concentration"] >= 5000
    loads = [row["load_lower_bound"] for row in rows]
    assert loads == sorted(loads)
    first = rows[0]
    assert first["load_lower_bound"] <= 1
    dearer = ("--endpoints", "5000", "--router-radix", "48", "--p", first["concentration"] + 1)
    (oversubscribed,) = document("bounds", *dearer)["results"]
    assert oversubscribed["load_lower_bound"] > 1  # so that none with fewer routers would do


def test_a_network_is_described_in_several_ways():
    (expected,) = document("bounds", "--n", "50", "--k", "7", "--p", "4")["results"]
    for words in (
        ("--n", "50", "--router-radix", "11", "--p", "4"),
        ("--endpoints", "200", "--router-radix", "11", "--p", "4"),
        ("--endpoints", "200", "--k", "7", "--n", "50"),
        ("--endpoints", "200", "--network-radix", "7", "--router-radix", "11"),
    ):
        assert document("bounds", *words)["results"] == [expected]
    for words in (
        ("--n", "50"),
        ("--endpoints", "200"),
        ("--n", "50", "--router-radix", "11"),
        ("--n", "50", "--k", "7", "--p", "4", "--router-radix", "10"),
        ("--n", "50", "--k", "7", "--router-radix", "7"),
        ("--n", "50", "--k", "7", "--p", "3", "--endpoints", "200"),
    ):
        assert len(call("bounds", *words, code=2).stderr.splitlines()) == 1
    assert "more ports" in call("bounds", "--endpoints", "5000", "--router-radix", "3", code=3).stderr
