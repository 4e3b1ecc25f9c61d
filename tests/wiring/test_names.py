"""Names of routers, endpoints and ports: patterns, lists, what is refused, what a study keeps."""

import csv
import re
import sqlite3

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import SEARCH, call, document
from topoctl.analysis.floor_plan import floor_plan
from topoctl.errors import InvalidParameters, TopoctlError
from topoctl.families import topology_from_spec
from topoctl.floor.floor import floor_named
from topoctl.topology import Names
from topoctl.wiring.names import Naming, PortReader, filled, names_of
from topoctl.wiring.wiring import Wiring

pytestmark = pytest.mark.once
DRAGONFLY = "dragonfly(p=2,a=4,h=2)"


def named(spec, text):
    topology = topology_from_spec(spec)
    return topology, names_of(topology, Naming.of(text), lambda: floor_plan(topology, floor_named("racks42")))


def read_cables(path):
    return [*csv.DictReader(path.read_text().splitlines())]


def test_every_field_says_what_its_meaning_says():
    topology, names = named(
        "fattree(k=4)",
        "{n}|{group}|{index}|{role}|{rack}|{row}|{column}|{unit},"
        "endpoint={n}|{router}|{index}|{group}|{rack}|{row}|{column}|{unit}",
    )
    plan = floor_plan(topology, floor_named("racks42"))

    def standing(rack, unit):
        column, row = (plan.places - plan.places.min(axis=0))[rack] + 1
        return [f"R{row}C{column}", str(row), str(column), str(unit + 1)]

    for number, name in enumerate(names.routers):
        # Four pods of two leaves and two routers above them, in turn, and four at the top.
        group, index = divmod(number, 4)[::-1] if number < 16 else (4, number - 16)
        role = "leaf" if topology.endpoints_per_router[number] else "spine"
        told = [str(number), str(group), str(index), role]
        assert name.split("|") == told + standing(plan.rack_of[number], plan.unit_of[number])
    for number, name in enumerate(names.endpoints):
        router, index = divmod(number, 2)
        told = [str(number), str(router), str(index), str(router % 4)]
        assert name.split("|") == told + standing(plan.endpoint_racks[number], plan.endpoint_units[number])
    _, names = named("fattree(k=4)", "s{n},endpoint={router_name}-h{index}")
    assert names.endpoints[3] == "s1-h1"


def test_coordinates_are_those_of_products_and_layouts(folder):
    _, names = named("torus(dims=3x4)", "t{x1}.{x2}")
    assert names.routers == tuple(f"t{x}.{y}" for x in range(3) for y in range(4))
    (folder / "row.edges").write_text("0,0 1,0\n1,0 2,0\n")
    call("cable", "row.edges", "--names", "at{x1}-{x2}", "-o", "cables.csv", "-q")
    assert [row["from"] for row in read_cables(folder / "cables.csv")] == ["at0-0", "at1-0"]


@given(st.integers(1, 9), st.integers(0, 99), st.integers(1, 60))
def test_ports_read_back_by_any_step_and_offset(step, offset, count):
    topology = topology_from_spec(f"hyperx(dims={count + 1},p=1)")
    names = names_of(topology, Naming.of(f"r{{n}},port=Ethernet{{{step}(n-1)+{offset}}}"), plan=None)
    assert names.ports == tuple(f"Ethernet{step * port + offset}" for port in range(count + 1))
    ports = PortReader(names.ports)
    assert [ports.number(name, of_router=True) for name in names.ports] == [*range(1, count + 2)]
    assert ports.number("Ethernet9999999", of_router=True) == 0
    assert PortReader().number("1/7", of_router=True) == 7


@pytest.mark.parametrize(
    ("pattern", "port", "name"),
    [
        ("P{n}", 7, "P7"),
        ("1/{n}", 7, "1/7"),
        ("Ethernet{4n}", 3, "Ethernet12"),
        ("{(n-1)//2+1}/{(n-1)%2+1}", 4, "2/2"),
        ("p{n:03}", 7, "p007"),
        ("p{n:02x}", 11, "p0b"),
    ],
)
def test_ports_by_pattern(pattern, port, name):
    _, names = named("hyperx(dims=12,p=2)", f"port={pattern}")
    assert names.ports[port - 1] == name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("leaf{k}", "k is unknown"),
        ("leaf", "router 0 and router 1 are both 'leaf'"),
        ("a{n},endpoint=a{n}", "router 0 and endpoint 0 are both 'a0'"),
        ("a{n},port=swp", "port 1 and port 2 are both 'swp'"),
        ("r{n}}", "a brace alone"),
        ("r{n**9}", "expected numbers and"),
        ("r{rack:03}", "rack is a text"),
        ("r{n},n{n}", "expected KEY=PATTERN"),
        ("r{n},router=s{n}", "given twice"),
        ("@r{n}", "formulas"),
        ("r{n}\t", None),
        ("r\x1b{n}", "letters"),
        ("r{n//(n-n)}", "divides by 0"),
        ("{x1}", "no coordinates"),
        ("{__import__}", "unknown"),
        ("port={" + "9*" * 60 + "9}", "expected such as"),
    ],
)
def test_wrong_names_are_refused_in_a_line(text, said):
    result = call("cable", DRAGONFLY, "--names", text, code=2 if said else 0)
    if said:
        assert said in result.stderr
        assert result.stderr.count("\n") == 1


@given(st.text(max_size=30))
def test_any_text_is_names_or_refused(text):
    said, names = "", None
    try:
        _, names = named("hyperx(dims=3,p=1)", text.replace(".toml", ""))
    except InvalidParameters as error:
        said = str(error)
    assert "\n" not in said
    assert names is None or names.routers is None or len(set(names.routers)) == 3


def test_lists_in_a_file(folder):
    path = folder / "names.toml"
    path.write_text('router = ["a", "b", "c"]\nendpoint = "h{n+1}"\nport = ["up", "down", "host", "spare"]\n')
    call("cable", "hyperx(dims=3,p=1)", "--endpoints", "--names", path, "-o", "cables.csv", "-q")
    first, *_, last = read_cables(folder / "cables.csv")
    assert (first["from"], first["from_port"], first["to"], first["to_port"]) == ("a", "up", "b", "up")
    assert (last["from"], last["from_port"], last["to"], last["to_port"]) == ("c", "host", "h3", "1")
    for text in ('router = ["a"]', 'port = ["up"]'):
        path.write_text(text)
        assert "names of" in call("cable", "hyperx(dims=3,p=1)", "--names", path, code=2).stderr
    for text in ("router = 3", 'rooter = "a{n}"', "router ="):
        path.write_text(text)
        assert "names.toml" in call("cable", "hyperx(dims=3,p=1)", "--names", path, code=4).stderr


def test_a_study_keeps_names_with_the_run(folder):
    call(*SEARCH, "-q")
    call("cable", "--run", "1", "--names", "eq{n:02},port=P{n}", "-q")
    call("cable", "--run", "1", "-o", "cables.csv", "-q")
    assert read_cables(folder / "cables.csv")[0]["from"] == "eq00"
    call("export", "--run", "1", "-o", "found.ibsim", "-q")
    assert '"eq31"' in (folder / "found.ibsim").read_text()
    assert document("route", "--run", "1", "--routing", "updown-spread", "--tables", "t.lfts", "-q")
    assert "'eq07'" in (folder / "t.lfts").read_text()
    call("cable", "--run", "1", "--names", "other{n}", "--no-study", "-q")
    call("cable", "--run", "1", "--names", "clash", "-q", code=2)
    call("cable", "--run", "1", "-o", "cables.csv", "-q")
    assert read_cables(folder / "cables.csv")[0]["from"] == "eq00"
    call("cable", "--run", "1", "--names", "none", "-o", "cables.csv", "-q")
    assert read_cables(folder / "cables.csv")[0]["from"] == "router 0"
    with sqlite3.connect(folder / "topoctl.db") as study:
        study.execute("UPDATE runs SET names = '[1'")
    assert "names" in call("cable", "--run", "1", code=4).stderr


def test_names_kept_with_a_group_are_left_out_where_they_do_not_fit(folder):
    asked = ("--endpoints", "60", "--router-radix", "12", "--evaluations", "1")
    call("design", "dragonfly", "jellyfish", *asked, "-q")
    call("cable", "--run", "g1", "--rank", "1", "--names", "leaf{group}-{index}", "-q")
    other = ("--run", "g1", "--rank", "2")
    left = "names kept with group g1 are left out: jellyfish(n=12,r=7,p=5) has no groups of routers"
    for words in (["cable", "-o", "c.csv"], ["route"], ["export", "-o", "a.edges"], ["check", "c.csv"]):
        assert left in call(*words, *other).stderr
    (folder / "dead.txt").write_text("3\n")
    assert left in call("evaluate", *other, "--failed", "dead.txt").stderr
    assert "no groups" in call("cable", *other, "--names", "leaf{group}", code=2).stderr
    call("cable", "--run", "g1", "-o", "cables.csv", "-q")
    assert read_cables(folder / "cables.csv")[0]["from"] == "leaf0-0"


def test_what_has_no_name_is_filled_and_planned():
    topology = topology_from_spec(DRAGONFLY)
    habits = {"router": "S{n}", "endpoint": "H{n}", "port": "P{n}", "endpoint_port": "1"}
    names = filled(Names(routers=tuple(f"x{n}" for n in range(36))), topology, **habits)
    assert (names.routers[3], names.endpoints[71], names.ports[6]) == ("x3", "H71", "P7")
    wiring = Wiring.planned(topology, names)
    assert wiring.is_router.sum() == 36
    ends = np.concatenate([wiring.cables[:, :2], wiring.cables[:, 2:]])
    assert len(np.unique(ends, axis=0)) == 2 * (topology.graph.size + topology.endpoints)
    with pytest.raises(TopoctlError, match="both 'H1'"):
        filled(Names(routers=tuple(f"H{n}" for n in range(1, 37))), topology, **habits)


def test_formats_hold_names_or_say_so(folder):
    for suffix in ("dot", "ibsim", "graphml", "json"):
        call("export", "hyperx(dims=3,p=1)", "--names", "sw-{n}", "-o", f"x.{suffix}", "-q")
        assert "sw-2" in (folder / f"x.{suffix}").read_text()
    said = call("export", "hyperx(dims=3,p=0)", "--names", "sw-{n}", "-o", "x.edgelist").stderr
    assert re.search(r"holds no .*names; left out: .*names", said)
