"""The search of `optimize hosts`: contenders race in rounds of legs, each annealed from hot to cold.

A contender is a number of routers with a symmetry. In a round each that is left has a leg with all replicas;
the better half stays for the next round, whose legs have twice the moves; the last one has a leg alone, of
four times the moves.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from math import log2
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.host_bounds import host_bounds, pairs_of
from topoctl.errors import FormatError
from topoctl.formats import doubt_numbering, read_topology
from topoctl.graph import Graph
from topoctl.json_shapes import anything, many, record, row, whole
from topoctl.kernels.cooling import ONE
from topoctl.kernels.link_annealing import Hosts, LinkWalk, Neighborhood, anneal_links, best_method
from topoctl.search.annealing.schedule import COLDEST, HASTY_GAIN, HOTTEST, Leg, race_legs
from topoctl.search.annealing.symmetry import group_generators, rotation_group
from topoctl.search.draws import Draws
from topoctl.search.from_json import built
from topoctl.search.hosts.contenders import Contender, contenders_of
from topoctl.search.hosts.leader import HostLeader, leaders_of
from topoctl.search.hosts.request import HostsRequest
from topoctl.search.hosts.starts import evenly, line, random_networks, widest
from topoctl.search.hosts.state import HostState
from topoctl.search.pacing import measured_rate
from topoctl.search.protocol import (
    Candidate,
    Corrections,
    SearchState,
    Status,
    TimedWork,
    corrections_of,
)
from topoctl.search.resizing.resized import PRESSED_SHARE
from topoctl.search.slots import links_of, slots_of
from topoctl.search.trace import Trace
from topoctl.topology import Symmetry, Topology

DEFAULT_MOVES = 1_000_000
SLACK = 3
"""Temperatures by which the sum of the nearer distances may rise before a move is refused unmeasured."""
FIRST_TEMPERATURE, GENTLE = 2.5, 0.3
"""Temperatures at first, and from a start file, in hops of all pairs of hosts of two routers."""
KEPT_SHARE, WARMING_PART, COOLING = 0.1, 8, 100
"""The share of moves kept in the first part of a leg, what part of its epochs that is, and by which factor
the leg cools from there."""
PRESSURES = (4, 40)
"""What a hop beyond the diameter costs where few pairs are so far, by turns for the replicas."""
SHORTEST = 60
"""Moves for each link of a contender in a first leg, at least, with which it may race."""
EPOCH_SECONDS = 2.0
TRIAL_PART, TRIAL_SECONDS = 20, 0.3
"""Of the trials that measure the rate of moves: their part of the planned time, at most so many seconds."""
FIRST_TRIAL, FIRST_TRIAL_PART = 200, 10
"""The moves of the first trial, at most, and what part of the planned time they may be estimated to take."""
PLANNED_PART = 0.92
"""The part of the seconds that is planned for."""
ROW_WORDS, WORD_BITS, NANOSECONDS = 6, 64, 2.0
"""What a router costs in a move besides its words; and a word, in nanoseconds. They only share out moves."""
OWN = {
    "command": anything,
    "planned_moves": whole(1),
    "corrections": anything,
    "contenders": many(row(whole(1), whole(1)), least=1),
}
"""Parameters that the request has not."""


class HostsSearch:
    """A search with its work planned: so many moves for every replica, in legs of equal epochs.

    Args:
        request: of the search.
        moves: of every replica; moves under other contenders count as under the first one, by their time.
        contenders: that race.
        recorded: the corrections of the run that this one repeats.
    """

    command = "optimize hosts"

    def __init__(
        self,
        request: HostsRequest,
        moves: int,
        contenders: Sequence[Contender],
        recorded: Corrections | None = None,
    ) -> None:
        self.request, self.moves, self.recorded = request, moves, recorded
        self.bounds = host_bounds(request.hosts, request.router_radix)
        self.contenders = list(contenders)
        rounds = _rounds(moves, len(self.contenders))
        self.legs = race_legs(rounds, self._moves_in(EPOCH_SECONDS), targeted=False)
        self.epochs = self.legs[-1].first + self.legs[-1].epochs

    @classmethod
    def plan(cls, request: HostsRequest, threads: int) -> Self:
        """Fix the work: the moves asked for, or the seconds times a measured rate; and what races in it.

        Raises:
            FormatError: a start file that cannot be read, or does not fit.
        """
        began = time.perf_counter()
        if request.start is not None:
            start_network(request)
        contenders = contenders_of(request)
        moves = request.moves or DEFAULT_MOVES
        if request.seconds is None:
            return cls(request, moves, cls(request, moves, contenders)._worth_a_race())
        tried = cls(request, moves, contenders)
        rate = tried._measured_rate(threads, request.seconds)
        left = PLANNED_PART * request.seconds - (time.perf_counter() - began)
        moves = max(1, int(rate * max(left, request.seconds / 2)))
        planned = cls(request, moves, cls(request, moves, contenders)._worth_a_race())
        planned._begun = tried._begun
        return planned

    def _worth_a_race(self) -> list[Contender]:
        """Return the first of the contenders, so many that each has moves enough in the first round."""
        count = len(self.contenders)
        while count > 1:
            _, first = _rounds(self.moves, count)[0]
            if first >= SHORTEST * self._links(self.contenders[0]):
                break
            count -= 1
        return self.contenders[:count]

    def _measured_rate(self, threads: int, seconds: float) -> float:
        """Moves per second of a replica under the first contender."""
        state, enough = HostState.restored(self.first_state()), min(TRIAL_SECONDS, seconds / TRIAL_PART)
        first = min(FIRST_TRIAL, self._moves_in(min(EPOCH_SECONDS, seconds / FIRST_TRIAL_PART)))

        def trial(moves: int) -> tuple[float, float]:
            began, before = time.perf_counter(), state.evaluations
            self._walk(state, replace(self.legs[0], moves=moves), moves, threads)
            taken = time.perf_counter() - began
            # A walk that meets the bounds ends at once, however many moves it may make.
            met = state.evaluations - before < moves
            return moves, 2 * enough if met else taken

        return measured_rate(trial, first, enough)

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> HostsSearch:
        """Make the search that `parameters` describes."""
        record(OWN, more=True)(dict(parameters), "parameters")
        values = {name: value for name, value in parameters.items() if name not in OWN}
        request = built(HostsRequest, values, "parameters")
        contenders = [(order, symmetry) for order, symmetry in parameters["contenders"]]
        return cls(
            request, parameters["planned_moves"], contenders, corrections_of(parameters["corrections"])
        )

    @property
    def parameters(self) -> Mapping[str, Any]:
        """JSON values from which the same search is built again."""
        return {
            **asdict(self.request),
            "command": self.command,
            "planned_moves": self.moves,
            "corrections": self.recorded,
            "contenders": [[*one] for one in self.contenders],
        }

    @property
    def seed(self) -> int:
        """The seed that all draws derive from."""
        return self.request.seed

    def first_state(self) -> SearchState:
        """Return the state before the first epoch: the first contender's networks, measured."""
        return self._begun

    @cached_property
    def _begun(self) -> SearchState:
        none, first = np.zeros((0, 0), np.int32), self.contenders[0]
        current = HostState(Draws.seeded(self.seed), none[None], none, first, [], list(self.contenders))
        self._begin(current, first, threads=1)
        self._walk(current, self.legs[0], 0, threads=1)
        return current.stored()

    def step(self, state: SearchState, threads: int) -> SearchState:
        """Do one epoch: so many moves of every replica at one temperature."""
        current = HostState.restored(state)
        leg = next(leg for leg in reversed(self.legs) if leg.first <= current.epoch)
        if current.epoch and current.epoch == leg.first:
            if len(current.rivals) > leg.rivals:
                current.rivals = sorted(current.rivals, key=lambda one: current.found[one])[: leg.rivals]
                current.found = {}
            left = [one for one in current.rivals if one not in current.found]
            self._begin(current, left[0] if left else current.rivals[0], threads)
        self._walk(current, leg, state.scaled(leg.moves), threads)
        current.epoch += 1
        return current.stored()

    def _begin(self, current: HostState, contender: Contender, threads: int) -> None:
        """Give every replica the network and the temperature that it begins a leg with."""
        replicas, (order, symmetry) = self.request.replicas, contender
        if self.request.start is not None:
            slots, hosts = start_network(self.request)
            current.slots, current.hosts = np.stack([slots] * replicas), np.stack([hosts] * replicas)
        else:
            hosts = evenly(self.request.hosts, order, symmetry)
            ports = self.request.router_radix
            if order > 2 and ports - int(hosts.max()) < 2:
                slots, hosts = line(self.request.hosts, ports, order)
                current.slots = np.stack([slots] * replicas)
            else:
                current.slots = random_networks(hosts, ports, symmetry, replicas, current.draws, threads)
            current.hosts = np.stack([hosts] * replicas)
        current.contender, current.scores = contender, []
        warmth = GENTLE if self.request.start is not None else FIRST_TEMPERATURE
        hosts_each = self.request.hosts / order
        current.temperatures = [max(COLDEST, round(warmth * hosts_each**2 * ONE))] * replicas

    def _walk(self, current: HostState, leg: Leg, moves: int, threads: int) -> None:
        """Walk an epoch, of as many moves as take the time of `moves` under the first contender."""
        order, symmetry = current.contender
        made = moves and max(1, moves * self._cost(self.contenders[0]) // self._cost(current.contender))
        walks = [self._walk_of(current, replica, made) for replica in range(self.request.replicas)]
        generators = group_generators(rotation_group(symmetry), order)
        found = anneal_links(
            Neighborhood.unlimited(order),
            current.slots,
            np.stack([generators] * len(walks)),
            walks,
            current.draws.words(len(walks)),
            np.array(current.temperatures, dtype=np.int64)[:, None],
            threads,
        )
        current.slots, current.hosts = found.last, found.last_hosts
        current.scores = found.last_scores.by_walker()
        current.evaluations += int(found.moves.sum()) if moves else len(walks)
        for replica, score in enumerate(found.best_scores.by_walker()):
            if moves:
                share = (int(found.accepted[replica].sum()) + 0.5) / max(1, int(found.moves[replica]))
                temperature = current.temperatures[replica] * self._cooling(leg, current.epoch, share)
                current.temperatures[replica] = max(COLDEST, min(HOTTEST, round(temperature)))
            leader = HostLeader(
                *(leg.number, replica, symmetry, score.unreached * symmetry),
                *(score.diameter, score.distance_sum * symmetry),
                *(found.best[replica], found.best_hosts[replica]),
            )
            current.add_leader(leader, self.request.top)
        best = current.leaders[0]
        reached = [*self._score(best)]
        if not best.unreached and (not current.trace or current.trace[-1][1:] != reached):
            current.trace.append([current.evaluations, *reached])

    def _cooling(self, leg: Leg, epoch: int, share: float) -> float:
        """The factor of a temperature after an epoch that kept a share of its moves.

        The first epochs look for the warmth at which some moves are kept; from there it falls evenly. To
        answer to the share all the way would not do: hosts make all distances weigh so much that the last
        moves are kept by chance.
        """
        warming = 0 if self.request.start is not None else leg.epochs // WARMING_PART
        if epoch - leg.first < warming:
            return min(2.0, max(0.5, float((KEPT_SHARE / share) ** HASTY_GAIN)))
        return float((1 / COOLING) ** (1 / max(1, leg.epochs - warming)))

    def _walk_of(self, current: HostState, replica: int, moves: int) -> LinkWalk:
        order, symmetry = current.contender
        method = best_method(order // symmetry, order, moves=moves)
        return LinkWalk(
            rotation_order=symmetry,
            target=self._pressed(current, replica),
            weight=PRESSURES[replica % len(PRESSURES)],
            slack=SLACK,
            method="full" if method == "affected" else method,
            moves=moves,
            goal_diameter=max(1, self.bounds.host_diameter_lower_bound - 2),
            goal_sum=-(-2 * self.bounds.host_hops // symmetry),
            hosts=Hosts(current.hosts[replica], self.request.router_radix),
        )

    def _pressed(self, current: HostState, replica: int) -> int:
        """Return the distance beyond which pairs cost more; 0 while many pairs are at the diameter."""
        if not current.scores:
            return 0
        score, least = current.scores[replica], max(1, self.bounds.host_diameter_lower_bound - 2)
        if score.unreached or score.diameter <= least:
            return min(least, current.contender[0] - 1)
        few = PRESSED_SHARE * (self.request.hosts**2 // current.contender[1])
        return score.diameter - 1 if score.at_diameter < few else 0

    def _moves_in(self, seconds: float) -> int:
        """Moves under the first contender that are estimated to take so long; at least 1."""
        return max(1, int(seconds * 1e9 / (self._cost(self.contenders[0]) * NANOSECONDS)))

    def _links(self, contender: Contender) -> int:
        """Orbits of links of a contender."""
        order, symmetry = contender
        return max(1, (order * self.request.router_radix - self.request.hosts) // (2 * symmetry))

    def _cost(self, contender: Contender) -> int:
        """The cost of a move under a contender, in words."""
        order, symmetry = contender
        links = max(1, (order * self.request.router_radix - self.request.hosts) // order)
        return 100 + order * (ROW_WORDS + links * -(-order // symmetry // WORD_BITS) // 2)

    def finished(self, state: SearchState) -> bool:
        """Say whether the epochs are done, or nothing better exists."""
        best = leaders_of(state)[0]
        least = (self.bounds.host_diameter_lower_bound - 2, 2 * self.bounds.host_hops)
        over = state.epoch >= self.epochs or not state.scale
        return over or (not best.unreached and (best.diameter, best.hops) == least)

    def status(self, state: SearchState) -> Status:
        """Return counts and the best network so far."""
        best = leaders_of(state)[0]
        order, symmetry = state.notes["contender"]
        turns = f", symmetry {symmetry}" if symmetry > 1 else ""
        return Status(
            epoch=state.epoch,
            epochs=self.epochs,
            evaluations=state.evaluations,
            planned=None,
            best=Candidate(None, *self._score(best), of_hosts=True),
            best_aspl=self._score(best)[1] / pairs_of(self.request.hosts),
            bound_aspl=self.bounds.host_aspl_lower_bound,
            stage=f"{order} routers{turns}",
            seconds=self.request.seconds,
            done=1 - self.moves_left(state.epoch) / self.moves_left(0),
        )

    def timed_work(self, state: SearchState) -> TimedWork | None:
        """Return the whole search as timed work; None where no time is planned."""
        if self.request.seconds is None:
            return None
        total, left = self.moves_left(0), self.moves_left(state.epoch)
        typical = all(leg.first != state.epoch - 1 for leg in self.legs[1:])
        return TimedWork(0, self.request.seconds, total, left, typical)

    def moves_left(self, epoch: int) -> int:
        """Return the planned moves of a replica from an epoch on."""
        return sum(leg.moves * min(leg.epochs, max(0, leg.first + leg.epochs - epoch)) for leg in self.legs)

    def record(self, state: SearchState) -> Mapping[str, Any]:
        """Return the corrections."""
        return {"corrections": state.corrections}

    def leaders(self, state: SearchState) -> list[Candidate]:
        """Return the best distinct networks so far, best first; none while no connected one was met."""
        return [self._candidate(leader) for leader in leaders_of(state) if not leader.unreached]

    def _candidate(self, leader: HostLeader) -> Candidate:
        return Candidate(
            *(None, *self._score(leader)),
            topology=self._topology(leader),
            of_hosts=True,
            standing=leader.rank,
            name=leader.links,
        )

    def _score(self, leader: HostLeader) -> tuple[int, int]:
        """The host diameter, and the hops between hosts over unordered pairs, their own links included."""
        return leader.diameter + 2, leader.hops // 2 + 2 * pairs_of(self.request.hosts)

    def _topology(self, leader: HostLeader) -> Topology:
        """The network of a leader without the routers that no path between hosts needs."""
        slots, hosts = leader.slots, leader.hosts
        needed = _needed_routers(slots, hosts)
        links = links_of(slots)
        links = links[needed[links].all(axis=1)]
        graph = Graph.from_links(int(needed.sum()), (np.cumsum(needed) - 1)[links].astype(np.int32))
        symmetry = None
        if leader.symmetry > 1 and needed.all():
            symmetry = Symmetry((group_generators(rotation_group(leader.symmetry), len(slots))[0],))
        return Topology(
            family="hosts",
            parameters={
                "hosts": self.request.hosts,
                "router_radix": self.request.router_radix,
                "symmetry": 1 if symmetry is None else leader.symmetry,
            },
            graph=graph,
            endpoints_per_router=hosts[needed],
            symmetry=symmetry,
        )


def trace_of(search: HostsSearch, state: SearchState, seconds: float) -> Trace:
    """Return the best network by time.

    Args:
        search: the run's.
        state: its last.
        seconds: that it took so far.

    Raises:
        InvalidParameters: no connected network was met.
    """
    pairs = pairs_of(search.request.hosts)
    met = [(scored, diameter, hops / pairs) for scored, diameter, hops in state.notes["trace"]]
    bounds = search.bounds.host_diameter_lower_bound, search.bounds.host_aspl_lower_bound
    quantities = "host_diameter", "host_aspl"
    return Trace.of_best(met, state.evaluations, seconds, bounds, "lexicographic", quantities)


def start_network(request: HostsRequest) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the network of the start file: slots, int32, (order, width), and hosts, int32, (order,).

    Raises:
        FormatError: the file cannot be read, or its network does not fit the request.
    """
    path = str(request.start)
    topology = read_topology(path)
    doubt_numbering(path, topology)
    hosts, graph = topology.endpoints_per_router.astype(np.int32), topology.graph
    if int(hosts.sum()) != request.hosts or graph.order != request.order:
        raise FormatError(
            path,
            f"{int(hosts.sum())} hosts on {graph.order} routers, expected {request.hosts} on {request.order}",
        )
    if (ports := int((graph.degrees + hosts).max())) > request.router_radix:
        raise FormatError(
            path, f"a router of {ports} links and hosts, expected at most {request.router_radix}"
        )
    turn = group_generators(rotation_group(request.symmetry or 1), graph.order)[0]
    if not Symmetry((turn,)).holds_for(graph) or (hosts[turn] != hosts).any():
        raise FormatError(path, f"not symmetric under --symmetry {request.symmetry}")
    return slots_of(graph, widest(request.router_radix, graph.order)), hosts


def _rounds(moves: int, contenders: int) -> list[tuple[int, int]]:
    """Plan the legs: how many contenders are left in each, and its moves.

    Example:
        >>> _rounds(4000, 4)
        [(4, 250), (4, 250), (4, 250), (4, 250), (2, 500), (2, 500), (1, 2000)]
    """
    shares = []
    for number in range(int(log2(contenders)) + 1):
        left = contenders >> number
        shares += [(left, 2**number * (2 if left == 1 else 1))] * left
    total = sum(share for _, share in shares)
    return [(rivals, max(1, moves * share // total)) for rivals, share in shares]


def _needed_routers(slots: NDArray[np.int32], hosts: NDArray[np.int32]) -> NDArray[np.bool_]:
    """The routers with hosts, and those on some path between them: bool, shape (order,)."""
    needed = np.ones(len(slots), dtype=np.bool_)
    while True:
        links = ((slots >= 0) & needed[slots]).sum(axis=1)
        spare = needed & (hosts == 0) & (links < 2)
        if not spare.any():
            break
        needed &= ~spare
    reached = hosts > 0
    if reached.any():
        reached = np.zeros_like(needed)
        edge = np.array([int(hosts.argmax())])
        while len(edge):
            reached[edge] = True
            ends = np.unique(slots[edge])
            edge = ends[(ends >= 0) & ~reached[ends]]
    found: NDArray[np.bool_] = needed & reached
    return found
