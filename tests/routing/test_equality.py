"""Tables and routings of Equality networks: what the definitions give, seen from every router."""

from collections import Counter

import numpy as np
import pytest

from oracles import adjacency_of, distances, table
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.routing import ROUTINGS
from topoctl.routing.equality import equality_tables
from topoctl.routing.routed_loads import routed_loads
from topoctl.routing.traffic import uniform

SMALL = ["N14K6[-1,1,3,9](4)", "N64K8[-1,1,9,23,33,51](12)", "N16K4[-1,1,5](8)", "N4K2[-1,1]()"]
ROWS = table("routing/equality_tables.tsv")


def everyone(topology):
    return np.arange(topology.graph.order, dtype=np.int32)


def second_reading(graph, hops):
    """Sizes of the lists by the other reading: neighbours of j, the least far of those not nearer than j."""
    for target in range(1, graph.order):
        farther = [hops[k] for k in graph.neighbors_of(target).tolist() if hops[k] >= hops[target]]
        yield farther.count(min(farther, default=0))


@pytest.mark.once
@pytest.mark.parametrize("row", ROWS, ids=[row["spec"][:9] for row in ROWS])
def test_tables_are_those_of_the_definitions(row):
    topology = topology_from_spec(row["spec"])
    tables = equality_tables(topology)
    hops, sub = tables.shortest.sum(axis=1)[1:], tables.sub_shortest.sum(axis=1)[1:]
    extra = (tables.lengths - tables.distances[:, None])[tables.sub_shortest]
    targets = np.flatnonzero(tables.sub_shortest.any(axis=1))
    extras = Counter(
        (tables.lengths - tables.distances[:, None])[j, tables.sub_shortest[j]][0] for j in targets
    )
    turning = tables.turning.sum(axis=1)[1:]
    both = tables.shortest | tables.sub_shortest
    few = {"shortest_paths_le2_targets": tables.paths[1:] <= 2, "next_hops_le2_targets": hops <= 2}
    other = list(second_reading(topology.graph, tables.distances))
    assert set(extra.tolist()) == {1, 2}
    assert {
        "diameter": str(tables.distances.max()),
        "rhat_entries": str(hops.sum()),
        "next_hops_min_mean_max": f"{hops.min()} {hops.mean():.6g} {hops.max()}",
        "sub_entries": str(sub.sum()),
        "sub_empty_targets": str((sub == 0).sum()),
        "sub_len_hist(extra:targets)": " ".join(f"+{more}:{extras[more]}" for more in (1, 2)),
        "max_hops_rhat_prime": str(tables.longest(both)),
        **{name: str(found.sum()) for name, found in few.items()},
        "readings_agree_per_target": str(other == sub.tolist()),
    }.items() <= row.items()
    assert sum(other) == sub.sum()
    if row["uturn_some_targets"]:
        assert (turning > 0).sum() == int(row["uturn_some_targets"])
        assert ((turning == sub) & (sub > 0)).sum() == int(row["uturn_only_targets"])
        assert ROUTINGS["equality-ugal"].routes(topology).longest == int(row["ugal_max_hops_uturn_free"])


@pytest.mark.parametrize("spec", SMALL)
def test_one_table_serves_every_router(spec):
    """Eq. 2, read anew at every router: what it gives are all minimal next hops of all pairs."""
    topology = topology_from_spec(spec)
    by_table, by_search = (
        ROUTINGS[name].routes(topology).moves(everyone(topology)).shares for name in ("amin", "ecmp")
    )
    assert np.array_equal(by_table, by_search)


def candidates(neighbors, hops, paths, source, target):
    """First hops of ugal and of bgal, pair by pair: L has no neighbour all of whose ways lead back."""
    nearer = {k for k in neighbors[source] if hops[k][target] < hops[source][target]}
    farther = [k for k in neighbors[source] if hops[k][target] >= hops[source][target]]
    least = min((hops[k][target] for k in farther), default=None)
    others = {k for k in farther if hops[k][target] == least}
    kept = {k for k in others if {w for w in neighbors[k] if hops[w][target] < hops[k][target]} != {source}}
    return nearer | kept, nearer | kept if paths <= 2 else nearer


def count_paths(neighbors, hops, source, target):
    nearer = [k for k in neighbors[source] if hops[k][target] < hops[source][target]]
    return 1 if source == target else sum(count_paths(neighbors, hops, k, target) for k in nearer)


@pytest.mark.parametrize("spec", SMALL[:3])
def test_first_hops_are_the_candidates_of_every_pair(spec):
    topology = topology_from_spec(spec)
    graph, neighbors = topology.graph, adjacency_of(topology.graph)
    hops = [distances(neighbors.__getitem__, router) for router in range(graph.order)]
    found = [
        ROUTINGS[name].routes(topology).moves(everyone(topology)).shares[:, 0]
        for name in ("equality-ugal", "equality-bgal")
    ]
    for target in range(graph.order):
        for source in {*range(graph.order)} - {target}:
            arcs = slice(graph.offsets[source], graph.offsets[source + 1])
            paths = count_paths(neighbors, hops, source, target)
            for shares, wanted in zip(found, candidates(neighbors, hops, paths, source, target), strict=True):
                taken = shares[target, arcs]
                assert {k for k, share in zip(neighbors[source], taken, strict=True) if share} == wanted
                assert set(taken[taken > 0].tolist()) == {1 / len(wanted)}


def test_longer_paths_make_the_loads_larger_but_only_at_the_source():
    topology = topology_from_spec(SMALL[0])
    loads = {
        name: routed_loads(ROUTINGS[name].routes(topology), [uniform(topology)])[0]
        for name in ("amin", "equality-bgal", "equality-ugal")
    }
    assert [found.hops for found in loads.values()] == [2, 3, 3]
    means = [found.loads.mean() for found in loads.values()]
    assert means == sorted(means)


def test_other_networks_are_refused():
    torus = topology_from_spec("torus(dims=4x4)")
    for name in ("amin", "equality-ugal", "equality-bgal"):
        with pytest.raises(
            InvalidParameters, match=f"routing {name} does not know family torus: expected equality"
        ):
            ROUTINGS[name].needs(torus)
