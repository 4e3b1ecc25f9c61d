"""What ``evaluate`` asks of bisection, resilience and paths, and how it refuses."""

import pytest

from commands import call, document

FLEX = "flex(nx=4,ny=4,nz=3)"


def test_all_three_at_once():
    found = document("evaluate", FLEX, "--measures", "bisection,resilience,paths", "--trials", "10")
    [row] = found["results"]
    assert (row["bisection_lower_bound"], row["bisection_upper_bound"], row["bisection_closed_form"]) == (
        96,
        96,
        96,
    )
    assert row["relative_bisection"] == row["relative_bisection_upper_bound"] == 96 / (48 * 6 / 2)
    assert (row["edge_connectivity"], row["resilience_trials"]) == (12, 10)
    told = {(one["failing"], one["criterion"]): one["percent"] for one in row["resilience"]}
    assert told["links", "aspl"] == row["link_failures_aspl_percent"]
    assert found["parameters"]["trials"] == 10
    assert found["seed"] == 1


def test_the_seed_draws_other_failures_and_the_time_ends_halvings():
    spec = "jellyfish(n=60,r=4,seed=1)"
    rows = [
        document(
            *("evaluate", spec, "--measures", "resilience,bisection", "--trials", "20"),
            *("--seed", seed, "--partition-seconds", "0"),
        )
        for seed in ("1", "2")
    ]
    first, second = (found["results"][0] for found in rows)
    assert first["resilience"] != second["resilience"]
    assert (first["bisection_partitions"], first["bisection_planned_partitions"]) == (1, 24)
    shown = call("evaluate", spec, "--measures", "bisection", "--partition-seconds", "0").stdout
    assert "1 of 24 halvings" in shown


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--trials", "9"), "--trials is for --measures resilience"),
        (("--measures", "paths", "--partitions", "3"), "--partitions is for --measures bisection"),
        (("--measures", "resilience", "--trials", "5"), "--trials 5: expected 6..10000"),
        (("--measures", "resilience", "--trials", "50000000"), "--trials 50000000: expected 6..10000"),
        (("--measures", "bisection", "--partitioner", "metis"), "metis"),
        (("--measures", "bisection", "--partition-seconds", "-1"), "-1"),
    ],
)
def test_refusals(options, message):
    result = call("evaluate", FLEX, *options, code=2)
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_what_would_take_long():
    result = call("evaluate", "torus(dims=200x200)", "--measures", "bisection", code=2)
    assert "give topoctl evaluate --partition-seconds S, or --exact" in result.stderr


def test_a_partitioner_that_is_not_installed(monkeypatch):
    monkeypatch.setattr("topoctl.analysis.bisection.find_spec", lambda _: None)
    result = call("evaluate", FLEX, "--measures", "bisection", "--partitioner", "kahip", code=2)
    assert "pip install kahip" in result.stderr
