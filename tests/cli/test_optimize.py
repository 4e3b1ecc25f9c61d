"""``topoctl optimize`` as its user sees it."""

import json

import pytest

from commands import call, document
from other_graphs import other_file
from properties import rest_thorough
from topoctl.analysis.distances import measure
from topoctl.cli.commands.optimize_grid import optimize_grid
from topoctl.formats import read_topology
from topoctl.search.annealing import structured_replicas
from topoctl.search.annealing.objectives import OBJECTIVES

MESH = "".join(
    f"{x},{y} {x + a},{y + b}\n"
    for y in range(4)
    for x in range(4)
    for a, b in ((1, 0), (0, 1))
    if x + a < 4 and y + b < 4
)


def printed(line, code=0):
    return call(*line.split(), code=code)


def found_by(line):
    return document(*line.split())


def test_a_grid_is_found_written_and_measured_again():
    found = found_by("optimize grid --width 6 --height 6 --k 4 --l 3 --moves 3000 --graph b.edges")
    assert found["command"] == "optimize grid"
    best = found["results"][0]
    assert (best["order"], best["network_radix"], best["file"]) == (36, 4, "b.edges")
    assert best["aspl"] >= best["layout_aspl_bound"]
    assert best["diameter"] >= best["layout_diameter_bound"]
    again = found_by("evaluate b.edges")["results"][0]
    for name in ("diameter", "distance_sum", "layout", "width", "height", "longest_link", "mean_link_length"):
        assert again[name] == best[name]


def test_a_target_diameter_that_is_missed_is_said_to_be_with_what_is_left():
    command = "optimize grid --width 10 --height 10 --k 4 --l 4 --target-diameter 5 --moves 100"
    best = found_by(f"{command} --graph b.edges --no-study")["results"][0]
    assert best["wanted_diameter"] == 5 < best["diameter"]
    distances = measure(read_topology("b.edges").graph)
    assert best["pairs_beyond_wanted"] == sum(distances.histogram[5:])
    said = "target diameter 5: not reached; pairs of the best that are further apart: "
    assert f"{said}{best['pairs_beyond_wanted']:,}" in printed(f"{command} --no-study").stdout
    reached = printed(command.replace("diameter 5", "diameter 9") + " --no-study").stdout
    assert "not reached" not in reached


def test_every_objective_is_a_choice():
    (option,) = (one for one in optimize_grid.params if one.name == "objective")
    assert [*option.type.choices] == [*OBJECTIVES]


def test_a_bare_command_runs_the_paper_s_instance():
    result = printed("optimize grid --moves 500 --json")
    parameters = json.loads(result.stdout)["parameters"]
    assert [parameters[name] for name in ("width", "height", "degree", "length_limit")] == [10, 10, 4, 3]
    assert "preset grid/10x10-k4-l3" in result.stderr
    result = printed("optimize grid --layout diagrid --moves 500 --json")
    assert json.loads(result.stdout)["results"][0]["family"] == "diagrid"


def test_an_optimum_is_said_to_be_one():
    result = printed("optimize grid --width 4 --height 4 --k 3 --l 2 --moves 20000 --no-study")
    assert (
        "the best meets the bound: no network with these ports and lengths has shorter paths" in result.stdout
    )
    found = found_by("optimize graph --n 10 --k 3 --moves 1000000 --no-study")
    assert found["results"][0]["meets_bound"] is True


def test_a_bound_that_leaves_a_port_free_is_told_beside_the_gap():
    result = printed("optimize graph --n 7 --k 3 --moves 1000 --no-study")
    [row] = json.loads(printed("optimize graph --n 7 --k 3 --moves 1000 --top 1 --no-study --json").stdout)[
        "results"
    ]
    assert row["aspl_gap"] > 0
    assert f"the best meets the bound, ASPL {row['aspl']:.5f} where one port must stay free" in result.stdout


def test_a_bound_of_fewer_ports_than_were_asked_for_is_no_bound_of_all():
    result = printed("optimize graph --n 15 --k 3 --symmetry 15 --moves 100 --no-study")
    assert "the best meets the bound: no network with 2 ports a router, of the 3 asked for," in result.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "grid --width 5 --height 5 --k 6 --l 2",
            "4 of 25 routers cannot have 6 links: the one at 0,0 has 5 routers",
        ),
        ("grid --width 5 --height 5 --k 3 --l 2", "25 routers cannot all have 3 links: one gets 2"),
        (
            "grid --width 4 --height 3 --k 4 --l 1",
            "10 of 12 routers cannot have 4 links: the one at 0,0 has 2",
        ),
        ("graph --n 15 --k 3", "15 routers cannot all have 3 links: one gets 2"),
    ],
)
def test_it_is_said_where_routers_cannot_have_all_links(text, said):
    assert said in printed(f"optimize {text} --moves 300 --no-study").stderr.replace("\n", " ")


def links_in(path):
    return {tuple(link) for link in read_topology(path).graph.links().tolist()}


@pytest.mark.parametrize(
    "asked",
    rest_thorough(
        [
            "--start start.edges",
            "--start start.edges --k 6",
            "--start start.edges --symmetry 1",
            "--n 60 --k 4 --origin ./start.edges",
            "--n 64 --k 5 --origin ./start.edges",
        ],
        ["--start start.edges", "--n 64 --k 5 --origin ./start.edges"],
    ),
)
def test_it_is_said_how_many_links_of_the_file_are_kept(folder, asked):
    found_by(
        "optimize graph --n 60 --k 4 --symmetry 1 --moves 1000 --origin none --graph start.edges --no-study"
    )
    line = f"optimize graph {asked} --moves 1000 --graph end.edges --no-study --output found.json"
    told = printed(line).stdout
    found = json.loads((folder / "found.json").read_text())
    start, end = links_in("start.edges"), links_in("end.edges")
    best = found["results"][0]
    assert (best["start_links"], best["start_links_kept"]) == (len(start), len(start & end))
    of = "start.edges" if "--start" in asked else "its origin"
    assert f"the best keeps {len(start & end)} of the {len(start)} links of {of}" in told
    if asked == "--start start.edges":
        assert len(start & end) > len(start) / 2


def test_links_kept_of_an_origin_with_more_routers_are_counted_by_their_new_numbers(folder):
    """All routers but one of a complete graph are a complete graph: no link can be one that was not there."""
    found = found_by("optimize graph --n 7 --k 6 --origin hyperx(dims=8) --moves 100 --no-study")
    assert found["results"][0]["start_links"] == 28
    assert found["results"][0]["start_links_kept"] == 21


@pytest.mark.parametrize("objective", ["aspl", "latency"])
def test_a_floor_stays_near_its_start_unless_a_symmetry_is_asked_for(folder, objective):
    grid = "--l 3 --moves 4000 --no-study -q"
    found_by(f"optimize grid --width 8 --height 8 --k 4 --symmetry 1 {grid} --graph start.edges")
    near, free = (
        found_by(f"optimize grid --start start.edges --objective {objective} {grid} {symmetry}")["results"][0]
        for symmetry in ("", "--symmetry 1")
    )
    assert near["start_links_kept"] > free["start_links_kept"]
    assert near["start_links_kept"] > near["start_links"] / 2


def test_links_of_structures_that_race_are_counted(folder, monkeypatch):
    monkeypatch.setattr(structured_replicas, "LEAST_NANOSECONDS", 0)
    asked = ["--n", "52", "--k", "7", "--moves", "2000", "--top", "6", "--no-study", "-o", "found.json"]
    text = call("optimize", "graph", *asked).stdout
    rows = json.loads((folder / "found.json").read_text())["results"]
    made = [row for row in rows if row.get("origin")]
    assert made
    for row in rows:
        assert ("start_links" in row) == bool(row.get("origin"))
    for row in made:
        base = document("evaluate", row["origin"].split(" ")[0])["results"][0]
        assert row["start_links"] == base["links"] * (2 if row["origin"].startswith("2*") else 1)
        assert row["start_links"] / 2 < row["start_links_kept"] <= min(row["links"], row["start_links"])
    best = rows[0]
    said = f"the best keeps {best['start_links_kept']} of the {best['start_links']} links of its origin"
    assert (said in text) == bool(best.get("origin"))
    named = ["--n", "50", "--k", "7", "--moves", "500", "--top", "1", "--no-study"]
    (whole,) = document("optimize", "graph", *named)["results"]
    assert (whole["origin"], whole["start_links_kept"]) == ("slimfly(q=5)", 175)


def test_a_start_file_is_improved(folder):
    (folder / "mesh.edges").write_text(MESH)
    mesh = found_by("evaluate mesh.edges")["results"][0]
    better = found_by("optimize grid --start mesh.edges --moves 1000")
    assert better["parameters"]["width"] == 4
    assert better["results"][0]["distance_sum"] <= mesh["distance_sum"]
    wider = found_by("optimize grid --start mesh.edges --k 4 --l 3 --moves 3000")
    assert wider["results"][0]["distance_sum"] < mesh["distance_sum"]


def test_a_stored_run_can_be_listed_shown_and_printed_again():
    first = printed("optimize graph --n 20 --k 3 --moves 500 --json").stdout
    assert printed("runs resume 1 --json").stdout == first
    assert "optimize graph" in printed("runs list").stdout
    shown = found_by("runs show 1")["results"][0]
    assert shown["networks"][0]["order"] == 20


@pytest.mark.parametrize(
    ("text", "code", "reason"),
    [
        ("grid --width 5 --height 5 --k 3", 2, "--l is missing"),
        ("grid --width 5 --height 5 --k 3 --l 0", 2, "--l 0: expected 1.."),
        ("grid --width 5 --height 5 --k 0 --l 2", 2, "--k 0: expected 1.."),
        ("grid --width 0 --height 5 --k 3 --l 2", 2, "--width 0: expected 1 or more"),
        ("grid --width 5 --height 5 --k 1 --l 2", 3, "cannot be connected"),
        ("grid --width 5 --height 6 --k 3 --l 2 --symmetry 4", 2, "expected 2 or 1"),
        ("grid --width 5 --height 6 --k 3 --l 2 --symmetry odd", 2, "expected auto, a whole number"),
        ("grid --width 5 --height 6 --k 3 --l 2 --seconds 1 --moves 5", 2, "exclude each other"),
        ("grid --width 5 --height 6 --k 3 --l 2 --graph b.xyz", 2, "unknown suffix"),
        ("grid --start none.edges", 4, "no such file"),
        ("grid --width 10 --height 10 --k 4 --l 3 --target-diameter 5", 3, "has less than 6"),
        ("graph --n 20", 2, "--k is missing"),
        ("graph --n 20 --k 20", 2, "expected at most 19 links"),
        ("graph --n 20 --k 3 --symmetry 3", 2, "expected a divisor of the 20 routers"),
        ("graph --n 20 --k 3 --symmetry 3,2,2", 2, "--symmetry 3,2,2: expected a divisor of the 20 routers"),
        ("graph --n 20 --k 3 --symmetry 5,2,3", 2, "5,2,3: r 3: expected r^2 = 1 modulo 5, found 4"),
        ("graph --n 20 --k 3 --symmetry 5,2", 2, "expected the order of a rotation, or s,t,r of a group"),
        ("graph --n 20 --k 3 --symmetry 5,2,", 2, "expected auto, a whole number"),
        ("grid --width 6 --height 6 --k 3 --l 2 --symmetry 3,2,2", 2, "expected 1, 2, 4 or auto on a grid"),
    ],
)
def test_wrong_options_get_one_line_before_any_work(folder, text, code, reason):
    result = printed(f"optimize {text}", code=code)
    assert reason in result.stderr.replace("\n", " ")
    assert not list(folder.glob("*.db"))


def test_a_network_is_held_to_a_group_as_it_is_typed(folder):
    found = found_by("optimize graph --n 42 --k 4 --symmetry 7,3,2 --moves 200")
    assert found["parameters"]["symmetry"] == [7, 3, 2]
    best = found["results"][0]["parameters"]
    assert (best["symmetry"], best["group"]) == (21, [7, 3, 2])
    turned = found_by("optimize graph --n 42 --k 4 --symmetry 7,1,1 --moves 200")
    assert turned["results"] == found_by("optimize graph --n 42 --k 4 --symmetry 7 --moves 200")["results"]


def test_a_start_file_of_other_people_with_self_loops_is_refused():
    path = other_file("grid/APSP_w5h10d4r2.edges")
    assert "self-loop" in printed(f"optimize grid --start {path} --moves 10", code=4).stderr


def test_a_network_of_other_people_is_improved_or_kept():
    path = other_file("general/n100d10.edges")
    found = found_by(f"optimize graph --start {path} --moves 2000")
    assert found["results"][0]["distance_sum"] < 11015
