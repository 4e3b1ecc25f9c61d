"""The kernels of virtual channels, on both backends, against packets that go hop by hop."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.backends import BACKENDS, on
from kernels.test_carry_kernel import random_routes
from kernels.test_link_loads_kernel import random_graph
from topoctl.errors import InvalidParameters
from topoctl.kernels.follow import NOBODY, SEVERAL, follow
from topoctl.kernels.rises import NONE, rises

CASES = {
    "order": st.integers(2, 9),
    "degree": st.integers(1, 4),
    "phases": st.integers(1, 2),
    "count": st.integers(0, 3),
    "ordered": st.sampled_from([True, True, True, False]),
    "seed": st.integers(0, 2**32),
    "threads": st.integers(1, 3),
}


def drawn(order, degree, phases, count, ordered, seed):
    """A graph, destinations, routes, the routers that send, and the generator of all of them."""
    rng = np.random.default_rng(seed)
    graph = random_graph(order, degree, seed)
    destinations = rng.integers(0, order, size=count).astype(np.int32)
    shares, next_phase = random_routes(graph, destinations, phases, ordered, rng)
    sent = rng.random((count, order)) < rng.choice([0.3, 1])
    sent[np.arange(count), destinations] = False
    # Sources that have no way at all would be a fault of nearly every draw.
    tails = np.repeat(np.arange(order), graph.degrees)
    for row in range(count):
        sent[row] &= np.bincount(tails, weights=shares[row, 0], minlength=order) > 0
    return rng, graph, destinations, shares, next_phase, sent


def packets_hop_by_hop(graph, destination, shares, next_phase, sent, numbers, then, begun):
    """All (phase, arc, channel, source) of last hops; None where a packet meets a fault."""
    tails = np.repeat(np.arange(graph.order), graph.degrees)
    ways = lambda phase, router: [a for a in np.flatnonzero(shares[phase] > 0) if tails[a] == router]  # noqa: E731
    here = []
    for router in np.flatnonzero(sent):
        firsts = ways(0, router)
        if not firsts:
            return None
        here += [(0, arc, *packet) for arc in firsts for packet in begun(arc)]
    seen, last = set(here), set()
    if any(not 0 <= channel < len(numbers) for _, _, channel, _ in here):
        return None
    while here:
        phase, arc, channel, source = here.pop()
        if graph.neighbors[arc] == destination:
            last.add((phase, int(arc), channel, source))
            continue
        phase_on = int(next_phase[phase, arc])
        onward = ways(phase_on, graph.neighbors[arc])
        if not onward:
            return None
        for after in onward:
            channel_on = then(phase_on, arc, after, channel)
            if not 0 <= channel_on < len(numbers) or numbers[channel_on, after] <= numbers[channel, arc]:
                return None
            moved = (phase_on, after, channel_on, source)
            if moved not in seen:
                seen.add(moved)
                here.append(moved)
    joined = {}
    for *place, source in last:
        joined.setdefault(tuple(place), set()).add(source)
    return sorted(
        (*place, sources.pop() if len(sources) == 1 else SEVERAL) for place, sources in joined.items()
    )


@given(**CASES, channels=st.integers(1, 3), kind=st.sampled_from(["new", "turned", "own", "rising"]))
def test_packets_are_followed_as_hop_by_hop(
    order, degree, phases, count, ordered, seed, threads, channels, kind
):
    rng, graph, destinations, shares, next_phase, sent = drawn(order, degree, phases, count, ordered, seed)
    arcs, tails = len(graph.neighbors), np.repeat(np.arange(order), graph.degrees)
    kinds, raised = rng.integers(0, 2, arcs).astype(np.int8), rng.integers(0, 2, (2, 2)).astype(np.int8)
    own = rng.integers(0, channels, (count if kind == "own" else 0, phases, arcs)).astype(np.int8)
    starts = rng.integers(0, channels, (0 if kind == "turned" else count, arcs)).astype(np.int32)
    numbers = rng.integers(0, 40, (channels, arcs)).astype(np.int32)
    if kind == "rising":  # by rank, up and then down, over every two hops: only channels may be too few
        rank = rng.permutation(order)
        kinds, raised = (
            (rank[graph.neighbors] < rank[tails]).astype(np.int8),
            np.array([[0, 1], [0, 0]], np.int8),
        )
        within = np.where(kinds, order - 1 - rank[graph.neighbors], order + rank[graph.neighbors])
        numbers = (within + 2 * order * np.arange(channels)[:, None]).astype(np.int32)
        starts[:] = np.minimum(starts, rng.integers(0, 2))
    if kind == "turned":
        places = np.append(0, np.cumsum(rng.integers(0, 3, arcs)))
        home = rng.integers(SEVERAL, order, places[-1])
        begun = np.stack(
            [rng.integers(0, channels, places[-1]), home, np.where(home < 0, SEVERAL, home)], axis=1
        )
    else:
        places, sources = np.arange(arcs + 1), SEVERAL + 0 * tails if kind == "rising" else tails
        begun = np.stack([0 * tails, NOBODY + 0 * tails, sources], axis=1)
    arguments = (
        graph.offsets,
        graph.neighbors,
        destinations,
        shares,
        next_phase,
        sent,
        numbers,
        kinds,
        raised,
    )
    rest = own, starts, places, begun.astype(np.int32), threads
    faults, packets = [], []
    for row, destination in enumerate(destinations.tolist()):

        def then(phase, before, after, channel, row=row):
            if kind == "own":
                return int(own[row, phase, after])
            return channel + int(raised[kinds[before], kinds[after]])

        def first(arc, row=row, destination=destination):
            rows = begun[places[arc] : places[arc + 1]].tolist()
            channel = None if kind == "turned" else int(starts[row, arc])
            return [(c if channel is None else channel, s) for c, h, s in rows if h != destination]

        found = packets_hop_by_hop(
            graph, destination, shares[row], next_phase, sent[row], numbers, then, first
        )
        faults.append(found is None)
        packets += found or []
    for name in BACKENDS:
        found = on(name, follow, *arguments, *rest)
        np.testing.assert_array_equal(found.faults, faults)
        np.testing.assert_array_equal(found.packets, np.array(packets, dtype=np.int32).reshape(-1, 4))


def most_hop_by_hop(graph, destination, shares, next_phase, source, kinds, raised, before, end):
    """The most that a channel rises from a source, and the hops of the longest way, or None without end."""
    tails = np.repeat(np.arange(graph.order), graph.degrees)

    def search(place, way):
        most, longest = {}, 0
        for arc in np.flatnonzero((shares[place[0]] > 0) & (tails == place[1])):
            after = int(next_phase[place[0], arc]), int(graph.neighbors[arc])
            if after[1] == destination:
                onward, hops = {(0, kinds[arc])}, 0
            elif after in way:
                return None
            else:
                deeper = search(after, {*way, after})
                if deeper is None:
                    return None
                ways, hops = deeper
                onward = {(rise, last) for (kind, last), rise in ways.items() if kind == kinds[arc]}
            longest = max(longest, hops + 1)
            for rise, last in onward:
                for kind in (0, 1):
                    total = rise + int(raised[kind, kinds[arc]])
                    most[kind, last] = max(most.get((kind, last), NONE), total)
        return most, longest

    found = search((0, source), {(0, source)})
    if found is None:
        return None
    rise = [value for (kind, last), value in found[0].items() if kind == before and end in (None, last)]
    return max(rise, default=NONE), found[1]


@given(**CASES, orders=st.integers(1, 2), ends=st.integers(1, 2))
def test_rises_are_those_of_the_worst_way(order, degree, phases, count, ordered, seed, threads, orders, ends):
    rng, graph, destinations, shares, next_phase, sent = drawn(
        min(order, 7), min(degree, 3), phases, count, ordered, seed
    )
    kinds = rng.integers(0, 2, (orders, len(graph.neighbors))).astype(np.int8)
    raised = rng.integers(0, 3, (2, 2)).astype(np.int8)
    most = np.full((count, orders, ends, 2, graph.order), NONE)
    hops = np.zeros(count, dtype=np.int64)
    for row, destination in enumerate(destinations.tolist()):
        for place in np.ndindex(orders, ends, 2):
            number, end, before = place
            for source in np.flatnonzero(sent[row]).tolist():
                found = most_hop_by_hop(
                    graph, destination, shares[row], next_phase, source, kinds[number], raised, before,
                    end if ends == 2 else None,
                )  # fmt: skip
                if found is None or hops[row] < 0:
                    hops[row] = -1
                else:
                    most[(row, *place, source)], hops[row] = found[0], max(hops[row], found[1])
        if hops[row] < 0:
            most[row] = NONE
    for name in BACKENDS:
        arguments = graph.offsets, graph.neighbors, destinations, shares, next_phase, sent, kinds, raised
        found = on(name, rises, *arguments, ends, threads)
        np.testing.assert_array_equal(found.hops, hops)
        np.testing.assert_array_equal(found.most, most)


def test_places_that_do_not_ascend_are_refused():
    path = np.array([0, 1, 2], dtype=np.int32), np.array([1, 0], dtype=np.int32)
    one, flat = np.zeros(1, dtype=np.int32), np.zeros((1, 2), dtype=np.int8)
    routes = one, np.zeros((1, 1, 2)), flat, np.zeros((1, 2), dtype=bool), flat.astype(np.int32), flat[0]
    rest = np.zeros((2, 2), np.int8), np.zeros((0, 1, 2), np.int8), np.zeros((0, 2), np.int32)
    with pytest.raises(InvalidParameters, match="begun_first: expected places that ascend from 0 to 1"):
        follow(*path, *routes, *rest, np.array([0, 2, 1]), np.zeros((1, 3), np.int32))
