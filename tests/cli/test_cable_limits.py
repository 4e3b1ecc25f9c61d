"""``--l`` in metres, of ``optimize grid`` and ``bounds grid``: no cable is longer."""

import numpy as np
import pytest

import topoctl
from cable_limits import cable
from commands import call, document
from kernels.backends import BACKENDS, only
from topoctl.cable_limit import CableLimit
from topoctl.formats import read_topology

pytestmark = pytest.mark.once

FLOOR = "--width 8 --height 6 --k 4"
GRID = f"optimize grid {FLOOR} --moves 400 --no-study"
OBLONG = CableLimit(6500, 600, 2100, 2000)


def found_by(line):
    return document(*line.split())


def longest(file, limit):
    """By the definition, link by link."""
    topology = read_topology(file)
    return max(cable(topology.layout, limit, *link) for link in topology.graph.links().tolist())


@pytest.mark.parametrize("objective", ["aspl", "latency", "power"])
@pytest.mark.parametrize("layout", ["grid", "diagrid"])
def test_no_cable_is_longer_than_the_limit(folder, layout, objective):
    options = f"--layout {layout} --objective {objective} --cabinet 0.6x2.1 --overhead 1"
    found = found_by(f"{GRID} {options} --l 6.5m --graph a.edges")
    best = found["results"][0]
    assert longest(folder / "a.edges", OBLONG) == 1000 * best["longest_cable_metres"] <= 6500
    asked = found["parameters"]
    assert (asked["length_limit"], asked["length_limit_m"], asked["cabinet"]) == (None, 6.5, [0.6, 2.1])
    assert (best["length_limit"], best["length_limit_m"]) == (None, 6.5)
    assert best["electric_cable_percent"] == 100
    bounds = found_by(f"bounds grid --layout {layout} {FLOOR} --l 6.5m")
    (bound,) = bounds["results"]
    assert bound["length_limit_m"] == bounds["parameters"]["length_limit_m"] == 6.5
    assert (bounds["parameters"]["cabinet"], bounds["parameters"]["overhead"]) == ([0.6, 2.1], 1)
    for name in ("layout_diameter_bound", "layout_aspl_bound"):
        assert bound[name] == best[name]
    assert best["layout_aspl_bound"] <= best["aspl"]
    assert best["latency_lower_bound_ns"] <= best["average_latency_ns"]


@pytest.mark.parametrize("objective", ["aspl", "latency"])
def test_metres_between_cabinets_of_a_metre_find_what_steps_find(folder, objective):
    asked = f"{GRID} --objective {objective} --cabinet 1x1"
    found_by(f"{asked} --l 3 --graph steps.edges")
    found_by(f"{asked} --l 3.5m --graph metres.edges")
    assert (folder / "steps.edges").read_text() == (folder / "metres.edges").read_text()


def test_either_backend_finds_the_same(folder):
    for name in BACKENDS:
        with only(name):
            found_by(f"{GRID} --l 6.5m --graph {name}.edges")
    assert len({path.read_text() for path in folder.glob("*.edges")}) == 1


def test_a_quarter_turn_needs_square_cabinets():
    asked = "optimize grid --width 6 --height 6 --k 4 --moves 300 --no-study"
    square = found_by(f"{asked} --symmetry 4 --l 3m --cabinet 0.8x0.8")
    assert square["results"][0]["symmetry"] == 4
    refused = call(*f"{asked} --symmetry 4 --l 7m".split(), code=2).stderr
    assert "--symmetry 4: a quarter turn needs square cabinets" in refused
    assert {row["symmetry"] for row in found_by(f"{asked} --l 7m")["results"]} <= {1, 2}


def test_a_study_keeps_the_limit_and_a_start_file_is_held_to_it(folder):
    first = found_by(f"optimize grid {FLOOR} --moves 800 --l 6.5m --graph a.edges")
    said = call(*f"optimize grid {FLOOR} --moves 9 --l 6.5m --graph b.edgelist --no-study".split()).stderr
    for told in (said, call(*f"bounds grid {FLOOR} --l 6.5m".split()).stderr):
        assert "no --cabinet: 0.6x2.1 m, 1 m of cable at each end" in told
    assert "edge list holds no length limit in metres; left out: length limit 6.5 m" in said.replace(
        "\n", " "
    )
    assert found_by("runs resume 1") == first
    (again,) = found_by("evaluate --run 1")["results"]
    best = first["results"][0]
    for name in ("length_limit_m", "longest_cable_metres", "layout_aspl_bound", "layout_diameter_bound"):
        assert again[name] == best[name]
    assert found_by("runs list")["results"][0]["length_limit_m"] == 6.5
    better = found_by(f"optimize grid --start a.edges --l {best['longest_cable_metres']}m --moves 300")
    assert better["results"][0]["distance_sum"] <= best["distance_sum"]
    refused = call(*["optimize", "grid", "--start", "a.edges", "--l", "4.2m", "--moves", "9"], code=4).stderr
    assert "m long, expected at most 4.2 m" in refused.replace("\n", " ")
    swept = found_by(f"sweep optimize grid {FLOOR} --moves 300 --vary l=5m,6.5m --no-study")
    assert [row["length_limit_m"] for row in swept["results"]] == [5, 6.5]


def test_lengths_are_said_in_python_as_in_commands(folder):
    found = topoctl.optimize_grid(width=8, height=6, k=4, l="6.5m", moves=400, top=1)
    (row,) = found.to_records()
    assert row["length_limit_m"] == 6.5
    links = found[0].topology.graph.links()
    assert OBLONG.lengths(found[0].topology.layout, links).max() == 1000 * row["longest_cable_metres"]
    assert found.document["results"] == found_by(f"{GRID} --top 1 --l 6.5m")["results"]
    bound = topoctl.bounds(width=8, height=6, k=4, l="6.5m")
    assert np.isclose(bound["layout_aspl_bound"], row["layout_aspl_bound"])


@pytest.mark.parametrize(
    ("line", "code", "reason"),
    [
        (f"optimize grid {FLOOR} --moves 9 --l -3m", 2, "--l '-3m': expected steps of the layout, such as 6"),
        (f"optimize grid {FLOOR} --moves 9 --l 10.m", 2, "or metres of cable, such as 7.5m"),
        (f"optimize grid {FLOOR} --moves 9 --l 950cm", 2, "--l '950cm': expected steps"),
        (f"optimize grid {FLOOR} --moves 9 --l 0m", 2, "--l 0.0: expected 1 mm to"),
        (f"optimize grid {FLOOR} --moves 9 --l 7.00001m", 2, "in whole millimetres"),
        (f"optimize grid {FLOOR} --moves 9 --l 0.1m", 3, "--l 0.1m: expected at least 4.1m, which connects"),
        (f"optimize grid {FLOOR} --moves 9 --l 4m --cabinet 1x9", 3, "expected at least 9m"),
        ("optimize graph --n 50 --k 4 --l 10m", 2, "no such option --l"),
        (f"bounds grid {FLOOR} --l 2m --cabinet 3x1", 3, "--l 2m: expected at least 3m"),
        (f"bounds grid {FLOOR} --l 3 --cabinet 1x1", 2, "--l 3: with cabinets, expected metres, such as 3m"),
        (f"bounds grid {FLOOR} --l m", 2, "--l 'm': expected steps"),
        (
            "bounds grid --width 9 --height 9 --balanced --overhead 1",
            2,
            "it goes without --k, --l, --cabinet",
        ),
    ],
)
def test_wrong_lengths_are_refused(folder, line, code, reason):
    said = call(*line.split(), code=code).stderr
    assert reason in said.replace("\n", " ")


def test_a_network_of_a_run_stands_on_the_floor_of_the_run(folder):
    (found,) = found_by(f"{GRID} --l 7m --cabinet 1x2 --overhead 2 --top 1".replace(" --no-study", ""))[
        "results"
    ]
    line = "evaluate --run 1 --measures cost,latency"
    own = found_by(line)
    (row,) = own["results"]
    assert own["parameters"]["floor"]["rack_depth"] == 2
    assert row["average_latency_ns"] == found["average_latency_ns"]
    assert row["floor_depth"] >= 6 * 2
    (cabled,) = found_by("cable --run 1")["results"]
    assert row["cable_metres"] == cabled["cable_metres"]
    assert "floor of run 1: racks of 1 x 2 m" in call(*line.split()).stderr
    other = found_by(f"{line} --floor racks42")
    assert other["results"][0]["cable_metres"] != row["cable_metres"]
    assert other["parameters"]["floor"]["name"] == "racks42"
