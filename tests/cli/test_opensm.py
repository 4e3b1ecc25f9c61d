"""``topoctl route`` for OpenSM: what its files say, read without the code that wrote them."""

from pathlib import Path

import pytest

from commands import call, document
from opensm import circle_in, fabric_of, levels_of, tables_of, throughput_of, walked
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
        assert said.stderr.count("with the GUIDs of an ibsim export, read back") == guids
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
