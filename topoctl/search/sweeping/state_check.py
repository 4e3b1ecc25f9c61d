"""What the stored state of a sweep is declared to be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import Damaged
from topoctl.graph import Graph
from topoctl.kernels.link_annealing.checks import check_network
from topoctl.layout import Layout
from topoctl.search.annealing.action import cyclic
from topoctl.search.annealing.problem import Problem, slots_of
from topoctl.search.json_shapes import many, optional, record, row, whole
from topoctl.search.protocol import SearchState
from topoctl.search.state_checks import Array, check_arrays
from topoctl.search.sweeping.state import INNER, LINKS

ANY = record({}, more=True)
ATTEMPT = record({"number": whole(), "target": optional(whole(1)), "moves": whole(1), "budget": whole()})
FOUND = record(
    {"fold": whole(1), "diameter": whole(1), "distance_sum": whole(1), "wanted": optional(whole(1))}
)


def check_found(state: SearchState, cells: Sequence[tuple[Layout, int, int]]) -> None:
    """Hold a state against what :meth:`SweepState.stored` writes; the networks keep the rules of their cells.

    The state of the search under way is left to that search.

    Args:
        state: read from a study.
        cells: of the sweep: layout, degree and length limit.

    Raises:
        Damaged: an array or a note has not the shape that is declared here.
        InvalidParameters: a rotation that the cell has not, or a network that breaks its rules.
    """
    notes = {
        "found": many(optional(FOUND), 1, len(cells) + 1),
        "attempt": optional(ATTEMPT),
        "ended": whole(),
        "inner": optional(row(whole(), whole(), ANY)),
        "planned": many(whole(1), most=len(cells)),
    }
    record(notes, lacking=("planned",))(dict(state.notes), "notes")
    found, under_way = state.notes["found"], state.notes["attempt"] is not None
    odd = under_way != (state.notes["inner"] is not None) or (found[-1] and not under_way)
    begun = len(found) - 1 + under_way
    odd = odd or len(state.notes.get("planned", [0] * begun)) != begun
    if odd or (under_way and len(found) > len(cells)):
        raise Damaged(f"notes say that {len(found) - 1} cells are done, and what else they hold is not so")
    done = [(f"{LINKS}{place}", one["fold"], cells[place]) for place, one in enumerate(found) if one]
    own = {name: array for name, array in state.arrays.items() if not (under_way and name.startswith(INNER))}
    check_arrays(own, {name: _links(layout.order, degree) for name, _, (layout, degree, _) in done})
    for name, rotation_order, cell in done:
        _check_links(name, state.arrays[name], rotation_order, *cell)


def _links(order: int, degree: int) -> Array:
    """As many as a connected network has at least, and as there are ports for."""
    return Array(np.uint16, (range(order - 1, order * degree // 2 + 1), 2), 0, order - 1)


def _check_links(
    name: str, links: NDArray[Any], rotation_order: int, layout: Layout, degree: int, limit: int
) -> None:
    graph = Graph.from_links(layout.order, links.astype(np.int32))
    if graph.network_radix > degree:
        raise Damaged(f"array {name} has {graph.network_radix} links at a router; expected {degree}")
    problem = Problem(layout.order, degree, layout, limit)
    check_network(
        problem.neighborhood, slots_of(graph, degree), problem.generators(cyclic(rotation_order)), 0
    )
