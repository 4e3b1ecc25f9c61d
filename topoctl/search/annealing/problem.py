"""What is given: routers and where they stand, links that are allowed, rotations, and the bounds."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.bounds import aspl_lower_bound, diameter_lower_bound, distance_sum_lower_bound
from topoctl.analysis.layout_bounds import layout_bounds
from topoctl.cable_limit import CableLimit, LengthLimit
from topoctl.errors import InvalidParameters
from topoctl.families.cayley.group import Group
from topoctl.floor.cabinets import Cabinets
from topoctl.graph import Graph
from topoctl.kernels.link_annealing import Neighborhood
from topoctl.layout import Layout
from topoctl.search.annealing.action import cyclic, generators_of, typed
from topoctl.topology import Symmetry, Topology, Value, uniform_endpoints

ALL_AT_ONCE = 512
"""Routers whose lengths to all others are computed together."""


class Problem:
    """An order/degree problem: so many routers of so many links each, with or without positions.

    Source: the order/degree problem of Graph Golf; on a layout, that of Nakano et al. (2016).

    Args:
        order: N.
        degree: K.
        layout: where the routers stand, or None.
        length_limit: L, steps or metres of cable, or None.
        cabinets: that a rotation has to keep the cables' lengths on, or None; those of a limit in metres are
            kept in any case.
    """

    def __init__(
        self,
        order: int,
        degree: int,
        layout: Layout | None,
        length_limit: LengthLimit | None,
        cabinets: Cabinets | None = None,
    ) -> None:
        sizes = cabinets.step_millimetres if cabinets else (1, 1)
        if isinstance(length_limit, CableLimit):
            sizes = length_limit.width, length_limit.depth
        self.oblong = sizes[0] != sizes[1]
        self.order, self.degree, self.layout, self.length_limit = order, degree, layout, length_limit
        if layout is None:
            self.diameter_bound = diameter_lower_bound(order, degree)
            self.distance_sum_bound = distance_sum_lower_bound(order, degree)
            self.aspl_bound = aspl_lower_bound(order, degree)
        else:
            bounds = layout_bounds(layout, degree, length_limit)
            self.diameter_bound, self.distance_sum_bound = bounds.diameter, bounds.distance_sum
            self.aspl_bound = bounds.aspl

    @cached_property
    def neighborhood(self) -> Neighborhood:
        """Which pairs may be linked."""
        layout, limit = self.layout, self.length_limit
        if layout is None:
            return Neighborhood.unlimited(self.order)
        diagonals = np.ascontiguousarray(layout.diagonals, dtype=np.int32)
        if isinstance(limit, CableLimit):
            diagonals, limit = limit.diagonals(layout), limit.reach
        longest = int(np.ptp(diagonals, axis=0).max())
        if limit is None or limit >= longest:
            return replace(Neighborhood.unlimited(self.order), diagonals=diagonals, limit=longest)
        counts, found = [], []
        for first in range(0, self.order, ALL_AT_ONCE):
            block = diagonals[first : first + ALL_AT_ONCE]
            across, along = (np.abs(block[:, axis, None] - diagonals[None, :, axis]) for axis in (0, 1))
            near = (across <= limit) & (along <= limit)
            near[np.arange(len(block)), first + np.arange(len(block))] = False
            counts.append(near.sum(axis=1))
            found.append(np.nonzero(near)[1].astype(np.int32))
        offsets = np.concatenate([[0], np.cumsum(np.concatenate(counts))]).astype(np.int64)
        return Neighborhood(offsets, np.concatenate(found), diagonals, limit)

    @property
    def irregularity(self) -> str:
        """Why not every router can have K links, in a line; empty where it can as far as is known."""
        offsets = self.neighborhood.offsets
        if len(offsets) and self.layout is not None:
            near = np.diff(offsets)
            least = int(near.argmin())
            if near[least] < self.degree:
                x, y = self.layout.positions[least].tolist()
                short = int((near < self.degree).sum())
                return (
                    f"{short} of {self.order} routers cannot have {self.degree} links: "
                    f"the one at {x},{y} has {near[least]} routers within {self.length_limit}"
                )
        if self.order * self.degree % 2:
            return f"{self.order} routers cannot all have {self.degree} links: one gets {self.degree - 1}"
        return ""

    def generators(self, group: Group) -> NDArray[np.int32]:
        """Permutations that generate a group, under which every orbit has as many routers as it has elements.

        On a layout the first turns the floor; otherwise they are those of
        :func:`topoctl.search.annealing.action.generators_of`.

        Returns:
            int32, shape (2, order).

        Raises:
            InvalidParameters: the group cannot act so.
        """
        if self.layout is None:
            return generators_of(group, self.order)
        return np.stack([self._turn(self.layout, group), np.arange(self.order, dtype=np.int32)])

    def _turn(self, layout: Layout, group: Group) -> NDArray[np.int32]:
        """The turn of the floor that generates a group: int32, shape (order,)."""
        rotation_order = group.order
        if group.t > 1 or rotation_order not in (1, 2, 4):
            raise InvalidParameters(f"--symmetry {typed(group)}: expected 1, 2, 4 or auto on a {layout.kind}")
        if rotation_order == 4 and self.oblong:
            raise InvalidParameters("--symmetry 4: a quarter turn needs square cabinets; expected 1 or 2")
        rotation = layout.rotation(rotation_order)
        if rotation is None:
            raise InvalidParameters(
                f"--symmetry {rotation_order}: {layout} is not the same after a turn of "
                f"{360 // rotation_order} degrees; "
                f"expected {' or '.join(map(str, self.rotation_orders))}"
            )
        if rotation_order > 1 and (rotation == np.arange(self.order)).any():
            raise InvalidParameters(
                f"--symmetry {rotation_order}: the router in the middle of {layout} stays in its place; "
                "expected 1"
            )
        return rotation

    @property
    def rotation_orders(self) -> list[int]:
        """The orders of the rotations that there are, largest first."""
        if self.layout is None:
            return [
                rotation_order
                for rotation_order in range(self.order // 2, 0, -1)
                if self.order % rotation_order == 0
            ]
        turns = {
            rotation_order: self.layout.rotation(rotation_order)
            for rotation_order in ((2, 1) if self.oblong else (4, 2, 1))
        }
        index = np.arange(self.order)
        return [
            count
            for count, turn in turns.items()
            if turn is not None and (count == 1 or not (turn == index).any())
        ]

    @property
    def rotations(self) -> list[Group]:
        """The groups of these rotations."""
        return [cyclic(rotation_order) for rotation_order in self.rotation_orders]

    def topology(self, slots: NDArray[np.int32], group: Group, origin: str = "") -> Topology:
        """The network of a padded adjacency, the group it is held to, and what it was made of.

        Args:
            slots: int32, shape (order, degree).
            group: that maps it onto itself.
            origin: a spec or a file, and what was changed; empty where there is none.
        """
        limit = self.length_limit
        parameters: dict[str, Value] = {
            "degree": self.degree,
            "length_limit": None if isinstance(limit, CableLimit) else limit,
            "layout": None if self.layout is None else self.layout.kind,
            "width": None if self.layout is None else self.layout.width,
            "height": None if self.layout is None else self.layout.height,
            "symmetry": group.order,
        }
        if isinstance(limit, CableLimit):
            parameters["length_limit_m"] = limit.metres
        if group.t > 1:
            parameters["group"] = (group.s, group.t, group.r)
        if origin:
            parameters["origin"] = origin
        generators = self.generators(group)[: 1 if group.t == 1 else 2]
        return Topology(
            family="graph" if self.layout is None else self.layout.kind,
            parameters=parameters,
            graph=Graph.from_links(self.order, links_of(slots)),
            endpoints_per_router=uniform_endpoints(self.order, 0),
            symmetry=Symmetry(tuple(generators)) if group.order > 1 else None,
            layout=self.layout,
            length_limit=limit,
        )


def links_of(slots: NDArray[np.int32]) -> NDArray[np.int32]:
    """The links of a padded adjacency, smaller router first: int32, shape (links, 2)."""
    tails = np.repeat(np.arange(len(slots), dtype=np.int32), slots.shape[1])
    heads = slots.ravel()
    return np.stack([tails, heads], axis=1)[tails < heads]


def slots_of(graph: Graph, degree: int) -> NDArray[np.int32]:
    """The padded adjacency of a graph of at most `degree` links a router: int32, shape (order, degree)."""
    slots = np.full((graph.order, degree), -1, dtype=np.int32)
    degrees = np.diff(graph.offsets)
    tails = np.repeat(np.arange(graph.order), degrees)
    slots[tails, np.arange(len(graph.neighbors)) - graph.offsets[tails]] = graph.neighbors
    return slots
