"""A simulation as a search: epochs of cycles, state -> state, for any runner to drive and to resume.

It is one load, the largest load that is carried, found by bisection, or work that is completed. It finds no
network; what it finds are rows. Its state holds the simulator as flat arrays, and of a network, traffic or
work without a name what it is. The arrays of a simulator are those of one backend and version: elsewhere what
is under way begins anew, to the same end.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import Damaged, InvalidParameters
from topoctl.interruption import require_wanted
from topoctl.json_shapes import Shape, many, number, optional, record, text
from topoctl.kernels.backend import backend_name
from topoctl.kernels.simulation import Plan, simulator_of
from topoctl.memory import require_memory
from topoctl.routing.selection import routings_asked
from topoctl.routing.tables import tables_of
from topoctl.search.from_json import built
from topoctl.search.protocol import Candidate, Corrections, Json, SearchState, Status, TimedWork
from topoctl.search.simulation.kept import (
    KEPT,
    Arrays,
    file_arrays,
    files_in,
    network_arrays,
    network_in,
)
from topoctl.search.simulation.loads import Loads
from topoctl.search.simulation.replay import Replay
from topoctl.search.simulation.work import WorkToComplete
from topoctl.search.state import decoding
from topoctl.simulation.cases import network_of
from topoctl.simulation.point import NO_END, Saved
from topoctl.simulation.request import SimulationRequest, name_of_point
from topoctl.topology import Topology
from topoctl.version import __version__

COMMAND = "simulate"
EPOCH_FLITS = {"native": 1_000_000, "numpy": 1_000}
"""Flits of an epoch, by backend: of a second or so in a large network, whose state is large, too."""
KERNEL, NUMBERS = "kernel.", "numbers."
"""What the names of arrays of a simulator, and of what is counted beside it, begin with."""
CYCLES_LOGGED, BYTES_LOGGED = 1000, 200
"""Cycles whose packets are taken at once, and bytes that a packet takes until it is written."""
NO_NETWORK = Candidate(None, 0, 0)
OBJECT = record({}, more=True)
PARAMETERS = record(
    {
        "network": record({"spec": optional(text()), "file": optional(text())}, more=True),
        "files": many(text()),
        "digest": optional(text("[0-9a-f]{32}")),
        "limit": optional(number(0)),
        "load": many(number(0), 1),
    },
    more=True,
)
OWN = ("network", "files", "start", "digest", "limit")
"""Parameters that are not of the request."""


class UnderWay(Protocol):
    """What is being simulated."""

    @property
    def plan(self) -> Plan:
        """What its simulator follows, of several the first."""

    @property
    def ended(self) -> bool:
        """Whether all is known."""

    @property
    def values(self) -> Mapping[str, Json]:
        """All that it needs to go on, beside arrays, as JSON values."""

    @property
    def arrays(self) -> Arrays:
        """Arrays of its own."""

    @property
    def kernel(self) -> Arrays:
        """The arrays of its simulator."""

    def epoch(self, flits: int) -> Iterator[Any]:
        """Simulate about so many flits, in parts; yield what ends with a part, or None."""


class Subject(Protocol):
    """What is simulated on a network.

    Attributes:
        request: with one routing.
        things: what is counted as it goes on.
        under_way: that of the values of what is under way.
    """

    request: SimulationRequest
    things: str
    under_way: Shape

    @property
    def parameters(self) -> dict[str, Json]:
        """JSON values beside those of the request."""

    def case(self, topology: Topology, files: Mapping[str, Any]) -> Any:
        """Lay the network out, with what is sent over it."""

    def begin(self, case: Any, saved: Saved | None) -> UnderWay:
        """Begin, or go on."""

    def rows(self, under_way: Any, found: Any) -> list[dict[str, Json]]:
        """Return the rows of what has ended, without the network; none where those before stay."""

    def reached(self, going_on: Json, rows: Json) -> tuple[int, int]:
        """Return how many things are done, and how many there are at most."""


@dataclass(frozen=True, eq=False)
class PointAsked:
    """What a point is asked for.

    Attributes:
        request: with one routing, and one pattern and one load, or the largest that is carried, or one work.
        topology: the network.
        network: what rows say of it.
    """

    request: SimulationRequest
    topology: Topology
    network: Mapping[str, Json]


class PointSearch:
    """One point of a simulation: a load, the largest load that is carried, or work.

    Args:
        subject: what is simulated.
        network: what rows say of the network.
        topology: the network, where it is at hand; one without a spec is then in the first state.
        files: the same of what is read from files, by their names; or only their names, where it is not.
        digest: of what has no name, where it is not at hand: whoever keeps a search by its parameters must
            not take it for that of a file that is now another.
    """

    command = COMMAND
    recorded: Corrections | None = None

    def __init__(
        self,
        subject: Subject,
        network: Mapping[str, Json],
        topology: Topology | None = None,
        files: Mapping[str, Any] | Sequence[str] = (),
        digest: str | None = None,
    ) -> None:
        self.subject, self.network = subject, {**network}
        self.topology = topology
        self.names = [*files]
        self.files = files if isinstance(files, Mapping) else None if files else {}
        self._digest = digest
        self._live: tuple[Json, UnderWay] | None = None

    @classmethod
    def plan(cls, asked: PointAsked, threads: int) -> Self:
        """Lay a point out, and prove that it cannot deadlock.

        Raises:
            InvalidParameters: a routing, a pattern or work that is not for the network, or packets that may
                deadlock.
            FormatError: a file that holds no matrix of traffic for it, or no work.
        """
        request, topology = asked.request, asked.topology
        [routing] = routings_asked(topology, request.routing)
        subject, files = _kind(request).plan(request, topology, tables_of(routing), threads)
        return cls(subject, asked.network, topology, files)

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Json]) -> Self:
        """Make the point that `parameters` describes."""
        PARAMETERS(dict(parameters), "parameters")
        asked = {name: value for name, value in parameters.items() if name not in OWN}
        request = built(SimulationRequest, asked, "parameters")
        subject = _kind(request).from_parameters(request, parameters)
        return cls(subject, parameters["network"], None, parameters["files"], parameters["digest"])

    @property
    def request(self) -> SimulationRequest:
        """What is asked for."""
        return self.subject.request

    @property
    def parameters(self) -> Mapping[str, Json]:
        """JSON values from which the same point is made again; what has no name is in its first state."""
        known = {"network": self.network, "files": self.names, "start": self._start, "digest": self.digest}
        return {**asdict(self.request), "load": [*self.request.load], **self.subject.parameters, **known}

    @property
    def seed(self) -> int:
        """The seed that all draws derive from."""
        return self.request.seed

    @property
    def name(self) -> str:
        """What messages call it."""
        network = self.network["spec"] or self.network["file"] or "network"
        return f"{str(network)[:40]}, {name_of_point(asdict(self.request))}, seed {self.seed}"

    @property
    def _start(self) -> str | None:
        """What else than the parameters the first state is made of, which has it from then on; or None."""
        if self.network["spec"] is None:
            return self.network["file"] or "a network at hand"
        return self.names[0] if self.names else None

    @property
    def digest(self) -> str | None:
        """Of what else than the parameters the first state is made of."""
        if self._digest is None and self._start is not None:
            self._digest = _sealed({}, self._nameless())["digest"]
        return self._digest

    def _nameless(self) -> dict[str, NDArray[Any]]:
        """What has no name, as arrays.

        Raises:
            InvalidParameters: it is not at hand.
        """
        arrays: dict[str, NDArray[Any]] = {}
        if self.network["spec"] is None:
            arrays |= network_arrays(self._at_hand(self.topology))
        if self.names:
            arrays |= file_arrays(self._at_hand(self.files), self._topology(arrays).graph.order)
        return arrays

    def first_state(self) -> SearchState:
        """Nothing is simulated yet.

        Raises:
            InvalidParameters: a network without a spec, or what is read from a file, that is not at hand.
        """
        arrays = self._nameless()
        notes = _sealed({"rows": None, "under_way": None, "made_by": _maker()}, arrays)
        return SearchState(0, 0, arrays, notes)

    def reseeded(self, seed: int) -> Self:
        """The same point of another seed, by which traffic may be drawn that fills links otherwise."""
        asked = PointAsked(replace(self.request, seed=seed), self._at_hand(self.topology), self.network)
        return self.plan(asked, 1)

    def take_from(self, state: SearchState) -> None:
        """Take the network, and what is read from files, that a state holds, as if they were at hand."""
        self._topology(state.arrays)
        self._files(state.arrays)

    def _at_hand(self, found: Any) -> Any:
        if found is None:
            raise InvalidParameters(
                f"{self.name}: the network, its traffic or its work is not at hand: expected its study"
            )
        return found

    def step(self, state: SearchState, threads: int) -> SearchState:  # noqa: ARG002 - a point has one thread
        """Simulate some cycles more."""
        under_way = self._resumed(state)
        rows, ended = state.notes["rows"], state.evaluations
        for found in under_way.epoch(EPOCH_FLITS[backend_name()]):
            require_wanted()
            if found is not None:
                rows, ended = self.subject.rows(under_way, found) or rows, ended + 1
        going_on = None if under_way.ended else {**under_way.values}
        arrays = {name: one for name, one in state.arrays.items() if name.startswith(KEPT)}
        arrays |= {NUMBERS + name: array for name, array in under_way.arrays.items()}
        arrays |= {KERNEL + name: array for name, array in under_way.kernel.items()} if going_on else {}
        notes = _sealed({"rows": rows, "under_way": going_on, "made_by": _maker()}, arrays)
        self._live = None if going_on is None else (notes, under_way)
        return SearchState(state.epoch + 1, ended, arrays, notes)

    def _resumed(self, state: SearchState) -> UnderWay:
        """What is under way, or begins; the last epoch's own where it is at hand."""
        if self._live is not None and self._live[0] == state.notes:
            found = self._live[1]
            self._live = None  # it goes on, and is not that of this state any more
            return found
        _require_sealed(state)
        saved, going_on = None, state.notes["under_way"]
        if going_on is not None:
            kernel = _named(state.arrays, KERNEL) if state.notes["made_by"] == _maker() else None
            numbers = {name: array.copy() for name, array in _named(state.arrays, NUMBERS).items()}
            saved = Saved(going_on, numbers, kernel)
        case = self.subject.case(self._topology(state.arrays), self._files(state.arrays))
        with decoding("the checkpoint"):
            return self.subject.begin(case, saved)

    def _topology(self, arrays: Arrays) -> Topology:
        if self.topology is None:
            spec = self.network["spec"]
            with decoding("the network"):
                self.topology = network_in(arrays, self.network) if spec is None else network_of(spec)
        return self.topology

    def _files(self, arrays: Arrays) -> Mapping[str, Any]:
        if self.files is None:
            self.files = files_in(arrays, self._topology(arrays).graph.order)
        return self.files

    def finished(self, state: SearchState) -> bool:
        """Say whether all is known."""
        shape = {"rows": optional(many(OBJECT, 1)), "under_way": optional(self.subject.under_way)}
        seals = {"made_by": text(), "digest": text("[0-9a-f]{32}")}
        record({**shape, **seals})(dict(state.notes), "the checkpoint")
        return state.notes["under_way"] is None and state.notes["rows"] is not None

    def rows(self, state: SearchState) -> list[dict[str, Json]]:
        """Return the rows of a point that is finished: of work with several jobs, one of each as well."""
        _require_sealed(state)
        return [{**self.network, **row} for row in state.notes["rows"]]

    def packets(self, cycles: int) -> NDArray[np.int64]:
        """Simulate what is at hand once more, up to a cycle, and return what became of every packet.

        Returns:
            int64, shape (packets, 6): source, cycle of the draw, destination, cycle of the head's entry and
            of the tail's arrival, routers visited; -1 for what did not happen. No packet is there that its
            source has not taken up by then.

        Raises:
            InvalidParameters: they do not fit into memory.
        """
        case = self.subject.case(self._at_hand(self.topology), self._at_hand(self.files))
        simulator = simulator_of(replace(self.subject.begin(case, None).plan, logged=1))
        found, count = [], 0
        for cycle in range(0, cycles, CYCLES_LOGGED):
            simulator.run(min(cycle + CYCLES_LOGGED, cycles), True, NO_END, False)
            found.append(simulator.packets())
            count += len(found[-1])
            require_memory(BYTES_LOGGED * count, f"{count:,} packets")
            require_wanted()
        return np.concatenate([*found, simulator.unfinished()])

    def status(self, state: SearchState) -> Status:
        """Return how far what is under way is, as epochs, and what has ended."""
        done, most = self.subject.reached(state.notes["under_way"], state.notes["rows"])
        remark = f"{done:,} of at most {most:,} {self.subject.things}"
        return Status(
            done, most, state.evaluations, None, NO_NETWORK, 0.0, 0.0, stage=self.name, remark=remark
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


def _kind(request: SimulationRequest) -> Any:
    """What makes the subject of a request."""
    if request.work is not None:
        return WorkToComplete
    return Loads if request.replay is None else Replay


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


def _named(arrays: Arrays, prefix: str) -> dict[str, NDArray[Any]]:
    """The arrays whose names begin so, by the rest of their names."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def _maker() -> str:
    """Who alone reads the arrays of a simulator."""
    return f"{__version__} {backend_name()}"
