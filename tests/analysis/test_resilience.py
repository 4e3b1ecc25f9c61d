"""Random failures: against searches of every step, and against shares that were measured elsewhere."""

import ast
import re
from itertools import pairwise
from math import comb, sqrt

import numpy as np
import pytest

from oracles import measure as slow_measure
from oracles import table
from topoctl.analysis.distances import measure
from topoctl.analysis.random_failures import STEPS, Damage
from topoctl.analysis.resilience import disconnection, ranks_outside, resilience, steps_survived
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec

SPECS = {
    "SF q=7": "slimfly(q=7)",
    "SF q=13": "slimfly(q=13)",
    "DF h=3 N=342": "dragonfly(p=3,a=6,h=3)",
    "FleX 5x5x3": "flex(nx=5,ny=5,nz=3)",
    "HyperX 8": "hyperx(dims=8x8)",
    "FT 8-ary 3-tree": "karytree(k=8,n=3)",
    "HC 9": "hypercube(n=9)",
    "torus (8, 8, 8)": "torus(dims=8x8x8)",
}
TRIALS = 60


@pytest.mark.once
@pytest.mark.parametrize("row", [row for row in table("resilience.tsv") if row["item"] in SPECS])
def test_shares_and_medians_of_the_papers_networks(row):
    """The same median, and no share further off than four deviations of so many trials."""
    found = disconnection(topology_from_spec(SPECS[row["item"]]).graph, trials=TRIALS)
    assert (found.failing, found.criterion) == ("links", "connected")
    assert found.least_percent <= int(row["computed"]) <= found.most_percent
    shares = ast.literal_eval(re.search(r"\{.*\}", row["note"])[0])
    for percent, share in shares.items():
        off = abs(found.shares[STEPS.index(percent)] - share)
        assert off <= 4 * sqrt(max(share * (1 - share), 0.02) * (1 / TRIALS + 1 / 300)), percent


@pytest.mark.parametrize("failing", ["links", "routers"])
@pytest.mark.parametrize(
    "spec", ["slimfly(q=3)", "torus(dims=4x3)", "dragonfly(p=1,a=2,h=1)", "mesh(dims=4x4)"]
)
def test_a_trial_survives_the_steps_before_the_first_that_fails(spec, failing):
    graph = topology_from_spec(spec).graph
    _, diameter, hops = slow_measure(graph)
    aspl = hops / comb(graph.order, 2)
    for trial in range(4):
        damage = Damage.drawn(graph, failing, 1, trial)
        fine = []
        for percent in STEPS:
            left = damage.left(percent)
            connected, widest, longest = slow_measure(left)
            mean = longest / max(1, comb(left.order, 2)) if connected else None
            fine.append(
                (connected, connected and widest <= diameter + 2, connected and mean <= aspl + 1 + 1e-12)
            )
        expected = [[*column, False].index(False) for column in zip(*fine, strict=True)]
        assert list(steps_survived(damage, measure(graph))) == expected


def test_what_has_failed_stays_so_and_is_as_much_as_was_said():
    graph = topology_from_spec("slimfly(q=5)").graph
    for failing, whole in (("links", graph.size), ("routers", graph.order)):
        damage = Damage.drawn(graph, failing, 7, 2)
        kept = [getattr(damage.left(p), "size" if failing == "links" else "order") for p in STEPS]
        assert kept == [whole - (whole * p + 50) // 100 for p in STEPS]
    links = [set(map(tuple, Damage.drawn(graph, "links", 7, 2).left(p).links().tolist())) for p in STEPS]
    assert all(later <= earlier for earlier, later in pairwise(links))


def test_all_links_fail_equally_often():
    graph = topology_from_spec("torus(dims=4x4)").graph
    first = [Damage.drawn(graph, "links", 1, trial).sequence[:8] for trial in range(400)]
    counts = np.bincount(np.concatenate(first), minlength=32)
    assert abs(counts - 100).max() < 5 * sqrt(400 * 0.25 * 0.75)


def test_threads_change_nothing_and_seeds_do():
    topology = topology_from_spec("flex(nx=4,ny=4,nz=3)")
    found = [
        resilience(topology, trials=12, seed=seed, threads=threads)
        for seed, threads in ((1, 1), (1, 3), (2, 2))
    ]
    assert found[0] == found[1] != found[2]
    assert found[0].survivals[0] == disconnection(topology.graph, trials=12)


@pytest.mark.parametrize("trials", [6, 17, 100, 1000])
def test_the_interval_of_the_median(trials):
    """The chance that the median of what the trials are drawn from lies outside is 5% at most, and nearly."""
    outside = ranks_outside(trials)
    beside = [
        sum(comb(trials, k) for k in range(count + 1)) / 2 ** (trials - 1) for count in (outside, outside + 1)
    ]
    assert beside[0] <= 0.05 < beside[1]


def test_parts_survive_nothing():
    numbers = resilience(topology_from_spec("flex(nx=2,ny=2,nz=4)")).numbers()
    assert numbers["link_failures_connected_percent"] is None
    assert numbers["resilience"] == []


@pytest.mark.parametrize(
    ("spec", "trials", "message"),
    [
        ("mesh(dims=1)", 9, "a single router"),
        ("mesh(dims=3)", 5, "trials 5: expected 6"),
        ("mesh(dims=3)", 10_001, "trials 10001: expected 6..10000"),
        ("jellyfish(n=3000,r=40,seed=1)", 10_000, "trials look along"),
    ],
)
def test_refusals(spec, trials, message):
    with pytest.raises(InvalidParameters, match=message):
        resilience(topology_from_spec(spec), trials=trials)
