"""Points of simulations as searches: epochs of cycles, state -> state, for any runner to drive and to resume.

A point is one load, or the largest load that is carried, found by bisection. It finds no network; what it
finds is a row. Its state holds the simulator as flat arrays, and of a network or traffic without a name what
it is. The arrays of a simulator are those of one backend and version: elsewhere the load that is under way
begins anew, to the same end.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import Damaged, InvalidParameters
from topoctl.graph import Graph
from topoctl.interruption import require_wanted
from topoctl.kernels.backend import backend_name
from topoctl.kernels.simulation import simulator_of
from topoctl.layout import KINDS, Layout
from topoctl.routing import routing_named
from topoctl.routing.patterns import PATTERNS, traffic_named
from topoctl.routing.traffic import Traffic, between_routers
from topoctl.search.from_json import built
from topoctl.search.json_shapes import many, number, one_of, optional, record, row, text, whole
from topoctl.search.protocol import Candidate, Corrections, Json, SearchState, Status, TimedWork
from topoctl.search.state import decoding
from topoctl.simulation.cases import Case, case_of, last_traffic, network_of, throughputs
from topoctl.simulation.point import COUNTS, PointUnderWay, Stopping
from topoctl.simulation.request import SimulationRequest
from topoctl.simulation.rows import point_row
from topoctl.simulation.saturation import next_load
from topoctl.topology import Topology
from topoctl.version import __version__

COMMAND = "simulate"
EPOCH_FLITS = {"native": 1_000_000, "numpy": 1_000}
"""Flits offered in an epoch, by backend: of a second or so in a large network, whose state is large, too."""
PARTS = 16
"""Of an epoch, after each of which it is asked whether anybody still waits for it."""
KERNEL, NETWORK, TRAFFIC, BATCHES = "kernel.", "network.", "traffic.", "batches."
"""What the names of arrays of a state begin with."""
NO_NETWORK = Candidate(None, 0, 0)
OBJECT = record({}, more=True)
PARAMETERS = record(
    {
        "network": record({"spec": optional(text()), "file": optional(text())}, more=True),
        "limit": optional(number(0)),
        "load": many(number(0), 1),
    },
    more=True,
)
UNDER_WAY = record(
    {"load": number(0), "made_by": text(), **dict.fromkeys(COUNTS, whole()), "ended": one_of(False)}
)
NOTES = record(
    {
        "tried": many(row(number(0), one_of(False, True))),
        "row": optional(OBJECT),
        "under_way": optional(UNDER_WAY),
        "digest": text("[0-9a-f]{32}"),
    }
)


@dataclass(frozen=True, eq=False)
class PointAsked:
    """What a point is asked for.

    Attributes:
        request: with one routing, one pattern, and one load or the largest that is carried.
        topology: the network.
        network: what rows say of it.
    """

    request: SimulationRequest
    topology: Topology
    network: Mapping[str, Json]


class PointSearch:
    """One point of a simulation.

    Args:
        request: with one routing, one pattern, and one load or the largest that is carried.
        network: what rows say of the network.
        throughput: load at which the worst link is full; None where none is loaded.
        topology: the network, where it is at hand; one without a spec is then in the first state.
        traffic: the same of traffic from a file.
    """

    command = COMMAND
    recorded: Corrections | None = None

    def __init__(
        self,
        request: SimulationRequest,
        network: Mapping[str, Json],
        throughput: float | None,
        topology: Topology | None = None,
        traffic: Traffic | None = None,
    ) -> None:
        self.request, self.network, self.throughput = request, {**network}, throughput
        self.topology, self.traffic = topology, traffic
        self._live: tuple[Json, PointUnderWay] | None = None

    @classmethod
    def plan(cls, asked: PointAsked, threads: int) -> Self:
        """Lay a point out, prove that it cannot deadlock, and find its limit.

        Raises:
            InvalidParameters: a routing or a pattern that is not for the network, or packets that may
                deadlock.
            FormatError: a file that holds no matrix of traffic for it.
        """
        request, topology = asked.request, asked.topology
        routing_named(request.routing).needs(topology)
        traffic = traffic_named(topology, request.traffic, request.seed)
        case = case_of(topology, lambda: traffic, request)
        [throughput] = throughputs(case.network, [last_traffic(topology, request, traffic)], threads)
        return cls(request, asked.network, throughput, topology, traffic)

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Json]) -> Self:
        """Make the point that `parameters` describes."""
        PARAMETERS(dict(parameters), "parameters")
        own = ("network", "limit", "start")
        asked = {name: value for name, value in parameters.items() if name not in own}
        request = built(SimulationRequest, asked, "parameters")
        return cls(request, parameters["network"], parameters["limit"])

    @property
    def parameters(self) -> Mapping[str, Json]:
        """JSON values from which the same point is made again; what has no name is in its first state."""
        request, network = self.request, self.network
        planned = {"network": network, "limit": self.throughput, "start": self._start}
        return {**asdict(request), "load": [*request.load], **planned}

    @property
    def seed(self) -> int:
        """The seed that all draws derive from."""
        return self.request.seed

    @property
    def name(self) -> str:
        """What messages call it."""
        network = self.network["spec"] or self.network["file"] or "network"
        load = "saturation" if self.request.saturation else f"load {self.request.load[0]:g}"
        return f"{str(network)[:40]}, {self.request.routing}, {self.request.traffic}, {load}"

    @property
    def _start(self) -> str | None:
        """What else than the parameters the first state is made of, which has it from then on; or None."""
        if self.network["spec"] is None:
            return self.network["file"] or "a network at hand"
        return self.request.traffic if self._from_file else None

    @property
    def _from_file(self) -> bool:
        return self.request.traffic.partition("(")[0].strip().lower() not in PATTERNS

    def first_state(self) -> SearchState:
        """Nothing is simulated yet.

        Raises:
            InvalidParameters: a network without a spec, or traffic of a file, that is not at hand.
        """
        arrays: dict[str, NDArray[Any]] = {}
        if self.network["spec"] is None:
            arrays |= _network_arrays(self._at_hand(self.topology))
        if self._from_file:
            arrays |= _traffic_arrays(self._at_hand(self.traffic), self._topology(arrays).graph.order)
        return SearchState(0, 0, arrays, _sealed({"tried": [], "row": None, "under_way": None}, arrays))

    def reseeded(self, seed: int) -> Self:
        """The same point of another seed, by which traffic may be drawn that fills links otherwise."""
        asked = PointAsked(replace(self.request, seed=seed), self._at_hand(self.topology), self.network)
        return self.plan(asked, 1)

    def take_from(self, state: SearchState) -> None:
        """Take the network and the traffic that a state holds, as if they were at hand."""
        topology = self._topology(state.arrays)
        if self._from_file:
            self.traffic = _traffic_of(state.arrays, self.request.traffic, topology)

    def _at_hand(self, found: Any) -> Any:
        if found is None:
            raise InvalidParameters(
                f"{self.name}: the network or its traffic is not at hand: expected its study"
            )
        return found

    def step(self, state: SearchState, threads: int) -> SearchState:  # noqa: ARG002 - a point has one thread
        """Simulate some cycles more."""
        case, notes, request = self._case(state), state.notes, self.request
        under_way = self._resumed(state, case)
        load = under_way.offered
        left = epoch = max(PARTS, int(EPOCH_FLITS[backend_name()] / max(1.0, under_way.rate * load)))
        while left > 0 and not under_way.ended:
            require_wanted()
            before = under_way.cycle
            under_way.advance(min(left, epoch // PARTS))
            left -= under_way.cycle - before
        tried, found, going_on = [*notes["tried"]], notes["row"], None
        kept = {name: array for name, array in state.arrays.items() if name.startswith((NETWORK, TRAFFIC))}
        if under_way.ended:
            point = under_way.point()
            if not point.saturated or all(saturated for _, saturated in tried):
                found = point_row(case, point, self.throughput, request)
            tried.append([load, point.saturated])
        else:
            going_on = {"load": load, "made_by": _maker(), **under_way.values}
            kept |= {BATCHES + name: array for name, array in under_way.arrays.items()}
            kept |= {KERNEL + name: array for name, array in under_way.simulator.state().items()}
        following = _sealed({"tried": tried, "row": found, "under_way": going_on}, kept)
        self._live = None if going_on is None else (following, under_way)
        return SearchState(state.epoch + 1, len(tried), kept, following)

    def _resumed(self, state: SearchState, case: Case) -> PointUnderWay:
        """The load that is under way, or the next one; the last epoch's own simulator where it is at hand."""
        if self._live is not None and self._live[0] == state.notes:
            found = self._live[1]
            self._live = None  # it goes on, and is not that of this state any more
            return found
        _require_sealed(state)
        request, saved, restored = self.request, None, None
        going_on = state.notes["under_way"]
        load = float(going_on["load"] if going_on else self._next_load(state) or 0.0)
        if going_on is not None and going_on["made_by"] == _maker():
            with decoding("the checkpoint"):
                saved = (
                    going_on,
                    {
                        name.removeprefix(BATCHES): array.copy()
                        for name, array in state.arrays.items()
                        if name.startswith(BATCHES)
                    },
                )
                restored = {
                    name.removeprefix(KERNEL): array
                    for name, array in state.arrays.items()
                    if name.startswith(KERNEL)
                }
        plan = case.network.plan(case.sending, load, request.seed)
        with decoding("the checkpoint"):
            simulator = simulator_of(plan, restored)
        unproven = not case.network.channels.deadlock_free
        stopping = Stopping(request.precision, request.most_cycles, request.every, unproven)
        return PointUnderWay(simulator, plan, load, case.sending, stopping, saved)

    def _case(self, state: SearchState) -> Case:
        """The network, laid out, and the traffic: those at hand, or those that the state holds."""
        request, topology = self.request, self._topology(state.arrays)

        def traffic() -> Traffic:
            if not self._from_file:
                return traffic_named(topology, request.traffic, request.seed)
            return self.traffic or _traffic_of(state.arrays, request.traffic, topology)

        return case_of(topology, traffic, request)

    def _topology(self, arrays: Mapping[str, NDArray[Any]]) -> Topology:
        if self.topology is None:
            spec = self.network["spec"]
            with decoding("the network"):
                self.topology = _unnamed(arrays, self.network) if spec is None else network_of(spec)
        return self.topology

    def _next_load(self, state: SearchState) -> float | None:
        """The load that comes next; None where all is known."""
        tried = [(load, saturated) for load, saturated in state.notes["tried"]]
        if not self.request.saturation:
            return None if tried else self.request.load[0]
        # What stands for an adaptive routing may fill a link earlier than its own choices do.
        adaptive = routing_named(self.request.routing).adaptive
        return next_load(tried, None if adaptive else self.throughput)

    def finished(self, state: SearchState) -> bool:
        """Say whether all is known."""
        NOTES(dict(state.notes), "the checkpoint")
        return state.notes["under_way"] is None and self._next_load(state) is None

    def row(self, state: SearchState) -> dict[str, Json]:
        """Return the row of a point that is finished."""
        _require_sealed(state)
        found = {**self.network, **state.notes["row"]}
        if self.request.saturation:
            carried = [load for load, saturated in state.notes["tried"] if not saturated]
            found["saturation_load"] = max(carried, default=None)
        return found

    def status(self, state: SearchState) -> Status:
        """Return the cycles of the load that is under way, as epochs, and the loads that are done."""
        going_on, found = state.notes["under_way"], state.notes["row"]
        cycles = going_on["cycle"] if going_on else found["cycles"] if found else 0
        most = self.request.most_cycles
        remark = f"{cycles:,} of at most {most:,} cycles"
        return Status(
            cycles, most, state.evaluations, None, NO_NETWORK, 0.0, 0.0, stage=self.name, remark=remark
        )

    def timed_work(self, state: SearchState) -> TimedWork | None:  # noqa: ARG002 - of the protocol
        """No work has a planned time."""
        return None

    def record(self, state: SearchState) -> Mapping[str, Json]:  # noqa: ARG002
        """The parameters say all."""
        return {}

    def leaders(self, state: SearchState) -> Sequence[Candidate]:  # noqa: ARG002
        """A simulation finds no networks."""
        return ()


def _sealed(notes: dict[str, Json], arrays: Mapping[str, NDArray[Any]]) -> dict[str, Json]:
    """Notes with a digest of them and of the arrays: the compiled simulator takes its own as they are."""
    digest = blake2b(json.dumps(notes, sort_keys=True).encode(), digest_size=16)
    for name in sorted(arrays):
        digest.update(np.ascontiguousarray(arrays[name]).data)
    return notes | {"digest": digest.hexdigest()}


def _require_sealed(state: SearchState) -> None:
    """Refuse a state that no point has made.

    Raises:
        Damaged: saying so.
    """
    notes = {name: value for name, value in state.notes.items() if name != "digest"}
    if _sealed(notes, state.arrays)["digest"] != state.notes["digest"]:
        raise Damaged("the checkpoint is not what was written (its digest differs)")


def _maker() -> str:
    """Who alone reads the arrays of a simulator."""
    return f"{__version__} {backend_name()}"


def _network_arrays(topology: Topology) -> dict[str, NDArray[Any]]:
    """A network without a spec."""
    arrays = {"links": topology.graph.links(), "endpoints": topology.endpoints_per_router}
    if topology.layout is not None:
        kind, *sides = KINDS.index(topology.layout.kind), topology.layout.width, topology.layout.height
        arrays["layout"] = np.array([kind, *sides])
    return {NETWORK + name: array for name, array in arrays.items()}


def _unnamed(arrays: Mapping[str, NDArray[Any]], row: Mapping[str, Json]) -> Topology:
    placed = arrays.get(NETWORK + "layout")
    layout = None if placed is None else Layout(KINDS[int(placed[0])], int(placed[1]), int(placed[2]))
    graph = Graph.from_links(int(row["order"]), arrays[NETWORK + "links"])
    return Topology("graph", {}, graph, arrays[NETWORK + "endpoints"], layout=layout)


def _traffic_arrays(traffic: Traffic, order: int) -> dict[str, NDArray[Any]]:
    """Traffic of a file: the routers that send, those that they send to, and flits a cycle."""
    sent = traffic.toward(np.arange(order, dtype=np.int32))
    targets, sources = np.nonzero(sent)
    found = {"sources": sources, "targets": targets, "flits": sent[targets, sources]}
    return {TRAFFIC + name: array for name, array in found.items()}


def _traffic_of(arrays: Mapping[str, NDArray[Any]], path: str, topology: Topology) -> Traffic:
    with decoding("the traffic"):
        sources, targets, flits = (arrays[TRAFFIC + name] for name in ("sources", "targets", "flits"))
        return between_routers(Path(path).name, topology.graph.order, sources, targets, flits)
