"""The checker takes the certificates of all schemes, and refuses what has been tampered with."""

import numpy as np
import pytest

from topoctl.errors import FormatError
from topoctl.families import topology_from_spec
from topoctl.routing import ROUTINGS
from topoctl.routing.arcs import arc_tails
from topoctl.routing.channels import Certificate, channels_of, fault_in
from topoctl.routing.channels.automata import AUTOMATA, Toward

CASES = [
    ("polarfly(q=3,p=2)", "ecmp", "segments"),
    ("mesh(dims=4x4,p=1)", "ecmp", "hops"),
    ("fattree(k=4,p=2)", "ecmp", "one"),
    ("jellyfish(n=20,r=4,p=2,seed=3)", "lowest", "destination-layers"),
    ("jellyfish(n=20,r=4,p=2,seed=3)", "lowest", "pair-layers"),
    ("N14K6[-1,1,3,9](4)", "valiant", "segments"),
]
EACH = -(-1000 // len(CASES))


class Packet:
    """Single packets, followed over routers that are drawn: an oracle for the checker."""

    def __init__(self, routes, certificate, seed):
        self.routes, self.topology, self.random = routes, routes.topology, np.random.default_rng(seed)
        self.automaton = AUTOMATA[certificate.scheme](self.topology, certificate.table)
        self.tails, self.heads = arc_tails(self.topology.graph), self.topology.graph.neighbors
        self.everybody = np.arange(self.topology.graph.order, dtype=np.int32)
        self.moves = routes.moves(self.everybody)

    def trip(self):
        """The (channel, arc) of every hop from some router to another one."""
        ends = np.flatnonzero(self.topology.endpoints_per_router)
        source, destination = self.random.choice(ends, 2, replace=False)
        stops = [destination]
        if self.routes.through is not None:
            others = np.setdiff1d(self.everybody, [source, destination])
            stops = [self.random.choice(others), destination]
        held = []
        for stop in stops:
            here, phase = source, 0
            while here != stop:
                ways = np.flatnonzero((self.moves.shares[stop, phase] > 0) & (self.tails == here))
                arc = self.random.choice(ways)
                held.append((self.channel(Toward(int(stop), None), phase, arc, held), int(arc)))
                here, phase = self.heads[arc], self.routes.next_phase[phase, arc]
            source = stop
        return held

    def channel(self, toward, phase, arc, held):
        phases, arcs = np.array([phase]), np.array([arc])
        if not held:
            return int(self.automaton.first(toward, phases, arcs)[0])
        channel, before = held[-1]
        return int(self.automaton.then(toward, phases, arcs, np.array([before]), np.array([channel]))[0])


@pytest.mark.once
@pytest.mark.parametrize("case", CASES, ids=" ".join)
def test_a_thousand_certificates_with_one_number_that_falls_are_refused(case):
    spec, routing, scheme = case
    routes = ROUTINGS[routing].routes(topology_from_spec(spec))
    certificate = channels_of(routes, scheme).certificate
    packet, refused = Packet(routes, certificate, seed=1), 0
    while refused < EACH:
        trip = packet.trip()
        assert all(np.diff([certificate.numbers[held] for held in trip]) > 0)
        if len(trip) < 2:
            continue
        turn = packet.random.integers(1, len(trip))
        numbers = certificate.numbers.copy()
        numbers[trip[turn]] = numbers[trip[turn - 1]] - packet.random.integers(3)
        fault = fault_in(Certificate(scheme, certificate.table, numbers), routes)
        assert "expected a number that rises" in fault
        refused += 1


def test_what_is_of_another_network_or_shape_is_refused():
    routes = ROUTINGS["ecmp"].routes(topology_from_spec("slimfly(q=4,p=3)"))
    other = channels_of(ROUTINGS["ecmp"].routes(topology_from_spec("mesh(dims=4x4,p=1)"))).certificate
    mine = channels_of(routes).certificate
    assert fault_in(other, routes) == "numbers of 48 arcs: expected the 192 of the network"
    assert fault_in(Certificate("segments", mine.table[:9], mine.numbers), routes) == (
        "a table of virtual channels of shape (9,): expected (32,)"
    )
    assert (
        fault_in(Certificate("segments", mine.table, mine.numbers[:1]), routes) == "channel 1: expected 0..0"
    )
    assert "no virtual channels of its own" in fault_in(
        Certificate("own", mine.table[:0], mine.numbers), routes
    )


def test_a_certificate_is_read_back_as_it_was_written(tmp_path):
    routes = ROUTINGS["lowest"].routes(topology_from_spec("torus(dims=5x5,p=1)"))
    for scheme in ("segments", "pair-layers"):
        certificate = channels_of(routes, scheme).certificate
        certificate.write(tmp_path / "certificate.npz")
        read = Certificate.read(tmp_path / "certificate.npz")
        assert (read.scheme, read.count) == (scheme, certificate.count)
        assert np.array_equal(read.table, certificate.table)
        assert np.array_equal(read.numbers, certificate.numbers)
        assert fault_in(read, routes) is None


GOOD = {"scheme": np.array("one"), "table": np.zeros(0, np.int32), "numbers": np.zeros((1, 4), np.int32)}
BAD = {
    "nothing of it": {"numbers": GOOD["numbers"]},
    "a scheme that is none": {**GOOD, "scheme": np.array("two")},
    "floats": {**GOOD, "numbers": np.zeros((1, 4))},
    "a row": {**GOOD, "numbers": np.zeros(4, np.int32)},
    "objects": {**GOOD, "table": np.array([None, {}])},
}


@pytest.mark.once
@pytest.mark.parametrize("arrays", BAD.values(), ids=BAD)
def test_files_that_hold_no_certificate_are_refused(arrays, tmp_path):
    path = tmp_path / "certificate.npz"
    np.savez(path, **arrays)
    with pytest.raises(FormatError, match="expected"):
        Certificate.read(path)


@pytest.mark.once
@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no archive", b"text", None])
def test_files_of_something_else_are_refused(content, tmp_path):
    path = tmp_path / "certificate.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(FormatError, match=r"certificate\.npz: "):
        Certificate.read(path)
