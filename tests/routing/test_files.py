"""The files of tables: what is written is read back, as it stands, and bad wishes are one line."""

import csv
import io
import re
from dataclasses import replace

import numpy as np
import pytest

from opensm import Fabric as FoundFabric
from opensm import guids_of, ibnetdiscover, tables_of, walked
from topoctl.errors import Contradiction, FormatError, InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.formats.ibsim import Fabric, render_ibsim
from topoctl.routing import ROUTINGS
from topoctl.routing.files import FORMATS, TableFormat, parse_table, write_table
from topoctl.routing.files.channels import write_channels
from topoctl.routing.next_hop_table import next_hop_table
from topoctl.topology import Names
from topoctl.wiring.addresses import Addresses
from topoctl.wiring.wiring import Wiring

SPECS = ["dragonfly(p=2,a=4,h=2)", "jellyfish(n=20,r=4,p=2,seed=3)", "fattree(k=4)"]


def table_of(spec, routing):
    topology = topology_from_spec(spec)
    return next_hop_table(ROUTINGS[routing].routes(topology)), topology


@pytest.mark.parametrize("suffix", [".csv", ".txt", ".npz"])
@pytest.mark.parametrize("routing", ["ecmp", "lowest"])
@pytest.mark.parametrize("spec", SPECS)
def test_tables_are_read_back(tmp_path, spec, routing, suffix):
    table, topology = table_of(spec, routing)
    write_table(table, topology, tmp_path / f"tables{suffix}")
    found = FORMATS[suffix].parse((tmp_path / f"tables{suffix}").read_bytes(), topology)
    assert found.same_as(table)


def test_following_the_lines_of_a_file_reaches_every_router():
    table, topology = table_of("jellyfish(n=20,r=4,p=2,seed=3)", "lowest")
    text = FORMATS[".csv"].render(table, topology).decode()
    hops = {
        (int(row["router"]), int(row["destination"])): int(row["next_hops"])
        for row in csv.DictReader(io.StringIO(text))
    }
    for source in range(20):
        for destination in range(20):
            router, steps = source, 0
            while router != destination:
                assert hops[router, destination] in topology.graph.neighbors_of(router)
                router, steps = hops[router, destination], steps + 1
                assert steps <= 5


def test_linear_tables_lead_over_the_cables_of_the_fabric_to_every_adapter():
    table, topology = table_of("dragonfly(p=2,a=4,h=2)", "lowest")
    fabric = Fabric("x", render_ibsim(topology))
    fabric.gather()
    cables = {(name, port): (other, far) for name, port, other, far, _ in fabric.ports}
    ports, switch = {}, ""
    for line in FORMATS[".lfts"].render(table, topology).decode().splitlines():
        if found := re.search(r"^Unicast lids .* \('(S\d+)'\)", line):
            switch = found[1]
        elif found := re.match(r"0x[0-9a-f]{4} (\d{3}) # .*'([SH]\d+)'$", line):
            ports[switch, found[2]] = int(found[1])
    ends = [*fabric.switches, *fabric.adapters]
    assert len(ports) == len(fabric.switches) * len(ends)
    for start in fabric.switches:
        for end in ends:
            here = start
            for _ in range(5):
                if here == end:
                    break
                here = cables[here, ports[here, end]][0]
            assert here == end


@pytest.mark.parametrize(
    ("spec", "routing"),
    [
        ("torus(dims=4x4,p=1)", "dor"),
        ("dragonfly(p=2,a=4,h=2)", "dragonfly"),
        ("mesh(dims=4x3,p=1)", "dor"),
        ("tct(n=2,k=3)", "lowest"),
        ("tct(n=2,k=3)", "updown-spread"),
    ],
)
def test_linear_tables_hold_all_but_virtual_channels(tmp_path, spec, routing):
    table, topology = table_of(spec, routing)
    write_table(table, topology, tmp_path / "tables.lfts")
    found = FORMATS[".lfts"].parse((tmp_path / "tables.lfts").read_bytes(), topology)
    assert found.same_as(replace(table, channels=None))


def test_tables_of_a_grown_network_have_the_ports_that_its_work_left(tmp_path):
    ring = topology_from_spec("torus(dims=3,p=1)")
    table, topology = table_of("torus(dims=4,p=1)", "lowest")
    grown = replace(topology, grown_from=(ring,))
    names = [*(f"S{router}" for router in range(4)), *(f"H{host}" for host in range(4))]
    kinds = {name: "Switch" if name.startswith("S") else "Hca" for name in names}
    rows = Wiring.planned(grown, Names(tuple(names[:4]), tuple(names[4:]))).cables.tolist()
    cables = {(names[a], port): (names[b], far) for a, port, b, far in rows}
    cables |= {far: near for near, far in cables.items()}
    (tmp_path / "found.txt").write_text(ibnetdiscover(kinds, cables))
    write_table(table, grown, tmp_path / "t.lfts", Addresses.found(tmp_path / "found.txt", grown))
    guids = guids_of(kinds)
    ends = {(guids[name], port): (guids[far], its) for (name, port), (far, its) in cables.items()}
    fabric = FoundFabric(ends, {*map(guids.get, names[:4])}, {*map(guids.get, names[4:])})
    waits, _ = walked(fabric, tables_of((tmp_path / "t.lfts").read_text()))
    assert len(waits) == 2 * topology.graph.size + topology.endpoints
    with pytest.raises(FormatError, match="port 2 of 'S1' has a cable to port 2 of 'S2', expected port 1"):
        Addresses.found(tmp_path / "found.txt", topology)


def test_a_policy_has_no_more_layers_than_service_levels_with_a_lane(tmp_path):
    topology = topology_from_spec("torus(dims=4x4)")
    routers = np.arange(16, dtype=np.int32)
    layers = {"destination": routers, "channel": np.minimum(routers, 14)}
    write_channels(layers, topology, tmp_path / "qos.conf")
    with pytest.raises(InvalidParameters, match="16 layers: expected 15 at most"):
        write_channels(layers | {"channel": routers}, topology, tmp_path / "more.conf")
    assert [file.name for file in tmp_path.iterdir()] == ["qos.conf"]


@pytest.mark.parametrize(
    ("spec", "routing", "said"),
    [
        ("torus(dims=4x4,p=1)", "ecmp", "holds one port a destination"),
        ("torus(dims=4x4,p=4000)", "lowest", "ports on a router: expected 254 at most"),
    ],
)
def test_what_a_linear_table_cannot_hold(tmp_path, spec, routing, said):
    table, topology = table_of(spec, routing)
    with pytest.raises(InvalidParameters, match=said):
        write_table(table, topology, tmp_path / "tables.lfts")
    assert not list(tmp_path.iterdir())


def test_a_file_that_reads_back_as_something_else_is_not_kept(tmp_path, monkeypatch):
    table, topology = table_of("torus(dims=4x4,p=1)", "ecmp")
    other, _ = table_of("torus(dims=4x4,p=1)", "lowest")
    wrong = TableFormat("wrong", lambda *_: b"", lambda *_: other)
    monkeypatch.setitem(FORMATS, ".csv", wrong)
    with pytest.raises(Contradiction):
        write_table(table, topology, tmp_path / "tables.csv")
    assert not list(tmp_path.iterdir())


def test_shares_that_differ_are_written():
    table, topology = table_of("torus(dims=4x4,p=1)", "ecmp")
    shares = np.full(len(table.routers), 0.25)
    weighted = replace(table, shares=shares)
    for suffix in (".csv", ".txt", ".npz"):
        data = FORMATS[suffix].render(weighted, topology)
        assert FORMATS[suffix].parse(data, topology).same_as(weighted)


def test_tables_that_unpack_to_far_more_than_a_network_has_are_not_unpacked():
    table, topology = table_of("torus(dims=4x4,p=1)", "ecmp")
    many = replace(table, next_hops=np.zeros(2**22, dtype=np.int32))
    with pytest.raises(FormatError, match="expected numpy's arrays"):
        parse_table("next.npz", FORMATS[".npz"].render(many, topology), topology)
