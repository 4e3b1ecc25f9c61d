"""The network of a start file (``--start``), checked against the problem."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.cable_limit import beyond
from topoctl.errors import FormatError
from topoctl.families.cayley.group import Group
from topoctl.formats import doubt_numbering, read_topology
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.symmetry import group_text
from topoctl.search.slots import slots_of
from topoctl.topology import Symmetry, Topology


def values_of_file(path: str, *, placed: bool) -> dict[str, Any]:
    """Return the fields of a request that a start file implies: routers, largest degree, longest link.

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


def slots_of_file(path: str, problem: Problem, group: Group) -> NDArray[np.int32]:
    """Return the network of a start file: int32, shape (order, degree).

    Args:
        path: the file.
        problem: order, degree, layout and length limit that the network must fit.
        group: must map the network onto itself.

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

    def is_symmetry(group: Group) -> bool:
        return Symmetry(tuple(problem.generators(group))).holds_for(graph)

    if not is_symmetry(group):
        rotations = [rotation for rotation in problem.rotations if is_symmetry(rotation)]
        raise FormatError(
            path,
            f"not symmetric under --symmetry {group_text(group)}, "
            f"expected {' or '.join(map(group_text, rotations))}",
        )
    return slots_of(graph, problem.degree)


def _check_links(path: str, topology: Topology, problem: Problem) -> None:
    graph = topology.graph
    crowded = np.flatnonzero(graph.degrees > problem.degree)
    if len(crowded):
        router = int(crowded[0])
        raise FormatError(
            path,
            f"router {_router_name(problem, router)} has {graph.degrees[router]} links, "
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
            f"the link {_router_name(problem, tail)} {_router_name(problem, head)} is {long[1]} long, "
            f"expected at most {problem.length_limit}",
        )


def _router_name(problem: Problem, router: int) -> str:
    """Return a router as its file names it."""
    return (
        str(router)
        if problem.layout is None
        else ",".join(map(str, problem.layout.positions[router].tolist()))
    )
