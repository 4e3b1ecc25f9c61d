"""The search of `grow`: annealing step by step under limits of moved cables, then the same size afresh.

For each limit a chain of networks grows from size to size; what a step moves of all that stood before it
counts. A limit is shared out among the steps by the routers that they add; what a step leaves, the next have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.formats import read_topology
from topoctl.graph import Graph
from topoctl.json_shapes import anything, many, optional, record, text, whole
from topoctl.layout import Layout
from topoctl.search.annealing.leader import AnnealingLeader
from topoctl.search.annealing.race import groups_to_race
from topoctl.search.annealing.request import AUTO, AnnealingRequest
from topoctl.search.annealing.search import DEFAULT_MOVES, AnnealingSearch
from topoctl.search.annealing.symmetry import rotation_group
from topoctl.search.from_json import built
from topoctl.search.growth.request import GrowAsked, GrowRequest
from topoctl.search.growth.starts import moved_links, usual_limits
from topoctl.search.growth.step import StepSearch
from topoctl.search.protocol import (
    Candidate,
    Corrections,
    Json,
    SearchState,
    Status,
    TimedWork,
    corrections_of,
)
from topoctl.search.slots import links_of
from topoctl.topology import Topology, uniform_endpoints

AFRESH = "afresh"
"""How the network is made that no cable is kept for."""
STAGE = "stage."
"""Before the names of the arrays of the annealing under way."""
OWN = {
    "command": anything,
    "standing_network": record({"spec": optional(text()), "file": optional(text())}, more=True),
    "planned_moves": many(whole(1), least=1),
    "corrections": anything,
    "start": anything,
}
"""Parameters that the request has not."""


class Step(NamedTuple):
    """What a step made of what stood before it.

    Attributes:
        order: routers after it.
        moved: cables that stood before it and are not there after it.
        new: links that it has more.
        diameter, distance_sum: of its network.
        way: how it began.
    """

    order: int
    moved: int
    new: int
    diameter: int
    distance_sum: int
    way: str


class Chain(NamedTuple):
    """How a network has grown so far within a limit.

    Attributes:
        limit: cables that may be moved in all.
        networks: after every step: int32, shape (order, degree).
        steps: as many.
    """

    limit: int
    networks: tuple[NDArray[np.int32], ...] = ()
    steps: tuple[Step, ...] = ()

    @property
    def moved(self) -> int:
        """Cables that were moved so far."""
        return sum(step.moved for step in self.steps)


class Before(NamedTuple):
    """A network that stood before.

    Attributes:
        order: its routers.
        spec: where it has one.
        links: int32, shape (size, 2).
    """

    order: int
    spec: str | None
    links: NDArray[np.int32]


class GrowSearch:
    """A growth with all its parameters fixed; an epoch is one of the annealing under way.

    Args:
        request: with limits.
        network: what rows say of the network that stands.
        moves: planned, of a replica, in every step and afresh.
        recorded: the corrections of the run that this one repeats, or None.
        topology: the network, where it is at hand; the first state has it from then on.
    """

    command = "grow"

    def __init__(
        self,
        request: GrowRequest,
        network: Mapping[str, Json],
        moves: Sequence[int],
        recorded: Corrections | None = None,
        topology: Topology | None = None,
    ) -> None:
        self.request, self.network, self.moves = request, {**network}, tuple(moves)
        self.recorded, self.topology = recorded, topology
        self.limits = request.recable or (0,)
        self.problem = self._step(len(request.steps) - 1, ()).problem

    @classmethod
    def plan(cls, asked: GrowAsked, threads: int) -> GrowSearch:
        """Fix the limits and the moves: those asked for, or the seconds of each step times a measured rate.

        Raises:
            Infeasible: no network has the size that is asked for.
        """
        request, topology = asked.request, asked.topology
        if request.recable is None:
            request = replace(request, recable=usual_limits(topology, request.orders, request.degree))
        stages = len(request.steps) + request.afresh
        moves = [request.moves or DEFAULT_MOVES] * stages
        if request.seconds is not None:
            unplanned = cls(request, asked.network, moves)
            moves = []
            for stage in range(stages):
                one = replace(unplanned._asked(stage), moves=None, seconds=unplanned.seconds_of(stage))
                moves.append(AnnealingSearch.plan(one, threads).moves)
        return cls(request, asked.network, moves, topology=topology)

    def seconds_of(self, stage: int) -> float:
        """Return the seconds of a stage: half of all are for the search afresh, the others for the steps."""
        steps, share = len(self.request.steps), 0.5 if self.request.afresh else 1.0
        return (self.request.seconds or 0.0) * (1 - share if stage == steps else share / steps)

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> GrowSearch:
        """Make the search that `parameters` describes."""
        record(OWN, more=True)(dict(parameters), "parameters")
        values = {name: value for name, value in parameters.items() if name not in OWN}
        request = built(GrowRequest, values, "parameters")
        corrections = corrections_of(parameters["corrections"])
        return cls(request, parameters["standing_network"], parameters["planned_moves"], corrections)

    @property
    def parameters(self) -> Mapping[str, Any]:
        """JSON values from which the same search is built again; a network without a spec is in its state."""
        start = self.network["file"] or "a network at hand"
        return {
            **asdict(self.request),
            "command": self.command,
            "standing_network": self.network,
            "planned_moves": [*self.moves],
            "corrections": self.recorded,
            "start": None if self.network["spec"] else start,
        }

    @property
    def seed(self) -> int:
        """The seed that all draws derive from."""
        return self.request.seed

    def reseeded(self, seed: int) -> GrowSearch:
        """Return the same search with another seed."""
        request = replace(self.request, seed=seed)
        return GrowSearch(request, self.network, self.moves, self.recorded, self.topology)

    def first_state(self) -> SearchState:
        """Return the state before the first step, which holds the links that stand.

        Raises:
            InvalidParameters: the network is not at hand.
            FormatError: its file cannot be read, or is another one by now.
        """
        topology = self._standing_network()
        graph = topology.graph
        chains = tuple(Chain(limit) for limit in self.limits)
        inner = self._step(0, chains).begun([graph] * len(chains), topology)
        before = tuple(Before(one.graph.order, one.spec, one.graph.links()) for one in topology.grown_from)
        return self._stored(_Growth(0, 0, 0, graph, before, chains, inner))

    def _standing_network(self) -> Topology:
        """The network that stands."""
        if self.topology is None:
            spec, file = self.network["spec"], self.network["file"]
            if spec is None and file is None:
                raise InvalidParameters("the network that grows is not at hand: expected its study")
            self.topology = topology_from_spec(spec) if spec else read_topology(str(file))
        if self.topology.graph.order != self.request.standing:
            raise InvalidParameters(
                f"{self.network['file']}: {self.topology.graph.order} routers, expected the "
                f"{self.request.standing} that stood"
            )
        return self.topology

    def step(self, state: SearchState, threads: int) -> SearchState:
        """Do one epoch of the annealing under way; the next one follows when it is done."""
        current, over = self._restored(state), not state.scale
        search = self._under_way(current)
        if not over:
            current.inner = search.step(replace(current.inner, corrections=state.corrections), threads)
        if over or search.finished(current.inner):
            self._conclude(current)
        current.epoch += 1
        return self._stored(current)

    def _conclude(self, current: _Growth) -> None:
        """End a stage, and begin the next one if there is one."""
        steps = len(self.request.steps)
        if current.stage < steps:
            current.chains = tuple(self._continued(current))
        current.ended += current.inner.evaluations
        current.stage += 1
        if current.stage < steps and not current.chains:
            current.stage = steps  # no network of this size is connected within any limit
        if current.stage < steps:
            networks = [_last_graph(current.standing, chain) for chain in current.chains]
            topology = self._standing_network() if self.network["spec"] else None
            current.inner = self._step(current.stage, current.chains).begun(networks, topology)
        elif current.stage < len(self.moves):
            current.inner = self._under_way(current).first_state()

    def _continued(self, current: _Growth) -> list[Chain]:
        """Return the chains with the best network of the step that each may have; one that has none ends."""
        leaders = [one for one in AnnealingLeader.stored_in(current.inner) if not one.unreached]
        found = []
        for chain in current.chains:
            before = _last_graph(current.standing, chain)
            allowed = self._allowed(chain, current.stage)
            for leader in leaders:
                graph = Graph.from_links(len(leader.slots), links_of(leader.slots))
                if (moved := moved_links(before, graph)) <= allowed:
                    told = Step(
                        *(graph.order, moved, graph.size - before.size),
                        *(leader.diameter, leader.hops // 2, leader.origin),
                    )
                    found.append(Chain(chain.limit, (*chain.networks, leader.slots), (*chain.steps, told)))
                    break
        return found

    def _allowed(self, chain: Chain, stage: int) -> int:
        """Return the cables that a step may move: its share of the limit, and what those before it left."""
        orders = self.request.orders
        share = (orders[stage + 1] - orders[0]) / (orders[-1] - orders[0])
        return int(chain.limit * share) - chain.moved

    def finished(self, state: SearchState) -> bool:
        """Whether all stages are done."""
        return bool(state.notes["stage"] == len(self.moves))

    def status(self, state: SearchState) -> Status:
        """Return counts, the stage, and the best network of the annealing under way."""
        current = self._restored(state)
        stage = min(current.stage, len(self.moves) - 1)
        status = self._under_way(current).status(current.inner)
        left, total = self._moves_left(current), sum(self.moves)
        return replace(
            status,
            epoch=state.epoch,
            epochs=None,
            evaluations=state.evaluations,
            planned=None,
            stage=AFRESH if stage == len(self.request.steps) else f"{self.request.orders[stage + 1]} routers",
            seconds=self.request.seconds,
            done=1 - left / total,
        )

    def _moves_left(self, current: _Growth) -> int:
        """Planned moves of the stages under way and to come."""
        if current.stage == len(self.moves):
            return 0
        search = self._under_way(current)
        done = 1 - search.moves_left(current.inner.epoch) / search.moves_left(0)
        return sum(self.moves[current.stage :]) - int(done * self.moves[current.stage])

    def timed_work(self, state: SearchState) -> TimedWork | None:
        """Return the stage under way as timed work; None where no time is planned."""
        current = self._restored(state)
        if self.request.seconds is None or current.stage == len(self.moves):
            return None
        search = self._under_way(current)
        epoch = current.inner.epoch
        return TimedWork(
            current.stage,
            self.seconds_of(current.stage),
            search.moves_left(0),
            search.moves_left(epoch),
            search.was_typical(epoch),
        )

    def record(self, state: SearchState) -> Mapping[str, Any]:
        """Return the corrections."""
        return {"corrections": state.corrections}

    def leaders(self, state: SearchState) -> list[Candidate]:
        """Return the best network of every limit, best first; then what is afresh."""
        current = self._restored(state)
        steps = len(self.request.steps)
        chains = current.chains if current.stage >= steps else tuple(self._continued(current))
        if current.stage < steps - 1:
            return []
        found = [self._candidate(current, chain) for chain in _ranked(chains)]
        if current.stage >= steps and self.request.afresh:
            for one in self._under_way(current).leaders(current.inner)[:1]:
                assert one.topology is not None
                found.append(self._afresh(current.standing, one.topology, one))
        return found

    def grown(self, state: SearchState) -> list[Chain]:
        """Return the chains of :meth:`leaders`, best first, without what is afresh."""
        return _ranked(self._restored(state).chains)

    def standing_of(self, state: SearchState) -> Graph:
        """Return the network that stands."""
        return self._restored(state).standing

    def _candidate(self, current: _Growth, chain: Chain) -> Candidate:
        last, standing = chain.steps[-1], current.standing
        topology = self.problem.topology(chain.networks[-1], rotation_group(1))
        stood = [*current.before, Before(standing.order, self.network["spec"], standing.links())]
        stood += [Before(len(one), None, links_of(one)) for one in chain.networks[:-1]]
        topology = replace(topology, grown_from=tuple(self._that_stood(one) for one in stood))
        return Candidate(
            spec=None,
            diameter=last.diameter,
            distance_sum=last.distance_sum,
            topology=self._told(standing, topology, chain.moved, last.way, chain.steps),
            standing=(0, last.diameter, last.distance_sum, chain.moved),
        )

    def _afresh(self, standing: Graph, topology: Topology, found: Candidate) -> Candidate:
        moved = moved_links(standing, topology.graph)
        told = self._told(standing, topology, moved, AFRESH, ())
        return replace(
            found, topology=told, standing=(1, found.diameter, found.distance_sum, moved), name=None
        )

    def _told(
        self, standing: Graph, topology: Topology, moved: int, way: str, steps: Sequence[Step]
    ) -> Topology:
        """Return a network with what became of the cables that stood."""
        graph = topology.graph
        parameters = {
            **topology.parameters,
            "way": way,
            "kept_cables": standing.size - moved_links(standing, graph),
            "moved_cables": moved,
            "new_cables": graph.size - standing.size,
            "steps": tuple(
                (step.order, step.moved, step.new, step.diameter, step.distance_sum) for step in steps
            ),
        }
        return replace(topology, parameters=parameters, endpoints_per_router=self.endpoints_of(graph.order))

    def _that_stood(self, network: Before) -> Topology:
        """Return a network that stood before, or on the way."""
        if network.spec is not None:
            return _of_family(network.spec)
        layout, width = self.request.layout, self.request.width
        placed = None if layout is None or width is None else Layout(layout, width, network.order // width)
        endpoints = self.endpoints_of(self.request.order)[: network.order]
        graph = Graph.from_links(network.order, network.links)
        return Topology("graph", {}, graph, endpoints, layout=placed)

    def endpoints_of(self, order: int) -> NDArray[np.int32]:
        """Return the endpoints of every router of a grown network, int32, shape (order,).

        Those that stand keep theirs. New ones have as many, or none where those differ.
        """
        each: Any = self.network["endpoints"]
        if isinstance(each, int):
            return uniform_endpoints(order, each)
        return np.array([*each, *[0] * (order - len(each))], dtype=np.int32)

    def _asked(self, stage: int) -> AnnealingRequest:
        """Return the request of a stage's annealing."""
        steps = len(self.request.steps)
        if stage == steps:
            origin = None if self.request.layout else AUTO
            return self.request.annealing(steps - 1, 2, origin=origin, moves=1, top=1)
        replicas = len(self.limits) * self.request.replicas
        return self.request.annealing(stage, replicas, symmetry=1, moves=1, top=replicas)

    def _step(self, stage: int, chains: Sequence[Chain]) -> StepSearch:
        """Return the search of a step, for its chains."""
        replicas = max(1, len(chains)) * self.request.replicas
        asked = replace(self._asked(stage), moves=self.moves[stage], replicas=replicas, top=replicas)
        return _step_search(asked, tuple(self._allowed(chain, stage) for chain in chains))

    def _under_way(self, current: _Growth) -> AnnealingSearch:
        """Return the search of the stage under way, or of the last one."""
        stage = min(current.stage, len(self.moves) - 1)
        if stage == len(self.request.steps):
            return _afresh_search(replace(self._asked(stage), moves=self.moves[stage]))
        return self._step(stage, current.chains)

    def _stored(self, current: _Growth) -> SearchState:
        arrays: dict[str, NDArray[Any]] = {"standing": current.standing.links()}
        arrays |= {f"before.{number}": one.links for number, one in enumerate(current.before)}
        arrays |= {STAGE + name: array for name, array in current.inner.arrays.items()}
        for number, chain in enumerate(current.chains):
            for step, network in enumerate(chain.networks):
                arrays[f"network.{number}.{step}"] = network
        return SearchState(
            epoch=current.epoch,
            evaluations=current.ended + current.inner.evaluations * (current.stage < len(self.moves)),
            arrays=arrays,
            notes={
                "stage": current.stage,
                "ended": current.ended,
                "before": [[one.order, one.spec] for one in current.before],
                "chains": [[chain.limit, [[*step] for step in chain.steps]] for chain in current.chains],
                "inner": [current.inner.epoch, current.inner.evaluations, dict(current.inner.notes)],
            },
        )

    def _restored(self, state: SearchState) -> _Growth:
        notes, arrays = state.notes, state.arrays
        epoch, evaluations, inner = notes["inner"]
        own = {name.removeprefix(STAGE): one for name, one in arrays.items() if name.startswith(STAGE)}
        chains = tuple(
            Chain(
                limit,
                tuple(arrays[f"network.{number}.{step}"] for step in range(len(steps))),
                tuple(Step(*step) for step in steps),
            )
            for number, (limit, steps) in enumerate(notes["chains"])
        )
        standing = Graph.from_links(self.request.standing, arrays["standing"])
        before = tuple(
            Before(order, spec, arrays[f"before.{number}"])
            for number, (order, spec) in enumerate(notes["before"])
        )
        inner_state = SearchState(epoch, evaluations, own, inner)
        return _Growth(state.epoch, notes["ended"], notes["stage"], standing, before, chains, inner_state)


@dataclass
class _Growth:
    """How far a growth is.

    Attributes:
        epoch: epochs done.
        ended: networks scored by stages that have ended.
        stage: the step under way, or after the last one what is afresh; counted from 0.
        standing: the network that stood first.
        before: those from which it has grown.
        chains: by limit.
        inner: the state of the annealing under way, or of the last one.
    """

    epoch: int
    ended: int
    stage: int
    standing: Graph
    before: tuple[Before, ...]
    chains: tuple[Chain, ...]
    inner: SearchState


def _last_graph(standing: Graph, chain: Chain) -> Graph:
    """The network that stands before the next step of a chain."""
    if not chain.networks:
        return standing
    last = chain.networks[-1]
    return Graph.from_links(len(last), links_of(last))


def _ranked(chains: Sequence[Chain]) -> list[Chain]:
    """The chains of distinct networks, best first; of equal ones the first."""
    distinct = {(chain.networks[-1].tobytes(), chain.steps): chain for chain in reversed(chains)}
    return sorted(distinct.values(), key=lambda one: (*one.steps[-1][3:5], one.moved))


@lru_cache(maxsize=2)  # of every candidate
def _of_family(spec: str) -> Topology:
    """A network that a spec names."""
    return topology_from_spec(spec)


@lru_cache(maxsize=4)  # every epoch asks for it
def _afresh_search(request: AnnealingRequest) -> AnnealingSearch:
    """The search of the same size afresh."""
    return AnnealingSearch(request, request.moves or DEFAULT_MOVES, raced=groups_to_race(request))


@lru_cache(maxsize=4)
def _step_search(request: AnnealingRequest, allowed: tuple[int, ...]) -> StepSearch:
    """The search of a step."""
    return StepSearch(request, allowed)
