"""``topoctl route`` for OpenSM: what its files say, read without the code that wrote them."""

import json
import re
from pathlib import Path

import pytest

from commands import call, document
from opensm import (
    circle_in,
    fabric_of,
    ibnetdiscover,
    levels_of,
    records_of,
    shuffled,
    subnet_lst,
    tables_of,
    throughput_of,
    walked,
)
from topoctl.families import topology_from_spec
from topoctl.routing import ROUTINGS
from topoctl.routing.channels import Certificate, fault_in

pytestmark = pytest.mark.once

DRAGONFLY = "dragonfly(p=2,a=4,h=2)"
SEARCHED = "cayley(s=25,t=8,r=7,x=10:0+5:1+12:1+24:1+1:2+5:3+8:3,p=2)"
"""Of 200 routers, found by `topoctl search cayley --n 200 --k 14`."""
LAYERS = ("--vcs", "destination-layers", "--channels", "qos.conf")


def loaded(spec, routing, *arguments):
    """The row of the routing, the fabric and the tables, as OpenSM would load them."""
    call("export", spec, "-o", "fabric.ibsim", "-q")
    [row] = document("route", spec, "--routing", routing, "--tables", "t.lfts", *arguments)["results"]
    return row, fabric_of(Path("fabric.ibsim").read_text()), tables_of(Path("t.lfts").read_text())


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("routing", ["lowest", "spread", "anynet", "updown-spread"])
@pytest.mark.parametrize("spec", [DRAGONFLY, "torus(dims=5x5,p=1)", "slimfly(q=4,p=3)", "mesh(dims=4x3,p=2)"])
def test_the_verdict_on_linear_tables_is_that_of_their_one_lane(spec, routing):
    row, fabric, tables = loaded(spec, routing)
    waits, loads = walked(fabric, tables)
    circle = circle_in(waits)
    assert (row["virtual_channels"], row["channel_scheme"]) == (1, "one")
    assert row["deadlock_free"] is (circle is None)
    assert (row["deadlock_cycle"] is None) is (circle is None)
    assert row["deadlock_free"] or routing != "updown-spread"
    assert throughput_of(fabric, loads) == pytest.approx(row["throughput"])


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("vcs", ["auto", "segments", "hops", "2", "destination-layers"])
def test_what_linear_tables_cannot_hold_is_said_with_what_would_do(vcs):
    found = document("route", DRAGONFLY, "--routing", "lowest", "--vcs", vcs, "--tables", "t.lfts")
    [row], [note] = found["results"], found["notes"]
    assert (row["virtual_channels"], row["deadlock_free"]) == (1, False)
    for said in ("t.lfts", "can deadlock", "updown-spread", "destination-layers", "nue, dfsssp and lash"):
        assert said in note
    shown = call("route", DRAGONFLY, "--routing", "lowest", "--vcs", vcs, "--tables", "t.lfts").stdout
    assert "can" in shown.splitlines()[1].split()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("spec", "routing"), [(DRAGONFLY, "lowest"), ("torus(dims=5x5)", "spread")])
def test_layers_by_destination_are_service_levels_without_a_circle(spec, routing):
    row, fabric, tables = loaded(spec, routing, *LAYERS)
    level = levels_of(Path("qos.conf").read_text())
    waits, _ = walked(fabric, tables, level)
    assert row["deadlock_free"] is True
    assert row["channel_scheme"] == "destination-layers"
    assert {lane for lane, _, _ in waits} == {*range(row["virtual_channels"])}
    assert circle_in(waits) is None
    assert circle_in(walked(fabric, tables)[0]) is not None


@pytest.mark.thorough
@pytest.mark.usefixtures("folder")
def test_a_fabric_of_two_hundred_routers_has_no_circle():
    row, fabric, tables = loaded(SEARCHED, "updown-spread")
    assert (len(fabric.switches), len(fabric.adapters), row["deadlock_free"]) == (200, 400, True)
    assert circle_in(walked(fabric, tables)[0]) is None


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("routing", "files", "scheme"),
    [
        ("spread", (), "one"),
        ("spread", ("--channels", "c.csv"), "segments"),
        ("spread", ("--certificate", "proof.npz"), "segments"),
        ("updown-spread", (), "one"),
    ],
)
@pytest.mark.parametrize("suffix", [".csv", ".txt", ".npz"])
def test_tables_beside_the_file_of_their_virtual_channels_hold_them(routing, files, scheme, suffix):
    found = document("route", DRAGONFLY, "--routing", routing, "--tables", f"next{suffix}", *files)
    [row] = found["results"]
    can = routing == "spread" and not files
    assert (row["channel_scheme"], row["deadlock_free"]) == (scheme, not can)
    notes = [f"next{suffix}: only one virtual channel is in it, where packets can deadlock; "
             "write those of segments too, with --channels FILE.csv or .npz"]  # fmt: skip
    assert found["notes"] == (notes if can else [])


@pytest.mark.usefixtures("folder")
def test_tables_hold_the_virtual_channels_of_the_routing_itself_but_linear_ones_do_not():
    arguments = ("route", "torus(dims=5x5)", "--routing", "dor", "--tables")
    verdicts = {
        name: [(row["channel_scheme"], row["deadlock_free"]) for row in document(*arguments, name)["results"]]
        for name in ("next.csv", "next.lfts")
    }
    assert verdicts == {"next.csv": [("own", True)], "next.lfts": [("one", False)]}
    [note] = document(*arguments, "next.lfts", "--vcs", "none")["notes"]
    assert "was not asked" in note


@pytest.mark.usefixtures("folder")
def test_files_for_opensm_say_whose_guids_they_hold_and_layers_which_files_would_hold_them():
    layered = ("route", DRAGONFLY, "--routing", "spread", "--vcs", "destination-layers")
    for files, guids in (
        (("--tables", "t.lfts", "--channels", "qos.conf"), 2),
        (("--tables", "t.csv", "--channels", "c.csv"), 0),
    ):
        said = call(*layered, *files)
        assert said.stderr.count("GUIDs of an ibsim export (--guids: of a fabric), read back") == guids
        assert "--channels" not in said.stdout
    assert ".csv or .npz, or .conf for OpenSM" in document(*layered)["notes"][0]
    [note] = document(*layered[:-1], "pair-layers")["notes"]
    assert note.endswith("--channels FILE.csv or .npz")
    assert not document(*layered[:-2])["notes"]


def test_a_proof_beside_linear_tables_is_of_what_is_in_them(folder):
    arguments = ("route", DRAGONFLY, "--certificate", "proof.npz", "--tables", "t.lfts", "--routing")
    refused = call(*arguments, "lowest", code=2).stderr
    assert "error: --certificate proof.npz beside t.lfts: lowest can deadlock: there is no proof" in refused
    assert not [*folder.iterdir()]
    call(*arguments, "updown-spread")
    proof = Certificate.read(folder / "proof.npz")
    assert (proof.scheme, proof.count) == ("one", 1)
    assert fault_in(proof, ROUTINGS["updown-spread"].routes(topology_from_spec(DRAGONFLY))) is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--channels", "qos.conf"), "holds layers by destination: expected --vcs destination-layers"),
        (("--channels", "qos.conf", "--vcs", "pair-layers"), "expected --vcs destination-layers"),
        (("--channels", "qos.conf", "--vcs", "none"), "excludes --vcs none"),
    ],
)
def test_a_policy_of_something_else_is_refused(folder, arguments, said):
    [line] = [
        line
        for line in call("route", DRAGONFLY, "--routing", "lowest", *arguments, code=2).stderr.splitlines()
        if line.startswith("error")
    ]
    assert said in line
    assert not [*folder.iterdir()]


NAMED = ("--names", "sw{n:02},endpoint=n{n}")
SMALL = "torus(dims=4x4,p=2)"


def fabric_like(spec, *names):
    """A fabric with the names and cables of a plan, but other GUIDs than its export."""
    call("export", spec, "-o", "plan.ibsim", "-q", *names)
    return shuffled(Path("plan.ibsim").read_text())


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("names", [(), NAMED])
@pytest.mark.parametrize("told", [ibnetdiscover, subnet_lst])
def test_tables_and_policy_have_the_guids_of_a_fabric_that_was_found(told, names):
    text = fabric_like(DRAGONFLY, *names)
    Path("found.txt").write_text(told(*records_of(text)))
    files = ("--tables", "t.lfts", *LAYERS, "--guids", "found.txt", *names)
    found = call("route", DRAGONFLY, "--routing", "spread", *files, "--json")
    assert found.stderr.count("with the GUIDs of found.txt, read back") == 2
    made = json.loads(found.stdout)
    [row] = made["results"]
    assert made["parameters"]["guids"] == "found.txt"
    fabric, tables = fabric_of(text), tables_of(Path("t.lfts").read_text())
    waits, loads = walked(fabric, tables, levels_of(Path("qos.conf").read_text()))
    assert {guid for _, guid in tables} == fabric.switches | {guid + 1 for guid in fabric.adapters}
    assert {lane for lane, _, _ in waits} == {*range(row["virtual_channels"])}
    assert (row["deadlock_free"], circle_in(waits)) == (True, None)
    assert throughput_of(fabric, loads) == pytest.approx(row["throughput"])
    assert tables != tables_of(shown("t.lfts", names))


def shown(file, names):
    """The same tables with the GUIDs of an ibsim export."""
    call("route", DRAGONFLY, "--routing", "spread", "--vcs", "none", "--tables", file, "-q", *names)
    return Path(file).read_text()


@pytest.mark.usefixtures("folder")
def test_a_switch_is_told_by_its_own_guid_and_reached_by_that_of_its_port():
    text = ibnetdiscover(*records_of(fabric_like(SMALL)))
    Path("found.txt").write_text(re.sub(r"switchguid=0x(\w+)\(\w+\)", r"switchguid=0x\1(ab\1)", text))
    call("route", SMALL, "--routing", "updown-spread", "--tables", "t.lfts", "--guids", "found.txt")
    tables = Path("t.lfts").read_text()
    [own] = re.findall(r"guid 0x0{10}(\w+) \('S0'\)", tables)
    assert {*re.findall(r"Switch portguid 0x0{8}(\w+): 'S0'", tables)} == {f"ab{own}"}


@pytest.mark.usefixtures("folder")
def test_what_has_failed_may_be_there_or_not():
    kinds, cables = records_of(fabric_like(SMALL))
    Path("dead.txt").write_text("0 1\n5\n")
    dead = {"S5", "H10", "H11"}
    less = {end: far for end, far in cables.items() if {end[0], far[0]} != {"S0", "S1"}}
    tables = []
    for there in (cables, less, {end: far for end, far in less.items() if not {end[0], far[0]} & dead}):
        left = {name: kind for name, kind in kinds.items() if any(name == here for here, _ in there)}
        Path("found.txt").write_text(ibnetdiscover(left, there))
        asked = ("--routing", "updown-spread", "--failed", "dead.txt", "--tables", "t.lfts")
        call("route", SMALL, *asked, "--guids", "found.txt")
        tables.append(Path("t.lfts").read_text())
    assert tables[0] == tables[1]
    assert not {*re.findall(r"'(\w+)'", tables[2])} & dead
    assert [len(tables_of(text)) for text in tables] == [15 * (15 + 30) + 3] * 2 + [15 * (15 + 30)]


@pytest.mark.parametrize(
    ("pattern", "instead", "said"),
    [
        ('"S3"', '"spine"', "no system is called 'S3', but one 'spine': --names tells other names"),
        ('"H5"', '"H4"', "several systems are called 'H4', expected one"),
        (r'Switch(.*"S0")', r"Ca\1", "'S0' is an adapter, unlike in the plan"),
        (
            "(?:switch|ca)guid=.*",
            "",
            "tells no GUIDs: expected text of ibnetdiscover, or OpenSM's subnet.lst",
        ),
        (r'caguid=.*(?=\n.*"H3")', "", "tells no GUID of 'H3' or of its port"),
        (r'caguid=.*(?=\n.*"H3")', "caguid=0x200000", "have the GUID 0x0000000000200000"),
    ],
)
def test_a_fabric_that_is_not_the_plan_is_refused(folder, pattern, instead, said):
    refused(folder, re.sub(pattern, instead, ibnetdiscover(*records_of(fabric_like(SMALL)))), said)


def refused(folder, text, said):
    """Whether no file is made for a fabric, with one line that says why."""
    (folder / "found.txt").write_text(text)
    before = {*folder.iterdir()}
    asked = ("--routing", "updown-spread", "--tables", "t.lfts", "--guids", "found.txt")
    [line] = call("route", SMALL, *asked, code=4).stderr.splitlines()
    assert line.startswith("error: found.txt: ")
    assert said in line
    assert {*folder.iterdir()} == before


@pytest.mark.parametrize(
    ("moved", "said"),
    [
        ({("S0", 1): None}, "port 1 of 'S0' has no cable, expected one to port 1 of 'S1'"),
        ({("S0", 5): ("H1", 1), ("S0", 6): ("H0", 1)}, "port 5 of 'S0' has a cable to 'H1', expected 'H0'"),
        ({("S0", 7): ("new", 1)}, "port 7 of 'S0' has a cable to 'new', expected none"),
    ],
)
def test_a_fabric_that_is_wired_otherwise_is_refused(folder, moved, said):
    kinds, cables = records_of(fabric_like(SMALL))
    for end in moved:
        cables.pop(cables.pop(end, None), None)
    for end, far in moved.items():
        if far:
            cables |= {end: far, far: end}
            kinds.setdefault(far[0], "Hca")
    also = "; topoctl check PLAN found.txt tells all differences"
    refused(folder, ibnetdiscover(kinds, cables), said + also)


@pytest.mark.parametrize("files", [(), ("--tables", "t.csv"), ("--channels", "c.csv"), ("--loads", "l.csv")])
def test_guids_are_for_files_that_hold_them(folder, files):
    line = call("route", SMALL, *files, "--guids", "found.txt", code=2).stderr
    assert "expected --tables FILE.lfts or --channels FILE.conf too" in line
    assert not [*folder.iterdir()]
