"""Tables as dictionaries, walked and repaired the slow way."""

from itertools import combinations

import numpy as np

from topoctl.routing.arcs import arc_tails


def entries_of(routes):
    """The next hops of every place that has some, by destination: (phase, router) -> places ahead."""
    graph = routes.topology.graph
    tails, heads = arc_tails(graph).tolist(), graph.neighbors.tolist()
    shares = routes.moves(np.arange(graph.order, dtype=np.int32)).shares
    found = []
    for row in shares:
        entries = {}
        for phase, arc in zip(*(side.tolist() for side in np.nonzero(row)), strict=True):
            ahead = (int(routes.next_phase[phase, arc]), heads[arc])
            entries.setdefault((phase, tails[arc]), set()).add(ahead)
        found.append(entries)
    return found


def differing(before, after, left):
    """How many entries differ at routers that work, for destinations that they still reach."""
    return sum(
        was.get(place) != now.get(place)
        for destination, (was, now) in enumerate(zip(before, after, strict=True))
        for place in was.keys() | now.keys()
        if left.parts[place[1]] == left.parts[destination] and not left.dead[destination]
    )


def strays(routes, left):
    """What is wrong with tables: entries that lead over a failed link, to a place without one, or round."""
    graph = routes.topology.graph
    arcs = zip(arc_tails(graph).tolist(), graph.neighbors.tolist(), left.alive.tolist(), strict=True)
    links = {(tail, head) for tail, head, alive in arcs if alive}
    faults = []
    for destination, entries in enumerate(entries_of(routes)):
        arrived = {(phase, destination) for phase in range(routes.phases)}
        faults += [
            (destination, place)
            for place, ahead in entries.items()
            if any((place[1], head) not in links for _, head in ahead)
        ]
        here = set(arrived)
        while new := {place for place, ahead in entries.items() if place not in here and ahead <= here}:
            here |= new
        faults += [(destination, place) for place in entries if place not in here]
    return faults


def fewest(routes, left, destination, most=6):
    """The fewest entries for a destination that change or are added: all sets are tried, small ones first."""
    graph = routes.topology.graph
    alive = {
        (tail, head)
        for tail, head, good in zip(
            arc_tails(graph).tolist(), graph.neighbors.tolist(), left.alive.tolist(), strict=True
        )
        if good
    }
    place_of = {
        (phase, tail, head): int(routes.next_phase[phase, arc])
        for arc, (tail, head) in enumerate(
            zip(arc_tails(graph).tolist(), graph.neighbors.tolist(), strict=True)
        )
        for phase in range(routes.phases)
    }
    entries = {
        place: ahead
        for place, ahead in entries_of(routes)[destination].items()
        if left.parts[place[1]] == left.parts[destination]
    }
    kept = {place: {one for one in ahead if (place[1], one[1]) in alive} for place, ahead in entries.items()}
    forced = {place for place in entries if kept[place] != entries[place]}
    part = np.flatnonzero(left.parts == left.parts[destination]).tolist()
    places = [(phase, router) for phase in range(routes.phases) for router in part]
    ways = {
        place: {(place_of[place[0], *link], link[1]) for link in alive if link[0] == place[1]}
        for place in places
    }

    def leads_all(changed):
        here = {(phase, destination) for phase in range(routes.phases)}
        while new := {
            place
            for place in places
            if place not in here
            and (ways[place] & here if place in changed else place in kept and kept[place] <= here)
        }:
            here |= new
        return entries.keys() <= here

    others = sorted({*places} - forced - {(phase, destination) for phase in range(routes.phases)})
    for more in range(most + 1):
        if any(leads_all(forced | {*chosen}) for chosen in combinations(others, more)):
            return len(forced) + more
    raise AssertionError(f"more than {most} entries beside those that failed")
