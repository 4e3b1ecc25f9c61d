"""What collectives do for every rank, by following what messages carry; their time, by closed forms."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import topoctl
from kernels.backends import needs_native
from topoctl.errors import InvalidParameters
from topoctl.simulation.routers import Routers
from topoctl.simulation.workloads import WORKLOADS, jobs_asked

pytestmark = pytest.mark.once

RANKS, BYTES = st.integers(2, 20), st.integers(0, 1000)


def work_of(text, ranks=None, size=4096):
    [(_, [job])] = jobs_asked(text, ranks, size)
    return job.work(job.ranks or ranks)


def known_at_end(work):
    """What every rank knows of in the end: a message carries what its source knew when it was ready."""
    carried = []
    needed = {}
    for event, waiting in work.needs.tolist():
        needed.setdefault(waiting, []).append(event)
    known = [{rank} for rank in range(work.ranks)]
    for task, (source, destination, _) in enumerate(work.tasks.tolist()):
        knows = {source}
        for event in needed.get(task, []):
            assert event // 2 < task
            is_arrival = event % 2
            assert work.tasks[event // 2, 1 if is_arrival else 0] == source
            knows |= carried[event // 2]
        carried.append(knows)
        known[destination] |= knows
    return known


@given(RANKS, BYTES, st.sampled_from(["ring", "halving", "doubling", "tree"]))
def test_an_all_reduce_brings_what_all_have_to_all(ranks, size, algorithm):
    work = work_of(f"all-reduce-{algorithm}", ranks, size)
    assert known_at_end(work) == [set(range(ranks))] * ranks
    sent = np.bincount(work.tasks[:, 0], work.tasks[:, 2], ranks)
    if algorithm == "ring":
        assert work.tasks[:, 2].sum() == 2 * (ranks - 1) * size
        assert sent.max() - sent.min() <= 2
    elif algorithm == "halving" and ranks & (ranks - 1) == 0:
        assert abs(sent - 2 * size * (ranks - 1) / ranks).max() <= 2 * ranks.bit_length()
    elif algorithm == "doubling" and ranks & (ranks - 1) == 0:
        assert sent.tolist() == [size * (ranks.bit_length() - 1)] * ranks
    elif algorithm == "tree":
        assert len(work.tasks) == 2 * (ranks - 1)


@given(RANKS, BYTES)
def test_others_bring_to_all_what_one_or_all_have(ranks, size):
    everyone = set(range(ranks))
    assert known_at_end(work_of("all-gather", ranks, size)) == [everyone] * ranks
    assert all(0 in known for known in known_at_end(work_of("broadcast", ranks, size)))
    assert known_at_end(work_of("all-to-all", ranks, size)) == [everyone] * ranks
    assert known_at_end(work_of("incast", ranks, size))[0] == everyone
    pairs = Counter(map(tuple, work_of("all-to-all", ranks, size).tasks[:, :2].tolist()))
    assert pairs == {(a, b): 1 for a in everyone for b in everyone - {a}}


@given(st.lists(st.integers(1, 4), min_size=1, max_size=3), st.integers(1, 3))
def test_a_stencil_exchanges_between_neighbours_of_a_grid_round_by_round(dims, rounds):
    if np.prod(dims) < 2:
        dims = [*dims, 2]
    ranks, shape = int(np.prod(dims)), "x".join(map(str, dims))
    work = work_of(f"stencil(dims={shape},rounds={rounds})", ranks)
    places = np.array(np.unravel_index(np.arange(ranks), dims)).T
    apart = abs(places[:, None] - places[None]).sum(axis=2)
    wanted = [*zip(*map(np.ndarray.tolist, np.nonzero(apart == 1)), strict=True)]
    assert Counter(map(tuple, work.tasks[:, :2].tolist())) == dict.fromkeys(wanted, rounds)
    assert len(work.needs) == 0 or rounds > 1


def test_a_permutation_leaves_out_what_ranks_would_send_themselves():
    assert work_of("bitcomp", 8).tasks[:, :2].tolist() == [[rank, 7 - rank] for rank in range(8)]
    assert work_of("bitrev", 8).tasks[:, :2].tolist() == [[1, 4], [3, 6], [4, 1], [6, 3]]
    drawn = [jobs_asked("permutation", 64, 1, seed)[0][1][0].work(64).tasks[:, 1] for seed in (1, 1, 2)]
    assert (drawn[0] == drawn[1]).all()
    assert not np.array_equal(drawn[0], drawn[2])
    assert work_of("permutation(seed=2)", 64).tasks[:, 1].tolist() == drawn[2].tolist()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("all-to-al", "did you mean all-to-all"),
        ("all-to-all(dims=2)", "unknown parameter 'dims'"),
        ("incast(ranks=1)", "expected 2.."),
        ("incast(bytes=5x)", "expected an integer"),
        ("stencil(dims=3x3)", "expected a product of 8"),
        ("bitrev(ranks=2)", "no messages"),
        ("all-to-all(ranks=999)", "expected fewer ranks"),
        ("broadcast+", "job 2 of 2 is empty"),
        ("", "work 1 of 1 is empty"),
        ("broadcast(", "expected broadcast(ranks=..., bytes=...)"),
    ],
)
def test_work_that_is_none_is_refused_in_a_line(text, said, monkeypatch):
    monkeypatch.setattr("topoctl.simulation.workloads.record.MOST_TASKS", 10**5)
    with pytest.raises(InvalidParameters) as error:
        [job.work(job.ranks) for _, jobs in jobs_asked(text, 8, 64) for job in jobs]
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_bytes_are_read_with_their_units_and_ranks_and_bytes_of_a_job_are_its_own():
    [(_, jobs)] = jobs_asked("incast(bytes = 2KiB, ranks=3)+broadcast+incast(bytes=1MB)", 4, 10)
    found = [job.work(job.ranks) for job in jobs]
    assert [work.ranks for work in found] == [3, 4, 4]
    assert [work.tasks[0, 2] for work in found] == [2048, 10, 1_000_000]


# Between all ranks there are links of their own, so that messages meet only at endpoints.
def completed(work, ranks, size, **options):
    rows = topoctl.simulate(f"hyperx(dims={ranks},p=1)", work=work, message_bytes=64 * size, **options)
    return rows[0]["completion_cycles"]


def alone(flits):
    """Cycles of a message of flits, each a packet, over a link between routers."""
    return int(Routers().zero_load_latency(2)) + flits - 1


@pytest.mark.parametrize("ranks", [2, 4, 8])
def test_collectives_take_the_steps_of_their_closed_forms(ranks):
    steps = ranks.bit_length() - 1
    assert completed("all-reduce-ring", ranks, 3 * ranks) == 2 * (ranks - 1) * alone(3)
    assert completed("all-gather", ranks, 5) == (ranks - 1) * alone(5)
    assert completed("broadcast", ranks, 7) == steps * alone(7)
    assert completed("all-reduce-tree", ranks, 7) == 2 * steps * alone(7)
    halves = [alone(16 >> step) for step in range(1, steps + 1)]
    assert completed("all-reduce-halving", ranks, 16) == 2 * sum(halves)
    assert completed("all-reduce-doubling", ranks, 7) == steps * alone(7)
    assert completed("neighbor", ranks, 9) == alone(9)
    # The last of all flits waits for all others at rank 0.
    assert completed("incast", ranks, 6) == (ranks - 1) * 6 + alone(1) - 1
    assert completed("stencil(dims=2x1,rounds=5,ranks=2)", ranks, 4) == 5 * alone(4)


@needs_native
def test_an_all_to_all_on_links_between_all_keeps_endpoints_busy():
    row = topoctl.simulate("hyperx(dims=16,p=1)", work="all-to-all", message_bytes=64 * 64)[0]
    assert row["ideal_cycles"] == 15 * 64
    assert 0.95 < row["efficiency"] <= 1


def test_every_name_is_simulated_and_its_messages_arrive():
    rows = topoctl.simulate("mesh(dims=3x3,p=1)", work=",".join(WORKLOADS), message_bytes=100, ranks=8)
    assert [row["work"] for row in rows] == [*WORKLOADS]
    for row in rows:
        assert row["messages_arrived"] == row["messages"] > 0
        assert row["packets"] == row["flits"] >= row["messages"]
        assert row["ideal_cycles"] < row["completion_cycles"] <= row["cycles"]
        assert 8 <= row["message_latency_p50"] <= row["message_latency_longest"]
