"""``topoctl simulate``: its rows, its picture, what it refuses, and one line for every bad input."""

import gzip
import json
import signal
import threading
from itertools import pairwise
from pathlib import Path

import pytest

import topoctl
from commands import call, document
from kernels.backends import needs_native, only
from properties import rest_thorough
from schemas import check_document
from topoctl.errors import InvalidParameters
from topoctl.report.progress import ProgressDisplay

pytestmark = pytest.mark.once

TORUS, RING = "torus(dims=4x4,p=1)", "torus(dims=6x6,p=1)"
FEW = ("--cycles", "3000")
UNPROVEN = ("--routing", "lowest", "--vcs", "none", "--unproven")


def rows(*arguments):
    found = document("simulate", *arguments)
    check_document(found)
    return found["results"]


def test_a_row_for_every_network_routing_pattern_and_load(folder):
    asked = ("--routing", "dor,ecmp", "--traffic", "uniform,half", "--load", "0.1,0.4")
    found = rows("mesh(dims=3x3,p=1)", TORUS, *asked, *FEW)
    told = [(row["spec"], row["routing"], row["traffic"], row["offered_load"]) for row in found]
    assert told == [
        (spec, routing, traffic, load)
        for spec in ("mesh(dims=3x3)", "torus(dims=4x4)")
        for routing in ("dor", "ecmp")
        for traffic in ("uniform", "half")
        for load in (0.1, 0.4)
    ]
    for row in found:
        assert row["accepted_load"] == pytest.approx(row["offered_load"], rel=0.05)
        assert row["proven"]
        assert not row["saturated"]
        assert not row["deadlocked"]
        assert row["waiting_cycle"] is None
        latencies = [row[f"latency_{name}"] for name in ("p50", "p95", "p99", "p99_9", "longest")]
        assert latencies == sorted(latencies)
        assert row["zero_load_latency"] <= row["latency"] + 1e-9 < row["latency_longest"]
        assert row["network_latency"] <= row["latency"]
        # Two cycles for the links of endpoints, and three in every router.
        assert row["zero_load_latency"] == pytest.approx(2 + 3 * (row["mean_hops"] + 1))


def test_the_zero_load_latency_is_that_of_rare_packets():
    for options, hop_cycles in (
        ((), 3),
        (("--speedup", "1"), 4),
        (("--speedup", "1", "--routing-delay", "1"), 5),
    ):
        [row] = rows(TORUS, "--load", "0.005", "--packet-size", "5", *options, *FEW)
        assert row["zero_load_latency"] == pytest.approx(2 + hop_cycles * (row["mean_hops"] + 1) + 4)
        assert row["latency"] == pytest.approx(row["zero_load_latency"], rel=0.03)


def test_packets_cross_as_many_links_as_their_paths_are_long():
    topology = topoctl.build(TORUS)
    [row] = rows(TORUS, "--load", "0.9", *FEW)
    assert row["mean_hops"] == pytest.approx(topoctl.measure(topology).aspl, rel=0.01)


def test_what_all_rows_share_stands_below_the_table():
    lines = call("simulate", TORUS, "--load", "0.1,0.2", *FEW).stdout.splitlines()
    assert lines[0].split()[:3] == ["offered", "accepted", "saturated"]
    assert "torus(dims=4x4), ecmp, uniform" in lines
    lines = call("simulate", TORUS, "--routing", "dor,ecmp", "--load", "0.1", *FEW).stdout.splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["routing", "dor", "ecmp"]
    assert "torus(dims=4x4), uniform" in lines


def test_loads_are_a_list_or_a_range():
    def loads(text):
        return [row["offered_load"] for row in rows("torus(dims=3,p=1)", "--load", text, "--cycles", "1000")]

    assert loads("0.1..0.4:0.1") == [0.1, 0.2, 0.3, 0.4]
    assert loads("0.1..0.45:0.1") == [0.1, 0.2, 0.3, 0.4]
    assert loads("0.5, 0.05,1") == [0.5, 0.05, 1.0]


@pytest.mark.parametrize(
    "text", ["0", "1.1", "-0.1", "0.1..", "0.9..0.1:0.1", "0.1..0.9:0", "0.1..0.9:0.00001", "nan", "", "a"]
)
def test_a_wrong_load_is_refused(text):
    [line] = call("simulate", TORUS, "--load", text, code=2).stderr.splitlines()
    assert line.startswith(f"error: --load '{text}': expected loads above 0 up to 1")


def test_small_loads_may_have_exponents_and_saturate_nothing():
    found = document(
        "simulate", "torus(dims=4,p=1)", "--load", "1e-4,5e-3", "--seeds", "12", "--cycles", "2000"
    )
    assert [row["offered_load"] for row in found["results"]] == [0.0001, 0.005]
    assert not any(row["saturated"] for row in found["seeds"])


@pytest.mark.parametrize("load", [(1.5,), (), (0.0,)])
def test_a_wrong_load_is_refused_in_python(load):
    with pytest.raises(InvalidParameters, match="expected loads above 0 up to 1"):
        topoctl.simulate(TORUS, load=load)


def test_no_more_is_accepted_at_saturation_than_a_link_carries():
    [row] = rows(RING, "--routing", "lowest", "--saturation", *FEW)
    assert 0 < row["saturation_load"] < row["throughput"] < 1
    assert row["offered_load"] == row["saturation_load"]
    assert not row["saturated"]
    above = row["saturation_load"] + 0.05
    [over] = rows(RING, "--routing", "lowest", "--load", f"{above:.3f}", "--cycles", "10000")
    assert over["saturated"]
    assert over["latency"] > row["latency"]


def test_routers_that_choose_may_carry_more_than_any_fixed_mix():
    asked = ("dragonfly(p=2,a=4,h=2)", "--routing", "ugal-l", "--traffic", "adversarial")
    [row] = rows(*asked, "--saturation", "--cycles", "2000")
    assert row["saturation_load"] > 1.05 * row["throughput"]
    [above] = rows(*asked, "--load", f"{1.05 * row['throughput']:.3f}", "--cycles", "10000")
    assert not above["saturated"]


def test_a_network_that_carries_everything_saturates_nowhere():
    [row] = rows("torus(dims=3x3,p=1)", "--traffic", "neighbor", "--saturation", *FEW)
    assert row["saturation_load"] > 0.98
    assert not row["saturated"]


def test_what_can_deadlock_is_refused_with_what_cannot():
    [line] = call("simulate", RING, "--routing", "lowest", "--vcs", "one", code=2).stderr.splitlines()
    assert line.startswith("error: lowest can deadlock with --vcs one: expected --vcs ")
    scheme = line.partition("--vcs one: expected --vcs ")[2].split()[0]
    [row] = rows(RING, "--routing", "lowest", "--vcs", scheme, "--load", "0.1", *FEW)
    assert (row["proven"], row["channel_scheme"]) == (True, scheme)
    [line] = call("simulate", RING, "--vcs", "none", code=2).stderr.splitlines()
    assert "--unproven" in line


def test_a_deadlock_is_named():
    found = document("simulate", RING, *UNPROVEN, "--load", "0.9", "--cycles", "20000")
    check_document(found)
    [row] = found["results"]
    assert (row["deadlocked"], row["saturated"], row["proven"], row["converged"]) == (
        True,
        True,
        False,
        False,
    )
    circle = row["waiting_cycle"]
    assert len(circle) > 2
    links = {(one, other) for one, other in topoctl.build(RING).graph.links().tolist()}
    for (channel, tail, head), (_, after, _) in pairwise([*circle, circle[0]]):
        assert (min(tail, head), max(tail, head)) in links
        assert head == after
        assert 0 <= channel < row["virtual_channels"]
    shown = " -> ".join(f"{tail}-{head}" for _, tail, head in circle)
    said = call("simulate", RING, *UNPROVEN, "--load", "0.9", "--cycles", "20000").stdout
    assert f"deadlocked: {shown}" in said


def test_channels_of_a_class_stand_side_by_side():
    for width in (1, 3):
        [row] = rows(TORUS, "--vcs", "hops", "--class-width", width, "--load", "0.1", *FEW)
        assert row["virtual_channels"] % width == 0
        assert row["virtual_channels"] // width == 4  # hops on the longest path


def test_numbers_by_time_are_those_of_the_whole(folder):
    asked = ("--load", "0.3", "--then", "tornado@1000", "--every", "250", "--traffic", "neighbor")
    [row] = rows(TORUS, *asked, *FEW)
    parts = row["by_time"]
    assert [part["cycle"] for part in parts] == [*range(0, 3000, 250)]
    assert row["traffic"] == "neighbor, then tornado@1000"
    assert [part["mean_hops"] for part in parts[:4]] == pytest.approx([1.25] * 4, abs=0.05)
    assert [part["mean_hops"] for part in parts[5:]] == pytest.approx([row["mean_hops"]] * 7, abs=0.05)
    assert row["cycles"] == 3000
    measured = [part for part in parts if part["cycle"] >= 1000]
    assert sum(part["packets"] for part in measured) == row["packets"]
    for part in parts:
        assert part["accepted_load"] == pytest.approx(0.3, rel=0.25)
        assert part["mean_simulated_link_load"] <= part["largest_link_load"] <= 1
    call("simulate", TORUS, *asked, *FEW, "-o", "parts.csv", "--curve", "parts.svg")
    lines = (folder / "parts.csv").read_text().splitlines()
    assert lines[0].startswith("spec,file,routing,traffic,offered_load,cycle,")
    assert len(lines) == 1 + len(parts)
    assert b"Mean latency" in (folder / "parts.svg").read_bytes()


def test_cables_take_their_time():
    [short] = rows(TORUS, "--load", "0.01", *FEW)
    floors = (("--floor", "racks42"), ("--cabinet", "1x1", "--overhead", "1"))
    for floor in floors:
        [row] = rows(TORUS, "--load", "0.01", "--clock", "2", *floor, *FEW)
        assert row["latency_ns"] == row["latency"] / 2
        assert row["latency"] == pytest.approx(row["zero_load_latency"], rel=0.02)
        assert row["latency"] > short["latency"] + 10 * row["mean_hops"]  # of a metre or more, at 5 ns
    [line] = call(
        "simulate", "jellyfish(n=8,r=3,p=1)", "--clock", "1", "--cabinet", "1x1", code=2
    ).stderr.splitlines()
    assert line.startswith("error: ")


def test_a_histogram_has_every_packet():
    [row] = rows(TORUS, "--load", "0.5", "--histogram", *FEW)
    latencies, packets = zip(*row["latency_histogram"], strict=True)
    assert sum(packets) == row["packets"]
    assert latencies[-1] <= row["latency_longest"]
    assert row["latency"] == pytest.approx(row["network_latency"] + row["queueing_latency"])


def test_no_link_carries_more_than_a_flit_a_cycle_and_what_is_expected_where_all_is_carried():
    low, high = rows(RING, "--load", "0.05,1", "--routing", "dor", *FEW)
    for row in (low, high):
        for what in ("injection", "link", "ejection"):
            assert row[f"largest_{what}_load"] <= 1
    assert low["expected_link_load"] == pytest.approx(0.05 / low["throughput"])
    assert low["fairness"] > 0.9999  # few packets, but all that was to be sent


@pytest.mark.parametrize("suffix", rest_thorough(["png", "svg", "pdf"], ["svg"]))
def test_a_curve_is_drawn(folder, suffix):
    asked = ("--routing", "dor,valiant", "--load", "0.2,0.9", "--curve", f"curve.{suffix}")
    result = call("simulate", TORUS, *asked, *FEW)
    assert f"wrote curve.{suffix}" in result.stderr
    drawn = (folder / f"curve.{suffix}").read_bytes()
    assert drawn.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[suffix])
    if suffix == "svg":
        assert b"Offered load" in drawn


@pytest.mark.parametrize(
    ("code", "said", "arguments"),
    [
        (2, "curve.doc: expected a name that ends in", (TORUS, "--curve", "curve.doc")),
        (4, "missing", (TORUS, "--curve", "missing/curve.png")),
        (2, "traffic needs endpoints", ("slimfly(q=5,p=0)",)),
        (2, "routing 'ecm' is unknown; did you mean ecmp?", (TORUS, "--routing", "ecm")),
        (2, "--saturation looks for one", (TORUS, "--load", "0.5", "--saturation")),
        (4, "tables.csv: no such file", (TORUS, "--routing", "tables.csv")),
        (2, "or tables in a file that ends in .csv", (TORUS, "--routing", "tables.doc")),
        (2, "routing 'bgal' is called equality-bgal here", (TORUS, "--routing", "bgal")),
        (2, "routing 'minimal' is called ecmp here, or lowest", (TORUS, "--routing", "minimal")),
        (2, "routing 'LBR' of FleX's paper is not known", (TORUS, "--routing", "LBR")),
        (2, "256 links between two routers", ("torus(dims=512,p=1)", "--routing", "ugal-l")),
        (2, "routing fattree does not know", (TORUS, "--routing", "fattree")),
        (2, "unknown", (TORUS, "--traffic", "uniformly")),
        (2, "give a network", ()),
        (4, "missing.edges: no such file", ("missing.edges",)),
        (2, "in a spec, p is written in the spec", (TORUS, "--p", "2")),
        (2, "--cycles", (TORUS, "--cycles", "10")),
        (2, "--routing-delay", (TORUS, "--routing-delay", "2")),
        (2, "--class-width", (TORUS, "--class-width", "0")),
        (2, "--precision", (TORUS, "--precision", "0")),
        (2, "virtual channels", (TORUS, "--class-width", "64")),
    ],
)
def test_what_is_wrong_is_told_in_a_line(folder, code, said, arguments):
    [line] = call("simulate", *arguments, code=code).stderr.splitlines()
    assert line.startswith("error: ")
    assert said in line


def test_all_routings_of_a_network_are_simulated():
    result = call(
        "simulate", "slimfly(q=5,p=1)", "--routing", "all", "--load", "0.1", "--cycles", "1000", "--json"
    )
    found = {row["routing"] for row in json.loads(result.stdout)["results"]}
    assert {"ecmp", "lowest", "valiant", "valiant-3hops", "ugal-l", "ugal-g"} <= found


def test_files_take_endpoints_and_stand_beside_specs(folder):
    (folder / "ring.edges").write_text("0 1\n1 2\n2 3\n3 0\n")
    [line] = call("simulate", "ring.edges", code=2).stderr.splitlines()
    assert "--p" in line
    found = rows("ring.edges", "torus(dims=4,p=2)", "--p", "2", "--load", "0.3", *FEW)
    assert [(row["spec"], row["file"]) for row in found] == [
        (None, "ring.edges"),
        ("torus(dims=4,p=2)", None),
    ]
    assert [row["endpoints"] for row in found] == [8, 8]
    for row in found:
        assert row["mean_hops"] == pytest.approx(8 / 7, rel=0.05)  # 0 to one other, 1 to four, 2 to two


@pytest.mark.parametrize(
    ("asked", "words"),
    [({"load": (0.2, 0.9)}, ("--load", "0.2,0.9")), ({"saturation": True}, ("--saturation",))],
)
def test_python_returns_the_rows_of_the_command(asked, words):
    found = topoctl.simulate(TORUS, routing="dor,valiant", cycles=3000, seed=7, **asked)
    assert found == rows(TORUS, "--routing", "dor,valiant", "--seed", "7", *FEW, *words)


def test_rows_depend_on_the_seed_and_not_on_the_workers():
    asked = (TORUS, "--routing", "dor,ugal-l", "--load", "0.3,0.8", *FEW)
    first = rows(*asked, "--workers", "1")
    assert rows(*asked, "--workers", "2") == first
    assert rows(*asked, "--seed", "2") != first


@needs_native
@pytest.mark.parametrize(
    "routing", rest_thorough(["lowest", "ecmp", "valiant", "ugal-l", "amin"], ["ugal-l", "amin"])
)
def test_rows_do_not_depend_on_the_kernels(routing):
    network = "N14K6P1[-1,1,3,9](4)" if routing == "amin" else "torus(dims=3,p=2)"
    asked = (network, "--routing", routing, "--load", "0.6", "--packet-size", "2", "--cycles", "1000")
    found = rows(*asked)
    with only("numpy"):
        assert rows(*asked) == found


def test_an_interrupted_simulation_prints_what_is_finished(monkeypatch):
    main_thread = threading.main_thread().ident

    def interrupt_the_second(display, name, *counted):
        if name.startswith("1 of 2 points done"):
            signal.pthread_kill(main_thread, signal.SIGINT)

    monkeypatch.setattr(ProgressDisplay, "counted", interrupt_the_second)
    # Nobody waits for anybody in the first point, so that its mean is known at once; the second has no end.
    endless = ("--precision", "1e-9", "--cycles", "1000000000", "--workers", "1", "--load", "0.5")
    result = call(
        "simulate", "torus(dims=4,p=1)", "--traffic", "neighbor,uniform", *endless, "--json", code=130
    )
    found = json.loads(result.stdout)
    check_document(found)
    assert found["status"] == "interrupted"
    [row] = found["results"]
    assert (row["traffic"], row["converged"]) == ("neighbor", True)
    assert row["latency"] == row["zero_load_latency"]


def test_lines_below_the_table_and_small_loads_say_what_is_so():
    asked = ("--load", "0.0001", "--cycles", "1000", "--clock", "1", "--cabinet", "9x9")
    shown = call("simulate", TORUS, *asked, "--columns", "offered,latency").stdout.splitlines()
    assert shown[1].split()[0] == "0.0001"
    assert "the point ended by --cycles, before --precision was reached" in shown
    assert any("all routers stand in one cabinet" in line for line in shown)


def test_work_is_completed_by_every_routing_in_rows_that_its_table_shows(folder):
    asked = ("--work", "broadcast,incast(ranks=4)+all-to-all(ranks=5)", "--bytes", "1KiB")
    found = rows(TORUS, "--routing", "dor,ecmp", *asked)
    assert [(row["routing"], row["work"], row["job"]) for row in found[:4]] == [
        ("dor", "broadcast", None),
        ("dor", "incast(ranks=4)+all-to-all(ranks=5)", None),
        ("dor", "incast(ranks=4)", 1),
        ("dor", "all-to-all(ranks=5)", 2),
    ]
    assert len(found) == 8
    shown = call("simulate", TORUS, *asked).stdout.splitlines()
    assert "completion" in shown[0]
    assert shown[3].split()[:3] == ["1", "incast(ranks=4)", "4"]


def test_jobs_with_long_names_keep_how_long_they_took(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    jobs = "incast(ranks=4,bytes=64KiB)+all-reduce-halving(ranks=8,bytes=64KiB)"
    shown = call("simulate", TORUS, "--work", jobs).stdout.splitlines()
    assert shown[0].split()[:3] == ["job", "ranks", "completion"]
    assert "2: all-reduce-halving(ranks=8,bytes=64KiB)" in shown


@needs_native
def test_no_row_of_work_depends_on_backend_or_threads():
    asked = (
        TORUS,
        "--work",
        "all-reduce-halving,tornado+permutation",
        "--placement",
        "random",
        "--bytes",
        "500",
    )
    found = []
    for backend, workers in (("native", "2"), ("native", "1"), ("numpy", "1")):
        with only(backend):
            found.append(rows(*asked, "--workers", workers))
    assert found[0] == found[1] == found[2]


def test_work_that_is_not_done_says_so():
    told = document("simulate", TORUS, "--work", "all-to-all", "--bytes", "1MiB", "--cycles", "1000")
    [row] = told["results"]
    check_document(told)
    assert (row["completion_cycles"], row["efficiency"], row["cycles"]) == (None, None, 1000)
    assert row["messages_arrived"] < row["messages"]
    shown = call("simulate", TORUS, "--work", "all-to-all", "--bytes", "1MiB", "--cycles", "1000").stdout
    assert "ended by --cycles" in shown


def test_work_that_deadlocks_is_named_by_its_circle():
    asked = ("--work", "all-to-all", "--bytes", "64KiB", "--buffer", "1", "--class-width", "1", *UNPROVEN)
    told = document("simulate", RING, *asked, "--cycles", "100000")
    [row] = told["results"]
    check_document(told)
    assert row["deadlocked"]
    assert row["cycles"] < 100_000
    circle = row["waiting_cycle"]
    assert all(one[2] == other[1] for one, other in pairwise([*circle, circle[0]]))
    assert "deadlocked: " in call("simulate", RING, *asked).stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("--work broadcast --load 0.5", 2, "--load"),
        ("--work broadcast --saturation", 2, "--saturation"),
        ("--work broadcast --traffic half", 2, "--traffic"),
        ("--work broadcast --precision 0.1", 2, "--precision"),
        ("--ranks 8 --bytes 1TiB", 2, "--bytes, --ranks: only of work"),
        ("--work broadcast --curve x.svg", 2, "--curve"),
        ("--work broadcast --ranks 17", 2, "17 ranks or more, and the network has 16 endpoints"),
        ("--work broadcast --bytes x", 2, "64KiB"),
        ("--work broadcast --placement near", 2, "contiguous"),
        ("--work brodcast", 2, "did you mean broadcast"),
        ("--work broadcast+", 2, "job 2 of 2 is empty"),
        ("--work whole.goal,whole.goal --ranks 2 --bytes 1KiB", 2, "--ranks, --bytes: files of work tell"),
        ("--work x.goal", 4, "no such file"),
        ("--work x.txt", 4, ".goal"),
        ("--work broken.cm", 4, "broken.cm, line 1"),
        ("--work binary.goal", 4, "not a text"),
    ],
)
def test_work_that_cannot_be_is_refused_in_a_line(folder, words, code, said):
    (folder / "broken.cm").write_text("Nodes")
    (folder / "binary.goal").write_bytes(b"\xff\x00")
    (folder / "whole.goal").write_text("num_ranks 1\nrank 0 {\ncalc 1\n}\n")
    told = call("simulate", TORUS, *words.split(), code=code).stderr
    assert said in told
    assert len(told.strip().splitlines()) <= 2


def packets_in(path):
    """The rows of a file of packets, by its columns, in order."""
    names, *rows = [line.split("\t") for line in Path(path).read_text().splitlines()]
    assert names == ["source", "ctime", "destination", "itime", "atime", "hops"]
    return [tuple(int(cell) if cell != "-" else -1 for cell in row) for row in rows]


@pytest.mark.parametrize("routing", rest_thorough(["ecmp", "ugal-l", "valiant"], ["ugal-l"]))
def test_packets_that_are_sent_again_fare_the_same(routing, tmp_path):
    sent, again = tmp_path / "sent.tsv", tmp_path / "again.tsv.gz"
    asked = ("simulate", "dragonfly(p=2,a=3,h=1)", "--no-study", "--json", "--routing", routing)
    mix = ("--load", "0.6", "--cycles", "1500", "--packet-size", "3")
    [row] = json.loads(call(*asked, *mix, "--packets", str(sent)).stdout)["results"]
    first = packets_in(sent)
    arrived = [packet for packet in first if packet[4] >= 0]
    assert row["packets"] < len(arrived) < len(first)
    late = [packet[4] - packet[1] for packet in arrived]
    assert max(late) == row["latency_longest"]
    replay = ("--replay", str(sent), "--packet-size", "3", "--packets", str(again))
    found = json.loads(call(*asked, *replay).stdout)
    check_document(found)
    [other] = found["results"]
    (tmp_path / "again.tsv").write_bytes(gzip.decompress(again.read_bytes()))
    second = packets_in(tmp_path / "again.tsv")
    assert [packet[:3] for packet in second] == [packet[:3] for packet in first]
    assert set(arrived) <= set(second)
    assert (other["packets"], other["converged"], other["traffic"]) == (len(first), True, str(sent))
    assert other["latency"] == pytest.approx(sum(p[4] - p[1] for p in second) / len(second))
    assert other["cycles"] == max(packet[4] for packet in second) + 1
    assert other["mean_hops"] == pytest.approx(sum(packet[5] - 1 for packet in second) / len(second))


def test_the_packets_of_work_are_those_of_its_messages(tmp_path):
    asked = (
        "--work",
        "broadcast",
        "--bytes",
        "640",
        "--packet-size",
        "4",
        "--packets",
        str(tmp_path / "p.tsv"),
    )
    [row] = json.loads(call("simulate", TORUS, "--no-study", "--json", *asked).stdout)["results"]
    found = packets_in(tmp_path / "p.tsv")
    assert len(found) == row["packets"] == 3 * row["messages"]
    assert max(packet[4] for packet in found) == row["completion_cycles"]
    assert len({packet[2] for packet in found}) == row["messages"]


@pytest.mark.parametrize(
    ("code", "said", "asked"),
    [
        (2, "expected no --load with it", ("--replay", "p.tsv", "--load", "0.5")),
        (2, "expected no --replay with it", ("--replay", "p.tsv", "--work", "broadcast")),
        (4, "none.tsv: no such file", ("--replay", "none.tsv")),
        (4, "p.tsv, line 3: destination '99'", ("--replay", "p.tsv")),
        (2, "expected cycles below --cycles 1000", ("--replay", "late.tsv", "--cycles", "1000")),
        (2, "no packets: expected one or more", ("--replay", "empty.tsv")),
        (2, "those of one point, and there are 2", ("--load", "0.1,0.2", "--packets", "out.tsv")),
        (2, "--saturation tries many", ("--saturation", "--packets", "out.tsv")),
        (2, "--replay has no loads", ("--replay", "p.tsv", "--curve", "x.png")),
    ],
)
def test_packets_of_files_are_refused_by_line(code, said, asked, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    head = "source\tctime\tdestination\n"
    for name, rows in (("p", "0\t0\t1\n0\t1\t99\n"), ("late", "0\t1000\t1\n"), ("empty", "")):
        Path(f"{name}.tsv").write_text(head + rows)
    assert said in call("simulate", TORUS, "--no-study", *asked, code=code).stderr
