"""``topoctl cable``: its list against network and floor; ``evaluate --measures cost,power,latency``."""

import csv
import json
import re
from collections import Counter

import pytest

import topoctl
from commands import call, document
from oracles import weighted_latencies
from schemas import check_document
from topoctl.analysis import effort
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.floor.cabling_list import STOCK

pytestmark = pytest.mark.once


def listed(folder, *arguments):
    [row] = document("cable", *arguments, "-o", "cables.csv", "-q")["results"]
    return row, [*csv.DictReader((folder / "cables.csv").read_text().splitlines())]


def ends(row):
    return [tuple(row[f"{end}{part}"] for part in ("", "_rack", "_unit", "_port")) for end in ("from", "to")]


def metres(row):
    """The way of a cable on the floor racks42, from what its row says of the two ends."""
    (_, rack, unit, _), (_, other, below, _) = ends(row)
    unit, below = int(unit) - 1, int(below) - 1
    if rack == other:
        return 2 * 0.5 + 0.04445 * abs(unit - below)
    (y, x), (v, u) = (map(int, re.fullmatch(r"R(\d+)C(\d+)", place).groups()) for place in (rack, other))
    return 2 * 0.5 + 2 * 0.5 + 0.04445 * (unit + below) + 0.6 * abs(x - u) + 2.4 * abs(y - v)


@pytest.mark.parametrize(
    "spec",
    ["dragonfly(p=4,a=8,h=4)", "slimfly(q=5,p=4)", "fattree(k=4)", "N14K6P9[-1,1,3,9](4)", "mesh.edges"],
)
def test_the_list_is_the_network_and_keeps_to_the_floor(folder, spec):
    if spec == "mesh.edges":
        (folder / spec).write_text("0 1\n1 2\n2 3\n4 1\n5 2\n")
        topology, spec = None, (spec, "--p", "3")
        links, endpoints = {(0, 1), (1, 2), (2, 3), (1, 4), (2, 5)}, 18
    else:
        topology, spec = topology_from_spec(spec), (spec,)
        links, endpoints = {*map(tuple, topology.graph.links().tolist())}, topology.endpoints
    found, rows = listed(folder, *spec, "--endpoints")
    # The same links, both ways, and one cable to every endpoint.
    named = [tuple(end[0].split() for end in ends(row)) for row in rows]
    assert Counter((int(a[1]), int(b[1])) for a, b in named if b[0] == "router") == Counter(links)
    assert sorted(int(b[1]) for _, b in named if b[0] == "endpoint") == [*range(endpoints)]
    if topology:
        owners = Counter(int(a[1]) for a, b in named if b[0] == "endpoint")
        assert [owners[router] for router in range(topology.graph.order)] == [*topology.endpoints_per_router]
    # A port holds one cable; the ports of a router are 1, 2, 3, ...; a unit holds one thing.
    taken = [end for row in rows for end in ends(row)]
    ports, places = {}, {}
    for name, rack, unit, port in taken:
        ports.setdefault(name, []).append(int(port))
        places.setdefault(name, set()).add((rack, unit))
    assert all(sorted(held) == [*range(1, len(held) + 1)] for held in ports.values())
    assert all(len(held) == 1 for held in places.values())
    assert len({place for held in places.values() for place in held}) == len(places)
    # Lengths by hand, the shortest that is sold, its medium; numbered from 1; summed up as the command says.
    for number, row in enumerate(rows, start=1):
        assert int(row["cable"]) == number
        assert float(row["metres"]) == pytest.approx(metres(row), abs=1e-9)
        assert float(row["stock_metres"]) == min(sold for sold in STOCK if sold >= float(row["metres"]))
        assert row["medium"] == ("electrical" if float(row["metres"]) <= 8 else "optical")
    media = Counter(row["medium"] for row in rows)
    assert (found["electrical_cables"], found["optical_cables"]) == (media["electrical"], media["optical"])
    assert found["cables"] == len(rows) == len(links) + endpoints
    assert found["cable_metres"] == pytest.approx(sum(float(row["metres"]) for row in rows))
    assert found["bought_metres"] == pytest.approx(sum(float(row["stock_metres"]) for row in rows))
    bought = {(kind["medium"], kind["metres"]): kind["cables"] for kind in found["stock"]}
    assert bought == Counter((row["medium"], float(row["stock_metres"])) for row in rows)


def test_without_endpoints_the_links_alone_are_listed(folder):
    found, rows = listed(folder, "slimfly(q=5,p=4)", "--stock", "2,20", "--electrical", "1.2")
    assert found["cables"] == len(rows) == 175
    assert {row["stock_metres"] for row in rows} == {"2.0", "20.0"}
    assert all((row["medium"] == "electrical") == (float(row["metres"]) <= 1.2) for row in rows)


def test_a_floor_is_changed_by_options_or_by_a_file(folder):
    options = ["--rack", "1x1", "--aisle", "0", "--units", "50", "--overhead", "1", "--tray", "0"]
    asked = document("cable", "slimfly(q=5,p=4)", *options)
    (folder / "own.toml").write_text(
        "rack_width = 1\nrack_depth = 1\noverhead = 1\ntray = 0\nunit_height = 0.04445\nunits = 50\n"
    )
    [row] = document("cable", "slimfly(q=5,p=4)", "--floor", "own.toml")["results"]
    assert row == asked["results"][0]
    assert row["racks"] == 5
    assert asked["parameters"]["floor"]["rack_width"] == 1
    said = call("cable", "slimfly(q=5,p=4)", "--routers-per-rack", "1").stdout
    assert "electrical cables to buy: " in said


def test_the_network_of_a_run_is_cabled(folder):
    ring = ["optimize", "graph", "--n", "12", "--k", "3", "--moves", "50", "-q"]
    call(*ring)
    found, rows = listed(folder, "--run", "1", "--p", "2")
    assert (found["links"], found["endpoints"], len(rows)) == (18, 24, 18)


GRID = "optimize grid --width 8 --height 6 --k 4 --l 6.5m --moves 300 -q"


@pytest.mark.parametrize("seeds", ["1", "1,2"])
def test_a_network_of_a_run_stands_on_its_floor_and_another_one_breaks_its_limit(folder, seeds):
    call(*GRID.split(), "--cabinet", "0.8x1.9", "--overhead", "0.5", "--seeds", seeds)
    run = ("--run", "1" if seeds == "1" else "g1")
    found = document("cable", *run)
    floor, [row] = found["parameters"]["floor"], found["results"]
    assert (floor["rack_width"], floor["rack_depth"], floor["aisle"], floor["overhead"]) == (0.8, 1.9, 0, 0.5)
    assert (row["length_limit_m"], row["cables_beyond_limit"], row["metres_beyond_limit"]) == (6.5, 0, 0)
    assert row["longest_cable_metres"] <= 6.5
    said = call("cable", *run)
    assert "longer than" not in said.stdout
    assert "racks of 0.8 x 1.9 m" in said.stderr

    row, cables = listed(folder, *run, "--floor", "racks42")
    long = [float(cable["metres"]) for cable in cables if float(cable["metres"]) > 6.5]
    assert row["cables_beyond_limit"] == len(long) > 0
    assert row["metres_beyond_limit"] == pytest.approx(max(long) - 6.5)
    words = " ".join(call("cable", *run, "--floor", "racks42").stdout.split())
    assert f"{len(long)} of 96 cables are longer than the 6.5 m that the network was limited to" in words
    assert document("cable", *run, "--overhead", "2")["results"][0]["cables_beyond_limit"] > 0
    measured = ("evaluate", *run, "--measures", "cost")
    [own] = document(*measured)["results"]
    assert (own["cables_beyond_limit"], own["metres_beyond_limit"]) == (0, 0)
    assert "longer than" not in call(*measured).stdout
    measured = (*measured, "--floor", "racks42")
    found = document(*measured)
    check_document(found)
    for name in ("cables_beyond_limit", "metres_beyond_limit"):
        assert found["results"][0][name] == row[name]
    assert f"{len(long)} of 96 cables are longer than the 6.5 m" in " ".join(call(*measured).stdout.split())


def test_a_network_of_a_design_stands_on_the_floor_of_the_design():
    asked = ("torus", "grid", "--endpoints", "20", "--router-radix", "6", "--evaluations", "4")
    rows = document("design", *asked, "--floor", "slimfly2014")["results"]
    found = next(row for row in rows if row["run"] is not None)
    for name in (("g1", "--rank", str(found["rank"])), (str(found["run"]),)):
        assert document("cable", "--run", *name, "--p", "2")["parameters"]["floor"]["name"] == "slimfly2014"


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        ([], 2, "give a network, or a run with --run"),
        (["slimfly(q=5)", "--rank", "1"], 2, "--rank is for the networks of a run"),
        (["slimfly(q=5)", "--room", "2x2"], 3, "expected a room of that width, not 2 m"),
        (["slimfly(q=5)", "--floor", "rack42"], 2, "floor 'rack42' is unknown; did you mean racks42"),
        (["slimfly(q=5)", "--floor", "no.toml"], 4, "no.toml: no such file"),
        (["slimfly(q=5)", "--prices", "own.toml"], 4, "router.dollars_per_port: Field required"),
        (["slimfly(q=5)", "--tray", "-1"], 2, "floor: tray: Input should be greater than or equal to 0"),
        (["slimfly(q=5)", "--stock", "1,2"], 3, "stock lengths up to 2 m: a cable takes"),
        (["slimfly(q=5)", "--stock", "3,2"], 2, "expected metres above 0, each above the one before"),
        (["slimfly(q=5)", "--stock", "1,1e300"], 2, "stock length 1e+300 m: expected at most 1000000 m"),
        (["slimfly(q=5)", "--electrical", "1e300"], 2, "cables.0.up_to_metres: Input should be less than"),
        (["slimfly(q=5)", "--stock", "a"], 2, "expected numbers separated by commas, such as 1,2.5,5"),
        (["slimfly(q=5)", "-o", "missing/cables.csv"], 4, "the folder missing does not exist"),
        (["slimfly(q=5)", "-o", "row.json"], 2, "--cables row.json: expected a name that ends in .csv"),
        (["slimfly(q=5)", "-o", "-"], 2, "--cables -: expected a file, because it is read back"),
        (["slimfly(q=5)", "--p", "3"], 2, "in a spec, p is written in the spec"),
    ],
)
def test_wrong_options_are_refused(folder, arguments, code, reason):
    (folder / "own.toml").write_text("gigabits_per_second = 1\n[router]\ndollars = 1\n")
    said = call("cable", *arguments, code=code).stderr
    assert reason in said
    assert said.count("\n") == 1


def test_any_network_has_a_cost_power_and_latencies(folder):
    (folder / "odd.edges").write_text("0 1\n1 2\n2 3\n3 0\n3 4\n")
    options = ["--p", "2", "--measures", "cost,power,latency", "--floor", "racks42", "--prices", "edr"]
    [row] = document("evaluate", "odd.edges", *options)["results"]
    [cabled], rows = (
        document("cable", "odd.edges", "--p", "2", "-o", "cables.csv", "--endpoints")["results"],
        [],
    )
    rows = [*csv.DictReader((folder / "cables.csv").read_text().splitlines())]
    assert row["cables"] == len(rows) == 15
    assert row["cable_metres"] == cabled["cable_metres"]
    assert row["cost_dollars"] == pytest.approx(
        5 * (128 * 5 + 15029) + sum(100 * (4.3410 + 0.1167 * float(one["metres"])) for one in rows)
    )
    assert row["power_watts"] == pytest.approx(5 * 5 * 2.8)
    assert row["power_per_endpoint"] == row["power_watts"] / 10
    ways = {}
    for one in rows[:5]:
        a, b = (int(end[0].split()[1]) for end in ends(one))
        centimetres = -(-round(float(one["metres"]) * 10**6) // 10**4)
        ways.setdefault(a, []).append((b, 60 + 0.05 * centimetres))
        ways.setdefault(b, []).append((a, 60 + 0.05 * centimetres))
    found = [weighted_latencies(ways.get, source, False) for source in range(5)]
    latencies = [60 + found[a][b] for a in range(5) for b in range(5) if a != b]
    assert row["worst_latency_ns"] == pytest.approx(max(latencies))
    assert row["average_latency_ns"] == pytest.approx(sum(latencies) / 20)


def test_conventions_of_papers_are_options_of_evaluate():
    options = ["--measures", "cost,power", "--convention", "flex2022"]
    [row] = document("evaluate", "flex(nx=6,ny=6,nz=3,p=10)", *options)["results"]
    assert (round(row["cost_dollars"]), row["power_watts"]) == (3_059_532, 9072)
    said = call("evaluate", "slimfly(q=5)", *options, "--prices", "edr", code=2).stderr
    assert "--convention excludes --floor, --prices, --electrical and --sold" in said
    assert "convention 'flax2022' is unknown" in (
        call("evaluate", "slimfly(q=5)", *options[:-1], "flax2022", code=2).stderr
    )
    said = call("evaluate", "slimfly(q=5)", "--floor", "racks42", code=2).stderr
    assert "are for --measures cost, power, latency" in said


def test_all_measures_of_a_network_whose_routers_have_no_price_are_told_but_for_its_cost():
    result = call("evaluate", "hypercube(n=1)", "--measures", "all", "--trials", "6", "--json")
    assert "cost left out: prices fdr10: a router of 2 ports would cost -191.50 $" in result.stderr
    assert "cost_dollars" not in json.loads(result.stdout)["results"][0]


@pytest.mark.parametrize("measure", ["cost", "power", "latency"])
def test_a_long_placing_is_refused_unless_asked_for(monkeypatch, measure):
    monkeypatch.setattr(effort, "MAX_PLACED_ROUTERS", {"native": 10, "numpy": 10})
    network = ("evaluate", "jellyfish(n=12,r=3)", "--measures", measure)
    assert "placing 12 routers on a floor takes minutes" in call(*network, code=2).stderr
    call(*network, "--exact")
    call("evaluate", "torus(dims=4x4)", "--measures", measure)


@pytest.mark.parametrize("spec", ["fattree(k=4)", "torus(dims=3x3,p=2)"])
def test_planes_are_copies_that_share_their_endpoints(folder, spec):
    _, plain = listed(folder, spec, "--endpoints")
    found, rows = listed(folder, spec, "--endpoints", "--planes", "3")
    [evaluated] = document("evaluate", spec, "--planes", "3", "--measures", "cost")["results"]
    for name in ("planes", "total_routers", "total_links", "cables", "cable_metres", "racks"):
        assert found[name] == evaluated[name]
    assert found["cables"] == len(rows) == 3 * len(plain)
    assert len({end for row in rows for end in ends(row)}) == 2 * len(rows)

    def wired(some):
        return {(row["from"], row["from_port"], row["to"], row["to_port"]) for row in some}

    copies = {
        (f"p{plane}-{row['from']}", row["from_port"], to, row["to_port"] if links else str(plane + 1))
        for plane in range(3)
        for row in plain
        for links in [row["to"].startswith("router")]
        for to in [f"p{plane}-{row['to']}" if links else row["to"]]
    }
    assert wired(rows) == copies
    for row in rows:
        assert float(row["metres"]) == pytest.approx(metres(row), abs=1e-9)
    standing = {end[0]: end[1:3] for row in rows for end in ends(row)}
    assert len({*standing.values()}) == len(standing) == 3 * found["order"] + found["endpoints"]


def test_routers_of_planes_are_named(folder):
    words = ("torus(dims=4,p=1)", "--planes", "2", "--endpoints", "--names")
    _, rows = listed(folder, *words, "S{n},endpoint_port=eth{n-1}")
    routers = {row["from"] for row in rows}
    assert routers == {f"p{plane}-S{n}" for plane in (0, 1) for n in range(4)}
    assert [row["to_port"] for row in rows if row["to"] == "endpoint 3"] == ["eth0", "eth1"]
    _, rows = listed(folder, *words, "{unit}-{plane}-{n}")
    assert all(row["from"].split("-")[0] == row["from_unit"] for row in rows)
    (folder / "names.toml").write_text('router = ["a", "b", "c", "d"]\n')
    _, rows = listed(folder, *words, "names.toml")
    assert rows[-1]["from"] == "p1-d"
    assert topoctl.cable("torus(dims=4,p=1)", planes=2).to_records()[-1]["to"] == "p1-router 3"


def test_names_of_one_plane_become_those_of_all(folder):
    named = topoctl.named("torus(dims=4,p=1)", "S{n},port=P{n}")
    rows = topoctl.cable(named, planes=2, endpoints=True).to_records()
    assert (rows[4]["from"], rows[-1]["from_port"], rows[-1]["to_port"]) == ("p1-S0", "P3", 2)
    named = topoctl.named("torus(dims=4,p=1)", "endpoint_port=eth{n}")
    with pytest.raises(InvalidParameters, match="1 of ports of an endpoint, expected 2"):
        topoctl.cable(named, planes=2)
