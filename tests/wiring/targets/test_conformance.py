"""Every target: what it writes is read back as the network; other bytes are refused in a line."""

import random
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoctl.analysis.floor_plan import floor_plan
from topoctl.economics.prices import prices_named
from topoctl.errors import Contradiction, FormatError, InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.floor.cabling_list import STOCK, cabling_list
from topoctl.floor.floor import floor_named
from topoctl.formats.record import graph_topology
from topoctl.graph import Graph
from topoctl.runs.router_names import named_on_floor
from topoctl.topology import Names
from topoctl.wiring.names import Naming, PortReader
from topoctl.wiring.targets import TARGETS, read_plan, target_named, write_plan
from topoctl.wiring.targets.record import LINKS, NAMES, PORTS, Target

pytestmark = pytest.mark.once
each_target = pytest.mark.parametrize("target", TARGETS.values(), ids=lambda one: one.name)
each_file = pytest.mark.parametrize(
    ("target", "suffix"),
    [(target, suffix) for target in TARGETS.values() for suffix in target.suffixes or ("",)],
    ids=lambda one: getattr(one, "name", one),
)
NAMED = (
    "sw{n:02},endpoint=n{n+1:03},port=Ethernet{4(n-1)},endpoint_port=eth{n},router_type=MQM9700,link=4x-50G"
)
SPECS = ("fattree(k=4)", "dragonfly(p=1,a=2,h=1)", "slimfly(q=3,p=1)")
IN_PLANES = (*((spec, 1) for spec in SPECS), ("fattree(k=4,levels=2)", 4), ("dragonfly(p=1,a=2,h=1)", 2))


def planned(target, topology, planes=1):
    floor = floor_plan(topology, floor_named("racks42"), planes=planes)
    media = prices_named("fdr10").media
    names = topology.names
    return target.plan(
        topology, cabling_list(topology.graph, floor, STOCK, media, endpoints=True, names=names)
    )


def named(spec, planes=1):
    return named_on_floor(topology_from_spec(spec), Naming.of(NAMED), planes=planes)


def ends_by_hand(topology, router, endpoint, planes=1):
    """Both ends of every cable: links on the first ports of routers, by their neighbours, then endpoints.

    Of several planes these are copies of routers, and port i of an endpoint is in plane i - 1.
    """
    order = topology.graph.order
    rows = [neighbours(topology.graph, one) for one in range(order)]
    owners = np.repeat(np.arange(order), topology.endpoints_per_router).tolist()
    found = set()
    for plane in range(planes):
        called = [router(plane * order + one) for one in range(order)]
        found |= {
            frozenset({(called[one], port), (called[other], 1 + rows[other].index(one))})
            for one, row in enumerate(rows)
            for port, other in enumerate(row, start=1)
        }
        for number, one in enumerate(owners):
            port = len(rows[one]) + 1 + owners[:number].count(one)
            found.add(frozenset({(called[one], port), (endpoint(number), plane + 1)}))
    return found


def neighbours(graph, router):
    return sorted(graph.neighbors[graph.offsets[router] : graph.offsets[router + 1]].tolist())


@each_target
def test_a_record_is_complete(target):
    assert isinstance(target, Target)
    assert target_named(target.name.upper()) is target
    assert target.title
    assert target.remark.endswith(".")
    assert all(suffix.startswith(".") for suffix in target.suffixes)


@each_file
@pytest.mark.parametrize(("spec", "planes"), IN_PLANES)
def test_what_is_written_is_read_back_as_the_network(tmp_path, target, suffix, spec, planes):
    topology = named(spec, planes)
    path = tmp_path / f"plan{suffix}"
    plan = planned(target, topology, planes)
    write_plan(target, plan, path)
    found = read_plan(target, path, PortReader(topology.names.ports, topology.names.endpoint_ports))
    prefixes = [f"p{plane}-" for plane in range(planes)] if planes > 1 else [""]
    called = [f"{prefix}sw{one:02}" for prefix in prefixes for one in range(topology.graph.order)]
    by_hand = ends_by_hand(topology, called.__getitem__, lambda one: f"n{one + 1:03}", planes)
    if {PORTS, LINKS, NAMES} <= target.holds:
        assert found.ends() == by_hand
        routers = {name for name, kind in zip(found.names, found.is_router, strict=True) if kind}
        assert routers == {*called}
    elif LINKS in target.holds:  # no names and no ports: the same graph by numbers, endpoints first
        count = topology.endpoints
        wanted = ends_by_hand(topology, lambda one: str(one + count), str, planes)
        bare = {frozenset(name for name, _ in cable) for cable in wanted}
        assert {frozenset(name for name, _ in cable) for cable in found.ends()} == bare
    else:
        adapters = [f" eth{port + 1}" for port in range(planes)] if target.name == "node-name-map" else [""]
        assert {name for name in found.names if name.startswith("n")} == {
            f"n{one + 1:03}{adapter}"
            for one in range(topology.endpoints)
            for adapter in (adapters if planes > 1 else [""])
        }
        assert called[0] in found.names or target.name == "slurm-block"


@each_file
def test_names_of_its_own_suit_it_and_are_read_without_being_told(tmp_path, target, suffix):
    topology = topology_from_spec("fattree(k=4)")
    plan = planned(target, topology)
    write_plan(target, plan, tmp_path / f"plan{suffix}")
    found = read_plan(target, tmp_path / f"plan{suffix}")
    if PORTS in target.holds and target.port != "Ethernet{4(n-1)}":
        kinds = dict(zip(found.names, found.is_router.tolist(), strict=True))
        to_endpoint = [port for cable in found.ends() for name, port in cable if not kinds[name]]
        assert set(to_endpoint) == {1}
        assert found.ends() == ends_by_hand(topology, "S{}".format, "H{}".format)


@each_file
def test_other_cables_than_the_plans_are_noticed_and_nothing_is_written(tmp_path, target, suffix):
    plan = planned(target, named("dragonfly(p=1,a=2,h=1)"))
    path = tmp_path / f"plan{suffix}"
    other = planned(target, named("torus(dims=6,p=2)"))
    wrong = type(target)(**{**vars(target), "render": lambda _, ending: target.render(other, ending)})
    with pytest.raises(Contradiction, match="read back with other cables"):
        write_plan(wrong, plan, path)
    assert not path.exists()
    assert not [*tmp_path.iterdir()]


@each_file
def test_mutated_files_are_read_or_refused_in_a_line(tmp_path, target, suffix):
    topology = named("dragonfly(p=1,a=2,h=1)")
    files = target.render(planned(target, topology), suffix)
    draw = random.Random(f"{target.name} {suffix}")
    ports = PortReader(topology.names.ports)
    marks = [b"\n", b"\0", b"\xff", b'"', b",", b"=", b"[", b"]", b" ", b"-", b"9" * 30, b"{", b"\t", b"\r"]
    refused = 0
    for _ in range(150):
        name = draw.choice(sorted(files))
        data = bytearray(files[name])
        for _ in range(draw.randint(1, 3)):
            start = draw.randrange(len(data) + 1)
            stop = start + draw.choice((0, 1, 1, 5, 40))
            data[start:stop] = draw.choice([b"", *marks, bytes([draw.randrange(256)]), data[start:stop] * 2])
        said, found = "", None
        try:
            found = target.parse("plan", {**files, name: bytes(data)}, ports)
        except FormatError as error:
            said = str(error)
            refused += 1
        assert "\n" not in said
        assert len(said) < 400
        if found is not None:
            assert found.cables.size == 0 or found.cables[:, [0, 2]].max() < len(found.names)
            assert len(set(found.names)) == len(found.names) == len(found.is_router)
    assert refused > 10
    for data in (b"", b"\n\n", b"\xfe\xff", b"{", b'"'):
        with pytest.raises(FormatError):
            target.parse("plan", dict.fromkeys(files, data), ports)


@each_target
def test_names_that_a_target_does_not_take_are_refused(target):
    topology = topology_from_spec("hyperx(dims=2,p=1)")
    for name in ("x" * (target.longest + 1), 'q"/', "a\tb"):
        bad = replace(topology, names=Names(routers=(name, "b")))
        if (NAMES in target.holds or len(name) > 255) and not (
            target.name == "netbox" and name == 'q"/'
        ):  # CSV holds any
            with pytest.raises(InvalidParameters, match="letters"):
                planned(target, bad)


@given(st.integers(2, 7), st.integers(0, 2), st.integers(1, 3), st.randoms(use_true_random=False))
def test_any_graph_is_planned_for_every_target(order, endpoints, planes, draw):
    links = [(a, b) for a in range(order) for b in range(a) if draw.random() < 0.5] or [(0, 1)]
    counts = np.array([endpoints] * (order - 1) + [1], dtype=np.int32)
    topology = graph_topology(Graph.from_links(order, np.array(links)), endpoints=counts)
    for target in TARGETS.values():
        plan = planned(target, topology, planes)
        for suffix in target.suffixes or ("",):
            ports = PortReader(plan.names.ports, plan.names.endpoint_ports)
            assert target.parse("plan", target.render(plan, suffix), ports).same_as(target.kept(plan))


@each_target
def test_what_it_does_not_hold_is_said(target):
    plan = planned(target, named("fattree(k=4)"))
    said = target.left_out(plan) or ""
    assert bool(said) == (target.name != "netbox")
    assert ("5 racks" in said) == (target.name not in ("netbox", "p2p-ib"))
    assert re.search(r"\bnames\b", said) is None or target.name == "ns3"
    said = target.left_out(planned(target, named("fattree(k=4)", 3), 3)) or ""
    assert ("left out: 2 planes like the first" in said) == target.name.startswith("slurm")
