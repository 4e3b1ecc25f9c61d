"""GOAL files and connection matrices: what they say, how long it takes, and one line for what is wrong."""

import numpy as np
import pytest

import topoctl
from topoctl.errors import FormatError
from topoctl.simulation.routers import Routers
from topoctl.simulation.workloads.connection_matrix import parse_connections
from topoctl.simulation.workloads.goal import parse_goal

pytestmark = pytest.mark.once

ALONE = int(Routers().zero_load_latency(2))
PING_PONG = """// a comment
num_ranks 2
rank 0 {
  a: send 64b to 1 tag 3 cpu 0 nic 0
  b: recv 64b from 1   /* and one
  over two lines */
  b requires a
  c: calc 100 cpu 1
  c requires b
}
rank 1 { x: recv 64 b from 0 tag 3
y: calc 20
y requires x
z: send 64b to 0
z requires y
}
"""
PING_PONG = PING_PONG.replace("   /* and one\n  over two lines */\n", "\n/* and one\n  over two lines */\n")


def goal(*ranks):
    return f"num_ranks {len(ranks)}\n" + "".join(f"rank {n} {{\n{body}\n}}\n" for n, body in enumerate(ranks))


def completed(name, text, folder, **options):
    (folder / name).write_text(text)
    [row] = topoctl.simulate("hyperx(dims=4,p=1)", work=str(folder / name), **options)
    return row


def test_a_chain_of_messages_and_computations_takes_the_sum_of_its_parts(tmp_path):
    row = completed("ping.goal", PING_PONG, tmp_path)
    assert row["completion_cycles"] == 2 * ALONE + 20 + 100
    assert (row["ranks"], row["messages"], row["bytes"], row["flits"]) == (2, 2, 128, 2)
    assert completed("ping.goal", PING_PONG, tmp_path, clock=2)["completion_cycles"] == 2 * ALONE + 240
    small = completed("ping.goal", PING_PONG, tmp_path, flit_bytes=16)
    assert small["completion_cycles"] == 2 * (ALONE + 3) + 120
    whole = completed("ping.goal", PING_PONG, tmp_path, flit_bytes=16, packet_size=4)
    assert (whole["packets"], whole["completion_cycles"]) == (2, small["completion_cycles"])


def test_what_requires_a_send_waits_until_it_is_sent_and_irequires_until_it_starts(tmp_path):
    for kind, begins in (("requires", 10), ("irequires", 0)):
        sends = f"s: send 640b to 1\nc: calc 1000\nc {kind} s"
        row = completed("sent.goal", goal(sends, "recv 640b from 0"), tmp_path)
        assert row["completion_cycles"] == begins + 1000
    waits = "r: recv 8b from 1\nc: calc 1000\nc irequires r\nr requires w"
    body = waits.replace("c irequires", "w: calc 30\nc irequires")
    row = completed("started.goal", goal(body, "d: calc 500\ns: send 8b to 0\ns requires d"), tmp_path)
    # The receive starts after 30 ns, whenever its message comes; one cpu does both computations.
    assert row["completion_cycles"] == 1030
    assert completed("cpus.goal", goal("calc 7\ncalc 7\ncalc 9 cpu 1"), tmp_path)["completion_cycles"] == 14


def test_receives_take_the_sends_of_their_tags_and_those_from_anywhere_what_is_left():
    sends = "send 1b to 1 tag 5\nsend 2b to 1 tag 6\nsend 3b to 1 tag 5"
    taken = "recv 9b from -1 tag -1\nrecv 9b from 0 tag 5\nrecv 9b from -1 tag 6"
    work = parse_goal("x.goal", goal(sends, taken))
    # The first, from any rank, is left the last: events 2k + 1 are arrivals of tasks 0..2.
    assert sorted(map(tuple, work.needs.tolist())) == [(1, 4), (3, 5), (5, 3)]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 1, "num_ranks"),
        ("num_ranks 0", 1, "expected 1.."),
        ("num_ranks 1\nnum_ranks 1", 2, "twice"),
        (goal("calc 1")[:-2], 4, "ends within rank 0"),
        ("rank 0 {\n}", 1, "num_ranks"),
        ("num_ranks 2\nrank 0 {\n}\n", 4, "rank 1 is missing"),
        ("num_ranks 1\nrank 1 {\n}\n", 2, "each of 0..0 once"),
        ("num_ranks 1\nrank 0 {\nrank 0 {\n}\n", 3, "within rank 0"),
        ("num_ranks 1\ncalc 1\n", 2, "outside of a rank"),
        (goal("sned 1b to 0"), 3, "found 'sned 1b to 0'"),
        (goal("send 1b to 0 nic 1"), 3, "nic 1"),
        (goal("send 1b to 1"), 3, "expected 0..0"),
        (goal("send 1b to 0 tag -1"), 3, "tag -1"),
        (goal(f"calc {10**13}"), 3, "at most"),
        (goal("a: calc 1\na: calc 2"), 4, "given twice"),
        (goal("a: calc 1\na requires b"), 4, "'b' is not defined"),
        (goal("send 1b to 1", ""), 3, "rank 1 has no receive"),
        (goal("recv 1b from 1", ""), 3, "no send is left"),
        (goal("send 8b to 1", "recv 7b from 0"), 6, "expected as many or more"),
        (goal("a: calc 1\nb: calc 1\na requires b\nb requires a"), 3, "lines 3 -> 4 -> 3"),
        (goal(*(f"r: recv 1b from {n}\ns: send 1b to {n}\ns requires r" for n in (1, 0))), 3, "each other"),
        (goal(""), 1, "no operations"),
    ],
)  # fmt: skip
def test_a_goal_file_that_is_none_is_refused_by_its_line(text, line, said):
    with pytest.raises(FormatError) as error:
        parse_goal("bad.goal", text)
    assert error.value.line == line
    assert said in str(error.value)
    assert "\n" not in str(error.value)


HEAD = "Nodes 4\nConnections {}\nTriggers {}\n# a comment\n\n"


def matrix(*lines):
    triggers = sum(line.startswith("trigger") for line in lines)
    return HEAD.format(len(lines) - triggers, triggers) + "\n".join(lines)


def test_flows_start_by_the_clock_or_by_triggers(tmp_path):
    row = completed("one.cm", matrix("0->1 id 7 start 5000.4 size 64"), tmp_path)
    assert (row["completion_cycles"], row["ranks"]) == (5 + ALONE, 4)
    chain = matrix(
        "0->1 id 1 start 0 size 640 recv_done_trigger 1",
        "1->2 id 2 trigger 1 size 64 send_done_trigger 3",
        "0->3 id 3 start 0 size 64 recv_done_trigger 3",
        "3->0 id 4 trigger 3 size 64",
        "trigger id 1 oneshot",
        "trigger id 3 barrier count 2",
    )
    # The second is sent a cycle after the first has arrived, which is when the barrier has been pulled twice.
    assert completed("chain.cm", chain, tmp_path)["completion_cycles"] == (ALONE + 9) + 1 + ALONE


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 1, "Nodes"),
        ("Nodes x", 1, "expected a number"),
        ("Nodes 0\n", 1, "expected 1.."),
        ("Nodes 4\nNodes 4", 2, "twice"),
        ("Nodes 4 4", 1, "found '4'"),
        ("Nodes 4\nConnections 0", 1, "no flows"),
        ("Nodes 4\nConnections 2\n0->1 start 0 size 1", 1, "Connections 2: expected 1"),
        ("Nodes 4\nFailures 1\n", 1, "not simulated"),
        (matrix("0->4 start 0 size 1"), 6, "expected 0..3"),
        (matrix("0->1 size 1"), 6, "either start"),
        (matrix("0->1 start 0"), 6, "size BYTES"),
        (matrix("0->1 start 0 size 0"), 6, "size BYTES"),
        (matrix("0->1 start 0 size"), 6, "size '': expected a number"),
        (matrix("0->1 start 0 size 1 size 2"), 6, "twice"),
        (matrix("0->1 start 0 size 1 prio 3"), 6, "prio: not simulated"),
        (matrix("0->1 start 0 sise 1"), 6, "did you mean size"),
        (matrix("0->1 id 1 start 0 size 1", "1->0 id 1 start 0 size 1"), 7, "each once"),
        (matrix("0->1 trigger 5 size 1"), 6, "trigger 5 is nowhere told"),
        (matrix("0->1 trigger 5 size 1", "trigger id 5 oneshot"), 7, "pulled by 0"),
        (matrix("0->1 trigger 5 size 1", "trigger id 5 multishot"), 7, "multishot"),
        (matrix("0->1 trigger 5 size 1", "trigger id 5 barrier"), 7, "count"),
        (matrix("0->1 trigger 5 size 1 recv_done_trigger 5", "trigger id 5 oneshot"), 6, "6 -> 7 -> 6"),
        (matrix("flow 0->1"), 6, "found 'flow'"),
    ],
)
def test_a_matrix_that_is_none_is_refused_by_its_line(text, line, said):
    with pytest.raises(FormatError) as error:
        parse_connections("bad.cm", text)
    assert (error.value.line, said in str(error.value)) == (line, True), str(error.value)
    assert "\n" not in str(error.value)


def test_the_order_of_lines_does_not_matter_where_tags_tell_messages_apart():
    count = 20_000
    sends = "\n".join(f"send 8b to 1 tag {n}" for n in range(count))
    receives = "\n".join(f"recv 8b from 0 tag {n}" for n in reversed(range(count)))
    sent, received = parse_goal("long.goal", goal(sends, receives)).needs.T
    np.testing.assert_array_equal(sent // 2 + received, np.full(count, 2 * count - 1))
