"""A network from a file as the start of a search."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.cable_limit import beyond
from topoctl.errors import FormatError
from topoctl.families.cayley.group import Group
from topoctl.formats import doubt_numbering, read_topology
from topoctl.search.annealing.action import typed
from topoctl.search.annealing.problem import Problem, slots_of
from topoctl.topology import Symmetry, Topology


def values_of_file(path: str, *, placed: bool) -> dict[str, Any]:
    """The values of a request that a start file implies: its routers, its largest degree, its longest link.

    Args:
        path: the file.
        placed: whether the routers must have positions.

    Raises:
        FormatError: the file cannot be read, or has no positions where they are needed.
    """
    topology = read_topology(path)
    doubt_numbering(path, topology)
    values: dict[str, Any] = {"order": topology.graph.order, "degree": topology.graph.network_radix}
    if not placed:
        return values
    layout = topology.layout
    if layout is None:
        raise FormatError(
            path, "no positions; expected lines such as '0,0 1,0', or use: topoctl optimize graph"
        )
    longest = int(layout.lengths(topology.graph.links()).max(initial=1))
    return values | {
        "layout": layout.kind,
        "width": layout.width,
        "height": layout.height,
        "length_limit": topology.length_limit or longest,
    }


def slots_of_file(path: str, problem: Problem, group: Group | None = None) -> tuple[NDArray[np.int32], Group]:
    """The network of a start file, int32, shape (order, degree), and the group that it is held to.

    Args:
        path: the file.
        problem: what the network has to fit.
        group: that must map it onto itself, or None for the rotation of the highest order that does.

    Raises:
        FormatError: the file cannot be read, or its network does not fit the problem; the message names the
            link or the router at fault.
    """
    topology = read_topology(path)
    graph = topology.graph
    if graph.order != problem.order:
        raise FormatError(path, f"{graph.order} routers, expected {problem.order}")
    if problem.layout is not None and topology.layout is not None and topology.layout != problem.layout:
        raise FormatError(path, f"a {topology.layout}, expected a {problem.layout}")
    _check_links(path, topology, problem)

    def holds(group: Group) -> bool:
        return Symmetry(tuple(problem.generators(group))).holds_for(graph)

    own = [rotation for rotation in problem.rotations if holds(rotation)]
    if group is not None and not holds(group):
        raise FormatError(
            path,
            f"not symmetric under --symmetry {typed(group)}, expected {' or '.join(map(typed, own))}",
        )
    return slots_of(graph, problem.degree), group or own[0]


def _check_links(path: str, topology: Topology, problem: Problem) -> None:
    graph = topology.graph
    crowded = np.flatnonzero(graph.degrees > problem.degree)
    if len(crowded):
        router = int(crowded[0])
        raise FormatError(
            path,
            f"router {_name(problem, router)} has {graph.degrees[router]} links, "
            f"expected at most {problem.degree}",
        )
    if problem.layout is None or problem.length_limit is None:
        return
    links = graph.links()
    long = beyond(problem.length_limit, problem.layout, links)
    if long is not None:
        tail, head = links[long[0]].tolist()
        raise FormatError(
            path,
            f"the link {_name(problem, tail)} {_name(problem, head)} is {long[1]} long, "
            f"expected at most {problem.length_limit}",
        )


def _name(problem: Problem, router: int) -> str:
    """A router as its file names it."""
    return (
        str(router)
        if problem.layout is None
        else ",".join(map(str, problem.layout.positions[router].tolist()))
    )
