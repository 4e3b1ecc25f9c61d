"""BookSim's experiments: packet by packet, and in the mean."""

import csv
import gzip
from statistics import mean, stdev

import pytest

from properties import rest_thorough
from simulation.booksim.configurations import DATA, MESH, text_of
from topoctl.errors import FormatError
from topoctl.simulation.booksim import run_configuration
from topoctl.simulation.booksim import text_of as summary_of

TRACES = ["two_routers_saturated", "mesh8x8_dim_order", "equality14_speedup2"]
RESULTS = list(csv.DictReader((DATA / "results.tsv").read_text().splitlines(), delimiter="\t"))
QUICK = MESH | {"sample_period": "100", "injection_rate": "0.2"}


def lines_of(text):
    head, *lines = text.splitlines()
    return head, sorted(lines)


@pytest.mark.parametrize("name", TRACES)
def test_packets_are_those_of_booksim(name, folder):
    trace = DATA / f"{name}.tsv.gz"
    run_configuration(DATA / f"{name}.cfg", replay=trace, packets="packets.tsv")
    ours, theirs = (
        lines_of((folder / "packets.tsv").read_text()),
        lines_of(gzip.decompress(trace.read_bytes()).decode()),
    )
    assert len(theirs[1]) > 1000
    assert ours == theirs


@pytest.mark.once  # minutes of the twin, which simulates the same
@pytest.mark.parametrize("row", rest_thorough(RESULTS, RESULTS[::2]), ids=lambda row: row["id"])
def test_means_are_those_of_booksim(row, folder):
    (folder / "given.cfg").write_text(
        row["configuration"].replace("=m2.", f"={DATA}/m2.").replace("=eq", f"={DATA}/eq")
    )
    runs = [run_configuration("given.cfg", seed=seed) for seed in (1, 2, 3)]
    assert all(run.converged for run in runs)
    compared = {"accepted_flits": (0.01, [run.accepted_flits.average for run in runs])}
    if "sim_type=latency" in row["configuration"]:
        compared["packet_latency"] = (0.01, [run.packet_latency for run in runs])
        compared["hops"] = (0.005, [run.hops for run in runs])
    for name, (share, ours) in compared.items():
        theirs = float(row[name])
        deviation = max(
            stdev(ours), 0 if name != "packet_latency" else float(row["packet_latency_sd"].strip("-") or 0)
        )
        assert mean(ours) == pytest.approx(theirs, abs=max(share * theirs, 3 * deviation))


def test_a_packet_goes_through_five_stages_a_hop(folder):
    (folder / "mesh.cfg").write_text(text_of(QUICK))
    (folder / "one.tsv").write_text("source\tctime\tdestination\tflits\n0\t250\t15\t3\n")
    found = run_configuration("mesh.cfg", replay="one.tsv", packets="out.tsv")
    # 2 cycles to and from the network, 5 for each of 7 routers, and 2 more flits
    assert (folder / "out.tsv").read_text().splitlines()[1:] == ["0\t250\t15\t250\t289\t7"]
    assert found.converged


def test_the_same_seed_gives_the_same_packets(folder):
    (folder / "mesh.cfg").write_text(text_of(QUICK))
    first = run_configuration("mesh.cfg", packets="first.tsv.gz", seed=3)
    assert run_configuration("mesh.cfg", packets="again.tsv.gz", seed=3) == first
    assert run_configuration("mesh.cfg", seed=4) != first
    assert (folder / "first.tsv.gz").read_bytes() == (folder / "again.tsv.gz").read_bytes()


def test_what_was_simulated_can_be_replayed(folder):
    (folder / "mesh.cfg").write_text(text_of(QUICK))
    first = run_configuration("mesh.cfg", packets="first.tsv")
    again = run_configuration("mesh.cfg", replay="first.tsv", packets="again.tsv")
    assert again == first
    arrived = {line for line in (folder / "first.tsv").read_text().splitlines() if not line.endswith("-")}
    assert arrived <= set((folder / "again.tsv").read_text().splitlines())


def test_a_summary_in_the_words_of_booksim(folder):
    (folder / "mesh.cfg").write_text(text_of(QUICK))
    found = run_configuration("mesh.cfg")
    lines = summary_of(found).splitlines()
    assert lines[:4] == [
        f"Time taken is {found.cycles} cycles",
        "====== Overall Traffic Statistics ======",
        "====== Traffic class 0 ======",
        f"Packet latency average = {found.packet_latency:g} (1 samples)",
    ]
    assert lines[-1] == f"Hops average = {found.hops:g} (1 samples)"


def test_too_much_traffic_is_unstable(folder):
    (folder / "mesh.cfg").write_text(text_of(QUICK | {"injection_rate": "0.9", "latency_thres": "60"}))
    found = run_configuration("mesh.cfg")
    assert not found.converged
    assert summary_of(found).startswith("Simulation unstable, ending ...\n")


def test_progress_is_told_in_cycles(folder):
    (folder / "mesh.cfg").write_text(text_of(QUICK))
    told = []
    found = run_configuration("mesh.cfg", on_progress=told.append)
    assert told[:3] == [100, 200, 300]
    assert told[-1] == found.cycles


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("source\tctime\n", "line 1: no column destination; expected source, ctime, destination"),
        ("source\tctime\tdestination\n0\t1\t16\n", "line 2: destination '16': expected 0..15"),
        ("source\tctime\tdestination\n\n0\t-1\t3\n", "line 3: ctime '-1': expected 0.."),
        ("source\tctime\tdestination\n0\t1\n", "line 2: destination '': expected 0..15"),
        (b"\x1f\x8bno gzip", "damaged; expected a table, or one compressed by gzip"),
    ],
)
def test_lists_of_packets_that_are_wrong(table, said, folder):
    (folder / "mesh.cfg").write_text(text_of(QUICK))
    (folder / "packets.tsv").write_bytes(table if isinstance(table, bytes) else table.encode())
    with pytest.raises(FormatError) as caught:
        run_configuration("mesh.cfg", replay="packets.tsv")
    assert said in str(caught.value)
