"""``topoctl grow``: rows, the plan of work, networks of runs, and what is refused."""

import csv
import json
import signal

import pytest

from cli.stopping_main import stopped_after_checkpoints
from commands import call, document
from processes import finish
from schemas import check_document
from topoctl.families import topology_from_spec

pytestmark = pytest.mark.once
LINE = ["grow", "torus(dims=4x4,p=2)", "--recable", "2,6", "--moves", "60", "--no-afresh"]


@pytest.fixture(autouse=True)
def inside(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_the_best_network_is_written_with_the_work_that_leads_to_it(tmp_path):
    found = document(*LINE, "--routers", "3", "--graph", "grown.edges", "-o", "plan.csv", "--batch", "4")
    check_document(found)
    best, work = found["results"][0], found["work"]
    assert {"kept_cables", "moved_cables", "new_cables", "steps", "way", "uniform_throughput"} <= {*best}
    assert best["order"] == 19
    assert best["endpoints"] == 38
    rows = [*csv.DictReader((tmp_path / "plan.csv").read_text().splitlines())]
    assert sum(row["action"] == "unplug" for row in rows) == work["unplugged"] == best["moved_cables"]
    assert work["plugged"] == best["moved_cables"] + best["new_cables"]
    assert int(rows[-1]["batch"]) == work["batches"]
    assert 0 < work["throughput_worst"] <= work["throughput_before"]
    assert work["throughput_after"] == best["uniform_throughput"]
    [row] = document("evaluate", "grown.edges", "--p", "2", "--measures", "loads")["results"]
    assert (row["aspl"], row["uniform_throughput"]) == (best["aspl"], best["uniform_throughput"])


def test_ports_of_endpoints_are_left_alone_where_only_some_routers_have_some(tmp_path):
    stands = topology_from_spec("fattree(k=4)")
    asked = ("fattree(k=4)", "--routers", "2", "--k", "6", "--recable", "4", "--moves", "100", "--no-afresh")
    [row] = document("grow", *asked, "--no-study", "-o", "plan.csv")["results"]
    assert row["endpoints"] == stands.endpoints
    taken = (stands.graph.degrees + stands.endpoints_per_router).tolist()
    for action in csv.DictReader((tmp_path / "plan.csv").read_text().splitlines()):
        for end in ("from", "to"):
            router, port = int(action[end].split()[1]), int(action[f"{end}_port"])
            if router < stands.graph.order and stands.endpoints_per_router[router]:
                links = stands.graph.degrees[router]
                assert port <= links or port > taken[router], action


def test_networks_of_runs_grow_again_and_are_cabled_and_routed():
    first = document(*LINE, "--routers", "2")["results"][0]
    again = document("grow", "--run", "1", "--n", "20", "--recable", "4", "--moves", "60", "--seeds", "2")
    check_document(again)
    best = again["results"][0]
    assert best["kept_cables"] + best["moved_cables"] == first["size"]
    assert best["endpoints"] == 40
    assert [run["seed"] for run in again["seeds"]] == [1, 2]
    assert document("cable", "--run", "g1")["results"][0]["cables"] == best["size"]
    assert document("route", "--run", "1")["results"][0]["deadlock_free"]
    assert call("runs", "list").stdout.count("grow") == 3
    resumed = json.loads(call("runs", "resume", "g1", "--json").stdout)
    assert resumed["results"] == again["results"]
    repeated = document("runs", "repeat", "1")
    assert repeated["results"][0]["distance_sum"] == first["distance_sum"]


def test_the_plan_calls_routers_and_ports_as_the_user_does(tmp_path):
    for names, new in (("sw{n+1},port=swp{n}", "sw18"), ("sw{unit}-{rack},port=swp{n}", "router 17")):
        call(*LINE, "--routers", "2", "-o", "plan.csv", "--names", names, "--no-study")
        rows = [*csv.DictReader((tmp_path / "plan.csv").read_text().splitlines())]
        ends = {row[end] for row in rows for end in ("from", "to")}
        assert new in ends
        assert {name[:2] for name in ends} <= {"sw", new[:2]}
        assert all(row[end].startswith("swp") for row in rows for end in ("from_port", "to_port"))


def places_in(text):
    """Rack and unit of every system of a list of cables or a plan of work."""
    found = {}
    for row in csv.DictReader(text.splitlines()):
        for end in ("from", "to"):
            place = row[f"{end}_rack"], int(row[f"{end}_unit"])
            assert found.setdefault(row[end], place) == place
    assert len({*found.values()}) == len(found)  # a unit holds one
    return found


def cables_in(text):
    """Both ends of every cable of a list, with their ports."""
    return {*map(cable_of, csv.DictReader(text.splitlines()))}


def cable_of(row):
    return frozenset((row[end], row[f"{end}_port"]) for end in ("from", "to"))


def between_routers(cables):
    return {one for one in cables if all(name.startswith("router") for name, _ in one)}


@pytest.mark.parametrize(
    ("network", "floor"),
    [
        (["slimfly(q=5,p=4)"], []),
        (["fattree(k=4)"], ["--floor", "slimfly2014"]),
        (["grid.edges", "--p", "4"], []),
        (["ring.edges", "--p", "60"], ["--floor", "equality2022"]),  # a router takes two racks
    ],
    ids=["family", "uneven", "layout", "large"],
)
def test_what_stands_stays_in_its_racks_and_units_and_ports(network, floor, tmp_path):
    rows = [(5 * y + x, 5 * y + x + step) for y in range(5) for x in range(5) for step in (1, 5)]
    links = [f"{a} {b}" for a, b in rows if b < 25 and (b - a == 5 or b % 5)]
    (tmp_path / "grid.edges").write_text("\n".join(["# layout: grid 5x5", *links]))
    (tmp_path / "ring.edges").write_text("0 1\n1 2\n2 0\n")
    call("cable", *network, *floor, "--endpoints", "-o", "0.csv")
    more = ["--steps", "5,5"], ["--routers", "5"]
    for number, (grown, steps) in enumerate(zip((network, ["--run", "1"]), more, strict=True), 1):
        asked = [*steps, "--recable", "6", "--moves", "20", "--no-afresh", "-o", "plan.csv"]
        call("grow", *grown, *asked, *(floor if number == 1 else []))
        call("cable", "--run", str(number), "--endpoints", "-o", f"{number}.csv")
        before, after = (places_in((tmp_path / f"{one}.csv").read_text()) for one in (number - 1, number))
        assert before.items() < after.items()
        held, wired = (cables_in((tmp_path / f"{one}.csv").read_text()) for one in (number - 1, number))
        work = (tmp_path / "plan.csv").read_text()
        for row in csv.DictReader(work.splitlines()):
            cable = cable_of(row)
            assert (cable in held) == (row["action"] == "unplug")
            held ^= {cable}
        assert between_routers(held) == between_routers(wired)
        assert held - between_routers(held) <= wired
        assert len({end for cable in wired for end in cable}) == 2 * len(wired)
        assert places_in((tmp_path / "plan.csv").read_text()).items() < after.items()
    ways = {
        (row["from"], row["to"]): (row["medium"], row["metres"], row["stock_metres"])
        for row in csv.DictReader((tmp_path / "2.csv").read_text().splitlines())
    }
    for row in csv.DictReader((tmp_path / "plan.csv").read_text().splitlines()):
        if row["action"] == "plug":
            assert ways[row["from"], row["to"]] == (row["medium"], row["metres"], row["stock_metres"])


def test_new_racks_stand_within_the_room(tmp_path):
    room = "rack_width = 1\nrack_depth = 1\nunits = 4\nwidth = 4.5\ndepth = 3.0\n"  # 12 racks of 2 routers
    (tmp_path / "room.toml").write_text(room)
    grow = [
        "grow",
        "torus(dims=4x4,p=1)",
        "--moves",
        "20",
        "--recable",
        "4",
        "--no-afresh",
        "--floor",
        "room.toml",
    ]
    call(*grow, "--routers", "8")
    call("cable", "--run", "1", "-o", "cables.csv")
    racks = {rack for rack, _ in places_in((tmp_path / "cables.csv").read_text()).values()}
    assert racks == {f"R{row}C{column}" for row in (1, 2, 3) for column in (1, 2, 3, 4)}
    call(*grow, "--routers", "9")
    assert "13 racks take" in call("cable", "--run", "2", code=3).stderr


def test_a_growth_that_was_killed_resumes_to_the_same_networks_and_the_same_work(folder):
    """A network of a run grows, its first step is over, and its names and its floor are asked for."""
    call("grow", "torus(dims=3x3,p=2)", "--routers", "2", "--recable", "4", "--moves", "9", "--no-afresh")
    asked = ["grow", "--run", "1", "--steps", "2,3", "--recable", "4", "--moves", "9", "--names", "sw{n}"]
    asked += ["--floor", "slimfly2014", "--plan", "plan.csv"]
    whole = document(*asked)
    plan = (folder / "plan.csv").read_text()
    finish(stopped_after_checkpoints(20, signal.SIGKILL, asked, folder), -signal.SIGKILL)
    assert document("runs", "show", "3")["results"][0]["status"] != "finished"
    for _ in range(2):  # one that is resumed, and one that is finished
        (folder / "plan.csv").unlink()
        resumed = document("runs", "resume", "3", "--plan", "plan.csv")
        assert resumed["results"] == [{**row, "run": 3} if "run" in row else row for row in whole["results"]]
        assert resumed["work"] == whole["work"]
        assert (folder / "plan.csv").read_text() == plan


def test_a_plan_of_work_of_another_search_is_refused():
    call("optimize", "graph", "--n", "10", "--k", "3", "--moves", "5")
    assert (
        "--plan is for a network that grows"
        in call(*("runs", "resume", "1", "--plan", "plan.csv"), code=2).stderr
    )


@pytest.mark.parametrize(
    ("options", "code", "reason"),
    [
        ([], 2, "expected one of --routers, --n and --steps"),
        (["--routers", "2", "--n", "20"], 2, "expected one of --routers, --n and --steps"),
        (["--n", "16"], 2, "--n 16: expected more than the 16 routers that stand"),
        (["--routers", "2", "--k", "3"], 2, "--k 3: a router of the network has 4 links"),
        (["--routers", "2", "--l", "3"], 2, "--l 3: the routers of the network have no positions"),
        (["--routers", "2", "--batch", "4"], 2, "--batch is of the plan of work"),
        (["--routers", "2", "-o", "plan.txt"], 2, "expected the name of a file that ends in .csv"),
        (["--routers", "2", "-o", "missing/plan.csv"], 4, "missing"),
        (["--steps", "2,0"], 2, "--steps 0: expected"),
        (["--routers", "70000"], 2, "--routers 70000: expected"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(options, code, reason):
    assert reason in call(*LINE, *options, code=code).stderr


def test_a_network_in_parts_and_rows_that_are_not_whole_are_refused(tmp_path):
    (tmp_path / "parts.edges").write_text("0 1\n2 3\n")
    assert "has 2 parts" in call("grow", "parts.edges", "--routers", "1", code=2).stderr
    (tmp_path / "grid.edges").write_text("# layout: grid 2x2\n0 1\n1 3\n3 2\n2 0\n")
    said = call("grow", "grid.edges", "--routers", "3", code=2).stderr
    assert "7 routers in rows of 2: expected whole rows, such as 8 routers" in said


def test_limits_without_a_row_are_told_and_kept_names_one_column():
    asked = ["grow", "slimfly(q=5,p=4)", "--routers", "6", "--moves", "300", "--no-study", "--no-afresh"]
    printed = call(*asked, "--recable", "0,5000,6000", "--columns", "moved,kept").stdout
    heading, row, *_ = printed.splitlines()
    assert heading.split() == ["moved", "kept"]
    assert all(cell.isdigit() for cell in row.split())
    assert "--recable 6000: nothing better was found than rank 1, for which " in printed


def test_limits_within_which_no_network_is_connected_are_told():
    asked = ("grow", "torus(dims=3x3)", "--routers", "1", "--recable", "0", "--moves", "20", "--no-study")
    assert "--recable 0: no connected network was found" in call(*asked).stdout
    assert "expected more cables that may be moved (--recable)" in call(*asked, "--no-afresh", code=3).stderr
