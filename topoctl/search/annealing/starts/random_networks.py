"""Random networks: as regular as the ports allow, then scrambled. Nakano et al. (2016), steps 1 and 2."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.families.cayley.group import Group
from topoctl.graph import Graph
from topoctl.kernels.link_annealing import LinkWalk, anneal_links
from topoctl.search.annealing.problem import Problem
from topoctl.search.draws import Draws
from topoctl.search.slots import links_of

CHOICES = 8  # more partners only cost time
"""Partners that a router is offered, in multiples of its ports."""
TOGGLES = 10
"""Random exchanges per link in one scramble."""
SCRAMBLES, IDLE_SCRAMBLES = 20, 5
"""Scrambles, at most, while ports are free; and scrambles that fill none, after which none can be filled."""
REPAIRS = 100
"""Exchanges per link, at most, that may connect a scrambled network."""


def random_starts(problem: Problem, groups: list[Group], draws: Draws, threads: int) -> NDArray[np.int32]:
    """Draw a random network under each group: int32, shape (groups, order, degree).

    Every router gets as many links as greedy choice and random exchanges can give it. Where a network is not
    connected, exchanges that lower the number of pairs without a path connect it, as far as they can.
    """
    slots = np.stack([filled_network(problem, group, draws) for group in groups])
    generators = np.stack([problem.generators(group) for group in groups])

    def walk_all(
        slots: NDArray[np.int32], walks: list[LinkWalk], seeds: NDArray[np.uint64]
    ) -> NDArray[np.int32]:
        frozen = np.zeros((len(groups), 1), dtype=np.int64)
        found = anneal_links(problem.neighborhood, slots, generators, walks, seeds, frozen, threads)
        return found.last if walks[0].method == "toggle" else found.best

    orbits = [max(1, problem.order * problem.degree // (2 * group.order)) for group in groups]
    free, idle = slots.size, 0
    odd = len(groups) * (problem.order * problem.degree % 2)
    for _ in range(SCRAMBLES):  # the first scramble is step 2 of the paper; the others fill free ports
        slots = walk_all(
            slots,
            [
                LinkWalk(rotation_order=group.s, second_order=group.t, method="toggle", moves=TOGGLES * links)
                for group, links in zip(groups, orbits, strict=True)
            ],
            draws.words(len(groups)),
        )
        former, free = free, int((slots < 0).sum())
        idle = idle + 1 if free == former else 0
        if free <= odd or idle == IDLE_SCRAMBLES:
            break
    seeds = draws.words(len(groups))
    if all(len(Graph.from_links(problem.order, links_of(one)).component_sizes()) == 1 for one in slots):
        return slots
    return walk_all(
        slots,
        [
            LinkWalk(
                rotation_order=group.s,
                second_order=group.t,
                moves=REPAIRS * links,
                goal_diameter=problem.order,
                goal_sum=problem.order**3,
            )
            for group, links in zip(groups, orbits, strict=True)
        ],
        seeds,
    )


def filled_network(problem: Problem, group: Group, draws: Draws) -> NDArray[np.int32]:
    """Link free ports in random order, by whole orbits of links: int32, shape (order, degree).

    Without positions the network is regular at once: under a rotation it is the circulant graph, which is
    connected, under another group a random Cayley network.
    """
    order, degree = problem.order, problem.degree
    if problem.layout is None:
        return _circulant(order, degree) if group.t == 1 else _random_cayley(group, order, degree, draws)
    adjacency: list[list[int]] = [[] for _ in range(order)]
    images = [list(range(order))]
    rotation = problem.generators(group)[0].tolist()
    for _ in range(group.order - 1):
        images.append([rotation[router] for router in images[-1]])
    taken: set[int] = set()
    for tail, head in _candidates(problem, group, draws):
        if (min(tail, head) * order + max(tail, head)) in taken:
            continue
        orbit = {tuple(sorted((turned[tail], turned[head]))) for turned in images}
        inside = any(turned[tail] == head for turned in images)  # then every router of the orbit gets two
        ports = 2 if inside and len(orbit) == group.order else 1
        if max(len(adjacency[tail]), len(adjacency[head])) + ports > degree:
            continue
        for a, b in orbit:
            adjacency[a].append(b)
            adjacency[b].append(a)
            taken.add(a * order + b)
    slots = np.full((order, degree), -1, dtype=np.int32)
    for router, neighbors in enumerate(adjacency):
        slots[router, : len(neighbors)] = neighbors
    return slots


def _circulant(order: int, degree: int) -> NDArray[np.int32]:
    """Router v linked to v ± 1, v ± 2, …: every rotation of the ring of routers maps it onto itself."""
    steps = [step for near in range(1, degree // 2 + 1) for step in (near, -near)]
    if degree % 2 and order % 2 == 0:
        steps.append(order // 2)
    slots = np.full((order, degree), -1, dtype=np.int32)
    slots[:, : len(steps)] = (np.arange(order)[:, None] + steps) % order
    return slots


def _random_cayley(group: Group, order: int, degree: int, draws: Draws) -> NDArray[np.int32]:
    """Draw a Cayley network of the product of the group and the rotation of its orbits.

    Links go from router 0 to random routers and to their inverses. A router that is its own inverse fills the
    last port of an odd degree; more such routers fill the ports for which there are no more pairs.
    """
    inverses = _inverses(group, order)
    mixed = 1 + np.argsort(draws.words(order - 1), kind="stable")
    pairs = mixed[mixed < inverses[mixed]][: degree // 2]
    own = mixed[mixed == inverses[mixed]][: degree - 2 * len(pairs)]
    chosen = np.concatenate([pairs, inverses[pairs], own])
    slots = np.full((order, degree), -1, dtype=np.int32)
    slots[:, : len(chosen)] = _products(group, order, chosen)
    return slots


def _inverses(group: Group, order: int) -> NDArray[np.int64]:
    """Return the router that leads back, for the voltage of every router as in :func:`_products`: (order,).

    Example:
        >>> _inverses(Group(3, 2, 2), 12)[[2, 3, 7]].tolist()
        [4, 5, 7]
    """
    orbits = order // group.order
    element, orbit = np.divmod(np.arange(order), orbits)
    inverse = group.number(group.inverse(group.element(element)))
    inverses: NDArray[np.int64] = inverse * orbits + -orbit % orbits
    return inverses


def _products(group: Group, order: int, voltages: NDArray[np.integer]) -> NDArray[np.int32]:
    """Return the routers (g x, i + h) for every router (g, i): int32, shape (order, voltages).

    Args:
        group: acts on the routers.
        order: routers.
        voltages: numbers x orbits + h of elements of the product of the group and the rotation of the orbits;
            shape (voltages,).

    Example:
        >>> _products(Group(3, 2, 2), 6, np.array([1]))[:, 0].tolist()
        [1, 2, 0, 5, 3, 4]
    """
    orbits = order // group.order
    element, orbit = np.divmod(np.arange(order)[:, None], orbits)
    x, h = np.divmod(voltages, orbits)
    product = group.number(group.product(group.element(element), group.element(x)))
    products: NDArray[np.int32] = (product * orbits + (orbit + h) % orbits).astype(np.int32)
    return products


def _candidates(problem: Problem, group: Group, draws: Draws) -> list[list[int]]:
    """List links that may be drawn, in the order in which they are tried; at least one of every orbit."""
    order, degree = problem.order, problem.degree
    images = [np.arange(order, dtype=np.int32)]
    for _ in range(group.order - 1):
        images.append(problem.generators(group)[0][images[-1]])
    sources = np.flatnonzero(np.min(images, axis=0) == np.arange(order))
    offsets, routers = problem.neighborhood.offsets, problem.neighborhood.routers
    if not len(offsets):
        tails = np.repeat(sources, CHOICES * degree)
        heads = draws.words(len(tails)) % np.uint64(order)
    else:
        counts = offsets[sources + 1] - offsets[sources]
        tails = np.repeat(sources, counts)
        places = np.arange(len(tails)) - np.repeat(np.cumsum(counts) - counts, counts)
        heads = routers[offsets[tails] + places]
        offered = draws.words(len(tails)) % np.repeat(counts, counts).astype(np.uint64) < CHOICES * degree
        tails, heads = tails[offered], heads[offered]
    pairs = np.stack([tails, heads.astype(np.int64)], axis=1)[tails != heads]
    pairs = pairs[np.argsort(draws.words(len(pairs)), kind="stable")]
    listed: list[list[int]] = pairs.tolist()
    return listed
