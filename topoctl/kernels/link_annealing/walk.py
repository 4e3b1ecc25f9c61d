"""What an annealing walker is given: which links it may make, and how it moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.link_annealing.cables import Cables
from topoctl.kernels.validation import check_arrays

Method = Literal["toggle", "full", "affected", "delta"]
METHODS: tuple[Method, ...] = ("toggle", "full", "affected", "delta")
EXACT = -1
"""The slack of a walk that refuses nothing by prediction."""
MOST_ORBITS = 64
"""Of the group of a lifted walk."""


@dataclass(frozen=True, eq=False)
class Neighborhood:
    """Which pairs of routers may be linked: those no further apart than a limit, and all of them.

    Attributes:
        offsets: int64, shape (order + 1,), or (0,) where any two routers may be linked.
        routers: int32: the routers that router v may be linked to are ``routers[offsets[v]:offsets[v + 1]]``.
        diagonals: int32, shape (order, 2): coordinates in which the length is max(|du|, |dv|).
        limit: of the length.
    """

    offsets: NDArray[np.int64]
    routers: NDArray[np.int32]
    diagonals: NDArray[np.int32]
    limit: int

    def __post_init__(self) -> None:
        check_arrays(offsets=self.offsets, routers=self.routers, diagonals=self.diagonals)
        for array in (self.offsets, self.routers, self.diagonals):
            array.setflags(write=False)

    @classmethod
    def unlimited(cls, order: int) -> Neighborhood:
        """Any two routers may be linked."""
        empty = np.zeros(0, dtype=np.int32)
        return cls(empty.astype(np.int64), empty, np.zeros((order, 2), dtype=np.int32), 0)

    def longest(self, tails: NDArray[np.integer], heads: NDArray[np.integer]) -> int:
        """The length of the longest of these links; 0 for none. Ends: int32 or int64, shape (links,)."""
        return int(np.abs(self.diagonals[tails] - self.diagonals[heads]).max(initial=0))


@dataclass(frozen=True, kw_only=True)
class LinkWalk:
    """How one walker moves.

    Distances are hops or, with cables, latencies, whose first switch is left out.

    Attributes:
        rotation_order: of the first generator of its group; moves act on whole orbits of the group, and one
            router of each is a source.
        second_order: of the second generator; 1 where the group is cyclic.
        target: a diameter; a pair costs 1 for every distance below its own that is less than `target`, and
            `weight` for the others. 0 for none: the energy is the sum of distances over all pairs of a
            source and a router. A pair without a path counts as `order` hops apart, or as
            :meth:`Cables.farthest`.
        weight: at least 1.
        slack: a proposal is refused unseen once the energy of the distances counted so far has grown by
            that many temperatures more than the threshold; EXACT for never. Hops are counted level by level,
            latencies source by source.
        method: how the distances of a changed network are found. All but ``toggle`` give the same walk;
            ``toggle`` looks at no distances and keeps every move (the paper's step 2). Latencies are found
            in one way only.
        focus: one move in ten starts in or beside a pair beyond the target, where there is one.
        moves: proposals that keep the rules of degree and length.
        aim: a diameter; the best network is the one with the fewest pairs beyond it. 0 for none; with
            cables it is 0 or the target.
        goal_diameter: end once a connected network of no more than this diameter, and
        goal_sum: no more than this sum of distances (source, router) is met; a diameter of 0 for never.
            A walk by ``toggle`` knows no goal.
        lifted: moves change the voltages and the ends of whole orbits of links, which costs least where the
            group has :data:`MOST_ORBITS` orbits at most: no more there may be. For hops, where any two
            routers may be linked; `method` and `focus` make no difference.
        cables: None where distances are hops.
    """

    rotation_order: int
    second_order: int = 1
    target: int = 0
    weight: int = 1
    slack: int = EXACT
    method: Method = "full"
    focus: bool = False
    moves: int
    aim: int = 0
    goal_diameter: int = 0
    goal_sum: int = 0
    lifted: bool = False
    cables: Cables | None = None

    @property
    def symmetry_order(self) -> int:
        """Elements of the group, which are the routers of every orbit."""
        return self.rotation_order * self.second_order

    def columns(self) -> tuple[int, ...]:
        """The row of the table that the kernels read."""
        return (
            self.rotation_order,
            self.second_order,
            self.target,
            self.weight,
            self.slack,
            METHODS.index(self.method),
            int(self.focus),
            self.moves,
            self.aim,
            self.goal_diameter,
            self.goal_sum,
            int(self.lifted),
            *(astuple(self.cables) if self.cables else (0,) * len(fields(Cables))),
        )

    @classmethod
    def of_columns(cls, columns: Sequence[int]) -> LinkWalk:
        """The walk whose row this is."""
        order, second, target, weight, slack, method, focus, moves, aim, *others = columns
        diameter, total, lifted, *cables = others
        return cls(
            rotation_order=order,
            second_order=second,
            target=target,
            weight=weight,
            slack=slack,
            method=METHODS[method],
            focus=bool(focus),
            moves=moves,
            aim=aim,
            goal_diameter=diameter,
            goal_sum=total,
            lifted=bool(lifted),
            cables=Cables(*cables) if any(cables) else None,
        )
