"""Tables of a file as a routing: the next hops that it says, checked whole before any packet follows them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import FormatError, InvalidParameters
from topoctl.formats.files import read_files
from topoctl.memory import require_memory
from topoctl.routing.arcs import arcs_between
from topoctl.routing.files import FORMATS, parse_table
from topoctl.routing.next_hop_table import NextHopTable
from topoctl.routing.record import Routing, any_network
from topoctl.routing.routes import Destinations, Moves, Routes
from topoctl.topology import Topology

Int64s = NDArray[np.int64]
STATES_AT_ONCE = 2**22
"""States of packets that are followed at once, about."""
MOST_PHASES, MOST_CHANNELS = 63, 64
MOST_NAMED = 10
"""Routers of a circle that are named."""
ROUNDED = 1e-6
"""Shares that have been written as decimals add up to 1 within this."""


@dataclass(frozen=True)
class TableRouting(Routing):
    """The routing of tables in a file; `name` is that of the file.

    Attributes:
        table: what the file says.
    """

    table: NextHopTable = field(kw_only=True, repr=False)


def is_table(text: str) -> bool:
    """Return whether a word names a file of tables, by its suffix."""
    return Path(text).suffix.lower() in FORMATS


def routing_of_file(topology: Topology, path: str) -> TableRouting:
    """Return the routing of a file that `topoctl route --tables` writes.

    Raises:
        FormatError: no such file, none of tables, or tables that do not lead every packet to its destination.
    """
    (content,) = read_files(path)
    table = parse_table(path, content, topology)
    routing = routing_of_table(path, table)
    try:
        routing.routes(topology)
    except InvalidParameters as error:
        raise FormatError(path, str(error)) from None
    return routing


def tables_of(routing: Routing) -> dict[str, NextHopTable]:
    """Return the tables of a routing that follows those of a file, by the file's name; else none."""
    return {routing.name: routing.table} if isinstance(routing, TableRouting) else {}


def routing_of_table(name: str, table: NextHopTable) -> TableRouting:
    """Return the routing of tables."""
    several = len(table.starts()) - 1 < len(table.routers)
    return TableRouting(
        name=name,
        title="as the tables of a file say",
        source="the file",
        needs=any_network,
        routes=lambda topology: routes_of_table(topology, table),
        single=table.phases == 1 and not several,
        table=table,
    )


def routes_of_table(topology: Topology, table: NextHopTable) -> Routes:
    """Return the routes that tables say, where these lead all packets of endpoints to their destinations.

    Raises:
        InvalidParameters: tables of another network, or packets that stop, or go round in a circle.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.routing import ROUTINGS
        >>> from topoctl.routing.next_hop_table import next_hop_table
        >>> ring = topology_from_spec("torus(dims=5,p=1)")
        >>> table = next_hop_table(ROUTINGS["lowest"].routes(ring))
        >>> routes_of_table(ring, table).longest
        2
    """
    graph, phases = topology.graph, table.phases
    _check_numbers(topology, table)
    arcs = arcs_between(graph, table.routers, table.next_hops)
    order = np.lexsort((arcs, table.routers, table.phase, table.destinations))
    arcs = arcs[order]
    entries = _Entries(
        graph.order,
        phases,
        table.destinations[order].astype(np.int64),
        table.phase[order].astype(np.int64),
        table.routers[order].astype(np.int64),
        table.next_phase[order].astype(np.int64),
        graph.neighbors[arcs].astype(np.int64),
    )
    begins = np.flatnonzero(np.append(True, np.diff(entries.states()) != 0))
    if (np.diff(entries.states() * len(graph.neighbors) + arcs) == 0).any():
        raise InvalidParameters("a next hop is there twice: expected each once for a destination and phase")
    shares = _shares(table, order, begins)
    channels = None if table.channels is None else table.channels[order].astype(np.int8)
    firsts = np.searchsorted(entries.destinations, np.arange(graph.order + 1))

    def moves(destinations: Destinations) -> Moves:
        counts = np.diff(firsts)[destinations]
        rows = np.repeat(np.arange(len(destinations)), counts)
        which = np.arange(counts.sum()) + np.repeat(
            firsts[destinations] - (np.cumsum(counts) - counts), counts
        )
        places = rows, entries.phase[which], arcs[which]
        found = np.zeros((len(destinations), phases, len(graph.neighbors)))
        found[places] = shares[which]
        if channels is None:
            return Moves(found)
        taken = np.zeros(found.shape, dtype=np.int8)
        taken[places] = channels[which]
        return Moves(found, taken)

    return Routes(
        topology,
        moves,
        longest=_longest_way(topology, entries),
        next_phase=_phases_after(topology, entries, arcs),
    )


def _check_numbers(topology: Topology, table: NextHopTable) -> None:
    """Raise InvalidParameters for arrays that are no tables of a network."""
    count, order = len(table.routers), topology.graph.order
    if table.order != order:
        raise InvalidParameters(f"tables of {table.order} routers, and the network has {order}")
    if not count:
        raise InvalidParameters("no next hop: expected one or more")
    if not 1 <= table.phases <= MOST_PHASES:
        raise InvalidParameters(f"{table.phases} phases: expected 1..{MOST_PHASES}")
    for name, stop in (
        *(("routers", order), ("destinations", order), ("next_hops", order)),
        *(("phase", table.phases), ("next_phase", table.phases), ("channels", MOST_CHANNELS)),
    ):
        numbers = getattr(table, name)
        if name == "channels" and numbers is None:
            continue
        if numbers.shape != (count,) or numbers.dtype.kind not in "iu":
            raise InvalidParameters(f"{name}: expected {count} whole numbers, as there are next hops")
        wrong = (numbers < 0) | (numbers >= stop)
        if wrong.any():
            raise InvalidParameters(f"{name}: found {numbers[wrong][0]}, expected 0..{stop - 1}")
    if (itself := table.routers == table.destinations).any():
        router = int(table.routers[itself][0])
        raise InvalidParameters(f"router {router} has a next hop to itself: expected none")


def _shares(table: NextHopTable, order: Int64s, begins: Int64s) -> NDArray[np.float64]:
    """Return the share of every entry, of those of one router, destination and phase: float64, (entries,)."""
    lengths = np.diff(np.append(begins, len(order)))
    if table.shares is None:
        return np.repeat(1 / lengths, lengths)
    shares = table.shares[order].astype(np.float64)
    sums = np.add.reduceat(shares, begins)
    if not (shares > 0).all() or not (np.abs(sums - 1) < ROUNDED).all():
        raise InvalidParameters("shares: expected some above 0 that add up to 1 at every router")
    found: NDArray[np.float64] = shares / np.repeat(sums, lengths)
    return found


def _phases_after(topology: Topology, entries: _Entries, arcs: Int64s) -> NDArray[np.int8]:
    """Return the phase after every hop, where that does not depend on the destination: (phases, arcs)."""
    found = np.repeat(np.arange(entries.phases)[:, None], len(topology.graph.neighbors), axis=1)
    found[entries.phase, arcs] = entries.next_phase
    wrong = np.flatnonzero(found[entries.phase, arcs] != entries.next_phase)
    if len(wrong):
        one = int(wrong[0])
        raise InvalidParameters(
            f"a hop from {entries.routers[one]} to {entries.heads[one]} in phase {entries.phase[one]} ends "
            "in several phases: expected one for all destinations"
        )
    return found.astype(np.int8)


@dataclass(frozen=True, eq=False)
class _Entries:
    """Next hops, ascending by destination, phase and router: int64, shape (entries,) each."""

    order: int
    phases: int
    destinations: Int64s
    phase: Int64s
    routers: Int64s
    next_phase: Int64s
    heads: Int64s

    def states(self) -> Int64s:
        """Where a packet is: its destination, its phase and the router, in one number."""
        return (self.destinations * self.phases + self.phase) * self.order + self.routers

    def after(self) -> Int64s:
        """Where it is after the hop."""
        return (self.destinations * self.phases + self.next_phase) * self.order + self.heads


def _longest_way(topology: Topology, entries: _Entries) -> int:
    """Return the hops of the longest way of a packet that an endpoint sends.

    Raises:
        InvalidParameters: a packet finds no next hop, or goes round in a circle.
    """
    order, endpoints = topology.graph.order, topology.endpoints_per_router > 0
    ends = np.flatnonzero(endpoints) if endpoints.any() else np.arange(order)
    require_memory(64 * len(entries.heads), f"{len(entries.heads):,} next hops")
    states, after = entries.states(), entries.after()
    at_once = max(1, STATES_AT_ONCE // (entries.phases * order))
    longest = 0
    for first in range(0, order, at_once):
        rows = slice(*np.searchsorted(entries.destinations, (first, first + at_once)))
        here = ends[(first <= ends) & (ends < first + at_once)]
        before, stop = (router * entries.phases * order for router in (first, min(first + at_once, order)))
        begin = (here[:, None] * entries.phases * order + ends)[here[:, None] != ends] - before
        arrived = (here[:, None] * entries.phases + np.arange(entries.phases)) * order + here[:, None]
        gone = np.zeros(stop - before, dtype=bool)
        gone[arrived.ravel() - before] = True
        tails, heads = _hops_taken(states[rows] - before, after[rows] - before, begin, gone.copy(), entries)
        longest = max(longest, _rounds(tails, heads, gone, entries.order))
    return longest


def _hops_taken(
    tails: Int64s, heads: Int64s, here: Int64s, seen: NDArray[np.bool_], entries: _Entries
) -> tuple[Int64s, Int64s]:
    """Return the hops that packets take that are here, from states to states, until they are where some end.

    Args:
        tails: int64, shape (hops,), ascending.
        heads: int64, shape (hops,).
        here: states.
        seen: bool, shape (states,): where packets end; those that are found are added.
        entries: of which these are some.
    """
    firsts = np.searchsorted(tails, np.arange(len(seen) + 1))
    taken = [np.zeros(0, dtype=np.int64)]
    while len(here):
        counts = np.diff(firsts)[here]
        if not counts.all():
            lost = int(here[counts == 0][0])
            raise InvalidParameters(
                f"router {lost % entries.order} has no next hop for packets that come to it on their way: "
                "expected one towards every destination"
            )
        seen[here] = True
        hops = np.arange(counts.sum()) + np.repeat(firsts[here] - (np.cumsum(counts) - counts), counts)
        taken.append(hops)
        here = np.unique(heads[hops])
        here = here[~seen[here]]
    found = np.sort(np.concatenate(taken))
    return tails[found], heads[found]


def _rounds(tails: Int64s, heads: Int64s, gone: NDArray[np.bool_], order: int) -> int:
    """Return the hops of the longest way, by taking away states from which all hops lead to what is gone.

    Raises:
        InvalidParameters: some are left, from which hops lead round in a circle.
    """
    begins = np.flatnonzero(np.diff(tails, prepend=-1))
    rounds = 0
    while len(begins) and not gone[tails[begins]].all():
        ready = np.logical_and.reduceat(gone[heads], begins) & ~gone[tails[begins]]
        if not ready.any():
            raise InvalidParameters(f"packets go round in a circle: {_circle(tails, heads, gone, order)}")
        gone[tails[begins[ready]]] = True
        rounds += 1
    return rounds


def _circle(tails: Int64s, heads: Int64s, gone: NDArray[np.bool_], order: int) -> str:
    """Name the routers of a circle of hops between states that are left."""
    left = ~gone[heads] & ~gone[tails]
    after = dict(zip(tails[left].tolist(), heads[left].tolist(), strict=True))
    way = [next(iter(after))]
    while after[way[-1]] not in way:
        way.append(after[way[-1]])
    circle = way[way.index(after[way[-1]]) :]
    names = [str(state % order) for state in [*circle, circle[0]]]
    return " -> ".join(names if len(names) <= MOST_NAMED else [*names[:MOST_NAMED], "..."])
