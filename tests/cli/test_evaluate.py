"""``topoctl evaluate``: its rows, samples, refusals, files."""

import csv
import json

import pytest

import topoctl
from commands import call, check_row, document

RING = "0 1\n1 2\n2 3\n3 0\n"


def test_a_row_holds_every_field_of_the_contract():
    found = document("evaluate", "N14K6[-1,1,3,9](4)")
    (row,) = found["results"]
    check_row(row)
    # 6 neighbours, the other 7 routers two hops away: 14 (6 + 2 * 7) / 2 pairs' hops
    assert (row["diameter"], row["distance_sum"], row["aspl"]) == (2, 140, 20 / 13)
    assert (row["order"], row["size"], row["router_radix"]) == (14, 42, 6 + row["concentration"])
    assert row["moore_order"] == 1 + 6 + 6 * 5
    assert row["moore_percent"] == 100 * 14 / 37
    assert row["semicircle_cut"] == 18
    assert row["family_aspl_gap"] == row["aspl"] - row["family_aspl_bound"]


def test_the_best_of_each_family_come_in_the_order_of_all(folder):
    (folder / "ring.edges").write_text(RING)
    names = ["torus(dims=4x4)", "torus(dims=16)", "torus(dims=8x2)", "hypercube(n=4)", "ring.edges"]
    for sort in ("diameter,aspl", "-aspl"):
        whole = document("evaluate", *names, "--sort", sort)
        found = document("evaluate", *names, "--sort", sort, "--each", "2")
        families = [row["family"] for row in whole["results"]]
        kept = [
            row
            for place, row in enumerate(whole["results"])
            if families[:place].count(row["family"]) < 2  # of the rows before it
        ]
        for rank, row in enumerate(kept, 1):
            row["rank"] = rank
        assert found["results"] == kept
        assert (len(kept), found["beyond_each"], whole["beyond_each"]) == (4, 1, 0)
    printed = call("evaluate", *names, "--each", "1").stdout
    assert "left out by --each 1: 2, which rank lower in their families" in printed.splitlines()


def test_the_same_network_by_two_names_is_told(folder):
    call("export", "hypercube(n=4)", "-o", "cube.graphml")
    names = ["torus(dims=4x4)", "mesh(dims=2x2x2x2)", "torus(dims=3x3)", "hypercube(n=4)", "cube.graphml"]
    found = document("evaluate", *names, "--sort", "-order")["results"]
    same = {row["spec"] or row["file"]: row.get("same_as") for row in found}
    first = next(row for row in found if row["spec"] == "mesh(dims=2x2x2x2)")["rank"]
    assert same == {
        **dict.fromkeys(("torus(dims=4x4)", "torus(dims=3x3)", "mesh(dims=2x2x2x2)")),
        **dict.fromkeys(("hypercube(n=4)", "cube.graphml"), first),
    }
    ranks = f"the same network, by rank: {first}, {first + 1} and {first + 2}"
    assert ranks in call("evaluate", *names, "--sort", "-order").stdout
    other = document("evaluate", "mesh(dims=2x2x2x2)", "hypercube(n=4,p=2)")["results"]
    assert not any("same_as" in row for row in other)  # other endpoints
    listed = document("enumerate", "mesh", "hypercube", "--order", "16", "--balanced")["results"]
    assert sum("same_as" in row for row in listed) == 1


def test_files_and_standard_input_are_measured(folder):
    (folder / "ring.edges").write_text(RING)
    from_file, from_input = document("evaluate", "ring.edges", "-", "--p", "3", text=RING)["results"]
    assert from_file["file"] == "ring.edges"
    assert from_file["spec"] is None
    assert (from_file["family"], from_file["endpoints"], from_file["diameter"]) == ("graph", 12, 2)
    assert from_input["aspl"] == from_file["aspl"] == 4 / 3


def test_a_disconnected_graph_has_no_distances():
    (row,) = document("evaluate", "-", text="0 1\n2 3\n")["results"]
    assert row["connected"] is False
    assert row["diameter"] is None
    assert row["aspl"] is None
    assert "not connected" in call("evaluate", "-", text="0 1\n2 3\n").stdout


def test_a_sample_is_called_one():
    ring = "".join(f"{router} {(router + 1) % 1000}\n" for router in range(1000))
    found = document("evaluate", "-", "--sources", "128", text=ring)
    (row,) = found["results"]
    assert found["seed"] == 1
    assert row["sampled"] is True
    assert row["sources"] == 128
    assert row["diameter"] is None
    assert row["diameter_at_least"] <= 500
    assert abs(row["aspl"] - 250_000 / 999) <= row["aspl_half_width"] + 1e-9


def test_a_long_measurement_is_refused_unless_asked_for(monkeypatch):
    from topoctl.analysis import effort

    monkeypatch.setattr(effort, "EXACT_EFFORT", {"native": 10, "numpy": 10})
    refusal = call("evaluate", "-", text=RING, code=2).stderr
    assert "--sources" in refusal
    assert "--exact" in refusal
    assert document("evaluate", "-", "--exact", text=RING)["results"][0]["diameter"] == 2


def test_output_files_hold_what_is_printed(folder):
    printed = document("evaluate", "N14K6[-1,1,3,9](4)", "--output", "row.json")
    assert json.loads((folder / "row.json").read_text()) == printed
    call("evaluate", "N14K6[-1,1,3,9](4)", "--output", "row.csv")
    (row,) = csv.DictReader((folder / "row.csv").read_text().splitlines())
    assert float(row["aspl"]) == printed["results"][0]["aspl"]
    assert json.loads(row["parameters"]) == printed["results"][0]["parameters"]
    assert sorted(path.name for path in folder.iterdir()) == ["row.csv", "row.json"]


SQUARE = "# layout: grid 2x2, length limit 2\n0 1\n1 3\n2 3\n0 2\n"


def test_a_network_on_a_floor_is_compared_with_its_bounds(folder):
    (folder / "square.edgelist").write_text(SQUARE)
    (row,) = document("evaluate", "square.edgelist", "--p", "2")["results"]
    assert (row["layout"], row["width"], row["height"], row["endpoints"]) == ("grid", 2, 2, 8)
    assert (row["length_limit"], row["longest_link"], row["mean_link_length"]) == (2, 1, 1.0)
    assert (row["layout_diameter_bound"], row["layout_aspl_bound"]) == (2, 4 / 3)
    assert (row["layout_aspl_gap"], row["graph_golf_gap_percent"]) == (0, 0)
    assert "layout gap" in call("evaluate", "square.edgelist").stdout
    assert "layout" not in call("evaluate", "N14K6[-1,1,3,9](4)").stdout


def test_a_floor_whose_routers_are_not_connected_has_no_gap(folder):
    (folder / "pairs.edges").write_text("0,0 1,0\n0,1 1,1\n")
    (row,) = document("evaluate", "pairs.edges")["results"]
    assert (row["connected"], row["longest_link"], row["length_limit"]) == (False, 1, None)
    assert row["layout_diameter_bound"] is row["layout_aspl_gap"] is row["graph_golf_gap_percent"] is None


def test_planes_multiply_what_is_bought_and_carried():
    words = ("fattree(k=8,levels=2)", "--measures", "cost,power,loads,latency", "--floor", "slimfly2014")
    [plain] = document("evaluate", *words)["results"]
    rows = document("evaluate", *words, "--planes", "1,2,3")["results"]
    assert [row["planes"] for row in rows] == [1, 2, 3]
    for row in rows:
        n = row["planes"]
        assert (row["total_routers"], row["total_links"]) == (n * plain["order"], n * plain["size"])
        assert row["throughput_in_ports"] == n * plain["uniform_throughput"]
        assert row["power_watts"] == pytest.approx(n * plain["power_watts"])
        for name in ("router_dollars", "cables"):
            assert row[name] == n * plain[name]
        for name in ("order", "endpoints", "distance_sum", "uniform_throughput", "average_latency_ns"):
            assert row[name] == plain[name]
        assert "same_as" not in row
    # Racks of that floor have no units: those of all planes stand where those of one do.
    assert rows[2]["cable_metres"] == pytest.approx(3 * plain["cable_metres"])
    assert {name: value for name, value in rows[0].items() if name in plain and name != "rank"} == {
        name: value for name, value in plain.items() if name != "rank"
    }


def test_planes_in_cabinets_in_a_file_and_in_python(folder):
    words = ("mesh(dims=4x4,p=1)", "--cabinet", "0.6x2.1")
    one, three = document("evaluate", *words, "--planes", "1,3")["results"]
    assert three["power_watts"] == 3 * one["power_watts"]
    assert "wrote" in call("evaluate", words[0], "--planes", "1,3", "--graph", "mesh.edges").stderr
    assert [row["planes"] for row in topoctl.evaluate(words[0], planes=(2, 4)).to_records()] == [2, 4]


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (("--planes", "0"), "--planes 0: expected 1..64"),
        (("--planes", "2,2"), "--planes 2,2: expected each number once"),
        (("--planes", "2", "--fail", "links=1"), "all planes are alike"),
        (("--planes", "2", "--measures", "cost", "--convention", "slimfly2014"), "papers price one plane"),
    ],
)
def test_planes_that_cannot_be_are_refused(words, refusal):
    assert refusal in call("evaluate", "slimfly(q=3)", *words, code=2).stderr


def test_what_may_fail_is_said_to_be_of_one_plane():
    asked = ("evaluate", "slimfly(q=4,p=1)", "--measures", "resilience", "--planes")
    said = "what may fail is told of one plane"
    assert said in call(*asked, "1,2").stdout
    assert said not in call(*asked, "1").stdout
