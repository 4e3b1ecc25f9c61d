"""What single targets write and read: NetBox's rules, Slurm's trees, files as others write them, Graphviz."""

import csv
import re
import shutil
import subprocess

import pytest

from commands import call, document
from topoctl import build, cable
from topoctl.errors import InvalidParameters
from topoctl.graph import Graph
from topoctl.topology import Topology
from topoctl.wiring.names import PortReader
from topoctl.wiring.targets import TARGETS, read_plan
from topoctl.wiring.targets.slurm import hostlist, names_listed

pytestmark = pytest.mark.once


def parsed(name, text):
    return TARGETS[name].parse("file", {"file": text.encode()}, PortReader())


def rows(path):
    return [*csv.DictReader(path.read_text().splitlines())]


NETBOX_TYPES = {"dac-passive", "dac-active", "aoc", "mmf-om4", "smf-os2"}


def test_netbox_takes_every_row(folder):
    """The rules of its import forms: references that are there, choices, lengths of texts, units, ports."""
    names = "sw{n:02},endpoint=n{n},port=swp{n},site=AMS 3,router_type=SN5600,interface=400gbase-x-osfp"
    call("cable", "fattree(k=8)", "--for", "netbox", "--names", names, "-o", "plan", "-q")
    files = {path.name: rows(path) for path in sorted((folder / "plan").iterdir())}
    assert [name[0] for name in files] == [*"12345678"]
    sites, makers, roles, types, racks, devices, interfaces, cables = files.values()
    for listed in (sites, makers, roles, types):
        assert all(re.fullmatch(r"[-a-zA-Z0-9_]+", row["slug"]) for row in listed)
    units = {(row["name"]): int(row["u_height"]) for row in racks}
    assert {(row["site"], row["status"], row["desc_units"]) for row in racks} == {
        ("AMS 3", "planned", "true")
    }
    assert {row["name"] for row in sites} == {row["site"] for row in (*racks, *devices)}
    assert {row["manufacturer"] for row in (*types, *devices)} == {row["name"] for row in makers}
    assert {row["device_type"] for row in devices} == {row["model"] for row in types}
    assert {row["role"] for row in devices} == {row["name"] for row in roles}
    assert len({row["name"] for row in devices}) == len(devices) == 80 + 128
    places = {(row["rack"], int(row["position"])) for row in devices}
    assert len(places) == len(devices)
    assert all(1 <= position <= units[rack] for rack, position in places)
    known = {(row["device"], row["name"]) for row in interfaces}
    assert len(known) == len(interfaces)
    assert {row["type"] for row in interfaces} == {"400gbase-x-osfp"}
    ends = [(row[f"side_{side}_device"], row[f"side_{side}_name"]) for row in cables for side in "ab"]
    assert len(set(ends)) == len(ends) == len(known)
    assert set(ends) == known
    assert {row["type"] for row in cables} <= NETBOX_TYPES
    assert {(row["status"], row["length_unit"]) for row in cables} == {("planned", "m")}
    listed = call("cable", "fattree(k=8)", "--endpoints", "-o", "cables.csv", "-q")
    assert listed.exit_code == 0
    for row, own in zip(cables, rows(folder / "cables.csv"), strict=True):
        assert (row["label"], float(row["length"])) == (own["cable"], float(own["stock_metres"]))
        assert (row["type"][:3] == "dac") == (own["medium"] == "electrical")
    of_list = {
        (row["from"].replace("router ", "sw"), row["from_rack"], row["from_unit"])
        for row in rows(folder / "cables.csv")
    }
    told = {(row["name"], row["rack"], row["position"]) for row in devices}
    assert {(f"sw{int(name[2:]):02}", rack, unit) for name, rack, unit in of_list} <= told


def test_netbox_refuses_racks_that_it_does_not_know(folder):
    said = call("cable", "fattree(k=4)", "--units", "200", "--for", "netbox", "-o", "plan", code=2).stderr
    assert "give --units" in said
    assert not [*folder.iterdir()]


@pytest.mark.parametrize(
    ("names", "listed"),
    [
        (["a1", "a2", "a3"], "a[1-3]"),
        (["a9", "a10", "b10", "b11"], "a[9-10],b[10-11]"),
        (["a09", "a10", "a12"], "a[09-10],a12"),
        (["a099", "a100"], "a[099-100]"),
        (["a99", "a100", "x", "y1"], "a[99-100],x,y1"),
        (["1", "2"], "1,2"),
    ],
)
def test_lists_of_names_as_slurm_has_them(names, listed):
    found = hostlist(names)
    assert names_listed(found) == names
    assert found == listed


@pytest.mark.parametrize("text", ["n[1", "n]", "n[5-x]", "n[1-999999999]", "[1-2]", ",", "n[1-2]x"])
def test_wrong_lists_of_names_are_refused(text):
    with pytest.raises(ValueError, match="expected names"):
        names_listed(text)


@pytest.mark.parametrize(
    ("spec", "middle"), [("fattree(k=4)", 4), ("dragonfly(p=1,a=4,h=2)", 0), ("hyperx(dims=5,p=1)", 0)]
)
def test_slurm_has_one_tree(folder, spec, middle):
    call("cable", spec, "--for", "slurm", "-o", "topology.conf", "-q")
    call("cable", spec, "--for", "slurm", "-o", "topology.yaml", "-q")
    text = (folder / "topology.conf").read_text()
    assert ("TopologyParam=dragonfly" in text) == spec.startswith("dragonfly")
    above, below = {}, {}
    for line in text.splitlines():
        if found := re.fullmatch(r"SwitchName=(\S+) (Nodes|Switches)=(\S+)", line):
            below[found[1]] = names_listed(found[3])
            assert not set(below[found[1]]) & set(above)
            above |= dict.fromkeys(below[found[1]], found[1])
    topology = build(spec)
    assert {name for name in above if name.startswith("H")} == {f"H{n}" for n in range(topology.endpoints)}
    assert set(below) - set(above) == {"top"}
    assert sum(name.startswith("group") for name in below) == middle
    # A switch stands below those that hold it, as Slurm reads them, and both files say the same.
    yaml = (folder / "topology.yaml").read_text()
    found = dict(re.findall(r'- switch: "(\S+)"\n +(?:nodes|children): "(\S+)"', yaml))
    assert {name: names_listed(listed) for name, listed in found.items()} == below


def test_blocks_are_of_racks_where_a_family_has_no_groups(folder):
    call("cable", "hyperx(dims=60,p=1)", "--for", "slurm-block", "-o", "topology.conf", "-q")
    text = (folder / "topology.conf").read_text()
    assert re.findall(r"BlockName=(\S+)", text) == ["R1C1", "R1C2", "R1C3"]
    assert "BlockSizes=18" in text


def test_no_nodes_are_refused_for_slurm(folder):
    said = call("cable", "hyperx(dims=4,p=0)", "--for", "slurm", "-o", "topology.conf", code=2).stderr
    assert "no endpoints" in said
    assert not [*folder.iterdir()]


def test_topo_as_ibdiagnet_writes_it():
    """Both ends or one, comments, no .ibnl beside it, split adapters."""
    text = """# written
MQM9700 sw-1 CFG: leaf2=12x
\tP1 -4x-50G-> HCA_mlx5_1 node-01 mlx5_0/P1
\tP2 -4x-50G-> HCA_mlx5_1 node-01 mlx5_1/P1
    P3 -> MQM8700 sw-2 P7

MQM8700 sw-2
\tP7 -4x-2.5G-> MQM9700 sw-1 P3
\tP8 -> MQM8700 sw-3 P1
"""
    found = parsed("topo", text)
    assert dict(zip(found.names, found.is_router.tolist(), strict=True)) == {
        "sw-1": True,
        "sw-2": True,
        "sw-3": True,
        "node-01": False,
    }
    assert frozenset({("sw-1", 3), ("sw-2", 7)}) in found.ends()
    assert len(found.cables) == 4


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("topo", "\tP1 -> SW b P1\n", "line 1: found 'P1 -> SW b P1': a port before any system"),
        ("topo", "SW a\n\tP1 - SW b P1\n", "line 2"),
        ("topo", "SW a\n\tP1 -> SW b P1\n\tP1 -> SW c P1\n", "line 3: port 'P1' of 'a' has two cables"),
        ("topo", "SW a\n\tP1 -> SW a P1\n", "two cables"),
        ("topo", "SW a\n", "no cables"),
        ("ptm", "digraph G {}", "an undirected graph"),
        ("ptm", 'graph G {\n"a":"1" -- "b"\n}', "expected ':'"),
        ("ptm", 'graph G { "a":"1" -- "b":"1"', "found the end"),
        ("ptm", 'graph G { "a":"1" -- "b":"1" } x', "end of the file"),
        ("p2p", "a,b\n1,2\n", "expected the columns A-Node Name"),
        ("p2p", "A-Node Name,A-Type,A-Port,Z-Node Name,Z-Type,Z-Port\na,Router,1,b,Host,1\n", "'Router'"),
        ("slurm", "SwitchName=a Nodes=n1\nSwitchName=b Nodes=n1\n", "line 2"),
        ("containerlab", 'name: x\ntopology:\n  links:\n    - endpoints: ["a:e1", "b:e1"]\n', "no container"),
        ("ns3", "3 1 1\n2\n2 9 1Gbps 1ns 0\n", "line 3"),
        ("ns3", "3 1 1", "line 2"),
        ("node-name-map", '0x1 "a"\n0x1 "b"\n', "line 2"),
    ],
)
def test_wrong_files_are_refused_with_their_line(name, text, said):
    with pytest.raises(Exception, match=re.escape(said)) as found:
        parsed(name, text)
    assert type(found.value).__name__ == "FormatError"


def test_dot_as_others_write_it():
    text = """/* ptmd */ graph "G" {
    hostnametype="hostname"; LLDP="match_type=ifname" // tables
    # a comment
    "leaf1":"swp1" -- "spine1":"swp3" [LLDP="a", BFD="b"];
    leaf1:swp2 -- "h-1":eth0
    "spine1" [label="spine1" role="spine" os="cumulus"]
    "leaf1" [ label="leaf1", role="leaf" ]
    }
"""
    found = parsed("ptm", text)
    assert dict(zip(found.names, found.is_router.tolist(), strict=True)) == {
        "spine1": True,
        "leaf1": True,
        "h-1": False,
    }
    assert found.ends() == {
        frozenset({("leaf1", 1), ("spine1", 3)}),
        frozenset({("leaf1", 2), ("h-1", 0)}),
    }


def test_a_plan_for_a_tool_says_what_it_wrote_and_what_not(folder):
    result = call("cable", "fattree(k=4)", "--for", "Topo", "-o", "fabric")
    assert "wrote fabric, 3 files, read back" in result.stderr
    assert "InfiniBand topology file holds no racks and no lengths; left out: 5 racks, 104 m" in result.stderr
    found = document("cable", "fattree(k=4)", "--for", "ptm", "-o", "topology.dot")
    assert found["parameters"]["target"] == "ptm"
    assert found["results"][0]["cables"] == 48
    before = (folder / "fabric" / "topology.topo").read_bytes()
    call("cable", "fattree(k=4)", "--for", "topo", "--names", "a b{n}", "-o", "fabric", code=2)
    assert (folder / "fabric" / "topology.topo").read_bytes() == before
    call("cable", "fattree(k=4)", "--for", "topo", "--names", "sw{n}", "-o", "fabric")
    assert b"SW4 sw7" in (folder / "fabric" / "topology.topo").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--for", "netbix", "-o", "x"], 2, "did you mean netbox?"),
        (["--for", "netbox"], 2, "writes a folder: name it with -o"),
        (["--for", "ptm"], 2, "writes a file *.dot: name it with -o"),
        (["--for", "ptm", "-o", "x.csv"], 2, "ends in .dot"),
        (["--for", "netbox", "-o", "here.txt"], 4, "expected a folder"),
        (["--for", "ptm", "-o", "there.dot"], 4, "expected a file name"),
        (["--for", "netbox", "-o", "missing/x"], 4, "the folder missing does not exist"),
        (["--for", "topo", "-o", "x", "--names", "link=fast"], 2, "such as 4x-50G"),
        (["--for", "topo", "-o", "x", "--names", "router_type=a/b"], 2, "type 'a/b'"),
        (["--for", "topo", "-o", "x", "--names", "router_type=5800"], 2, "a letter first"),
        (["--for", "topo", "-o", "x", "--names", "endpoint_type=CA"], 2, "type 'CA'"),
        (["--for", "topo", "-o", "x", "--names", "port=1/{n}"], 2, "'1/1': InfiniBand topology file takes"),
        (["--for", "topo", "-o", "x", "--names", "endpoint_port={n}"], 2, "like 'mlx5_6/P1'"),
        (["--for", "topo", "-o", "x", "--names", f"r{'x' * 62}{{n}}"], 2, "names of at most 63 letters"),
        (["--for", "containerlab", "-o", "x.clab.yml", "--names", "port=eth{n-1}"], 2, "'eth0'"),
        (["--for", "containerlab", "-o", "x.clab.yml", "--names", "port=1/{n}"], 2, "like 'eth7'"),
        (
            ["--for", "netbox", "-o", "x", "--names", f"port=p{'x' * 63}{{n}}"],
            2,
            "ports of at most 64 letters",
        ),
        (["--for", "ns3", "-o", "x.txt", "--names", "rate=fast"], 2, "such as 400Gbps"),
        (["--for", "slurm", "-o", "x.conf", "--names", "endpoint=top,router=r{n}"], 2, "both 'top'"),
        (["-o", "there.dot"], 2, "ends in .csv"),
    ],
)
def test_wrong_places_and_words_are_refused_before_anything_is_written(folder, arguments, code, said):
    (folder / "here.txt").write_text("mine")
    (folder / "there.dot").mkdir()
    result = call("cable", "fattree(k=4)", *arguments, code=code)
    assert said in result.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["here.txt", "there.dot"]


def test_python_writes_the_same_plan(folder):
    call("cable", "fattree(k=4)", "--for", "netbox", "--names", "sw{n}", "-o", "one", "-q")
    cable("fattree(k=4)", target="netbox", names="sw{n}", cables="two")
    for path in (folder / "one").iterdir():
        assert path.read_bytes() == (folder / "two" / path.name).read_bytes()
    cable("fattree(k=4)", cables="cables.csv")
    assert (folder / "cables.csv").read_text().startswith("cable,from")
    with pytest.raises(InvalidParameters, match="expected cables="):
        cable("fattree(k=4)", target="netbox")


def test_every_plane_is_a_subnet_with_a_file_and_a_folder_holds_one_plan(folder):
    words = ("cable", "torus(dims=3x3,p=2)", "--for", "topo", "-o", "fabric", "-q")
    call(*words, "--planes", "2", "--names", "sw{plane}-{n},endpoint=n{n}")
    files = [f"topology-p{plane}.topo" for plane in (0, 1)]
    assert sorted(path.name for path in (folder / "fabric").iterdir()) == ["HCA_1.ibnl", "SW6.ibnl", *files]
    for plane, file in enumerate(files):
        found = read_plan(TARGETS["topo"], folder / "fabric" / file)
        assert {name for name in found.names if name[:2] == "sw"} == {f"sw{plane}-{n}" for n in range(9)}
        assert {port for cable in found.port_names for port in cable if "/" in port} == {f"mlx5_{plane}/P1"}
    adapters = re.findall(
        r"(?m)^NODE CA 1 HCA_1 (U\d)\n  1 -> (\S+)$", (folder / "fabric/HCA_1.ibnl").read_text()
    )
    assert adapters == [("U1", "mlx5_0/P1"), ("U2", "mlx5_1/P1")]
    assert "holds topology-p0.topo of another plan: remove it" in call(*words, code=4).stderr
    assert not (folder / "fabric" / "topology.topo").exists()
    call(*words, "--planes", "2", "--names", "endpoint_port=mlx5_0/P{n}")
    assert "NODE CA 2 HCA_1 U1\n" in (folder / "fabric" / "HCA_1.ibnl").read_text()


def test_an_infiniband_sheet_tells_routers_by_the_order_of_ends(folder):
    """Fat trees of three levels, whose top routers have the lowest numbers, or the highest."""
    tree = build("fattree(k=4)")
    turned = Graph.from_links(tree.graph.order, tree.graph.order - 1 - tree.edges)
    other = Topology("graph", {}, turned, tree.endpoints_per_router[::-1].copy())
    for network in (tree, other):
        cable(network, target="p2p-ib", planes=3, cables="sheet.csv")
        found = read_plan(TARGETS["p2p-ib"], "sheet.csv")
        assert all((name[0] == "p") == kind for name, kind in zip(found.names, found.is_router, strict=True))


NAME_IN_IBNL = re.compile(r"[A-Za-z][-\[\]\\*/A-Za-z0-9_.:%@~]+")  # ibnl_scanner.ll
WORDS_IN_IBNL = {"SYSTEM", "TOPSYSTEM", "SUBSYSTEM", "NODE", "SW", "CA", "HCA"}


@pytest.mark.parametrize(
    "names", ["sw{n}", "port=Ethernet{4(n-1)},router_type=MSX-6036", "port=p1:{n},endpoint_type=HCA_mlx5_1"]
)
def test_types_of_systems_are_read_by_ibutils(folder, names):
    """By its grammar: a top system of one node, whose ports have names; by its own program where that is."""
    call("cable", "torus(dims=3x3,p=2)", "--for", "topo", "--names", names, "-o", "fabric", "-q")
    files = sorted((folder / "fabric").glob("*.ibnl"))
    assert len(files) == 2
    for path in files:
        head, _, node, *ports = path.read_text().splitlines()
        kind, count, device = re.fullmatch(r"NODE (SW|CA) ([1-9][0-9]*) (\S+) U1", node).groups()
        found = [re.fullmatch(r"  ([1-9][0-9]*) -> (\S+)", port).groups() for port in ports]
        assert [int(number) for number, _ in found] == [*range(1, int(count) + 1)]
        assert int(count) == {"SW": 6, "CA": 1}[kind]
        called = [device, head.removeprefix("TOPSYSTEM "), *(name for _, name in found)]
        assert called[:2] == [path.stem] * 2
        assert all(NAME_IN_IBNL.fullmatch(name) and name not in WORDS_IN_IBNL for name in called)
        if shutil.which("ibnlparse"):
            read = subprocess.run(["ibnlparse", path, path.stem], capture_output=True, text=True, check=False)
            assert "error" not in read.stdout  # Debian's aborts as it prints what it has read


@pytest.mark.parametrize(
    ("target", "file"), [("slurm", "t.yaml"), ("slurm-block", "t.yaml"), ("containerlab", "t.clab.yml")]
)
def test_names_of_digits_are_texts_in_yaml(folder, target, file):
    """Bare 010 and yes are a number and a truth value to most readers."""
    call("cable", "torus(dims=3x3,p=1)", "--for", target, "--names", "{n:02},endpoint=1{n}", "-o", file, "-q")
    text = (folder / file).read_text()
    assert re.search(r'"(00|group0)"', text)
    assert not re.search(r"(?m)(^ +|: )[0-9]+(:|$)", text)


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_draws_the_file_of_ptmd(folder):
    call("cable", "fattree(k=4)", "--for", "ptm", "-o", "topology.dot", "-q")
    drawn = subprocess.run(
        ["dot", "-Tplain", "topology.dot"], capture_output=True, text=True, check=True, cwd=folder
    ).stdout
    assert len(re.findall(r"^edge ", drawn, re.M)) == len(read_plan(TARGETS["ptm"], "topology.dot").cables)
