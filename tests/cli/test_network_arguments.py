"""What an argument of ``evaluate`` and ``plot`` means: a spec or a file."""

import json
import re

import pytest

from commands import call, document
from oracles import table
from properties import THOROUGH
from topoctl.families import topology_from_spec

SPEC, RING = "N14K6[-1,1,3,9](4)", "0 1\n1 2\n2 3\n3 0\n"
LONG = f"N1400K60[{','.join(map(str, [-1, *range(1, 119, 2)]))}]()"


def test_every_network_of_the_paper_is_measured_by_the_command():
    rows = table("equality_table3.tsv")
    assert max(len(row["spec"]) for row in rows) > 255, "no longer than the name of a file may be"
    rows = [row for row in rows if THOROUGH or int(row["routers"]) <= 20_000]
    found = document("evaluate", *(row["spec"] for row in rows))["results"]
    measured = {ours["spec"]: ours for ours in found}
    assert len(measured) == len(rows)
    for row in rows:
        ours = measured[topology_from_spec(row["spec"]).spec]
        assert (ours["order"], ours["network_radix"]) == (int(row["routers"]), int(row["network_radix"]))
        assert ours["diameter"] == int(row["diameter"])
        assert round(ours["aspl"], 6) == float(row["aspl"])
        assert round(ours["moore_percent"], 5) == float(row["moore_percent"])
        assert ours["semicircle_cut"] == int(row["semicircle_cut"])


def test_the_networks_as_the_paper_prints_them_are_measured():
    specs = [row["configuration"] for row in table("equality_table3_printed.tsv")]
    orders = [int(re.search(r"\d+", spec)[0]) for spec in specs]
    for spec in [spec for spec, order in zip(specs, orders, strict=True) if THOROUGH or order <= 5_000]:
        assert "File name" not in call("evaluate", spec, code=(0, 2)).stderr


def test_a_spec_longer_than_a_file_name_is_drawn():
    assert document("plot", LONG, "-o", "long.png")["results"][0]["order"] == 1400


@pytest.mark.parametrize(
    "text", ["x" * 5000, "x" * 5000 + ".edges", "a\0b", "a\0b.edges", "a\0(b)", "(" * 5000]
)
def test_no_text_is_too_odd_to_be_asked_for(text):
    assert len(call("evaluate", text, code=(2, 4)).stderr.splitlines()) == 1


def test_a_spec_is_no_file_even_where_one_has_its_name(folder):
    (folder / SPEC).write_text(RING)
    assert document("evaluate", SPEC)["results"][0]["spec"] == SPEC
    assert document("evaluate", f"./{SPEC}")["results"][0]["order"] == 4
    (folder / "torus(1).edges").write_text(RING)
    assert document("evaluate", "torus(1).edges")["results"][0]["order"] == 4
    assert "no such file" in call("evaluate", "./torus(2).edges", code=4).stderr


@pytest.mark.parametrize(
    "words",
    [
        ("evaluate", "many.json", "--measures", "latency"),
        ("cable", "many.json", "-o", "cables.csv"),
        ("export", "many.json", "-o", "many.anynet"),
        ("export", "many.json", "-o", "many.orp"),
        *(
            ("route", "many.json", "--traffic", name)
            for name in ("permutation", "tornado", "shift", "hotspot")
        ),
    ],
)
def test_more_endpoints_than_can_be_listed_are_refused_before_any_list(folder, words):
    nodes = [{"id": router, "endpoints": 10**8} for router in range(3)]
    links = [{"source": 0, "target": 1}, {"source": 1, "target": 2}]
    (folder / "many.json").write_text(json.dumps({"nodes": nodes, "links": links}))
    (line,) = call(*words, "--quiet", code=2).stderr.splitlines()
    assert "300000000 endpoints, one by one: expected at most 10000000" in line
    (row,) = document("route", "many.json")["results"]
    assert row["endpoints"] == 3 * 10**8
