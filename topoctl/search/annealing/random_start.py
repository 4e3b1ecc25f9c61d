"""Where annealing begins: a network as regular as can be, then scrambled (the paper's steps 1 and 2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.families.cayley.group import Group
from topoctl.kernels.link_annealing import LinkWalk, anneal_links
from topoctl.search.annealing.action import lifted_inverses, lifted_products
from topoctl.search.annealing.problem import Problem
from topoctl.search.draws import Draws

CHOICES = 8
"""Partners that a router is offered, in multiples of its ports: more would only cost time."""
TOGGLES, SCRAMBLES = 10, 20
"""Random exchanges per link; and how often they are repeated, at most, while ports are free."""
IDLE_SCRAMBLES = 5
"""After so many without a free port less, those that are left are taken for ports that none can fill."""
REPAIRS = 100
"""Exchanges per link, at most, that may join the components of a scrambled network."""


def random_starts(problem: Problem, groups: list[Group], draws: Draws, threads: int) -> NDArray[np.int32]:
    """Random networks, one under each group: int32, shape (groups, order, degree).

    Every router has as many links as greed and random exchanges can give it; where a network is not
    connected, exchanges that lower the number of pairs without a path make it so, as far as they can.
    """
    slots = np.stack([filled_network(problem, group, draws) for group in groups])
    generators = np.stack([problem.generators(group) for group in groups])

    def walked(slots: NDArray[np.int32], walks: list[LinkWalk]) -> NDArray[np.int32]:
        still = np.zeros((len(groups), 1), dtype=np.int64)
        seeds = draws.words(len(groups))
        found = anneal_links(problem.neighborhood, slots, generators, walks, seeds, still, threads)
        return found.last if walks[0].method == "toggle" else found.best

    orbits = [max(1, problem.order * problem.degree // (2 * group.order)) for group in groups]
    free, idle = slots.size, 0
    odd = len(groups) * (problem.order * problem.degree % 2)
    for _ in range(SCRAMBLES):  # the first is step 2; free ports go on looking for each other
        slots = walked(
            slots,
            [
                LinkWalk(rotation_order=group.s, second_order=group.t, method="toggle", moves=TOGGLES * links)
                for group, links in zip(groups, orbits, strict=True)
            ],
        )
        former, free = free, int((slots < 0).sum())
        idle = idle + 1 if free == former else 0
        if free <= odd or idle == IDLE_SCRAMBLES:
            break
    return walked(
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
    )


def filled_network(problem: Problem, group: Group, draws: Draws) -> NDArray[np.int32]:
    """A network that takes links in random order, whole orbits of them: int32, shape (order, degree).

    It takes them as long as there are free ports. Without positions it is regular at once: under a rotation
    the circulant graph, which is connected, under other groups a random Cayley network.
    """
    order, degree, rotation_order = problem.order, problem.degree, group.order
    if problem.layout is None:
        return _circulant(order, degree) if group.t == 1 else _lifted(group, order, degree, draws)
    adjacency: list[list[int]] = [[] for _ in range(order)]
    images = [list(range(order))]
    rotation = problem.generators(group)[0].tolist()
    for _ in range(rotation_order - 1):
        images.append([rotation[router] for router in images[-1]])
    taken: set[int] = set()
    for tail, head in _candidates(problem, group, draws):
        if (min(tail, head) * order + max(tail, head)) in taken:
            continue
        orbit = {tuple(sorted((turned[tail], turned[head]))) for turned in images}
        inside = any(turned[tail] == head for turned in images)  # then every router of the orbit gets two
        ports = 2 if inside and len(orbit) == rotation_order else 1
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


def _lifted(group: Group, order: int, degree: int, draws: Draws) -> NDArray[np.int32]:
    """A Cayley network of the product of the group and the rotation of its orbits, which the group keeps.

    Links go from router 0 to random routers and to their inverses; one that is its own inverse makes an odd
    degree, and more of them one that the others do not suffice for.
    """
    inverses = lifted_inverses(group, order)
    mixed = 1 + np.argsort(draws.words(order - 1), kind="stable")
    pairs = mixed[mixed < inverses[mixed]][: degree // 2]
    own = mixed[mixed == inverses[mixed]][: degree - 2 * len(pairs)]
    chosen = np.concatenate([pairs, inverses[pairs], own])
    slots = np.full((order, degree), -1, dtype=np.int32)
    slots[:, : len(chosen)] = lifted_products(group, order, chosen)
    return slots


def _candidates(problem: Problem, group: Group, draws: Draws) -> list[list[int]]:
    """Links that may be taken, in the order in which they are tried; one of every orbit at least."""
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
