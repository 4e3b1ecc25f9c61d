"""The problem: routers and where they stand, links that are allowed, rotations, and lower bounds."""

from __future__ import annotations

from collections.abc import Mapping
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
from topoctl.search.annealing.symmetry import group_generators, group_text, rotation_group
from topoctl.search.slots import links_of
from topoctl.topology import Symmetry, Topology, Value, uniform_endpoints

ROWS_AT_ONCE = 512
"""Routers whose lengths to all others are computed together."""


class Problem:
    """An order/degree problem: routers and their links, with or without positions.

    Source: the order/degree problem of Graph Golf; on a layout, that of Nakano et al. (2016).

    Args:
        order: N.
        degree: K.
        layout: where the routers stand, or None.
        length_limit: L, steps or metres of cable, or None.
        cabinets: a rotation must keep the lengths of cables between them; None where steps or the limit in
            metres say the lengths.
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
        self._generators: dict[Group, NDArray[np.int32]] = {}  # every epoch asks for them
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
        """The pairs of routers that may be linked."""
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
        for first in range(0, self.order, ROWS_AT_ONCE):
            rows = diagonals[first : first + ROWS_AT_ONCE]
            across, along = (np.abs(rows[:, axis, None] - diagonals[None, :, axis]) for axis in (0, 1))
            near = (across <= limit) & (along <= limit)
            near[np.arange(len(rows)), first + np.arange(len(rows))] = False
            counts.append(near.sum(axis=1))
            found.append(np.nonzero(near)[1].astype(np.int32))
        offsets = np.concatenate([[0], np.cumsum(np.concatenate(counts))]).astype(np.int64)
        return Neighborhood(offsets, np.concatenate(found), diagonals, limit)

    @property
    def irregularity(self) -> str:
        """Why some router cannot have K links, in a line; empty where no reason is known."""
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
        """Return permutations that generate a group, which leaves no router in its place.

        On a layout the first one turns the floor; otherwise they are those of
        :func:`topoctl.search.annealing.symmetry.group_generators`.

        Returns:
            int32, shape (2, order).

        Raises:
            InvalidParameters: the group does not act on the routers.
        """
        if group not in self._generators:
            self._generators[group] = self._made_generators(group)
        return self._generators[group]

    def _made_generators(self, group: Group) -> NDArray[np.int32]:
        if self.layout is None:
            return group_generators(group, self.order)
        return np.stack([self._turn(self.layout, group), np.arange(self.order, dtype=np.int32)])

    def _turn(self, layout: Layout, group: Group) -> NDArray[np.int32]:
        """Return the turn of the floor that generates a group: int32, shape (order,)."""
        if group.t > 1 or group.order not in (1, 2, 4):
            raise InvalidParameters(
                f"--symmetry {group_text(group)}: expected 1, 2, 4 or auto on a {layout.kind}"
            )
        if group.order == 4 and self.oblong:
            raise InvalidParameters("--symmetry 4: a quarter turn needs square cabinets; expected 1 or 2")
        rotation = layout.rotation(group.order)
        if rotation is None:
            raise InvalidParameters(
                f"--symmetry {group.order}: {layout} is not the same after a turn of "
                f"{360 // group.order} degrees; "
                f"expected {' or '.join(map(group_text, self.rotations))}"
            )
        if group.order > 1 and (rotation == np.arange(self.order)).any():
            raise InvalidParameters(
                f"--symmetry {group.order}: the router in the middle of {layout} stays in its place; "
                "expected 1"
            )
        return rotation

    @property
    def rotations(self) -> list[Group]:
        """The groups of the rotations that leave no router in its place, the highest order first."""
        if self.layout is None:
            orders = [order for order in range(self.order // 2, 0, -1) if self.order % order == 0]
        else:
            index, turns = np.arange(self.order), (2, 1) if self.oblong else (4, 2, 1)
            orders = [
                order
                for order in turns
                if (turn := self.layout.rotation(order)) is not None
                and (order == 1 or not (turn == index).any())
            ]
        return [rotation_group(order) for order in orders]

    def topology(
        self,
        slots: NDArray[np.int32],
        group: Group,
        origin: str = "",
        kept: Mapping[str, int] | None = None,
    ) -> Topology:
        """Make the topology of a network that was found.

        Args:
            slots: int32, shape (order, degree).
            group: maps the network onto itself.
            origin: the base graph, and what was changed; empty where there is none.
            kept: what it still has of the network that annealing began with, by name.
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
        parameters |= kept or {}
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
