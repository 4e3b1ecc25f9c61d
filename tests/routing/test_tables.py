"""Tables of a file as a routing: those that are written route as before; others are refused."""

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoctl.errors import FormatError, InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.routing import ROUTINGS
from topoctl.routing.channels import channels_of
from topoctl.routing.files import FORMATS, write_table
from topoctl.routing.next_hop_table import NextHopTable, next_hop_table
from topoctl.routing.selection import routings_asked
from topoctl.routing.tables import routes_of_table, routing_of_file

SPECS = ["torus(dims=4x3,p=1)", "dragonfly(p=1,a=3,h=1)", "fattree(k=4)"]


def table_of(spec, name):
    topology = topology_from_spec(spec)
    ROUTINGS[name].needs(topology)
    routes = ROUTINGS[name].routes(topology)
    return topology, routes, next_hop_table(routes)


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("spec", SPECS)
def test_tables_that_are_written_route_as_what_they_were_written_of(spec, suffix, tmp_path):
    written = 0
    for name in ROUTINGS:
        with suppress(InvalidParameters):
            topology, routes, table = table_of(spec, name)
            path = tmp_path / f"{name}{suffix}"
            write_table(table, topology, path)
            written += 1
            found = routing_of_file(topology, str(path))
            after, everyone = found.routes(topology), np.arange(topology.graph.order, dtype=np.int32)
            meant, read = routes.moves(everyone), after.moves(everyone)
            assert np.allclose(read.shares, meant.shares[:, : after.phases], rtol=0, atol=1e-15)
            if meant.channels is not None and suffix != ".lfts":
                taken = read.shares > 0
                assert np.array_equal(read.channels[taken], meant.channels[:, : after.phases][taken])
                assert channels_of(after, "own").cycle == channels_of(routes, "own").cycle
            counts = np.add.reduceat(read.shares > 0, topology.graph.offsets[:-1], axis=2, dtype=np.int64)
            assert found.single == (after.phases == 1 and counts.max() == 1)
    assert written >= 2


@given(st.sampled_from(SPECS[:2]), st.sampled_from(["ecmp", "lowest"]), st.randoms(use_true_random=False))
def test_what_is_changed_at_random_is_refused_or_leads_everybody_home(spec, name, draw):
    """A walker that takes any hop that it may arrives in as many hops as claimed, or the file is wrong."""
    topology, _, table = table_of(spec, name)
    order, next_hops = topology.graph.order, table.next_hops.copy()
    for place in draw.sample(range(len(next_hops)), draw.choice([1, 2, 5])):
        router = int(table.routers[place])
        next_hops[place] = draw.choice(topology.graph.neighbors_of(router).tolist())
    changed = replace(table, next_hops=next_hops)
    options = {}
    for router, destination, hop in zip(table.routers, table.destinations, next_hops, strict=True):
        options.setdefault((int(router), int(destination)), []).append(int(hop))
    longest, twice = 0, any(len(set(hops)) < len(hops) for hops in options.values())
    for destination in range(order):
        here, hops = set(range(order)) - {destination}, 0
        while here and hops <= order:
            here = {hop for router in here for hop in options[router, destination]} - {destination}
            hops += 1
        longest = max(longest, hops)
    if longest > order or twice:
        with pytest.raises(InvalidParameters, match="round in a circle" if not twice else "circle|twice"):
            routes_of_table(topology, changed)
    else:
        assert routes_of_table(topology, changed).longest == longest


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("0,2,1 3", "found 4, expected 0..3"),
        ("0,2,2", "routers 0 and 2 have no link between them"),
        ("2,2,1", "router 2 has a next hop to itself"),
        ("3,2,0", "a next hop is there twice|packets go round in a circle: 0 -> 3 -> 0"),
        ("", "router 3 has no next hop for packets that come to it on their way"),
        ("3,2,two", "expected a line for every router and destination"),
    ],
)
def test_what_leads_nobody_home_is_named(line, said, tmp_path):
    ring = topology_from_spec("torus(dims=4,p=1)")
    rows = [f"{router},{to},{(router + 1) % 4}" for router in range(4) for to in range(4) if router != to]
    rows = [
        line if row == "3,2,0" else "0,2,3" if row == "0,2,1" and line.startswith("3") else row
        for row in rows
    ]
    if line.startswith(("0", "2")):
        rows.append(line.replace("1 3", "4"))
    path = tmp_path / "ring.csv"
    path.write_text("\n".join(["router,destination,next_hops", *filter(None, rows)]) + "\n")
    with pytest.raises(FormatError, match=said):
        routings_asked(ring, str(path))


def test_shares_and_phases_are_those_of_one_network():
    topology, _, table = table_of("dragonfly(p=1,a=3,h=1)", "updown")
    assert isinstance(table, NextHopTable)
    with pytest.raises(InvalidParameters, match="shares: expected some above 0 that add up to 1"):
        routes_of_table(topology, replace(table, shares=np.ones(len(table.routers))))
    with pytest.raises(InvalidParameters, match="tables of 12 routers, and the network has 4"):
        routes_of_table(topology_from_spec("torus(dims=4,p=1)"), table)
    after = table.next_phase.copy()
    after[0] = 1 - after[0]
    with pytest.raises(InvalidParameters, match=r"in several phases|in a circle|no next hop"):
        routes_of_table(topology, replace(table, next_phase=after))
