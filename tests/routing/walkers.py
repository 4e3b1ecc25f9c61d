"""Slow and obvious routings: all paths of a packet from one router to another, each with its probability.

A path is a tuple of routers, both ends among them.
"""

from fractions import Fraction
from itertools import pairwise, product

from oracles import adjacency_of, distances


def merged(parts):
    """Probabilities of paths that come more than once added up."""
    found = {}
    for path, share in parts:
        found[path] = found.get(path, 0) + share
    return found


def alike(choices):
    """Any of some sets of paths, alike."""
    choices = list(choices)
    return merged((path, share / len(choices)) for paths in choices for path, share in paths.items())


def joined(first, second):
    """Every path of a set, gone on with every one of another that begins where it ends."""
    return merged(
        (before + after[1:], share * onward)
        for (before, share), (after, onward) in product(first.items(), second.items())
    )


def straight(*routers):
    """One path; routers named twice in a row count once."""
    steps = [router for place, router in enumerate(routers) if not place or router != routers[place - 1]]
    return {tuple(steps): Fraction(1)}


class Walker:
    """The paths of some routings of a network, by their definitions."""

    def __init__(self, topology):
        self.topology, self.known = topology, topology.parameters
        self.adjacency = adjacency_of(topology.graph)
        self.hops = [distances(self.adjacency.__getitem__, router) for router in range(topology.graph.order)]
        self.order = topology.graph.order

    def minimal(self, source, target):
        if source == target:
            return straight(source)
        nearer = [v for v in self.adjacency[source] if self.hops[v][target] < self.hops[source][target]]
        return alike(joined(straight(source, v), self.minimal(v, target)) for v in nearer)

    def any_third(self, source, target, most=99):
        """Valiant's, over the third routers by which paths have no more than so many hops."""
        return alike(
            joined(self.minimal(source, third), self.minimal(third, target))
            for third in range(self.order)
            if third not in (source, target) and self.hops[source][third] + self.hops[third][target] <= most
        )

    def candidates(self, source, target):
        return alike([self.minimal(source, target), *4 * [self.any_third(source, target)]])

    def dimension_order(self, kind, sizes, axes):
        """One coordinate after another, hop by hop, on paths, rings or cliques."""
        places = list(product(*map(range, sizes)))

        def paths(source, target):
            here, there, path = list(places[source]), places[target], [source]
            for axis in axes:
                while here[axis] != there[axis]:
                    size, upward = sizes[axis], (there[axis] - here[axis]) % sizes[axis]
                    if kind == "clique":
                        here[axis] = there[axis]
                    elif kind == "path":
                        here[axis] += 1 if there[axis] > here[axis] else -1
                    else:
                        here[axis] = (here[axis] + (1 if upward <= size - upward else -1)) % size
                    path.append(places.index(tuple(here)))
            return straight(*path)

        return paths

    def between(self, group, other):
        """The links between two groups of a Dragonfly: routers at either end."""
        a = self.known["a"]
        return [(u, v) for u in range(group * a, group * a + a) for v in self.adjacency[u] if v // a == other]

    def canonical(self, source, target):
        group, other = source // self.known["a"], target // self.known["a"]
        if group == other:
            return straight(source, target)
        return alike(straight(source, u, v, target) for u, v in self.between(group, other))

    def third_group(self, source, target):
        group, other = source // self.known["a"], target // self.known["a"]
        if group == other:
            return straight(source, target)
        return alike(
            joined(straight(source, u, v), self.canonical(v, target))
            for third in range(self.known["g"])
            if third not in (group, other)
            for u, v in self.between(group, third)
        )

    def up_then_down(self, rank):
        """Over the next hops of the shortest ways that climb no more once they have gone down."""

        def after(place):
            router, went_down = place
            steps = [(v, rank[v] > rank[router]) for v in self.adjacency[router]]
            return [step for step in steps if step[1] or not went_down]

        reach = {place: distances(after, place) for place in product(range(self.order), (False, True))}

        def left(place, target):
            return min(reach[place].get((target, went_down), 999) for went_down in (False, True))

        def paths(source, target, went_down=False):
            if source == target:
                return straight(source)
            here = source, went_down
            nearer = [step for step in after(here) if left(step, target) == left(here, target) - 1]
            return alike(joined(straight(source, v), paths(v, target, down)) for v, down in nearer)

        return paths

    def to_common_ancestors(self, level):
        """Up a fat tree to all routers that have the target below, on the lowest level that has any."""

        def below(router):
            return {router}.union(*(below(v) for v in self.adjacency[router] if level[v] < level[router]))

        leaves = [below(router) for router in range(self.order)]

        def paths(source, target):
            if source == target:
                return straight(source)
            down = target in leaves[source]
            onward = [
                v
                for v in self.adjacency[source]
                if (level[v] < level[source] and target in leaves[v] if down else level[v] > level[source])
            ]
            return alike(joined(straight(source, v), paths(v, target)) for v in onward)

        return paths


def loads_of(paths, topology):
    """What links carry of uniform traffic, (tail, head) to flits a cycle; and hops of the longest path."""
    endpoints, loads, longest = topology.endpoints_per_router.tolist(), {}, 0
    for source, target in product(range(topology.graph.order), repeat=2):
        sent = Fraction(endpoints[source] * endpoints[target], topology.endpoints - 1)
        if source == target or not sent:
            continue
        for path, share in paths(source, target).items():
            longest = max(longest, len(path) - 1)
            for hop in pairwise(path):
                loads[hop] = loads.get(hop, 0) + share * sent
    return loads, longest
