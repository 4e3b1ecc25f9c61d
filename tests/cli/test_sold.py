"""Routers as they are sold: ``--sold`` and files of prices, wherever cost and power are computed."""

import json
from functools import cache
from pathlib import Path

import pytest

import topoctl
from commands import call, document
from schemas import check_document
from topoctl.analysis.pareto import dominates
from topoctl.search.design.objectives import vector

pytestmark = pytest.mark.once
SPECS = ("slimfly(q=5,p=4)", "torus(dims=4x4,p=3)", "fattree(k=6)")
OWN = """
gigabits_per_second = 100
[[sold]]
ports = 48
dollars = 20000
watts = 300
[[sold]]
ports = 16
dollars = 6000
watts = 90.5
[[cables]]
medium = "electrical"
dollars_per_gigabit = 1
dollars_per_gigabit_metre = 0
"""


def smallest(models, row):
    return min(ports for ports in models if ports >= row["router_radix"])


def is_bought(row, models):
    """Whether a row says which model its routers are, and how many of all ports stay free."""
    ports = smallest(models, row)
    used = 2 * row["links"] + row["endpoints"]
    return (row["sold_ports"], row["free_ports"]) == (ports, row["order"] * ports - used)


@pytest.mark.parametrize("measures", ["cost", "power", "cost,power"])
def test_routers_are_paid_for_with_all_the_ports_that_they_have(measures):
    models = (24, 8, 12)
    found = document("evaluate", *SPECS, "--measures", measures, "--sold", "24,8,12")
    check_document(found)
    assert found["parameters"]["sold"] == [24, 8, 12]
    for row in found["results"]:
        assert is_bought(row, models)
        ports = smallest(models, row)
        if "cost" in measures:
            assert row["router_dollars"] == pytest.approx(row["order"] * (350.4 * ports - 892.3))
        if "power" in measures:
            assert row["power_watts"] == pytest.approx(row["order"] * 2.8 * ports)
    for row in document("evaluate", *SPECS, "--measures", measures)["results"]:
        assert (row["sold_ports"], row["free_ports"]) == (None, None)
    shown = call("evaluate", *SPECS, "--measures", measures, "--sold", "24,8,12").stdout
    heading, first, *_ = shown.splitlines()
    assert dict(zip(heading.split()[-2:], first.split()[-2:], strict=True)) == {"sold": "12", "free": "50"}


def test_dollars_and_watts_are_those_of_the_models_in_the_file(folder):
    (folder / "own.toml").write_text(OWN)
    asked = ("--measures", "cost,power", "--prices", "own.toml")
    for row in document("evaluate", *SPECS, *asked)["results"]:
        assert is_bought(row, (16, 48))
        assert row["router_dollars"] == 6000 * row["order"]
        assert row["power_watts"] == 90.5 * row["order"]
    [row] = document("evaluate", SPECS[0], *asked, "--sold", "48")["results"]
    assert (row["sold_ports"], row["router_dollars"], row["power_watts"]) == (48, 50 * 20000, 50 * 300)
    assert row["cable_dollars"] == 100 * (175 + 200)
    said = call("evaluate", SPECS[0], *asked, "--sold", "24", code=2).stderr
    assert said == "error: --sold 24: router: expected it, or dollars of the model of 24 ports\n"


def test_cables_are_listed_beside_the_routers_to_buy(folder):
    [row] = document("cable", SPECS[0], "--sold", "8,24,36", "-o", "cables.csv")["results"]
    assert (row["sold_ports"], row["free_ports"]) == (24, 50 * (24 - 11))
    said = call("cable", SPECS[0], "--sold", "8,24,36").stdout
    assert "routers to buy: 50 of 24 ports; 650 of these ports stay free" in said.splitlines()
    found = document("cable", SPECS[0])
    assert not {"sold_ports", "free_ports"} & {*found["results"][0]}
    assert "routers to buy" not in call("cable", SPECS[0]).stdout


LISTED = ("slimfly", "torus", "hyperx", "mesh", "karytree")
ASKED = ("--endpoints", "40..44", "--throughput", "ecmp:0.5", "--tolerance", "0", "--no-study")


@cache
def measured_rows(sold):
    """Of all networks that there are of LISTED."""
    every = topoctl.enumerate(*LISTED, endpoints=(40, 44), router_radix=(None, 14), top=0)
    measured = topoctl.evaluate(
        *(network.topology for network in every), measures="cost,power,latency,loads", sold=sold
    )
    return [{"spec": one.assessment.topology.spec, **one.numbers()} for one in measured]


@pytest.mark.parametrize(
    ("sold", "front"),
    [
        ((6, 10, 14), "cost,latency,ecmp"),
        pytest.param((6, 10, 14), "power,ecmp", marks=pytest.mark.thorough),
        pytest.param((14,), "cost,latency,ecmp", marks=pytest.mark.thorough),
        pytest.param((14,), "power,ecmp", marks=pytest.mark.thorough),
    ],
)
def test_a_design_by_bounds_has_the_front_of_all_networks_that_there_are(sold, front):
    listed = ",".join(map(str, sold))
    asked = ("--router-radix", "20", "--evaluations", "1", "--sold", listed, "--front", front)
    found = document("design", *LISTED, *ASKED, *asked)
    check_document(found)
    assert found["parameters"]["windows"]["router_radix"] == "..14"
    rows = [row for row in measured_rows(sold) if row["uniform_throughput"] >= 0.5]
    names = front.split(",")
    vectors = [vector(row, names) for row in rows]
    best = {one for one in vectors if not any(dominates(other, one) for other in vectors)}
    assert len(rows) > 30
    assert {vector(row, names) for row in found["results"] if row["pareto"]} == best
    assert found["measured"] < len(rows)
    by_name = {row["spec"]: row for row in rows}
    for row in found["results"]:
        assert is_bought(row, sold)
        if row["pareto"]:
            alone = by_name[row["spec"]]
            for name in ("cost_dollars", "power_watts", "sold_ports", "free_ports"):
                assert row[name] == alone[name]


def test_a_design_says_that_no_larger_router_is_sold_and_is_resumed_with_those_that_are(folder):
    asked = ("design", "torus", "grid", "--endpoints", "30", "--evaluations", "10", "--sold", "8,12")
    first = call(*asked, "--router-radix", "24", "--json")
    line = "--router-radix 24: no router of more than 12 ports is sold, so no network of more is looked at"
    assert line in first.stderr
    found = json.loads(first.stdout)
    assert [model["ports"] for model in found["parameters"]["price_model"]["sold"]] == [8, 12]
    assert all(is_bought(row, (8, 12)) for row in found["results"])
    assert document("runs", "resume", "g1")["results"] == found["results"]
    assert len(document("runs", "repeat", "g1")["results"]) == len(found["results"])
    assert line not in call(*asked, "--router-radix", "12", "--no-study").stderr
    Path("own.toml").write_text(OWN)
    own = ("design", "torus", "--endpoints", "60", "--router-radix", "16", "--evaluations", "1", "--no-study")
    found = document(*own, "--prices", "own.toml", "--throughput", "0.3")
    assert {row["sold_ports"] for row in found["results"]} == {16}


WRONG = {
    "evaluate slimfly(q=5,p=4) --measures cost --sold 8,10": "no router of 11 ports is sold; expected at",
    "evaluate slimfly(q=5,p=4) --sold 24": "--sold and --convention are for --measures cost, power, latency",
    "evaluate torus(4x4) --measures power --cabinet 1x1 --sold 24": "without --cabinet",
    "evaluate slimfly(q=5) --measures cost --convention flex2022 --sold 24": "--convention excludes --floor,",
    "evaluate slimfly(q=5) --measures cost --sold 24,x": "--sold '24,x': expected whole numbers separated by",
    "evaluate slimfly(q=5) --measures cost --sold 0,24": "--sold 0: expected 1..65536",
    "evaluate slimfly(q=5) --measures cost --sold 65537": "--sold 65537: expected 1..65536",
    "evaluate torus(8,p=0) --measures cost --sold 2,24": "a router of 2 ports would cost -191.50 $",
    "cable slimfly(q=5,p=4) --sold 8": "prices fdr10: no router of 11 ports is sold; expected at most 8",
    "design torus --endpoints 60 --router-radix 20..24 --sold 8,16": "20..24: no router of more than 16",
}


@pytest.mark.parametrize("line", WRONG)
def test_what_no_router_that_is_sold_fits_is_refused_in_a_line(line):
    said = call(*line.split(), code=2).stderr
    assert WRONG[line] in said
    assert said.count("\n") == 1


def test_measuring_all_leaves_out_the_cost_of_what_no_router_fits():
    options = ("--measures", "all", "--trials", "6", "--sold", "7", "--json")
    found = call("evaluate", "slimfly(q=3,p=3)", "torus(dims=3x3,p=2)", *options)
    for name in ("cost", "power"):
        line = f"slimfly(q=3,p=3): {name} left out: prices fdr10: no router of 8 ports is sold; expected"
        assert line in found.stderr
    torus, slimfly = sorted(json.loads(found.stdout)["results"], key=lambda row: row["order"])
    assert is_bought(torus, (7,))
    assert not {"cost_dollars", "power_watts"} & {*slimfly}


def test_a_design_of_routers_that_are_sold_needs_no_radix():
    asked = ("design", "slimfly", "--endpoints", 200, "--sold", "8,12", "--evaluations", 5, "--no-study")
    ended = call(*asked, "--json")
    assert "no --router-radix: 12 ports, the most that are sold" in ended.stderr
    [row] = json.loads(ended.stdout)["results"]
    assert row["sold_ports"] == 12
