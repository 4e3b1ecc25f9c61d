"""``topoctl check``: the exit code, the document, and one line for every bad input."""

import re
from pathlib import Path

import pytest

from commands import call, document
from schemas import check_document
from topoctl.cli.exit_codes import DIFFERENT

pytestmark = [pytest.mark.once, pytest.mark.usefixtures("folder")]
SPEC = "torus(dims=3x3,p=1)"


@pytest.fixture(autouse=True)
def cables(folder):
    call("cable", SPEC, "--endpoints", "-o", "plan.csv", "-q")
    text = Path("plan.csv").read_text()
    Path("found.csv").write_text(text.replace("router 1,R1C1,2,1,", "router 1,R1C1,2,9,", 1))


def test_what_is_as_planned_ends_with_0_and_what_differs_with_5():
    said = call("check", "plan.csv", "plan.csv").stdout.splitlines()
    assert said[0] == "all is as planned, by names"
    assert said[1].removeprefix("planned") == said[2].removeprefix("found")
    said = call("check", SPEC, "found.csv", code=DIFFERENT).stdout
    assert "move the end of cable 1 from router 1 port 9 to router 1 port 1" in said
    assert "ends to move 1, cables missing 0, too many 0" in said


@pytest.mark.parametrize("found", ["plan.csv", "found.csv"])
def test_the_document_is_as_the_schema_says(found):
    differs = found == "found.csv"
    made = document("check", "plan.csv", found, code=DIFFERENT if differs else 0)
    check_document(made)
    assert made["summary"]["equal"] is not differs
    assert [row["kind"] for row in made["results"]] == ["wrong port"] * differs
    assert made["summary"]["planned"] == made["summary"]["found"]
    call("check", "plan.csv", found, "-o", "work.csv", code=DIFFERENT if differs else 0)
    assert len(Path("work.csv").read_text().splitlines()) == 1 + differs


def test_both_networks_are_told_by_bisection_and_virtual_channels():
    call("cable", "slimfly(q=5)", "-o", "flies.csv", "-q")
    lines = Path("flies.csv").read_text().splitlines()
    Path("fewer.csv").write_text("\n".join(lines[:-12]))
    made = document("check", "slimfly(q=5)", "fewer.csv", code=DIFFERENT)["summary"]
    assert made["planned"]["bisection"] == {"lower_bound": 63, "upper_bound": 65}
    assert made["planned"]["virtual_channels"] == 2
    assert made["found"]["bisection"]["upper_bound"] < 65
    said = call("check", "slimfly(q=5)", "fewer.csv", code=DIFFERENT).stdout
    assert "bisection 63 to 65, VCs 2" in said
    Path("parts.csv").write_text("\n".join(line for line in lines if "router 7," not in line))
    made = document("check", "flies.csv", "parts.csv", code=DIFFERENT)["summary"]
    assert [made["found"][name] for name in ("diameter", "bisection", "virtual_channels")] == [None] * 3


def edited(rows, *changes):
    """The lines of a list of cables, each with some of its cells changed: (cable, column, value)."""
    cells = [row.split(",") for row in rows]
    for cable, column, value in changes:
        cells[cable][cells[0].index(column)] = value
    Path("found.csv").write_text("\n".join(map(",".join, cells)))


def test_a_swap_between_planes_is_work_for_a_technician():
    """Of two ports of an endpoint, or of two routers; by the list, and by the network with its names."""
    network = ("fattree(k=4,levels=2)", "--planes", "2", "--names", "S{n},endpoint_port=nic{n-1}")
    call("cable", *network, "--endpoints", "-o", "plan.csv", "-q")
    rows = Path("plan.csv").read_text().splitlines()
    assert [rows[cable].split(",")[8:13:4] for cable in (24, 32)] == [["nic0", "0"], ["nic1", "1"]]
    for plan in (("plan.csv",), network):
        said = call("check", *plan, "plan.csv").stdout
        assert "all is as planned" in said
        assert said.count("16 links in 2 planes, at worst D 2, ASPL 1.46667, θ 1.167") == 2
        edited(rows, (24, "to_port", "nic1"), (32, "to_port", "nic0"))
        said = call("check", *plan, "found.csv", code=DIFFERENT).stdout
        work = "exchange the ends of cables 24 and 32 at endpoint 7 port nic1 and endpoint 7 port nic0"
        assert work in said
        assert "ends to move 2, cables missing 0, too many 0" in said
        edited(rows, (1, "to", "p1-S4"), (9, "to", "p0-S4"))
        said = call("check", *plan, "found.csv", code=DIFFERENT).stdout
        assert "exchange the ends of cables 1 and 9 at p1-S4 port 1 and p0-S4 port 1" in said
        for side, diameter in (("planned", 2), ("found", 3)):
            assert f"{side}: 16 links in 2 planes, at worst D {diameter}" in said
    made = document("check", "plan.csv", "found.csv", "--picture", "wrong.svg", code=DIFFERENT)
    check_document(made)
    assert [made["summary"]["found"][name] for name in ("planes", "diameter")] == [2, 3]
    edited([row for row in rows if ",p1-S5," not in row])
    said = call("check", "plan.csv", "found.csv", code=DIFFERENT).stdout
    assert "found: 12 links in 2 planes, not all connected" in said
    refusal = call("check", "plan.csv", "plan.csv", "--planes", "2", code=2).stderr
    assert "expected no --names, no --planes" in refusal


def test_plans_of_planes_for_tools_are_plans_to_check():
    network = ("torus(dims=3x3,p=1)", "--planes", "3")
    for tool, place in (("topo", "fabric"), ("netbox", "netbox"), ("p2p", "sheet.csv"), ("ptm", "t.dot")):
        call("cable", *network, "--for", tool, "-o", place, "-q")
        assert "all is as planned" in call("check", *network, place).stdout
        assert "all is as planned" in call("check", place, place).stdout
    said = call("check", "fabric", "sheet.csv").stdout
    assert "ports of endpoints are not compared: most of them do not have those of the plan" in said
    assert "all is as planned" in said
    plane = "fabric/topology-p1.topo"
    assert "all is as planned" in call("check", plane, plane).stdout


def test_the_network_of_a_run_is_held_against_what_was_wired():
    call("optimize", "graph", "--n", "10", "--k", "3", "--moves", "50", "-q")
    call("cable", "--run", "1", "-o", "cables.csv", "-q")
    assert "all is as planned" in call("check", "--run", "1", "cables.csv").stdout


@pytest.mark.parametrize(
    ("target", "file"), [("ptm", "plan.dot"), ("p2p", "sheet.csv"), ("p2p-ib", "ib.csv")]
)
def test_a_plan_may_be_a_dot_of_ptmd_or_a_sheet(target, file):
    call("cable", SPEC, "--for", target, "-o", file, "-q")
    assert "all is as planned" in call("check", file, file).stdout
    text = Path(file).read_text()
    Path(file).write_text("\n".join(text.splitlines()[:-2]) + "\n}" * (target == "ptm"))
    call("cable", SPEC, "--for", target, "-o", f"whole-{file}", "-q")
    assert "plug a cable" in call("check", f"whole-{file}", file, code=DIFFERENT).stdout


def test_switches_with_other_names_are_told_outward_from_endpoints():
    text = Path("plan.csv").read_text()
    Path("renamed.csv").write_text(re.sub("router ([0-9]+)", lambda n: f"sw{7 * int(n[1]) % 9}", text))
    said = call("check", "plan.csv", "renamed.csv").stdout.splitlines()
    assert said[0] == ("systems are told outward from 9 endpoints: 0 of 9 routers have a name of the plan")
    assert said[1] == "all is as planned, by anchors"
    rows = Path("renamed.csv").read_text().splitlines()
    cells = [row.split(",") for row in rows]
    cells[1][5:9], cells[9][5:9] = cells[9][5:9], cells[1][5:9]
    Path("found.csv").write_text("\n".join(map(",".join, cells)))
    said = call("check", "plan.csv", "found.csv", code=DIFFERENT).stdout
    assert "exchange the ends of cables 1 and 9" in said
    assert "ends to move 2, cables missing 0, too many 0; systems told by anchors" in said


def test_a_plan_of_one_cable_is_one_of_two_routers():
    call("cable", "hyperx(dims=2)", "-o", "two.csv", "-q")
    assert "all is as planned" in call("check", "two.csv", "two.csv", "--match", "structure").stdout
    assert "planned: 1 link, D 1" in call("check", "two.csv", "two.csv").stdout


def test_routers_of_a_file_of_a_network_are_told_by_number():
    call("export", SPEC, "-o", "found.edges", "-q")
    told = ("--anchor", "0=3", "--anchor", "1=4", "--anchor", "2=5", "--matching", "who.csv")
    call("check", SPEC, "found.edges", *told)
    assert "router 3,router 0" in Path("who.csv").read_text()


def test_names_that_are_none_of_the_plan_are_the_first_line():
    spec = "torus(dims=5x5,p=1)"
    call("cable", spec, "--endpoints", "-o", "plan.csv", "-q")
    text = Path("plan.csv").read_text()
    Path("found.csv").write_text(re.sub("router ([1-9])", r"sw\1", text))
    said = "24 of 50 systems that were found have names that are none of the plan"
    words = ("check", "plan.csv", "found.csv", "--match", "names")
    [first, _] = call(*words, code=DIFFERENT).stderr.splitlines()
    assert first.startswith(said)
    assert "--match structure" in first
    assert said not in call(*words, "--json", code=DIFFERENT).stderr
    assert said not in call("check", "plan.csv", "found.csv").stderr


@pytest.mark.parametrize("plan", ["plan.csv", "blanks.csv"])
def test_blanks_beside_commas_are_no_part_of_a_name(plan):
    Path("blanks.csv").write_text(Path("plan.csv").read_text().replace(",", " , "))
    assert "all is as planned, by names" in call("check", plan, "blanks.csv").stdout


@pytest.mark.parametrize(
    ("code", "said", "words"),
    [
        (2, "1 name, expected PLAN and FOUND", ["plan.csv"]),
        (2, "0 names, expected FOUND alone beside --run", ["--run", "1"]),
        (2, "expected no --names, no --p", ["plan.csv", "found.csv", "--p", "3"]),
        (2, "no system that was found has a name", ["other.csv", "found.csv", "--match", "names"]),
        (2, "who is who cannot be told: at best 50%", ["other.csv", "found.csv"]),
        (2, "nothing is known", ["other.csv", "found.csv", "--match", "anchors"]),
        (2, "no system 'nobody' was found", ["plan.csv", "found.csv", "--anchor", "nobody=router 1"]),
        (2, "no system 'nobody' was planned", ["plan.csv", "found.csv", "--anchor", "router 1=nobody"]),
        (2, "one is a router, the other", ["plan.csv", "found.csv", "--anchor", "router 1=endpoint 1"]),
        (
            2,
            "an anchor before says",
            ["plan.csv", "found.csv", "--anchor", "router 1=1", "--anchor", "router 2=1"],
        ),
        (4, "expected an anchor, NAME=PLAN", ["plan.csv", "found.csv", "--anchor", "other.csv"]),
        (2, "expected a name that ends in", ["plan.csv", "found.csv", "--picture", "wrong.gif"]),
        (4, "tells no cables", ["plan.csv", "empty"]),
        (4, ".: tells no cables: expected a list of cables", ["plan.csv", "."]),
        (4, "line 1: found 'a,1,b,1', expected the header line from,from_port,to,", ["plan.csv", "bare.csv"]),
        (4, "Graphviz's networks are not read", ["drawn.dot", "found.csv"]),
        (4, "Graphviz's networks are not read", ["plan.csv", "drawn.dot"]),
        (4, "which is written, not read", ["plan.csv", "drawn.gv"]),
        (4, "expected a link", ["plan.csv", "subnet.lst"]),
        (4, "a neighbour without a port", ["plan.csv", "lldp.csv"]),
        (4, "line 2: found '1 1': a self-loop", ["plan.csv", "links.txt"]),
        (4, "no such file", ["plan.csv", "nowhere"]),
        (4, "has two cables", ["plan.csv", "twice.csv"]),
    ],
)
def test_bad_input_is_one_line(code, said, words):
    Path("other.csv").write_text("from,from_port,to,to_port\na,1,b,1\na,2,c,1\n")
    Path("twice.csv").write_text("from,from_port,to,to_port\na,1,b,1\na,1,c,1\n")
    for name in ("drawn.dot", "drawn.gv"):
        call("export", SPEC, "-o", name, "-q")
    Path("subnet.lst").write_text("{ SW Ports:24\n")
    Path("lldp.csv").write_text("local,local_port,neighbor,neighbor_port\na,1,b,\n")
    Path("links.txt").write_text("0 1\n1 1\n")
    Path("bare.csv").write_text("a,1,b,1\nb,2,c,1\n")
    Path("empty").touch()
    [line] = call("check", *words, code=code).stderr.splitlines()
    assert said in line


@pytest.mark.parametrize(
    "arguments", [(SPEC, "x" * 300), ("x" * 300, "found.csv"), ("x" * 300 + ".csv",) * 2]
)
def test_a_name_that_no_file_can_have_is_one_line(arguments):
    found = call("check", *arguments, code=4 if arguments[0] != "x" * 300 else 2)
    [line] = found.stderr.splitlines()
    assert line.startswith("error: ")


def test_a_single_router_is_checked_against_its_list(tmp_path):
    found = tmp_path / "found.csv"
    call("cable", "hyperx(dims=1,p=3)", "--endpoints", "-o", found)
    checked = document("check", "hyperx(dims=1,p=3)", str(found))
    assert (checked["summary"]["equal"], checked["summary"]["planned"]["virtual_channels"]) == (True, None)


def subnet(plane, network, tmp_path):
    """Text as ibnetdiscover's of one plane, whose nodes have an adapter of their own in it."""
    call("export", network, "-o", "plane.ibsim")
    text = (tmp_path / "plane.ibsim").read_text()
    text = re.sub(r'^(Switch.*"S(\d+)")', rf'\1 # "rail{plane}-sw\2"', text, flags=re.M)
    text = re.sub(r'^(Hca|Ca)(.*"H(\d+)")', rf'Ca\2 # "node\3 mlx5_{plane}"', text, flags=re.M)
    return re.sub(r'"([SH])(\d+)"', lambda one: f'"{one[1]}-{9000 * (plane + 1) + int(one[2]):016x}"', text)


def test_several_subnets_tell_the_planes_of_one_fabric(tmp_path, folder):
    network, names = "fattree(k=4,levels=2)", "rail{plane}-sw{n},endpoint=node{n}"
    call("cable", network, "--planes", "2", "--endpoints", "--names", names, "-o", "plan.csv")
    for plane in (0, 1):
        (tmp_path / f"{plane}.txt").write_text(subnet(plane, network, tmp_path))
    for plan in (["plan.csv"], [network, "--planes", "2", "--names", names]):
        made = document("check", *plan, "0.txt", "1.txt")
        check_document(made)
        assert made["summary"]["equal"]
        assert made["parameters"]["found"] == ["0.txt", "1.txt"]
    ends = [f"H-{18000 + node:016x}" for node in (0, 2)]
    (tmp_path / "1.txt").write_text(_exchanged((tmp_path / "1.txt").read_text(), *ends))
    said = call("check", "plan.csv", "0.txt", "1.txt", code=5)
    assert "exchange the ends of cables 25 and 27 at node2 port 2 and node0 port 2" in said.stdout
    assert "0.txt and 1.txt differ from the plan in 1 place" in said.stderr
    alone = call("check", "plan.csv", "0.txt", code=5).stdout
    assert "planes seem to be 1 in FOUND and 2 in the plan: name the files of all of them" in alone
    refused = call("check", "plan.csv", "0.txt", "0.txt", "1.txt", code=2).stderr
    assert "0.txt and 0.txt tell different cables at port" in refused


def _exchanged(text, one, other):
    """The text with two adapters at each other's switch, and still with their own descriptions."""
    lines = text.replace(one, "both").replace(other, one).replace("both", other).split("\n")
    told = {line.split('"')[1]: line.split('"')[3] for line in text.split("\n") if line.startswith("Ca")}
    return "\n".join(
        line.replace(line.split('"')[3], told[line.split('"')[1]]) if line.startswith("Ca") else line
        for line in lines
    )


@pytest.mark.parametrize("endpoints", [True, False])
def test_planes_that_were_not_asked_for_are_told(endpoints):
    network = "torus(dims=3x3,p=1)"
    call("cable", network, "--planes", "3", *(["--endpoints"] if endpoints else []), "-o", "found.csv")
    for planes in ([], ["--planes", "2"]):
        said = call("check", network, "found.csv", *planes, code=5).stdout
        assert f"3 in FOUND and {len(planes) or 1} in the plan: try --planes 3" in " ".join(said.split())
    assert "planes seem" not in call("check", network, "found.csv", "--planes", "3").stdout
