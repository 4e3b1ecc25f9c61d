"""``topoctl route``: its rows, its files, and one line for every bad input."""

import csv
import json

import numpy as np
import pytest

from commands import call, document
from topoctl.families import topology_from_spec
from topoctl.routing import ROUTINGS
from topoctl.routing.channels import Certificate, fault_in

pytestmark = pytest.mark.once

DRAGONFLY = "dragonfly(p=2,a=4,h=2)"


def test_a_row_for_every_routing_and_pattern():
    found = document("route", DRAGONFLY, "--routing", "ecmp,lowest", "--traffic", "uniform,tornado")
    rows = found["results"]
    assert [(row["routing"], row["traffic"]) for row in rows] == [
        *(("ecmp", "uniform"), ("ecmp", "tornado")),
        *(("lowest", "uniform"), ("lowest", "tornado")),
    ]
    for row in rows:
        assert row["throughput"] == pytest.approx(1 / row["max_channel_load"])
        assert row["mean_channel_load"] <= row["max_channel_load"]
        assert row["deadlock_free"] is True
        assert row["deadlock_cycle"] is None
        assert row["virtual_channels"] == 2
    assert rows[0]["mean_channel_load"] == pytest.approx(rows[2]["mean_channel_load"])


def test_no_channel_is_asked_for_the_way_to_the_farthest_router_and_back():
    asked = ("route", "torus(dims=4x4)", "--routing", "valiant,ugal-l,ugal-g", "--vcs")
    for vcs in ("auto", "4"):
        rows = document(*asked, vcs)["results"]
        assert [(row["virtual_channels"], row["deadlock_free"]) for row in rows] == 3 * [(4, True)]
    assert "3 virtual channels: expected 4 or more" in call(*asked, "3", code=2).stderr


def test_sizes_of_tables_are_told():
    by_name = {
        row["routing"]: (row["table_entries"], row["table_bits"], row["mean_next_hops"])
        for row in document("route", "N14K6[-1,1,3,9](4)", "--routing", "ecmp,lowest", "--vcs", "none")[
            "results"
        ]
    }
    # 24 next hops: Liang et al.'s table of one router, which all others read relative to themselves.
    assert by_name == {"ecmp": (24, 13 * 6, pytest.approx(24 / 13)), "lowest": (13, 13 * 3, 1)}


def test_uniform_loads_are_those_that_evaluate_measures():
    [row] = document("route", DRAGONFLY, "--vcs", "none")["results"]
    [measured] = document("evaluate", DRAGONFLY, "--measures", "loads")["results"]
    assert row["throughput"] == pytest.approx(measured["uniform_throughput"], rel=1e-9)
    assert row["virtual_channels"] is None
    assert row["deadlock_free"] is None


def test_all_routings_are_those_for_the_network_and_the_others_are_named():
    result = call("route", DRAGONFLY, "--routing", "all", "--vcs", "none", "--json")
    rows = json.loads(result.stdout)["results"]
    assert {"ecmp", "lowest", "valiant", "dragonfly"} <= {row["routing"] for row in rows}
    [line] = [line for line in result.stderr.splitlines() if line.startswith("left out")]
    assert {*line.partition(": ")[2].split(", ")} == {*ROUTINGS} - {row["routing"] for row in rows}


def test_a_cycle_is_told_where_packets_can_deadlock():
    [row] = document("route", "torus(dims=5x5)", "--routing", "lowest", "--vcs", "one")["results"]
    cycle = row["deadlock_cycle"]
    assert row["deadlock_free"] is False
    for (_, _, head), (_, tail, _) in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        assert head == tail


def test_files_hold_what_was_routed(folder):
    arguments = ["route", DRAGONFLY, "--routing", "lowest", "--traffic", "uniform,hotspot(percent=5)"]
    said = call(
        *(*arguments, "--tables", "next.csv", "--loads", "loads.csv", "--certificate", "proof.npz", "--json"),
    )
    rows = json.loads(said.stdout)["results"]
    assert said.stderr.count("wrote ") == 3
    loads = [*csv.DictReader((folder / "loads.csv").read_text().splitlines())]
    assert len(loads) == 2 * 180
    for row in rows:
        carried = [float(line["load"]) for line in loads if line["traffic"] == row["traffic"]]
        assert max(carried) == row["max_channel_load"]
    lines = (folder / "next.csv").read_text().splitlines()
    assert len(lines) == 1 + 36 * 35
    routes = ROUTINGS["lowest"].routes(topology_from_spec(DRAGONFLY))
    certificate = Certificate.read(folder / "proof.npz")
    assert fault_in(certificate, routes) is None
    assert certificate.numbers.shape == (2, 180)
    assert fault_in(Certificate(certificate.scheme, certificate.table, -certificate.numbers), routes)


@pytest.mark.parametrize(
    ("routing", "scheme"),
    [
        ("ecmp", "segments"),
        ("ecmp", "hops"),
        ("valiant", "segments"),
        ("lowest", "destination-layers"),
        ("lowest", "pair-layers"),
    ],
)
@pytest.mark.parametrize("suffix", [".csv", ".npz"])
def test_packets_that_follow_the_tables_of_channels_rise_in_the_certificate(folder, routing, scheme, suffix):
    file, arguments = f"channels{suffix}", ("--vcs", scheme, "--certificate", "proof.npz", "-q")
    document("route", DRAGONFLY, "--routing", routing, *arguments, "--channels", file)
    if suffix == ".csv":
        header, *lines = (folder / file).read_text().splitlines()
        rows = [dict(zip(header.split(","), map(int, line.split(",")), strict=True)) for line in lines]
    else:
        with np.load(folder / file) as arrays:
            rows = [dict(zip(arrays, row, strict=True)) for row in zip(*arrays.values(), strict=True)]
    topology = topology_from_spec(DRAGONFLY)
    certificate = Certificate.read(folder / "proof.npz")
    if scheme.endswith("layers"):
        assert len(rows) == (36 if scheme.startswith("dest") else 36 * 35)
        assert {row["channel"] for row in rows} == {*range(certificate.count)}
        return
    links = {*map(tuple, topology.graph.links().tolist())}
    arcs = sorted([*links, *((b, a) for a, b in links)])
    numbers = {
        (arc, channel): certificate.numbers[channel, place]
        for place, arc in enumerate(arcs)
        for channel in range(certificate.count)
    }
    starts = [row for row in rows if row["from"] == -1]
    assert sorted((row["router"], row["to"]) for row in starts) == arcs
    assert {row["next_channel"] for row in starts} == {0}
    turns = [row for row in rows if row["from"] != -1 and row["from"] != row["to"]]
    for row in turns:
        before = numbers[(row["from"], row["router"]), row["channel"]]
        assert before < numbers[(row["router"], row["to"]), row["next_channel"]]
    # A packet in the first channel may go on everywhere.
    assert sum(row["channel"] == 0 for row in turns) == 36 * 5 * 4


def test_a_matrix_of_a_file_is_sent(folder):
    matrix = np.zeros((16, 16))
    matrix[0, 5] = 0.5
    np.savetxt(folder / "demand.csv", matrix, delimiter=",")
    [row] = document("route", "torus(dims=4x4)", "--traffic", "demand.csv", "--vcs", "none")["results"]
    assert (row["traffic"], row["max_hops"], row["throughput"]) == ("demand.csv", 2, 4.0)


def test_names_may_be_in_capitals_and_a_file_of_traffic_may_have_commas(folder):
    np.savetxt(folder / "a, b (c).csv", np.eye(4, k=1), delimiter=",")
    asked = ("route", "torus(dims=4)", "--routing", "DOR,Ecmp", "--vcs", "AUTO", "--traffic", "a, b (c).csv")
    rows = document(*asked)["results"]
    assert [(row["routing"], row["traffic"]) for row in rows] == [
        ("dor", "a, b (c).csv"),
        ("ecmp", "a, b (c).csv"),
    ]
    assert len(document("route", "mesh(dims=2x2)", "--traffic", "ALL", "--vcs", "NONE")["results"]) > 10


def test_what_tables_of_two_legs_are_is_said(folder):
    said = call("route", DRAGONFLY, "--routing", "valiant", "--tables", "next.csv", "--vcs", "none").stderr
    assert "next hops of each leg" in said


def test_a_network_without_a_name_is_called_after_its_run(folder):
    asked = ("--width", "3", "--height", "3", "--k", "3", "--l", "2", "--moves", "100")
    call("optimize", "grid", *asked, "--study", "s.db", "-q")
    shown = call("route", "--run", "1", "--p", "1", "--study", "s.db").stdout
    assert "graph-9-3 (run 1): 9 routers" in shown


def test_a_network_of_a_run(folder):
    call("search", "equality", "--n", "32", "--k", "4", "--evaluations", "100", "--study", "s.db", "-q")
    [row] = document("route", "--run", "1", "--rank", "2", "--study", "s.db")["results"]
    assert row["order"] == 32
    assert row["spec"].startswith("N32K4")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 2, "give a network, or a run with --run"),
        ((DRAGONFLY, "--rank", "2"), 2, "--rank is for the networks of a run"),
        ((DRAGONFLY, "--routing", "emcp"), 2, "routing 'emcp' is unknown; did you mean ecmp?"),
        ((DRAGONFLY, "--routing", "dor"), 2, "expected one of mesh, torus"),
        ((DRAGONFLY, "--traffic", "unifrom"), 2, "did you mean uniform?"),
        ((DRAGONFLY, "--traffic", "small.csv"), 4, "small.csv"),
        ((DRAGONFLY, "--traffic", "negative.csv"), 4, "negative.csv"),
        (("two.edges", "--p", "1"), 2, "a disconnected network of 2 parts"),
        (("one.edges",), 2, "endpoints"),
        (("hypercube(n=15)",), 2, "routing looks at 1.6e+10 shares of links"),
        ((DRAGONFLY, "--vcs", "1"), 2, "ecmp: 1 virtual channel: expected 2 or more"),
        ((DRAGONFLY, "--vcs", "0"), 2, "0 virtual channels: expected 1 or more"),
        ((DRAGONFLY, "--vcs", "-1"), 2, "-1 virtual channels: expected 1 or more"),
        ((DRAGONFLY, "--vcs", "many"), 2, "virtual channels by 'many': unknown; expected one of auto, none"),
        (("hypercube(n=15)", "--vcs", "many"), 2, "virtual channels by 'many': unknown"),
        (("jellyfish(n=200,r=20,p=10)", "--best"), 2, "--best: the best routing is a linear program of"),
        ((DRAGONFLY, "--tables", "next.doc"), 2, "expected a name that ends in"),
        ((DRAGONFLY, "--tables", "no/next.csv"), 4, "no"),
        ((DRAGONFLY, "--tables", "next.lfts"), 2, "holds one port a destination"),
        ((DRAGONFLY, "--routing", "ecmp,lowest", "--tables", "next.csv"), 2, "holds one routing"),
        ((DRAGONFLY, "--loads", "loads.txt"), 2, "expected a name that ends in .csv"),
        ((DRAGONFLY, "--certificate", "proof.npz", "--vcs", "none"), 2, "excludes --vcs none"),
        ((DRAGONFLY, "--channels", "channels.csv", "--vcs", "none"), 2, "excludes --vcs none"),
        ((DRAGONFLY, "--channels", "channels.txt"), 2, "expected a name that ends in .csv, .npz or .conf"),
        (
            (DRAGONFLY, "--routing", "dragonfly", "--channels", "c.csv", "--vcs", "own"),
            2,
            "--tables holds them",
        ),
        (
            [
                "torus(dims=4x4)",
                "--routing",
                "dor",
                "--tables",
                "t.csv",
                "--certificate",
                "p.npz",
                "--channels",
                "c.npz",
            ],
            2,
            "--tables holds them",
        ),
        (("torus(dims=4x4)", "--certificate", "proof.npz", "--vcs", "one"), 2, "can deadlock"),
    ],
)
def test_bad_input_is_one_line(folder, arguments, code, said):
    (folder / "two.edges").write_text("0 1\n2 3\n")
    (folder / "one.edges").write_text("0 1\n")
    (folder / "small.csv").write_text("0,1\n1,0\n")
    np.savetxt(folder / "negative.csv", -np.eye(72, k=1), delimiter=",")
    before = {*folder.iterdir()}
    result = call("route", *arguments, code=code)
    [line] = [line for line in result.stderr.splitlines() if line.startswith("error")]
    assert said in line
    assert {*folder.iterdir()} == before
