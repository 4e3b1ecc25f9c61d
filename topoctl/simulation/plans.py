"""From a network, its routes, virtual channels and traffic to the arrays that a simulation follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.graph import Graph
from topoctl.kernels.simulation import (
    ANY_OTHER,
    DECIDED,
    DECIDED_BY_ALL,
    MOST_CHANNELS,
    MOST_HOPS,
    MOST_PHASES,
    NEXT_TO,
    OPTION,
    UNIFORM_OTHERS,
    Plan,
)
from topoctl.memory import require_memory
from topoctl.routing.arcs import arc_tails
from topoctl.routing.channels.automata import AUTOMATA
from topoctl.routing.channels.certificate import Channels
from topoctl.routing.record import Routing
from topoctl.routing.routed_loads import destination_batches
from topoctl.routing.routes import Moves, Routes
from topoctl.routing.traffic import Traffic
from topoctl.routing.ugal import DETOURS
from topoctl.routing.valiant import WithinThreeHops
from topoctl.simulation.routers import Routers
from topoctl.simulation.sources import STEADY, Sources, gaps_of
from topoctl.topology import Topology, routers_of_endpoints

WHOLE = 2**32
BY_SHARE, FEWEST_USED = 0, 1
STRAIGHT, OVER_A_ROUTER = 0, 1
BY_SUM, BY_LINKS = (0, 1, 1, 0), (1, 1, 1, 0)
"""How UGAL weighs a way: all queues on it; the first queue times its links."""
ROUTERS_AT_ONCE = 256
BLOCK_BYTES = 2**22
"""Of the shares of the destinations whose options are laid down at once, about."""
FARTHEST = 255
"""Links between two routers that a plan can tell, where detours are weighed by their links."""


@dataclass(frozen=True, eq=False)
class Simulated:
    """A network with routes and virtual channels, ready to be sent any traffic at any load.

    Attributes:
        topology: the network.
        routing: its record.
        routes: by that routing.
        channels: the classes of virtual channels, and their proof; a proof is not required here.
        routers: what routers are like.
        arrays: the fields of a plan that do not depend on traffic.
        arc_ports: int64, shape (arcs,): the output port of every arc.
    """

    topology: Topology
    routing: Routing
    routes: Routes
    channels: Channels
    routers: Routers
    arrays: dict[str, Any] = field(repr=False)
    arc_ports: NDArray[np.int64] = field(repr=False)

    def sending(
        self, traffic: Traffic, sources: Sources = STEADY, then: Sequence[tuple[int, Traffic]] = ()
    ) -> Sending:
        """Return who sends this traffic to whom.

        Args:
            traffic: what is sent.
            sources: how packets are made.
            then: other traffic instead, and the cycle from which on packets are made for it; ascending.

        Raises:
            InvalidParameters: nobody sends anything, or there are too many pairs of endpoints to look at.
        """
        shares, rows = zip(
            *(_destinations(self.topology, one) for one in (traffic, *(later for _, later in then))),
            strict=True,
        )
        for one, sent in zip((traffic, *(later for _, later in then)), shares, strict=True):
            if not sent.any():
                raise InvalidParameters(
                    f"traffic {one.name}: no endpoint sends anything: expected some that do"
                )
        since = np.array([0, *(cycle for cycle, _ in then)], dtype=np.int64)
        name = ", then ".join([traffic.name, *(f"{later.name}@{cycle}" for cycle, later in then)])
        receives = np.ones(self.topology.endpoints, dtype=bool)
        if len(rows[-1]["destinations"]):
            receives = np.bincount(rows[-1]["destinations"], minlength=len(receives)) > 0
        fields = {"since": since, **_one_after_another(rows)}
        return Sending(name, sources, since, np.stack(shares), receives, fields)

    def plan(self, sending: Sending, load: float, seed: int) -> Plan:
        """Return the plan of some traffic at a load: what endpoints send, as a share of what they would."""
        levels, level_of = np.unique(sending.shares, return_inverse=True)
        offered = [min(Fraction(1), _fraction(load) * _fraction(level)) for level in levels.tolist()]
        gaps = gaps_of([sending.sources.chances(one) for one in offered if one])
        row_of = np.full(len(levels), -1, dtype=np.int32)
        row_of[np.array([one > 0 for one in offered])] = gaps.first
        return Plan(
            seed=seed,
            **self.arrays,
            **sending.rows,
            **gaps.fields(),
            rate_of=row_of[level_of.reshape(sending.shares.shape)],
            **sending.sources.size_fields(),
        )

    def plan_of_messages(self, messages: dict[str, Any], flits: int, seed: int) -> Plan:
        """Return the plan of messages that wait for each other.

        Args:
            messages: the fields of a plan that tell them.
            flits: of a packet, at most.
            seed: of all draws.
        """
        sizes = np.array([flits], dtype=np.int32)
        return Plan(seed=seed, **self.arrays, **messages, sizes=sizes)

    def plan_of_packets(self, packets: dict[str, Any], seed: int) -> Plan:
        """Return the plan of packets of a list, by the fields of a plan that tell them."""
        return Plan(seed=seed, **self.arrays, **packets)


@dataclass(frozen=True, eq=False)
class Sending:
    """Traffic from endpoint to endpoint, which may change as time goes on.

    Attributes:
        name: of the traffic.
        sources: how packets are made.
        since: int64, shape (traffics,): the cycle, 0 first, from which on packets are those of each traffic.
        shares: float64, shape (traffics, endpoints): what each endpoint sends at full load, in flits a cycle.
        receives: bool, shape (endpoints,): those to which anything is sent in the end.
        rows: the fields of a plan that say to whom, and when.
    """

    name: str
    sources: Sources
    since: NDArray[np.int64]
    shares: NDArray[np.float64] = field(repr=False)
    receives: NDArray[np.bool_] = field(repr=False)
    rows: dict[str, Any] = field(repr=False)

    def flits(self, begin: int, end: int) -> float:
        """Return what all endpoints would send between two cycles at full load."""
        ends = np.append(self.since[1:], end)
        cycles = np.maximum(0, np.minimum(ends, end) - np.maximum(self.since, begin))
        return float(cycles @ self.shares.sum(axis=1))


def _fraction(number: float) -> Fraction:
    return Fraction(number).limit_denominator(10**9)


def simulated(
    topology: Topology,
    routing: Routing,
    routes: Routes,
    channels: Channels,
    routers: Routers,
    link_cycles: NDArray[np.int32] | None = None,
) -> Simulated:
    """Lay a network out for simulation.

    Args:
        topology: the network.
        routing: its record.
        routes: of this network.
        channels: its classes of virtual channels.
        routers: what routers are like.
        link_cycles: int32, shape (arcs,): cycles on every link; None for one on each.

    Raises:
        InvalidParameters: more virtual channels, phases or hops than a simulation has, or a network that does
            not fit into memory.
    """
    _refuse_what_does_not_fit(routing, routes, channels, routers)
    network, arc_ports = _network_arrays(topology)
    if link_cycles is not None:
        network["delays"].ravel()[arc_ports] = link_cycles
    way = STRAIGHT if routes.through is None else OVER_A_ROUTER
    if routing.mixes:
        way = DECIDED_BY_ALL if routing.knows_all_queues else DECIDED
    phases = routes.phases
    tables = _table_arrays(routes, channels, routers, arc_ports % network["ends"].shape[1])
    adaptive = routing.adaptive and not routing.mixes
    arrays = {
        "channels": channels.count * routers.width,
        "buffer": routers.buffer,
        "steps": 1000 * routers.speedup,
        "lookahead": int(routers.lookahead),
        "credit_delay": routers.credit_delay,
        **network,
        **tables,
        **_class_arrays(topology, channels, routers, network["ends"].shape, arc_ports),
        "choice": np.full(phases, FEWEST_USED if adaptive else BY_SHARE, dtype=np.int32),
        "way": way,
        "through": NEXT_TO if isinstance(routes.through, WithinThreeHops) else ANY_OTHER,
        "detours": DETOURS if routing.mixes else 1,
        "start": np.zeros(2, dtype=np.int32),
        "turn": np.zeros(phases, dtype=np.int32),
    }
    if way == DECIDED:
        arrays |= {"distances": _distances(topology), "bias": np.array(BY_LINKS)}
    elif way == DECIDED_BY_ALL:
        arrays |= {"bias": np.array(BY_SUM)}
    return Simulated(topology, routing, routes, channels, routers, arrays, arc_ports)


def _refuse_what_does_not_fit(routing: Routing, routes: Routes, channels: Channels, routers: Routers) -> None:
    for what, found, most in (
        ("virtual channels", channels.count * routers.width, MOST_CHANNELS),
        ("phases", routes.phases, MOST_PHASES - 1),
        ("hops", routes.longest, MOST_HOPS),
    ):
        if found > most:
            raise InvalidParameters(f"{found} {what} under {routing.name}: expected at most {most}")
    order, arcs = routes.topology.graph.order, len(routes.topology.graph.neighbors)
    endpoints = routes.topology.endpoints
    rooms = channels.count * routers.width * (arcs + 2 * endpoints)
    require_memory(
        4 * routes.phases * order**2 + 8 * rooms * routers.buffer,
        f"the tables and buffers of {order:,} routers and {endpoints:,} endpoints",
    )


def _network_arrays(topology: Topology) -> tuple[dict[str, Any], NDArray[np.int64]]:
    """Number the ports of every router: its links in the order of its neighbours, then its endpoints."""
    graph, each = topology.graph, topology.endpoints_per_router
    ports = int((graph.degrees + each).max())
    tails, heads = arc_tails(graph).astype(np.int64), graph.neighbors.astype(np.int64)
    arc_ports = tails * ports + np.arange(len(tails)) - graph.offsets[tails]
    # The arc back from each arc's head to its tail ends at the port by which the head sends there.
    back = np.lexsort((tails, heads))
    ends = np.full(graph.order * ports, -1, dtype=np.int32)
    ends[arc_ports[back]] = arc_ports
    ends[arc_ports] = ends[arc_ports].copy()
    homes = routers_of_endpoints(each).astype(np.int64)
    within = np.arange(len(homes)) - np.repeat(np.cumsum(each) - each, each)
    entries = homes * ports + graph.degrees[homes] + within
    ends[entries] = -2 - np.arange(len(homes))
    return {
        "ends": ends.reshape(graph.order, ports),
        "delays": np.ones((graph.order, ports), dtype=np.int32),
        "entries": entries.astype(np.int32),
    }, arc_ports


class _Sets:
    """Sets of options, each kept once, whichever routers have it."""

    def __init__(self) -> None:
        # Nobody asks for what stands at the word 0, where no packet comes.
        self._words = np.zeros(1, dtype=np.uint64)  # ascending
        self._numbers = np.zeros(1, dtype=np.uint32)
        self._lengths: list[NDArray[np.int64]] = []
        self._options: list[NDArray[np.void]] = []

    def numbers(self, words: NDArray[np.uint64]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """Return the numbers of sets by their words, and a place of each that is new."""
        order = np.argsort(words)  # several times as fast as a stable sort; equal words tell equal sets
        in_order = words[order]
        differs = np.append(True, in_order[1:] != in_order[:-1])
        here, one = in_order[differs], order[differs]
        places = np.searchsorted(self._words, here)
        known = np.minimum(places, len(self._words) - 1)
        new, numbers = self._words[known] != here, self._numbers[known]
        numbers[new] = np.arange(new.sum()) + len(self._words) - 1
        self._words = np.insert(self._words, places[new], here[new])
        self._numbers = np.insert(self._numbers, places[new], numbers[new])
        found = np.empty(len(words), dtype=np.uint32)
        found[order] = numbers[np.cumsum(differs) - 1]
        return found, one[new]

    def add(self, options: NDArray[np.void], lengths: NDArray[np.int64]) -> None:
        """Keep the options of the sets that are new, in the order of these."""
        self._lengths.append(lengths)
        self._options.append(options)

    def begins(self) -> NDArray[np.uint32]:
        """Return where every set begins, by its number."""
        lengths = np.concatenate(self._lengths)
        return (np.cumsum(lengths) - lengths).astype(np.uint32)

    def options(self) -> NDArray[np.void]:
        """Return the options of all sets."""
        return np.concatenate(self._options)


def _table_arrays(
    routes: Routes, channels: Channels, routers: Routers, local_ports: NDArray[np.int64]
) -> dict[str, Any]:
    """Lay down what packets may do at every router, in every phase, towards every destination."""
    graph, width = routes.topology.graph, routers.width
    own = channels.scheme == "own"
    sets, weights = _Sets(), _weights(routes, local_ports)
    table = np.zeros((routes.phases, graph.order, graph.order), dtype=np.uint32)
    for batch in destination_batches(routes, block_bytes=BLOCK_BYTES):
        moves = routes.moves(batch)
        words = _words(moves, own, weights, graph)
        numbers, new = sets.numbers(words.ravel())
        table[:, :, batch[0] : batch[-1] + 1] = numbers.reshape(words.shape).transpose(1, 2, 0)
        if not len(new):
            continue
        rows, phases, tails = np.unravel_index(new, words.shape)
        degrees = graph.degrees[tails]
        within = np.arange(degrees.sum()) - np.repeat(np.cumsum(degrees) - degrees, degrees)
        arcs = np.repeat(graph.offsets[tails], degrees) + within
        sets_of = np.repeat(np.arange(len(new)), degrees)
        taken = np.flatnonzero(moves.shares[rows[sets_of], phases[sets_of], arcs])
        arcs, sets_of = arcs[taken], sets_of[taken]
        places = rows[sets_of], phases[sets_of], arcs
        lengths = np.bincount(sets_of, minlength=len(new))
        options = np.zeros(len(arcs), dtype=OPTION)
        options["port"] = local_ports[arcs]
        options["first"] = moves.channels[places] * width if own and moves.channels is not None else 0
        options["last"] = options["first"] + width - 1
        options["phase"] = routes.next_phase[places[1:]]
        options["share"] = _ascending(moves.shares[places], lengths)
        sets.add(options, lengths)
    options, begins = sets.options(), sets.begins()
    for rows_of_phase in table:
        for first in range(0, graph.order, ROUTERS_AT_ONCE):
            rows_of_phase[first : first + ROUTERS_AT_ONCE] = begins[
                rows_of_phase[first : first + ROUTERS_AT_ONCE]
            ]
    table = table.astype(np.uint16) if len(options) <= 2**16 else table
    most = channels.count * width - 1
    arrival = np.tile(np.array([0, most if own else width - 1], dtype=np.int32), (routes.phases, 1))
    return {
        "table": table,
        "options": options,
        "arrival": arrival,
        "entry": np.array([0, most], dtype=np.int32),
    }


def _weights(routes: Routes, local_ports: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return two random numbers for every arc in every phase, which differ by port and next phase alone."""
    drawn = np.random.default_rng(1).uniform(1, 2, (2, local_ports.max() + 1, routes.phases))
    return drawn[:, local_ports, routes.next_phase]


def _words(moves: Moves, own: bool, weights: NDArray[np.float64], graph: Graph) -> NDArray[np.uint64]:
    """Return a word for the options of every destination, phase and router: those of equal sets are equal.

    Of unequal ones they differ but by a chance of 2^-64, as the sums of shares times numbers at random do
    that they are mixed from. It is 0 where there are no options.
    """
    shares = moves.shares
    if own and moves.channels is not None:
        shares = shares * np.sqrt(2 + moves.channels)
    sums = [_sums_by_router(shares, each, graph).view(np.uint64) for each in weights]
    words: NDArray[np.uint64] = sums[0] * np.uint64(0x9E3779B97F4A7C15)
    words ^= sums[1] * np.uint64(0xBF58476D1CE4E5B9) >> np.uint64(7)
    return words


def _sums_by_router(
    shares: NDArray[np.float64], weights: NDArray[np.float64], graph: Graph
) -> NDArray[np.float64]:
    """Add up shares times weights over the arcs of every router."""
    degree = len(graph.neighbors) // graph.order
    if (graph.degrees == degree).all():  # many times as fast, since no product is kept
        rows = (-1, graph.order, degree)
        products = shares.reshape(len(shares), *rows), weights.reshape(rows)
        sums: NDArray[np.float64] = np.einsum("dpra,pra->dpr", *products)
    else:
        sums = np.add.reduceat(shares * weights, graph.offsets[:-1], axis=-1)
    return sums


def _ascending(share: NDArray[np.float64], lengths: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Return the last draw that each option takes, up to 2^32 - 1 in every set."""
    # A row a set, so that what it comes to depends on no other.
    there = np.arange(lengths.max()) < lengths[:, None]
    rows = np.zeros(there.shape)
    rows[there] = share
    sums = np.cumsum(rows, axis=1)
    found = np.rint(sums / sums[:, -1:] * WHOLE)[there].astype(np.int64)
    found = np.minimum(found, WHOLE - 1)
    found[np.cumsum(lengths) - 1] = WHOLE
    return (np.maximum(found, 1) - 1).astype(np.uint32)


def _class_arrays(
    topology: Topology,
    channels: Channels,
    routers: Routers,
    shape: tuple[int, int],
    arc_ports: NDArray[np.int64],
) -> dict[str, Any]:
    """Tell the classes of virtual channels as the automaton of the scheme gives them, hop by hop."""
    if channels.certificate is None or channels.scheme == "own":
        return {}
    order = topology.graph.order
    certificate = channels.certificate
    automaton = AUTOMATA[certificate.scheme](topology, certificate.table)
    kinds = np.zeros(shape[0] * shape[1], dtype=np.int32)
    kinds[arc_ports] = automaton.kinds
    arrays: dict[str, Any] = {
        "class_width": routers.width,
        "kinds": kinds.reshape(shape),
        "rises": np.vstack((automaton.raised, np.zeros((1, 2), dtype=np.int8))).astype(np.int32),
    }
    if certificate.scheme == "destination-layers":
        arrays["start_class"] = np.tile(certificate.table.astype(np.uint8), (order, 1))
    elif certificate.scheme == "pair-layers":
        arrays["start_class"] = certificate.table.astype(np.uint8)
    return arrays


def _distances(topology: Topology) -> NDArray[np.uint8]:
    """Return the links between routers: uint8, shape (order, order).

    Raises:
        InvalidParameters: some are too far apart to be told.
    """
    from scipy.sparse.csgraph import dijkstra

    order, links = topology.graph.order, topology.to_scipy()
    found = np.empty((order, order), dtype=np.uint8)
    for start in range(0, order, ROUTERS_AT_ONCE):
        batch = np.arange(start, min(start + ROUTERS_AT_ONCE, order))
        hops = dijkstra(links, unweighted=True, indices=batch)
        if hops.max() > FARTHEST:
            raise InvalidParameters(
                f"{hops.max():.0f} links between two routers: expected {FARTHEST} at most, as ways are "
                "weighed by their links"
            )
        found[batch] = hops
    return found


NOWHERE = {
    "destination_rows": np.zeros(1, dtype=np.int64),
    "destinations": np.zeros(0, dtype=np.int32),
    "destination_shares": np.zeros(0, dtype=np.uint64),
}
"""No rows of destinations."""


def _destinations(topology: Topology, traffic: Traffic) -> tuple[NDArray[np.float64], dict[str, Any]]:
    """Return what every endpoint sends at full load, float64, and the rows of destinations."""
    if traffic.name == "uniform":
        everyone = np.full(topology.endpoints, UNIFORM_OTHERS, dtype=np.int32)
        return np.ones(topology.endpoints), {"destination_of": everyone, **NOWHERE}
    if traffic.pairs is not None:
        sources, targets, flits = traffic.pairs()
    else:
        sources, targets, flits = _pairs_of_routers(topology, traffic)
    order = np.lexsort((targets, sources))
    sources, targets, flits = sources[order], targets[order], flits[order]
    sends = np.bincount(sources, weights=flits, minlength=topology.endpoints).astype(np.float64)
    begins = np.searchsorted(sources, np.arange(topology.endpoints + 1))
    sums = np.cumsum(flits)
    before = np.append(0.0, sums)[begins[:-1]][sources]
    shares = np.minimum((sums - before) / sends[sources], 1) * 2.0**63
    words = (np.maximum(shares.astype(np.uint64), np.uint64(1)) << np.uint64(1)) - np.uint64(1)
    words[begins[1:][sends > 0] - 1] = np.uint64(2**64 - 1)
    sending = sends > 0
    row_of = np.where(sending, np.cumsum(sending) - 1, 0).astype(np.int32)
    return sends, {
        "destination_of": row_of,
        "destination_rows": np.append(begins[:-1][sending], len(targets)).astype(np.int64),
        "destinations": targets.astype(np.int32),
        "destination_shares": words,
    }


def _one_after_another(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the rows of destinations of several traffics, as a plan has them."""
    before = np.cumsum([0, *(len(one["destination_rows"]) - 1 for one in rows)]).tolist()
    places = np.cumsum([0, *(len(one["destinations"]) for one in rows)]).tolist()
    of = [
        np.where(one["destination_of"] < 0, one["destination_of"], one["destination_of"] + first)
        for one, first in zip(rows, before, strict=False)
    ]
    begins = [one["destination_rows"][:-1] + place for one, place in zip(rows, places, strict=False)]
    return {
        "destination_of": np.stack(of).astype(np.int32),
        "destination_rows": np.concatenate([*begins, places[-1:]]).astype(np.int64),
        "destinations": np.concatenate([one["destinations"] for one in rows]),
        "destination_shares": np.concatenate([one["destination_shares"] for one in rows]),
    }


MOST_PAIRS = 5 * 10**7


def _pairs_of_routers(
    topology: Topology, traffic: Traffic
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Share what routers send each other evenly among their endpoints."""
    each = topology.endpoints_per_router.astype(np.int64)
    sent = traffic.toward(np.arange(topology.graph.order, dtype=np.int32))
    targets, sources = np.nonzero(sent)
    pairs = each[sources] * each[targets]
    if pairs.sum() > MOST_PAIRS:
        raise InvalidParameters(
            f"traffic {traffic.name}: {pairs.sum():,} pairs of endpoints: expected at most {MOST_PAIRS:,}"
        )
    firsts = np.cumsum(each) - each
    which = np.repeat(np.arange(len(pairs)), pairs)
    within = np.arange(len(which)) - np.repeat(np.cumsum(pairs) - pairs, pairs)
    from_router, to_router = sources[which], targets[which]
    return (
        firsts[from_router] + within // each[to_router],
        firsts[to_router] + within % each[to_router],
        sent[to_router, from_router] / pairs[which],
    )
