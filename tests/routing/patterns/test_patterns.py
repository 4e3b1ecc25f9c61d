"""Every pattern of traffic against a slow definition of it, and what links carry against a reference."""

import numpy as np
import pytest

from oracles import table
from topoctl.errors import FormatError, InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.graph import Graph
from topoctl.routing import ROUTINGS
from topoctl.routing.patterns import PATTERNS, patterns_in, traffic_named
from topoctl.routing.routed_loads import routed_loads
from topoctl.topology import Topology

REFERENCE = table("routing/pattern_loads.tsv")
BY_SPEC = {
    spec: [row for row in REFERENCE if row["spec"] == spec] for spec in {r["spec"]: 0 for r in REFERENCE}
}


def everything(traffic, topology):
    """All that a pattern sends: [destination, source]."""
    return traffic.toward(np.arange(topology.graph.order, dtype=np.int32))


@pytest.mark.parametrize("spec", BY_SPEC)
@pytest.mark.parametrize("column", ["ecmp", "val"])
def test_links_carry_what_the_reference_says(spec, column):
    topology = topology_from_spec(spec)
    rows = [row for row in BY_SPEC[spec] if row["routing"] == column]
    routes = ROUTINGS["valiant" if column == "val" else column].routes(topology)
    found = routed_loads(routes, [traffic_named(topology, row["pattern"]) for row in rows])
    for row, loads in zip(rows, found, strict=True):
        assert loads.loads.max() == pytest.approx(float(row["max_channel_load"]), abs=1e-9)
        assert loads.loads.mean() == pytest.approx(float(row["mean_channel_load"]), abs=1e-9)


@pytest.mark.once
@pytest.mark.parametrize("name", PATTERNS)
@pytest.mark.parametrize("spec", ["slimfly(q=4,p=3)", "fattree(k=4,p=2)", "dragonfly(p=1,a=2,h=1,g=3)"])
def test_no_router_sends_more_than_its_endpoints_can(name, spec):
    topology = topology_from_spec(spec)
    if name == "adversarial" and topology.family == "fattree":
        pytest.skip("none is known of fat trees")
    sent = everything(traffic_named(topology, name), topology)
    assert (sent >= 0).all()
    assert (np.diagonal(sent) == 0).all()
    assert sent.sum(axis=0) == pytest.approx(np.minimum(sent.sum(axis=0), topology.endpoints_per_router))


def slow_target(name, source, count):
    """The endpoint that one sends to, by its number as a text of bits; None where it is idle."""
    if name in ("tornado", "neighbor", "half"):
        return (source + {"tornado": -(-count // 2) - 1, "neighbor": 1, "half": count // 2}[name]) % count
    width = len(f"{count:b}") - 1
    width -= width % 2 if name == "transpose" else 0
    if source >= 2**width:
        return None
    bits = f"{source:0{width}b}"
    images = {
        "bitcomp": bits.translate(str.maketrans("01", "10")),
        "bitrev": bits[::-1],
        "shuffle": bits[1:] + bits[0],
        "rotation": bits[-1] + bits[:-1],
        "transpose": bits[width // 2 :] + bits[: width // 2],
    }
    return int(images[name], 2)


@pytest.mark.once
@pytest.mark.parametrize("counts", [[1] * 9, [3, 0, 4, 1, 2], [5, 3], [2, 2], [1, 1, 1, 1, 2]])
@pytest.mark.parametrize(
    "name", ["bitcomp", "bitrev", "shuffle", "rotation", "transpose", "tornado", "neighbor", "half"]
)
def test_endpoints_send_to_the_target_of_the_definition(name, counts):
    links = [(router, router + 1) for router in range(len(counts) - 1)]
    topology = Topology("graph", {}, Graph.from_links(len(counts), links), np.array(counts, dtype=np.int32))
    routers = np.repeat(np.arange(len(counts)), counts)
    expected = np.zeros((len(counts), len(counts)))
    for source in range(len(routers)):
        target = slow_target(name, source, len(routers))
        if target is not None and routers[source] != routers[target]:
            expected[routers[target], routers[source]] += 1
    assert np.array_equal(everything(traffic_named(topology, name), topology), expected)


@pytest.mark.once
def test_patterns_of_bits_say_which_endpoints_send():
    odd, even = topology_from_spec("slimfly(q=4,p=3)"), topology_from_spec("slimfly(q=4,p=4)")
    assert traffic_named(odd, "transpose").note == "transpose: the first 64 (2^6) of 96 endpoints send"
    assert traffic_named(odd, "transpose").bits == 6
    assert traffic_named(even, "shuffle").note is None


@pytest.mark.once
def test_a_permutation_follows_from_its_seed():
    topology = topology_from_spec("slimfly(q=4,p=3)")
    first, again, other = (
        everything(traffic_named(topology, text, seed), topology)
        for text, seed in [("permutation", 7), ("permutation(seed=7)", 1), ("permutation", 8)]
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.once
def test_a_hot_spot_takes_its_share_from_all():
    topology = topology_from_spec("slimfly(q=4,p=3)")
    sent = everything(traffic_named(topology, "hotspot(percent=25,endpoint=4)"), topology)
    alike = everything(traffic_named(topology, "uniform"), topology)
    assert sent[1].sum() == pytest.approx(0.75 * alike[1].sum() + 0.25 * 93)
    assert sent[5, 1] == pytest.approx((0.75 * 2 + 1) * 3 / 95)


@pytest.mark.once
@pytest.mark.parametrize("size", ["routers", "endpoints"])
@pytest.mark.parametrize("suffix", [".npy", ".csv", ".txt"])
def test_a_matrix_is_sent_as_it_stands_in_its_file(tmp_path, size, suffix):
    topology = topology_from_spec("torus(dims=4,p=2)")
    matrix = np.random.default_rng(3).random((4, 4) if size == "routers" else (8, 8))
    path = tmp_path / f"demand{suffix}"
    if suffix == ".npy":
        np.save(path, matrix)
    else:
        np.savetxt(path, matrix, delimiter="," if suffix == ".csv" else " ", header="flits a cycle")
    summed = matrix if size == "routers" else matrix.reshape(4, 2, 4, 2).sum(axis=(1, 3))
    traffic = traffic_named(topology, str(path))
    assert everything(traffic, topology) == pytest.approx((summed - np.diag(np.diag(summed))).T)


@pytest.mark.once
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2 3\n", "line 1: found 3 numbers, expected 8 (endpoints) or 4 (routers) in every row"),
        ("0 1 1 1\n1 0 1\n", "line 2: found 3 numbers, expected 4 in every row"),
        ("0 1 1 1\n1 0 -2 1\n", "line 2: found -2 in column 3, expected flits a cycle, 0 or more"),
        ("0,1,nan,1\n", "line 1: found nan in column 3, expected flits a cycle, 0 or more"),
        ("0 1 x 1\n", "line 1: found '0 1 x 1', expected numbers"),
        ("0 1 1 1\n" * 3, "found 3 rows, expected 4"),
        ("0 1 1 1\n" * 5, "line 5: found more rows than the 4 of a row's numbers, expected as many"),
        ("# nothing\n", "found 0 rows, expected 8"),
        ("1" * 2**25, "line 1: 33554432 characters or more, expected a row of numbers"),
    ],
)
def test_a_matrix_that_is_none_is_refused_in_one_line(tmp_path, text, message):
    path = tmp_path / "demand.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError) as refused:
        traffic_named(topology_from_spec("torus(dims=4,p=2)"), str(path))
    assert str(refused.value).removeprefix(str(path)).lstrip(":, ") == message


@pytest.mark.once
def test_routers_without_endpoints_have_no_traffic(tmp_path):
    path = tmp_path / "demand.csv"
    tree = topology_from_spec("fattree(k=4)")
    for sender, target in ((0, 19), (19, 0)):
        matrix = np.zeros((20, 20))
        matrix[0, 7], matrix[sender, target] = 1, 1
        np.savetxt(path, matrix)
        with pytest.raises(FormatError, match="found traffic of router 19, expected none"):
            traffic_named(tree, str(path))


@pytest.mark.once
def test_as_many_endpoints_as_routers_send_as_endpoints(tmp_path):
    path = tmp_path / "demand.csv"
    path.write_text("0 0 1\n0 0 1\n0 1 0\n", encoding="utf-8")
    line = Topology("graph", {}, Graph.from_links(3, [(0, 1), (1, 2)]), np.array([2, 0, 1], dtype=np.int32))
    sent = everything(traffic_named(line, str(path)), line)
    assert sent.tolist() == [[0, 0, 1], [0, 0, 0], [2, 0, 0]]


@pytest.mark.once
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no array",
        b"\x93NUMPY\x01\x00",
        b"\x93NUMPY\x01\x00\x04\x00(((\n",
        b"\x93NUMPY\x01\x00\x05\x00{1:2}",
        np.lib.format.magic(1, 0)
        + b"\x45\x00{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999, 9)}\n",
        b"PK\x03\x04 an npz",
    ],
)
def test_a_damaged_array_is_refused(tmp_path, content):
    path = tmp_path / "demand.npy"
    path.write_bytes(content)
    with pytest.raises(FormatError, match="found no array of numbers"):
        traffic_named(topology_from_spec("torus(dims=4,p=2)"), str(path))


@pytest.mark.once
@pytest.mark.parametrize(
    ("spec", "text", "message"),
    [
        ("torus(dims=4,p=2)", "bitcmp", "traffic 'bitcmp' is unknown; did you mean bitcomp?"),
        ("torus(dims=4,p=2)", "", "traffic '' is unknown; expected one of uniform, bitcomp"),
        ("torus(dims=4,p=2)", "hotspot(", "expected hotspot(percent=..., endpoint=...)"),
        ("torus(dims=4,p=2)", "adversarial", "expected slimfly, dragonfly, flex"),
        ("torus(dims=4,p=2)", "bitrev(3)", "expected bitrev, which has no parameters"),
        ("torus(dims=4,p=2)", "hotspot(percent=101)", "expected 0..100"),
        ("torus(dims=4,p=2)", "hotspot(endpoint=8)", "expected 0..7"),
        ("torus(dims=3,p=1)", "transpose", "traffic transpose needs endpoints, and the network has 3"),
        ("torus(dims=3,p=0)", "uniform", "the network has 0: expected 2 or more"),
        ("slimfly(q=5,p=4,fill=3)", "adversarial", "no adversarial traffic is known"),
    ],
)
def test_what_cannot_be_sent_is_refused_in_one_line(spec, text, message):
    with pytest.raises(InvalidParameters) as refused:
        traffic_named(topology_from_spec(spec), text)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.once
def test_a_list_is_split_outside_of_parentheses():
    names = [*PATTERNS, "hotspot(percent=5,endpoint=3)", "a.csv"]
    assert patterns_in(",".join(names)) == names
