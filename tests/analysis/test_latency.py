"""Cables, zero-load latency and power of networks in cabinets."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import weighted_latencies
from topoctl.analysis import latency as module
from topoctl.analysis.distances import measure
from topoctl.analysis.floor_plan import floor_plan
from topoctl.analysis.latency import (
    LatencyScale,
    LatencySettings,
    ZeroLoadLatency,
    measure_latency,
    measure_plan_latency,
)
from topoctl.economics.power import SwitchPower, network_power
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.floor.cabinets import Cabinets
from topoctl.floor.floor import floor_named
from topoctl.floor.placement import Placement
from topoctl.graph import Graph
from topoctl.layout import Layout
from topoctl.topology import Topology, uniform_endpoints

CASE_B = Cabinets(0.6, 2.1, overhead=1)
LAYOUTS = st.builds(Layout, st.sampled_from(["grid", "diagrid"]), st.integers(1, 9), st.integers(1, 9))
SIZES = st.builds(
    Cabinets,
    st.integers(1, 3000).map(lambda size: size / 1000),
    st.integers(1, 3000).map(lambda size: size / 1000),
    st.integers(0, 2000).map(lambda size: size / 1000),
)


def topology_on(layout, links):
    graph = Graph.from_links(layout.order, links)
    return Topology("graph", {}, graph, uniform_endpoints(graph.order, 0), layout=layout)


def random_topology(layout, degree, seed):
    """A random tree, so that it is connected, and random links besides."""
    rng = np.random.default_rng(seed)
    order = layout.order
    links = {(int(rng.integers(router)), router) for router in range(1, order)}
    for a, b in rng.integers(0, order, size=(order * degree // 2, 2)).tolist():
        links |= {(min(a, b), max(a, b))} if a != b else set()
    return topology_on(layout, sorted(links))


def all_pairs(layout):
    return np.array([(a, b) for a in range(layout.order) for b in range(layout.order)])


def cables(cabinets, layout, links):
    return cabinets.cable_millimetres(Placement.on_layout(layout), links)


@given(layout=LAYOUTS)
def test_cabinets_of_a_square_metre_give_the_layouts_own_lengths(layout):
    pairs = all_pairs(layout)
    assert cables(Cabinets(), layout, pairs).tolist() == (1000 * layout.lengths(pairs)).tolist()


@given(layout=LAYOUTS, cabinets=SIZES)
def test_cables_are_a_metric_with_overhead(layout, cabinets):
    lengths = cables(cabinets, layout, all_pairs(layout)).reshape(layout.order, layout.order)
    ends = cabinets.end_millimetres
    assert (lengths == lengths.T).all()
    assert ((lengths == ends) == np.eye(layout.order, dtype=bool)).all()
    through = (lengths[:, :, None] + lengths[None, :, :]).min(axis=1) - ends
    assert (through == lengths).all()


@given(layout=LAYOUTS)
def test_no_two_routers_share_a_cabinet(layout):
    assert len(np.unique(Placement.on_layout(layout).positions, axis=0)) == layout.order


def test_cables_of_a_grid_run_along_x_and_y():
    layout = Layout("grid", 5, 4)
    assert cables(CASE_B, layout, np.array([[0, 4], [0, 15], [6, 13]])).tolist() == [
        *(4 * 600 + 2000, 3 * 2100 + 2000, 2 * 600 + 2100 + 2000)
    ]


def test_cables_of_a_diagrid_run_along_the_diagonals():
    layout = Layout("diagrid", 4, 4)  # router 4 stands up and right of 0, 5 up and right of 1
    along_widths, along_depths, in_a_row = [0, 4], [1, 4], [0, 1]
    assert CASE_B.cable_millimetres(
        Placement.on_layout(layout), np.array([along_widths, along_depths, in_a_row])
    ).tolist() == [*(600 + 2000, 2100 + 2000, 600 + 2100 + 2000)]


@pytest.mark.parametrize(
    ("sizes", "reason"),
    [
        ((0, 1, 0), "cabinet_width 0: expected 1 mm to 1000 m"),
        ((1, -2.1, 0), "cabinet_depth -2.1"),
        ((1, 0.0005, 0), "cabinet_depth 0.0005"),
        ((0.6123, 1, 0), "cabinet_width 0.6123: expected .* whole millimetres"),
        ((1, 1, -1), "overhead -1: expected 0 mm to 1000 m"),
        ((1, 1, math.nan), "overhead nan"),
        ((math.inf, 1, 0), "cabinet_width inf"),
    ],
)
def test_wrong_sizes_are_refused(sizes, reason):
    with pytest.raises(InvalidParameters, match=reason):
        Cabinets(*sizes)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"switch_ns": 0}, "switch_ns 0: expected 0.001"),
        ({"switch_ns": 60.00001}, "whole picoseconds"),
        ({"cable_ns_per_metre": -1}, "cable_ns_per_metre -1: expected 0"),
        ({"cable_ns_per_metre": math.nan}, "cable_ns_per_metre nan"),
        ({"paths": "widest"}, "paths 'widest': expected fastest or fewest-hops"),
    ],
)
def test_wrong_settings_are_refused(changes, reason):
    with pytest.raises(InvalidParameters, match=reason):
        LatencySettings(**changes)


def test_a_unit_too_small_for_the_cables_is_refused():
    rough = LatencySettings(cabinets=Cabinets(1000, 1000, overhead=0.001), cable_ns_per_metre=0.001)
    fine = LatencySettings(cabinets=Cabinets(1000, 0.001), cable_ns_per_metre=4.999)
    row = topology_on(Layout("grid", 3, 1), [(0, 1), (1, 2)])
    assert LatencyScale.of(rough).unit_ns == Fraction(2, 10**6)
    with pytest.raises(InvalidParameters, match="expected at most 1048576 units"):
        measure_latency(row, fine)


@given(
    layout=LAYOUTS,
    degree=st.integers(0, 4),
    cabinets=SIZES,
    switch=st.sampled_from([60, 100, 0.5]),
    cable=st.sampled_from([5, 0, 4.5]),
    paths=st.sampled_from(["fastest", "fewest-hops"]),
    seed=st.integers(0, 2**32),
)
def test_latencies_are_those_of_a_heap_in_floats(layout, degree, cabinets, switch, cable, paths, seed):
    topology = random_topology(layout, degree, seed)
    graph, order = topology.graph, layout.order

    arcs = [[] for _ in range(order)]
    for a, b in graph.links().tolist():
        delay = switch + cable * cables(cabinets, layout, np.array([[a, b]])).item() / 1000
        arcs[a].append((b, delay))
        arcs[b].append((a, delay))
    found = measure_latency(topology, LatencySettings(switch, cable, cabinets, paths))
    fewest = paths == "fewest-hops"
    pairs = [
        switch + latency
        for source in range(order)
        for router, latency in weighted_latencies(arcs.__getitem__, source, fewest).items()
        if router != source
    ]
    assert found.average_ns == pytest.approx(sum(pairs) / max(1, len(pairs)), rel=1e-9)
    assert found.worst_ns == pytest.approx(max(pairs, default=0), rel=1e-9)


@given(layout=LAYOUTS, degree=st.integers(0, 4), seed=st.integers(0, 2**32))
def test_without_cable_delay_latency_counts_switches(layout, degree, seed):
    topology = random_topology(layout, degree, seed)
    hops = measure(topology.graph)
    found = measure_latency(topology, LatencySettings(switch_ns=60, cable_ns_per_metre=0))
    pairs = layout.order * (layout.order - 1)
    assert found.latency_sum * found.unit_ns == 60 * (2 * hops.distance_sum + pairs)
    assert found.worst_ns == (60 * (hops.diameter + 1) if layout.order > 1 else 0)


@given(layout=LAYOUTS, degree=st.integers(1, 4), seed=st.integers(0, 2**32))
def test_the_fastest_paths_are_no_slower_than_those_of_fewest_hops(layout, degree, seed):
    topology = random_topology(layout, degree, seed)
    fastest, fewest = (
        measure_latency(topology, LatencySettings(cabinets=CASE_B, paths=paths))
        for paths in ("fastest", "fewest-hops")
    )
    assert fastest.latency_sum <= fewest.latency_sum
    assert fastest.worst <= fewest.worst


def test_fewest_hops_may_be_a_detour():
    """A ring of five in one row: 0 reaches 3 over 4 in two hops and 5 steps, over 1 and 2 in three and 3."""
    ring = topology_on(Layout("grid", 5, 1), [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)])
    wide = Cabinets(cabinet_width=100)
    worst = {
        paths: measure_latency(ring, LatencySettings(cabinets=wide, paths=paths)).worst_ns
        for paths in ("fastest", "fewest-hops")
    }
    assert worst == {"fastest": 2 * 60 + 400 * 5, "fewest-hops": 3 * 60 + 500 * 5}


def test_latencies_from_some_routers_are_near_those_from_all():
    network = topology_from_spec("jellyfish(n=300,r=6,p=2)")
    plan = floor_plan(network, floor_named("racks42"))
    exact = measure_plan_latency(network, plan)
    assert measure_plan_latency(network, plan, sources=300) == exact
    assert exact.half_width_ns == 0
    widths = []
    for sources in (40, 160):
        found = measure_plan_latency(network, plan, sources=sources)
        assert found == measure_plan_latency(network, plan, sources=sources)
        assert 0 < abs(found.average_ns - exact.average_ns) < 2 * found.half_width_ns
        assert found.worst_ns <= exact.worst_ns
        widths.append(found.half_width_ns)
    assert widths[1] < widths[0] / 2


def test_a_single_router_and_a_disconnected_network():
    alone = topology_on(Layout("grid", 1, 1), [])
    assert measure_latency(alone) == ZeroLoadLatency(1, LatencyScale.of(LatencySettings()).unit_ns, 0, 0, 1)
    assert measure_latency(alone).average_ns == 0
    apart = topology_on(Layout("grid", 3, 1), [(0, 1)])
    assert measure_latency(apart) == measure(apart.graph)


def test_chunks_and_progress(monkeypatch):
    topology = random_topology(Layout("grid", 8, 8), 4, seed=1)
    whole = measure_latency(topology)
    monkeypatch.setattr(module, "CHUNK_ARCS", 10 * (64 + 2 * topology.graph.size))
    calls = []
    assert measure_latency(topology, threads=1, progress=lambda *call: calls.append(call)) == whole
    assert calls == [(done, 64) for done in (10, 20, 30, 40, 50, 60, 64)]


def test_a_network_without_a_layout_has_no_cables():
    bare = Topology("ring", {}, Graph.from_links(2, [(0, 1)]), uniform_endpoints(2, 0))
    for measured in (measure_latency, lambda topology: network_power(topology, Cabinets())):
        with pytest.raises(
            InvalidParameters, match="no layout to put cabinets on: expected a topology of known places"
        ):
            measured(bare)


@given(layout=LAYOUTS, degree=st.integers(0, 4), cabinets=SIZES, seed=st.integers(0, 2**32))
def test_power_is_the_sum_over_switches(layout, degree, cabinets, seed):
    topology = random_topology(layout, degree, seed)
    graph, watts, electric = topology.graph, 0.0, 0
    for router in range(graph.order):
        others = graph.neighbors_of(router).tolist()
        lengths = [int(cables(cabinets, layout, np.array([[router, other]]))[0]) for other in others]
        short = sum(length <= 7000 for length in lengths)
        share = 1 - short / len(others) if others else 0
        watts += 111.54 + (200.4 - 111.54) * share
        electric += short
    found = network_power(topology, cabinets)
    assert found.watts == pytest.approx(watts, rel=1e-12)
    assert (found.cables, found.electric_cables) == (graph.size, electric // 2)


def test_the_two_extremes_of_power():
    ring = topology_on(Layout("grid", 2, 2), [(0, 1), (1, 3), (3, 2), (2, 0)])
    short, long = network_power(ring, CASE_B), network_power(ring, Cabinets(0.6, 2.1, overhead=4))
    assert (short.watts, short.electric_percent) == (pytest.approx(4 * 111.54), 100.0)
    assert (long.watts, long.electric_percent) == (pytest.approx(4 * 200.4), 0.0)
    exactly = network_power(ring, Cabinets(7, 7))
    assert exactly.electric_percent == 100
    with pytest.raises(InvalidParameters, match=r"electric_metres -1\.0: expected 0 or more"):
        SwitchPower(electric_metres=-1.0)
