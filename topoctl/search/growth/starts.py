"""How a network that stands begins to grow: spliced, lifted, or its family's own way.

Splicing cuts links and joins both their ends to a new router: Singla et al., NSDI 2012 (Jellyfish), 4.2.
A lift puts copies beside the network and crosses some links between them: Valadarsky et al., CoNEXT 2016.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families import FAMILIES
from topoctl.families.record import Family, Parameters
from topoctl.families.spec import CONCENTRATION
from topoctl.graph import Graph
from topoctl.search.annealing.problem import Problem
from topoctl.search.draws import Draws
from topoctl.search.resizing.adding import fill, inject
from topoctl.search.resizing.changing_network import ChangingNetwork
from topoctl.topology import Topology

PARTS = (1, 2, 4, 8)
"""Limits of a front, in quarters of the cables that splicing moves."""


class Way(NamedTuple):
    """A network of more routers; the first ones are the routers that stand.

    Attributes:
        name: how it was made.
        graph: its links.
        moved: links that stand and are not among them.
    """

    name: str
    graph: Graph
    moved: int


def moved_links(standing: Graph, grown: Graph) -> int:
    """Count the links of a network that another one, of as many routers or more, does not have.

    Example:
        >>> ring = Graph.from_links(3, [(0, 1), (1, 2), (2, 0)])
        >>> moved_links(ring, Graph.from_links(4, [(0, 1), (1, 2), (2, 3), (3, 0)]))
        1
    """
    before, after = (graph.links().astype(np.int64) @ [grown.order, 1] for graph in (standing, grown))
    return int((~np.isin(before, after)).sum())


def usual_limits(topology: Topology, orders: tuple[int, ...], degree: int) -> tuple[int, ...]:
    """Return limits that make a front: around what splicing moves, and what the family's own ways move."""
    graph, order = topology.graph, orders[-1]
    splicing = (order - graph.order) * degree // 2
    limits = {min(graph.size, splicing * part // 4) for part in PARTS}
    if (graph.degrees < degree).any():
        limits.add(0)
    if len(orders) == 2:
        limits |= {way.moved for way in family_ways(topology, order, degree)}
    return tuple(sorted(limits))


def family_ways(topology: Topology, order: int, degree: int) -> Iterator[Way]:
    """Yield the networks of an order that a network's family has for it, none with more links per router.

    They are what the family adds to a network without moving a cable, and its larger instances that differ in
    one parameter: more layers, a longer side. How many cables these move is by the numbers of the routers; in
    a product these keep their coordinates.
    """
    family = FAMILIES.get(topology.family)
    if family is None or family.random or topology.spec is None:
        return
    if family.growth is not None:
        for name, graph in family.growth(topology.parameters, order, degree):
            yield Way(name, graph, moved_links(topology.graph, graph))
    for parameters in _raised(family, topology.parameters, order):
        with suppress(InvalidParameters):
            claims = family.claims(parameters)
            if claims.order == order and claims.network_radix <= degree:
                larger = family.build(parameters)
                graph = _standing_first(larger.graph, topology.parameters, parameters)
                yield Way(str(larger.spec), graph, moved_links(topology.graph, graph))


def _standing_first(larger: Graph, before: Parameters, after: Parameters) -> Graph:
    """Number the routers of a larger product so that those that stand, by their coordinates, come first.

    Networks whose sizes are not those of all routers, row after row, keep their numbers.
    """
    small, large = (np.array(known.get("dims", ()), dtype=np.int64) for known in (before, after))
    if not len(large) or large.prod() != larger.order:
        return larger
    stand = np.ravel_multi_index([*np.indices(small.tolist()).reshape(len(small), -1)], large.tolist())
    places = np.concatenate([stand, np.setdiff1d(np.arange(larger.order), stand)])
    numbers = np.argsort(places)
    return Graph.from_links(larger.order, numbers[larger.links()].astype(np.int32))


def _raised(family: Family, parameters: Parameters, order: int) -> Iterator[Parameters]:
    """Yield the parameters of a family's instances with one parameter, or one size, larger."""
    for one in family.parameters:
        value = parameters[one.name]
        if one.name == CONCENTRATION or one.kind not in ("integer", "sizes") or value is None:
            continue
        sizes = value if isinstance(value, tuple) else (value,)
        for place, size in enumerate(sizes):
            for raised in range(int(str(size)) + 1, min(one.most, order) + 1):
                others = (*sizes[:place], raised, *sizes[place + 1 :])
                with suppress(InvalidParameters):
                    changed = {**parameters, one.name: others if isinstance(value, tuple) else raised}
                    complete = family.complete(changed)
                    if family.claims(complete).order > order:
                        break
                    yield complete


def spliced(standing: Graph, problem: Problem, limit: int, draws: Draws) -> Way:
    """Add routers one by one: links are cut for each, as the limit allows, then free ports are linked.

    Args:
        standing: the network.
        problem: of the order and degree that are wanted; says which routers may be linked.
        limit: links that may be cut in all.
        draws: of all choices.
    """
    network = ChangingNetwork(standing, problem.degree, problem.order, problem.neighborhood)
    added, cut = problem.order - standing.order, 0
    for number in range(1, added + 1):
        allowed = -(-limit * number // added) - cut
        links = int(network.degrees.sum()) // 2
        inject(network, draws, allowed)
        # A cut makes a link more, for two ports of the router; a free port makes one for one.
        cut += int(network.degrees[network.order - 1]) - (int(network.degrees.sum()) // 2 - links)
    fill(network, draws)
    graph = network.graph()
    return Way("spliced", graph, moved_links(standing, graph))


def filled(graph: Graph, problem: Problem, draws: Draws) -> Graph:
    """Return a network with its free ports linked, as far as the problem allows."""
    network = ChangingNetwork(graph, problem.degree, problem.order, problem.neighborhood)
    fill(network, draws)
    return network.graph()


def lifted(standing: Graph, order: int, limit: int, draws: Draws) -> Way | None:
    """Put copies beside a network, and cross random links between them; None where copies do not fit.

    A crossed link of the network leads from each copy to another one. So a link that is not crossed stays.

    Args:
        standing: the network, which is the first copy.
        order: a multiple of its order.
        limit: links that may be crossed.
        draws: of all choices.
    """
    copies = order // standing.order
    if order % standing.order or copies < 2:
        return None
    links = standing.links().astype(np.int64)
    chosen = np.argsort(draws.words(len(links)), kind="stable")[
        : min(limit, len(links) * (copies - 1) // copies)
    ]
    shifts = np.zeros(len(links), dtype=np.int64)
    shifts[chosen] = 1 + (draws.words(len(chosen)) % np.uint64(copies - 1)).astype(np.int64)
    parts: list[NDArray[np.int64]] = []
    for copy in range(copies):
        heads = links[:, 1] + (copy + shifts) % copies * standing.order
        parts.append(np.stack([links[:, 0] + copy * standing.order, heads], axis=1))
    graph = Graph.from_links(order, np.concatenate(parts).astype(np.int32))
    return Way(f"{copies}-lift", graph, moved_links(standing, graph))
