"""``topoctl optimize grid --objective latency|power``, and the bounds of latencies."""

import json
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from commands import call
from kernels.link_annealing.instances import layouts, on_layout
from search.runs import run
from topoctl.analysis.distances import Disconnected
from topoctl.analysis.latency import LatencySettings, measure_latency
from topoctl.analysis.latency_bounds import latency_bounds
from topoctl.analysis.layout_bounds import length_unit
from topoctl.economics.power import network_power
from topoctl.errors import InvalidParameters, TopoctlError
from topoctl.floor.cabinets import Cabinets
from topoctl.formats import read_topology
from topoctl.search.annealing.objectives import OBJECTIVES
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.search import AnnealingSearch
from topoctl.search.annealing.symmetry import rotation_group
from topoctl.search.certify import certify

SQUARE = {"order": 36, "degree": 4, "layout": "grid", "width": 6, "height": 6, "length_limit": 4}
CABINETS = st.sampled_from([Cabinets(), Cabinets(0.6, 2.1, 1), Cabinets(3, 0.25, 0.5)])


def request(objective, **changes):
    return AnnealingRequest(**{**SQUARE, **OBJECTIVES[objective].defaults, "objective": objective, **changes})


def finished(asked):
    """The search and its last state, after a way through the JSON of a study."""
    planned = AnnealingSearch.plan(asked, 1)
    search = AnnealingSearch.from_parameters(json.loads(json.dumps(planned.parameters)))
    return search, run(search)


def optimize(*options, code=0):
    return call("optimize", "grid", "--no-study", "-q", *options, code=code)


@given(st.data(), st.sampled_from([1, 2]), st.integers(2, 6), st.integers(1, 8), CABINETS)
def test_no_network_falls_below_the_bounds(data, rotation_order, degree, limit, cabinets):
    layout = data.draw(layouts(rotation_order).filter(lambda layout: layout.order > degree))
    assume(limit >= length_unit(layout))
    instance = on_layout(layout, limit, rotation_order, degree)
    topology = Problem(layout.order, degree, layout, limit).topology(
        instance.slots, rotation_group(rotation_order)
    )
    found = measure_latency(topology, LatencySettings(cabinets=cabinets))
    if isinstance(found, Disconnected):
        return
    bound = latency_bounds(layout, degree, limit, LatencySettings(cabinets=cabinets))
    assert bound.latency_sum <= found.latency_sum
    assert bound.worst <= found.worst


@pytest.mark.parametrize("cabinets", [Cabinets(), Cabinets(0.6, 2.1, 1)])
@pytest.mark.parametrize("kind", ["grid", "diagrid"])
def test_the_complete_network_meets_the_bounds(kind, cabinets):
    from topoctl.layout import Layout

    layout = Layout(kind, 3, 4)
    problem = Problem(12, 11, layout, None)
    slots = [[other for other in range(12) if other != router] for router in range(12)]
    import numpy as np

    topology = problem.topology(np.array(slots, dtype=np.int32), rotation_group(1))
    found = measure_latency(topology, LatencySettings(cabinets=cabinets))
    assert found == latency_bounds(layout, 11, None, LatencySettings(cabinets=cabinets))


def test_latency_search_finds_lower_latencies_than_it_starts_with():
    search, state = finished(request("latency", moves=3000))
    start = AnnealingSearch.from_parameters(search.parameters).first_state()
    before, after = (search.leaders(each)[0] for each in (start, state))
    assert after.cabinet_score.latency_sum < 0.97 * before.cabinet_score.latency_sum
    assert [leader.cabinet_score.latency_sum for leader in search.leaders(state)] == sorted(
        leader.cabinet_score.latency_sum for leader in search.leaders(state)
    )


def test_power_search_keeps_the_limit_with_fewer_optical_cables():
    asked = request("power", length_limit=10, moves=3000, max_latency_ns=420.0)
    search, state = finished(asked)
    before, after = (search.leaders(each)[0] for each in (search.first_state(), state))
    assert after.cabinet_score.optical_cables < before.cabinet_score.optical_cables / 2
    assert after.cabinet_score.worst * float(search.objective.scale.unit_ns) <= 420
    assert "optical cables" in search.status(state).remark


def test_power_search_ends_once_no_cable_is_optical():
    small = {"order": 16, "width": 4, "height": 4, "degree": 3, "length_limit": 3}
    search, state = finished(request("power", **small, moves=10**4, max_latency_ns=3000.0))
    best = search.leaders(state)[0]
    assert best.cabinet_score.optical_cables == 0
    assert state.epoch < search.epochs


@pytest.mark.parametrize("objective", [name for name, kind in OBJECTIVES.items() if kind.on_cables])
def test_certified_networks_are_what_the_search_says(objective):
    search, state = finished(request(objective, moves=300))
    for leader in search.leaders(state):
        certified = certify(leader)
        settings = LatencySettings(cabinets=leader.cabinets)
        assert certified.cabinet_measures.latency == measure_latency(leader.topology, settings)
        assert certified.cabinet_measures.power == network_power(leader.topology, leader.cabinets)
        for field in ("latency_sum", "worst", "optical_cables"):
            wrong = replace(leader.cabinet_score, **{field: getattr(leader.cabinet_score, field) + 1})
            with pytest.raises(TopoctlError, match="please report this"):
                certify(replace(leader, cabinet_score=wrong))


def test_only_half_turns_keep_oblong_cabinets():
    assert AnnealingSearch.plan(request("latency", moves=1), 1).replicas.groups == [
        *map(rotation_group, [4, 2, 1])
    ]
    assert AnnealingSearch.plan(request("power", moves=1), 1).replicas.groups == [
        *map(rotation_group, [2, 1])
    ]
    with pytest.raises(InvalidParameters, match="quarter turn needs square cabinets"):
        AnnealingSearch.plan(request("power", moves=1, symmetry=4), 1)
    shown = request("aspl", moves=1, cabinet=(0.6, 2.1))
    assert AnnealingSearch.plan(shown, 1).replicas.groups == [*map(rotation_group, [4, 2, 1])]


@pytest.mark.parametrize("objective", [name for name, kind in OBJECTIVES.items() if kind.on_cables])
def test_rows_tell_latencies_and_power(objective, tmp_path):
    graph = tmp_path / "best.edges"
    size = ["--width", "6", "--height", "6", "--k", "4", "--l", "4", "--moves", "300"]
    result = optimize(*size, "--objective", objective, "--graph", str(graph), "--json")
    document = json.loads(result.stdout)
    row, parameters = document["results"][0], document["parameters"]
    defaults = OBJECTIVES[objective].defaults
    assert {name: parameters[name] for name in defaults} == json.loads(json.dumps(defaults))
    cabinets = Cabinets(*parameters["cabinet"], parameters["overhead"])
    topology = read_topology(str(graph))
    latency = measure_latency(topology, LatencySettings(cabinets=cabinets))
    power = network_power(topology, cabinets)
    assert row["average_latency_ns"] == latency.average_ns >= row["latency_lower_bound_ns"]
    assert row["worst_latency_ns"] == latency.worst_ns >= row["worst_latency_lower_bound_ns"]
    assert (row["power_watts"], row["electric_cable_percent"]) == (power.watts, power.electric_percent)


def test_a_cabinet_alone_adds_what_a_network_takes():
    size = ["--width", "4", "--height", "4", "--k", "3", "--l", "3", "--moves", "50", "--json"]
    plain, shown = (
        json.loads(optimize(*size, *more).stdout)["results"] for more in ([], ["--cabinet", "0.6x2.1"])
    )
    assert [row["distance_sum"] for row in plain] == [row["distance_sum"] for row in shown]
    assert "average_latency_ns" not in plain[0]
    assert shown[0]["average_latency_ns"] > 120


def test_a_limit_that_was_not_kept_is_said():
    size = ["--width", "8", "--height", "8", "--k", "3", "--l", "14", "--moves", "1", "--replicas", "1"]
    shown = optimize(*size, "--objective", "power", "--max-latency-ns", "500").stdout
    assert "no network found has all latencies within 500 ns" in shown


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--max-latency-ns", "900"], "expected one with power, none with others"),
        (["--objective", "power", "--max-latency-ns", "nan"], "'nan': expected a decimal number"),
        (["--objective", "latency", "--target-diameter", "5"], "are for aspl only"),
        (["--objective", "latency", "--evaluation", "full"], "are for aspl only"),
        (["--overhead", "1"], "expected a cabinet too"),
        (["--objective", "latency", "--cabinet", "0x1"], "cabinet_width 0.0"),
        (["--objective", "latency", "--width", "200", "--height", "100"], "expected at most 16384"),
        (["--objective", "power", "--max-latency-ns", "260"], "expected at least 270"),  # 4 switches, 6 m
    ],
)
def test_wrong_options_are_refused(options, reason):
    size = [] if "--width" in options else ["--width", "6", "--height", "6"]
    assert reason in optimize(*size, "--k", "4", "--l", "9", *options, code=2).stderr
