"""Repair with the fewest changed entries: towards every destination, only what no longer leads there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.chunks import OnProgress
from topoctl.analysis.failures import Left
from topoctl.errors import InvalidParameters
from topoctl.graph import Graph
from topoctl.routing.arcs import arc_tails
from topoctl.routing.channels.automata import goes_up
from topoctl.routing.channels.certificate import Certificate
from topoctl.routing.channels.increasing import segments_proof
from topoctl.routing.channels.layers import DestinationLayers
from topoctl.routing.repair.detours import HOPS, Entries, Step, Steps, Stranded
from topoctl.routing.routed_loads import destination_batches
from topoctl.routing.routes import Destinations, Moves, Routes

Bools = NDArray[np.bool_]
TRIES = 8
"""Orders of destinations that are tried for entries that need no further virtual channel."""


@dataclass(frozen=True, eq=False)
class Repair:
    """Routes round what has failed.

    Attributes:
        routes: on the network with its own numbers of routers, links and ports; nothing takes a failed link.
        destinations: those of whose packets some go another way, or no longer go: int32, ascending.
        proof: that packets cannot deadlock, where it was found with the routes.
    """

    routes: Routes
    destinations: Destinations
    proof: Certificate | None = None


def least_repair(
    whole: Routes,
    left: Left,
    *,
    single: bool,
    uses: NDArray[np.float64],
    proven: Certificate | None = None,
    rank: NDArray[np.int32] | None = None,
    progress: OnProgress | None = None,
) -> Repair:
    """Change the fewest entries so that packets reach all that can still be reached.

    Failed next hops are dropped. An entry that has lost all of them gets new ones, the first of the shortest
    ways to routers that still lead to the destination; so few others change as these need.

    Ways that need more virtual channels than the whole network has are taken only where no others are left.
    In an order of the routers they are told by their turns from down to up. Where that does not do, and all
    packets for a destination keep to one channel, next hops that would close a circle there are passed over.

    Args:
        whole: of the whole network, straight to their destinations.
        left: what of the network is left.
        single: whether every entry has one next hop.
        uses: what arcs carried before, shape (arcs,): of equal next hops a single one is that used least.
        proven: the certificate of the whole network, where there is one.
        rank: an order of the routers in which the packets of the whole network turn from down to up less
            often than it has virtual channels: of every router, int32; None where none is known.
        progress: called with the destinations done and their number.

    Raises:
        InvalidParameters: packets go over other routers first, or no entries lead them round.

    Example:
        >>> from topoctl.analysis.failures import Failures
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.routing import ROUTINGS
        >>> ring = topology_from_spec("torus(dims=4,p=1)")
        >>> routes, uses = ROUTINGS["lowest"].routes(ring), np.zeros(8)
        >>> left = Failures(links=((0, 1),)).left_of(ring)
        >>> least_repair(routes, left, single=True, uses=uses).destinations.tolist()
        [0, 1, 2, 3]
    """
    require_straight(whole)
    kept = replace(whole, moves=_kept_moves(whole, left), equivariant=False, parts=left.parts)
    up = None if rank is None or proven is None else goes_up(whole.topology, rank)
    most = 0 if proven is None else 2 * proven.count - 1
    found = [*_stranded(whole, kept, left, up, most, progress)]
    behind = [one for one in found if one.stranded.keeps]
    entries, others = ({}, behind) if up is None else _in_order(behind, single, uses)
    routes, proof = replace(kept, moves=_patched(kept, entries)), None
    if others:
        more, proof = _in_layers(others, proven, routes, single, uses)
        entries |= more
        routes = replace(kept, moves=_patched(kept, entries))
    elif rank is not None and proven is not None:
        proof = segments_proof(routes, rank, proven.count)
    again = np.array([one.destination for one in found], dtype=np.int32)
    return Repair(replace(routes, longest=max(whole.longest, _longest(routes, again))), again, proof)


def _longest(routes: Routes, destinations: Destinations) -> int:
    """Return the hops of the longest way to these destinations."""
    graph = routes.topology.graph
    return max(
        (
            int(_ways(graph, routes.moves(batch).shares > 0, routes.next_phase, batch)[0].max())
            for batch in destination_batches(routes, destinations=destinations)
        ),
        default=0,
    )


def require_straight(routes: Routes) -> None:
    """Raise InvalidParameters for routes over other routers first, of which no entries are repaired."""
    if routes.through is not None:
        raise InvalidParameters("packets go over other routers first: expected a routing straight to the end")


def _kept_moves(whole: Routes, left: Left) -> Callable[[Destinations], Moves]:
    """Return the moves of the whole network without those that lead to what cannot be reached.

    What is left of an entry is shared as before: alike where all shares were alike.
    """
    graph, tails = whole.topology.graph, arc_tails(whole.topology.graph)

    def moves(destinations: Destinations) -> Moves:
        found = whole.moves(destinations)
        there = left.alive & (left.parts[destinations][:, None] == left.parts[tails])
        rows = np.flatnonzero(((found.shares > 0) & ~there[:, None]).any(axis=(1, 2)))
        if not len(rows):
            return found
        shares = found.shares.copy()
        shares[rows] = _shared_again(graph, shares[rows], there[rows, None])
        return replace(found, shares=shares)

    return moves


def _shared_again(graph: Graph, shares: NDArray[np.float64], there: Bools) -> NDArray[np.float64]:
    """Share what is left of entries: float64, shape (destinations, phases, arcs)."""
    starts, degrees = graph.offsets[:-1], graph.degrees
    before = np.add.reduceat(shares > 0, starts, axis=-1, dtype=np.int32)
    most = np.maximum.reduceat(shares, starts, axis=-1)
    alike = np.isclose(most * before, 1) | (before == 0)
    some = shares * there
    counts = np.add.reduceat(some > 0, starts, axis=-1, dtype=np.int32)
    sums = np.add.reduceat(some, starts, axis=-1)
    one = np.where(alike, 1 / np.maximum(counts, 1), 1.0)
    scale = np.where(alike, 1.0, 1 / np.where(sums > 0, sums, 1))
    kept = np.repeat(alike, degrees, axis=-1)
    lost = np.repeat(counts < before, degrees, axis=-1)
    again = np.where(
        kept, (some > 0) * np.repeat(one, degrees, axis=-1), some * np.repeat(scale, degrees, axis=-1)
    )
    shared: NDArray[np.float64] = np.where(lost, again, some)
    return shared


class Found(NamedTuple):
    """A destination of which some entries have lost next hops.

    Attributes:
        destination: a router.
        stranded: what is left towards it.
        led: the arcs of every place that still leads to it.
    """

    destination: int
    stranded: Stranded
    led: Callable[[int], list[int]]


def _stranded(
    whole: Routes, kept: Routes, left: Left, up: Bools | None, most: int, progress: OnProgress | None
) -> Iterator[Found]:
    """Yield what is left of the tables to every destination of which a next hop is lost."""
    graph = whole.topology.graph
    starts, steps = graph.offsets[:-1], Steps(whole, left.alive.tolist())
    leads_up = None if up is None else up.tolist()
    for batch in destination_batches(whole):
        if progress:
            progress(int(batch[-1]) + 1, graph.order)
        before, after = whole.moves(batch).shares > 0, kept.moves(batch).shares > 0
        rows = np.flatnonzero((before & ~after).any(axis=(1, 2)))
        if not len(rows):
            continue
        before, after, destinations = before[rows], after[rows], batch[rows]
        here = (left.parts[destinations][:, None] == left.parts)[:, None]
        had = (np.logical_or.reduceat(before, starts, axis=2) & here).reshape(len(rows), -1)
        reduced = (np.logical_or.reduceat(before & ~after, starts, axis=2) & here).reshape(len(rows), -1)
        hops, rises = _ways(graph, after, whole.next_phase, destinations, up)
        costs = rises.astype(np.int64) * HOPS + hops
        near = np.broadcast_to(here, (len(rows), whole.phases, graph.order)).reshape(len(rows), -1)
        for row, destination in enumerate(destinations.tolist()):
            away, used = hops[row] < 0, after[row]

            def arcs_at(place: int, used: Bools = used) -> list[int]:
                phase, router = divmod(place, graph.order)
                first, last = graph.offsets[router], graph.offsets[router + 1]
                return [*(int(first) + np.flatnonzero(used[phase, first:last])).tolist()]

            keeps = {place: arcs_at(place) for place in np.flatnonzero(had[row] & away).tolist()}
            others = np.flatnonzero(near[row] & away & ~had[row]).tolist() if keeps else []
            yield Found(
                destination,
                Stranded(
                    steps,
                    np.where(away, -1, costs[row]).tolist() if keeps else [],
                    keeps,
                    frozenset(np.flatnonzero(reduced[row]).tolist()),
                    frozenset(others),
                    leads_up,
                    most,
                ),
                arcs_at,
            )


def _ways(
    graph: Graph,
    used: Bools,
    next_phase: NDArray[np.int8],
    destinations: Destinations,
    up: Bools | None = None,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the hops and the rises of the worst ways from every place all of whose next hops arrive.

    Returns:
        Both int32, shape (destinations, phases * order); of other places -1 and 0. No way rises without an
        order of the routers.
    """
    phases = len(next_phase)
    hops = np.full((len(destinations), phases, graph.order), -1, dtype=np.int32)
    hops[np.arange(len(destinations)), :, destinations] = 0
    rises = np.zeros_like(hops)
    flat, risen = hops.reshape(len(destinations), -1), rises.reshape(len(destinations), -1)
    onward = next_phase.astype(np.int64) * graph.order + graph.neighbors
    starts = graph.offsets[:-1]
    some = np.logical_or.reduceat(used, starts, axis=2)
    level = 0
    while True:
        level += 1
        arrive = np.logical_and.reduceat(~used | (flat[:, onward] >= 0), starts, axis=2)
        new = some & arrive & (hops < 0)
        if not new.any():
            return flat, risen
        if up is not None:
            rest = risen[:, onward]
            most = np.maximum.reduceat((rest + ((rest & 1) != up)) * used, starts, axis=2)
            rises[new] = most[new]
        hops[new] = level


def _in_order(
    found: list[Found], single: bool, uses: NDArray[np.float64]
) -> tuple[dict[int, Entries], list[Found]]:
    """Return the entries that change, by destination, on ways that rise seldom enough; and who has none."""
    entries: dict[int, Entries] = {}
    others, added = [], np.zeros(len(uses))
    for one in found:
        try:
            entries[one.destination], costs = _chosen(one.stranded, frozenset(), single, uses + added)
        except InvalidParameters:
            others.append(one)
            continue
        if single:
            _add_uses(added, one.stranded, entries[one.destination], costs)
    return entries, others


def _in_layers(
    found: list[Found],
    proven: Certificate | None,
    routes: Routes,
    single: bool,
    uses: NDArray[np.float64],
) -> tuple[dict[int, Entries], Certificate | None]:
    """Return the entries that change, by destination, and a proof that they close no circle, or None.

    Where earlier destinations leave no way to one without a circle, that one comes first in another try.
    """
    layers = None if proven is None else DestinationLayers.of(proven, routes)
    unranked = [one._replace(stranded=one.stranded.unranked()) for one in found]
    for _ in range(TRIES if layers is not None else 0):
        entries = _without_circles(unranked, layers, single, uses)
        if not isinstance(entries, Found):
            assert layers is not None
            return entries, layers.certificate()
        assert layers is not None
        layers.begin_again()
        unranked = [entries, *(one for one in unranked if one is not entries)]
    entries = _without_circles(unranked, None, single, uses)
    assert not isinstance(entries, Found)
    return entries, None


def _without_circles(
    found: list[Found], layers: DestinationLayers | None, single: bool, uses: NDArray[np.float64]
) -> dict[int, Entries] | Found:
    """Return the entries that change, by destination; or the destination for which no ways are left."""
    entries: dict[int, Entries] = {}
    added = np.zeros(len(uses))
    for one in found:
        chosen = _passing_over(one, layers, single, uses + added)
        if chosen is None:
            return one
        entries[one.destination], costs = chosen
        if single:
            _add_uses(added, one.stranded, entries[one.destination], costs)
    return entries


def _passing_over(
    found: Found, layers: DestinationLayers | None, single: bool, uses: NDArray[np.float64]
) -> tuple[Entries, dict[int, int]] | None:
    """Return the entries that change, and the costs from all places that they lead to the destination.

    Steps that close a circle of waiting packets are banned one after the other; None where too few are left.
    """
    banned: frozenset[Step] = frozenset()
    while True:
        try:
            entries, costs = _chosen(found.stranded, banned, single, uses)
        except InvalidParameters:
            if not banned:
                raise
            return None
        if layers is None:
            return entries, costs
        refused = layers.refused(found.destination, [*found.stranded.turns(entries, found.led)])
        if refused is None:
            return entries, costs
        banned |= {refused}


def _chosen(
    stranded: Stranded, banned: frozenset[Step], single: bool, uses: NDArray[np.float64]
) -> tuple[Entries, dict[int, int]]:
    """Return the fewest entries that change, without banned steps, and the costs from all places."""
    changing = stranded.changing(banned)
    costs = stranded.settled(changing, banned)
    entries = stranded.next_hops(changing, banned, costs)
    if single:
        entries = {place: [min(arcs, key=lambda arc: (uses[arc], arc))] for place, arcs in entries.items()}
    return entries, costs


def _add_uses(
    added: NDArray[np.float64], stranded: Stranded, entries: Entries, costs: dict[int, int]
) -> None:
    """Add the routers whose packets take each new next hop, where every entry has one."""
    behind = dict.fromkeys(costs, 1)
    for place in sorted(costs, key=lambda one: -costs[one]):
        [arc] = entries.get(place) or stranded.keeps[place]
        onward = dict(stranded.steps.ahead(place))[arc]
        if onward in behind:
            behind[onward] += behind[place]
        added[arc] += behind[place] if place in entries else 0


def _patched(kept: Routes, patch: dict[int, Entries]) -> Callable[[Destinations], Moves]:
    """Return moves with the entries of a patch, by destination, in the place of those that were kept."""
    graph = kept.topology.graph

    def moves(destinations: Destinations) -> Moves:
        found = kept.moves(destinations)
        rows = [(row, one) for row, one in enumerate(destinations.tolist()) if one in patch]
        if not rows:
            return found
        shares = found.shares.copy()
        for row, destination in rows:
            for place, arcs in patch[destination].items():
                phase, router = divmod(place, graph.order)
                shares[row, phase, graph.offsets[router] : graph.offsets[router + 1]] = 0
                shares[row, phase, arcs] = 1 / len(arcs)
        return replace(found, shares=shares)

    return moves
