"""Cases: a network with a routing, virtual channels and traffic, laid out once for all loads and seeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b
from threading import Lock
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.routing import routing_named
from topoctl.routing.channels import Channels, channels_of, require_scheme
from topoctl.routing.loads import loads_of
from topoctl.routing.patterns import PATTERNS, traffic_named
from topoctl.routing.record import Routing
from topoctl.routing.routes import Routes
from topoctl.routing.selection import NONE
from topoctl.routing.tables import routing_of_table
from topoctl.routing.traffic import Traffic
from topoctl.simulation.plans import Sending, Simulated, simulated
from topoctl.simulation.request import SimulationRequest, read_sizes
from topoctl.simulation.sources import Sources
from topoctl.topology import Topology

OnDone = Callable[[int, int], None]
"""Called with the destinations whose channels are looked at, and how many there are."""
UNPROVEN = Channels("one", 1, None)
CABLES_OF_A_RUN = 20
"""Times that the longest cable can be crossed in a run, at least."""
KEPT = 32
"""Networks, these laid out, and cases, as many of each, are kept for points to come."""


@dataclass(frozen=True, eq=False)
class Case:
    """A network with a routing and traffic, to be offered any load.

    Attributes:
        network: laid out for simulation.
        sending: the traffic.
        traffics: of which it is made, one after the other.
    """

    network: Simulated
    sending: Sending
    traffics: tuple[Traffic, ...]


def laid_out(
    topology: Topology,
    request: SimulationRequest,
    files: Mapping[str, Any],
    progress: OnDone | None = None,
) -> Simulated:
    """Lay a network out for simulation, under a request's one routing, and prove that it cannot deadlock.

    It is kept: whoever asks again, in any thread, gets the same.

    Args:
        topology: the network.
        request: how it is simulated.
        files: what was read of files, by their names; the tables of a routing, above all.
        progress: told how far the proof is.

    Raises:
        InvalidParameters: the routing is not for the network, or its packets may deadlock and that is not
            asked for.
    """
    # The tables of a file live as long as what is laid out by them, so that nothing else has their identity.
    table = files.get(request.routing)

    def lay_out() -> Simulated:
        routing = (
            routing_named(request.routing) if table is None else routing_of_table(request.routing, table)
        )
        routes = routing.routes(topology)
        channels = _channels(request, routing, routes, progress)
        return simulated(
            topology, routing, routes, channels, request.routers, _cable_cycles(request, topology)
        )

    ground = (request.clock, request.floor, request.cabinet, request.overhead, request.seed, request.cycles)
    name = (
        *(name_of(topology), request.routing, id(table)),
        *(request.virtual_channels, request.unproven, request.routers),
        ground if request.floor or request.cabinet else None,
    )
    return _NETWORKS.found(name, lay_out)


def case_of(topology: Topology, request: SimulationRequest, files: Mapping[str, Any]) -> Case:
    """Return the case of a request's one routing and one pattern; it is kept, as :func:`laid_out` says.

    Args:
        topology: the network.
        request: its seed is that of what the traffic draws.
        files: what was read of files, by their names; and other traffic that is at hand, by its words.

    Raises:
        InvalidParameters: as :func:`laid_out`, or nobody sends anything.
    """
    network = laid_out(topology, request, files)
    bursts = None if request.bursts is None else Fraction(request.bursts).limit_denominator(10**6)
    sources = Sources(read_sizes(request.packet_size), bursts)

    def send() -> Case:
        sent = tuple(
            files.get(text) or traffic_named(topology, text, request.seed) for text in request.traffics
        )
        later = [(cycle, one) for (cycle, _), one in zip(request.changes, sent[1:], strict=True)]
        return Case(network, network.sending(sent[0], sources, later), sent)

    # The traffic of a file lives as long as its case, so that nothing else has its identity.
    matrices = tuple(id(files.get(text)) for text in request.traffics if _is_file(text))
    return _CASES.found((id(network), request.traffic, request.then, matrices, sources, request.seed), send)


def matrices_of(topology: Topology, request: SimulationRequest) -> dict[str, Traffic]:
    """Read the traffic of a request's one pattern, and of those after it, that is in files, by their names.

    Raises:
        FormatError: a file that holds no matrix of traffic for the network.
    """
    return {text: traffic_named(topology, text) for text in request.traffics if _is_file(text)}


def _is_file(text: str) -> bool:
    return text.partition("(")[0].strip().lower() not in PATTERNS


def network_of(spec: str) -> Topology:
    """Build the network of a spec; it is kept."""
    return _TOPOLOGIES.found(spec, lambda: topology_from_spec(spec))


def throughputs(
    network: Simulated, traffics: Sequence[Traffic], threads: int, progress: OnDone = lambda *_: None
) -> list[float | None]:
    """Return the load at which the worst link is full, of each traffic; None where no link is loaded."""
    loads = loads_of(network.topology, network.routing, network.routes, traffics, threads, progress)
    worst = [float(carried.loads.max(initial=0)) for carried in loads]
    return [1 / one if one else None for one in worst]


def _cable_cycles(request: SimulationRequest, topology: Topology) -> NDArray[np.int32] | None:
    """Return the cycles that the cables of the links take; None where every link takes one."""
    if request.clock is None:
        return None
    from topoctl.floor.cabinets import Cabinets
    from topoctl.floor.floor import Floor, floor_named  # takes 10 MiB
    from topoctl.simulation.cables import cable_cycles

    ground: Floor | Cabinets
    if request.floor is not None:
        ground = floor_named(request.floor)
    elif request.cabinet is not None:
        ground = Cabinets(*request.cabinet, overhead=request.overhead or 0.0)
    else:
        return None
    found = cable_cycles(topology, ground, request.clock, request.seed)
    enough = CABLES_OF_A_RUN * int(found.max(initial=1))
    if enough > request.most_cycles:
        raise InvalidParameters(
            f"--clock {request.clock:g}: the longest cable takes {found.max():,} cycles: expected --cycles "
            f"{enough} or more"
        )
    return found


Found = TypeVar("Found")


class _Kept(Generic[Found]):
    """The last things that were made, by their names; one is made at a time."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.things: dict[object, Found] = {}

    def found(self, name: object, make: Callable[[], Found]) -> Found:
        """Return what has a name, made where it is not there."""
        with self.lock:
            found = self.things.pop(name) if name in self.things else make()
            self.things[name] = found
            if len(self.things) > KEPT:
                del self.things[next(iter(self.things))]
            return found


_TOPOLOGIES, _NETWORKS, _CASES = _Kept[Topology](), _Kept[Simulated](), _Kept[Case]()


def name_of(topology: Topology) -> object:
    """A name of a network that no other has: its spec, or a digest of what it is."""
    if topology.spec is not None:
        return topology.spec
    digest = blake2b(topology.graph.links().tobytes())
    digest.update(topology.endpoints_per_router.tobytes())
    digest.update(str(topology.layout).encode())
    return digest.digest()


def _channels(
    request: SimulationRequest, routing: Routing, routes: Routes, progress: OnDone | None
) -> Channels:
    """Return the virtual channels asked for.

    Raises:
        InvalidParameters: packets may deadlock in them, and that is not asked for.
    """
    asked = request.virtual_channels
    if asked == NONE:
        if not request.unproven:
            raise InvalidParameters("--vcs none: what is simulated is proven first; --unproven does without")
        return UNPROVEN
    require_scheme(asked)
    found = channels_of(routes, asked, progress)
    if not found.deadlock_free and not request.unproven:
        enough = channels_of(routes)
        raise InvalidParameters(
            f"{routing.name} can deadlock with --vcs {asked}: expected --vcs {enough.scheme} "
            f"({enough.count} virtual channels), or --unproven to see what happens"
        )
    return found
